"""Disks that are slow, full, read-only or broken, under a store that must go on as soon as they recover."""

import ctypes
import errno
import json
import os
import random
from pathlib import Path
from typing import Any

import emberkeep
from torture import disk, ledger, processes, writer
from torture.crowd import crowd
from torture.judge import Verdict, judge
from torture.ledger import Ledger
from torture.run import NotHere, Run
from torture.writer import Place, Trouble, Writer

A_STORE = 20
STEPS = 30  # calls of a writer on a failing disk
DELAY_S = 0.004
SIZE_MB = 6
_NEW_NAMESPACE = 0x00020000
_PRIVATE = 0x40000 | 0x4000  # MS_PRIVATE | MS_REC: mounts are visible in this namespace only
_REMOUNT, _READ_ONLY = 32, 1


def slow(run: Run) -> None:
    """Every write and sync takes some milliseconds, so that kills hit in the middle of them."""
    _require_library()
    chance = run.chance
    cycles = run.goes_on()
    for number in range(-(-run.cycles // A_STORE)):
        place = run.place(f"store{number}")
        with crowd(place, f"{run.seed} {number}", writers=3, readers=1, trouble=Trouble(delay_s=DELAY_S)) as writers:
            for _ in zip(range(A_STORE), cycles, strict=False):
                writers.get_on(chance, most=4)
                writers.kill_one(chance)
                writers.gather()
                run.tally.kills += 1
            run.tally.kills += writers.kill_all()
        run.judge(place)


def broken(run: Run) -> None:
    """Writes and syncs fail now and then (no space, read-only, I/O error); the same process continues."""
    _require_library()
    trouble = Trouble(errors=(errno.ENOSPC, errno.EROFS, errno.EIO))
    place = run.place("store")
    place.open().close()
    for cycle in run.goes_on():
        process = processes.start(writer.write, place, f"w{cycle}", f"{run.seed} {cycle}", trouble, STEPS)
        process.join()
        if process.exitcode != 0:
            run.tally.verdict.faults.append(("disagreement", f"a writer ended with {process.exitcode}"))
    run.judge(place)
    _say_what_was_refused(run, place)


def full(run: Run) -> None:
    """A disk of a few megabytes fills up, is freed again, and is read-only for a while."""
    place = run.place("store", str(run.folder / "disk" / "agent.db"))
    (run.folder / "disk").mkdir()
    answer = run.folder / "verdict.json"
    process = processes.start(_on_a_small_disk, place, run.seed, run.cycles, answer)
    process.join()
    if not answer.exists():
        raise RuntimeError(f"whoever was to write on a small disk ended with {process.exitcode}")
    said = json.loads(answer.read_text(encoding="utf-8"))
    if said["reason"]:
        raise NotHere(said["reason"])
    run.tally.cycles, run.tally.verdicts = run.cycles, 1
    run.tally.verdict += Verdict(said["acknowledged"], said["found"], [(one, what) for one, what in said["faults"]])
    _say_what_was_refused(run, place)


def _on_a_small_disk(place: Place, seed: str, cycles: int, answer: Path) -> None:
    """Mount a small disk, write on it and judge the store; all in one process, as no other sees the mount."""
    reason = _mount(Path(place.target).parent)
    verdict = Verdict()
    if not reason:
        chance = random.Random(seed)
        for cycle in range(cycles):
            _fill_and_free(place, cycle, chance)
            _be_read_only(place, cycle, chance)
        verdict = judge(place, seed=seed)
    said = {"reason": reason, "acknowledged": verdict.acknowledged, "found": verdict.found, "faults": verdict.faults}
    draft = answer.with_suffix(".draft")
    draft.write_text(json.dumps(said), encoding="utf-8")
    draft.replace(answer)


def _fill_and_free(place: Place, cycle: int, chance: random.Random) -> None:
    filler = Path(place.target).with_name("filler")
    own = Ledger(place.ledger, f"w{cycle}full")
    with place.open() as memory:
        one = Writer(memory, own, chance)
        for until_full in (True, False):
            if until_full:
                filler.write_bytes(b"")
                left = os.statvfs(filler).f_bavail * os.statvfs(filler).f_frsize
                filler.write_bytes(bytes(max(0, left - chance.randrange(200_000))))
            else:
                filler.unlink()
            for _ in range(STEPS):
                one.step()
    own.close()


def _be_read_only(place: Place, cycle: int, chance: random.Random) -> None:
    folder = Path(place.target).parent
    own = Ledger(place.ledger, f"w{cycle}readonly")
    _call("mount", b"none", str(folder).encode(), b"tmpfs", _REMOUNT | _READ_ONLY, None)
    try:
        with place.open() as memory:
            Writer(memory, own, chance).step()
            own.complain("a store on a read-only disk was opened and written")
    except emberkeep.StoreError as error:
        if not any(hint in str(error) for hint in ("read-only", "you may write there")):
            own.complain(f"of a read-only disk it is said: {error}")
    finally:
        _call("mount", b"none", str(folder).encode(), b"tmpfs", _REMOUNT, f"size={SIZE_MB}m".encode())
        own.close()


def _mount(folder: Path) -> str:
    """Mount a small disk on a folder, for this process only; returns "", or the reason why it is not possible."""
    try:
        _call("unshare", _NEW_NAMESPACE)
        _call("mount", b"none", b"/", None, _PRIVATE, None)
        _call("mount", b"none", str(folder).encode(), b"tmpfs", 0, f"size={SIZE_MB}m".encode())
    except (OSError, AttributeError) as error:
        return f"mounting a small disk needs root on Linux ({error})"
    return ""


def _call(name: str, *arguments: Any) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if getattr(libc, name)(*arguments) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _require_library() -> None:
    if disk.library() is None:
        raise NotHere("there is no C compiler to make a disk with that fails on demand")


def _say_what_was_refused(run: Run, place: Place) -> None:
    deeds = ledger.read(place.ledger).deeds
    refused = sum(deed.state != "acknowledged" for deed in deeds)
    run.tally.notes.append(f"{refused} of {len(deeds)} calls were refused meanwhile")
