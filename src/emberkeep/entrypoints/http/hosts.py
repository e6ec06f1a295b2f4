"""The host names that the service answers to, so that no web page reaches it through its reader's browser.

In DNS rebinding, a page has its own name resolve to 127.0.0.1, so that the browser treats requests to this service as
same-origin. Such requests still carry the page's name as their host.
"""

from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers

from emberkeep.errors import AccessDenied

LOOPBACK = ("localhost", "127.0.0.1", "::1")


class Hosts:
    """The accepted host names: without any, every name is accepted."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._names = frozenset(name.strip("[]").lower() for name in names)

    def check(self, headers: Headers) -> None:
        """Raise `AccessDenied` for a request to another host name, or from a page of another host."""
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
