"""What separates success from failure is found, and little else."""

import random

import pytest

from emberkeep.patterns.mining import Case, contrast, features_of

WORDS = [f"word{number}" for number in range(60)]


def case(number: int, *features: str, success: bool) -> Case:
    return Case(str(number), success, frozenset(features))


def test_features_name_their_sort() -> None:
    found = features_of(["slow"], ["build", "test", "test", "ship"], ["E1"], {"type": "deploy"})
    assert found == {
        "word:slow", "tool:build", "tool:test", "tool:ship", "order:build > test", "order:test > ship", "error:E1",
        "type:deploy",
    }  # fmt: skip


def test_a_feature_that_separates_is_found_with_its_numbers() -> None:
    cases = [case(n, "tool:canary", success=n % 10 != 0) for n in range(40)]
    cases += [case(n, success=n % 4 == 0) for n in range(40, 80)]
    (one,) = contrast(cases)
    assert (one.feature, one.direction) == ("tool:canary", "success")
    assert (one.hits, one.total, one.other_hits, one.other_total) == (36, 40, 10, 40)
    assert one.confidence == pytest.approx(0.769, abs=0.001)
    assert one.chance < 1e-6
    assert set(one.examples) <= {item.id for item in cases if item.success}


def test_what_always_comes_together_is_one() -> None:
    cases = [case(n, "word:friday", "word:evening", success=n % 10 == 0) for n in range(30)]
    cases += [case(n, success=True) for n in range(30, 60)]
    (one,) = contrast(cases)
    assert one.direction == "failure"
    assert {one.feature, *one.also} == {"word:friday", "word:evening"}


def test_the_lack_of_what_helps_is_not_found_as_what_harms() -> None:
    with_it = [case(n, "tool:canary", success=True) for n in range(40)]
    without = [case(n, "tool:plain", success=n % 2 == 0) for n in range(40, 120)]
    assert [one.feature for one in contrast(with_it + without)] == ["tool:canary"]


@pytest.mark.parametrize("cases", [[], [Case("1", True, frozenset({"a"}))] * 9])
def test_where_all_end_alike_nothing_separates(cases: list[Case]) -> None:
    assert contrast(cases) == []


def test_of_chance_little_is_believed() -> None:
    found = 0
    for seed in range(40):
        chooser = random.Random(seed)
        cases = [
            case(n, *(f"word:{word}" for word in chooser.sample(WORDS, 8)), success=chooser.random() < 0.6)
            for n in range(150)
        ]
        found += len(contrast(cases))
    assert found <= 8  # of 2,400 tests
