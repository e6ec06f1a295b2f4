"""Reading scenes from conversations that are written as a play.

The text before the first `==` is a note for readers of the file. A line `== 3 14:10 devi forge slow-checkout` begins a
session: the day and time, the user, the agent, the session's name. Exchanges are separated by an empty line. One with
a tool call, `> lights.set {"level": 40} = done`, is a turn of a voice assistant, and is loaded by `capture.log`.
"""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from emberkeep.demo.scene import Moment, Scene

PACE = 2  # minutes from one exchange to the next
_CALL = re.compile(r"> (\S+) (\{.*\}) = (.+)")


def scenes_of(play: str) -> Iterator[Scene]:
    """The exchanges of a play, in order."""
    for session in play.split("\n== ")[1:]:
        heading, _, said = session.partition("\n")
        day, clock, user, agent, name = heading.split()
        begun = Moment.parse(day, clock)
        scope = {"user_id": user, "agent_id": agent, "session_id": name}
        for number, exchange in enumerate(said.strip().split("\n\n")):
            yield _scene(begun.later(PACE * number), exchange.splitlines(), scope)


def _scene(moment: Moment, lines: Sequence[str], scope: dict[str, str]) -> Scene:
    calls = [match.groups() for line in lines if (match := _CALL.fullmatch(line))]
    spoken = [line.partition(": ") for line in lines if not line.startswith("> ")]
    messages = [_message(name, words, scope["agent_id"]) for name, _, words in spoken]
    if not calls:
        given: dict[str, Any] = {"messages": messages, **scope}
        return Scene(moment, "add", {**given, "learn": "later"} if not moment.day else given)
    turn = {
        "timestamp": moment,
        "user_transcript": messages[0]["content"],
        "assistant_response": messages[-1]["content"],
        "tool_calls": [{"name": name, "args": json.loads(args), "result": result} for name, args, result in calls],
        "skill_used": calls[0][0].partition(".")[0],
        "latency_ms": {"stt": 90.0 + len(messages[0]["content"]), "tool": 140.0 * len(calls), "llm": 310.0},
        **scope,
    }
    return Scene(moment, "capture.log", {"record": turn})


def _message(name: str, words: str, agent: str) -> dict[str, str]:
    role = "assistant" if name.casefold() == agent else "user"
    return {"role": role, "content": words, "name": name}
