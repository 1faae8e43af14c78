"""The adapters for learners. What needs their libraries belongs to the ci tier: `herzen[envs]` is installed there."""
