"""Texts folded so that what is read as the same is the same: case, accents, width, digits, what nobody sees."""

import re
import unicodedata

# What is in no word, though it may stand in one: soft hyphens, joiners, the stroke that stretches Arabic words, ™.
_UNSEEN = dict.fromkeys((0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0x0640, *map(ord, "©®™℠")))
# Accents of scripts that are also written without them; a vowel sign of Hindi or a dakuten is a letter.
_ACCENTS = re.compile("[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed]")
_LETTERS = str.maketrans({
    "ı": "i", "ø": "o", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "ħ": "h", "ŧ": "t", "ƒ": "f",
})  # fmt: skip
_UMLAUT = re.compile("([aou])\u0308")


def fold(text: str) -> str:
    """A text in small letters without accents."""
    if text.isascii():
        return text.casefold()
    # What a sign stands for may have capitals (™), and what is folded may be composed: so both, and once more.
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text.translate(_UNSEEN)).casefold())
    plain = unicodedata.normalize("NFC", _ACCENTS.sub("", apart).translate(_LETTERS))
    if any(char.isdecimal() and not char.isascii() for char in plain):
        plain = "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in plain)
    return plain


def spelled_out(word: str) -> str | None:
    """A word with "ue" for "ü", as who has no such key writes it; nothing if it has none."""
    apart = unicodedata.normalize("NFKD", word.casefold())
    spelled = _UMLAUT.sub(r"\1e", apart)
    return None if spelled == apart else fold(spelled)
