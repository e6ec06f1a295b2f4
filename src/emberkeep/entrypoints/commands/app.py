"""The command line itself, before it has any commands."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, TypeVar

import typer

import emberkeep
from emberkeep.config import Config
from emberkeep.entrypoints.exits import Commands
from emberkeep.entrypoints.printing import use_colours
from emberkeep.errors import InvalidInput, NotFound

F = TypeVar("F", bound=Callable[..., None])

app = typer.Typer(cls=Commands, pretty_exceptions_enable=False)


def command(name: str, *, example: str) -> Callable[[F], F]:
    """Declare a command, with an example at the end of its help."""
    return app.command(name, epilog=f"Example: {example}")


def opened(db: str | None, tenant: str | None, key: str | None = None) -> "emberkeep.Memory":
    """The memory that the options name, made if there is none yet."""
    if key is not None and not Config.load(db=db).is_remote:
        raise InvalidInput("--key is for a server: pass its URL as --server too")
    return emberkeep.open(db, tenant=tenant, api_key=key)


def existing(db: str | None, tenant: str | None, key: str | None = None) -> "emberkeep.Memory":
    """The memory that the options name, for commands that make none.

    A file that was named and is not there is an error, most likely of spelling. The user's own file is not there before
    anything was added: that is an empty memory.
    """
    config = Config.load(db=db, tenant=tenant)
    if require_existing(config):
        return opened(db, tenant, key)
    return emberkeep.open(config=config.changed(db=":memory:"))


def require_existing(config: Config) -> bool:
    """Refuse a file that was named and is not there; whether the user's own is."""
    from emberkeep.wiring import database_target  # noqa: PLC0415 - `--help` need not load databases

    target = database_target(config)
    if target == ":memory:" or "://" in target or _may_be_there(Path(target).expanduser()):
        return True
    if config.db:
        raise NotFound(f"no memory at {target} yet: add something first, or correct --db")
    return False


def _may_be_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # in a folder that is closed to us: opening it says so
        return True


def of_store(db: str | None, tenant: str | None) -> "emberkeep.Memory":
    """The memory that the options name, for commands that work on the database itself."""
    Config.load(db=db).require_store()
    return existing(db, tenant)


@app.callback(invoke_without_command=True, epilog="Example: emberkeep add 'I moved to Lisbon.' --user alex")
def root(
    context: typer.Context,
    *,
    version: Annotated[bool, typer.Option("--version", help="Print the version and leave.")] = False,
    no_color: Annotated[bool, typer.Option("--no-color", help="Print without colours, as NO_COLOR=1 does.")] = False,
) -> None:
    """Memory for AI agents: keeps what happened, finds it again, lets it warm and cool."""
    use_colours(off=no_color)
    if version:
        typer.echo(f"emberkeep {emberkeep.__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
