"""Every rpc against its verb: the same calls, over gRPC to another process and embedded, have the same answers."""

import json
import re
from collections.abc import Iterator
from typing import Any

import grpc
import pytest

import emberkeep
from emberkeep.entrypoints.grpc.messages import told
from emberkeep.service.calls import AUDITED, answered, received, result_of
from emberkeep.service.statuses import status_of
from emberkeep.service.verbs import VERBS
from emberkeep.testing import FixedClock, WordEmbedder

from .conftest import Service, rpc

ALEX = {"user_id": "alex"}
LATER = "2027-01-01T00:00:00Z"
TURN = {
    "session_id": "s-1",
    "timestamp": "2026-05-20T10:00:00Z",
    "user_transcript": "Turn the light on",
    "llm_messages": [{"role": "system", "content": "Be kind."}],
    "tool_calls": [{"name": "light", "arguments": {"on": True, "level": 3}}],
    "assistant_response": "Done.",
    "latency_ms": {"llm": 120.5},
    "user_id": "alex",
}
# Each verb with what it is given; "<verb.path>" stands for a part of what an earlier call was answered.
CALLS: list[tuple[str, dict[str, Any]]] = [
    (
        "add",
        {
            "messages": [
                {"role": "user", "content": "I moved to Lisbon in May. 🌍", "name": "Alex", "id": "m1"},
                {"role": "assistant", "content": "Noted!"},
            ],
            "occurred_at": "2026-05-20T10:00:00.5Z",
            "metadata": {"channel": "voice", "turn": 3, "loud": None, "parts": [1, 2.5, {"a": True}]},
            "tags": ["home"],
            "session_id": "s-1",
            **ALEX,
        },
    ),
    ("add", {"messages": [{"role": "user", "content": "I like plums."}], "learn": "later", **ALEX}),
    ("add", {"messages": [{"role": "user", "content": "I like pears."}], "learn": False, "user_id": "sam"}),
    ("backlog", {}),
    ("remember", {"text": "Prefers a window seat", "kind": "preference", "sacred": True, **ALEX}),
    ("seed", {"text": "- Has a dog\n- Speaks German\n", **ALEX}),
    ("search", {"query": "where does Alex live?", "limit": 3, **ALEX}),
    ("search", {"query": "Lisbon", "group": "session", **ALEX}),
    ("search", {"query": "Lisbon", "filters": {"channel": "voice", "turn": 3}, "kinds": ["episode"], **ALEX}),
    ("search", {"query": "nothing of the sort", "user_id": "nobody"}),
    ("get_all", {"limit": 2, **ALEX}),
    ("get_all", {"limit": 2, "cursor": "<get_all.next>", **ALEX}),
    ("get", {"id": "<remember.memories.0.id>"}),
    ("update", {"id": "<remember.memories.0.id>", "text": "Prefers an aisle seat", "tags": ["travel"]}),
    ("update", {"id": "<remember.memories.0.id>", "tags": [], "metadata": {"n": 1}}),
    ("history", {"id": "<remember.memories.0.id>"}),
    ("links", {"id": "<remember.memories.0.id>"}),
    ("context", {"task": "Plan the flight to Lisbon", "shares": {"record": 0.9, "floors": {"longterm": 0.5}}, **ALEX}),
    ("context", {"task": "Plan the flight", "format": "messages", "tiers": ["longterm"], "max_tokens": 500, **ALEX}),
    ("contexts", {}),
    ("context_record", {"id": "<context.id>"}),
    ("context_feedback", {"id": "<context.id>", "helpful": True, "note": "good"}),
    ("replay_context", {"id": "<context.id>"}),
    ("capture.log", {"record": TURN}),
    ("capture.recent", {"limit": 1, "order": "recorded"}),
    ("capture.get", {"id": "<capture.log.id>"}),
    ("learned_from", {"interaction_id": "<capture.log.id>"}),
    ("capture.sessions", {}),
    ("learn", {}),
    ("spending", {}),
    ("audit", {**ALEX, "examples": 1}),
    ("precompute", {"texts": ["a", "b"]}),
    ("goals.save", {"description": "Learn to sail", "priority": 3, "metadata": {"boat": None}, **ALEX}),
    ("goals.list", {}),
    ("goals.active", ALEX),
    ("goals.get", {"id": "<goals.save.id>"}),
    ("goals.update", {"id": "<goals.save.id>", "status": "running"}),
    ("tasks.start", {"description": "Book a sailing course", "goal_id": "<goals.save.id>", **ALEX}),
    ("tasks.save", {"id": "t-2", "description": "Buy a life vest", "created_at": "2026-05-01T00:00:00Z", **ALEX}),
    ("tasks.step", {"task_id": "<tasks.start.id>", "tool": "browser", "parameters": {"url": "x"}, "success": True}),
    ("tasks.steps", {"task_id": "<tasks.start.id>"}),
    ("tasks.list", {"goal_id": "<goals.save.id>"}),
    ("tasks.active", ALEX),
    ("decisions.log", {"what": "Take the course in Cascais", "why": "it is near", "alternatives": ["Porto"], **ALEX}),
    ("decisions.list", {}),
    ("decisions.get", {"id": "<decisions.log.id>"}),
    ("decisions.set_outcome", {"id": "<decisions.log.id>", "outcome": "went well", "success": True}),
    ("decisions.similar", {"context": "course in Cascais", **ALEX}),
    ("tasks.relevant", {"task": "sailing course in Cascais", "limit": 3, **ALEX}),
    ("tasks.get", {"id": "t-2"}),
    ("tasks.update", {"id": "t-2", "summary": "in the shop"}),
    ("tasks.cancel", {"id": "t-2"}),
    ("tasks.finish", {"id": "<tasks.start.id>", "success": False, "summary": "it was full"}),
    ("tasks.recent_summaries", ALEX),
    ("tasks.delete", {"id": "t-2"}),
    ("procedures.save", {"name": "deploy", "description": "Ship it", "steps": ["build", {"n": 2, "run": "test"}]}),
    ("procedures.list", {}),
    ("procedures.get", {"id": "<procedures.save.id>"}),
    ("procedures.find", {"query": "ship it"}),
    ("incidents.report", {"title": "Disk full", "severity": "high", "occurred_at": "2026-05-30T08:00:00Z"}),
    ("incidents.list", {"open": True}),
    ("incidents.get", {"id": "<incidents.report.id>"}),
    ("incidents.similar", {"query": "disk full"}),
    ("incidents.resolve", {"id": "<incidents.report.id>", "resolution": "logs deleted"}),
    ("configs.record", {"key": "retries", "old": 3, "new": {"most": 5}, "who": "sam"}),
    ("configs.list", {}),
    ("configs.get", {"id": "<configs.record.id>"}),
    ("configs.current", {"key": "retries"}),
    ("configs.current", {"key": "none"}),
    ("configs.history", {"key": "retries"}),
    ("knowledge.add", {"text": "# Boats\n\nA jib is a sail in front of the mast.", "title": "Boats"}),
    ("knowledge.import_file", {"source": "Qm9hdHMgZmxvYXQu", "media_type": "text/plain", "title": "Float"}),
    ("knowledge.list", {}),
    ("knowledge.search", {"query": "what is a jib?"}),
    ("knowledge.get", {"id": "<knowledge.add.document.id>"}),
    ("knowledge.text", {"id": "<knowledge.add.document.id>"}),
    ("semantic_search", {"query": "disk", "collections": ["incidents", "configs"], "n_results": 2}),
    ("experience.store", {"task_id": "e-1", "summary": "Deployed", "success": True, "task_type": "deploy"}),
    (
        "experience.store",
        {"task_id": "e-2", "summary": "Timed out", "success": False, "error_patterns": ["E1"], "task_type": "deploy"},
    ),
    ("experience.list", {"success": False}),
    ("experience.get", {"id": "<experience.store.id>"}),
    ("experience.search_similar", {"description": "Deployed", "similarity_threshold": 0.0}),
    ("experience.get_task_context", {"description": "Deployed"}),
    ("experience.warn", {"action": "Deployed"}),
    ("experience.used", {"memory_ids": ["<experience.store.id>"]}),
    ("patterns.extract", {"task_type_pattern": "deploy", "pattern_type": "success", "min_samples": 1}),
    ("patterns.learn_from", {"task_type": "deploy"}),
    ("patterns.search", {}),
    ("patterns.get", {"id": "<patterns.extract.patterns.0.id>"}),
    ("patterns.match", {"description": "Deployed", "task_type": "deploy"}),
    ("patterns.feedback", {"pattern_id": "<patterns.extract.patterns.0.id>", "helpful": True}),
    ("patterns.ratings", {"pattern_id": "<patterns.extract.patterns.0.id>"}),
    ("patterns.evolution", {"pattern_id": "<patterns.extract.patterns.0.id>"}),
    ("patterns.ask", {}),
    ("patterns.clusters", {}),
    ("patterns.delete", {"id": "<patterns.extract.patterns.0.id>"}),
    ("patterns.store", {"trigger": "open the door", "action": "door.open()", **ALEX}),
    ("patterns.list_cached", ALEX),
    ("patterns.find", {"trigger": "open the door", **ALEX}),
    ("patterns.find", {"trigger": "sing", **ALEX}),
    ("patterns.get_cached", {"id": "<patterns.store.id>"}),
    ("patterns.used", {"id": "<patterns.store.id>", "success": True}),
    ("preferences.set", {"key": "theme", "value": {"dark": True, "size": 12}, **ALEX}),
    ("preferences.set", {"key": "nothing", "value": None, **ALEX}),
    ("preferences.get", {"key": "theme", **ALEX}),
    ("preferences.get", {"key": "unknown", **ALEX}),
    ("preferences.all", ALEX),
    ("preferences.delete", {"key": "theme", **ALEX}),
    ("persona.set", {"key": "tone", "value": "dry", "agent_id": "voxa"}),
    ("persona.get", {"key": "tone", "agent_id": "voxa"}),
    ("persona.all", {"agent_id": "voxa"}),
    ("persona.delete", {"key": "tone", "agent_id": "voxa"}),
    ("agents.save", {"agent_id": "voxa", "status": "busy", "state": {"step": 2}}),
    ("agents.get", {"agent_id": "voxa"}),
    ("agents.list", {}),
    ("agents.delete", {"agent_id": "voxa"}),
    ("operational.push_event", {"category": "disk", "message": "full", "severity": "critical", "data": [1, None]}),
    ("operational.get_recent", {"count": 5}),
    ("operational.update_metric", {"key": "cpu", "value": 0.5}),
    ("operational.get_metric", {"key": "cpu"}),
    ("operational.set_active_task", {"id": "a-1", "state": {"at": 1}}),
    ("operational.active_tasks", {}),
    ("operational.get_system_snapshot", {}),
    ("operational.count_unkept", {}),
    ("operational.flush", {}),
    ("operational.kept", {}),
    ("operational.end_active_task", {"id": "a-1"}),
    ("operational.clear", {}),
    ("events.publish", {"type": "app.done", "payload": {"n": 1}}),
    ("events.recent", {"type": "app.*"}),
    ("events.add_webhook", {"url": "https://example.org/hook", "secret": "s" * 32, "types": ["app.*"]}),
    ("events.webhooks", {}),
    ("events.undelivered", {}),
    ("events.remove_webhook", {"id": "<events.add_webhook.id>"}),
    ("events.deliver", {}),
    ("stats", {}),
    ("overview", {}),
    ("users", {}),
    ("rebuild", {"dry_run": True}),
    ("rebuild", {}),
    ("undo_rebuild", {}),
    ("upkeep", {"dry_run": True, "archive_before": LATER}),
    ("decisions.delete", {"id": "<decisions.log.id>"}),
    ("goals.delete", {"id": "<goals.save.id>"}),
    ("procedures.delete", {"id": "<procedures.save.id>"}),
    ("incidents.delete", {"id": "<incidents.report.id>"}),
    ("configs.delete", {"id": "<configs.record.id>"}),
    ("knowledge.delete", {"id": "<knowledge.add.document.id>"}),
    ("experience.delete", {"id": "<experience.store.id>"}),
    ("delete", {"id": "<remember.memories.0.id>"}),
    ("delete_all", ALEX),
    ("audit_log.list", {}),
    ("keys.list", {}),
    ("keys.create", {"name": "robot", "role": "admin", "expires_at": LATER}),
    ("keys.revoke", {"id": "<keys.create.key.id>"}),
]
_ID = re.compile(
    r"ek_[0-9a-f]{16}_[0-9a-f]{64}|\b[0-9a-f]{16}\b|[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"
)


def test_every_verb_is_called() -> None:
    assert {name for name, _ in CALLS} == VERBS.keys()


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    started = Service(":memory:")
    yield started
    started.close()


@pytest.mark.slow
def test_the_answers_are_those_of_the_verbs(service: Service) -> None:
    there: dict[str, Any] = {}
    here: dict[str, Any] = {}
    with emberkeep.open(":memory:", embedder=WordEmbedder(), clock=FixedClock(), keep_events=True) as memory:
        for name, arguments in CALLS:
            embedded = of_the_verb(memory, name, resolved(arguments, here))
            key = there.get("keys.create", {}).get("secret")  # once there is one, it is needed
            answer = over_grpc(service.channel, name, resolved(arguments, there), key)
            if name == "keys.revoke":  # which the key itself was used for
                answer["last_used_at"] = None
            if name == "search":  # has the fields of either sort of answer
                answer = {key: one for key, one in answer.items() if key in embedded}
            assert comparable(answer) == comparable(embedded), name
            if "error" not in embedded:
                result_of(VERBS[name], answer)  # can be read as what the verb gives
                there.setdefault(name, answer)
                here.setdefault(name, embedded)


def of_the_verb(memory: emberkeep.Memory, name: str, arguments: dict[str, Any]) -> Any:
    verb = VERBS[name]
    given = {"user_id": None, **arguments} if name == "patterns.learn_from" else arguments
    try:
        value = verb.bound(memory)(**received(verb, given))
        if name in AUDITED:
            memory.audit_log.record(name, user_id=arguments.get("user_id"))
        return answered(verb, value)
    except emberkeep.EmberkeepError as error:
        return {"error": status_of(error).grpc, "message": str(error)}


def over_grpc(channel: grpc.Channel, name: str, arguments: dict[str, Any], key: str | None) -> Any:
    try:
        return told(rpc(channel, name, arguments, key))
    except grpc.RpcError as error:
        return {"error": error.code().name, "message": error.details()}


def resolved(value: Any, answers: dict[str, Any]) -> Any:
    if isinstance(value, dict):
        return {key: resolved(one, answers) for key, one in value.items()}
    if isinstance(value, list):
        return [resolved(one, answers) for one in value]
    if not isinstance(value, str) or not value.startswith("<"):
        return value
    path = value[1:-1]
    name = next(one for one in sorted(answers, key=len, reverse=True) if path.startswith(f"{one}."))
    found = answers[name]
    for part in path.removeprefix(f"{name}.").split("."):
        found = found[int(part)] if part.isdecimal() else found[part]
    return found


def comparable(value: Any) -> Any:
    """An answer but for what differs each time: ids, and the order of what was made at the same moment."""
    if isinstance(value, dict):
        return {_ID.sub("ID", key): comparable(one) for key, one in value.items()}
    if isinstance(value, list):
        return sorted(map(comparable, value), key=lambda one: json.dumps(one, sort_keys=True))
    return _ID.sub("ID", value) if isinstance(value, str) else value
