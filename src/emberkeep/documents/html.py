"""HTML to Markdown: headings, lists, tables and code stay what they are; parts that readers do not see are left out.

The only module that uses Beautiful Soup.
"""

import re
from collections.abc import Iterator
from html import escape, unescape

from bs4 import BeautifulSoup, Tag
from bs4.element import CData, NavigableString
from bs4.exceptions import ParserRejectedMarkup

from emberkeep.errors import InvalidInput

MAX_TAGS = 200_000  # take about ten seconds
DEEPEST = 200  # nested tags; deeper ones are dropped, and only their text is kept
DEEPEST_LIST = 8  # nested lists that are indented

# Tags that are left out with their content.
_DROPPED = frozenset(
    "script style noscript template nav iframe object embed svg canvas audio video button select textarea title".split()
)
# Tags whose content is no HTML.
_RAW = frozenset(("script", "style"))
# Tags without content.
_EMPTY = frozenset("area base br col embed hr img input link meta source track wbr".split())
_UNENDED = frozenset("p li dt dd".split())  # tags whose end many pages leave out
# Tags at which a paragraph begins and ends.
_PARAGRAPHS = frozenset(
    """
    address article aside blockquote body caption dd details div dl dt fieldset figcaption figure footer form header hr
    html main ol p section summary table tbody td tfoot th thead tr ul
    """.split()
)
_HEADING = re.compile(r"h[1-6]$")
_HIDDEN = re.compile(r"display\s{0,9}:\s{0,9}none|hidden", re.IGNORECASE)
_NAME = re.compile(r"/?[a-zA-Z][^\s/<>]*")
_UNTIL_QUOTE = re.compile(r"""[^>"']*""")


def read_html(text: str) -> tuple[str, str]:
    """Return the title of a page, "" for none, and its content as Markdown."""
    try:
        soup = BeautifulSoup("".join(_closed(text)), "html.parser")
    except ParserRejectedMarkup:
        raise InvalidInput("this page cannot be read as HTML: repair it, or import its text") from None
    page = _Page()
    page.read(soup)
    title = _inline(soup.title.get_text()) if soup.title else ""
    return title, page.text


def _closed(text: str) -> Iterator[str]:
    """Yield the page without comments, scripts, styles and unclosed markup, and without tags nested too deeply.

    Before Python 3.13.6 the parser searches up to the end of the page for each tag and comment that is not closed, and
    a deep tree takes long to build: such pages would keep the process busy for hours.
    """
    depth = 0
    for name, markup in _markup(text):
        kind = name.lstrip("/")
        if not kind or kind in _EMPTY:
            yield markup
        elif name in _UNENDED and not _HIDDEN.search(markup):
            yield f"<{kind}></{kind}>"  # its beginning is enough to separate the text
        elif name.startswith("/"):
            yield (markup if depth <= DEEPEST else "") + ("<p></p>" if kind in _UNENDED else "")
            depth = max(depth - (kind not in _UNENDED), 0)
        else:
            depth += 1
            yield markup if depth <= DEEPEST else " "


def _markup(text: str) -> Iterator[tuple[str, str]]:
    """Yield each tag with its name, "/" before the name of an end tag, and the text between tags with the name ""."""
    at, tags = 0, 0
    unpaired: set[str] = set()
    while (opening := text.find("<", at)) >= 0:
        yield "", escape(unescape(text[at:opening]), quote=False)
        tag = _NAME.match(text, opening + 1)
        if tag is None and text[opening + 1 : opening + 2] not in ("!", "?"):
            yield "", "&lt;"
            at = opening + 1
            continue
        at = _end_of_markup(text, opening, unpaired, is_tag=tag is not None)
        if at < 0:  # unclosed: the rest of the page is inside it
            return
        if tag is None:
            continue
        tags += 1
        if tags > MAX_TAGS:
            raise InvalidInput(f"this page has over {MAX_TAGS:,} tags: split it, or import its text")
        name = tag.group().lower()
        if name in _RAW:
            raw_end = re.compile(f"</{name}", re.IGNORECASE).search(text, at)
            if raw_end is None:
                return
            at = raw_end.start()
        elif name.lstrip("/") not in _RAW:
            yield name, text[opening:at]
    yield "", escape(unescape(text[at:]), quote=False)


def _end_of_markup(text: str, opening: int, unpaired: set[str], *, is_tag: bool) -> int:
    """Return where a comment, declaration or tag ends; below zero if it does not."""
    if is_tag:
        return _end_of_tag(text, opening, unpaired)
    mark = "-->" if text.startswith("<!--", opening) else ">"
    end = text.find(mark, opening + 2)
    return end if end < 0 else end + len(mark)


def _end_of_tag(text: str, opening: int, unpaired: set[str]) -> int:
    """Return where a tag ends, ignoring what stands in its quotes; below zero if it does not."""
    at = opening + 1
    while True:
        found = _UNTIL_QUOTE.match(text, at)
        at = found.end() if found else len(text)
        if at >= len(text):
            return -1
        if text[at] == ">":
            return at + 1
        quote = text[at]
        closing = -1 if quote in unpaired else text.find(quote, at + 1)
        if closing < 0:
            unpaired.add(quote)  # no further one exists, so later tags need not search for it
        at = max(closing, at) + 1


class _Page:
    """A page being written as Markdown."""

    def __init__(self) -> None:
        self._blocks: list[list[str]] = []  # of lines
        self._words: list[str] = []
        self._lists: list[str] = []
        self._bullet = ""
        self._is_item = False

    @property
    def text(self) -> str:
        """All that was read, as Markdown."""
        self._end_block()
        return "\n\n".join("\n".join(lines) for lines in self._blocks)

    def read(self, root: Tag) -> None:
        """Read a tag and its content without recursion, as pages may be nested to any depth."""
        stack = [(root, iter(root.contents))]
        while stack:
            tag, rest = stack[-1]
            child = next(rest, None)
            if child is None:
                self._leave(tag)
                stack.pop()
            elif isinstance(child, Tag):
                if self._enter(child):
                    stack.append((child, iter(child.contents)))
            elif isinstance(child, NavigableString) and type(child) in (NavigableString, CData):
                self._words.append(re.sub(r"\s+", " ", child))

    def _enter(self, tag: Tag) -> bool:
        """Begin a tag; return whether its content is to be read tag by tag."""
        name = tag.name
        if name in _DROPPED or tag.has_attr("hidden") or _HIDDEN.search(str(tag.get("style", ""))):
            return False
        if _HEADING.match(name):
            self._block(f"{'#' * int(name[1])} {_inline(tag.get_text(' '))}")
        elif name == "pre":
            self._block(_fenced(tag.get_text()))
        elif name == "table" and _is_plain(tag):
            self._block("\n".join(_rows(tag)))
        elif name == "br":
            self._words.append("\n")
        else:
            self._begin(tag)
            return True
        return False

    def _begin(self, tag: Tag) -> None:
        if tag.name in {"ul", "ol"}:
            self._end_block()
            self._lists.append(tag.name)
        elif tag.name == "li":
            self._end_block()
            indent = "  " * (min(len(self._lists), DEEPEST_LIST) - 1)
            self._bullet = indent + ("1. " if self._lists[-1:] == ["ol"] else "- ")
        elif tag.name in _PARAGRAPHS:
            self._end_block()

    def _leave(self, tag: Tag) -> None:
        if tag.name in {"ul", "ol"}:
            self._end_block()
            del self._lists[-1:]
            self._is_item = self._is_item and bool(self._lists)
        elif tag.name == "li" or tag.name in _PARAGRAPHS:
            self._end_block()

    def _block(self, text: str) -> None:
        """Add a block of its own, such as a heading or a table."""
        self._end_block()
        if text.strip("# \n"):
            self._blocks.append([text])
            self._is_item = False

    def _end_block(self) -> None:
        """End a paragraph; the items of a list stand on consecutive lines."""
        lines = (line.strip() for line in "".join(self._words).split("\n"))
        said = "\n".join(line for line in lines if line)
        self._words.clear()
        if not said:
            return
        if self._bullet and self._is_item:
            self._blocks[-1].append(f"{self._bullet}{said}")
        else:
            self._blocks.append([f"{self._bullet}{said}"])
        self._is_item, self._bullet = bool(self._bullet), ""


def _is_plain(table: Tag) -> bool:
    """Return whether a table consists of rows of cells only.

    Other tables lay out a page, or have rows without an end tag.
    """
    return table.find("table") is None and all(row.find("tr") is None for row in table.find_all("tr"))


def _rows(table: Tag) -> Iterator[str]:
    """Yield the rows of a table as Markdown."""
    for number, row in enumerate(table.find_all("tr")):
        cells = [
            _inline(cell.get_text(" ")).replace("|", "\\|") for cell in row.find_all(["td", "th"], recursive=False)
        ]
        if any(cells):
            yield f"| {' | '.join(cells)} |"
            if number == 0:
                yield f"|{' --- |' * len(cells)}"


def _fenced(code: str) -> str:
    """Return code in a fence longer than any in it."""
    longest = max(map(len, re.findall("`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{code.strip(chr(10))}\n{fence}"


def _inline(text: str) -> str:
    """Return the text on one line."""
    return " ".join(text.split())
