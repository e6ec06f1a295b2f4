"""Characters that are not seen as they are: invisible ones, and lookalikes."""

import re

# Characters that people do not see but a model reads: control, direction, zero-width, filler, selector and tag
# characters, lone surrogates, and code points that are no characters. A single selector, as after an emoji, is left.
INVISIBLE = re.compile(
    "[\\x00-\\x1f\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e"
    "\\u2060-\\u206f\\u2800\\u3164\\ud800-\\udfff\\ufeff\\uffa0\\ufff0-\\ufffb\\ufffe\\uffff"
    "\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a\\U000e0000-\\U000e0fff]+|[\\ufe00-\\ufe0f]{2,}"
)
# Characters that a normal form turns into < > &, and those that merely look like angle brackets. Quotation marks stay.
_LOOKALIKES = str.maketrans(
    {
        **dict.fromkeys("＜﹤‹〈⟨❮❬❰˂ᐸ⧼𐋀", "<"),
        **dict.fromkeys("＞﹥›〉⟩❯❭❱˃ᐳ⧽", ">"),
        **dict.fromkeys("＆﹠", "&"),
        "≮": "<\u0338",
        "≯": ">\u0338",
    }
)
# Cyrillic and Greek letters that look like Latin ones.
_LETTERS = str.maketrans("аеіјорсуѕхԁһтмпкАВЕІЈКМНОРСТХαειοκνρτυχ", "aeijopcysxdhtmnkABEIJKMHOPCTXaeiokvptux")
_LATIN = re.compile(
    "[A-Za-z\u00aa\u00ba\u00c0-\u02af\u1d00-\u1eff\u2c60-\u2c7f\ua720-\ua7ff\uff21-\uff3a\uff41-\uff5a]"
)


def visible(text: str) -> str:
    """Return the text on one line, without invisible characters, and with plain brackets for their lookalikes."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    return " ".join(INVISIBLE.sub(" ", text).translate(_LOOKALIKES).split())


def latin(text: str) -> str:
    """Return the text with Latin letters in place of their lookalikes."""
    return text.translate(_LETTERS)


def is_latin(text: str) -> bool:
    """Return whether at least half of the letters of a text are Latin; a text without letters counts as Latin."""
    return text.isascii() or 2 * len(_LATIN.findall(text)) >= sum(map(str.isalpha, text))
