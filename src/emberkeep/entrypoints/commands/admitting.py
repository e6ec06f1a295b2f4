"""Commands for API keys, by which a service knows its callers, and for the audit log of administration."""

import re
from datetime import UTC, date, datetime, timedelta
from typing import Annotated

import typer

from emberkeep.entrypoints import options as opt
from emberkeep.entrypoints import printing
from emberkeep.entrypoints.commands.app import app, command, opened
from emberkeep.entrypoints.printing import note, show
from emberkeep.errors import InvalidInput
from emberkeep.model.access import ROLES, role_named

keys = typer.Typer(no_args_is_help=True)
app.add_typer(keys, name="keys", help="Manage the API keys of the service.")

_SPAN = re.compile(r"([0-9]{1,6})([hdw])")
_UNITS = {"h": "hours", "d": "days", "w": "weeks"}


@keys.command("create", epilog="Example: emberkeep keys create 'the bot' --role write --expires 90d")
def create(
    name: Annotated[str, typer.Argument(help="What it is for, such as the program that gets it.", show_default=False)],
    *,
    role: Annotated[str, typer.Option(help=f"What it may do: {', '.join(ROLES)}, from least to most.")] = "write",
    user: Annotated[str | None, typer.Option("--user", help="Limit the key to the memory of this user.")] = None,
    expires: Annotated[
        str | None,
        typer.Option(metavar="SPAN_OR_DATE", help="When it expires: after 12h, 90d or 8w, or when a day begins (UTC)."),
    ] = None,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """Make a key, and print its secret, which is shown only this once."""
    wanted, expires_at = role_named(role), None if expires is None else _moment(expires, datetime.now(UTC))
    with opened(db, tenant, key) as memory:
        made = memory.keys.create(name, role=wanted, user_id=user, expires_at=expires_at)
    show(made, printing.new_key_view, as_json=as_json)
    note("keep it now: it is shown this once")


@keys.command("list", epilog="Example: emberkeep keys list --tenant acme")
def list_keys(
    *,
    limit: opt.Limit = 100,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """Show the keys of a tenant, the latest first, without their secrets."""
    with opened(db, tenant, key) as memory:
        found = memory.keys.list(limit)
    show({"keys": found}, printing.keys_view, as_json=as_json)


@keys.command("revoke", epilog="Example: emberkeep keys revoke 9c56cc51b374c3ba")
def revoke(
    id_: Annotated[str, typer.Argument(metavar="ID", help="The key's id.", show_default=False)],
    *,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """Revoke a key; a running service refuses it within five seconds."""
    with opened(db, tenant, key) as memory:
        revoked = memory.keys.revoke(id_)
    show(revoked, lambda one: printing.keys_view({"keys": [one]}), as_json=as_json)


@command("audit-log", example="emberkeep audit-log --action key.created --limit 20")
def audit_log(
    *,
    action: Annotated[str | None, typer.Option(help="Only this action, such as key.revoked.")] = None,
    since: opt.Since = None,
    limit: opt.Limit = 100,
    db: opt.Db = None,
    tenant: opt.Tenant = None,
    key: opt.Key = None,
    as_json: opt.AsJson = False,
) -> None:
    """Show how the store was administered and by whom, latest first; `audit` is about what was learned."""
    with opened(db, tenant, key) as memory:
        found = memory.audit_log.list(limit, action=action, since=since)
    show({"entries": found}, printing.audit_log_view, as_json=as_json)


def _moment(said: str, now: datetime) -> datetime | str:
    """Return the end of a span such as 90d, or the start of a day in UTC.

    Any other text that begins with a digit is returned as it is, for the verb to check.
    """
    span = _SPAN.fullmatch(said)
    try:
        if span is not None:
            return now + timedelta(**{_UNITS[span[2]]: int(span[1])})
        day = date.fromisoformat(said)
    except OverflowError:
        raise InvalidInput(f"--expires {said} is after the year 9999: leave it out for a key that stays") from None
    except ValueError:
        if not said[:1].isdigit():
            raise InvalidInput(f"--expires is {said!r}: pass 12h, 90d, 8w, or a date such as 2027-01-31") from None
        return said
    return datetime(day.year, day.month, day.day, tzinfo=UTC)
