"""Who is called what: of an index that a test fills, and as a search finds it."""

from collections.abc import Iterable
from typing import Any

import pytest

import emberkeep
from emberkeep.language.names import PossibleNames
from emberkeep.language.terms import pack
from emberkeep.language.traits import traits_of
from emberkeep.recall.calling import LEAST, speakers_called
from emberkeep.storage.shelf_columns import Document
from emberkeep.storage.shelf_index import ShelfIndex

Said = tuple[str, str]  # by whom, and what
GREETED: tuple[Said, ...] = (("elise", "Hey Kate, how are you?"), ("kjones", "Fine, a bit tired"))


def index_of(*conversations: Iterable[Said]) -> ShelfIndex:
    index = ShelfIndex(4)
    for number, said in enumerate(conversations):
        for place, (speaker, text) in enumerate(said):
            index.put([document_of(number, place, speaker, text)])
    return index


def document_of(number: int, place: int, speaker: str, text: str) -> Document:
    values: dict[str, Any] = dict.fromkeys(Document._fields) | {
        "item_id": f"{number:03}-{place:03}",
        "kind": "episode",
        "agent_id": "",
        "session_id": f"s{number}",
        "occurred_at": number,
        "valid_from": 0,
        "traits": traits_of(text).pack(),
        "speaker": speaker,
        "terms": pack(f"{speaker}: {text}").tobytes(),
    }
    return Document(**values)


def called(index: ShelfIndex, *names: str) -> set[str]:
    return set(speakers_called(index, PossibleNames(names))) - {""}


def test_the_other_is_known_by_what_they_are_called() -> None:
    index = index_of(*[GREETED] * LEAST)
    assert called(index, "what", "kate") == {"elise", "kjones kate"}
    numbers = index.speakers()
    assert speakers_called(index, PossibleNames(("kate",)))["kjones kate"] == numbers["kjones"]
    # Only what is asked for, and what is spoken at all.
    assert called(index) == called(index, "rome") == called(index, "elise") == {"elise", "kjones"}


def test_what_they_are_called_is_asked_anew_after_every_change() -> None:
    index = index_of(*[GREETED] * LEAST)
    assert called(index, "kate") == called(index, "kate") == {"elise", "kjones kate"}
    index.remove("000-000")  # the greeting of one conversation: now there are too few
    assert called(index, "kate") == {"elise", "kjones"}
    more = index_of(*[GREETED] * (LEAST + 1))
    index.put([document_of(LEAST, 0, *GREETED[0]), document_of(LEAST, 1, *GREETED[1])])
    assert called(index, "kate") == called(more, "kate") == {"elise", "kjones kate"}


OTHERWISE: dict[str, list[tuple[Said, ...]]] = {
    "too seldom": [GREETED] * (LEAST - 1) + [GREETED[1:]],
    "not in most conversations": [GREETED] * LEAST + [(("elise", "Hello"), ("kjones", "Hi"))] * (LEAST + 1),
    "both speak of her": [(*GREETED, ("kjones", "Kate is well too"))] * LEAST,
    "she comes up later": [(("elise", "Hello"), ("kjones", "Hi"), *GREETED)] * LEAST,
    "one of three may be meant": [(*GREETED, ("omar", "Hello both"))] * LEAST,
    "nobody else is there": [GREETED[:1]] * LEAST,
}


@pytest.mark.parametrize("conversations", OTHERWISE.values(), ids=list(OTHERWISE))
def test_a_name_that_is_used_otherwise_is_nobodys_here(conversations: list[tuple[Said, ...]]) -> None:
    assert "kate" not in " ".join(called(index_of(*conversations), "kate"))


def test_what_one_says_alone_is_no_name_if_it_is_a_common_word() -> None:
    index = index_of(*[(("elise", "When in March?"), ("kjones", "Later"))] * LEAST)
    assert called(index, "when", "march") == {"elise", "kjones"}


def test_a_name_that_both_use_now_and_then_is_still_the_others() -> None:
    index = index_of(*[GREETED] * (2 * LEAST), (*GREETED, ("kjones", "My mother calls me Kate too")))
    assert called(index, "kate") == {"elise", "kjones kate"}


def test_a_question_finds_whom_it_calls_so(memory: emberkeep.Memory) -> None:
    for number in range(LEAST):
        said = [
            {"role": "user", "name": "elise", "content": "Hey Kate!"},
            {"role": "user", "name": "kjones", "content": "Hello"},
            {"role": "user", "name": "elise", "content": f"My drink number {number} is tea"},
            {"role": "user", "name": "kjones", "content": f"My drink number {number} is cocoa"},
        ]
        memory.add(said, session_id=f"s{number}")
    for plan in ("fast", "balanced"):
        first = memory.search("What is the drink number 3 of Kate?", plan=plan, kinds=["episode"])[0]
        evidence = {one.channel: one.worth for one in first.why.evidence}
        assert first.item.speaker == "kjones"
        assert evidence["speaker"] > 0
