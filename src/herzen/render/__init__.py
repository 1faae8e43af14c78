"""Showing games: as text now; pictures of the table stand here too when there are any."""
