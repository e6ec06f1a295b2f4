"""Searching: read and embed the question, gather candidates from the indexes, rank them, and follow their links."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from typing import TypeVar

from sqlalchemy import Connection

from emberkeep.clock import Deadline
from emberkeep.errors import ModelUnavailable
from emberkeep.flows.reranking import reranked, to_be_read
from emberkeep.language.names import possible_names
from emberkeep.language.periods import Asked, asked, periods
from emberkeep.language.timeless import without_feasts
from emberkeep.model.item import Item
from emberkeep.model.moment import from_micros, micros_of_days, offset_of, to_micros
from emberkeep.model.recall import Hit, Hits, Plan, Selection
from emberkeep.providers.base import Vectors, reads, stretch
from emberkeep.recall.calling import speakers_called
from emberkeep.recall.channels import Candidates, Seen, gather
from emberkeep.recall.fusion import Scores, totals, weights_of
from emberkeep.recall.meanings import best_first, look_closer
from emberkeep.recall.pipeline import current_first, follow, losses, rank
from emberkeep.recall.question import MOST_SPEAKERS, Question, Span, asks_only_when, read, what_is_asked
from emberkeep.storage import claims, items, links, shelves, vectors
from emberkeep.storage.shelf_index import ShelfIndex
from emberkeep.storage.shelves import State
from emberkeep.storage.spaces import Space
from emberkeep.storage.word_vectors import AskedWords
from emberkeep.wiring import Parts

T = TypeVar("T")
LEADS = 5  # hits whose links are followed
A_MINUTE = 60_000_000  # microseconds
A_DAY = 1_440 * A_MINUTE
A_MONTH = 31  # days; a longer period does not date an event
WITHOUT_WORDS = (
    "meanings: left out, an older version made no vectors of words for some of the best; a worker or upkeep does"
)
_BY_VECTOR = frozenset(("dense", "neighbours", "meanings"))
LONG = 365 * A_DAY  # how far "before" and "after" reach unless the question says
SLEPT = timedelta(days=90)  # if nothing was kept for so long, a question cannot mean the days since


@dataclass(frozen=True, slots=True)
class Asking:
    """A search request: the question's text, when it is asked, which items it may see, and how to search.

    `dated` says that the caller gave the time `at` which it is asked; otherwise that is now. With `whole`, a message
    that says more than a higher-ranked statement learned from it is returned as well, not left out.
    """

    text: str
    at: datetime
    selection: Selection
    plan: Plan
    deadline: Deadline | None = None
    whole: bool = False
    dated: bool = True


@dataclass(frozen=True, slots=True)
class Read:
    """What is known of a question before the search: its vector, its words' vectors, and the time it is about.

    `degraded` says what had to be left out. `only_when` is set if the question asks about nothing but a time ("What
    happened in April?"), and holds its text without that time.
    """

    vector: Vectors | None
    period: Span | None
    degraded: tuple[str, ...] = ()
    words: AskedWords | None = None
    only_when: str | None = None


@dataclass(frozen=True, slots=True)
class _Found:
    """A question with its candidates, and the space that their vectors are in."""

    question: Question
    space: Space | None
    candidates: Candidates


@dataclass(frozen=True, slots=True)
class _Ranked:
    """A question with its candidates, the weights of their signals, and what had to be left out.

    `to_read` has the texts that the reranker is to read, by the positions of their candidates.
    """

    question: Question
    candidates: Candidates
    weights: Scores
    left_out: tuple[str, ...]
    to_read: Mapping[int, str]


class Searcher:
    """Finds the items that are relevant to a question."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def read(self, asking: Asking) -> Read:
        """Embed the question and find out which time it is about; several searches can share the result."""
        when = self._when(asking) if "time" in asking.plan.channels else None
        rest = when.rest if when else None
        speakers = self._speakers(asking) if when is not None or _BY_VECTOR & set(asking.plan.channels) else set()
        vector, words, degraded = self._vectors(asking, rest, speakers)
        period, more = self._period(asking, when, speakers)
        bare = rest if rest is not None or when is None or period is None else without_feasts(asking.text)
        only_when = bare if asks_only_when(bare, speakers) else None
        # Words for times are all near each other, so comparing words says nothing about "What happened in April?".
        return Read(vector, period, (*degraded, *more), words if only_when is None else None, only_when)

    def search(self, asking: Asking, limit: int, known: Read | None = None) -> Hits:
        """Return the best hits among the items that the selection sees; `degraded` says what had to be left out."""
        plan, selection = replace(asking.plan, candidates=max(asking.plan.candidates, 2 * limit)), asking.selection
        known = self.read(asking) if known is None else known
        now, asked_so = self._parts.clock.now(), replace(asking, plan=plan)
        reranker = self._parts.reranker if "rerank" in plan.channels else None

        def choose(connection: Connection) -> _Ranked:
            found = self._found(connection, asked_so, known)
            candidates, weights, left_out = _closer(connection, asked_so, found, plan.closer)
            fetch = partial(self._fetch, connection, selection.tenant, now)
            to_read = to_be_read(candidates, plan, weights, fetch) if reranker else {}
            return _Ranked(found.question, candidates, weights, left_out, to_read)

        def answer(ranked: _Ranked, connection: Connection) -> Hits:
            fetch, ids = partial(self._fetch, connection, selection.tenant, now), ranked.candidates.ids
            counting = _counting(plan, ranked.question)
            hits = rank(
                ranked.candidates, counting, ranked.weights, limit, fetch, asked=asking.text, whole=asking.whole
            )
            if "links" in plan.channels:
                hits = self._led_on(connection, selection, ranked.question, hits, ids, limit, now)
            return Hits(hits, (*known.degraded, *ranked.left_out))

        look = self._parts.database.look
        if reranker is None:
            return look(lambda connection: answer(choose(connection), connection))
        chosen = look(choose)  # releases the connection while the reranker reads
        candidates, unread = reranked(
            reranker, asking.text, asking.deadline, chosen.candidates, chosen.to_read, plan, chosen.weights
        )
        return look(partial(answer, replace(chosen, candidates=candidates, left_out=(*chosen.left_out, *unread))))

    def candidates(self, asking: Asking) -> Candidates:
        """Return the candidates that a search would rank, with all their signals, each compared word by word."""
        known = self.read(asking)
        with self._parts.database.read() as connection:
            found = self._found(connection, asking, known)
            return _closer(connection, asking, found, len(found.candidates.ids))[0]

    def _found(self, connection: Connection, asking: Asking, known: Read) -> _Found:
        selection, now = asking.selection, to_micros(self._parts.clock.now())
        states = self._states(connection, selection, known.vector)
        space = next((state.space for state in states if state.space), None)  # all shelves are in one space
        vector, words = (known.vector, known.words) if space else (None, None)
        question = read(
            asking.text,
            vector,
            known.period,
            stretch(self._parts.embedding.embedder),
            words,
            only_when=known.only_when,
            utc_offset=offset_of(asking.at),
        )
        only = items.with_attributes(connection, selection)
        moment = _when_it_held(question, now) if selection.as_of is None else to_micros(selection.as_of)
        # Statements are evidence for the messages they were learned from, so they are searched for messages, too.
        any_kind = replace(selection, kinds=()) if "episode" in selection.kinds else None

        def seen(index: ShelfIndex) -> Seen:
            found = index.allowed(selection, now, only)
            if any_kind is None or found is None:
                return Seen(found, found)
            return Seen(found, index.spoken_for(found, index.allowed(any_kind, now, None)))

        held = self._parts.residents.up_to_date(connection, selection.tenant, states, with_cold=selection.with_cold)
        with held as indexes:
            return _Found(question, space, gather(indexes, question, asking.plan, seen, moment))

    def _led_on(  # noqa: PLR0917 - a step of `search`
        self,
        connection: Connection,
        selection: Selection,
        question: Question,
        hits: tuple[Hit, ...],
        ranked: Sequence[str],
        limit: int,
        now: datetime,
    ) -> tuple[Hit, ...]:
        """Add the items that the best statements are linked to, and put what holds now before what it replaced.

        A link does not bring back an item that was a candidate itself and ranked lower. A stale message stays in front
        if the question asks about what held before.
        """
        tenant = selection.tenant
        best = [hit.id for hit in hits[:LEADS] if hit.kind != "episode"]  # episodes have no links
        stale = [hit.id for hit in hits if hit.why.stale]
        if not best and not stale:
            return hits

        def fetch(ids: Sequence[str]) -> Mapping[str, Item]:
            found = self._fetch(connection, tenant, now, ids)
            return {item_id: item for item_id, item in found.items() if selection.sees(item, now)}

        around = [link for link in links.around(connection, tenant, best) if link.relation != "supersedes"]
        known = set(ranked) if around else set()
        around = [link for link in around if link.other_id not in known]
        hits = follow(hits, ((link.item_id, link.other_id, link.weight) for link in around), limit, fetch)
        replaced = items.successors(connection, tenant, stale)
        former = claims.of_items(connection, tenant, [old_id for old_id, _ in replaced.values()])
        news = {
            episode: new_id for episode, (old_id, new_id) in replaced.items() if not question.is_of(former.get(old_id))
        }
        return current_first(hits, news, limit, fetch)

    def _vectors(
        self, asking: Asking, rest: str | None, speakers: set[str]
    ) -> tuple[Vectors | None, AskedWords | None, tuple[str, ...]]:
        """Embed the question; returns its vector, its words' vectors, and what had to be left out."""
        channels = set(asking.plan.channels)
        if not _BY_VECTOR & channels:
            return None, None, ()
        if asking.deadline is not None and asking.deadline.passed:
            return None, None, ("dense: left out, the deadline had passed",)
        embedder = self._parts.embedding.embedder
        if not reads(embedder, asking.text):
            return None, None, (f"dense: left out, {embedder.name} was not made for texts like the question",)
        text = what_is_asked(asking.text, rest, speakers)
        try:
            vector, words = self._parts.embedding.query(text, asking.deadline)
        except ModelUnavailable as error:
            return None, None, (f"dense: left out, {error}",)
        return vector, words if "meanings" in channels else None, ()

    def _speakers(self, asking: Asking) -> set[str]:
        """Return the speakers in the shelves to search, each as all the names that the question may use for them."""
        selection, names = asking.selection, possible_names(asking.text)
        if not names.words or (selection.kinds and "episode" not in selection.kinds):
            return set()

        def called(indexes: list[ShelfIndex]) -> set[str]:
            by_shelf = (islice(speakers_called(index, names), MOST_SPEAKERS) for index in indexes)
            return {speaker for speakers in by_shelf for speaker in speakers if speaker}

        return self._of_indexes(selection, called)

    def _when(self, asking: Asking) -> Asked | None:
        """Return the time that a question is about; if nothing was kept for long, it counts from the newest item.

        A question without a date is asked today. But imported memories may be years old, and then no item is from what
        is "last month" today.
        """
        when = asked(asking.text, asking.at)
        if asking.dated or when is None or when.period is None:
            return when
        last = self._of_indexes(asking.selection, _last_said)
        if last is None or asking.at - last < SLEPT or when.period.first <= last.date():
            return when
        return asked(asking.text, last.astimezone(asking.at.tzinfo))

    def _of_indexes(self, selection: Selection, job: Callable[[list[ShelfIndex]], T]) -> T:
        """Run a job on the up-to-date indexes of the shelves that a search may see."""

        def within(connection: Connection) -> T:
            states = self._states(connection, selection, None)
            held = self._parts.residents.up_to_date(connection, selection.tenant, states, with_cold=selection.with_cold)
            with held as indexes:
                return job(indexes)

        return self._parts.database.look(within)

    def _period(self, asking: Asking, wanted: Asked | None, speakers: set[str]) -> tuple[Span | None, tuple[str, ...]]:
        """Return the time span that a question is about, and what was left out if it could not be found."""
        if wanted is None:
            return None, ()
        if wanted.period is not None:
            return _beside(wanted, *micros_of_days(wanted.period.first, wanted.period.last)), ()
        if asking.deadline is not None and asking.deadline.passed:
            return None, (f"time: left out, the deadline had passed before {wanted.event!r} was looked for",)
        return self._around_event(asking, wanted, speakers), ()

    def _around_event(self, asking: Asking, wanted: Asked, speakers: set[str]) -> Span | None:
        """Return the time before, after or during an event; another search finds out when the event was.

        A time that is not certain is marked as guessed, unless the question asks about nothing else.
        """
        event = wanted.event or ""
        channels = tuple(name for name in asking.plan.channels if name not in {"time", "rerank"})
        plan = replace(asking.plan, channels=channels)
        hits = self.search(replace(asking, text=event, plan=plan), 1).hits
        if not hits:
            return None
        item = hits[0].item
        told = periods(item.text, item.said_at)
        if len(told) == 1 and told == periods(item.text, item.said_at, ahead=True) and told[0].days <= A_MONTH:
            return _beside(wanted, *micros_of_days(told[0].first, told[0].last))  # "our wedding is on 20 June"
        then = to_micros(item.occurred_at) + (item.utc_offset or offset_of(asking.at)) * A_MINUTE
        only_when = asks_only_when(asking.text.replace(event, " "), speakers)
        return _beside(wanted, then - A_DAY, then + A_DAY)._replace(guessed=not only_when)

    def _states(self, connection: Connection, selection: Selection, vector: Vectors | None) -> list[State]:
        """Return the states of the shelves to search; raises an error if their vectors are of another embedder."""
        states = shelves.states(connection, selection.tenant, selection.shelves)
        for state in states[:1]:  # all shelves are in one space
            self._parts.embedding.check(state.space)
            if vector is not None and state.space is not None:
                self._parts.embedding.check_length(len(vector), state.space)
        return states

    def _fetch(self, connection: Connection, tenant: str, now: datetime, ids: Sequence[str]) -> dict[str, Item]:
        """Return the items by id, with the temperatures that they have cooled to."""
        found = items.fetch(connection, tenant, ids)
        return {item_id: self._parts.thermal.cooled(item, now) for item_id, item in found.items()}


def _counting(plan: Plan, question: Question) -> Plan:
    """Return the plan; if the question asks when or how often, without a loss for echoes, as each repetition counts."""
    return replace(plan, echo_loss=0.0) if question.wants_number or question.wants_time else plan


def _last_said(indexes: list[ShelfIndex]) -> datetime | None:
    """Return when the newest of all items happened; None if there are no items."""
    by_shelf = [index.column("occurred_at")[index.column("live")] for index in indexes]
    return from_micros(max(int(times.max()) for times in by_shelf if len(times))) if any(map(len, by_shelf)) else None


def _when_it_held(question: Question, now: int) -> int:
    """Return when statements should hold: now, or in the middle of the past period that the question is about."""
    if question.period is None or not question.of_past:
        return now
    return min(now, (question.period.first + question.period.last) // 2)


def _closer(
    connection: Connection, asking: Asking, found: _Found, count: int
) -> tuple[Candidates, Scores, tuple[str, ...]]:
    """Compare the best `count` candidates with the question word by word, unless word vectors are missing.

    Returns the candidates, the weights of their signals, and what had to be left out.
    """
    question, candidates, plan = found.question, found.candidates, asking.plan
    usual, less = candidates.usual_length, losses(candidates, plan)
    weights = weights_of(plan, "words" if question.vector is None else "vectors", usual)
    if question.words is None or found.space is None or not candidates.ids:
        return candidates, weights, ()
    fetch = partial(vectors.words_of, connection, asking.selection.tenant, found.space)
    looked_at = look_closer(candidates, totals(candidates.signals, weights, less), question.words, count, fetch)
    if looked_at is None:
        return candidates, weights, (WITHOUT_WORDS,)
    return *best_first(*looked_at, (weights_of(plan, "meanings", usual), weights), less), ()


def _beside(wanted: Asked, start: int, end: int) -> Span:
    """Return the time before, after or during a period, with the event itself: what came before is often told then."""
    reach = LONG if wanted.reach is None else wanted.reach // timedelta(microseconds=1)
    match wanted.side:
        case "before":
            return Span(start - reach, start if wanted.event is None else end, "last")
        case "after":
            return Span(end if wanted.event is None else start, end + reach, "first")
        case "during":
            return Span(start, end)
