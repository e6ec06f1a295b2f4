"""Fit the weight of each signal in a search, and write the weights to src/emberkeep/recall/weights.json.

    python scripts/fit_recall.py --data FILE [--data FILE ...] [--reranker NAME] [--write]

The format of the files is in docs/howto/measure.md. The model is a conditional logit: for each question, the messages
that hold the answer should be chosen among all candidates. It is convex, so there is one optimum; every file has the
same weight, however long. A message that holds words of the question must not rank lower for it: a weight that is
negative there is left out. The results are printed cross-validated first: each conversation is ranked with weights that
were fitted without it, and a conversation that is alone in its file is cut in three parts. With a reranker, the weight
of its judgement beside the weighted sums is fitted too: one number, the same for all tables.
"""

import argparse
import json
import pickle
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import emberkeep
from emberkeep.bench.dataset import Dataset, Store, read_datasets
from emberkeep.bench.own import keep
from emberkeep.config import Config
from emberkeep.flows.searching import Asking, Searcher
from emberkeep.model.recall import PLANS, Plan, select
from emberkeep.providers.base import Reranker
from emberkeep.recall.channels import Candidates
from emberkeep.recall.fusion import BY_HAND, Table, weights_of
from emberkeep.recall.fusion import fitted as shipped
from emberkeep.recall.meanings import MEANINGS
from emberkeep.recall.rereading import as_signal
from emberkeep.recall.signals import SIGNALS
from emberkeep.wiring import make_reranker

WEIGHTS = Path(__file__).parents[1] / "src" / "emberkeep" / "recall" / "weights.json"
CANDIDATES = 300  # per question; more than a search looks at, so that irrelevant messages are learned from too
STRICTNESS = 3e-2  # of the L2 penalty, with each signal scaled to a standard deviation of 1
DEPTHS = (5, 10, 25)  # of the results that are reported
PARTS = 3  # of a conversation that is alone in its file
STEPS = 30  # of Newton's method, at most
NEVER_AGAINST = ("covered",)  # signals whose weight must not be negative
ARRIVED = 1e-4  # a step this small is the last
BALANCED = PLANS["balanced"]
TABLES: dict[Table, Plan] = {  # each with the plan that it is for
    "meanings": BALANCED,
    "vectors": replace(BALANCED, channels=tuple(name for name in BALANCED.channels if name != "meanings")),
    "words": PLANS["fast"],
}

Floats = NDArray[np.float64]
_OF_MEANINGS = [SIGNALS.index(name) for name in MEANINGS]


@dataclass(frozen=True, slots=True)
class Choice:
    """A question: the signals of its candidates, which of them hold the answer, and how many messages do in all.

    It may be ranked by another table than the one it was asked for: a question that names only a time has no words to
    compare meanings with. `said` is what the reranker says of `reread`, the best candidates by the shipped weights.
    """

    table: Table
    ranked_by: Table
    dataset: str
    part: str
    signals: Floats
    gold: NDArray[np.int64]
    wanted: int
    reread: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    said: Floats = field(default_factory=lambda: np.empty(0))


def choices(datasets: Sequence[Dataset], reranker: Reranker | None) -> Iterator[Choice]:
    """Yield a choice for each question of each file and each table."""
    for dataset in datasets:
        for store in dataset.stores:
            say(f"{dataset.name} {store.id}: {len(store.messages)} messages")
            yield from _choices_of(dataset, store, reranker)


def _choices_of(dataset: Dataset, store: Store, reranker: Reranker | None) -> Iterator[Choice]:
    alone = len(dataset.stores) == 1
    with emberkeep.open(":memory:") as memory:
        for session, messages in store.sessions():
            keep(memory, "someone", session, messages)
        searcher = Searcher(memory._parts)  # noqa: SLF001 - the candidates of a search are not public
        said = {item.id: item for item in _all(memory)}
        selection = select("default", {"user_id": "someone", "kinds": ["episode"]})
        for (number, question), (table, usual) in product(enumerate(store.questions), TABLES.items()):
            plan = replace(usual, candidates=CANDIDATES)
            found = searcher.candidates(Asking(question.text, question.time, selection, plan))
            gold = [
                place
                for place, item_id in enumerate(found.ids)
                if any(source.message_id in question.gold for source in said[item_id].sources)
            ]
            part = f"{store.id}/{number % PARTS}" if alone else store.id
            ranked_by: Table = "vectors" if table == "meanings" and not found.signals[:, _OF_MEANINGS].any() else table
            best = _best(found, ranked_by) if reranker and table == "meanings" else np.empty(0, np.int64)
            texts = [said[found.ids[place]].spoken for place in best]
            relevance = (
                as_signal(np.array(reranker.relevance(question.text, texts), np.float64)) if reranker else np.empty(0)
            )
            places = np.array(gold, np.int64)
            wanted = len(question.gold)
            yield Choice(table, ranked_by, dataset.name, part, found.signals, places, wanted, best, relevance)


def _best(found: Candidates, table: Table) -> NDArray[np.int64]:
    """Return the places of the candidates that a reranker would read again."""
    sums = found.signals @ weights_of(TABLES[table], table)
    return np.argsort(-sums, kind="stable")[: PLANS["deep"].reread]


def _all(memory: emberkeep.Memory) -> Iterator[emberkeep.Item]:
    """Yield all messages of a memory."""
    page = memory.get_all(user_id="someone", kinds=["episode"], limit=1000)
    yield from page
    while page.next:
        page = memory.get_all(user_id="someone", kinds=["episode"], limit=1000, cursor=page.next)
        yield from page


def fit_all(known: Sequence[Choice], without: str | None = None) -> dict[Table, Floats]:
    """Return the weights of each table, fitted without one part, if any is named."""
    return {
        table: fit([one for one in known if one.table == one.ranked_by == table and one.part != without])
        for table in TABLES
    }


def fit(examples: Sequence[Choice]) -> Floats:
    """Return the weights that make the right choices most likely; a negative one of `NEVER_AGAINST` is left out."""
    left_out: frozenset[str] = frozenset(BY_HAND)
    while True:
        weights = _fit([choice for choice in examples if len(choice.gold)], left_out)
        absurd = {name for name in NEVER_AGAINST if weights[SIGNALS.index(name)] < 0}
        if not absurd:
            return weights
        left_out |= absurd


def _fit(examples: Sequence[Choice], left_out: frozenset[str]) -> Floats:
    """Return the most likely weights, with 0 for the signals that are left out or never vary."""
    share = Counter(choice.dataset for choice in examples)
    deviation = np.concatenate([choice.signals for choice in examples]).std(axis=0)
    use = (deviation > 0) & [name not in left_out for name in SIGNALS]
    parts = [
        (choice.signals[:, use] / deviation[use], choice.gold, 1.0 / share[choice.dataset] / len(share))
        for choice in examples
    ]
    fitted = np.zeros(len(SIGNALS))
    fitted[use] = _newton(parts) / deviation[use]
    return fitted


def fit_reranked(examples: Sequence[Choice], weights: Mapping[Table, Floats]) -> float:
    """Return the weight of a reranker's judgement beside the weighted sum that makes the right choices most likely."""
    asked = [choice for choice in examples if np.isin(choice.gold, choice.reread).any()]
    share = Counter(choice.dataset for choice in asked)
    both = [
        np.stack([(choice.signals @ weights[choice.ranked_by])[choice.reread], choice.said], axis=1) for choice in asked
    ]
    deviation = np.concatenate(both).std(axis=0)
    parts = [
        (
            lines / deviation,
            np.flatnonzero(np.isin(choice.reread, choice.gold)),
            1.0 / share[choice.dataset] / len(share),
        )
        for lines, choice in zip(both, asked, strict=True)
    ]
    of_sum, of_word = _newton(parts) / deviation
    return float(of_word / of_sum)


def _newton(parts: Sequence[tuple[Floats, NDArray[np.int64], float]]) -> Floats:
    """Minimise `_surprise` by Newton's method."""
    weights = np.zeros(parts[0][0].shape[1])
    loss, slope, bend = _surprise(parts, weights)
    for _ in range(STEPS):
        step = np.linalg.solve(bend, slope)
        while True:  # halve the step until it helps
            ahead = _surprise(parts, weights - step)
            if ahead[0] <= loss or np.abs(step).max() < ARRIVED:
                break
            step = step / 2
        weights, (loss, slope, bend) = weights - step, ahead
        if np.abs(step).max() < ARRIVED:
            break
    return weights


def _surprise(
    parts: Sequence[tuple[Floats, NDArray[np.int64], float]], weights: Floats
) -> tuple[float, Floats, Floats]:
    """Return the loss, how unlikely the right choices are, with its gradient and Hessian."""
    loss, slope = STRICTNESS * float(weights @ weights), 2 * STRICTNESS * weights
    bend = 2 * STRICTNESS * np.eye(len(weights))
    for signals, gold, heavy in parts:
        sums = signals @ weights
        chances = np.exp(sums - sums.max())
        loss += heavy * float(np.log(chances.sum()) + sums.max() - sums[gold].mean())
        chances /= chances.sum()
        expected = chances @ signals
        slope = slope + heavy * (expected - signals[gold].mean(axis=0))
        bend += heavy * ((signals * chances[:, np.newaxis]).T @ signals - np.outer(expected, expected))
    return loss, slope, bend


def shares(choice: Choice, weights: Mapping[Table, Floats], reranked: float = 0.0) -> tuple[str, list[float]]:
    """Return how much of an answer is among the first results, at each depth; `reranked` puts the reread ones first."""
    sums = choice.signals @ weights[choice.ranked_by]
    if reranked:
        sums[choice.reread] += sums.max() - sums.min() + reranked * (1.0 + choice.said)
    order = np.argsort(-sums, kind="stable")
    right = np.isin(order[: max(DEPTHS)], choice.gold)
    return choice.dataset, [float(right[:depth].sum()) / choice.wanted for depth in DEPTHS]


def report(title: str, results: Sequence[tuple[str, list[float]]]) -> None:
    """Print one line: the mean share at each depth, file by file."""
    cells = []
    for dataset in dict.fromkeys(name for name, _ in results):
        means = 100 * np.mean([line for name, line in results if name == dataset], axis=0)
        cells.append(f"{dataset} " + " / ".join(f"{mean:.1f}" for mean in means))
    say(f"{title:18} " + "   ".join(cells))


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Fit, report, and write with --write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", action="append", required=True, type=Path)
    parser.add_argument("--reranker", default="none", help="a name of `emberkeep models list`, which was pulled")
    parser.add_argument("--cache", type=Path, help="keep the signals here, or take them from here")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    if asked.cache and asked.cache.exists():
        known = pickle.loads(asked.cache.read_bytes())  # noqa: S301 - our own file
    else:
        reranker = make_reranker(Config.load(reranker=asked.reranker))
        known = list(choices(read_datasets(asked.data), reranker))
        if asked.cache:
            asked.cache.write_bytes(pickle.dumps(known))
    if asked.reranker != "none" and not any(len(choice.reread) for choice in known):
        parser.error(f"{asked.cache} was written without a reranker: remove it")
    held_out = {part: fit_all(known, without=part) for part in dict.fromkeys(choice.part for choice in known)}
    fitted = fit_all(known)
    for table in TABLES:
        of_table = [choice for choice in known if choice.table == table]
        report(f"{table}, held out", [shares(choice, held_out[choice.part]) for choice in of_table])
        report(f"{table}, fitted", [shares(choice, fitted) for choice in of_table])
    reranked = shipped("meanings")["reranked"]
    if read := [choice for choice in known if len(choice.reread)]:
        without = {part: [choice for choice in read if choice.part != part] for part in held_out}
        counts = {part: fit_reranked(others, held_out[part]) for part, others in without.items()}
        reranked = fit_reranked(read, fitted)
        results = [shares(choice, held_out[choice.part], counts[choice.part]) for choice in read]
        report("reranked, held out", results)
        report(f"reranked by {reranked:.2f}", [shares(choice, fitted, reranked) for choice in read])
    tables = {
        table: {name: round(float(weight), 3) for name, weight in zip(SIGNALS, weights, strict=True) if weight}
        | {"reranked": round(reranked, 3)}
        for table, weights in fitted.items()
    }
    if asked.write:
        WEIGHTS.write_text(json.dumps(tables, indent=2) + "\n", "utf-8")
        say(f"written to {WEIGHTS.name}")


if __name__ == "__main__":
    main()
