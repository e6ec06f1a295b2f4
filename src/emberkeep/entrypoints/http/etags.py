"""ETags: a fingerprint of a record as it was read, so that nobody overwrites a change that they have not seen."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from typing import Any

from emberkeep.errors import ChangedMeanwhile, InvalidInput
from emberkeep.service.verbs import VERBS, Verb

# Fields that change with time, or by reading: they do not make a record another one to its readers.
_PASSING = frozenset({"temperature", "heated_at", "access_count", "last_access", "reused", "usage_count"})
_locks = tuple(Lock() for _ in range(64))


def etag_of(document: Mapping[str, Any]) -> str:
    """The ETag of a record in the form in which it is sent."""
    lasting = {name: value for name, value in document.items() if name not in _PASSING}
    digest = hashlib.sha256(json.dumps(lasting, sort_keys=True, ensure_ascii=True).encode())
    return f'"{digest.hexdigest()[:32]}"'


def names(header: str, etag: str) -> bool:
    """Whether an If-Match or If-None-Match header names an ETag; weak ones count too, since ours are not of bytes."""
    return header.strip() == "*" or etag in {one.strip().removeprefix("W/") for one in header.split(",")}


def reads_one(verb: Verb) -> bool:
    """Whether a verb returns one record by its id."""
    return verb.looked_up == verb.name


def gives_one(verb: Verb) -> bool:
    """Whether a verb returns one record as it is now, after reading or writing it, so that the answer has an ETag."""
    return bool(verb.looked_up) and verb.returns is VERBS[verb.looked_up].returns


def changes_one(verb: Verb) -> bool:
    """Whether a verb changes or removes one record that is named in its path."""
    return bool(verb.looked_up) and verb.role != "read" and verb.in_path == ("id",)


@contextmanager
def unchanged(verb: Verb, sent: Mapping[str, Any], header: str | None, read: Any) -> Iterator[None]:
    """Lock a record for the length of a block; raise `ChangedMeanwhile` if it does not have the ETag of If-Match.

    The lock holds off other requests with If-Match in this process, and neither those without nor other processes.
    """
    if header is None:
        yield
        return
    if not changes_one(verb):
        raise InvalidInput(f"If-Match is for what has one thing in its path, and {verb.name} has not: leave it out")
    with _locks[hash((verb.looked_up, sent["id"])) % len(_locks)]:
        if not names(header, etag_of(read(VERBS[verb.looked_up], {"id": sent["id"]}))):
            raise ChangedMeanwhile("this is no longer as you last read it: read it again, and decide anew")
        yield
