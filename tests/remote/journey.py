"""Every verb of the table, called in an order that makes sense, with what each gave back."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import emberkeep
from emberkeep.service.verbs import VERBS

NOON = datetime(2026, 5, 20, 12, tzinfo=UTC)
Call = Callable[..., Any]


class Diary:
    """Calls verbs of a memory by name, and writes down what came of each."""

    def __init__(self, memory: emberkeep.Memory) -> None:
        self._memory = memory
        self.written: list[tuple[str, object]] = []

    def __call__(self, name: str, /, *args: Any, **options: Any) -> Any:
        try:
            found: Any = VERBS[name].bound(self._memory)(*args, **options)
        except emberkeep.EmberkeepError as error:
            self.written.append((name, f"{type(error).__name__}: {error}"))
            raise
        self.written.append((name, found))
        return found

    def refused(self, name: str, /, *args: Any, **options: Any) -> None:
        try:
            self(name, *args, **options)
        except emberkeep.EmberkeepError:
            return
        raise AssertionError(f"{name} was not refused")


def live_through(diary: Diary, folder: Path) -> None:
    """All there is, from the first message to the last key."""
    memories(diary)
    work(diary)
    collections(diary, folder)
    experience(diary)
    state(diary)
    told(diary)
    looking_after(diary)


def memories(call: Diary) -> None:
    added = call(
        "add",
        [
            {"role": "user", "content": "I moved to Lisbon in May.", "name": "Alex", "id": "m1", "timestamp": NOON},
            emberkeep.Message("assistant", "Noted!"),
        ],
        user_id="alex", agent_id="voxa", session_id="s-1", occurred_at=NOON,
        metadata={"channel": "voice", "n": 1, "half": 0.5, "none": None, "deep": {"list": [1, (2, 3)]}}, tags={"home"},
    )  # fmt: skip
    told = call("remember", "Prefers a window seat", kind="preference", user_id="alex", sacred=True)
    call("seed", "- 2026-01-02: Alex has a boat\n- Alex rows\n", user_id="alex", progress=lambda _: None)
    call("add", "The parcel came", user_id="sam", learn="later")
    call("search", "where does Alex live?", user_id="alex", limit=3, touch=True)
    call("search", "Lisbon", user_id="alex", group="session", plan="deep")
    call("search", "boat", user_id="alex", deadline_ms=60_000, shared=["sam"], since=NOON - timedelta(days=400))
    page = call("get_all", user_id="alex", limit=2, kinds=["episode", "preference", "fact"])
    call("get_all", user_id="alex", limit=2, cursor=page.next)
    call("get_all", user_id="*", filters={"channel": "voice", "n": 1, "half": 0.5, "none": None}, tags=["home"])
    call("get", told.id)
    call.refused("get", "no/such id?")
    call("update", told.id, "Prefers an aisle seat", tags=[], metadata={"x": True}, sacred=False)
    call.refused("update", told.id)
    call("history", told.id)
    call("links", told.id, limit=5)
    shares = emberkeep.Shares(record=0.8)
    context = call("context", "Plan Alex's weekend", user_id="alex", max_tokens=500, shares=shares)
    call("context", "Plan", user_id="alex", format="messages", tiers=("longterm",), record=False)
    call("context_feedback", context.id, True, note="good")
    call("context_record", context.id)
    call("contexts", user_id="alex")
    call("contexts", user_id=None)
    call("replay_context", context.id)
    logged = call(
        "capture.log",
        emberkeep.InteractionRecord("s-2", NOON, "Switch on the light", [], [], "Done.", user_id="alex", agent_id="v"),
    )
    call("capture.get", logged)
    call("learned_from", logged)
    call.refused("learned_from", "nothing")
    call("capture.recent", 5, user_id="alex", since=NOON - timedelta(days=1), order="recorded")
    call("capture.recent", user_id=None)
    call("capture.sessions")
    call("semantic_search", "anything", n_results=3)
    call("delete", added.items[1].id)
    call.refused("delete", "nothing")


def work(call: Diary) -> None:
    goal = call("goals.save", "Keep the shop open", priority=2, user_id="alex", metadata={"a": [1]})
    call("goals.update", goal.id, status="running", summary="It is open")
    call("goals.list", status="running")
    call("goals.list", user_id=None)
    call("goals.active", user_id="alex")
    call("goals.get", goal.id)
    task = call("tasks.start", "Free the full disk", goal_id=goal.id, user_id="alex")
    odd = {"path": "/", "at": NOON, 1: {2}}
    call("tasks.step", task.id, "df", parameters=odd, output={"used": 0.99}, duration_ms=3)
    call("tasks.step", task.id, "cat", output=b"caf\xc3\xa9", success=False)
    call("tasks.step", task.id, "true", output=None)
    call("tasks.steps", task.id)
    call("tasks.update", task.id, summary="Nearly done")
    call("tasks.save", "a/b ü%", "A name with a slash", user_id="alex", created_at="2026-05-01T00:00:00Z")
    call("tasks.get", "a/b ü%")
    call("tasks.cancel", "a/b ü%", summary="It was a test")
    decision = call(
        "decisions.log", "Delete the old logs", who="aios", why="they are kept elsewhere", alternatives=["a", "b"],
        confidence=0.75, task_id=task.id, user_id="alex",
    )  # fmt: skip
    call("decisions.set_outcome", decision.id, "It helped", success=True)
    call("decisions.get", decision.id)
    call("decisions.list", who="aios")
    call("decisions.similar", "old logs", user_id="alex")
    call("tasks.finish", task.id, success=True, summary="Deleted 4 GB of old logs")
    call.refused("tasks.finish", task.id, success=False)
    call("tasks.list", archived=False)
    call("tasks.active")
    call("tasks.relevant", "the disk is full", user_id="alex")
    call("tasks.relevant", "the disk is full", user_id=None)
    call("tasks.recent_summaries", user_id="alex")
    call("decisions.delete", decision.id)
    call("tasks.delete", task.id)
    call("goals.delete", goal.id)


def collections(call: Diary, folder: Path) -> None:
    procedure = call("procedures.save", "Free disk space", "When a disk is full", steps=["Rotate the logs", {"n": 2}])
    call("procedures.list", name="Free disk space")
    call("procedures.find", "the disk is full")
    call("procedures.get", procedure.id)
    incident = call("incidents.report", "Disk full on db-1", "Writes failed", severity="high", occurred_at=NOON)
    call("incidents.list", open=True, severity="high")
    call("incidents.similar", "disk")
    call("incidents.resolve", incident.id, "Logs were deleted", cause="too many logs")
    call("incidents.get", incident.id)
    change = call("configs.record", "logs/path", "/var/log", {"to": ["/data/log"]}, who="ops", why="the disk was full")
    call("configs.record", "logs/path", None, None)
    call("configs.get", change.id)
    call("configs.list", key="logs/path", who="ops")
    call("configs.current", "logs/path")
    call("configs.current", "nothing")
    call("configs.history", "logs/path")
    document = call("knowledge.add", "# Disks\n\nA full disk stops the database.", user_id="alex").document
    file = folder / "notes.txt"
    file.write_text("Backups are made at night", encoding="utf-8")
    imported = call("knowledge.import_file", file, progress=lambda _: None)
    call("knowledge.import_file", str(file))
    call("knowledge.import_file", b"<title>A page</title><p>News.</p>", media_type="text/html")
    call("knowledge.list")
    call("knowledge.search", "when are backups made?", filters={"document_id": imported.document.id})
    call("knowledge.get", document.id)
    call("knowledge.text", document.id)
    call("semantic_search", "disk", ["incidents", "procedures"], 2)
    call("knowledge.delete", document.id)
    call("configs.delete", change.id)
    call("incidents.delete", incident.id)
    call("procedures.delete", procedure.id)


def experience(call: Diary) -> None:
    stored = [
        call(
            "experience.store", f"t{number}", f"Deploy the shop with {'tests' if number % 2 else 'no tests'}",
            bool(number % 2), None if number % 2 else {"error": "it broke"}, task_type="deploy", user_id="alex",
        )
        for number in range(8)
    ]  # fmt: skip
    call("experience.list", success=True, task_type="deploy")
    call("experience.get", stored[0].id)
    call("experience.search_similar", "Deploy the shop", top_k=2, user_id="alex")
    call("experience.get_task_context", "Deploy the shop with tests", user_id="alex")
    call("experience.warn", "Deploy the shop with no tests", user_id="alex")
    call("experience.used", [stored[0].id, stored[1].id])
    found = call("patterns.extract", user_id="alex")
    call("patterns.learn_from", "alex", task_type="deploy")
    call("patterns.search", retired=True)
    call("patterns.match", "Deploy the shop", user_id="alex")
    call("patterns.get", found[0].id)
    call("patterns.feedback", found[0].id, helpful=True, note="so it is")
    call("patterns.evolution", found[0].id)
    call("patterns.ratings", found[0].id)
    call("patterns.ask")
    call("patterns.clusters", min_similarity=0.5)
    call("patterns.delete", found[0].id)
    cached = call("patterns.store", "disk full", "delete old logs", user_id="alex")
    call("patterns.list_cached")
    call("patterns.find", "Disk full!", user_id="alex")
    call("patterns.find", "something else entirely")
    call("patterns.get_cached", cached.id)
    call("patterns.used", cached.id, success=True)
    call("experience.delete", stored[0].id)


def state(call: Diary) -> None:
    for name in ("preferences", "persona"):
        call(f"{name}.set", "ui/theme", {"dark": [True, None, 1.5]}, user_id="alex")
        call(f"{name}.set", "nothing", None, user_id="alex")
        call(f"{name}.get", "ui/theme", user_id="alex")
        call(f"{name}.get", "nothing", "instead", user_id="alex")
        call(f"{name}.get", "missing", "instead", user_id="alex")
        call(f"{name}.all", user_id="alex")
        call(f"{name}.delete", "ui/theme", user_id="alex")
    call("agents.save", "aios", "busy", {"queue": [1, 2]})
    call("agents.get", "aios")
    call("agents.list", status="busy")
    call("agents.delete", "aios")
    call("operational.push_event", "disk", "It is full", severity="critical", data={"used": {0.99}}, at=NOON)
    call("operational.get_recent", 5, "disk")
    call("operational.update_metric", "disk/used", 0.97)
    call("operational.get_metric", "disk/used")
    call("operational.set_active_task", "t 1", None)
    call("operational.active_tasks")
    call("operational.get_system_snapshot")
    call("operational.end_active_task", "t 1")
    call("operational.end_active_task", "t 1")
    call("operational.count_unkept")
    call("operational.flush")
    call("operational.kept", category="disk")
    call("operational.clear")


def told(call: Diary) -> None:
    call("events.publish", "app.greeted", {"who": "alex"}, user_id="alex")
    call("events.recent", 3, type="app.*")
    webhook = call("events.add_webhook", "http://127.0.0.1:9/hook", secret="whsec_" + "a2V5" * 8, types=["app.*"])
    call("events.webhooks")
    call("events.remove_webhook", webhook.id)
    call("events.undelivered")
    call("events.deliver")
    key = call("keys.create", "a phone", role="read", user_id="alex", expires_at="2030-01-01T00:00:00Z")
    call("keys.list")
    call("keys.revoke", key.key.id)
    call("audit_log.list", action="key.*")


def looking_after(call: Diary) -> None:
    call.refused("precompute", (text for text in ["tea", "milk"]), queries=True)
    call("backlog")
    call("learn", patient=True, progress=lambda _: None)
    call("spending")
    call("stats")
    call("overview")
    call("users", limit=2)
    call("audit", user_id="alex", examples=1)
    call("rebuild", dry_run=True)
    call("rebuild")
    call("undo_rebuild")
    call("upkeep", dry_run=True)
    call("upkeep", archive_before=NOON)
    call("delete_all", user_id="alex")
    call.refused("delete_all")
