"""Arrays from outside, checked before anything reads or writes them."""
