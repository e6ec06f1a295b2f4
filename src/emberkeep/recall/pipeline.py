"""From a question to hits."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from emberkeep.model.item import Item
from emberkeep.model.recall import Channel, Evidence, Hit, Plan, Why
from emberkeep.recall.channels import Candidates
from emberkeep.recall.fusion import Scores, fuse, normalise, ranks


def rank(
    candidates: Candidates, plan: Plan, limit: int, fetch: Callable[[Sequence[str]], Mapping[str, Item]]
) -> tuple[Hit, ...]:
    """The best candidates as hits. Temperature, then recency, decide between equals."""
    if not candidates.ids or not candidates.scores:
        return ()
    normalised = {name: normalise(scores) for name, scores in candidates.scores.items()}
    fused = fuse(normalised, plan.weights)
    chosen = _first_with_equals(fused, limit)
    evidence = [_evidence(name, scores, normalised[name], chosen) for name, scores in candidates.scores.items()]
    found = fetch([candidates.ids[place] for place in chosen])
    hits = []
    for position, place in enumerate(chosen):
        item = found.get(candidates.ids[place])
        if item is not None:  # else it was deleted since the index was read
            said = tuple(one for channel in evidence if (one := channel[position]) is not None)
            why = Why(plan.name, said, candidates.matched_words(place), item.temperature)
            hits.append(Hit(item, float(fused[place]), _similarity(said), why))
    hits.sort(key=_order)
    return tuple(hits[:limit])


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
