"""Loading the story into a memory, by its public verbs and with a clock that walks through the month."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from importlib.resources import files
from operator import attrgetter
from typing import Any

from emberkeep.clock import SystemClock
from emberkeep.config import Config, data_folder
from emberkeep.demo import screenplay, script
from emberkeep.demo.claim import Claim
from emberkeep.demo.scene import Scene, told_at
from emberkeep.errors import Conflict, InvalidInput, NotFound
from emberkeep.learning.embedding import Progress, silent
from emberkeep.memory import Memory
from emberkeep.opening import open as open_memory
from emberkeep.providers.base import Embedder

FILE_NAME = "demo.db"
READERS: dict[str, Callable[[str], Iterator[Scene]]] = {
    "home.txt": screenplay.scenes_of,
    "shop.txt": screenplay.scenes_of,
    "errands.toml": script.scenes_of,
    "work.toml": script.scenes_of,
    "endings.txt": script.endings_of,
}
RATINGS = {
    "tool:canary": (True, "Two bad releases were stopped at one pod"),
    "tool:dump": (True, "The dump was needed twice"),
    "word:major": (True, "One at a time works"),
}  # by indicator: whether a pattern with it helped, and a note
NARRATOR = "emberkeep-demo"  # the agent whose state says how far the story is loaded
STORY = "a month in the life of an assistant and a coding agent"  # in that state: marks the demo
LOADING, LOADED = "loading", "loaded"
_LAST_NIGHT = timedelta(hours=4)
ARCHIVE_AFTER = timedelta(days=12)
COLD_BELOW = 42.0  # within a month nothing cools below the default, and the cold tier would be empty


@dataclass(frozen=True, slots=True)
class Demo:
    """The loaded demo: its place, users and counts, when the story ends, and whether it was written now."""

    database: str
    tenant: str
    until: datetime
    is_new: bool
    users: tuple[str, ...]
    interactions: int
    memories: int
    by_kind: dict[str, int]
    patterns: int


class WalkingClock:
    """A clock that shows the time in the story."""

    def __init__(self, start: datetime) -> None:
        self._now = start

    def now(self) -> datetime:
        """The time in the story."""
        return self._now

    def walk_to(self, moment: datetime) -> None:
        """Set the clock to a moment."""
        self._now = moment


def settings(db: str | None = None, tenant: str | None = None) -> Config:
    """The user's settings for the demo's store: a file of its own in the data folder, unless another is named."""
    config = Config.load(db=db or str(data_folder() / FILE_NAME), tenant=tenant, read_db="")
    config.require_store()
    if config.db == ":memory:":
        raise InvalidInput("the demo is to be looked at later: pass a file or postgresql://… as --db, or leave it out")
    return config


@cache
def story() -> tuple[Scene, ...]:
    """All scenes, in order of day and time; today's come last."""
    told: list[Scene] = []
    for name, scenes_of in READERS.items():
        told += scenes_of(files("emberkeep.demo").joinpath(name).read_text("utf-8"))
    return tuple(sorted(told, key=_order))


def load(
    config: Config,
    *,
    again: bool = False,
    progress: Progress = silent,
    waiting: Callable[[], None] = lambda: None,
    embedder: Embedder | None = None,
) -> Demo:
    """Write the story to an empty memory, as the month that ends now; a complete story is left as it is.

    An interrupted one is deleted and written anew; with `again` so is a complete one, and whatever was added to it is
    lost. A memory that holds anything else is refused with `Conflict`. While another process writes the demo to the
    same place, this waits, after calling `waiting` once.
    """
    clock = WalkingClock(SystemClock().now() - timedelta(days=30))
    # The story is the same whatever the user's settings; only the embedder is theirs.
    story_of = config.changed(
        learner="rules", capture=True, redact=False, cold_below=COLD_BELOW, events_url="", keep_events=True
    )
    with open_memory(config=story_of, clock=clock, embedder=embedder) as memory:
        if _told_so_far(memory) == LOADED and not again:  # without the lease, which would write
            return _described(memory, is_new=False)
        claim = Claim(memory)
        claim.take(waiting)
        try:
            return _loaded(memory, clock, claim, again=again, progress=progress)
        finally:
            claim.release()


def _loaded(memory: Memory, clock: WalkingClock, claim: Claim, *, again: bool, progress: Progress) -> Demo:
    state = _told_so_far(memory)
    if state == LOADED and not again:
        return _described(memory, is_new=False)
    held = memory.stats()
    if state is None and (held.items or held.interactions):
        raise Conflict(
            f"tenant {held.tenant!r} of {held.database} holds other memories, and the demo wants a place of its "
            "own: pass --tenant demo, or another --db"
        )
    if state is not None:
        memory.delete_all(user_id="*")
        claim.renew(at_once=True)  # the lease was deleted with the rest

    def step(done: int) -> None:
        claim.renew()
        progress(done)

    now = SystemClock().now()
    told = {"story": STORY, "until": now.isoformat()}
    memory.agents.save(NARRATOR, LOADING, told)
    _tell(memory, clock, now, step)
    clock.walk_to(now)
    memory.agents.save(NARRATOR, LOADED, told)
    return _described(memory, is_new=True)


def _tell(memory: Memory, clock: WalkingClock, now: datetime, progress: Progress) -> None:
    yesterday = [scene for scene in story() if scene.at.day]
    for scene in yesterday:
        _play(memory, clock, now, scene)
        progress(1)
    clock.walk_to(now - _LAST_NIGHT)
    _look_back(memory)
    memory.upkeep(archive_before=now - ARCHIVE_AFTER)
    for scene in story()[len(yesterday) :]:  # after the upkeep, so that something is left waiting
        _play(memory, clock, now, scene)
        progress(1)


def _play(memory: Memory, clock: WalkingClock, now: datetime, scene: Scene) -> None:
    moment = scene.at.seen_from(now)
    clock.walk_to(moment)
    verb: Callable[..., Any] = attrgetter(scene.verb)(memory)
    came_of_it = verb(**told_at(scene.given, moment, now))
    if scene.then is not None:
        scene.then(memory, came_of_it)


def _look_back(memory: Memory) -> None:
    """Extract patterns from the tasks, and rate those in `RATINGS`."""
    memory.patterns.extract(user_id="devi")
    for pattern in memory.patterns.search(user_id="devi", limit=100):
        for indicator, (helpful, note) in RATINGS.items():
            if indicator in pattern.indicators:
                memory.patterns.feedback(pattern.id, helpful=helpful, note=note)


def _order(scene: Scene) -> tuple[bool, int, int]:
    at = scene.at
    return not at.day, at.day, at.minutes if at.day else -at.minutes


def _told_so_far(memory: Memory) -> str | None:
    """LOADING or LOADED; None if this memory does not hold the demo, even if it has an agent of that name."""
    try:
        narrator = memory.agents.get(NARRATOR)
    except NotFound:
        return None
    return narrator.status if narrator.state.get("story") == STORY else None


def _described(memory: Memory, *, is_new: bool) -> Demo:
    stats = memory.stats()
    return Demo(
        database=stats.database,
        tenant=stats.tenant,
        until=datetime.fromisoformat(memory.agents.get(NARRATOR).state["until"]),
        is_new=is_new,
        users=tuple(sorted(one.user_id for one in memory.users() if one.user_id)),
        interactions=stats.interactions,
        memories=stats.items,
        by_kind=dict(stats.items_by_kind),
        patterns=len(memory.patterns.search(limit=100)),
    )
