"""Where the command `emberkeep` starts: with few garbage collections, as nearly all objects made at startup stay."""

import gc

# Objects. With Python's default of 700, collecting takes a quarter of the time of a short command.
BETWEEN_COLLECTIONS = 100_000


def main() -> None:
    """Run the command line."""
    gc.set_threshold(BETWEEN_COLLECTIONS)
    from emberkeep.entrypoints import cli  # noqa: PLC0415 - importing it makes most of those objects

    try:
        cli.main()
    finally:
        gc.freeze()  # or the interpreter would scan all objects once more at exit
