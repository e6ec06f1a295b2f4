"""Cached patterns, a part of `memory.patterns`: what to do at a trigger, remembered for the next time."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Unpack

from sqlalchemy import Connection

from emberkeep.lifecycle.keep import Kept
from emberkeep.model import checks
from emberkeep.model.many import Listed
from emberkeep.model.recall import Within
from emberkeep.model.sameness import normalise
from emberkeep.model.scope import EVERYONE
from emberkeep.model.work import CachedPattern
from emberkeep.providers.base import closeness
from emberkeep.storage.records import CACHED
from emberkeep.work.decisions import part
from emberkeep.work.desk import Desk

MIN_SIMILARITY = 0.6  # the bundled model gives "the disk is full" and "no space left on the disk" 0.75
LOOK_AT = 5


class CachedPatterns:
    """Cached patterns: a trigger, the action to take, and how often that went well."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def store(
        self,
        trigger: str,
        action: str,
        *,
        id: str | None = None,  # noqa: A002 - as in the other verbs
        metadata: Mapping[str, Any] | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
    ) -> CachedPattern:
        """Remember what to do at a trigger; stored again under its id, a pattern keeps its record of success."""
        desk, now = self._desk, self._desk.now()
        scope = desk.scope(user_id, agent_id, session_id)
        pattern = CachedPattern(
            id=desk.identity(id),
            user_id=scope.user_id,
            agent_id=scope.agent_id,
            session_id=scope.session_id,
            trigger=desk.text(trigger, "trigger"),
            action=desk.text(action, "action"),
            successes=0,
            failures=0,
            metadata=desk.metadata(metadata),
            created_at=now,
            updated_at=now,
        )

        def kept(former: CachedPattern) -> CachedPattern:
            return replace(
                pattern,
                successes=former.successes,
                failures=former.failures,
                created_at=former.created_at,
                used_at=former.used_at,
            )

        def job(connection: Connection) -> tuple[CachedPattern, list[Kept]]:
            saved = desk.saved(connection, CACHED, pattern, kept)
            return saved, self._tell(connection, saved)

        return desk.write_told(job)

    def find(
        self, trigger: str, *, min_similarity: float = MIN_SIMILARITY, **within: Unpack[Within]
    ) -> CachedPattern | None:
        """The pattern whose trigger is the same or most similar; `None` if none reaches `min_similarity`.

        Among equally similar triggers, the pattern with the higher success rate.
        """
        least = part(min_similarity, "min_similarity")
        found = self._desk.find(("pattern",), [CACHED], trigger, LOOK_AT, within)
        embedder = self._desk.parts.embedding.embedder
        alike: list[tuple[float, float, CachedPattern]] = []
        for one in found:
            same = normalise(one.record.trigger) == normalise(trigger)
            cosine = 1.0 if same else closeness(one.similarity or 0.0, embedder)
            if cosine >= least:
                rate = one.record.success_rate
                alike.append((cosine, 0.5 if rate is None else rate, one.record))
        return max(alike, key=lambda one: one[:2])[2] if alike else None

    def used(self, id: str, *, success: bool) -> CachedPattern:  # noqa: A002 - as in the other verbs
        """Count a use of a pattern, and whether it went well."""
        desk = self._desk
        successes, failures = (1, 0) if checks.flag(success, "success") else (0, 1)

        def job(connection: Connection) -> CachedPattern:
            former = desk.held(connection, CACHED, id)
            counted = replace(
                former,
                successes=former.successes + successes,
                failures=former.failures + failures,
                used_at=desk.now(),
            )
            return desk.replaced(connection, CACHED, counted)

        return desk.write(job)

    def get_cached(self, id: str) -> CachedPattern:  # noqa: A002 - as in the other verbs
        """One cached pattern."""
        return self._desk.get(CACHED, id)

    def list_cached(
        self, *, user_id: str | None = EVERYONE, limit: int = 100, cursor: str | None = None
    ) -> Listed[CachedPattern]:
        """Cached patterns, the latest first."""
        return self._desk.listed(CACHED, {"user_id": user_id}, limit, cursor=cursor)

    def _tell(self, connection: Connection, pattern: CachedPattern) -> list[Kept]:
        """Write the item of a pattern, with its trigger alone: later queries describe what happens, not what to do."""
        about = {"pattern_id": pattern.id, "action": pattern.action[:1_000]}
        draft = self._desk.draft(
            f"cached pattern:{pattern.id}", "pattern", pattern.trigger, pattern, at=pattern.created_at, about=about
        )
        return self._desk.told(connection, draft)
