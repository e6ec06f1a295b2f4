"""What is to be found though it is no friendly chat: numbers that stand for things, other scripts, filters, days."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any

import pytest

import emberkeep
from emberkeep.providers.local_embedder import LocalEmbedder

Open = Callable[..., emberkeep.Memory]
Options = dict[str, Any]


@pytest.fixture
def memory(opened: Open, embedder: LocalEmbedder) -> emberkeep.Memory:
    return opened(embedder=embedder, learner="none")


def first(memory: emberkeep.Memory, question: str, **options: Any) -> str:
    found = memory.search(question, limit=3, **options)
    return found[0].text if found else ""


def test_a_filter_leaves_what_it_asks_for_however_much_else_there_is(opened: Open) -> None:
    memory = opened(learner="none")
    memory.add([f"Deploy of web-{number} to production finished" for number in range(150)], tags=["web"])
    late = "A tedious deploy of the billing database went to production late in the evening"
    memory.add(late, session_id="b", tags=["billing"], metadata={"of": "billing"})
    filters: list[Options] = [{"tags": ["billing"]}, {"filters": {"of": "billing"}}]
    ways: list[Options] = [{}, {"kinds": ["episode"]}, {"group": "session"}, {"kinds": ["episode", "fact"]}]
    for only, way in product(filters, [*ways, {"plan": "fast"}]):
        assert len(memory.search("deploy to production finished", **only, **way)) == 1, (only, way)


def test_statements_speak_only_for_messages_that_are_looked_for(opened: Open, embedder: LocalEmbedder) -> None:
    memory = opened(embedder=embedder, learner="rules")
    memory.add("I live in Lisbon and I love fado.", session_id="a", tags=["home"])
    memory.add("I work at Acme.", session_id="b", tags=["work"])
    hits = memory.search("Where does the user live?", tags=["home"], kinds=["episode"])
    assert [(hit.kind, hit.item.session_id) for hit in hits] == [("episode", "a")]
    assert "facts" in {one.channel for one in hits[0].why.evidence}


@pytest.mark.parametrize("sentences", [2, 15])
def test_the_last_line_of_a_long_text_is_found_by_its_words(memory: emberkeep.Memory, sentences: int) -> None:
    pad = "The committee discussed the agenda for the coming quarter and several members asked for more time. "
    memory.add(pad * sentences + "Error SQLSTATE 40P01 came from the orders service.", session_id="long")
    for number in range(12):
        memory.add(f"SQLSTATE means the state of SQL ({number})", session_id=f"s{number}")
    assert first(memory, "SQLSTATE 40P01").startswith("The committee")


def test_a_number_that_stands_for_one_thing_finds_that(memory: emberkeep.Memory) -> None:
    versions = [f"{a}.{b}.{c}" for a in (1, 2) for b in range(3) for c in range(3)]
    for number, version in enumerate(versions):
        memory.add(f"Release {version} went out to customers", session_id=f"s{number // 6}")
    for version in versions:
        assert first(memory, f"when did release {version} go out?") == f"Release {version} went out to customers"


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("The spare part is TBL-220-BLK-L", "tbl 220 blk l or TBL-220-BLK-L?"),
        ("Anna can be reached at +49 170 555 1234", "0170 5551234"),
        ("The invoice was paid: $4,217.50", "$4217.50"),
        ("Fixed in commit a3f9c1d4e5b60718293a4b5c6d7e8f9012345678", "what did a3f9c1d4 fix?"),
        ("HTTPConnectionPool: Max retries exceeded", "connection pool"),
        ("Ich wohne in München", "Muenchen"),
        ("저는 서울에서 살아요", "서울"),
        ("猫を二匹飼っています", "猫"),
        ("Я живу в Москве", "Москва"),
        ("मेरी बेटी वकील है", "बेटी"),
        ("رقم الطلب ٤٥٨٩١", "45891"),
        ("Kestrel™ must be stored below 8 degrees", "kestrel"),
    ],
)
@pytest.mark.parametrize("plan", ["fast", "balanced"])
def test_what_is_written_otherwise_is_found(memory: emberkeep.Memory, said: str, asked: str, plan: str) -> None:
    for number, other in enumerate(
        [
            "The spare part is TBL-330-RED-S",
            "+49 170 444 9999",
            "$3,000.10",
            "मेरा बेटा डॉक्टर है",
            "犬がいます",
            said,
            "ok",
        ]
    ):
        memory.add(other, session_id=f"s{number}")
    assert first(memory, asked, plan=plan) == said


@pytest.mark.parametrize("plan", ["fast", "balanced"])
def test_a_day_that_is_asked_about_brings_what_was_said_then(opened: Open, plan: str) -> None:
    memory = opened(learner="none")
    start = datetime(2025, 5, 1, 3, tzinfo=UTC)
    said = [f"Nightly backup of host h{day:03} failed: disk full" for day in range(250)]
    memory.add(
        [{"role": "user", "content": one, "timestamp": start + timedelta(days=day)} for day, one in enumerate(said)]
    )
    for day in (3, 120, 249):
        asked = f"which backup failed on {start + timedelta(days=day):%d %B %Y}?"
        hits = memory.search(asked, asked_at=start + timedelta(days=250), limit=5, plan=plan)
        assert said[day] in {hit.text for hit in hits}


def test_who_wants_fewer_gets_the_first(opened: Open, embedder: LocalEmbedder) -> None:
    memory = opened(embedder=embedder, learner="rules")
    for number, food in enumerate(
        ("pasta", "tofu", "nuts", "milk", "eggs", "fish", "soy", "rice", "corn", "beans", "tea")
    ):
        said = [
            {"role": "user", "name": "Anna", "content": f"I am allergic to {food}"},
            {"role": "user", "content": "Oh"},
        ]
        memory.add(said, session_id=f"s{number}")
    ten = [hit.id for hit in memory.search("what food is Boris allergic to", limit=10)]
    assert [hit.id for hit in memory.search("what food is Boris allergic to", limit=5)] == ten[:5]
    ten_sessions = [one.session_id for one in memory.search("allergic", limit=10, group="session")]
    assert [one.session_id for one in memory.search("allergic", limit=2, group="session")] == ten_sessions[:2]


def test_no_cosine_is_above_one(opened: Open, embedder: LocalEmbedder) -> None:
    memory = opened(embedder=embedder)
    for text in ("quagga execution of bob", "deploy the web shop", "alpha", "I moved to Lisbon"):
        memory.remember(text, user_id=text)
        similarity = memory.search(text, user_id=text)[0].similarity
        assert similarity is not None
        assert similarity <= 1.0


def test_who_wants_more_gets_the_same_first(opened: Open, embedder: LocalEmbedder) -> None:
    memory = opened(embedder=embedder, learner="rules")
    places = ("Lisbon", "Porto", "Rome", "Oslo", "Berlin", "Paris", "Vienna")
    for number in range(60):
        name, place = ("Anna", "Ben", "Carla", "Dan", "Eva")[number % 5], places[number % 7]
        said = (f"My friend {name} lives in {place}.", f"My colleague {name} works in {place} and likes tea.")
        memory.add(said[number % 2], session_id=f"s{number // 6}")
    for asked in ("Who lives in Rome?", "Where does Anna live?", "Who works in Vienna?"):
        ten = [hit.id for hit in memory.search(asked, limit=10)]
        for limit in (11, 20, 50):
            assert [hit.id for hit in memory.search(asked, limit=limit)][:10] == ten, (asked, limit)


@pytest.mark.parametrize(
    ("asked", "state"),
    [
        ("latest status of ticket 551", "closed"),
        ("current status of ticket 551", "closed"),
        ("what is the status of ticket 551 now?", "closed"),
        ("earliest status of ticket 551", "open"),
    ],
)
def test_the_latest_and_the_earliest_of_equals(memory: emberkeep.Memory, asked: str, state: str) -> None:
    for day, told in ((16, "open"), (18, "in review"), (22, "closed")):
        memory.add(f"Ticket 551 status: {told}", session_id=told, occurred_at=f"2026-01-{day}T10:00:00Z")
    memory.add("We had tea", session_id="later", occurred_at="2026-02-01T10:00:00Z")
    assert first(memory, asked) == f"Ticket 551 status: {state}"


DONE = ("Went swimming at the lake.", "Repaired the kitchen shelf.", "Cooked lentil soup.", "Rode the bike to work.")


@pytest.fixture
def diary(memory: emberkeep.Memory) -> emberkeep.Memory:
    """Two months of days, with the same few things done on each."""
    day = datetime(2026, 4, 1, 20, tzinfo=UTC)
    for number in range(60):
        said = [DONE[number % 4], "Sounds like a full day.", DONE[(number + 1) % 4], "Nice!"]
        turns = [{"role": ("user", "assistant")[place % 2], "content": text} for place, text in enumerate(said)]
        memory.add(turns, user_id="u", session_id=f"d{number}", occurred_at=day + timedelta(days=number))
    return memory


@pytest.mark.parametrize(
    ("question", "first_day", "last_day"),
    [
        ("What did I do last weekend?", "2026-05-23", "2026-05-24"),
        ("What did we talk about yesterday?", "2026-05-28", "2026-05-28"),
        ("What did we talk about on May 16?", "2026-05-16", "2026-05-16"),
        ("What did I do the day before yesterday?", "2026-05-27", "2026-05-27"),
        ("What did I do on Easter Sunday?", "2026-04-05", "2026-04-05"),
        ("What did I tell you last Tuesday?", "2026-05-26", "2026-05-26"),
    ],
)
def test_who_asks_for_nothing_but_a_time_gets_that_time_first(
    diary: emberkeep.Memory, question: str, first_day: str, last_day: str
) -> None:
    hits = diary.search(question, user_id="u", asked_at="2026-05-29T12:00:00Z")
    found = [hit.item.occurred_at.date().isoformat() for hit in hits]
    wanted = sum(first_day <= day <= last_day for day in found)
    assert wanted >= 4
    assert all(first_day <= day <= last_day for day in found[:wanted])


def test_each_time_counts_where_it_is_asked_how_often(memory: emberkeep.Memory) -> None:
    day = datetime(2026, 3, 1, 9, tzinfo=UTC)
    for number in range(60):
        text = (
            "Took an ibuprofen for my headache." if number % 10 == 1 else f"Nothing to report today, number {number}."
        )
        memory.add(text, user_id="u", session_id=f"s{number}", occurred_at=day + timedelta(days=number))
    for question in ("How often did I take ibuprofen?", "When did I take ibuprofen?"):
        hits = memory.search(question, user_id="u", limit=6)
        assert {hit.text for hit in hits} == {"Took an ibuprofen for my headache."}, question
        assert not any("echo" in hit.why.losses for hit in hits)
    assert any("echo" in hit.why.losses for hit in memory.search("ibuprofen", user_id="u", limit=6))
    last, earliest = (
        memory.search(f"When did I {which} take ibuprofen?", user_id="u")[0].item.occurred_at.date().isoformat()
        for which in ("last", "first")
    )
    assert (earliest, last) == ("2026-03-02", "2026-04-21")


def test_the_last_of_many_stands_out_from_the_last_but_one(memory: emberkeep.Memory) -> None:
    day = datetime(2026, 3, 1, 9, tzinfo=UTC)
    for number in range(24):
        when = day + timedelta(days=number)
        memory.add(f"My weight is {90 - number / 2} kg", user_id="u", session_id=f"s{number}", occurred_at=when)
    hits = memory.search("What is my weight now?", user_id="u", limit=24)
    worth = {hit.text: sum(e.worth for e in hit.why.evidence if e.channel == "time") for hit in hits}
    assert hits[0].text == "My weight is 78.5 kg"
    assert worth["My weight is 78.5 kg"] - worth["My weight is 79.0 kg"] > 0.5


def test_after_something_is_after_the_day_that_was_told_for_it(memory: emberkeep.Memory) -> None:
    told = {
        "2026-01-10": "Our wedding is on 20 June 2026.",
        "2026-02-12": "We bought a sofa.",
        "2026-03-15": "We bought a dishwasher.",
        "2026-07-03": "We bought a tent.",
        "2026-08-09": "We bought a trailer.",
    }
    for day, text in told.items():
        memory.add(text, user_id="u", session_id=day, occurred_at=f"{day}T10:00:00Z")
    hits = memory.search("What did we buy after the wedding?", user_id="u", asked_at="2026-09-01T10:00:00Z")
    bought = [hit.text for hit in hits if "bought" in hit.text]
    assert set(bought[:2]) == {"We bought a tent.", "We bought a trailer."}


@pytest.mark.parametrize("name", ["stale_loss", "statement_loss", "echo_loss", "warm"])
@pytest.mark.parametrize("value", [float("nan"), -1.0, "much"])
def test_a_plan_takes_no_losses_that_are_none(memory: emberkeep.Memory, name: str, value: Any) -> None:
    with pytest.raises(emberkeep.InvalidInput, match=name):
        memory.search("x", plan=emberkeep.Plan("own", **{name: value}))
