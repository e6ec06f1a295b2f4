"""Learn with a language model, keeping only what the messages support."""

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, get_args

from emberkeep.clock import Deadline
from emberkeep.errors import InvalidInput, ModelUnavailable, UnusableReply
from emberkeep.learning.prompts import EXTRACT, RECONCILE, SUMMARIZE, Prompt
from emberkeep.learning.replies import entries_in
from emberkeep.learning.transcript import Place, Transcript, harmless
from emberkeep.model import checks
from emberkeep.model.finding import Doubt, Exchange, Finding, Gist, Judgement, Lesson, Relation, Spent
from emberkeep.model.kinds import Kind
from emberkeep.providers.base import Completion, LanguageModel

PART_CHARS = 12_000  # of a conversation, asked about at once
MOST_FACTS = 200  # from one part
LONGEST_TEXT = 500  # characters of a statement
LONGEST_GIST = 2_000  # characters of a summary
BORNE_OUT = 0.4  # share of a summary's words that must occur in the account
_TRIES = 2
_EXCERPT_LENGTH = 200
_KINDS: Mapping[object, Kind] = {"fact": "fact", "preference": "preference", "decision": "decision"}
_TAGGED = ("event", "plan")
_RELATIONS: Mapping[object, Relation] = {one: one for one in get_args(Relation)}
# The number of a message, in whatever brackets: "[3]", "#3", "3.0".
_NUMBER = re.compile(r"[\s\[(#]*(\d{1,6})(?:\.0)?[\s\])]*", re.ASCII)
# Words long enough to compare.
_WORD = re.compile(r"\w{4,}")
# A year, a month or a day, with or without a time: "2026", "2026-05", "2026-05-01T10:00".
_DATE = re.compile(r"(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?(?:[T ].*)?", re.ASCII)
_logger = logging.getLogger(__name__)


class ModelLearner:
    """A `Learner` that asks a language model; long exchanges are split into parts of about `part_chars` characters."""

    def __init__(self, model: LanguageModel, *, prompt: Prompt = EXTRACT, part_chars: int = PART_CHARS) -> None:
        self._model = model
        self._prompt = prompt
        self._part_chars = part_chars

    @property
    def name(self) -> str:
        """The names of the model and the prompt."""
        return f"llm:{self._model.name}:{self._prompt.label}"

    def learn(self, exchange: Exchange, *, deadline: Deadline | None = None) -> Lesson:
        """Return the findings that the messages support, in the order in which they were said.

        Raises `ModelUnavailable`, or `UnusableReply` when the second answer is unusable too; both carry what was spent.
        """
        transcript = Transcript(exchange)
        spent = Spent()
        claimed: list[dict[str, Any]] = []
        for part in transcript.parts(self._part_chars):
            question = self._prompt.template.format(date=transcript.date, conversation=part)
            entries, spent = self._ask(self._prompt, question, ("facts", "text", "message", "quote"), spent, deadline)
            claimed += entries[:MOST_FACTS]
        findings = self._supported(claimed, transcript)
        if len(findings) < len(claimed):
            _logger.info("%s: %d of %d findings dropped", self.name, len(claimed) - len(findings), len(claimed))
        return Lesson(findings, spent)

    def judge(self, doubts: Sequence[Doubt], *, deadline: Deadline | None = None) -> Judgement:
        """Return how each statement relates to those near it; a pair that the model leaves out is "other"."""
        question = RECONCILE.template.format(statements="\n".join(_pairs(doubts)))
        entries, spent = self._ask(RECONCILE, question, ("verdicts", "relation"), Spent(), deadline)
        said = {str(entry.get("pair")).strip(" []()"): _word(entry.get("relation")) for entry in entries}
        relations = tuple(
            tuple(_RELATIONS.get(said.get(f"{number}.{place}"), "other") for place in range(1, len(doubt.known) + 1))
            for number, doubt in enumerate(doubts, start=1)
        )
        return Judgement(relations, spent)

    def summarize(self, account: str, *, deadline: Deadline | None = None) -> Gist:
        """Return the model's summary of an account; refused unless it uses enough of the account's words."""
        question = SUMMARIZE.template.format(account=harmless(account))
        entries, spent = self._ask(SUMMARIZE, question, ("summaries", "text"), Spent(), deadline)
        text = _text(entries[0]["text"] if entries else None, LONGEST_GIST)
        if text is None or not _borne_out(text, account):
            raise UnusableReply(f"{self.name}: the answer is no summary of what was asked about", **asdict(spent))
        return Gist(text, f"llm:{self._model.name}:{SUMMARIZE.label}", spent)

    def _ask(
        self, prompt: Prompt, question: str, wanted: Sequence[str], spent: Spent, deadline: Deadline | None
    ) -> tuple[list[dict[str, Any]], Spent]:
        """Return the entries of the model's answer, and all that was spent so far.

        Asks a second time, with the reason, when the answer is unusable.
        """
        request, (key, *fields) = question, wanted
        for _ in range(_TRIES):
            reply = self._completed(prompt, request, spent, deadline)
            spent += Spent(reply.tokens_in, reply.tokens_out, 1)
            try:
                return entries_in(reply, key=key, fields=fields), spent
            except ValueError as error:
                reason = str(error)
                request = (
                    f"{question}\n\nYour last answer cannot be used: {reason}. Give the JSON object only, and short."
                )
        excerpt = " ".join(reply.text.split())[:_EXCERPT_LENGTH]
        raise UnusableReply(f"{self.name}: the answer cannot be used: {reason}: {excerpt}", **asdict(spent))

    def _completed(self, prompt: Prompt, request: str, spent: Spent, deadline: Deadline | None) -> Completion:
        """Return the model's answer; an error it raises is raised again with what was spent before it added."""
        try:
            return self._model.complete(prompt.system, request, schema=prompt.schema, deadline=deadline)
        except ModelUnavailable as error:
            kind = UnusableReply if isinstance(error, UnusableReply) else ModelUnavailable
            total = spent + Spent(error.tokens_in, error.tokens_out, error.calls)
            raise kind(str(error), **asdict(total)) from error

    def _supported(self, claimed: list[dict[str, Any]], transcript: Transcript) -> tuple[Finding, ...]:
        """Return the findings that hold, in the order of their quotes, each text once."""
        invented = [word.casefold() for word in self._prompt.invented if not transcript.holds(word)]
        found: dict[str, tuple[Place, Finding]] = {}
        for entry in claimed:
            if checked := self._checked(entry, transcript, invented):
                found.setdefault(checked[1].text.casefold(), checked)
        in_order = sorted(found.values(), key=lambda one: (one[0].position, one[0].start))
        return tuple(finding for _, finding in in_order)

    def _checked(
        self, entry: Mapping[str, Any], transcript: Transcript, invented: list[str]
    ) -> tuple[Place, Finding] | None:
        """Return the finding of an entry and the place of its quote; None if the messages do not support it."""
        text, place = _text(entry.get("text")), _place(entry, transcript)
        if text is None or place is None or self._from_example(text, invented):
            return None
        kind = _KINDS.get(_word(entry.get("kind")), "fact")  # an unknown kind counts as a fact
        when, tag = str(entry.get("when")), _word(entry.get("type"))
        occurred_at = None if self._from_example(when, invented) else _moment(when)
        tags = (tag,) if tag in _TAGGED else ()
        return place, Finding(text, kind, place.position, place.quote, occurred_at=occurred_at, tags=tags)

    def _from_example(self, text: str, invented: list[str]) -> bool:
        """Return whether a text repeats the prompt's example."""
        said = text.casefold()
        return said == self._prompt.example.casefold() or any(word in said for word in invented)


def _pairs(doubts: Sequence[Doubt]) -> Iterator[str]:
    """Yield the statements as lines of the prompt."""
    for number, doubt in enumerate(doubts, start=1):
        yield f"New {number}: {harmless(doubt.statement)}"
        for place, known in enumerate(doubt.known, start=1):
            yield f"  [{number}.{place}] known: {harmless(known)}"


def _borne_out(text: str, account: str) -> bool:
    """Return whether enough of the words occur in the account, compared by their first five letters."""
    known = {word[:5] for word in _WORD.findall(account.casefold())}
    said = [word[:5] in known for word in _WORD.findall(text.casefold())]
    return bool(said) and sum(said) >= BORNE_OUT * len(said)


def _text(value: object, most: int = LONGEST_TEXT) -> str | None:
    """Return the text on one line, without its full stop; None if it cannot be kept."""
    if not isinstance(value, str) or not any(letter.isalnum() for letter in value):
        return None
    try:
        return checks.text(" ".join(value.split()).removesuffix("."), max_chars=most)
    except InvalidInput:
        return None


def _place(entry: Mapping[str, Any], transcript: Transcript) -> Place | None:
    """Return where the quote stands; None if the message is not named, not a user's, or does not contain it."""
    named = _NUMBER.fullmatch(str(entry.get("message")))
    quote = entry.get("quote")
    if named is None or not isinstance(quote, str) or not transcript.is_source(int(named[1])):
        return None
    return transcript.find(quote, int(named[1]))


def _word(value: object) -> str:
    return value.strip().casefold() if isinstance(value, str) else ""


def _moment(value: str) -> datetime | None:
    """Return the first moment of a year, month or day; None for anything else."""
    parts = _DATE.fullmatch(value.strip())
    if parts is None:
        return None
    try:
        year, month, day = (int(part or 1) for part in parts.groups())
        return datetime(year, month, day, tzinfo=UTC)
    except ValueError:
        return None
