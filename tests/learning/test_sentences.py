"""The hand-labelled messages that measure learning: well formed, balanced, and with dates that agree.

A line is a message and what it teaches. `has`: words the finding's text must hold. `on`: the first day of the period
said, null for none, "any" for unchecked. `tags`: null for unchecked. `optional`: counts neither for nor against.
"""

import json
import re
from collections import Counter
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
MONTHS = "January February March April May June July August September October November December".split()
DATE = re.compile(rf"\b(?:(\d{{1,2}}) )?({'|'.join(MONTHS)}) (\d{{4}})\b")
YEAR = re.compile(r"(?:since )?((?:19|20)\d\d)")

Line = dict[str, Any]


def read(name: str) -> list[Line]:
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


DEV = read("sentences.jsonl")
HELD_BACK = read("held_back.jsonl")
ALL = [*DEV, *HELD_BACK]


def dates(has: list[str]) -> set[str]:
    """The first day of each period named in the words."""
    days = {
        date(int(year), MONTHS.index(month) + 1, int(day or 1)).isoformat()
        for day, month, year in (match.groups() for word in has for match in DATE.finditer(word))
    }
    return days or {f"{match[1]}-01-01" for word in has if (match := YEAR.fullmatch(word))}


def test_there_are_enough_and_each_has_its_own_id_and_words() -> None:
    assert len(ALL) >= 300
    assert len({line["id"] for line in ALL}) == len(ALL)
    assert len({line["said"].casefold() for line in ALL}) == len(ALL)


def test_a_third_is_held_back() -> None:
    assert 0.3 < len(HELD_BACK) / len(ALL) < 0.37


def test_each_line_is_well_formed() -> None:
    for line in ALL:
        at = datetime.fromisoformat(line["at"])
        assert set(line) == {"id", "domain", "at", "role", "name", "said", "found"}, line
        assert at.tzinfo is not None, line
        assert 2023 <= at.year <= 2026, line
        assert line["said"].strip(), line
        assert line["name"] is None or line["name"].strip(), line
        assert line["role"] in {"user", "customer"} or not line["found"], line


def test_each_finding_is_well_formed() -> None:
    for finding in (finding for line in ALL for finding in line["found"]):
        assert set(finding) - {"optional"} == {"kind", "tags", "has", "on"}, finding
        assert finding.get("optional", True) is True, finding
        assert finding["kind"] in {"fact", "preference", "decision"}, finding
        assert finding["tags"] in (None, [], ["plan"], ["event"]), finding
        assert finding["kind"] == "fact" or not finding["tags"], finding
        assert 1 <= len(finding["has"]) <= 4, finding
        assert all(word.strip() == word != "" for word in finding["has"]), finding


def test_the_date_in_the_words_is_the_date_it_happened() -> None:
    for line in ALL:
        for finding in (one for one in line["found"] if one["on"] != "any"):
            on = {finding["on"]} - {None}
            assert dates(finding["has"]) == on, line
            assert finding["tags"] != ["event"] or all(day <= line["at"][:10] for day in on), line


@pytest.mark.parametrize("lines", [DEV, HELD_BACK], ids=["dev", "held back"])
def test_it_is_balanced(lines: list[Line]) -> None:
    nothing = sum(not line["found"] for line in lines) / len(lines)
    nameless = sum(line["name"] is None for line in lines) / len(lines)
    domains = Counter(line["domain"] for line in lines)
    assert 0.35 < nothing < 0.55
    assert 0.3 < nameless < 0.5
    assert set(domains) == {"voice", "coding", "support", "family"}
    assert max(domains.values()) < 1.2 * min(domains.values())
