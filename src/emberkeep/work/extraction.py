"""Learning patterns: grouping tasks, mining each group, and updating or retiring the patterns known before."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import Connection

from emberkeep.errors import InvalidInput, ModelUnavailable
from emberkeep.lifecycle.keep import Kept
from emberkeep.model import checks
from emberkeep.model.experience import Execution, PatternType, TaskPattern
from emberkeep.model.scope import Scope
from emberkeep.patterns.drafting import Group, Sketch, case_of, sketches, whole, words_of
from emberkeep.patterns.grouping import groups
from emberkeep.patterns.matching import TaskMatcher
from emberkeep.patterns.mining import contrast
from emberkeep.patterns.recounting import recounted
from emberkeep.patterns.standing import rated
from emberkeep.providers.base import cosine_of
from emberkeep.storage import executions, patterns
from emberkeep.storage.schema import patterns as patterns_table
from emberkeep.work.desk import Desk
from emberkeep.work.register import Register

MIN_SAMPLES = 5
MOST_SAMPLES = 5_000  # executions, the latest ones, so that old behaviour fades out
LONGEST_NAME = 100
SIMILAR = 0.55  # the least cosine of tasks without a type in one group
GROWN = 1.3  # times as many tasks as the last time: then a group is mined again


class Extraction:
    """Learns patterns from how a user's tasks ended, and stores them."""

    def __init__(self, desk: Desk, register: Register) -> None:
        self._desk = desk
        self._register = register

    def of_all(self, user_id: str | None, wanted: PatternType | None, least: int) -> list[TaskPattern]:
        """Learn the patterns of the tasks of each type or topic, and of all tasks together."""
        found = self._latest(user_id)
        grouped = self._groups(found, least)
        made = self._extracted(grouped, user_id, wanted) + self._across(found, user_id, wanted)
        self._let_go(grouped, user_id)
        return made

    def of_those(
        self, matcher: TaskMatcher, user_id: str | None, wanted: PatternType | None, least: int
    ) -> list[TaskPattern]:
        """Learn the patterns of the tasks that an expression matches; raises `InvalidInput` for fewer than `least`."""
        members = [one for one in self._latest(user_id) if matcher.matches(one.type, one.description, one.summary)]
        if len(members) < least:
            raise InvalidInput(
                f"{len(members)} executions match {matcher.pattern!r}, min_samples is {least}: "
                "store more of them, or ask for fewer"
            )
        group = Group(_key("re", matcher.pattern), matcher.pattern, f"Tasks like {matcher.pattern}", tuple(members))
        return self._extracted([group], user_id, wanted)

    def if_grown(self, user_id: str | None, task_type: str) -> list[TaskPattern]:
        """Learn the patterns of the tasks of a type, if their number makes that due; see `_is_due`."""
        with self._desk.parts.database.read() as connection:
            if not _is_due(executions.count(connection, self._desk.tenant, user_id, task_type)):
                return []
        return self._extracted(self._groups(self._latest(user_id, task_type), MIN_SAMPLES), user_id, None)

    def _latest(self, user_id: str | None, task_type: str | None = None) -> list[Execution]:
        with self._desk.parts.database.read() as connection:
            return executions.latest(connection, self._desk.tenant, user_id, MOST_SAMPLES, type_=task_type)

    def _groups(self, found: Sequence[Execution], least: int) -> list[Group]:
        """Group executions by their type, and those without a type by their meaning."""
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
            made = embedding.matrix(self._desk.tenant, [one.description for one in found])
        except ModelUnavailable:
            return []  # without vectors they cannot be grouped now; the next extraction includes them
        near = groups(made, cosine_of(SIMILAR, embedding.embedder))
        return [
            Group(f"like:{found[rows[-1]].id}", "", f"Tasks about {_subject(members)}", tuple(members))
            for rows in near
            if (members := [found[row] for row in rows])
        ]

    def _across(self, found: Sequence[Execution], user_id: str | None, wanted: PatternType | None) -> list[TaskPattern]:
        """Learn the patterns that hold across all types of tasks."""
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
        """Store the sketches of a group, and recount its known patterns that are not among them."""

        def job(connection: Connection) -> tuple[list[TaskPattern], list[Kept]]:
            self._desk.hold(connection, Scope(self._desk.tenant, user_id))
            known = patterns.about(connection, self._desk.tenant, user_id, tuple(one.subject for one in drawn))
            made, kept = [], []
            for one in drawn:
                pattern, told = self._register.enter(connection, one, known.get(one.subject), user_id)
                made.append(pattern)
                kept += told
            kept += self._look_again(connection, group, {one.subject for one in drawn}, user_id)
            return made, kept

        made = self._desk.write_told(job)
        return [one for one in made if wanted is None or one.pattern_type == wanted]

    def _look_again(self, connection: Connection, group: Group, found: set[str], user_id: str | None) -> list[Kept]:
        """Recount the known patterns of this group that were not found now, and retire those that are refuted."""
        where = {"user_id": user_id or "", "task_type_pattern": group.task_type_pattern}
        kept: list[Kept] = []
        for former in patterns.in_use(connection, self._desk.tenant, where, checks.MAX_PAGE_LIMIT):
            if former.subject in found or f"|{group.key}" not in former.subject:
                continue
            changed, gone = recounted(former, group)
            changed = replace(rated(changed), retired_at=self._desk.now() if gone else None)
            kept += self._register.renew(connection, former, changed, "contradicted" if gone else "recounted")[1]
        return kept

    def _let_go(self, grouped: Sequence[Group], user_id: str | None) -> None:
        """Retire the patterns of groups that no longer exist: groups by meaning change with the tasks in them."""
        keys = {group.key for group in grouped}

        def job(connection: Connection) -> None:
            self._desk.hold(connection, Scope(self._desk.tenant, user_id))
            where = {"user_id": user_id or "", "task_type_pattern": patterns_table.c.task_type_pattern == ""}
            for former in patterns.in_use(connection, self._desk.tenant, where, checks.MAX_PAGE_LIMIT):
                key = former.subject.split("|")[1]
                if key.startswith("like:") and key not in keys:
                    changed = replace(former, retired_at=self._desk.now())
                    self._register.renew(connection, former, changed, "its group is no more")

        self._desk.write(job)


def _key(sort: str, name: str) -> str:
    """The key of a group: its name, or for a long name its beginning and a hash of the whole."""
    if len(name) <= LONGEST_NAME:
        return f"{sort}:{name}"
    return f"{sort}:{name[:LONGEST_NAME]}#{hashlib.sha256(name.encode()).hexdigest()[:16]}"


def _subject(members: Sequence[Execution]) -> str:
    """The topic of tasks: their three most common words."""
    counts = Counter(word for one in members for word in words_of(one))
    return ", ".join(word for word, _ in counts.most_common(3)) or "one thing"


def _is_due(count: int) -> bool:
    """Whether a group of this size is to be mined: at `MIN_SAMPLES` tasks, and whenever it has grown by `GROWN`."""
    size = float(MIN_SAMPLES)
    while size < count:
        size = max(size + 1, size * GROWN)
    return int(size) == count


def _escaped(name: str) -> str:
    return "".join(char if char.isalnum() or char in "_ -" else f"\\{char}" for char in name)
