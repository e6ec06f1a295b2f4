"""Fitting what each signal counts: on choices that a test makes, and the whole script on a small file."""

import json
import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from emberkeep.providers.local_embedder import BUNDLED_WORDS
from emberkeep.recall.fusion import BY_HAND, fitted
from emberkeep.recall.fusion import LONG as LONG_TEXTS
from emberkeep.recall.fusion import SHORT as SHORT_TEXTS
from emberkeep.recall.signals import SIGNALS

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "fit_recall.py"
WEIGHTS = ROOT / "src" / "emberkeep" / "recall" / "weights.json"
FIT: dict[str, Any] = runpy.run_path(str(SCRIPT))
DENSE, LEXICAL, LONG, FACT = (SIGNALS.index(name) for name in ("dense", "lexical", "long", "fact"))


def choices(count: int = 60, *, seed: int = 1, dataset: str = "one", near: float = 8.0) -> list[Any]:
    """What is right is near, half as much so by its words, and rather short; the other signals are noise or nothing."""
    random = np.random.default_rng(seed)
    found = []
    for number in range(count):
        signals = np.zeros((20, len(SIGNALS)))
        signals[:, [DENSE, LEXICAL, LONG, FACT]] = random.random((20, 4))
        chances = near * signals[:, DENSE] + 4 * signals[:, LEXICAL] - 4 * signals[:, LONG] + random.gumbel(size=20)
        gold = np.array([chances.argmax()])
        found.append(FIT["Choice"]("vectors", "vectors", dataset, f"part {number % 3}", signals, gold, 1))
    return found


def both(weights: Any) -> Any:
    """The same weights where texts are short and where they are long."""
    return np.stack([weights, weights])


def loss(some: list[Any], weights: Any) -> float:
    """How unlikely the right choices are."""
    sums = [choice.sums(weights) for choice in some]
    unlikely = [np.log(np.exp(line).sum()) - line[choice.gold].mean() for line, choice in zip(sums, some, strict=True)]
    return float(np.mean(unlikely))


def test_what_matters_is_found() -> None:
    some = choices()
    fitted = FIT["fit"](some)
    weights, where_long = fitted
    assert weights.tolist() == where_long.tolist()  # all of these texts are short
    assert weights[DENSE] > weights[LEXICAL] > abs(weights[FACT])
    assert weights[LONG] < -abs(weights[FACT])
    nothing = np.zeros_like(fitted)
    assert loss(some, fitted) < 0.7 * loss(some, nothing)
    unseen = choices(seed=2)
    assert loss(unseen, fitted) < loss(unseen, nothing)


def test_what_counts_more_where_texts_are_long_is_found() -> None:
    among_short = choices(120, near=2.0)
    among_long = [FIT["replace"](one, usual_length=LONG_TEXTS) for one in choices(120, seed=2, near=10.0)]
    short, long = FIT["fit"]([*among_short, *among_long])
    assert long[DENSE] > short[DENSE] + 1.0
    one = among_long[0]
    assert one.sums([short, long]).tolist() == (one.signals @ long).tolist()
    halfway = FIT["replace"](one, usual_length=(SHORT_TEXTS * LONG_TEXTS) ** 0.5)
    assert halfway.sums([short, long]) == pytest.approx(one.signals @ (short + long) / 2)


@pytest.mark.parametrize("floor", [0.0, 0.5])
def test_no_weight_is_below_its_floor(floor: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FIT["FLOORS"], "lexical", floor)
    some = choices()
    for choice in some:
        choice.signals[:, LEXICAL] *= -1  # what is right has fewer of them
    assert FIT["fit"](some)[:, LEXICAL].tolist() == [floor, floor]
    # Where texts are long only, that is its weight there, and where they are short it counts as much as it does.
    where_long = [FIT["replace"](one, usual_length=LONG_TEXTS) for one in some]
    short, long = FIT["fit"]([*choices(seed=2), *choices(seed=3), *where_long])[:, LEXICAL]
    assert long == floor
    assert short == pytest.approx(FIT["fit"]([*choices(seed=2), *choices(seed=3)])[0, LEXICAL], rel=0.3)


def test_no_shipped_weight_is_below_its_floor() -> None:
    for table in FIT["TABLES"]:
        shipped = fitted(table)
        for name, floor in FIT["FLOORS"].items():
            assert min(shipped.get(name, (0.0, 0.0))) >= floor, (table, name)


def test_what_never_differs_counts_nothing() -> None:
    weights = FIT["fit"](choices())
    assert np.flatnonzero(weights[0]).tolist() == [DENSE, LEXICAL, LONG, FACT]
    some = choices()
    for choice in some:
        choice.signals[:, FACT] = 1.0
    assert FIT["fit"](some)[:, FACT].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("factor", [0.01, 100.0])
def test_the_scale_of_a_signal_does_not_matter(factor: float) -> None:
    some, scaled = choices(), choices()
    for choice in scaled:
        choice.signals[:, DENSE] *= factor
    plain, other = FIT["fit"](some)[0], FIT["fit"](scaled)[0]
    assert other[DENSE] * factor == pytest.approx(plain[DENSE], rel=1e-3)
    assert other[LEXICAL] == pytest.approx(plain[LEXICAL], rel=1e-3)


def test_every_file_counts_the_same_however_long() -> None:
    few, many = choices(20, seed=3, dataset="few"), choices(40, seed=4, dataset="many")
    assert FIT["fit"]([*few, *many, *many]) == pytest.approx(FIT["fit"]([*few, *many]), rel=2e-2, abs=1e-3)


def test_questions_without_an_answer_among_the_candidates_are_passed_over() -> None:
    some = choices(20)
    lost = [
        FIT["Choice"]("vectors", "vectors", "one", "part 0", one.signals, np.array([], np.int64), 1)
        for one in choices(5)
    ]
    assert FIT["fit"]([*some, *lost]).tolist() == FIT["fit"](some).tolist()


def test_shares_count_what_is_among_the_first() -> None:
    signals = np.zeros((30, len(SIGNALS)))
    signals[:, DENSE] = np.linspace(1.0, 0.0, 30)
    weights = np.zeros(len(SIGNALS))
    weights[DENSE] = 1.0
    choice = FIT["Choice"]("vectors", "vectors", "one", "part", signals, np.array([0, 7, 20]), 4)
    assert FIT["shares"](choice, {"vectors": both(weights)}) == ("one", [0.25, 0.5, 0.75])


def test_what_a_reranker_says_is_weighed_against_the_sums() -> None:
    weights = np.zeros(len(SIGNALS))
    weights[DENSE], weights[LEXICAL] = 8.0, 4.0
    some, best = [], np.arange(12)
    for one in choices(200, seed=5):  # what is right by the sum, and twice as much by what was said
        said = np.random.default_rng(one.gold[0]).uniform(-1.0, 1.0, 12)
        sums = (one.signals @ weights)[:12] + 6.0 * said + np.random.default_rng(9).gumbel(size=12)
        some.append(FIT["replace"](one, gold=np.array([sums.argmax()]), reread=best, said=said))
    reranked = FIT["fit_reranked"](some, {"vectors": both(weights)})
    assert 4.0 < reranked < 9.0
    unread = [FIT["replace"](one, gold=np.array([15])) for one in some[:5]]  # the right one was not read again
    assert FIT["fit_reranked"]([*some, *unread], {"vectors": both(weights)}) == reranked


def test_what_was_read_again_goes_first() -> None:
    signals = np.zeros((30, len(SIGNALS)))
    signals[:, DENSE] = np.linspace(1.0, 0.0, 30)
    weights = np.zeros(len(SIGNALS))
    weights[DENSE] = 1.0
    reread, said = np.arange(10), np.linspace(-1.0, 1.0, 10)
    choice = FIT["Choice"]("vectors", "vectors", "one", "part", signals, np.array([8, 9, 10]), 3, reread, said)
    assert FIT["shares"](choice, {"vectors": both(weights)}) == ("one", [0.0, 2 / 3, 1.0])
    assert FIT["shares"](choice, {"vectors": both(weights)}, 5.0) == ("one", [2 / 3, 2 / 3, 1.0])


def test_a_question_is_ranked_by_the_table_that_a_search_takes_for_it() -> None:
    """One without words to compare is fitted in neither, and ranked as a search ranks it."""
    for_vectors = choices()
    wordless = [FIT["replace"](one, table="meanings") for one in for_vectors[:5]]
    with_words = [FIT["replace"](one, table="meanings", ranked_by="meanings") for one in choices(seed=2)]
    for one in with_words:
        one.signals[:, SIGNALS.index("meaning")] = one.signals[:, DENSE]
    words = [FIT["replace"](one, table="words", ranked_by="words") for one in choices(seed=3)]
    fitted = FIT["fit_all"]([*for_vectors, *wordless, *with_words, *words])
    assert fitted["vectors"].tolist() == FIT["fit"](for_vectors).tolist()
    assert fitted["meanings"].tolist() == FIT["fit"](with_words).tolist()
    assert FIT["shares"](wordless[0], fitted) == FIT["shares"](for_vectors[0], fitted)


# The script.

SAID = [
    ("Anna", "I adopted a greyhound called Comet last spring."),
    ("Ben", "Lovely! I am still busy restoring my grandmother's piano."),
    ("Anna", "We walk along the river every morning before work."),
    ("Ben", "I am allergic to walnuts, so please leave them out of the cake."),
    ("Anna", "My sister Clara moved to Oslo to study marine biology."),
    ("Ben", "The piano is done, I played it at the harvest festival."),
]
ASKED = [
    ("What is the name of Anna's greyhound?", ["m0"]),
    ("What happened with Ben's piano?", ["m1", "m5"]),
    ("Where does Clara study?", ["m4"]),
    ("Which nuts is Ben allergic to?", ["m3"]),
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Two conversations, asked about in the same words."""
    stores = [
        {
            "id": name,
            "messages": [
                {"id": f"m{number}", "session": "s", "speaker": who, "time": "2023-05-08T13:56:00", "text": text}
                for number, (who, text) in enumerate(SAID)
            ],
            "questions": [
                {"id": f"q{number}", "text": text, "gold": gold, "category": "any"}
                for number, (text, gold) in enumerate(ASKED)
            ],
        }
        for name in ("first", "second")
    ]
    path = tmp_path / "tiny.json"
    path.write_text(json.dumps({"name": "tiny", "stores": stores}))
    return path


def test_the_script_reports_and_writes_only_when_told_to(data: Path, tmp_path: Path) -> None:
    before = WEIGHTS.read_bytes()
    cache = tmp_path / "signals.pickle"
    command = [sys.executable, str(SCRIPT), "--data", str(data), "--cache", str(cache)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ})
    assert (done.returncode, done.stderr) == (0, "")
    assert WEIGHTS.read_bytes() == before
    lines = done.stdout.splitlines()
    assert lines[:2] == ["tiny first: 6 messages", "tiny second: 6 messages"]
    assert [line.split(" tiny ")[0].strip() for line in lines[2:]] == [
        "meanings, held out",
        "meanings, fitted",
        "vectors, held out",
        "vectors, fitted",
        "words, held out",
        "words, fitted",
    ]
    # There are six messages, so ten hold all answers.
    assert all(line.split(" / ")[1:] == ["100.0", "100.0"] for line in lines[2:])
    again = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ})
    assert again.stdout.splitlines() == lines[2:]
    assert WEIGHTS.read_bytes() == before


def test_what_it_writes_is_what_a_search_reads(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    written = tmp_path / "weights.json"
    main = FIT["main"]
    monkeypatch.setitem(main.__globals__, "WEIGHTS", written)
    monkeypatch.setattr(sys, "argv", ["fit_recall.py", "--data", str(data), "--write"])
    before = WEIGHTS.read_bytes()
    main()
    assert capsys.readouterr().out.endswith("written to weights.json\n")
    assert WEIGHTS.read_bytes() == before
    tables = json.loads(written.read_text("utf-8"))
    assert list(tables) == ["meanings", "vectors", "words"] == list(json.loads(before))
    assert all(set(table) <= set(SIGNALS) - set(BY_HAND) for table in tables.values())
    assert min(tables["vectors"]["dense"]) > 0
    assert "dense" not in tables["words"]
    assert min(tables["meanings"]["meaning"]) > 0
    assert "meaning" not in tables["vectors"]
    # Without a reranker what one counts stays as it is.
    assert [table["reranked"] for table in tables.values()] == 3 * [json.loads(before)["meanings"]["reranked"]]


def test_the_directions_of_words_are_found_and_written_only_when_told_to(data: Path) -> None:
    before = BUNDLED_WORDS.read_bytes()
    command = [sys.executable, str(ROOT / "scripts" / "fit_words.py"), "--data", str(data)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ})
    assert (done.returncode, done.stderr) == (0, "")
    # Twelve messages, three words of each: they need no more than 36 directions.
    assert done.stdout == "36 words of 1 files; 100.0% is in 64 directions\n"
    assert BUNDLED_WORDS.read_bytes() == before


def test_the_weights_that_are_shipped_look_as_the_script_writes_them() -> None:
    shipped = json.loads(WEIGHTS.read_text("utf-8"))
    tables = {}
    for name, table in shipped.items():
        assert list(table) == sorted(table, key=SIGNALS.index)
        reranked = table.pop("reranked")[0]
        weights = np.array([table.get(signal, (0.0, 0.0)) for signal in SIGNALS]).T
        tables[name] = weights, reranked
    assert WEIGHTS.read_text("utf-8") == FIT["written"](tables)
