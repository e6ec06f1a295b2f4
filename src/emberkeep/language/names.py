"""Compare names: "Mel" and "Melanie", "Mohammed" and "Muhammad" may be the same."""

import re
from functools import lru_cache
from typing import NamedTuple

_SHORTEST = 3  # letters of a name that may be short for a longer one
_SHORTEST_SPELT = 4  # letters of a name that is compared without its vowels
_VOWELS = re.compile(r"[aeiouy]")
_DOUBLED = re.compile(r"(.)\1+")
# Words that open sentences, days, months, and words that begin like a name: they match only the identical name.
_COMMON = frozenset(
    """
    who what when where why how which whose whom is are am was were do does did has have had can could would will shall
    should may might must the this that these those there then than last next and but for from with about after before
    since until during tell name list give show describe explain please remember remind let any some all both each
    january february march april june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday christmas easter halloween thanksgiving
    christchurch kenya philadelphia philippines samsung
    """.split()
)
# Endings of longer forms of a name: Tom to Tommy, Chris to Christopher, Sam to Samantha.
_ENDINGS = frozenset(
    """
    y i a e o s ie ey us is os my ny by dy ty ky ly ry my mmy nny bby ddy tty mie nie bie die ddie ttie
    el iel uel ael iela uela ella elle ella elina eline in ine ina inna ian iana ianna ien ienne
    an ana anna anne anie annie ander andra andria andre andro andros antha anthia
    topher tian tina tine tiana tiane tie thy othy othea othée thew hew thias tthew ttias
    iam helm fred frid bert berto bertus ert erta erto win ward uard uardo ard ardo aldo ald
    amin jamin jaminas edict icia ice ique ika issa ita itta itza lyn lynn leen line lina linda
    ick rick rice ric rico ricia rique oria or ory orie ora eth beth abeth ybeth et etta ette
    imilian imilien imus ime ixine ond mond undo mund gar gard garet garita rgaret herine erine arina arine
    ony hony onio oine inic inique astasia astacia atoly ence rence rent renzo ena essa ess isha on onica son
    """.split()
)
_WORD = re.compile(r"[^\W\d_]+")
# A word of at least two letters.
_POSSIBLE = re.compile(r"(?<!\w)[^\W\d_]\w+")


# Words before a common noun, which is then no name: "the bill", "my rose".
_BEFORE_NOUNS = frozenset("a an the this that these those my your his her its our their some any no each every".split())


class PossibleNames(NamedTuple):
    """The words of a question that may be names, casefolded.

    Where the author types no capitals, any word may be one, and `identical` says that it then means nobody of a similar
    name.
    """

    words: tuple[str, ...]
    identical: bool = False


NOBODY = PossibleNames(())


@lru_cache(maxsize=4_096)
def name_words(name: str) -> frozenset[str]:
    """Return the words of a name, casefolded, without initials."""
    return frozenset(word for word in _WORD.findall(name.casefold()) if len(word) > 1)


def possible_names(text: str) -> PossibleNames:
    """Return the words of a question that may be names: with a capital, or any if the question begins without one."""
    found = capitalised(text)
    if found or not text.lstrip()[:1].islower():
        return PossibleNames(found)
    said = [match[0].casefold() for match in _POSSIBLE.finditer(text)]
    after = zip(["", *said], said, strict=False)
    words = (word for before, word in after if before not in _BEFORE_NOUNS and not is_common(word))
    return PossibleNames(tuple(dict.fromkeys(words)), identical=True)


def capitalised(text: str) -> tuple[str, ...]:
    """Return the words of a text that may be names, casefolded: those that do not begin with a small letter.

    A common word that opens the text is left out: "Will the parrot bite?" asks nothing of Will; "Will's parrot" does.
    """
    found = [match for match in _POSSIBLE.finditer(text) if not match[0][0].islower()]
    if found and not text[: found[0].start()].strip() and _opens(text, found[0]):
        found = found[1:]
    return tuple(match[0].casefold() for match in found)


def _opens(text: str, word: re.Match[str]) -> bool:
    """Return whether a word merely opens a sentence."""
    return is_common(word[0].casefold()) and text[word.end() : word.end() + 1] == " "


def is_common(word: str) -> bool:
    """Return whether a casefolded word is so common that its capital does not make it a name."""
    return word in _COMMON


def is_same_name(one: str, other: str) -> bool:
    """Return whether two casefolded names may be one: equal, one the start of the other, or equal but for vowels."""
    if one == other:
        return True
    if one in _COMMON or other in _COMMON:
        return False
    if min(len(one), len(other)) >= _SHORTEST and (one.startswith(other) or other.startswith(one)):
        return True
    if min(len(one), len(other)) < _SHORTEST_SPELT or one[0] != other[0]:
        return False
    bones = _bones(one)
    return len(bones) > 1 and bones == _bones(other)


def is_meant(asked: str, name: str) -> bool:
    """Return whether a word of a question may mean somebody of that name: as `is_same_name`, but Tomcat is not Tom."""
    longer = asked != name and asked.startswith(name)
    return is_same_name(asked, name) and (not longer or asked[len(name) :] in _ENDINGS)


def _bones(name: str) -> str:
    """Return the letters after the first one, without vowels and doubled letters."""
    return _DOUBLED.sub(r"\1", _VOWELS.sub("", name[1:]))
