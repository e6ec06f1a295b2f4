"""Over a server every verb gives what it gives here."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import emberkeep
from emberkeep.service.verbs import VERBS
from emberkeep.testing import FixedClock, WordEmbedder

from .journey import Diary, live_through

_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
_KEY = re.compile(r"(ek_)?[0-9a-f]{16}(_[0-9a-f]{64})?")


def _named_alike(value: object, known: dict[str, str]) -> str:
    """How a value shows itself, with ids by the order in which they came."""
    text = _KEY.sub("key", repr(value)) if "ApiKey" in repr(value) or "NewKey" in repr(value) else repr(value)
    text = text.replace("tenant=''", "tenant='default'")  # an interaction over HTTP does not say whose it is
    return _ID.sub(lambda found: known.setdefault(found[0], f"id-{len(known)}"), text)


@pytest.mark.slow
def test_every_verb_gives_the_same_over_a_server(
    over_http: Callable[..., emberkeep.Memory], clock: FixedClock, tmp_path: Path
) -> None:
    settings = {"embedder": WordEmbedder(), "clock": clock, "keep_events": True, "webhook_private": True}
    with emberkeep.open(":memory:", **settings) as here:  # type: ignore[arg-type]
        embedded, remote = Diary(here), Diary(over_http(**settings))
        for diary in (embedded, remote):
            live_through(diary, tmp_path)
    assert {name for name, _ in remote.written} == VERBS.keys()
    known: tuple[dict[str, str], dict[str, str]] = ({}, {})
    for (name, expected), (_, found) in zip(embedded.written, remote.written, strict=True):
        assert _named_alike(found, known[1]) == _named_alike(expected, known[0]), name
