"""`emberkeep keys` and `audit-log`."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import Result

import emberkeep
from emberkeep.testing import FixedClock, WordEmbedder

Run = Callable[..., Result]


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "agent.db"


def test_a_key_is_made_listed_and_revoked(run: Run, db: Path) -> None:
    made = json.loads(run("keys", "create", "the bot", "--role", "read", "--user", "alex", "--db", db, "--json").stdout)
    key, secret = made["key"], made["secret"]
    assert (key["name"], key["role"], key["user_id"], key["expires_at"]) == ("the bot", "read", "alex", None)
    listed = run("keys", "list", "--db", db)
    assert all(word in listed.stdout for word in (key["id"], "the bot", "read", "user alex", "never used"))
    assert secret.rpartition("_")[2] not in listed.stdout + run("keys", "list", "--db", db, "--json").stdout
    assert json.loads(run("keys", "list", "--db", db, "--json").stdout)["keys"] == [key]
    with emberkeep.open(db, embedder=WordEmbedder()) as memory:
        assert memory.keys.verify(secret).user_id == "alex"
    assert "last used" in run("keys", "list", "--db", db).stdout
    revoked = run("keys", "revoke", key["id"], "--db", db)
    assert (revoked.exit_code, "revoked" in revoked.stdout) == (0, True)
    again = json.loads(run("keys", "revoke", key["id"], "--db", db, "--json").stdout)
    assert again["revoked_at"]
    with emberkeep.open(db, embedder=WordEmbedder()) as memory, pytest.raises(emberkeep.Unauthenticated):
        memory.keys.verify(secret)
    assert run("keys", "revoke", "nothing", "--db", db).exit_code == 1


def test_the_secret_is_shown_once_on_a_line_of_its_own(run: Run, db: Path) -> None:
    made = run("keys", "create", "a \x1b[31mred\x1b[0m bot", "--db", db)
    assert made.exit_code == 0
    (line,) = [line for line in made.stdout.splitlines() if line.startswith("ek_")]
    assert len(line) == 84
    assert "\x1b[31m" not in made.stdout
    assert "shown this once" in made.stderr
    assert line not in made.stderr


@pytest.mark.parametrize(
    ("said", "meant"),
    [("12h", timedelta(hours=12)), ("90d", timedelta(days=90)), ("8w", timedelta(weeks=8))],
)
def test_a_key_lasts_for_a_span(run: Run, db: Path, said: str, meant: timedelta) -> None:
    made = json.loads(run("keys", "create", "the bot", "--expires", said, "--db", db, "--json").stdout)["key"]
    lasts = datetime.fromisoformat(made["expires_at"]) - datetime.fromisoformat(made["created_at"])
    assert abs(lasts - meant) < timedelta(hours=1)


@pytest.mark.parametrize(
    ("said", "meant"),
    [("2099-01-31", "2099-01-31T00:00:00Z"), ("2099-01-31T18:00:00+02:00", "2099-01-31T16:00:00Z")],
)
def test_a_key_lasts_until_a_day_or_a_time(run: Run, db: Path, said: str, meant: str) -> None:
    made = json.loads(run("keys", "create", "the bot", "--expires", said, "--db", db, "--json").stdout)
    assert made["key"]["expires_at"] == meant


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--expires", "tomorrow"], "pass 12h, 90d, 8w, or a date"),
        (["--expires", ""], "pass 12h, 90d, 8w, or a date"),
        (["--expires", "0d"], "pass a later time"),
        (["--expires", "-5d"], "pass 12h, 90d, 8w, or a date"),
        (["--expires", "999999w"], "after the year 9999"),
        (["--expires", "9999999d"], "ISO 8601"),
        (["--expires", "2020-01-01"], "pass a later time"),
        (["--expires", "2027-02-30"], "ISO 8601"),
        (["--expires", "2027-01-31T18:00:00"], "time zone"),
        (["--role", "root"], "use one of read, write, admin"),
        (["--role", "admin", "--user", "alex"], "leave the user out"),
        (["--user", "*"], "everyone"),
        (["--user", " "], "blank"),
    ],
)
def test_wrong_options_make_no_key(run: Run, db: Path, options: list[str], said: str) -> None:
    refused = run("keys", "create", "the bot", *options, "--db", db, "--json")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert said in json.loads(refused.stderr)["error"]["message"]
    assert "no keys" in run("keys", "list", "--db", db).stdout


def test_tenants_see_their_own_keys_only(run: Run, db: Path) -> None:
    made = json.loads(run("keys", "create", "the bot", "--tenant", "acme", "--db", db, "--json").stdout)["key"]
    assert made["tenant"] == "acme"
    assert "no keys" in run("keys", "list", "--db", db).stdout
    assert run("keys", "revoke", made["id"], "--db", db).exit_code == 1
    assert run("keys", "revoke", made["id"], "--tenant", "acme", "--db", db).exit_code == 0


def test_what_was_done_is_on_record(run: Run, db: Path) -> None:
    assert "nothing is on record" in run("audit-log", "--db", db).stdout
    made = json.loads(run("keys", "create", "the bot", "--user", "alex", "--db", db, "--json").stdout)["key"]
    run("keys", "revoke", made["id"], "--db", db)
    shown = run("audit-log", "--db", db).stdout.splitlines()
    assert [line.split()[0] for line in shown] == ["key.revoked", "key.created"]
    assert all(word in shown[0] for word in ("by local", "user alex", made["id"]))
    (only,) = json.loads(run("audit-log", "--action", "key.created", "--db", db, "--json").stdout)["entries"]
    assert (only["who"], only["what"]["name"]) == ("local", "the bot")
    assert json.loads(run("audit-log", "--since", "2099-01-01T00:00:00Z", "--db", db, "--json").stdout) == {
        "entries": []
    }
    assert run("audit-log", "--since", "yesterday", "--db", db).exit_code == 2


@pytest.mark.parametrize("name", ["create", "list", "revoke"])
def test_each_has_help_with_an_example_and_json(run: Run, name: str) -> None:
    shown = run("keys", name, "--help").stdout
    assert f"Example: emberkeep keys {name}" in shown
    assert "--json" in shown


def test_a_key_that_is_over_says_so(run: Run, db: Path) -> None:
    clock = FixedClock(datetime(2020, 1, 1, tzinfo=UTC))
    with emberkeep.open(db, embedder=WordEmbedder(), clock=clock) as memory:
        memory.keys.create("old", expires_at="2020-01-02T00:00:00Z")
    assert "expired" in run("keys", "list", "--db", db).stdout
