"""Commands that change what is kept: add, remember, seed, update, delete, erase."""

import json
import sys
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from emberkeep.entrypoints import options as opt
from emberkeep.entrypoints import printing
from emberkeep.entrypoints.commands.app import command, existing, opened
from emberkeep.entrypoints.pairs import parse_pairs
from emberkeep.entrypoints.printing import note, progress, show, warn
from emberkeep.errors import InvalidInput
from emberkeep.model import checks
from emberkeep.service.statuses import FAILURE


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
    later: Annotated[bool, typer.Option("--later", help="Only write it down, for `emberkeep learn`.")] = False,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """Keep what was said, word for word, and learn from it."""
    messages = _read_messages(text, file, role, name)
    pairs = parse_pairs(metadata or (), name="--metadata")
    with opened(db, tenant, key) as memory:
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
    warn(f"cut out before it was written: {what}" for what in added.redacted)
    show(added, partial(printing.added_view, later=later), as_json=as_json)


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
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """Keep one thing that you know; telling it again warms it."""
    pairs = parse_pairs(metadata or (), name="--metadata")
    with opened(db, tenant, key) as memory:
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


@command("seed", example="emberkeep seed notes.md --user alex --kind knowledge --tag handbook")
def seed(
    file: Annotated[
        str, typer.Argument(help="Lines, Markdown, JSONL or a JSON array; - reads stdin.", show_default=False)
    ],
    *,
    kind: opt.OneKind = "fact",
    sacred: Annotated[bool, typer.Option("--sacred", help="Never let them cool.")] = False,
    user: opt.User = None,
    agent: opt.Agent = None,
    tag: opt.Tags = None,
    form: Annotated[str | None, typer.Option("--format", help="lines or jsonl; else guessed from the text.")] = None,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """Keep many things at once, one per line; those that are kept already are left as they are."""
    text = read_stdin() if file == "-" else read_file(Path(file))
    with opened(db, tenant, key) as memory, progress("seeding") as step:
        report = memory.seed(
            text,
            kind=checks.kind(kind),
            user_id=user,
            agent_id=agent,
            tags=tag,
            sacred=sacred,
            form=_seed_format(form),
            progress=step,
        )
    show(report, printing.fields_view, as_json=as_json)


@command("update", example="emberkeep update 0197f3a0-… 'Prefers an aisle seat'")
def update(
    memory_id: opt.Id,
    text: Annotated[str | None, typer.Argument(help="The new text.")] = None,
    *,
    kind: opt.OneKind = None,
    tag: opt.Tags = None,
    metadata: opt.Metadata = None,
    sacred: Annotated[bool | None, typer.Option("--sacred/--no-sacred", help="Whether it never cools.")] = None,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """Change a memory; its former text stays in its history."""
    pairs = parse_pairs(metadata, name="--metadata") if metadata else None
    new_kind = checks.kind(kind) if kind else None
    with existing(db, tenant, key) as memory:
        item = memory.update(memory_id, text, kind=new_kind, tags=tag or None, metadata=pairs, sacred=sacred)
    show(item, printing.item_view, as_json=as_json)


@command("delete", example="emberkeep delete 0197f3a0-…")
def delete(
    memory_id: opt.Id, *, db: opt.Db = None, tenant: opt.Tenant = None, key: opt.Key = None, as_json: opt.AsJson = False
) -> None:
    """Remove a memory for good, with its history."""
    with existing(db, tenant, key) as memory:
        receipt = memory.delete(memory_id)
    show(receipt, printing.receipt_view, as_json=as_json)


@command("erase", example="emberkeep erase --user alex --yes")
def erase(
    *,
    user: Annotated[str | None, typer.Option("--user", help="What belongs to this user; * for all users.")] = None,
    agent: opt.Agent = None,
    session: opt.Session = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """Remove all that a user, agent or session left, the verbatim log included."""
    owners = (("user", user), ("agent", agent), ("session", session))
    whose = ", ".join(f"{name} {owner!r}" for name, owner in owners if owner is not None)
    if not whose:
        raise InvalidInput("erase needs a --user, --agent or --session; --user '*' erases everyone's")
    if as_json and not yes:
        raise InvalidInput("erase with --json does not ask: pass --yes to erase for good")
    if not yes and not _confirmed(f"Erase everything of {whose}, for good?"):
        note("nothing was erased; pass --yes to erase without being asked")
        raise typer.Exit(FAILURE)
    with existing(db, tenant, key) as memory:
        receipt = memory.delete_all(user_id=user, agent_id=agent, session_id=session)
    show(receipt, printing.receipt_view, as_json=as_json)


# Reading the arguments.


def _read_messages(text: str | None, file: Path | None, role: str | None, name: str | None) -> Any:
    if file is None:
        content = read_stdin() if text in (None, "-") else text
        return {"role": role or "user", "content": content, "name": name}
    if text is not None or role is not None or name is not None:
        raise InvalidInput("--file holds whole messages: leave out the text, --role and --name")
    try:
        messages = json.loads(read_file(file))
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{file}: not valid JSON: {error}") from None
    if not isinstance(messages, list):
        raise InvalidInput(f"{file}: must hold a JSON list of messages, not {type(messages).__name__}")
    return messages


def read_file(file: Path) -> str:
    """The text of a UTF-8 file; raises `InvalidInput` if it cannot be read."""
    try:
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InvalidInput(f"{file}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise InvalidInput(f"{file}: not valid UTF-8 text") from None


def read_stdin() -> str:
    """The text that is piped in, or typed."""
    if sys.stdin.isatty():
        note("reading from the terminal; end it with Ctrl-D")
    try:
        text = sys.stdin.read()
        text.encode()  # the locale may let bytes through that are not text, as surrogates
    except UnicodeError:
        encoding = sys.stdin.encoding
        raise InvalidInput(
            f"stdin is not valid {encoding} text: convert it first, such as with iconv -f LATIN1 -t {encoding}"
        ) from None
    return text


def _when_to_learn(*, learn: bool, later: bool) -> bool | Literal["later"]:
    if later and not learn:
        raise InvalidInput("--later and --no-learn exclude one another: give one of them")
    return "later" if later else learn


def _seed_format(name: str | None) -> Literal["lines", "jsonl"] | None:
    if name not in (None, "lines", "jsonl"):
        raise InvalidInput(f"unknown format {name!r}: use lines or jsonl")
    return "jsonl" if name == "jsonl" else "lines" if name else None


def _confirmed(question: str) -> bool:
    try:
        return typer.confirm(question, err=True)
    except typer.Abort:
        return False
