"""Reading files of things to know."""

from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import pytest

from emberkeep.capture.seeding import Seed, parse_seeds
from emberkeep.config import Config
from emberkeep.errors import InvalidInput


def seeds(text: str, form: Literal["lines", "jsonl"] | None = None, **settings: Any) -> list[Seed]:
    return parse_seeds(text, form, Config(max_text_chars=1_000, **{"time_zone": "UTC", **settings}))


@pytest.mark.parametrize("line", ["2026-05-20: moved", '{"text": "moved", "occurred_at": "2026-05-20"}'])
def test_a_date_is_one_of_where_it_is_told(line: str) -> None:
    (seed,) = seeds(line, time_zone="America/New_York")
    assert seed.occurred_at == datetime(2026, 5, 20, 4, tzinfo=UTC)
    assert seed.occurred_at.utcoffset() == timedelta(hours=-4)


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85"])
def test_what_ends_lines_elsewhere_does_not_end_a_line_of_json(mark: str) -> None:
    assert [seed.text for seed in seeds(f'{{"text": "one{mark}two"}}\r\n{{"text": "three"}}')] == [
        f"one{mark}two",
        "three",
    ]


def test_lines_bullets_numbers_and_boxes() -> None:
    text = "Plain\n- dash\n* star\n+ plus\n• dot\n1. one\n2) two\n- [x] done\n- [ ] to do\n   \n"
    assert [seed.text for seed in seeds(text)] == [
        "Plain", "dash", "star", "plus", "dot", "one", "two", "done", "to do",
    ]  # fmt: skip
    assert seeds(text)[1].line == 2


@pytest.mark.parametrize(
    "line",
    [
        "2026-05-20: moved", "- 2026-05-20 moved", "[2026-05-20] moved", "* (2026-05-20) moved",
        "2026-05-20 - moved", "2026-05-20 | moved", "2026-05-20, moved", "- [2026-05-20]: moved",
    ],
)  # fmt: skip
def test_dates_in_front(line: str) -> None:
    (seed,) = seeds(line)
    assert (seed.text, seed.occurred_at) == ("moved", datetime(2026, 5, 20, tzinfo=UTC))


def test_times_in_front() -> None:
    assert seeds("2026-05-20T10:30:00+02:00: moved")[0].occurred_at == datetime(2026, 5, 20, 8, 30, tzinfo=UTC)
    assert seeds("2026-05-20 10:30 moved")[0].occurred_at == datetime(2026, 5, 20, 10, 30, tzinfo=UTC)
    assert seeds("2026 was a good year")[0] == Seed("2026 was a good year", 1)


def test_headings_name_the_section_and_code_is_left_out() -> None:
    text = "# People\n- Ana\n```\ncode\n```\n---\n<!-- note -->\n## Places ##\nLisbon"
    assert [(seed.text, seed.metadata) for seed in seeds(text)] == [
        ("Ana", {"section": "People"}),
        ("Lisbon", {"section": "Places"}),
    ]


def test_jsonl() -> None:
    line = (
        '{"text": "likes tea", "kind": "preference", "date": "2026-05-20", "user_id": "sam", "tags": ["x"], '
        '"metadata": {"a": 1}, "sacred": true}'
    )
    assert seeds(line + "\n\n" + '{"content": "b"}') == [
        Seed(
            "likes tea", 1, datetime(2026, 5, 20, tzinfo=UTC), "preference", "sam", None, ("x",), {"a": 1}, sacred=True
        ),
        Seed("b", 3),
    ]


@pytest.mark.parametrize("options", [{}, {"form": "jsonl"}])
def test_a_json_array_of_objects_and_texts(options: dict[str, Any]) -> None:
    text = '\n[\n  {"text": "likes tea",\n   "kind": "preference"},\n  "b\\nc",\n  {"memory": "d"}\n]\n'
    assert seeds(text, **options) == [Seed("likes tea", 1, kind="preference"), Seed("b\nc", 2), Seed("d", 3)]
    assert seeds('["a"]', **options) == [Seed("a", 1)]
    assert seeds(" [ ] ", **options) == []


@pytest.mark.parametrize("line", ["[link](https://example.com)", "[x] done", "[2026] was good", "[] is an empty list"])
def test_a_line_may_begin_like_an_array(line: str) -> None:
    assert len(seeds(line)) == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('["a", {"text": " "}]', "element 2: text is empty"),
        ('["a", 7]', "element 2: this must be a JSON object"),
        ('[{"text": "a", "kind": "myth"}]', "element 1: unknown kind"),
        ('[{"text": "a"},]', "not JSON"),
        ('{"text": "a"}\n{"text": ', "line 2: this is not JSON"),
        ('{"text": "a"}\n[1]', "line 2: this must be a JSON object"),
        ('{"text": "a", "mood": 1}', "unknown field 'mood'"),
        ('{"text": "a", "sources": "m1"}', "sources is str, not a list"),
        ('{"text": "a", "sources": ["m1"]}', 'a source is ."exchange": its id'),
        ('{"text": "a", "sources": [{"exchange": "x", "message": -1}]}', 'a source is ."exchange": its id'),
        ('{"text": "a", "sources": [{"exchange": "x", "message": 0, "by": "me"}]}', 'a source is ."exchange": its id'),
        ('{"kind": "fact"}', "line 1: text must be a string"),
        ('{"text": "a", "kind": "myth"}', "line 1: unknown kind"),
        ('{"text": "a", "date": "soon"}', "line 1: 'soon' is not a date"),
        ('{"text": "a", "sacred": "yes"}', "sacred must be true or false"),
        ("2026-13-40: moved", "line 1: '2026-13-40' is not a date"),
        ("x" * 1_001, "line 1: text has 1,001 characters"),
    ],
)
def test_a_mistake_names_its_line(text: str, says: str) -> None:
    with pytest.raises(InvalidInput, match=says):
        seeds(text)


def test_nothing_is_nothing() -> None:
    assert seeds("") == seeds("\n# Only a heading\n") == []
