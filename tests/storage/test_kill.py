"""A writer that is killed at any moment: what it was told is kept is kept, and nothing is half there."""

import json
import random
import time
from collections.abc import Callable
from typing import Any

import pytest

import emberkeep

WRITE = """
import json
import random
import sys
import emberkeep
from emberkeep.testing import WordEmbedder

cycle = sys.argv[2]
chance = random.Random(cycle)
with emberkeep.open(sys.argv[1], embedder=WordEmbedder()) as memory:
    print("ready", flush=True)
    sys.stdin.readline()
    kept = []
    for n in range(100_000):
        user = f"user {n % 3}"
        text = f"cycle{cycle} item{n}"
        verb = chance.choice(["add", "add", "later", "remember", "update", "delete"]) if kept else "add"
        told = {"verb": verb, "text": text}
        if verb == "add":
            added = memory.add([text, text + " reply"], user_id=user, tags=["kept"], metadata={"n": n})
            kept += [item.id for item in added.items]
            told["ids"] = [item.id for item in added.items]
        elif verb == "later":
            memory.add(text, user_id=user, learn="later")
        elif verb == "remember":
            kept.append(memory.remember(text, user_id=user, tags=["kept"]).id)
            told["ids"] = kept[-1:]
        elif verb == "update":
            told["ids"] = [chance.choice(kept)]
            memory.update(told["ids"][0], text)
        else:
            told["ids"] = [kept.pop(chance.randrange(len(kept)))]
            print(json.dumps({**told, "verb": "deleting"}), flush=True)
            memory.delete(told["ids"][0])
        print(json.dumps(told), flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("durable_target", "cycles"), [("file", 6), ("postgres", 3)], indirect=["durable_target"])
def test_every_acknowledged_write_survives_and_nothing_is_half_written(
    durable_target: str,
    cycles: int,
    opened: Callable[..., emberkeep.Memory],
    start: Callable[..., Any],
    check_whole: Callable[[str], None],
) -> None:
    chance = random.Random(7)
    texts: dict[str, str] = {}
    gone: set[str] = set()
    later: list[str] = []
    writer = start(WRITE, durable_target, "0")
    for cycle in range(cycles):
        assert writer.hear() == "ready"
        successor = start(WRITE, durable_target, str(cycle + 1)) if cycle + 1 < cycles else None
        writer.tell("go")
        heard = [writer.hear() for _ in range(chance.randint(3, 25))]  # not for a time: others may have the machine
        time.sleep(chance.uniform(0.0, 0.05))
        for line in [*heard, *writer.kill()]:
            _take(json.loads(line), texts, gone, later)
        check_whole(durable_target)
        with opened(durable_target) as memory:
            _check_kept(memory, texts, gone, later)
        check_whole(durable_target)
        writer = successor
    assert len(texts) > cycles
    assert gone
    assert later


def _take(told: dict[str, Any], texts: dict[str, str], gone: set[str], later: list[str]) -> None:
    ids = told.get("ids", [])
    if told["verb"] == "add":
        texts |= dict(zip(ids, [told["text"], told["text"] + " reply"], strict=True))
    elif told["verb"] == "later":
        later.append(told["text"])
    elif told["verb"] == "deleting":  # from now on either is right
        texts.pop(ids[0])
    elif told["verb"] == "delete":
        gone.add(ids[0])
    else:
        texts[ids[0]] = told["text"]


def _check_kept(memory: emberkeep.Memory, texts: dict[str, str], gone: set[str], later: list[str]) -> None:
    memory.learn()
    assert memory.stats().waiting == 0
    held = {item.id: item.text for item in memory.get_all(user_id="*", limit=10_000)}
    changed = {item_id for item_id, text in texts.items() if held[item_id] != text}
    assert all(len(memory.history(item_id)) > 1 for item_id in changed)  # updated, and killed before it could say so
    assert len(changed) <= 20
    assert not gone & set(held)
    assert set(later) <= set(held.values())
    for text in [*later[-3:], *(text for item_id, text in list(texts.items())[-3:] if item_id not in changed)]:
        hit = memory.search(text, user_id="*", limit=1)[0]
        assert hit.text == text
        assert hit.similarity == pytest.approx(1.0, abs=2e-3)
