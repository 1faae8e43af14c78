"""A card table in the browser, as an example of how an app embeds herzen. See docs/embed.rst."""
