"""Derives from the ledger what must, may and must not be in the store."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from torture.ledger import Deed


@dataclass(slots=True)
class Kept:
    """An acknowledged item: the texts it may have by now, and the number of its certain changes."""

    user: str
    texts: set[str]
    changes: int = 0
    maybe_gone: bool = False
    maybe_changed: bool = False


@dataclass(slots=True)
class Whole:
    """The texts of one atomic write: all or none of them are there; all of them if `must`."""

    deed: Deed
    texts: list[str]
    must: bool


@dataclass(slots=True)
class Work:
    """A task: its certain and its possible steps, and how it certainly or possibly ended."""

    text: str
    must: bool
    steps: list[str] = field(default_factory=list)
    perhaps: list[str] = field(default_factory=list)
    ending: str | None = None
    maybe_ended: str | None = None


@dataclass(slots=True)
class Expected:
    """The expected state of the whole store."""

    items: dict[str, Kept] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    wholes: list[Whole] = field(default_factory=list)
    refused: list[Deed] = field(default_factory=list)
    tasks: dict[str, Work] = field(default_factory=dict)
    preferences: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    interactions: dict[str, list[str]] = field(default_factory=dict)  # each with the ids of its items, if known
    texts: set[str] = field(default_factory=set)  # all that any writer ever tried to write
    sessions: list[list[str]] = field(default_factory=list)  # the items of sessions whose deletion is in doubt
    acknowledged: int = 0


def expected(deeds: Iterable[Deed]) -> Expected:
    """The expected state after the deeds of all writers, who change only their own items: their order is irrelevant."""
    found = Expected()
    sessions: dict[str, list[Deed]] = {}
    for deed in deeds:
        found.acknowledged += deed.state == "acknowledged"
        found.texts.update(deed.texts)
        if deed.state == "refused":
            found.refused.append(deed)
            continue
        if deed.verb in {"add", "later", "remember", "seed"}:
            _written(found, deed)
            sessions.setdefault(str(deed.about.get("session", "")), []).append(deed)
        elif deed.verb in {"update", "delete"}:
            _changed(found, deed)
        elif deed.verb == "forget":
            _forgotten(found, deed, sessions.get(deed.target, []))
        elif deed.verb in {"task", "step", "finish"}:
            _worked(found, deed)
        elif deed.verb == "prefer":
            _preferred(found, deed)
    return found


def _written(found: Expected, deed: Deed) -> None:
    done = deed.state == "acknowledged"
    ids = deed.result.get("ids")
    if done and ids is not None:
        for item_id, text in zip(ids, deed.texts, strict=True):
            found.items[item_id] = Kept(deed.user, {text})
    else:
        found.wholes.append(Whole(deed, deed.texts, must=done))
    if done and "interaction" in deed.result:
        found.interactions[deed.result["interaction"]] = list(ids or ())


def _changed(found: Expected, deed: Deed) -> None:
    done, item = deed.state == "acknowledged", found.items[deed.target]
    if deed.verb == "delete":
        item.maybe_gone = True
        if done:
            del found.items[deed.target]
            found.gone.add(deed.target)
    elif done:
        item.texts, item.changes = set(deed.texts), item.changes + 1
    else:
        item.texts |= set(deed.texts)
        item.maybe_changed = True


def _forgotten(found: Expected, deed: Deed, written: list[Deed]) -> None:
    ids = [item_id for one in written for item_id in one.result.get("ids", ())]
    for one in written:
        found.interactions.pop(str(one.result.get("interaction")), None)
    if deed.state == "acknowledged":
        found.items = {item_id: kept for item_id, kept in found.items.items() if item_id not in ids}
        found.gone.update(ids)
        found.wholes = [one for one in found.wholes if one.deed not in written]
        return
    found.sessions.append(ids)
    for item_id in ids:
        found.items[item_id].maybe_gone = True


def _worked(found: Expected, deed: Deed) -> None:
    done, text = deed.state == "acknowledged", str(deed.about["text"])
    if deed.verb == "task":
        found.tasks[deed.target] = Work(text, must=done)
        return
    work = found.tasks[deed.target]
    if deed.verb == "step":
        (work.steps if done else work.perhaps).append(text)
    elif done:
        work.ending = text
    else:
        work.maybe_ended = text


def _preferred(found: Expected, deed: Deed) -> None:
    key, text = (deed.user, deed.target), str(deed.about["text"])
    if deed.state == "acknowledged":
        found.preferences[key] = {text}
    else:
        found.preferences.setdefault(key, {""}).add(text)
