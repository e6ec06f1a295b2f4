"""Mining: the features that separate the tasks that succeeded from those that failed, the strongest first.

A feature is a word of the description, a tool, an error, a type, or two tools in a row. Each is tested within a group
of tasks that have something in common. The tasks with a feature that was found are set aside before the next is looked
for, so that one regularity is not found again through features that come with it, nor through its absence.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from emberkeep.patterns.statistics import fisher, significant, wilson

Direction = Literal["success", "failure"]
CHANCE = 0.15  # the share of findings that may be chance (false discovery rate), before their bounds are compared
FEWEST = 5  # tasks that must have a feature, and that must lack it
MOST_FEATURES = 5_000  # of a group, the most frequent
MOST_INDICATORS = 20
SAME = 0.8  # the least Jaccard similarity of the tasks of two features that count as one


@dataclass(frozen=True, slots=True)
class Case:
    """One task: whether it succeeded, and its features."""

    id: str
    success: bool
    features: frozenset[str]


@dataclass(frozen=True, slots=True)
class Indicator:
    """A feature that goes with success or failure, with its counts.

    Of `total` tasks with it, `hits` ended in its direction; of `other_total` without it, `other_hits` did. `chance` is
    the p-value. `also` are features that come with it. `examples` are tasks that have it and ended in its direction.
    """

    feature: str
    direction: Direction
    total: int
    hits: int
    other_total: int
    other_hits: int
    chance: float
    also: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()

    @property
    def confidence(self) -> float:
        """The lower bound of the share of tasks with it that end in its direction."""
        return wilson(self.hits, self.total)[0]


def features_of(
    words: Iterable[str], tools: Sequence[str] = (), errors: Iterable[str] = (), facts: Mapping[str, str] | None = None
) -> frozenset[str]:
    """The features of a task, each with its sort as a prefix, such as "word:" or "tool:"."""
    return frozenset(
        [
            *(f"word:{word}" for word in words),
            *(f"tool:{tool}" for tool in tools),
            *(f"order:{one} > {two}" for one, two in pairwise(tools) if one != two),
            *(f"error:{error}" for error in errors),
            *(f"{name}:{value}" for name, value in (facts or {}).items()),
        ]
    )


def contrast(cases: Sequence[Case], *, fewest: int = FEWEST, chance: float = CHANCE) -> list[Indicator]:
    """The features that separate success from failure in a group, the most significant first."""
    if not _both(cases):
        return []
    holders = _holders(cases, fewest)
    found: list[Indicator] = []
    left = list(cases)
    tries = 0
    while len(found) < MOST_INDICATORS and tries < 2 * MOST_INDICATORS and _both(left):
        best = _best(left, holders, tries, fewest=fewest, chance=chance)
        tries += 1
        if best is None:
            break
        alike = _alike(best.feature, holders)
        shown = _shown(best, alike, cases)
        # It must hold among all cases too, and not just among those that are left.
        if shown.confidence > shown.other_hits / max(shown.other_total, 1):
            found.append(shown)
        gone = holders[best.feature]
        left = [case for case in left if case.id not in gone]
        for feature in (best.feature, *alike):
            holders.pop(feature, None)
    return sorted(found, key=lambda one: (one.chance, -one.total, one.feature))


def _best(
    cases: Sequence[Case], holders: Mapping[str, frozenset[str]], earlier: int, *, fewest: int, chance: float
) -> Indicator | None:
    """The feature that separates these cases best, if it is significant given how many were tested.

    `earlier` is how many features were found before; they count as tests too.
    """
    well = {case.id for case in cases if case.success}
    present = {case.id for case in cases}
    tried = [
        one
        for feature, ids in holders.items()
        if (one := _test(feature, ids & present, present, well, fewest)) is not None
    ]
    believed = significant([one.chance for one in tried] + [0.0] * earlier, chance)
    sure = [one for one, believe in zip(tried, believed, strict=False) if believe]
    return min(sure, key=lambda one: (one.chance, -one.total, _rank(one.feature), one.feature), default=None)


def _test(
    feature: str, ids: frozenset[str] | set[str], present: set[str], well: set[str], fewest: int
) -> Indicator | None:
    total, other = len(ids), len(present) - len(ids)
    if total < fewest or other < fewest:
        return None
    good, all_good = len(ids & well), len(well)
    direction: Direction = "success" if good * other > (all_good - good) * total else "failure"
    hits, other_hits = (good, all_good - good) if direction == "success" else (total - good, other - all_good + good)
    chance = min(1.0, 2.0 * fisher(hits, total, other_hits, other))  # two-sided: either direction was possible
    return Indicator(feature, direction, total, hits, other, other_hits, chance)


def _shown(best: Indicator, alike: Sequence[str], cases: Sequence[Case]) -> Indicator:
    """The indicator with its counts over all cases, which anyone can count again."""
    wanted = best.direction == "success"
    showing = [case for case in cases if best.feature in case.features]
    examples = [case.id for case in showing if case.success == wanted]
    return Indicator(
        feature=best.feature,
        direction=best.direction,
        total=len(showing),
        hits=len(examples),
        other_total=len(cases) - len(showing),
        other_hits=sum(case.success == wanted for case in cases) - len(examples),
        chance=best.chance,
        also=tuple(alike),
        examples=tuple(examples[:3]),
    )


def _alike(feature: str, holders: Mapping[str, frozenset[str]]) -> list[str]:
    """Other features of nearly the same tasks, the most similar first."""
    mine = holders[feature]
    shared = {
        other: len(mine & ids) / len(mine | ids) for other, ids in holders.items() if other != feature and mine & ids
    }
    return sorted(
        (other for other, share in shared.items() if share >= SAME), key=lambda other: (-shared[other], other)
    )


def _holders(cases: Sequence[Case], fewest: int) -> dict[str, frozenset[str]]:
    """The ids of the cases with each feature, without features that too many or too few cases have to separate them."""
    counts = Counter(feature for case in cases for feature in case.features)
    most = len(cases) - fewest
    usable = [feature for feature, count in counts.most_common() if fewest <= count <= most][:MOST_FEATURES]
    ids: dict[str, set[str]] = defaultdict(set)
    kept = set(usable)
    for case in cases:
        for feature in case.features & kept:
            ids[feature].add(case.id)
    return {feature: frozenset(ids[feature]) for feature in usable}


def _both(cases: Sequence[Case]) -> bool:
    well = sum(case.success for case in cases)
    return 0 < well < len(cases)


def _rank(feature: str) -> int:
    """The rank that decides between equal features: an error, an order or a tool says more than a word."""
    return {"error": 0, "order": 1, "tool": 2}.get(feature.partition(":")[0], 3)
