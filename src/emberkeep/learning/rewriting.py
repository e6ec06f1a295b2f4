"""Rewrite what somebody says about themselves in the third person."""

import re
from collections.abc import Sequence

from emberkeep.learning import verbs, words
from emberkeep.learning.tokens import OF_EMOJI, Token

ANONYMOUS = "The user"
# Other pronouns and what replaces them.
_OTHERS = {"myself": "themselves", "ourselves": "themselves", "your": "the"}
# Fillers, smileys and punctuation at the end of a statement: "lol", ":)", "I think".
_TRAILING = re.compile(
    r"[\s,;:–—-]*(?:\b(?:lol|btw|by the way|though|thanks|thank you|thx|please|pls|you know|remember (?:it|that)"
    r"|xd|tbh|fwiw|imo|imho|ngl|tho|rn|lmao|omg|so yeah|ha(?:ha)+|hehe|too|as well"
    r"|i think|in the end|after all|already|finally|in fact|by now|of course|then)\b"
    rf"|[:;]-?[()DP]|[^\w\s)\]\"”'’%+#€${OF_EMOJI}])[\s.!…]*$",
    re.IGNORECASE,
)
_SPACES = re.compile(r"\s+")
_BEFORE_MARK = re.compile(r"\s+([,;:])")
# An aside in brackets that speaks of "I" or "you".
_ASIDE = re.compile(r"\([^()]*\b(?:I|my|we|our|me|us|mine|you|your)\b[^()]*\)", re.IGNORECASE)
# Prepositions before a "you" that is dropped.
_WITH_YOU = frozenset("with from to by at for of".split())


def third_person(found: Sequence[Token], speaker: str) -> str:
    """Return the words as a statement about the speaker, by name."""
    said: list[str] = []
    index = 0
    agree = False
    while index < len(found):
        one = found[index]
        if _is_you_phrase(found, index):
            index += 2
            continue
        text, agree = _word(found, index, speaker, agree=agree)
        said.append((" " if one.spaced and said else "") + text if text else "")
        index += 1
    return tidy("".join(said))


def tidy(text: str) -> str:
    """Return the statement with a capital, without asides and without fillers and punctuation at its end."""
    text = _ASIDE.sub("", text).replace("`", "")
    before = None
    while text != before:
        before, text = text, _TRAILING.sub("", text)
    text = _BEFORE_MARK.sub(r"\1", _SPACES.sub(" ", text)).strip(" ,;:-–—")
    return text[:1].upper() + text[1:]


def possessive(name: str) -> str:
    """Return the name as an owner: "Alex's"."""
    return f"{name}'s"


def _is_you_phrase(found: Sequence[Token], index: int) -> bool:
    """Return whether "with you", "from you" stands here; it says nothing to another reader."""
    if index + 1 >= len(found) or found[index].lower not in _WITH_YOU or found[index + 1].lower != "you":
        return False
    return index + 2 >= len(found) or not verbs.is_base(found[index + 2].lower)


def _word(found: Sequence[Token], index: int, speaker: str, *, agree: bool) -> tuple[str, bool]:
    """Return a word as it is written in the third person, and whether the next verb must still agree with the name."""
    one = found[index]
    named = speaker if index == 0 or speaker != ANONYMOUS else "the user"
    if one.lower in words.SPEAKER and not one.opaque:
        return named, not _is_one_of_several(found, index)
    if one.lower in ("my", "our", "mine", "ours"):
        return possessive(named), False
    if one.lower in ("me", "us") and one.text != "US":
        return named, False
    if one.lower in _OTHERS:
        return _OTHERS[one.lower], False
    return _verb_word(found, index, agree=agree)


def _verb_word(found: Sequence[Token], index: int, *, agree: bool) -> tuple[str, bool]:
    """Return a word, agreeing with the name if it is the verb, and whether a verb must still agree."""
    one = found[index]
    if one.lower == "am" and not (index and found[index - 1].text[-1].isdigit()):
        return "is" if agree else "are", False
    if not agree:
        return one.text, False
    if one.lower in ("both", "all"):
        return "", True
    if _passes(one.lower):
        return one.text, True
    agreed = _agreed(found, index)
    return agreed, _is_followed_by_verb(found, index)


def _agreed(found: Sequence[Token], index: int) -> str:
    """Return the verb with its -s; "put" and the like, which may be past, only for a habit."""
    one = found[index]
    if one.lower in verbs.INVARIANT and not _is_habit(found):
        return one.text
    return verbs.agreed(one.text)


def _is_habit(found: Sequence[Token]) -> bool:
    return any(one.lower in words.FREQUENCIES for one in found) or any(one.lower == "read" for one in found)


def _is_followed_by_verb(found: Sequence[Token], index: int) -> bool:
    """Return whether another verb follows at once, as in "I write and edit"."""
    return (
        index + 2 < len(found)
        and found[index + 1].lower in ("and", "or")
        and verbs.is_base(found[index].lower)
        and verbs.is_base(found[index + 2].lower)
    )


def _passes(word: str) -> bool:
    """Return whether a word may stand between the subject and its verb."""
    return (
        word in words.ADVERBS
        or word in ("no", "longer", ",", "and", "or")
        or (word.endswith("ly") and word not in words.NOT_ADVERBS and not verbs.is_base(word))
    )


def _is_one_of_several(found: Sequence[Token], index: int) -> bool:
    """Return whether the speaker is one of several subjects, so that the verb stays plural: "Tom and I live"."""
    before = found[index - 1].lower if index else ""
    following = found[index + 1].lower if index + 1 < len(found) else ""
    if following in ("and", "&"):
        return index + 2 < len(found) and not verbs.is_base(found[index + 2].lower)
    return before in ("and", "&") and index > 1 and found[0].lower not in words.SPEAKER and not _has_verb(found[:index])


def _has_verb(found: Sequence[Token]) -> bool:
    return any(one.lower in words.BE or one.lower in words.HAVE or verbs.lemma(one.lower) for one in found)
