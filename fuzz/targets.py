"""The targets: code that takes input from outside, as functions of bytes that may raise only an `EmberkeepError`.

A target that raises anything else, or hangs, has found a fault. Where one stage promises something to the next, such as
that a surveyed file can be imported, the target checks that too.
"""

import json
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import asdict
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import Any

from pydantic import ValidationError

import emberkeep
from emberkeep.access.principal import Principal
from emberkeep.capture.redact import redact_value
from emberkeep.capture.seeding import parse_seeds
from emberkeep.config import Config
from emberkeep.context.quoting import label, quoted
from emberkeep.documents import reading
from emberkeep.documents.chunking import chunks
from emberkeep.entrypoints.grpc.messages import given, parsed, types_of
from emberkeep.entrypoints.grpc.names import home_of, rpc_name
from emberkeep.entrypoints.http.documents import arguments_of
from emberkeep.entrypoints.http.etags import names
from emberkeep.entrypoints.http.paths import marked, unmarked
from emberkeep.entrypoints.http.problems import Refused
from emberkeep.entrypoints.http.requests import parse
from emberkeep.entrypoints.mcp.tools import TOOLS
from emberkeep.entrypoints.pairs import parse_pairs
from emberkeep.errors import EmberkeepError, InvalidInput
from emberkeep.events import signature
from emberkeep.integrations.langgraph.filters import matches
from emberkeep.language.dates import absolute, direction, without_dates
from emberkeep.language.instructions import is_instruction
from emberkeep.language.periods import asked, periods
from emberkeep.language.terms import query_terms
from emberkeep.language.traits import traits_of
from emberkeep.learning.claims import claim_of
from emberkeep.learning.entities import entities_of
from emberkeep.learning.gate import refusal
from emberkeep.learning.llm import ModelLearner
from emberkeep.learning.rules import RuleLearner
from emberkeep.memory import Memory
from emberkeep.model import checks
from emberkeep.model.finding import Doubt, Exchange
from emberkeep.model.interaction import Interaction
from emberkeep.model.message import Message, parse_messages
from emberkeep.model.sameness import content_hash, could_paraphrase
from emberkeep.model.scope import Scope
from emberkeep.providers.base import Completion
from emberkeep.service.calls import call
from emberkeep.service.verbs import VERBS, Verb
from emberkeep.storage.dump import TABLES
from emberkeep.storage.migrate import HEAD, prepare
from emberkeep.testing import FixedClock, ScriptedModel, WordEmbedder
from emberkeep.transfer import importing, palace, qdrant, restore
from emberkeep.transfer.archive import Writer
from emberkeep.transfer.manifest import FORMAT, parse_manifest
from emberkeep.transfer.parcels import Exchange as Said
from emberkeep.transfer.parcels import Parcel, Told
from emberkeep.transfer.sources import READERS
from emberkeep.wiring import open_database

Target = Callable[[bytes], None]
AT = datetime(2026, 6, 1, 12, tzinfo=UTC)
LONGEST = 100_000
ADMIN, MINE = Principal("default", "admin"), Principal("default", "write", "alex")


# What is said.


def messages(data: bytes) -> None:
    """Messages for `add`, and what is learned from them without a model."""
    said = parse_messages(_value(data), max_chars=LONGEST)
    redact_value([asdict(one) for one in said])
    exchange = _exchange(said)
    for finding in RuleLearner().learn(exchange).findings:
        refusal(finding, exchange)
        claim_of(finding.text)
        entities_of(finding.text)


def words(data: bytes) -> None:
    """A text, read by everything that looks at texts before they are kept or shown."""
    text = checks.text(_text(data), max_chars=LONGEST)
    shown = quoted(text)
    if len(shown.splitlines()) > 1 or quoted(label(text)).count("\n"):
        raise AssertionError("a quotation is one line")
    is_instruction(text)
    traits_of(text)
    claim_of(text)
    query_terms(text)
    content_hash(text)
    could_paraphrase(text, shown)


def dates(data: bytes) -> None:
    """Dates as people write them, near now and near the ends of the calendar."""
    text = _text(data)
    for at in (AT, datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC)):
        absolute(text, at, ahead=True, lasting=True)
        absolute(text, at, ahead=False, timeless=True)
        direction(text, at)
        periods(text, at, ahead=True)
        asked(text, at)
    without_dates(text)


def seeds(data: bytes) -> None:
    """Lines, Markdown or JSON for `seed`."""
    for seed in parse_seeds(checks.storable(_text(data), name="text"), None, Config(max_text_chars=LONGEST)):
        Scope.to_write("default", seed.user_id, seed.agent_id, seed.session_id)


# What is asked for.


def filters(data: bytes) -> None:
    """Filters of a search: as JSON, as `key=value`, in the form of LangGraph; each is tried on a store."""
    value = _value(data)
    if isinstance(value, str):
        value = parse_pairs(value.splitlines(), name="filters")
    narrowed = value if isinstance(value, dict) else {"filters": value}
    try:
        matches({"a": [1, {"b": "c"}]}, value)
    except RecursionError:
        raise InvalidInput("too deep") from None  # only a caller in Python can nest values so deep
    _memory().get_all(**({"filters": value} if "filters" not in narrowed else narrowed))


def calls(data: bytes) -> None:
    """Any verb with any arguments, checked as HTTP checks them, for an admin and for one user."""
    value = parsed_body(data)
    if isinstance(value, dict) and str(value.get("verb")) in VERBS:
        _call(VERBS[str(value["verb"])], value.get("arguments"))


def requests(data: bytes) -> None:
    """The parts of an HTTP request: body, path, and headers."""
    for part in (marked(data), marked(data).encode().decode()):
        unmarked(part)
    names(data.decode("latin-1"), '"etag"')
    head, _, body = data.partition(b"\n")
    signed = {
        "webhook-id": "1",
        "webhook-timestamp": head.decode("latin-1"),
        "webhook-signature": head.decode("utf-8", "surrogateescape"),
    }
    signature.verify(signature.new_secret(), signed, body, AT)
    parsed_body(data)


def grpc(data: bytes) -> None:
    """Messages of gRPC: the first byte chooses the verb, the others are the message."""
    verb = list(VERBS.values())[data[0] % len(VERBS)] if data else VERBS["search"]
    message = parsed(types_of(home_of(verb), rpc_name(verb))[0], data[1:])
    _invoke(verb, given(message))


def tools(data: bytes) -> None:
    """A model's call of a tool of the MCP server."""
    value = _value(data)
    if not isinstance(value, dict) or str(value.get("tool")) not in TOOLS:
        return
    try:
        TOOLS[str(value["tool"])].takes.model_validate(value.get("arguments"))
    except ValidationError as error:
        raise InvalidInput(str(error.error_count())) from None


# What a model says.


def replies(data: bytes) -> None:
    """Replies of a language model, also cut off ones, to each of the three prompts."""
    text = data.decode("utf-8", "replace")
    for end in ("stop", "length"):
        learner = ModelLearner(ScriptedModel([Completion(text, 1, 1, end)] * 6))
        for ask in (
            partial(learner.learn, _exchange((Message("user", "I moved to Lisbon in May."),))),
            partial(learner.judge, [Doubt("Alex lives in Lisbon", ("Alex lives in Porto",))]),
            partial(learner.summarize, "Alex moved to Lisbon in May."),
        ):
            _quietly(ask)


# What others' files hold.


def importer(source: str, data: bytes) -> None:
    """A file to import; what is read from it without an error can be kept."""
    file = _folder() / "file"
    file.write_bytes(data)
    _hold(importing.read(file, source))


def mempalace(data: bytes) -> None:
    """The tables of a MemPalace: an array of [table, cell, …]."""
    folder = _folder() / "palace"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    with closing(sqlite3.connect(folder / "sqlite_exact.sqlite3")) as file:
        file.execute("CREATE TABLE collections (id, name)")
        file.execute("CREATE TABLE documents (id, collection_id, document, metadata_json, created_at)")
        file.execute("INSERT INTO collections VALUES (1, ?)", (palace.COLLECTION,))
        for row in _rows(data, "documents", 3):
            file.execute("INSERT INTO documents VALUES (?, 1, ?, ?, 0)", row)
        file.commit()
    with closing(sqlite3.connect(folder / palace.GRAPH)) as file:
        file.execute("CREATE TABLE entities (id, name)")
        file.execute("CREATE TABLE triples (id, subject, predicate, object, valid_from, valid_to, extracted_at)")
        for row in _rows(data, "triples", 7):
            file.execute("INSERT INTO triples VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        file.commit()
    _hold(palace.read_mempalace(folder))


def points(data: bytes) -> None:
    """The payload of a point in the Qdrant of Mem0."""
    value = _value(data)
    if isinstance(value, dict):
        told = qdrant._told(value, "1")
        _hold(iter([told] if told else []))


def document(media_type: reading.MediaType, data: bytes) -> None:
    """A file to keep as a document, cut into chunks."""
    read = reading.read(data, media_type, max_mb=1)
    for chunk in chunks(read.text, lambda text: len(text.split()), markdown=media_type != "text/plain"):
        if not read.text[chunk.start : chunk.end].strip():
            raise AssertionError("a part of a document says something")


def manifest(data: bytes) -> None:
    """The manifest of an archive."""
    parse_manifest(data)


def backup(data: bytes) -> None:
    """A file to restore: as it is, or as an archive that is intact but for the given rows and manifest."""
    folder = _folder() / "restored"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    file, value = folder / "file.zip", _value(data)
    if isinstance(value, dict):
        _write_archive(file, value)
    else:
        file.write_bytes(data)
    shutil.copy(_empty_store(), folder / "agent.db")
    restore.restore(str(folder / "agent.db"), file)


TARGETS: Mapping[str, Target] = {
    "messages": messages,
    "words": words,
    "dates": dates,
    "seeds": seeds,
    "filters": filters,
    "calls": calls,
    "requests": requests,
    "grpc": grpc,
    "tools": tools,
    "replies": replies,
    **{source: partial(importer, source) for source in READERS if source not in {"markdown", "mempalace"}},
    "mempalace": mempalace,
    "points": points,
    "markdown": partial(document, "text/markdown"),
    "html": partial(document, "text/html"),
    "pdf": partial(document, "application/pdf"),
    "manifest": manifest,
    "backup": backup,
}


def attempt(target: str, data: bytes) -> None:
    """Give bytes to a target; an `EmberkeepError` is the right answer to bad input."""
    with suppress(EmberkeepError):
        TARGETS[target](data)


def _text(data: bytes) -> str:
    """Return bytes as text, which may contain halves of surrogate pairs."""
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace")


def _value(data: bytes) -> Any:
    """Return the value of JSON, or the text if it is not JSON."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return data.decode("utf-8", "replace")


def parsed_body(data: bytes) -> Any:
    """Return JSON, read in the way of a request's body."""
    try:
        return parse(data)
    except Refused as refused:
        raise refused.error from None


def _exchange(said: tuple[Message, ...]) -> Exchange:
    return Exchange(Interaction("1", Scope("default"), said, AT, AT), "Alex")


@cache
def _memory() -> Memory:
    """Open one store for all inputs: what earlier ones left there is part of the test."""
    return emberkeep.open(config=Config(db=":memory:"), embedder=WordEmbedder(), clock=FixedClock())


def _call(verb: Verb, arguments: Any) -> None:
    try:
        sent = arguments_of(verb).model_validate(arguments).sent()
    except ValidationError as error:
        raise InvalidInput(str(error.error_count())) from None
    _invoke(verb, sent)


def _invoke(verb: Verb, sent: Mapping[str, Any]) -> None:
    for principal in (MINE, ADMIN):
        try:
            json.dumps(call(_memory(), verb, sent, principal), allow_nan=False).encode()
        except EmberkeepError as error:
            str(error).encode("utf-8", "surrogatepass")


def _quietly(ask: Callable[[], object]) -> None:
    with suppress(EmberkeepError):
        ask()


@cache
def _folder() -> Path:
    """Make a temporary folder for this process, which is removed when it ends."""
    kept = tempfile.TemporaryDirectory(prefix="emberkeep-fuzz-")
    _kept.append(kept)
    return Path(kept.name)


_kept: list[tempfile.TemporaryDirectory[str]] = []


@cache
def _empty_store() -> Path:
    path = _folder() / "empty.db"
    database = open_database(Config(db=str(path)))
    prepare(database)
    database.close()
    return path


def _hold(parcels: Iterator[Parcel]) -> None:
    """Read all parcels; raise `AssertionError` for one that was read without an error, but cannot be kept."""
    for parcel in parcels:
        try:
            if isinstance(parcel, Told):
                parse_seeds(json.dumps(importing._seed(parcel), default=str), "jsonl", Config(max_text_chars=LONGEST))
            elif isinstance(parcel, Said):
                parse_messages(parcel.messages, max_chars=LONGEST)
                checks.metadata(parcel.metadata)
                Scope.to_write("default", parcel.user_id, parcel.agent_id, parcel.session_id)
        except EmberkeepError as error:
            raise AssertionError(f"{parcel!r:.200} was read, but cannot be kept: {error}") from error


def _rows(data: bytes, table: str, width: int) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a table in the input, each filled up to a number of cells."""
    value = _value(data)
    for one in value if isinstance(value, list) else []:
        if isinstance(one, list) and one[:1] == [table]:
            cells = list(map(_cell, one[1 : width + 1]))
            yield (*cells, *[None] * (width - len(cells)))


def _cell(value: Any) -> Any:
    """Return a value in a form that SQLite can hold."""
    if value is None or isinstance(value, float) or (isinstance(value, int) and value.bit_length() <= checks.MAX_BITS):
        return value
    return (value if isinstance(value, str) else json.dumps(value)).encode("utf-8", "replace").decode()


def _write_archive(file: Path, value: Mapping[str, Any]) -> None:
    """Write an archive that is intact but for the rows and the fields of the manifest that are given."""
    with file.open("wb") as stream, Writer(stream) as writer:
        members = {}
        for table in TABLES:
            held = value.get(table)
            members[table] = writer.write(table, held if isinstance(held, list) else [])
        said: dict[str, Any] = {
            "format": FORMAT,
            "emberkeep": "0",
            "schema": HEAD,
            "created_at": "2026-06-01T00:00:00+00:00",
        }
        said |= {"embedder": None, "dimension": None, "tables": {name: asdict(one) for name, one in members.items()}}
        more = value.get("manifest")
        writer._zip.writestr("manifest.json", json.dumps(said | (more if isinstance(more, dict) else {})))
        writer._zip.close()
