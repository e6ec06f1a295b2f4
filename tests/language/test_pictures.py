"""Pictures as terms: what stands for a thing is looked for, what says how one feels is not."""

import pytest

import emberkeep
from emberkeep.language.pictures import pictures
from emberkeep.language.terms import words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I play 🎸", ["🎸"]),
        ("I ❤️ 🍣", ["🍣"]),
        ("two 🐶🐶", ["🐶", "🐶"]),
        ("🇵🇹 and 🇪🇸", ["🇵🇹", "🇪🇸"]),
        ("✈️ ☕ ⚽", ["✈", "☕", "⚽"]),
        ("👍🏽 😂 🙏 💕 ☺️ 🔥 🎉"[:-2], []),
        ("👩‍🚀", ["👩", "🚀"]),
        ("no pictures at all, not even ü or 中", []),
    ],
)
def test_pictures_that_stand_for_things(text: str, found: list[str]) -> None:
    assert pictures(text) == found
    assert [word for word in words(text) if word in found] == found


def test_a_question_of_a_picture_finds_it_and_says_that_the_model_did_not_help() -> None:
    with emberkeep.open(":memory:") as memory:
        for said in ("I play 🎸", "I ❤️ 🍣", "We were in 🇵🇹"):
            memory.add(said, user_id="alex")
        for asked, said in (("🎸", "🎸"), ("🍣?", "🍣"), ("🇵🇹", "🇵🇹"), ("who plays 🎸?", "🎸")):
            hits = memory.search(asked, user_id="alex", limit=1)
            assert said in hits[0].text
            assert bool(hits.degraded) == (asked.isascii() or not any(map(str.isalpha, asked)))
