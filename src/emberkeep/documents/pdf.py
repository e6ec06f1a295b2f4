"""PDF to text, page by page. The only module that uses pypdf."""

import logging
from io import BytesIO

from pypdf import PdfReader
from pypdf.errors import DependencyError

from emberkeep.errors import InvalidInput

MAX_PAGES = 20_000
ENCRYPTED = "this PDF is encrypted: save it without a password, and import that"
PAGE_BREAK = "\n\n\f\n\n"
# pypdf logs the document's own bytes when it stumbles over them; they do not belong in a log, and errors are raised.
if (_log := logging.getLogger("pypdf")).level == logging.NOTSET:
    _log.setLevel(logging.CRITICAL)


def read_pdf(data: bytes, *, max_chars: int) -> tuple[str, str]:
    """Return the title of a PDF, "" for none, and its text with a form feed between pages."""
    try:
        reader = _opened(data)
        pages = _pages(reader, max_chars)
        title = str((reader.metadata and reader.metadata.title) or "").strip()
    except DependencyError:
        raise InvalidInput(ENCRYPTED) from None
    except InvalidInput:
        raise
    except Exception as error:  # noqa: BLE001 - over broken bytes the library may raise anything
        raise InvalidInput(f"this PDF is broken: {error}. Repair it, or import its text") from None
    if not any(page.strip() for page in pages):
        raise InvalidInput("this PDF holds no text, perhaps only pictures of it: run OCR over it first")
    return title, PAGE_BREAK.join(pages)


def _opened(data: bytes) -> PdfReader:
    reader = PdfReader(BytesIO(data))
    if reader.is_encrypted and not reader.decrypt(""):
        raise InvalidInput(ENCRYPTED)
    return reader


def _pages(reader: PdfReader, max_chars: int) -> list[str]:
    pages: list[str] = []
    chars = 0
    for number, page in enumerate(reader.pages):
        if number >= MAX_PAGES:
            raise InvalidInput(f"this PDF has over {MAX_PAGES:,} pages: split it")
        pages.append(page.extract_text().replace("\f", " ").strip())
        chars += len(pages[-1])
        if chars > max_chars:
            raise InvalidInput(f"this PDF holds over {max_chars:,} characters: split it, or raise max_document_mb")
    return pages
