"""Targets of `python tools/fuzz.py`: endless streams of cases, each made from its number."""
