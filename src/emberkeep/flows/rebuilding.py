"""Deriving the learned items again: the log is replayed into a scratch store, and the difference applied at once."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from enum import Enum
from functools import partial

import numpy as np
from sqlalchemy import Connection

from emberkeep.clock import Deadline
from emberkeep.errors import InvalidInput, ModelUnavailable, StoreBusy
from emberkeep.flows.backlog import Backlog
from emberkeep.flows.keeping import STATEMENTS, Keeper
from emberkeep.learning.embedding import Progress
from emberkeep.lifecycle.settle import freshen
from emberkeep.model.events import Rebuilt
from emberkeep.model.finding import NOTHING, Exchange, Lesson, Spent
from emberkeep.model.interaction import Interaction
from emberkeep.model.item import Draft, Item
from emberkeep.model.report import Difference
from emberkeep.model.scope import Scope
from emberkeep.providers.base import Embedder, Learner, Vectors, WordVectors, embed_query_words, embed_words, has_words
from emberkeep.storage import generations, items, log
from emberkeep.storage.generations import Learned, Step
from emberkeep.storage.outbox import tell
from emberkeep.wiring import Parts, assemble

AT_ONCE = 200
ATTEMPTS = 5


class _NotYet(Enum):
    """Why the store did not switch to the new generation."""

    CHANGED = "what the replay relies on was changed by others meanwhile"
    GROWN = "more was said and learned from meanwhile"


class Rebuilding:
    """Derives a tenant's learned items anew."""

    def __init__(self, parts: Parts, tenant: str) -> None:
        self._parts = parts
        self._tenant = tenant

    def run(self, progress: Progress, *, dry_run: bool) -> Difference:
        """Replay the log with the current learner, and replace what was learned before by the result.

        Readers see the old items until the new ones are committed. Nothing is changed if the learner fails, or by a dry
        run. Raises `StoreBusy` if others keep changing what the replay relies on.
        """
        learner = self._parts.learner
        if learner is None:
            raise InvalidInput("there is no learner: set learner to rules, llm or mem0 to derive facts again")
        lessons: dict[str, Lesson] = {}  # by interaction; kept if the replay has to start again, as they cost tokens
        for _ in range(ATTEMPTS):
            with self._scratch(learner) as scratch:
                replay = _Replay(self._parts, scratch, learner, self._tenant, lessons)
                try:
                    steps = self._replayed(replay, learner, progress, dry_run=dry_run)
                finally:
                    replay.book()
            if not isinstance(steps, _NotYet):
                return _described(learner, steps, switched=not dry_run)
        raise StoreBusy("memories were told, changed or deleted all the while; nothing was changed. Try again later")

    def _replayed(
        self, replay: "_Replay", learner: Learner, progress: Progress, *, dry_run: bool
    ) -> list[Step] | _NotYet:
        """The steps from the old items to the new, or why the replay has to start again."""
        while True:
            replay.catch_up(progress)
            if dry_run:
                with self._parts.database.read() as connection:
                    return self._steps(connection, replay)
            switched = self._parts.database.write(partial(self._switch, replay=replay, learner=learner))
            if switched is not _NotYet.GROWN:
                return switched

    def undo(self) -> Difference:
        """Go back to what was learned before the last rebuild."""

        def job(connection: Connection) -> Difference:
            counts = generations.undo(connection, self._tenant)
            if counts is None:
                raise InvalidInput("there is no rebuild to undo: the last one was undone, or there was none")
            undone = Difference(
                learner="", added=counts["lost"], lost=counts["added"], changed=counts["changed"], switched=True
            )
            self._tell(connection, undone, undone=True)
            return undone

        return self._parts.database.write(job)

    def _switch(self, connection: Connection, *, replay: "_Replay", learner: Learner) -> list[Step] | _NotYet:
        if generations.fingerprint(connection, self._tenant) != replay.fingerprint:
            return _NotYet.CHANGED
        if replay.has_more(connection):
            return _NotYet.GROWN
        now = self._parts.clock.now()
        steps = self._steps(connection, replay)
        number = generations.start(connection, self._tenant, learner.name, now)
        added = [step.item.id for step in steps if step.what == "added"]
        lost = [step.item.id for step in steps if step.what == "lost"]
        touched = items.fetch(connection, self._tenant, lost)
        generations.take(connection, self._tenant, number, lost)
        rows = replay.rows_of(added)
        generations.put(connection, self._tenant, number, rows)
        former = {one.id: one for one in generations.learned(connection, self._tenant, STATEMENTS, told=False)}
        former |= {one.id: one for one in generations.learned(connection, self._tenant, STATEMENTS, told=True)}
        for step in steps:
            if step.what == "changed":
                generations.shift(connection, self._tenant, number, former[step.item.id], step.item)
        touched |= items.fetch(connection, self._tenant, [step.item.id for step in steps if step.what != "lost"])
        for item in touched.values():
            freshen(connection, self._tenant, item)
        if steps:
            self._tell(connection, _described(learner, steps, switched=True), undone=False)
        return steps

    def _tell(self, connection: Connection, made: Difference, *, undone: bool) -> None:
        told = Rebuilt(learner=made.learner, added=made.added, lost=made.lost, changed=made.changed, undone=undone)
        tell(connection, self._tenant, None, "memory.rebuilt", told)

    def _steps(self, connection: Connection, replay: "_Replay") -> list[Step]:
        old = generations.learned(connection, self._tenant, STATEMENTS, told=False)
        told = generations.learned(connection, self._tenant, STATEMENTS, told=True)
        new = replay.learned()
        return _compare([*old, *told], new, {one.id for one in told})

    @contextmanager
    def _scratch(self, learner: Learner) -> Iterator[Parts]:
        """A scratch store to learn into, with the same models, thrown away at the end.

        It is in memory: a file would leave users' data behind if the process were killed.
        """
        alone = {"read_db": "", "events_url": "", "keep_events": False, "embedding_cache_url": ""}
        config = self._parts.config.changed(db=":memory:", tenant=self._tenant, **alone)
        embedder = _Remembering(self._parts.embedding.embedder)
        parts = assemble(config, self._parts.clock, embedder, learner=learner)
        try:
            yield parts
        finally:
            parts.close()


class _Replay:
    """Learns from the log again, in the order in which it was recorded, with directly told statements in between."""

    def __init__(self, live: Parts, scratch: Parts, learner: Learner, tenant: str, lessons: dict[str, Lesson]) -> None:
        self._live = live
        self._scratch = scratch
        self._learner = learner
        self._tenant = tenant
        self._keeper = Keeper(scratch)
        self._backlog = Backlog(scratch, self._keeper)
        self._accounts = Backlog(live, Keeper(live))
        self._id_of_told: dict[str, str] = {}  # of told statements: the scratch store's ids by the real store's ids
        self._spent: dict[str, Spent] = {}
        self._lessons = lessons
        self._passed: set[str] = set()  # interactions that were passed over, as nobody had learned from them yet
        self._until = ""
        with live.database.read() as connection:
            self.fingerprint = generations.fingerprint(connection, tenant)
            self._unwanted = generations.unwanted(connection, tenant)
            told = generations.learned(connection, tenant, STATEMENTS, told=True)
            known = items.fetch(connection, tenant, [one.id for one in told])
        self._told = sorted(known.values(), key=lambda item: (item.recorded_at, item.id))

    def catch_up(self, progress: Progress) -> None:
        """Learn from the interactions that were added or learned from since the last call."""
        while True:
            with self._live.database.read() as connection:
                page = log.after(connection, self._tenant, self._until, AT_ONCE)
                late = generations.learned_among(connection, self._tenant, sorted(self._passed))
                page += [(found, True) for late_id in late if (found := log.get(connection, self._tenant, late_id))]
            if not page:
                break
            for interaction, was_learned in page:
                self._replay(interaction, was_learned=was_learned)
                progress(1)
        for item in self._told:
            self._tell(item)
        self._told = []

    def has_more(self, connection: Connection) -> bool:
        """Whether something was learned that the replay has not seen."""
        later = generations.last_learned(connection, self._tenant) > self._until
        return later or bool(generations.learned_among(connection, self._tenant, sorted(self._passed)))

    def _replay(self, interaction: Interaction, *, was_learned: bool) -> None:
        while self._told and self._told[0].recorded_at <= interaction.recorded_at:
            self._tell(self._told.pop(0))
        if was_learned:
            self._learn(interaction)
            self._passed.discard(interaction.id)
        else:
            self._passed.add(interaction.id)
        self._until = max(self._until, interaction.id)

    def book(self) -> None:
        """Add to the ledger what was spent so far, even if the rebuild fails."""
        by_user, self._spent = self._spent, {}

        def job(connection: Connection) -> None:
            for user_id, spent in by_user.items():
                self._accounts.book(connection, Scope(self._tenant, user_id or None), spent)

        self._live.database.write(job)

    def learned(self) -> list[Learned]:
        """The items of the scratch store; told statements have their ids of the real store."""
        back = {scratch: own for own, scratch in self._id_of_told.items()}
        with self._scratch.database.read() as connection:
            found = [
                *generations.learned(connection, self._tenant, STATEMENTS, told=False),
                *generations.learned(connection, self._tenant, STATEMENTS, told=True),
            ]
        named = [one._replace(id=back.get(one.id, one.id)) for one in found]
        return [one._replace(superseded_by=back.get(one.superseded_by or "", one.superseded_by)) for one in named]

    def rows_of(self, ids: Sequence[str]) -> generations.Rows:
        """The rows of some items of the scratch store, with the ids that told statements have in the real store."""
        back = {scratch: own for own, scratch in self._id_of_told.items()}
        with self._scratch.database.read() as connection:
            rows = generations.rows_of(connection, self._tenant, ids)
        for link in rows["links"]:
            link["other_id"] = back.get(link["other_id"], link["other_id"])
        for row in rows["items"]:
            row["superseded_by"] = back.get(row["superseded_by"], row["superseded_by"])
        rows["history"] = []
        return rows

    def _learn(self, interaction: Interaction) -> None:
        # The scratch store has no log; the message that this one answers is in the log of the real store.
        exchange = replace(self._backlog.exchange(interaction), before=self._accounts.said_before(interaction))
        lesson = self._lessons.get(interaction.id) or self._ask(exchange)
        weighed, judging = self._keeper.judged(
            self._keeper.weigh(self._backlog.drafts(exchange, lesson, self._unwanted))
        )
        self._spend(interaction, judging)
        now = interaction.recorded_at
        self._scratch.database.write(lambda connection: self._keeper.settle(connection, weighed, now))

    def _ask(self, exchange: Exchange) -> Lesson:
        interaction = exchange.interaction
        if over := self._accounts.over_the_cap(interaction.scope):
            raise ModelUnavailable(f"nothing was changed: {over.reason}")
        lesson = self._learner.learn(exchange)
        self._spend(interaction, lesson.spent)
        self._lessons[interaction.id] = lesson
        return lesson

    def _spend(self, interaction: Interaction, spent: Spent) -> None:
        shelf = interaction.scope.shelf
        self._spent[shelf] = self._spent.get(shelf, NOTHING) + spent

    def _tell(self, item: Item) -> None:
        scope = Scope(self._tenant, item.user_id, item.agent_id, item.session_id)
        draft = Draft(scope, item.kind, item.text, item.valid_from, speaker=item.speaker, sacred=item.sacred)
        named = self._keeper.claimed(draft, self._keeper.user_name(self._tenant, scope.shelf))
        weighed = self._keeper.weigh([named])
        now = item.recorded_at
        settled = self._scratch.database.write(lambda connection: self._keeper.settle(connection, weighed, now))
        self._id_of_told[item.id] = settled[0].item.id


class _Remembering:
    """An embedder that caches the vectors of texts, because a replay embeds the same statements again and again."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._made: dict[str, tuple[Vectors, WordVectors | None]] = {}

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    @property
    def has_words(self) -> bool:
        return has_words(self._embedder)

    def embed(self, texts: Sequence[str], *, deadline: Deadline | None = None) -> Vectors:
        return self.embed_words(texts, deadline=deadline)[0]

    def embed_query(self, text: str, *, deadline: Deadline | None = None) -> Vectors:
        return self._embedder.embed_query(text, deadline=deadline)

    def embed_words(
        self, texts: Sequence[str], *, deadline: Deadline | None = None
    ) -> tuple[Vectors, Sequence[WordVectors | None]]:
        fresh = [text for text in dict.fromkeys(texts) if text not in self._made]
        vectors, words = embed_words(self._embedder, fresh, deadline)
        self._made |= dict(zip(fresh, zip(vectors, words, strict=True), strict=True))
        if not texts:
            return vectors, words
        return np.stack([self._made[text][0] for text in texts]), [self._made[text][1] for text in texts]

    def embed_query_words(self, text: str, *, deadline: Deadline | None = None) -> tuple[Vectors, WordVectors | None]:
        return embed_query_words(self._embedder, text, deadline)


def _compare(old: Sequence[Learned], new: Sequence[Learned], told: set[str]) -> list[Step]:
    """The steps that turn the old items into the new. A statement that is in both keeps its id, and so its warmth."""
    former: dict[tuple[str, ...], list[Learned]] = defaultdict(list)
    for one in old:
        former[_identity(one)].append(one)
    pairs: list[tuple[Learned, Learned]] = []
    added = []
    for one in new:
        same = former.get(_identity(one))
        if same:
            pairs.append((same.pop(0), one))
        else:
            added.append(one)
    renamed = {new_one.id: old_one.id for old_one, new_one in pairs}
    steps = [Step("added", one) for one in added]
    steps += [Step("lost", one) for remaining in former.values() for one in remaining if one.id not in told]
    for old_one, new_one in pairs:
        by = renamed.get(new_one.superseded_by or "", new_one.superseded_by)
        now = new_one._replace(id=old_one.id, superseded_by=by)
        if (old_one.valid_from, old_one.valid_to) != (now.valid_from, now.valid_to):
            steps.append(Step("changed", now))
    return steps


def _identity(one: Learned) -> tuple[str, ...]:
    return one.user_id, one.agent_id, one.kind, one.content_hash.hex()


def _described(learner: Learner, steps: Sequence[Step], *, switched: bool) -> Difference:
    texts = {
        what: tuple(step.item.text for step in steps if step.what == what) for what in ("added", "lost", "changed")
    }
    return Difference(
        learner=learner.name,
        added=len(texts["added"]),
        lost=len(texts["lost"]),
        changed=len(texts["changed"]),
        switched=switched,
        added_texts=texts["added"],
        lost_texts=texts["lost"],
        changed_texts=texts["changed"],
    )
