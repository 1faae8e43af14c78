"""The paranoid search of Hearts endings in which only penalty cards count; used by _solver alone."""
