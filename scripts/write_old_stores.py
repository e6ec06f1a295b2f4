"""Writes tests/storage/old_stores: for every version of the schema a small store, written by the code of that time.

Each is a dump in SQL, written by the last commit with that version in the history of this repository:

    .venv/bin/python scripts/write_old_stores.py            # those that are not there yet
    .venv/bin/python scripts/write_old_stores.py 0003 0004  # these, anew

Add a version to `COMMITS` when the next one is begun. Randomness comes from a fixed seed, so that writing a store again
changes nothing.
"""

# ruff: noqa: S603, S607, T201 - a program that runs git and says what it did

import io
import os
import random
import secrets
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "tests" / "storage" / "old_stores"
# The last commit with each version of the schema.
COMMITS = {
    "0001": "dd53fff",
    "0002": "69ecba7",
    "0003": "7cec510",
    "0004": "6defce4",
    "0005": "f829e5f",
    "0006": "db57098",
    "0007": "ac24f86",
    "0008": "11f878f",
    "0009": "7931cc9",
    "0010": "3d8756d",
    "0011": "0789271",
    "0012": "25aaa35",
}

LEFT_OPEN = 5  # the number of the task that is not finished


def main() -> None:
    """Write the stores that were asked for, or those that are missing."""
    if sys.argv[1:2] == ["--play"]:
        play(sys.argv[2])
        return
    FOLDER.mkdir(exist_ok=True)
    wanted = sys.argv[1:] or [version for version in COMMITS if not (FOLDER / f"{version}.sql").exists()]
    for version in wanted:
        written = written_by(COMMITS[version], version)
        (FOLDER / f"{version}.sql").write_text(written, encoding="utf-8")
        print(f"{version}: {len(written):,} characters, by {COMMITS[version]}")


def written_by(commit: str, version: str) -> str:
    """Return the dump of the store that the code of a commit writes."""
    with tempfile.TemporaryDirectory() as folder:
        code = subprocess.run(["git", "archive", commit, "src"], cwd=ROOT, capture_output=True, check=True).stdout
        with tarfile.open(fileobj=io.BytesIO(code)) as archive:
            archive.extractall(folder, filter="data")
        environment = {name: value for name, value in os.environ.items() if not name.startswith("EMBERKEEP_")}
        environment |= {"PYTHONPATH": f"{folder}/src", "EMBERKEEP_HOME": folder, "PYTHONHASHSEED": "0"}
        store = Path(folder) / "old.db"
        subprocess.run([sys.executable, __file__, "--play", str(store)], env=environment, check=True)
        with closing(sqlite3.connect(store)) as connection:
            (found,) = connection.execute("SELECT version_num FROM emberkeep_version").fetchone()
            if found != version:
                raise SystemExit(f"{commit} writes schema {found}, not {version}")
            connection.execute("DROP TABLE IF EXISTS sqlite_stat1")  # statistics of SQLite
            said = list(connection.iterdump())
    indexes = sorted(
        one for one in said if one.startswith(("CREATE INDEX", "CREATE UNIQUE INDEX"))
    )  # created in no fixed order
    return "".join(f"{one}\n" for one in (*(one for one in said[:-1] if one not in indexes), *indexes, said[-1]))


def play(path: str) -> None:
    """Write a store with all the verbs that the imported version of the code has."""
    _draw_from_a_seed()
    from emberkeep.config import Config  # noqa: PLC0415 - of the version that PYTHONPATH names

    _live(path, "default")
    _live(path, "acme", works=False, **({"keep_events": True} if hasattr(Config(), "keep_events") else {}))


def _live(path: str, tenant: str, *, works: bool = True, **settings: Any) -> None:
    """Write the data of one tenant: conversations, and unless `works` is False, memories and work of every kind."""
    import emberkeep  # noqa: PLC0415
    from emberkeep.testing import FixedClock, WordEmbedder  # noqa: PLC0415

    clock = FixedClock(datetime(2026, 5, 1, 9, tzinfo=UTC))
    embedder = WordEmbedder(dimension=16)
    memory: Any = emberkeep.open(path, embedder=embedder, clock=clock, tenant=tenant, **settings)
    try:
        _talk(memory, clock, tenant)
        if works:
            _tell(memory, clock)
            _work(memory, clock)
            _collect(memory)
        if hasattr(memory, "keys"):
            memory.keys.create(f"a bot of {tenant}", role="write")
            memory.audit_log.record("tested", user_id="alex", what={"rows": 3})
        clock.move(days=400)
        memory.add("What a long time that was.", user_id="alex")
        memory.upkeep()  # in versions with tiers, it archives work and demotes messages
        memory.context("Plan a weekend for Alex", user_id="alex", max_tokens=300)
        memory.add(f"This waits to be learned from, at {tenant}.", user_id="alex", learn="later")
        embedder.down = True
        memory.add(f"This has no vector yet, at {tenant}.", user_id="sam")
    finally:
        memory.close()


def _talk(memory: Any, clock: Any, tenant: str) -> None:
    for day, said in enumerate(
        ("I moved to Lisbon.", "My sister is called Mia.", "I moved to Porto.", "I love plums.", "I moved to Porto.")
    ):
        clock.move(days=1)
        memory.add(
            [
                {"role": "user", "content": said, "name": "Alex", "id": f"m{day}"},
                {"role": "assistant", "content": f"Noted, on day {day}."},
            ],
            user_id="alex",
            agent_id="voxa",
            session_id=f"s-{day % 2}",
            tags=["home"] if day % 2 else [],
            metadata={"channel": "voice", "day": day, "weight": 1.5},
        )
    told = memory.add("Łukasz lives in 東京 🎈.", user_id="sam")
    if hasattr(memory.get(told.items[0].id), "utc_offset"):
        memory.add("I'm flying to Rome tomorrow.", user_id="sam", occurred_at="2026-05-06T08:00:00+12:00")
    gone = memory.remember(f"To be forgotten at {tenant}", user_id="sam")
    memory.delete(gone.items[0].id)
    if hasattr(memory, "capture"):
        turn = {"session_id": "s-9", "user_transcript": "Turn the light on", "assistant_response": "Done."}
        rest = {"timestamp": clock.now(), "llm_messages": [], "tool_calls": [{"name": "light"}], "user_id": "alex"}
        memory.capture.log({**turn, **rest})


def _tell(memory: Any, clock: Any) -> None:
    seat = memory.remember("Prefers a window seat", kind="preference", user_id="alex", sacred=True)
    clock.move(days=1)
    memory.update(seat.items[0].id, "Prefers an aisle seat")
    memory.remember("Prefers an aisle seat", kind="preference", user_id="alex")
    memory.remember("The office is closed on Mondays", tags=["office"])
    if hasattr(memory, "seed"):
        memory.seed("- Sam plays the cello\n- 2026-04-02: Sam bought a boat\n", user_id="sam")


def _work(memory: Any, clock: Any) -> None:
    if not hasattr(memory, "tasks"):
        return
    memory.goals.save("Ship the release", id="g1", user_id="alex")
    for number, ends_well in enumerate((True, True, False, True, False, True)):
        task = memory.tasks.start(f"Deploy part {number}", id=f"t{number}", goal_id="g1", user_id="alex")
        memory.tasks.step(task.id, "kubectl" if ends_well else "ssh", parameters={"part": number}, output="ok")
        memory.decisions.log(f"Roll out part {number}", why="It is ready", task_id=task.id, user_id="alex")
        clock.move(hours=1)
        if number != LEFT_OPEN:
            memory.tasks.finish(task.id, success=ends_well, summary=f"Part {number} went out")
    memory.goals.save("Write it up", id="g2", status="succeeded", user_id="alex")
    memory.preferences.set("theme", {"name": "dark"}, user_id="alex")
    memory.persona.set("mood", "calm")
    memory.agents.save("voxa", "idle", {"seen": [1, 2]})
    if hasattr(memory, "experience"):
        patterns = memory.patterns.extract(user_id="alex", min_samples=2)
        for pattern in patterns[:1]:
            memory.patterns.feedback(pattern.id, helpful=True)


def _collect(memory: Any) -> None:
    if not hasattr(memory, "procedures"):
        return
    memory.procedures.save("Restart", "Restart the server", steps=["drain", "restart"])
    memory.incidents.report("Disk full", "The disk of the server was full", severity="high")
    memory.configs.record("retries", 2, 3, who="sam", why="It was flaky")
    memory.knowledge.add("The manual says that the lamp is switched on with the red button.", title="Manual")
    memory.operational.push_event("power", "It went out", severity="critical")


def _draw_from_a_seed() -> None:
    """Make all sources of randomness deterministic."""
    drawn = random.Random(7)  # noqa: S311 - it must be the same each time
    made: dict[str, Any] = {
        "randbits": drawn.getrandbits,
        "token_bytes": lambda size=32: drawn.randbytes(size),
        "token_hex": lambda size=32: drawn.randbytes(size).hex(),
    }
    for name, function in made.items():
        setattr(secrets, name, function)
    os.urandom = drawn.randbytes


if __name__ == "__main__":
    main()
