"""Commands that take memories out of a store, or bring them into one.

Heavy modules are imported inside the command that needs them.
"""

# ruff: noqa: PLC0415 - so that --help and --version answer at once

from pathlib import Path
from typing import Annotated

import typer

from emberkeep.entrypoints import options as opt
from emberkeep.entrypoints import printing
from emberkeep.entrypoints.commands.app import command, existing, opened
from emberkeep.entrypoints.printing import note, progress, show
from emberkeep.errors import InvalidInput
from emberkeep.model.scope import EVERYONE

Backup = Annotated[Path, typer.Argument(help="The file of the backup.", show_default=False)]


def _sources(incomplete: str) -> list[str]:
    from emberkeep.transfer.sources import READERS

    return opt.one_of(READERS)(incomplete)


@command("backup", example="emberkeep backup 2026-06-01.backup --db agent.db")
def backup(
    file: Backup,
    *,
    replace: Annotated[bool, typer.Option("--replace", help="Replace an existing file of this name.")] = False,
    db: opt.Db = None,
    as_json: opt.AsJson = False,
) -> None:
    """Write the whole database, all tenants, to one file as it is at this moment, while others go on using it.

    The file is as secret as the database.
    """
    from emberkeep.transfer.backup import back_up

    with progress("backing up") as step:
        manifest = back_up(db, file, replace=replace, progress=step)
    show(manifest, printing.backup_view, as_json=as_json)


@command("restore", example="emberkeep restore 2026-06-01.backup --db postgresql://localhost/agents")
def restore(
    file: Backup,
    *,
    check: Annotated[bool, typer.Option("--check", help="Only check that the backup is whole and undamaged.")] = False,
    db: opt.Db = None,
    as_json: opt.AsJson = False,
) -> None:
    """Fill an empty database from a backup, of SQLite or PostgreSQL, and compare the two.

    After an interruption, the same command goes on where it stopped; until then the database cannot be opened.
    """
    from emberkeep.transfer.restore import check as check_backup
    from emberkeep.transfer.restore import restore as restore_backup

    if check and db is not None:
        raise InvalidInput("--check writes nothing: leave out --db")
    with progress("checking" if check else "restoring") as step:
        manifest = check_backup(file, progress=step) if check else restore_backup(db, file, progress=step)
    show(manifest, printing.backup_view, as_json=as_json)
    note("the backup is whole" if check else "restored, and compared with the backup")


@command("export", example="emberkeep export alex.jsonl --user alex")
def export(
    file: Annotated[Path, typer.Argument(help="The file to write.", show_default=False)],
    *,
    user: opt.OwnUser = None,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            help="jsonl, which `import` reads, or markdown, for people.",
            autocompletion=opt.one_of(("jsonl", "markdown")),
        ),
    ] = "jsonl",
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """Write memories to a file, with jsonl also what was said; for a whole database, use backup."""
    from emberkeep.transfer.exporting import write_export

    with existing(db, tenant, key) as memory, progress("exporting") as step:
        owner = EVERYONE if user is None else user
        report = write_export(memory, file.expanduser(), form, user_id=owner, progress=step)
    show(report, printing.fields_view, as_json=as_json)


@command("import", example="emberkeep import chatgpt-export.zip --from chatgpt --user alex")
def import_(
    file: Annotated[Path, typer.Argument(help="A file, or the folder of a store or Markdown.", show_default=False)],
    *,
    source: Annotated[
        str,
        typer.Option(
            "--from",
            help="emberkeep, mem0, zep, chatgpt, claude, mempalace or markdown.",
            show_default=False,
            autocompletion=_sources,
        ),
    ],
    user: Annotated[str | None, typer.Option("--user", help="The user it belongs to, if the file names none.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say how much would be imported.")] = False,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """Import what another memory or assistant exported, with its dates; importing it again changes nothing."""
    from emberkeep.transfer.importing import import_from, survey

    report = survey(file, source)
    if not dry_run:
        with opened(db, tenant, key) as memory, progress("importing", report.read) as step:
            report = import_from(memory, file, source, user_id=user, progress=step, surveyed=report)
    show(report, printing.fields_view, as_json=as_json)
    if report.exchanges and not dry_run and source != "emberkeep":
        note("emberkeep learn makes what was said findable, and learns from it")
