"""Searching: the question's vector, candidates from the indexes, their ranking, and what they lead to."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial

from sqlalchemy import Connection

from emberkeep.clock import Deadline
from emberkeep.errors import ModelUnavailable
from emberkeep.model.item import Item
from emberkeep.model.moment import to_micros
from emberkeep.model.recall import Hit, Hits, Plan, Selection
from emberkeep.providers.base import Vectors
from emberkeep.recall.channels import Candidates, Question, gather
from emberkeep.recall.pipeline import current_first, follow, rank
from emberkeep.storage import items, links, shelves
from emberkeep.storage.shelves import State
from emberkeep.storage.terms import query_terms
from emberkeep.wiring import Parts

LEADS = 5  # hits whose links are followed


class Searcher:
    """Finds what is relevant."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def search(self, text: str, selection: Selection, plan: Plan, limit: int, deadline: Deadline | None) -> Hits:
        """The best hits among what the selection sees; what a model that is down leaves out is said."""
        vector, degraded = self._vector(text, plan, deadline)
        now = self._parts.clock.now()
        with self._parts.database.read() as connection:
            states = self._states(connection, selection, vector)
            question = Question(vector if any(state.space for state in states) else None, query_terms(text))
            candidates = self._candidates(connection, selection, states, question, plan, now)
            hits = rank(candidates, plan, limit, partial(self._fetch, connection, selection.tenant, now))
            return Hits(self._led_on(connection, selection, hits, limit, now), degraded)

    def _candidates(  # noqa: PLR0917 - a step of `search`
        self,
        connection: Connection,
        selection: Selection,
        states: Sequence[State],
        question: Question,
        plan: Plan,
        now: datetime,
    ) -> Candidates:
        only = items.with_attributes(connection, selection)
        moment = to_micros(selection.as_of or now)
        with self._parts.residents.up_to_date(connection, selection.tenant, states) as indexes:
            return gather(indexes, question, plan, lambda index: index.allowed(selection, to_micros(now), only), moment)

    def _led_on(  # a step of `search`
        self, connection: Connection, selection: Selection, hits: tuple[Hit, ...], limit: int, now: datetime
    ) -> tuple[Hit, ...]:
        """Hits, with what the best statements are linked to, and what is so now before what no longer is."""
        tenant = selection.tenant
        best = [hit.id for hit in hits[:LEADS] if hit.kind != "episode"]  # episodes have no links
        stale = [hit.id for hit in hits if hit.why.stale]
        if not best and not stale:
            return hits

        def fetch(ids: Sequence[str]) -> Mapping[str, Item]:
            found = self._fetch(connection, tenant, now, ids)
            return {item_id: item for item_id, item in found.items() if selection.sees(item, now)}

        around = [link for link in links.around(connection, tenant, best) if link.relation != "supersedes"]
        hits = follow(hits, ((link.item_id, link.other_id, link.weight) for link in around), limit, fetch)
        return current_first(hits, items.successors(connection, tenant, stale), limit, fetch)

    def _vector(self, text: str, plan: Plan, deadline: Deadline | None) -> tuple[Vectors | None, tuple[str, ...]]:
        if "dense" not in plan.channels:
            return None, ()
        if deadline is not None and deadline.passed:
            return None, ("dense: left out, the deadline had passed",)
        try:
            return self._parts.embedding.query(text, deadline), ()
        except ModelUnavailable as error:
            return None, (f"dense: left out, {error}",)

    def _states(self, connection: Connection, selection: Selection, vector: Vectors | None) -> list[State]:
        states = shelves.states(connection, selection.tenant, selection.shelves)
        for state in states[:1]:  # they are all in one space
            self._parts.embedding.check(state.space)
            if vector is not None and state.space is not None:
                self._parts.embedding.check_length(len(vector), state.space)
        return states

    def _fetch(self, connection: Connection, tenant: str, now: datetime, ids: Sequence[str]) -> dict[str, Item]:
        found = items.fetch(connection, tenant, ids)
        return {item_id: self._parts.thermal.cooled(item, now) for item_id, item in found.items()}
