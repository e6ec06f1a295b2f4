"""Fold texts so that equal readings compare equal: case, accents, width, digits, invisible characters."""

import re
import unicodedata

# Characters dropped from words: soft hyphens, joiners, the stroke that stretches Arabic words, ™.
_UNSEEN = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff\u0640©®™℠]")
# Accents of scripts that are also written without them. A vowel sign of Hindi or a dakuten is part of its letter.
_ACCENTS = re.compile("[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed]")
# Letters that normal forms do not take apart.
_LETTERS = str.maketrans({
    "ı": "i", "ø": "o", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "ħ": "h", "ŧ": "t", "ƒ": "f",
})  # fmt: skip
_OTHER_LETTERS = re.compile("[ıøœłđðþæħŧƒ]")
_OTHER_DIGITS = re.compile(r"[^\D0-9]")
_UMLAUT = re.compile("([aou])\u0308")
_UMLAUTS = re.compile("[äöüÄÖÜ\u0308]")


def fold(text: str) -> str:
    """Return a text casefolded and without accents."""
    if text.isascii():
        return text.casefold()
    # A sign may decompose to capitals, and a folded letter may be a composed one, so decompose twice.
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", _UNSEEN.sub("", text)).casefold())
    plain = unicodedata.normalize("NFC", _ACCENTS.sub("", apart))
    if _OTHER_LETTERS.search(plain):
        plain = plain.translate(_LETTERS)
    return _OTHER_DIGITS.sub(lambda digit: str(unicodedata.decimal(digit[0])), plain)


def spelled_out(text: str) -> str:
    """Return the words of a text that have an umlaut, with "ue" for "ü", as they are written on other keyboards."""
    if not _UMLAUTS.search(text):
        return ""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return fold(" ".join(_UMLAUT.sub(r"\1e", word) for word in apart.split() if _UMLAUT.search(word)))
