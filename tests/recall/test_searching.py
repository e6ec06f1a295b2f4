"""What a search makes of what is known of each candidate, in a memory."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

import emberkeep
from emberkeep.clock import Deadline
from emberkeep.errors import InvalidInput
from emberkeep.model.recall import PLANS, Channel, Hit, Plan, Sessions
from emberkeep.providers.local_embedder import LocalEmbedder
from emberkeep.recall.fusion import fitted, squeezed
from emberkeep.recall.pipeline import by_session
from emberkeep.testing import FixedClock, WordEmbedder

from .measured import BALANCED, column, signals_in


@pytest.fixture
def memory(target: str, clock: FixedClock) -> Iterator[emberkeep.Memory]:
    """One that keeps what was said and learns nothing."""
    with emberkeep.open(target, embedder=WordEmbedder(), clock=clock, learner="none") as opened:
        yield opened


@pytest.fixture
def learning(target: str, clock: FixedClock) -> Iterator[emberkeep.Memory]:
    with emberkeep.open(target, embedder=WordEmbedder(), clock=clock, learner="rules") as opened:
        yield opened


def texts(hits: Sequence[emberkeep.Hit]) -> list[str]:
    return [hit.text for hit in hits]


SARDINES: list[dict[str, str] | str] = [
    {"role": "user", "content": "Which wine goes with sardines?"},
    {"role": "assistant", "content": "Vinho Verde, quite dry."},
]


def test_the_answer_to_a_matching_question_is_found_though_it_shares_no_word(memory: emberkeep.Memory) -> None:
    memory.add(SARDINES, user_id="alex", session_id="one")
    memory.add("Bread is enough.", user_id="alex", session_id="two")
    memory.add("Olives, rather.", user_id="sam", session_id="one")
    memory.add("Cheese, rather.", user_id="alex", session_id="one", agent_id="voxa")
    for user_id in ("alex", "*"):
        found = texts(memory.search("sardines wine", user_id=user_id, plan="fast"))
        assert set(found) == {"Which wine goes with sardines?", "Vinho Verde, quite dry."}
    alone = Plan("alone", channels=("lexical",))
    assert texts(memory.search("sardines", user_id="alex", plan=alone)) == ["Which wine goes with sardines?"]


def test_the_evidence_says_that_it_is_the_neighbour(memory: emberkeep.Memory) -> None:
    memory.add(SARDINES, session_id="one")
    answer = next(hit for hit in memory.search("sardines wine", plan="fast") if hit.text.startswith("Vinho"))
    assert "window" in {one.channel for one in answer.why.evidence}
    assert answer.why.terms == ()


def test_without_a_session_neighbours_are_what_was_said_within_half_an_hour(
    memory: emberkeep.Memory, clock: FixedClock
) -> None:
    memory.add("Which wine goes with sardines?")
    clock.move(minutes=29)
    memory.add("Vinho Verde.")
    clock.move(minutes=31)
    memory.add("The dog is asleep.")
    assert set(texts(memory.search("sardines", plan="fast"))) == {"Which wine goes with sardines?", "Vinho Verde."}


def test_the_one_who_is_named_comes_first(memory: emberkeep.Memory) -> None:
    said = [
        {"role": "user", "name": "Caroline", "content": "My favourite drink is tea"},
        {"role": "user", "name": "Melanie", "content": "My favourite drink is cocoa"},
    ]
    memory.add(said, session_id="s")
    for named, drink in (("Caroline", "tea"), ("Carolyn", "tea"), ("Mel", "cocoa"), ("Melany", "cocoa")):
        assert memory.search(f"What is the favourite drink of {named}?")[0].text.endswith(drink)


def test_whose_words_are_asked_for_come_first(memory: emberkeep.Memory) -> None:
    memory.add(
        [
            {"role": "user", "content": "The restaurant in Porto is good"},
            {"role": "assistant", "content": "The restaurant in Porto is great"},
        ],
        session_id="s",
    )
    assert memory.search("Which restaurant in Porto did you praise?")[0].text.endswith("great")
    assert memory.search("Which restaurant in Porto did I praise?")[0].text.endswith("good")


def drinks(memory: emberkeep.Memory) -> None:
    for month in range(1, 7):
        for day in (5, 20):
            memory.add(f"Tea number {month}.{day}", occurred_at=f"2026-{month:02}-{day:02}T10:00:00Z")


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("What did I do on 5 May?", "I met Laura at the harbour."),
        ("What did I do on 4 May?", "Today I sold my bike."),
        ("What did I do on 6 May?", "Today I bought a kayak."),
    ],
)
def test_a_day_that_is_told_of_is_not_the_next_one(memory: emberkeep.Memory, asked: str, first: str) -> None:
    for day, said in ((4, "Today I sold my bike."), (5, "I met Laura at the harbour."), (6, "Today I bought a kayak.")):
        memory.add(said, session_id=f"s{day}", occurred_at=f"2025-05-0{day}T12:00:00Z", learn=False)
    assert memory.search(asked, asked_at="2025-05-10T20:00:00Z")[0].text == first


def test_the_time_asked_about_comes_first_and_hides_nothing(memory: emberkeep.Memory) -> None:
    drinks(memory)
    hits = memory.search("Which tea was there in March 2026?", limit=100)
    assert set(texts(hits)) == {f"Tea number {month}.{day}" for month in range(1, 7) for day in (5, 20)}
    assert set(texts(hits[:2])) == {"Tea number 3.5", "Tea number 3.20"}
    during = column("during", signals_in(memory, "Which tea was there in March 2026?"))
    by_nearness = sorted(during, key=lambda text: -during[text])
    assert by_nearness[2:] == [
        "Tea number 4.5",
        "Tea number 2.20",
        "Tea number 4.20",
        "Tea number 2.5",
        "Tea number 5.5",
        "Tea number 1.20",
        "Tea number 5.20",
        "Tea number 1.5",
        "Tea number 6.5",
        "Tea number 6.20",
    ]


def test_without_the_channel_a_time_is_words_only(memory: emberkeep.Memory) -> None:
    drinks(memory)
    plan = Plan("no time", channels=tuple(name for name in BALANCED.channels if name != "time"))
    assert set(column("during", signals_in(memory, "Which tea was there in March 2026?", plan)).values()) == {0}


def test_what_was_said_later_of_that_time_counts_as_much(memory: emberkeep.Memory) -> None:
    memory.add("We were in Rome in March 2026.", occurred_at="2026-05-20T10:00:00Z", session_id="a")
    memory.add("We were in Oslo.", occurred_at="2026-05-20T10:00:00Z", session_id="b")
    during = column("during", signals_in(memory, "In which big city were we in March 2026?"))
    assert during["We were in Rome in March 2026."] == 1.0 > during["We were in Oslo."]


DIARY = {
    "2024-01-08": "I had a job interview at Siemens today.",
    "2024-02-14": "We had dinner at Trattoria Rosa.",
    "2024-03-09": "I repaired the washing machine.",
    "2024-04-20": "I planted tomatoes on the balcony.",
    "2024-05-11": "We watched a football match at the stadium.",
    "2024-06-30": "I sold my old camera.",
}


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("What did I do on 14 February?", "2024-02-14"),
        ("What happened in February?", "2024-02-14"),
        ("What did I do on 9 March?", "2024-03-09"),
        ("What did I do in April?", "2024-04-20"),
        ("What did I do in May?", "2024-05-11"),
        ("What did I do in June 2024?", "2024-06-30"),
        ("What did I do last weekend?", "2024-06-30"),
    ],
)
def test_a_question_that_says_nothing_but_a_time_finds_what_was_then(
    embedder: LocalEmbedder, question: str, day: str
) -> None:
    with emberkeep.open(":memory:", embedder=embedder) as memory:  # the rules learn facts that give dates in words
        for number, (date, text) in enumerate(DIARY.items()):
            memory.add(text, occurred_at=f"{date}T12:00:00Z", session_id=f"s{number}")
        best = memory.search(question, asked_at="2024-07-05T10:00:00Z")[0]
    assert best.item.occurred_at.date().isoformat() == day


def test_a_time_is_meant_as_of_when_it_is_asked(memory: emberkeep.Memory) -> None:
    for year in (2023, 2024, 2025, 2026):
        memory.add(f"A picnic, number {year - 2022}", occurred_at=f"{year}-05-10T10:00:00Z")
    for asked_at, number in (("2026-04-20T00:00:00Z", 3), ("2025-04-20T00:00:00Z", 2), ("2024-04-20T00:00:00Z", 1)):
        first = memory.search("Which picnic was there last May?", asked_at=asked_at)[0]
        assert first.text == f"A picnic, number {number}"
    # As of another time it is that time which counts, and without either the clock's.
    assert memory.search("Which picnic was there last May?", as_of="2025-05-12T00:00:00Z")[0].text.endswith("2")
    assert memory.search("Which picnic was there last May?")[0].text.endswith("4")
    with pytest.raises(InvalidInput, match="asked_at"):
        memory.search("picnic", asked_at="soon")


def test_in_a_memory_that_has_slept_a_time_is_counted_from_the_last_message(
    memory: emberkeep.Memory, clock: FixedClock
) -> None:
    for day, text in (
        ("02-10", "A picnic at the lake"),
        ("04-12", "A picnic in the park"),
        ("05-29", "A picnic indoors"),
    ):
        memory.add(text, occurred_at=f"{clock.now().year - 3}-{day}T10:00:00Z", session_id=day)
    asked = "Which picnic was there last month?"

    def best(**when: Any) -> str | None:
        """The one that the time speaks for."""
        hits = memory.search(asked, **when)
        return next((hit.text for hit in hits if "time" in {one.channel for one in hit.why.evidence}), None)

    assert best() == memory.search(asked)[0].text == "A picnic in the park"
    assert memory.search("Which picnic was there in February?")[0].text == "A picnic at the lake"
    # Who says when they ask means that, and a memory in use is asked today.
    assert best(asked_at=clock.now()) is best(as_of=clock.now()) is None
    memory.add("A picnic on the roof", occurred_at=clock.now() - timedelta(days=85), session_id="e")
    assert best() == "A picnic on the roof"  # of February, which is nearest to this April


def test_a_memory_in_use_has_not_slept_whatever_time_is_asked_about(
    memory: emberkeep.Memory, clock: FixedClock
) -> None:
    next_year = clock.now().year + 1
    memory.add([f"I'm going to Rome in May {next_year}", f"I'm going to Oslo in May {next_year - 1}"], session_id="a")
    clock.move(days=16)
    assert "Rome" in memory.search("Where am I going next year?")[0].text


def test_what_was_told_directly_keeps_a_memory_awake(memory: emberkeep.Memory, clock: FixedClock) -> None:
    memory.add("I went to the zoo", occurred_at=clock.now() - timedelta(days=30), session_id="a")
    clock.move(days=440)
    memory.remember("I went to the dentist", occurred_at=clock.now() - timedelta(days=30))
    hits = memory.search("Where did I go last month?")
    assert hits[0].text == "I went to the dentist"


def test_a_context_of_a_memory_that_slept_is_the_same_again(memory: emberkeep.Memory, clock: FixedClock) -> None:
    for days, text in ((1, "I went to the cinema"), (200, "I went to the lake")):
        memory.add(text, occurred_at=clock.now() - timedelta(days=days), session_id=text)
    memory.add("Good night!", session_id="last")
    clock.move(days=440)
    context = memory.context("Where did I go yesterday?", max_tokens=60)
    assert "cinema" in context.text
    assert context.id is not None
    assert memory.replay_context(context.id).text == context.text


def test_days_are_those_of_where_it_is_asked(memory: emberkeep.Memory) -> None:
    # In Auckland, on the morning of 10 March, when it is the 9th in UTC.
    memory.add("I visited the zoo", occurred_at="2024-03-08T15:00:00+13:00", session_id="a")
    memory.add("I visited the harbour", occurred_at="2024-03-09T15:00:00+13:00", session_id="b")
    asked = "Which place did I visit yesterday?"
    assert memory.search(asked, asked_at="2024-03-10T08:00:00+13:00")[0].text == "I visited the harbour"
    assert memory.search(asked, asked_at="2024-03-09T08:00:00+13:00")[0].text == "I visited the zoo"


def test_an_event_is_looked_up(memory: emberkeep.Memory) -> None:
    for text, day in (
        ("I painted the kitchen", "2026-03-01"),
        ("I moved to Porto", "2026-03-10"),
        ("I painted the garage", "2026-04-20"),
    ):
        memory.add(text, occurred_at=f"{day}T10:00:00Z", session_id=day)
    # It counts less than a date, because when somebody spoke of an event need not be when it was.
    before = column("during", signals_in(memory, "What did I paint before I moved to Porto?"))
    assert before["I painted the kitchen"] == 0.5 > before["I painted the garage"]
    after = column("during", signals_in(memory, "What did I paint after I moved to Porto?"))
    assert after["I painted the garage"] == 0.5 > after["I painted the kitchen"]
    for side, first, second in (("before", "kitchen", "garage"), ("after", "garage", "kitchen")):
        found = texts(memory.search(f"What did I paint {side} I moved to Porto?"))
        assert found.index(f"I painted the {first}") < found.index(f"I painted the {second}")


@pytest.mark.parametrize("question", ["What did I paint {} we had the storm?", "What did I paint {} 10 March 2026?"])
def test_what_is_on_the_other_side_is_hardly_meant_what_is_at_the_edge_is(
    memory: emberkeep.Memory, question: str
) -> None:
    for day, text in (
        (6, "I painted the kitchen"),
        (10, "We had the storm, and I painted"),
        (14, "I painted the fence"),
    ):
        memory.add(text, occurred_at=f"2026-03-{day:02}T10:00:00Z", session_id=text)
    for side, near, far in (("before", "kitchen", "fence"), ("after", "fence", "kitchen")):
        found = column("during", signals_in(memory, question.format(side)))
        whole = 0.5 if "storm" in question else 1.0  # an event counts less than a date
        assert found[f"I painted the {near}"] == whole
        assert found[f"I painted the {far}"] < 0.1 * whole
        assert found["We had the storm, and I painted"] > (0.99 * whole if "storm" in question else 0.3)


@pytest.mark.parametrize("question", ["What happened before {}?", "What did I do before {}?"])
def test_a_question_for_nothing_but_a_time_means_an_event_as_much_as_a_date(
    memory: emberkeep.Memory, question: str
) -> None:
    memory.add("I painted the kitchen", occurred_at="2026-03-01T10:00:00Z", session_id="a")
    memory.add("We had the storm", occurred_at="2026-03-10T10:00:00Z", session_id="b")
    found = column("during", signals_in(memory, question.format("the storm")))
    assert found["I painted the kitchen"] == 1.0


@pytest.mark.parametrize("plan", ["fast", "balanced"])
def test_who_is_asked_about_is_no_topic_beside_an_event(memory: emberkeep.Memory, plan: str) -> None:
    said = ("I painted the kitchen", "2026-03-01"), ("We had the storm", "2026-03-10")
    for text, day in said:
        memory.add({"role": "user", "name": "Ana", "content": text}, occurred_at=f"{day}T10:00:00Z", session_id=day)
    found = column("during", signals_in(memory, "What did Ana do before the storm?", PLANS[plan]))
    assert found["I painted the kitchen"] == 1.0


# Weights of short texts and of long ones.


@pytest.mark.parametrize(("words", "end"), [(5, 0), (60, 1)])
def test_what_a_signal_counts_depends_on_how_long_the_texts_usually_are(words: int, end: int) -> None:
    with emberkeep.open(":memory:", embedder=WordEmbedder()) as memory:
        memory.add([f"{number} " + "garden " * words for number in range(40)])

        def weight() -> float:
            """What the channel "dense" counted for the best hit, for each unit of its cosine."""
            best = memory.search("garden", limit=1)[0]
            dense = next(one for one in best.why.evidence if one.channel == "dense")
            return dense.worth / dense.score

        expected = pytest.approx(fitted("vectors")["dense"][end], rel=0.01)
        assert weight() == expected
        memory.add("entry " * 2_000)  # one text among many is not what is usual
        memory.delete(memory.add("log " * 2_000).items[0].id)
        assert weight() == expected


def test_an_event_that_nobody_told_of_changes_nothing(memory: emberkeep.Memory) -> None:
    assert list(memory.search("What did I paint before I moved?")) == []
    memory.add("Green tea")
    assert texts(memory.search("What did I drink before I moved?")) == ["Green tea"]


# What was learned.

LISBON = "I live in Lisbon. My sister plays the cello in a string quartet, and we all go to hear it."


def test_facts_vote_for_the_message_they_came_from_whatever_kinds_are_wanted(learning: emberkeep.Memory) -> None:
    added = learning.add(LISBON, session_id="s")
    assert added.learned
    for kinds in (None, ["episode"]):
        found = signals_in(learning, "Where in Lisbon?", kinds=kinds)
        assert found[LISBON]["fact"] > 0
    # Only what was learned has the word "user"; what it came from is found by that.
    assert texts(learning.search("user", kinds=["episode"], plan="fast")) == [LISBON]
    evidence = learning.search("user lives", kinds=["episode"], plan="fast")[0].why.evidence
    assert "facts" in {one.channel for one in evidence}


def test_only_the_kinds_that_are_wanted_are_found(learning: emberkeep.Memory) -> None:
    learning.add([LISBON, "I work at Acme."], session_id="s")
    assert {hit.kind for hit in learning.search("Lisbon Acme user", kinds=["episode"])} == {"episode"}
    assert {hit.kind for hit in learning.search("Lisbon Acme user", kinds=["fact"])} == {"fact"}


def test_a_statement_and_its_message_are_never_both_there(learning: emberkeep.Memory) -> None:
    learning.add([LISBON, "I work at Acme.", "I like green tea.", "My dog is called Rex."], session_id="s")
    for text in ("Where do I live?", "tea", "Which dog?", "user", "Who plays the cello?"):
        hits = learning.search(text, limit=50)
        said = {source.message_id for hit in hits if hit.kind == "episode" for source in hit.sources}
        stated = {source.message_id for hit in hits if hit.kind != "episode" for source in hit.sources}
        assert said | stated
        assert not said & stated


@pytest.mark.parametrize("limit", [1, 10, 50])
@pytest.mark.parametrize("name", [None, "Alex"])
def test_who_quotes_a_message_finds_that_and_nothing_that_was_learned_from_it(
    learning: emberkeep.Memory, name: str | None, limit: int
) -> None:
    said = ["I work at Acme.", "I moved to Lisbon in May.", "I live in a red house and I like green tea."]
    added = learning.add([{"role": "user", "content": text, "name": name} for text in said], session_id="s")
    assert len(added.learned) == 4
    for position, text in enumerate(said):
        for asked in (text, text.lower().rstrip(".")):
            hits = learning.search(asked, limit=limit)
            assert [hit.text for hit in hits if hit.sources[0].position == position] == [text]
            assert hits[0].text == text
    assert learning.search("Where do I work?", limit=limit)[0].kind == "fact"


def test_a_changed_message_leaves_its_facts_where_they_are(learning: emberkeep.Memory) -> None:
    added = learning.add([LISBON, "I work at Acme."], session_id="s")
    (fact,) = [one for one in added.learned if "Acme" in one.text]
    said = next(one for one in added.items if one.text == "I work at Acme.")
    before = signals_in(learning, "Acme")[fact.text]
    learning.update(said.id, "I work at Acme now.")
    after = signals_in(learning, "Acme")[fact.text]
    assert (before["opens"], before["closes"]) == (0, 1)
    assert after["closes"] == 1
    assert after["fact"] == pytest.approx(before["fact"])


# Sessions.


def test_sessions_come_best_first_each_with_what_was_found_in_it(memory: emberkeep.Memory) -> None:
    memory.add(SARDINES, session_id="wine")
    memory.add(["Green tea", "Black tea", "White tea"], session_id="tea")
    memory.add("Tea with lemon")
    found = memory.search("Which tea?", group="session")
    assert isinstance(found, Sessions)
    assert found[0].session_id == "tea"
    assert {one.session_id for one in found} >= {"tea", None}
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    for one in found:
        assert one.hits
        assert {hit.item.session_id for hit in one.hits} == {one.session_id}
        assert [hit.score for hit in one.hits] == sorted((hit.score for hit in one.hits), reverse=True)
        assert one.hits[0].score <= one.score <= 1.0
    assert found.degraded == ()
    assert set(texts(found[0].hits)) == {"Green tea", "Black tea", "White tea"}


def test_one_good_hit_makes_a_session_better_than_a_few_middling_ones(memory: emberkeep.Memory) -> None:
    memory.add("Green tea")
    (hit,) = memory.search("tea")

    def found(session: str, *sums: float) -> list[Hit]:
        item = replace(hit.item, session_id=session)
        return [replace(hit, item=item, score=squeezed(one, 0.0)) for one in sums]

    sessions = by_session([*found("one", 3.0), *found("few", 2.0, 2.0, 2.0), *found("many", *[2.5] * 9)], 3)
    assert [one.session_id for one in sessions] == ["many", "one", "few"]


def test_sessions_are_limited_and_may_be_none(memory: emberkeep.Memory) -> None:
    assert list(memory.search("tea", group="session")) == []
    for number in range(5):
        memory.add([f"tea {number} {part}" for part in range(3)], session_id=f"session {number}")
    assert len(memory.search("tea", group="session", limit=2)) == 2
    assert len(memory.search("tea", group="session")) == 5
    hits = memory.search("tea", limit=10)
    assert len(hits) == 10


def test_other_groups_are_refused(memory: emberkeep.Memory) -> None:
    for group in ("user", "", 1, True):
        with pytest.raises(InvalidInput, match=r'group is .*: pass "session"'):
            memory.search("tea", group=group)  # type: ignore[call-overload]  # what is not allowed


# What is left out.


def test_when_the_deadline_has_passed_words_answer_and_it_is_said(memory: emberkeep.Memory) -> None:
    memory.add(["I painted the kitchen", "I moved to Porto"], session_id="s")
    hits = memory.search("What did I paint before I moved to Porto?", deadline_ms=1e-9)
    assert hits.degraded == (
        "dense: left out, the deadline had passed",
        "time: left out, the deadline had passed before 'I moved to Porto' was looked for",
    )
    assert len(hits) == 2
    assert all(hit.similarity is None for hit in hits)
    assert memory.search("paint", deadline_ms=1e-9, group="session").degraded == hits.degraded[:1]
    assert memory.search("paint", deadline_ms=60_000).degraded == ()


def test_without_a_vector_the_words_count_as_they_were_fitted_for_that(target: str) -> None:
    embedder = WordEmbedder()
    with emberkeep.open(target, embedder=embedder, learner="none") as memory:
        memory.add(["green tea", "a long walk"], session_id="s")
        with_it = memory.search("a tea of green leaves")
        embedder.down = True
        without = memory.search("a tea of green leaves")
    assert with_it.degraded == ()
    assert without.degraded == ("dense: left out, words is down",)
    for hits, table in ((with_it, fitted("vectors")), (without, fitted("words"))):
        evidence = {one.channel: one for one in hits[0].why.evidence}
        assert evidence["window"].worth == pytest.approx(table["window"][0] * evidence["window"].score, abs=1e-5)
        assert ("dense" in evidence) == (table is fitted("vectors"))


def test_the_deadline_reaches_the_embedder() -> None:
    class Patient(WordEmbedder):
        given: Deadline | None = None

        def embed_query(self, text: str, *, deadline: Deadline | None = None) -> Any:
            self.given = deadline
            return super().embed_query(text, deadline=deadline)

    embedder = Patient()
    with emberkeep.open(":memory:", embedder=embedder) as memory:
        memory.add("tea")
        memory.search("tea", deadline_ms=60_000)
    assert embedder.given is not None
    assert not embedder.given.passed


@pytest.mark.parametrize(
    ("channels", "embedded"),
    [(BALANCED.channels, "What pasta did I make?"), (("dense",), "What pasta did I make on 3 May 2023?")],
)
def test_a_search_embeds_the_question_without_the_date_that_the_time_channel_knows(
    clock: FixedClock, channels: tuple[Channel, ...], embedded: str
) -> None:
    embedder = WordEmbedder()
    with emberkeep.open(":memory:", embedder=embedder, clock=clock) as memory:
        memory.add([{"role": "user", "content": "With ham and peas", "name": "Ana"}])
        memory.search("What pasta did Ana make on 3 May 2023?", plan=Plan("own", channels=channels))
    assert embedder.embedded[-1] == embedded


# Wherever it is asked.


def ranking(memory: emberkeep.Memory, text: str) -> list[tuple[str, float]]:
    return [(hit.text, hit.score) for hit in memory.search(text, user_id="alex", limit=50)]


ASKED = ["Which wine goes with sardines?", "What do I like?", "tea number 3", "Where do I live?", "When?"]


@pytest.fixture
def opened(durable_target: str, clock: FixedClock) -> Callable[[], emberkeep.Memory]:
    return lambda: emberkeep.open(durable_target, embedder=WordEmbedder(), clock=clock, learner="rules")


def test_two_memories_and_a_fresh_one_rank_alike(opened: Callable[[], emberkeep.Memory], clock: FixedClock) -> None:
    with opened() as here, opened() as there:
        here.add(LISBON, user_id="alex")
        for day in range(4):
            for number, memory in enumerate((here, there)):
                said = [*SARDINES, f"I like tea number {day} {number}"]
                memory.add(said, user_id="alex", session_id=f"day {day} {number}")
                there.search("tea", user_id="alex")
                clock.move(hours=5)
        here.delete(here.search("tea number 2", user_id="alex", kinds=["episode"])[0].id)
        with opened() as fresh:
            for text in ASKED:
                assert ranking(here, text) == ranking(there, text) == ranking(fresh, text)


def test_a_fact_that_is_told_again_ranks_alike_in_a_fresh_memory(
    opened: Callable[[], emberkeep.Memory], clock: FixedClock
) -> None:
    with opened() as here:
        for day in range(3):
            here.add([f"Tea number {day}", LISBON, "Bye"], user_id="alex", session_id=f"day {day}")
            here.search("tea", user_id="alex")
            clock.move(hours=5)
        with opened() as fresh:
            for text in ASKED:
                assert ranking(here, text) == ranking(fresh, text)


@pytest.mark.parametrize("text", ["tea number 0", "What does Mel drink?"])
def test_what_was_deleted_is_forgotten_by_every_index(opened: Callable[[], emberkeep.Memory], text: str) -> None:
    with opened() as here:
        for number, name in enumerate(("Mel", "Ana", "Melanie")):
            said = [{"role": "user", "name": name, "content": f"Tea number {number}"}]
            added = here.add(said, user_id="alex", session_id=name)
        ranking(here, text)
        here.delete(added.items[0].id)
        with opened() as fresh:
            assert ranking(here, text) == ranking(fresh, text)


def test_a_rebuild_ranks_as_before(opened: Callable[[], emberkeep.Memory]) -> None:
    with opened() as memory:
        memory.add([*SARDINES, "I like green tea", LISBON], user_id="alex", session_id="s")
        memory.add(["I work at Acme.", "My dog is called Rex."], user_id="alex")
        before = [ranking(memory, text) for text in ASKED]
        memory.rebuild()
        assert [ranking(memory, text) for text in ASKED] == before
    with opened() as memory:
        assert [ranking(memory, text) for text in ASKED] == before


def test_engines_rank_alike(postgres_url: str, clock: FixedClock) -> None:
    found = []
    for target in (":memory:", postgres_url):
        with emberkeep.open(target, embedder=WordEmbedder(), clock=clock, learner="rules") as memory:
            said = [*SARDINES, "I like green tea", LISBON]
            memory.add(said, user_id="alex", session_id="s", occurred_at="2025-05-05T10:00:00Z")
            found.append([ranking(memory, text) for text in (*ASKED, "Where did I live last May?")])
    assert found[0] == found[1]


def test_what_was_so_at_the_time_that_is_asked_about_is_not_held_against_it(embedder: LocalEmbedder) -> None:
    told = [
        ("2025-01-10", "I live in Hamburg."),
        ("2025-10-03", "We moved to Berlin today."),
        ("2026-02-01", "The vase broke"),
    ]
    with emberkeep.open(":memory:", embedder=embedder) as memory:
        for day, said in told:
            memory.add(said, user_id="alex", session_id=day, occurred_at=f"{day}T10:00:00Z")
        now = memory.search("where do I live?", user_id="alex", kinds=["episode"])
        then = memory.search("where was I living in March 2025?", user_id="alex", kinds=["episode"])
        assert [hit.why.stale for hit in now if "Hamburg" in hit.text] == [True]
        assert [hit.why.stale for hit in then if "Hamburg" in hit.text] == [False]


def test_a_month_that_is_yet_to_come_is_not_the_one_that_was(embedder: LocalEmbedder) -> None:
    told = [("2026-01-08", "The baby is due in July"), ("2025-07-20", "In Portugal now, surfing lessons")]
    with emberkeep.open(":memory:", embedder=embedder) as memory:
        for day, said in told:
            memory.add(said, user_id="alex", session_id=day, occurred_at=f"{day}T10:00:00Z")
        for asked in ("what did I do in July 2025?", "what happened on 2025-07-20?", "July 2025", "in 07/2025"):
            assert "Portugal" in memory.search(asked, user_id="alex", asked_at="2026-06-01T00:00:00Z")[0].text
