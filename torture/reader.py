"""A reader: reads while others write, and must never see an error, half of a batch, or less than was acknowledged."""

import random
import time
from pathlib import Path

import emberkeep
from torture import ledger
from torture.ledger import Account, Deed, Ledger
from torture.writer import PAUSE_S, Place

LATELY = 6  # ledgers to choose from, the last by name
BETWEEN_S = 0.01


def read(place: Place, name: str, seed: str, bears_with: tuple[type[emberkeep.EmberkeepError], ...]) -> None:
    """Read until the process is killed; errors in `bears_with` are expected, any other is a complaint."""
    own = Ledger(place.ledger, name)
    chance = random.Random(seed)
    memory: emberkeep.Memory | None = None
    while True:
        try:
            memory = memory or place.open()
            _look(memory, place.ledger, own, chance)
        except emberkeep.EmberkeepError as error:
            if not isinstance(error, bears_with):
                own.complain(f"a reader was told {type(error).__name__}: {error}")
            time.sleep(PAUSE_S)


def _look(memory: emberkeep.Memory, folder: Path, own: Ledger, chance: random.Random) -> None:
    files = sorted(folder.glob("w*.jsonl"))
    file = chance.choice(files[-LATELY:]) if files else None
    deeds = [] if file is None else [one for one in ledger.read_one(file).deeds if one.verb in {"add", "later"}]
    if file is None or not deeds:
        time.sleep(PAUSE_S)
        return
    deed = chance.choice(deeds)
    batch = str(deed.about["batch"])
    seen = memory.get_all(user_id=deed.user, filters={"batch": batch}, kinds=["episode"], limit=100)
    if _is_touched(ledger.read_one(file), deed):
        return
    if len(seen) not in {0, len(deed.texts)}:
        own.complain(f"{len(seen)} of {len(deed.texts)} messages of {batch} are there")
    if deed.state == "acknowledged" and deed.verb == "add":
        if not seen:
            own.complain(f"{batch} is acknowledged, and a reader does not see it")
        text = deed.texts[0]
        hits = memory.search(text, user_id=deed.user, limit=5, kinds=["episode"], include_cold=True)
        if text not in {hit.text for hit in hits} and not _is_touched(ledger.read_one(file), deed):
            own.complain(f"{text!r} is acknowledged, and a reader's search does not find it")
    time.sleep(BETWEEN_S)


def _is_touched(account: Account, deed: Deed) -> bool:
    """Whether the writer has begun to change what the deed wrote: from then on, more than one answer is right."""
    ids, session = set(deed.result.get("ids", ())), deed.about.get("session")
    later = [one for one in account.deeds if one.number > deed.number]
    if deed.state != "acknowledged":  # its ids are not known, so any later change may concern it
        return any(one.verb in {"update", "delete", "forget"} for one in later)
    return any(one.target in ids or (one.verb == "forget" and one.target == session) for one in later)
