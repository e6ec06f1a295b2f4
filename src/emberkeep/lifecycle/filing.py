"""Creating or updating the item that a record is found by."""

from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection

from emberkeep.lifecycle.keep import Kept, file, made_ready
from emberkeep.lifecycle.revise import revise
from emberkeep.lifecycle.temperature import Thermal
from emberkeep.model.item import Draft
from emberkeep.storage import items


def tell(connection: Connection, draft: Draft, thermal: Thermal, now: datetime) -> list[Kept]:
    """Create the item of a record, or update the existing one of its kind; returns the items that need a vector."""
    if draft.record is None:
        raise ValueError("a draft of no record")
    tenant = draft.scope.tenant
    ids = items.of_record(connection, tenant, draft.record, draft.scope.shelf)
    part = draft.metadata.get("part")  # a record may have several items of a kind, such as its text and its code
    former = [
        one
        for one in items.fetch(connection, tenant, ids).values()
        if one.kind == draft.kind and one.metadata.get("part") == part
    ]
    if not former:
        return file(connection, made_ready([draft], thermal, now))
    item = former[0]
    if (item.agent_id, item.session_id) != (draft.scope.agent_id, draft.scope.session_id):
        items.hand_over(connection, tenant, item, draft.scope)
        item = replace(item, agent_id=draft.scope.agent_id, session_id=draft.scope.session_id)
    if (item.text, dict(item.metadata)) == (draft.text, dict(draft.metadata)):
        return []
    changes = {"text": draft.text, "metadata": draft.metadata}
    changed, revision = revise(connection, tenant, item, changes, now)
    return [Kept(changed, revision)] if changed.text != item.text else []
