"""How a run of the command line ends: one line on stderr for an error, and the exit code that belongs to it."""

import errno
import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

from emberkeep.entrypoints.panels import ORDER, PANEL_OF
from emberkeep.entrypoints.printing import shown
from emberkeep.errors import EmberkeepError, InvalidInput
from emberkeep.service.statuses import FAILURE, STATUSES, error_document, status_of

_FULL = {errno.ENOSPC, errno.EDQUOT}


class Commands(TyperGroup):
    """The group of all commands; an expected error ends it with one line and an exit code, never with a traceback."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        ordered: dict[str, Any] = {name: self.commands[name] for name in sorted(self.commands, key=ORDER.index)}
        for name, command in ordered.items():
            command.rich_help_panel = PANEL_OF[name]
        self.commands = ordered

    def main(self, *args: Any, **options: Any) -> Any:
        """Run a command and leave with its exit code."""
        as_json = _asks_for_json(options.get("args") or sys.argv[1:])
        try:
            result = super().main(*args, **options | {"standalone_mode": False})
        except EmberkeepError as error:
            status = status_of(error)
            _report(status.code, str(error), as_json=as_json)
            sys.exit(status.exit_code)
        except typer.TyperException as error:
            _report(STATUSES[InvalidInput].code, _usage_message(error), as_json=as_json)
            sys.exit(error.exit_code)
        except OSError as error:  # such as writing standard output to a full disk
            _report(STATUSES[EmberkeepError].code, _system_message(error), as_json=as_json)
            _give_up_output()
            sys.exit(FAILURE)
        except typer.Abort:
            sys.exit(FAILURE)
        sys.exit(result if isinstance(result, int) else 0)


def _asks_for_json(args: Sequence[str]) -> bool:
    options = args[: args.index("--")] if "--" in args else args
    return "--json" in options


def _system_message(error: OSError) -> str:
    """What the operating system refused and, for a full disk, what to do about it."""
    said = f"{error.filename or 'the output'}: {error.strerror or error}"
    return f"{said}: free some space and try again" if error.errno in _FULL else said


def _give_up_output() -> None:
    """Discard unwritten standard output; otherwise Python tries to write it again at exit, and reports the failure."""
    # `fileno` fails where standard output has no file descriptor.
    with suppress(OSError), Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def _usage_message(error: typer.TyperException) -> str:
    """What is wrong, the closest valid option, and where to look."""
    context = getattr(error, "ctx", None)
    names = list(getattr(context.command, "commands", ())) if context else []
    if context and names and not error.message.strip():  # a group without a command, whose help was printed
        return f"{context.command_path} takes one of {', '.join(names)} (see {context.command_path} {names[0]} --help)"
    hint = f" (see {context.command_path} --help)" if context else ""
    # Only for options: the message about an unknown command holds its suggestion.
    near = getattr(error, "possibilities", None)
    said = f"{error.message}. Did you mean '{near[0]}'?" if near else error.format_message()
    return said + hint


def _report(code: str, message: str, *, as_json: bool) -> None:
    said = json.dumps(error_document(code, message)) if as_json else f"error: {shown(' '.join(message.splitlines()))}"
    typer.echo(said, err=True)
