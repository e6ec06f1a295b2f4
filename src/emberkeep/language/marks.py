"""What stands for one thing and is more than a word: version and order numbers, addresses, amounts, names in code."""

import re
from collections.abc import Iterator

LONGEST = 80  # characters; what is longer is not asked for by heart
_DIGIT = re.compile(r"\d")
_JOINED = re.compile(r"(?<![\w.])[^\W_]+(?:[-._/:][^\W_]+)+")
_SEPARATOR = re.compile(r"[-_/:]")
_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
_GROUPED = re.compile(r"(?<![\w.,])\d{1,3}(?:[,'’]\d{3})+(?:\.\d+)?(?![\w,])")
_PHONE = re.compile(r"(?<![\w.])\+?\(?\d(?:[ ()./-]{0,2}\d){7,16}(?!\w)")
_DATE = re.compile(r"\d{4}[-./]\d\d?[-./]\d\d?|\d\d?[-./]\d\d?[-./]\d{4}")
_OF_A_PHONE = 9  # the last digits: what is before them depends on from where one calls
_HASH = re.compile(r"(?<!\w)(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}(?!\w)")
_OF_A_HASH = 7  # the first digits, by which people name commits
_CAMEL = re.compile(r"(?<![^\W_])[A-Za-z0-9]*(?:[a-z0-9][A-Z]|[A-Z]{2}[a-z])[A-Za-z0-9]*")
_HUMPED = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]")
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_CODE = re.compile(r"(?<!\w)[A-Za-z](?:\+\+|#)(?!\w)")
# Names that are spelled like words which the index leaves out: "vitamin D", "size S", "the US".
_CAPITALS = re.compile(r"(?<![\w'’])(?:[DSTM]|IT|US|WHO)(?![\w'’])")
_SHORTEST = 5  # characters of a number that few would take for a count
_DECADE = re.compile(r"\d{4}s")
_SMALL = re.compile(r"[a-z]")


def marks(text: str) -> Iterator[str]:
    """The marks in a text, beside its words."""
    if _DIGIT.search(text):
        yield from _numbered(text)
    if "@" in text:
        yield from (found[0].casefold()[:LONGEST] for found in _MAIL.finditer(text))
    if "+" in text or "#" in text:
        yield from (found[0].casefold() for found in _CODE.finditer(text))
    if _SMALL.search(text):
        yield from (found[0] for found in _CAPITALS.finditer(text))


def humps(text: str) -> Iterator[str]:
    """The words that names in code are made of: "get", "user" in "getUser"."""
    for found in _CAMEL.finditer(text) if _HUMPED.search(text) else ():
        yield from (hump.casefold() for hump in _HUMP.findall(found[0]) if len(hump) > 1)


def is_mark(word: str) -> bool:
    """Whether something stands for one thing alone, unlike a word, a year, a number with its unit: "20mg", "1990s"."""
    if "@" in word or (_DIGIT.search(word) and "." in word):
        return True
    return len(word) >= _SHORTEST and _DIGIT.search(word) is not None and not _DECADE.fullmatch(word)


def _numbered(text: str) -> Iterator[str]:
    for found in _JOINED.finditer(text):
        if len(found[0]) <= LONGEST and _DIGIT.search(found[0]):
            yield _SEPARATOR.sub(".", found[0].casefold())
    for found in _HASH.finditer(text):
        yield f"hex{found[0][:_OF_A_HASH]}"
    for found in _GROUPED.finditer(text):
        amount = re.sub(r"[,'’]", "", found[0])
        yield amount
        if "." in amount:
            yield amount.partition(".")[0]
    for found in _PHONE.finditer(text):
        if not _DATE.match(found[0]):
            yield f"tel{re.sub(r'[^0-9]', '', found[0])[-_OF_A_PHONE:]}"
