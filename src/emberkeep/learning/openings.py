"""How sentences open: fillers, "remember that", questions, commands, and texts that are not the speaker's own."""

import re
from collections.abc import Sequence
from itertools import pairwise

from emberkeep.learning import clauses, words
from emberkeep.learning.tokens import Token
from emberkeep.learning.verbs import INVARIANT, is_base, is_past

# A role given to the reader: "you're the knight".
_PLAYED = re.compile(r"\byou(?:'re|’re| are| be) (?:the|an?) \w+", re.IGNORECASE)
# Words that may name somebody or something: "my sister", "the big dog", a capitalised word.
_NAMING = re.compile(
    r"\b(?:your|my|our|the|an?|his|her|their)\s+(?P<one>\w+)(?:\s+(?P<two>\w+))?|(?<=[\w,;] )(?!I\b)[A-Z]\w"
)
# Nouns that a later pronoun may refer to.
_NAMED = (
    words.KIN_HER | words.KIN_HIM | words.KIN_ANY | words.KIN_BARE | words.PLURAL_PEOPLE | words.PROFESSIONS
    | words.SYSTEM_NOUNS | words.BARE_SYSTEMS
    | frozenset("boss manager doctor teacher neighbour neighbor dog cat puppy kitten pet router car phone".split())
)  # fmt: skip
# Something said for another, or as if: "on behalf of".
_PRETENDING = re.compile(r"\bas if (?:i|we|you)\b|\bform for (?:my|our|an?|the)\b|\bon behalf of\b", re.IGNORECASE)
# A role that the speaker takes: "I'm the dragon".
_PLAYING = re.compile(r"\bI(?:'m|’m| am) (?:the|an?) \w+", re.IGNORECASE)


def is_off_limits(content: str) -> bool:
    """Return whether the message is fiction, or gives orders to the model: "role-play", "ignore previous ..."."""
    lower = content[:20_000].lower()
    return any(phrase in lower for phrase in words.FICTION) or any(phrase in lower for phrase in words.AIMED_AT_MODEL)


def names_something(content: str) -> bool:
    """Return whether a message names somebody or something that a later pronoun may refer to."""
    found = _NAMING.finditer(content[:20_000])
    return any(one["one"] is None or {one["one"].lower(), (one["two"] or "").lower()} & _NAMED for one in found)


def asks_to_pretend(content: str) -> bool:
    """Return whether what follows may be said for another: in a play, an interview, or a form."""
    begun = content[:20_000]
    return is_off_limits(begun) or plays_a_part(begun) or _PRETENDING.search(begun) is not None


def plays_a_part(text: str) -> bool:
    """Return whether roles are given out: "I'm the dragon and you're the knight"."""
    return _PLAYED.search(text) is not None and _PLAYING.search(text) is not None


# The speaker, as the subject of what is framed. The patterns below match what is only thought, said by others, denied,
# ironic, or corrected at once.
_SELF = r"(?:i|i['’]\w+|my|we|we['’]\w+|our)\b"
# Other people, before "say" or "think".
_OTHERS = (
    r"(?:people|they|everyone|everybody|some(?: people)?|others|he|she|(?:my|our|the) [\w'’-]+(?: [\w'’-]+)?"
    r"|(?-i:[A-Z])\w+)(?: always| keeps?)?"
)
# A person who is quoted; what a doctor or a parent says about the speaker is not a quotation.
_A_NAME = r"(?-i:(?!I\b|Dr\b|Doc\b|Mom\b|Mum\b|Dad\b)[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*)"
# Words before a colon that label a note, and are not the name of a speaker: "Update: I ...".
_LABELS = """
    note notes nb important remember reminder update edit fyi ps also btw correction info fact facts background context
    warning caution todo question answer anyway actually well ok okay yes no so plus and but sorry hi hello hey honestly
    truth news status summary disclaimer allergies me self bio about intro introduction diet job work family pets health
    hobbies home food travel plans plan goal goals location age name email phone address birthday preferences preference
    likes dislikes languages language education school profile personal
""".split()
# Openings that make a sentence not the author's own: "Maybe ...", "My boss says I ...", "Bob: I ...", "For Halloween I
# am ...".
_FRAME = re.compile(
    r"(?:maybe|perhaps|possibly|allegedly|supposedly|apparently|rumou?r has it|not only|according to|worst case"
    r"|best case|in theory|on paper|i lied|i (?:dreamed|dreamt) (?:that|i)|in a perfect world)\b"
    r"|in (?:my|our|another|a) (?:(?:next|past|previous|other|former|parallel) )?(?:life|universe|dream),? i\b"
    r"|(?:in|on) (?:the|my|this|that) (?:play|musical|sims|game|film|movie|novel|story|opera|call),? i\b"
    r"|for (?:halloween|carnival|cosplay),? i(?:['’]m| am)\b|tonight,? i['’]m (?-i:[A-Z])"
    r"|(?:like|as) (?:my|our|the) [\w'’-]+(?: [\w'’-]+)? always (?:says?|said)\b"
    r"|like (?:my|our|the) [\w'’-]+(?: [\w'’-]+)? (?:says?|said|would say)\b"
    rf"|(?:like|as) {_A_NAME} (?:once |always |famously )?(?:says?|said|wrote|put it|sang|sings)\b"
    r"|(?:to quote|in the words of|quoting)\b"
    r"|it(?:['’]s| is) (?:not true|untrue|false|a lie|possible)\b"
    r"|(?:i|we) (?:never said|didn['’]t say|did not say)\b|nobody said\b"
    rf"|{_OTHERS} (?:says?|said|saying|thinks?|thought|claim(?:s|ed)?|believe[sd]?|insists?|joke[sd]?)"
    rf"(?: that)? {_SELF}"
    rf"|(?!(?:{'|'.join(_LABELS)}):)(?-i:[A-Z][a-z]+): {_SELF}"
    rf"|(?:yeah|yea|oh),? (?:right|sure|great)\b,? {_SELF}|sure,? {_SELF}(?=.*\btotally\b)"
    r"|(?:for (?:a|my|the|our) (?:story|novel|book|game|script|poem|song)|lyrics\b[^:]*|quote(?: of the day)?)\s*:",
    re.IGNORECASE,
)
# Words that may replace what was said; not "it, who doesn't?", "for the late reply".
_INSTEAD = (
    r"(?!(?:it|that|this|what|who|how|why|well|seriously|really|come|look|you|we|i|i['’]\w+|my|for|about|to|if|but|so"
    r"|the delay)\b)\w"
)
# A correction inside a sentence: "I live in Rome, no wait, Lyon".
_PUT_RIGHT = re.compile(
    r"(?:[,;—–-]|\.\.\.|…)\s*(?:(?:no,? wait|wait,? no|scratch that|strike that|or rather|correction|make that)\b"
    rf"|i meant?,? {_INSTEAD}|(?:no,? )?sorry,? {_INSTEAD})",
    re.IGNORECASE,
)
# A sentence that corrects or denies the one before it.
_TAKES_BACK = re.compile(
    rf"\s*(?:no,? wait|wait,? no|scratch that|strike that|(?:sorry,? )?i meant? {_INSTEAD}|correction\b|not[.!]*\s*$)",
    re.IGNORECASE,
)


def own_part(text: str, found: list[Token]) -> list[Token]:
    """Return the words of a sentence that its author stands for.

    None if the sentence is corrected or framed ("Maybe ..."); of a framed one, what follows a "but" is kept.
    """
    if _PUT_RIGHT.search(text):
        return []
    if not _FRAME.match(text.strip(" \"'“‘")):
        return found
    turn = next((index for index, one in enumerate(found) if one.lower == "but"), None)
    return [] if turn is None else found[turn + 1 :]


def is_of_some_time(found: Sequence[Token]) -> bool:
    """Return whether a sentence opens with the time for which it holds: "in the summer", "on weekends", "from July"."""
    lowered = [one.lower for one in found[:4]]
    return lowered[:1] != [] and lowered[0] in _TIMED and bool(set(lowered[1:]) & _PARTS_OF_TIME)


# Prepositions before a time.
_TIMED = frozenset("in on at during from until over starting".split())
_PARTS_OF_TIME = words.MONTH_NAMES | frozenset(
    """
    summer summers winter winters spring autumn fall weekends weekdays nights mornings evenings holidays mondays
    tuesdays wednesdays thursdays fridays saturdays sundays term-time semester
    """.split()
)


def takes_back(text: str) -> bool:
    """Return whether a sentence takes back the one before it: "No wait, Lyon.", "Not."."""
    return _TAKES_BACK.match(text) is not None


def hands_over_text(found: Sequence[Token]) -> bool:
    """Return whether a text follows that is to be worked on or that somebody else wrote."""
    lowered = [one.lower for one in found]
    header = lowered[: lowered.index(":")] if ":" in lowered else []
    task = _is_text_task(lowered)
    if lowered[:2] in (["forwarding", "this"], ["forwarding", "from"], ["fwd", ":"]) or _is_of_written(lowered):
        return True
    plain, explicit = opened(found)
    only_opens = ":" not in [one.lower for one in plain]
    if not header or explicit or only_opens:
        return task and bool({"below", "following"} & set(lowered))
    if task or header in (["from"], ["subject"]) or {"forwarded", *_FICTIONS} & set(header):
        return True
    return _is_of_text(header) or _is_of_saying(header) or _is_of_voicing(header)


def hands_over_below(found: Sequence[Token]) -> bool:
    """Return whether the next paragraph is a text to work on: "Can you summarize this email?"."""
    lowered = [one.lower for one in found]
    handing = _HANDING | {"my", "our", "the"}
    return _is_text_task(lowered) and bool(_TEXTS & set(lowered)) and bool(handing & set(lowered))


def _is_text_task(lowered: Sequence[str]) -> bool:
    """Return whether it asks for work on a text: "please summarize", "can you translate"."""
    return next((word for word in lowered if word not in _ASKING), "") in words.TEXT_TASKS


# Words before the verb of a request.
_ASKING = frozenset("please can could would you kindly".split())


# Nouns for a text.
_TEXTS = frozenset(
    """
    email e-mail mail message letter text note post tweet review article reply comment quote transcript statement
    excerpt chat conversation story poem paragraph essay sms dm voicemail memo newsletter passage speech log
    """.split()
)
# Nouns for a text in which nothing is meant.
_FICTIONS = frozenset(
    "story novel documentary movie film song poem lyrics script screenplay campaign fairytale".split()
)
# Words that say that a text follows.
_HANDING = frozenset("from by here this these following below got received sent wrote".split())
# Verbs before or after a quotation.
_SAID = frozenset(
    """
    wrote writes says said texted texts replied replies told tells asked asks posted posts answered answers emailed
    messaged tweeted goes reads
    """.split()
)


def _is_of_text(header: Sequence[str]) -> bool:
    """Return whether it announces a text: "Email from Bob:", "Here is the letter:", but not "a note about me:"."""
    own = any(one in _OWN and two in ("me", "myself", "us") for one, two in pairwise(header))
    return not own and bool(_TEXTS & set(header)) and bool(_HANDING & set(header))


# Prepositions before "me" in a text of the speaker's own.
_OWN = frozenset(("about", "from", "by"))


def _is_of_written(lowered: Sequence[str]) -> bool:
    """Return whether somebody wrote a text that follows: "My kid wrote this essay"."""
    return any(
        one == "wrote" and two == "this" and three in _TEXTS
        for one, two, three in zip(lowered[1:], lowered[2:], lowered[3:], strict=False)
    )


def _is_of_saying(header: Sequence[str]) -> bool:
    """Return whether it announces another person's words: "He wrote:", "My sister texted me today:"."""
    return header[0] not in words.SPEAKER and bool(_SAID & set(header[-3:]))


def _is_of_voicing(header: Sequence[str]) -> bool:
    """Return whether it announces words that are only recited: "I'm singing:", but not "I like singing:"."""
    return bool(_VOICED & set(header[-3:])) and not words.LIKING & set(header)


_VOICED = frozenset(
    "singing sang humming hummed reciting recited quoting quoted rapping chanting chanted reading".split()
)


def takes_over_again(found: Sequence[Token]) -> bool:
    """Return whether the speaker asks something about a text handed over before."""
    lowered = {one.lower for one in found}
    asking = is_question(found) or is_aimed_elsewhere(found) or "?" in lowered
    return asking and bool(lowered & (_TEXTS | words.TEXT_TASKS | {"respond", "draft", "scam"}))


def is_said_by_another(found: Sequence[Token]) -> bool:
    """Return whether a sentence ends as reported speech or as a joke: "..., says the thief", "just kidding"."""
    lowered = [one.lower for one in found]
    if is_joke(found) or _ends_with_saying([word for word in lowered if word[0].isalnum() or word == ","]):
        return True
    for index in range(1, len(found) - 2):
        after = found[index + 2]
        someone = after.lower in words.DETERMINERS or after.lower in ("he", "she", "they") or after.text[0].isupper()
        if lowered[index] == "," and lowered[index + 1] in _SAID and someone and after.lower != "i":
            return True
    return False


def _ends_with_saying(lowered: Sequence[str]) -> bool:
    """Return whether it ends with reported speech: "..., he said", but not "..., as my mum says"."""
    if "," not in lowered[-4:-1] or lowered[-1] not in _SAID:
        return False
    last = lowered[len(lowered) - lowered[::-1].index(",") :]
    return last[0] not in words.SPEAKER and last[0] not in words.CONNECTIVES


def is_joke(found: Sequence[Token]) -> bool:
    """Return whether it takes back what was said: "just kidding"."""
    lowered = [one.lower for one in found if one.text[0].isalnum()]
    if lowered[:2] == ["kidding", "aside"]:
        return False
    return (
        lowered[:1] == ["kidding"]
        or "jk" in lowered[:1] + lowered[-1:]
        or any(map(_JOKES.__contains__, pairwise(lowered)))
    )


_JOKES = frozenset((one, two) for one in ("just", "only", "am") for two in ("kidding", "joking"))


def before_quotation(found: list[Token]) -> list[Token]:
    """Return the words before a quotation that follows a colon: "I have a note: '...'"."""
    for index in range(1, len(found) - 1):
        if found[index].lower == ":" and found[index + 1].text[0] in '"“':
            return found[:index]
    return found


# Words after a comma that make a sentence a question: "you're Anna, right".
_TAGS = frozenset("right correct yes no ok okay eh huh yeah".split())


def asks(text: str) -> bool:
    """Return whether a sentence ends as a question."""
    return "?" in text.rstrip("\"'”’)!. ")[-3:]


def before_question(found: list[Token]) -> list[Token]:
    """Return the statement before a question that ends the sentence: "I live in Leeds, is that far?"."""
    if is_question(found):
        return []
    for index in range(len(found) - 1, 2, -1):
        joint = found[index - 1].lower in (",", "so", "but", "and")
        if joint and found[index].lower in words.QUESTION_STARTS:
            told = not _is_tag(found[index:]) and clauses.parse(found[: index - 1]) is not None
            return found[: index - 1] if told else []
    return []


def _is_tag(asked: Sequence[Token]) -> bool:
    """Return whether the words only ask for confirmation: "isn't it?"."""
    return all(one.lower in words.TAG_WORDS for one in asked if one.text[0].isalnum())


def is_question(found: Sequence[Token]) -> bool:
    """Return whether it is a question even without the question mark."""
    last = [one.lower for one in found if one.text[0].isalnum()][-1:]
    if last and last[0] in _TAGS and len(found) > 1 and found[-2].lower == ",":
        return True
    plain = opened(found)[0]
    if not plain or plain[0].lower not in words.QUESTION_STARTS:
        return False
    if len(plain) > 1 and plain[0].lower == "do" and plain[1].lower == "not":
        return False
    if plain[0].lower in ("when", "which", "where") and any(one.lower == "," for one in plain):
        return False
    return not (plain[0].lower in ("may", "will") and plain[0].text[0].isupper())


def opened(found: Sequence[Token]) -> tuple[Sequence[Token], bool]:
    """Return the words without fillers and requests before them, and whether the request was to remember them."""
    explicit = False
    plain = list(found)
    while plain:
        lowered = tuple(one.lower for one in plain[:8])
        length = _phrase_length(lowered, words.EXPLICIT)
        if length and _is_request(plain, length):
            explicit = True
        else:
            length = _filler_length(plain, lowered)
        if not length:
            break
        plain = plain[length:]
        while plain and not (plain[0].text[0].isalnum() or plain[0].opaque):
            plain = plain[1:]
    return plain, explicit


def _phrase_length(lowered: tuple[str, ...], phrases: dict[str, tuple[tuple[str, ...], ...]]) -> int:
    """Return the length of the phrase that the words begin with, 0 for none."""
    if not lowered:
        return 0
    for phrase in phrases.get(lowered[0], ()):
        if lowered[: len(phrase)] == phrase:
            return len(phrase)
    return 0


def _filler_length(plain: Sequence[Token], lowered: tuple[str, ...]) -> int:
    """Return how many words at the start are a filler, a greeting or a correction."""
    if not (plain[0].text[0].isalnum() or plain[0].opaque):
        return 1
    corrected = _phrase_length(lowered, words.CORRECTIONS)
    if corrected and lowered[corrected : corrected + 1] in ((":",), (",",), ("-",), ("–",), ("—",)):
        return corrected
    length = _phrase_length(lowered, words.FILLERS)
    if not length or length >= len(plain):
        return length
    following = plain[length].lower
    if plain[0].lower in words.GREETINGS and plain[length].text[0].isupper():
        comma = next((index for index, one in enumerate(plain[:6]) if one.lower in (",", "!", ".")), None)
        return comma or length
    return (
        0 if lowered[0] in words.NEEDS_PAUSE and length == 1 and following not in (",", ":", "!", ".", "-") else length
    )


def _is_request(plain: Sequence[Token], length: int) -> bool:
    """Return whether "remember ..." asks to keep a statement: not "remember to call Anna"."""
    if length >= len(plain):
        return False
    following = plain[length].lower
    if plain[0].lower in words.NEEDS_PAUSE and length == 1:
        return following in (",", ":", "-")
    return following not in ("to", "me", "when", "how", "what", "the time", "if")


def is_aimed_elsewhere(plain: Sequence[Token]) -> bool:
    """Return whether it is a command, or about the one spoken to."""
    first = plain[0].lower
    if first in words.ADDRESSED or first == "please":
        return True
    if _tells_when(plain):
        return False
    following = plain[1].lower if len(plain) > 1 else ""
    if following in words.BE or following in words.HAVE or following[:1].isdigit() or following == "of":
        return first in ("do", "be")
    return (
        (is_base(first) or first in ("do", "be")) and not (is_past(first) and first not in INVARIANT) and first != "i"
    )


def _tells_when(plain: Sequence[Token]) -> bool:
    """Return whether it tells when something of the speaker was: "last May I moved", though "last" is a verb, too."""
    at = clauses.after_time(plain)
    own = at > 0 and plain[at].lower in ("i", "we", "my", "our")
    return own and not any(clauses.after_time(plain, place) for place in range(at, len(plain)))


def after_command(plain: Sequence[Token]) -> Sequence[Token]:
    """Return the statement after a command: "I work nights" in "don't wake me, I work nights"."""
    verb = next((one.lower for one in plain if one.lower not in ("please", "do", "not", "just")), "")
    if verb in words.SAYING or verb in words.ADDRESSED:
        return ()
    for index in range(2, len(plain) - 2):
        before, word = plain[index - 1].lower, plain[index].lower
        if word in _TELLERS and _starts_anew(plain, index, before):
            return plain[index:]
    return ()


# First words of a statement after a command.
_TELLERS = words.KIN_BARE | {f"{kin}'s" for kin in words.KIN_BARE} | {"i", "we", "my", "our", "the"}
# Words or punctuation between a command and a statement.
_AFTER_COMMAND = frozenset((",", "because", "since", "cause", "cos", "so", "but", "-", "as"))


def _starts_anew(plain: Sequence[Token], index: int, before: str) -> bool:
    """Return whether a statement begins at `index`."""
    if before in _AFTER_COMMAND:
        return plain[index].lower != "the" or before == ","
    if before in words.PREPOSITIONS or before in words.CONNECTIVES or plain[index].lower not in ("i", "we"):
        return False
    return plain[index + 1].lower in words.BEGUN_ANEW
