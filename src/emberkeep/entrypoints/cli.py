"""The command `emberkeep`: parse, call the facade, print."""

import os
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
        # A character that the terminal cannot show must not end the command.
        sys.stdout.reconfigure(errors="backslashreplace")
    if _names_a_shell(sys.argv[1:]):
        os.environ["_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION"] = "1"  # Typer has no other way to be told which
    app(prog_name="emberkeep")


def _names_a_shell(arguments: list[str]) -> bool:
    """Return whether completion is asked for a named shell, rather than for the shell that runs this command."""
    match arguments:
        case ["--show-completion" | "--install-completion", shell]:
            return shell in {"bash", "zsh", "fish", "powershell", "pwsh"}
    return False
