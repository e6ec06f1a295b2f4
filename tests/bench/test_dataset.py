import gzip
import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from emberkeep.bench.dataset import Dataset, read_dataset, read_datasets
from emberkeep.errors import InvalidInput

from .conftest import a_dataset, a_store, a_talk_with_an_assistant


def written(tmp_path: Path, document: object, name: str = "data.json") -> Path:
    path = tmp_path / name
    path.write_text(json.dumps(document))
    return path


def read(tmp_path: Path, document: object) -> Dataset:
    return read_dataset(written(tmp_path, document))


def with_message(**changes: Any) -> dict[str, Any]:
    """The data with its first message changed; `None` takes a field away."""
    store = a_store()
    changed = {**store["messages"][0], **changes}
    messages = [{key: value for key, value in changed.items() if value is not None}, *store["messages"][1:]]
    return a_dataset({**store, "messages": messages})


def with_question(**changes: Any) -> dict[str, Any]:
    """The data with its first question changed."""
    store = a_store()
    return a_dataset({**store, "questions": [{**store["questions"][0], **changes}, *store["questions"][1:]]})


# What is read.


def test_conversations_and_questions(tmp_path: Path) -> None:
    dataset = read(tmp_path, a_dataset(a_store(), a_talk_with_an_assistant()))
    assert (dataset.name, dataset.messages, dataset.questions) == ("tiny", 10, 5)
    anna, assistant = dataset.stores
    assert [(session, len(messages)) for session, messages in anna.sessions()] == [("s1", 3), ("s2", 3)]
    assert anna.without_gold == 1
    assert anna.questions[1].gold == ("m2", "m4")
    assert anna.questions[1].gold_sessions == ()
    assert assistant.questions[0].gold_sessions == ("b",)
    assert assistant.questions[0].time == datetime(2024, 2, 2, 10, tzinfo=UTC)


def test_a_gzipped_file_is_the_same_whatever_it_is_called(tmp_path: Path) -> None:
    plain = written(tmp_path, a_dataset(a_store()))
    packed = tmp_path / "packed"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert read_dataset(packed) == read_dataset(plain)


def test_times_without_a_zone_are_in_utc(tmp_path: Path) -> None:
    anna, assistant = read(tmp_path, a_dataset(a_store(), a_talk_with_an_assistant())).stores
    assert anna.messages[0].time == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert assistant.messages[0].time == datetime(2024, 1, 2, 10, tzinfo=timezone(timedelta(hours=2)))


def test_speakers(tmp_path: Path) -> None:
    anna, assistant = read(tmp_path, a_dataset(a_store(), a_talk_with_an_assistant())).stores
    assert (anna.messages[0].role, anna.messages[0].name) == ("user", "Anna")
    assert anna.messages[0].spoken == "Anna: I adopted a greyhound called Comet last spring."
    assert (assistant.messages[1].role, assistant.messages[1].name) == ("assistant", None)
    assert assistant.messages[1].spoken == "Then be at the airport at five."


def test_gold_that_is_named_twice_counts_once(tmp_path: Path) -> None:
    (store,) = read(tmp_path, with_question(gold=["m2", "m2"])).stores
    assert store.questions[0].gold == ("m2",)


def test_a_question_whose_gold_is_left_out_is_not_asked(tmp_path: Path) -> None:
    (store,) = read(tmp_path, with_question(gold=None)).stores
    assert store.without_gold == 2


def test_a_part_for_a_quick_try(tmp_path: Path) -> None:
    dataset = read(tmp_path, a_dataset(a_store(), a_talk_with_an_assistant()))
    assert [len(store.questions) for store in dataset.limited(1).stores] == [1]
    assert [len(store.questions) for store in dataset.limited(2).stores] == [2, 1]


# What is refused, and how.


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ([], "must be an object, not a list"),
        ({"stores": [a_store()]}, "needs name, a text"),
        ({"name": "tiny"}, "needs stores, a list"),
        (a_dataset(), "nothing to measure"),
        ({"name": "tiny", "stores": ["anna"]}, "stores[0]: must be an object, not a text"),
        (a_dataset(a_store(id=7)), "stores[0]: needs id, a text"),
        (a_dataset(a_store(messages=[])), "stores[0]: has no messages"),
        (a_dataset(a_store(questions={})), "stores[0]: needs questions, a list"),
        (a_dataset(a_store(questions=[])), "nothing to measure"),
        (a_dataset(a_store(), a_store()), "store 'anna' is there twice"),
        (with_message(id="m2"), "stores[0]: message 'm2' is there twice"),
        (with_message(text="  "), "stores[0]: messages[0]: needs text, a text"),
        (with_message(speaker=None), "messages[0]: needs speaker"),
        (with_message(session=3), "messages[0]: needs session"),
        (with_message(time="8 May 2023"), "messages[0]: time is '8 May 2023': write ISO 8601"),
        (with_question(id="q2"), "stores[0]: question 'q2' is there twice"),
        (with_question(category=None), "questions[0]: needs category"),
        (with_question(gold="m1"), "questions[0]: needs gold, a list"),
        (with_question(gold=["m1", "m99"]), "questions[0]: gold names 'm99', which is not in its store"),
        (with_question(gold=[{}]), "questions[0]: gold names {}"),
        (with_question(gold_sessions=["s9"]), "questions[0]: gold_sessions names 's9'"),
    ],
)
def test_the_wrong_shape(tmp_path: Path, document: object, said: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        read(tmp_path, document)
    assert str(refused.value).startswith(str(tmp_path / "data.json"))
    assert said in str(refused.value)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"nowhere.json: cannot be read \(No such file or directory\)"):
        read_dataset(tmp_path / "nowhere.json")


@pytest.mark.parametrize("content", [b"{", b"\xff\xfe\x00", b"", b"[" * 100_000])
def test_broken_json(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.json"
    path.write_bytes(content)
    with pytest.raises(InvalidInput, match=r"broken.json: not valid JSON"):
        read_dataset(path)


@pytest.mark.parametrize("damage", ["cut", "flipped", "head"])
def test_broken_gzip(tmp_path: Path, damage: str) -> None:
    whole = gzip.compress(json.dumps(a_dataset(a_store())).encode())
    broken = {"cut": whole[:-40], "flipped": whole[:60] + b"\xff" * 40 + whole[100:], "head": whole[:4]}[damage]
    path = tmp_path / "broken.json.gz"
    path.write_bytes(broken)
    with pytest.raises(InvalidInput, match=r"broken.json.gz: not a whole gzip file"):
        read_dataset(path)


def test_two_files_of_one_name(tmp_path: Path) -> None:
    paths = [written(tmp_path, a_dataset(a_store()), name) for name in ("one.json", "two.json")]
    with pytest.raises(InvalidInput, match=r"two.json: another data set is called 'tiny' too"):
        read_datasets(paths)


def test_a_folder_is_one_data_set_of_all_its_files(tmp_path: Path) -> None:
    folder = tmp_path / "talks"
    folder.mkdir()
    with pytest.raises(InvalidInput, match=r"talks: the folder has no .json or .json.gz file"):
        read_dataset(folder)
    written(folder, a_dataset(a_store()), "b.json")
    written(folder, a_dataset(a_store(id="ben")), "a.json")
    (folder / "old.json").mkdir()
    for name in ("README.md", "answers.jsonl", "a.json.bak", ".a.json"):
        (folder / name).write_text("What this is.")
    found = read_dataset(folder)
    assert found.name == "talks"
    assert [store.id for store in found.stores] == ["ben", "anna"]
    written(folder, a_dataset(a_store()), "c.json")
    with pytest.raises(InvalidInput, match=r"c.json: store 'anna' is in b.json too"):
        read_dataset(folder)


def test_a_file_given_with_its_folder_would_be_measured_twice(tmp_path: Path) -> None:
    folder = tmp_path / "talks"
    folder.mkdir()
    one = written(folder, a_dataset(a_store()), "one.json")
    written(folder, a_dataset(a_store(id="ben")), "two.json")
    (tmp_path / "link.json").symlink_to(one)
    for paths in ([folder, one], [one, folder], [folder, tmp_path / "link.json"]):
        with pytest.raises(InvalidInput, match=r"one.json is in .* too: give each file once"):
            read_datasets(paths)
    (tmp_path / "loop.json").symlink_to(tmp_path / "loop.json")
    for name in ("nowhere.json", "loop.json"):
        with pytest.raises(InvalidInput, match=rf"{name}: cannot be read"):
            read_datasets([folder, tmp_path / name])


@pytest.mark.parametrize(
    ("folder", "size"),
    [("conversations", (16, 5_402, 1_260)), ("notes", (2, 280, 180)), ("unseen", (30, 3_025, 1_626))],
)
def test_the_data_of_the_repository_is_what_its_pages_say(folder: str, size: tuple[int, int, int]) -> None:
    found = read_dataset(Path(__file__).parents[2] / "benchmarks" / folder)
    assert (len(found.stores), found.messages, found.questions) == size
    assert not any(store.without_gold for store in found.stores)
