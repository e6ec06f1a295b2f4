"""The inputs that are kept for fuzzing, and worse ones made of them, are given to every target without a fuzzer."""

from random import Random

import pytest
from fuzz.corpus import CORPUS, inputs, words_of
from fuzz.mutation import mutated
from fuzz.targets import TARGETS, attempt
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from emberkeep.service.verbs import VERBS

SLOW = {"backup", "mempalace"}  # which make files for every input


def test_every_target_has_inputs_and_every_verb_is_called() -> None:
    assert {path.name for path in CORPUS.iterdir()} == set(TARGETS)
    assert {name.removesuffix(".json") for name in inputs("calls")} >= set(VERBS)


@pytest.mark.parametrize("target", TARGETS)
def test_what_was_kept_is_no_fault(target: str) -> None:
    for data in inputs(target).values():
        attempt(target, data)


@pytest.mark.slow
@pytest.mark.parametrize("target", [target for target in TARGETS if target not in SLOW])
@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32))
def test_what_is_made_of_it_is_no_fault_either(target: str, seed: int) -> None:
    random = Random(seed)
    attempt(target, mutated(random.choice(list(inputs(target).values())), random, words_of(target)))


@pytest.mark.slow
@pytest.mark.parametrize("target", sorted(SLOW))
@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32))
def test_nor_what_is_made_of_files(target: str, seed: int) -> None:
    random = Random(seed)
    attempt(target, mutated(random.choice(list(inputs(target).values())), random, words_of(target)))


@pytest.mark.parametrize("target", TARGETS)
@settings(max_examples=25, deadline=None, derandomize=True)
@given(data=st.binary(max_size=200))
def test_any_bytes_are_no_fault(target: str, data: bytes) -> None:
    if target not in SLOW:
        attempt(target, data)
