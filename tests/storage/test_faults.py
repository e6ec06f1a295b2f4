"""What goes wrong around a store: a clear error each time, and nothing half-written."""

import gc
import os
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import make_url, select, text

import emberkeep
from emberkeep.clock import Deadline
from emberkeep.errors import LONGEST_MESSAGE
from emberkeep.providers.base import Vectors
from emberkeep.storage import batches, erasure, schema
from emberkeep.storage.database import Database
from emberkeep.storage.sqlite import SqliteDatabase
from emberkeep.testing import WordEmbedder

pytestmark = pytest.mark.slow

Open = Callable[..., emberkeep.Memory]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "agent.db"


@pytest.fixture
def elsewhere(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to the same file that is none of ours."""
    connection = sqlite3.connect(path, isolation_level=None)
    yield connection
    connection.close()


# Files.


@pytest.mark.parametrize(
    "content", [b"no database", b"not a database, just a long text " * 200, b"SQLite format 3\0" * 100]
)
def test_a_file_that_is_not_a_database_is_refused_and_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(emberkeep.StoreUnavailable, match=r"agent\.db"):
        emberkeep.open(path, embedder=WordEmbedder())
    assert path.read_bytes() == content


@pytest.mark.skipif(sys.platform == "win32", reason="there a file that is open stays")
@pytest.mark.parametrize("what", ["deleted", "moved", "replaced"])
def test_a_file_that_is_no_longer_there_takes_nothing_more(path: Path, opened: Open, what: str) -> None:
    aside = path.with_name("aside.db")
    with opened(path) as memory:
        memory.add("I moved to Lisbon in May.", user_id="alex")
        path.rename(aside)
        if what == "deleted":
            aside.unlink()
        if what == "replaced":
            sqlite3.connect(path).close()
        for verb in (memory.search, memory.add, memory.remember):
            with pytest.raises(emberkeep.StoreUnavailable, match="moved, deleted or replaced"):
                verb("Lisbon", user_id="alex")
        assert path.exists() is (what == "replaced"), "nobody made a new one meanwhile"


def test_a_file_that_was_put_back_goes_on(path: Path, opened: Open) -> None:
    with opened(path) as memory:
        memory.add("I moved to Lisbon in May.", user_id="alex")
        aside = path.rename(path.with_name("aside.db"))
        with pytest.raises(emberkeep.StoreUnavailable, match="Put it back"):
            memory.add("I have a dog.", user_id="alex")
        aside.rename(path)
        memory.add("I have a cat.", user_id="alex")
        assert {item.text for item in memory.get_all(user_id="alex")} == {"I moved to Lisbon in May.", "I have a cat."}


def test_a_disk_that_does_not_answer_is_called_that(path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(5, "Input/output error")

    with opened(path) as memory:
        with monkeypatch.context() as patch:
            patch.setattr(Path, "stat", fail)
            with pytest.raises(emberkeep.StoreUnavailable, match=r"cannot be looked at \(Input/output error\)"):
                memory.remember("I have a dog.", user_id="alex")
        memory.remember("I have a dog.", user_id="alex")


def test_what_was_kept_before_it_was_closed_is_not_denied(path: Path, opened: Open) -> None:
    class Closing(WordEmbedder):
        def embed(self, texts: Sequence[str], *, deadline: Deadline | None = None) -> Vectors:
            memory.close()  # as another thread may
            return super().embed(texts, deadline=deadline)

    memory = opened(path, embedder=Closing())
    added = memory.add("I moved to Lisbon in May.", user_id="alex")
    assert (added.new, added.errors) == (1, 1)
    assert all(reason.startswith("it is kept") for reason in added.reasons)
    with opened(path) as again:
        assert [item.text for item in again.get_all(user_id="alex", kinds=["episode"])] == ["I moved to Lisbon in May."]


@pytest.mark.parametrize("share", [0.002, 0.3, 0.7, 0.99])
def test_a_file_that_was_cut_short_is_refused(path: Path, opened: Open, share: float) -> None:
    with opened(path) as memory:
        memory.add([f"line {n}" for n in range(300)], user_id="alex")
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])

    def use() -> None:
        with emberkeep.open(path, embedder=WordEmbedder()) as memory:
            memory.search("line", user_id="alex")
            memory.add("one more", user_id="alex")

    with pytest.raises(emberkeep.StoreUnavailable, match=r"agent\.db"):
        use()


def test_a_folder_is_not_a_store(tmp_path: Path) -> None:
    with pytest.raises(emberkeep.StoreUnavailable):
        emberkeep.open(tmp_path, embedder=WordEmbedder())


def test_a_path_below_a_file_cannot_be_made(path: Path) -> None:
    path.write_text("in the way")
    with pytest.raises(emberkeep.StoreUnavailable, match="cannot be made"):
        emberkeep.open(path / "below" / "agent.db", embedder=WordEmbedder())


UNPRIVILEGED = """
import os, sys
import emberkeep
from emberkeep.testing import WordEmbedder
emberkeep.open(":memory:", embedder=WordEmbedder()).close()  # load all modules while that is allowed
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
try:
    with emberkeep.open(sys.argv[1], embedder=WordEmbedder()) as memory:
        memory.add("one more", user_id="alex")
except emberkeep.EmberkeepError as error:
    print(type(error).__name__, error)
"""


@pytest.mark.parametrize("what", ["a new file in a folder that is read-only", "a file that is read-only"])
def test_what_may_not_be_written_says_so(opened: Open, tmp_path: Path, what: str) -> None:
    folder = tmp_path
    while folder != folder.parent and os.geteuid() == 0:  # let the other user get there
        if folder.stat().st_mode & 0o001 == 0 and folder.is_relative_to("/tmp"):  # noqa: S108
            folder.chmod(folder.stat().st_mode | 0o011)
        folder = folder.parent
    closed = tmp_path / "closed"
    closed.mkdir()
    if what == "a file that is read-only":
        with opened(closed / "agent.db") as memory:
            memory.add("first", user_id="alex")
        (closed / "agent.db").chmod(0o444)
    closed.chmod(0o555)
    command = [sys.executable, "-c", UNPRIVILEGED, str(closed / "agent.db")]
    said = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    closed.chmod(0o755)
    assert said.stdout.startswith("StoreUnavailable"), said
    assert len(list(closed.iterdir())) == (what == "a file that is read-only")


@pytest.mark.skipif(os.name != "posix", reason="a platform with other permissions")
def test_a_new_file_is_its_owners_alone(tmp_path: Path, opened: Open) -> None:
    opened(str(tmp_path / "agent.db")).remember("private", user_id="alex")
    assert {file.name: file.stat().st_mode & 0o777 for file in tmp_path.glob("agent.db*")} == {
        "agent.db": 0o600,
        "agent.db-wal": 0o600,
        "agent.db-shm": 0o600,
    }


# Room and time.


def test_a_full_disk_keeps_what_was_there_and_takes_more_when_there_is_room(
    path: Path, opened: Open, check_whole: Callable[[str], None]
) -> None:
    memory = opened(path)
    memory.add("the first", user_id="alex")
    database = memory._parts.database
    assert isinstance(database, SqliteDatabase)
    pages = database._driver.execute("PRAGMA page_count").fetchone()[0]
    database._driver.execute(f"PRAGMA max_page_count = {pages + 3}")
    for call in (memory.add, memory.remember):
        with pytest.raises(emberkeep.StoreFull, match="nothing was written"):
            call("word" * 20_000, user_id="alex")
    assert memory.stats().items == memory.stats().interactions == 1
    assert memory.search("first", user_id="alex")[0].text == "the first"
    database._driver.execute(f"PRAGMA max_page_count = {pages + 10_000}")
    memory.add("word" * 20_000, user_id="alex")
    check_whole(str(path))


def test_a_disk_that_fails_is_said_to(path: Path, opened: Open) -> None:
    failed = sqlite3.OperationalError("disk I/O error")
    failed.sqlite_errorcode = sqlite3.SQLITE_IOERR_FSYNC
    said = opened(path)._parts.database.explain(failed)
    assert isinstance(said, emberkeep.StoreUnavailable)
    assert "mounted, writable and sound" in str(said)


class Filling(WordEmbedder):
    """Has the disk full by the time that its vectors are to be written."""

    def __init__(self) -> None:
        super().__init__(dimension=4_096)
        self.driver: sqlite3.Connection | None = None

    def embed(self, texts: Sequence[str], *, deadline: Deadline | None = None) -> Vectors:
        if self.driver is not None:
            self.driver.execute("PRAGMA max_page_count = 1")  # which means: no more than there are
        return super().embed(texts, deadline=deadline)


def test_a_disk_that_fills_up_after_something_was_kept_denies_nothing(
    path: Path, opened: Open, check_whole: Callable[[str], None]
) -> None:
    embedder = Filling()
    memory = opened(path, embedder=embedder, learner="rules", lease_s=0.001)
    memory.add("the first", user_id="alex")
    task = memory.tasks.start("a task", user_id="alex")
    database = memory._parts.database
    assert isinstance(database, SqliteDatabase)
    embedder.driver = database._driver

    def make_room() -> None:
        database._driver.execute("PRAGMA max_page_count = 100000")

    added = memory.add("I like tea with a little milk.", user_id="alex")
    assert (added.new, added.errors) == (1, 2)
    assert all(reason.startswith("it is kept, and the rest is done later") for reason in added.reasons)
    make_room()
    assert memory.update(added.items[0].id, "I like tea without milk.").text == "I like tea without milk."
    make_room()
    assert memory.tasks.finish(task.id, success=True, summary="done").status == "succeeded"
    embedder.driver = None
    make_room()
    assert memory.search("milk", user_id="alex")[0].id == added.items[0].id
    check_whole(str(path))
    report = memory.learn()
    assert (report.learned, report.waiting) == (1, 0)
    assert {item.kind for item in memory.get_all(user_id="alex")} >= {"episode", "preference"}


ON_A_SMALL_DISK = """
import subprocess, sys
import emberkeep
from emberkeep.testing import WordEmbedder
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", sys.argv[1]], check=True)
with emberkeep.open(sys.argv[1] + "/agent.db", embedder=WordEmbedder()) as memory:
    kept = []
    try:
        for n in range(10_000):
            kept.append(memory.remember(f"number {n} " + f"word{n} " * 200, user_id="alex").id)
    except emberkeep.StoreFull as error:
        print("full", flush=True)
    assert {item.id for item in memory.get_all(user_id="alex", limit=10_000)} == set(kept)
    assert memory.search("number 3", user_id="alex")
    assert memory._parts.database._driver.execute("PRAGMA integrity_check").fetchone() == ("ok",)
with emberkeep.open(sys.argv[1] + "/agent.db", embedder=WordEmbedder()) as memory:
    assert {item.id for item in memory.get_all(user_id="alex", limit=10_000)} == set(kept)
    print(len(kept) > 10, flush=True)
"""


def test_a_disk_that_is_really_full(tmp_path: Path) -> None:
    alone = ["unshare", "--mount"]
    probe = [*alone, "mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(tmp_path)]
    if subprocess.run(probe, capture_output=True, timeout=10, check=False).returncode != 0:
        pytest.skip("mounting needs root")
    command = [*alone, sys.executable, "-c", ON_A_SMALL_DISK, str(tmp_path)]
    said = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert said.stdout.split() == ["full", "True"], said


UNDER_A_LIMIT = """
import resource, sys
import emberkeep
from emberkeep.testing import WordEmbedder
with emberkeep.open(sys.argv[1], embedder=WordEmbedder()) as memory:
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_500_000, resource.RLIM_INFINITY))
    kept = []
    try:
        for n in range(10_000):
            kept.append(memory.remember(f"number {n} " + f"word{n} " * 200, user_id="alex").id)
    except emberkeep.StoreFull as error:
        print("1,500,000 bytes (ulimit -f)" in str(error), flush=True)
    assert {item.id for item in memory.get_all(user_id="alex", limit=10_000)} == set(kept)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    kept.append(memory.remember("there is room again", user_id="alex").id)
with emberkeep.open(sys.argv[1], embedder=WordEmbedder()) as memory:
    assert {item.id for item in memory.get_all(user_id="alex", limit=10_000)} == set(kept)
    print(len(kept) > 10, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")
def test_a_limit_to_the_length_of_files_is_a_full_disk(tmp_path: Path) -> None:
    command = [sys.executable, "-c", UNDER_A_LIMIT, str(tmp_path / "a.db")]
    said = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert said.stdout.split() == ["True", "True"], said


def test_another_writer_makes_it_busy_and_then_it_works_again(
    path: Path, opened: Open, elsewhere: sqlite3.Connection
) -> None:
    memory = opened(path, busy_timeout_s=0.2)
    item_id = memory.remember("kept", user_id="alex").id
    elsewhere.execute("BEGIN IMMEDIATE")
    begun = time.monotonic()
    calls: list[Callable[[], Any]] = [
        lambda: memory.add("not now", user_id="alex"),
        lambda: memory.update(item_id, "changed"),
        lambda: memory.delete(item_id),
    ]
    for call in calls:
        with pytest.raises(emberkeep.StoreBusy, match="busy_timeout_s"):
            call()
    assert time.monotonic() - begun < 3
    assert [hit.text for hit in memory.search("kept", user_id="alex")] == ["kept"]
    elsewhere.execute("ROLLBACK")
    assert memory.add("now", user_id="alex").new == 1
    assert memory.stats().items == 2


def test_a_writer_waits_for_another_that_is_quick(path: Path, opened: Open, elsewhere: sqlite3.Connection) -> None:
    memory = opened(path, busy_timeout_s=10)
    memory.add("first")
    elsewhere.execute("BEGIN IMMEDIATE")
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(memory.add, "second")
        time.sleep(0.2)
        elsewhere.execute("ROLLBACK")
        assert waiting.result(10).new == 1


def test_a_reader_elsewhere_does_not_hold_up_a_deletion(
    path: Path, opened: Open, elsewhere: sqlite3.Connection
) -> None:
    memory = opened(path)
    item_id = memory.remember("a thing", user_id="alex").id
    elsewhere.execute("BEGIN")
    elsewhere.execute("SELECT count(*) FROM items").fetchone()
    begun = time.monotonic()
    memory.delete(item_id)
    assert time.monotonic() - begun < 5
    assert memory.stats().items == 0


def test_what_a_reader_held_on_to_is_wiped_with_the_next_write(
    path: Path, opened: Open, elsewhere: sqlite3.Connection
) -> None:
    memory = opened(path)
    item_id = memory.remember("the zebra sleeps", user_id="alex").id
    elsewhere.execute("BEGIN")
    elsewhere.execute("SELECT count(*) FROM items").fetchone()
    memory.delete(item_id)
    log = path.with_name(path.name + "-wal")
    assert b"zebra" in log.read_bytes()
    elsewhere.execute("COMMIT")
    memory.remember("something else", user_id="alex")
    assert b"zebra" not in log.read_bytes() + path.read_bytes()


def test_a_memory_stays_where_it_is_when_the_process_goes_elsewhere(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    memory = opened("agent.db")
    monkeypatch.chdir(tmp_path / "elsewhere")
    memory.remember("still here", user_id="alex")
    assert memory.search("here", user_id="alex")[0].text == "still here"
    assert (tmp_path / "agent.db").exists()


@pytest.mark.parametrize("name", ["file:x.db", "file:with%20space.db", "file::memory:", "file:q.db?mode=memory"])
def test_a_name_is_a_name_and_no_address(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    opened(name).remember("kept", user_id="alex")
    assert (tmp_path / name).exists()


FORK = """
import os, sys
import emberkeep
from emberkeep.testing import WordEmbedder

memory = emberkeep.open(sys.argv[1], embedder=WordEmbedder())
memory.remember("before the fork", user_id="alex")
child = os.fork()
if child == 0:
    try:
        with memory:
            memory.remember("by the child", user_id="alex")
    except emberkeep.Closed as error:
        os._exit(7 if "open it again in each process" in str(error) else 1)
    os._exit(2)
_, status = os.waitpid(child, 0)
memory.remember("after the fork", user_id="alex")
print(os.waitstatus_to_exitcode(status), sorted(item.text for item in memory.get_all(user_id="alex")))
memory.close()
"""


def test_a_process_that_is_forked_off_is_told_to_open_it_anew(durable_target: str) -> None:
    command = [sys.executable, "-W", "ignore", "-c", FORK, durable_target]
    said = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout
    assert said == "7 ['after the fork', 'before the fork']\n"


def test_ids_that_no_index_could_hold_are_refused(durable_target: str, opened: Open) -> None:
    memory = opened(durable_target)
    with pytest.raises(emberkeep.InvalidInput, match="user_id has 1024 bytes in UTF-8, the limit is 768"):
        memory.add("x", user_id="🙂" * 256)
    longest = dict.fromkeys(("user_id", "agent_id", "session_id"), "🙂" * 192)
    memory.add("x", **longest)  # type: ignore[arg-type]
    assert [item.text for item in memory.get_all(**longest)] == ["x"]  # type: ignore[arg-type]


def test_erasing_everyone_does_not_ask_for_all_of_them_at_once(
    durable_target: str, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "AT_ONCE", 2)
    parted: list[list[str]] = []

    def part(values: Sequence[str]) -> Iterator[Sequence[str]]:
        parted.append(list(values))
        return batches.batches(values)

    monkeypatch.setattr(erasure, "batches", part)
    memory = opened(durable_target)
    for user in "abcde":
        memory.add(f"{user} says something", user_id=user, session_id="s")
        memory.remember(f"{user} knows something", user_id=user, tags=["t"])
    receipt = memory.delete_all(user_id="*")
    assert (receipt.rows["items"], receipt.rows["interactions"], receipt.rows["shelves"]) == (10, 5, 5)
    assert parted[0] == list("abcde")
    assert memory.stats().items == memory.stats().interactions == 0


def test_a_log_that_cannot_be_emptied_fails_no_write(
    path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    memory = opened(path)
    database = memory._parts.database
    assert isinstance(database, SqliteDatabase)
    database._must_wipe.set()

    class Failing:
        def execute(self, statement: str) -> sqlite3.Cursor:
            if "wal_checkpoint" in statement:
                raise sqlite3.DatabaseError("malformed")
            return driver.execute(statement)

        def __getattr__(self, name: str) -> Any:
            return getattr(driver, name)

    driver = database._driver
    monkeypatch.setattr(SqliteDatabase, "_driver", Failing(), raising=False)
    monkeypatch.delattr(database, "_driver", raising=False)
    with caplog.at_level("INFO"):
        assert memory.remember("kept all the same", user_id="alex").new == 1
    assert "malformed" in caplog.text
    assert database._must_wipe.is_set()


# Servers.


def test_a_server_that_is_not_there_is_said_quickly() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        begun = time.monotonic()
        with pytest.raises(emberkeep.StoreUnavailable, match="cannot be reached"):
            emberkeep.open(f"postgresql://a:secret@127.0.0.1:{taken.getsockname()[1]}/x", embedder=WordEmbedder())
        assert time.monotonic() - begun < 5


@pytest.mark.parametrize("wrong", [{"username": "nobody_here"}, {"database": "nothing_here"}])
def test_a_wrong_role_or_database_is_unavailable(postgres_url: str, wrong: dict[str, str]) -> None:
    url = make_url(postgres_url).set(**wrong).render_as_string(hide_password=False)  # type: ignore[arg-type]
    with pytest.raises(emberkeep.StoreUnavailable):
        emberkeep.open(url, embedder=WordEmbedder())


def test_a_password_is_never_shown() -> None:
    with pytest.raises(emberkeep.StoreUnavailable) as caught:
        emberkeep.open("postgresql://me:hunter2@127.0.0.1:1/x", embedder=WordEmbedder())
    assert "hunter2" not in str(caught.value)


def test_connections_that_the_server_ended_are_replaced(
    postgres_url: str, opened: Open, database: Callable[[str], Database], check_whole: Callable[[str], None]
) -> None:
    memory = opened(postgres_url, large_from=20)
    memory.add([f"line {n}" for n in range(40)], user_id="alex")
    memory.upkeep()
    bare = database(postgres_url)
    end_all = text(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    for _ in range(2):
        with bare.read() as connection:
            connection.execute(end_all)
        assert memory.search("line 7", user_id="alex")
        memory.add("after", user_id="alex")

    def ended_half_way(connection: Any) -> None:
        connection.execute(schema.meta.insert(), {"key": "half", "value": "written"})
        with bare.read() as other:
            other.execute(end_all)
        connection.execute(select(schema.meta))

    with pytest.raises(emberkeep.StoreUnavailable):
        memory._parts.database.write(ended_half_way)
    assert memory.add("after", user_id="alex").updated == 1
    check_whole(postgres_url)


def test_a_shelf_that_another_client_holds_is_busy(
    postgres_url: str, opened: Open, database: Callable[[str], Database]
) -> None:
    memory = opened(postgres_url, busy_timeout_s=0.3)
    memory.add("first", user_id="alex")
    engine = database(postgres_url).engine.execution_options(isolation_level="READ COMMITTED")
    with engine.begin() as holder:
        holder.execute(select(schema.shelves).with_for_update())
        begun = time.monotonic()
        with pytest.raises(emberkeep.StoreBusy):
            memory.add("second", user_id="alex")
        assert time.monotonic() - begun < 3
        assert memory.search("first", user_id="alex")
        assert memory.add("other shelf", user_id="sam").new == 1
    assert memory.add("second", user_id="alex").new == 1


def test_too_few_connections_make_it_busy(postgres_url: str, opened: Open) -> None:
    memory = opened(postgres_url, pool_size=1, busy_timeout_s=0.2)
    read = memory._parts.database.read
    with read() as one, read() as two:
        assert one.execute(text("SELECT 1")).scalar() == two.execute(text("SELECT 1")).scalar() == 1
        with pytest.raises(emberkeep.StoreBusy):
            memory.stats()
    assert memory.stats().items == 0


# Closing.


def test_a_closed_memory_says_so(target: str, opened: Open) -> None:
    memory = opened(target)
    item_id = memory.remember("kept", user_id="alex").id
    memory.close()
    memory.close()
    calls: list[Callable[[], Any]] = [
        lambda: memory.add("x"),
        lambda: memory.add("x", learn="later"),
        lambda: memory.remember("x"),
        lambda: memory.update(item_id, "x"),
        lambda: memory.delete(item_id),
        lambda: memory.delete_all(user_id="alex"),
        lambda: memory.search("x"),
        lambda: memory.search("x", plan="fast"),
        lambda: memory.context("x"),
        lambda: memory.get(item_id),
        memory.get_all,
        lambda: memory.history(item_id),
        memory.learn,
        memory.upkeep,
        memory.rebuild,
        memory.stats,
    ]
    for call in calls:
        with pytest.raises(emberkeep.Closed):
            call()


def test_closing_while_others_write_ends_them_with_closed_and_keeps_what_was_acknowledged(
    durable_target: str, opened: Open, check_whole: Callable[[str], None]
) -> None:
    memory = opened(durable_target)
    memory.add("first", user_id="alex")
    kept: list[str] = []

    def write(thread: int) -> None:
        for n in range(100_000):
            added = memory.add(f"thread {thread} note {n}", user_id="alex")
            kept.append(added.id)

    with ThreadPoolExecutor(4) as pool:
        writers = [pool.submit(write, thread) for thread in range(4)]
        while len(kept) < 40:
            time.sleep(0.005)
        memory.close()
        errors = [writer.exception(20) for writer in writers]
    assert [type(error) for error in errors] == [emberkeep.Closed] * 4
    check_whole(durable_target)
    held = {item.id for item in opened(durable_target).get_all(user_id="alex", limit=10_000)}
    assert set(kept) <= held


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="a platform that does not list open files")
@pytest.mark.filterwarnings("ignore:unclosed database:ResourceWarning")  # as Python itself says from 3.13 on
def test_a_memory_that_nobody_closed_is_let_go_of(tmp_path: Path) -> None:
    def use() -> int:
        memory = emberkeep.open(tmp_path / "agent.db", embedder=WordEmbedder())
        memory.add("kept", user_id="alex")
        memory.search("kept", user_id="alex")
        del memory
        gc.collect()
        return len(list(Path("/proc/self/fd").iterdir()))

    assert use() >= use()


# Messages.


def test_an_error_does_not_repeat_all_of_a_huge_value(opened: Open) -> None:
    memory = opened(":memory:")
    for call in (lambda: memory.get("x" * 3_000_000), lambda: memory.search("tea", plan="x" * 3_000_000)):
        with pytest.raises(emberkeep.EmberkeepError) as raised:
            call()
        assert len(str(raised.value)) <= LONGEST_MESSAGE + 3
