"""The command `emberkeep`: parse, call the facade, print."""

import sys
from io import TextIOWrapper

from emberkeep.entrypoints.commands import (
    admitting,
    benching,
    changing,
    connecting,
    contexts,
    finding,
    knowing,
    learning,
    pulling,
    running,
    showing,
    telling,
    transferring,
    working,
)
from emberkeep.entrypoints.commands.app import app

# Importing the modules declares the commands.
__all__ = [
    "admitting", "app", "benching", "changing", "connecting", "contexts", "finding", "knowing", "learning", "main",
    "pulling", "running", "showing", "telling", "transferring", "working",
]  # fmt: skip


def main() -> None:
    """Run the command line."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # what a terminal cannot show must not end the command
    app(prog_name="emberkeep")
