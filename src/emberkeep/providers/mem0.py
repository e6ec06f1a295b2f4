"""Learns with Mem0: Mem0 extracts, Emberkeep keeps. The only file of the library that imports Mem0, and only on use.

Each exchange is given to Mem0 under a user id of its own, and what Mem0 stores of it is removed again. So a fact told
twice is found twice, a failed attempt can be repeated, and what Emberkeep forgets does not remain in Mem0.
"""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from copy import deepcopy
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any
from uuid import uuid4

import Stemmer

from emberkeep.clock import Deadline
from emberkeep.config import data_folder
from emberkeep.errors import ConfigError, InvalidInput, ModelUnavailable, UnusableReply
from emberkeep.model import checks
from emberkeep.model.finding import NOTHING, Exchange, Finding, Lesson, Spent
from emberkeep.model.kinds import Kind
from emberkeep.model.message import Message

PART_CHARS = 12_000
LONGEST_TEXT = 1_000
_LONGEST_REASON = 300
_FEW_DIMENSIONS = 8
_PARTS = {"llm": "openai", "embedder": "openai", "vector_store": "qdrant"}  # with Mem0's default provider of each
_OPENROUTER = "OPENROUTER_API_KEY"
_REFUSED = frozenset({400, 413, 422})  # the fault lies with this exchange, not with the model
_KEPT_EVENTS = frozenset({"ADD", "UPDATE"})
_SENTENCE = re.compile(r"[^\n]+?(?:[.!?]+(?=\s|$)|[。！？]+|$)", re.MULTILINE)
_WORD = re.compile(r"[^\W_]+")
_UNSPACED = "\u0e00"  # from here on most scripts do without spaces
_PREFERENCE = re.compile(
    r"\b(?:(?:dis)?likes?|loves?|hates?|enjoys?|prefers?|favou?rite|fond of|can(?:no|')t stand)\b", re.IGNORECASE
)
_COMMON = frozenset(
    """
    a about after also an and are as at be been by can did do does for from had has have he her his i in is it its me
    my of on or our she so that the their them they this to user us was we were who will with you your s t m re ve
    """.split()
)
_PROMPT = (
    "The conversation took place on {date}: that is the observation date, whatever today is. "
    "Write each memory in the language in which it was said."
)
_stem = Stemmer.Stemmer("english", 0).stemWord


def import_mem0() -> Any:
    """Mem0's `Memory` class, imported with telemetry off and so that it writes nothing to the home folder."""
    os.environ["MEM0_TELEMETRY"] = "False"
    os.environ.setdefault("MEM0_DIR", str(data_folder() / "mem0"))
    try:
        from mem0 import Memory  # noqa: PLC0415 - it reads the environment when it is imported
        from mem0.memory import main, telemetry  # noqa: PLC0415
        from mem0.utils import spacy_models  # noqa: PLC0415
    except ImportError as error:
        raise ConfigError(f"Mem0 cannot be imported ({error}): pip install 'emberkeep[mem0]'") from None
    telemetry.MEM0_TELEMETRY = main.MEM0_TELEMETRY = False  # in case it was imported before the variable was set
    if find_spec("en_core_web_sm") is None:  # else Mem0 would download it
        spacy_models._load_failed_full = spacy_models._load_failed_lemma = True  # noqa: SLF001
    return Memory


class Mem0Learner:
    """A `Learner` that lets Mem0 extract. `config` is what `mem0.Memory.from_config` takes.

    It need not name a vector store or an embedder: Mem0 is given nothing to compare with. Mem0's history stays in
    memory. A single request to a model may take `timeout_s`.
    """

    def __init__(self, config: Mapping[str, Any], *, timeout_s: float = 60.0) -> None:
        self._config = _checked(config)
        self._timeout_s = timeout_s
        folder = self._config.get("vector_store", {}).get("config", {}).get("path")
        self._turn: AbstractContextManager[Any] = Lock() if folder else nullcontext()  # it can be opened only once
        try:
            installed = version("mem0ai")
        except PackageNotFoundError:
            raise ConfigError("learner = mem0 needs Mem0: pip install 'emberkeep[mem0]'") from None
        self._name = f"mem0:{installed}:{self._config['llm']['config'].get('model', 'default')}"

    @classmethod
    def from_file(cls, path: str) -> "Mem0Learner":
        """Make a learner from the settings in a JSON file."""
        if not path:
            raise ConfigError("learner = mem0 needs mem0_config: a JSON file with what Memory.from_config takes")
        file = Path(path).expanduser()
        try:
            config = json.loads(file.read_text(encoding="utf-8"))
        except OSError as error:
            raise ConfigError(f"{file}: cannot be read: {error.strerror}; mem0_config names it") from None
        except ValueError as error:
            raise ConfigError(f"{file}: not valid JSON: {error}") from None
        return cls(config)

    @property
    def name(self) -> str:
        """Mem0's version and the name of its language model."""
        return self._name

    def learn(self, exchange: Exchange, *, deadline: Deadline | None = None) -> Lesson:
        """The statements that Mem0 extracts and the user's own words support, in the order in which they were said."""
        said = exchange.interaction.messages
        messages = [_for_mem0(message) for message in said if message.content and message.side]
        if not any(message["role"] == "user" for message in messages):
            return Lesson(())
        timeout = self._timeout_s if deadline is None else min(self._timeout_s, deadline.remaining())
        if timeout <= 0:
            raise ModelUnavailable(f"{self.name}: no time left to ask")
        heard = _Heard()
        with self._turn:
            results = self._extract(messages, f"{exchange.interaction.said_at:%Y-%m-%d}", heard, timeout)
        return Lesson(_supported(results, said), heard.spent)

    def _extract(self, messages: list[dict[str, str]], date: str, heard: "_Heard", timeout: float) -> list[Any]:
        try:
            with _opened(self._config, heard, timeout) as memory:
                return _asked(memory, messages, _PROMPT.format(date=date), heard)
        except Exception as error:
            reason = self._without_secrets(f"{type(error).__name__}: {error}")[:_LONGEST_REASON]
            spent = {"tokens_in": heard.spent.tokens_in, "tokens_out": heard.spent.tokens_out}
            if not heard.is_nonsense and _status(error) not in _REFUSED:
                raise ModelUnavailable(f"{self.name}: {reason}", calls=heard.spent.calls, **spent) from error
            if heard.is_nonsense:
                reason = f"the answer cannot be used: {heard.text!r}"[:_LONGEST_REASON]
            raise UnusableReply(f"{self.name}: {reason}", calls=max(1, heard.spent.calls), **spent) from error

    def _without_secrets(self, text: str) -> str:
        for part in _PARTS:
            for name in ("api_key", "password"):
                secret = self._config.get(part, {}).get("config", {}).get(name)
                text = text.replace(str(secret), "***") if secret else text
        return text


@dataclass(slots=True)
class _Heard:
    """The model's last answer to Mem0 and the tokens spent: Mem0 does not report an answer that it cannot read."""

    text: str | None = None
    spent: Spent = NOTHING

    def __call__(self, _model: object, response: Any, _request: object) -> None:
        usage = response.usage
        self.spent += Spent(usage.prompt_tokens if usage else 0, usage.completion_tokens if usage else 0, 1)
        self.text = response.choices[0].message.content or ""

    @property
    def is_nonsense(self) -> bool:
        """Whether the model answered with something other than the list that Mem0 asks for."""
        if self.text is None:
            return False
        try:
            answer = json.loads(self.text[self.text.find("{") : self.text.rfind("}") + 1], strict=False)
        except (ValueError, RecursionError):
            return True
        entries = answer.get("memory")
        return not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries)


class _NoVectors:
    """Stands in for an embedder when Mem0 has nothing to compare with."""

    def __init__(self, config: Any, dimension: int) -> None:
        self.config = config
        self._vector = [1.0] + [0.0] * (dimension - 1)

    def embed(self, _text: str, _action: object = None) -> list[float]:
        """The same vector for everything."""
        return self._vector

    def embed_batch(self, texts: Sequence[str], _action: object = None) -> list[list[float]]:
        """The same vector for each of several texts."""
        return [self._vector] * len(texts)


def _checked(config: object) -> dict[str, Any]:
    """The settings, completed with default providers; `ConfigError` if Mem0 could send texts to an unnamed server."""
    if not isinstance(config, Mapping) or not all(isinstance(config.get(one, {}), Mapping) for one in _PARTS):
        raise ConfigError("Mem0's settings must be an object with llm, and embedder and vector_store if you like")
    made: dict[str, Any] = deepcopy(dict(config))
    if not made.get("llm"):
        raise ConfigError("Mem0's settings name no llm, so it would ask api.openai.com: name the one to ask")
    for part, usual in _PARTS.items():
        if part in made:
            made[part] = {"provider": usual, **made[part], "config": dict(made[part].get("config") or {})}
    model = made["llm"]
    if model["provider"] == "openai" and model["config"].get("openai_base_url") and os.environ.get(_OPENROUTER):
        raise ConfigError(f"{_OPENROUTER} is set, and Mem0 would ask that service instead of openai_base_url: unset it")
    return made


@contextmanager
def _opened(config: Mapping[str, Any], heard: _Heard, timeout: float) -> Iterator[Any]:
    memory_class = import_mem0()
    folder = Path(os.environ["MEM0_DIR"])
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="qdrant-", dir=folder) as scratch:
        memory = memory_class.from_config(_completed(config, heard, scratch))
        try:
            if hasattr(memory.vector_store, "_bm25_encoder"):  # a model for searching, which Mem0 would download
                memory.vector_store._bm25_encoder = False  # noqa: SLF001
            if "embedder" not in config:
                dimension = getattr(memory.config.vector_store.config, "embedding_model_dims", _FEW_DIMENSIONS)
                memory.embedding_model = _NoVectors(memory.embedding_model.config, dimension)
            for part in (memory.llm, memory.embedding_model):
                if hasattr(getattr(part, "client", None), "with_options"):
                    part.client = part.client.with_options(timeout=timeout, max_retries=1)
            yield memory
        finally:
            _close(memory)


def _completed(config: Mapping[str, Any], heard: _Heard, scratch: str) -> dict[str, Any]:
    """The settings with an embedder, a vector store and a vector length where they name none."""
    made: dict[str, Any] = deepcopy(dict(config))
    made["history_db_path"] = ":memory:"
    made.setdefault("embedder", {"provider": "openai", "config": {"api_key": "not-used"}})
    store = made.setdefault("vector_store", {"provider": "qdrant", "config": {"path": scratch}})
    if store["provider"] in {"qdrant", "pgvector"}:
        dimension = made["embedder"]["config"].get("embedding_dims")
        if dimension is None and "embedder" not in config and "vector_store" not in config:
            dimension = _FEW_DIMENSIONS
        if dimension is not None:
            store["config"].setdefault("embedding_model_dims", dimension)
    if store["provider"] == "qdrant" and not {"path", "url", "host"} & set(store["config"]):
        store["config"]["path"] = scratch
    if made["llm"]["provider"] == "openai":
        made["llm"]["config"]["response_callback"] = heard
    return made


def _asked(memory: Any, messages: list[dict[str, str]], prompt: str, heard: _Heard) -> list[Any]:
    """The results that Mem0 extracts; whatever it stored for them is deleted again."""
    someone = uuid4().hex
    own = memory.custom_instructions
    results: list[Any] = []
    try:
        for part in _batches(messages):
            found = memory.add(part, user_id=someone, prompt=f"{prompt}\n{own}" if own else prompt)["results"]
            if not found and heard.is_nonsense:  # Mem0 treats it as nothing worth remembering
                raise ValueError(heard.text)
            results += found
    finally:
        memory.delete_all(user_id=someone)
    return results


def _batches(messages: list[dict[str, str]]) -> Iterator[list[dict[str, str]]]:
    """The messages in parts that a small model can read."""
    part: list[dict[str, str]] = []
    for message in messages:
        if part and sum(len(one["content"]) for one in (*part, message)) > PART_CHARS:
            yield part
            part = []
        part.append(message)
    yield part


def _status(error: BaseException) -> int | None:
    """The HTTP status behind an error, also when Mem0 wrapped it in an error of its own."""
    status = getattr(error, "status_code", None) or getattr(error.__cause__, "status_code", None)
    return status if isinstance(status, int) else None


def _close(memory: Any) -> None:
    memory.close()
    for part in (memory.llm, memory.embedding_model, memory.vector_store):
        close = getattr(getattr(part, "client", None), "close", None)
        if close is not None:
            close()


# Keeping only the statements that the messages support.


def _for_mem0(message: Message) -> dict[str, str]:
    role = message.side or "user"
    speaker = message.name or (message.role if role == "user" and message.role.casefold() != "user" else None)
    return {"role": role, "content": f"{speaker}: {message.content}" if speaker else message.content}


def _supported(results: Iterable[Any], messages: Sequence[Message]) -> tuple[Finding, ...]:
    own = _terms(message.content for message in messages if message.side == "user")
    others = _terms(message.content for message in messages if message.side == "assistant") - own
    found = []
    for text in dict.fromkeys(filter(None, map(_text, results))):
        terms = _terms([text])
        shared = len(terms & own)
        enough = shared > 1 or shared * 2 >= len(terms)
        if shared > len(terms & others) and enough:
            place, quote = _best_sentence(terms, messages)
            found.append((place, Finding(text, _kind(text), place[0], quote)))
    return tuple(finding for _, finding in sorted(found, key=lambda one: one[0]))


def _text(result: object) -> str | None:
    if not isinstance(result, dict) or result.get("event") not in _KEPT_EVENTS:
        return None
    try:
        return checks.text(" ".join(str(result.get("memory", "")).split()), max_chars=LONGEST_TEXT)
    except InvalidInput:
        return None


def _best_sentence(terms: frozenset[str], messages: Sequence[Message]) -> tuple[tuple[int, int], str]:
    """The position (message, offset) and text of the user's sentence that shares the most of these terms."""
    sentences = (
        (len(terms & _terms([match.group()])), -position, -match.start(), match.group().strip())
        for position, message in enumerate(messages)
        if message.side == "user"
        for match in _SENTENCE.finditer(message.content)
    )
    _, position, start, quote = max(sentences)
    return (-position, -start), quote


def _kind(text: str) -> Kind:
    return "preference" if _PREFERENCE.search(text) else "fact"


def _terms(texts: Iterable[str]) -> frozenset[str]:
    words = (word for text in texts for word in _WORD.findall(text.casefold()))
    return frozenset(part for word in words if word not in _COMMON for part in _parts(word))


def _parts(word: str) -> list[str]:
    if word[-1] < _UNSPACED or len(word) == 1:
        return [_stem(word)]
    return [word[at : at + 2] for at in range(len(word) - 1)]
