"""The learner without a model: rules that turn English sentences into statements that stand alone."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from emberkeep.clock import Deadline
from emberkeep.language import dates
from emberkeep.learning import answers, classify, clauses, idioms, openings, words
from emberkeep.learning.antecedents import Antecedents, resolved
from emberkeep.learning.casing import with_capitals
from emberkeep.learning.clauses import Clause
from emberkeep.learning.entities import entities_of
from emberkeep.learning.rewriting import ANONYMOUS, possessive, third_person, tidy
from emberkeep.learning.sentences import Sentence, sentences
from emberkeep.learning.sorts import DECISION, FACT, PREFERENCE, TOLD, Sort
from emberkeep.learning.tokens import Token, tokens
from emberkeep.learning.verbs import is_base
from emberkeep.model.finding import Exchange, Finding, Lesson
from emberkeep.model.message import Message

_PARAGRAPH = re.compile(r"\n[ \t\r]*\n")
_SHORTEST_NOTE = 3  # words
# First words of a sentence that may take back the short answer before it.
_TAKING_BACK = frozenset("well no wait actually hmm sorry not just kidding but scratch".split())
_MOST_WORDS = 80  # of a sentence
_SOON_SAID = 100  # characters after a statement that are searched for its undoing


class RuleLearner:
    """A `Learner` that finds statements by rules over English sentences."""

    name = "rules-1"

    def learn(self, exchange: Exchange, *, deadline: Deadline | None = None) -> Lesson:
        """Return the findings, in the order in which they were said."""
        verbatim = exchange.interaction.messages
        exchange = _with_capitals(exchange)
        named = _named_before(exchange)
        findings: list[Finding] = []
        called = exchange.user_name
        plays = False
        for position, message in enumerate(exchange.interaction.messages):
            plays = plays or openings.asks_to_pretend(message.content)
            if deadline is not None and deadline.passed:
                break
            key = message.role, message.name
            if openings.names_something(message.content):  # "she" of another author may now mean someone else
                named = {own: known for own, known in named.items() if own == key}
            if message.side != "user":
                continue
            at = exchange.interaction.message_at(position)
            known = named.get(key) or Antecedents(known=exchange.acquaintances)
            asked = exchange.message_before(position)
            asked = None if plays or asked is None or (asked.role, asked.name) == key else asked
            reader = _Reader(message, position, message.name or called, at, known, asked=asked)
            findings.extend(reader.findings(verbatim[position].content))
            named[key] = reader.named
            called = called or reader.introduced
        return Lesson(tuple(findings))


@dataclass(frozen=True, slots=True)
class _Found:
    """The words of a finding, and its sort."""

    part: Sequence[Token]
    sort: Sort
    name: str | None = None
    by_others: bool = False  # whether the name is what others call the speaker


class _Reader:
    """Reads one message, and remembers what was named in it and how its author introduced themselves."""

    def __init__(
        self,
        message: Message,
        position: int,
        speaker: str | None,
        at: datetime,
        named: Antecedents,
        *,
        asked: Message | None = None,
    ) -> None:
        self._message = message
        self._position = position
        self._speaker = speaker or ANONYMOUS
        self._at = at
        self._asked = asked
        self.named = named
        self.introduced: str | None = None

    def findings(self, verbatim: str) -> Iterator[Finding]:
        """Yield what the message says that is worth keeping, with quotes of its verbatim text."""
        content = self._message.content
        if openings.is_off_limits(content):
            return
        said = list(_own_sentences(content))
        unsure = len(said) > 1 and said[1][1][0].lower in _TAKING_BACK
        for place, (sentence, found) in enumerate(said):
            stated = self._completed(found) if place == 0 and not unsure else None
            for one in self._in_sentence(sentence, stated or found):
                if not self._is_undone(sentence, one):
                    yield self._finding(sentence, one, verbatim)

    def _is_undone(self, sentence: Sentence, found: _Found) -> bool:
        """Return whether the message goes on to say that it did not last: "I moved to Rome in May and came back"."""
        clause = clauses.parse(found.part)
        if clause is None or clause.verb.tense not in ("past", "perfect"):
            return False
        end = sentence.start + max(one.end for one in found.part)
        return idioms.is_undone(clause.verb.lemma, self._message.content[end : end + _SOON_SAID])

    def _completed(self, found: Sequence[Token]) -> list[Token] | None:
        """Return the full statement if the message opens with a short answer to the message before it."""
        if self._asked is None or not answers.may_answer(found):
            return None
        question = answers.question_in(self._asked.content)
        return answers.completed(question, found) if question else None

    def _in_sentence(self, sentence: Sentence, found: list[Token]) -> Iterator[_Found]:
        """Yield what a sentence says, without what is not meant, questions, commands and fillers."""
        if openings.plays_a_part(sentence.text) or openings.is_said_by_another(found):
            return
        found = openings.own_part(sentence.text, found)
        found = openings.before_question(found) if openings.asks(sentence.text) else found
        if not found or openings.is_question(found):
            self.named = self.named.after_words(found)
            return
        plain, explicit = openings.opened(found)
        special = _special(plain)
        if special:
            yield special
            return
        asked = idioms.asked_for_good(idioms.standing(found) or plain)
        if asked:
            yield _Found(asked, PREFERENCE)
            plain = openings.after_command(plain)
        elif plain and openings.is_aimed_elsewhere(plain):
            self.named = self.named.after_words(plain)
            plain = openings.after_command(plain)
        yield from self._in_clauses(plain, explicit=explicit)

    def _in_clauses(self, plain: Sequence[Token], *, explicit: bool) -> Iterator[_Found]:
        """Yield what the clauses say; `explicit` says that the author asked to remember it."""
        before: Sort | None = None
        parts = clauses.split(plain)
        if openings.is_of_some_time(plain) and clauses.is_present(
            parts[0]
        ):  # "in the summer I work there and I live ..."
            parts = parts[:1] + [part for part in parts[1:] if not clauses.tells_where_one_is(part)]
        for part in parts:
            found = self._in_clause(openings.opened(part)[0], before, explicit=explicit)
            before = found.sort if found else before
            if found:
                yield found

    def _in_clause(self, part: Sequence[Token], before: Sort | None, *, explicit: bool) -> _Found | None:
        """Return what a clause says, with pronouns resolved; remember what it names."""
        part = resolved(idioms.of_group(idioms.turned(idioms.with_speaker(part))), self.named) or () if part else ()
        if not part:
            return None
        clause = clauses.parse(part)
        if clause is None:
            self.named = self.named.after_words(part)
            return _Found(part, TOLD) if explicit and _is_tellable(part) else None
        if clause.verb.lemma == "be" and not any(map(_says_something, clause.rest)):  # "but my wife is"
            return None
        sort = self._sort(clause, before, explicit=explicit)
        self.named = self.named.after(clause, kept=sort is not None)
        return _Found(idioms.without_echo(clause), sort, idioms.said_name(clause)) if sort else None

    def _sort(self, clause: Clause, before: Sort | None, *, explicit: bool) -> Sort | None:
        if _speaks_to_another(clause):
            return None
        if clause.subject.kind == "name" and clause.lowered[clause.subject.start] in self.named.known:
            clause = replace(clause, subject=replace(clause.subject, kind="known"))
        dated = dates.direction(third_person(clause.words, self._speaker), self._at)
        return classify.sort_of(clause, dated, before=before, asked=explicit)

    def _finding(self, sentence: Sentence, found: _Found, verbatim: str) -> Finding:
        """Return the finding in the third person, with absolute dates and the quote that supports it."""
        start = sentence.start + min(one.start for one in found.part)
        end = sentence.start + max(one.end for one in found.part)
        text = third_person(idioms.with_kin(found.part), self._speaker)
        sort = found.sort
        dated = dates.absolute(text, self._at, ahead=sort.ahead, lasting=sort.lasting, timeless=sort.timeless)
        text, moment = tidy(dated.text), dated.moment
        if found.name:
            what = "nickname" if found.by_others and self._speaker != ANONYMOUS else "name"
            text, moment = f"{possessive(self._speaker)} {what} is {found.name}", None
            self._introduce(found.name)
        return Finding(
            text=text,
            kind=found.sort.kind,
            position=self._position,
            quote=verbatim[start:end],
            occurred_at=moment,
            tags=found.sort.tags,
            entities=entities_of(text),
        )

    def _introduce(self, name: str) -> None:
        if self._speaker == ANONYMOUS:
            self._speaker = self.introduced = name


def _with_capitals(exchange: Exchange) -> Exchange:
    """Return the exchange with capitals for names in messages that users typed without any; their length stays."""
    messages = exchange.interaction.messages
    around = messages if exchange.before is None else (exchange.before, *messages)
    people = {word for one in around for word in (one.name or "").split()} | exchange.acquaintances
    people |= set((exchange.user_name or "").split())

    def cased(message: Message) -> Message:
        if message.side != "user":
            return message
        others = (one.content for one in around if one is not message)
        return replace(message, content=with_capitals(message.content, others, people))

    interaction = replace(exchange.interaction, messages=tuple(map(cased, messages)))
    return replace(exchange, interaction=interaction, before=exchange.before and cased(exchange.before))


def _named_before(exchange: Exchange) -> dict[tuple[str, str | None], Antecedents]:
    """Return the people named in the message before, if the next one opens with a pronoun: "Sorry, her name is ..."."""
    before, messages = exchange.before, exchange.interaction.messages
    if before is None or before.side != "user" or not messages or not _OPENS_WITH_WHO.match(messages[0].content):
        return {}
    known = Antecedents(known=exchange.acquaintances)
    reader = _Reader(before, 0, before.name or exchange.user_name, exchange.interaction.message_at(0), known)
    for _ in reader.findings(before.content):  # learned before; only the names are needed
        pass
    return {(before.role, before.name): reader.named.of_people()}


# A message that opens with "he" or "her", perhaps after a filler.
_OPENS_WITH_WHO = re.compile(
    r"\W*(?:(?:and|but|oh|no|sorry|wait|well|actually|correction|i mean|i meant)\W+)*(?:he|she|his|her)\b",
    re.IGNORECASE,
)


def _own_sentences(content: str) -> Iterator[tuple[Sentence, list[Token]]]:
    """Yield the sentences that the author means, with their words.

    Texts handed over, jokes and sentences taken back by the next one are left out.
    """
    said = [(one, tokens(one.text)) for one in sentences(content)]
    following = [*said[1:], (Sentence("", 0), list[Token]())]
    handed, end = False, 0
    for (sentence, found), later in zip(said, following, strict=False):
        new = _PARAGRAPH.search(content, end, sentence.start)
        end = sentence.start + len(sentence.text)
        if not 0 < len(found) <= _MOST_WORDS:
            continue
        if handed and new:
            handed = not openings.takes_over_again(found)
        below = _PARAGRAPH.match(content, end) is not None and openings.hands_over_below(found)
        handed = handed or openings.hands_over_text(found)
        if not handed and not openings.is_joke(later[1]) and not openings.takes_back(later[0].text):
            yield sentence, openings.before_quotation(found)
        handed = handed or below


def _special(plain: Sequence[Token]) -> _Found | None:
    """Return what a set phrase says: a name, a decision, a standing wish."""
    name = idioms.called(plain)
    if name:
        return _Found(plain, FACT, name, by_others=True)
    choice = idioms.proposed(plain)
    if choice:
        return _Found(choice, DECISION)
    return _Found(plain, PREFERENCE) if idioms.is_for_me(plain) else None


def _says_something(word: str) -> bool:
    """Return whether a token is a word or a number, not a mark."""
    return word[0].isalnum() or word[-1].isdigit()


def _is_tellable(part: Sequence[Token]) -> bool:
    """Return whether words without a clear clause may be kept on request."""
    lowered = {one.lower for one in part}
    return (
        len(part) >= _SHORTEST_NOTE
        and not lowered & (words.ADDRESSED | words.HYPOTHETICAL)
        and not is_base(part[0].lower)
    )


def _speaks_to_another(clause: Clause) -> bool:
    """Return whether a clause is about the one spoken to."""
    if clause.subject.kind == "pronoun" and clause.subject.head in words.ADDRESSED:
        return True
    has_theirs = clause.verb.lemma in words.MAY_HAVE_YOURS and clause.subject.kind in ("speaker", "owned")
    for index, word in enumerate(clause.lowered):
        if word == "your" and has_theirs:
            continue
        if word in words.ADDRESSED and not (word == "you" and clause.lowered[index - 1] in words.BESIDE_YOU):
            return True
    return False
