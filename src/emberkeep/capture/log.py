"""`memory.capture`: the verbatim log of what an assistant heard, did and answered."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any, Literal, get_args

from emberkeep.capture.redact import redact, redact_value
from emberkeep.clock import Clock
from emberkeep.config import Config
from emberkeep.errors import InvalidInput, NotFound
from emberkeep.model import checks
from emberkeep.model.ids import new_id
from emberkeep.model.interaction import Details, Interaction, InteractionRecord
from emberkeep.model.message import Message
from emberkeep.model.moment import from_micros, offset_of
from emberkeep.model.recall import select
from emberkeep.model.scope import EVERYONE, Scope
from emberkeep.storage import log
from emberkeep.storage.database import Database

_FIELDS = tuple(field.name for field in fields(InteractionRecord))
_SAID = {"user": "user_transcript", "assistant": "assistant_response"}
_REQUIRED = ("timestamp", *_SAID.values())
Order = Literal["occurred", "recorded"]


@dataclass(frozen=True, slots=True)
class Session:
    """One conversation: its user, how many interactions it has, and the times of the first and the last."""

    user_id: str | None
    session_id: str
    interactions: int
    first_at: datetime
    last_at: datetime


class Capture:
    """Writes and reads the log. Each interaction waits in the backlog until it is learned from."""

    def __init__(self, database: Database, clock: Clock, config: Config) -> None:
        self._database = database
        self._clock = clock
        self._config = config

    def log(self, record: InteractionRecord | Mapping[str, Any]) -> str:
        """Log one turn; it is on disk when this returns the interaction's id.

        A mapping or any object with the fields of `InteractionRecord` will do. Values that JSON cannot hold, such as
        what a tool returned, are stored as text, and characters that a database cannot hold as U+FFFD.
        """
        if not self._config.capture:
            raise InvalidInput("capture is switched off: set capture = true to keep what is said")
        interaction = self._interaction(values_of(record))
        self._database.write(lambda connection: log.append(connection, interaction, episodes=False, waiting=True))
        return interaction.id

    def get(self, id: str) -> Interaction:  # noqa: A002 - as in the other verbs
        """One interaction by its id."""
        with self._database.read() as connection:
            found = log.get(connection, self._config.tenant, checks.storable(id, name="id"))
        if found is None:
            raise NotFound(f"no interaction {id!r}")
        return found

    def recent(
        self,
        limit: int = 10,
        *,
        user_id: str | None = EVERYONE,
        agent_id: str | None = None,
        session_id: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        order: Order = "occurred",
    ) -> list[Interaction]:
        """The latest interactions, latest first: everyone's, or those of one user, agent, session or span of time.

        The latest is the one that happened last, or with `order="recorded"` the one that was recorded last.
        """
        if order not in get_args(Order):
            raise InvalidInput(f"order is {order!r}: use {' or '.join(get_args(Order))}")
        selection = select(
            self._config.tenant,
            {"user_id": user_id, "agent_id": agent_id, "session_id": session_id, "since": since, "until": until},
        )
        limit = checks.limit(limit, most=checks.MAX_PAGE_LIMIT)
        return self._database.look(lambda c: log.recent(c, selection, limit, by_time=order == "occurred"))

    def sessions(self, *, user_id: str | None = EVERYONE, limit: int = 100) -> list[Session]:
        """The conversations in the log, the one that was active last first."""
        selection = select(self._config.tenant, {"user_id": user_id})
        limit = checks.limit(limit, most=checks.MAX_PAGE_LIMIT)
        rows = self._database.look(lambda connection: log.sessions(connection, selection, limit))
        return [
            Session(user or None, session, count, from_micros(first), from_micros(last))
            for user, session, count, first, last in rows
        ]

    def _interaction(self, values: Mapping[str, Any]) -> Interaction:
        now = self._clock.now()
        then = checks.moment(values["timestamp"], name="timestamp", local=True) or self._config.here(now)
        said = {role: self._text(values[name], name) for role, name in _SAID.items()}
        return Interaction(
            id=new_id(now),
            scope=Scope.to_write(
                self._config.tenant, values.get("user_id"), values.get("agent_id"), values.get("session_id")
            ),
            messages=tuple(Message(role, text) for role, text in said.items() if text),
            occurred_at=then.astimezone(UTC),
            recorded_at=now,
            metadata=self._metadata(values.get("metadata")),
            details=self._details(values),
            utc_offset=offset_of(then),
        )

    def _text(self, content: object, name: str) -> str:
        """The checked and redacted text of what was said; "" if it is missing or blank."""
        if content is None or (isinstance(content, str) and checks.is_blank(content)):
            return ""
        whole = _whole(content) if isinstance(content, str) else content
        text = checks.text(whole, name=name, max_chars=self._config.max_text_chars)
        return redact(text)[0] if self._config.redact else text

    def _metadata(self, given: object) -> dict[str, Any]:
        clean = checks.metadata(given)
        return redact_value(clean)[0] if self._config.redact else clean

    def _details(self, values: Mapping[str, Any]) -> Details:
        plain = checks.plain_json({name: values.get(name) for name in ("llm_messages", "tool_calls", "latency_ms")})
        if self._config.redact:
            plain = redact_value(plain)[0]
        return Details(
            llm_messages=_several(plain["llm_messages"]),
            tool_calls=_several(plain["tool_calls"]),
            skill_used=checks.scope_id(values.get("skill_used"), name="skill_used"),
            latency_ms=plain["latency_ms"] or {},
        )


def _whole(text: str) -> str:
    """The text with U+FFFD in place of NUL and of lone surrogates."""
    return text.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _several(given: Any) -> tuple[Any, ...]:
    """A field that should be a list, as a tuple; a value that is no list, such as one tool call, is its only entry."""
    if given is None:
        return ()
    return tuple(given) if isinstance(given, list) else (given,)


def values_of(record: object) -> dict[str, Any]:
    """The fields of a record, from a mapping or an object; raises `InvalidInput` if some are missing or unknown."""
    if isinstance(record, Mapping):
        unknown = set(record) - set(_FIELDS)
        if unknown:
            raise InvalidInput(f"unknown field {min(map(str, unknown))!r} of a record: use {', '.join(_FIELDS)}")
        values = dict(record)
    else:
        values = {name: getattr(record, name) for name in _FIELDS if hasattr(record, name)}
        if not isinstance(record, InteractionRecord) and not isinstance(values.get("metadata"), Mapping):
            values.pop("metadata", None)  # some libraries' classes have an unrelated `metadata`
    missing = [name for name in _REQUIRED if name not in values]
    if missing:
        raise InvalidInput(f"a record needs {', '.join(missing)}: pass an InteractionRecord")
    return values
