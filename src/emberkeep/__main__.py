"""`python -m emberkeep`: the same as the command `emberkeep`."""

from emberkeep.entrypoints.start import main

if __name__ == "__main__":
    main()
