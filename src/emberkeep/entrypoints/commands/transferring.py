"""Commands that take memories out of a store and into one.

What is heavy is imported by the command that needs it.
"""

# ruff: noqa: PLC0415 - so that --help and --version answer at once

from pathlib import Path
from typing import Annotated

import typer

from emberkeep.entrypoints import options as opt
from emberkeep.entrypoints import printing
from emberkeep.entrypoints.commands.app import command
from emberkeep.entrypoints.printing import note, progress, show
from emberkeep.errors import InvalidInput

Backup = Annotated[Path, typer.Argument(help="The file of the backup.", show_default=False)]


@command("backup", example="emberkeep backup 2026-06-01.backup --db agent.db")
def backup(
    file: Backup,
    *,
    replace: Annotated[bool, typer.Option("--replace", help="In the place of an older backup of that name.")] = False,
    db: opt.Db = None,
    as_json: opt.AsJson = False,
) -> None:
    """Write all that a database holds to one file, as it is at this moment, while others go on; for all tenants.

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
    check: Annotated[bool, typer.Option("--check", help="Only look whether the backup is whole.")] = False,
    db: opt.Db = None,
    as_json: opt.AsJson = False,
) -> None:
    """Fill an empty database from a backup, of SQLite or PostgreSQL, and compare the two.

    Broken off, the same command goes on where it was; until then the database cannot be opened.
    """
    from emberkeep.transfer.restore import check as check_backup
    from emberkeep.transfer.restore import restore as restore_backup

    if check and db is not None:
        raise InvalidInput("--check writes nothing: leave out --db")
    with progress("checking" if check else "restoring") as step:
        manifest = check_backup(file, progress=step) if check else restore_backup(db, file, progress=step)
    show(manifest, printing.backup_view, as_json=as_json)
    note("the backup is whole" if check else "restored, and compared with the backup")
