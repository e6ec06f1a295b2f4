"""Files to text: find out what kind of file it is, and read it.

The readers of HTML and PDF are imported only when needed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, get_args

from emberkeep.documents.chunking import first_heading
from emberkeep.documents.decoding import decoded, tidied
from emberkeep.errors import ConfigError, InvalidInput

# ruff: noqa: PLC0415 - importing late is this module's job

MediaType = Literal["text/markdown", "text/plain", "text/html", "application/pdf"]
MEDIA_TYPES: tuple[MediaType, ...] = get_args(MediaType)
MEGABYTE = 1_000_000
MAX_TITLE_CHARS = 200
_BY_ENDING: Mapping[str, MediaType] = {
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".txt": "text/plain",
    ".text": "text/plain",
    ".log": "text/plain",
    ".rst": "text/plain",
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "text/html",
    ".pdf": "application/pdf",
}
_PDF_WITHIN = 1_024  # bytes in which the header of a PDF may begin


@dataclass(frozen=True, slots=True)
class Reading:
    """The content of a file: its title, "" for none, and its text, which is Markdown unless the file is plain text."""

    title: str
    text: str


def media_type_named(value: object) -> MediaType:
    """Return the media type of a name, without parameters; raises `InvalidInput` for an unknown one."""
    wanted = value.partition(";")[0].strip().lower() if isinstance(value, str) else value
    for known in MEDIA_TYPES:
        if wanted == known:
            return known
    raise InvalidInput(f"unknown media_type {value!r}: use one of {', '.join(MEDIA_TYPES)}")


def media_type_of(path: Path) -> MediaType:
    """Return the media type that a file's ending stands for; raises `InvalidInput` for an unknown one."""
    found = _BY_ENDING.get(path.suffix.lower())
    if found is None:
        raise InvalidInput(
            f"{path.name}: unknown type of file; {', '.join(_BY_ENDING)} are known. Pass a media_type, such as "
            "text/plain, if it can be read as one of these"
        )
    return found


def load(path: Path, *, max_mb: int) -> bytes:
    """Return the bytes of a file; raises `InvalidInput` if it is a folder, unreadable or too large."""
    try:
        if path.is_dir():
            raise InvalidInput(f"{path} is a folder: pass the files in it, one by one")
        with path.open("rb") as file:
            data = file.read(max_mb * MEGABYTE + 1)
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read ({error.strerror})") from None
    except ValueError:
        raise InvalidInput("source holds letters that no file has in its name: pass the path of a file") from None
    return within(data, max_mb=max_mb, name=str(path))


def within(data: bytes, *, max_mb: int, name: str) -> bytes:
    """Return the bytes if they are not too many; otherwise raises `InvalidInput`."""
    if len(data) > max_mb * MEGABYTE:
        raise InvalidInput(f"{name} has over {max_mb} MB: split it, or raise max_document_mb")
    return data


def read(data: bytes, media_type: MediaType, *, max_mb: int) -> Reading:
    """Return the title and text of a file's bytes; raises `InvalidInput` if they hold none."""
    if not data.strip():
        raise InvalidInput("this is empty: there is nothing to import")
    if media_type == "application/pdf":
        title, text = _from_pdf(data, max_mb * MEGABYTE)
    elif data[:_PDF_WITHIN].lstrip().startswith(b"%PDF-"):
        raise InvalidInput("this is a PDF: pass media_type application/pdf, or name the file .pdf")
    elif media_type == "text/html":
        title, text = _from_html(decoded(data, is_html=True))
    else:
        title, text = "", decoded(data)
    text = tidied(text)
    if not text:
        raise InvalidInput("this holds no text: there is nothing to import")
    return Reading(_title(title) or title_of(text, media_type), text)


def title_of(text: str, media_type: MediaType) -> str:
    """Return the title that a text gives itself, "" if it has none."""
    return "" if media_type == "text/plain" else _title(first_heading(text))


def _title(text: str) -> str:
    return " ".join(tidied(text[: 4 * MAX_TITLE_CHARS]).split())[:MAX_TITLE_CHARS]


def _from_html(text: str) -> tuple[str, str]:
    _need("bs4", "HTML needs beautifulsoup4")
    from emberkeep.documents.html import read_html

    return read_html(text)


def _from_pdf(data: bytes, max_chars: int) -> tuple[str, str]:
    _need("pypdf", "PDF needs pypdf")
    from emberkeep.documents.pdf import read_pdf

    return read_pdf(data, max_chars=max_chars)


def _need(package: str, why: str) -> None:
    """Raise `ConfigError` if a package is not installed."""
    if find_spec(package) is None:
        raise ConfigError(f"{why}: pip install 'emberkeep[documents]'")
