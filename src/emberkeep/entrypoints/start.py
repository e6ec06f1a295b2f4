"""Where the command `emberkeep` begins: with few collections of rubbish, as next to all that starting makes stays."""

import gc

BETWEEN_COLLECTIONS = 100_000  # objects; with Python's own 700, collecting takes a quarter of a short command


def main() -> None:
    """Run the command line."""
    gc.set_threshold(BETWEEN_COLLECTIONS)
    from emberkeep.entrypoints import cli  # noqa: PLC0415 - importing it makes most of those objects

    try:
        cli.main()
    finally:
        gc.freeze()  # or the interpreter looks through all of it once more on its way out
