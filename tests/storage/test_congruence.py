"""The same random life on SQLite and on PostgreSQL: the same answers."""

import itertools
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import emberkeep
from emberkeep.testing import FixedClock, WordEmbedder

WORDS = ["tea", "Tee", "café", "not", "green", "5", "6", "the", "日本語", "o'clock", "Berlin", "🙂"]
USERS = [None, "alex", "sam"]
SESSIONS = [None, "s1"]
KINDS = ["fact", "preference", "episode", "decision"]
TAGS = ["x", "y", "ü"]
_fresh = itertools.count()

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
users = st.sampled_from(USERS)
tags = st.lists(st.sampled_from(TAGS), max_size=2)
values = st.sampled_from([1, 0, "1", True, None, 1.5, "é"])
metadata = st.dictionaries(st.sampled_from(["n", "m"]), values, max_size=2)
places = st.integers(0, 30)
scopes = st.fixed_dictionaries({"user_id": users, "session_id": st.sampled_from(SESSIONS)})
told = st.fixed_dictionaries({"tags": tags, "metadata": metadata})
when = st.none() | st.integers(-40, 40)
wheres = st.fixed_dictionaries(
    {"user_id": st.sampled_from([*USERS, "*"])},
    optional={
        "session_id": st.sampled_from(SESSIONS),
        "shared": st.just(["sam"]),
        "kinds": st.lists(st.sampled_from(KINDS), min_size=1, max_size=2),
        "tags": tags,
        "filters": metadata,
        "since": when,
        "until": when,
        "as_of": when,
    },
)
Step = tuple[str, tuple[Any, ...]]
steps = st.one_of(
    st.tuples(st.just("add"), st.tuples(st.lists(texts, min_size=1, max_size=3), scopes, told, when)),
    st.tuples(st.just("later"), st.tuples(st.lists(texts, min_size=1, max_size=2), scopes)),
    st.tuples(st.just("remember"), st.tuples(texts, st.sampled_from(KINDS), scopes, told, st.booleans())),
    st.tuples(st.just("update"), st.tuples(places, st.none() | texts, st.none() | tags, st.none() | metadata)),
    st.tuples(st.just("delete"), st.tuples(places)),
    st.tuples(st.just("delete_all"), st.tuples(st.sampled_from([*USERS[1:], "*"]), st.sampled_from(SESSIONS))),
    st.tuples(
        st.just("search"), st.tuples(texts, wheres, st.booleans(), st.sampled_from(["balanced", "fast", "deep"]))
    ),
    st.tuples(st.just("get_all"), st.tuples(wheres, st.integers(1, 5))),
    st.tuples(st.just("history"), st.tuples(places)),
    st.tuples(st.just("learn"), st.just(())),
    st.tuples(st.just("down"), st.booleans().map(lambda down: (down,))),
    st.tuples(st.just("move"), st.tuples(st.integers(-3, 40))),
)


@dataclass
class Found:
    """What a search found: equal if the same hits have the same scores, in the same order up to ties."""

    hits: list[tuple[Any, tuple[str, ...], float, float | None]]
    degraded: tuple[str, ...]

    def __eq__(self, other: object) -> bool:
        assert isinstance(other, Found)
        if len(self.hits) != len(other.hits) or self.degraded != other.degraded:
            return False
        in_order = [hit[2] for hit in self.hits] == pytest.approx([hit[2] for hit in other.hits], abs=1e-5)
        pairs = zip(sorted(self.hits, key=repr), sorted(other.hits, key=repr), strict=True)
        return in_order and all(
            one[:2] == two[:2] and one[2:] == pytest.approx(two[2:], abs=1e-5, nan_ok=True) for one, two in pairs
        )

    __hash__ = None  # type: ignore[assignment]


@dataclass
class Life:
    """A memory, its clock, and the ids it has given out, by which the two sides are compared."""

    memory: emberkeep.Memory
    clock: FixedClock
    embedder: WordEmbedder
    known: list[str] = field(default_factory=list)

    def do(self, step: Step) -> Any:
        name, arguments = step
        try:
            return getattr(self, f"_{name}")(*arguments)
        except emberkeep.EmberkeepError as error:
            return type(error).__name__

    def _add(self, messages: list[str], scope: dict[str, Any], about: dict[str, Any], days: int | None) -> Any:
        return self._told(self.memory.add(messages, **scope, **about, occurred_at=self._at(days)))

    def _later(self, messages: list[str], scope: dict[str, Any]) -> None:
        self.memory.add(messages, **scope, learn="later")

    def _remember(self, text: str, kind: Any, scope: dict[str, Any], about: dict[str, Any], sacred: bool) -> Any:
        return self._told(self.memory.remember(text, kind=kind, **scope, **about, sacred=sacred))

    def _update(self, place: int, text: str | None, tags: Any, metadata: Any) -> Any:
        return self._item(self.memory.update(self._id(place), text, tags=tags, metadata=metadata))

    def _delete(self, place: int) -> Any:
        return dict(self.memory.delete(self._id(place)).rows)

    def _delete_all(self, user_id: str, session_id: str | None) -> Any:
        return dict(self.memory.delete_all(user_id=user_id, session_id=session_id).rows)

    def _search(self, query: str, where: dict[str, Any], touch: bool, plan: str) -> Any:
        hits = self.memory.search(query, **self._where(where), touch=touch, plan=plan, limit=1_000)
        return Found([(self._item(hit.item), hit.why.terms, hit.score, hit.similarity) for hit in hits], hits.degraded)

    def _get_all(self, where: dict[str, Any], limit: int) -> Any:
        listed: list[Any] = []
        cursor = None
        while True:
            page = self.memory.get_all(**self._where(where), limit=limit, cursor=cursor)
            listed += [self._item(item) for item in page]
            cursor = page.next
            if cursor is None:
                return listed

    def _history(self, place: int) -> Any:
        return self.memory.history(self._id(place))

    def _learn(self) -> Any:
        report = self.memory.learn()
        self.known += sorted(
            (item.id for item in self.memory.get_all(user_id="*", limit=1_000) if item.id not in self.known),
        )
        return report

    def _down(self, down: bool) -> None:
        self.embedder.down = down

    def _move(self, days: int) -> None:
        self.clock.move(days=days)

    def _told(self, added: emberkeep.Added) -> Any:
        self.known += [item.id for item in added.items if item.id not in self.known]
        counts = (added.extracted, added.new, added.updated, added.errors)
        return counts, [self._item(item) for item in added.items]

    def _item(self, item: emberkeep.Item) -> Any:
        return (
            self.known.index(item.id) if item.id in self.known else None,
            item.text,
            item.kind,
            (item.user_id, item.session_id),
            item.tags,
            dict(item.metadata),
            (item.occurred_at, item.recorded_at, item.valid_from, item.valid_to, item.heated_at, item.last_access),
            round(item.temperature, 6),
            item.access_count,
            item.sacred,
            [(source.position, source.role, source.occurred_at) for source in item.sources],
        )

    def _where(self, where: dict[str, Any]) -> dict[str, Any]:
        return {
            name: self._at(value) if name in {"since", "until", "as_of"} else value for name, value in where.items()
        }

    def _at(self, days: int | None) -> str | None:
        other = FixedClock(self.clock.now())
        other.move(days=days or 0)
        return None if days is None else other.now().isoformat()

    def _id(self, place: int) -> str:
        return self.known[place % len(self.known)] if self.known else "none"


def _live(targets: tuple[str, str], life: list[Step]) -> None:
    tenant = f"example {next(_fresh)}"
    lives = []
    for target in targets:
        clock, embedder = FixedClock(), WordEmbedder(dimension=16)
        lives.append(Life(emberkeep.open(target, tenant=tenant, clock=clock, embedder=embedder), clock, embedder))
    try:
        for step in life:
            one, other = (each.do(step) for each in lives)
            assert one == other, step
        one, other = (
            (each.memory.stats().items_by_kind, each.memory.stats().waiting, each.memory.stats().interactions)
            for each in lives
        )
        assert one == other
    finally:
        for each in lives:
            each.memory.close()


@pytest.mark.slow
@settings(
    max_examples=20,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(life=st.lists(steps, min_size=5, max_size=25))
def test_both_databases_answer_alike(postgres_url: str, tmp_path: Any, life: list[Step]) -> None:
    _live((str(tmp_path / "agent.db"), postgres_url), life)


def test_both_databases_answer_alike_over_a_life_by_hand(postgres_url: str, tmp_path: Any) -> None:
    scope = {"user_id": "alex", "session_id": None}
    about: dict[str, Any] = {"tags": ["x"], "metadata": {"n": 1}}
    life: list[Step] = [
        ("add", (["green tea", "tea 5", "GREEN  tea."], scope, about, -3)),
        ("remember", ("tea 6", "preference", scope, {"tags": [], "metadata": {}}, True)),
        ("down", (True,)),
        ("add", (["café Berlin"], scope, about, None)),
        ("search", ("cafe tea", {"user_id": "*"}, True, "balanced")),
        ("learn", ()),
        ("down", (False,)),
        ("learn", ()),
        ("move", (10,)),
        ("update", (0, "not green tea", ["y"], None)),
        ("later", (["日本語 tea"], scope)),
        ("learn", ()),
        ("search", ("green tea 日本", {"user_id": "alex", "as_of": -5}, False, "balanced")),
        ("get_all", ({"user_id": "alex", "since": -20, "until": 1}, 2)),
        ("history", (0,)),
        ("delete", (0,)),
        ("history", (0,)),
        ("move", (-20,)),
        ("search", ("tea", {"user_id": "alex"}, True, "deep")),
        ("delete_all", ("alex", None)),
        ("get_all", ({"user_id": "*"}, 5)),
    ]
    _live((str(tmp_path / "agent.db"), postgres_url), life)
