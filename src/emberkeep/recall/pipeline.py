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
    places = {name: ranks(scores) for name, scores in candidates.scores.items()}
    chosen = _first_with_equals(fused, limit)
    found = fetch([candidates.ids[place] for place in chosen])
    hits = []
    for place in chosen:
        item = found.get(candidates.ids[place])
        if item is None:  # deleted since the index was read
            continue
        evidence = tuple(
            Evidence(name, float(scores[place]), int(places[name][place]), float(normalised[name][place]))
            for name, scores in candidates.scores.items()
            if np.isfinite(scores[place])
        )
        why = Why(plan.name, evidence, candidates.matched_words(place), item.temperature)
        hits.append(Hit(item, float(fused[place]), _similarity(candidates.scores, place), why))
    hits.sort(key=_order)
    return tuple(hits[:limit])


def _first_with_equals(fused: Scores, limit: int) -> list[int]:
    order = np.argsort(-fused, kind="stable")
    if len(order) > limit:
        order = order[: int(np.searchsorted(-fused[order], -fused[order[limit - 1]], side="right"))]
    places: list[int] = order.tolist()
    return places


def _similarity(scores: Mapping[Channel, Scores], place: int) -> float | None:
    cosines = scores.get("dense")
    return None if cosines is None or not np.isfinite(cosines[place]) else float(cosines[place])


def _order(hit: Hit) -> tuple[float, float, float, str]:
    return -hit.score, -hit.temperature, -hit.item.occurred_at.timestamp(), hit.id
