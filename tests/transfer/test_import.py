"""What others exported is kept with its dates, once; what cannot be read is refused, and nothing of it is kept."""

import json
import os
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import emberkeep
from emberkeep.errors import EmberkeepError, InvalidInput, NotFound, TooLarge
from emberkeep.model.item import Item, Source
from emberkeep.testing import WordEmbedder
from emberkeep.transfer import exporting, reading
from emberkeep.transfer.exporting import write_export
from emberkeep.transfer.importing import ImportReport, import_from, survey

Anywhere = Callable[..., emberkeep.Memory]
NOON = datetime(2026, 5, 20, 12, tzinfo=UTC)

# ruff: noqa: E501 - as the files are

MEM0 = {
    "results": [
        {"id": "a1", "memory": "Alex is allergic to nuts", "user_id": "alex", "created_at": "2024-07-01T10:00:00-07:00",
         "metadata": {"app": "bot"}, "categories": ["health"], "score": None},
        {"id": "a2", "memory": "Prefers tea over coffee", "user_id": "sam", "run_id": "r1", "created_at": "2024-07-02T08:00:00"},
    ]
}  # fmt: skip
CHATGPT: list[dict[str, Any]] = [
    {
        "title": "Moving", "conversation_id": "c1", "create_time": 1714550000.5, "current_node": "n4",
        "mapping": {
            "n0": {"message": None, "parent": None},
            "n1": {"message": {"id": "x1", "author": {"role": "system"}, "content": {"parts": ["Be nice"]}}, "parent": "n0"},
            "n2": {"message": {"id": "x2", "author": {"role": "user"}, "create_time": 1714550001.0,
                               "content": {"content_type": "text", "parts": ["I moved to Lisbon."]}}, "parent": "n1"},
            "n3": {"message": {"id": "x3", "author": {"role": "assistant"}, "create_time": 1714550002.0,
                               "content": {"parts": ["An answer that was thrown away"]}}, "parent": "n2"},
            "n4": {"message": {"id": "x4", "author": {"role": "assistant"}, "create_time": 1714550003.0,
                               "content": {"parts": ["Welcome!", {"text": "And a picture"}, {"asset": 1}]}}, "parent": "n2"},
        },
    }
]  # fmt: skip
CLAUDE: list[dict[str, Any]] = [
    {
        "uuid": "k1", "name": "Dogs", "created_at": "2024-05-01T08:00:00Z",
        "chat_messages": [
            {"uuid": "k1a", "sender": "human", "text": "My dog is called Rex.", "created_at": "2024-05-01T08:00:01Z"},
            {"uuid": "k1b", "sender": "assistant", "text": "x", "content": [{"type": "text", "text": "Good boy, Rex!"}, {"type": "tool_use"}]},
            {"uuid": "k1c", "sender": "human", "text": "He is three.", "created_at": "2024-05-01T09:00:00Z"},
        ],
    },
    {"uuid": "k2", "name": "", "created_at": "2024-05-02T08:00:00Z", "chat_messages": []},
]  # fmt: skip
ZEP = {
    "edges": [
        {"uuid": "e2", "name": "LIVES_IN", "fact": "Alex lives in Lisbon", "valid_at": "2024-05-01T00:00:00Z", "invalid_at": None},
        {"uuid": "e1", "name": "LIVES_IN", "fact": "Alex lives in Porto", "valid_at": "2020-01-01T00:00:00Z", "invalid_at": "2024-05-01T00:00:00Z"},
    ]
}  # fmt: skip


def written(path: Path, value: object) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def held(memory: emberkeep.Memory) -> dict[str, Item]:
    return {item.text: item for item in memory.get_all(user_id="*", limit=1_000)}


@pytest.fixture
def store(anywhere: Anywhere) -> emberkeep.Memory:
    return anywhere(embedder=WordEmbedder(), learner="none")


def counted(report: ImportReport) -> tuple[int, int, int]:
    return report.read, report.new, report.known


def test_memories_of_mem0(store: emberkeep.Memory, tmp_path: Path) -> None:
    file = written(tmp_path / "mem0.json", MEM0)
    assert counted(import_from(store, file, "mem0", user_id="nobody")) == (2, 2, 0)
    nuts = held(store)["Alex is allergic to nuts"]
    assert nuts.occurred_at == datetime(2024, 7, 1, 17, tzinfo=UTC)
    assert (nuts.user_id, nuts.tags) == ("alex", ("health",))
    assert nuts.metadata == {"app": "bot", "source": "mem0", "source_id": "a1"}
    before = held(store)
    assert counted(import_from(store, file, "mem0")) == (2, 0, 2)
    assert {text: item.heated_at for text, item in held(store).items()} == {
        text: item.heated_at for text, item in before.items()
    }


@pytest.mark.parametrize("zipped", [False, True])
def test_conversations_of_chatgpt(store: emberkeep.Memory, tmp_path: Path, *, zipped: bool) -> None:
    file = written(tmp_path / "conversations.json", CHATGPT)
    if zipped:
        with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
            archive.write(file, "../../conversations.json")
            archive.writestr("chat.html", "<html>")
        file = tmp_path / "export.zip"
    assert counted(import_from(store, file, "chatgpt", user_id="alex")) == (1, 1, 0)
    (one,) = store.capture.recent(user_id="alex")
    assert [(message.role, message.content) for message in one.messages] == [
        ("user", "I moved to Lisbon."),
        ("assistant", "Welcome!\n\nAnd a picture"),
    ]
    assert one.scope.session_id == "c1"
    assert one.occurred_at == datetime.fromtimestamp(1714550001, UTC)
    assert one.metadata == {"title": "Moving", "source": "chatgpt"}
    store.learn()
    found = store.search("Lisbon", user_id="alex", limit=1)[0]
    assert (found.sources[0].message_id, found.item.occurred_at) == ("x2", one.occurred_at)
    assert counted(import_from(store, file, "chatgpt", user_id="alex")) == (1, 0, 1)
    assert len(store.capture.recent(user_id="alex")) == 1


def test_a_conversation_that_went_on_is_gone_on_with(store: emberkeep.Memory, tmp_path: Path) -> None:
    shorter = [{**CLAUDE[0], "chat_messages": CLAUDE[0]["chat_messages"][:2]}]
    assert counted(import_from(store, written(tmp_path / "a.json", shorter), "claude", user_id="alex")) == (1, 1, 0)
    assert counted(import_from(store, written(tmp_path / "b.json", CLAUDE), "claude", user_id="alex")) == (2, 1, 1)
    last, first = store.capture.recent(user_id="alex", session_id="k1")
    assert [message.content for message in first.messages] == ["My dog is called Rex.", "Good boy, Rex!"]
    assert last.occurred_at == datetime(2024, 5, 1, 9, tzinfo=UTC)


def test_facts_of_zep_keep_when_they_held(store: emberkeep.Memory, tmp_path: Path) -> None:
    file = written(tmp_path / "zep.json", ZEP)
    assert counted(import_from(store, file, "zep", user_id="alex")) == (2, 2, 0)
    now, past = held(store)["Alex lives in Lisbon"], held(store)["Alex lives in Porto (so until 2024-05-01)"]
    assert (now.kind, past.kind) == ("fact", "knowledge")
    assert past.metadata["invalid_at"] == "2024-05-01T00:00:00Z"
    assert past.occurred_at == datetime(2020, 1, 1, tzinfo=UTC)
    assert counted(import_from(store, file, "zep", user_id="alex")) == (2, 0, 2)


def test_a_folder_of_markdown(store: emberkeep.Memory, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.md").write_text("# Backups\n\nBackups are taken at night.\n")
    (folder / "deep" / "b.txt").write_text("The door code is blue.")
    (folder / "c.png").write_bytes(b"\x89PNG")
    assert counted(import_from(store, folder, "markdown", user_id="alex")) == (2, 2, 0)
    assert {document.origin for document in store.knowledge.list()} == {"notes/a.md", "notes/deep/b.txt"}
    assert counted(import_from(store, folder, "markdown", user_id="alex")) == (2, 0, 2)


def test_what_is_exported_comes_back_the_same(store: emberkeep.Memory, tmp_path: Path) -> None:
    told: dict[str, Any] = {
        "occurred_at": "2024-02-03T04:05:06.000007Z",
        "tags": ["a", "b"],
        "metadata": {"n": 1.5, "deep": {"x": [None]}},
    }
    store.remember("Prefers a window seat", kind="preference", user_id="alex", sacred=True, **told)
    store.remember("We use PostgreSQL — “always”", kind="decision", user_id="sam", agent_id="bot")
    store.remember("Of nobody", kind="procedure", session_id="s")
    said = [
        {"role": "user", "content": "Hello\nthere", "name": "Alex", "id": "m1"},
        {"role": "assistant", "content": "Hi"},
    ]
    store.add(said, user_id="alex", session_id="s", **told)
    store.add("Without a session", user_id="alex", occurred_at="2024-01-01T00:00:00Z")
    report = write_export(store, tmp_path / "all.jsonl")
    assert (report.memories, report.exchanges) == (3, 2)
    with emberkeep.open(":memory:", embedder=WordEmbedder(), learner="none") as other:
        assert counted(import_from(other, tmp_path / "all.jsonl", "emberkeep")) == (5, 5, 0)
        assert kept(other) == kept(store)
        assert counted(import_from(other, tmp_path / "all.jsonl", "emberkeep")) == (5, 0, 5)
        assert kept(other) == kept(store)
        assert len(other.capture.recent(100)) == 2
    assert write_export(store, tmp_path / "alex.jsonl", user_id="alex").memories == 1
    assert write_export(store, tmp_path / "all.md", "markdown").memories == 3
    assert "- 2024-02-03: Prefers a window seat\n" in (tmp_path / "all.md").read_text()
    with pytest.raises(InvalidInput, match="there already"):
        write_export(store, tmp_path / "all.md", "markdown")
    with pytest.raises(InvalidInput, match="use jsonl"):
        write_export(store, tmp_path / "all.xml", "xml")


def test_an_export_says_where_each_memory_comes_from_and_what_was_done(tmp_path: Path) -> None:
    with emberkeep.open(":memory:", embedder=WordEmbedder()) as memory:
        said = memory.add("I live in Lisbon.", user_id="alex")
        done = {"tool_calls": [{"name": "weather"}], "skill_used": "weather", "latency_ms": {"llm": 12.5}}
        turn = {"timestamp": NOON, "user_transcript": "Rain?", "assistant_response": "No.", **done}
        logged = memory.capture.log(turn)
        write_export(memory, tmp_path / "all.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    (fact,) = (line for line in lines if "text" in line)
    exchanges = {line["id"]: line for line in lines if "messages" in line}

    assert fact["sources"] == [{"exchange": said.interaction_id, "message": 0, "quote": "I live in Lisbon."}]
    assert exchanges[logged]["details"] == {"llm_messages": [], **done}
    assert "details" not in exchanges[said.interaction_id]


def test_what_is_imported_knows_where_it_comes_from_and_goes_with_it(store: emberkeep.Memory, tmp_path: Path) -> None:
    with emberkeep.open(":memory:", embedder=WordEmbedder()) as first:
        first.add([{"role": "user", "content": "My PIN hint is walrus.", "id": "m1"}], user_id="alex", session_id="s1")
        first.add(["I live in Lisbon.", "I own a boat."], user_id="alex", session_id="s1")
        first.add("I live in Lisbon.", user_id="alex", session_id="s2")
        write_export(first, tmp_path / "all.jsonl")
        learned = {fact.text: fact.sources for fact in first.get_all(user_id="alex", kinds=["fact"])}
    for _ in range(2):
        import_from(store, tmp_path / "all.jsonl", "emberkeep")
    facts = {fact.text: fact.sources for fact in store.get_all(user_id="alex", kinds=["fact"])}

    def said(sources: tuple[Source, ...]) -> set[tuple[object, ...]]:
        return {(one.position, one.quote, one.role, one.occurred_at) for one in sources}

    assert {text: said(sources) for text, sources in facts.items()} == {
        text: said(sources) for text, sources in learned.items()
    }
    assert facts["The user's PIN hint is walrus"][0].message_id == "m1"
    assert len(facts["The user lives in Lisbon"]) == 2
    store.delete_all(user_id="alex", session_id="s1")
    assert [fact.text for fact in store.get_all(user_id="alex", kinds=["fact"])] == ["The user lives in Lisbon"]


def test_a_source_that_is_not_the_users_is_refused(store: emberkeep.Memory) -> None:
    theirs = store.add("My PIN hint is walrus.", user_id="sam").interaction_id
    mine = store.add("I live in Lisbon.", user_id="alex").interaction_id
    for exchange, message in ((theirs, 0), (mine, 1), ("0198", 0)):
        line = {"text": "Lives in Lisbon", "sources": [{"exchange": exchange, "message": message}]}
        with pytest.raises(InvalidInput, match=f"line 1: there is no message {message} of the exchange"):
            store.seed(json.dumps(line), user_id="alex")
    line = {"text": "Lives in Lisbon", "sources": [{"exchange": mine, "message": 0, "quote": "never said"}]}
    store.seed(json.dumps(line), user_id="alex")
    (fact,) = store.get_all(user_id="alex", kinds=["fact"])
    assert [(one.interaction_id, one.quote) for one in fact.sources] == [(mine, None)]


def test_secrets_are_cut_out_once(tmp_path: Path) -> None:
    said = {"messages": [{"role": "user", "content": "my password is hunter2-4711, keep it"}], "session_id": "s"}
    file = written(tmp_path / "x.json", [said, {"text": "The password is hunter2-4711"}])
    with emberkeep.open(":memory:", embedder=WordEmbedder(), learner="none", redact=True) as memory:
        assert counted(import_from(memory, file, "emberkeep")) == (2, 2, 0)
        assert counted(import_from(memory, file, "emberkeep")) == (2, 0, 2)
        assert "hunter2" not in str(memory.capture.recent())


def test_the_log_is_exported_in_the_order_in_which_it_was_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exporting, "AT_ONCE", 3)
    with emberkeep.open(":memory:", embedder=WordEmbedder(), learner="none") as memory:
        for n in range(11):
            memory.add(f"number {n}", occurred_at=f"2024-01-01T00:00:0{n // 2}Z")
        write_export(memory, tmp_path / "all.jsonl")
    said = [json.loads(line)["messages"][0]["content"] for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    assert said == [f"number {n}" for n in range(11)]


def kept(memory: emberkeep.Memory) -> list[dict[str, Any]]:
    names = (
        "text",
        "kind",
        "occurred_at",
        "user_id",
        "agent_id",
        "session_id",
        "tags",
        "metadata",
        "sacred",
        "speaker",
    )
    return [{name: getattr(item, name) for name in names} for _, item in sorted(held(memory).items())]


@pytest.mark.parametrize("source", ["emberkeep", "mem0", "zep", "chatgpt", "claude"])
@pytest.mark.parametrize(
    "content",
    [
        "", "not JSON", "[", "[{]", '[{"memory": "x"', "[1]", "[null]", '{"results": [3]}', "[{}]", "{}", "\x00", '"text"',
        '[{"memory": 3}]', '[{"memory": "x", "created_at": "yesterday"}]', '[{"memory": "x", "created_at": {}}]',
        '[{"memory": "x", "metadata": []}]', '[{"fact": []}]', '[{"mapping": []}]', '[{"mapping": {"a": 1}}]',
        '[{"mapping": {"a": {"message": []}}}]', '[{"chat_messages": {}}]', '[{"chat_messages": [1]}]',
        '[{"text": "x", "kind": "rumour"}]', '[{"messages": [{"role": 1}]}]', '[{"messages": "x"}]', '[{"text": "x"} {}]',
        "[" * 100_000, '{"a":' * 100_000, '[{"text": "x"}][{"text": "y"}]', '[{"memory": "x"}] more',
        '[{"memory": "x", "user_id": "*"}]', '[{"text": "x", "user_id": "*"}]', '[{"memory": "x", "created_at": "0001-01-01T00:00:00+12:00"}]',
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused(tmp_path: Path, source: str, content: str) -> None:
    (tmp_path / "x.json").write_text(content)
    with pytest.raises(EmberkeepError) as refused:
        survey(tmp_path / "x.json", source)
    assert "x.json" in str(refused.value)


def test_a_mistake_at_the_end_keeps_all_of_it_out(tmp_path: Path) -> None:
    lines = ['{"text": "Good"}', '{"text": "Also good"}', '{"text": 3}']
    (tmp_path / "x.jsonl").write_text("\n".join(lines))
    with emberkeep.open(":memory:", embedder=WordEmbedder()) as memory:
        with pytest.raises(InvalidInput, match="element 3"):
            import_from(memory, tmp_path / "x.jsonl", "emberkeep")
        assert memory.stats().items == 0


def test_a_tree_that_bites_its_tail_has_an_end(tmp_path: Path) -> None:
    node = {"message": {"author": {"role": "user"}, "content": {"parts": ["Hello"]}}}
    round_and_round = [{"mapping": {"a": {**node, "parent": "b"}, "b": {**node, "parent": "a"}}, "current_node": "a"}]
    assert survey(written(tmp_path / "x.json", round_and_round), "chatgpt").exchanges == 2


def test_sizes_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", "[" + " " * 9_000_000)
        archive.writestr("other.json", "[]")
    monkeypatch.setattr(reading, "MAX_FILE", 5_000_000)
    with pytest.raises(TooLarge, match="unpacks"):
        survey(tmp_path / "bomb.zip", "chatgpt")
    monkeypatch.setattr(reading, "MAX_ELEMENT", 1_000)
    monkeypatch.setattr(reading, "CHUNK", 100)
    with pytest.raises(TooLarge, match="one element"):
        survey(written(tmp_path / "long.json", [{"memory": "x" * 5_000}]), "mem0")
    several = written(tmp_path / "several.json", [{"memory": f"{n} " + "x" * 300} for n in range(50)])
    assert survey(several, "mem0").memories == 50  # each of them is read in parts


def test_blanks_take_no_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "CHUNK", 100)
    monkeypatch.setattr(reading, "MAX_ELEMENT", 1_000)
    apart = (" " * 5_000).join(["", "[", '{"memory": "x"}', ",", '{"memory": "y"}', "]", ""])
    (tmp_path / "x.json").write_text(apart)
    assert survey(tmp_path / "x.json", "mem0").memories == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_a_pipe_or_folder_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path):
        with pytest.raises(InvalidInput, match="not a file"):
            survey(path, "chatgpt")


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        survey(tmp_path / "none.json", "mem0")
    with pytest.raises(NotFound):
        survey(tmp_path / "none", "markdown")
    with pytest.raises(InvalidInput, match="no Markdown"):
        survey(tmp_path, "markdown")
    with pytest.raises(InvalidInput, match="use emberkeep, mem0"):
        survey(tmp_path, "carrier pigeon")
    with zipfile.ZipFile(tmp_path / "empty.zip", "w"):
        pass
    with pytest.raises(InvalidInput, match="none of the files"):
        survey(tmp_path / "empty.zip", "claude")
