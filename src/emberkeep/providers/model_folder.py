"""A folder with a model: which files it has, and how the model is to be used."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from emberkeep.errors import ConfigError
from emberkeep.providers.base import UNRELATED

SETTINGS_FILE = "emberkeep.json"
_FEWEST_TOKENS = 3  # [CLS], something, [SEP]


@dataclass(frozen=True, slots=True)
class Usage:
    """How a model is to be used.

    `pooling` says how the vectors of a text's tokens become one: their `mean`, the first token's (`cls`), or `none`
    for a model that gives one vector per text by itself. `unrelated` is the median cosine of two statements that have
    nothing to do with each other.
    """

    pooling: Literal["mean", "cls", "none"] = "mean"
    query_prefix: str = ""
    document_prefix: str = ""
    max_tokens: int = 256
    unrelated: float = UNRELATED


def required(folder: Path, *names: str) -> Path:
    """The first of these files that the folder has; raises `ConfigError` if it has none."""
    if not folder.is_dir():
        raise ConfigError(f"there is no folder {folder}")
    for name in names:
        if (folder / name).is_file():
            return folder / name
    raise ConfigError(f"{' or '.join(names)} is missing in {folder}")


def vocabulary_in(folder: Path) -> Path:
    """The file with the model's vocabulary; raises `ConfigError` if it is missing or the model is cased."""
    path = required(folder, "vocab.txt", "tokenizer.json")
    if path.suffix != ".json" and _read_object(folder / "tokenizer_config.json").get("do_lower_case") is False:
        raise ConfigError(f"the model in {folder} is cased: only models of the uncased BERT family are served")
    return path


def described(folder: Path) -> tuple[str, Usage]:
    """The model's label and how to use it.

    Read from `emberkeep.json`; what it leaves out, from the files that sentence-transformers writes.
    """
    own = _own_settings(folder / SETTINGS_FILE)
    label = own.pop("name", folder.resolve().name)
    published = {
        "pooling": None if "pooling" in own else _published_pooling(folder),
        "query_prefix": _published_prompt(folder, "query"),
        "document_prefix": _published_prompt(folder, "document", "passage"),
        "max_tokens": _published_length(folder),
    }
    return label, replace(Usage(), **{key: value for key, value in published.items() if value is not None} | own)


def space_name(label: str, usage: Usage, *digests: str) -> str:
    """A name for the vector space that is unique to these files and this usage."""
    asked = {key: value for key, value in asdict(usage).items() if key != "unrelated"}  # it changes no vector
    content = json.dumps([*digests, asked], sort_keys=True)
    return f"{label}-{hashlib.sha256(content.encode()).hexdigest()[:12]}"


def file_digest(path: Path) -> str:
    """The sha256 of a file; cached until its size or modification time changes."""
    try:
        state = path.stat()
        return _digest(path, state.st_size, state.st_mtime_ns)
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None


@lru_cache(32)
def _digest(path: Path, _size: int, _changed: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _own_settings(path: Path) -> dict[str, Any]:
    settings = dict(_read_object(path))
    known = {"name": str} | {one.name: type(one.default) for one in fields(Usage)}
    for key, value in settings.items():
        if key not in known:
            raise ConfigError(f"{path} has an unknown key {key!r}; known are {', '.join(known)}")
        if type(value) is not known[key]:
            raise ConfigError(f"{path}: {key} has to be of type {known[key].__name__}")
    if settings.get("pooling", "mean") not in ("mean", "cls", "none"):
        raise ConfigError(f'{path}: pooling has to be "mean", "cls" or "none"')
    if settings.get("max_tokens", _FEWEST_TOKENS) < _FEWEST_TOKENS:
        raise ConfigError(f"{path}: max_tokens has to be {_FEWEST_TOKENS} or more")
    if not 0 <= settings.get("unrelated", UNRELATED) < 1:
        raise ConfigError(f"{path}: unrelated has to be from 0 to less than 1")
    return settings


def _published_pooling(folder: Path) -> str | None:
    path = folder / "1_Pooling" / "config.json"
    settings = _read_object(path)
    named = [key.removeprefix("pooling_mode_") for key, value in settings.items() if value is True and "_mode_" in key]
    modes: list[Any] = named or [settings.get("pooling_mode")]
    match modes:
        case [None]:
            return None
        case ["mean_tokens" | "mean"]:
            return "mean"
        case ["cls_token" | "cls"]:
            return "cls"
        case others:
            raise ConfigError(f"{path} asks for {' and '.join(map(str, others))}: only mean and cls are served")


def _published_prompt(folder: Path, *names: str) -> str | None:
    match _read_object(folder / "config_sentence_transformers.json").get("prompts"):
        case dict(prompts):
            return next((prompts[name] for name in names if isinstance(prompts.get(name), str)), None)
    return None


def _published_length(folder: Path) -> int | None:
    match _read_object(folder / "sentence_bert_config.json").get("max_seq_length"):
        case int(length) if length >= _FEWEST_TOKENS:
            return length
    return None


def _read_object(path: Path) -> Mapping[str, Any]:
    """A JSON object; an empty one if there is no such file."""
    if not path.is_file():
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigError(f"{path} is not JSON: {error}") from None
    if not isinstance(content, dict):
        raise ConfigError(f"{path} has to hold a JSON object")
    return content
