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
_ANSWERS = re.compile(r", 'idempotency': \d+")  # which a server keeps so as not to repeat itself; they go too
_USED = re.compile(r"last_used_at=(None|datetime\.datetime\([^)]*\))")
_KEY = re.compile(r"(ek_)?[0-9a-f]{16}(_[0-9a-f]{64})?")


def _named_alike(value: object, known: dict[str, str]) -> str:
    """How a value shows itself, with ids by the order in which they came."""
    text = repr(value)
    if any(kind in text for kind in ("ApiKey", "NewKey", "AuditEntry")):
        text = _USED.sub("", _KEY.sub("key", text)).replace("who='local'", "who='key'")
    text = _ANSWERS.sub("", text)
    text = text.replace("tenant=''", "tenant='default'")  # an interaction over HTTP does not say whose it is
    return _ID.sub(lambda found: known.setdefault(found[0], f"id-{len(known)}"), text)


@pytest.mark.slow
def test_every_verb_gives_the_same_over_a_server(
    over_http: Callable[..., emberkeep.Memory], clock: FixedClock, tmp_path: Path
) -> None:
    settings = {"embedder": WordEmbedder(), "clock": clock, "keep_events": True, "webhook_private": True}
    with emberkeep.open(":memory:", **settings) as here:  # type: ignore[arg-type]
        here.keys.create("the tests", role="admin")
        embedded, remote = Diary(here), Diary(over_http(keyed=True, **settings))
        clock.move(seconds=1)  # or the order of keys would be left to chance
        for diary in (embedded, remote):
            live_through(diary, tmp_path)
    assert {name for name, _ in remote.written} == VERBS.keys()
    known: tuple[dict[str, str], dict[str, str]] = ({}, {})
    for (name, expected), (_, found) in zip(embedded.written, remote.written, strict=True):
        assert _named_alike(found, known[1]) == _named_alike(expected, known[0]), name
