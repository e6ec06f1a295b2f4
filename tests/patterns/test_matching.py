"""Expressions mean tasks, and none can hold a process up."""

import time

import pytest

from emberkeep.errors import InvalidInput
from emberkeep.patterns.matching import TaskMatcher


def test_it_looks_anywhere_and_past_capitals() -> None:
    assert TaskMatcher(".*authentication.*").matches("", "Implement Authentication with JWT")
    assert TaskMatcher("^deploy$").matches("deploy", "x")
    assert not TaskMatcher("^deploy$").matches("deployment")
    assert not TaskMatcher("x").matches("", "")


@pytest.mark.parametrize("pattern", ["(", "[a", "*", "(?P<x>a)(?P<x>b", "a" * 501])
def test_what_is_no_expression_is_said(pattern: str) -> None:
    with pytest.raises(InvalidInput, match="task_type_pattern"):
        TaskMatcher(pattern)


def test_one_that_runs_away_is_stopped() -> None:
    began = time.monotonic()
    with pytest.raises(InvalidInput, match="takes too long"):
        TaskMatcher("(x+x+)+y").matches("x" * 1_900)
    assert time.monotonic() - began < 5


@pytest.mark.slow
def test_many_texts_together_are_bounded_too() -> None:
    began = time.monotonic()
    matcher = TaskMatcher("(a|aa)+$")
    texts = ["x " + "a" * 20 + "b"] * 100_000
    with pytest.raises(InvalidInput, match="takes too long"):
        matcher.matches(*texts)
    assert time.monotonic() - began < 20
