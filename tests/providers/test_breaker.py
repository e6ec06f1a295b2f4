import threading

import pytest

from emberkeep.clock import Deadline
from emberkeep.errors import ModelUnavailable, UnusableReply
from emberkeep.providers.base import Completion, LanguageModel
from emberkeep.providers.breaker import Guarded
from emberkeep.testing import FixedClock, ScriptedModel

DOWN = ModelUnavailable("down")


def ask(model: LanguageModel) -> str:
    return model.complete("", "hello").text


def fail(model: LanguageModel, times: int) -> None:
    for _ in range(times):
        with pytest.raises(ModelUnavailable):
            ask(model)


def test_passes_everything_through_while_all_is_well() -> None:
    scripted = ScriptedModel(["hi"], name="tiny")
    model = Guarded(scripted)
    deadline = Deadline.after(60)

    assert model.name == "tiny"
    assert model.complete("s", "u", schema={"a": 1}, deadline=deadline).text == "hi"
    (asked,) = scripted.asked
    assert (asked.system, asked.user, asked.schema, asked.deadline) == ("s", "u", {"a": 1}, deadline)


def test_is_left_alone_after_failures_in_a_row_and_tried_again_after_the_pause(clock: FixedClock) -> None:
    scripted = ScriptedModel([DOWN, DOWN, DOWN, "hi", "hi"], name="tiny")
    model = Guarded(scripted, failures=3, pause_s=30, clock=clock)
    fail(model, 3)
    clock.move(seconds=20)

    with pytest.raises(ModelUnavailable, match=r"tiny failed 3 times in a row, it is tried again in 10 s; .*: down"):
        ask(model)
    assert len(scripted.asked) == 3

    clock.move(seconds=10)
    assert (ask(model), ask(model)) == ("hi", "hi")


def test_a_success_forgets_the_failures_before(clock: FixedClock) -> None:
    model = Guarded(ScriptedModel([DOWN, DOWN, "hi", DOWN, DOWN, "hi"]), failures=3, clock=clock)
    fail(model, 2)
    assert ask(model) == "hi"
    fail(model, 2)
    assert ask(model) == "hi"


def test_a_failed_trial_starts_the_pause_anew(clock: FixedClock) -> None:
    scripted = ScriptedModel([DOWN] * 3 + ["hi"])
    model = Guarded(scripted, failures=2, pause_s=30, clock=clock)
    fail(model, 2)
    clock.move(seconds=30)
    fail(model, 1)
    clock.move(seconds=29)
    fail(model, 1)
    assert len(scripted.asked) == 3
    clock.move(seconds=1)
    assert ask(model) == "hi"


def test_an_unusable_reply_is_no_failure_of_the_model(clock: FixedClock) -> None:
    replies: list[str | Exception] = [DOWN, UnusableReply("gibberish"), DOWN, UnusableReply("gibberish"), "hi"]
    model = Guarded(ScriptedModel(replies), failures=2, clock=clock)
    fail(model, 4)
    assert ask(model) == "hi"


def test_a_deadline_that_has_passed_is_no_failure_of_the_model() -> None:
    model = Guarded(ScriptedModel(["hi"]), failures=1)
    with pytest.raises(ModelUnavailable, match="deadline"):
        model.complete("", "hello", deadline=Deadline.after(0))
    assert ask(model) == "hi"


def test_a_bug_during_the_trial_does_not_lock_the_model_out(clock: FixedClock) -> None:
    model = Guarded(ScriptedModel([DOWN, ZeroDivisionError(), "hi"]), failures=1, pause_s=30, clock=clock)
    fail(model, 1)
    clock.move(seconds=30)
    with pytest.raises(ZeroDivisionError):
        ask(model)
    assert ask(model) == "hi"


def test_a_clock_set_back_does_not_lengthen_the_pause(clock: FixedClock) -> None:
    model = Guarded(ScriptedModel([DOWN, "hi"]), failures=1, pause_s=30, clock=clock)
    fail(model, 1)
    clock.move(days=-1)
    assert ask(model) == "hi"


def test_only_one_call_tries_it(clock: FixedClock) -> None:
    entered, leave = threading.Event(), threading.Event()

    def answer(prompt: str) -> Completion:
        if not scripted.asked[1:]:
            raise DOWN
        entered.set()
        assert leave.wait(10)
        return Completion("hi", 1, 1)

    scripted = ScriptedModel(answer)
    model = Guarded(scripted, failures=1, pause_s=30, clock=clock)
    fail(model, 1)
    clock.move(seconds=30)
    answers: list[str] = []
    trial = threading.Thread(target=lambda: answers.append(ask(model)))
    trial.start()
    assert entered.wait(10)
    with pytest.raises(ModelUnavailable, match="another call is trying it now"):
        ask(model)
    leave.set()
    trial.join(10)

    assert answers == ["hi"]
    assert len(scripted.asked) == 2
