"""Commands that learn, and show what learning did, needs and costs.

Heavy modules are imported inside the command that needs them.
"""

# ruff: noqa: PLC0415 - so that --help and --version answer at once

import signal
import threading
from functools import partial
from typing import Annotated, Any

import typer

from emberkeep.config import Config
from emberkeep.entrypoints import options as opt
from emberkeep.entrypoints import printing
from emberkeep.entrypoints.commands.app import command, existing, of_store, require_existing
from emberkeep.entrypoints.printing import note, progress, show, warn
from emberkeep.errors import InvalidInput
from emberkeep.model.scope import EVERYONE
from emberkeep.service.shapes import plain
from emberkeep.service.statuses import FAILURE


@command("learn", example="emberkeep learn --db agent.db")
def learn(
    *,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="Also retry what was given up.")] = False,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """Work off the backlog of learning; the exit code is 1 if some of it has to wait longer."""
    with existing(db, tenant, key) as memory, progress("learning") as step:
        report = memory.learn(retry_failed=retry_failed, progress=step)
    warn(report.reasons)
    show(report, printing.learned_view, as_json=as_json)
    if report.waiting and not report.reasons:
        note("what waits is reserved by a worker, which may have ended since: `emberkeep backlog` says until when")
    if report.waiting or report.reasons:
        raise typer.Exit(FAILURE)


@command("backlog", example="emberkeep backlog --limit 20")
def backlog(
    *,
    limit: opt.Limit = 100,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """Show the interactions that were not learned from yet and why, failed ones first."""
    with existing(db, tenant, key) as memory:
        waiting = memory.backlog(limit=limit)
    show({"interactions": waiting}, printing.backlog_view, as_json=as_json)
    if any(one.state == "failed" for one in waiting):
        note("emberkeep learn --retry-failed tries the failed ones again")


@command("worker", example="emberkeep worker --every 5 --db agent.db")
def worker(
    *,
    every: Annotated[float, typer.Option(metavar="SECONDS", help="How long to wait before looking again.")] = 2.0,
    once: Annotated[bool, typer.Option("--once", help="Work off what is due, and end.")] = False,
    db: opt.Db = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON document for each batch.")] = False,
) -> None:
    """Learn in the background, for all tenants, until it is told to stop."""
    with of_store(db, None) as memory:
        working = memory.worker(every_s=every, report=partial(_tell, as_json=as_json))
        if once:
            if not working.once():
                raise typer.Exit(FAILURE)
            return
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            working.start()
            threading.Event().wait()
        except KeyboardInterrupt:
            working.stop()


@command("rebuild", example="emberkeep rebuild --learner rules --dry-run")
def rebuild(
    *,
    learner: Annotated[str | None, typer.Option(help="rules, llm, mem0 or none; else the one in the settings.")] = None,
    embedder: Annotated[
        str | None,
        typer.Option(help="local, one of `models list`, onnx:FOLDER or openai:MODEL; else the one in the settings."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be learned differently.")] = False,
    undo: Annotated[bool, typer.Option("--undo", help="Go back to what was learned before the last rebuild.")] = False,
    examples: opt.Examples = 5,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """Derive everything again from the log: the vectors of all tenants, and what this tenant's memory learned."""
    if undo:
        _undo(db, tenant, key, as_json=as_json, with_others=bool(learner or embedder or dry_run))
        return
    from emberkeep.opening import open_to_rebuild

    chosen = {"embedder": embedder, "learner": learner}
    require_existing(Config.load(db=db, tenant=tenant))
    with (
        open_to_rebuild(db, tenant=tenant, api_key=key, embedder=embedder, learner=learner) as memory,
        progress("rebuilding") as step,
    ):
        report = memory.rebuild(dry_run=dry_run, progress=step)
    show(report, partial(printing.rebuilt_view, examples=examples), as_json=as_json)
    if not dry_run:
        for name, value in chosen.items():
            if value is not None:
                note(f"to go on with that {name}: set EMBERKEEP_{name.upper()}={value}")


@command("audit", example="emberkeep audit --user alex")
def audit(
    *,
    user: opt.OwnUser = None,
    examples: opt.Examples = 3,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """Show how much of what was learned is junk, said twice, outdated or without support."""
    with existing(db, tenant, key) as memory:
        found = memory.audit(user_id=EVERYONE if user is None else user, examples=examples)
    show(found, printing.audit_view, as_json=as_json)


@command("spend", example="emberkeep spend --limit 30")
def spend(
    *,
    limit: opt.Limit = 100,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """Show how many calls and tokens language models took, by day, user and model."""
    with existing(db, tenant, key) as memory:
        entries = memory.spending(limit=limit)
    show({"entries": entries}, printing.spending_view, as_json=as_json)


def _tell(tenant: str, worked: Any, *, as_json: bool) -> None:
    """Print the warnings of a batch, and a line for it if anything happened."""
    warn(worked.reasons)
    if worked.derived or worked.learned or worked.reasons:
        show({"tenant": tenant, **plain(worked)}, printing.batch_view, as_json=as_json)


def _undo(db: str | None, tenant: str | None, key: str | None, *, as_json: bool, with_others: bool) -> None:
    if with_others:
        raise InvalidInput("--undo cannot be combined with --learner, --embedder or --dry-run: leave one of them out")
    with existing(db, tenant, key) as memory, progress("going back") as step:
        undone = memory.undo_rebuild(progress=step)
    show(undone, printing.difference_view, as_json=as_json)
