"""From a question to hits."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from emberkeep.model.item import Item
from emberkeep.model.recall import Channel, Evidence, Hit, Plan, Why
from emberkeep.recall.channels import Candidates
from emberkeep.recall.fusion import Scores, fuse, normalise, ranks

Fetch = Callable[[Sequence[str]], Mapping[str, Item]]
WORDINESS = 1.5  # how much longer than a statement a message may be that says no more
MORE = 6  # to look at, beyond twice what is wanted
LINK_SHARE = 0.5  # of a hit's score that goes to what it is linked to


def rank(candidates: Candidates, plan: Plan, limit: int, fetch: Fetch) -> tuple[Hit, ...]:
    """The best candidates as hits. Temperature, then recency, decide between equals."""
    if not candidates.ids or not candidates.scores:
        return ()
    normalised = {name: normalise(scores) for name, scores in candidates.scores.items()}
    less = plan.stale_loss * candidates.stale + plan.statement_loss * candidates.stated
    fused = fuse(normalised, plan.weights, less.astype(np.float64))
    # Where there are statements, some of the first may turn out to say what others say.
    chosen = _first_with_equals(fused, 2 * limit + MORE if candidates.stated.any() else limit)
    evidence = [_evidence(name, scores, normalised[name], chosen) for name, scores in candidates.scores.items()]
    found = fetch([candidates.ids[place] for place in chosen])
    hits = []
    for position, place in enumerate(chosen):
        item = found.get(candidates.ids[place])
        if item is not None:  # else it was deleted since the index was read
            said = tuple(one for channel in evidence if (one := channel[position]) is not None)
            stale = bool(candidates.stale[place])
            why = Why(plan.name, said, candidates.matched_words(place), item.temperature, stale=stale)
            hits.append(Hit(item, float(fused[place]), _similarity(said), why))
    hits.sort(key=_order)
    return _once(hits)[:limit]


def _once(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """Hits that each say something else: of a message and the statement learned from it only one is among them.

    That is the better one; but a statement that says all that a short message does stands for it, in its place.
    """
    kept: list[Hit] = []
    told: dict[bool, dict[tuple[str, int], int]] = {True: {}, False: {}}  # where episodes, and statements, stand in it
    for hit in hits:
        is_episode = hit.kind == "episode"
        places = [(source.interaction_id, source.position) for source in hit.sources]
        rivals = [told[not is_episode].get(place) for place in places]
        if not rivals or None in rivals:
            told[is_episode] |= dict.fromkeys(places, len(kept))
            kept.append(hit)
        elif not is_episode and rivals[0] is not None and _says_all(hit, kept[rivals[0]]):
            lead = kept[rivals[0]]
            kept[rivals[0]] = replace(hit, score=lead.score, similarity=lead.similarity, why=lead.why)
    return tuple(kept)


def _says_all(statement: Hit, episode: Hit) -> bool:
    return episode.kind == "episode" and len(episode.text) <= WORDINESS * len(statement.text)


def follow(hits: tuple[Hit, ...], links: Iterable[tuple[str, str, float]], limit: int, fetch: Fetch) -> tuple[Hit, ...]:
    """Hits, and what the best of them are linked to: each worth a part of the hit that led to it."""
    leads = {hit.id: hit for hit in hits}
    best: dict[str, tuple[float, Hit]] = {}
    for start, other, weight in links:
        if other not in leads and start in leads:
            worth = round(LINK_SHARE * weight * leads[start].score, 9)
            if worth > best.get(other, (0.0,))[0]:
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


def _led(item: Item, worth: float, lead: Hit) -> Hit:
    evidence = Evidence("links", worth, 1, 0.0)
    return Hit(item, worth, None, Why(lead.why.plan, (evidence,), (), item.temperature, led_by=lead.id))


def _evidence(channel: Channel, scores: Scores, normalised: Scores, chosen: list[int]) -> list[Evidence | None]:
    """What one channel says of the chosen; nothing where it has no score, or found no word."""
    places = ranks(scores)[chosen].tolist()
    picked = zip(scores[chosen].tolist(), places, normalised[chosen].tolist(), strict=True)
    return [
        None if score != score or (score == 0.0 and channel == "lexical") else Evidence(channel, score, place, norm)  # noqa: PLR0124 - not a number
        for score, place, norm in picked
    ]


def _first_with_equals(fused: Scores, limit: int) -> list[int]:
    order = np.argsort(-fused, kind="stable")
    if len(order) > limit:
        order = order[: int(np.searchsorted(-fused[order], -fused[order[limit - 1]], side="right"))]
    places: list[int] = order.tolist()
    return places


def _similarity(evidence: Sequence[Evidence]) -> float | None:
    return next((one.score for one in evidence if one.channel == "dense"), None)


def _order(hit: Hit) -> tuple[float, float, float, str]:
    return -hit.score, -hit.temperature, -hit.item.occurred_at.timestamp(), hit.id
