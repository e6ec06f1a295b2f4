"""Fit the weight of each signal in a search, and write the weights to src/emberkeep/recall/weights.json.

    python scripts/fit_recall.py --data PATH [--data PATH ...] [--reranker NAME] [--write]

The format of the files is in docs/howto/measure.md. The model is a conditional logit: for each question, the messages
that hold the answer should be chosen among all candidates. It is convex, so there is one optimum; every data set has
the same weight, however long. Each signal has two weights, for memories of short texts and of long ones; how far they
are apart is penalised, too. Some weights have a floor; where the best one would be lower, the floor is taken and the
others are fitted beside it.

The results are printed cross-validated first: in the lines "held out", each conversation is ranked with weights that
were fitted without it, and one that is alone in its data set is cut in three parts; in the lines "without it", with
weights that were fitted without its whole data set. With a reranker, the weight of its judgement beside the weighted
sums is fitted too: one number, the same for all tables.
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
from typing import NamedTuple

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
from emberkeep.recall.fusion import BY_HAND, Table, weights_of, wordiness
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
# The least weight of some signals, whatever the data says: words of the question count for a message, since questions
# here seldom have a rare word or a number of their answer, and searches often do; and who names a time, or says "I" or
# "you", means it.
FLOORS: Mapping[str, float] = {
    "lexical": 2.0,
    "covered": 0.0,
    "window": 0.0,
    "answers": 0.0,
    "own": 1.2,
    "theirs": 2.1,
    "during": 3.0,
}
ARRIVED = 1e-4  # a step this small is the last
BALANCED = PLANS["balanced"]
TABLES: dict[Table, Plan] = {  # each with the plan that it is for
    "meanings": BALANCED,
    "vectors": replace(BALANCED, channels=tuple(name for name in BALANCED.channels if name != "meanings")),
    "words": PLANS["fast"],
}

Floats = NDArray[np.float64]
Weights = Floats  # two lines: the weight of each signal where texts are short, and where they are long
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
    usual_length: float = 1.0

    def sums(self, weights: Weights) -> Floats:
        """Return the weighted sum of each candidate."""
        short, long = weights
        found: Floats = self.signals @ (short + wordiness(self.usual_length) * (long - short))
        return found


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
            yield Choice(
                table, ranked_by, dataset.name, part, found.signals, places, wanted, best, relevance, found.usual_length
            )


def _best(found: Candidates, table: Table) -> NDArray[np.int64]:
    """Return the places of the candidates that a reranker would read again."""
    sums = found.signals @ weights_of(TABLES[table], table, found.usual_length)
    return np.argsort(-sums, kind="stable")[: PLANS["deep"].reread]


def _all(memory: emberkeep.Memory) -> Iterator[emberkeep.Item]:
    """Yield all messages of a memory."""
    page = memory.get_all(user_id="someone", kinds=["episode"], limit=1000)
    yield from page
    while page.next:
        page = memory.get_all(user_id="someone", kinds=["episode"], limit=1000, cursor=page.next)
        yield from page


def fit_all(known: Sequence[Choice], without: str | None = None) -> dict[Table, Weights]:
    """Return the weights of each table, fitted without one part or data set, if any is named."""
    used = [choice for choice in known if without not in (choice.part, choice.dataset)]
    return {table: fit([one for one in used if one.table == one.ranked_by == table]) for table in TABLES}


def fit(examples: Sequence[Choice]) -> Weights:
    """Return the weights that make the right choices most likely, none of them below its floor."""
    answered = [choice for choice in examples if len(choice.gold)]
    floors = np.array([0.0 if name in BY_HAND else FLOORS.get(name, -np.inf) for name in SIGNALS])
    given = np.tile([name in BY_HAND for name in SIGNALS], (2, 1))  # where texts are short, and where they are long
    while True:
        weights = _fit(answered, given, floors)
        low = (weights < floors) & ~given
        if not low.any():
            return weights
        low[1] &= ~low[0]  # what is too low in both ends may do in the other once the floor is taken in one
        given |= low


def _fit(examples: Sequence[Choice], given: NDArray[np.bool_], floors: Floats) -> Weights:
    """Return what each signal most likely counts where texts are short, and where they are long.

    Where it is `given`, that is its floor. It is 0 where a signal never varies.
    """
    share = Counter(choice.dataset for choice in examples)
    short, long = given
    known = np.where(short | long, floors, 0.0)
    lines, fixed = [], []
    for choice in examples:
        wordy = wordiness(choice.usual_length)
        # What is fitted is the weight where texts are short, and how much more it is where they are long. With the
        # weight for long texts given, only the share of the other end is left to fit.
        ends = [choice.signals * np.where(long & ~short, 1.0 - wordy, 1.0), choice.signals * wordy]
        lines.append(np.hstack(ends))
        fixed.append(choice.signals @ (known * np.where(short, 1.0, wordy)))
    deviation = np.concatenate(lines).std(axis=0)
    used = (deviation > 0) & ~given.ravel()
    parts = [
        _Part(line[:, used] / deviation[used], already, choice.gold, 1.0 / share[choice.dataset])
        for line, already, choice in zip(lines, fixed, examples, strict=True)
    ]
    found = np.zeros(len(used))
    found[used] = _newton(parts) / deviation[used]
    known[deviation[: len(SIGNALS)] == 0] = 0.0
    at_short, more = found.reshape(2, -1)
    at_short = np.where(short, known, at_short)
    return np.stack([at_short, np.where(long, known, at_short + more)])


def fit_reranked(examples: Sequence[Choice], weights: Mapping[Table, Weights]) -> float:
    """Return the weight of a reranker's judgement beside the weighted sum that makes the right choices most likely."""
    asked = [choice for choice in examples if np.isin(choice.gold, choice.reread).any()]
    share = Counter(choice.dataset for choice in asked)
    both = [np.stack([choice.sums(weights[choice.ranked_by])[choice.reread], choice.said], axis=1) for choice in asked]
    deviation = np.concatenate(both).std(axis=0)
    parts = [
        _Part(
            lines / deviation,
            np.zeros(len(lines)),
            np.flatnonzero(np.isin(choice.reread, choice.gold)),
            1.0 / share[choice.dataset],
        )
        for lines, choice in zip(both, asked, strict=True)
    ]
    of_sum, of_word = _newton(parts) / deviation
    return float(of_word / of_sum)


class _Part(NamedTuple):
    """A choice in a fit: its lines, what is already given to each, which are right, and how much the choice counts."""

    lines: Floats
    given: Floats
    gold: NDArray[np.int64]
    heavy: float


def _newton(parts: Sequence[_Part]) -> Floats:
    """Minimise `_surprise` by Newton's method."""
    weights = np.zeros(parts[0].lines.shape[1])
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


def _surprise(parts: Sequence[_Part], weights: Floats) -> tuple[float, Floats, Floats]:
    """Return the loss, how unlikely the right choices are, with its gradient and Hessian."""
    loss, slope = STRICTNESS * float(weights @ weights), 2 * STRICTNESS * weights
    bend = 2 * STRICTNESS * np.eye(len(weights))
    in_all = sum(part.heavy for part in parts)
    for lines, given, gold, heavy in parts:
        share = heavy / in_all
        sums = lines @ weights + given
        chances = np.exp(sums - sums.max())
        loss += share * float(np.log(chances.sum()) + sums.max() - sums[gold].mean())
        chances /= chances.sum()
        expected = chances @ lines
        slope = slope + share * (expected - lines[gold].mean(axis=0))
        bend += share * ((lines * chances[:, np.newaxis]).T @ lines - np.outer(expected, expected))
    return loss, slope, bend


def written(tables: Mapping[Table, tuple[Weights, float]]) -> str:
    """Return the text of `weights.json`: for each table and signal both weights; a reranker's judgement has one."""
    lines = {
        table: {
            name: [round(float(short), 3), round(float(long), 3)]
            for name, short, long in zip(SIGNALS, *weights, strict=True)
            if short or long
        }
        | {"reranked": [round(reranked, 3)] * 2}
        for table, (weights, reranked) in tables.items()
    }
    listed = (
        f'  "{table}": {{\n' + ",\n".join(f'    "{name}": {json.dumps(both)}' for name, both in of.items()) + "\n  }"
        for table, of in lines.items()
    )
    return "{\n" + ",\n".join(listed) + "\n}\n"


def shares(choice: Choice, weights: Mapping[Table, Weights], reranked: float = 0.0) -> tuple[str, list[float]]:
    """Return how much of an answer is among the first results, at each depth; `reranked` puts the reread ones first."""
    sums = choice.sums(weights[choice.ranked_by])
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
    several = dict.fromkeys(choice.dataset for choice in known)
    without_it = {name: fit_all(known, without=name) for name in several} if len(several) > 1 else {}
    fitted = fit_all(known)
    for table in TABLES:
        of_table = [choice for choice in known if choice.table == table]
        if without_it:
            report(f"{table}, without it", [shares(choice, without_it[choice.dataset]) for choice in of_table])
        report(f"{table}, held out", [shares(choice, held_out[choice.part]) for choice in of_table])
        report(f"{table}, fitted", [shares(choice, fitted) for choice in of_table])
    reranked = shipped("meanings")["reranked"][0]
    if read := [choice for choice in known if len(choice.reread)]:
        without = {part: [choice for choice in read if choice.part != part] for part in held_out}
        counts = {part: fit_reranked(others, held_out[part]) for part, others in without.items()}
        reranked = fit_reranked(read, fitted)
        results = [shares(choice, held_out[choice.part], counts[choice.part]) for choice in read]
        report("reranked, held out", results)
        report(f"reranked by {reranked:.2f}", [shares(choice, fitted, reranked) for choice in read])
    if asked.write:
        WEIGHTS.write_text(written({table: (fitted[table], reranked) for table in TABLES}), "utf-8")
        say(f"written to {WEIGHTS.name}")


if __name__ == "__main__":
    main()
