"""The command line itself, before it has any commands."""

from collections.abc import Callable
from typing import Annotated, TypeVar

import typer

import emberkeep
from emberkeep.entrypoints.exits import Commands

F = TypeVar("F", bound=Callable[..., None])

app = typer.Typer(cls=Commands, pretty_exceptions_enable=False)


def command(name: str, *, example: str) -> Callable[[F], F]:
    """Declare a command, with an example at the end of its help."""
    return app.command(name, epilog=f"Example: {example}")


def opened(db: str | None, tenant: str | None) -> "emberkeep.Memory":
    """The memory that the options name."""
    return emberkeep.open(db, tenant=tenant)


@app.callback(invoke_without_command=True, epilog="Example: emberkeep add 'I moved to Lisbon.' --user alex")
def root(
    context: typer.Context,
    *,
    version: Annotated[bool, typer.Option("--version", help="Print the version and leave.")] = False,
) -> None:
    """Memory for AI agents: keeps what happened, finds it again, lets it warm and cool."""
    if version:
        typer.echo(f"emberkeep {emberkeep.__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
