"""From a question to hits."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from emberkeep.language.dates import may_be_of_a_date, without_dates
from emberkeep.language.periods import periods
from emberkeep.language.terms import query_terms
from emberkeep.model.item import Item
from emberkeep.model.recall import Evidence, Hit, Plan, SessionHit, Why
from emberkeep.model.sameness import normalise
from emberkeep.recall.channels import Candidates
from emberkeep.recall.fusion import (
    WEIGHED,
    Scores,
    by_channel,
    first_with_equals,
    ranks,
    repeated,
    squeezed,
    totals,
    unsqueezed,
)
from emberkeep.recall.signals import CHANNEL_OF, SIGNALS, Signals

Fetch = Callable[[Sequence[str]], Mapping[str, Item]]
MORE = 6  # to look at, beyond twice what is wanted
FEW = 10
MARKS = 8  # characters that two writings of one text may differ by
FIRST = 2 * FEW + MORE
MAIN_SIGNALS = [next(at for at, name in enumerate(SIGNALS) if CHANNEL_OF[name] == channel) for channel in WEIGHED]
SHARPNESS = 4.0  # of the sum over a session: the higher, the less its best hit needs the others
_NO = re.compile(r"\b(?:no|not|never|neither|nor|none)\b|n['’]t\b", re.IGNORECASE)
LINK_SHARE = 0.5  # of a hit's score that goes to what it is linked to


def losses(candidates: Candidates, plan: Plan) -> Scores:
    """What counts against each candidate."""
    return _together(losses_by_reason(candidates, plan))


def _together(lost: Mapping[str, Scores]) -> Scores:
    less: Scores = np.sum(list(lost.values()), axis=0)
    return less


def losses_by_reason(candidates: Candidates, plan: Plan) -> dict[str, Scores]:
    """The same for each reason, as `Why` names them."""
    return {
        "stale": np.where(candidates.stale, plan.stale_loss, 0.0),
        "statement": np.where(candidates.stated, plan.statement_loss, 0.0),
        "compared": np.zeros(len(candidates.ids)) + candidates.behind,
    }


def rank(
    candidates: Candidates,
    plan: Plan,
    weights: Scores,
    limit: int,
    fetch: Fetch,
    *,
    asked: str = "",
    whole: bool = False,
) -> tuple[Hit, ...]:
    """The best candidates as hits. Temperature, then recency, decide between equals.

    Nothing stands for a message that is `asked` for word for word.
    """
    if not candidates.ids:
        return ()
    lost = losses_by_reason(candidates, plan)
    sums = totals(candidates.signals, weights, _together(lost))
    # Some of the first may turn out to say what others say, or to have cooled; and all of them may be one text.
    # As many for a few as for ten, so that who wants fewer gets the first of these.
    enough = max(limit, FEW) * (2 if candidates.stated.any() else 1) + MORE
    others = first_with_equals(sums - plan.echo_loss * repeated(candidates.prints, sums), enough)
    chosen = list(dict.fromkeys([*first_with_equals(sums, enough), *others]))
    found = fetch([candidates.ids[place] for place in chosen])
    evidence = _evidence(candidates.signals, weights, chosen)
    middle = float(sums.mean())
    hits = []
    for position, place in enumerate(chosen):
        item = found.get(candidates.ids[place])
        if item is not None:  # else it was deleted since the index was read
            words, stale = candidates.matched_words(place), bool(candidates.stale[place])
            less = {name: float(loss[place]) for name, loss in lost.items() if loss[place]}
            why = Why(plan.name, evidence[position], words, item.temperature, stale=stale, losses=less)
            total = float(sums[place]) + plan.warm * item.temperature / 100.0
            hits.append((total, Hit(item, squeezed(total, middle), candidates.cosine(place), why)))
    quoted = {item.id for item in found.values() if _is_quoted(item, asked)}
    return _once(_echoes_lowered(hits, plan.echo_loss, middle), quoted, whole=whole)[:limit]


def _is_quoted(item: Item, asked: str) -> bool:
    near = item.kind == "episode" and abs(len(item.text) - len(asked)) <= MARKS
    return near and normalise(item.text) == normalise(asked)


def _echoes_lowered(hits: list[tuple[float, Hit]], loss: float, middle: float) -> list[Hit]:
    """The hits, best first; those that say word for word what better ones say have lost something for each of them."""
    said: Counter[str] = Counter()
    lowered: list[Hit] = []
    kept: list[Hit] = []
    for total, hit in sorted(hits, key=lambda pair: _order(pair[1])):
        text = hit.text.casefold()
        if said[text]:
            less = loss * said[text]
            why = replace(hit.why, echo=True, losses={**hit.why.losses, "echo": less} if less else hit.why.losses)
            lowered.append(replace(hit, score=squeezed(total - less, middle), why=why))
        else:
            kept.append(hit)
        said[text] += 1
    return sorted([*kept, *lowered], key=_order) if lowered else kept


def _once(hits: Iterable[Hit], quoted: Container[str], *, whole: bool) -> tuple[Hit, ...]:
    """Hits that each say something else: of a message and the statement learned from it only one is among them.

    That is the better one; but where what was learned says all that the message does, a statement stands for it, in its
    place, if it is one of the first: how many others there are depends on how many are wanted, and who wants more gets
    the same ones first. What else was learned from that message is then among them too. A message that is `quoted`
    stands for itself. If they are to be `whole`, one that says more than a better statement is among them beside that.
    """
    hits = list(hits)
    learned = _learned(hits[:FIRST])
    kept: list[Hit] = []
    told: dict[bool, dict[tuple[str, int], int]] = {True: {}, False: {}}  # where episodes, and statements, stand in it
    said: dict[int, list[Hit]] = {}  # by where an episode stands, what it says itself
    stood_for: set[int] = set()
    for place, hit in enumerate(hits):
        is_episode = hit.kind == "episode"
        places = [(source.interaction_id, source.position) for source in hit.sources]
        rivals = [told[not is_episode].get(message) for message in places]
        at = rivals[0] if rivals else None
        if at is None or None in rivals:
            told[is_episode] |= dict.fromkeys(places, len(kept))
            kept.append(hit)
        elif hit.id in quoted:
            told[True] |= dict.fromkeys(places, at)
            kept[at] = _in_place_of(kept[at], hit)
        elif is_episode:
            if whole and not _says_no_more(hit, [one for message in places for one in learned[message]]):
                told[True] |= dict.fromkeys(places, len(kept))
                kept.append(hit)
        elif kept[at].id in quoted:
            continue
        elif place < FIRST and at not in stood_for and _says_no_more(kept[at], learned[places[0]]):
            stood_for.add(at)
            kept[at] = _in_place_of(kept[at], hit)
        else:
            said.setdefault(at, []).append(hit)
    more = [hit for at in stood_for for hit in said.get(at, ())]
    return tuple(sorted([*kept, *more], key=_order) if more else kept)


def _in_place_of(lead: Hit, hit: Hit) -> Hit:
    return replace(hit, score=lead.score, similarity=lead.similarity, why=lead.why)


def _learned(hits: Iterable[Hit]) -> Mapping[tuple[str, int], list[Hit]]:
    """By message, all that was learned from it and found."""
    found: dict[tuple[str, int], list[Hit]] = defaultdict(list)
    for hit in hits:
        if hit.kind != "episode":
            for source in hit.sources:
                found[source.interaction_id, source.position].append(hit)
    return found


def _says_no_more(hit: Hit, learned: Iterable[Hit]) -> bool:
    """Whether a message says only what was learned from it; its dates a statement may give in its own way."""
    if hit.kind != "episode":
        return False
    learned = list(learned)
    stated = {term for one in learned for term in query_terms(one.text)}
    told = query_terms(hit.text)
    if not all(term in stated or may_be_of_a_date(word) for term, word in told.items()):
        return False
    if not query_terms(without_dates(hit.text)).keys() <= stated:
        return False
    if _denials(hit.text) > sum(_denials(one.text) for one in learned):
        return False
    dated = {period for one in learned for period in periods(one.text, one.item.said_at)}
    return any(dated.issuperset(periods(hit.text, hit.item.said_at, ahead=ahead)) for ahead in (False, True))


def _denials(text: str) -> int:
    """How often a text says no, which no term of it does."""
    return len(_NO.findall(text))


def follow(hits: tuple[Hit, ...], links: Iterable[tuple[str, str, float]], limit: int, fetch: Fetch) -> tuple[Hit, ...]:
    """Hits, and what the best of them are linked to: each worth a part of the hit that led to it."""
    leads = {hit.id: hit for hit in hits}
    enough = hits[limit - 1].score if len(hits) >= limit else 0.0  # what is worth less would not be among them
    best: dict[str, tuple[float, Hit]] = {}
    for start, other, weight in links:
        if other not in leads and start in leads:
            worth = round(LINK_SHARE * weight * leads[start].score, 9)
            if worth >= enough and worth > best.get(other, (0.0,))[0]:
                best[other] = worth, leads[start]
    found = fetch(list(best))
    led = [_led(found[item_id], worth, lead) for item_id, (worth, lead) in best.items() if item_id in found]
    return tuple(sorted((*hits, *led), key=_order)[:limit])


def current_first(hits: tuple[Hit, ...], successors: Mapping[str, str], limit: int, fetch: Fetch) -> tuple[Hit, ...]:
    """Hits, with what is so now in front of what it took the place of."""
    by_id = {hit.id: hit for hit in hits}
    found = fetch([item_id for item_id in dict.fromkeys(successors.values()) if item_id not in by_id])
    for hit in hits:
        now = successors.get(hit.id)
        if now is None or (now not in by_id and now not in found):
            continue
        current = by_id.get(now) or _led(found[now], 0.0, hit)
        if current.score <= hit.score:
            by_id[now] = replace(current, score=round(hit.score + 1e-9, 9))
    return tuple(sorted(by_id.values(), key=_order)[:limit])


def by_session(hits: Iterable[Hit], limit: int) -> tuple[SessionHit, ...]:
    """Sessions by the best that was found in each; what else was found in it adds a little."""
    found: dict[tuple[str | None, str | None], list[Hit]] = {}
    for hit in hits:
        found.setdefault((hit.item.user_id, hit.item.session_id), []).append(hit)
    sessions = [
        SessionHit(session_id, _session_score(some), tuple(some), user_id)
        for (user_id, session_id), some in found.items()
    ]
    return tuple(sorted(sessions, key=lambda session: -session.score)[:limit])


def _session_score(hits: Sequence[Hit]) -> float:
    sums = [unsqueezed(hit.score) for hit in hits]
    return squeezed(sums[0] + math.log(sum(math.exp(SHARPNESS * (one - sums[0])) for one in sums)) / SHARPNESS, 0.0)


def _led(item: Item, worth: float, lead: Hit) -> Hit:
    evidence = Evidence("links", worth, 1, 0.0)
    return Hit(item, worth, None, Why(lead.why.plan, (evidence,), (), item.temperature, led_by=lead.id))


def _evidence(signals: Signals, weights: Scores, chosen: list[int]) -> list[tuple[Evidence, ...]]:
    """What each channel says of the chosen; nothing where it says nothing."""
    worth = by_channel(signals, weights)
    measured = signals[chosen][:, MAIN_SIGNALS].tolist()
    places, parts = ranks(worth, chosen).tolist(), worth[chosen].tolist()
    return [
        tuple(Evidence(*one) for one in zip(WEIGHED, *line, strict=True) if one[-1])
        for line in zip(measured, places, parts, strict=True)
    ]


def _order(hit: Hit) -> tuple[float, float, float, str]:
    return -hit.score, -hit.temperature, -hit.item.occurred_at.timestamp(), hit.id
