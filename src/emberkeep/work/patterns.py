"""`memory.patterns`: what tasks that ended alike have in common; learned, matched to new tasks, rated, and retired.

What to do at a trigger is there too, see `cached.py`.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Unpack

from sqlalchemy import Connection

from emberkeep.errors import InvalidInput, ModelUnavailable
from emberkeep.lifecycle.keep import Kept
from emberkeep.model import checks
from emberkeep.model.experience import (
    Cluster,
    Execution,
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
from emberkeep.model.scope import EVERYONE, Scope
from emberkeep.patterns.drafting import Group, Sketch, case_of, sketches, told, whole, words_of
from emberkeep.patterns.grouping import groups, tree
from emberkeep.patterns.matching import LONGEST_PATTERN, TaskMatcher
from emberkeep.patterns.mining import contrast
from emberkeep.patterns.standing import RETIRE_BELOW, bounded, confidence, is_refuted
from emberkeep.patterns.statistics import fisher, wilson
from emberkeep.providers.base import closeness, stretch
from emberkeep.storage import executions, patterns, records
from emberkeep.storage.records import CACHED, PATTERNS
from emberkeep.storage.schema import patterns as patterns_table
from emberkeep.storage.terms import words
from emberkeep.work import announcing
from emberkeep.work.cached import CachedPatterns
from emberkeep.work.decisions import share

MIN_SAMPLES = 5
LONGEST_NAME = 100
MOST_SAMPLES = 5_000  # of a group, the latest: what has not been so for long fades out
SIMILAR = 0.55  # the least cosine of tasks in one group, where they have no type
MATCHING = 0.35  # the least cosine of a task and a pattern that fits it
GROWN = 1.3  # times as many tasks as when a group was last looked at
DOUBTFUL = 0.2  # the chance from which on what was found once is not believed any more
RELATED = 0.5  # the least cosine of patterns in one cluster
MOST_ADJUSTMENT = 0.5
ENOUGH_VOTES = 5  # against a pattern that is not sure, to retire it
MOST_WORDS = 50  # of a description, that an expression is held against one by one


class Patterns(CachedPatterns):
    """Learned patterns, each with its evidence; and cached ones, which say what to do at a trigger."""

    # Learning them.

    def extract(
        self,
        task_type_pattern: str | None = None,
        *,
        pattern_type: PatternType | None = None,
        min_samples: int = MIN_SAMPLES,
        user_id: str | None = None,
    ) -> list[TaskPattern]:
        """Learn from how tasks ended: those that an expression means, or all, by their type or by what they are.

        With an expression the first pattern is that of the group as a whole. Patterns that are found again are brought
        up to date, those that no longer hold are retired.
        """
        wanted = None if pattern_type is None else pattern_type_named(pattern_type)
        user_id = checks.owner_id(user_id)
        least = checks.limit(min_samples, most=MOST_SAMPLES, name="min_samples")
        matcher = None
        if task_type_pattern is not None:
            matcher = TaskMatcher(checks.text(task_type_pattern, name="task_type_pattern", max_chars=LONGEST_PATTERN))
        with self._desk.parts.database.read() as connection:
            found = executions.latest(connection, self._desk.tenant, user_id, MOST_SAMPLES)
        if matcher is not None:
            members = [one for one in found if matcher.matches(one.type, one.description, one.summary)]
            if len(members) < least:
                raise InvalidInput(
                    f"{len(members)} executions match {task_type_pattern!r}, min_samples is {least}: "
                    "store more of them, or ask for fewer"
                )
            group = Group(_key("re", matcher.pattern), matcher.pattern, f"Tasks like {matcher.pattern}", tuple(members))
            made = self._extracted([group], user_id, wanted)
        else:
            grouped = self._groups(found, least)
            made = self._extracted(grouped, user_id, wanted) + self._across(found, user_id, wanted)
            self._let_go(grouped, user_id)
        return [one for one in made if wanted is None or one.pattern_type == wanted]

    def learn_from(self, user_id: str | None, task_type: str = "") -> list[TaskPattern]:
        """Look again at a user's tasks of a type, or of none, if they have grown enough since the last time."""
        owner, kind = checks.owner_id(user_id), checks.storable(task_type, name="task_type")
        with self._desk.parts.database.read() as connection:
            count = executions.count(connection, self._desk.tenant, owner, kind)
            if not _is_due(count):
                return []
            found = executions.latest(connection, self._desk.tenant, owner, MOST_SAMPLES, type_=kind)
        return self._extracted(self._groups(found, MIN_SAMPLES), owner, None)

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
        """Patterns for a type of task, the surest first."""
        most = checks.limit(limit, most=checks.MAX_PAGE_LIMIT)
        where: dict[str, Any] = {"user_id": user_id}
        where["pattern_type"] = None if pattern_type is None else pattern_type_named(pattern_type)
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
        """Patterns that fit a task: by their expression, by what they are known by, and by what they are about.

        They are counted as used.
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
        """Say whether a pattern helped; a vote counts as a task, an adjustment moves the confidence within bounds."""
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
            rated = _rated(changed)
            if rated.unhelpful >= ENOUGH_VOTES and rated.confidence_score < RETIRE_BELOW:
                rated = replace(rated, retired_at=self._desk.now())
            return self._renewed(connection, former, rated, "feedback")

        return self._desk.write_told(job)

    def ratings(self, pattern_id: str) -> list[Rating]:
        """What was said of a pattern by `feedback`, oldest first."""
        self._desk.get(PATTERNS, pattern_id)
        with self._desk.parts.database.read() as connection:
            return patterns.ratings(connection, self._desk.tenant, pattern_id)

    def evolution(self, pattern_id: str) -> list[PatternVersion]:
        """How a pattern changed over time, oldest first."""
        self._desk.get(PATTERNS, pattern_id)
        with self._desk.parts.database.read() as connection:
            return patterns.versions(connection, self._desk.tenant, pattern_id)

    def ask(self, limit: int = 5, *, user_id: str | None = EVERYONE) -> list[Question]:
        """Which feedback would teach most: patterns that are used, but of which little is known."""
        most = checks.limit(limit, most=checks.MAX_PAGE_LIMIT)
        found = self.search(user_id=user_id, limit=checks.MAX_PAGE_LIMIT)
        asked = []
        for one in found:
            low, high = wilson(one.hits + one.helpful, one.support + one.helpful + one.unhelpful)
            worth = (high - low) * (1 + one.usage_count) ** 0.5 / (1 + one.helpful + one.unhelpful)
            asked.append(Question(one, f"Is this so? {one.description} (seen {one.support} times)", worth))
        return sorted(asked, key=lambda one: (-one.worth, one.pattern.id))[:most]

    def clusters(self, *, user_id: str | None = EVERYONE, min_similarity: float = RELATED) -> list[Cluster]:
        """Patterns that have to do with one another, as groups within groups."""
        least = share(min_similarity, "min_similarity") or 0.0
        found = self.search(user_id=user_id, limit=checks.MAX_PAGE_LIMIT)
        if not found:
            return []
        embedding = self._desk.parts.embedding
        made = embedding.texts(self._desk.tenant, embedding.space(), [one.description for one in found])
        return tree([one.id for one in found], made, _unstretched(least, embedding.embedder))

    def get(self, id: str) -> TaskPattern:  # noqa: A002 - as in the other verbs
        """One learned pattern."""
        return self._desk.get(PATTERNS, id)

    def delete(self, id: str) -> Receipt:  # noqa: A002 - as in the other verbs
        """Remove a pattern, learned or cached, with its history for good."""
        with self._desk.parts.database.read() as connection:
            cached = records.get(connection, CACHED, self._desk.tenant, checks.storable(id, name="pattern id"))
        if cached is not None:
            return self._desk.delete(CACHED, id)
        tenant = self._desk.tenant
        return self._desk.delete(PATTERNS, id, lambda connection: patterns.remove_parts(connection, tenant, id))

    # The steps that several of them share.

    def _groups(self, found: Sequence[Execution], least: int) -> list[Group]:
        """Executions by their type; those without one by what they are about."""
        typed: dict[str, list[Execution]] = defaultdict(list)
        for one in found:
            typed[one.type].append(one)
        untyped = typed.pop("", [])
        made = [
            Group(_key("type", name), f"^{_escaped(name)}$", f"{name} tasks", tuple(members))
            for name, members in typed.items()
        ]
        return [group for group in (*made, *self._by_meaning(untyped)) if len(group.members) >= least]

    def _by_meaning(self, found: Sequence[Execution]) -> list[Group]:
        if not found:
            return []
        embedding = self._desk.parts.embedding
        try:
            made = embedding.texts(self._desk.tenant, embedding.space(), [one.description for one in found])
        except ModelUnavailable:
            return []  # what they are about cannot be told now; they are looked at the next time
        near = groups(made, _unstretched(SIMILAR, embedding.embedder))
        return [
            Group(f"like:{found[rows[-1]].id}", "", f"Tasks about {_subject(members)}", tuple(members))
            for rows in near
            if (members := [found[row] for row in rows])
        ]

    def _across(self, found: Sequence[Execution], user_id: str | None, wanted: PatternType | None) -> list[TaskPattern]:
        """What holds for tasks of all types, however they came up."""
        if len({one.type for one in found}) < 2:  # noqa: PLR2004 - there is nothing across one type
            return []
        group = Group("all", "", "Tasks", tuple(found))
        return self._kept(group, sketches(group, with_type=True), user_id, wanted)

    def _extracted(self, found: Sequence[Group], user_id: str | None, wanted: PatternType | None) -> list[TaskPattern]:
        made: list[TaskPattern] = []
        for group in found:
            drawn = sketches(group)
            if wanted in {"success", "failure"} and drawn[0].pattern_type != wanted:
                asked = whole(group, contrast([case_of(one) for one in group.members]), wanted)
                drawn = [*([asked] if asked.hits else []), *drawn]
            made += self._kept(group, drawn, user_id, wanted)
        return made

    def _kept(
        self, group: Group, drawn: Sequence[Sketch], user_id: str | None, wanted: PatternType | None
    ) -> list[TaskPattern]:
        """Write what was found of a group, and look again at what was found before."""

        def job(connection: Connection) -> tuple[list[TaskPattern], list[Kept]]:
            self._desk.hold(connection, Scope(self._desk.tenant, user_id))
            known = patterns.about(connection, self._desk.tenant, user_id, tuple(one.subject for one in drawn))
            made, kept = [], []
            for one in drawn:
                pattern, told = self._put(connection, one, known.get(one.subject), user_id)
                made.append(pattern)
                kept += told
            kept += self._look_again(connection, group, {one.subject for one in drawn}, user_id)
            return made, kept

        made = self._desk.write_told(job)
        return [one for one in made if wanted is None or one.pattern_type == wanted]

    def _put(
        self, connection: Connection, sketch: Sketch, former: TaskPattern | None, user_id: str | None
    ) -> tuple[TaskPattern, list[Kept]]:
        now = self._desk.now()
        evidence: dict[str, Any] = {
            "description": sketch.description,
            "task_type_pattern": sketch.task_type_pattern,
            "success_indicators": sketch.success_indicators,
            "failure_indicators": sketch.failure_indicators,
            "recommended_context": {"tools": [*sketch.tools], "examples": [*sketch.examples]},
            "examples": sketch.examples,
            "hits": sketch.hits,
            "support": sketch.support,
            "other_hits": sketch.other_hits,
            "other_support": sketch.other_support,
        }
        if former is not None:
            return self._renewed(
                connection, former, _rated(replace(former, **evidence, retired_at=None)), "new evidence"
            )
        made = _rated(
            TaskPattern(
                id=new_id(now),
                user_id=user_id,
                agent_id=None,
                session_id=None,
                pattern_type=sketch.pattern_type,
                subject=sketch.subject,
                helpful=0,
                unhelpful=0,
                adjustment=0.0,
                confidence_score=0.0,
                usage_count=0,
                version=1,
                metadata={},
                created_at=now,
                updated_at=now,
                **evidence,
            )
        )
        records.put(connection, PATTERNS, self._desk.tenant, made)
        patterns.note_version(connection, self._desk.tenant, made, "learned", {})
        announcing.learned(connection, self._desk.tenant, made)
        return made, self._told(connection, made)

    def _renewed(
        self, connection: Connection, former: TaskPattern, changed: TaskPattern, reason: str
    ) -> tuple[TaskPattern, list[Kept]]:
        """Write a pattern as it is now, and how it changed."""
        differs = {
            name: [_plain(getattr(former, name)), _plain(getattr(changed, name))]
            for name in _TRACKED
            if getattr(former, name) != getattr(changed, name)
        }
        if not differs:
            return former, []
        kept = replace(changed, version=former.version + 1, updated_at=self._desk.now())
        records.replace(connection, PATTERNS, self._desk.tenant, kept)
        patterns.note_version(connection, self._desk.tenant, kept, reason, differs)
        announcing.updated(connection, self._desk.tenant, kept)
        if kept.retired_at is not None:  # nobody is to find it any more
            self._desk.erased(connection, f"pattern:{kept.id}", kept.user_id or "")
            return kept, []
        return kept, self._told(connection, kept)

    def _look_again(self, connection: Connection, group: Group, found: set[str], user_id: str | None) -> list[Kept]:
        """Count anew for what was found of this group before and is not now; what is refuted is retired."""
        where = {"user_id": user_id or "", "task_type_pattern": group.task_type_pattern}
        kept: list[Kept] = []
        for former in patterns.in_use(connection, self._desk.tenant, where, checks.MAX_PAGE_LIMIT):
            if former.subject in found or f"|{group.key}" not in former.subject:
                continue
            changed, gone = _looked_at(former, group)
            changed = replace(_rated(changed), retired_at=self._desk.now() if gone else None)
            kept += self._renewed(connection, former, changed, "contradicted" if gone else "recounted")[1]
        return kept

    def _let_go(self, grouped: Sequence[Group], user_id: str | None) -> None:
        """Retire what was learned of groups that are no more: those by meaning change with the tasks in them."""
        keys = {group.key for group in grouped}

        def job(connection: Connection) -> None:
            self._desk.hold(connection, Scope(self._desk.tenant, user_id))
            where = {"user_id": user_id or "", "task_type_pattern": patterns_table.c.task_type_pattern == ""}
            for former in patterns.in_use(connection, self._desk.tenant, where, checks.MAX_PAGE_LIMIT):
                key = former.subject.split("|")[1]
                if key.startswith("like:") and key not in keys:
                    changed = replace(former, retired_at=self._desk.now())
                    self._renewed(connection, former, changed, "its group is no more")

        self._desk.write(job)

    def _told(self, connection: Connection, pattern: TaskPattern) -> list[Kept]:
        about = {
            "pattern_id": pattern.id,
            "pattern_type": pattern.pattern_type,
            "retired": pattern.retired_at is not None,
        }
        draft = self._desk.draft(
            f"pattern:{pattern.id}", "pattern", pattern.description, pattern, at=pattern.created_at, about=about
        )
        return self._desk.told(connection, draft)


_TRACKED = (
    "success_indicators", "failure_indicators", "hits", "support", "other_hits", "other_support",
    "helpful", "unhelpful", "adjustment", "confidence_score", "retired_at",
)  # fmt: skip


def _rated(pattern: TaskPattern) -> TaskPattern:
    score = confidence(
        pattern.hits,
        pattern.support,
        helpful=pattern.helpful,
        unhelpful=pattern.unhelpful,
        adjustment=pattern.adjustment,
    )
    return replace(pattern, confidence_score=score)


def _looked_at(former: TaskPattern, group: Group) -> tuple[TaskPattern, bool]:
    """A pattern that was not found again, with what the group's tasks say now, and whether it says nothing any more."""
    feature = former.subject.removeprefix(f"{former.pattern_type}|{group.key}").removeprefix("|")
    if former.pattern_type == "optimization":
        return former, True
    cases = [case_of(one, with_type=group.key == "all") for one in group.members]
    wanted = former.pattern_type == "success"
    showing = [case for case in cases if not feature or feature in case.features]
    others = [case for case in cases if feature and feature not in case.features]
    hits, others_hit = sum(case.success == wanted for case in showing), sum(case.success == wanted for case in others)
    ended = "succeeded" if wanted else "failed"
    said = f"{group.title}: {hits} of {len(showing)} {ended}"
    if feature:
        said = told(group.title, feature, former.pattern_type, (hits, len(showing)), (others_hit, len(others)))
    changed = replace(
        former, description=said, hits=hits, support=len(showing), other_hits=others_hit, other_support=len(others)
    )
    if not feature:
        return changed, 2 * hits < len(showing)
    doubtful = 2 * fisher(hits, len(showing), others_hit, len(others)) > DOUBTFUL
    return changed, doubtful or is_refuted(hits, len(showing), others_hit, len(others))


def _key(sort: str, name: str) -> str:
    """What a group is known by: its name, or where that is long its beginning and a sum of the whole."""
    if len(name) <= LONGEST_NAME:
        return f"{sort}:{name}"
    return f"{sort}:{name[:LONGEST_NAME]}#{hashlib.sha256(name.encode()).hexdigest()[:16]}"


def _subject(members: Sequence[Execution]) -> str:
    """What tasks are about: the words that most of them share."""
    counts = Counter(word for one in members for word in words_of(one))
    return ", ".join(word for word, _ in counts.most_common(3)) or "one thing"


def _means(pattern: TaskPattern, *texts: str) -> bool:
    """Whether the expression of a pattern means a task: by its type, its description, or a word of that."""
    single = [word for text in texts for word in text.split()[:MOST_WORDS]]
    try:
        return TaskMatcher(pattern.task_type_pattern).matches(*texts, *single)
    except InvalidInput:  # one that takes too long for this text means nothing here
        return False


def _is_due(count: int) -> bool:
    """Whether a group of this size is to be looked at: at five, and then whenever it has grown by a third."""
    size = float(MIN_SAMPLES)
    while size < count:
        size = max(size + 1, size * GROWN)
    return int(size) == count


def _adjustment(value: object) -> float:
    if (
        not isinstance(value, int | float)
        or isinstance(value, bool)
        or not -MOST_ADJUSTMENT <= value <= MOST_ADJUSTMENT
    ):
        raise InvalidInput(f"confidence_adjustment is {value!r}: pass -{MOST_ADJUSTMENT} to {MOST_ADJUSTMENT}")
    return float(value)


def _unstretched(cosine: float, embedder: object) -> float:
    """A cosine on the scale of the bundled model as this embedder gives it."""
    return 1.0 - (1.0 - cosine) / stretch(embedder)


def _escaped(name: str) -> str:
    return "".join(char if char.isalnum() or char in "_ -" else f"\\{char}" for char in name)


def _plain(value: Any) -> Any:
    return checks.plain_json(value if not hasattr(value, "isoformat") else value.isoformat())
