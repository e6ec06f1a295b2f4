"""Decide what sort of statement a clause is, or that it is not worth keeping."""

import re
from itertools import pairwise

from emberkeep.learning import words
from emberkeep.learning.clauses import Clause
from emberkeep.learning.of_others import is_of_their_world, of_other
from emberkeep.learning.of_speaker import goes_on, of_speaker
from emberkeep.learning.sorts import EVENT, PREFERENCE, TOLD, Said, Sort, is_pointing

# A short time ahead: "in ten minutes".
_SOON = re.compile(r"\bin (?:\w+ )?\w+ (?:minutes?|mins?|seconds?|hours?)\b")
# Phrases for the present moment.
_MOMENT_WORDS = ("right now", "at the moment", "just now", "as we speak", "this minute")


def sort_of(clause: Clause, dated: str | None, *, before: Sort | None = None, asked: bool = False) -> Sort | None:
    """Return the sort of a clause; None if it is not worth keeping.

    `dated` says whether its dates are past or future, and `before` is the sort of the clause before it. With `asked`,
    the speaker asked to remember it, and anything certain is kept as a fact.
    """
    said = Said(clause, dated)
    if _is_uncertain(said):
        return None
    sort = _sort(said)
    if sort is None and before == EVENT and goes_on(said):
        return EVENT
    return TOLD if sort is None and asked else sort


def _sort(said: Said) -> Sort | None:
    """Return the sort by the first rules that apply: a preference, or a statement about the speaker or about others."""
    if _is_of_the_moment(said.clause) or _is_reported(said):
        return None
    if _is_taste(said):
        return PREFERENCE
    return of_speaker(said) if said.clause.subject.kind in ("speaker", "with") else of_other(said)


def _is_uncertain(said: Said) -> bool:
    """Return whether a clause is hypothetical, not meant literally, or unfinished: "I might move"."""
    if _would_rather(said):
        return bool(set(said.rest) & words.ADDRESSED)
    if said.verb.modal and said.verb.modal not in ("can", "cannot"):
        return True
    if _only_almost(said) or _is_figure(said):
        return True
    return bool(said.lowered & words.HYPOTHETICAL) or _is_unfinished(said)


def _is_unfinished(said: Said) -> bool:
    """Return whether a clause leans on another, or runs on: "did the same", "I am Legend is my favourite movie"."""
    if said.lemma == "do" and (said.says("the", "same") or said.says("so")):
        return True
    if said.lemma != "be" or said.verb.tense != "present" or said.clause.subject.kind != "speaker":
        return False
    again = next((index for index, word in enumerate(said.rest) if word in ("is", "are")), 0)
    return again > 0 and not set(said.rest[:again]) & _BEFORE_ANOTHER_VERB


# Words after which a second "is" belongs to a clause of its own.
_BEFORE_ANOTHER_VERB = (
    words.CONNECTIVES | words.FIRST_PERSON | frozenset(", whose there it he she they his her".split())
)


def _only_almost(said: Said) -> bool:
    """Return whether it did not quite happen: "I almost bought a car"."""
    how = said.clause.lowered[said.verb.start : said.verb.end]
    return said.verb.tense in ("past", "perfect") and bool({"almost", "nearly"} & set(how)) and "never" not in how


def _is_figure(said: Said) -> bool:
    """Return whether it is not meant literally, or is corrected: "I live under a rock", "I don't just like pizza"."""
    how = said.clause.lowered[said.verb.start : said.verb.end + 3]
    if any(one == "not" and two in ("just", "only", "merely", "simply") for one, two in pairwise(how)):
        return True
    if said.says("married", "to", "my"):
        return bool(set(said.rest[3:4]) & _NO_SPOUSES)
    told = " ".join(said.rest)
    return any(told.startswith(figure) for figure in words.FIGURES.get(said.lemma, ()))


# What people say they are married to in jest: "my job".
_NO_SPOUSES = frozenset("job work career company business phone laptop code computer startup couch bed".split())


def _would_rather(said: Said) -> bool:
    """Return whether the verb is "would rather"."""
    return said.clause.lowered[said.verb.start : said.verb.end][:2] == ("would", "rather")


def _is_of_the_moment(clause: Clause) -> bool:
    """Return whether it holds only now or here, or exaggerates: "I'm at my desk right now"."""
    if clause.lowered[0] == "according" or words.EXAGGERATING & set(clause.lowered) or _is_here(clause.rest):
        return True
    text = " ".join(clause.lowered)
    return any(phrase in text for phrase in _MOMENT_WORDS) or _SOON.search(text) is not None


def _is_here(rest: tuple[str, ...]) -> bool:
    """Return whether it holds only where it was said: "I work here"."""
    return rest[:1] == ("here",) or rest[1:2] == ("here",)


def _is_reported(said: Said) -> bool:
    """Return whether it reports speech: "I said ...", but not "I report to Anna"."""
    return said.lemma in words.REPORTING and not (said.lemma == "report" and said.says("to"))


def _is_taste(said: Said) -> bool:
    """Return whether it tells a preference: "I like tea", "I can't stand jazz", "my favourite colour is blue"."""
    if said.clause.subject.kind == "pronoun" or not said.rest or not is_of_their_world(said):
        return False
    if words.FAVOURITES & said.lowered:
        return said.lemma == "be" and said.verb.tense in ("present", "perfect")
    if said.verb.modal:
        stands = said.verb.modal == "cannot" and said.lemma in ("stand", "bear") and not is_pointing(said.rest)
        return stands or _would_rather(said)
    if said.verb.tense not in ("present", "perfect") or said.verb.progressive:
        return False
    return _is_fondness(said) if said.lemma == "be" else _is_liking(said)


def _is_fondness(said: Said) -> bool:
    """Return whether it is a taste told with "be": "I'm a fan of jazz"."""
    text = " ".join((*(("not",) if said.verb.negated else ()), *said.rest[:6]))
    fond = any(text.startswith(phrase) for phrase in words.TASTE_BE)
    return fond and said.verb.tense == "present" and not set(said.rest) & {"it", "this", "that"}


def _is_liking(said: Said) -> bool:
    """Return whether it is a taste told with a verb: "I prefer tea", "I always want a window seat"."""
    if said.lemma == "want":
        return "always" in said.lowered and said.verb.tense == "present"
    return said.lemma in words.LIKING and not is_pointing(said.rest) and said.rest[0] not in ("me", "us")
