"""The settings: one table. Arguments win over `EMBERKEEP_*` variables, those over the TOML file, that over defaults."""

import difflib
import math
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields, replace
from datetime import UTC, datetime, tzinfo
from functools import cache
from pathlib import Path
from typing import Any, TypedDict, TypeVar

import platformdirs

from emberkeep.errors import ConfigError, InvalidInput

T = TypeVar("T")
PREFIX = "EMBERKEEP_"
FILE_NAME = "emberkeep.toml"
MAX_TENANT_CHARS = 256
_PASSWORD = re.compile(r"(?<=://)([^/?#@:\s]*):[^/?#\s]*(?=@)")
_PARAMETER = re.compile(r"(?i)([?&;][\w.-]*(?:password|passwd|pwd|secret|token|key)=)[^&;#\s]*")
_YES = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


def _setting(
    default: Any, doc: str, *, secret: bool = False, least: float | None = None, most: float = math.inf
) -> Any:
    """A setting. A number has to be above zero, unless `least` says otherwise."""
    return field(default=default, metadata={"doc": doc, "least": least, "most": most}, repr=not secret)


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Every setting, with its default. docs/reference/settings.md is made from this table."""

    db: str = _setting(
        "", "A file, `:memory:`, `postgresql://…`, or a server's `http://…`; empty for `memory.db` in the data folder"
    )
    read_db: str = _setting(
        "", "A streaming replica of that PostgreSQL, `postgresql://…`, which searches are read from while it keeps up"
    )
    tenant: str = _setting("default", "Whose data this is; nothing is shared between tenants")
    api_key: str = _setting("", "The key that a server's `http://…` asks for", secret=True)
    remote_timeout_s: float = _setting(
        60.0, "How long a call to a server may take, retries included; what works through much may take an hour"
    )
    embedder: str = _setting(
        "local",
        "`local`, a name of `emberkeep models list`, `onnx:FOLDER`, `static:FOLDER`, or `openai:MODEL` for an "
        "OpenAI-compatible server",
    )
    embedder_url: str = _setting("", "The base URL of that server, such as `http://127.0.0.1:8000/v1`")
    embedder_key_env: str = _setting("OPENAI_API_KEY", "The environment variable that holds that server's key")
    embedder_dimension: int = _setting(0, "How long that server's vectors are; 0 asks it", least=0)
    embedder_timeout_s: float = _setting(30.0, "How long one call to that server may take")
    embedder_threads: int = _setting(2, "How many threads a local model computes with")
    reranker: str = _setting(
        "none",
        "Who reads the best hits together with the question, in the plan `deep`: `none`, a reranker of "
        "`emberkeep models list`, or `onnx:FOLDER`",
    )
    pad_vectors_to: int = _setting(
        0, "Pad shorter vectors with zeros to this length; 0 keeps them as they are", least=0
    )
    capture: bool = _setting(
        default=True, doc="Whether what is said is kept word for word; without it only what is learned stays"
    )
    redact: bool = _setting(
        default=False, doc="Whether secrets (keys, tokens, passwords, card numbers) are cut out before writing"
    )
    time_zone: str = _setting(
        "local",
        "The time zone of what comes without a time, messages and questions: `Europe/Lisbon`; `local` is the machine's",
    )
    learner: str = _setting(
        "rules", "Who finds facts in what was said: `rules` (offline), `llm`, `mem0`, or `none` for nobody"
    )
    llm_url: str = _setting("", "The base URL of an OpenAI-compatible server, such as `http://127.0.0.1:8000/v1`")
    llm_model: str = _setting("", "The model to ask there")
    llm_key_env: str = _setting("OPENAI_API_KEY", "The environment variable that holds that server's key")
    llm_timeout_s: float = _setting(60.0, "How long one question to the model may take, retries included")
    llm_max_tokens: int = _setting(2_048, "The longest answer to ask the model for")
    mem0_config: str = _setting("", "A JSON file with Mem0's own settings, for `learner = mem0`")
    learn_attempts: int = _setting(5, "How often an exchange is tried whose answer is no use, before it is set aside")
    lease_s: float = _setting(600.0, "How long a worker may take over an exchange before another one takes it")
    spend_soft_tokens: int = _setting(0, "Tokens a day from which on a warning is logged; 0 for never", least=0)
    spend_hard_tokens: int = _setting(0, "Tokens a day at which learning pauses until tomorrow; 0 for no cap", least=0)
    spend_user_tokens: int = _setting(0, "The same for one user's exchanges; 0 for no cap", least=0)
    initial_temperature: float = _setting(75.0, "How warm a new memory is, 0 to 100", least=0, most=100)
    reheat_by: float = _setting(5.0, "How much warmer it gets when it is told again", least=0, most=100)
    half_life_days: float = _setting(30.0, "How long it takes to lose half its warmth; longer if it is used")
    cold_below: float = _setting(
        1.0, "Below which temperature messages and what no longer holds leave the index; 0 for never", least=0, most=100
    )
    operational_events: int = _setting(10_000, "How many events the operational memory holds")
    operational_max_age_s: float = _setting(
        60.0, "How long a critical event may be in memory only, before it is written to the store"
    )
    archive_after_days: float = _setting(
        30.0, "How long after its end finished work goes to long-term memory, as a summary"
    )
    upkeep_every_s: float = _setting(
        3_600.0,
        "How often a worker moves what is due from tier to tier, and looks for what an older version did not derive",
    )
    paraphrase_similarity: float = _setting(
        0.95,
        "From which cosine on `remember` takes two texts of one kind for the same, on the scale of the bundled model; "
        "above 1 for never",
    )
    context_days: float = _setting(
        30.0, "How long it stays on record which memories a context held; `upkeep` drops what is older"
    )
    events_url: str = _setting(
        "",
        "A Redis or Valkey whose stream gets every event, such as `redis://127.0.0.1:6379/0`; set it for every process "
        "that writes",
    )
    events_stream: str = _setting("emberkeep:events", "The name of that stream")
    events_stream_max: int = _setting(1_000_000, "About how many events that stream keeps; 0 for all", least=0)
    keep_events: bool = _setting(
        default=False, doc="Whether events are kept also while no stream, webhook or follower wants them"
    )
    events_keep_days: float = _setting(7.0, "How long events are kept, and webhooks are tried")
    webhook_attempts: int = _setting(12, "How often a webhook is tried with one event, over some two hours")
    webhook_private: bool = _setting(
        default=False, doc="Whether webhooks may lead to addresses of this machine and its network"
    )
    embedding_cache_url: str = _setting(
        "", "A Redis or Valkey in which processes share vectors of texts, such as `redis://127.0.0.1:6379/1`"
    )
    embedding_cache_days: float = _setting(7.0, "How long a vector stays there after it was last made")
    log_texts: bool = _setting(
        default=False,
        doc="Whether a server's log may hold paths, queries and what errors say, which quote memories",
    )
    metrics_open: bool = _setting(
        default=False, doc="Whether `/metrics` answers without a key; keep others from reaching it then"
    )
    metrics_by_tenant: bool = _setting(default=False, doc="Whether `/metrics` counts by tenant, and so names them")
    traces_url: str = _setting(
        "",
        "A collector of OpenTelemetry traces, such as `http://127.0.0.1:4318`; empty for what `OTEL_*` says",
    )
    max_text_chars: int = _setting(500_000, "The longest text of one memory or message")
    max_document_mb: int = _setting(32, "The largest document that is imported, in megabytes")
    max_body_mb: int = _setting(48, "The largest body of a request that the service takes, in megabytes")
    request_timeout_s: float = _setting(
        120.0, "How long the service lets a request take before it answers that it goes on without it"
    )
    max_requests: int = _setting(64, "How many requests the service has under way at once; more are told to come again")
    max_streams: int = _setting(100, "How many streams of events the service has open at once")
    requests_per_s: float = _setting(
        100.0, "How many requests a second the service takes of one API key on the long run; 0 for no limit", least=0
    )
    requests_burst: int = _setting(200, "How many it takes of one API key at once")
    large_from: int = _setting(10_000, "From how many memories of one user on vectors get an approximate index")
    index_memory_mb: int = _setting(1_024, "How much memory search indexes may take before the least used give way")
    busy_timeout_s: float = _setting(30.0, "How long to wait for another writer, or for a free connection")
    pool_size: int = _setting(8, "How many connections to keep to PostgreSQL")

    def __repr__(self) -> str:
        """The settings, without keys and passwords."""
        shown = {one.name: getattr(self, one.name) for one in fields(self) if one.repr}
        return f"Config({', '.join(f'{name}={discreet(value)!r}' for name, value in shown.items())})"

    @property
    def is_remote(self) -> bool:
        """Whether the memory is on a server."""
        return self.db.lower().startswith(("http://", "https://"))

    def at(self, told: datetime) -> datetime:
        """A time that was given, with a timezone; a naive time is read as one in `time_zone`."""
        if told.tzinfo is not None:
            return told
        zone = _zone(self.time_zone)
        try:
            return told.astimezone() if zone is None else told.replace(tzinfo=zone)
        except (OverflowError, ValueError):  # at the edges of the years that a datetime can hold
            return told.replace(tzinfo=UTC)

    def here(self, moment: datetime) -> datetime:
        """The same moment in `time_zone`, which decides what day it is."""
        try:
            return moment.astimezone(_zone(self.time_zone))
        except OverflowError:  # at the edges of the years that a datetime can hold
            return moment

    def require_store(self) -> None:
        """Raise `ConfigError` if the memory is on a server, for callers that need the database itself."""
        if self.is_remote:
            raise ConfigError(
                "this works on the database itself, not over a server: run it where that is, with its path or "
                "postgresql://… as --db"
            )

    @classmethod
    def load(cls, *, environ: Mapping[str, str] | None = None, **arguments: Any) -> "Config":
        """Settings from all sources; an argument that is `None` counts as not given."""
        if arguments.get("db") == "":  # more likely an unset variable in a script than the user's own memory
            raise ConfigError("db is empty: name a file or a postgresql:// URL, or leave it out for your own memory")
        environ = os.environ if environ is None else environ
        values = _from_file(environ)
        values |= {name: environ[PREFIX + name.upper()] for name in _settings() if environ.get(PREFIX + name.upper())}
        return cls().changed(**values).changed(**arguments)

    def changed(self, **values: Any) -> "Config":
        """The same settings with new values for some of them; a value of `None` changes nothing."""
        given = {name: value for name, value in values.items() if value is not None}
        _refuse_unknown(given, "setting")
        config = replace(self, **{name: _coerced(_settings()[name], value) for name, value in given.items()})
        config.check()
        return config

    def of_tenant(self, tenant: str) -> "Config":
        """The same settings for another tenant."""
        if reason := _no_tenant(tenant):
            raise InvalidInput(f"{reason}: name another")
        return replace(self, tenant=tenant)

    def check(self) -> None:
        """Refuse values that make no sense."""
        for one in fields(self):
            _check_bounds(one, getattr(self, one.name))
        if not self.events_stream.strip() or not self.events_stream.isprintable():
            raise ConfigError("events_stream is blank or unprintable: name the stream, or leave it out")
        if reason := _no_tenant(self.tenant):
            raise ConfigError(f"{reason}: name another, or leave it out")
        _zone(self.time_zone)


def _check_bounds(setting: "Field[Any]", value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return
    least, most = setting.metadata["least"], setting.metadata["most"]
    if least is None and value <= 0:
        raise ConfigError(f"{setting.name} is {value}: it must be above zero")
    if least is not None and most < math.inf and not least <= value <= most:
        raise ConfigError(f"{setting.name} is {value}: it must be from {least} to {most}")
    if least is not None and value < least:
        raise ConfigError(f"{setting.name} is {value}: it must not be negative")


def discreet(value: T) -> T | str:
    """A setting as it may be shown: stars replace the password of a URL, and parameters with a secret's name."""
    return _PARAMETER.sub(r"\1***", _PASSWORD.sub(r"\1:***", value)) if isinstance(value, str) else value


def data_folder(environ: Mapping[str, str] | None = None) -> Path:
    """Where this user's data lives; `EMBERKEEP_HOME` overrides the platform's choice."""
    home = (os.environ if environ is None else environ).get("EMBERKEEP_HOME")
    return Path(home).expanduser() if home else platformdirs.user_data_path("emberkeep", appauthor=False)


def settings_file(environ: Mapping[str, str] | None = None) -> Path:
    """The TOML file: `EMBERKEEP_CONFIG`, or the one in the data folder."""
    named = (os.environ if environ is None else environ).get("EMBERKEEP_CONFIG")
    return Path(named).expanduser() if named else data_folder(environ) / FILE_NAME


def _no_tenant(name: object) -> str | None:
    """Why a tenant cannot have this name; `None` if it can."""
    if not isinstance(name, str):
        return f"tenant must be a string, not {type(name).__name__}"
    if name == "*":
        return "tenant is '*', which stands for all of them"
    if not name.strip() or not name.isprintable() or len(name) > MAX_TENANT_CHARS:
        return f"tenant is blank, unprintable or over {MAX_TENANT_CHARS} characters"
    return None


@cache
def _zone(name: str) -> tzinfo | None:
    if name.lower() in ("local", "utc"):
        return UTC if name.lower() == "utc" else None
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError  # noqa: PLC0415 - rarely needed, and every command loads this

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ConfigError(f"time_zone is {name!r}, which is not known here: name one such as Europe/Lisbon") from None


class Settings(TypedDict, total=False):
    """The settings that can be passed by name when a memory is opened; `None` leaves one as it is set elsewhere."""

    read_db: str | None
    tenant: str | None
    api_key: str | None
    remote_timeout_s: float | None
    embedder_url: str | None
    embedder_key_env: str | None
    embedder_dimension: int | None
    embedder_timeout_s: float | None
    embedder_threads: int | None
    pad_vectors_to: int | None
    capture: bool | None
    redact: bool | None
    time_zone: str | None
    llm_url: str | None
    llm_model: str | None
    llm_key_env: str | None
    llm_timeout_s: float | None
    llm_max_tokens: int | None
    mem0_config: str | None
    learn_attempts: int | None
    lease_s: float | None
    spend_soft_tokens: int | None
    spend_hard_tokens: int | None
    spend_user_tokens: int | None
    initial_temperature: float | None
    reheat_by: float | None
    half_life_days: float | None
    cold_below: float | None
    operational_events: int | None
    operational_max_age_s: float | None
    archive_after_days: float | None
    upkeep_every_s: float | None
    paraphrase_similarity: float | None
    context_days: float | None
    events_url: str | None
    events_stream: str | None
    events_stream_max: int | None
    keep_events: bool | None
    events_keep_days: float | None
    webhook_attempts: int | None
    webhook_private: bool | None
    embedding_cache_url: str | None
    embedding_cache_days: float | None
    log_texts: bool | None
    metrics_open: bool | None
    metrics_by_tenant: bool | None
    traces_url: str | None
    max_text_chars: int | None
    max_document_mb: int | None
    max_body_mb: int | None
    request_timeout_s: float | None
    max_requests: int | None
    max_streams: int | None
    requests_per_s: float | None
    requests_burst: int | None
    large_from: int | None
    index_memory_mb: int | None
    busy_timeout_s: float | None
    pool_size: int | None


def _settings() -> dict[str, "Field[Any]"]:
    return {one.name: one for one in fields(Config)}


def _from_file(environ: Mapping[str, str]) -> dict[str, Any]:
    path = settings_file(environ)
    try:
        found = path.is_file()
    except OSError as error:  # its folder may not be readable
        raise ConfigError(f"{path}: cannot be read: {error.strerror}; EMBERKEEP_HOME names another folder") from None
    if not found:
        if environ.get("EMBERKEEP_CONFIG"):
            raise ConfigError(f"{path}: no such file; EMBERKEEP_CONFIG names it")
        return {}
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not valid TOML: {error}") from None
    _refuse_unknown(values, f"setting in {path}")
    return values


def _refuse_unknown(values: Mapping[str, Any], what: str) -> None:
    for name in values:
        if name not in _settings():
            near = difflib.get_close_matches(name, _settings(), n=1)
            raise ConfigError(f"unknown {what}: {name}" + (f"; did you mean {near[0]}?" if near else ""))


def _coerced(setting: "Field[Any]", value: Any) -> Any:
    wanted: type[str | int | float] = type(setting.default)  # type: ignore[assignment]
    if wanted is bool:
        return _truth(setting.name, value)
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    plausible = str if wanted is str else (int, float, str)
    if isinstance(value, bool) or not isinstance(value, plausible):
        raise ConfigError(f"{setting.name} must be {wanted.__name__}, not {value!r}")
    try:
        coerced = wanted(value)
    except (ValueError, OverflowError):
        raise ConfigError(f"{setting.name} must be {wanted.__name__}, not {value!r}") from None
    if isinstance(coerced, str) and ("\0" in coerced or not _is_encodable(coerced)):
        raise ConfigError(f"{setting.name} holds a NUL or a lone surrogate, which nothing can be named with: remove it")
    if wanted is float and not math.isfinite(float(coerced)):
        raise ConfigError(f"{setting.name} must be a finite number, not {value!r}")
    if wanted is int and float(value) != coerced:
        raise ConfigError(f"{setting.name} must be a whole number, not {value!r}")
    return coerced


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _truth(name: str, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.strip().lower() in _YES:
        return _YES[value.strip().lower()]
    raise ConfigError(f"{name} must be true or false, not {value!r}")
