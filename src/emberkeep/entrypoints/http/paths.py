"""Request paths in which an encoded slash or percent sign inside an id stays apart from the slashes between parts."""

from typing import Annotated
from urllib.parse import unquote_to_bytes

from fastapi import Path
from pydantic import BeforeValidator

from emberkeep.errors import InvalidInput


def marked(raw: bytes) -> str:
    """Decode a raw path to route by; slashes and percent signs inside its parts stay percent-encoded."""
    try:
        parts = [unquote_to_bytes(part).decode("utf-8") for part in raw.split(b"/")]
    except UnicodeDecodeError:
        raise InvalidInput("the path is not UTF-8: percent-encode an id as UTF-8") from None
    return "/".join(part.replace("%", "%25").replace("/", "%2F") for part in parts)


def unmarked(part: str) -> str:
    """Decode a part of a path that `marked` returned."""
    return part.replace("%2F", "/").replace("%25", "%")


Part = Annotated[str, Path(), BeforeValidator(unmarked)]
