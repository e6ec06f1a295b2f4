"""The command `emberkeep`: parse, call the facade, print."""

import sys
from io import TextIOWrapper

from emberkeep.entrypoints.commands import changing, finding, learning, running
from emberkeep.entrypoints.commands.app import app

__all__ = ["app", "changing", "finding", "learning", "main", "running"]  # importing the modules declares the commands


def main() -> None:
    """Run the command line."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # what a terminal cannot show must not end the command
    app(prog_name="emberkeep")
