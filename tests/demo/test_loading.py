"""What a memory holds after the month."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import emberkeep
from emberkeep.config import Config
from emberkeep.demo.live import go_live
from emberkeep.demo.loading import NARRATOR, Demo, load, settings
from emberkeep.errors import ConfigError, Conflict, InvalidInput
from emberkeep.model.kinds import KINDS
from emberkeep.providers.local_embedder import LocalEmbedder
from emberkeep.testing import WordEmbedder

pytestmark = pytest.mark.slow
A_WHILE = 40  # scenes
LOADING_AGAIN = """
import sys
from emberkeep.config import Config
from emberkeep.demo import claim
from emberkeep.demo.loading import load
from emberkeep.testing import WordEmbedder

claim.LEASE_S = 2.0
load(Config(db=sys.argv[1]), again=True, embedder=WordEmbedder(), progress=lambda done: print(done, flush=True))
"""
CHANGES = [
    ("mara", "lives in Utrecht", "moved to Leiden"),
    ("mara", "Brightwater Museum", "works at the Naturalis library now"),
    ("mara", "is vegetarian", "is vegan now"),
    ("mara", "loves coffee", "cannot stand coffee"),
    ("mara", "lives in Gothenburg", "Ida moved to Malmö"),
    ("mara", "has a cat", "does not have a cat"),
    ("mara", "alarm is at half past six", "alarm is at seven"),
    ("tom", "a Volvo", "a Skoda"),
    ("devi", "flake8", "ruff"),
    ("devi", "tabs over spaces", "spaces over tabs"),
    ("devi", "PostgreSQL 16", "PostgreSQL 18"),
    ("devi", "Python 3.12", "Python 3.14"),
    ("devi", "day is Thursday", "day is Tuesday"),
    ("devi", "555-0119", "555-0140"),
]


@pytest.mark.parametrize(("user", "before", "after"), CHANGES, ids=lambda value: value.replace(" ", "-"))
def test_what_changed_is_known_as_it_is_and_as_it_was(
    texts: Callable[..., list[str]], user: str, before: str, after: str
) -> None:
    now, early = texts(user), [*texts(user, as_of=_ago(27)), *texts(user, as_of=_ago(21)), *texts(user, as_of=_ago(8))]
    left = "left the Brightwater Museum"
    assert not [text for text in now if before in text and left not in text]
    assert any(after in text for text in now)
    assert any(before in text for text in early)


def test_search_finds_what_is_so_now(month: emberkeep.Memory) -> None:
    assert "Leiden" in month.search("Where does Mara live now?", user_id="mara", limit=1)[0].text
    assert "555-0140" in month.search("What is Devi's phone number?", user_id="devi", limit=1)[0].text
    both = " ".join(hit.text for hit in month.search("Who is Tom?", user_id="mara", limit=8))
    assert "husband" in both
    assert "Verhoeven" in both


def test_there_is_something_of_every_noun(month: emberkeep.Memory) -> None:
    held = month.stats()
    assert set(held.items_by_kind) == {*KINDS}
    assert {one.status for one in month.goals.list()} >= {"running", "pending", "succeeded"}
    assert {one.status for one in month.tasks.list()} == {
        "pending", "running", "blocked", "succeeded", "failed", "cancelled",
    }  # fmt: skip
    assert {one.success for one in month.decisions.list()} == {True, False, None}
    assert {one.is_open for one in month.incidents.list()} == {True, False}
    assert len(month.configs.history("db.pool_size")) == 2
    assert all((month.procedures.list(), month.knowledge.list(), month.patterns.list_cached()))
    assert {one.agent_id for one in month.agents.list()} == {"hestia", "forge", NARRATOR}
    assert month.preferences.get("editor.indent", user_id="devi") == "spaces"
    assert month.persona.get("mood", agent_id="hestia") == "settled"
    assert {one.helpful for one in month.contexts()} == {True, False}
    assert month.operational.kept()
    assert month.events.recent()
    assert len(month.capture.sessions()) > 30
    assert any(one.details and one.details.tool_calls for one in month.capture.recent(100))


def test_patterns_are_found_where_they_were_planted(month: emberkeep.Memory) -> None:
    found = {(one.pattern_type, name) for one in month.patterns.search(limit=100) for name in one.indicators}
    assert {("success", "tool:canary"), ("success", "tool:dump"), ("failure", "word:major")} <= found
    assert sum(bool(month.patterns.ratings(one.id)) for one in month.patterns.search(limit=100)) == 3
    caution = month.experience.warn("Move pictures out of the database", user_id="devi")
    assert caution.failures
    assert caution.fixes


def test_temperatures_spread_and_tiers_hold_something(month: emberkeep.Memory) -> None:
    overview = month.overview()
    assert sum(count > 0 for count in overview.temperatures) >= 6
    assert overview.sacred >= 3
    assert all(overview.tiers[name] for name in ("open", "finished", "long_term", "cold"))
    assert month.get_all(user_id="*", kinds=["summary"]).items
    assert any("walnuts" in item.text and item.sacred for item in month.get_all(user_id="mara", kinds=["fact"]).items)


def test_all_of_it_happened_within_the_last_month(loaded: tuple[Path, Demo], month: emberkeep.Memory) -> None:
    until = loaded[1].until
    page = month.get_all(user_id="*", limit=1_000)
    moments = [one.occurred_at for one in page.items] + [one.occurred_at for one in month.capture.recent(1_000)]
    moments += [one.created_at for one in month.tasks.list()] + [one.at for one in month.contexts()]
    assert page.next is None
    assert until - timedelta(days=29) < min(moments)
    assert max(moments) <= until
    assert (datetime.now(UTC) - until) < timedelta(hours=1)
    assert all(one.state == "waiting" for one in month.backlog())
    assert len(month.backlog()) == 2  # today's, which a worker learns from as soon as there is one


def test_what_waits_is_learned_when_it_is_served(month: emberkeep.Memory) -> None:
    assert month.learn().new > 0
    assert month.backlog() == []


def test_what_is_live_is_told_by_whoever_serves_it(month: emberkeep.Memory) -> None:
    go_live(month)
    snapshot = month.operational.get_system_snapshot()
    assert set(snapshot.by_severity) == {"info", "warning", "error"}
    assert "checkout.median_ms" in snapshot.metrics
    assert snapshot.active_tasks
    assert month.operational.count_unkept() == 0


def test_a_second_run_changes_nothing(loaded: tuple[Path, Demo], copied_month: Path, embedder: LocalEmbedder) -> None:
    config, first = Config(db=str(copied_month)), loaded[1]
    load(config, embedder=embedder)  # the copy becomes a database of several processes
    before = copied_month.read_bytes()
    again = load(config, embedder=embedder)
    assert (again.is_new, again.until, again.memories) == (False, first.until, first.memories)
    assert copied_month.read_bytes() == before


def test_again_replaces_it_with_what_was_added_though_killed_on_the_way(
    in_words: tuple[Path, Demo], tmp_path: Path
) -> None:
    path, first = tmp_path / "demo.db", in_words[1]
    shutil.copy(in_words[0], path)
    config, embedder = Config(db=str(path)), WordEmbedder()
    with emberkeep.open(config=config, embedder=embedder) as memory:
        memory.remember("Mara plays the cello", user_id="mara")
    with subprocess.Popen([sys.executable, "-c", LOADING_AGAIN, path], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for _ in range(A_WHILE):
            process.stdout.readline()
        process.kill()
    with emberkeep.open(config=config, embedder=embedder) as memory:
        assert memory.agents.get(NARRATOR).status == "loading"
        assert memory.stats().items
    waited: list[bool] = []
    second = load(config, embedder=embedder, waiting=lambda: waited.append(True))
    assert second.is_new
    assert second.until > first.until
    assert (second.by_kind, second.interactions) == (first.by_kind, first.interactions)
    assert waited == [True]  # nobody can tell at once that the other one is dead


def test_it_keeps_away_from_other_memories(tmp_path: Path) -> None:
    config, embedder = Config(db=str(tmp_path / "agent.db")), WordEmbedder()
    with emberkeep.open(config=config, embedder=embedder) as memory:
        memory.remember("Mine")
        memory.agents.save(NARRATOR, "loaded", {"until": "2026-06-01T12:00:00Z"})  # a name that anyone may use
    for again in (False, True):
        with pytest.raises(Conflict, match="pass --tenant demo, or another --db"):
            load(config, again=again, embedder=embedder)
    with emberkeep.open(config=config, embedder=embedder) as memory:
        assert [item.text for item in memory.get_all().items] == ["Mine"]


def test_it_is_the_same_on_postgresql_beside_others(postgres_url: str, in_words: tuple[Path, Demo]) -> None:
    config, embedder, expected = Config(db=postgres_url), WordEmbedder(), in_words[1]
    with emberkeep.open(config=config, embedder=embedder) as memory:
        memory.remember("Mine")
    demo = load(config.changed(tenant="demo"), embedder=embedder)
    assert (demo.is_new, demo.tenant) == (True, "demo")
    assert (demo.by_kind, demo.interactions, demo.patterns) == (
        expected.by_kind, expected.interactions, expected.patterns,
    )  # fmt: skip
    with emberkeep.open(config=config, embedder=embedder) as memory:
        assert [item.text for item in memory.get_all().items] == ["Mine"]


def test_the_users_own_file_is_never_the_default(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMBERKEEP_DB", "mine.db")
    assert settings().db == str(home / "demo.db")
    assert settings("other.db").db == "other.db"


def test_where_it_cannot_be_loaded_is_refused() -> None:
    with pytest.raises(ConfigError, match="run it where that is"):
        settings("http://127.0.0.1:8787")
    with pytest.raises(InvalidInput, match="pass a file"):
        settings(":memory:")


def _ago(days: int) -> str:
    return (datetime.now(UTC) - timedelta(days=days)).isoformat()


def test_nothing_in_it_is_in_need_of_repair(month: emberkeep.Memory) -> None:
    assert month.repair(dry_run=True).found == ()
