"""What was found as candidates for a context: which tier a memory belongs to, and by whom it is vouched for."""

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
# The records that are what an application said; the others tell what came of work, and hold what tools gave out.
TOLD = ("preference:", "procedure:", "goal:")
KINDS_OF: Mapping[Tier, tuple[Kind, ...]] = {
    "operational": (),
    "working": ("execution", "pattern", "decision"),
    "longterm": tuple(kind for kind in KINDS if kind not in {"execution", "pattern", "knowledge"}),
    "knowledge": ("knowledge",),
}


def candidate(hit: Hit, value: float, at: datetime) -> Candidate:
    """A hit as a candidate for who asks at a time: what is no longer so, and what was to be, is called that."""
    found = of_item(hit.item, value, hit)
    if hit.why.stale:
        return replace(found, kind=f"outdated {found.kind}")
    return replace(found, kind="past plan") if _is_over(hit.item, at) else found


def _is_over(item: Item, at: datetime) -> bool:
    """Whether it tells of a plan whose day has passed."""
    if "plan" not in item.tags:
        return False
    try:
        return date.fromisoformat(str(item.metadata.get("when"))) < at.date()
    except ValueError:
        return False


def of_item(item: Item, value: float, hit: Hit | None = None) -> Candidate:
    """An item as a candidate. Whether a long text may be trusted is looked at when it is shown, which few are."""
    return Candidate(
        tier=tier_of(item),
        key=f"item:{item.id}",
        kind=kind_of(item),
        text=_said(item),
        at=item.said_at,
        value=value,
        trust=trust_in(item),
        speaker=item.speaker,
        source=_document(item) if item.kind == "knowledge" else "",
        hit=hit,
    )


def kind_of(item: Item) -> str:
    """The kind of an item; where it stands for work, also how that stands or how it ended."""
    if item.kind != "execution" or not item.record:
        return item.kind
    status, success = item.metadata.get("status"), item.metadata.get("success")
    if item.record.startswith("task:"):
        return f"{status} task" if status in STATUSES else "task"
    return item.kind if not isinstance(success, bool) else f"{'succeeded' if success else 'failed'} {item.kind}"


def _document(item: Item) -> str:
    """Where knowledge is from, as a reader knows it: by its title."""
    title = item.metadata.get("title")
    return title if isinstance(title, str) and title.strip() else item.record or ""


def _said(item: Item) -> str:
    """What an item says; one that stands for a trigger also says what to do then."""
    action = item.metadata.get("action") if item.kind == "pattern" else None
    return f"{item.text}: {action}" if action else item.text


def tier_of(item: Item) -> Tier:
    """Documents are knowledge; what was done, and logged decisions and patterns are work; all else is experience."""
    if item.kind == "knowledge":
        return "knowledge"
    if item.kind in {"execution", "pattern"} or (item.kind == "decision" and item.record):
        return "working"
    return "longterm"


def trust_in(item: Item) -> Trust:
    """By whom an item is vouched for; by nobody if what is not too long tries to tell a model what to do."""
    text = _said(item)
    said = (
        text if len(text) <= FEWEST_CHARS else None,
        item.speaker,
        _document(item) if item.kind == "knowledge" else None,
    )
    if any(is_instruction(part) for part in said if part):
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
    """The kinds of memory that tiers hold, of those that are wanted; nothing when there are none to look for."""
    wanted = {kind for tier in tiers for kind in KINDS_OF[tier]}
    return tuple(kind for kind in KINDS if kind in wanted and (not only or kind in only))


def crowded_out(
    candidates: Iterable[Candidate], tiers: Sequence[Tier], shares: Shares, budget: int
) -> tuple[Tier, ...]:
    """The tiers of memories that have less, by length and by number, than the share they are sure of."""
    some = list(candidates)
    short = []
    for tier in tiers:
        mine, share = [one for one in some if one.tier == tier], shares.floor(tier)
        chars = sum(len(one.text) for one in mine)
        if KINDS_OF[tier] and len(mine) < share * len(some) and chars < share * budget * CHARS_A_TOKEN:
            short.append(tier)
    return tuple(short)
