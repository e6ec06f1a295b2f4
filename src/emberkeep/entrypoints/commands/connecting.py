"""Commands that connect agents over MCP: the server, and its entry in a client's settings.

Heavy modules are imported inside the command that needs them.
"""

# ruff: noqa: PLC0415 - so that --help and --version answer at once

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from emberkeep.clock import SystemClock
from emberkeep.config import Config
from emberkeep.entrypoints import options as opt
from emberkeep.entrypoints import printing
from emberkeep.entrypoints.commands.app import app, opened
from emberkeep.entrypoints.mcp.clients import CLIENTS, client_named, command_line
from emberkeep.entrypoints.mcp.installing import Installed, install
from emberkeep.entrypoints.printing import note, show
from emberkeep.errors import InvalidInput

mcp = typer.Typer(invoke_without_command=True)
app.add_typer(mcp, name="mcp", help="Serve the memory to agents over MCP.")

User = Annotated[str | None, typer.Option("--user", help="The one user whose memory it is; no tool can name another.")]
Agent = Annotated[str | None, typer.Option("--agent", help="The agent that all new memories come from.")]
Session = Annotated[str | None, typer.Option("--session", help="The session that all new memories belong to.")]


@mcp.callback(epilog="Example: emberkeep mcp --user alex --db agent.db")
def serve_mcp(
    context: typer.Context,
    *,
    http: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="Serve over HTTP on this machine; else by stdin and stdout.")
    ] = None,
    user: User = None,
    agent: Agent = None,
    session: Session = None,
    worker: Annotated[bool, typer.Option("--worker/--no-worker", help="Whether to learn in the background.")] = True,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """Serve the memory to an agent over MCP, until the agent leaves or it is told to stop."""
    if context.invoked_subcommand is not None:
        if any((http, user, agent, session, db, tenant, as_json)):
            raise InvalidInput(f"write the options behind {context.invoked_subcommand}")
        return
    from emberkeep.entrypoints import serving as web
    from emberkeep.entrypoints.mcp import serving
    from emberkeep.entrypoints.mcp.caller import Caller

    serving.require_extra()
    address = None if http is None else serving.parse_address(http)
    with (
        nullcontext() if address is None else web.listening(*address) as listener,
        opened(db, tenant, key) as memory,
        web.learning(memory) if worker and not Config.load(db=db).is_remote else nullcontext(),
    ):
        caller = Caller(memory, user, agent, session)
        if listener is None:
            serving.run_stdio(caller)
        else:
            serving.run_http(caller, listener, lambda one: show(one, printing.address_view, as_json=as_json))


@mcp.command("install", epilog="Example: emberkeep mcp install claude-desktop --user alex --write")
def install_mcp(
    client: Annotated[str, typer.Argument(help=f"One of {', '.join(CLIENTS)}.", show_default=False)] = "",
    *,
    write: Annotated[
        bool, typer.Option("--write", help="Write it into the client's settings file, after a backup of that.")
    ] = False,
    file: Annotated[Path | None, typer.Option("--file", help="Its settings file, if not the usual one.")] = None,
    user: User = None,
    agent: Agent = None,
    session: Session = None,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    as_json: opt.AsJson = False,
) -> None:
    """Print the settings that make a client use this memory, or write them into the client's file."""
    from emberkeep.entrypoints.mcp.serving import require_extra
    from emberkeep.wiring import database_target

    require_extra()
    if write and not client:
        raise InvalidInput(f"--write needs a client: name one of {', '.join(CLIENTS)}")
    chosen = client_named(client or "claude-desktop")
    settled = {"tenant": tenant, "user": user, "agent": agent, "session": session}
    # A client starts the server in an environment of its own, so the command names the database.
    command = command_line(database_target(Config.load(db=db)), settled)
    path = file or chosen.path()
    made = Installed(chosen.name, str(path), chosen.snippet(command))
    if write:
        made = install(chosen, path, command, SystemClock().now())
    show(made, _installed_view, as_json=as_json)
    if not write:
        note(f"for {made.file}" if client else "for clients that have mcpServers; name a client for its file")
    elif made.written:
        note(f"written to {made.file}" + (f"; as it was: {made.backup}" if made.backup else ""))
    else:
        note(f"{made.file} has it already")


def _installed_view(made: Installed) -> Iterator[Text]:
    yield Text(printing.shown(made.config))
