"""The names of verbs in gRPC: `goals.save` is the rpc `Save` of the service `emberkeep.v1.Goals`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from emberkeep.model.events import Event
from emberkeep.model.recall import Hit
from emberkeep.service.verbs import NAMESPACES, VERBS, Argument, Verb

PACKAGE = "emberkeep.v1"
ROOT = "memories"  # the service of the verbs that are in no namespace
HOMES = (ROOT, *(name for name in NAMESPACES if any(verb.namespace == name for verb in VERBS.values())))


@dataclass(frozen=True, slots=True)
class Stream:
    """An rpc that streams its answer, which no verb of the table does."""

    home: str
    name: str
    summary: str
    arguments: Mapping[str, Argument]
    answer: Any


SEARCH_STREAM = Stream(
    ROOT,
    "search_stream",
    "Find what is relevant, as `Search` does, and send it one by one, the best first. What was left out because a "
    "model is down or the deadline passed is in the trailing metadata `emberkeep-degraded`.",
    {name: one for name, one in VERBS["search"].arguments.items() if name != "group"},
    Hit,
)
FOLLOW = Stream(
    "events",
    "follow",
    "Events as they happen, whichever process makes the change, until the call is cancelled or the service stops; with "
    "the id of an event as `after`, from that one on, as far as events were kept. The initial metadata come when "
    "following has begun. A key for one user has that user's alone. Whoever reads too slowly is sent away.",
    {"type": VERBS["events.recent"].arguments["type"], "after": Argument("after", str | None, None)},
    Event,
)
STREAMS = (SEARCH_STREAM, FOLLOW)


def home_of(verb: Verb) -> str:
    """The service that a verb is in, as its .proto file is named: the namespace, or `ROOT`."""
    return verb.namespace or ROOT


def service_name(home: str) -> str:
    """The name of a service, without its package."""
    return camel(home)


def rpc_name(verb: Verb | Stream) -> str:
    """The name of a verb's rpc in its service."""
    return camel(verb.own_name if isinstance(verb, Verb) else verb.name)


def camel(name: str) -> str:
    """`get_all` as `GetAll`."""
    return "".join(part.title() for part in name.split("_"))
