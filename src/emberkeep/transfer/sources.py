"""Readers of other programs' files as parcels, each with as much of a memory's data as Emberkeep has a place for."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from emberkeep.capture.seeding import references
from emberkeep.errors import InvalidInput, NotFound
from emberkeep.model import checks
from emberkeep.model.message import parse_messages
from emberkeep.transfer.palace import read_mempalace
from emberkeep.transfer.parcels import (
    Exchange,
    Parcel,
    Reader,
    Told,
    Written,
    held,
    mapping,
    marked,
    sequence,
    when,
    words,
)
from emberkeep.transfer.qdrant import read_points
from emberkeep.transfer.reading import MAX_ELEMENT, Object, objects, placed

_ROLES = {"user": "user", "human": "user", "assistant": "assistant"}
_DOCUMENTS = {".md", ".markdown", ".txt"}


def read_emberkeep(path: Path) -> Iterator[Parcel]:
    """The exchanges and memories that `export` wrote."""
    for place, one in objects(path, _is_json):
        with placed(place):
            parcel = _exported(one)
        yield parcel


def read_mem0(path: Path) -> Iterator[Parcel]:
    """Memories from a list that Mem0's API gave, or from the folder of its Qdrant."""
    if path.is_dir():
        yield from read_points(path)
        return
    for place, one in objects(path, _is_json, "results", "memories"):
        with placed(place):
            text = words(one.get("memory"), "memory")
            if not text:
                raise InvalidInput("there is no memory in it: is this a list that Mem0 gave?")
            told = Told(
                text,
                occurred_at=when(one.get("created_at")),
                user_id=checks.owner_id(one.get("user_id") or None),
                agent_id=checks.scope_id(one.get("agent_id") or None, name="agent_id"),
                session_id=checks.scope_id(one.get("run_id") or None, name="run_id"),
                tags=checks.tags(sequence(one.get("categories"), "categories")),
                metadata=marked(mapping(one.get("metadata"), "metadata"), "mem0", one.get("id")),
            )
        yield told


def read_zep(path: Path) -> Iterator[Parcel]:
    """Facts of Zep, or edges of Graphiti, oldest first, so that a later fact supersedes the one it ends.

    A fact that no longer holds is kept as knowledge that says until when it held.
    """
    found = []
    for place, one in objects(path, _is_json, "facts", "edges"):
        with placed(place):
            found.append(_fact(one))
    yield from sorted(found, key=lambda told: (told.occurred_at is not None, told.occurred_at))


def read_chatgpt(path: Path) -> Iterator[Parcel]:
    """Conversations of ChatGPT's data export, each along the branch that was shown last."""
    for place, one in objects(path, _is_conversations):
        with placed(place):
            if "mapping" not in one:
                raise InvalidInput("there is no mapping in it: is this conversations.json of ChatGPT?")
            said = [message for node in _branch(one) if (message := _chatgpt_message(node))]
            session = words(one.get("conversation_id") or one.get("id"), "id") or None
            parcels = _exchanges(said, session, one.get("create_time"), one.get("title"), "chatgpt")
        yield from parcels


def read_claude(path: Path) -> Iterator[Parcel]:
    """Conversations of Claude's data export."""
    for place, one in objects(path, _is_conversations, "conversations"):
        with placed(place):
            if "chat_messages" not in one:
                raise InvalidInput("there are no chat_messages in it: is this conversations.json of Claude?")
            said = [
                message
                for each in sequence(one["chat_messages"], "chat_messages")
                if (message := _claude_message(each))
            ]
            session = words(one.get("uuid"), "uuid") or None
            parcels = _exchanges(said, session, one.get("created_at"), one.get("name"), "claude")
        yield from parcels


def read_markdown(path: Path) -> Iterator[Parcel]:
    """The Markdown and text files of a folder, or a single file."""
    if not path.exists():
        raise NotFound(f"no folder {path}: correct its name")
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    found = [file for file in files if file.suffix.lower() in _DOCUMENTS and file.is_file() and not file.is_symlink()]
    if not found:
        raise InvalidInput(f"{path}: there are no Markdown or text files in it")
    for file in found:
        yield Written(file, str(file.relative_to(path.parent)))


READERS: Mapping[str, Reader] = {
    "emberkeep": read_emberkeep,
    "mem0": read_mem0,
    "zep": read_zep,
    "chatgpt": read_chatgpt,
    "claude": read_claude,
    "markdown": read_markdown,
    "mempalace": read_mempalace,
}


def _exported(one: Object) -> Parcel:
    whose: dict[str, Any] = {"user_id": checks.owner_id(one.get("user_id"))}
    whose |= {name: checks.scope_id(one.get(name), name=name) for name in ("agent_id", "session_id")}
    told: dict[str, Any] = {
        "occurred_at": when(one.get("occurred_at")),
        "tags": checks.tags(sequence(one.get("tags"), "tags")),
        "metadata": checks.metadata(one.get("metadata")),
    }
    if "messages" in one:
        messages = tuple(mapping(message, "a message") for message in sequence(one["messages"], "messages"))
        parse_messages(messages, max_chars=MAX_ELEMENT)
        return Exchange(messages, learn=False, id=words(one.get("id"), "id") or None, **whose, **told)
    text = words(one.get("text"), "text")
    if not text:
        raise InvalidInput("there is no text in it: is this a file that `emberkeep export` wrote?")
    sacred = checks.flag(one.get("sacred", False), "sacred")
    kind, sources = checks.kind(one.get("kind", "fact")), references(one.get("sources"))
    return Told(text, kind=kind, sacred=sacred, sources=sources, **whose, **told)


def _fact(one: Object) -> Told:
    text = words(one.get("fact"), "fact")
    if not text:
        raise InvalidInput("there is no fact in it: is this a list of Zep's facts or Graphiti's edges?")
    since, until = when(one.get("valid_at") or one.get("created_at")), when(one.get("invalid_at"))
    said = {name: one[name] for name in ("name", "valid_at", "invalid_at") if one.get(name) is not None}
    return held(text, since, until, marked(said, "zep", one.get("uuid")))


def _branch(conversation: Object) -> list[Mapping[str, Any]]:
    """The nodes of a conversation from the first to the one that was shown last."""
    nodes = mapping(conversation["mapping"], "mapping")
    at = conversation.get("current_node")
    if not isinstance(at, str) or at not in nodes:  # then the last node without children
        parents = {str(mapping(node, "a node").get("parent")) for node in nodes.values()}
        at = next((name for name in reversed(list(nodes)) if name not in parents), None)
    branch: dict[str, Mapping[str, Any]] = {}
    while isinstance(at, str) and at in nodes and at not in branch:  # `not in branch` ends a cycle
        branch[at] = mapping(nodes[at], "a node")
        at = branch[at].get("parent")
    return list(reversed(branch.values()))


def _chatgpt_message(node: Mapping[str, Any]) -> Object | None:
    message = mapping(node.get("message"), "message")
    if mapping(message.get("metadata"), "metadata").get("is_visually_hidden_from_conversation"):
        return None
    parts = mapping(message.get("content"), "content").get("parts")
    said = [
        part if isinstance(part, str) else part.get("text")
        for part in sequence(parts, "parts")
        if isinstance(part, str | dict)
    ]
    role = mapping(message.get("author"), "author").get("role")
    return _message(role, said, message.get("id"), message.get("create_time"))


def _claude_message(value: object) -> Object | None:
    message = mapping(value, "a message")
    blocks = [mapping(block, "content") for block in sequence(message.get("content"), "content")]
    said = [block.get("text") for block in blocks if block.get("type") == "text"] or [message.get("text")]
    return _message(message.get("sender"), said, message.get("uuid"), message.get("created_at"))


def _message(role: object, said: list[Any], id_: object, at: object) -> Object | None:
    text = "\n\n".join(part for one in said if (part := words(one, "text")))
    if not text or not isinstance(role, str) or role not in _ROLES:
        return None
    message: Object = {"role": _ROLES[role], "content": text}
    if known := checks.scope_id(words(id_, "id") or None, name="id"):
        message["id"] = known
    if moment := when(at):
        message["timestamp"] = moment
    return message


def _exchanges(said: list[Object], session: str | None, began: object, title: object, source: str) -> list[Exchange]:
    """A conversation as exchanges, each beginning with a message of the user."""
    groups: list[list[Object]] = []
    for message in said:
        if message["role"] == "user" or not groups:
            groups.append([])
        groups[-1].append(message)
    metadata = marked({"title": named} if (named := words(title, "title")) else {}, source, None)
    at: datetime | None = when(began)
    found = []
    for group in groups:
        at = next((message["timestamp"] for message in group if "timestamp" in message), at)
        found.append(Exchange(tuple(group), at, session_id=checks.scope_id(session, name="id"), metadata=metadata))
    return found


def _is_json(name: str) -> bool:
    return name.endswith((".json", ".jsonl"))


def _is_conversations(name: str) -> bool:
    return fnmatchcase(name, "conversations*.json")
