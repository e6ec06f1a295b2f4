"""Keeping statements: compared with their neighbours before the transaction, settled inside it."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from sqlalchemy import Connection

from emberkeep.errors import ModelUnavailable
from emberkeep.learning.acquaintances import introduced, names_in
from emberkeep.learning.casing import with_capitals
from emberkeep.learning.claims import claim_of, entities_of
from emberkeep.learning.embedding import Progress
from emberkeep.learning.gloss import gloss
from emberkeep.lifecycle.settle import Neighbour, Settled, in_doubt, settle
from emberkeep.model.claim import Claim
from emberkeep.model.finding import NOTHING, Doubt, Spent
from emberkeep.model.item import Draft, Item
from emberkeep.model.kinds import Kind
from emberkeep.model.moment import to_micros
from emberkeep.model.recall import Selection
from emberkeep.model.sameness import content_hash
from emberkeep.model.scope import Scope
from emberkeep.providers.base import Judge, Vectors, closeness
from emberkeep.recall.channels import nearest_items
from emberkeep.storage import claims, generations, items, shelves, vectors
from emberkeep.storage.shelf_index import ShelfIndex
from emberkeep.storage.spaces import Space
from emberkeep.storage.vectors import Embedded
from emberkeep.wiring import Parts

_logger = logging.getLogger(__name__)
MOST_PEOPLE = 300  # statements to search for names of people
SEED_AT_ONCE = 200  # drafts in one transaction
STATEMENTS: tuple[Kind, ...] = ("fact", "preference", "decision")


@dataclass(frozen=True, slots=True)
class Weighed:
    """Drafts of one user, their vectors (`None` if the embedder is down), and the neighbours of each draft."""

    drafts: tuple[Draft, ...]
    vectors: Sequence[Embedded] | None
    space: Space | None
    neighbours: tuple[tuple[Neighbour, ...], ...]
    reasons: tuple[str, ...] = ()


class Keeper:
    """Keeps drafts: a repeated one warms the known item, a more exact one refines it, a changed one supersedes it."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def user_name(self, tenant: str, user_id: str) -> str | None:
        """The user's name as they wrote it, if they ever said it."""
        with self._parts.database.read() as connection:
            return user_name(connection, tenant, user_id)

    def unwanted(self, scope: Scope) -> generations.Unwanted:
        """Statements that were deleted or corrected, with the time of that: earlier messages must not restore them."""
        with self._parts.database.read() as connection:
            return generations.unwanted(connection, scope.tenant, scope.shelf)

    def claimed_together(self, drafts: Sequence[Draft], user_name: str | None) -> list[Draft]:
        """Drafts of one exchange with their claims; a name that the user gives in one of them counts for all."""
        told = [claim_of(with_capitals(draft.text)) if draft.kind in STATEMENTS else None for draft in drafts]
        called = [user_name, *(claim.value for claim in told if claim is not None and claim.is_own_name)]
        return [_claiming(draft, claim, called) for draft, claim in zip(drafts, told, strict=True)]

    def claimed(self, draft: Draft, user_name: str | None) -> Draft:
        """The draft with its claim and entities, if it is a statement."""
        return self.claimed_together([draft], user_name)[0]

    def weigh(self, drafts: Sequence[Draft]) -> Weighed:
        """Embed drafts and find the neighbours of each. Both are left out if the embedder is down."""
        if not drafts:
            return Weighed((), None, None, ())
        tenant = drafts[0].scope.tenant
        try:
            space, made = self._parts.embedding.texts(tenant, [draft.spoken for draft in drafts])
        except ModelUnavailable as error:
            return Weighed(tuple(drafts), None, None, ((),) * len(drafts), (str(error),))
        return Weighed(tuple(drafts), made, space, self._around(drafts, made))

    def judged(self, weighed: Weighed) -> tuple[Weighed, Spent]:
        """Ask the learner about drafts where the rules are in doubt, if it is a `Judge`.

        Returns the drafts with its answers, and what they cost. If its model is unavailable or answers nonsense, the
        rules decide: the findings are not lost over that.
        """
        judge: object = self._parts.learner
        if not isinstance(judge, Judge):
            return weighed, NOTHING
        near = self._in_doubt(weighed)
        doubts = [Doubt(weighed.drafts[place].text, tuple(one.text for one in known)) for place, known in near.items()]
        if not doubts:
            return weighed, NOTHING
        try:
            judgement = judge.judge(doubts)
        except ModelUnavailable as error:
            _logger.warning("the rules decide, the model could not: %s", error)
            return weighed, Spent(error.tokens_in, error.tokens_out, error.calls)
        neighbours = list(weighed.neighbours)
        for (place, known), relations in zip(near.items(), judgement.relations, strict=True):
            said = {item.id: relation for item, relation in zip(known, relations, strict=True)}
            neighbours[place] = tuple(
                replace(one, relation=said.get(one.item_id, "other")) for one in neighbours[place]
            )
        return replace(weighed, neighbours=tuple(neighbours)), judgement.spent

    def _in_doubt(self, weighed: Weighed) -> dict[int, list[Item]]:
        found = {}
        with self._parts.database.read() as connection:
            for place, (draft, near) in enumerate(zip(weighed.drafts, weighed.neighbours, strict=True)):
                known = in_doubt(connection, draft, near, same_from=self._parts.config.paraphrase_similarity)
                if known:
                    found[place] = known
        return found

    def settle(self, connection: Connection, weighed: Weighed, now: datetime, *, warming: bool = True) -> list[Settled]:
        """Write the drafts one by one, with their vectors. Without `warming`, repeated statements stay as they are."""
        if not weighed.drafts:
            return []
        scope = weighed.drafts[0].scope
        shelves.claim(connection, scope.tenant, scope.shelf, 0)  # locks the shelf, creating it if there is none
        settled, same_from = [], self._parts.config.paraphrase_similarity
        is_active = weighed.space is not None and vectors.is_in_use(connection, weighed.space)
        for place, (draft, near) in enumerate(zip(weighed.drafts, weighed.neighbours, strict=True)):
            result = settle(connection, draft, near, self._parts.thermal, now, same_from=same_from, warming=warming)
            if result.wants_vector and weighed.vectors is not None and weighed.space is not None:
                vectors.put_held(
                    connection, scope.tenant, weighed.space, result.item, weighed.vectors[place], is_active=is_active
                )
            settled.append(result)
        return settled

    def seed(self, drafts: Sequence[Draft], now: datetime, progress: Progress) -> int:
        """Keep those drafts of one user that were never kept before, in the same or other words; returns how many."""
        scope = drafts[0].scope
        hashes = list(dict.fromkeys(content_hash(draft.text) for draft in drafts))
        with self._parts.database.read() as connection:
            known = items.ever_kept(connection, scope.tenant, scope.shelf, hashes)
        fresh = {_identity(draft): draft for draft in drafts if _identity(draft) not in known}
        todo = self.claimed_together(list(fresh.values()), self.user_name(scope.tenant, scope.shelf))
        new = 0
        for start in range(0, len(todo), SEED_AT_ONCE):
            weighed = self.weigh(todo[start : start + SEED_AT_ONCE])
            settled = self._parts.database.write(partial(self.settle, weighed=weighed, now=now, warming=False))
            new += sum(one.action == "added" for one in settled)
            progress(len(weighed.drafts))
        return new

    def _around(self, drafts: Sequence[Draft], made: Sequence[Embedded]) -> tuple[tuple[Neighbour, ...], ...]:
        scope = drafts[0].scope
        now = to_micros(self._parts.clock.now())
        with self._parts.database.read() as connection:
            states = shelves.states(connection, scope.tenant, [scope.shelf])
            for state in states:
                self._parts.embedding.check(state.space)
            with self._parts.residents.up_to_date(connection, scope.tenant, states) as indexes:
                close = partial(closeness, embedder=self._parts.embedding.embedder)
                return tuple(
                    _near(indexes, draft, one.vector, now, close) for draft, one in zip(drafts, made, strict=True)
                )


def user_name(connection: Connection, tenant: str, user_id: str) -> str | None:
    """A user's name as they wrote it, if they ever said it."""
    found = claims.called(connection, tenant, user_id)
    if found is None:
        return None
    text, folded = found
    at = text.casefold().find(folded)
    return text[at : at + len(folded)] if at >= 0 else folded.title()


def acquaintances(connection: Connection, tenant: str, user_id: str) -> frozenset[str]:
    """The names of the people whom a user has spoken of as their own ("my sister Anna"), in lower case."""
    return names_in(claims.of_others(connection, tenant, user_id, MOST_PEOPLE))


def _claiming(draft: Draft, claim: Claim | None, user_names: Sequence[str | None]) -> Draft:
    if draft.kind not in STATEMENTS:
        return draft
    text = with_capitals(draft.text)
    own = None if claim is None else introduced(claim.owned_by([*user_names, draft.scope.user_id]), text)
    return replace(draft, claim=own, entities=draft.entities or entities_of(text), gloss=gloss(own))


def _identity(draft: Draft) -> tuple[str, str, str, bytes]:
    return draft.scope.agent_id or "", draft.scope.session_id or "", draft.kind, content_hash(draft.text)


def _near(
    indexes: Sequence[ShelfIndex], draft: Draft, vector: Vectors, now: int, close: Callable[[float], float]
) -> tuple[Neighbour, ...]:
    if draft.kind == "episode":  # evidence: it stays as it was said, even beside a similar one
        return ()
    kinds = STATEMENTS if draft.kind in STATEMENTS else (draft.kind,)
    selection = Selection(draft.scope.tenant, draft.scope.user_id, kinds=kinds)
    found = nearest_items(indexes, vector, lambda index: index.allowed(selection, now, None))
    return tuple(Neighbour(item_id, close(cosine)) for item_id, cosine in found)
