"""Steps: one call of a tool each, whatever it returned."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import emberkeep
from emberkeep.model.work import MAX_OUTPUT_CHARS, capped
from emberkeep.testing import FixedClock


class Strange:
    def __repr__(self) -> str:
        return "Strange()"


class Unsayable:
    def __repr__(self) -> str:
        raise ValueError("no words")


def test_steps_are_numbered_and_kept_in_order(plain: emberkeep.Memory, clock: FixedClock) -> None:
    plain.tasks.start("Water the plants", id="t")
    first = plain.tasks.step("t", "tap", parameters={"litres": 5}, output="wet", duration_ms=12)
    clock.move(seconds=1)
    second = plain.tasks.step("t", "tap", success=False, iteration=7)
    assert [(step.number, step.iteration) for step in (first, second)] == [(1, 1), (2, 7)]
    assert (first.parameters, first.duration_ms, first.success) == ({"litres": 5}, 12.0, True)
    assert (second.output, second.parameters, second.duration_ms, second.success) == ("", {}, None, False)
    assert plain.tasks.steps("t") == [first, second]
    assert plain.tasks.steps("t", limit=1) == [second]
    with pytest.raises(emberkeep.InvalidInput, match="limit"):
        plain.tasks.steps("t", limit=0)


@pytest.mark.parametrize(
    ("output", "kept"),
    [
        (None, ""),
        ("", ""),
        (b"caf\xc3\xa9 \xff", "café �"),
        (bytearray(b"raw"), "raw"),
        ({"a": [1, None, "ü"]}, '{"a": [1, null, "ü"]}'),
        ((1, 2), "[1, 2]"),
        (5, "5"),
        (True, "true"),
        (float("nan"), "nan"),
        ([float("inf")], '["inf"]'),
        (Strange(), "Strange()"),
        (ValueError("boom"), "ValueError('boom')"),
        (Unsayable(), "<Unsayable: ValueError>"),
        ("NUL \x00 and half \ud83d", "NUL \ufffd and half ?"),
        ({"\x00": "\ud800"}, '{"\ufffd": "?"}'),
        (10**5_000, hex(10**5_000)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_whatever_a_tool_returned_is_kept_as_text(plain: emberkeep.Memory, output: object, kept: str) -> None:
    plain.tasks.start("Water", id="t")
    step = plain.tasks.step("t", "tool", output=output)
    assert (step.output, step.output_chars, step.is_cut) == (kept, len(kept), False)
    assert plain.tasks.steps("t") == [step]


@pytest.mark.parametrize(
    ("parameters", "kept"),
    [
        (None, {}),
        ([1, "a"], [1, "a"]),
        ("text", "text"),
        (0, 0),
        (False, False),
        ({"x": Strange(), 1: b"\x00"}, {"x": "Strange()", "1": "b'\\x00'"}),
        ({"n": 10**5_000}, {"n": hex(10**5_000)}),
        ({"half": "\ud800", "nul": "\x00"}, {"half": "?", "nul": "\ufffd"}),
    ],
)
def test_parameters_are_kept_as_json_has_them(plain: emberkeep.Memory, parameters: object, kept: object) -> None:
    plain.tasks.start("Water", id="t")
    step = plain.tasks.step("t", "tool", parameters=parameters)
    assert step.parameters == kept
    assert plain.tasks.steps("t") == [step]


def test_large_parameters_are_cut(plain: emberkeep.Memory) -> None:
    plain.tasks.start("Water", id="t")
    step = plain.tasks.step("t", "tool", parameters={"body": "x" * 1_000_000})
    assert len(step.parameters["cut"]) == MAX_OUTPUT_CHARS + 1
    assert plain.tasks.steps("t") == [step]


@pytest.mark.parametrize("length", [MAX_OUTPUT_CHARS, MAX_OUTPUT_CHARS + 1, 100_000_000])
def test_a_long_output_is_cut_and_says_so(stored: emberkeep.Memory, length: int) -> None:
    stored.tasks.start("Water", id="t")
    step = stored.tasks.step("t", "cat", output="é" * length)
    assert len(step.output) == min(length, MAX_OUTPUT_CHARS)
    assert step.output_chars == length
    assert step.is_cut == (length > MAX_OUTPUT_CHARS) == ("more characters were cut]" in step.output)
    assert stored.tasks.steps("t") == [step]
    again = stored.tasks.step("t", "cat", output=b"x" * length)
    assert (len(again.output), again.output_chars) == (len(step.output), length)


@given(st.integers(MAX_OUTPUT_CHARS + 1, 2_000_000_000))
def test_the_mark_counts_what_is_missing(chars: int) -> None:
    kept = capped("x" * 2 * MAX_OUTPUT_CHARS, chars)
    beginning, _, mark = kept.partition("\n")
    assert len(kept) == MAX_OUTPUT_CHARS
    assert len(beginning) + int(mark.split()[1].replace(",", "")) == chars


def test_of_secrets_in_outputs_nothing_is_left_at_the_cut(target: str, opened: Any) -> None:
    memory = opened(target, redact=True)
    memory.tasks.start("Water", id="t")
    secret = "sk-proj-" + "Ab3" * 20
    for before in (0, 100, MAX_OUTPUT_CHARS - 90, MAX_OUTPUT_CHARS - 60, MAX_OUTPUT_CHARS - 10):
        step = memory.tasks.step("t", "cat", output="y " * (before // 2) + secret + " tail" * 10_000)
        assert secret[:12] not in step.output
        assert len(step.output) == MAX_OUTPUT_CHARS
        assert step.is_cut
    short = memory.tasks.step("t", "cat", output=f"key {secret}", parameters={"password": "hunter22", "a": secret})
    assert "Ab3" not in repr(short)
    assert "hunter22" not in repr(short)
    assert not short.is_cut


@pytest.mark.parametrize(
    ("given_", "said"),
    [
        ({"tool": 5}, "tool must be a string"),
        ({"tool": "\ud800"}, "surrogate"),
        ({"success": 1}, "success is 1"),
        ({"duration_ms": -1}, "duration_ms is -1"),
        ({"duration_ms": float("nan")}, "duration_ms is nan"),
        ({"duration_ms": True}, "duration_ms is True"),
        ({"duration_ms": "5"}, "duration_ms"),
        ({"iteration": -1}, "iteration is -1"),
        ({"iteration": 2**31}, "iteration"),
        ({"iteration": 1.0}, "iteration"),
        ({"task_id": None}, "task_id must be a string"),
    ],
)
def test_bad_input_is_refused(given_: dict[str, Any], said: str) -> None:
    with emberkeep.open(":memory:", embedder="local") as memory:
        memory.tasks.start("Water", id="t")
        with pytest.raises(emberkeep.InvalidInput, match=said):
            memory.tasks.step(**{"task_id": "t", "tool": "tap", **given_})
        assert memory.tasks.steps("t") == []


def test_deleting_a_task_takes_its_steps_and_leaves_its_decisions(plain: emberkeep.Memory) -> None:
    for task in ("t", "u"):
        plain.tasks.start("Water", id=task)
        plain.tasks.step(task, "tap")
    decision = plain.decisions.log("Use rain water", task_id="t")
    assert plain.tasks.delete("t").rows["steps"] == 1
    assert plain.decisions.get(decision.id).task_id is None
    plain.tasks.start("Water", id="t")
    assert plain.tasks.steps("t") == []
    assert len(plain.tasks.steps("u")) == 1
