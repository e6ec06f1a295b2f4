"""Webhook signatures as specified by https://www.standardwebhooks.com, so that its libraries can verify them."""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Mapping
from datetime import datetime

from emberkeep.errors import InvalidInput

PREFIX = "whsec_"
SHORTEST_KEY = 16
TOLERANCE_S = 300.0
LONGEST_STAMP = 12  # digits of seconds: enough for 30,000 years


def new_secret() -> str:
    """A new random secret of 256 bits."""
    return PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()


def checked_secret(secret: object) -> str:
    """A secret that a caller chose; raises `InvalidInput` if it is malformed or too short."""
    if not isinstance(secret, str) or not secret.isprintable() or len(_key(secret)) < SHORTEST_KEY:
        raise InvalidInput(f"a webhook's secret has at least {SHORTEST_KEY} bytes: leave it out to get one")
    return secret


def headers_of(secret: str, event_id: str, body: bytes, now: datetime) -> dict[str, str]:
    """The headers that identify and sign a request."""
    stamp = str(int(now.timestamp()))
    return {
        "webhook-id": event_id,
        "webhook-timestamp": stamp,
        "webhook-signature": f"v1,{_signed(secret, event_id, stamp, body)}",
    }


def verify(
    secret: str, headers: Mapping[str, str], body: bytes, now: datetime, *, tolerance_s: float = TOLERANCE_S
) -> bool:
    """Whether a request was signed with the secret, and is not an old one replayed after `tolerance_s` seconds."""
    given = {name.lower(): value for name, value in headers.items()}
    event_id, stamp = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
    if not _is_number(stamp) or abs(now.timestamp() - int(stamp)) > tolerance_s:
        return False
    wanted = f"v1,{_signed(secret, event_id, stamp, body)}".encode()
    return any(hmac.compare_digest(wanted, _bytes(one)) for one in given.get("webhook-signature", "").split())


def _is_number(stamp: object) -> bool:
    """Whether a stamp is a plausible number of seconds: the sender of a request may write anything."""
    return isinstance(stamp, str) and len(stamp) <= LONGEST_STAMP and stamp.isascii() and stamp.isdigit()


def _bytes(text: str) -> bytes:
    """A header's text as bytes, even if it is not valid Unicode."""
    return text.encode("utf-8", "surrogatepass")


def _signed(secret: str, event_id: str, stamp: str, body: bytes) -> str:
    content = _bytes(f"{event_id}.{stamp}.") + body
    return base64.b64encode(hmac.new(_key(secret), content, hashlib.sha256).digest()).decode()


def _key(secret: str) -> bytes:
    if not secret.startswith(PREFIX):
        return secret.encode()
    try:
        return base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except ValueError:  # also raised for non-ASCII text
        raise InvalidInput(f"what follows {PREFIX} in a secret is base64: leave the secret out to get one") from None
