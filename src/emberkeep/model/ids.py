"""Ids: UUIDs that sort by the time they were made (RFC 9562, version 7)."""

import os
import threading
from datetime import datetime

_lock = threading.Lock()
_last = 0


def new_id(now: datetime) -> str:
    """A new id; later calls in one process sort after earlier ones, even when the clock goes backwards."""
    global _last  # noqa: PLW0603 - the one counter that makes ids of one millisecond sort
    with _lock:
        # 48 bits of milliseconds and 12 of a counter that overflows into the milliseconds.
        _last = max(_last + 1, int(now.timestamp() * 1000) << 12)
        stamp = _last
    tail = int.from_bytes(os.urandom(8), "big") & ((1 << 62) - 1)
    value = (stamp >> 12) << 80 | 0x7 << 76 | (stamp & 0xFFF) << 64 | 0b10 << 62 | tail
    digits = f"{value:032x}"  # `uuid.UUID` takes several times as long for the same string
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def first_id(moment: datetime) -> str:
    """The lower bound of the ids made at a time or later; most ids made earlier sort before it."""
    digits = f"{max(0, int(moment.timestamp() * 1000)):012x}"
    return f"{digits[:8]}-{digits[8:]}-0000-0000-000000000000"
