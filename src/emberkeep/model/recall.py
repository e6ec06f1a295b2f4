"""What a search asks and what it answers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal, TypedDict, get_args

from emberkeep.errors import InvalidInput
from emberkeep.model import checks
from emberkeep.model.item import Item, Source
from emberkeep.model.kinds import Kind
from emberkeep.model.many import Many
from emberkeep.model.scope import EVERYONE

Channel = Literal[
    "dense", "neighbours", "meanings", "lexical", "window", "session", "speaker", "time", "shape", "facts", "links",
    "rerank",
]  # fmt: skip
Signal = Literal[
    "dense", "dense_before", "dense_after", "dense_around",
    "meaning", "meaning_around",
    "lexical", "covered", "exact", "marked", "window", "answers", "session",
    "speaker", "own", "theirs", "machine", "another", "during", "when", "latest",
    "timed", "numbered", "how_many", "asks", "of_speaker", "of_listener", "long",
    "opens", "closes", "fact", "reranked",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Selection:
    """Which items a read may see. A dimension left out is not restricted, except the user.

    Without a user it sees the memories that belong to no user; `"*"` sees everyone's. `shared` names further users,
    such as a federation's "tribe", whose memories are seen too. Cold items are only searched with `include_cold`, or
    with `as_of`, because they may have been warm at that time.
    """

    tenant: str
    user_id: str | None = None
    shared: tuple[str, ...] = ()
    agent_id: str | None = None
    session_id: str | None = None
    kinds: tuple[Kind, ...] = ()
    tags: tuple[str, ...] = ()
    filters: tuple[tuple[str, Any], ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    as_of: datetime | None = None
    include_cold: bool = False

    @property
    def with_cold(self) -> bool:
        """Whether to search cold items as well."""
        return self.include_cold or self.as_of is not None

    @property
    def shelves(self) -> tuple[str, ...] | None:
        """The shelves to read, or `None` for all of the tenant's."""
        if self.user_id == EVERYONE:
            return None
        return tuple(dict.fromkeys((self.user_id or "", *self.shared)))

    def sees(self, item: Item, now: datetime) -> bool:
        """Whether the selection includes an item: the same rules that databases and indexes apply."""
        moment = self.as_of or now
        wanted = (("agent_id", self.agent_id), ("session_id", self.session_id))
        return (
            (self.shelves is None or (item.user_id or "") in self.shelves)
            and all(value is None or getattr(item, name) == value for name, value in wanted)
            and (not self.kinds or item.kind in self.kinds)
            and set(self.tags) <= set(item.tags)
            and all(key in item.metadata and _equal(item.metadata[key], value) for key, value in self.filters)
            and (self.since is None or item.occurred_at >= self.since)
            and (self.until is None or item.occurred_at <= self.until)
            and (self.as_of is None or item.valid_from <= moment)
            and (item.valid_to is None or item.valid_to > moment)
        )


def _equal(one: object, other: object) -> bool:
    return one == other and isinstance(one, bool) == isinstance(other, bool)


class Within(TypedDict, total=False):
    """The filters of a search for records: all of `Where` except `kinds`, which the type of record decides."""

    user_id: str | None
    shared: Iterable[str]
    agent_id: str | None
    session_id: str | None
    tags: Iterable[str] | None
    filters: Mapping[str, Any] | None
    since: datetime | str | None
    until: datetime | str | None
    as_of: datetime | str | None


class Where(Within, total=False):
    """The filters of a read: the keyword arguments that `search`, `context` and `get_all` share.

    `user_id` picks whose memories to read (`"*"`: everyone's) and `shared` names further users; the others narrow:
    `agent_id`, `session_id`, `kinds`, `tags` (an item must have all of them), `filters` (metadata equality), `since`
    and `until` (when it happened; the first time, for a memory told again), and `as_of` (what held at that time).
    """

    kinds: Iterable[Kind] | None


def select(tenant: str, where: Where) -> Selection:
    """Check the filters and return the selection; raises `InvalidInput`."""
    unknown = set(where) - set(Where.__annotations__)
    if unknown:
        raise InvalidInput(f"unknown filter {min(unknown)!r}: use one of {', '.join(Where.__annotations__)}")
    selection = Selection(
        tenant=tenant,
        user_id=checks.scope_id(where.get("user_id"), name="user_id"),
        shared=checks.tags(where.get("shared"), name="shared users"),
        agent_id=checks.scope_id(where.get("agent_id"), name="agent_id"),
        session_id=checks.scope_id(where.get("session_id"), name="session_id"),
        kinds=checks.kinds(where.get("kinds")),
        tags=checks.tags(where.get("tags")),
        filters=checks.filters(where.get("filters")),
        since=checks.moment(where.get("since"), name="since"),
        until=checks.moment(where.get("until"), name="until"),
        as_of=checks.moment(where.get("as_of"), name="as_of"),
    )
    if selection.since and selection.until and selection.since > selection.until:
        raise InvalidInput("since is later than until: swap them")
    return selection


CHANNELS: tuple[Channel, ...] = get_args(Channel)
USUAL: tuple[Channel, ...] = tuple(name for name in CHANNELS if name != "rerank")


@dataclass(frozen=True, slots=True)
class Plan:
    """How to search: the channels, their weights, and how many candidates words and vectors may each bring.

    The weight of each signal was fitted and is kept in `recall/weights.json`, in one table for plans with vectors, one
    for plans without, and one for plans that compare words by meaning as well; `weights` multiplies these, channel by
    channel. An `exact` plan compares the query with every vector even where an approximate index exists. The `closer`
    best candidates by all other channels are compared word by word; the `reread` best of these are read together with
    the question by the reranker, if there is one.

    The remaining numbers are in the units of the fitted sum. A message loses `stale_loss` when none of the statements
    learned from it hold any more, so that present answers come first. Statements lose `statement_loss`, because their
    shortness alone would put them before messages that say more. A hit loses `echo_loss` for each better hit with the
    same words. `warm` is a small bonus for warm items.
    """

    name: str
    channels: tuple[Channel, ...] = USUAL
    candidates: int = 100
    weights: Mapping[Channel, float] = field(default_factory=dict)
    exact: bool = False
    closer: int = 40
    reread: int = 10
    stale_loss: float = 1.0
    statement_loss: float = 0.3
    echo_loss: float = 1.0
    warm: float = 0.1


PLANS: Mapping[str, Plan] = {
    "fast": Plan("fast", channels=tuple(name for name in USUAL if name not in {"dense", "neighbours", "meanings"})),
    "balanced": Plan("balanced"),
    "deep": Plan("deep", channels=CHANNELS, candidates=400, exact=True, closer=160),
}


def plan_named(value: object) -> Plan:
    """The given `Plan`, checked, or the entry of `PLANS` with that name."""
    if isinstance(value, Plan):
        limit_to = checks.limit(value.candidates, most=checks.MAX_PAGE_LIMIT, name="candidates of a plan")
        closer = checks.limit(value.closer, most=checks.MAX_PAGE_LIMIT, name="closer of a plan")
        reread = checks.limit(value.reread, most=checks.MAX_PAGE_LIMIT, name="reread of a plan")
        unknown = {*value.channels, *value.weights} - set(CHANNELS)
        if unknown:
            raise InvalidInput(f"a plan knows no channel {min(unknown)!r}: use some of {', '.join(CHANNELS)}")
        if not {"dense", "lexical", "window"} & set(value.channels):
            raise InvalidInput("a plan needs one of the channels dense, lexical and window to find anything by")
        for weight in value.weights.values():
            checks.positive(weight, name="a weight of a plan")
        for name in ("stale_loss", "statement_loss", "echo_loss", "warm"):
            checks.at_least_zero(getattr(value, name), name=f"{name} of a plan")
        return replace(value, candidates=limit_to, closer=closer, reread=reread)
    if isinstance(value, str) and value in PLANS:
        return PLANS[value]
    raise InvalidInput(f"unknown plan {value!r}: use one of {', '.join(PLANS)}, or a Plan")


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one channel contributed to a candidate.

    `score` is what the channel measured: a cosine, or a share of the best score that a text could have. `rank` is the
    candidate's rank in that channel, `worth` the channel's part in the fused score.
    """

    channel: Channel
    score: float
    rank: int
    worth: float


@dataclass(frozen=True, slots=True)
class Why:
    """Why a hit ranks where it does.

    A `stale` hit tells of something that is no longer so, an `echo` repeats a better hit word for word; `led_by` names
    the hit it is linked to. `losses` were subtracted from what the evidence is worth: for being "stale", for being a
    "statement", for ranking too low to be "compared" word by word or read with the question, for being an "echo".
    """

    plan: str
    evidence: tuple[Evidence, ...]
    terms: tuple[str, ...]
    temperature: float
    stale: bool = False
    led_by: str | None = None
    echo: bool = False
    losses: Mapping[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        parts = [f"{e.channel} {e.worth:+.2f} (rank {e.rank})" for e in self.evidence]
        parts += [f"{name} {-loss:+.2f}" for name, loss in self.losses.items()]
        if self.terms:
            parts.append(f"words: {', '.join(self.terms)}")
        if self.stale:
            parts.append("no longer so")
        if self.echo:
            parts.append("said before")
        if self.led_by is not None:
            parts.append(f"linked to {self.led_by}")
        return "; ".join([*parts, f"temperature {self.temperature:.0f}"])


@dataclass(frozen=True, slots=True)
class Hit:
    """An item found: `score` is the fused score that ranks it, `similarity` the cosine with the question."""

    item: Item
    score: float
    similarity: float | None
    why: Why

    @property
    def id(self) -> str:
        """The item's id."""
        return self.item.id

    @property
    def text(self) -> str:
        """The item's text."""
        return self.item.text

    @property
    def kind(self) -> Kind:
        """The item's kind."""
        return self.item.kind

    @property
    def temperature(self) -> float:
        """The temperature that the item has cooled to."""
        return self.item.temperature

    @property
    def sources(self) -> tuple[Source, ...]:
        """The messages it came from."""
        return self.item.sources

    @property
    def metadata(self) -> Mapping[str, Any]:
        """The item's metadata."""
        return self.item.metadata

    @property
    def tags(self) -> tuple[str, ...]:
        """The item's tags."""
        return self.item.tags


@dataclass(frozen=True, slots=True)
class Hits(Many[Hit]):
    """The hits of a search, best first. `degraded` says what was skipped and why; empty means nothing was."""

    hits: tuple[Hit, ...]
    degraded: tuple[str, ...] = ()

    @property
    def entries(self) -> tuple[Hit, ...]:
        """The hits."""
        return self.hits


@dataclass(frozen=True, slots=True)
class SessionHit:
    """A session that a search found, with its hits, best first. Hits without a session are grouped under `None`.

    `user_id` is the owner: two users may each have a session with the same id.
    """

    session_id: str | None
    score: float
    hits: tuple[Hit, ...]
    user_id: str | None = None


@dataclass(frozen=True, slots=True)
class Sessions(Many[SessionHit]):
    """The sessions that a search found, best first; `degraded` as for `Hits`."""

    sessions: tuple[SessionHit, ...]
    degraded: tuple[str, ...] = ()

    @property
    def entries(self) -> tuple[SessionHit, ...]:
        """The sessions."""
        return self.sessions
