"""Bytes to text: find the encoding, and whether it is text at all. Pure functions."""

import codecs
import re

from emberkeep.errors import InvalidInput

_MARKS = (  # UTF-32 first: its little-endian mark begins with that of UTF-16
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Control bytes that no text contains.
_CONTROL = bytes(code for code in range(32) if code not in b"\t\n\v\f\r\x1b")
MOST_CONTROL = 0.01  # share of control bytes above which data is no text
_DECLARED = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]{1,40})""", re.IGNORECASE)
DECLARED_WITHIN = 4_096  # bytes searched for the declared encoding

_NEWLINE = re.compile(r"\r\n?|[\x85\u2028\u2029]")
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f\ufeff\ud800-\udfff]")
_TRAILING = re.compile(r"(?<=\S)[^\S\n\f]{1,80}(?=\n)")
# White space of more than 80 characters.
_WIDE = re.compile(r"[^\S\n\f]{81,}")
# More than three line ends.
_TALL = re.compile(r"\n{4,}")


def decoded(data: bytes, *, is_html: bool = False) -> str:
    """Return the text of some bytes: by byte order mark, else as HTML declares, else UTF-8, else Windows-1252.

    Raises `InvalidInput` if they are no text.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    if b"\x00" in data or len(data) - len(data.translate(None, _CONTROL)) > MOST_CONTROL * len(data):
        raise InvalidInput("this is not text: pass Markdown, plain text, HTML or PDF, with its media_type")
    for guess in (*(_declared(data) if is_html else ()), "utf-8", "cp1252"):
        try:
            return data.decode(guess)
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1")


def tidied(text: str) -> str:
    """Return the text with line feeds only, without unprintable characters, and with long white space shortened."""
    text = _UNPRINTABLE.sub("", _NEWLINE.sub("\n", text))
    text = _WIDE.sub(" " * 80, text)
    return _TALL.sub("\n\n\n", _TRAILING.sub("", text)).strip()


def _declared(data: bytes) -> tuple[str, ...]:
    """Return the encoding that an HTML page declares, if it is a known one."""
    found = _DECLARED.search(data[:DECLARED_WITHIN])
    try:
        return (codecs.lookup(found.group(1).decode("ascii")).name,) if found else ()
    except LookupError:
        return ()
