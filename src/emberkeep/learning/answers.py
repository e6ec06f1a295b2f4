"""Complete short answers to full statements: "In Oslo" after "Where do you live?" becomes "I live in Oslo".

Only questions about the person who answers are completed, and only with answers that are no clause themselves. Whether
the statement is worth keeping is for the rules to decide, as for any other sentence.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from emberkeep.learning import clauses, openings, verbs, words
from emberkeep.learning.antecedents import pronouns_of
from emberkeep.learning.sentences import sentences
from emberkeep.learning.tokens import Token, tokens

LONGEST_ANSWER = 8  # words
LONGEST_QUESTION = 14
_AFTER_QUESTION = 1  # sentences that may follow the question in its message

# Answers that repeat the helper verb of the question, and whether they agree: "I do", "not at all".
_ECHOES = {
    "i do": True, "i am": True, "i have": True, "i still do": True, "i still am": True, "we do": True, "we are": True,
    "of course": True, "that is right": True, "that is correct": True, "that is true": True, "very much": True,
    "i do not": False, "i am not": False, "i have not": False, "we do not": False, "not at all": False, "never": False,
}  # fmt: skip
# "What should I call you?" asks for a name.
_CALLED = re.compile(
    r"(?:so |and )?(?:what|how) (?:should|shall|can|may|do|would) (?:i|we)(?: \w+)? call you", re.IGNORECASE
)
# Answers which say that something was so and no longer is.
_OVER = frozenset(("not anymore", "not any more", "no longer", "no more", "no not anymore", "no not any more"))
# Words of questions that only carry the conversation on, or that point outside it: "any other questions?".
_OF_THE_TALK = words.FIRST_PERSON | frozenset(
    """
    it this that these those here there else other more another further question questions time moment minute second
    idea ideas ready sure okay help feedback thoughts thought opinion mind point today tonight tomorrow
    """.split()
)
# Verbs of such questions: "do you want me to continue?", "do you see the error?".
_TALKING = frozenset(
    """
    want need mean think see know remember agree understand say get try hear feel call find suggest recommend guess
    recall expect wish intend plan hope look ask notice happen
    """.split()
)
# Nouns whose value contains a digit or an "@".
_WITH_DIGITS = frozenset("email e-mail address phone number birthday birthdate age budget salary weight height".split())
# Nouns of "what is your ...?" that are asked in passing ("mood") or must not be kept ("password").
_NO_POSSESSION = frozenset(
    """
    question problem issue error goal guess answer reason message request choice pick move turn vote bet status mood
    step plan plans character take view verdict password passcode passphrase pin cvv cvc ssn secret token key code
    like up doing and or
    """.split()
)
# Nouns that are counted: "two sisters" to "do you have any siblings?".
_FAMILY_AND_PETS = frozenset(
    "siblings pets kids children brothers sisters pet cats dogs cat dog sibling child grandchildren".split()
)
# Nouns whose answer lists their members: "my hobbies are ..." to "do you have any hobbies?".
_NAMED_BY_KIND = frozenset(
    "restrictions hobbies interests preferences conditions intolerances requirements nicknames".split()
)
# Words that leave a gap in a yes-or-no question: "are you allergic to anything?".
_ANY = frozenset("any anything anyone anybody anywhere".split())
# Words that "where do you live now?" can do without.
_NOWADAYS = frozenset("now currently these days nowadays usually normally originally".split())
# First words of what is no answer: "not sure", "depends".
_UNSURE = words.HYPOTHETICAL | frozenset(
    "not depends dunno idk unsure hmm um uh well nothing none nobody nowhere whatever why what who how where when"
    " same either neither both all any sorry thanks please nice good great fine ok okay".split()
)
# Words that make an answer more than a fragment, or leave its meaning open.
_UNCLEAR = (
    words.HYPOTHETICAL
    | words.ADDRESSED
    | words.HELPERS
    | words.SPEAKER
    | frozenset("but or ? it that this these those first second third former latter option".split())
)
# Words said in place of an answer ("skip"), about the past ("formerly") or to address somebody ("sir").
_NO_ANSWER = frozenset(
    """
    guess skip next cancel stop exit quit quitting back help continue pass hello hi hey haha lol hmm ha soon later now
    private secret confidential anonymous retired unemployed homeless alone several zero many lots few some most hard
    difficult tough see above below same yes yeah no nope nah sir madam man dude god jesus damn stopped formerly
    previously once used ago until till last first again still never sometimes often rarely seldom always usually daily
    weekly monthly yearly anymore thing things stuff everything anything something somewhere anywhere everywhere here
    there home remote remotely online freelance self-employed true false maybe ok okay done ready busy
    """.split()
)
# Words that say who somebody is, not what they are called.
_NO_NAMES = (
    words.KIN_HER | words.KIN_HIM | words.KIN_ANY | words.KIN_BARE
    | frozenset("admin administrator root system user guest assistant developer operator moderator sudo owner".split())
)  # fmt: skip
_UNITS = frozenset("year years month months week weeks day days hour hours minute minutes times".split())
# Words that may follow the number of an age.
_AGED = _UNITS | frozenset("old and a half".split())
_OLDEST = 120
_NUMBERS = frozenset("one two three four five six seven eight nine ten eleven twelve".split())
_ARTICLES = frozenset(("a", "an"))


@dataclass(frozen=True, slots=True)
class _Frame:
    """A statement with a gap for the answer, between `before` and `after`."""

    before: tuple[str, ...]
    after: tuple[str, ...] = ()
    preposition: str = ""  # put before the answer, unless the answer begins with one
    number: bool = False  # whether the answer must be a number
    named: bool = False  # whether the answer must begin with a name
    digits: bool = False  # whether the answer must contain a digit or an "@"


def question_in(content: str) -> str | None:
    """Return the only question of a message, if it is in one of its last two sentences; otherwise None."""
    if openings.is_off_limits(content):
        return None
    said = sentences(content)
    asked = [place for place, one in enumerate(said) if openings.asks(one.text)]
    if len(asked) != 1 or asked[0] < len(said) - 1 - _AFTER_QUESTION:
        return None
    return said[asked[0]].text


def may_answer(found: Sequence[Token]) -> bool:
    """Return whether the words are few enough for a short answer."""
    return 0 < len(_plain(found)) <= LONGEST_ANSWER


def completed(question: str, found: Sequence[Token]) -> list[Token] | None:
    """Return the statement that a question and its answer make; None if it is unclear or the answer is a clause."""
    asked = _asked(question)
    answer = _plain(found)
    if not asked or not may_answer(found):
        return None
    polar = _polar(asked)
    said = _of_yes_or_no(polar, answer) if polar else None
    if said is None:
        frame = _open(polar, answer) if polar else _frame(asked)
        said = _filled(frame, answer) or _of_whom_was_asked(frame, answer) if frame else None
    return None if said is None else [_placed(one, answer[0]) for one in said]


def _asked(question: str) -> list[str]:
    """Return the words of a question up to its first comma; none if it is not about the person who is asked."""
    plain, _ = openings.opened(tokens(question))
    asked = [one.text for one in plain]
    end = next((place for place, word in enumerate(asked) if not word[0].isalnum()), len(asked))
    asked = _inverted(asked[:end])
    lowered = [word.lower() for word in asked]
    if _CALLED.fullmatch(" ".join(asked)):
        return ["What", "is", "your", "name"]
    about = ("you" in lowered or "your" in lowered) and not set(lowered) & {"not", "never", "no", "nothing", "nobody"}
    return asked if about and len(asked) <= LONGEST_QUESTION and not set(lowered) & _OF_THE_TALK else []


def _inverted(asked: list[str]) -> list[str]:
    """Return "do you live in Rome" for "you live in Rome", which asks for confirmation; other words as they are."""
    lowered = [word.lower() for word in asked[:2]]
    if lowered == ["you", "are"]:
        return [asked[1], asked[0], *asked[2:]]
    return ["do", *asked] if lowered[:1] == ["you"] and verbs.is_base(lowered[-1]) else asked


def _plain(found: Sequence[Token]) -> list[Token]:
    """Return the words without the punctuation around them."""
    kept = list(found)
    while kept and not (kept[-1].text[0].isalnum() or kept[-1].opaque):
        kept.pop()
    while kept and not (kept[0].text[0].isalnum() or kept[0].opaque):
        kept.pop(0)
    return kept


# Yes-or-no questions.


@dataclass(frozen=True, slots=True)
class _Polar:
    """A yes-or-no question about the one asked: `helper` ("do", "am", "have") and `rest`, the words after "you"."""

    helper: str
    rest: tuple[str, ...]

    @property
    def yes(self) -> tuple[str, ...]:
        """The words of the statement after a yes."""
        return "I", *(() if self.helper == "do" else (self.helper,)), *self.rest

    @property
    def no(self) -> tuple[str, ...]:
        """The words of the statement after a no."""
        return "I", self.helper, "not", *self.rest


def _polar(asked: Sequence[str]) -> _Polar | None:
    """Parse a yes-or-no question; None for any other question, and for one that only carries the conversation on."""
    lowered = [word.lower() for word in asked]
    helper = {"do": "do", "are": "am", "have": "have"}.get(lowered[0])
    if helper is None or lowered[1:2] != ["you"] or set(lowered[2:]) & (words.ADDRESSED - {"your"} | {"or"}):
        return _either(asked, lowered)
    rest = tuple(
        "my" if word.lower() == "your" else word for word in asked[2:] if word.lower() not in ("still", "ever")
    )
    if not rest or rest[0].lower() in _TALKING or verbs.progressive_lemma(rest[0]) in _TALKING:
        return None
    return _Polar(helper, rest)


def _either(asked: Sequence[str], lowered: Sequence[str]) -> _Polar | None:
    """Parse a question such as "do you prefer tea or coffee", which a yes does not answer but either word does."""
    fits = lowered[:2] in (["do", "you"], ["are", "you"]) and lowered[-2:-1] == ["or"]
    if not fits or len(asked) != len("do you prefer tea or coffee".split()) or lowered[2] in _TALKING:
        return None
    return _Polar("do" if lowered[0] == "do" else "am", tuple(asked[2:]))


def _of_yes_or_no(polar: _Polar, answer: Sequence[Token]) -> list[str | Token] | None:
    """Return the statement that a yes, a no or a correction makes: "I am not vegan" for "No" to "are you vegan"."""
    lowered = [one.lower for one in answer if one.text[0].isalnum()]
    if "or" in polar.rest or not lowered:
        return None
    if " ".join(lowered) in _OVER:
        return ["I", "no", "longer", *(polar.yes[1:])]
    agrees = True if lowered[0] in words.CONSENT else False if lowered[0] in words.REFUSAL else None
    tail = [one for one in answer[1:] if one.text[0].isalnum()] if agrees is not None else list(answer)
    echoed = _ECHOES.get(" ".join(one.lower for one in tail))
    if agrees is None:
        agrees, tail = echoed, []
    elif echoed == agrees:
        tail = []
    if agrees is None:
        return _in_its_place(polar, answer)
    if tail:
        return _agreed(polar, tail) if agrees else _corrected(polar, tail)
    if not agrees:
        return list(polar.no)
    stated = [word for word in polar.yes if word.lower() != "any"]
    return None if set(map(str.lower, stated)) & _ANY else list(stated)


def _in_its_place(polar: _Polar, answer: Sequence[Token]) -> list[str | Token] | None:
    """Return the statement of another state: "I am divorced" for "divorced" to "are you married"."""
    states = len(polar.rest) == len(answer) == 1 and {polar.rest[0].lower(), answer[0].lower} <= words.DURABLE_STATES
    return ["I", "am", replace(answer[0], text=answer[0].lower)] if states and polar.helper == "am" else None


def _of_whom_was_asked(frame: _Frame, answer: Sequence[Token]) -> list[str | Token] | None:
    """Rewrite a whole sentence about the one asked for: "Her name is Ines" to "what's your wife's name?"."""
    owner = frame.before[1].lower().removesuffix("'s") if frame.before[:1] == ("my",) else ""
    first, verb = answer[0].lower, {one.lower for one in answer} & {"is", "are"}
    if not verb or {one.lower for one in answer[1:]} & (_UNCLEAR - words.BE):
        return None
    if first in ("his", "her") and {"his": "he", "her": "she"}[first] in pronouns_of(owner):
        return ["my", f"{owner}'s", *answer[1:]]
    return ["my", owner, *answer[1:]] if first in ("he", "she") and first in pronouns_of(owner) else None


def _agreed(polar: _Polar, tail: Sequence[Token]) -> list[str | Token] | None:
    """Return the statement of a yes with more detail, such as "yes, since 2019" or "yes, sometimes"; otherwise None."""
    first = tail[0].lower
    goes_on = first in words.PREPOSITIONS - {"until"} or (first in _HOW_MUCH and len(tail) == 1)
    return [*polar.yes, *tail] if goes_on and not set(polar.yes) & _ANY and _is_fragment(tail) else None


# Words after a yes that say how often: "yes, sometimes".
_HOW_MUCH = words.FREQUENCIES - {"never", "every", "each", "once"} | {"mostly", "mainly"}


def _corrected(polar: _Polar, tail: Sequence[Token]) -> list[str | Token] | None:
    """Return what is so instead: "No, in Oslo" to "do you live in Rome", "No, vegan" to "are you vegetarian"."""
    first = tail[0].lower
    lowered = [word.lower() for word in polar.rest]
    if not _is_fragment(tail) or {one.lower for one in tail} & (_NO_ANSWER | _UNITS | {"time", "bit", "little", "lot"}):
        return None
    if first in words.PREPOSITIONS and first in lowered:
        return [*polar.yes[: len(polar.yes) - len(lowered) + lowered.index(first)], *tail]
    if _is_named(tail) and lowered[-2:-1] in (["in"], ["at"], ["for"], ["from"]) and polar.rest[-1][0].isupper():
        return [*polar.yes[:-1], *tail]
    article = first in _ARTICLES and lowered[0] in _ARTICLES
    one_word = len(lowered) == len(tail) == 1 and first not in words.ADVERBS and tail[0].text.islower()
    return ["I", "am", *tail] if polar.helper == "am" and (article or one_word) else None


def _is_named(tail: Sequence[Token]) -> bool:
    """Return whether every word is capitalised."""
    return all(one.text[0].isupper() for one in tail)


def _open(polar: _Polar, answer: list[Token]) -> _Frame | None:
    """Return the frame of a yes-or-no question that leaves a gap: "any pets", "allergic to anything".

    Removes a leading yes from `answer`.
    """
    lowered = [word.lower() for word in polar.rest]
    if "or" in lowered:
        place = lowered.index("or")
        told = " ".join(one.lower for one in answer)
        return _Frame(polar.yes[: place - 1 - len(lowered)]) if told in (lowered[place - 1], lowered[-1]) else None
    if answer[0].lower in words.CONSENT:
        del answer[0]
        while answer and not answer[0].text[0].isalnum():
            del answer[0]
    gap = next((place for place, word in enumerate(lowered) if word in _ANY), None)
    if gap is None:
        article = next((place for place, word in enumerate(lowered) if word in _ARTICLES), None)
        several = len(lowered) == len("have kids".split()) and lowered[-1] in _FAMILY_AND_PETS
        if lowered[0] != "have" or not (article == 1 or several) or not answer or not _is_counted(answer[0]):
            return None
        if {one.lower for one in answer} & _UNITS:
            return None
        return _Frame(("I", "have"), tuple(lowered[1:]) if several and len(answer) == 1 else ())
    return _of_kind(lowered[-1]) if lowered[0] == "have" else _Frame(polar.yes[: gap - len(lowered)])


def _is_counted(first: Token) -> bool:
    """Return whether the word is an article or a number."""
    return first.lower in _ARTICLES | _NUMBERS or first.lower.isdigit()


def _of_kind(noun: str) -> _Frame | None:
    """Return the frame for what the speaker has of a kind: "I have two sisters", but "I am allergic to nuts"."""
    if noun in ("allergies", "allergy"):
        return _Frame(("I", "am", "allergic", "to"))
    if noun in _FAMILY_AND_PETS:
        return _Frame(("I", "have"))
    return _Frame(("my", noun, "are")) if noun in _NAMED_BY_KIND else None


# Questions that begin with a question word.


def _frame(asked: Sequence[str]) -> _Frame | None:
    """Return the frame of a question such as "where do you live" or "what is your name"; None if it has none."""
    lowered = [word.lower() for word in asked]
    first = lowered[0]
    if first == "your":
        return _possession(asked, "is")
    if first in ("what", "which", "who", "when") and lowered[1:2] in (["is"], ["are"]) and lowered[2:3] == ["your"]:
        return _possession(asked[2:], lowered[1]) if first != "when" or set(lowered) & words.YEARLY else None
    if first == "where":
        return _place(lowered)
    if first == "how":
        return _number(lowered)
    return _object(asked, lowered) if first in ("what", "which") else None


def _possession(asked: Sequence[str], be: str) -> _Frame | None:
    """Return the frame of questions such as "what is your favourite colour", "what is your dog called"."""
    owned, lowered = list(asked[1:]), {word.lower().removesuffix("'s") for word in asked[1:]}
    if not owned or lowered & (_NO_POSSESSION | words.ADDRESSED | words.HELPERS):
        return None
    noun = owned[-1].lower()
    digits = noun in _WITH_DIGITS or bool(lowered & words.YEARLY)
    called = [owned.pop()] if owned[-1].lower() in ("called", "named") and len(owned) > 1 else []
    if owned[-1].lower() in words.PREPOSITIONS or verbs.progressive_lemma(owned[-1].lower()):
        return None
    return _Frame(("my", *owned, be, *called), preposition="on" if lowered & words.YEARLY else "", digits=digits)


def _place(asked: Sequence[str]) -> _Frame | None:
    """Return the frame of questions such as "where do you live", "where are you from"."""
    lowered = [word for word in asked if word not in _NOWADAYS]
    if lowered[1:] == ["are", "you", "from"] or lowered[1:] == ["do", "you", "come", "from"]:
        return _Frame(("I", "am"), preposition="from", named=True)
    if lowered[1:] == ["were", "you", "born"]:
        return _Frame(("I", "was", "born"), preposition="in", named=True)
    if lowered[1:3] != ["do", "you"] or lowered[3:] not in (["live"], ["work"], ["study"], ["teach"]):
        return None
    # A firm and a town cannot be told apart ("Google", "Berlin"), so the answer about work needs its own preposition.
    return _Frame(("I", lowered[3]), preposition="" if lowered[3] == "work" else "in", named=True)


def _number(lowered: Sequence[str]) -> _Frame | None:
    """Return the frame of questions such as "how old are you", "how many kids do you have"."""
    if lowered[:4] == ["how", "old", "are", "you"]:
        return _Frame(("I", "am"), ("years", "old"), number=True)
    if lowered[:4] == ["how", "old", "is", "your"] and lowered[4:]:
        return _Frame(("my", *lowered[4:], "is"), ("years", "old"), number=True)
    if lowered[1:2] == ["many"] and lowered[-3:] == ["do", "you", "have"]:
        return _Frame(("I", "have"), tuple(lowered[2:-3]), number=True)
    return None


def _object(asked: Sequence[str], lowered: Sequence[str]) -> _Frame | None:
    """Return the frame of questions such as "what instrument do you play", "what are you allergic to"."""
    if lowered[1:3] == ["are", "you"] and lowered[-1] in words.PREPOSITIONS and lowered[3] not in _TALKING:
        return None if verbs.progressive_lemma(lowered[3]) else _Frame(("I", "am", *asked[3:]))
    place = next((place for place, pair in enumerate(pairwise(lowered)) if pair == ("do", "you")), None)
    if place is None or place + 2 >= len(lowered):
        return None
    verb, later = lowered[place + 2], lowered[place + 3 :]
    if verb == "do" and later in ([], ["for", "work"], ["for", "a", "living"]):
        return _Frame(("I", "work"), preposition="as")
    if (
        verb in _TALKING
        or verb == "do"
        or not verbs.is_base(verb)
        or later[:1] not in ([], ["for"], ["in"], ["on"], ["at"])
    ):
        return None
    kept = () if set(later) <= words.PREPOSITIONS else tuple(asked[place + 3 :])
    return _Frame(("I", verb, *(later if not kept else ())), kept)


def _filled(frame: _Frame, answer: Sequence[Token]) -> list[str | Token] | None:
    """Return the frame with the answer in its gap; None if the answer does not fit."""
    if not answer or not _is_fragment(answer) or not _says_something(answer, frame):
        return None
    first, after = answer[0].lower, frame.after
    if frame.number:
        if not _is_number(answer, frame):
            return None
        after = tuple(word for word in after if word not in _counted(answer))
    if not frame.preposition and frame.before[-1:] == ("work",) and first not in words.PREPOSITIONS:
        return None
    led = frame.preposition and first not in words.PREPOSITIONS
    lead: tuple[str, ...] = (frame.preposition,) if led else ()
    if frame.preposition == "as" and first not in words.DETERMINERS | words.PREPOSITIONS:
        lead = "as", "an" if first[0] in "aeiou" else "a"
    return [*frame.before, *lead, _inside(answer[0]), *answer[1:], *after]


def _says_something(answer: Sequence[Token], frame: _Frame) -> bool:
    """Return whether the words can be the answer, and are not said in place of one: "Guess", "Hard to say"."""
    lowered = [one.lower for one in answer]
    content = [one for one in answer if one.lower not in words.PREPOSITIONS | words.DETERMINERS]
    if lowered[0] in _UNSURE | words.REFUSAL | words.GREETINGS or set(lowered) & _NO_ANSWER:
        return False
    if not content or (lowered[0] in ("my", "our") and frame.before[0] != "my"):
        return frame.number and not content
    if frame.digits and not any(char.isdigit() or char == "@" for one in answer for char in one.text):
        return False
    if frame.named and not content[0].text[0].isupper():
        return False
    if "name" in frame.before and (content[0].lower in _NO_NAMES or content[0].lower.startswith("ex-")):
        return False
    head = content[0]
    manner = head.lower.endswith("ly") and head.lower not in words.NOT_ADVERBS
    may_do = head is answer[0] and "name" not in frame.before and frame.preposition != "as"
    doing = may_do and (verbs.is_base(head.lower) or verbs.is_past(head.lower))
    return not manner and not doing and head.lower not in words.ADVERBS | words.MOMENT_STATES


def _is_number(answer: Sequence[Token], frame: _Frame) -> bool:
    """Return whether the answer is a number that fits: an age up to 120, or a bare count."""
    first, more = answer[0].lower, {one.lower for one in answer[1:]}
    if not (first in _NUMBERS or first.isdigit()):
        return False
    if frame.after[-1:] == ("old",):
        return more <= _AGED and (first in _NUMBERS or int(first) <= _OLDEST)
    return not more


def _counted(answer: Sequence[Token]) -> set[str]:
    """Return the words of the answer that the frame need not repeat: the units in "8 months", "34 years old"."""
    said = {one.lower for one in answer}
    return said | {"years"} if said & {"year", "month", "months", "weeks", "days"} else said


def _inside(first: Token) -> Token:
    """Return the first word in lower case where it is no name: "In" becomes "in"."""
    plain = words.PREPOSITIONS | words.DETERMINERS | _NUMBERS
    return replace(first, text=first.lower) if first.lower in plain else first


def _is_fragment(answer: Sequence[Token]) -> bool:
    """Return whether the words contain no clause, refer to nothing before them, and are certain."""
    lowered = {one.lower for one in answer if one.text != "May"}
    if lowered & _UNCLEAR or answer[-1].lower in ("one", "ones"):
        return False
    named = lowered & {"called", "named"} and lowered & _ARTICLES
    return not any(one.opaque for one in answer) and (bool(named) or clauses.parse(answer) is None)


def _placed(one: str | Token, at: Token) -> Token:
    """Return the word as a token; an added word takes the position of `at`, so that it is quoted with the answer."""
    return one if isinstance(one, Token) else Token(one, one.lower(), at.start, at.end, spaced=True)
