"""Commands for events and their webhooks, and for vectors made ahead of time."""

import os
import signal
from pathlib import Path
from typing import Annotated

import typer

from emberkeep.entrypoints import options as opt
from emberkeep.entrypoints import printing
from emberkeep.entrypoints.commands.app import app, command, existing, opened
from emberkeep.entrypoints.commands.changing import read_file, read_stdin
from emberkeep.entrypoints.printing import note, progress, show, warn
from emberkeep.service.statuses import FAILURE

webhooks = typer.Typer(no_args_is_help=True)
app.add_typer(webhooks, name="webhooks", help="Choose where events are posted.")

Types = Annotated[
    list[str] | None,
    typer.Option("--type", metavar="TYPE", help="Only events of this type, such as memory.pattern.*; may be repeated."),
]


@command("events", example="emberkeep events --type 'memory.pattern.*' --limit 20")
def events(
    *,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Print events as they happen, until stopped.")] = False,
    type_: Annotated[str, typer.Option("--type", metavar="TYPE", help="Only this type, such as memory.*.")] = "*",
    limit: opt.Limit = 100,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON document; one per line with --follow.")] = False,
) -> None:
    """Show events, latest last, as far back as they are kept."""
    with opened(db, tenant, key) if follow else existing(db, tenant, key) as memory:
        if not follow:
            found = memory.events.recent(limit, type=type_)
            show({"events": found}, lambda all_: printing.events_view(all_["events"]), as_json=as_json)
            if not found:
                note("events are kept with keep_events, a stream or a webhook; --follow shows new ones without")
            return
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        following = memory.events.follow(type=type_)
        try:
            for event in following:
                show(event, lambda one: printing.events_view([one]), as_json=as_json)
        except KeyboardInterrupt:
            following.close()


@command("deliver", example="emberkeep deliver --db agent.db")
def deliver(*, db: opt.Db = None, tenant: opt.Tenant = None, key: opt.Key = None, as_json: opt.AsJson = False) -> None:
    """Send waiting events to the stream and the webhooks now; the exit code is 1 if some could not be sent."""
    with opened(db, tenant, key) as memory:
        done = memory.events.deliver()
    warn(done.reasons)
    show(done, printing.fields_view, as_json=as_json)
    if done.reasons:
        raise typer.Exit(FAILURE)


@webhooks.command("add", epilog="Example: emberkeep webhooks add https://example.org/hook --type 'memory.pattern.*'")
def add_webhook(
    url: Annotated[str, typer.Argument(help="Where to post events.", show_default=False)],
    *,
    types: Types = None,
    secret_from: Annotated[
        str | None,
        typer.Option(metavar="VARIABLE", help="The environment variable that holds the secret; else one is made."),
    ] = None,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """Post events to a URL from now on, signed with the secret that this prints."""
    secret = None if secret_from is None else os.environ.get(secret_from, "")
    with opened(db, tenant, key) as memory:
        added = memory.events.add_webhook(url, secret=secret, types=types or ["*"])
    show(added, printing.fields_view, as_json=as_json)


@webhooks.command("list", epilog="Example: emberkeep webhooks list")
def list_webhooks(
    *, db: opt.Db = None, tenant: opt.Tenant = None, key: opt.Key = None, as_json: opt.AsJson = False
) -> None:
    """Show where events are posted."""
    with existing(db, tenant, key) as memory:
        found = memory.events.webhooks()
    show({"webhooks": found}, printing.webhooks_view, as_json=as_json)


@webhooks.command("failed", epilog="Example: emberkeep webhooks failed")
def failed_webhooks(
    *,
    limit: opt.Limit = 100,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """Show events that were given up before a webhook took them, and why."""
    with existing(db, tenant, key) as memory:
        found = memory.events.undelivered(limit)
    show({"events": found}, printing.undelivered_view, as_json=as_json)


@webhooks.command("remove", epilog="Example: emberkeep webhooks remove 01a1df69-fad9-7001-864a-d81e93c29417")
def remove_webhook(
    id_: Annotated[str, typer.Argument(metavar="ID", help="The webhook's id.", show_default=False)],
    *,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
) -> None:
    """Stop posting to a webhook; events that still wait for it are dropped."""
    with existing(db, tenant, key) as memory:
        memory.events.remove_webhook(id_)
    note("removed")


@command("precompute", example="emberkeep precompute questions.txt --queries")
def precompute(
    file: Annotated[str, typer.Argument(help="A file with one text per line; - reads stdin.", show_default=False)],
    *,
    queries: Annotated[bool, typer.Option("--queries", help="Texts to search with, not to keep.")] = False,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """Make the vectors of texts ahead of time, for all processes that share the embedding cache."""
    said = read_stdin() if file == "-" else read_file(Path(file))
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    with opened(db, tenant, key) as memory, progress("embedding", len(lines)) as step:
        made = memory.precompute(lines, queries=queries, progress=step)
    show(made, printing.fields_view, as_json=as_json)
