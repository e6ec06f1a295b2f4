"""Assembling a context: candidates from memories and from state, chosen and rendered within a token budget."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime
from typing import Any

from emberkeep.context.candidates import candidate, crowded_out, searched_kinds
from emberkeep.context.render import LAYOUTS
from emberkeep.context.selection import FULL, OVER, select_within_budget
from emberkeep.context.state import joined
from emberkeep.errors import InvalidInput
from emberkeep.flows.searching import Asking, Searcher
from emberkeep.model.context import (
    Candidate,
    Context,
    ContextRecord,
    Format,
    Shares,
    Tier,
    format_named,
    tiers_named,
)
from emberkeep.model.kinds import KINDS
from emberkeep.model.recall import CHANNELS, Plan, Where, select
from emberkeep.recall.fusion import relevances
from emberkeep.wiring import Parts

FEWEST, MOST = 20, 100  # hits to search for
TOKENS_A_RECORD = 50  # about
SHORT = 2_000  # characters up to which a record is expected uncut
MORE_CANDIDATES = 30  # for tiers that the others crowded out


@dataclass(frozen=True, slots=True)
class Wanted:
    """A request for a context: the question, the tiers, the token budget, its shares, and the format."""

    asking: Asking
    max_tokens: int
    tiers: tuple[Tier, ...]
    format: Format
    shares: Shares
    recorded_until: datetime | None = None  # memories recorded later are left out


class Assembler:
    """Puts contexts together."""

    def __init__(self, parts: Parts, searcher: Searcher) -> None:
        self._parts = parts
        self._searcher = searcher

    def assemble(self, wanted: Wanted, more: Sequence[Candidate] = ()) -> Context:
        """The best context that fits, of memories and of the candidates in `more`: live state, goals, tasks."""
        layout, count = LAYOUTS[wanted.format], self._parts.count_tokens
        least = count(layout.page(())) + 1
        if wanted.max_tokens < least:
            raise InvalidInput(f"max_tokens is {wanted.max_tokens}: at least {least} are needed")
        more = [one for one in more if one.tier in wanted.tiers]
        found, degraded = self._gather(wanted, more)
        chosen = select_within_budget(
            joined(more, found), wanted.max_tokens, count=count, layout=layout, shares=wanted.shares
        )
        too_long = [one.tokens for one in chosen.entries if one.why in {OVER, FULL}]
        if too_long and not chosen.chunks:
            needed = least + min(too_long)
            degraded = (
                *degraded,
                f"budget: nothing fits in {wanted.max_tokens} tokens, the shortest needs about {needed}",
            )
        if len(chosen.chunks) == 1 and chosen.chunks[0].trimmed and len(chosen.chunks[0].candidate.text) <= SHORT:
            best = chosen.chunks[0].candidate
            needed = least + count(layout.record(best, best.text))
            degraded = (*degraded, f"budget: the best record is cut, all of it needs about {needed} tokens")
        return Context(
            text=chosen.text,
            chunks=chosen.chunks,
            total_tokens=chosen.total_tokens,
            dropped=len(chosen.entries) - len(chosen.chunks),
            degraded=degraded,
            budget=wanted.max_tokens,
            messages=chosen.messages,
            entries=chosen.entries,
        )

    def _gather(self, wanted: Wanted, more: Sequence[Candidate]) -> tuple[list[Candidate], tuple[str, ...]]:
        """Memories found by one search over all tiers, and by one more for the tiers that others crowded out."""
        asking = _narrowed(replace(wanted.asking, whole=True), wanted.tiers)
        if asking is None:
            return [], ()
        known = self._searcher.read(asking)
        limit = min(max(wanted.max_tokens // TOKENS_A_RECORD, FEWEST), MOST)
        best = self._searcher.search(asking, limit, known)
        hits, degraded = best.hits, best.degraded
        worth = relevances([hit.score for hit in hits])
        found = [candidate(hit, value, asking.at) for hit, value in zip(hits, worth, strict=True)]
        short = crowded_out([*more, *found], wanted.tiers, wanted.shares, wanted.max_tokens)
        again = _narrowed(replace(wanted.asking, whole=True), short)
        if again is not None and len(hits) > limit // 2:  # else the first search found all there is
            seen = {hit.id for hit in hits}
            further = self._searcher.search(again, MORE_CANDIDATES, known)
            others, degraded = [hit for hit in further if hit.id not in seen], (*degraded, *further.degraded)
            # Scores of two searches do not compare; what only the second found is worth less than the first's hits.
            values = relevances([hit.score for hit in others], best=min((one.value for one in found), default=1.0))
            found += [candidate(hit, value, again.at) for hit, value in zip(others, values, strict=True)]
        seen_then = [one for one in found if _was_there(one, wanted.recorded_until)]
        return [one for one in seen_then if one.tier in wanted.tiers], tuple(dict.fromkeys(degraded))


def settings_of(wanted: Wanted) -> dict[str, Any]:
    """All that it takes to assemble a context again, except the task and the budget, as JSON values."""
    asking = wanted.asking
    return {
        "tiers": list(wanted.tiers),
        "format": wanted.format,
        "shares": asdict(wanted.shares),
        "plan": {**asdict(asking.plan), "channels": list(asking.plan.channels)},
        "asked_at": asking.at.isoformat(),
        "dated": asking.dated,
        "where": {name: _plain(getattr(asking.selection, name)) for name in Where.__annotations__},
    }


def wanted_again(record: ContextRecord, tenant: str, as_of: datetime | None) -> Wanted:
    """The request that a record was made for, as of the time it was asked for, or of another."""
    settings = record.settings
    where: Where = settings["where"]
    selection = select(tenant, {**where, "filters": dict(settings["where"]["filters"])})
    moment = as_of or selection.as_of or record.at
    return Wanted(
        asking=Asking(
            text=record.task,
            at=as_of or datetime.fromisoformat(settings["asked_at"]),
            selection=replace(selection, as_of=moment),
            plan=_plan_then(settings["plan"]),
            dated=as_of is not None or settings.get("dated", True),
        ),
        max_tokens=record.max_tokens,
        tiers=tiers_named(settings["tiers"]),
        format=format_named(settings["format"]),
        shares=Shares(**settings["shares"]),
        recorded_until=as_of or record.at,
    )


def _plan_then(kept: Mapping[str, Any]) -> Plan:
    """The recorded plan, without fields and channels that only a later version knows."""
    known = {field.name for field in fields(Plan)}
    channels = tuple(channel for channel in kept["channels"] if channel in CHANNELS)
    return Plan(**{name: value for name, value in kept.items() if name in known} | {"channels": channels})


def _plain(value: Any) -> Any:
    """Return a filter's value for JSON: dates as text, tuples as lists."""
    if isinstance(value, datetime):
        return value.isoformat()
    return [_plain(one) for one in value] if isinstance(value, tuple) else value


def _narrowed(asking: Asking, tiers: Sequence[Tier]) -> Asking | None:
    """The question, narrowed to the kinds of memory that the tiers hold; `None` if there are none."""
    kinds = searched_kinds(tiers, asking.selection.kinds)
    if not kinds:
        return None
    return replace(asking, selection=replace(asking.selection, kinds=() if kinds == KINDS else kinds))


def _was_there(one: Candidate, until: datetime | None) -> bool:
    """Return whether a memory was recorded by then; what is no memory counts as recorded."""
    return until is None or one.hit is None or one.hit.item.recorded_at <= until
