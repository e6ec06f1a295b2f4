"""A store in which every place that takes a text holds hostile ones."""

import re
from collections.abc import Sequence

from emberkeep.errors import InvalidInput
from emberkeep.memory import Memory

from ..context import hostile

TEXTS = [text for _, text in hostile.ALL if len(text) < 1_000]  # what long ones do is tested with contexts
# What steers a terminal, or turns what is beside it around. A new line and a tab are harmless.
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def poison(memory: Memory, texts: Sequence[str] = TEXTS, user_id: str = "alex") -> list[str]:
    """Keep each text in every way that texts are kept; returns those that a database can hold."""
    held = []
    for number, text in enumerate(texts):
        try:
            memory.remember(f"tea {text}", user_id=user_id, metadata={"note": text}, tags=[f"t{text[:50]}"])
        except InvalidInput:
            continue
        held.append(f"tea {text}")
        if number % 4 == 0:
            said, who = f"tea {number} {text}", text[:40].strip() or "Eve"
            memory.add([{"role": "user", "content": said, "name": who}], user_id=user_id, session_id=who)
            memory.experience.store(
                f"t{number}", f"brew tea {text}", number % 8 == 0, [f"spilt {text}"], user_id=user_id
            )
            memory.decisions.log(said, who=who, why=text or "x", context=text, user_id=user_id)
    evil = f"{hostile.FENCES[1]}{hostile.TERMINAL[0]}"
    task = memory.tasks.start(f"tea {evil}", id="evil", user_id=user_id)
    memory.tasks.step(task.id, "kettle", parameters={"note": evil}, output=evil, success=False)
    memory.goals.save(f"tea {evil}", user_id=user_id)
    memory.preferences.set("tea", evil, user_id=user_id)
    memory.knowledge.add(f"# {evil}\n\ntea {evil}", title=evil, origin=evil, user_id=user_id)
    memory.audit_log.record("exported", who=evil, user_id=user_id)
    return held
