"""The resources, which are a memory, the latest memories and statistics; and the prompt `recall`."""

import json
from collections.abc import Mapping
from typing import Any

from mcp_types import (
    GetPromptResult,
    Prompt,
    PromptArgument,
    PromptMessage,
    Resource,
    ResourceTemplate,
    TextContent,
)

from emberkeep.context.render import NOTE
from emberkeep.entrypoints.mcp import arguments as takes
from emberkeep.entrypoints.mcp.caller import Caller
from emberkeep.entrypoints.mcp.tools import stats
from emberkeep.errors import InvalidInput
from emberkeep.service.answers import LONGEST_TEXT, memory_data, quotation
from emberkeep.service.shapes import plain

LATEST = 20  # memories in `emberkeep://recent`
JSON = "application/json"
_MEMORY = "emberkeep://memories/"
RESOURCES = (
    Resource(uri="emberkeep://recent", name="recent", description="The latest memories.", mime_type=JSON),
    Resource(uri="emberkeep://stats", name="stats", description=takes.Stats.__doc__, mime_type=JSON),
)
TEMPLATE = ResourceTemplate(
    uri_template=f"{_MEMORY}{{id}}", name="memory", description="One memory with its whole text.", mime_type=JSON
)
PROMPT = Prompt(
    name="recall",
    description="Begin a task with what is remembered about it.",
    arguments=[
        PromptArgument(name="task", description="What is to be done.", required=True),
        PromptArgument(name="max_tokens", description="How long the memories may be, in tokens; 1500 if left out."),
    ],
)


def read(caller: Caller, uri: str) -> str:
    """Return the JSON text of a resource."""
    return json.dumps(_document(caller, uri), ensure_ascii=False)


def recall(caller: Caller, asked: takes.Context) -> GetPromptResult:
    """Return the prompt: what is remembered about a task, fenced, and then the task."""
    made = caller.memory.context(
        asked.task, max_tokens=asked.max_tokens, tiers=caller.tiers, user_id=caller.whose(asked.user_id)
    )
    text = f"{made.text}\n\n{asked.task}" if made.text else asked.task
    message = PromptMessage(role="user", content=TextContent(type="text", text=text))
    return GetPromptResult(description=PROMPT.description, messages=[message])


def _document(caller: Caller, uri: str) -> Mapping[str, Any]:
    """Return the content of a resource; raise `InvalidInput` for an unknown URI."""
    if uri == "emberkeep://stats":
        return stats(caller, takes.Stats()).data
    if uri == "emberkeep://recent":
        page = caller.memory.get_all(limit=LATEST, user_id=caller.user_id)
        return {"note": NOTE, "memories": [memory_data(item) for item in page]}
    memory_id = uri.removeprefix(_MEMORY)
    if not memory_id or memory_id == uri:
        known = [*(one.uri for one in RESOURCES), TEMPLATE.uri_template]
        raise InvalidInput(f"unknown resource {uri!r}: use one of {', '.join(known)}")
    item = caller.own("memory", memory_id, caller.memory.get(memory_id))
    details = {"recorded_at": plain(item.recorded_at), "metadata": quotation(item.metadata)}
    return {"note": NOTE, "memory": {**memory_data(item, LONGEST_TEXT), **details}}
