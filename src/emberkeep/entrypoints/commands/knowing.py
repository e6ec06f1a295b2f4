"""Commands for documents that agents look things up in."""

import logging
import sys
from pathlib import Path
from typing import Annotated

import typer

from emberkeep.entrypoints import options as opt
from emberkeep.entrypoints import printing
from emberkeep.entrypoints.commands.app import app, existing, opened
from emberkeep.entrypoints.pairs import parse_pairs
from emberkeep.entrypoints.printing import progress, show, warn
from emberkeep.errors import InvalidInput
from emberkeep.model.collection import Imported
from emberkeep.model.scope import EVERYONE
from emberkeep.service.statuses import FAILURE

knowledge = typer.Typer(no_args_is_help=True)
app.add_typer(knowledge, name="knowledge", help="Import documents, and show and delete them.")

DocumentId = Annotated[str, typer.Argument(help="The document's id.", show_default=False)]


@knowledge.command("import", epilog="Example: emberkeep knowledge import handbook.pdf notes.md --user alex")
def import_files(
    files: Annotated[list[str], typer.Argument(help="Markdown, text, HTML or PDF; - reads stdin.", show_default=False)],
    *,
    media_type: Annotated[
        str | None, typer.Option("--type", metavar="TYPE", help="The type, such as text/html; else by the file's name.")
    ] = None,
    title: Annotated[str | None, typer.Option(help="The title, for a single file; else the one in the file.")] = None,
    user: opt.User = None,
    agent: opt.Agent = None,
    session: opt.Session = None,
    metadata: opt.Metadata = None,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """Keep the contents of files; importing a file again replaces its earlier contents.

    A file that cannot be imported does not stop the others; the exit code is then 1.
    """
    if title is not None and len(files) > 1:
        raise InvalidInput("--title is for one file: import the files one by one")
    if "-" in files and media_type is None:
        raise InvalidInput("stdin has no name to tell its type by: pass --type, such as text/markdown")
    logging.getLogger("pypdf").setLevel(logging.ERROR)  # it warns of every flaw that it could repair
    pairs = parse_pairs(metadata, name="--metadata") if metadata else None
    imported: list[Imported] = []
    refused: list[InvalidInput] = []
    with opened(db, tenant, key) as memory:
        for file in files:
            try:
                with progress(f"importing {Path(file).name}") as step:
                    one = memory.knowledge.import_file(
                        sys.stdin.buffer.read() if file == "-" else file,
                        media_type=media_type,
                        title=title,
                        metadata=pairs,
                        user_id=user,
                        agent_id=agent,
                        session_id=session,
                        progress=step,
                    )
                imported.append(one)
            except InvalidInput as error:
                if len(files) == 1:
                    raise
                refused.append(error)
    warn(map(str, refused))
    show({"imported": imported}, printing.imported_view, as_json=as_json)
    if refused:
        raise typer.Exit(FAILURE)


@knowledge.command("list", epilog="Example: emberkeep knowledge list --user alex")
def list_documents(
    *,
    user: opt.OwnUser = None,
    limit: opt.Limit = 100,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """List documents, the one that changed last first."""
    with existing(db, tenant, key) as memory:
        found = memory.knowledge.list(user_id=EVERYONE if user is None else user, limit=limit)
    show({"documents": found}, printing.documents_view, as_json=as_json)


@knowledge.command("show", epilog="Example: emberkeep knowledge show 0197f3a0-…")
def show_document(
    document_id: DocumentId,
    *,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """Show a document and all that it says."""
    with existing(db, tenant, key) as memory:
        found = {"document": memory.knowledge.get(document_id), "text": memory.knowledge.text(document_id)}
    show(found, printing.document_view, as_json=as_json)


@knowledge.command("delete", epilog="Example: emberkeep knowledge delete 0197f3a0-…")
def delete_document(
    document_id: DocumentId,
    *,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """Remove a document for good, its earlier contents included."""
    with existing(db, tenant, key) as memory:
        receipt = memory.knowledge.delete(document_id)
    show(receipt, printing.receipt_view, as_json=as_json)
