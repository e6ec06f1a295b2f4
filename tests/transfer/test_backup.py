"""A backup holds everything, restores to either database, and is refused when it is not whole."""

import json
import secrets
import stat
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import emberkeep
from emberkeep.errors import Conflict, EmberkeepError, InvalidInput, NotFound, StoreOutdated, StoreUnavailable
from emberkeep.storage.dump import TABLES
from emberkeep.testing import WordEmbedder
from emberkeep.transfer.backup import back_up
from emberkeep.transfer.restore import check, restore

Open = Callable[..., emberkeep.Memory]


@pytest.fixture
def opened() -> Open:
    return lambda target, **settings: emberkeep.open(target, embedder=WordEmbedder(), **settings)


@pytest.fixture(params=["file", "postgres"])
def elsewhere(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty place to restore to."""
    return str(tmp_path / "new.db" if request.param == "file" else request.getfixturevalue("empty_postgres_url"))


def live(memory: emberkeep.Memory) -> None:
    """Something in many tables, for two tenants."""
    said = [
        {"role": "user", "content": "I moved to Lisbon in May.", "id": "m1"},
        {"role": "assistant", "content": "🎈"},
    ]
    memory.add(
        said, user_id="alex", session_id="s", tags=["home"], metadata={"far": 1e22, "deep": {"b": [1.5], "a": None}}
    )
    told = memory.remember("Prefers a window seat", kind="preference", user_id="alex", sacred=True)
    memory.update(told.id, "Prefers an aisle seat")
    memory.add("For later.", user_id="sam", learn="later")
    memory.tasks.start("Clean up", id="t", user_id="alex")
    memory.tasks.step("t", "broom", parameters={"room": 1}, output="swept")
    memory.tasks.finish("t", success=True)
    memory.preferences.set("theme", "dark", user_id="alex")
    memory.keys.create("the bot", role="write")
    memory.events.add_webhook("https://example.org/hook")
    memory.context("Plan a trip", user_id="alex", max_tokens=200)
    memory.of_tenant("acme").remember("Acme's secret", user_id="alex")


@pytest.fixture
def kept(durable_target: str, opened: Open, tmp_path: Path) -> Path:
    with opened(durable_target) as memory:
        live(memory)
    file = tmp_path / "all.backup"
    back_up(durable_target, file)
    return file


def tables_of(file: Path) -> dict[str, Any]:
    with zipfile.ZipFile(file) as archive:
        return dict(json.loads(archive.read("manifest.json"))["tables"])


def digests_of(file: Path) -> dict[str, str]:
    return {name: table["digest"] for name, table in tables_of(file).items()}


def test_everything_comes_back_on_either_database(
    kept: Path, elsewhere: str, opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("emberkeep.transfer.restore.MOST_AT_ONCE", 2_000)  # so that there are several transactions
    manifest = restore(elsewhere, kept)
    assert manifest.embedder == WordEmbedder().name
    filled = {name for name, table in manifest.tables.items() if table.rows}
    assert {"items", "vectors", "interactions", "api_keys", "listeners", "steps", "entries", "history"} <= filled
    back_up(elsewhere, tmp_path / "again.backup")
    assert digests_of(tmp_path / "again.backup") == digests_of(kept)
    with opened(elsewhere) as memory:
        assert memory.search("Which seat?", user_id="alex", limit=1)[0].text == "Prefers an aisle seat"
        assert memory.search("aisle seat", user_id="alex", limit=1)[0].similarity is not None
        assert len(memory.of_tenant("acme").get_all(user_id="alex")) == 1
        assert memory.learn().waiting == 0
        assert memory.remember("And on we go", user_id="alex").new == 1


def test_only_its_owner_may_read_it(kept: Path) -> None:
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert [path.name for path in kept.parent.glob(".*")] == []


def test_it_is_one_moment_while_others_write(durable_target: str, opened: Open, tmp_path: Path, elsewhere: str) -> None:
    with opened(durable_target) as memory:
        live(memory)
        written: list[object] = []

        def write_between(_: int) -> None:
            written.append(memory.remember(f"Written meanwhile {len(written)}", user_id="alex"))

        back_up(durable_target, tmp_path / "b", progress=write_between)
        assert len(written) >= len(TABLES)
    restore(elsewhere, tmp_path / "b")  # compares what is there with what was counted
    with opened(elsewhere) as memory:
        texts = [item.text for item in memory.get_all(user_id="alex", limit=1000)]
        assert "Prefers an aisle seat" in texts
        assert not [text for text in texts if "meanwhile" in text]


def test_a_database_that_holds_anything_is_left_as_it_is(kept: Path, elsewhere: str, opened: Open) -> None:
    with opened(elsewhere) as memory:
        memory.remember("I was here first", user_id="sam")
    with pytest.raises(Conflict, match="not empty"):
        restore(elsewhere, kept)
    with opened(elsewhere) as memory:
        assert [item.text for item in memory.get_all(user_id="*")] == ["I was here first"]


@pytest.mark.parametrize("durable_target", ["file"], indirect=True)
@pytest.mark.parametrize("place", [0.02, 0.3, 0.6, 0.9, 0.99])
def test_a_damaged_file_is_refused_before_anything_is_written(kept: Path, tmp_path: Path, place: float) -> None:
    whole = kept.read_bytes()
    at = int(len(whole) * place)
    for damaged in (whole[:at], whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :]):
        kept.write_bytes(damaged)
        with pytest.raises(EmberkeepError, match=r"whole backup|not those it was made with"):
            restore(str(tmp_path / "new.db"), kept)
        assert not (tmp_path / "new.db").exists()


def rewritten(file: Path, change: Callable[[str, bytes], bytes]) -> None:
    with zipfile.ZipFile(file) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, change(name, content))


@pytest.mark.parametrize("durable_target", ["file"], indirect=True)
@pytest.mark.parametrize(
    ("member", "old", "new", "error", "match"),
    [
        ("tables/items.jsonl", b"aisle", b"Aisle", InvalidInput, "not those it was made with"),
        ("tables/items.jsonl", b'"kind"', b'"kin"', InvalidInput, "columns"),
        ("tables/items.jsonl", b"\n", b"", InvalidInput, "no end"),
        ("manifest.json", b'"schema": "', b'"schema": "x', StoreOutdated, "restore it with Emberkeep"),
        ("manifest.json", b'"items"', b'"../../items"', InvalidInput, "tables"),
        ("manifest.json", b'"rows": ', b'"rows": 9', InvalidInput, "not those it was made with"),
        ("manifest.json", b"{", b"[", InvalidInput, "manifest"),
        ("manifest.json", b"emberkeep-backup-1", b"emberkeep-backup-9", InvalidInput, "format"),
        ("manifest.json", b"{", b" " * (2 << 20) + b"{", InvalidInput, "too large"),
    ],
)
def test_a_forged_file_is_refused_before_anything_is_written(  # noqa: PLR0917 - a row of the table
    kept: Path, tmp_path: Path, member: str, old: bytes, new: bytes, error: type[Exception], match: str
) -> None:
    rewritten(kept, lambda name, content: content.replace(old, new) if name == member else content)
    with pytest.raises(error, match=match):
        restore(str(tmp_path / "new.db"), kept)
    assert not (tmp_path / "new.db").exists()


@pytest.mark.parametrize("durable_target", ["file"], indirect=True)
def test_what_is_there_is_not_overwritten(kept: Path, durable_target: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="--replace"):
        back_up(durable_target, kept)
    assert back_up(durable_target, kept, replace=True).rows == check(kept).rows
    with pytest.raises(InvalidInput, match="no backup"):
        back_up(durable_target, durable_target, replace=True)
    with pytest.raises(NotFound):
        back_up(str(tmp_path / "none.db"), tmp_path / "x")
    with pytest.raises(NotFound):
        restore(str(tmp_path / "new.db"), tmp_path / "none")
    with pytest.raises(InvalidInput, match="RAM"):
        back_up(":memory:", tmp_path / "x")
    with pytest.raises(InvalidInput, match="RAM"):
        restore(":memory:", kept)
    with pytest.raises(EmberkeepError, match="cannot be written"):
        back_up(durable_target, tmp_path / "no" / "folder")
    assert not (tmp_path / "none.db").exists()


RESTORE = """
import sys
from emberkeep.storage import dump
from emberkeep.transfer.restore import restore

dump.AT_ONCE = 3
seen, stopped = 0, False

def pause(rows):
    global seen, stopped
    seen += rows
    if seen >= float(sys.argv[3]) and not stopped:
        stopped = True
        print("there", flush=True)
        sys.stdin.readline()

restore(sys.argv[1], sys.argv[2], progress=pause)
print("done", flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize("durable_target", ["file"], indirect=True)
@pytest.mark.parametrize("part", [1.3, 1.8, 2.5])  # of the rows, which are checked, then written, then compared
def test_a_restore_that_is_killed_says_so_and_is_gone_on_with(  # noqa: PLR0917 - fixtures
    kept: Path, durable_target: str, elsewhere: str, opened: Open, tmp_path: Path, part: float
) -> None:
    stop = str(check(kept).rows * part)
    command = [sys.executable, "-c", RESTORE, elsewhere, str(kept), stop]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "there\n"
        process.kill()
    with pytest.raises(StoreUnavailable, match="has not finished"):
        opened(elsewhere)
    with pytest.raises(StoreUnavailable, match="has not finished"):
        back_up(elsewhere, tmp_path / "half.backup")
    assert not (tmp_path / "half.backup").exists()
    back_up(durable_target, tmp_path / "other.backup")
    with pytest.raises(Conflict, match="another backup"):
        restore(elsewhere, tmp_path / "other.backup")
    restore(elsewhere, kept)
    back_up(elsewhere, tmp_path / "again.backup")
    assert digests_of(tmp_path / "again.backup") == digests_of(kept)


FULL = """
import resource
import sys
from emberkeep.errors import StoreFull
from emberkeep.transfer.backup import back_up

resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
try:
    back_up(sys.argv[1], sys.argv[2])
except StoreFull as error:
    print(error)
"""


@pytest.mark.slow
@pytest.mark.parametrize("durable_target", ["file"], indirect=True)
def test_a_full_disk_leaves_no_half_of_a_file(durable_target: str, opened: Open, tmp_path: Path) -> None:
    with opened(durable_target) as memory:
        memory.add(secrets.token_hex(200_000), user_id="alex", learn="later")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", FULL, durable_target, str(tmp_path / "b")],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert "the disk is full, no file was written" in done.stdout
    assert done.stderr == ""
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith((".", "b"))] == []


@pytest.mark.parametrize("durable_target", ["file"], indirect=True)
def test_two_who_restore_at_once_do_not_mix(kept: Path, tmp_path: Path) -> None:
    inner: list[bool] = []
    target = str(tmp_path / "new.db")

    def overtake(_: int) -> None:
        if Path(target).exists() and not inner:
            inner.append(True)
            restore(target, kept)

    with pytest.raises(Conflict, match=r"another process|not empty"):
        restore(target, kept, progress=overtake)
    assert inner
    back_up(target, tmp_path / "again.backup")
    assert digests_of(tmp_path / "again.backup") == digests_of(kept)
