"""A new statement against what is known: is it new, the same, more detailed, or a change? Pure functions."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from emberkeep.lifecycle.particulars import particulars
from emberkeep.model.claim import Claim
from emberkeep.model.finding import Relation
from emberkeep.model.item import Draft, Item
from emberkeep.model.sameness import could_paraphrase

Words = Callable[[str], frozenset[int]]
# What adds a detail to a value: "a dog" and "a dog named Rex", "Lisbon" and "Lisbon in a flat by the river".
_LISTED = re.compile(r",| and | or ")
_DETAIL = re.compile(r"^(?:,| named | called | in | at | with | who | which | that | from | since | as | on | near )")


@dataclass(frozen=True, slots=True)
class Known:
    """An item that makes a claim."""

    item: Item
    claim: Claim


@dataclass(frozen=True, slots=True)
class Near:
    """An item that lies close to the statement: their cosine, what it claims, and what a judge said of the two."""

    item: Item
    cosine: float
    claim: Claim | None = None
    relation: Relation = "other"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What to do with a statement.

    `reheat` and `refine` have an `item` to do it to. `ends` held until the statement, which itself held only until
    `ended_by`, if a later one is known already; it `retracts` them if it only says that they are over. `begins` says
    that `item` held earlier than was known.
    """

    action: Literal["add", "reheat", "refine"]
    item: Item | None = None
    ends: tuple[Item, ...] = ()
    ended_by: Item | None = None
    begins: datetime | None = None
    retracts: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether the statement is news that changes nothing."""
        return self.action == "add" and not self.ends and self.ended_by is None


def decide(draft: Draft, known: Sequence[Known], near: Sequence[Near], words: Words, *, same_from: float) -> Verdict:
    """Weigh a draft against items of the same subject and respect, in the order of time, and against its neighbours."""
    if draft.claim is not None:
        mine = [one for one in known if one.item.kind == draft.kind and _same_keeper(one.item, draft)]
        said = _said_already(draft, draft.claim, mine, words)
        if said is not None:
            return said
        told = [one for one in known if _may_change(one.item, draft)]
        ends, ended_by = _changed(draft.claim, draft.occurred_at, told, words)
        if ends or ended_by is not None:
            return Verdict("add", ends=ends, ended_by=ended_by, retracts=draft.claim.negated)
    judged = _judged(draft, [one for one in near if one.relation != "other" and one.item.valid_to is None], words)
    if judged is not None:
        return judged
    for one in near:
        if _is_paraphrase(draft, one, words, same_from):
            return Verdict("reheat", one.item)
    return Verdict("add")


def _judged(draft: Draft, near: Sequence[Near], words: Words) -> Verdict | None:
    """What a judge's word comes to: believed of statements that have a word in common, and never ending sacred ones."""
    akin = [one for one in near if words(one.item.text) & words(draft.text)]
    for one in akin:
        if one.relation in ("same", "more") and one.item.kind == draft.kind and _same_keeper(one.item, draft):
            return Verdict("reheat" if one.relation == "same" else "refine", one.item)
    over = [one for one in akin if one.relation in ("instead", "ends")]
    ends, ended_by = _in_time(
        [one.item for one in over if _may_change(one.item, draft) and not one.item.sacred], draft.occurred_at
    )
    if not ends and ended_by is None:
        return None
    return Verdict("add", ends=ends, ended_by=ended_by, retracts=all(one.relation == "ends" for one in over))


def _said_already(draft: Draft, claim: Claim, known: Sequence[Known], words: Words) -> Verdict | None:
    """Warm what says the same or more, refine what says less; what gives another date or number is something else.

    Unless only one can hold: then it was said in other words, or is put right.
    """
    when, mine = draft.occurred_at, particulars(draft.text)
    one_holds = claim.single and claim.family != "version"  # what ran at 3 on Monday may on Tuesday too
    for one in known:
        if one.claim.relation != claim.relation or one.claim.negated != claim.negated or one.item.valid_to is not None:
            continue
        longer = _is_detail_of(claim.value, one.claim.value)
        same = _same(claim.value, one.claim.value, words) or _is_detail_of(one.claim.value, claim.value)
        if not longer and not same:
            continue
        theirs = particulars(one.item.text)
        more, less = mine.details - theirs.details, theirs.details - mine.details
        if mine.contradict(theirs) or (more and less and not one_holds):
            continue
        if (longer or (same and more)) and one.item.valid_from <= when:
            return Verdict("refine", one.item)
        if same and (not more or one_holds):
            return Verdict("reheat", one.item, begins=_begins(one.item, when, known))
    return None


def _begins(item: Item, when: datetime, known: Sequence[Known]) -> datetime | None:
    """The earlier time from which an item is now known to hold, unless something else held in between."""
    between = any(one.item.valid_to is not None and one.item.valid_to > when for one in known)
    return when if when < item.valid_from and not between else None


def _changed(
    claim: Claim, when: datetime, known: Sequence[Known], words: Words
) -> tuple[tuple[Item, ...], Item | None]:
    """Items that this claim ends, and the one known already that ends this claim."""
    return _in_time([one.item for one in known if _excludes(claim, one.claim, words)], when)


def _in_time(rivals: Sequence[Item], when: datetime) -> tuple[tuple[Item, ...], Item | None]:
    """Of items that cannot hold beside something said of a time: those it ends, and the first that ends it."""
    held = [item for item in rivals if item.valid_from <= when and (item.valid_to is None or item.valid_to > when)]
    later = [item for item in rivals if item.valid_from > when]
    return tuple(held), min(later, key=lambda item: item.valid_from) if later else None


def _excludes(claim: Claim, other: Claim, words: Words) -> bool:
    """Whether two claims of one subject, in the same or a like respect, cannot both hold."""
    if claim.negated != other.negated:
        return _overlap(claim.value, other.value, words)
    if claim.instead_of and _overlap(claim.instead_of, other.value, words):
        return not claim.negated
    rivals = claim.relation == other.relation and claim.single and other.single and not claim.negated
    return rivals and not _same(claim.value, other.value, words)


def _same(one: str, other: str, words: Words) -> bool:
    return one == other or (bool(one) and words(one) == words(other) and bool(words(one)))


def _overlap(one: str, other: str, words: Words) -> bool:
    if not one or not other or one == other:
        return True
    first, second = words(one), words(other)
    if first and first < second and _LISTED.search(other):
        return False  # one of several things that were told together says nothing of the others
    return bool(first and second) and (first <= second or second <= first)


def _is_detail_of(longer: str, shorter: str) -> bool:
    return bool(shorter) and longer.startswith(shorter) and _DETAIL.match(longer[len(shorter) :]) is not None


def _is_paraphrase(draft: Draft, near: Near, words: Words, same_from: float) -> bool:
    item = near.item
    if near.cosine < same_from or item.kind != draft.kind or item.valid_to is not None:
        return False
    if not _same_keeper(item, draft) or not could_paraphrase(item.text, draft.text):
        return False
    if draft.claim is None or near.claim is None:
        return True
    if (draft.claim.subject, draft.claim.negated) != (near.claim.subject, near.claim.negated):
        return False
    return not _excludes(draft.claim, near.claim, words)


def _may_change(item: Item, draft: Draft) -> bool:
    """Whether a statement of one is news to the other: what one agent keeps to itself is not another's to change."""
    return item.agent_id == draft.scope.agent_id or item.agent_id is None or draft.scope.agent_id is None


def _same_keeper(item: Item, draft: Draft) -> bool:
    """Whether both belong to the same agent and session: one agent's private memory is not told to another."""
    return (item.agent_id, item.session_id) == (draft.scope.agent_id, draft.scope.session_id)
