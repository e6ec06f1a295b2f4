"""The command `emberkeep`: parse, call the facade, print. What is heavy is imported by the command that needs it."""

# ruff: noqa: PLC0415 - so that --help and --version answer at once

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import typer

import emberkeep
from emberkeep.entrypoints import options as opt
from emberkeep.entrypoints import printing
from emberkeep.entrypoints.exits import Commands
from emberkeep.entrypoints.pairs import parse_pairs
from emberkeep.entrypoints.plain import History
from emberkeep.entrypoints.printing import note, progress, show, warn
from emberkeep.entrypoints.statuses import FAILURE
from emberkeep.errors import InvalidInput
from emberkeep.model import checks

F = TypeVar("F", bound=Callable[..., None])

app = typer.Typer(cls=Commands, pretty_exceptions_enable=False)


def main() -> None:
    """Run the command line."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # what a terminal cannot show must not end the command
    app(prog_name="emberkeep")


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


# Keeping.


@command("add", example="emberkeep add 'I moved to Lisbon in May.' --user alex --tag home")
def add(
    text: Annotated[str | None, typer.Argument(help="What was said; - or nothing reads stdin.")] = None,
    *,
    file: opt.File = None,
    role: Annotated[str | None, typer.Option(help="Who said it: user (the default), assistant, …")] = None,
    name: Annotated[str | None, typer.Option(help="The speaker's name.")] = None,
    user: opt.User = None,
    agent: opt.Agent = None,
    session: opt.Session = None,
    occurred_at: opt.OccurredAt = None,
    metadata: opt.Metadata = None,
    tag: opt.Tags = None,
    learn: Annotated[bool, typer.Option("--learn/--no-learn", help="Whether to learn from it.")] = True,
    later: Annotated[bool, typer.Option("--later", help="Only write it down; `emberkeep learn` goes on.")] = False,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    as_json: opt.AsJson = False,
) -> None:
    """Keep what was said, word for word."""
    messages = _read_messages(text, file, role, name)
    pairs = parse_pairs(metadata or (), name="--metadata")
    with opened(db, tenant) as memory:
        added = memory.add(
            messages,
            user_id=user,
            agent_id=agent,
            session_id=session,
            occurred_at=occurred_at,
            metadata=pairs,
            tags=tag,
            learn=_when_to_learn(learn=learn, later=later),
        )
    warn(added.reasons)
    show(added, printing.added_view, as_json=as_json)


@command("remember", example="emberkeep remember 'Prefers a window seat' --kind preference --user alex")
def remember(
    text: Annotated[str, typer.Argument(help="What to keep.", show_default=False)],
    *,
    kind: opt.OneKind = "fact",
    sacred: Annotated[bool, typer.Option("--sacred", help="Never let it cool.")] = False,
    user: opt.User = None,
    agent: opt.Agent = None,
    session: opt.Session = None,
    occurred_at: opt.OccurredAt = None,
    metadata: opt.Metadata = None,
    tag: opt.Tags = None,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    as_json: opt.AsJson = False,
) -> None:
    """Keep one thing that you know; told again, it warms."""
    pairs = parse_pairs(metadata or (), name="--metadata")
    with opened(db, tenant) as memory:
        added = memory.remember(
            text,
            kind=checks.kind(kind),
            user_id=user,
            agent_id=agent,
            session_id=session,
            occurred_at=occurred_at,
            metadata=pairs,
            tags=tag,
            sacred=sacred,
        )
    warn(added.reasons)
    show(added, printing.added_view, as_json=as_json)


@command("update", example="emberkeep update 0197f3a0-… 'Prefers an aisle seat'")
def update(
    memory_id: opt.Id,
    text: Annotated[str | None, typer.Argument(help="The new text.")] = None,
    *,
    kind: opt.OneKind = None,
    tag: opt.Tags = None,
    metadata: opt.Metadata = None,
    sacred: Annotated[bool | None, typer.Option("--sacred/--no-sacred", help="Whether it cools.")] = None,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    as_json: opt.AsJson = False,
) -> None:
    """Change a memory; its former text stays in its history."""
    pairs = parse_pairs(metadata, name="--metadata") if metadata else None
    new_kind = checks.kind(kind) if kind else None
    with opened(db, tenant) as memory:
        item = memory.update(memory_id, text, kind=new_kind, tags=tag or None, metadata=pairs, sacred=sacred)
    show(item, printing.item_view, as_json=as_json)


# Finding.


@command("search", example="emberkeep search 'where does Alex live?' --user alex --explain")
def search(
    query: Annotated[str, typer.Argument(help="What to look for.", show_default=False)],
    *,
    user: opt.AnyUser = None,
    agent: opt.Agent = None,
    session: opt.Session = None,
    shared: opt.Shared = None,
    limit: opt.Limit = 10,
    kind: opt.Kinds = None,
    tag: opt.Tags = None,
    filters: opt.Filters = None,
    since: opt.Since = None,
    until: opt.Until = None,
    as_of: opt.AsOf = None,
    plan: opt.Plan = "balanced",
    touch: Annotated[bool, typer.Option("--touch", help="Warm what is found.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Say why each was found.")] = False,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    as_json: opt.AsJson = False,
) -> None:
    """Find what is relevant, best first."""
    pairs = parse_pairs(filters or (), name="--filter")
    with opened(db, tenant) as memory:
        hits = memory.search(
            query,
            user_id=user,
            agent_id=agent,
            session_id=session,
            shared=shared or (),
            limit=limit,
            kinds=checks.kinds(kind),
            tags=tag,
            filters=pairs,
            since=since,
            until=until,
            as_of=as_of,
            plan=plan,
            touch=touch,
        )
    warn(hits.degraded)
    show(hits, partial(printing.hits_view, explain=explain), as_json=as_json)


@command("context", example='emberkeep context "Plan Alex\'s weekend" --user alex --max-tokens 1500')
def context(
    task: Annotated[str, typer.Argument(help="What the context is for.", show_default=False)],
    *,
    max_tokens: Annotated[int, typer.Option(help="How long the text may be.")] = 4_000,
    user: opt.AnyUser = None,
    agent: opt.Agent = None,
    session: opt.Session = None,
    shared: opt.Shared = None,
    kind: opt.Kinds = None,
    tag: opt.Tags = None,
    filters: opt.Filters = None,
    since: opt.Since = None,
    until: opt.Until = None,
    as_of: opt.AsOf = None,
    plan: opt.Plan = "balanced",
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    as_json: opt.AsJson = False,
) -> None:
    """Print what is relevant to a task, ready for a model's prompt."""
    pairs = parse_pairs(filters or (), name="--filter")
    with opened(db, tenant) as memory:
        found = memory.context(
            task,
            max_tokens=max_tokens,
            user_id=user,
            agent_id=agent,
            session_id=session,
            shared=shared or (),
            kinds=checks.kinds(kind),
            tags=tag,
            filters=pairs,
            since=since,
            until=until,
            as_of=as_of,
            plan=plan,
        )
    warn(found.degraded)
    show(found, printing.context_view, as_json=as_json)


@command("get", example="emberkeep get 0197f3a0-…")
def get(memory_id: opt.Id, *, db: opt.Db = None, tenant: opt.Tenant = None, as_json: opt.AsJson = False) -> None:
    """Show one memory."""
    with opened(db, tenant) as memory:
        item = memory.get(memory_id)
    show(item, printing.item_view, as_json=as_json)


@command("list", example="emberkeep list --user alex --kind preference")
def list_memories(
    *,
    user: opt.AnyUser = None,
    agent: opt.Agent = None,
    session: opt.Session = None,
    shared: opt.Shared = None,
    kind: opt.Kinds = None,
    tag: opt.Tags = None,
    filters: opt.Filters = None,
    since: opt.Since = None,
    until: opt.Until = None,
    as_of: opt.AsOf = None,
    limit: opt.Limit = 100,
    cursor: Annotated[str | None, typer.Option(help="Where the last page said to go on.")] = None,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    as_json: opt.AsJson = False,
) -> None:
    """List memories, latest first."""
    pairs = parse_pairs(filters or (), name="--filter")
    with opened(db, tenant) as memory:
        page = memory.get_all(
            user_id=user,
            agent_id=agent,
            session_id=session,
            shared=shared or (),
            kinds=checks.kinds(kind),
            tags=tag,
            filters=pairs,
            since=since,
            until=until,
            as_of=as_of,
            limit=limit,
            cursor=cursor,
        )
    show(page, printing.page_view, as_json=as_json)
    if page.next and not as_json:
        note(f"there are more: --cursor {page.next}")


@command("history", example="emberkeep history 0197f3a0-…")
def history(memory_id: opt.Id, *, db: opt.Db = None, tenant: opt.Tenant = None, as_json: opt.AsJson = False) -> None:
    """Show what happened to a memory, oldest first."""
    with opened(db, tenant) as memory:
        changes = memory.history(memory_id)
    show(History(changes), printing.history_view, as_json=as_json)


# Forgetting.


@command("delete", example="emberkeep delete 0197f3a0-…")
def delete(memory_id: opt.Id, *, db: opt.Db = None, tenant: opt.Tenant = None, as_json: opt.AsJson = False) -> None:
    """Remove a memory for good, with its history."""
    with opened(db, tenant) as memory:
        receipt = memory.delete(memory_id)
    show(receipt, printing.receipt_view, as_json=as_json)


@command("erase", example="emberkeep erase --user alex --yes")
def erase(
    *,
    user: Annotated[str | None, typer.Option("--user", help="This user's; * for everyone's.")] = None,
    agent: opt.Agent = None,
    session: opt.Session = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    as_json: opt.AsJson = False,
) -> None:
    """Remove all that a user, agent or session left, the verbatim log included."""
    owners = (("user", user), ("agent", agent), ("session", session))
    whose = ", ".join(f"{name} {owner!r}" for name, owner in owners if owner is not None)
    if not whose:
        raise InvalidInput("erase needs a --user, --agent or --session; --user '*' erases everyone's")
    if not yes and not _confirmed(f"Erase everything of {whose}, for good?"):
        note("nothing was erased; pass --yes to erase without being asked")
        raise typer.Exit(FAILURE)
    with opened(db, tenant) as memory:
        receipt = memory.delete_all(user_id=user, agent_id=agent, session_id=session)
    show(receipt, printing.receipt_view, as_json=as_json)


# Looking after it.


@command("learn", example="emberkeep learn --db agent.db")
def learn(*, db: opt.Db = None, tenant: opt.Tenant = None, as_json: opt.AsJson = False) -> None:
    """Work off what waits to be learned."""
    with opened(db, tenant) as memory, progress("learning") as step:
        report = memory.learn(progress=step)
    show(report, printing.fields_view, as_json=as_json)


@command("upkeep", example="emberkeep upkeep --db agent.db")
def upkeep(*, db: opt.Db = None, tenant: opt.Tenant = None, as_json: opt.AsJson = False) -> None:
    """Learn what waits, build indexes, and tidy the database."""
    with opened(db, tenant) as memory, progress("upkeep") as step:
        report = memory.upkeep(progress=step)
    show(report, printing.fields_view, as_json=as_json)


@command("rebuild", example="emberkeep rebuild --embedder onnx:models/bge-small")
def rebuild(
    *,
    embedder: Annotated[
        str | None, typer.Option(help="local, onnx:FOLDER or openai:MODEL; else the one in the settings.")
    ] = None,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    as_json: opt.AsJson = False,
) -> None:
    """Embed everything again, of all tenants; needed after a change of the embedder."""
    from emberkeep.opening import open_to_rebuild

    with open_to_rebuild(db, embedder=embedder, tenant=tenant) as memory, progress("rebuilding") as step:
        report = memory.rebuild(progress=step)
    show(report, printing.fields_view, as_json=as_json)
    if embedder is not None:
        note(f"from now on this store needs that embedder: set EMBERKEEP_EMBEDDER={embedder}")


@dataclass(frozen=True, slots=True)
class Migration:
    """Which schema a database had, and has."""

    database: str
    before: str | None
    after: str | None


@command("migrate", example="emberkeep migrate --db postgresql://localhost/agents")
def migrate(*, db: opt.Db = None, as_json: opt.AsJson = False) -> None:
    """Bring a database to the schema of this version."""
    from emberkeep.storage import migrate as schema
    from emberkeep.wiring import open_database

    database = open_database(emberkeep.Config.load(db=db))
    try:
        before = schema.current(database)
        schema.prepare(database)
        migration = Migration(database.url, before, schema.current(database))
    finally:
        database.close()
    show(migration, printing.fields_view, as_json=as_json)


@command("stats", example="emberkeep stats --json")
def stats(*, db: opt.Db = None, tenant: opt.Tenant = None, as_json: opt.AsJson = False) -> None:
    """Show what a memory holds."""
    with opened(db, tenant) as memory:
        counted = memory.stats()
    show(counted, printing.stats_view, as_json=as_json)


@command("doctor", example="emberkeep doctor --db agent.db")
def doctor(*, db: opt.Db = None, tenant: opt.Tenant = None, as_json: opt.AsJson = False) -> None:
    """Check that everything is in place, and say what to do where it is not."""
    from emberkeep.entrypoints.doctor import diagnosis_view, examine

    diagnosis = examine(db, tenant)
    show(diagnosis, diagnosis_view, as_json=as_json)
    if not diagnosis.ok:
        raise typer.Exit(FAILURE)


@command("serve", example="emberkeep serve --port 8787 --db agent.db")
def serve(
    *,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="The port; 0 takes a free one.")] = 8787,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    as_json: opt.AsJson = False,
) -> None:
    """Serve the memory over HTTP until it is told to stop."""
    from emberkeep.entrypoints import serving

    serving.require_extra()
    with serving.listening(host, port) as listener, opened(db, tenant) as memory:
        serving.run(memory, listener, lambda address: show(address, printing.fields_view, as_json=as_json))


# How arguments are read.


def _read_messages(text: str | None, file: Path | None, role: str | None, name: str | None) -> Any:
    if file is None:
        content = _read_stdin() if text in (None, "-") else text
        return {"role": role or "user", "content": content, "name": name}
    if text is not None or role is not None or name is not None:
        raise InvalidInput("--file holds whole messages: leave out the text, --role and --name")
    try:
        messages = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidInput(f"{file}: cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{file}: not valid JSON: {error}") from None
    if not isinstance(messages, list):
        raise InvalidInput(f"{file}: must hold a JSON list of messages, not {type(messages).__name__}")
    return messages


def _read_stdin() -> str:
    if sys.stdin.isatty():
        note("reading what was said from the terminal; end it with Ctrl-D")
    try:
        return sys.stdin.read()
    except UnicodeDecodeError as error:
        raise InvalidInput(f"stdin is not valid {error.encoding} text") from None


def _when_to_learn(*, learn: bool, later: bool) -> bool | Literal["later"]:
    if later and not learn:
        raise InvalidInput("--later and --no-learn exclude one another: give one of them")
    return "later" if later else learn


def _confirmed(question: str) -> bool:
    try:
        return typer.confirm(question, err=True)
    except typer.Abort:
        return False
