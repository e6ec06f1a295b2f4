"""The OpenAPI page: FastAPI's description of the routes, with keys, headers, tags and examples added."""

import inspect
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from emberkeep.entrypoints.http.etags import changes_one, reads_one
from emberkeep.service.verbs import NAMESPACES, VERBS, Verb

_TAGS: Mapping[str, str] = {
    "embeddings": "The embedder, as OpenAI's API offers one.",
    "memories": "What is remembered: adding, finding, changing and deleting it.",
    "contexts": "What fits a task and a budget of tokens, and what was chosen for it.",
    "care": "Looking after a memory: what it holds, learns, costs, and what waits.",
    "memory": "Task executions and learned patterns, as OmoiOS documents them.",
    "batch": "Many calls in one request.",
    "health": "Whether the server runs, and the database answers.",
}
_HEADERS: Mapping[str, str] = {
    "Idempotency-Key": "A name of your choosing for this request: sent again with it, it is not done again.",
    "If-Match": "The ETag that the thing had when you read it: it is left alone if it has another one by now.",
    "If-None-Match": "The ETag that you know: nothing is sent if it is still the same.",
}
EXAMPLES: Mapping[str, Any] = {
    "add": {
        "messages": [
            {"role": "user", "content": "I moved to Lisbon in May.", "name": "Alex", "id": "m1"},
            {"role": "assistant", "content": "Noted!"},
        ],
        "user_id": "alex",
        "occurred_at": "2026-05-20T10:00:00Z",
        "metadata": {"channel": "voice"},
    },
    "remember": {"text": "Prefers a window seat", "kind": "preference", "user_id": "alex"},
    "search": {"query": "where does Alex live?", "user_id": "alex", "limit": 5},
    "context": {"task": "Plan Alex's weekend", "user_id": "alex", "max_tokens": 1500},
    "goals.save": {"description": "Learn to sail", "user_id": "alex"},
    "tasks.start": {"id": "boat", "description": "Buy a boat", "user_id": "alex"},
    "tasks.save": {"description": "Buy a boat", "status": "running", "user_id": "alex"},
    "tasks.step": {"tool": "search", "parameters": {"query": "boats"}, "output": "three boats", "duration_ms": 12.5},
    "tasks.finish": {"success": True, "summary": "Bought a small one"},
    "decisions.log": {"what": "Buy the small boat", "why": "It fits the garage"},
    "experience.store": {"task_id": "task-7", "summary": "Deployed with a canary", "success": True},
    "experience.search_similar": {"description": "Deploy the service", "top_k": 3},
    "experience.get_task_context": {"description": "Deploy the service"},
    "experience.warn": {"action": "Deploy on a Friday"},
    "batch": {"calls": [{"verb": "remember", "arguments": {"text": "Likes tea"}}, {"verb": "stats"}]},
    "store_execution": {
        "task_id": "task-123",
        "execution_summary": "Successfully implemented feature",
        "success": True,
        "error_patterns": None,
        "auto_extract_patterns": True,
    },
    "search_similar": {
        "task_description": "Implement OAuth2 authentication",
        "top_k": 5,
        "similarity_threshold": 0.7,
        "success_only": True,
    },
    "extract_pattern": {"task_type_pattern": ".*authentication.*", "pattern_type": "success", "min_samples": 3},
    "provide_feedback": {"helpful": True, "confidence_adjustment": 0.1},
}
_SECURITY = {
    "key": {"type": "http", "scheme": "bearer", "description": "An API key, made with `emberkeep keys create`."},
    "header": {"type": "apiKey", "in": "header", "name": "X-API-Key", "description": "The same key."},
}


def tag_of(verb: Verb) -> str:
    """The noun that a verb is listed under."""
    if verb.namespace:
        return verb.namespace
    noun = verb.path.split("/")[1]
    return {"contexts": "contexts", "collections": "memories", "erase": "memories", "memories": "memories"}.get(
        noun, "care"
    )


def describe(app: FastAPI) -> None:
    """Have an app serve this page."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _page(app)
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def _page(app: FastAPI) -> dict[str, Any]:
    page = get_openapi(
        title=app.title,
        version=app.version,
        summary="Memory for AI agents.",
        description="Every verb of a memory. Unknown fields are refused, and every error has one shape.",
        routes=app.routes,
    )
    page["components"]["securitySchemes"] = _SECURITY
    page["security"] = [{"key": []}, {"header": []}]
    page["tags"] = [{"name": name, "description": text} for name, text in _tags().items()]
    for path, methods in page["paths"].items():
        for method, operation in methods.items():
            _complete(path, method, operation)
    return page


def _complete(path: str, method: str, operation: dict[str, Any]) -> None:
    if not path.startswith(("/api/", "/v1/")):
        operation["security"] = []
    verb = VERBS.get(operation["operationId"])
    taken = []
    if verb is not None and reads_one(verb):
        taken.append("If-None-Match")
        operation["responses"]["304"] = {"description": "It is as you know it"}
    if verb is not None and changes_one(verb):
        taken.append("If-Match")
    if method != "get" and path.startswith("/api/") and (verb is None or verb.role != "read"):
        taken.append("Idempotency-Key")
    for parameter in operation.setdefault("parameters", []):  # FastAPI leaves out the defaults in a query
        argument = None if verb is None else verb.arguments.get(parameter["name"])
        if argument is not None and argument.has_plain_default:
            parameter["schema"]["default"] = argument.default
    operation["parameters"].extend(
        {"name": name, "in": "header", "description": _HEADERS[name], "schema": {"type": "string"}} for name in taken
    )
    example = EXAMPLES.get(operation["operationId"])
    if example is not None:
        operation["requestBody"]["content"]["application/json"]["example"] = example


def _tags() -> dict[str, str]:
    spaces = {name: inspect.cleandoc(kind.__doc__ or "").partition("\n")[0] for name, kind in NAMESPACES.items()}
    used = {tag_of(verb) for verb in VERBS.values()}
    return {**_TAGS, **{name: text for name, text in spaces.items() if name in used}}
