"""As `sitecustomize`, in every Python process of a test: who would leave this machine is written down, and refused.

An audit hook sees what any module does with sockets, however it got at them, and cannot be taken out again. Code that
is not Python is not seen: for that there is a namespace without a network, where one can be made.
"""

import os
import sys
from pathlib import Path
from typing import Any

_ADDRESSED = {"socket.connect": 1, "socket.sendto": 1, "socket.sendmsg": 1, "socket.bind": 1}
_NAMED = {"socket.getaddrinfo": 0, "socket.gethostbyname": 0, "socket.gethostbyaddr": 0}


def _is_here(host: object) -> bool:
    name = host.decode() if isinstance(host, bytes) else host
    return name in {None, "", "localhost", "::1"} or str(name).startswith("127.")


def _watch(event: str, given: tuple[Any, ...]) -> None:
    if event in _ADDRESSED:
        address = given[_ADDRESSED[event]]
        host = address[0] if isinstance(address, tuple) else None  # else a socket in the file system, or none at all
    elif event in _NAMED:
        host = given[_NAMED[event]]
    else:
        return
    if not _is_here(host):
        with Path(os.environ["ATTEMPTS"]).open("a", encoding="utf-8") as attempts:
            attempts.write(f"{event} {host} by {sys.argv}\n")
        raise PermissionError(f"tried to reach {host}")


sys.addaudithook(_watch)
