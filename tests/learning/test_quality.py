"""How well the rules do: the figures that the product promises, on sentences they were not written from."""

import sys

import pytest

from emberkeep.learning.rules import RuleLearner

from .scoring import load, score


@pytest.mark.parametrize(
    ("name", "precision", "recall"),
    [("sentences.jsonl", 0.98, 0.90), ("held_back.jsonl", 0.95, 0.80), ("fresh.jsonl", 0.93, 0.80)],
)
def test_precision_and_recall(name: str, precision: float, recall: float, capsys: pytest.CaptureFixture[str]) -> None:
    scores = score(RuleLearner(), load(name))
    with capsys.disabled():
        for domain, figures in sorted(scores.items()):
            sys.stdout.write(f"\n{name:16} {domain:8} {figures}")
    assert scores["all"].precision >= precision
    assert scores["all"].recall >= recall
