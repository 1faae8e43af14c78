"""Plain-Python twins of the games, written from the rules alone: the oracle of the engine tests."""
