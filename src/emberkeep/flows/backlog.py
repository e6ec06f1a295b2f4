"""Working off the backlog: captured messages become episodes, and what matters in them becomes facts.

Each interaction is learned from once: it is leased, the learner is asked outside of any transaction, and its findings
are written in the same transaction that takes the interaction out of the backlog, if the lease still holds.
"""

import logging
import secrets
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from functools import partial

from sqlalchemy import Connection

from emberkeep.capture.episodes import episodes
from emberkeep.errors import EmberkeepError, InvalidInput, ModelUnavailable, StoreError, UnusableReply
from emberkeep.flows.keeping import Keeper, Weighed, acquaintances, user_name
from emberkeep.learning.embedding import Progress
from emberkeep.learning.gate import refusal
from emberkeep.lifecycle.keep import keep
from emberkeep.lifecycle.settle import Settled
from emberkeep.model import checks
from emberkeep.model.events import Learned, LearningFailed
from emberkeep.model.finding import NOTHING, Exchange, Finding, Lesson, Spent
from emberkeep.model.interaction import Interaction
from emberkeep.model.item import Draft
from emberkeep.model.message import Message
from emberkeep.model.moment import by_clock, day_of, offset_of, to_micros
from emberkeep.model.sameness import draft_hash
from emberkeep.model.scope import Scope
from emberkeep.storage import ledger, log
from emberkeep.storage.generations import Unwanted
from emberkeep.storage.log import Lease, Taken
from emberkeep.storage.outbox import tell
from emberkeep.wiring import Parts

_logger = logging.getLogger(__name__)
AT_ONCE = 20  # interactions in one lease
PATIENCE = 3  # exchanges in a row for which the model is unavailable before it counts as down
FIRST_PAUSE_S = 5.0
LONGEST_PAUSE_S = 3_600.0
SHORTLY = timedelta(hours=1)  # without a session, a message later than this is no answer to the one before
SOON = timedelta(days=1)  # the same within a session


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of learning from one interaction: the items, or the reason why there are none yet.

    `unavailable` says that the model could not be asked; `for_all` that the reason, a spending cap, holds for all
    other interactions, too.
    """

    settled: tuple[Settled, ...] = ()
    reason: str | None = None
    unavailable: bool = False
    for_all: bool = False


@dataclass(frozen=True, slots=True)
class Cap:
    """A cap on spending that was reached: one user's, or everyone's (`for_all`)."""

    reason: str
    for_all: bool


@dataclass(slots=True)
class Worked:
    """What one run over the backlog did so far."""

    derived: int = 0
    learned: int = 0
    new: int = 0
    updated: int = 0
    reasons: tuple[str, ...] = ()
    model_is_down: bool = False

    def take_in(self, outcome: Outcome) -> None:
        """Count the outcome of one interaction."""
        if outcome.reason is None:
            self.learned += 1
            self.new += sum(one.action == "added" for one in outcome.settled)
            self.updated += sum(one.action != "added" for one in outcome.settled)
        else:
            self.reasons = tuple(dict.fromkeys((*self.reasons, outcome.reason)))


class Backlog:
    """Learns from interactions, one by one, and never from the same one twice."""

    def __init__(self, parts: Parts, keeper: Keeper) -> None:
        self._parts = parts
        self._keeper = keeper

    def lease(self) -> Lease:
        """A new lease for this caller."""
        until = self._parts.clock.now() + timedelta(seconds=self._parts.config.lease_s)
        return Lease(secrets.token_hex(8), until)

    def work(self, tenant: str, progress: Progress, *, patient: bool, stop: threading.Event | None = None) -> Worked:
        """Learn from all interactions that wait, until `stop` is set, or the model is down or may not be asked.

        What is left is released. A `patient` run skips interactions that failed recently and are not due yet.
        """
        worked = Worked()
        suspects: list[str] = []
        while taken := self._take(tenant, lease := self.lease(), patient=patient):
            worked.derived += sum(not one.has_episodes for one in taken)
            for one in taken:
                outcome = self.learn_from(one, lease)
                worked.take_in(outcome)
                progress(1)
                suspects = self._suspected(tenant, suspects, one, outcome)
                if len(suspects) >= PATIENCE or outcome.for_all or (stop is not None and stop.is_set()):
                    worked.model_is_down = outcome.unavailable
                    self._parts.database.write(partial(log.release, tenant=tenant, holder=lease.holder))
                    return worked
            patient = patient or bool(worked.reasons)  # what just failed is tried again when it is due, not at once
        worked.model_is_down = bool(suspects)
        return worked

    def _suspected(self, tenant: str, suspects: list[str], taken: Taken, outcome: Outcome) -> list[str]:
        """The last exchanges in a row for which the model was unavailable.

        If it then answers for another one, they were the cause: each counts as a failed attempt.
        """
        if outcome.unavailable:
            return [*suspects, taken.interaction.id]
        if suspects:
            most = self._parts.config.learn_attempts
            self._parts.database.write(partial(log.blame, tenant=tenant, ids=suspects, most=most))
        return []

    def learn_from(self, taken: Taken, lease: Lease) -> Outcome:
        """Ask the learner about one leased interaction, and keep its findings."""
        learner = self._parts.learner
        interaction = taken.interaction
        if learner is None:
            return self._finish(interaction, lease, Lesson(()), self._keeper.weigh([]))
        if over := self.over_the_cap(interaction.scope):
            tomorrow = _tomorrow(self._parts.clock.now())
            return replace(self._put_off(taken, lease, over.reason, until=tomorrow), for_all=over.for_all)
        spent = NOTHING
        try:
            exchange = self.exchange(interaction)
            lesson = learner.learn(exchange)
            spent = lesson.spent
            unwanted = self._keeper.unwanted(interaction.scope) if lesson.findings else {}
            weighed, judging = self._keeper.judged(self._keeper.weigh(self.drafts(exchange, lesson, unwanted)))
            spent += judging
            return self._finish(interaction, lease, replace(lesson, spent=spent), weighed)
        except ModelUnavailable as error:
            spent += Spent(error.tokens_in, error.tokens_out, error.calls)
            if isinstance(error, UnusableReply):
                return self._put_off(taken, lease, str(error), attempts=taken.attempts + 1, spent=spent)
            return self._put_off(taken, lease, str(error), spent=spent, unavailable=True)
        except Exception as error:  # a learner may be anyone's code; one exchange it fails on must not hold up the rest
            if isinstance(error, EmberkeepError) and type(error) not in (StoreError, InvalidInput):
                raise  # the store itself failed, so it could not record a reason for this exchange, either
            _logger.exception("%s failed on %s", learner.name, interaction.id)
            reason = f"{type(error).__name__}: {error}"
            return self._put_off(taken, lease, reason, attempts=taken.attempts + 1, spent=spent)

    def exchange(self, interaction: Interaction) -> Exchange:
        """The interaction as the learner sees it: with the user's name, their acquaintances and the message before."""
        scope = interaction.scope
        with self._parts.database.read() as connection:
            name = user_name(connection, scope.tenant, scope.shelf)
            known = acquaintances(connection, scope.tenant, scope.shelf)
            return Exchange(interaction, name, known, _said_before(connection, interaction))

    def said_before(self, interaction: Interaction) -> Message | None:
        """The message right before these of a user: in the same session, or without one if it was shortly before."""
        with self._parts.database.read() as connection:
            return _said_before(connection, interaction)

    def drafts(self, exchange: Exchange, lesson: Lesson, unwanted: Unwanted) -> list[Draft]:
        """The findings as drafts with claims, without those that the gate refuses or that were deleted since."""
        interaction = exchange.interaction
        learner = self._parts.learner.name if self._parts.learner else ""
        admitted = []
        for finding in lesson.findings:
            draft = _draft(finding, interaction, learner)
            reason = refusal(finding, exchange)
            if unwanted.get((draft.scope.shelf, draft_hash(draft)), -1) > to_micros(interaction.recorded_at):
                reason = "deleted or corrected since"
            if reason is None:
                admitted.append(draft)
            else:
                _logger.info("not learned from %s, %s: %r", interaction.id, reason, finding.text[:80])
        return self._keeper.claimed_together(admitted, exchange.user_name)

    def _take(self, tenant: str, lease: Lease, *, patient: bool) -> list[Taken]:
        def job(connection: Connection) -> list[Taken]:
            now = self._parts.clock.now()
            taken = log.take(connection, tenant, AT_ONCE, lease, now=now, patient=patient)
            self._derive(connection, tenant, [one.interaction for one in taken if not one.has_episodes])
            return taken

        return self._parts.database.write(job)

    def _derive(self, connection: Connection, tenant: str, interactions: Sequence[Interaction]) -> None:
        if not interactions:
            return
        for interaction in sorted(interactions, key=lambda one: one.scope.shelf):  # shelves are locked in one order
            if made := episodes(interaction):
                keep(connection, made, self._parts.thermal, interaction.recorded_at)
        log.mark_derived(connection, tenant, [interaction.id for interaction in interactions])

    def _finish(self, interaction: Interaction, lease: Lease, lesson: Lesson, weighed: Weighed) -> Outcome:
        """Settle the drafts and take the interaction out of the backlog, unless the lease was lost."""
        now = self._parts.clock.now()
        tenant = interaction.scope.tenant
        name = self._parts.learner.name if self._parts.learner else None

        def job(connection: Connection) -> Outcome:
            self.book(connection, interaction.scope, lesson.spent)
            if not log.finish(connection, tenant, interaction.id, lease.holder, name):
                gone = "was deleted meanwhile, or took longer than its lease and is with another worker now"
                return Outcome(reason=f"{interaction.id}: {gone}")
            settled = tuple(self._keeper.settle(connection, weighed, now))
            new = sum(one.action == "added" for one in settled)
            told = Learned(interaction_id=interaction.id, learner=name, added=new, updated=len(settled) - new)
            tell(connection, tenant, interaction.scope.user_id, "memory.learned", told)
            return Outcome(settled)

        return self._parts.database.write(job)

    def _put_off(
        self,
        taken: Taken,
        lease: Lease,
        reason: str,
        *,
        attempts: int | None = None,
        until: datetime | None = None,
        spent: Spent = NOTHING,
        unavailable: bool = False,
    ) -> Outcome:
        """Leave the interaction in the backlog until later, or set it aside after too many attempts."""
        interaction, now = taken.interaction, self._parts.clock.now()
        tried = taken.attempts if attempts is None else attempts
        failed = tried >= self._parts.config.learn_attempts

        def job(connection: Connection) -> None:
            self.book(connection, interaction.scope, spent)
            log.put_off(
                connection,
                interaction.scope.tenant,
                interaction.id,
                lease.holder,
                until=until or now + timedelta(seconds=pause_after(tried)),
                reason=reason,
                attempts=tried,
                failed=failed,
            )
            if failed:
                told = LearningFailed(interaction_id=interaction.id, attempts=tried)
                tell(connection, interaction.scope.tenant, interaction.scope.user_id, "memory.learning.failed", told)

        self._parts.database.write(job)
        return Outcome(reason=reason, unavailable=unavailable)

    def book(self, connection: Connection, scope: Scope, spent: Spent) -> None:
        """Add to the ledger what was spent on a user."""
        model = self._parts.learner.name if self._parts.learner else ""
        day = day_of(self._parts.clock.now())
        ledger.add(connection, scope.tenant, day=day, user_id=scope.shelf, model=model, spent=spent)

    def over_the_cap(self, scope: Scope) -> "Cap | None":
        """The cap on spending that was reached today, if one was."""
        config = self._parts.config
        if not (config.spend_hard_tokens or config.spend_soft_tokens or config.spend_user_tokens):
            return None
        day = day_of(self._parts.clock.now())
        with self._parts.database.read() as connection:
            total = ledger.tokens_on(connection, scope.tenant, day)
            own = ledger.tokens_on(connection, scope.tenant, day, scope.shelf)
        if config.spend_hard_tokens and total >= config.spend_hard_tokens:
            reason = f"{total:,} tokens were spent on {day}, the cap is {config.spend_hard_tokens:,}: learned tomorrow"
            return Cap(reason, for_all=True)
        if config.spend_user_tokens and own >= config.spend_user_tokens:
            reason = f"{own:,} tokens were spent on {day} for one user, the cap is {config.spend_user_tokens:,}"
            return Cap(reason, for_all=False)
        if config.spend_soft_tokens and total >= config.spend_soft_tokens:
            _logger.warning("%s tokens were spent on %s, more than spend_soft_tokens", f"{total:,}", day)
        return None


def _said_before(connection: Connection, interaction: Interaction) -> Message | None:
    if not interaction.messages or interaction.messages[0].side != "user":
        return None
    found = log.before(connection, interaction)
    if found is None or found.scope.agent_id != interaction.scope.agent_id or not found.messages:
        return None
    within = SHORTLY if interaction.scope.session_id is None else SOON
    return found.messages[-1] if timedelta(0) <= interaction.occurred_at - found.occurred_at <= within else None


def pause_after(attempts: int) -> float:
    """Seconds until the next attempt: twice as long each time, up to `LONGEST_PAUSE_S`."""
    return min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2.0 ** max(attempts - 1, 0))


def _draft(finding: Finding, interaction: Interaction, learner: str) -> Draft:
    source = interaction.source(finding.position, finding.quote)
    offset = offset_of(interaction.message_at(finding.position))
    is_plan = "plan" in finding.tags
    metadata = {**interaction.metadata, "learner": learner}
    if is_plan and finding.occurred_at is not None:
        metadata["when"] = finding.occurred_at.date().isoformat()
    # A plan holds from when it was made, not from the day that it is for; and nothing starts later than it was told.
    happened = None if is_plan or finding.occurred_at is None else by_clock(finding.occurred_at, offset)
    return Draft(
        scope=replace(interaction.scope, session_id=None),
        kind=finding.kind,
        text=finding.text,
        occurred_at=min(happened or source.occurred_at, source.occurred_at),
        tags=tuple(dict.fromkeys((*finding.tags, *interaction.tags)))[: checks.MAX_TAGS],
        metadata=metadata,
        source=source,
        entities=finding.entities,
        as_it_came=source.occurred_at == interaction.recorded_at,
        utc_offset=offset,
    )


def _tomorrow(now: datetime) -> datetime:
    return datetime.combine(now.astimezone(UTC).date() + timedelta(days=1), time(), UTC)
