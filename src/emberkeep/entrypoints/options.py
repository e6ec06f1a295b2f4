"""The options that commands share, each declared once."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Literal

from typer import Argument, Option

from emberkeep.model.context import FORMATS, TIERS
from emberkeep.model.kinds import KINDS
from emberkeep.model.recall import PLANS


def one_of(names: Iterable[str]) -> Callable[[str], list[str]]:
    """What a shell offers where one of these names is wanted."""
    known = tuple(names)

    def begun(incomplete: str) -> list[str]:
        return [name for name in known if name.startswith(incomplete)]

    return begun


Db = Annotated[
    str | None,
    Option(
        "--db",
        "--server",
        metavar="PATH_OR_URL",
        envvar="EMBERKEEP_SERVER",
        help="A file, postgresql://…, or a server's http://…; else the one in the settings.",
    ),
]
Key = Annotated[
    str | None,
    Option("--key", help="The server's key. EMBERKEEP_API_KEY is a better place: a list of processes shows options."),
]
Tenant = Annotated[str | None, Option("--tenant", help="Whose data; nothing is shared between tenants.")]
LogFormat = Annotated[
    Literal["json", "text"] | None,
    Option("--log-format", help="How to write the log to standard error; text at a terminal, else JSON."),
]
AsJson = Annotated[bool, Option("--json", help="Print one JSON document.")]

Id = Annotated[str, Argument(help="The memory's id.", show_default=False)]
User = Annotated[str | None, Option("--user", help="The user it belongs to.")]
AnyUser = Annotated[
    str | None, Option("--user", help="Only this user's; * for everyone's. Without it, those of no user.")
]
OwnUser = Annotated[str | None, Option("--user", help="Only this user's; without it, everyone's.")]
Agent = Annotated[str | None, Option("--agent", help="The agent it belongs to.")]
Session = Annotated[str | None, Option("--session", help="The session it belongs to.")]
Shared = Annotated[list[str] | None, Option("--shared", metavar="USER", help="See this user's too; may be repeated.")]

_KINDS = ", ".join(KINDS)
OneKind = Annotated[
    str | None, Option("--kind", metavar="KIND", help=f"One of {_KINDS}.", autocompletion=one_of(KINDS))
]
Kinds = Annotated[
    list[str] | None,
    Option(
        "--kind",
        metavar="KIND",
        help=f"Only this kind; may be repeated. One of {_KINDS}.",
        autocompletion=one_of(KINDS),
    ),
]
Tags = Annotated[list[str] | None, Option("--tag", metavar="TAG", help="A tag; may be repeated.")]
Metadata = Annotated[
    list[str] | None,
    Option("--metadata", metavar="KEY=VALUE", help="Metadata, the value as JSON or text; may be repeated."),
]
Filters = Annotated[
    list[str] | None,
    Option("--filter", metavar="KEY=VALUE", help="Only with this metadata; may be repeated."),
]
OccurredAt = Annotated[
    str | None, Option("--occurred-at", metavar="TIME", help="When it happened, as 2026-05-20T10:00:00Z.")
]
Since = Annotated[str | None, Option("--since", metavar="TIME", help="Only what happened then or later.")]
Until = Annotated[str | None, Option("--until", metavar="TIME", help="Only what happened then or earlier.")]
AsOf = Annotated[str | None, Option("--as-of", metavar="TIME", help="As it was known to hold at that time.")]
AskedAt = Annotated[
    str | None,
    Option("--asked-at", metavar="TIME", help="When it is asked: 'last May' is the one before.", show_default="now"),
]
Deadline = Annotated[
    float | None,
    Option("--deadline-ms", metavar="MS", help="Leave out what would take longer, and say so.", show_default="none"),
]
Plan = Annotated[
    str, Option("--plan", help="How hard to search: fast, balanced or deep.", autocompletion=one_of(PLANS))
]
Tiers = Annotated[
    list[str] | None,
    Option(
        "--tier",
        metavar="TIER",
        help=f"Only this tier; may be repeated. One of {', '.join(TIERS)}.",
        autocompletion=one_of(TIERS),
    ),
]
Format = Annotated[
    str, Option("--format", help=f"How it is written: {', '.join(FORMATS)}.", autocompletion=one_of(FORMATS))
]
ContextId = Annotated[str, Argument(help="The context's id.", show_default=False)]
Examples = Annotated[int, Option("--examples", help="How many of each to show.")]
Limit = Annotated[int, Option("--limit", help="How many at most.")]
File = Annotated[
    Path | None,
    Option("--file", help='A JSON list of messages, such as [{"role": "user", "content": "Hi"}].'),
]
