"""Commands that find, show and list memories."""

from functools import partial
from typing import Annotated, Any

import typer

from emberkeep.entrypoints import options as opt
from emberkeep.entrypoints import printing
from emberkeep.entrypoints.commands.app import command, existing
from emberkeep.entrypoints.pairs import parse_pairs
from emberkeep.entrypoints.printing import History, note, show, warn
from emberkeep.errors import InvalidInput
from emberkeep.model import checks
from emberkeep.model.recall import Sessions
from emberkeep.model.scope import EVERYONE


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
    asked_at: opt.AskedAt = None,
    deadline_ms: opt.Deadline = None,
    by_session: Annotated[bool, typer.Option("--by-session", help="Find sessions instead of memories.")] = False,
    touch: Annotated[bool, typer.Option("--touch", help="Warm the memories that are found.")] = False,
    include_cold: Annotated[bool, typer.Option("--include-cold", help="Also search cold memories.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Say why each memory was found.")] = False,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """Find relevant memories, best first."""
    where: dict[str, Any] = {
        "user_id": user,
        "agent_id": agent,
        "session_id": session,
        "shared": shared or (),
        "limit": limit,
        "kinds": checks.kinds(kind),
        "tags": tag,
        "filters": parse_pairs(filters or (), name="--filter"),
        "since": since,
        "until": until,
        "as_of": as_of,
        "plan": plan,
        "asked_at": asked_at,
        "deadline_ms": deadline_ms,
        "touch": touch,
        "include_cold": include_cold,
    }
    with existing(db, tenant, key) as memory:
        found = memory.search(query, group="session", **where) if by_session else memory.search(query, **where)
    warn(found.degraded)
    if isinstance(found, Sessions):
        show(found, partial(printing.found_sessions_view, explain=explain), as_json=as_json)
    else:
        show(found, partial(printing.hits_view, explain=explain), as_json=as_json)


@command("get", example="emberkeep get 0197f3a0-…")
def get(
    memory_id: opt.Id, *, db: opt.Db = None, tenant: opt.Tenant = None, key: opt.Key = None, as_json: opt.AsJson = False
) -> None:
    """Show one memory."""
    with existing(db, tenant, key) as memory:
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
    cursor: Annotated[str | None, typer.Option(help="Where to go on, as printed after the last page.")] = None,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """List memories, latest first."""
    pairs = parse_pairs(filters or (), name="--filter")
    with existing(db, tenant, key) as memory:
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
def history(
    memory_id: opt.Id, *, db: opt.Db = None, tenant: opt.Tenant = None, key: opt.Key = None, as_json: opt.AsJson = False
) -> None:
    """Show what happened to a memory, oldest first."""
    with existing(db, tenant, key) as memory:
        changes = memory.history(memory_id)
    show(History(changes), printing.history_view, as_json=as_json)


@command("log", example="emberkeep log --user alex --session s-1 --limit 5")
def log(
    interaction_id: Annotated[str | None, typer.Argument(help="Only this interaction.")] = None,
    *,
    user: opt.OwnUser = None,
    agent: opt.Agent = None,
    session: opt.Session = None,
    since: opt.Since = None,
    until: opt.Until = None,
    limit: opt.Limit = 10,
    sessions: Annotated[bool, typer.Option("--sessions", help="List the sessions instead.")] = False,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """Show what was said, word for word, latest first."""
    narrow = {"--agent": agent, "--session": session, "--since": since, "--until": until}
    owner = EVERYONE if user is None else user
    with existing(db, tenant, key) as memory:
        if interaction_id is not None:
            _alone("an id", **narrow, **{"--user": user, "--sessions": sessions})
            show({"interactions": [memory.capture.get(interaction_id)]}, printing.log_view, as_json=as_json)
        elif sessions:
            _alone("--sessions", **narrow)
            listed = memory.capture.sessions(user_id=owner, limit=limit)
            show({"sessions": listed}, printing.sessions_view, as_json=as_json)
        else:
            found = memory.capture.recent(
                limit, user_id=owner, agent_id=agent, session_id=session, since=since, until=until
            )
            show({"interactions": found}, printing.log_view, as_json=as_json)


def _alone(what: str, **others: object) -> None:
    """Raise `InvalidInput` if any other option was given beside `what`."""
    given = [name for name, value in others.items() if value]
    if given:
        raise InvalidInput(f"{what} cannot be combined with {', '.join(given)}: leave out one or the other")
