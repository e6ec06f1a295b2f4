"""LangGraph's store over a memory: every expectation of its own stores holds of theirs and of ours."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any, TypedDict

import pytest
from langchain_core.embeddings import Embeddings
from langchain_core.language_models.fake_chat_models import FakeListChatModel
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import (
    BaseStore,
    GetOp,
    InvalidNamespaceError,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    SearchItem,
    SearchOp,
)
from langgraph.store.memory import InMemoryStore

import emberkeep
from emberkeep.errors import AccessDenied, InvalidInput
from emberkeep.integrations.langgraph import EmberkeepStore
from emberkeep.testing import FixedClock, WordEmbedder
from emberkeep.transfer.exporting import write_export
from emberkeep.transfer.importing import import_from

Opened = Callable[..., emberkeep.Memory]
TREE = [
    ("a", "b", "c"),
    ("a", "b", "d", "e"),
    ("a", "b", "d", "i"),
    ("a", "b", "f"),
    ("a", "c", "f"),
    ("b", "a", "f"),
    ("users", "123"),
    ("users", "456", "settings"),
    ("admin", "users", "789"),
]
DOCS: dict[str, dict[str, Any]] = {
    "tea": {"text": "Alex drinks green tea", "stars": 5, "tags": ["drink"], "by": {"name": "Ann"}},
    "boat": {"text": "The boat lies in the harbour", "stars": 3, "tags": ["sea", "boat"], "by": {"name": "Bo"}},
    "train": {"text": "A train leaves at nine", "stars": 10, "tags": [], "by": {"name": "Ann", "age": 40}},
}


class _Words(Embeddings):
    """The embedder of our tests, as LangChain wants it."""

    def __init__(self) -> None:
        self._embedder = WordEmbedder()

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [[float(one) for one in vector] for vector in self._embedder.embed(texts)]

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


@pytest.fixture(params=["langgraph", "memory", "postgres", "remote"])
def store(request: pytest.FixtureRequest) -> Iterator[BaseStore]:
    """LangGraph's own store in memory, and ours wherever a memory can be."""
    if request.param == "langgraph":
        yield InMemoryStore(index={"dims": 64, "embed": _Words()})
        return
    if request.param == "remote":
        yield EmberkeepStore(request.getfixturevalue("over_http")(embedder=WordEmbedder()))
        return
    place = ":memory:"
    if request.param != "memory":
        file = request.getfixturevalue("tmp_path") / "agent.db"
        place = str(file) if request.param == "file" else request.getfixturevalue("postgres_url")
    with emberkeep.open(place, embedder=WordEmbedder()) as memory:
        yield EmberkeepStore(memory)


@pytest.fixture
def filled(store: BaseStore) -> BaseStore:
    for key, value in DOCS.items():
        store.put(("docs", "all"), key, value)
    return store


def keys(found: list[SearchItem]) -> set[str]:
    return {one.key for one in found}


# What is put can be got.


def test_a_value_comes_back_as_it_was_put(store: BaseStore) -> None:
    value = {
        "text": "Grüße, 世界 🌍 \u2028 \"quoted\" \\ 'too'",
        "numbers": [0, -1, 2.5, 1e20, 2**53],
        "nothing": None,
        "yes": True,
        "deep": {"list": [{"a": [1, [2, {}]]}], "": "an empty name"},
        "$odd.key": "",
    }
    store.put(("documents", "ünïcödé 文"), "schlüssel/1", value)
    found = store.get(("documents", "ünïcödé 文"), "schlüssel/1")
    assert found is not None
    assert type(found) is Item
    assert (found.namespace, found.key, found.value) == (("documents", "ünïcödé 文"), "schlüssel/1", value)
    assert found.created_at.tzinfo is not None
    assert found.created_at <= found.updated_at


def test_what_was_never_put_is_none(store: BaseStore) -> None:
    store.put(("test",), "here", {"data": 1})
    assert store.get(("test",), "elsewhere") is None
    assert store.get(("test", "below"), "here") is None
    assert store.get((), "here") is None


def test_put_again_replaces_all_of_the_value(store: BaseStore) -> None:
    store.put(("test",), "one", {"first": 1, "second": 2})
    before = store.get(("test",), "one")
    store.put(("test",), "one", {"third": 3})
    after = store.get(("test",), "one")
    assert before is not None
    assert after is not None
    assert after.value == {"third": 3}
    assert after.updated_at >= before.updated_at
    assert len(store.search(("test",))) == 1


def test_the_same_words_under_two_keys_are_two_entries(store: BaseStore) -> None:
    for namespace, key in [(("a",), "1"), (("a",), "2"), (("b",), "1")]:
        store.put(namespace, key, {"text": "Prefers a window seat"})
    store.delete(("a",), "1")
    assert [(one.namespace, one.key) for one in store.search(("a",))] == [(("a",), "2")]
    assert store.get(("b",), "1") is not None


def test_deleting_is_final_and_may_be_repeated(store: BaseStore) -> None:
    store.put(("test",), "one", {"data": "word"})
    store.delete(("test",), "one")
    assert store.get(("test",), "one") is None
    assert store.search(("test",)) == []
    store.delete(("test",), "one")
    store.put(("test",), "one", {"data": "again"})
    found = store.get(("test",), "one")
    assert found is not None
    assert found.value == {"data": "again"}


def test_an_empty_value_is_a_value(store: BaseStore) -> None:
    store.put(("test",), "empty", {})
    found = store.get(("test",), "empty")
    assert found is not None
    assert found.value == {}


@pytest.mark.parametrize("namespace", [(), ("the", "thing.about"), ("some", ""), ("langgraph", "foo")])
def test_namespaces_that_cannot_be(store: BaseStore, namespace: tuple[str, ...]) -> None:
    with pytest.raises(InvalidNamespaceError):
        store.put(namespace, "foo", {"foo": "bar"})
    with pytest.raises(InvalidNamespaceError):
        asyncio.run(store.aput(namespace, "foo", {"foo": "bar"}))


def test_the_reserved_namespace_is_open_to_batches(store: BaseStore) -> None:
    store.batch([PutOp(("langgraph", "foo"), "bar", {"foo": 1})])
    found = store.get(("langgraph", "foo"), "bar")
    assert found is not None
    assert keys(store.search(("langgraph",))) == {"bar"}
    store.delete(("langgraph", "foo"), "bar")
    assert store.get(("langgraph", "foo"), "bar") is None


def test_a_time_to_live_is_refused(store: BaseStore) -> None:
    with pytest.raises(NotImplementedError):
        store.put(("test",), "one", {"data": 1}, ttl=5)
    assert store.get(("test",), "one") is None


# Batches.


def test_a_batch_answers_in_its_order_with_what_was_before(filled: BaseStore) -> None:
    asked: list[Op] = [
        GetOp(("docs", "all"), "tea"),
        PutOp(("docs", "all"), "tea", {"text": "Alex drinks coffee now"}),
        SearchOp(("docs",), filter={"stars": 5}),
        ListNamespacesOp(),
        GetOp(("docs",), "nowhere"),
        PutOp(("docs", "all"), "boat", None),
        GetOp(("docs", "all"), "boat"),
    ]
    found: list[Any] = filled.batch(asked)
    assert found[0].value == DOCS["tea"]
    assert found[1] is None
    assert [one.key for one in found[2]] == ["tea"]
    assert found[3] == [("docs", "all")]
    assert found[4] is None
    assert found[6].value == DOCS["boat"]
    changed: list[Any] = filled.batch([GetOp(("docs", "all"), "tea"), GetOp(("docs", "all"), "boat")])
    assert changed[0].value == {"text": "Alex drinks coffee now"}
    assert changed[1] is None


def test_of_two_puts_to_one_key_the_last_counts(store: BaseStore) -> None:
    store.batch([PutOp(("a",), "k", {"n": 1}), PutOp(("a",), "k", None), PutOp(("a",), "k", {"n": 3})])
    found = store.get(("a",), "k")
    assert found is not None
    assert found.value == {"n": 3}
    store.batch([PutOp(("a",), "k", {"n": 4}), PutOp(("a",), "k", None)])
    assert store.get(("a",), "k") is None


def test_everything_is_awaited_too(store: BaseStore) -> None:
    async def use() -> None:
        await asyncio.gather(*(store.aput(("a", str(n)), "k", {"n": n}) for n in range(5)))
        found = await store.aget(("a", "3"), "k")
        assert found is not None
        assert found.value == {"n": 3}
        assert len(await store.asearch(("a",), filter={"n": {"$gte": 2}})) == 3
        assert await store.alist_namespaces(suffix=("4",)) == [("a", "4")]
        await store.adelete(("a", "3"), "k")
        assert await store.aget(("a", "3"), "k") is None

    asyncio.run(use())


# Searches.


def test_a_search_is_of_all_below_a_prefix(store: BaseStore) -> None:
    for namespace in TREE:
        store.put(namespace, "k", {"at": list(namespace)})
    assert len(store.search(())) == len(TREE)
    assert {one.namespace for one in store.search(("a", "b"))} == set(TREE[:4])
    assert {one.namespace for one in store.search(("users",))} == {("users", "123"), ("users", "456", "settings")}
    assert store.search(("user",)) == []
    assert store.search(("a", "b", "c", "d")) == []
    assert all(type(one) is SearchItem and one.score is None for one in store.search(("a",)))


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({}, {"tea", "boat", "train"}),
        ({"stars": 5}, {"tea"}),
        ({"stars": 5.0}, {"tea"}),
        ({"stars": "5"}, set()),
        ({"text": "A train leaves at nine"}, {"train"}),
        ({"stars": {"$eq": 3}}, {"boat"}),
        ({"stars": {"$ne": 3}}, {"tea", "train"}),
        ({"stars": {"$gt": 3}}, {"tea", "train"}),
        ({"stars": {"$gte": 5}}, {"tea", "train"}),
        ({"stars": {"$lt": 5}}, {"boat"}),
        ({"stars": {"$lte": 5}}, {"tea", "boat"}),
        ({"stars": {"$gte": 4, "$lt": 9.5}}, {"tea"}),
        ({"by": {"name": "Ann"}}, {"tea", "train"}),
        ({"tags": ["sea", "boat"]}, {"boat"}),
        ({"tags": []}, {"train"}),
        ({"stars": {"$gte": 3}, "by": {"name": "Bo"}}, {"boat"}),
        ({"missing": 1}, set()),
        ({"missing": None}, {"tea", "boat", "train"}),
        ({"missing": {"$ne": 1}}, {"tea", "boat", "train"}),
    ],
)
def test_filters(filled: BaseStore, wanted: dict[str, Any], expected: set[str]) -> None:
    assert keys(filled.search(("docs",), filter=wanted)) == expected
    assert keys(filled.search(("docs",), filter=wanted, query="what does Alex drink?")) == expected


def test_an_unknown_operator_is_an_error(filled: BaseStore) -> None:
    with pytest.raises(ValueError, match=r"\$near"):
        filled.search(("docs",), filter={"stars": {"$near": 5}})


def test_limit_and_offset(store: BaseStore) -> None:
    for n in range(25):
        store.put(("many",), f"k{n:02}", {"n": n, "even": n % 2 == 0})
    assert len(store.search(("many",))) == 10
    whole = [one.key for start in range(0, 30, 10) for one in store.search(("many",), limit=10, offset=start)]
    assert len(whole) == len(set(whole)) == 25
    assert len(store.search(("many",), filter={"even": True}, limit=100)) == 13
    assert len(store.search(("many",), filter={"even": True}, limit=10, offset=10)) == 3
    assert store.search(("many",), offset=25) == []
    assert store.search(("many",), limit=0) == []


def test_a_query_ranks_what_it_is_about_first(filled: BaseStore) -> None:
    found = filled.search(("docs",), query="green tea")
    assert found[0].key == "tea"
    assert keys(found) == set(DOCS)
    scores = [one.score for one in found if one.score is not None]
    assert scores == sorted(scores, reverse=True)
    assert found[0].score is not None
    assert [one.key for one in filled.search(("docs",), query="green tea", limit=1)] == ["tea"]
    assert "tea" not in keys(filled.search(("docs",), query="green tea", offset=1))
    assert filled.search(("nowhere",), query="green tea") == []


def test_what_is_not_indexed_comes_last_without_a_score(store: BaseStore) -> None:
    store.put(("docs",), "hidden", {"text": "green tea, green tea"}, index=False)
    store.put(("docs",), "open", {"text": "a boat in the harbour"})
    found = store.search(("docs",), query="green tea")
    assert [(one.key, one.score is None) for one in found] == [("open", False), ("hidden", True)]
    hidden = store.get(("docs",), "hidden")
    assert hidden is not None
    assert hidden.value == {"text": "green tea, green tea"}


def test_a_put_says_by_which_fields_it_is_found(store: BaseStore) -> None:
    parts = [{"title": "green tea"}, {"title": "harbour"}]
    store.put(("docs",), "inside", {"parts": parts, "text": "a train"}, index=["parts[*].title"])
    store.put(("docs",), "outside", {"parts": [], "text": "green boat tea"}, index=["missing"])
    found = store.search(("docs",), query="green tea")
    assert [one.key for one in found] == ["inside", "outside"]
    assert found[1].score is None


def test_a_changed_value_is_found_by_its_new_words(store: BaseStore) -> None:
    store.put(("docs",), "one", {"text": "green tea"})
    store.put(("docs",), "two", {"text": "a boat in the harbour"})
    store.put(("docs",), "one", {"text": "a train at nine"})
    store.put(("docs",), "two", {"text": "green tea"})
    assert store.search(("docs",), query="green tea")[0].key == "two"


# Namespaces.


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, sorted(TREE)),
        ({"prefix": ("a", "b")}, TREE[:4]),
        ({"suffix": ("f",)}, TREE[3:6]),
        ({"prefix": ("a",), "suffix": ("f",)}, TREE[3:5]),
        ({"prefix": ("a", "b"), "max_depth": 3}, [("a", "b", "c"), ("a", "b", "d"), ("a", "b", "f")]),
        ({"max_depth": 1}, [("a",), ("admin",), ("b",), ("users",)]),
        ({"prefix": ("a", "b"), "limit": 2}, TREE[:2]),
        ({"prefix": ("a", "b"), "offset": 2}, TREE[2:4]),
        ({"prefix": ("a", "*", "f")}, TREE[3:5]),
        ({"prefix": ("*", "users")}, [("admin", "users", "789")]),
        ({"suffix": ("*", "f")}, TREE[3:6]),
        ({"suffix": ("a", "*")}, [("b", "a", "f")]),
        ({"prefix": ("users", "123")}, [("users", "123")]),
        ({"prefix": ("nowhere",)}, []),
        ({"prefix": ("a", "b", "c", "d", "e", "f")}, []),
    ],
)
def test_namespaces_are_listed(store: BaseStore, asked: dict[str, Any], expected: list[tuple[str, ...]]) -> None:
    for n, namespace in enumerate(TREE):
        store.put(namespace, f"k{n}", {"n": n})
    assert store.list_namespaces(**asked) == expected


def test_no_entries_no_namespaces(store: BaseStore) -> None:
    assert store.list_namespaces() == []
    assert store.search(()) == []


def test_conditions_of_a_batch(store: BaseStore) -> None:
    for namespace in TREE:
        store.put(namespace, "k", {})
    asked = ListNamespacesOp(match_conditions=(MatchCondition("prefix", ("a",)), MatchCondition("suffix", ("c",))))
    assert store.batch([asked]) == [[("a", "b", "c")]]


# What is Emberkeep's own.


def test_what_is_missing_or_of_another_sort_is_neither_more_nor_less(opened: Opened) -> None:
    store = EmberkeepStore(opened())
    more: dict[str, dict[str, Any]] = {**DOCS, "odd": {"stars": "many"}, "none": {"stars": None}}
    for key, value in more.items():
        store.put(("docs",), key, value)
    assert keys(store.search(("docs",), filter={"by": {"age": {"$gt": 30}}})) == {"train"}
    assert keys(store.search(("docs",), filter={"stars": {"$lt": 100}})) == set(DOCS)
    assert keys(store.search(("docs",), filter={"stars": {"$gt": "lots"}})) == {"odd"}


def test_when_it_was_first_put_is_kept(opened: Opened, clock: FixedClock) -> None:
    store = EmberkeepStore(opened(), clock=clock)
    store.put(("a",), "k", {"text": "the same words"})
    began = clock.now()
    clock.move(hours=1)
    store.put(("a",), "k", {"text": "the same words"})
    found = store.get(("a",), "k")
    assert found is not None
    assert (found.created_at, found.updated_at) == (began, began + timedelta(hours=1))


def test_entries_are_memories_of_their_user(opened: Opened) -> None:
    memory = opened()
    store = EmberkeepStore(memory, user_at=1)
    for user in ("alex", "sam"):
        store.put(("memories", user), "seat", {"text": f"{user} prefers a window seat"})
    store.put(("notes",), "shared", {"text": "window seats are by the window"})
    assert [hit.text for hit in memory.search("window seat", user_id="alex")] == ["text: alex prefers a window seat"]
    assert [one.namespace[1] for one in store.search(("memories", "sam"), query="window seat")] == ["sam"]
    assert len(store.search(("memories",), query="window seat")) == 2
    assert store.list_namespaces() == [("memories", "alex"), ("memories", "sam"), ("notes",)]
    memory.delete_all(user_id="alex")
    assert store.get(("memories", "alex"), "seat") is None
    assert store.get(("memories", "sam"), "seat") is not None
    assert store.get(("notes",), "shared") is not None


def test_a_key_of_one_user_reaches_no_other(over_http: Opened, server: Any) -> None:
    admin = over_http(embedder=WordEmbedder(), keyed=True)
    EmberkeepStore(admin, user_at=1).put(("memories", "sam"), "seat", {"text": "an aisle seat"})
    secret = admin.keys.create("Alex's agent", role="write", user_id="alex").secret
    with emberkeep.open(server.url, api_key=secret) as memory:
        store = EmberkeepStore(memory, user_at=1)
        store.put(("memories", "alex"), "seat", {"text": "a window seat"})
        assert keys(store.search(("memories", "alex"), query="seat")) == {"seat"}
        with pytest.raises(AccessDenied):
            store.get(("memories", "sam"), "seat")
        with pytest.raises(AccessDenied):
            store.search(("memories",), query="seat")


def test_fields_of_the_store(opened: Opened) -> None:
    store = EmberkeepStore(opened(), fields=["title"])
    store.put(("docs",), "one", {"title": "harbour", "body": "green tea"})
    store.put(("docs",), "two", {"title": "green tea", "body": "harbour"})
    assert store.search(("docs",), query="green tea")[0].key == "two"


def test_a_batch_that_cannot_be_kept_leaves_nothing(opened: Opened) -> None:
    store = EmberkeepStore(opened())
    good = PutOp(("a",), "good", {"n": 1})
    refused: list[tuple[dict[str, Any], str]] = [
        ({"n": object()}, "must hold JSON values only"),
        ({"n": float("nan")}, "must hold JSON values only"),
        ({"n": "x" * 70_000}, "divide it"),
        ({"n": "a\x00b"}, "NUL"),
        ({"n": "\ud800"}, "surrogate"),
        (["n"], "pass a dict"),  # type: ignore[list-item]
    ]
    for bad, reason in refused:
        with pytest.raises(InvalidInput, match=reason):
            store.batch([good, PutOp(("a",), "bad", bad)])
    with pytest.raises(InvalidNamespaceError, match="63"):
        store.batch([good, PutOp(("a",) * 64, "bad", {})])
    with pytest.raises(NotImplementedError, match="ttl"):
        store.batch([good, PutOp(("a",), "bad", {}, ttl=1)])
    for label, reason in (("*", "means everyone"), ("x" * 300, "the limit is 256")):
        with pytest.raises(InvalidInput, match=reason):
            EmberkeepStore(opened(), user_at=1).batch([good, PutOp(("a", label), "bad", {})])
    assert store.search(()) == []


def test_names_of_any_length(opened: Opened) -> None:
    store = EmberkeepStore(opened())
    namespace = ("n" * 300, "m" * 300)
    store.put(namespace, "k" * 5_000, {"text": "far below"})
    assert store.get(namespace, "k" * 5_000) is not None
    assert store.list_namespaces(prefix=namespace[:1]) == [namespace]
    assert len(store.search(namespace, query="far below")) == 1


def test_secrets_are_cut_out_and_nothing_else(opened: Opened) -> None:
    store = EmberkeepStore(opened(redact=True))
    for n in range(50):
        store.put(("users", f"{n}"), f"key {n}", {"text": "window seat", "password": "hunter2-4711"})
    assert all(store.get(("users", f"{n}"), f"key {n}") is not None for n in range(50))
    found = store.get(("users", "7"), "key 7")
    assert found is not None
    assert found.value == {"text": "window seat", "password": "[redacted: password]"}


def test_threads_that_put_one_key_make_one_entry(opened: Opened) -> None:
    memory = opened()
    store = EmberkeepStore(memory)
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda n: store.put(("a",), "k", {"n": n, "text": f"word{n}"}), range(16)))
    assert len(store.search(("a",))) == 1
    assert len(memory.get_all()) == 1


@pytest.mark.parametrize("place", ["file", "postgres"])
def test_two_programs_that_first_put_one_key_at_once_make_one_entry(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    where = request.getfixturevalue("postgres_url" if place == "postgres" else "tmp_path")
    target = where if place == "postgres" else str(where / "agent.db")
    with (
        emberkeep.open(target, embedder=WordEmbedder()) as ours,
        emberkeep.open(target, embedder=WordEmbedder()) as theirs,
    ):
        remember = ours.remember

        def late(*args: Any, **options: Any) -> Any:
            EmberkeepStore(theirs).put(("a",), "k", {"text": "their green tea"})
            return remember(*args, **options)

        monkeypatch.setattr(ours, "remember", late)
        EmberkeepStore(ours).put(("a",), "k", {"text": "our boat in the harbour"})
        for memory in (ours, theirs):
            (found,) = EmberkeepStore(memory).search(("a",))
            assert found.value == {"text": "our boat in the harbour"}
            assert len(memory.get_all()) == 1


def test_what_another_deletes_while_it_is_put_again_is_put(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = opened()
    store = EmberkeepStore(memory)
    store.put(("a",), "k", {"text": "green tea"})
    update = memory.update

    def late(*args: Any, **options: Any) -> Any:
        monkeypatch.undo()
        EmberkeepStore(memory).delete(("a",), "k")
        return update(*args, **options)

    monkeypatch.setattr(memory, "update", late)
    store.put(("a",), "k", {"text": "black tea"})
    found = store.get(("a",), "k")
    assert found is not None
    assert found.value == {"text": "black tea"}


def test_memories_with_the_same_tag_are_no_entries(opened: Opened) -> None:
    memory = opened()
    store = EmberkeepStore(memory)
    store.put(("a",), "k", {"text": "a graph has nodes"})
    memory.remember("LangGraph has nodes", kind="knowledge", tags=["langgraph"], metadata={"indexed": True})
    assert [one.key for one in store.search((), query="nodes")] == ["k"]
    assert store.list_namespaces() == [("a",)]


def test_entries_outlive_upkeep_and_a_rebuild(opened: Opened, clock: FixedClock) -> None:
    memory = opened()
    store = EmberkeepStore(memory, clock=clock)
    store.put(("a",), "k", {"text": "green tea"})
    clock.move(days=2_000)
    memory.upkeep()
    memory.rebuild()
    assert store.search(("a",), query="green tea")[0].key == "k"


def test_what_is_not_a_memory_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"emberkeep\.open"):
        EmberkeepStore("agent.db")  # type: ignore[arg-type]


def test_user_at_counts_from_the_front(opened: Opened) -> None:
    with pytest.raises(InvalidInput, match="from 0"):
        EmberkeepStore(opened(), user_at=-1)


def test_what_is_exported_is_a_store_again(opened: Opened, tmp_path: Path) -> None:
    memory = opened()
    store = EmberkeepStore(memory, user_at=1)
    for namespace, key in ((("docs", "alex"), "one"), (("docs", "alex"), "two"), (("docs", "sam"), "one")):
        store.put(namespace, key, {"text": "the same words", "at": [*namespace, key]})
    write_export(memory, tmp_path / "all.jsonl")
    with emberkeep.open(":memory:", embedder=WordEmbedder()) as other:
        import_from(other, tmp_path / "all.jsonl", "emberkeep")
        found = EmberkeepStore(other, user_at=1).search(("docs",))
    assert {(*one.namespace, one.key): one.value["at"] for one in found} == {
        ("docs", "alex", "one"): ["docs", "alex", "one"],
        ("docs", "alex", "two"): ["docs", "alex", "two"],
        ("docs", "sam", "one"): ["docs", "sam", "one"],
    }


# A graph.


class State(TypedDict):
    user: str
    said: str
    answer: str


def remember(state: State, *, store: BaseStore) -> dict[str, str]:
    store.put(("memories", state["user"]), state["said"], {"text": state["said"]})
    return {}


async def answer(state: State, *, store: BaseStore) -> dict[str, str]:
    found = await store.asearch(("memories", state["user"]), query=state["said"], limit=2)
    model = FakeListChatModel(responses=[" | ".join(one.value["text"] for one in found)])
    return {"answer": str((await model.ainvoke(state["said"])).content)}


@pytest.mark.slow
def test_a_graph_remembers_from_run_to_run(opened: Opened) -> None:
    memory = opened()
    builder = StateGraph(State)
    builder.add_node("answer", answer)
    builder.add_node("remember", remember)
    builder.add_edge(START, "answer")
    builder.add_edge("answer", "remember")
    builder.add_edge("remember", END)
    graph = builder.compile(store=EmberkeepStore(memory, user_at=1))

    def say(user: str, said: str) -> str:
        state: Any = {"user": user, "said": said, "answer": ""}
        return str(asyncio.run(graph.ainvoke(state))["answer"])

    assert say("alex", "I drink green tea") == ""
    assert say("sam", "What do I drink?") == ""
    assert say("alex", "What do I drink?") == "I drink green tea"
