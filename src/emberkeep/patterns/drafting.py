"""From executions to patterns: what separates success from failure in a group, put into words. Pure functions."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from emberkeep.language.terms import words
from emberkeep.model.experience import Execution, PatternType
from emberkeep.patterns.mining import Case, Direction, Indicator, contrast, features_of

MOST_COMMON = 8  # words that characterise a group whose successes and failures nothing separates
LIKELY = 0.5  # the least share of a group's tasks that must have a word for it to characterise the group
MOST_TOOLS = 3
# Words that tell how a task ended: they are written after the end, and explain nothing.
_OUTCOME = frozenset(
    """
    success successful successfully succeed succeeded fail failed fails failing failure finish finished complete
    completed done ok okay error errors broke broken crashed crash aborted abort unable could unsuccessful
    unsuccessfully passed worked works working fixed resolved solved
    """.split()
)


@dataclass(frozen=True, slots=True)
class Sketch:
    """A pattern before it is stored: its subject, its description, and the evidence."""

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
    """Executions that have something in common: a regular expression they match, a type, or a topic."""

    key: str
    task_type_pattern: str
    title: str
    members: tuple[Execution, ...]


def words_of(execution: Execution) -> list[str]:
    """The words of an execution's description, each once, without those that tell how it ended."""
    return [word for word in dict.fromkeys(words(execution.description)) if word not in _OUTCOME]


def case_of(execution: Execution, *, with_type: bool = False) -> Case:
    """An execution as a case: its words, tools and errors."""
    said = words_of(execution)
    facts = {"type": execution.type} if with_type and execution.type else {}
    return Case(execution.id, execution.success, features_of(said, execution.tools, execution.errors, facts))


def sketches(group: Group, *, with_type: bool = False) -> list[Sketch]:
    """The patterns of a group: one for the whole group, unless `with_type`, and one for each separating feature."""
    cases = [case_of(one, with_type=with_type) for one in group.members]
    found = contrast(cases)
    made = [] if with_type else [whole(group, found)]
    return [*(one for one in made if one.hits), *(_of_indicator(group, one) for one in found), *_quicker(group)]


def whole(group: Group, found: Sequence[Indicator], wanted: PatternType | None = None) -> Sketch:
    """The pattern of a group as a whole: how often its tasks succeed, and what separates successes from failures.

    It is a pattern of the `wanted` type, or else of the more frequent outcome.
    """
    well = [one for one in group.members if one.success]
    mostly: PatternType = "success" if 2 * len(well) >= len(group.members) else "failure"
    kind: PatternType = wanted or mostly
    ends = [one for one in group.members if one.success == (kind != "failure")]
    others = [one for one in group.members if one.success != (kind != "failure")]
    common = _common(ends, others)
    good = _features(found, "success") or (common if kind != "failure" else ())
    bad = _features(found, "failure") or (common if kind == "failure" else ())
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
    showing = [execution for execution in group.members if execution.id in set(one.examples)]
    return Sketch(
        subject=f"{one.direction}|{group.key}|{one.feature}"[:256],
        pattern_type=one.direction,
        task_type_pattern=group.task_type_pattern,
        description=told(
            group.title, one.feature, one.direction, (one.hits, one.total), (one.other_hits, one.other_total)
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


def told(title: str, feature: str, kind: PatternType, showing: tuple[int, int], others: tuple[int, int]) -> str:
    """The description of a pattern: how many tasks with its feature, and how many others, ended so.

    `showing` and `others` are each a count of such endings and a total.
    """
    ended = "failed" if kind == "failure" else "succeeded"
    without = f", without it {others[0]} of {others[1]}" if others[1] else ""
    return f"{title} with {_said(feature)}: {showing[0]} of {showing[1]} {ended}{without}"


def _quicker(group: Group) -> list[Sketch]:
    """Optimization patterns: words of successful tasks that took fewer steps than the median."""
    well = [one for one in group.members if one.success and one.tools]
    if not well:
        return []
    middle = median(len(one.tools) for one in well)
    cases = [
        Case(one.id, len(one.tools) < middle, frozenset(f for f in case_of(one).features if f.startswith("word:")))
        for one in well
    ]
    quick = [one for one in contrast(cases) if one.direction == "success"]
    tasks = {one.id: one.task_id for one in well}
    return [
        Sketch(
            subject=f"optimization|{group.key}|{one.feature}"[:256],
            pattern_type="optimization",
            task_type_pattern=group.task_type_pattern,
            description=(
                f"{group.title} that went well with {_said(one.feature)}: {one.hits} of {one.total} took fewer steps "
                f"than most, without it {one.other_hits} of {one.other_total}"
            ),
            success_indicators=(one.feature, *one.also[:4]),
            failure_indicators=(),
            examples=tuple(tasks[example] for example in one.examples),
            hits=one.hits,
            support=one.total,
            other_hits=one.other_hits,
            other_support=one.other_total,
        )
        for one in quick
    ]


def _features(found: Iterable[Indicator], direction: Direction) -> tuple[str, ...]:
    return tuple(one.feature for one in found if one.direction == direction)


def _common(members: Sequence[Execution], others: Sequence[Execution]) -> tuple[str, ...]:
    """Words that at least half of the members have; first those that are rarest among the others."""
    mine, theirs = (Counter(word for one in part for word in words_of(one)) for part in (members, others))
    likely = [word for word, count in mine.most_common() if count >= LIKELY * len(members)]
    likely.sort(key=lambda word: theirs[word] / max(len(others), 1) - mine[word] / len(members))
    return tuple(f"word:{word}" for word in likely[:MOST_COMMON])


def _tools(members: Sequence[Execution]) -> tuple[str, ...]:
    counts = Counter(tool for one in members for tool in set(one.tools))
    return tuple(tool for tool, _ in counts.most_common(MOST_TOOLS))


def _said(feature: str) -> str:
    sort, _, name = feature.partition(":")
    return {"word": f"the word {name!r}", "tool": f"the tool {name}", "order": f"the steps {name}"}.get(sort, name)
