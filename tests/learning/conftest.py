"""Learners that do as a test says, and memories that learn with them."""

from collections.abc import Callable, Iterator

import pytest

import emberkeep
from emberkeep.clock import Deadline
from emberkeep.model.finding import Exchange, Finding, Lesson, Spent
from emberkeep.testing import FixedClock, WordEmbedder

Teach = Callable[[Exchange], Lesson]
Opened = Callable[..., emberkeep.Memory]


class Parrot:
    """Learns each user message as "<user> said that …"; or does what `teach` does."""

    def __init__(self, teach: Teach | None = None, name: str = "parrot-1") -> None:
        self.name = name
        self.teach = teach or repeat
        self.heard: list[str] = []

    def learn(self, exchange: Exchange, *, deadline: Deadline | None = None) -> Lesson:
        self.heard.append(exchange.interaction.messages[0].content)
        return self.teach(exchange)


def repeat(exchange: Exchange) -> Lesson:
    messages = exchange.interaction.messages
    found = [
        Finding(f"Somebody said that {message.content}", "fact", position, message.content)
        for position, message in enumerate(messages)
        if message.role == "user"
    ]
    return Lesson(tuple(found), Spent(10, 5, 1))


@pytest.fixture
def opened(target: str, clock: FixedClock) -> Iterator[Opened]:
    """Opens memories on the target, one after the other or side by side, and closes them in the end."""
    memories = []

    def opener(**settings: object) -> emberkeep.Memory:
        given = {"embedder": WordEmbedder(), "clock": clock, **settings}
        memories.append(emberkeep.open(target, **given))  # type: ignore[arg-type]  # as the test has it
        return memories[-1]

    yield opener
    for memory in memories:
        memory.close()


@pytest.fixture
def learned(opened: Opened) -> Callable[..., list[str]]:
    """What the rules know after some messages, in the order in which it was learned."""

    def of(*said: str) -> list[str]:
        memory = opened(learner="rules")
        for text in said:
            memory.add(text, user_id="alex")
        found = memory.get_all(user_id="alex", kinds=["fact", "preference", "decision"])
        return [item.text for item in sorted(found, key=lambda item: item.id)]

    return of
