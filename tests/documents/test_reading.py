"""Files to text."""

import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from pypdf import PdfWriter

from emberkeep.documents import reading
from emberkeep.documents.decoding import decoded, tidied
from emberkeep.documents.html import read_html
from emberkeep.documents.reading import MediaType
from emberkeep.errors import ConfigError, InvalidInput


def read(data: bytes, media_type: MediaType = "text/plain") -> reading.Reading:
    return reading.read(data, media_type, max_mb=1)


def pdf(*pages: str, title: str = "") -> bytes:
    """A PDF by hand: the least that readers take for one."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>"]
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    objects.append(f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>")
    objects.append("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    for n, page in enumerate(pages):
        lines = page.replace("(", "\\(").replace(")", "\\)").splitlines()
        drawn = "BT /F1 12 Tf 72 720 Td 14 TL " + " T* ".join(f"({line}) Tj" for line in lines) + " ET"
        objects.append(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] "
            f"/Resources << /Font << /F1 3 0 R >> >> /Contents {5 + 2 * n} 0 R >>"
        )
        objects.append(f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream")
    info = len(objects) + 1
    objects.append(f"<< /Title ({title}) >>")
    out, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    tail = f"xref\n0 {size}\n0000000000 65535 f \n{table}"
    tail += f"trailer << /Size {size} /Root 1 0 R /Info {info} 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
    return out + tail.encode()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252"])
def test_encodings_are_understood(encoding: str) -> None:
    assert read("Käse – “gut”\r\nund Öl".encode(encoding)).text == "Käse – “gut”\nund Öl"


def test_what_no_western_encoding_holds_is_still_text() -> None:
    assert decoded(b"caf\xe9 \x81") == "café \x81"


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\x00\x00", bytes(range(1, 32)) * 10, b"PK\x03\x04" * 50])
def test_binary_is_refused(data: bytes) -> None:
    with pytest.raises(InvalidInput, match="not text"):
        read(data)


@pytest.mark.parametrize("data", [b"", b" \n\t", b"\xef\xbb\xbf \n"])
def test_nothing_is_refused(data: bytes) -> None:
    with pytest.raises(InvalidInput, match="nothing to import"):
        read(data)


def test_tidying_leaves_no_endless_space_and_nothing_unseen() -> None:
    assert tidied(f"a{' ' * 500}b\x00\x07 \n\n\n\n\n\nc\u2028d") == f"a{' ' * 80}b\n\n\nc\nd"


def test_types_go_by_the_name_of_the_file() -> None:
    assert reading.media_type_of(Path("A.MD")) == "text/markdown"
    assert reading.media_type_named("text/html; charset=utf-8") == "text/html"
    with pytest.raises(InvalidInput, match=r"letter.docx: unknown type of file; .md, .*Pass a media_type"):
        reading.media_type_of(Path("letter.docx"))
    with pytest.raises(InvalidInput, match="use one of text/markdown, text/plain, text/html, application/pdf"):
        reading.media_type_named("image/png")


PAGE = """<!DOCTYPE html><html><head><title> The &amp; Page </title><style>p { color: red }</style>
<script>if (a < b) { document.write("<p>no</p>") }</script></head><body>
<nav><a href="/">Home</a></nav><!-- a > comment --><h1>Big <b>news</b></h1>
<p>One &lt;two&gt; <b>th</b>ree.<br>Four</p><p hidden>unseen</p><div style="display: none">unseen</div>
<ul><li>a<ul><li>b</li></ul></li><li><p>c</p></li></ul><ol><li>one<li>two</ol>
<pre><code>x = 1
  y</code></pre>
<table><tr><th>k</th><th>v</th></tr><tr><td>a|b</td><td>2</td></tr></table>
<table><tr><td><table><tr><td>laid out</td></tr></table></td></tr></table>
<p>old<p>pages <a title="a > b">end</a> 3 < 4 & 5</body></html>"""
MARKDOWN = """# Big news

One <two> three.
Four

- a
  - b
- c

1. one
1. two

```
x = 1
  y
```

| k | v |
| --- | --- |
| a\\|b | 2 |

| laid out |
| --- |

old

pages end 3 < 4 & 5"""


def test_html_becomes_markdown() -> None:
    found = read(PAGE.encode(), "text/html")
    assert found.title == "The & Page"
    assert found.text == MARKDOWN


def test_html_says_its_encoding() -> None:
    page = '<meta charset="iso-8859-2"><h1>Łódź</h1>'.encode("iso-8859-2")
    assert read(page, "text/html") == reading.Reading("Łódź", "# Łódź")
    assert read(b'<meta charset="nonsense"><p>caf\xc3\xa9', "text/html").text == "café"


@pytest.mark.slow
@pytest.mark.parametrize(
    "part",
    [
        "<div>", "<div>x</div></div>", "<!--", "<!", "<![CDATA[", "<", "<a ", '<a b="', "<b></i>", "&", "&#x", "<p>x",
        "<script>", "<?", "</", "<table><tr><td>", "<tr><td>x", "<ul><li>x", "<li>x", "<h1>x", "<pre>`",
    ],
)  # fmt: skip
def test_hostile_html_takes_seconds_at_most(part: str) -> None:
    start = time.process_time()
    read_html(part * 25_000)
    assert time.process_time() - start < 10


def test_too_many_tags_are_refused() -> None:
    with pytest.raises(InvalidInput, match="over 200,000 tags"):
        read_html("<b>" * 200_001)


def test_deep_pages_are_read() -> None:
    assert read_html("<div>" * 5_000 + "inside" + "</div>" * 5_000 + "<p>after")[1] == "inside\n\nafter"


def test_pdf_pages_become_text() -> None:
    found = read(pdf("The first page (one)\nsecond line", "Page two", title="A handbook"), "application/pdf")
    assert found.title == "A handbook"
    assert found.text == "The first page (one)\nsecond line\n\n\f\n\nPage two"


def test_a_pdf_with_an_empty_password_is_read_and_one_with_a_password_is_not(tmp_path: Path) -> None:
    def locked(password: str) -> bytes:
        (tmp_path / "plain.pdf").write_bytes(pdf("The first page"))
        writer = PdfWriter(clone_from=tmp_path / "plain.pdf")
        writer.encrypt(password, "owner", algorithm="RC4-128")
        writer.write(tmp_path / "locked.pdf")
        return (tmp_path / "locked.pdf").read_bytes()

    assert read(locked(""), "application/pdf").text == "The first page"
    with pytest.raises(InvalidInput, match="encrypted: save it without a password"):
        read(locked("secret"), "application/pdf")


@pytest.mark.parametrize(
    "data", [b"no pdf at all", b"%PDF-1.4\n%%EOF", pdf("x")[:200], pdf("x").replace(b"/Catalog", b"/Rubbish")[:-60]]
)
def test_a_broken_pdf_is_refused(data: bytes) -> None:
    with pytest.raises(InvalidInput, match=r"this PDF (is broken|holds no text)"):
        read(data, "application/pdf")


def test_no_log_quotes_a_broken_pdf(caplog: pytest.LogCaptureFixture) -> None:
    with suppress(InvalidInput):
        read(pdf("x").replace(b"/Parent 2 0 R", b"/Parent Quetzalcoatl R"), "application/pdf")
    assert not caplog.text


def test_a_pdf_of_pictures_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"holds no text, .* run OCR"):
        read(pdf(""), "application/pdf")


def test_a_pdf_with_too_much_text_is_refused() -> None:
    with pytest.raises(InvalidInput, match="raise max_document_mb"):
        reading.read(pdf("words " * 100), "application/pdf", max_mb=0)


def test_a_pdf_by_another_name_is_noticed() -> None:
    with pytest.raises(InvalidInput, match="this is a PDF"):
        read(pdf("x"), "text/plain")


@pytest.mark.parametrize(("package", "media_type"), [("bs4", "text/html"), ("pypdf", "application/pdf")])
def test_a_missing_package_is_named(package: str, media_type: MediaType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ConfigError, match=r"pip install 'emberkeep\[documents\]'"):
        read(b"x", media_type)
    assert read(b"x").text == "x"
