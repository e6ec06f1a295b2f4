"""Comparing a new statement with what is known: is it new, the same, more detailed, or a change? Pure functions."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from emberkeep.language.forms import NUMBERS
from emberkeep.language.periods import periods
from emberkeep.language.places import is_wide
from emberkeep.lifecycle.denial import Words, denies, has_details, head, is_denied
from emberkeep.lifecycle.particulars import particulars
from emberkeep.model.claim import Claim
from emberkeep.model.finding import Relation
from emberkeep.model.item import Draft, Item
from emberkeep.model.sameness import could_paraphrase, normalise

NEWS = timedelta(days=100)  # how long ago a change may have happened and still be news
LAST_WORD = timedelta(days=365)  # the same for an event whose result lasts, such as a move
SKEW = timedelta(minutes=5)  # how far a clock may have gone back between two statements
_TASTES = frozenset(("likes", "prefers", "eat", "drink", "allergic to"))
_COUNTED = re.compile(rf"(?:\d+|{'|'.join(word for word in NUMBERS if word not in ('a', 'an'))}) \w")
# What adds a detail to a value: "a dog" and "a dog named Rex", "Lisbon" and "Lisbon in a flat by the river".
_DETAIL = re.compile(r"^(?:,| named | called | in | at | with | who | which | that | from | since | as | on | near )")


@dataclass(frozen=True, slots=True)
class Known:
    """A known item and its claim."""

    item: Item
    claim: Claim


@dataclass(frozen=True, slots=True)
class Near:
    """An item with a vector close to the statement's: their cosine, its claim, and a judge's opinion of the two."""

    item: Item
    cosine: float
    claim: Claim | None = None
    relation: Relation = "other"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What to do with a statement.

    "reheat" and "refine" apply to `item`. The items in `ends` held until the statement. The statement itself held only
    until `ended_by`, if a later item that excludes it is known already. It `retracts` the items in `ends` if it only
    says that they are over. `begins` is an earlier time from which `item` is now known to hold.
    """

    action: Literal["add", "reheat", "refine"]
    item: Item | None = None
    ends: tuple[Item, ...] = ()
    ended_by: Item | None = None
    begins: datetime | None = None
    retracts: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether the statement is simply added, without ending anything or being ended."""
        return self.action == "add" and not self.ends and self.ended_by is None


def decide(draft: Draft, known: Sequence[Known], near: Sequence[Near], words: Words, *, same_from: float) -> Verdict:
    """Compare a draft with items of the same subject and relation, `known` in order of time, and with those `near`."""
    if draft.claim is not None:
        mine = [one for one in known if one.item.kind == draft.kind and _same_keeper(one.item, draft)]
        said = _said_already(draft, draft.claim, mine, words)
        if said is not None:
            return said
        told = [one for one in known if _may_change(one.item, draft)]
        said_too = (draft.claim, *draft.claim.consequences)
        rivals = [one.item for one in told if any(_excludes(claim, draft.text, one, words) for claim in said_too)]
        ends, ended_by = _in_time(rivals, draft)
        ends = (*ends, *(one.item for one in told if _takes_along(draft, one, words)))
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
    """The verdict of a judge, if any: believed only for items that share a word with the draft; ends no sacred item."""
    akin = [one for one in near if words(one.item.text) & words(draft.text)]
    for one in akin:
        if one.relation in ("same", "more") and one.item.kind == draft.kind and _same_keeper(one.item, draft):
            return Verdict("reheat" if one.relation == "same" else "refine", one.item)
    over = [one for one in akin if one.relation in ("instead", "ends")]
    ends, ended_by = _in_time([one.item for one in over if _may_change(one.item, draft) and not one.item.sacred], draft)
    if not ends and ended_by is None:
        return None
    return Verdict("add", ends=ends, ended_by=ended_by, retracts=all(one.relation == "ends" for one in over))


def _said_already(draft: Draft, claim: Claim, known: Sequence[Known], words: Words) -> Verdict | None:
    """Reheat an item that says the same or more, refine one that says less; `None` if there is neither.

    An item with another date or number is a different fact, unless only one value can hold: then the draft says it in
    other words, or corrects it.
    """
    when, mine = draft.occurred_at, particulars(draft.text)
    one_holds = claim.single and claim.family != "version"  # the same version may run on several days
    for one in known:
        if one.claim.relation != claim.relation or one.claim.negated != claim.negated or one.item.valid_to is not None:
            continue
        longer = _is_detail_of(claim.value, one.claim.value)
        same = _same(claim.value, one.claim.value, words) or _is_detail_of(one.claim.value, claim.value)
        if not longer and not same:
            continue
        theirs = particulars(one.item.text)
        more, less = mine.details - theirs.details, theirs.details - mine.details
        if mine.contradict(theirs) or (more and less and not one_holds) or not _of_one_time(draft, one.item):
            continue
        if more and less and _told_before(one.item, draft):  # another date or number: a correction
            return Verdict("add", ends=(one.item,))
        if (longer or (same and more)) and one.item.valid_from <= when:
            return Verdict("refine", one.item)
        if same and (not more or one_holds):
            return Verdict("reheat", one.item, begins=_begins(one.item, when, known))
    return None


def _of_one_time(draft: Draft, item: Item) -> bool:
    """Whether equal words refer to the same time: "I ran a marathon today" does not, a year later."""
    if item.occurred_at == draft.occurred_at or normalise(item.text) != normalise(draft.text):
        return True
    return periods(item.text, item.said_at) == periods(draft.text, draft.said_at)


def _begins(item: Item, when: datetime, known: Sequence[Known]) -> datetime | None:
    """The time `when`, if an item is now known to hold from then; `None` if something else held in between."""
    between = any(one.item.valid_to is not None and one.item.valid_to > when for one in known)
    return when if when < item.valid_from and not between else None


def _in_time(rivals: Sequence[Item], draft: Draft) -> tuple[tuple[Item, ...], Item | None]:
    """Split items that exclude a draft: those that the draft ends, and the earliest later one, which ends the draft."""
    when = draft.occurred_at
    begun = [item for item in rivals if item.valid_from <= when + _slack(item, draft)]
    held = [item for item in begun if item.valid_to is None or item.valid_to > when]
    outdated = [item for item in rivals if item not in begun and _is_outdated(item, draft)]
    later = [item for item in rivals if item not in begun and item not in outdated]
    ends = (*held, *(item for item in outdated if item.valid_to is None))
    return ends, min(later, key=lambda item: item.valid_from) if later else None


def _is_outdated(item: Item, draft: Draft) -> bool:
    """Whether a draft about an earlier time outdates an item that was told before it.

    "I moved last month" outdates "I live in Rome" of last week, which does not say since when, only that it was so when
    it was told. An item that has ended meanwhile counts as well, such as one ended by the first half of "I left Acme
    and joined Globex in March". An event of long ago is no news, unless it still holds: "I have lived in Oslo since
    2019".
    """
    if draft.source is None:
        return False
    when, said = draft.occurred_at, draft.source.occurred_at
    lasting = draft.claim is not None and draft.claim.lasting
    is_news = lasting or (item.valid_from in _told(item) and said <= when + _reach(item, draft))
    return when < item.valid_from and is_news and _told_before(item, draft)


def _reach(item: Item, draft: Draft) -> timedelta:
    """How long ago the event in a draft may lie and still be news: longer for a lasting one, such as a move.

    Unless both were told in one message, where the move is a story of the past: "I live in Rome. I moved to Oslo in
    May."
    """
    begun = draft.claim is not None and draft.claim.begun
    at_once = {one.message_id for one in item.sources} & {one.message_id for one in draft.sources}
    return LAST_WORD if begun and not at_once else NEWS


def _told_before(item: Item, draft: Draft) -> bool:
    """Whether an item was last told before a statement was made."""
    return max(_told(item)) <= _said_at(draft) + _slack(item, draft)


def _slack(item: Item, draft: Draft) -> timedelta:
    """How much later than a statement an item may seem to be although it was recorded before.

    Zero if the caller gave the time of the statement: only a clock that was read can have gone back.
    """
    if not draft.as_it_came:
        return timedelta(0)
    recorded = max((source.interaction_id for source in item.sources), default=item.id)
    # Ids sort in the order in which they were made; a draft without a source counts as recorded later.
    return SKEW if draft.source is None or recorded <= draft.source.interaction_id else timedelta(0)


def _told(item: Item) -> list[datetime]:
    """Each time that an item was told."""
    return [source.occurred_at for source in item.sources] or [item.recorded_at]


def _said_at(draft: Draft) -> datetime:
    """When a statement was made, which may be long after the event."""
    return draft.occurred_at if draft.source is None else draft.source.occurred_at


def _takes_along(draft: Draft, known: Known, words: Words) -> bool:
    """Whether a known item ends along with a statement: with a job at Dell ends that of an engineer at Dell.

    An item that had not begun by then does not end; but a death ends everything that was told earlier, whenever the
    death happened.
    """
    claim, other, item = draft.claim, known.claim, known.item
    if claim is None or other.relation not in claim.tied or other.negated or item.valid_to is not None:
        return False
    if claim.negated and not claim.is_death and not words(claim.value) <= words(item.text):
        return False
    if claim.relation == "job" and not other.single:  # a second job goes on
        return False
    over = claim.is_death and _told_before(item, draft)
    return over or item.valid_from <= draft.occurred_at or _is_outdated(item, draft)


def _excludes(claim: Claim, text: str, known: Known, words: Words) -> bool:
    """Whether two claims about one subject, with the same or related relations, cannot both hold."""
    other = known.claim
    if claim.family != other.family:
        return False
    if claim.negated != other.negated:
        texts = (text, known.item.text) if claim.negated else (known.item.text, text)
        no, yes = (claim, other) if claim.negated else (other, claim)
        # A user who does not drink milk may drink oat milk; but one who has no car does not have a red car.
        kinds = claim.negated or claim.family not in _TASTES
        return is_denied(yes.value, no.value, words, kinds=kinds) and denies(*texts)
    if claim.instead_of and other.value and is_denied(other.value, claim.instead_of, words):
        return not claim.negated
    if claim.relation != other.relation or claim.negated or _same(claim.value, other.value, words):
        return False
    if claim.wide and not claim.renewed and not is_wide(other.value):
        return False
    return (claim.single and other.single) or _is_now_another(claim, other, words)


def _is_now_another(claim: Claim, other: Claim, words: Words) -> bool:
    """Whether a claim replaces a value of the same sort: "aisle seats" are preferred now, there are "three cats"."""
    if claim.renewed and claim.family.endswith(" at"):  # "now leaves at 11:05"
        return True
    if not claim.renewed or has_details(other.value) or has_details(claim.value):
        return False
    counted = _COUNTED.match(claim.value) and _COUNTED.match(other.value)
    return (claim.family == "prefers" or bool(counted)) and head(claim.value, words) == head(other.value, words)


def _same(one: str, other: str, words: Words) -> bool:
    if one == other or not words(one) or words(one) != words(other):
        return one == other
    order, others = one.split(), other.split()
    listed = {"and", "or", "&"} & set(order)  # "cats and dogs" are "dogs and cats", but "12 34" is not "34 12"
    return bool(listed) or order == others or sorted(order) != sorted(others)


def _is_detail_of(longer: str, shorter: str) -> bool:
    return bool(shorter) and longer.startswith(shorter) and _DETAIL.match(longer[len(shorter) :]) is not None


def _is_paraphrase(draft: Draft, near: Near, words: Words, same_from: float) -> bool:
    item = near.item
    if near.cosine < same_from or item.kind != draft.kind or item.valid_to is not None:
        return False
    if not _same_keeper(item, draft) or not could_paraphrase(item.text, draft.text):
        return False
    mine, theirs = particulars(draft.text).details, particulars(item.text).details
    if (mine - theirs and theirs - mine) or periods(item.text, item.said_at) != periods(draft.text, draft.said_at):
        return False
    if draft.claim is None or near.claim is None:
        return True
    if (draft.claim.subject, draft.claim.negated) != (near.claim.subject, near.claim.negated):
        return False
    return not _excludes(draft.claim, draft.text, Known(item, near.claim), words)


def _may_change(item: Item, draft: Draft) -> bool:
    """Whether a draft may change an item: an agent must not change what another agent keeps to itself."""
    return item.agent_id == draft.scope.agent_id or item.agent_id is None or draft.scope.agent_id is None


def _same_keeper(item: Item, draft: Draft) -> bool:
    """Whether both belong to the same agent and session, so that no private memory of one agent reaches another."""
    return (item.agent_id, item.session_id) == (draft.scope.agent_id, draft.scope.session_id)
