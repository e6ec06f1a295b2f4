"""The arguments of each tool. They are checked for their shape here, and for their meaning by the facade.

Models read the docstring of a tool's class, and the descriptions of its fields.
"""

import json
from collections.abc import Collection, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from emberkeep.entrypoints.mcp.caller import SETTLED
from emberkeep.model.kinds import Kind

SHOWN_PROBLEMS = 5  # of a call with more
MOST_HITS = 50  # of one search
MOST_TOKENS = 32_000  # of one context

# The kinds that a tool may write.
Told = Literal["fact", "preference", "decision", "procedure", "incident", "knowledge"]
Tags = Annotated[list[str] | None, Field(description="Words to file it under.")]
MemoryId = Annotated[str, Field(description="The memory's id, as search returned it.")]
TaskId = Annotated[str, Field(description="The id that task_start returned.")]
When = Annotated[str | None, Field(description="When it happened, ISO 8601; now if left out.")]


class Arguments(BaseModel):
    """The arguments of a call: an unknown name is an error, and null counts as left out."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _given(cls, values: Any) -> Any:
        """Drop the arguments that are null."""
        return {name: one for name, one in values.items() if one is not None} if isinstance(values, dict) else values


class OfUser(Arguments):
    """Arguments that name the user whose memory it is."""

    user_id: Annotated[str | None, Field(description="The user whose memory it is, if it is one user's.")] = None


class Owned(OfUser):
    """Arguments that say whose memory something new is, and where it comes from."""

    agent_id: Annotated[str | None, Field(description="The agent that it comes from.")] = None
    session_id: Annotated[str | None, Field(description="The conversation that it belongs to.")] = None


class Said(Arguments):
    """One message."""

    role: Annotated[str, Field(description="user, assistant, system or tool.")]
    content: Annotated[str, Field(description="What was said.")]
    name: Annotated[str | None, Field(description="Who said it.")] = None


class Add(Owned):
    """Keep messages of a conversation word for word, and learn facts and preferences from them."""

    messages: Annotated[list[Said], Field(description="What was said, in order.")]
    occurred_at: When = None
    tags: Tags = None

    @field_validator("messages", mode="before")
    @classmethod
    def _messages(cls, given: Any) -> Any:
        """Read a string as one user message, or as a JSON list of messages, which some models send."""
        if not isinstance(given, str):
            return given
        try:
            parsed = json.loads(given)
        except (ValueError, RecursionError):
            parsed = None
        is_list = isinstance(parsed, list) and all(isinstance(one, dict) and "role" in one for one in parsed)
        return parsed if is_list else [{"role": "user", "content": given}]


class Search(OfUser):
    """Find memories about something, best first, each with its id."""

    query: Annotated[str, Field(description="What to look for, in plain words.")]
    limit: Annotated[int, Field(description="How many memories at most.", ge=1, le=MOST_HITS)] = 8
    kinds: Annotated[list[Kind] | None, Field(description="Only these kinds of memory.")] = None
    since: Annotated[str | None, Field(description="Only what happened at this time or later, ISO 8601.")] = None
    until: Annotated[str | None, Field(description="Only what happened at this time or earlier, ISO 8601.")] = None
    as_of: Annotated[str | None, Field(description="Only what held at this time, instead of now; ISO 8601.")] = None


class Context(OfUser):
    """Recall what matters for a task, as a text to read. Call it before you start."""

    task: Annotated[str, Field(description="What you are about to do.")]
    max_tokens: Annotated[int, Field(description="How long the text may be, in tokens.", ge=1, le=MOST_TOKENS)] = 1_500


class Remember(Owned):
    """Keep one thing that you now know. Keeping it again makes no second copy."""

    text: Annotated[str, Field(description="One statement that is clear without its context.")]
    kind: Annotated[Told, Field(description="What kind of memory it is.")] = "fact"
    occurred_at: When = None
    tags: Tags = None
    sacred: Annotated[bool, Field(description="Whether it never fades.")] = False


class Update(Arguments):
    """Correct a memory. The former text stays in its history."""

    id: MemoryId
    text: Annotated[str | None, Field(description="The new text.")] = None
    kind: Annotated[Told | None, Field(description="What kind of memory it is.")] = None
    tags: Tags = None
    sacred: Annotated[bool | None, Field(description="Whether it never fades.")] = None


class Forget(Arguments):
    """Remove a memory for good; it cannot be brought back."""

    id: MemoryId


class TaskStart(Owned):
    """Begin a task. The answer holds its id, and how similar tasks went."""

    description: Annotated[str, Field(description="What is to be done.")]


class TaskStep(Arguments):
    """Record one tool call of a task."""

    task_id: TaskId
    tool: Annotated[str, Field(description="The tool that was called.")]
    parameters: Annotated[dict[str, Any] | None, Field(description="The arguments of the call.")] = None
    output: Annotated[str, Field(description="What the tool returned.")] = ""
    success: Annotated[bool, Field(description="Whether the call worked.")] = True


class TaskFinish(Arguments):
    """Say how a task ended, so that the next one like it goes better."""

    task_id: TaskId
    success: Annotated[bool, Field(description="Whether the task succeeded.")]
    summary: Annotated[str, Field(description="The result; of a failure, the reason.")]


class Warn(OfUser):
    """Ask whether something like this failed before, and what fixed it. Call it before a risky step."""

    action: Annotated[str, Field(description="What you are about to do.")]


class Feedback(Arguments):
    """Say whether a context or a pattern helped."""

    helpful: Annotated[bool, Field(description="Whether it helped.")]
    context_id: Annotated[str | None, Field(description="The id that context returned.")] = None
    pattern_id: Annotated[str | None, Field(description="The id of a pattern that task_start returned.")] = None
    note: Annotated[str | None, Field(description="What was good, missing or wrong.")] = None


class Stats(Arguments):
    """How many memories there are, of which kinds, and what waits to be learned from."""


class _Plain(GenerateJsonSchema):
    """Schemas without what some clients cannot handle: generated titles, and null as a type of its own."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - pydantic's signature
        return False

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        made = super().default_schema(schema)
        return {name: value for name, value in made.items() if (name, value) != ("default", None)}


def schema_of(arguments: type[Arguments], without: Collection[str] = ()) -> dict[str, Any]:
    """Return the JSON schema of a tool's arguments, without references, with the arguments in `SETTLED` last."""
    made = arguments.model_json_schema(schema_generator=_Plain)
    parts = made.pop("$defs", {})
    named = {name: _whole(one, parts) for name, one in made["properties"].items()} if "properties" in made else {}
    order = [name for name in named if name not in SETTLED] + [name for name in SETTLED if name in named]
    properties = {name: named[name] for name in order if name not in without}
    required = {"required": made["required"]} if "required" in made else {}
    return {"type": "object", "properties": properties, **required, "additionalProperties": False}


def problems(error: ValidationError, name: str, schema: Mapping[str, Any]) -> str:
    """Say in one line what is wrong with the arguments of a call, and which ones the tool takes."""
    found = error.errors(include_url=False, include_input=False, include_context=False)
    shown = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in found[:SHOWN_PROBLEMS]]
    more = [f"and {len(found) - len(shown)} more"] if len(found) > len(shown) else []
    takes = ", ".join(schema["properties"]) or "no arguments"
    return f"{'; '.join([*shown, *more])} ({name} takes {takes})"


def _whole(schema: Any, parts: dict[str, Any]) -> Any:
    """Return a schema with each reference replaced by the part that it refers to."""
    if isinstance(schema, list):
        return [_whole(one, parts) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        part = parts[schema["$ref"].rpartition("/")[2]]
        kept = {name: one for name, one in part.items() if name not in {"title", "description"}}
        return _whole(kept, parts)
    return {name: _whole(one, parts) for name, one in schema.items()}
