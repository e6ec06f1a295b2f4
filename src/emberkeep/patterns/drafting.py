"""From executions to patterns: groups, what separates their endings, and how that is put. Pure functions."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from emberkeep.model.experience import Execution, PatternType
from emberkeep.patterns.mining import Case, Direction, Indicator, contrast, features_of
from emberkeep.storage.terms import words

MOST_COMMON = 8  # words that a group is told by where nothing separates its endings
LIKELY = 0.5  # of a group's tasks that have a word, from which on it tells of the group
MOST_TOOLS = 3


@dataclass(frozen=True, slots=True)
class Sketch:
    """A pattern before it is kept: what it is about, what it says, and the evidence."""

    subject: str
    pattern_type: PatternType
    task_type_pattern: str
    description: str
    success_indicators: tuple[str, ...]
    failure_indicators: tuple[str, ...]
    examples: tuple[str, ...]
    hits: int
    support: int
    other_hits: int
    other_support: int
    tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """Executions that have something in common: an expression they match, a type, or what they are about."""

    key: str
    task_type_pattern: str
    title: str
    members: tuple[Execution, ...]


def case_of(execution: Execution, *, with_type: bool = False) -> Case:
    """An execution as a case: its words, tools and errors."""
    said = dict.fromkeys(words(f"{execution.description} {execution.summary}"))
    facts = {"type": execution.type} if with_type and execution.type else {}
    return Case(execution.id, execution.success, features_of(said, execution.tools, execution.errors, facts))


def sketches(group: Group, *, with_type: bool = False) -> list[Sketch]:
    """The patterns of a group: one for the group as a whole, and one for each thing that separates its endings."""
    cases = [case_of(one, with_type=with_type) for one in group.members]
    found = contrast(cases)
    made = [] if with_type else [whole(group, found)]
    return [*made, *(_of_indicator(group, one) for one in found), *_quicker(group)]


def whole(group: Group, found: Sequence[Indicator], wanted: PatternType | None = None) -> Sketch:
    """What a group as a whole says: how often its tasks go well, and what tells those that do from the others."""
    well = [one for one in group.members if one.success]
    mostly: PatternType = "success" if 2 * len(well) >= len(group.members) else "failure"
    kind: PatternType = wanted or mostly
    ends = [one for one in group.members if one.success == (kind != "failure")]
    good = _features(found, "success") or (_common(well) if kind != "failure" else ())
    bad = _features(found, "failure") or (_common(ends) if kind == "failure" else ())
    ended = "failed" if kind == "failure" else "succeeded"
    return Sketch(
        subject=f"{kind}|{group.key}",
        pattern_type=kind,
        task_type_pattern=group.task_type_pattern,
        description=f"{group.title}: {len(ends)} of {len(group.members)} {ended}",
        success_indicators=good,
        failure_indicators=bad,
        examples=tuple(one.task_id for one in ends[:3]),
        hits=len(ends),
        support=len(group.members),
        other_hits=0,
        other_support=0,
        tools=_tools(ends),
    )


def _of_indicator(group: Group, one: Indicator) -> Sketch:
    tasks = {execution.id: execution.task_id for execution in group.members}
    names = (one.feature, *one.also[:4])
    ended = "succeeded" if one.direction == "success" else "failed"
    showing = [execution for execution in group.members if execution.id in set(one.examples)]
    return Sketch(
        subject=f"{one.direction}|{group.key}|{one.feature}"[:256],
        pattern_type=one.direction,
        task_type_pattern=group.task_type_pattern,
        description=(
            f"{group.title} with {_said(one.feature)}: {one.hits} of {one.total} {ended}, "
            f"without it {one.other_hits} of {one.other_total}"
        ),
        success_indicators=names if one.direction == "success" else (),
        failure_indicators=names if one.direction == "failure" else (),
        examples=tuple(tasks[example] for example in one.examples),
        hits=one.hits,
        support=one.total,
        other_hits=one.other_hits,
        other_support=one.other_total,
        tools=_tools(showing),
    )


def _quicker(group: Group) -> list[Sketch]:
    """What tasks that went well in fewer steps than most have in common."""
    well = [one for one in group.members if one.success and one.tools]
    if not well:
        return []
    middle = median(len(one.tools) for one in well)
    cases = [
        Case(one.id, len(one.tools) < middle, frozenset(f for f in case_of(one).features if f.startswith("word:")))
        for one in well
    ]
    quick = [one for one in contrast(cases) if one.direction == "success"]
    return [
        Sketch(
            subject=f"optimization|{group.key}|{one.feature}"[:256],
            pattern_type="optimization",
            task_type_pattern=group.task_type_pattern,
            description=f"{group.title} with {_said(one.feature)}: {one.hits} of {one.total} took fewer steps",
            success_indicators=(one.feature, *one.also[:4]),
            failure_indicators=(),
            examples=tuple(one.examples),
            hits=one.hits,
            support=one.total,
            other_hits=one.other_hits,
            other_support=one.other_total,
        )
        for one in quick
    ]


def _features(found: Iterable[Indicator], direction: Direction) -> tuple[str, ...]:
    return tuple(one.feature for one in found if one.direction == direction)


def _common(members: Sequence[Execution]) -> tuple[str, ...]:
    """Words that most of these have."""
    counts = Counter(word for one in members for word in set(words(f"{one.description} {one.summary}")))
    likely = [word for word, count in counts.most_common() if count >= LIKELY * len(members)]
    return tuple(f"word:{word}" for word in likely[:MOST_COMMON])


def _tools(members: Sequence[Execution]) -> tuple[str, ...]:
    counts = Counter(tool for one in members for tool in set(one.tools))
    return tuple(tool for tool, _ in counts.most_common(MOST_TOOLS))


def _said(feature: str) -> str:
    return feature.partition(":")[2]
