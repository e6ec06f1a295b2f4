"""The embedder as an OpenAI-compatible endpoint, so that other programs on this machine need no model of their own."""

import base64
from functools import cache, partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse
from pydantic import Field, WithJsonSchema

from emberkeep.entrypoints.http.documents import Body, Document
from emberkeep.entrypoints.http.requests import CarefulRoute
from emberkeep.entrypoints.http.routes import ERRORS
from emberkeep.entrypoints.http.visits import Visiting
from emberkeep.errors import InvalidInput
from emberkeep.memory import Memory
from emberkeep.model import checks
from emberkeep.providers.base import Vectors
from emberkeep.providers.wordpiece import WordPiece
from emberkeep.service.door import Admitted

MAX_TEXTS = 2_048
MAX_MODEL_CHARS = 200
_TEXTS = {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "maxItems": MAX_TEXTS}]}

embeddings = APIRouter(prefix="/v1", tags=["embeddings"], responses=ERRORS, route_class=CarefulRoute)


class Wanted(Body):
    """A request as the OpenAI API takes it. The store's own embedder answers, whichever model is named."""

    input: Annotated[Any, WithJsonSchema(_TEXTS)]
    model: str = Field(min_length=1, max_length=MAX_MODEL_CHARS)
    encoding_format: Literal["float", "base64"] | None = None
    dimensions: int | None = None
    user: str | None = None  # for OpenAI's own statistics; ignored here


class Embedded(Document):
    """One vector: a list of numbers, or the bytes of 32-bit floats as Base64."""

    object: Literal["embedding"]
    index: int
    embedding: list[float] | str


class Usage(Document):
    """How many tokens the texts have."""

    prompt_tokens: int
    total_tokens: int


class Answer(Document):
    """The vectors, in the order of the texts."""

    object: Literal["list"]
    model: str
    data: list[Embedded]
    usage: Usage


class Model(Document):
    """A model that makes vectors."""

    id: str
    object: Literal["model"]
    created: int
    owned_by: str


class Models(Document):
    """The one model of this service."""

    object: Literal["list"]
    data: list[Model]


@embeddings.post("/embeddings", response_model=Answer)
async def embed(visit: Visiting, wanted: Wanted) -> Response:
    """Make vectors of texts, as the OpenAI API does, with the embedder of this memory."""
    return await visit.answer(partial(_embed, wanted))


@embeddings.get("/models", response_model=Models)
async def models(visit: Visiting) -> Response:
    """List the one model that makes the vectors."""
    return await visit.answer(_models)


def _embed(wanted: Wanted, caller: Admitted) -> Response:
    caller.principal.require("read")
    texts = _texts(wanted.input, caller.memory.config.max_text_chars)
    _refuse_other_length(wanted.dimensions, caller.memory)
    made = caller.memory.embedding.of_texts(texts)
    write = _as_bytes if wanted.encoding_format == "base64" else _as_numbers
    tokens = sum(map(_tokenizer().count, texts))
    return JSONResponse(
        {
            "object": "list",
            "model": wanted.model,
            "data": [{"object": "embedding", "index": at, "embedding": write(one)} for at, one in enumerate(made)],
            "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
        }
    )


def _models(caller: Admitted) -> Response:
    caller.principal.require("read")
    name = caller.memory.embedding.embedder.name
    return JSONResponse(
        {"object": "list", "data": [{"id": name, "object": "model", "created": 0, "owned_by": "emberkeep"}]}
    )


def _texts(given: object, max_chars: int) -> list[str]:
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list) or not texts:
        raise InvalidInput("input is no text: pass a string, or a list of strings")
    if len(texts) > MAX_TEXTS:
        raise InvalidInput(f"input has {len(texts):,} texts, the limit is {MAX_TEXTS:,}: send them in several requests")
    if any(isinstance(one, int | list) for one in texts):
        raise InvalidInput("input holds tokens, which mean something else to every model: send the texts themselves")
    return [checks.text(one, name=f"input[{at}]", max_chars=max_chars) for at, one in enumerate(texts)]


def _refuse_other_length(wanted: int | None, memory: Memory) -> None:
    has = memory.embedding.embedder.dimension
    if wanted not in {None, has}:
        raise InvalidInput(f"dimensions is {wanted}, and this model's vectors have {has}: pass that, or leave it out")


def _as_numbers(vector: Vectors) -> list[float]:
    numbers: list[float] = vector.tolist()
    return numbers


def _as_bytes(vector: Vectors) -> str:
    return base64.b64encode(vector.astype("<f4").tobytes()).decode()


@cache
def _tokenizer() -> WordPiece:
    return WordPiece.from_vocabulary()
