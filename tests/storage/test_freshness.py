"""What a replica must have replayed before a tenant reads from it."""

import pytest

from emberkeep.errors import InvalidInput
from emberkeep.model.position import parse_position, position_token
from emberkeep.storage import freshness
from emberkeep.storage.freshness import Marks


def test_whoever_wrote_nothing_may_read_anything() -> None:
    marks = Marks()
    marks.wrote("acme")
    assert marks.of("globex") is None


def test_where_a_write_stands_is_learned_afterwards() -> None:
    marks = Marks()
    marks.wrote("acme")
    mark = marks.of("acme")
    assert mark is not None
    assert not mark.is_known
    marks.settle("acme", mark, 500)
    settled = marks.of("acme")
    assert settled is not None
    assert (settled.is_known, settled.position) == (True, 500)
    marks.passed("acme", settled)
    assert marks.of("acme") is None


def test_a_write_meanwhile_is_not_taken_for_the_one_before() -> None:
    marks = Marks()
    marks.wrote("acme")
    first = marks.of("acme")
    assert first is not None
    marks.wrote("acme")
    second = marks.of("acme")
    marks.settle("acme", first, 500)
    marks.passed("acme", first)
    assert marks.of("acme") is second


def test_what_was_seen_elsewhere_only_adds() -> None:
    marks = Marks()
    marks.expect("acme", 700)
    marks.expect("acme", 600)
    mark = marks.of("acme")
    assert mark is not None
    assert mark.position == 700
    marks.wrote("acme")
    unknown = marks.of("acme")
    marks.expect("acme", 800)
    assert marks.of("acme") is unknown


def test_a_position_from_the_future_is_the_present() -> None:
    marks = Marks()
    marks.expect("acme", 2**60)
    mark = marks.of("acme")
    assert mark is not None
    marks.settle("acme", mark, 500)
    settled = marks.of("acme")
    assert settled is not None
    assert settled.position == 500


def test_of_too_many_tenants_each_has_to_be_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(freshness, "MOST_TENANTS", 3)
    marks = Marks()
    for number in range(4):
        marks.wrote(f"tenant {number}")
    for tenant in ("tenant 0", "anyone"):
        mark = marks.of(tenant)
        assert mark is not None
        assert not mark.is_known
    mark = marks.of("tenant 3")
    assert mark is not None
    marks.settle("tenant 3", mark, 500)
    settled = marks.of("tenant 3")
    assert settled is not None
    marks.passed("tenant 3", settled)
    assert marks.of("tenant 3") is settled, "or it would have to be as fresh as all others again"
    others = marks.of("anyone")
    assert others is not None
    marks.passed("anyone", others)
    assert marks.of("tenant 0") is None


@pytest.mark.parametrize(
    "token", ["", "16", "16/", "/16", "G/1", "1/2/3", "123456789/1", " 1/2", "1/2\n", "-1/2", "1/\u00df"]
)
def test_tokens_that_are_none(token: str) -> None:
    with pytest.raises(InvalidInput, match="send back what a write was answered with"):
        parse_position(token)


@pytest.mark.parametrize(("token", "position"), [("0/0", 0), ("16/B374D848", 0x16B374D848), ("a/1", 0xA00000001)])
def test_tokens_are_numbers(token: str, position: int) -> None:
    assert parse_position(token) == position
    assert position_token(position) == token.upper()
