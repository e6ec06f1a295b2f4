"""Commands for operators: upkeep, migrations, statistics, checks, the server.

Heavy modules are imported inside the command that needs them.
"""

# ruff: noqa: PLC0415 - so that --help and --version answer at once

import json
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

import emberkeep
from emberkeep.entrypoints import options as opt
from emberkeep.entrypoints import printing
from emberkeep.entrypoints.commands.app import command, existing
from emberkeep.entrypoints.printing import progress, show
from emberkeep.errors import InvalidInput
from emberkeep.service.statuses import FAILURE


@command("upkeep", example="emberkeep upkeep --dry-run --db agent.db")
def upkeep(
    *,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what it would do.")] = False,
    archive_before: Annotated[
        str | None, typer.Option(metavar="TIME", help="Archive work that was finished before this time.")
    ] = None,
    rewrite: Annotated[
        bool, typer.Option("--rewrite", help="Also rewrite every table, so that nothing deleted is left in the files.")
    ] = False,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """Move memories that are due from tier to tier, learn what waits, build indexes, and tidy the database."""
    if rewrite and dry_run:
        raise InvalidInput("--dry-run changes nothing: leave out --rewrite")
    with existing(db, tenant, key) as memory, progress("upkeep") as step:
        report = memory.upkeep(dry_run=dry_run, archive_before=archive_before, progress=step)
        if rewrite:
            memory.tidy(rewrite=True)
    show(report, printing.upkeep_view, as_json=as_json)


@command("migrate", example="emberkeep migrate --db postgresql://localhost/agents")
def migrate(
    *,
    to: Annotated[
        str | None, typer.Option("--to", metavar="VERSION", help="The schema to go to, such as 0006; else the latest.")
    ] = None,
    backup: Annotated[
        Path | None,
        typer.Option("--backup", metavar="FILE", help="Back up to this file first; going back requires it."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what it would do.")] = False,
    db: opt.Db = None,
    as_json: opt.AsJson = False,
) -> None:
    """Bring a database to the schema of this version, or back to that of an older one.

    Going back drops what the older version has no place for, so it needs --backup. Stop everything that uses the
    database first, and go on with the older Emberkeep: this one would bring the schema up to date again.
    """
    from emberkeep.transfer.moving import move

    with progress("backing up" if backup else "migrating") as step:
        migration = move(db, to, backup=backup, dry_run=dry_run, progress=step)
    show(migration, printing.migration_view, as_json=as_json)


@command("stats", example="emberkeep stats --json")
def stats(*, db: opt.Db = None, tenant: opt.Tenant = None, key: opt.Key = None, as_json: opt.AsJson = False) -> None:
    """Show what a memory holds."""
    with existing(db, tenant, key) as memory:
        counted = memory.stats()
    show(counted, printing.stats_view, as_json=as_json)


@command("doctor", example="emberkeep doctor --db agent.db")
def doctor(
    *,
    host: Annotated[
        str, typer.Option(help="The address that the service would listen on; any but loopback needs API keys.")
    ] = "127.0.0.1",
    repair: Annotated[
        bool, typer.Option("--repair", help="Rebuild derived data that does not agree with the log, for all tenants.")
    ] = False,
    thorough: Annotated[
        bool, typer.Option("--thorough", help="With --repair: also compute every vector again, and compare.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="With --repair: only say what is wrong.")] = False,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    as_json: opt.AsJson = False,
) -> None:
    """Check that everything is in place, and say what to do where it is not; the exit code is 1 if something fails.

    With --repair it looks at every row instead, and the exit code is 1 if something is still wrong afterwards.
    """
    if repair:
        _repair(db, dry_run=dry_run, thorough=thorough, as_json=as_json)
        return
    if thorough or dry_run:
        raise InvalidInput("--thorough and --dry-run are for --repair: add it, or leave them out")
    from emberkeep.entrypoints.doctor.check import diagnosis_view
    from emberkeep.entrypoints.doctor.examine import examine

    diagnosis = examine(db, tenant, host=host)
    show(diagnosis, diagnosis_view, as_json=as_json)
    if not diagnosis.ok:
        raise typer.Exit(FAILURE)


def _repair(db: str | None, *, dry_run: bool, thorough: bool, as_json: bool) -> None:
    emberkeep.Config.load(db=db).require_store()
    with existing(db, None) as memory, progress("looking at every row") as step:
        report = memory.repair(dry_run=dry_run, thorough=thorough, progress=step)
    show(report, printing.repair_view, as_json=as_json)
    if not report.sound:
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
    workers: Annotated[
        int, typer.Option(min=1, max=64, help="How many processes serve; they share the port and the database.")
    ] = 1,
    log_format: opt.LogFormat = None,
    db: opt.Db = None,
    read_db: Annotated[
        str | None,
        typer.Option(metavar="URL", help="A PostgreSQL replica to search in; else the one in the settings."),
    ] = None,
    tenant: opt.Tenant = None,
    as_json: opt.AsJson = False,
    socket: Annotated[int | None, typer.Option(hidden=True)] = None,
    number: Annotated[int, typer.Option(hidden=True)] = 0,
) -> None:
    """Serve the memory over HTTP and gRPC, and learn in the background, until it is told to stop."""
    from emberkeep.entrypoints import processes, serving

    serving.require_extra()
    announce = partial(show, view=printing.address_view, as_json=as_json or socket is not None)
    config = emberkeep.Config.load(db=db, tenant=tenant, read_db=read_db)
    config.require_store()
    if workers > 1:
        processes.require_shared(config)
        with serving.listening(host, port) as listener:
            given = {
                "--db": db,
                "--read-db": read_db,
                "--tenant": tenant,
                "--log-format": log_format,
                "--grpc-port": grpc_port,
            }
            passed = [f"{name}={value}" for name, value in given.items() if value is not None]
            passed += [f"--allow-host={name}" for name in allow_host or ()] + ([] if worker else ["--no-worker"])
            command = ["serve", f"--port={port}", *passed, *(["--json"] if as_json else [])]
            code = processes.serve_together(
                command, workers, listener, lambda told: announce(serving.Address(**json.loads(told)))
            )
        raise typer.Exit(code)
    options = serving.Options(
        allowed=allow_host or (),
        worker=worker and number == 0,  # with several processes, only the first has the worker and gRPC
        log_format=log_format,
        grpc_port=grpc_port if number == 0 else 0,
        port=port,
    )
    if socket is None:
        with serving.listening(host, port) as listener, emberkeep.open(config=config) as memory:
            serving.run(memory, listener, config, announce, options)
        return
    with processes.one_of_several(socket, number, config) as (listener, memory):
        serving.run(memory, listener, config, announce, options)
