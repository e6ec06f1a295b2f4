"""A writer: makes random calls of a memory one after the other, and records them in its ledger, until it is killed.

Each writer changes only what it wrote itself, so that its ledger alone determines what has to be there; all write to
the same shelves, so that they contend with each other.
"""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import emberkeep
from emberkeep.clock import Clock, SystemClock
from emberkeep.remote.memory import RemoteMemory
from emberkeep.testing import WordEmbedder
from torture import disk
from torture.ledger import Ledger

USERS = ("ann", "bob", "cyd")
PASSING = "passing"  # the user whose sessions are deleted again as a whole
_WORDS = """
    amber basket candle dolphin ember falcon garden harbor island jacket kettle ladder marble needle orchard pepper
    quarry ribbon saddle timber umbrella velvet walnut yonder zephyr acorn bramble copper drizzle engine fiddle gravel
""".split()
# Errors that guarantee that nothing was written; a broken connection leaves it open.
_CERTAIN = (emberkeep.StoreBusy, emberkeep.StoreFull)
LEASE_S = 5.0  # short, so that the leases of killed processes soon expire
PAUSE_S = 0.05  # after a failure: a killed server takes a moment to come back


@dataclass(frozen=True, slots=True)
class Place:
    """The store to write to, the folder of its ledgers, its settings, and perhaps a file that steers the clock."""

    target: str
    ledger: Path
    settings: dict[str, Any] = field(default_factory=dict)
    clock_file: Path | None = None

    def open(self) -> emberkeep.Memory:
        """Open the memory, with a cheap embedder unless it is on a server, which has its own."""
        if self.target.startswith("http"):
            return emberkeep.open(self.target, **self.settings)
        return self.open_at(SystemClock() if self.clock_file is None else SteeredClock(self.clock_file))

    def open_at(self, clock: Clock) -> emberkeep.Memory:
        """Open the memory with another clock."""
        usual: dict[str, Any] = {"keep_events": True, "lease_s": LEASE_S}
        return emberkeep.open(self.target, embedder=WordEmbedder(), clock=clock, **{**usual, **self.settings})


@dataclass(frozen=True, slots=True)
class SteeredClock:
    """A clock that is off by the number of seconds in a file."""

    file: Path

    def now(self) -> datetime:
        """The system time plus the offset in the file."""
        said = self.file.read_text(encoding="utf-8")
        return datetime.now(UTC) + timedelta(seconds=float(said or 0))


@dataclass(frozen=True, slots=True)
class Trouble:
    """The faults of a writer's own disk."""

    end_in: int | None = None  # writes and syncs until the process is killed
    delay_s: float = 0.0
    errors: tuple[int, ...] = ()  # `errno` numbers: one at random now and then, for a few writes and syncs
    from_the_start: bool = False  # whether faults begin before the store is opened, or once it is open

    def begin(self) -> None:
        """Start counting down and delaying now."""
        if self.end_in is not None:
            disk.end_in(self.end_in)
        if self.delay_s:
            disk.slow_down(self.delay_s)

    def go_on(self, chance: random.Random) -> None:
        """Perhaps let the disk fail soon for a few writes and syncs, if `errors` are set."""
        if self.errors and chance.random() < 0.3:  # noqa: PLR2004 - so that it also works in between
            disk.fail(chance.choice(self.errors), chance.randrange(80), chance.randint(1, 3))


def write(place: Place, name: str, seed: str, trouble: Trouble | None = None, most: int | None = None) -> None:
    """Open the memory and make random calls, until the process is killed or `most` calls were made."""
    ledger = Ledger(place.ledger, name)
    if trouble is not None and trouble.from_the_start:
        trouble.begin()
    memory = _opened(place)
    if trouble is not None and not trouble.from_the_start:
        trouble.begin()
    chance = random.Random(seed)
    writer = Writer(memory, ledger, chance)
    while most is None or writer.done < most:
        if trouble is not None:
            trouble.go_on(chance)
        writer.step()
    memory.close()
    ledger.close()


def _opened(place: Place) -> emberkeep.Memory:
    while True:
        try:
            return place.open()
        except emberkeep.StoreError:  # a killed server is about to come back
            time.sleep(PAUSE_S)


class Writer:
    """Makes random calls of a memory, and records each in the ledger."""

    def __init__(self, memory: emberkeep.Memory, ledger: Ledger, chance: random.Random) -> None:
        self.done = 0
        self._memory = memory
        self._ledger = ledger
        self._chance = chance
        self._items: list[tuple[str, str]] = []  # ids with their users
        self._tasks: list[str] = []
        self._session = ""
        self._drawer = 0
        self._remote = isinstance(memory, RemoteMemory)

    def step(self) -> None:
        """Make one random call, whatever its outcome."""
        verbs: dict[Callable[[], None], int] = {
            self.add: 6, self.later: 2, self.remember: 6, self.seed: 1, self.task: 3, self.prefer: 1,
            self.passing: 1, self.learn: 1,
        }  # fmt: skip
        if self._items:
            verbs |= {self.update: 3, self.delete: 2}
        if self._tasks:
            verbs |= {self.step_of_task: 2, self.finish: 1}
        if self._session:
            verbs |= {self.forget: 1}
        (verb,) = self._chance.choices(list(verbs), list(verbs.values()))
        verb()
        self.done += 1

    def add(self) -> None:
        """Add several messages in one call."""
        user, texts = self._user(), self._texts(self._chance.randint(1, 4))
        learn = self._chance.random() < 0.5  # noqa: PLR2004 - half of them
        said = [{"role": "user", "content": text, "id": f"{self._key}-{n}"} for n, text in enumerate(texts)]
        metadata = {"batch": self._key, "of": len(texts)}
        self._tried(
            lambda: self._memory.add(said, user_id=user, metadata=metadata, tags=["torture"], learn=learn),
            lambda added: self._keep_episodes(added, user),
            "add", user=user, texts=texts, batch=self._key, learn=learn,
        )  # fmt: skip

    def later(self) -> None:
        """Add messages that are only logged, to be learned from later."""
        user, texts = self._user(), self._texts(2)
        self._tried(
            lambda: self._memory.add(texts, user_id=user, learn="later", metadata={"batch": self._key, "of": 2}),
            lambda added: {"interaction": added.interaction_id},
            "later", user=user, texts=texts, batch=self._key,
        )  # fmt: skip

    def remember(self) -> None:
        """Remember one statement."""
        user, (text,) = self._user(), self._texts(1)

        def keep(added: Any) -> dict[str, Any]:
            self._items.append((added.id, user))
            return {"ids": [added.id]}

        self._tried(lambda: self._memory.remember(text, user_id=user), keep, "remember", user=user, texts=[text])

    def seed(self) -> None:
        """Seed several statements in one call."""
        user, texts = self._user(), self._texts(self._chance.randint(2, 6))
        lines = "\n".join(texts)
        self._tried(
            lambda: self._memory.seed(lines, user_id=user), lambda report: {"new": report.new},
            "seed", user=user, texts=texts,
        )  # fmt: skip

    def update(self) -> None:
        """Change the text of an item."""
        item_id, user = self._chance.choice(self._items)
        (text,) = self._texts(1)
        self._tried(
            lambda: self._memory.update(item_id, text), lambda _: {}, "update", user=user, target=item_id, texts=[text]
        )

    def delete(self) -> None:
        """Delete an item."""
        item_id, user = self._items.pop(self._chance.randrange(len(self._items)))
        self._tried(lambda: self._memory.delete(item_id), lambda _: {}, "delete", user=user, target=item_id)

    def task(self) -> None:
        """Start a task."""
        user, (text,) = self._user(), self._texts(1)
        task_id = self._key

        def keep(_: Any) -> dict[str, Any]:
            self._tasks.append(task_id)
            return {}

        self._tried(
            lambda: self._memory.tasks.start(text, id=task_id, user_id=user), keep,
            "task", user=user, target=task_id, text=text,
        )  # fmt: skip

    def step_of_task(self) -> None:
        """Add a step to a task."""
        task_id, (text,) = self._chance.choice(self._tasks), self._texts(1)
        self._tried(lambda: self._memory.tasks.step(task_id, "tool", output=text), lambda step: {"step": step.number},
                    "step", target=task_id, text=text)  # fmt: skip

    def finish(self) -> None:
        """Finish a task."""
        task_id, (text,) = self._tasks.pop(self._chance.randrange(len(self._tasks))), self._texts(1)
        self._tried(lambda: self._memory.tasks.finish(task_id, success=True, summary=text), lambda _: {},
                    "finish", target=task_id, text=text)  # fmt: skip

    def prefer(self) -> None:
        """Set a preference, the same one again and again."""
        user, (text,) = self._user(), self._texts(1)
        key = f"choice {self._drawer} of {self._ledger.writer}"
        self._tried(lambda: self._memory.preferences.set(key, text, user_id=user), lambda _: {},
                    "prefer", user=user, target=key, text=text)  # fmt: skip

    def passing(self) -> None:
        """Add messages to a session that will be deleted as a whole."""
        self._session = self._session or f"session {self._key}"
        session, texts = self._session, self._texts(2)
        self._tried(
            lambda: self._memory.add(texts, user_id=PASSING, session_id=session, learn=False,
                                     metadata={"batch": self._key, "of": 2}),
            lambda added: {"ids": [item.id for item in added.items], "interaction": added.interaction_id},
            "add", user=PASSING, session=session, texts=texts, batch=self._key,
        )  # fmt: skip

    def forget(self) -> None:
        """Delete that session."""
        session, self._session = self._session, ""
        self._tried(lambda: self._memory.delete_all(user_id=PASSING, session_id=session), lambda _: {},
                    "forget", user=PASSING, target=session)  # fmt: skip

    def learn(self) -> None:
        """Learn the backlog of all writers; sometimes by `upkeep`, which also maintains the store."""
        with_upkeep = self._chance.random() < 0.2  # noqa: PLR2004 - every fifth time
        self._tried(lambda: self._memory.upkeep() if with_upkeep else self._memory.learn(), lambda _: {}, "learn")

    def _tried(self, call: Callable[[], Any], keep: Callable[[Any], dict[str, Any]], verb: str, **about: Any) -> None:
        number = self._ledger.about(verb, **about)
        begun = time.monotonic()
        try:
            result = call()
        except emberkeep.EmberkeepError as error:
            certainly = isinstance(error, _CERTAIN) and verb != "learn" and not self._remote
            self._ledger.refused(number, error, certainly=certainly)
            self._leave_alone(str(about.get("target", about.get("session"))))
            time.sleep(PAUSE_S)
        else:
            took_s = time.monotonic() - begun
            self._ledger.acknowledged(number, **keep(result), took_s=round(took_s, 3))

    def _leave_alone(self, target: str) -> None:
        """Never touch the target of a failed call again: the call may still take effect, after the next one."""
        self._items = [one for one in self._items if one[0] != target]
        self._tasks = [one for one in self._tasks if one != target]
        self._session = "" if self._session == target else self._session
        self._drawer += 1

    def _keep_episodes(self, added: Any, user: str) -> dict[str, Any]:
        ids = [item.id for item in added.items if item.kind == "episode"]
        self._items += [(item_id, user) for item_id in ids]
        learned = [item.id for item in added.items if item.kind != "episode"]
        return {"ids": ids, "learned": learned, "interaction": added.interaction_id}

    @property
    def _key(self) -> str:
        """An id that is unique to this step of this writer."""
        return f"{self._ledger.writer}n{self.done}"

    def _user(self) -> str:
        return self._chance.choice(USERS)

    def _texts(self, count: int) -> list[str]:
        """Texts that each hold a unique word, and some of which hold a statement to learn."""
        made = []
        for place in range(count):
            rare = f"{self._key}p{place}"
            one, other = self._chance.sample(_WORDS, 2)
            made.append(f"I like {rare} {one}." if self._chance.random() < 0.3 else f"{rare} {one} {other}")  # noqa: PLR2004
        return made


def rare_word(text: str) -> str:
    """The unique word of a text; "" if it is none of these texts."""
    return next((word.strip(".,:") for word in text.split() if any(letter.isdigit() for letter in word)), "")
