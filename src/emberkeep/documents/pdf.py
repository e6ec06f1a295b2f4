"""PDF to text, page by page. The only module that uses pypdf."""

import logging
from io import BytesIO

from pypdf import PdfReader
from pypdf.errors import DependencyError, PyPdfError

from emberkeep.errors import InvalidInput

MAX_PAGES = 20_000
PAGE_BREAK = "\n\n\f\n\n"
# What a file may be that is no PDF at all, or only almost: the library is not always the first to notice.
_BROKEN = (PyPdfError, ValueError, KeyError, IndexError, TypeError, AttributeError, AssertionError, OverflowError)
_BROKEN_TOO = (RecursionError, NotImplementedError, ZeroDivisionError, OSError, MemoryError)

# It logs what it stumbles over in the document's own bytes, which are not for a log; what is wrong is in the error.
if (_log := logging.getLogger("pypdf")).level == logging.NOTSET:
    _log.setLevel(logging.CRITICAL)


def read_pdf(data: bytes, *, max_chars: int) -> tuple[str, str]:
    """The title of a PDF, "" for none, and its text with a form feed between pages."""
    try:
        reader = PdfReader(BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise InvalidInput("this PDF is encrypted: save it without a password, and import that")
        pages = _pages(reader, max_chars)
        title = str((reader.metadata and reader.metadata.title) or "").strip()
    except DependencyError:
        raise InvalidInput("this PDF is encrypted: save it without a password, and import that") from None
    except (*_BROKEN, *_BROKEN_TOO) as error:
        raise InvalidInput(f"this PDF is broken: {error}. Repair it, or import its text") from None
    if not any(page.strip() for page in pages):
        raise InvalidInput("this PDF holds no text, perhaps only pictures of it: run OCR over it first")
    return title, PAGE_BREAK.join(pages)


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
