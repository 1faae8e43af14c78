"""The programs of docs/examples. They need what `herzen[dev]` brings, so their tests belong to the ci tier."""
