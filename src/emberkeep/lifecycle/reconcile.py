"""A new statement against what is known: is it new, the same, more detailed, or a change? Pure functions."""

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

NEWS = timedelta(days=100)  # for so long it may be news that something has changed
LAST_WORD = timedelta(days=365)  # for so long that something else began, if it is told after what was so
SKEW = timedelta(minutes=5)  # by so much a clock may have gone back between two statements
# What adds a detail to a value: "a dog" and "a dog named Rex", "Lisbon" and "Lisbon in a flat by the river".
_TASTES = frozenset(("likes", "prefers", "eat", "drink", "allergic to"))
_COUNTED = re.compile(rf"(?:\d+|{'|'.join(word for word in NUMBERS if word not in ('a', 'an'))}) \w")
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
    """What a judge's word comes to: believed of statements that have a word in common, and never ending sacred ones."""
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
        if mine.contradict(theirs) or (more and less and not one_holds) or not _of_one_time(draft, one.item):
            continue
        if more and less and _told_before(one.item, draft):  # another date or number: it is put right
            return Verdict("add", ends=(one.item,))
        if (longer or (same and more)) and one.item.valid_from <= when:
            return Verdict("refine", one.item)
        if same and (not more or one_holds):
            return Verdict("reheat", one.item, begins=_begins(one.item, when, known))
    return None


def _of_one_time(draft: Draft, item: Item) -> bool:
    """Whether the same words mean the same time: "I ran a marathon today" does not, a year later."""
    if item.occurred_at == draft.occurred_at or normalise(item.text) != normalise(draft.text):
        return True
    return periods(item.text, item.said_at) == periods(draft.text, draft.said_at)


def _begins(item: Item, when: datetime, known: Sequence[Known]) -> datetime | None:
    """The earlier time from which an item is now known to hold, unless something else held in between."""
    between = any(one.item.valid_to is not None and one.item.valid_to > when for one in known)
    return when if when < item.valid_from and not between else None


def _in_time(rivals: Sequence[Item], draft: Draft) -> tuple[tuple[Item, ...], Item | None]:
    """Of items that cannot hold beside something said of a time: those it ends, and the first that ends it."""
    when = draft.occurred_at
    begun = [item for item in rivals if item.valid_from <= when + _slack(item, draft)]
    held = [item for item in begun if item.valid_to is None or item.valid_to > when]
    outdated = [item for item in rivals if item not in begun and _is_outdated(item, draft)]
    later = [item for item in rivals if item not in begun and item not in outdated]
    ends = (*held, *(item for item in outdated if item.valid_to is None))
    return ends, min(later, key=lambda item: item.valid_from) if later else None


def _is_outdated(item: Item, draft: Draft) -> bool:
    """Whether a statement is news to one that was told before: "I moved last month" to "I live in Rome" of last week.

    Also to one that ended meanwhile, as by "I left Acme" of "I left Acme and joined Globex in March".

    It does not say since when, only that it was thought to be so then. What happened long ago is no news, unless
    it is so to this day: "I have lived in Oslo since 2019".
    """
    if draft.source is None:
        return False
    when, said = draft.occurred_at, draft.source.occurred_at
    lasting = draft.claim is not None and draft.claim.lasting
    is_news = lasting or (item.valid_from in _told(item) and said <= when + _reach(item, draft))
    return when < item.valid_from and is_news and _told_before(item, draft)


def _reach(item: Item, draft: Draft) -> timedelta:
    """How long ago something may have happened to be news: who goes on to say that they moved, lives there now.

    In one breath with what is so it is a story of the past: "I live in Rome. I moved to Oslo in May."
    """
    begun = draft.claim is not None and draft.claim.begun
    at_once = {one.message_id for one in item.sources} & {one.message_id for one in draft.sources}
    return LAST_WORD if begun and not at_once else NEWS


def _told_before(item: Item, draft: Draft) -> bool:
    """Whether an item was last told before a statement was made."""
    return max(_told(item)) <= _said_at(draft) + _slack(item, draft)


def _slack(item: Item, draft: Draft) -> timedelta:
    """By how much an item may seem to be later than a statement that was recorded after it.

    Nothing, where somebody said when that was: only a clock goes back.
    """
    if not draft.as_it_came:
        return timedelta(0)
    recorded = max((source.interaction_id for source in item.sources), default=item.id)
    # Ids sort as they were given, and what has no source is weighed as it comes.
    return SKEW if draft.source is None or recorded <= draft.source.interaction_id else timedelta(0)


def _told(item: Item) -> list[datetime]:
    """When something was told, each time."""
    return [source.occurred_at for source in item.sources] or [item.recorded_at]


def _said_at(draft: Draft) -> datetime:
    """When a statement was made, which may be long after what it tells of."""
    return draft.occurred_at if draft.source is None else draft.source.occurred_at


def _takes_along(draft: Draft, known: Known, words: Words) -> bool:
    """Whether something else ends with what a statement ends: with a job at Dell that of an engineer at Dell.

    What has not begun then does not; but of the dead nothing goes on that was told before, whenever they died.
    """
    claim, other, item = draft.claim, known.claim, known.item
    if claim is None or other.relation not in claim.tied or other.negated or item.valid_to is not None:
        return False
    if claim.negated and not claim.is_death and not words(claim.value) <= words(item.text):
        return False
    if claim.relation == "job" and not other.single:  # what is done besides goes on
        return False
    over = claim.is_death and _told_before(item, draft)
    return over or item.valid_from <= draft.occurred_at or _is_outdated(item, draft)


def _excludes(claim: Claim, text: str, known: Known, words: Words) -> bool:
    """Whether two claims of one subject, in the same or a like respect, cannot both hold."""
    other = known.claim
    if claim.family != other.family:
        return False
    if claim.negated != other.negated:
        texts = (text, known.item.text) if claim.negated else (known.item.text, text)
        no, yes = (claim, other) if claim.negated else (other, claim)
        # Who does not drink milk may drink oat milk; but who has no car has not got a red one.
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
    """Whether a statement says that it is another one now: "aisle seats" are preferred, there are "three cats"."""
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
    """Whether a statement of one is news to the other: what one agent keeps to itself is not another's to change."""
    return item.agent_id == draft.scope.agent_id or item.agent_id is None or draft.scope.agent_id is None


def _same_keeper(item: Item, draft: Draft) -> bool:
    """Whether both belong to the same agent and session: one agent's private memory is not told to another."""
    return (item.agent_id, item.session_id) == (draft.scope.agent_id, draft.scope.session_id)
