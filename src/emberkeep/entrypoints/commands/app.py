"""The command line before any commands are added: the root, and how a command opens the memory."""

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
    """Open the memory that the options name; it is created if it does not exist."""
    if key is not None and not Config.load(db=db).is_remote:
        raise InvalidInput("--key is for a server: pass its URL as --server too")
    return emberkeep.open(db, tenant=tenant, api_key=key)


def existing(db: str | None, tenant: str | None, key: str | None = None) -> "emberkeep.Memory":
    """Open the memory that the options name, for commands that must not create one.

    A named file that does not exist is an error, most likely a misspelling. The user's default file does not exist
    before anything was added: an empty memory takes its place.
    """
    config = Config.load(db=db, tenant=tenant)
    if require_existing(config):
        return opened(db, tenant, key)
    return emberkeep.open(config=config.changed(db=":memory:"))


def require_existing(config: Config) -> bool:
    """Return whether the database may exist; False only for the user's default file before anything was added.

    Raises `NotFound` for a named file that does not exist.
    """
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
    except OSError:  # the folder may not be entered: opening the file reports that
        return True


def of_store(db: str | None, tenant: str | None) -> "emberkeep.Memory":
    """Open the memory that the options name, for commands that need the database itself; a server's URL is refused."""
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
