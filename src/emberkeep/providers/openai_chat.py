"""Answers prompts with any server that speaks OpenAI's `/chat/completions`."""

import json
import re
from collections.abc import Mapping
from typing import Any

import httpx

from emberkeep.clock import Deadline
from emberkeep.errors import ModelUnavailable, UnusableReply
from emberkeep.providers.base import Completion, End
from emberkeep.providers.openai_http import Endpoint, Reply, earliest

# The ways to make a server keep to a schema, from the strictest to none.
_SHAPES = ("json_schema", "json_object", "text")
_ABOUT_THE_SHAPE = re.compile(rb"response_?format|json_?(schema|object)|grammar|structured", re.IGNORECASE)
_ABOUT_SOMETHING_ELSE = re.compile(
    rb"context|too (long|large|many)|max_(completion_)?tokens|temperature|api.?key|credit|quota|billing"
    rb"|model.{0,60}(not|found|exist)|content.?(filter|management|policy)|failed.?(to.?)?generat|json_validate_failed",
    re.IGNORECASE | re.DOTALL,
)
_ABOUT_THIS_PROMPT = frozenset({400, 413, 422})  # filtered, too long or malformed: another prompt may succeed
_CUT = frozenset({"length", "model_length", "max_tokens"})
_BYTES_PER_TOKEN = 4


class OpenAIChat:
    """A `LanguageModel` that asks a server; safe to share between threads.

    `timeout_s` limits a whole call, retries included. `options` are added to each request unchanged, for parameters
    beyond the usual; a `temperature` or `max_tokens` of None is left out of the request.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        api_key: str | None = None,
        timeout_s: float = 60.0,
        max_tokens: int | None = 2_048,
        temperature: float | None = 0.0,
        max_retries: int = 3,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self._model = model
        self._timeout_s = timeout_s
        usual = {"model": model, "max_tokens": max_tokens, "temperature": temperature}
        self._settings = {name: value for name, value in usual.items() if value is not None} | dict(options or {})
        self._first_shape = 0
        self._endpoint = Endpoint(
            base_url, "/chat/completions", name=model, api_key=api_key, timeout_s=timeout_s, max_retries=max_retries
        )

    @property
    def name(self) -> str:
        """The model's own name."""
        return self._model

    def complete(
        self, system: str, user: str, *, schema: Mapping[str, Any] | None = None, deadline: Deadline | None = None
    ) -> Completion:
        """The answer; raises `ModelUnavailable`, and `UnusableReply` where another prompt may fare better."""
        limit = earliest(Deadline.after(self._timeout_s), deadline)
        reply = self._ask(system, user, limit) if schema is None else self._ask_shaped(system, user, schema, limit)
        if not reply.ok:
            kind = UnusableReply if reply.status in _ABOUT_THIS_PROMPT else ModelUnavailable
            raise self._endpoint.refused(reply, kind)
        try:
            return _read(reply.body, asked=system + user)
        except (ValueError, RecursionError) as error:
            raise self._endpoint.nonsense(error, reply, UnusableReply) from None

    def close(self) -> None:
        """Closes the connections; a later call opens new ones."""
        self._endpoint.close()

    def _ask(self, system: str, user: str, limit: Deadline, **more: Any) -> Reply:
        messages = [{"role": "system", "content": system}] if system else []
        messages.append({"role": "user", "content": user})
        return self._endpoint.ask(self._settings | {"messages": messages} | more, limit)

    def _ask_shaped(self, system: str, user: str, schema: Mapping[str, Any], limit: Deadline) -> Reply:
        """Ask for JSON in the strictest way that the server accepts, and remember which that is."""
        for at in range(self._first_shape, len(_SHAPES)):
            reply = self._ask(_told(system, schema, _SHAPES[at]), user, limit, **_response_format(schema, _SHAPES[at]))
            if reply.ok:
                self._first_shape = at
            if not _refuses_the_shape(reply):
                break
        return reply


def _told(system: str, schema: Mapping[str, Any], shape: str) -> str:
    """The instructions, with a sketch of the answer's form where the server does not enforce the schema."""
    if shape == "json_schema":
        return system
    sketch = json.dumps(_sketch(schema), ensure_ascii=False)
    return f"{system}\n\nAnswer with one JSON object and nothing else. Its form: {sketch}".lstrip()


def _response_format(schema: Mapping[str, Any], shape: str) -> dict[str, Any]:
    match shape:
        case "json_schema":
            named = {"name": "answer", "strict": True, "schema": schema}
            return {"response_format": {"type": "json_schema", "json_schema": named}}
        case "json_object":
            return {"response_format": {"type": "json_object"}}
        case _:
            return {}


def _refuses_the_shape(reply: Reply) -> bool:
    if reply.status not in (httpx.codes.BAD_REQUEST, httpx.codes.UNPROCESSABLE_ENTITY):
        return False
    return bool(_ABOUT_THE_SHAPE.search(reply.body)) or not _ABOUT_SOMETHING_ELSE.search(reply.body)


def _sketch(schema: Any) -> Any:
    """An example value of the schema's form, with dots and lists of choices as placeholders."""
    match schema:
        case {"enum": list(choices)}:
            return "|".join(str(choice) for choice in choices)
        case {"type": "object", "properties": dict(properties)}:
            return {name: _sketch(one) for name, one in properties.items()}
        case {"type": "array", "items": items}:
            return [_sketch(items)]
        case {"type": "integer" | "number"}:
            return 1
        case {"type": "boolean"}:
            return True
        case _:
            return "..."


def _read(body: bytes, *, asked: str) -> Completion:
    """The completion in a reply; raises ValueError."""
    match json.loads(body):
        case {"choices": [{"message": dict(message), **choice}, *_], **rest}:
            text = _text(message.get("content"))
        case _:
            raise ValueError("no `choices` with a message")
    refusal = message.get("refusal")
    if isinstance(refusal, str) and refusal:
        text = text or refusal
    tokens_in, tokens_out = _tokens(rest.get("usage"), asked, text)
    return Completion(text, tokens_in, tokens_out, end=_end(choice.get("finish_reason"), refusal))


def _text(content: object) -> str:
    """The text of a message's content: a string, a list of parts, or None, as when all tokens went into reasoning."""
    match content:
        case None:
            return ""
        case str():
            return content
        case list():
            return "".join(part["text"] for part in content if isinstance(part, dict) and _is_text(part))
        case _:
            raise ValueError("a content that is no text")


def _is_text(part: Mapping[str, Any]) -> bool:
    return part.get("type", "text") == "text" and isinstance(part.get("text"), str)


def _end(reason: object, refusal: object) -> End:
    if refusal or reason == "content_filter":
        return "refused"
    return "length" if reason in _CUT else "stop"


def _tokens(usage: object, asked: str, text: str) -> tuple[int, int]:
    """The token counts that the server reports, or estimates."""
    match usage:
        case {"prompt_tokens": int(tokens_in), "completion_tokens": int(tokens_out)}:
            return max(0, tokens_in), max(0, tokens_out)
        case _:
            return _estimate(asked), _estimate(text)


def _estimate(text: str) -> int:
    return -(-len(text.encode(errors="replace")) // _BYTES_PER_TOKEN)
