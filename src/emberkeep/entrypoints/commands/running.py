"""Commands for whoever runs it: upkeep, migrations, statistics, checks, the server.

What is heavy is imported by the command that needs it.
"""

# ruff: noqa: PLC0415 - so that --help and --version answer at once

from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Annotated

import typer

import emberkeep
from emberkeep.entrypoints import options as opt
from emberkeep.entrypoints import printing
from emberkeep.entrypoints.commands.app import command, existing, opened
from emberkeep.entrypoints.printing import progress, show
from emberkeep.service.statuses import FAILURE


@command("upkeep", example="emberkeep upkeep --dry-run --db agent.db")
def upkeep(
    *,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what it would do.")] = False,
    archive_before: Annotated[
        str | None, typer.Option(metavar="TIME", help="Archive work that was finished before then.")
    ] = None,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    as_json: opt.AsJson = False,
) -> None:
    """Move what is due from tier to tier, learn what waits, build indexes, and tidy the database."""
    with opened(db, tenant) as memory, progress("upkeep") as step:
        report = memory.upkeep(dry_run=dry_run, archive_before=archive_before, progress=step)
    show(report, printing.upkeep_view, as_json=as_json)


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
    with existing(db, tenant) as memory:
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
    grpc_port: Annotated[
        int | None,
        typer.Option(min=0, max=65_535, help="The port of gRPC; 0 for none. Without it, the one after --port."),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Answer to this host name too; may be repeated."),
    ] = None,
    worker: Annotated[bool, typer.Option("--worker/--no-worker", help="Whether to learn in the background.")] = True,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    as_json: opt.AsJson = False,
) -> None:
    """Serve the memory over HTTP and gRPC, and learn in the background, until it is told to stop."""
    from emberkeep.entrypoints import serving

    serving.require_extra()
    config = emberkeep.Config.load(db=db, tenant=tenant)
    with (
        serving.listening(host, port) as listener,
        opened(db, tenant) as memory,
        serving.learning(memory) if worker else nullcontext(),
    ):
        door = serving.door_of(memory, listener, config)
        with serving.serving_grpc(door, listener, config, port=grpc_port, beside=port) as grpc:
            serving.run(
                memory,
                door,
                listener,
                config,
                announce=lambda address: show(replace(address, grpc=grpc), printing.address_view, as_json=as_json),
                allowed=allow_host or (),
            )
