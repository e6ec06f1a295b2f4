"""Bad input is refused over a server as it is refused here: verb by verb, argument by argument, with the same error."""

import inspect
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

import emberkeep
from emberkeep.service.verbs import VERBS, Argument, Verb
from emberkeep.testing import FixedClock, WordEmbedder

MISSING = "0198a1b2-0000-7000-8000-000000000000"
NOON = datetime(2026, 5, 20, 12, tzinfo=UTC)
JUNK: Mapping[str, Any] = {
    "nothing": None, "an empty text": "", "blanks": "  ", "a zero byte": "a\x00b", "half a letter": "\ud800",
    "a path": "../x/./..", "marks": "a/b?c#d%e f&g=h", "no id": MISSING, "a long text": "x" * 300,
    "a very long text": "x" * 70_000,
    "a number": 7, "less than nothing": -1, "a huge number": 10**400, "half": 0.5, "no number": float("nan"),
    "without end": float("inf"), "true": True, "bytes": b"\xff\x00", "an empty list": [], "a list of nothing": [None],
    "a list of numbers": [1], "a list of lists": [["a"]], "an empty object": {}, "an object": {"a": 1},
    "keys that are none": {1: 2, None: 3}, "a class": object, "a thing": object(), "a set": {"a"},
    "a generator": None, "a time": NOON, "a time of nowhere": datetime(2026, 5, 20),  # noqa: DTZ001
    "a lock": threading.Event(), "words": "no such word", "star": "*",
}  # fmt: skip
GOOD: Mapping[str, Any] = {
    "messages": "Alex rows", "text": "Alex rows", "record": {"session_id": "s", "timestamp": NOON, "user_text": "a"},
    "source": b"# Boats\nAlex rows", "media_type": "text/markdown", "steps": ["one"], "url": "http://127.0.0.1:1/x",
    "helpful": True, "success": True, "value": 1.0, "role": "read", "confidence": 0.5, "expires_at": None,
}  # fmt: skip
# What they need to have anything to do.
COMPLETE: Mapping[str, Mapping[str, Any]] = {
    "update": {"text": "Alex rows"},
    "goals.update": {"summary": "done"},
    "tasks.update": {"summary": "done"},
    "patterns.feedback": {"helpful": True},
}
# What is looser on one side: over a server, what went wrong is text, an id has to be given, None is left out, and an
# address holds only so much.
LOOSER = {
    ("experience.store", "error_patterns"), ("experience.store", "task_id"), ("semantic_search", "kinds"),
    ("agents.list", "status"),
}  # fmt: skip


class Tried:
    """A memory whose verbs are called with what they are not made for."""

    def __init__(self, memory: emberkeep.Memory) -> None:
        self._memory = memory

    def outcome(self, verb: Verb, arguments: Mapping[str, Any]) -> str:
        """The class of the error, or that there was none; what is no error of ours is a bug."""
        given = {name: (one for one in ["a"]) if inspect.isgenerator(one) else one for name, one in arguments.items()}
        try:
            verb.bound(self._memory)(**given)
        except (emberkeep.EmberkeepError, TypeError) as error:
            return type(error).__name__
        except Exception as error:  # noqa: BLE001 - which is what is looked for
            return f"BUG {type(error).__name__} {error}"[:100]
        return "done"


ALL_OF_IT = 1


def _cases() -> Iterator[tuple[Verb, str, str, Any]]:
    """Everything for the first verb that takes an argument of that name, an eighth of it for each one more."""
    seen: Counter[str] = Counter()
    for verb in VERBS.values():
        for argument in verb.arguments.values():
            seen[argument.name] += 1
            for place, (called, junk) in enumerate(JUNK.items()):
                if seen[argument.name] > ALL_OF_IT and (place + seen[argument.name]) % 8:
                    continue
                yield verb, argument.name, called, (one for one in ["a"]) if called == "a generator" else junk


def _usual(argument: Argument) -> Any:
    return GOOD.get(argument.name, "something")


@pytest.mark.slow
def test_every_verb_refuses_the_same(over_http: Callable[..., emberkeep.Memory], clock: FixedClock) -> None:
    settings = {"embedder": WordEmbedder(), "clock": clock, "webhook_private": True}
    differ = []
    with emberkeep.open(":memory:", **settings) as embedded:  # type: ignore[arg-type]
        embedded.keys.create("the tests", role="admin")
        here, there = Tried(embedded), Tried(over_http(keyed=True, **settings))
        for verb, name, called, junk in _cases():
            required = {one.name: _usual(one) for one in verb.arguments.values() if one.required}
            arguments = {**required, **COMPLETE.get(verb.name, {}), name: junk}
            expected, found = here.outcome(verb, arguments), there.outcome(verb, arguments)
            if (expected != found and (verb.name, name) not in LOOSER) or "BUG" in expected:
                differ.append(f"{verb.name}({name}={called}): {expected} here, {found} there")
    assert not differ, "\n".join(differ)


def test_what_no_address_holds_is_refused_before_it_is_sent(over_http: Callable[..., emberkeep.Memory]) -> None:
    memory = over_http(embedder=WordEmbedder())
    many = [f"{'é' * 200}{number}" for number in range(60)]
    memory.remember("Alex rows", tags=many)
    with pytest.raises(emberkeep.InvalidInput, match="fewer or shorter"):
        memory.get_all(tags=many)
    assert memory.search("rows", tags=many)[0].text == "Alex rows"
    assert memory.get_all(tags=many[:10]).items[0].text == "Alex rows"
