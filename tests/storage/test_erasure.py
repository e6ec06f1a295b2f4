"""What was deleted is in no file any more."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import emberkeep
from emberkeep.language.terms import term_of
from emberkeep.testing import WordEmbedder

SAID = "Quetzalcoatl whispered xylophonically"
TRACES = ["quetzalcoatl", "whispered", "xylophonically"]
Open = Callable[..., emberkeep.Memory]


@pytest.fixture
def target(tmp_path: Path) -> str:
    return str(tmp_path / "store" / "agent.db")


def traces(target: str) -> set[str]:
    """What of the secret stands in the files of a store: its words, their stems' hashes, its vector."""
    found = set()
    terms = {word: term_of(word).to_bytes(8, "little") for word in TRACES}
    vector = WordEmbedder().embed([SAID])[0].astype("<f2").tobytes()
    for path in Path(target).parent.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            found |= {word for word in TRACES if word.encode() in content.lower()}
            found |= {f"hash of {word}" for word, hashed in terms.items() if hashed in content}
            found |= {"vector"} if vector in content else set()
    return found


def fill(memory: emberkeep.Memory, count: int = 300) -> None:
    memory.add([f"ordinary line number {n} about the weather" for n in range(count)], user_id="alex")


def test_the_search_for_traces_finds_some_before_anything_is_deleted(target: str, opened: Open) -> None:
    opened(target).add(SAID, user_id="alex")
    assert len(traces(target)) == 7


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["delete", "delete_all"])
@pytest.mark.parametrize("many", [False, True], ids=["small", "large"])
def test_nothing_of_it_is_left_in_any_file(target: str, opened: Open, verb: str, many: bool) -> None:
    memory = opened(target, large_from=200 if many else 10_000)
    fill(memory)
    item_id = memory.add(SAID, user_id="alex", session_id="s", metadata={"said": SAID}, tags=[SAID]).id
    memory.update(item_id, f"{SAID} again", metadata={"said": SAID})
    memory.search(SAID, user_id="alex", touch=True)
    memory.upkeep()
    memory.update(item_id, SAID)
    if verb == "delete":
        memory.delete(item_id)
    else:
        memory.delete_all(user_id="alex", session_id="s")
    assert traces(target) == set()
    fill(memory, 400)
    memory.search("weather", user_id="alex")
    memory.upkeep()
    assert traces(target) == set()
    memory.close()
    assert traces(target) == set()
    assert len(opened(target).get_all(user_id="alex", limit=1_000)) == 400


def test_deleting_a_whole_user_leaves_nothing(target: str, opened: Open) -> None:
    memory = opened(target)
    fill(memory)
    for n in range(50):
        memory.add([f"{SAID} {n}", SAID], user_id="sam")
    memory.add(f"{SAID} later", user_id="sam", learn="later")
    memory.delete_all(user_id="sam")
    assert traces(target) == set()


def test_a_memory_that_was_open_meanwhile_leaves_nothing_either(target: str, opened: Open) -> None:
    memory, other = opened(target), opened(target)
    fill(memory)
    item_id = memory.add(SAID, user_id="alex").id
    assert other.search(SAID, user_id="alex")[0].id == item_id
    other.add("something else", user_id="alex")
    memory.delete(item_id)
    assert traces(target) == set()
    assert np.all([hit.id != item_id for hit in other.search(SAID, user_id="alex")])
    other.close()
    assert traces(target) == set()
