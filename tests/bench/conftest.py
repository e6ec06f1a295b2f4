"""A small data set with known answers, and the command to measure it with an embedder that is loaded already."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from emberkeep import wiring
from emberkeep.config import Config
from emberkeep.entrypoints.cli import app
from emberkeep.providers.base import Embedder
from emberkeep.providers.local_embedder import LocalEmbedder

ANNA_AND_BEN = [
    ("m1", "s1", "Anna", "I adopted a greyhound called Comet last spring."),
    ("m2", "s1", "Ben", "Lovely! I am still busy restoring my grandmother's piano."),
    ("m3", "s1", "Anna", "We walk along the river every morning before work."),
    ("m4", "s2", "Ben", "The piano is done, I played it at the harvest festival."),
    ("m5", "s2", "Anna", "My sister Clara moved to Oslo to study marine biology."),
    ("m6", "s2", "Ben", "I am allergic to walnuts, so please leave them out of the cake."),
]
QUESTIONS_TO_THEM: list[dict[str, Any]] = [
    {"id": "q1", "text": "What is the name of Anna's greyhound?", "gold": ["m1"], "category": "zebra-category"},
    {"id": "q2", "text": "What happened with Ben's piano?", "gold": ["m2", "m4"], "category": "yak-category"},
    {"id": "q3", "text": "Where does Clara study?", "gold": ["m5"], "category": "zebra-category"},
    {"id": "q4", "text": "Which nuts is Ben allergic to?", "gold": ["m6"], "category": "yak-category"},
    {"id": "q5", "text": "What colour is Anna's car?", "gold": [], "category": "yak-category"},
]


def a_store(**changes: Any) -> dict[str, Any]:
    """A conversation between two people, and questions about it."""
    messages = [
        {"id": one, "session": session, "speaker": speaker, "time": "2023-05-08T13:56:00", "text": text}
        for one, session, speaker, text in ANNA_AND_BEN
    ]
    return {"id": "anna", "messages": messages, "questions": QUESTIONS_TO_THEM, **changes}


def a_talk_with_an_assistant() -> dict[str, Any]:
    """One in which the speakers are only roles, and the sessions with the answer are known."""
    said = [
        ("a:0", "a", "user", "My flight to Lisbon leaves on Friday at seven."),
        ("a:1", "a", "assistant", "Then be at the airport at five."),
        ("b:0", "b", "user", "Which wine goes with grilled sardines?"),
        ("b:1", "b", "assistant", "A dry Vinho Verde goes well with sardines."),
    ]
    messages = [
        {
            "id": one,
            "session": session,
            "speaker": role,
            "role": role,
            "time": "2024-01-02T10:00:00+02:00",
            "text": text,
        }
        for one, session, role, text in said
    ]
    question = {
        "id": "q1",
        "text": "Which wine did you recommend with the sardines?",
        "time": "2024-02-02T10:00:00",
        "gold": ["b:1"],
        "gold_sessions": ["b"],
        "category": "assistant",
    }
    return {"id": "assistant", "messages": messages, "questions": [question]}


def a_dataset(*stores: dict[str, Any], name: str = "tiny") -> dict[str, Any]:
    return {"name": name, "stores": list(stores)}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The data set, as a file."""
    path = tmp_path / "tiny.json"
    path.write_text(json.dumps(a_dataset(a_store(), a_talk_with_an_assistant())))
    return path


@pytest.fixture
def run(embedder: LocalEmbedder, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run `emberkeep bench recall` in this process, with the embedder that is loaded already."""
    make = wiring.make_embedder

    def share(config: Config, given: Embedder | None = None) -> Embedder:
        return make(config, given or (embedder if config.embedder == "local" else None))

    monkeypatch.setattr(wiring, "make_embedder", share)

    def run(*args: object) -> Result:
        given = ["bench", "recall", *(str(arg) for arg in args)]
        return CliRunner().invoke(app, given, prog_name="emberkeep", catch_exceptions=False)

    return run
