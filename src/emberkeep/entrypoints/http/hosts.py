"""Under which names the service answers, so that no web page reaches it through its reader's browser.

A page can have its own name resolve to 127.0.0.1, and so send requests here that the browser takes for its own. They
still say the page's name as their host.
"""

from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers

from emberkeep.errors import AccessDenied

LOOPBACK = ("localhost", "127.0.0.1", "::1")


class Hosts:
    """The names that it answers to: all of them if none are given."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._names = frozenset(name.strip("[]").lower() for name in names)

    def check(self, headers: Headers) -> None:
        """Raise `AccessDenied` for what is sent to another name, or by a page of another."""
        host = _name(f"//{headers.get('host', '')}")
        if self._names and host not in self._names:
            raise AccessDenied(
                f"the service does not answer as {host!r:.100}: use localhost, or have it served with --allow-host"
            )
        origin = headers.get("origin")
        if origin is not None and _name(origin) not in {host, *self._names} - {""}:
            raise AccessDenied("the service does not answer pages of other hosts: call it from a program")


def _name(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").lower()
    except ValueError:
        return ""
