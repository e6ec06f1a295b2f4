"""A store with two people in it, and what the one could send to reach the other's."""

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import text

from emberkeep.memory import Memory
from emberkeep.service.verbs import VERBS, Verb
from emberkeep.storage.schema import metadata

ME, OTHER = "alex", "bo-the-other"
SECRET = "QUOKKA"  # noqa: S105 - no password: in everything that is the other's
ABOUT = "the vault in Zanzibar"  # what all that is about, which is no secret


def lived(memory: Memory) -> dict[str, str]:
    """Let the other one leave something of every sort; by the verb that gives it, the id of one of each."""
    said = f"{SECRET} {ABOUT}"
    scope: dict[str, Any] = {"user_id": OTHER, "agent_id": "guard", "session_id": "night"}
    about: dict[str, Any] = {"metadata": {"note": "dusty", "more": SECRET}, "tags": ["dusty", SECRET]}
    added = memory.add([f"My code for {ABOUT} is {SECRET}."], **about, **scope)
    told = memory.remember(f"Likes {said}", **scope).id
    memory.update(told, f"Loves {said}")
    gone = memory.remember(f"Once hated {said}", **scope).id
    memory.delete(gone)
    logged = memory.capture.log(
        {"timestamp": "2026-05-20T10:00:00Z", "user_transcript": said, "assistant_response": said, "user_id": OTHER}
    )
    goal = memory.goals.save(said, summary=said, **scope).id
    task = memory.tasks.start(said, goal_id=goal, **scope).id
    memory.tasks.step(task, "drill", parameters={"at": said}, output=said)
    running = memory.tasks.start(f"Open {said}", id="vault-task", **scope).id
    decided = memory.decisions.log(said, who=SECRET, why=said, context=said, task_id=running, **scope).id
    ended = [
        memory.experience.store(
            f"vault-{number}", f"{said} {number}", number % 2 == 0, [f"{SECRET} failed"], task_type="heist", **scope
        )
        for number in range(8)
    ]
    learned = memory.patterns.extract("heist", min_samples=3, user_id=OTHER)
    memory.patterns.feedback(learned[0].id, helpful=True, note=said)
    for space in (memory.preferences, memory.persona):
        space.set("code", said, user_id=OTHER, agent_id="guard")
        space.set("code", said, user_id=OTHER)
    memory.events.publish("app.opened", {"code": SECRET}, user_id=OTHER)
    memory.operational.push_event("vault", said, severity="critical", source=OTHER)
    memory.operational.update_metric(SECRET, 1.0)
    memory.operational.set_active_task("vault", {"at": said})
    memory.agents.save("guard", "running", {"at": said})
    document = memory.knowledge.add(f"# {said}\n\n{said}", title=said, origin="vault.md", **scope).document
    return {
        "get": told,
        "get deleted": gone,
        "get said": added.items[0].id,
        "context_record": str(memory.context(f"Open {ABOUT}", **scope).id),
        "capture.get": logged,
        "goals.get": goal,
        "tasks.get": running,
        "decisions.get": decided,
        "procedures.get": memory.procedures.save(SECRET, said, steps=[said], **scope).id,
        "incidents.get": memory.incidents.report(said, said, **scope).id,
        "configs.get": memory.configs.record("code", None, said, who=SECRET, why=said, **scope).id,
        "knowledge.get": document.id,
        "experience.get": ended[0].id,
        "patterns.get": learned[0].id,
        "patterns.get_cached": memory.patterns.store(ABOUT, said, **scope).id,
    }


def attempts(verb: Verb, ids: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Arguments for a verb that name what is the other's, in every way that it takes."""
    plain = {name: _innocent(verb, name) for name, one in verb.arguments.items() if one.required}
    named = {name: value for name, value in _named(verb, ids).items() if name in verb.arguments}
    yield plain
    yield plain | named
    for name, value in named.items():
        yield plain | {name: value}
    for name, values in _WHOSE.items():
        if name in verb.arguments:
            yield from (plain | {name: value} for value in values)
    if "as_of" in verb.arguments:
        yield plain | {"as_of": "2030-01-01T00:00:00Z"}
    if verb.looked_up == "get":
        yield from (plain | {"id": ids[name]} for name in ("get deleted", "get said"))
    if verb.name == "seed":
        yield {"text": f'{{"text": "Planted", "user_id": "{OTHER}"}}'}
    if verb.name == "capture.log":
        others: list[Any] = [OTHER, [OTHER], {}, 1]
        yield from ({"record": plain["record"] | {"user_id": whose}} for whose in others)
        yield {"record": plain["record"] | {"agent_id": "guard", "session_id": "night"}}


def rows(memory: Memory, mark: str) -> list[str]:
    """Every row that has to do with someone, whichever table it is in."""
    database = memory._parts.database.of_everyone()
    with database.read() as connection:
        return [
            line
            for name in metadata.tables
            for row in connection.execute(text(f"SELECT * FROM {name}"))
            if mark in (line := f"{name}: {tuple(row)!r}")
        ]


_WHOSE: Mapping[str, list[Any]] = {
    "user_id": [OTHER, "*", ""],
    "shared": [[OTHER], ["*"], [""]],
    "agent_id": ["guard"],
    "session_id": ["night"],
    "filters": [{"note": "dusty"}],
    "tags": [["dusty"]],
    "key": ["code"],
    "origin": ["vault.md"],
    "retired": [True],
    "archived": [True],
    "touch": [True],
    "include_cold": [True],
    "tiers": [["operational"], ["working"], ["operational", "working", "longterm", "knowledge"]],
}
_TEXTS = "text messages query task description what summary title context trigger action name".split()
_INNOCENT: Mapping[str, Any] = {
    "success": True,
    "helpful": True,
    "steps": ["look"],
    "old": 1,
    "new": 2,
    "value": 1,
    "source": "YQ==",
    "media_type": "text/plain",
    "outcome": "fine",
    "resolution": "fine",
    "category": "note",
    "status": "running",
    "type": "app.mine",
    "url": "https://example.com/",
    "tool": "saw",
    "texts": ["a"],
    "state": {},
    "record": {"timestamp": "2026-05-20T10:00:00Z", "user_transcript": "hello", "assistant_response": "hi"},
    "user_id": ME,
}


def _innocent(verb: Verb, name: str) -> Any:
    if name in {"id", "task_id", "pattern_id", "agent_id", "key"}:
        return "nobodys"
    if name == "memory_ids":
        return ["nobodys"]
    return f"Open {ABOUT}" if name in _TEXTS and name not in _INNOCENT else _INNOCENT.get(name, "x")


def _named(verb: Verb, ids: Mapping[str, str]) -> dict[str, Any]:
    own = ids.get(verb.looked_up, "vault")
    return {
        "id": own,
        "goal_id": ids["goals.get"],
        "parent_id": ids["goals.get"],
        "task_id": ids["tasks.get"],
        "pattern_id": ids["patterns.get"],
        "memory_ids": [ids["experience.get"]],
        "agent_id": "guard",
        "session_id": "night",
        "key": "code",
        "origin": "vault.md",
    }


def sent_to_all(ids: Mapping[str, str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """All attempts, with the verb that each is for; what would end everything comes last."""
    last = {"operational.clear", "upkeep", "rebuild", "undo_rebuild", "delete_all"}
    for verb in sorted(VERBS.values(), key=lambda one: one.name in last):
        for sent in attempts(verb, ids):
            yield verb.name, sent
