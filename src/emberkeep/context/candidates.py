"""Memories as candidates for a context: the tier each belongs to, and how far it is to be trusted."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime

from emberkeep.context.selection import FEWEST_CHARS
from emberkeep.language.instructions import is_instruction
from emberkeep.model.context import Candidate, Shares, Tier, Trust
from emberkeep.model.item import Item
from emberkeep.model.kinds import KINDS, Kind
from emberkeep.model.message import side_of
from emberkeep.model.recall import Hit
from emberkeep.model.work import STATUSES

CHARS_A_TOKEN = 4  # about
# Records that an application wrote itself; the others tell of work, and may contain the output of tools.
TOLD = ("preference:", "procedure:", "goal:")
KINDS_OF: Mapping[Tier, tuple[Kind, ...]] = {
    "operational": (),
    "working": ("execution", "pattern", "decision"),
    "longterm": tuple(kind for kind in KINDS if kind not in {"execution", "pattern", "knowledge"}),
    "knowledge": ("knowledge",),
}


def candidate(hit: Hit, value: float, at: datetime) -> Candidate:
    """Return a hit as a candidate; its kind says if it is outdated, or a plan for a day before `at`."""
    found = of_item(hit.item, value, hit)
    if hit.why.stale:
        return replace(found, kind=f"outdated {found.kind}")
    return replace(found, kind="past plan") if _is_over(hit.item, at) else found


def _is_over(item: Item, at: datetime) -> bool:
    """Return whether an item is a plan whose day has passed."""
    if "plan" not in item.tags:
        return False
    try:
        return date.fromisoformat(str(item.metadata.get("when"))) < at.date()
    except ValueError:
        return False


def of_item(item: Item, value: float, hit: Hit | None = None) -> Candidate:
    """Return an item as a candidate. Long texts are checked for instructions only when shown, which few are."""
    return Candidate(
        tier=tier_of(item),
        key=f"item:{item.id}",
        kind=kind_of(item),
        text=_text_of(item),
        at=item.said_at,
        value=value,
        trust=trust_in(item),
        speaker=item.speaker,
        source=_document(item) if item.kind == "knowledge" else "",
        hit=hit,
    )


def kind_of(item: Item) -> str:
    """Return the kind of an item; for work, with its status or outcome: "pending task", "failed execution"."""
    if item.kind != "execution" or not item.record:
        return item.kind
    status, success = item.metadata.get("status"), item.metadata.get("success")
    if item.record.startswith("task:"):
        return f"{status} task" if status in STATUSES else "task"
    return item.kind if not isinstance(success, bool) else f"{'succeeded' if success else 'failed'} {item.kind}"


def _document(item: Item) -> str:
    """Return where knowledge comes from: the title of the document, or else the name of the record."""
    title = item.metadata.get("title")
    return title if isinstance(title, str) and title.strip() else item.record or ""


def _text_of(item: Item) -> str:
    """Return the text of an item; for a trigger, with the action to take then."""
    action = item.metadata.get("action") if item.kind == "pattern" else None
    return f"{item.text}: {action}" if action else item.text


def tier_of(item: Item) -> Tier:
    """Return the tier: documents are knowledge; executions, patterns and logged decisions work; the rest experience."""
    if item.kind == "knowledge":
        return "knowledge"
    if item.kind in {"execution", "pattern"} or (item.kind == "decision" and item.record):
        return "working"
    return "longterm"


def trust_in(item: Item) -> Trust:
    """Return where an item comes from; "untrusted" if its text, speaker or title reads like instructions to a model.

    The text is checked only if it is not long.
    """
    text = _text_of(item)
    parts = (
        text if len(text) <= FEWEST_CHARS else None,
        item.speaker,
        _document(item) if item.kind == "knowledge" else None,
    )
    if any(is_instruction(part) for part in parts if part):
        return "untrusted"
    if item.kind == "knowledge":
        return "imported"
    if item.kind == "execution" or (item.record and not item.record.startswith(TOLD)):
        return "assistant" if item.kind in {"decision", "pattern"} else "tool"
    if not item.sources:
        return "told"
    if item.kind != "episode":
        return "learned"
    side = side_of(item.sources[0].role)
    return "said" if side == "user" else "assistant" if side == "assistant" else "tool"


def searched_kinds(tiers: Sequence[Tier], only: Sequence[Kind]) -> tuple[Kind, ...]:
    """Return the kinds of memory that the tiers hold, limited to those in `only` unless that is empty."""
    wanted = {kind for tier in tiers for kind in KINDS_OF[tier]}
    return tuple(kind for kind in KINDS if kind in wanted and (not only or kind in only))


def crowded_out(
    candidates: Iterable[Candidate], tiers: Sequence[Tier], shares: Shares, budget: int
) -> tuple[Tier, ...]:
    """Return the tiers of memories with less than their guaranteed share, both of the candidates and of the text."""
    found = list(candidates)
    short = []
    for tier in tiers:
        own, share = [one for one in found if one.tier == tier], shares.floor(tier)
        chars = sum(len(one.text) for one in own)
        if KINDS_OF[tier] and len(own) < share * len(found) and chars < share * budget * CHARS_A_TOKEN:
            short.append(tier)
    return tuple(short)
