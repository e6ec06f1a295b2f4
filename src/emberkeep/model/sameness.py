"""When two texts say the same thing. Pure functions."""

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

from emberkeep.model.item import Draft, Item, Source

_NEGATION = re.compile(r"\b(?:no|not|never|none|nobody|nothing|without|cannot|neither|nor)\b|n['’]t\b", re.IGNORECASE)
_CONTRACTED = re.compile(r"n['’]t\b", re.IGNORECASE)
_EDGES = ".,;:!?'\"’“”‘()…"
_HYPHENATED = re.compile(r"[^\W\d_][^\W\d_A-Z]*(?:['’-][^\W\d_A-Z]+)*")
_TOKEN = re.compile(r"\w+|[^\w\s]")
_PUNCTUATION = frozenset(".,;:!?'\"’“”‘()-–—…")
_FILLERS = frozenset("a an the that this really very just so also please to is are was were".split())
# Words that change what a statement says although its embedding hardly changes.
_DECISIVE = frozenset(
    """
    before after left right up down in out on off over under above below inside outside from with without more less
    first last next previous high low higher lower open closed start stop begin end always never true false yes
    buy sell win lose won lost enable disable enabled disabled increase decrease arrive leave he she him her his hers
    mother father sister brother son daughter husband wife north south east west morning evening am pm and or but if
    must may might can should love hate like dislike allow forbid accept reject old new former current
    few hardly rarely seldom barely scarcely almost nearly only except unless until too we us our
    two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
    nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million half double triple
    second third fourth fifth sixth seventh eighth ninth tenth once twice thrice daily weekly monthly yearly hourly
    automatic automatically manual manually public private local remote
    """.split()
)
_OPPOSING = ("un", "in", "im", "il", "ir", "dis", "non", "a", "anti", "de", "mis")
LONGEST_PARAPHRASE = 120  # tokens; longer texts may differ beyond the embedder's input limit


def normalise(text: str) -> str:
    """The text without differences that do not change its meaning: runs of space, final punctuation, case.

    Words that mix cases, digits or symbols keep their case: it tells keys, paths and identifiers in code apart.
    """
    words = unicodedata.normalize("NFC", text).split()
    folded = " ".join(word.lower() if _is_plain(word) else word for word in words)
    return folded.rstrip(".!… ") or folded or text


def content_hash(text: str, by: str | None = None) -> bytes:
    """A hash that is equal for texts that normalise to the same, in the same voice (`by`)."""
    return hashlib.sha256(f"{by or ''}\0{normalise(text)}".encode()).digest()


def voice(speaker: str | None, sources: Iterable[Source]) -> str | None:
    """Whose words a text is, so that equal texts of two people differ: the speaker, or a role other than "user"."""
    return speaker or next((source.role for source in sources if source.role != "user"), None)


def draft_hash(draft: Draft) -> bytes:
    """The content hash of a draft, as `item_hash` makes it of the item."""
    return content_hash(draft.text, draft.record or voice(draft.speaker, [draft.source] if draft.source else []))


def item_hash(item: Item) -> bytes:
    """The content hash of an item. That of a record's item differs from all others', even with equal words."""
    return content_hash(item.text, item.record or voice(item.speaker, item.sources))


def is_negated(text: str) -> bool:
    """Whether a text contains a negation."""
    return _NEGATION.search(text) is not None


def could_paraphrase(one: str, other: str) -> bool:
    """Whether two texts with similar embeddings may say the same thing.

    Embedders put "the train at 5" beside "the train at 6", "likes tea" beside "does not like tea", and cannot tell who
    owes whom. So texts with the same words in another order are the same only if one is a rotation of the other, and
    texts with different words are not the same if one of these is a number, a name, a symbol, in a script the embedder
    may not know, or in the list of decisive words.
    """
    if is_negated(one) != is_negated(other):
        return False
    first, second = _tokens(one), _tokens(other)
    lowered = [token.lower() for token in first], [token.lower() for token in second]
    if Counter(lowered[0]) == Counter(lowered[1]):
        return _written(one) == _written(other) and _is_rotation(*lowered)
    if max(len(first), len(second)) > LONGEST_PARAPHRASE:
        return False
    other_words = _unshared(first, second)
    if any(_is_decisive(token) for token in other_words) or _are_opposed(other_words):
        return False
    left = {token.lower() for token in other_words}
    shared = [[token for token in tokens if token not in left] for tokens in lowered]
    return _is_rotation(shared[0], shared[1])


def _tokens(text: str) -> list[str]:
    found = _TOKEN.findall(_CONTRACTED.sub(" not", unicodedata.normalize("NFC", text)))
    return [token for token in found if token not in _PUNCTUATION and token.lower() not in _FILLERS]


def _unshared(first: list[str], second: list[str]) -> list[str]:
    """The tokens that only one of the texts has; the first word in lower case, since its capital may mean nothing."""
    counts = [Counter([tokens[0].lower(), *tokens[1:]] if tokens else []) for tokens in (first, second)]
    return list(((counts[0] - counts[1]) + (counts[1] - counts[0])).elements())


def _is_decisive(token: str) -> bool:
    return not token.isascii() or not token.isalpha() or len(token) == 1 or token != token.lower() or token in _DECISIVE


def _are_opposed(tokens: Iterable[str]) -> bool:
    """Whether one word is another with an opposing prefix: "reversible" and "irreversible"."""
    found = set(tokens)
    return any(before + token in found for token in found for before in _OPPOSING)


def _is_rotation(first: list[str], second: list[str]) -> bool:
    return any(first == second[start:] + second[:start] for start in range(max(len(second), 1)))


def _written(text: str) -> Counter[str]:
    """The words whose case may matter: keys, paths and identifiers in code."""
    words = (word.strip(_EDGES) for word in text.split())
    return Counter(word for word in words if not _is_plain(word) and not _HYPHENATED.fullmatch(word))


def _is_plain(word: str) -> bool:
    letters = word.strip(_EDGES)
    return letters.isalpha() and (letters.islower() or letters.isupper() or letters.istitle())
