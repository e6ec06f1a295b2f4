"""VoxaOS's memory: what the assistant learned (`LearningMemory`) and what was said, word for word (`CaptureLog`).

Change the imports and keep the code. Differences from VoxaOS: values of a record that JSON cannot hold are stored as
text, and `LearningMemory.memory.learn()` catches up on exchanges that were added while the model was down.
"""

import json
import os
import sqlite3
import threading
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import emberkeep
from emberkeep.errors import ConfigError, InvalidInput
from emberkeep.model.checks import MAX_SEARCH_LIMIT, is_blank
from emberkeep.model.interaction import Details, Interaction
from emberkeep.model.kinds import LEARNED
from emberkeep.model.moment import at_offset, offset_of
from emberkeep.providers.mem0 import Mem0Learner
from emberkeep.storage.log import as_interaction

SETTINGS = "~/.voxaos/config.toml"
LONGEST_BLANK = 1_000
_OURS = "voxaos"  # the key of an interaction's metadata for the values of a row that the log alone would not give back
_AS_JSON = ("messages", "tags", "metadata", "details")
_STORED = ("tenant", "id", "user_id", "agent_id", "session_id", "occurred_at", "recorded_at", "utc_offset", *_AS_JSON)
_NOTHING = {"session_id": "", "user_transcript": "", "assistant_response": "", "skill_used": None}  # a row's defaults


@dataclass
class LearningConfig:
    """Whether to learn, and how: "rules", "llm", "mem0", or "auto" for the model if there is one and else rules."""

    enabled: bool = True
    provider: str = "auto"


@dataclass
class CaptureConfig:
    """Whether to log every interaction, and where."""

    enabled: bool = True
    db_path: str = "~/.voxaos/capture.db"


@dataclass
class MemoryConfig:
    """The settings of the learning and capture layers, and the folder of the learning layer."""

    enabled: bool = True
    storage_path: str = "~/.voxaos/memory"
    learning: LearningConfig = field(default_factory=LearningConfig)
    capture: CaptureConfig = field(default_factory=CaptureConfig)


@dataclass
class APIConfig:
    """A model on the network. Nothing is sent to it unless the environment variable with its key is set."""

    base_url: str = "https://api.mistral.ai/v1"
    model: str = "mistral-large-latest"
    api_key_env: str = "MISTRAL_API_KEY"


@dataclass
class LocalConfig:
    """A model on this machine."""

    base_url: str = "http://localhost:8000/v1"
    model: str = "mistralai/Ministral-8B-Instruct-2410"


@dataclass
class LLMConfig:
    """Which model to ask: "api" or "local"."""

    backend: str = "api"
    api: APIConfig = field(default_factory=APIConfig)
    local: LocalConfig = field(default_factory=LocalConfig)


@dataclass
class Config:
    """The settings that memory needs."""

    memory: MemoryConfig = field(default_factory=MemoryConfig)
    llm: LLMConfig = field(default_factory=LLMConfig)


@dataclass
class InteractionRecord:
    """One turn: what the user said, the tool calls, and the assistant's response."""

    session_id: str
    timestamp: datetime
    user_transcript: str
    llm_messages: list[dict[str, Any]]
    tool_calls: list[dict[str, Any]]
    assistant_response: str
    skill_used: str | None = None
    latency_ms: dict[str, float] = field(default_factory=dict)


class LearningMemory:
    """Learns facts and preferences from exchanges. `memory` is the open Emberkeep memory."""

    def __init__(self, memory_config: MemoryConfig, llm_config: LLMConfig) -> None:
        folder = Path(memory_config.storage_path).expanduser()
        self.memory = emberkeep.open(folder / "memory.db", capture=True, **_learner(memory_config, llm_config))

    def add(self, user_msg: str, assistant_msg: str, user_id: str = "default") -> None:
        """Learn from one exchange, which is written to disk first."""
        said = {"user": user_msg, "assistant": assistant_msg}
        messages = [{"role": role, "content": text} for role, text in said.items() if text.strip()]
        if messages:
            self.memory.add(messages, user_id=user_id)

    def search(self, query: str, user_id: str = "default", limit: int = 5) -> list[str]:
        """The learned statements that are relevant, best first."""
        if not query.strip() or limit < 1:
            return []
        hits = self.memory.search(query, user_id=user_id, limit=min(limit, MAX_SEARCH_LIMIT), kinds=LEARNED)
        return [hit.text for hit in hits]

    def get_all(self, user_id: str = "default") -> list[str]:
        """All learned statements, latest first."""
        page = self.memory.get_all(user_id=user_id, kinds=LEARNED)
        texts = [item.text for item in page]
        while page.next:
            page = self.memory.get_all(user_id=user_id, kinds=LEARNED, cursor=page.next)
            texts += [item.text for item in page]
        return texts

    def close(self) -> None:
        """Close the database."""
        self.memory.close()


class CaptureLog:
    """Logs every interaction. `conn` reads the same file, with VoxaOS's columns in the table `interactions`."""

    def __init__(self, db_path: str = "~/.voxaos/capture.db") -> None:
        path = Path(db_path).expanduser().absolute()
        self.memory = emberkeep.open(path, learner="none", capture=True)
        self.conn = _reading(path, self.memory.config.tenant)
        self._rows = _reading(path, self.memory.config.tenant, check_same_thread=False)  # guarded by `_turn`
        self._turn = threading.Lock()

    def log(self, record: InteractionRecord) -> None:
        """Log one interaction; a time without a zone is local."""
        given = {one.name: getattr(record, one.name) for one in fields(InteractionRecord)}
        stamp = record.timestamp
        then = _aware(stamp)
        blank = {name: given[name] for name in _NOTHING if isinstance(given[name], str) and is_blank(given[name])}
        noted = {name: text[:LONGEST_BLANK] for name, text in blank.items() if text != _NOTHING[name]}
        if stamp.isoformat() != _by_the_clock(at_offset(then.astimezone(UTC), offset_of(then))):
            noted["timestamp"] = stamp.isoformat()
        metadata = {_OURS: noted} if noted else {}
        self.memory.capture.log({**given, **dict.fromkeys(blank), "timestamp": then, "metadata": metadata})

    def get_recent(self, limit: int = 10) -> list[dict[str, Any]]:
        """The latest interactions as rows, the one written last first; all of them for a limit below zero."""
        with self._turn:
            cursor = self._rows.execute("SELECT * FROM interactions ORDER BY id DESC LIMIT ?", (limit,))
            columns = [column[0] for column in cursor.description]
            return [dict(zip(columns, row, strict=True)) for row in cursor]

    def close(self) -> None:
        """Close the file."""
        self.conn.close()
        with self._turn:
            self._rows.close()
        self.memory.close()


def create_memory(config: Config) -> tuple[LearningMemory | None, CaptureLog | None]:
    """The layers that the settings switch on; None for one that is off."""
    on = config.memory.enabled
    learning = LearningMemory(config.memory, config.llm) if on and config.memory.learning.enabled else None
    capture = CaptureLog(config.memory.capture.db_path) if on and config.memory.capture.enabled else None
    return learning, capture


def load_config(path: str | os.PathLike[str] | None = None) -> Config:
    """The settings from the `memory` and `llm` tables of a TOML file, with defaults for what they leave out."""
    file = Path(SETTINGS if path is None else path).expanduser()
    if path is None and not file.exists():
        return Config()
    try:
        values = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: not valid TOML: {error}") from None
    config = Config()
    _fill(config, {name: values[name] for name in ("memory", "llm") if name in values}, str(file))
    return config


def _fill(settings: object, values: object, where: str) -> None:
    if not isinstance(values, Mapping):
        raise ConfigError(f"{where} must be a table")
    for name, value in values.items():
        former = getattr(settings, name, None)
        if former is None:
            raise ConfigError(f"{where}: unknown setting {name}")
        if is_dataclass(former):
            _fill(former, value, f"{where}: {name}")
        elif type(value) is not type(former):
            raise ConfigError(f"{where}: {name} must be {type(former).__name__}, not {value!r}")
        else:
            setattr(settings, name, value)


def _learner(memory_config: MemoryConfig, llm_config: LLMConfig) -> dict[str, Any]:
    """The learner, as arguments of `emberkeep.open`: a model if one can be asked, else the rules, which run offline."""
    provider = getattr(memory_config.learning, "provider", LearningConfig.provider)  # a config may be the user's own
    if provider not in {"auto", "rules", "llm", "mem0"}:
        raise ConfigError(f"memory.learning.provider is {provider!r}: use auto, rules, llm or mem0")
    is_distant = llm_config.backend == "api"
    server = llm_config.api if is_distant else llm_config.local
    key = llm_config.api.api_key_env if is_distant else ""
    if provider == "rules" or (is_distant and not os.environ.get(key)):
        return {"learner": "rules"}
    if provider == "mem0":
        model = {"model": server.model, "openai_base_url": server.base_url}
        model["api_key"] = os.environ.get(key, "not-needed")
        store = {"collection_name": "voxaos", "path": str(Path(memory_config.storage_path).expanduser() / "qdrant")}
        return {"learner": Mem0Learner({"llm": {"config": model}, "vector_store": {"config": store}})}
    return {"learner": "llm", "llm_url": server.base_url, "llm_model": server.model, "llm_key_env": key}


def _reading(path: Path, tenant: str, *, check_same_thread: bool = True) -> sqlite3.Connection:
    """A read-only connection with a view that shows the log's table with VoxaOS's columns; `id` is SQLite's rowid."""
    conn = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, check_same_thread=check_same_thread)
    conn.create_function("voxaos", -1, _value, deterministic=True)
    stored, own = ", ".join(_STORED), tenant.replace("'", "''")  # a view takes no parameters
    theirs = ", ".join(f"voxaos('{one.name}', {stored}) AS {one.name}" for one in fields(InteractionRecord))
    conn.execute(
        f"CREATE TEMP VIEW interactions AS SELECT rowid AS id, {theirs} FROM main.interactions WHERE tenant = '{own}'"  # noqa: S608
    )
    return conn


def _value(name: str, *stored: Any) -> Any:
    """The value of one of VoxaOS's columns, from all stored columns of a row."""
    return _row_of(stored)[name]


@lru_cache(maxsize=1)  # SQLite asks for the columns of a row one after another
def _row_of(stored: tuple[Any, ...]) -> dict[str, Any]:
    row = dict(zip(_STORED, stored, strict=True))
    plain = {name: json.loads(value) for name, value in row.items() if name in _AS_JSON and value is not None}
    return _row(as_interaction(SimpleNamespace(**{**row, **plain})))


def _row(interaction: Interaction) -> dict[str, Any]:
    details = interaction.details or Details()
    return {
        "session_id": interaction.session_id or "",
        "timestamp": _by_the_clock(interaction.said_at),
        "user_transcript": interaction.user_transcript,
        "llm_messages": json.dumps(details.llm_messages),
        "tool_calls": json.dumps(details.tool_calls),
        "assistant_response": interaction.assistant_response,
        "skill_used": details.skill_used,
        "latency_ms": json.dumps(details.latency_ms),
        **interaction.metadata.get(_OURS, {}),
    }


def _aware(stamp: datetime) -> datetime:
    """A timestamp with its zone: the local one if it has none."""
    try:
        return stamp.astimezone() if stamp.utcoffset() is None else stamp
    except (OverflowError, ValueError):
        raise InvalidInput(f"timestamp is {stamp!r}: outside the years 1 to 9999 in UTC") from None


def _by_the_clock(moment: datetime) -> str:
    """The local wall-clock time of a moment, in ISO 8601 without an offset."""
    return moment.replace(tzinfo=None).isoformat()
