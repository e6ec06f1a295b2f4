"""`memory.patterns`: what tasks with the same outcome have in common; learned, matched to new tasks, rated, retired.

Patterns are learned in `extraction.py` and written in `register.py`. The verbs for cached patterns, which say what to
do at a trigger, are in `cached.py`.
"""

import logging
from dataclasses import replace
from typing import Any, Unpack

from sqlalchemy import Connection

from emberkeep.errors import InvalidInput, StoreError
from emberkeep.language.terms import words
from emberkeep.lifecycle.keep import Kept
from emberkeep.model import checks
from emberkeep.model.experience import (
    Cluster,
    PatternType,
    PatternVersion,
    Question,
    Rating,
    TaskPattern,
    pattern_type_named,
)
from emberkeep.model.ids import new_id
from emberkeep.model.item import Receipt
from emberkeep.model.recall import Within
from emberkeep.model.scope import EVERYONE
from emberkeep.patterns.grouping import tree
from emberkeep.patterns.matching import LONGEST_PATTERN, TaskMatcher
from emberkeep.patterns.standing import RETIRE_BELOW, bounded, rated
from emberkeep.patterns.statistics import wilson
from emberkeep.providers.base import closeness, cosine_of
from emberkeep.storage import patterns, records
from emberkeep.storage.records import CACHED, PATTERNS
from emberkeep.work import announcing
from emberkeep.work.cached import CachedPatterns
from emberkeep.work.decisions import part
from emberkeep.work.desk import Desk
from emberkeep.work.extraction import MIN_SAMPLES, MOST_SAMPLES, Extraction
from emberkeep.work.register import Register

_logger = logging.getLogger(__name__)
MATCHING = 0.35  # the least cosine of a task and a pattern that fits it
RELATED = 0.5  # the least cosine of patterns in one cluster
MOST_ADJUSTMENT = 0.5
ENOUGH_VOTES = 5  # against a pattern of low confidence, to retire it
MOST_WORDS = 50  # of a description that an expression is matched with one by one


class Patterns(CachedPatterns):
    """Learned patterns, each with its evidence; and cached patterns, which say what to do at a trigger."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._register = Register(desk)
        self._extraction = Extraction(desk, self._register)

    # Learning them.

    def extract(
        self,
        task_type_pattern: str | None = None,
        *,
        pattern_type: PatternType | None = None,
        min_samples: int = MIN_SAMPLES,
        user_id: str | None = None,
    ) -> list[TaskPattern]:
        """Learn patterns from how tasks ended: those that a regular expression matches, or all, by type or by topic.

        With an expression, the first pattern is that of the matching tasks as a whole. Patterns that are found again
        are brought up to date, those that no longer hold are retired.
        """
        wanted = None if pattern_type is None else pattern_type_named(pattern_type)
        owner = checks.owner_id(user_id)
        least = checks.limit(min_samples, most=MOST_SAMPLES, name="min_samples")
        if task_type_pattern is None:
            made = self._extraction.of_all(owner, wanted, least)
        else:
            meant = checks.text(task_type_pattern, name="task_type_pattern", max_chars=LONGEST_PATTERN)
            made = self._extraction.of_those(TaskMatcher(meant), owner, wanted, least)
        return [one for one in made if wanted is None or one.pattern_type == wanted]

    def learn_from(self, user_id: str | None, task_type: str = "") -> list[TaskPattern]:
        """Learn again from a user's tasks of a type, or without one, if there are enough more than the last time."""
        return self._extraction.if_grown(checks.owner_id(user_id), checks.storable(task_type, name="task_type"))

    # Using them.

    def search(
        self,
        task_type: str | None = None,
        *,
        pattern_type: PatternType | None = None,
        limit: int = 10,
        retired: bool = False,
        user_id: str | None = EVERYONE,
    ) -> list[TaskPattern]:
        """Patterns for a type of task, those with the highest confidence first."""
        most = checks.limit(limit, most=checks.MAX_PAGE_LIMIT)
        where: dict[str, Any] = {"user_id": checks.scope_id(user_id, name="user_id")}
        where["pattern_type"] = None if pattern_type is None else pattern_type_named(pattern_type)
        found: list[TaskPattern]
        with self._desk.parts.database.read() as connection:
            if checks.flag(retired, "retired"):
                found = records.listed(connection, PATTERNS, self._desk.tenant, where, checks.MAX_PAGE_LIMIT)
            else:
                found = patterns.in_use(connection, self._desk.tenant, where, checks.MAX_PAGE_LIMIT)
        if task_type is not None:
            asked = checks.text(task_type, name="task_type", max_chars=self._desk.parts.config.max_text_chars)
            found = [one for one in found if not one.task_type_pattern or _means(one, asked)]
        return found[:most]

    def match(
        self, description: str, *, task_type: str = "", limit: int = 5, **within: Unpack[Within]
    ) -> list[TaskPattern]:
        """Patterns that fit a task, by their regular expression, their indicator words or their meaning.

        The patterns returned are counted as used.
        """
        most = checks.limit(limit, most=checks.MAX_SEARCH_LIMIT)
        kind = checks.storable(task_type, name="task_type")
        embedder = self._desk.parts.embedding.embedder
        found = self._desk.find(("pattern",), [PATTERNS], description, 4 * most, within)
        alike = {one.record.id: closeness(one.similarity or 0.0, embedder) for one in found}
        said = set(words(f"{description} {kind}"))
        fit: list[tuple[float, TaskPattern]] = []
        for pattern in self.search(user_id=within.get("user_id", EVERYONE), limit=checks.MAX_PAGE_LIMIT):
            named = bool(pattern.task_type_pattern) and _means(pattern, *([kind] if kind else [description]))
            shown = bool(said & {name.partition(":")[2] for name in pattern.indicators if name.startswith("word:")})
            near = alike.get(pattern.id, 0.0)
            of_another = bool(kind and pattern.task_type_pattern) and not named
            if named or (not of_another and (near >= MATCHING or shown)):
                fit.append((pattern.confidence_score * (1.0 + named + shown + near), pattern))
        best = [pattern for _, pattern in sorted(fit, key=lambda one: (-one[0], one[1].id))[:most]]
        if best:
            ids = [pattern.id for pattern in best]

            def job(connection: Connection) -> None:
                patterns.use(connection, self._desk.tenant, ids)
                announcing.matched(connection, self._desk.tenant, best)

            self._desk.write(job)
        return best

    def feedback(
        self,
        pattern_id: str,
        *,
        helpful: bool | None = None,
        confidence_adjustment: float = 0.0,
        note: str | None = None,
    ) -> TaskPattern:
        """Rate a pattern: a vote counts as much as a task, an adjustment moves the confidence within bounds."""
        if helpful is None and not confidence_adjustment:
            raise InvalidInput("say whether it was helpful, or pass a confidence_adjustment")
        moved = _adjustment(confidence_adjustment)
        voted = None if helpful is None else checks.flag(helpful, "helpful")
        said = None if note is None else self._desk.text(note, "note")

        def job(connection: Connection) -> tuple[TaskPattern, list[Kept]]:
            former = self._desk.held(connection, PATTERNS, pattern_id)
            changed = replace(
                former,
                helpful=former.helpful + (voted is True),
                unhelpful=former.unhelpful + (voted is False),
                adjustment=bounded(former.adjustment + moved),
            )
            kept = {"id": new_id(self._desk.now()), "helpful": voted, "adjustment": moved, "note": said}
            patterns.note_feedback(connection, self._desk.tenant, pattern_id, kept, self._desk.now())
            voiced = rated(changed)
            if voiced.unhelpful >= ENOUGH_VOTES and voiced.confidence_score < RETIRE_BELOW:
                voiced = replace(voiced, retired_at=self._desk.now())
            return self._register.renew(connection, former, voiced, "feedback")

        return self._desk.write_told(job)

    def ratings(self, pattern_id: str) -> list[Rating]:
        """The feedback given on a pattern, oldest first."""
        self._desk.get(PATTERNS, pattern_id)
        with self._desk.parts.database.read() as connection:
            return patterns.ratings(connection, self._desk.tenant, pattern_id)

    def evolution(self, pattern_id: str) -> list[PatternVersion]:
        """The changes of a pattern over time, oldest first."""
        self._desk.get(PATTERNS, pattern_id)
        with self._desk.parts.database.read() as connection:
            return patterns.versions(connection, self._desk.tenant, pattern_id)

    def ask(self, limit: int = 5, *, user_id: str | None = EVERYONE) -> list[Question]:
        """The questions whose answers would tell most: about patterns that are used but have little evidence."""
        most = checks.limit(limit, most=checks.MAX_PAGE_LIMIT)
        found = self.search(user_id=user_id, limit=checks.MAX_PAGE_LIMIT)
        asked = []
        for one in found:
            low, high = wilson(one.hits + one.helpful, one.support + one.helpful + one.unhelpful)
            worth = (high - low) * (1 + one.usage_count) ** 0.5 / (1 + one.helpful + one.unhelpful)
            asked.append(Question(one, f"Is this so? {one.description} (seen {one.support} times)", worth))
        return sorted(asked, key=lambda one: (-one.worth, one.pattern.id))[:most]

    def clusters(self, *, user_id: str | None = EVERYONE, min_similarity: float = RELATED) -> list[Cluster]:
        """Related patterns, as clusters within clusters."""
        least = part(min_similarity, "min_similarity")
        found = self.search(user_id=user_id, limit=checks.MAX_PAGE_LIMIT)
        if not found:
            return []
        embedding = self._desk.parts.embedding
        made = embedding.matrix(self._desk.tenant, [one.description for one in found])
        return tree([one.id for one in found], made, cosine_of(least, embedding.embedder))

    def get(self, id: str) -> TaskPattern:  # noqa: A002 - as in the other verbs
        """One learned pattern."""
        return self._desk.get(PATTERNS, id)

    def delete(self, id: str) -> Receipt:  # noqa: A002 - as in the other verbs
        """Remove a pattern, learned or cached, for good, with its history."""
        with self._desk.parts.database.read() as connection:
            cached = records.get(connection, CACHED, self._desk.tenant, checks.storable(id, name="pattern id"))
        if cached is not None:
            return self._desk.delete(CACHED, id)
        tenant = self._desk.tenant
        return self._desk.delete(PATTERNS, id, lambda connection: patterns.remove_parts(connection, tenant, id))


def learn_if_possible(patterns: Patterns, user_id: str | None, task_type: str = "") -> None:
    """Learn from a finished task; a failing store is only logged, since the task itself is already committed."""
    try:
        patterns.learn_from(user_id, task_type)
    except StoreError as error:
        _logger.warning("patterns are looked for when the next task ends, now the store failed: %s", error)


def _means(pattern: TaskPattern, *texts: str) -> bool:
    """Whether a pattern's expression matches a task's type or description, or a single word of these."""
    single = [word for text in texts for word in text.split()[:MOST_WORDS]]
    try:
        return TaskMatcher(pattern.task_type_pattern).matches(*texts, *single)
    except InvalidInput:  # an expression that takes too long for this text counts as no match
        return False


def _adjustment(value: object) -> float:
    if (
        not isinstance(value, int | float)
        or isinstance(value, bool)
        or not -MOST_ADJUSTMENT <= value <= MOST_ADJUSTMENT
    ):
        raise InvalidInput(f"confidence_adjustment is {value!r}: pass -{MOST_ADJUSTMENT} to {MOST_ADJUSTMENT}")
    return float(value)
