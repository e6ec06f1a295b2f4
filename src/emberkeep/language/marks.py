"""Terms that identify one thing and are more than a word: version and order numbers, addresses, amounts, code names."""

import re
from collections.abc import Iterator

LONGEST = 80  # characters; nobody types a longer one from memory
_DIGIT = re.compile(r"\d")
# Parts joined by punctuation: "v1.2.3", "INV-2024/07".
_JOINED = re.compile(r"(?<![\w.])[^\W_]+(?:[-._/:][^\W_]+)+")
_SEPARATOR = re.compile(r"[-_/:]")
_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
# A number with separated thousands: "1,250.00".
_GROUPED = re.compile(r"(?<![\w.,])\d{1,3}(?:[,'’]\d{3})+(?:\.\d+)?(?![\w,])")
_PHONE = re.compile(r"(?<![\w.])\+?\(?\d(?:[ ()./-]{0,2}\d){7,16}(?!\w)")
# A date, which looks like a phone number.
_DATE = re.compile(r"\d{4}[-./]\d\d?[-./]\d\d?|\d\d?[-./]\d\d?[-./]\d{4}")
_OF_A_PHONE = 9  # the last digits kept: those before them depend on where the call is made from
# A hexadecimal number with digits and letters, such as a commit.
_HASH = re.compile(r"(?<!\w)(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}(?!\w)")
_OF_A_HASH = 7  # the first digits kept, by which people name commits
# A name in camel case: "getUser", "HTTPServer".
_CAMEL = re.compile(r"(?<![^\W_])[A-Za-z0-9]*(?:[a-z0-9][A-Z]|[A-Z]{2}[a-z])[A-Za-z0-9]*")
# A quick test for camel case.
_HUMPED = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]")
# A word inside a name in camel case.
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
# "C++", "F#".
_CODE = re.compile(r"(?<!\w)[A-Za-z](?:\+\+|#)(?!\w)")
# Names that are spelled like stop words: "vitamin D", "size S", "the US".
_CAPITALS = re.compile(r"(?<![\w'’])(?:[DSTM]|IT|US|WHO)(?![\w'’])")
_SHORTEST = 5  # characters of a number that is not taken for a count
# "1990s".
_DECADE = re.compile(r"\d{4}s")
_SMALL = re.compile(r"[a-z]")


def marks(text: str) -> Iterator[str]:
    """Yield the marks in a text, in addition to its words."""
    if _DIGIT.search(text):
        yield from _numbered(text)
    if "@" in text:
        yield from (found[0].casefold()[:LONGEST] for found in _MAIL.finditer(text))
    if "+" in text or "#" in text:
        yield from (found[0].casefold() for found in _CODE.finditer(text))
    if _SMALL.search(text):
        yield from (found[0] for found in _CAPITALS.finditer(text))


def humps(text: str) -> Iterator[str]:
    """Yield the words inside names in code: "get", "user" for "getUser"."""
    for found in _CAMEL.finditer(text) if _HUMPED.search(text) else ():
        yield from (hump.casefold() for hump in _HUMP.findall(found[0]) if len(hump) > 1)


def is_mark(word: str) -> bool:
    """Return whether a term identifies one thing, unlike a word, a year or a number with its unit ("20mg", "1990s")."""
    if "@" in word or (_DIGIT.search(word) and "." in word):
        return True
    return len(word) >= _SHORTEST and _DIGIT.search(word) is not None and not _DECADE.fullmatch(word)


def _numbered(text: str) -> Iterator[str]:
    """Yield the marks with digits: joined numbers, hashes, amounts and phone numbers."""
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
