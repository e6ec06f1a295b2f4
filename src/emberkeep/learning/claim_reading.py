"""Parse a statement for its claim: whom it is about, what it says, and whether it denies it."""

import re
from dataclasses import dataclass

from emberkeep.language.dates import without_dates
from emberkeep.learning import clauses, verbs, words
from emberkeep.learning.clauses import Clause
from emberkeep.learning.tokens import joined, tokens
from emberkeep.model.claim import Claim

# Relations of which only one value holds at a time.
SINGLE = frozenset(
    """
    home employer job name nickname age birthday birthplace spouse partner diet phone email address language location
    version origin school date time drive
    """.split()
) | {"runs on", "written in", "relationship status"}
# Words for the user as subject.
_SELF = frozenset(("user", "the user", "i", "we"))
# Verbs for what two people do with each other: "Mia and the user broke up".
BY_TWO = frozenset("get split divorce separate marry break".split())
# A subject of several that includes the user, or names somebody twice: "the user and Anna", "Alex's wife and Alex".
_WITH_SELF = re.compile(
    r"(?:(?:(?! of ).)+ and (?:the user|user|i)|(?:the user|user|i) and (?:(?:the user's|my) )?[\w-]+"
    r"|(?P<name>\w+)'s (?:(?! of ).)+ and (?P=name)|(?P<first>\w+) and (?P=first)'s [\w-]+)",
    re.IGNORECASE,
)
# Nouns for what somebody has one of, and the relation that each stands for.
ATTRIBUTES = {
    "name": "name", "full name": "name", "first name": "name", "surname": "surname", "last name": "surname",
    "nickname": "nickname", "age": "age", "birthday": "birthday", "date of birth": "birthday", "birth date": "birthday",
    "phone": "phone", "phone number": "phone", "telephone number": "phone", "mobile number": "phone", "number": "phone",
    "email": "email", "e-mail": "email", "email address": "email", "e-mail address": "email",
    "address": "address", "home address": "address", "postal address": "address", "home": "home", "hometown": "origin",
    "home town": "origin", "job": "job", "profession": "job", "occupation": "job", "job title": "job", "role": "job",
    "employer": "employer", "company": "employer", "diet": "diet", "wife": "spouse", "husband": "spouse",
    "spouse": "spouse", "girlfriend": "partner", "boyfriend": "partner", "partner": "partner", "fiancé": "partner",
    "fiancée": "partner", "native language": "language", "first language": "language", "mother tongue": "language",
    "version": "version", "city": "home", "location": "location",
}  # fmt: skip
# Nouns without a relation of their own of which only one value holds at a time: "the deadline is ...".
NUMBERED = frozenset(
    """
    number id code day handle username password pin iban budget salary deadline limit colour color size weight height
    timezone plan language port url domain anniversary wedding pronouns nationality title goal rent branch stack shell
    editor font theme keyboard region zone currency gender zodiac star-sign insurer bank model
    """.split()
)
# Adverbs that change nothing in a claim; they are dropped at the start and end of a value.
_ADVERBS_OUT = frozenset(
    """
    originally formerly now currently presently still also really very just already recently officially finally
    actually again today always usually mostly anymore too permanently temporarily absolutely strongly definitely
    especially again
    """.split()
)
# Articles and possessives, dropped from a value.
_FOLDED_OUT = frozenset("a an the his her their its my our".split())
# Adverbial phrases at the end: "these days", "very much".
_TRAILING = re.compile(
    r"(?:[\s,]+(?:any ?more|any longer|right now|at the moment|these days|nowadays|full time|as well|together|alone"
    r"|so much|a lot|very much))+$"
)
# A denial right after the verb: "is not ...", "has no ...".
_DENIAL = re.compile(r"^(?:not|no longer|no(?! one\b)) ", re.IGNORECASE)
# Words which say that something is over.
_ENDED = re.compile(r"\b(?:no longer|any ?more|any longer)\b", re.IGNORECASE)
# "Is no longer", "has stopped being": read as "is not".
_NO_LONGER = re.compile(
    r"\b(?:(?:is|are|am) no longer|(?:ha(?:s|ve) )?(?:stopped|quit|given up|gave up) being)\b", re.IGNORECASE
)
# Verbs whose past tense says that something is no longer so: "lived in Rome".
_STATES = frozenset("live reside work own use like love enjoy hate prefer play speak drive".split())
_KIN = words.KIN_HER | words.KIN_HIM | words.KIN_ANY | words.PLURAL_PEOPLE | words.KIN_BARE
# Punctuation at the end of a statement.
_MARK = re.compile(r"[\s.!…]+$")
# The owner before a value: "the user's".
_OWNER = re.compile(r"^(?:the )?user's |^own ")
# A note in place of a sentence: "Home address: 12 High Street", "diet = vegan".
_NOTE = re.compile(r"^(?P<what>[A-Za-z -]{3,30})(?::| =) (?P<value>\S.*)$")
_SECRETS = frozenset("password pin code".split())  # not compared: they may differ only in what folding removes
# First words of a note that leaves its subject out: "is a nurse", "can't swim".
_HELPERS = frozenset("is was has does can cannot can't doesn't isn't no never used".split())
# First words of a note that leaves the owner out: "favourite colour is blue".
_NOTED = frozenset("favourite favorite preferred first native phone email date job home".split()) | set(ATTRIBUTES)


@dataclass(frozen=True, slots=True)
class Told:
    """A clause ready for matching: folded subject, verb, the words after it without dates, and those dates.

    For "Alex's email is ...", `owner` is "alex" and `attribute` is "email". A statement about several people, one of
    them the user, is read as one about the user; `together` then keeps all of them.
    """

    subject: str
    owner: str
    attribute: str
    lemma: str
    rest: str
    negated: bool
    clause: Clause
    when: str = ""
    together: str = ""

    def claim(self, relation: str, value: str, *, negated: bool | None = None, single: bool | None = None) -> Claim:
        """Return the claim of this relation and value about the subject."""
        value = re.sub(rf"^{re.escape(self.subject)}'s ", "", value.casefold()) if self.subject else value
        only = (
            relation in SINGLE or relation.partition(":")[0] in ("favourite", "version") if single is None else single
        )
        return Claim(self.subject, relation, fold(value), only, self.negated if negated is None else negated)


def fold(text: str) -> str:
    """Return the text in lower case, without articles, owners, outer adverbs and punctuation other than commas."""
    text = _TRAILING.sub("", text.casefold().replace("’", "'"))
    kept = [word for word in re.findall(r"[^\s,;:!?\"“”()\[\]]+|,", text) if word not in _FOLDED_OUT]
    kept = [word for index, word in enumerate(kept) if word not in _ADVERBS_OUT or 0 < index < len(kept) - 1]
    folded = " ".join(kept).replace(" ,", ",").strip(" ,.")
    return _OWNER.sub("", folded)


def read(text: str) -> Told | None:
    """Parse a statement for matching; None if it cannot be parsed or is uncertain."""
    whole = _MARK.sub("", _NOTE.sub(_as_sentence, text.strip()))
    text = without_dates(whole)
    when = whole[len(text) :].strip()
    text = _NO_LONGER.sub("is not", text)
    clause = _clause(text)
    if clause is None or clause.verb.modal not in ("", "can", "cannot", "would"):
        return None
    if clause.verb.modal == "would" and "rather" not in clause.lowered[clause.verb.start : clause.verb.end]:
        return None
    subject, owner, attribute = _subject(clause)
    over = clause.verb.tense == "former" or (clause.verb.tense == "past" and clause.verb.lemma in _STATES)
    rest, denied = _plain(joined(list(clause.words[clause.verb.end :])))
    negated = clause.verb.negated or over or denied or bool(_ENDED.search(text))
    together = fold_subject(phrase_of(clause)) if _WITH_SELF.fullmatch(phrase_of(clause)) else ""
    return Told(subject, owner, attribute, clause.verb.lemma, rest, negated, clause, when, together)


def _as_sentence(match: re.Match[str]) -> str:
    """Return a note such as "Home address: 12 High Street" as a sentence with a verb."""
    what = match["what"].lower()
    if what in ATTRIBUTES or what.startswith(("favourite ", "favorite ")):
        return f"{match['what']} is {match['value']}"
    last = what.split(" ")[-1]
    return f"The user's {what} is {match['value']}" if last in NUMBERED - _SECRETS else match[0]


def _clause(text: str) -> Clause | None:
    """Parse the text, or the text with the subject that a note leaves out."""
    for opening in _openings(text):
        clause = clauses.parse(tokens(opening))
        if clause is not None and (opening == text or clause.verb.start <= len("the user's full name".split())):
            return clause
    return None


def _plain(rest: str) -> tuple[str, bool]:
    """Return the words after the verb without adverbs around them, and whether they begin with a denial."""
    rest = _TRAILING.sub("", rest.strip(" .,"))
    plain = _DENIAL.sub("", rest)
    rest, denied = plain, plain != rest
    kept = rest.split(" ")
    while kept and kept[0].lower() in _ADVERBS_OUT:
        kept = kept[1:]
    while kept and kept[-1].lower() in _ADVERBS_OUT:
        kept = kept[:-1]
    return " ".join(kept), denied


def _openings(text: str) -> list[str]:
    """Return the ways to read a text: as it is, and with the subject that a note leaves out put back."""
    first = text.partition(" ")[0].lower().strip(",:")
    lowered = text[:1].lower() + text[1:]
    if first in _HELPERS:
        return [f"User {lowered}"]
    if first in words.DURABLE_STATES | words.PEOPLE_ADJECTIVES | {"not"}:
        return [f"User is {lowered}", text]
    if verbs.is_third(first) or (verbs.is_past(first) and not verbs.is_base(first)):
        return [f"User {lowered}", text]
    return [f"The user's {lowered}", text] if first in _NOTED else [text]


def _subject(clause: Clause) -> tuple[str, str, str]:
    """Return the folded subject, and for "Alex's email" its owner and attribute; empty where there is none."""
    phrase = phrase_of(clause)
    if phrase.lower() in _SELF:
        return "", "", ""
    if several := _WITH_SELF.fullmatch(phrase):
        return fold_subject(several["name"] or several["first"] or "the user"), "", ""
    whole = fold_subject(phrase)
    owner, mark, attribute = phrase.rpartition("'s ")
    if mark:
        return whole, "" if owner.lower() in _SELF else fold_subject(owner), fold(attribute)
    if phrase.lower().startswith(("my ", "our ")):
        return whole, "", fold(phrase.split(" ", 1)[1])
    return whole, "", fold(phrase) if phrase.lower().startswith("the ") else ""


def phrase_of(clause: Clause) -> str:
    """The words of the clause's subject."""
    return joined(list(clause.words[clause.subject.start : clause.subject.end]))


def fold_subject(phrase: str) -> str:
    """Return the folded subject; "" for the user."""
    lowered = phrase.casefold().replace("’", "'")
    lowered = re.sub(r"^(?:my|our|the user's|user's|the|a|an) (?:(?:brand[ -])?new |current |latest )?", "", lowered)
    return "" if lowered in _SELF else lowered.strip(" ,.")


def person_like(said: Told) -> bool:
    """Return whether the subject may be a person: the user, a name or a family member."""
    head = said.clause.subject.head
    if said.subject == "" or head in _KIN:
        return True
    return bool(said.together) or (
        said.clause.subject.kind in ("name", "speaker", "pronoun", "with") and not said.attribute
    )


def after(rest: str, *prepositions: str) -> str | None:
    """Return the text after its first word if that word is one of the prepositions; otherwise None."""
    first, _, more = rest.partition(" ")
    return more if first.lower() in prepositions and more else None
