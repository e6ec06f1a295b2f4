"""Patterns: what was planted is found, what is contradicted goes, and feedback counts."""

import random
from collections.abc import Callable
from typing import Any

import pytest

import emberkeep
from emberkeep.errors import InvalidInput, NotFound
from emberkeep.model.experience import Rating
from emberkeep.testing import FixedClock, WordEmbedder

SUBJECTS = "login payment search invoice profile report backup cache queue parser schema router".split()
FILLER = """
    update change check module service client server code branch release config version data flow path value page event
    view field table list form state record entry source target model layer
""".split()
PLANTED = [
    ("deploy", "word:canary", True), ("deploy", "word:friday", False),
    ("bugfix", "word:reproduced", True), ("bugfix", "error:TimeoutError", False),
    ("migrate", "word:rehearsed", True), ("migrate", "error:LockError", False),
    ("refactor", "word:covered", True), ("refactor", "word:rename", False),
    ("review", "word:checklist", True), ("review", "word:hurried", False),
    ("document", "word:outline", True), ("document", "error:MissingSource", False),
]  # fmt: skip


@pytest.fixture
def memory(anywhere: Callable[..., emberkeep.Memory], clock: FixedClock) -> emberkeep.Memory:
    return anywhere(clock=clock, embedder=WordEmbedder())


def live_through(memory: emberkeep.Memory, seed: int, count: int, noise: float = 0.1) -> None:
    """Tasks of six types that end by chance, or as a regularity of their type has it, one in ten the other way."""
    chooser = random.Random(seed)
    for number in range(count):
        kind = chooser.choice(sorted({one[0] for one in PLANTED}))
        said, success = [chooser.choice(SUBJECTS), *chooser.sample(FILLER, 6)], chooser.random() < 0.55
        errors: list[str] = []
        rule = chooser.choice([*(one for one in PLANTED if one[0] == kind), None, None])
        if rule is not None:
            sort, _, name = rule[1].partition(":")
            success = rule[2]
            (said if sort == "word" else errors).append(name)
        if chooser.random() < noise:
            success = not success
        chooser.shuffle(said)
        memory.experience.store(f"t{number}", " ".join(said), success, errors, False, task_type=kind)


@pytest.mark.slow
def test_planted_regularities_are_found_and_little_else() -> None:
    with emberkeep.open(":memory:", embedder=WordEmbedder(), learner="none") as memory:
        live_through(memory, 1, 2_000)
        found = memory.patterns.extract()
        names = {(one.task_type_pattern, one.pattern_type, name) for one in found for name in one.indicators}
        planted = {(f"^{kind}$", "success" if well else "failure", feature) for kind, feature, well in PLANTED}
        assert len(planted & names) >= 11
        known = {feature for _, feature, _ in PLANTED}
        sure = [one for one in found if one.confidence_score >= 0.7 and one.other_support]
        assert len([one for one in sure if not known & set(one.indicators)]) <= 2
        tasks = memory.experience.list(limit=10_000)
        for one in sure:  # what a pattern says, a count confirms
            feature = one.subject.split("|")[2]
            if feature.startswith("error:"):
                kind = one.task_type_pattern.strip("^$")
                showing = [task for task in tasks if feature[6:] in task.errors and (task.type == kind or not kind)]
                assert len(showing) == one.support


def auth(memory: emberkeep.Memory, count: int, *, success: bool = True, start: int = 0) -> None:
    for number in range(start, start + count):
        memory.experience.store(
            f"auth{number}", f"Implemented authentication, validated and tested, part {number}", success, None, False
        )


def test_an_expression_gives_the_pattern_of_its_group(memory: emberkeep.Memory) -> None:
    auth(memory, 6)
    memory.experience.store("fence", "Painted the fence", True, None, False)
    (pattern, *_) = memory.patterns.extract(".*authentication.*", pattern_type="success", min_samples=5)
    assert (pattern.pattern_type, pattern.hits, pattern.support) == ("success", 6, 6)
    assert pattern.confidence_score == pytest.approx(0.61, abs=0.01)
    assert {"word:validated", "word:tested"} <= set(pattern.success_indicators)
    assert set(pattern.examples) <= {f"auth{number}" for number in range(6)}
    assert memory.patterns.get(pattern.pattern_id) == pattern


def test_too_few_samples_says_how_many_there_are(memory: emberkeep.Memory) -> None:
    auth(memory, 2)
    with pytest.raises(InvalidInput, match=r"^2 executions match '.*auth.*', min_samples is 5"):
        memory.patterns.extract("auth")


def test_found_again_it_is_the_same_pattern_with_a_history(memory: emberkeep.Memory) -> None:
    auth(memory, 6)
    (first, *_) = memory.patterns.extract("authentication")
    (same, *_) = memory.patterns.extract("authentication")
    assert same == first
    auth(memory, 4, start=6)
    (more, *_) = memory.patterns.extract("authentication")
    assert (more.id, more.version, more.support) == (first.id, 2, 10)
    assert more.confidence_score > first.confidence_score
    learned, grown = memory.patterns.evolution(first.id)
    assert (learned.reason, grown.reason) == ("learned", "new evidence")
    assert grown.changed["support"] == [6, 10]


@pytest.mark.slow
def test_what_is_contradicted_decays_and_retires(memory: emberkeep.Memory) -> None:
    def live(word: str, count: int, start: int, *, success: bool) -> None:
        for number in range(start, start + count):
            memory.experience.store(f"d{number}", f"Ship {word} part", success, None, False, task_type="deploy")

    live("canary", 20, 0, success=True)
    live("plain", 20, 100, success=False)
    memory.patterns.extract()
    (before,) = [one for one in memory.patterns.search("deploy") if one.subject == "success|type:deploy|word:canary"]
    live("canary", 20, 200, success=False)
    memory.patterns.extract()
    (during,) = [one for one in memory.patterns.search("deploy", retired=True) if one.id == before.id]
    assert during.confidence_score < before.confidence_score
    live("canary", 80, 300, success=False)
    live("plain", 40, 600, success=True)
    memory.patterns.extract()
    (after,) = [one for one in memory.patterns.search("deploy", retired=True) if one.id == before.id]
    assert after.retired_at is not None
    assert before.id not in {one.id for one in memory.patterns.search("deploy")}
    assert memory.patterns.evolution(before.id)[-1].reason == "contradicted"


def test_patterns_are_learned_as_tasks_come_in(memory: emberkeep.Memory) -> None:
    for number in range(12):
        memory.experience.store(f"d{number}", f"Ship part {number}", True, task_type="deploy")
    (pattern,) = memory.patterns.search("deploy")
    assert pattern.hits == pattern.support >= 5


def test_tasks_without_a_type_are_grouped_by_what_they_are_about(memory: emberkeep.Memory) -> None:
    for number in range(6):
        memory.experience.store(f"a{number}", "Water the tomatoes in the garden", True, None, False)
        memory.experience.store(f"b{number}", "Send the invoice to the customer", False, None, False)
    found = memory.patterns.extract(min_samples=5)
    assert {(one.pattern_type, one.support) for one in found} == {("success", 6), ("failure", 6)}


def test_a_pattern_fits_by_expression_by_word_and_by_meaning(memory: emberkeep.Memory) -> None:
    for number in range(6):
        memory.experience.store(f"d{number}", "Ship the web shop", True, None, False, task_type="deploy")
    (pattern,) = memory.patterns.extract()
    assert [one.id for one in memory.patterns.match("please deploy it")] == [pattern.id]
    assert [one.id for one in memory.patterns.match("anything", task_type="deploy")] == [pattern.id]
    assert memory.patterns.match("water the tomatoes") == []
    assert memory.patterns.get(pattern.id).usage_count == 2
    context = memory.experience.get_task_context("deploy the web shop")
    assert [one.id for one in context.matching_patterns] == [pattern.id]
    assert any("6 of 6 succeeded" in said for said in context.recommendations)


def test_optimization_is_what_takes_fewer_steps(memory: emberkeep.Memory) -> None:
    for number in range(40):
        task = memory.tasks.start(f"Build the {'cached' if number % 2 else 'plain'} image")
        for step in range(2 if number % 2 else 6):
            memory.tasks.step(task.id, f"tool{step}")
        memory.tasks.finish(task.id, success=True)
    found = memory.patterns.extract("image", pattern_type="optimization")
    assert found[0].success_indicators[0] in {"word:cached", "word:cach"}


def test_feedback_counts_and_is_kept(memory: emberkeep.Memory) -> None:
    auth(memory, 6)
    (pattern, *_) = memory.patterns.extract("authentication")
    better = memory.patterns.feedback(pattern.id, helpful=True, confidence_adjustment=0.1)
    assert better.confidence_score > pattern.confidence_score + 0.1
    worse = memory.patterns.feedback(pattern.id, helpful=False, note="It was not so here")
    assert worse.confidence_score < better.confidence_score
    for _ in range(10):
        memory.patterns.feedback(pattern.id, confidence_adjustment=0.5)
    assert memory.patterns.get(pattern.id).adjustment == pytest.approx(0.3)
    assert memory.patterns.get(pattern.id).confidence_score <= 1.0


def test_what_was_said_of_a_pattern_is_read_back_in_order(memory: emberkeep.Memory, clock: FixedClock) -> None:
    auth(memory, 6)
    (pattern, *_) = memory.patterns.extract("authentication")
    assert memory.patterns.ratings(pattern.id) == []
    began = clock.now()
    memory.patterns.feedback(pattern.id, helpful=True, confidence_adjustment=0.1)
    clock.move(hours=1)
    memory.patterns.feedback(pattern.id, helpful=False, note="It was not so here")
    memory.patterns.feedback(pattern.id, confidence_adjustment=-0.2)
    later = clock.now()
    assert memory.patterns.ratings(pattern.id) == [
        Rating(began, True, 0.1, None),
        Rating(later, False, 0.0, "It was not so here"),
        Rating(later, None, -0.2, None),
    ]
    memory.patterns.delete(pattern.id)
    with pytest.raises(NotFound, match="no pattern"):
        memory.patterns.ratings(pattern.id)


def test_it_asks_for_what_would_teach_most(memory: emberkeep.Memory) -> None:
    auth(memory, 6)
    memory.patterns.extract("authentication")
    for number in range(60):
        memory.experience.store(f"d{number}", "Ship it", True, None, False, task_type="deploy")
    memory.patterns.extract()
    first, *_ = memory.patterns.ask()
    assert first.pattern.support == 6
    for _ in range(5):
        memory.patterns.feedback(first.pattern.id, helpful=True)
    assert memory.patterns.ask()[0].pattern.id != first.pattern.id


@pytest.mark.slow
def test_clusters_hold_all_patterns_once(memory: emberkeep.Memory) -> None:
    for kind in ("deploy shop", "deploy blog", "paint fence"):
        for number in range(5):
            memory.experience.store(f"{kind}{number}", kind, True, None, False, task_type=kind)
    made = memory.patterns.extract()
    found = memory.patterns.clusters(min_similarity=0.3)
    assert sorted(name for cluster in found for name in cluster.members) == sorted(one.id for one in made)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"confidence_adjustment": 2.0}, "confidence_adjustment is 2.0"),
        ({"helpful": "yes"}, "helpful is 'yes'"),
        ({}, "say whether it was helpful"),
    ],
)
def test_bad_feedback_is_refused(memory: emberkeep.Memory, options: dict[str, object], message: str) -> None:
    auth(memory, 5)
    (pattern, *_) = memory.patterns.extract("authentication")
    with pytest.raises(InvalidInput, match=message):
        memory.patterns.feedback(pattern.id, **options)  # type: ignore[arg-type]
    assert memory.patterns.get(pattern.id) == pattern


def test_what_else_is_wrong_is_said(memory: emberkeep.Memory) -> None:
    with pytest.raises(NotFound, match="no pattern"):
        memory.patterns.feedback("nowhere", helpful=True)
    with pytest.raises(InvalidInput, match="no regular expression"):
        memory.patterns.extract("(")
    with pytest.raises(InvalidInput, match="pattern_type"):
        memory.patterns.search(pattern_type="funny")  # type: ignore[arg-type]


def test_deleted_patterns_leave_nothing(memory: emberkeep.Memory) -> None:
    auth(memory, 5)
    (pattern, *_) = memory.patterns.extract("authentication")
    memory.patterns.feedback(pattern.id, helpful=True)
    rows = memory.patterns.delete(pattern.id).rows
    assert (rows["patterns"], rows["pattern_versions"], rows["pattern_feedback"]) == (1, 2, 1)
    assert memory.patterns.search() == []


def deployed(memory: emberkeep.Memory, words: str, count: int, *, success: bool, **scope: Any) -> None:
    start = len(memory.experience.list(limit=10_000))
    for number in range(start, start + count):
        memory.experience.store(f"d{number}", words, success, None, False, task_type="deploy", **scope)


def test_everyone_is_nobody_to_learn_for(memory: emberkeep.Memory) -> None:
    with pytest.raises(InvalidInput, match="everyone"):
        memory.patterns.extract(user_id="*")


def test_erasing_a_session_takes_what_was_learned_with_it(memory: emberkeep.Memory) -> None:
    deployed(memory, "the launch codes are swordfish", 6, success=True, user_id="kim", session_id="s1")
    memory.patterns.extract(user_id="kim")
    assert memory.search("swordfish", user_id="kim", kinds=["pattern"])
    assert memory.delete_all(user_id="kim", session_id="s1").rows["patterns"] >= 1
    assert list(memory.search("launch codes swordfish", user_id="kim")) == []
    assert memory.patterns.search(user_id="kim", retired=True) == []


@pytest.mark.slow
def test_what_is_retired_is_said_nowhere(memory: emberkeep.Memory) -> None:
    deployed(memory, "ship it with a canary", 20, success=True)
    deployed(memory, "ship it as it is", 20, success=False)
    memory.patterns.extract()
    deployed(memory, "ship it with a canary", 80, success=False)
    deployed(memory, "ship it as it is", 40, success=True)
    memory.patterns.extract()
    said = [hit.text for hit in memory.search("deploy with canary", kinds=["pattern"], limit=50)]
    assert not [text for text in said if "20 of 20 succeeded" in text]
    assert {one.description for one in memory.patterns.search()} >= set(said)


@pytest.mark.slow
def test_a_group_that_turned_round_says_so(memory: emberkeep.Memory) -> None:
    deployed(memory, "ship it", 10, success=True)
    memory.patterns.extract()
    deployed(memory, "ship it", 60, success=False)
    memory.patterns.extract()
    (live,) = memory.patterns.search("deploy")
    assert live.description == "deploy tasks: 60 of 70 failed"
    context = memory.experience.get_task_context("deploy", task_type="deploy")
    assert not [said for said in context.recommendations if "10 of 10" in said]


@pytest.mark.slow
def test_numbers_are_counts_also_where_features_overlap(memory: emberkeep.Memory) -> None:
    chooser = random.Random(5)
    for number in range(160):
        words = [word for word in ("canary", "friday", "large") if chooser.random() < 0.5]
        success = "canary" in words or ("friday" not in words and chooser.random() < 0.7)
        memory.experience.store(f"n{number}", f"ship {' '.join(words)}", success, None, False, task_type="deploy")
    memory.patterns.extract()
    tasks = memory.experience.list(limit=10_000)
    found = [one for one in memory.patterns.search("deploy") if one.other_support and one.task_type_pattern]
    assert {one.subject.split("|")[2] for one in found} >= {"word:canary", "word:friday"}
    for one in found:
        word, wanted = one.subject.split("word:")[1], one.pattern_type == "success"
        showing = [task.success == wanted for task in tasks if word in task.summary]
        others = [task.success == wanted for task in tasks if word not in task.summary]
        assert (one.hits, one.support) == (sum(showing), len(showing))
        assert (one.other_hits, one.other_support) == (sum(others), len(others))
        assert f"{one.hits} of {one.support}" in one.description


def test_words_that_tell_the_end_explain_nothing(memory: emberkeep.Memory) -> None:
    for number in range(80):
        careful = number % 2 == 0
        lead = "Successfully finished:" if careful else "Failed:"
        words = f"{lead} ship it {'rehearsed' if careful else 'hurried'} part {number}"
        memory.experience.store(f"w{number}", words, careful, None, False, task_type="deploy")
    found = {name for one in memory.patterns.extract() for name in one.indicators}
    assert {"word:rehearsed", "word:hurried"} & found
    assert not {"word:finished", "word:successfully", "word:failed"} & found


def test_tasks_without_a_type_are_learned_from_as_they_come(memory: emberkeep.Memory) -> None:
    for number in range(12):
        task = memory.tasks.start(f"Water the tomatoes, row {number}")
        memory.tasks.finish(task.id, success=True)
    assert memory.patterns.search()


def test_a_type_finds_its_patterns_for_a_task(memory: emberkeep.Memory) -> None:
    for number in range(30):
        memory.experience.store(f"a{number}", "Add the endpoint by hand", False, None, False, task_type="implement_api")
        memory.experience.store(
            f"b{number}", "Add the endpoint from a template", True, None, False, task_type="implement_api"
        )
    memory.patterns.extract()
    context = memory.experience.get_task_context("Something by hand", task_type="implement_api")
    assert [one for one in context.matching_patterns if "word:hand" in one.failure_indicators]
    other = memory.experience.get_task_context("Something by hand", task_type="paint")
    assert other.matching_patterns == ()


def test_votes_against_it_retire_a_pattern(memory: emberkeep.Memory) -> None:
    auth(memory, 6)
    (pattern, *_) = memory.patterns.extract("authentication")
    for _ in range(40):
        memory.patterns.feedback(pattern.id, helpful=False)
    assert memory.patterns.get(pattern.id).retired_at is not None
    assert memory.patterns.search() == []


def test_examples_are_tasks(memory: emberkeep.Memory) -> None:
    test_optimization_is_what_takes_fewer_steps(memory)
    for one in memory.patterns.search():
        for example in one.examples:
            assert memory.tasks.get(example).id == example
