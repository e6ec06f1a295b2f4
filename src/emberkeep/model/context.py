"""A context: the records relevant to a task, chosen and written out within a token budget."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, get_args

from emberkeep.errors import InvalidInput
from emberkeep.model.recall import Hit

Tier = Literal["operational", "working", "longterm", "knowledge"]
TIERS: tuple[Tier, ...] = get_args(Tier)
PERSONAL: tuple[Tier, ...] = ("working", "longterm", "knowledge")  # the operational tier is shared by all users
Format = Literal["markdown", "xml", "json", "messages"]
FORMATS: tuple[Format, ...] = get_args(Format)
# Where a record comes from: the application told it, a user said it, it was learned from what users said, an assistant
# or a tool wrote it, it was imported from a document; or it reads like instructions to a model.
Trust = Literal["told", "said", "learned", "assistant", "tool", "imported", "untrusted"]
Fate = Literal["chosen", "trimmed", "dropped"]


@dataclass(frozen=True, slots=True)
class Shares:
    """How a token budget is divided, as shares of the whole.

    A tier is sure of its floor if it has that much to say; what it does not use is free for the others. Beyond its
    ceiling it gets only what no other tier wants. A single record gets at most the share `record` while others wait.
    `most` limits the number of records of a tier, however much room there is.
    """

    floors: Mapping[Tier, float] = field(
        default_factory=lambda: {"operational": 0.10, "working": 0.15, "longterm": 0.15, "knowledge": 0.10}
    )
    ceilings: Mapping[Tier, float] = field(
        default_factory=lambda: {"operational": 0.25, "working": 0.50, "longterm": 0.80, "knowledge": 0.50}
    )
    record: float = 0.50
    most: Mapping[Tier, int] = field(default_factory=dict)

    def floor(self, tier: Tier) -> float:
        """The share that a tier is guaranteed."""
        return self.floors.get(tier, 0.0)

    def ceiling(self, tier: Tier) -> float:
        """The share up to which a tier competes with the others."""
        return self.ceilings.get(tier, 1.0)

    def check(self) -> None:
        """Raise `InvalidInput` if the shares are malformed or contradict each other."""
        for name, part in (("floors", self.floors), ("ceilings", self.ceilings), ("most", self.most)):
            if not isinstance(part, Mapping):
                raise InvalidInput(f'{name} of shares must be a mapping such as {{"knowledge": 0.4}}, not {part!r}')
        if unknown := {*self.floors, *self.ceilings, *self.most} - set(TIERS):
            raise InvalidInput(f"unknown tier {min(map(repr, unknown))} in shares: use some of {', '.join(TIERS)}")
        for name, share in (*self.floors.items(), *self.ceilings.items(), ("record", self.record)):
            _check_share(name, share)
        for tier, most in self.most.items():
            _check_count(tier, most)
        if self.record == 0:
            raise InvalidInput("the share of a record is 0: nothing would fit, pass more")
        for tier in TIERS:
            if self.floor(tier) > self.ceiling(tier):
                raise InvalidInput(f"the floor of {tier} is above its ceiling: lower the one or raise the other")
        if sum(self.floors.values()) > 1:
            raise InvalidInput("the floors add up to more than the whole budget: lower some")


def _check_share(name: str, share: object) -> None:
    if not isinstance(share, int | float) or isinstance(share, bool) or not 0 <= share <= 1:
        raise InvalidInput(f"the share of {name} is {share!r}: pass a number from 0 to 1")


def _check_count(tier: str, most: object) -> None:
    if not isinstance(most, int) or isinstance(most, bool) or most < 0:
        raise InvalidInput(f"the most records of {tier} are {most!r}: pass a whole number from 0 on")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A record that a context may hold.

    `key` identifies it ("item:ID", "goal:ID", "state"); `value` is its relevance, relative to the best candidate.
    `source` says where it is from, if `speaker` and `trust` do not say it all.
    """

    tier: Tier
    key: str
    kind: str
    text: str
    at: datetime
    value: float
    trust: Trust
    speaker: str | None = None
    source: str = ""
    hit: Hit | None = None


@dataclass(frozen=True, slots=True)
class Chunk:
    """One record in the context: `text` as written there, `content` as it was kept.

    It is `trimmed` when only its beginning fitted. `hit` is set if a search found it.
    """

    candidate: Candidate
    text: str
    content: str
    tokens: int
    trimmed: bool = False

    @property
    def key(self) -> str:
        """Its identity: "item:ID", "goal:ID" or "state"."""
        return self.candidate.key

    @property
    def source(self) -> Tier:
        """The tier it comes from."""
        return self.candidate.tier

    @property
    def kind(self) -> str:
        """The kind of memory, or of state."""
        return self.candidate.kind

    @property
    def relevance(self) -> float:
        """How relevant it is, relative to the best candidate."""
        return self.candidate.value

    @property
    def trust(self) -> Trust:
        """Where it comes from, and so how far to trust it."""
        return self.candidate.trust

    @property
    def hit(self) -> Hit | None:
        """The search hit behind it, if there is one."""
        return self.candidate.hit


@dataclass(frozen=True, slots=True)
class Considered:
    """The fate of one candidate, and why it was dropped or trimmed. Holds no text."""

    key: str
    tier: Tier
    kind: str
    value: float
    tokens: int
    fate: Fate
    why: str = ""


@dataclass(frozen=True, slots=True)
class Context:
    """The text to put in front of a model, what it is made of, and what it costs.

    With `format="messages"` the same content is in `messages`, ready for a chat. `id` is the id of its
    `ContextRecord`, for `context_feedback`; `entries` gives the fate of each candidate.
    """

    text: str
    chunks: tuple[Chunk, ...]
    total_tokens: int
    dropped: int = 0
    degraded: tuple[str, ...] = ()
    id: str | None = None
    budget: int = 0
    messages: tuple[Mapping[str, str], ...] = ()
    entries: tuple[Considered, ...] = ()

    @property
    def tokens_by_tier(self) -> dict[Tier, int]:
        """The tokens of each tier that the context contains."""
        return {
            tier: tokens
            for tier in TIERS
            if (tokens := sum(chunk.tokens for chunk in self.chunks if chunk.source == tier))
        }


@dataclass(frozen=True, slots=True)
class ContextRecord:
    """The log entry of a context: its task, settings, candidates' fates, and whether it helped. Holds no memories."""

    id: str
    at: datetime
    task: str
    user_id: str | None
    agent_id: str | None
    session_id: str | None
    max_tokens: int
    total_tokens: int
    settings: Mapping[str, Any]
    entries: tuple[Considered, ...]
    degraded: tuple[str, ...] = ()
    helpful: bool | None = None
    note: str | None = None
    rated_at: datetime | None = None


def tiers_named(values: object) -> tuple[Tier, ...]:
    """The tiers with these names, each once, in the order of `TIERS`; all of them for `None`."""
    if values is None:
        return TIERS
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InvalidInput(f"tiers must be a list of {', '.join(TIERS)}, not {type(values).__name__}")
    wanted = list(values)
    for value in wanted:
        if value not in TIERS:
            raise InvalidInput(f"unknown tier {value!r}: use some of {', '.join(TIERS)}")
    if not wanted:
        raise InvalidInput(f"tiers is empty: leave it out for all, or name some of {', '.join(TIERS)}")
    return tuple(tier for tier in TIERS if tier in wanted)


def shares_given(value: object) -> Shares:
    """The given shares, checked; the default ones for `None`."""
    if value is None:
        return Shares()
    if not isinstance(value, Shares):
        raise InvalidInput(
            f"shares must be emberkeep.Shares(floors=…, ceilings=…, record=…), not {type(value).__name__}"
        )
    value.check()
    return value


def format_named(value: object) -> Format:
    """The format with this name; raises `InvalidInput` if there is none."""
    for known in FORMATS:
        if value == known:
            return known
    raise InvalidInput(f"unknown format {value!r}: use one of {', '.join(FORMATS)}")
