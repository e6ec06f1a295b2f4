"""Commands that assemble contexts, and that show the contexts handed out before."""

from functools import partial
from typing import Annotated

import typer

from emberkeep.entrypoints import options as opt
from emberkeep.entrypoints import printing
from emberkeep.entrypoints.commands.app import command, existing
from emberkeep.entrypoints.pairs import parse_pairs
from emberkeep.entrypoints.printing import show, warn
from emberkeep.model import checks
from emberkeep.model.context import format_named, tiers_named
from emberkeep.model.scope import EVERYONE

Explain = Annotated[
    bool, typer.Option("--explain", help="Say what was chosen, trimmed and dropped, and why, instead of the text.")
]


@command("context", example='emberkeep context "Plan Alex\'s weekend" --user alex --max-tokens 1500')
def context(
    task: Annotated[str, typer.Argument(help="What the context is for.", show_default=False)],
    *,
    max_tokens: Annotated[int, typer.Option(help="How long the text may be, in tokens.")] = 4_000,
    tier: opt.Tiers = None,
    form: opt.Format = "markdown",
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
    asked_at: opt.AskedAt = None,
    deadline_ms: opt.Deadline = None,
    include_cold: Annotated[bool, typer.Option("--include-cold", help="Also search cold memories.")] = False,
    explain: Explain = False,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """Print what is relevant to a task, ready for a model's prompt."""
    pairs = parse_pairs(filters or (), name="--filter")
    with existing(db, tenant, key) as memory:
        found = memory.context(
            task,
            max_tokens=max_tokens,
            tiers=tiers_named(tier or None),
            format=format_named(form),
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
            asked_at=asked_at,
            deadline_ms=deadline_ms,
            include_cold=include_cold,
        )
    warn(found.degraded)
    show(found, partial(printing.context_view, explain=explain), as_json=as_json)


@command("contexts", example="emberkeep contexts --user alex --limit 5")
def contexts(
    context_id: Annotated[str | None, typer.Argument(help="Only this context, with all its candidates.")] = None,
    *,
    user: opt.OwnUser = None,
    limit: opt.Limit = 20,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """List the contexts that were handed out, latest first."""
    with existing(db, tenant, key) as memory:
        if context_id is not None:
            show(memory.context_record(context_id), printing.context_record_view, as_json=as_json)
        else:
            owner = EVERYONE if user is None else user
            found = {"contexts": memory.contexts(limit=limit, user_id=owner)}
            show(found, printing.context_records_view, as_json=as_json)


@command("context-feedback", example="emberkeep context-feedback 0197f3a0-… --helpful --note 'all that was needed'")
def context_feedback(
    context_id: opt.ContextId,
    *,
    helpful: Annotated[bool, typer.Option("--helpful/--unhelpful", help="Whether it helped.", show_default=False)],
    note: Annotated[str | None, typer.Option(help="What was good, missing or wrong.")] = None,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """Say whether a context helped."""
    with existing(db, tenant, key) as memory:
        memory.context_feedback(context_id, helpful, note=note)
        found = memory.context_record(context_id)
    rating = {"id": found.id, "helpful": found.helpful, "note": found.note}
    show(rating, printing.fields_view, as_json=as_json)


@command("context-replay", example="emberkeep context-replay 0197f3a0-… --as-of 2026-05-20T10:00:00Z")
def context_replay(
    context_id: opt.ContextId,
    *,
    as_of: Annotated[
        str | None,
        typer.Option("--as-of", metavar="TIME", help="Use what held at this time.", show_default="as made"),
    ] = None,
    explain: Explain = False,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """Assemble an earlier context again, with what was known then."""
    with existing(db, tenant, key) as memory:
        found = memory.replay_context(context_id, as_of=as_of)
    warn(found.degraded)
    show(found, partial(printing.context_view, explain=explain), as_json=as_json)
