"""From ranked candidates to hits, without repetitions and with the items that they lead to."""

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
MORE = 6  # candidates to read beyond those that are wanted
FEW = 10  # a smaller limit reads as many candidates as this one
MARKS = 8  # characters by which the lengths of two spellings of one text may differ
FIRST = 2 * FEW + MORE  # hits among which a statement may replace its message, whatever the limit
# The column of each channel's first signal, which `Evidence` shows.
MAIN_SIGNALS = [next(at for at, name in enumerate(SIGNALS) if CHANNEL_OF[name] == channel) for channel in WEIGHED]
SHARPNESS = 4.0  # the higher, the less a session gains from hits other than its best
# A negation: "no", "never", "don't".
_NO = re.compile(r"\b(?:no|not|never|neither|nor|none)\b|n['’]t\b", re.IGNORECASE)
LINK_SHARE = 0.5  # the share of a hit's score that items linked to it get


def losses(candidates: Candidates, plan: Plan) -> Scores:
    """Return what is subtracted from the sum of each candidate."""
    return _in_all(losses_by_reason(candidates, plan))


def _in_all(losses: Mapping[str, Scores]) -> Scores:
    total: Scores = np.sum(list(losses.values()), axis=0)
    return total


def losses_by_reason(candidates: Candidates, plan: Plan) -> dict[str, Scores]:
    """Return the same for each reason, under the names that `Why.losses` has."""
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
    """Return the best candidates as hits. Temperature, then recency, decide between equals.

    No statement replaces a message that has the words of the question, `asked`. With `whole`, a message that says more
    than a higher-ranked statement learned from it is returned as well.
    """
    if not candidates.ids:
        return ()
    lost = losses_by_reason(candidates, plan)
    sums = totals(candidates.signals, weights, _in_all(lost))
    # More than wanted, because some may repeat others or have cooled. A limit below `FEW` reads as many as `FEW` does,
    # so that its hits are the first of those. And because all of the first may be one text, those that are best when
    # repetitions lose points are read, too.
    enough = max(limit, FEW) * (2 if candidates.stated.any() else 1) + MORE
    others = first_with_equals(sums - plan.echo_loss * repeated(candidates.prints, sums), enough)
    chosen = list(dict.fromkeys([*first_with_equals(sums, enough), *others]))
    found = fetch([candidates.ids[place] for place in chosen])
    evidence = _evidence(candidates.signals, weights, chosen)
    middle = float(sums.mean())
    hits = []
    for position, place in enumerate(chosen):
        item = found.get(candidates.ids[place])
        if item is not None:  # otherwise it was deleted since the index was read
            words, stale = candidates.matched_words(place), bool(candidates.stale[place])
            less = {name: float(loss[place]) for name, loss in lost.items() if loss[place]}
            why = Why(plan.name, evidence[position], words, item.temperature, stale=stale, losses=less)
            total = float(sums[place]) + plan.warm * item.temperature / 100.0
            hits.append((total, Hit(item, squeezed(total, middle), candidates.cosine(place), why)))
    quoted = {item.id for item in found.values() if _is_quoted(item, asked)}
    return _without_repeats(_echoes_lowered(hits, plan.echo_loss, middle), quoted, whole=whole)[:limit]


def _is_quoted(item: Item, asked: str) -> bool:
    """Return whether an item is a message with the very words of the question."""
    near = item.kind == "episode" and abs(len(item.text) - len(asked)) <= MARKS
    return near and normalise(item.text) == normalise(asked)


def _echoes_lowered(hits: list[tuple[float, Hit]], loss: float, middle: float) -> list[Hit]:
    """Return the hits, best first; one that repeats better hits word for word loses `loss` for each of them.

    Each comes with its sum; `middle` is the mean of all sums, for the score.
    """
    seen: Counter[str] = Counter()
    lowered: list[Hit] = []
    kept: list[Hit] = []
    for total, hit in sorted(hits, key=lambda pair: _order(pair[1])):
        text = hit.text.casefold()
        if seen[text]:
            less = loss * seen[text]
            why = replace(hit.why, echo=True, losses={**hit.why.losses, "echo": less} if less else hit.why.losses)
            lowered.append(replace(hit, score=squeezed(total - less, middle), why=why))
        else:
            kept.append(hit)
        seen[text] += 1
    return sorted([*kept, *lowered], key=_order) if lowered else kept


def _without_repeats(hits: Iterable[Hit], quoted: Container[str], *, whole: bool) -> tuple[Hit, ...]:
    """Return the hits without repetitions: of a message and a statement learned from it, the better one is kept.

    But if everything that a better message says was learned from it, a statement replaces it at its rank, and the other
    statements learned from it are kept, too. Only statements among the first `FIRST` hits do so: how many hits follow
    depends on the limit, and a larger limit should return the same hits first. A `quoted` message is never replaced,
    and itself replaces a better statement. With `whole`, a message that says more than a better statement is kept, too.
    """
    hits = list(hits)
    learned = _learned(hits[:FIRST])
    kept: list[Hit] = []
    # By message, the position in `kept` of its episode (True) and of the statement learned from it (False).
    positions: dict[bool, dict[tuple[str, int], int]] = {True: {}, False: {}}
    left_out: dict[int, list[Hit]] = {}  # statements, by the position of the message they were learned from
    replaced: set[int] = set()  # positions of messages that a statement replaced
    for place, hit in enumerate(hits):
        is_episode = hit.kind == "episode"
        messages = [(source.interaction_id, source.position) for source in hit.sources]
        rivals = [positions[not is_episode].get(message) for message in messages]
        at = rivals[0] if rivals else None
        if at is None or None in rivals:
            positions[is_episode] |= dict.fromkeys(messages, len(kept))
            kept.append(hit)
        elif hit.id in quoted:
            positions[True] |= dict.fromkeys(messages, at)
            kept[at] = _in_place_of(kept[at], hit)
        elif is_episode:
            if whole and not _says_no_more(hit, [one for message in messages for one in learned[message]]):
                positions[True] |= dict.fromkeys(messages, len(kept))
                kept.append(hit)
        elif kept[at].id in quoted:
            continue
        elif place < FIRST and at not in replaced and _says_no_more(kept[at], learned[messages[0]]):
            replaced.add(at)
            kept[at] = _in_place_of(kept[at], hit)
        else:
            left_out.setdefault(at, []).append(hit)
    more = [hit for at in replaced for hit in left_out.get(at, ())]
    return tuple(sorted([*kept, *more], key=_order) if more else kept)


def _in_place_of(lead: Hit, hit: Hit) -> Hit:
    """Return a hit with the score, similarity and reasons of the one that it replaces."""
    return replace(hit, score=lead.score, similarity=lead.similarity, why=lead.why)


def _learned(hits: Iterable[Hit]) -> Mapping[tuple[str, int], list[Hit]]:
    """Return the statements among the hits, by the messages that they were learned from."""
    found: dict[tuple[str, int], list[Hit]] = defaultdict(list)
    for hit in hits:
        if hit.kind != "episode":
            for source in hit.sources:
                found[source.interaction_id, source.position].append(hit)
    return found


def _says_no_more(hit: Hit, learned: Iterable[Hit]) -> bool:
    """Return whether a message says only what was learned from it; a statement may write its dates differently."""
    if hit.kind != "episode":
        return False
    learned = list(learned)
    stated = {term for one in learned for term in query_terms(one.text)}
    own = query_terms(hit.text)
    if not all(term in stated or may_be_of_a_date(word) for term, word in own.items()):
        return False
    if not query_terms(without_dates(hit.text)).keys() <= stated:
        return False
    if _denials(hit.text) > sum(_denials(one.text) for one in learned):
        return False
    dated = {period for one in learned for period in periods(one.text, one.item.said_at)}
    return any(dated.issuperset(periods(hit.text, hit.item.said_at, ahead=ahead)) for ahead in (False, True))


def _denials(text: str) -> int:
    """Return the number of negations in a text; most of them are stop words, so its terms do not show them."""
    return len(_NO.findall(text))


def follow(hits: tuple[Hit, ...], links: Iterable[tuple[str, str, float]], limit: int, fetch: Fetch) -> tuple[Hit, ...]:
    """Return the hits with the items that they are linked to, each with a part of the score of the hit that led to it.

    A link is the id of a hit, the id of the other item, and a weight.
    """
    leads = {hit.id: hit for hit in hits}
    enough = hits[limit - 1].score if len(hits) >= limit else 0.0  # items with less would be cut off
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
    """Return the hits with each successor right before the item that it replaced; `successors` maps ids to ids."""
    by_id = {hit.id: hit for hit in hits}
    found = fetch([item_id for item_id in dict.fromkeys(successors.values()) if item_id not in by_id])
    for hit in hits:
        successor = successors.get(hit.id)
        if successor is None or (successor not in by_id and successor not in found):
            continue
        current = by_id.get(successor) or _led(found[successor], 0.0, hit)
        if current.score <= hit.score:
            by_id[successor] = replace(current, score=round(hit.score + 1e-9, 9))
    return tuple(sorted(by_id.values(), key=_order)[:limit])


def by_session(hits: Iterable[Hit], limit: int) -> tuple[SessionHit, ...]:
    """Return the sessions of the hits, those with the best hits first; further hits of a session add a little."""
    found: dict[tuple[str | None, str | None], list[Hit]] = {}
    for hit in hits:
        found.setdefault((hit.item.user_id, hit.item.session_id), []).append(hit)
    sessions = [
        SessionHit(session_id, _session_score(own), tuple(own), user_id) for (user_id, session_id), own in found.items()
    ]
    return tuple(sorted(sessions, key=lambda session: -session.score)[:limit])


def _session_score(hits: Sequence[Hit]) -> float:
    """Return a smooth maximum of the scores of a session's hits, of which the first is the best."""
    sums = [unsqueezed(hit.score) for hit in hits]
    parts = (math.exp(SHARPNESS * (each - sums[0])) for each in sums)
    return squeezed(sums[0] + math.log(sum(parts)) / SHARPNESS, 0.0)


def _led(item: Item, worth: float, lead: Hit) -> Hit:
    """Return an item as the hit that a link from `lead` led to."""
    evidence = Evidence("links", worth, 1, 0.0)
    return Hit(item, worth, None, Why(lead.why.plan, (evidence,), (), item.temperature, led_by=lead.id))


def _evidence(signals: Signals, weights: Scores, chosen: list[int]) -> list[tuple[Evidence, ...]]:
    """Return what each channel contributed to the chosen candidates, without those that contributed nothing."""
    worth = by_channel(signals, weights)
    measured = signals[chosen][:, MAIN_SIGNALS].tolist()
    places, parts = ranks(worth, chosen).tolist(), worth[chosen].tolist()
    return [
        tuple(Evidence(*one) for one in zip(WEIGHED, *line, strict=True) if one[-1])
        for line in zip(measured, places, parts, strict=True)
    ]


def _order(hit: Hit) -> tuple[float, float, float, str]:
    return -hit.score, -hit.temperature, -hit.item.occurred_at.timestamp(), hit.id
