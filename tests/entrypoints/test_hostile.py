"""No text steers a terminal: not one that was stored, nor one in a file that cannot be read, nor in what is typed."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

import emberkeep
from emberkeep.testing import WordEmbedder

from ..context import hostile
from ..security.poisoning import UNSAFE, poison

Run = Callable[..., Result]
EVIL = hostile.TERMINAL[0] + hostile.TERMINAL[4] + hostile.TERMINAL[7]
READING = [
    ["search", "tea", "--user", "alex", "--limit", "300", "--explain"],
    ["search", "tea", "--user", "alex", "--by-session"],
    ["list", "--user", "alex", "--limit", "1000"],
    ["context", "tea", "--user", "alex", "--max-tokens", "8000"],
    ["contexts"],
    ["log", "--user", "alex", "--limit", "200"],
    ["audit", "--user", "alex"],
    ["audit-log"],
    ["events"],
    ["goals", "list"],
    ["tasks", "list"],
    ["tasks", "show", "evil"],
    ["decisions", "list"],
    ["decisions", "find", "tea", "--user", "alex"],
    ["knowledge", "list"],
    ["stats"],
    ["doctor"],
]
REFUSED = [
    ["get", EVIL],
    ["history", EVIL],
    ["tasks", "show", EVIL],
    ["list", "--kind", EVIL],
    ["search", "tea", "--as-of", EVIL],
    ["import", EVIL, "--from", "mem0"],
    ["import", "x", "--from", EVIL],
    ["context-replay", EVIL],
    ["stats", "--db", f"postgresql://{EVIL}"],
    ["stats", "--tenant", EVIL],
    [EVIL],
    ["search", "tea", f"--{EVIL}"],
]


@pytest.fixture(scope="module")
def poisoned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("poisoned") / "agent.db"
    with emberkeep.open(path, embedder=WordEmbedder(), keep_events=True) as memory:
        poison(memory, [*hostile.TERMINAL, *hostile.LINES, *hostile.MARKUP, *hostile.UNSEEN])
    return path


@pytest.mark.slow
@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_what_is_stored_steers_no_terminal(run: Run, poisoned: Path, command: list[str]) -> None:
    db = ["--db", str(poisoned)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("emberkeep.wiring.make_embedder", lambda *_: WordEmbedder())
        shown, document = run(*command, *db), run(*command, *db, "--json")
    complaints = {0, 1} if command == ["doctor"] else {0}  # it knows another embedder
    assert {shown.exit_code, document.exit_code} <= complaints, shown.output
    assert not UNSAFE.search(shown.stdout + shown.stderr + document.stdout + document.stderr)
    assert json.loads(document.stdout) is not None


@pytest.mark.parametrize("command", REFUSED, ids=[f"{number}" for number in range(len(REFUSED))])
def test_what_is_refused_steers_no_terminal(run: Run, tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "agent.db").touch()
    there = [] if "--db" in command or command == [EVIL] else ["--db", str(tmp_path / "agent.db")]
    result = run(*command, *there)
    assert result.exit_code != 0
    assert not UNSAFE.search(result.output)


@pytest.mark.parametrize(
    "content",
    [
        [{"messages": [{"role": "user", "content": "hi", EVIL: 1}]}],
        [{"text": "x", "kind": EVIL}],
        [{"text": "x", "occurred_at": EVIL}],
        [{"text": "x", "user_id": "*", "session_id": EVIL * 100}],
    ],
)
def test_what_is_in_a_file_steers_no_terminal(run: Run, tmp_path: Path, content: object) -> None:
    file = tmp_path / "all.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    result = run("import", file, "--from", "emberkeep", "--db", tmp_path / "agent.db")
    assert re.match("error: ", result.stderr)
    assert not UNSAFE.search(result.output)
