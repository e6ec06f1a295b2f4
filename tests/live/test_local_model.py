"""Learning through a real server with a real language model, small enough to run anywhere: `make live`.

So small a model is often wrong, and that is the point: whatever it says, what is learned has to be borne out.
"""

from datetime import UTC, datetime

import pytest

from emberkeep.clock import Deadline
from emberkeep.errors import UnusableReply
from emberkeep.learning.llm import ModelLearner
from emberkeep.learning.prompts import EXTRACT
from emberkeep.model.finding import Doubt, Exchange, Judgement, Lesson
from emberkeep.model.interaction import Interaction
from emberkeep.model.message import Message
from emberkeep.model.scope import Scope
from emberkeep.providers.openai_chat import OpenAIChat

pytestmark = pytest.mark.live

PATIENCE_S = 180.0

MOMENT = datetime(2026, 5, 20, 10, tzinfo=UTC)
EXCHANGES = {
    "work": [
        Message("user", "Hi! I'm Alex. I live in Lisbon and work at Acme as a data engineer."),
        Message("assistant", "Nice to meet you, Alex! Porto is lovely too."),
        Message("user", "My sister Maria is a nurse. I'm allergic to peanuts."),
    ],
    "decision": [Message("user", "We decided to use PostgreSQL instead of MySQL.", name="Dana")],
    "german": [Message("user", "Ich bin im Mai nach Berlin gezogen und habe eine Katze namens Mimi.")],
    "question": [Message("user", "What is the capital of France?"), Message("assistant", "Paris.")],
}


@pytest.fixture(scope="session")
def lessons(chat: OpenAIChat) -> dict[str, Lesson | UnusableReply]:
    """What came of each exchange."""
    return {name: _learn(chat, tuple(messages)) for name, messages in EXCHANGES.items()}


def _learn(chat: OpenAIChat, messages: tuple[Message, ...]) -> Lesson | UnusableReply:
    exchange = Exchange(Interaction("i", Scope("t"), messages, MOMENT, MOMENT, (), {}))
    try:
        return ModelLearner(chat).learn(exchange, deadline=Deadline.after(PATIENCE_S))
    except UnusableReply as error:
        return error


def test_the_server_answers_and_counts(chat: OpenAIChat) -> None:
    answer = chat.complete("You are brief.", "Say hello.", deadline=Deadline.after(PATIENCE_S))

    assert answer.text.strip()
    assert answer.tokens_in > 0
    assert answer.tokens_out > 0


def test_most_answers_are_of_use(lessons: dict[str, Lesson | UnusableReply]) -> None:
    taught = [lesson for lesson in lessons.values() if isinstance(lesson, Lesson)]

    assert len(taught) >= len(EXCHANGES) - 1, lessons
    assert all(lesson.spent.calls >= 1 and lesson.spent.tokens_out > 0 for lesson in taught)


def test_something_is_learned(lessons: dict[str, Lesson | UnusableReply]) -> None:
    texts = [one.text for lesson in lessons.values() if isinstance(lesson, Lesson) for one in lesson.findings]

    keys = ("Lisbon", "Acme", "nurse", "peanuts", "PostgreSQL", "Berlin", "Mimi")
    assert any(key in text for text in texts for key in keys), lessons


@pytest.mark.parametrize("name", EXCHANGES)
def test_what_is_learned_is_borne_out(lessons: dict[str, Lesson | UnusableReply], name: str) -> None:
    lesson = lessons[name]
    for finding in lesson.findings if isinstance(lesson, Lesson) else ():
        message = EXCHANGES[name][finding.position]
        assert message.role == "user"
        assert finding.quote in message.content
        assert finding.kind in ("fact", "preference", "decision")
        assert 0 < len(finding.text) <= 500
        assert not any(word in finding.text for word in EXTRACT.invented)


def test_it_compares_statements(chat: OpenAIChat) -> None:
    """So small a model may say anything of them; what it says has to fit what was asked."""
    doubt = Doubt("Alex left the band Blue Kettle", ("Alex is the drummer of the band Blue Kettle", "Alex has a cat"))

    answer = _judged(chat, doubt)

    if isinstance(answer, UnusableReply):
        assert answer.calls > 1  # it was asked again
    else:
        assert [len(one) for one in answer.relations] == [2]
        assert answer.spent.calls > 0


def _judged(chat: OpenAIChat, doubt: Doubt) -> Judgement | UnusableReply:
    try:
        return ModelLearner(chat).judge([doubt], deadline=Deadline.after(PATIENCE_S))
    except UnusableReply as error:
        return error
