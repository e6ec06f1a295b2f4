"""What commands print: results on stdout, as JSON or for people; notes, warnings and progress on stderr.

Colours are used at terminals, unless NO_COLOR, FORCE_COLOR or --no-color say otherwise. Piped output is never cut off.
"""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from emberkeep.model.access import ApiKey, AuditEntry, NewKey
from emberkeep.model.backup import Manifest
from emberkeep.model.collection import Document, Imported
from emberkeep.model.context import Considered, Context, ContextRecord
from emberkeep.model.events import Event, Undeliverable, Webhook
from emberkeep.model.interaction import Interaction
from emberkeep.model.item import Added, Change, Item, Page, Receipt, spoken
from emberkeep.model.migration import Migration
from emberkeep.model.recall import Hit, Hits, Sessions
from emberkeep.model.report import Audit, Difference, LearnReport, RebuildReport, RepairReport, Stats, UpkeepReport
from emberkeep.service.shapes import plain

T = TypeVar("T")
View = Iterable[RenderableType]
SHOWN_OF_SESSION = 3  # hits of each session found
ENDLESS = 100_000  # columns, of a pipe or a file

# Control characters in a stored text must not steer the terminal, nor bidirectional ones reorder the text beside it.
_CONTROL = (*range(32), *range(127, 160))
_BIDIRECTIONAL = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
_VISIBLE = {code: f"\\x{code:02x}" for code in _CONTROL if chr(code) not in "\n\t"}
_VISIBLE |= {code: f"\\u{code:04x}" for code in _BIDIRECTIONAL}
_VISIBLE_IN_JSON = {code: f"\\u{code:04x}" for code in (*_CONTROL, *_BIDIRECTIONAL)}  # the same text once parsed


@dataclass(frozen=True, slots=True)
class History:
    """The changes of a memory as one document."""

    changes: list[Change]


class _Colours:
    """Whether colours are off; every run of the command line sets it."""

    off = False


def use_colours(*, off: bool) -> None:
    """Turn colours off from here on, or on where they can be shown."""
    _Colours.off = off


def console(*, stderr: bool = False) -> Console:
    """Return a console to print for people; without a terminal it is so wide that no table is cut off."""
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else ENDLESS
    return Console(stderr=stderr, highlight=False, no_color=_Colours.off or None, width=width)


def show(value: T, view: Callable[[T], View], *, as_json: bool) -> None:
    """Print a result as one JSON document, or in the form for people."""
    if as_json:
        readable = (sys.stdout.encoding or "").lower().startswith("utf")
        document = json.dumps(plain(value), ensure_ascii=not readable).translate(_VISIBLE_IN_JSON)
        print(document, flush=True)  # noqa: T201 - this is the output
        return
    out = console()
    for part in view(value):
        out.print(part, soft_wrap=isinstance(part, Text))


def note(message: str) -> None:
    """Print a message that is not part of the result, to stderr."""
    console(stderr=True).print(Text(shown(message)), soft_wrap=True)


def warn(reasons: Iterable[str]) -> None:
    """Print each reason why something was left out, as a warning."""
    for reason in reasons:
        note(f"warning: {reason}")


@contextmanager
def progress(what: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """Show a progress bar if stderr is a terminal; yield a function that takes the number of new steps."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    # With FORCE_COLOR, rich takes even a file for a terminal, where a bar would be garbage.
    is_shown = sys.stderr.isatty()
    with Progress(*columns, console=console(stderr=True), transient=True, disable=not is_shown) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.advance(task, done)


def added_view(added: Added, *, later: bool = False) -> View:
    """How many were kept, their ids, and what was learned."""
    if later:
        yield Text("written down; `emberkeep learn` makes it findable")
        return
    yield Text(f"kept {added.extracted}: {added.new} new, {added.updated} told again")
    for item in added.items:
        text = "" if item.kind == "episode" else f"  {shown(item.text)}"
        yield Text.assemble((item.id, "cyan"), "  ", item.kind, text)


def item_view(item: Item) -> View:
    """One memory."""
    yield _memory(item)


def page_view(page: Page) -> View:
    """Memories, one below the other."""
    return [_memory(item) for item in page] or [Text("no memories")]


def hits_view(hits: Hits, *, explain: bool) -> View:
    """What was found, best first."""
    return [_hit(hit, explain=explain) for hit in hits] or [Text("nothing found")]


def found_sessions_view(sessions: Sessions, *, explain: bool) -> View:
    """The sessions found, best first, each with its best hits."""
    for session in sessions:
        yield Text(f"{session.score:.3f}  {shown(session.session_id or '(no session)')}", "bold")
        yield from (_hit(hit, explain=explain) for hit in session.hits[:SHOWN_OF_SESSION])
    if not sessions:
        yield Text("nothing found")


def context_view(context: Context, *, explain: bool) -> View:
    """The text alone, ready for a prompt; with `explain`, what became of each candidate instead."""
    if not explain:
        return [Text(context.text)] if context.text else []
    used = f"{context.total_tokens:,} of {context.budget:,} tokens"
    tiers = ", ".join(f"{tier} {tokens:,}" for tier, tokens in context.tokens_by_tier.items())
    head = heading(context.id or "(not on record)", [used, *([tiers] if tiers else [])])
    return [head, _entries(context.entries)] if context.entries else [head, Text("nothing found")]


def context_record_view(record: ContextRecord) -> View:
    """A context that was handed out, and what became of each candidate."""
    yield _context_record(record)
    if record.entries:
        yield _entries(record.entries)


def context_records_view(found: Mapping[str, Sequence[ContextRecord]]) -> View:
    """Contexts that were handed out, one below the other."""
    return [_context_record(one) for one in found["contexts"]] or [Text("no contexts")]


def history_view(history: History) -> View:
    """What happened to a memory, oldest first."""
    for change in history.changes:
        line = f"{minute(change.at)}  {change.action}"
        if change.previous_text is not None:
            line += f"\n  from: {shown(change.previous_text)}"
        yield Text(line if change.text is None else f"{line}\n  {shown(change.text)}")


def receipt_view(receipt: Receipt) -> View:
    """Rows removed, by table; tables without any are shown with `--json` only."""
    touched = {table: rows for table, rows in receipt.rows.items() if rows}
    return [_table("removed from", "rows", {**touched, "in all": receipt.total})]


def log_view(found: Mapping[str, Sequence[Interaction]]) -> View:
    """What was said, one interaction below the other."""
    return [_interaction(one) for one in found["interactions"]] or [Text("nothing was logged")]


def sessions_view(found: Mapping[str, Sequence[Any]]) -> View:
    """Sessions, the most recently active first."""
    for one in found["sessions"]:
        span = f"{minute(one.first_at)} to {minute(one.last_at)}"
        yield heading(one.session_id, [f"{one.interactions} interactions", span, *owners(user=one.user_id)])


def backlog_view(found: Mapping[str, Sequence[Any]]) -> View:
    """Interactions that wait to be learned from, and why."""
    if not found["interactions"]:
        yield Text("nothing waits")
    for one in found["interactions"]:
        is_due = one.state == "failed" or one.due_at is None or one.due_at <= datetime.now(UTC)
        facts = [one.state, *([] if is_due else [f"until {minute(one.due_at)}"])]
        facts += [f"{one.attempts} attempts"] if one.attempts else []
        line = heading(one.interaction_id, [*facts, *owners(user=one.user_id)])
        yield line.append(f"\n  {shown(one.reason)}") if one.reason else line


def batch_view(batch: Mapping[str, Any]) -> View:
    """What a worker did in one batch."""
    yield Text(
        shown(
            f"{batch['tenant']}: learned from {batch['learned']} interactions: {batch['new']} new facts, "
            f"{batch['updated']} told again or changed"
        )
    )


def spending_view(found: Mapping[str, Sequence[Any]]) -> View:
    """The use of language models, the latest day first."""
    if not found["entries"]:
        yield Text("no language model was asked")
    for one in found["entries"]:
        spent = one.spent
        costs = f"{spent.calls:,} calls, {spent.tokens_in:,} tokens in, {spent.tokens_out:,} out"
        yield heading(one.day, [one.model, costs, *owners(user=one.user_id)])


def learned_view(report: LearnReport) -> View:
    """What learning did; the reasons are warnings."""
    return fields_view({name: value for name, value in plain(report).items() if name != "reasons"})


def rebuilt_view(report: RebuildReport, *, examples: int) -> View:
    """What was embedded, and how what is learned differs."""
    yield from fields_view({name: value for name, value in plain(report).items() if name != "learned"})
    if report.learned is not None:
        yield Text(shown(f"learner: {report.learned.learner}"))
        yield from difference_view(report.learned, examples=examples)


def difference_view(difference: Difference, *, examples: int = 0) -> View:
    """How many statements were added, lost and changed in the time for which they hold, with examples."""
    if not difference.switched:
        yield Text("nothing was changed; without --dry-run it would be:")
    for sign, name in (("+", "added"), ("-", "lost"), ("~", "changed")):
        yield Text(f"{name}: {getattr(difference, name)}")
        for text in getattr(difference, f"{name}_texts")[:examples]:
            yield Text(f"  {sign} {shown(text)}")


def audit_view(audit: Audit) -> View:
    """A row for each fault, and examples below."""
    faults = {**audit.faults, "quarantined": audit.quarantined}
    yield Text(f"examined: {audit.examined}")
    table = Table("fault", box=None)
    for name in ("count", "rate"):
        table.add_column(name, justify="right")
    for name, fault in faults.items():
        table.add_row(name, f"{fault.count:,}", f"{fault.rate:.1%}")
    yield table
    for name, fault in faults.items():
        for text in fault.examples:
            yield Text(f"{name}: {shown(text)}")


def models_view(found: Mapping[str, Sequence[Mapping[str, Any]]]) -> View:
    """Models that can be pulled: for embedders how much each finds and how fast, and whether each is pulled."""
    for one in (*found["models"], *found["rerankers"]):
        facts = ["reranks, for the plan deep"]
        if one in found["models"]:
            finds = f"finds {one['recall_at_5']} % in 5, {one['recall_at_10']} % in 10"
            facts = [finds, f"speed ×{one['speed']:g}", f"{one['dimension']} numbers"]
        facts += [f"{one['size'] / 1e6:.0f} MB", "pulled" if one["pulled"] else "not pulled"]
        line = heading(one["name"], facts)
        yield line.append(f"\n  {one['about']}, in {one['package']} {one['version']}; {one['licence']}")


def documents_view(found: Mapping[str, Sequence[Document]]) -> View:
    """Documents, one below the other."""
    return [_document(one) for one in found["documents"]] or [Text("no documents")]


def document_view(found: Mapping[str, Any]) -> View:
    """One document with its text."""
    yield _document(found["document"])
    yield Text(f"\n{shown(found['text'])}")


def imported_view(found: Mapping[str, Sequence[Imported]]) -> View:
    """What importing files did, one below the other."""
    for one in found["imported"]:
        facts = [one.change, f"{one.new} chunks new", f"{one.gone} gone", f"{one.kept} kept"]
        yield heading(one.id, facts).append(f"\n  {shown(one.document.title)}")


def fields_view(report: object) -> View:
    """The fields of a flat report, one per line."""
    lines = (f"{name.replace('_', ' ')}: {value}" for name, value in plain(report).items())
    return [Text(shown(line)) for line in lines]


def address_view(address: object) -> View:
    """The addresses of a server."""
    return fields_view({name: value for name, value in plain(address).items() if value is not None})


def upkeep_view(report: UpkeepReport) -> View:
    """What upkeep did."""
    archived = ", ".join(f"{count} {name}" for name, count in report.archived.items())
    return fields_view({**plain(report), "archived": archived})


def stats_view(stats: Stats) -> View:
    """What a store holds, and the memories of each kind."""
    apart = {"memories_by_kind", "embedding_caches"}
    flat = {name: value for name, value in plain(stats).items() if name not in apart}
    used = {name: round(100 * one.rate) for name, one in stats.embedding_caches.items() if one.rate is not None}
    return [
        *fields_view(flat),
        *([_table("kind", "memories", stats.items_by_kind)] if stats.items else []),
        *([_table("vectors found in", "%", used)] if used else []),
    ]


def events_view(events: Sequence[Event]) -> View:
    """Events, one per line."""
    return [_event(event) for event in events] or [Text("no events")]


def webhooks_view(found: Mapping[str, Sequence[Webhook]]) -> View:
    """Where events are posted."""
    for one in found["webhooks"]:
        yield heading(one.id, [shown(one.url), ", ".join(one.types), f"since {minute(one.created_at)}"])
    if not found["webhooks"]:
        yield Text("no webhooks")


def undelivered_view(found: Mapping[str, Sequence[Undeliverable]]) -> View:
    """Events that were given up before a webhook took them."""
    for one in found["events"]:
        facts = [one.event.type, f"to {one.sink}", f"{one.attempts} attempts"]
        yield heading(one.event.id, facts).append(f"\n  {shown(one.reason or '')}")
    if not found["events"]:
        yield Text("nothing was given up")


def new_key_view(made: NewKey) -> View:
    """A key that was just made, and below it its secret."""
    return [_api_key(made.key), Text(made.secret)]


def keys_view(found: Mapping[str, Sequence[ApiKey]]) -> View:
    """API keys, one below the other."""
    return [_api_key(one) for one in found["keys"]] or [Text("no keys")]


def audit_log_view(found: Mapping[str, Sequence[AuditEntry]]) -> View:
    """How a store was administered."""
    for one in found["entries"]:
        details = ", ".join(f"{name} {value}" for name, value in one.what.items())
        yield heading(one.action, [minute(one.at), f"by {one.who}", *owners(user=one.user_id), details])
    if not found["entries"]:
        yield Text("nothing is on record")


def _api_key(key: ApiKey) -> Text:
    state = key.state_at(datetime.now(UTC))
    facts = [key.role, *owners(user=key.user_id), f"since {minute(key.created_at)}"]
    facts += [f"until {minute(key.expires_at)}"] if key.expires_at else []
    facts += [f"last used {minute(key.last_used_at)}"] if key.last_used_at else ["never used"]
    return heading(key.id, [*facts, *([] if state == "valid" else [state])]).append(f"\n  {shown(key.name)}")


def _event(event: Event) -> Text:
    payload = ", ".join(f"{name} {value}" for name, value in event.payload.items() if value not in (None, [], ""))
    facts = [event.at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S"), *owners(user=event.user_id), payload]
    return heading(event.type, [shown(fact) for fact in facts])


def _memory(item: Item, *lead: tuple[str, str]) -> Text:
    facts = [item.kind, minute(item.occurred_at), f"{item.temperature:.0f}°"]
    facts += ["sacred"] if item.sacred else []
    facts += owners(user=item.user_id, agent=item.agent_id, session=item.session_id)
    facts += [f"#{tag}" for tag in item.tags]
    return heading(item.id, facts, *lead).append(f"\n  {shown(spoken(item.speaker, item.text))}")


def _document(one: Document) -> Text:
    facts = [one.media_type, f"{one.chunks} chunks", minute(one.updated_at)]
    facts += [] if one.is_complete else ["import not finished"]
    facts += [*owners(user=one.user_id, agent=one.agent_id, session=one.session_id), one.origin]
    return heading(one.id, facts).append(f"\n  {shown(one.title)}")


def _interaction(one: Interaction) -> Text:
    facts = [minute(one.occurred_at), *owners(user=one.user_id, agent=one.agent_id, session=one.session_id)]
    if one.details is not None:
        facts += [f"skill {one.details.skill_used}"] if one.details.skill_used else []
        facts += [f"{len(one.details.tool_calls)} tool calls"] if one.details.tool_calls else []
    text = heading(one.id, facts)
    for message in one.messages:
        text.append(f"\n  {shown(message.name or message.role)}: {shown(message.content)}")
    return text


def heading(lead: str, facts: Iterable[str], *before: tuple[str, str]) -> Text:
    """The first line of a record: its id or name, and facts about it."""
    return Text.assemble(*before, (shown(lead), "cyan"), "  ", (shown("  ".join(facts)), "dim"))


def owners(**given: str | None) -> list[str]:
    """The owners of a record, each as in "user alex"; those that are None are left out."""
    return [f"{name} {owner}" for name, owner in given.items() if owner]


def _context_record(one: ContextRecord) -> Text:
    chosen = sum(entry.fate != "dropped" for entry in one.entries)
    used = f"{one.total_tokens:,} of {one.max_tokens:,} tokens"
    facts = [minute(one.at), f"{chosen} of {len(one.entries)} records", used]
    facts += owners(user=one.user_id, agent=one.agent_id, session=one.session_id)
    facts += [] if one.helpful is None else ["helpful" if one.helpful else "unhelpful"]
    text = heading(one.id, facts).append(f"\n  {shown(one.task)}")
    return text.append(f"\n  note: {shown(one.note)}") if one.note else text


def _entries(entries: Iterable[Considered]) -> Table:
    """The candidates of a context, and what became of each."""
    table = Table("", box=None)
    table.add_column("record", overflow="fold")
    for name in ("tier", "kind"):
        table.add_column(name, no_wrap=True)
    for name in ("value", "tokens"):
        table.add_column(name, justify="right")
    table.add_column("why")
    for one in entries:
        cells = (one.fate, one.key, one.tier, one.kind, f"{one.value:.4f}", f"{one.tokens:,}", one.why)
        table.add_row(*(Text(shown(cell)) for cell in cells))
    return table


def _hit(hit: Hit, *, explain: bool) -> Text:
    text = _memory(hit.item, (f"{hit.score:.3f}  ", "bold"))
    return text.append(f"\n  why: {shown(str(hit.why))}", "dim") if explain else text


def _table(name: str, count: str, rows: Mapping[str, int]) -> Table:
    """Names with a number each; `name` and `count` are the headings."""
    table = Table(name, box=None)
    table.add_column(count, justify="right")
    for row, number in rows.items():
        table.add_row(Text(row), f"{number:,}")
    return table


def backup_view(manifest: Manifest) -> View:
    """When a backup was made, by which version, and how much it holds."""
    made = f"made {minute(manifest.created_at)} UTC by Emberkeep {manifest.emberkeep}, schema {manifest.schema}"
    yield Text(shown(f"{made}, vectors of {manifest.embedder or 'no embedder yet'}"))
    yield _table("table", "rows", {name: table.rows for name, table in manifest.tables.items() if table.rows})


def repair_view(report: RepairReport) -> View:
    """The faults that were found, where, and whether they were repaired."""
    if not report.found:
        yield Text("all is as it should be")
    for one in report.found:
        where = "" if one.tenant is None else f" of {one.tenant}"
        done = "repaired" if one.repaired else ("found" if report.dry_run else "left as it is")
        style = "green" if one.repaired else "yellow"
        examples = f": {', '.join(one.examples)}" if one.examples else ""
        more = ", ..." if len(one.examples) < one.count and one.examples else ""
        fault = f"  {one.count:,} {one.what}{where}{examples}{more}"
        yield Text.assemble((f"{done:13}", style), shown(fault), shown(f"; {one.advice}") if one.advice else "")


def migration_view(migration: Migration) -> View:
    """The schemas before and after, the steps between them, and the rows that are lost."""
    back = migration.before is not None and migration.after < migration.before
    what = "would go" if migration.dry_run else "went"
    if migration.before == migration.after:
        yield Text(shown(f"{migration.database}: schema {migration.after}, nothing to do"))
        return
    yield Text(shown(f"{migration.database}: {what} from schema {migration.before or 'none'} to {migration.after}"))
    for version, brought in migration.steps.items():
        yield Text(shown(f"{'without' if back else 'with'} {version}: {brought}"))
    if migration.lost:
        yield _table("dropped", "rows", migration.lost)


def shown(text: str) -> str:
    """Return a stored text with its control characters escaped, safe to print to a terminal."""
    return text.replace("\r\n", "\n").translate(_VISIBLE)


def minute(moment: datetime) -> str:
    """Return a time to the minute, such as 2026-05-20 10:00."""
    return f"{moment:%Y-%m-%d %H:%M}"
