"""Which addresses a webhook may have: its URL must not make this machine call internal services (SSRF)."""

import ipaddress
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

from emberkeep.errors import InvalidInput

LONGEST_URL = 2_000
_OURS = "is an address of this machine or its network; set webhook_private to allow that"


class Forbidden(Exception):
    """A host resolves to an address that a webhook may not have."""


@dataclass(frozen=True, slots=True)
class Place:
    """The host and port of a checked URL."""

    host: str
    port: int


def place_of(url: object, *, private: bool) -> Place:
    """The host and port of a webhook's URL; raises `InvalidInput` if it is malformed or known to be forbidden."""
    if not isinstance(url, str) or len(url) > LONGEST_URL or not url.isprintable() or " " in url:
        raise InvalidInput("a webhook's url is a text such as https://example.org/hook")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise InvalidInput(f"not a URL: {error}. Pass one such as https://example.org/hook") from None
    if parts.scheme not in {"http", "https"} or not host:
        raise InvalidInput("a webhook's url begins with https:// or http://, and names a host")
    if parts.username is not None or parts.password is not None:
        raise InvalidInput("a webhook's url holds no user and password: the signature says who it is from")
    named = _literal(host)
    if not private and (host == "localhost" or host.endswith(".localhost") or (named and not _is_public(named))):
        raise InvalidInput(f"{host} {_OURS}")
    return Place(host, port or (443 if parts.scheme == "https" else 80))


def resolve(place: Place, *, private: bool) -> str:
    """The one address of the host to connect to; raises `Forbidden`, or `OSError` if the host has none.

    The caller connects to this address and does not resolve the host again, which might give another answer.
    """
    found = [str(one[4][0]) for one in socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)]
    if not private and not all(_is_public(ipaddress.ip_address(one.partition("%")[0])) for one in found):
        raise Forbidden(f"{place.host} {_OURS}")
    return found[0]


def _literal(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _is_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return address.is_global and not address.is_multicast
