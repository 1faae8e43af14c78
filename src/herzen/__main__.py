"""`python -m herzen` is the command `herzen`."""

from herzen.cli import main

if __name__ == "__main__":
    main()
