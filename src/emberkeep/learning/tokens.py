"""Split a sentence into tokens with their offsets: contractions are written out, quotations and code are one token."""

import re
from dataclasses import dataclass, replace

from emberkeep.language.forms import SHORT_DAYS, SHORT_MONTHS
from emberkeep.learning import words
from emberkeep.learning.verbs import lemma, progressive_lemma

OF_EMOJI = r"\u2600-\u27bf\U0001f300-\U0001faff\ufe0f\u200d"
EMOJI = f"[{OF_EMOJI}]"
_SHORTENED = {**SHORT_MONTHS, **SHORT_DAYS}
# A shortened month, code, a quotation, an aside, a link, an address, a number, a word, emoji, or any other mark.
_TOKEN = re.compile(
    rf"(?i:{'|'.join(_SHORTENED)})\.(?=,?\s+\w)"
    r"|`[^`\n]*`|\"[^\"\n]*\"|“[^”\n]*”|\([^()\n]*\)|https?://\S+|[\w.+-]+@[\w-]+\.[\w.-]+"
    rf"|[$€£]?\d[\d.,:/-]*\d[%€$]?|[\w&]+(?:[-'’./+@:&][\w&]+)*[+#]*|{EMOJI}+|[^\w\s]"
)
_NEAR = 24  # characters on either side of an emoji, in which its neighbouring words are looked for
_PICTURES = re.compile(f"{EMOJI}+")
# Words before an emoji that make it a noun: "two 🐶".
_CALLING = frozenset("a an the my our his their its two three four five six seven eight nine ten".split())
# Verbs before an emoji that is their object: "I play 🎸".
_TAKING_A_THING = frozenset("play plays love loves like likes hate hates eat eats drink drinks".split())
_HEART = r"\u2764\u2665\U0001f493\U0001f495-\U0001f49f\U0001f9e1\U0001f90d\U0001f90e\U0001fa75-\U0001fa77"
_HEARTS = re.compile(rf"[{_HEART}\ufe0f]+")
_NO_THINGS = re.compile(  # hearts, faces and hands, which are no nouns
    rf"[{_HEART}\U0001f494\U0001f600-\U0001f64f\U0001f910-\U0001f92f\U0001f970-\U0001f97a\U0001f44a-\U0001f450]"
)
# Adjectives that may stand between: "a new 🐶".
_DESCRIBING = frozenset("new old little big small tiny huge first second third own favourite favorite".split())
# Words that may follow an emoji which is a noun.
_GOING_ON = (
    words.PREPOSITIONS | words.ADVERBS | words.HELPERS | words.DAY_NAMES
    | frozenset("and or but so because when while who which that last next this every named called".split())
    | frozenset("yesterday today tonight tomorrow".split())
)  # fmt: skip
# Contractions with a form of their own, and words without their apostrophe.
_WHOLE = {
    "i'm": "I am", "im": "I am", "i've": "I have", "ive": "I have", "i'll": "I will", "i'd": "I would",
    "you're": "you are", "youre": "you are", "we're": "we are", "they're": "they are", "can't": "cannot",
    "cant": "cannot", "won't": "will not", "wont": "will not", "dont": "do not", "doesnt": "does not",
    "didnt": "did not", "isnt": "is not", "arent": "are not", "wasnt": "was not", "havent": "have not",
    "hasnt": "has not", "let's": "let us", "lets": "lets", "thats": "that is", "gonna": "going to",
    "wanna": "want to", "gotta": "have to", "shan't": "shall not", "y'all": "you all", "o'clock": "o'clock",
    "couldnt": "could not", "wouldnt": "would not", "shouldnt": "should not", "theres": "there is",
    "shes": "she is", "hes": "he is", "theyre": "they are", "weve": "we have", "theyve": "they have", "itll": "it will",
    "youve": "you have", "whats": "what is",
}  # fmt: skip
# Endings of contractions.
_ENDINGS = (("n't", "not"), ("'ve", "have"), ("'re", "are"), ("'ll", "will"), ("'m", "am"), ("'d", "would"))
# Words after which "'s" is "is", unless a participle follows: "he's got".
_IS = frozenset("he she it that there here who what where how everyone everything someone this".split())


@dataclass(frozen=True, slots=True)
class Token:
    """A word or mark: text (contractions written out), casefolded text, offsets, and whether a space precedes it."""

    text: str
    lower: str
    start: int
    end: int
    spaced: bool

    @property
    def opaque(self) -> bool:
        """Whether it is a quotation, code or an aside: never a subject or verb."""
        return self.text[0] in '`"“('


def tokens(text: str) -> list[Token]:
    """Return the words and marks of a sentence."""
    found: list[Token] = []
    end = 0
    for match in _TOKEN.finditer(text):
        if _PICTURES.fullmatch(match[0]) and not is_a_word(text, match.start(), match.end()):
            continue
        spaced = match.start() > end or (match.start() == 0)
        said = "love" if is_love(text, match.start(), match.end()) else match[0]
        for index, word in enumerate(_written_out(said)):
            found.append(Token(word, word.lower(), match.start(), match.end(), spaced or index > 0))
        end = match.end()
    return _with_is(_calmed(found) if _is_shouted(text) else found)


def _is_shouted(text: str) -> bool:
    """Return whether the whole text is in capitals."""
    return text.isupper() and len(_SHOUTED.findall(text)) > 1


# A word in capitals.
_SHOUTED = re.compile(r"[A-Z]{2,}")
# Words that are no names, and so are written small in a shouted sentence.
_PLAIN_WORDS = (
    words.PREPOSITIONS | words.DETERMINERS | words.HELPERS | words.ADVERBS | words.ADDRESSED | words.CONNECTIVES
    | words.FREQUENCIES | words.DURABLE_STATES | words.MOMENT_STATES | words.KIN_HER | words.KIN_HIM | words.KIN_ANY
    | words.PLURAL_PEOPLE | words.SYSTEM_NOUNS | words.FAVOURITES | words.LIKING
    | frozenset("my our me we he she they him them but name".split())
)  # fmt: skip


def _calmed(found: list[Token]) -> list[Token]:
    """Return the words of a sentence in capitals with known words in small letters; possible names stay as they are."""
    return [replace(one, text=one.lower) if _is_plain_word(one.lower) else one for one in found]


def _is_plain_word(lower: str) -> bool:
    return lower in _PLAIN_WORDS or lemma(lower) is not None or progressive_lemma(lower) is not None


def is_a_word(text: str, start: int, end: int) -> bool:
    """Return whether an emoji is a word of its sentence, and not next to that word as in "a dog 🐕"."""
    return is_love(text, start, end) or _is_a_thing(text, start, end)


def is_love(text: str, start: int, end: int) -> bool:
    """Return whether a heart is the verb: "I ❤️ sushi"."""
    if _HEARTS.fullmatch(text, start, end) is None:
        return False
    before, after = text[max(start - _NEAR, 0) : start].lower().split()[-1:], text[end : end + _NEAR].split()[:1]
    return bool(before) and before[0] in words.SPEAKER and after[:1] != [] and after[0][0].isalnum()


def _is_a_thing(text: str, start: int, end: int) -> bool:
    """Return whether an emoji is a noun: "two 🐶", "I play 🎸"."""
    if _NO_THINGS.search(text, start, end):
        return False
    before = text[max(start - _NEAR, 0) : start].lower().split()[-2:]
    if before and before[-1] in _DESCRIBING:
        before.pop()
    after = re.match(r"\s*([^\W\d_]*)", text[end : end + _NEAR].lower())
    following = after[1] if after else ""
    called_for = bool(before) and (before[-1] in _CALLING or before[-1].isdigit() or before[-1] in _TAKING_A_THING)
    return called_for and (not following or following in _GOING_ON)


def _written_out(word: str) -> list[str]:
    """Return the words of a contraction or a shortened month: "I am" for "I'm", "December" for "Dec."."""
    if word[-1] == "." and word[:-1].lower() in _SHORTENED:  # "in Dec. 2018"
        return [_SHORTENED[word[:-1].lower()].capitalize()]
    plain = word.replace("’", "'")
    if plain in ("i", "I"):
        return ["I"]
    if "'" not in plain and plain.lower() not in _WHOLE:
        return [word]
    lower = plain.lower()
    if lower in _WHOLE:
        parts = _WHOLE[lower].split()
        return [parts[0].capitalize() if word[0].isupper() else parts[0], *parts[1:]]
    for ending, full in _ENDINGS:
        if lower.endswith(ending) and len(lower) > len(ending):
            return [plain[: -len(ending)], full]
    return [plain]


def _with_is(found: list[Token]) -> list[Token]:
    """Return the words with "'s" as "is" or "has" where it is one: "my sister's a nurse", not "my sister's car"."""
    result: list[Token] = []
    for index, one in enumerate(found):
        before = [earlier.lower for earlier in found[max(index - 2, 0) : index]]
        verb = _verb_in(one, before, [later.lower for later in found[index + 1 : index + 5]])
        if verb is None:
            result.append(one)
            continue
        stem = one.text[:-2]
        result.append(Token(stem, stem.lower(), one.start, one.end, one.spaced))
        result.append(Token(verb, verb, one.start, one.end, spaced=True))
    return result


# Words before which "'s" is "is".
_AFTER_IS = frozenset(
    """
    a an the my our due not in from at on very so called named born also still currently now always just about off
    """.split()
)
# Words before an owner, so that an -ing form after it is a noun: "I like Bob's cooking".
_TAKING = frozenset(
    """
    like likes love loves hate hates enjoy enjoys dislike dislikes prefer prefers miss misses admire admires of for
    about appreciate appreciates stand with despite
    """.split()
)
# Words before which "'s" is "has".
_AFTER_HAS = frozenset("been got had gone become moved lived worked".split())


def _is_at_ones(before: list[str]) -> bool:
    """Return whether it is somebody's home: "at my mom's on Sunday", "from Tom's in Rome"."""
    owner = before[:-1] if before[-1:] and before[-1] in _WHOSE else before
    return bool(owner) and owner[-1] in words.PREPOSITIONS - {"since", "as", "until"}


# Possessives and articles before an owner.
_WHOSE = frozenset("my our his her their the".split())


def _verb_in(one: Token, before: list[str], later: list[str]) -> str | None:
    """Return the verb that "'s" stands for, "is" or "has"; None if it marks an owner."""
    if not one.lower.endswith("'s") or len(one.text) < len("a's") or _is_at_ones(before):
        return None
    following = later[0] if later else ""
    if following in _AFTER_HAS:
        return "has"
    if one.lower == "name's":
        return None if words.BE & set(later) else "is"
    if one.lower[:-2] in _IS or following in _AFTER_IS:
        return "is"
    if before and before[-1] in _TAKING and progressive_lemma(following):
        return None  # "I like Bob's cooking"
    described = following in words.DURABLE_STATES or following.isdigit() or progressive_lemma(following)
    return "is" if described and not words.BE & set(later) else None


def joined(found: list[Token]) -> str:
    """Return the words as text again."""
    text = "".join((" " if one.spaced and index else "") + one.text for index, one in enumerate(found))
    return text.strip()
