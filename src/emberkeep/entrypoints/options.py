"""The options that commands share, each declared once."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Literal

from typer import Argument, Option

from emberkeep.model.context import FORMATS, TIERS
from emberkeep.model.kinds import KINDS
from emberkeep.model.recall import PLANS


def one_of(names: Iterable[str]) -> Callable[[str], list[str]]:
    """Return a shell completion that offers these names."""
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
        help="A file, postgresql://… or a server's http://…; by default the one in the settings.",
    ),
]
Key = Annotated[
    str | None,
    Option("--key", help="The server's API key. Better in EMBERKEEP_API_KEY: others can see a command's options."),
]
Tenant = Annotated[str | None, Option("--tenant", help="The tenant whose data it is; tenants share nothing.")]
LogFormat = Annotated[
    Literal["json", "text"] | None,
    Option("--log-format", help="The format of the log on standard error; by default text at a terminal, else JSON."),
]
AsJson = Annotated[bool, Option("--json", help="Print one JSON document.")]

Id = Annotated[str, Argument(help="The memory's id.", show_default=False)]
User = Annotated[str | None, Option("--user", help="The user it belongs to.")]
AnyUser = Annotated[
    str | None, Option("--user", help="Only memories of this user; * for all users. Without it, memories of no user.")
]
OwnUser = Annotated[str | None, Option("--user", help="Only what belongs to this user; without it, to anyone.")]
Agent = Annotated[str | None, Option("--agent", help="The agent it belongs to.")]
Session = Annotated[str | None, Option("--session", help="The session it belongs to.")]
Shared = Annotated[list[str] | None, Option("--shared", metavar="USER", help="Also this user's; may be repeated.")]

_KINDS = ", ".join(KINDS)
OneKind = Annotated[
    str | None, Option("--kind", metavar="KIND", help=f"The kind: one of {_KINDS}.", autocompletion=one_of(KINDS))
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
    Option("--filter", metavar="KEY=VALUE", help="Only memories with this metadata; may be repeated."),
]
OccurredAt = Annotated[
    str | None, Option("--occurred-at", metavar="TIME", help="When it happened, as 2026-05-20T10:00:00Z.")
]
Since = Annotated[str | None, Option("--since", metavar="TIME", help="Only what happened at this time or later.")]
Until = Annotated[str | None, Option("--until", metavar="TIME", help="Only what happened at this time or earlier.")]
AsOf = Annotated[str | None, Option("--as-of", metavar="TIME", help="Only what held at this time, instead of now.")]
AskedAt = Annotated[
    str | None,
    Option("--asked-at", metavar="TIME", help="When it is asked: 'last May' is relative to it.", show_default="now"),
]
Deadline = Annotated[
    float | None,
    Option("--deadline-ms", metavar="MS", help="Leave out what takes longer than that, and warn.", show_default="none"),
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
    str, Option("--format", help=f"The format of the text: {', '.join(FORMATS)}.", autocompletion=one_of(FORMATS))
]
ContextId = Annotated[str, Argument(help="The context's id.", show_default=False)]
Examples = Annotated[int, Option("--examples", help="How many examples of each to show.")]
Limit = Annotated[int, Option("--limit", help="How many at most.")]
File = Annotated[
    Path | None,
    Option("--file", help='A file with a JSON list of messages, such as [{"role": "user", "content": "Hi"}].'),
]
