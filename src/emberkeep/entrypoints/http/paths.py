"""Paths as they were sent: a slash or a percent sign inside an id is not one between the parts."""

from typing import Annotated
from urllib.parse import unquote_to_bytes

from fastapi import Path
from pydantic import BeforeValidator

from emberkeep.errors import InvalidInput


def marked(raw: bytes) -> str:
    """A raw path to route by: its parts decoded, but for slashes and percent signs in them, which are marked."""
    try:
        parts = [unquote_to_bytes(part).decode("utf-8") for part in raw.split(b"/")]
    except UnicodeDecodeError:
        raise InvalidInput("the path is not UTF-8: percent-encode an id as UTF-8") from None
    return "/".join(part.replace("%", "%25").replace("/", "%2F") for part in parts)


def unmarked(part: str) -> str:
    """A part of such a path, as it was meant."""
    return part.replace("%2F", "/").replace("%25", "%")


Part = Annotated[str, Path(), BeforeValidator(unmarked)]
