import inspect
import json

import grpc
import pytest

from emberkeep import errors
from emberkeep.service.statuses import INTERNAL, STATUSES, error_document, status_of

CLASSES = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, errors.EmberkeepError)]


@pytest.mark.parametrize("kind", CLASSES)
def test_every_error_has_its_row(kind: type[errors.EmberkeepError]) -> None:
    assert status_of(kind("no")) is STATUSES[kind]


def test_nothing_else_has_a_row() -> None:
    assert set(STATUSES) == set(CLASSES)


def test_codes_are_unique_and_exit_codes_are_one_or_two() -> None:
    assert len({status.code for status in (*STATUSES.values(), INTERNAL)}) == len(STATUSES) + 1
    assert {kind for kind, status in STATUSES.items() if status.exit_code == 2} == {
        errors.InvalidInput,
        errors.ConfigError,
    }
    assert {status.exit_code for status in STATUSES.values()} == {1, 2}
    assert all(400 <= status.http < 600 for status in STATUSES.values())


def test_every_grpc_code_is_one() -> None:
    names = {code.name for code in grpc.StatusCode}
    assert {status.grpc for status in (*STATUSES.values(), INTERNAL)} <= names - {"OK"}


def test_whoever_asks_too_often_is_told_how_long_to_wait() -> None:
    assert errors.TooManyRequests("slower", retry_after_s=2.5).retry_after_s == 2.5
    assert status_of(errors.TooManyRequests("slower")).http == 429
    assert status_of(errors.Unauthenticated("who?")).http == 401
    assert status_of(errors.AccessDenied("no")).http == 403


def test_a_class_without_a_row_takes_that_of_its_parent() -> None:
    class StoreLocked(errors.StoreBusy):
        pass

    assert status_of(StoreLocked("no")) is STATUSES[errors.StoreBusy]


def test_what_is_not_ours_is_internal() -> None:
    assert status_of(ZeroDivisionError()) is INTERNAL


def test_an_error_document_can_always_be_encoded() -> None:
    document = error_document("invalid_input", "a lone \ud800 surrogate")
    assert json.dumps(document, ensure_ascii=False).encode() == (
        rb'{"error": {"code": "invalid_input", "message": "a lone \\ud800 surrogate"}}'
    )
