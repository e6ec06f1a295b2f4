"""What commands print: results on stdout, as JSON or for people; notes, warnings and progress on stderr."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import TypeVar

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from emberkeep.entrypoints.plain import History, plain
from emberkeep.model.context import Context
from emberkeep.model.item import Added, Item, Page, Receipt, spoken
from emberkeep.model.recall import Hit, Hits
from emberkeep.model.report import Stats

T = TypeVar("T")
View = Iterable[RenderableType]

# A stored text must not steer the terminal that shows it.
_VISIBLE = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"}


def show(value: T, view: Callable[[T], View], *, as_json: bool) -> None:
    """Print a result: as one JSON document, or the way people read it."""
    if as_json:
        readable = (sys.stdout.encoding or "").lower().startswith("utf")
        print(json.dumps(plain(value), ensure_ascii=not readable), flush=True)  # noqa: T201 - this is the output
        return
    console = Console(highlight=False)
    for part in view(value):
        console.print(part, soft_wrap=isinstance(part, Text))


def note(message: str) -> None:
    """Tell people something that is not part of the result."""
    Console(stderr=True, highlight=False).print(Text(message), soft_wrap=True)


def warn(reasons: Iterable[str]) -> None:
    """Say what was left out, and why."""
    for reason in reasons:
        note(f"warning: {reason}")


@contextmanager
def progress(what: str) -> Iterator[Callable[[int], None]]:
    """A progress bar, if a terminal is there to show it; yields what to call with each step."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done: bar.advance(task, done)


def added_view(added: Added) -> View:
    """How many were kept, and their ids."""
    if not added.items:
        yield Text("written down; `emberkeep learn` makes it findable")
        return
    yield Text(f"kept {added.extracted}: {added.new} new, {added.updated} told again")
    for item in added.items:
        yield Text.assemble((item.id, "cyan"), "  ", item.kind)


def item_view(item: Item) -> View:
    """One memory."""
    yield _memory(item)


def page_view(page: Page) -> View:
    """Memories, one below the other."""
    return [_memory(item) for item in page] or [Text("no memories")]


def hits_view(hits: Hits, *, explain: bool) -> View:
    """What was found, best first."""
    return [_hit(hit, explain=explain) for hit in hits] or [Text("nothing found")]


def context_view(context: Context) -> View:
    """The text alone, ready for a prompt."""
    return [Text(context.text)] if context.text else []


def history_view(history: History) -> View:
    """What happened to a memory, oldest first."""
    for change in history.changes:
        line = f"{_minute(change.at)}  {change.action}"
        if change.previous_text is not None:
            line += f"\n  from: {_shown(change.previous_text)}"
        yield Text(line if change.text is None else f"{line}\n  {_shown(change.text)}")


def receipt_view(receipt: Receipt) -> View:
    """Rows removed, by table."""
    return [_table("removed from", "rows", {**receipt.rows, "in all": receipt.total})]


def fields_view(report: object) -> View:
    """The fields of a flat report, one a line."""
    lines = (f"{name.replace('_', ' ')}: {value}" for name, value in plain(report).items())
    return [Text(_shown(line)) for line in lines]


def stats_view(stats: Stats) -> View:
    """What a store holds, and the memories of each kind."""
    flat = {name: value for name, value in plain(stats).items() if name != "memories_by_kind"}
    return [*fields_view(flat), *([_table("kind", "memories", stats.items_by_kind)] if stats.items else [])]


def _memory(item: Item, *lead: tuple[str, str]) -> Text:
    owners = (("user", item.user_id), ("agent", item.agent_id), ("session", item.session_id))
    facts = [item.kind, _minute(item.occurred_at), f"{item.temperature:.0f}°"]
    facts += ["sacred"] if item.sacred else []
    facts += [f"{name} {owner}" for name, owner in owners if owner]
    facts += [f"#{tag}" for tag in item.tags]
    head = Text.assemble(*lead, (item.id, "cyan"), "  ", (_shown("  ".join(facts)), "dim"))
    return head.append(f"\n  {_shown(spoken(item.speaker, item.text))}")


def _hit(hit: Hit, *, explain: bool) -> Text:
    text = _memory(hit.item, (f"{hit.score:.3f}  ", "bold"))
    return text.append(f"\n  why: {_shown(str(hit.why))}", "dim") if explain else text


def _table(name: str, count: str, rows: Mapping[str, int]) -> Table:
    table = Table(name, box=None)
    table.add_column(count, justify="right")
    for row, number in rows.items():
        table.add_row(Text(row), f"{number:,}")
    return table


def _shown(text: str) -> str:
    return text.translate(_VISIBLE)


def _minute(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M}"
