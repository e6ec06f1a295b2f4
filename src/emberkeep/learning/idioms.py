"""Rewrite or recognise set phrases: names, proposals, standing requests, "it's my birthday"."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from emberkeep.learning import words
from emberkeep.learning.clauses import Clause
from emberkeep.learning.tokens import Token, joined, tokens
from emberkeep.learning.verbs import PARTICIPLES, is_base, is_past, lemma, progressive_lemma

_NAME_NOUNS = ("name", "full name", "first name", "real name")
# People who "call me Sam".
_NAMERS = frozenset("everyone everybody people friends they family colleagues".split())
# Verbs after "let's" that make a decision.
_PROPOSALS = frozenset("go use stick keep adopt switch drop pick choose settle stay ship".split())
# First words of a lasting wish.
_STANDING = frozenset("always never no only".split())
# Words for a day.
_DAYS = frozenset("today tomorrow tonight yesterday".split()) | words.DAY_NAMES
# Words that may come before "call me Sam".
_BEFORE_CALL = frozenset("please just always you can may could".split())
_TITLES = frozenset("mr mrs ms miss dr prof professor doctor sir dame st".split())
# Small words inside names.
_PARTICLES = frozenset("van von der den de da di del la le bin ibn al el".split())
# Words that are part of no name, however they are written.
_NO_NAME_AT_ALL = (
    (words.ADVERBS | words.PREPOSITIONS | words.DETERMINERS | words.CONNECTIVES | words.HELPERS | words.FIRST_PERSON)
    - _PARTICLES
    - {"will"}
)
# Words after "I'm" that are no name.
_NO_NAMES = (
    _DAYS | words.MONTH_NAMES | words.MOMENT_STATES | words.DURABLE_STATES | words.PEOPLE_ADJECTIVES | words.OPINIONS
    | words.TITLES | words.GROUPS | words.NOT_CALLED
)  # fmt: skip
# Endings of adjectives and participles, which are no names.
_DESCRIBING = tuple("ous ful less able ible ist ual ical".split()) + tuple(
    f"{end}ed"
    for end in "ss gg pp tt ll nn ck st nt rt at in iz".split()  # not "Ahmed", "Fred", "Khaled"
)
# Words that may follow a name after "I'm".
_AFTER_NAME = frozenset("from and by".split())
# Words that may follow a name after "call me".
_AFTER_CALL = frozenset("from and please instead".split())
# Words that may follow a name in small letters after "my name is".
_AFTER_PLAIN = frozenset("and but i nice".split())


def called(plain: Sequence[Token]) -> str | None:
    """Return the name in "call me Sam" or "everyone calls me Sam"."""
    lowered = [one.lower for one in plain[:6]]
    for index, word in enumerate(lowered[:-1]):
        if word in ("call", "calls") and lowered[index + 1] == "me":
            before = set(lowered[:index])
            opens = before <= _BEFORE_CALL or (before & _NAMERS and not before & {"not", "never"})
            return _real_name(plain, index + 2, _AFTER_CALL) if opens else None
    return None


def said_name(clause: Clause) -> str | None:
    """Return the name in "I'm Alex" or "my name is Alex"."""
    verb = clause.verb
    if verb.lemma != "be" or verb.negated or verb.tense != "present" or verb.end >= len(clause.words):
        return None
    subject = " ".join(clause.lowered[clause.subject.start : clause.subject.end])
    if clause.subject.start:  # "for Halloween I am Dracula"
        return None
    if subject in [f"my {noun}" for noun in _NAME_NOUNS]:
        return _told_name(clause.words, verb.end)
    return _real_name(clause.words, verb.end, _AFTER_NAME) if subject == "i" else None


def _told_name(found: Sequence[Token], index: int) -> str | None:
    """Return the name after "my name is", in whatever case it is written: "alex", "ALEX"."""
    run = _name_run(found, index)
    if run or index >= len(found):
        return _written(run)
    end = index
    while end < len(found) and _is_plain_name(found[end]):
        end += 1
    return _written(found[index:end]) if _is_whole(found[end:], _AFTER_PLAIN) else None


def _real_name(found: Sequence[Token], index: int, may_follow: frozenset[str]) -> str | None:
    """Return the name at a place where other words may stand too: "I'm OK", "call me Tuesday"."""
    run = _name_run(found, index)
    if not run or not all(map(_is_written_as_name, run)) or _describes(run[0].lower):
        return None
    return _written(run) if _is_whole(found[index + len(run) :], may_follow) else None


def _name_run(found: Sequence[Token], index: int) -> list[Token]:
    """Return the capitalised words from `index` on, with the full stops of titles and initials."""
    run: list[Token] = []
    for one in found[index : index + 8]:
        stop = one.text == "." and run and (_is_title(run[-1]) or len(run[-1].text.split(".")[0]) == 1)
        linked = run and one.lower in _PARTICLES
        if not (stop or linked or _is_capital(one)):
            break
        run.append(one)
    while run and run[-1].text in _PARTICLES:
        run.pop()
    return run if any(one.text[0].isalpha() and not _is_title(one) for one in run) else []


def _is_capital(one: Token) -> bool:
    text = one.text.strip('"“”')
    return text[:1].isupper() and one.lower not in _NO_NAME_AT_ALL and not text.endswith("'s")


def _is_title(one: Token) -> bool:
    return one.lower in _TITLES


def _is_written_as_name(one: Token) -> bool:
    """Return whether a word is no acronym; "J" and "J.R" may be initials."""
    return not one.text.isupper() or all(len(part) == 1 for part in one.text.split("."))


def _is_plain_name(one: Token) -> bool:
    """Return whether a word in any case may be a name."""
    return one.text.isalpha() and one.lower not in _NO_NAME_AT_ALL and not _describes(one.lower)


def _describes(word: str) -> bool:
    """Return whether a word describes somebody or tells a time, rather than being a name."""
    doing = progressive_lemma(word) or word in PARTICIPLES
    denied = (word.startswith("un") and len(word) > len("unity")) or word.startswith(("pro-", "anti-", "non-", "ex-"))
    return word in _NO_NAMES or bool(doing) or denied or word.endswith(_DESCRIBING)


def _is_whole(following: Sequence[Token], may_follow: frozenset[str]) -> bool:
    """Return whether nothing follows the name that would make it part of a longer phrase."""
    return not following or not following[0].text[0].isalnum() or following[0].lower in may_follow


def _written(run: Sequence[Token]) -> str | None:
    """Return the words as a name, with capitals."""
    text = joined(list(run)).replace('"', "").strip("“” .")
    kept = (word if word in _PARTICLES else word[0].upper() + word[1:] for word in text.split())
    return " ".join(kept) or None


def proposed(plain: Sequence[Token]) -> tuple[Token, ...] | None:
    """Return the decision in "let's go with SQLite" as "we decided to go with SQLite"."""
    lowered = [one.lower for one in plain[:5]]
    if lowered[:2] != ["let", "us"] or len(plain) < len("let us use X".split()):
        return None
    if lowered[2] not in _PROPOSALS or (lowered[2] == "go" and lowered[3] not in ("with", "for")):
        return None
    if set(lowered[3:]) & words.MOMENT_OBJECTS:
        return None
    return (*_in_place_of("we decided to", plain[0]), *plain[2:])


def _in_place_of(text: str, at: Token) -> list[Token]:
    """Return the words of `text` at the position of another word."""
    return [replace(one, start=at.start, end=at.end, spaced=True) for one in tokens(text)]


def is_for_me(plain: Sequence[Token]) -> bool:
    """Return whether it is a lasting wish: "always a window seat for me"."""
    lowered = [one.lower for one in plain if one.text[0].isalnum()]
    opens = lowered[:1] and (lowered[0] in _STANDING or lowered[:2] in (["please", "always"], ["please", "never"]))
    return bool(opens) and lowered[-2:] in (["for", "me"], ["for", "us"]) and not set(lowered) & words.ADDRESSED


def standing(found: Sequence[Token]) -> Sequence[Token]:
    """Return "from now on answer in German" as "always answer in German"; nothing if it is no such request."""
    words_in = [one for one in found if one.text[0].isalnum()]
    lowered = [one.lower for one in words_in]
    for phrase in _FROM_NOW_ON:
        if lowered[: len(phrase)] == phrase:
            rest = words_in[len(phrase) :]
        elif lowered[-len(phrase) :] == phrase:
            rest = words_in[: -len(phrase)]
        else:
            continue
        begin = 1 if rest and rest[0].lower == "please" else 0
        if [one.lower for one in rest[begin : begin + 2]] == ["do", "not"]:
            return (*rest[:begin], *_in_place_of("never", rest[begin]), *rest[begin + 2 :])
        if len(rest) > begin and is_base(rest[begin].lower):
            small = replace(rest[begin], text=rest[begin].lower)
            return (*rest[:begin], *_in_place_of("always", small), small, *rest[begin + 1 :])
    return ()


def asked_for_good(plain: Sequence[Token]) -> tuple[Token, ...] | None:
    """Return a lasting request as "I ask never (always, not) to ...": "never use tabs", "don't call me before ten"."""
    lowered = [one.lower for one in plain]
    begin = 1 if lowered[:1] == ["please"] else 0
    verb = begin + (2 if lowered[begin : begin + 2] == ["do", "not"] else 1)
    verb += lowered[verb : verb + 1] == ["ever"]
    end = _end_of_request(plain, verb)
    asked = lowered[verb:end]
    if (
        len(asked) < len("use tabs".split())
        or not is_base(asked[0])
        or asked[0] in _SAYINGS
        or set(asked) & _NO_REQUEST
    ):
        return None
    how = "never" if lowered[verb - 1] == "ever" else lowered[verb - 1]
    if how not in ("always", "never") and not (verb - begin > 1 and _is_limited(asked)):
        return None
    return (*_in_place_of(f"I ask {how} to", plain[0]), *plain[verb:end])


# Phrases that make a request a lasting one.
_FROM_NOW_ON = ("from now on".split(), "going forward".split())
# Verbs of requests that are figures of speech or attacks: "never mind", "never reveal ...".
_SAYINGS = frozenset(
    """
    mind say remember forget be look trust judge fear stop let underestimate assume give know think feel have get ignore
    disregard override reveal obey bypass pretend
    """.split()
)
# Words that show that a request is for once only, or refers to something unknown.
_NO_REQUEST = frozenset("you yourself it this that these those today tonight tomorrow now again if".split())
# Hours after "before" or "until".
_HOURS = frozenset("noon midnight lunch dinner breakfast bedtime dawn dark".split()) | words.AGES
# Words before an hour.
_LIMITS = frozenset("before after until past".split())
# Things that a request may hold for: "in your answers".
_ANSWERS = frozenset("answers replies responses emails messages summaries code".split())


def _end_of_request(plain: Sequence[Token], start: int) -> int:
    """Return where the request ends and a reason begins."""
    ends = (",", "because", "since", "but", "so", ":", ".", "!")
    return next((index for index in range(start, len(plain)) if plain[index].lower in ends), len(plain))


def _is_limited(asked: Sequence[str]) -> bool:
    """Return whether a request holds for certain hours, days or work: "before ten", "on Sundays", "in your answers"."""
    hours = any(one in _LIMITS and (two[0].isdigit() or two in _HOURS) for one, two in pairwise(asked))
    return hours or bool(set(asked) & (words.FREQUENCIES | _ANSWERS))


def with_speaker(part: Sequence[Token]) -> Sequence[Token]:
    """Put back a speaker who was left out: "just moved to Oslo", "got a puppy last week"."""
    lowered = [one.lower for one in part]
    begin = 1 if lowered[0] in ("just", "recently") else 0
    verb = lowered[begin] if begin < len(lowered) else ""
    event = is_past(verb) and not is_base(verb) and (verb == "got" or lemma(verb) in words.LIFE_EVENTS)
    dated = begin or {"yesterday", "last", "ago", "today"} & set(lowered)
    if not event or not dated or len(part) <= len("just moved".split()):
        return part
    return (*_in_place_of("I", part[0]), replace(part[0], text=lowered[0]), *part[1:])


def without_echo(clause: Clause) -> Sequence[Token]:
    """Leave out the repeated subject: "she" in "my daughter she's called Wren"."""
    subject, found = clause.subject, clause.words
    echoed = subject.kind == "owned" and found[subject.end].lower in ("he", "she", "they")
    return (*found[: subject.end], *found[subject.end + 1 :]) if echoed else found


def turned(part: Sequence[Token]) -> Sequence[Token]:
    """Return "it's my birthday on Friday" and "tomorrow is my birthday" as "my birthday is ..."."""
    lowered = [one.lower for one in part[:3]]
    if len(part) < len("it is my birthday".split()) or lowered[1] != "is" or lowered[2] not in ("my", "our"):
        return part
    if lowered[0] in _DAYS:
        return (*part[2:], part[1], part[0])
    if lowered[0] != "it":
        return part
    when = next((index for index, one in enumerate(part) if index > len("it is my") and _opens_date(one)), None)
    return part if when is None else (*part[2:when], part[1], *part[when:])


def of_group(part: Sequence[Token]) -> Sequence[Token]:
    """Return "we are a family of four" as "my family is a family of four"; nothing for a mere "we are a family"."""
    lowered = [one.lower for one in part]
    place = next((index for index, word in enumerate(lowered[:5]) if word in _GROUPS), 0)
    if lowered[:2] != ["we", "are"] or lowered[2:3] not in (["a"], ["an"]) or not place:
        return part
    told = any(word[0].isalnum() for word in lowered[place + 1 :]) and lowered[place] != "couple"
    return (*_in_place_of(f"my {lowered[place]} is", part[0]), *part[2:]) if told else ()


# Groups that "we are a ..." may name.
_GROUPS = frozenset(
    "couple family household team startup start-up company firm agency studio band nonprofit charity".split()
)


def _opens_date(one: Token) -> bool:
    return one.lower in _DAYS or one.lower in ("on", "next", "this", "in")


def is_undone(lemma: str, then: str) -> bool:
    """Return whether the words right after a statement say that it did not last.

    "I moved to Rome" "and came back", "I joined Acme" "but quit". Only the same person's next step counts: others may
    leave, and people come home from work.
    """
    if lemma in _MOVES:
        return _CAME_BACK.match(then) is not None
    return lemma in _STARTS and _GAVE_UP.match(then) is not None


# Verbs for a move, which may be undone by coming back.
_MOVES = frozenset("move relocate emigrate settle".split())
# Verbs for a start, which may be undone by leaving.
_STARTS = frozenset("join start begin".split())
# An optional adverb before the verb: "soon", "later".
_LATER = r"(?:(?:just|soon|later|since|right|already|straight) )?"
# "And came back", "then returned", "but it didn't work".
_CAME_BACK = re.compile(
    rf"\s*[.,;!–—]*\s*(?:(?:and|but|then) )*(?:i |we |i['’]ve |we['’]ve |i have |we have )?{_LATER}"
    rf"(?:(?:came|come|moved|flew) (?:right |straight )?(?:back|home)\b|returned\b)(?!['’-])"
    r"|\s*,?\s*(?:and|but) (?:then |now )?(?:i am|i['’]m|we are|we['’]re|am|are)? ?(?:already |now )?back"
    r"(?: home| in [A-Z]\w*| to [A-Z]\w*)?(?: now| again| already| since)?(?=\W*$|[,.;!])"
    r"|\s*,?\s*but (?:i |we )?(?:only stayed|(?:it |that )?did(?:n['’]t| not) (?:work|last|stay))\b",
    re.IGNORECASE,
)
# "But quit", "and then left".
_GAVE_UP = re.compile(
    rf"\s*,?\s*(?:and|but|then)(?: then)? (?:i )?(?:have |had )?{_LATER}"
    r"(?:left|quit|resigned|moved on)(?=\W*$|[,.;!]| (?:in|on|after|by|last|this|again|soon|already|when)\b)",
    re.IGNORECASE,
)


def with_kin(part: Sequence[Token]) -> Sequence[Token]:
    """Return "Mum" as "my mum"."""
    first = part[0]
    alone = len(part) > 1 and not part[1].text[0].isupper()
    if first.lower.removesuffix("'s") in words.KIN_BARE and alone:
        return (*_in_place_of("my", first), replace(first, text=first.lower, spaced=True), *part[1:])
    return part
