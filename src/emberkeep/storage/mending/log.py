"""Checks against the log, which is the truth: its messages have their episodes, and sources of items can be looked up.

What does not agree with the log is reported or, where that is possible, put right.
"""

from collections.abc import Iterator, Sequence

from sqlalchemy import Connection, and_, or_, select, update

from emberkeep.model.interaction import Interaction
from emberkeep.storage import items as item_rows
from emberkeep.storage import log
from emberkeep.storage.mending.pages import AT_ONCE, pages
from emberkeep.storage.schema import interactions, items, sources


def derived(connection: Connection, tenant: str) -> Iterator[tuple[Interaction, set[int]]]:
    """The interactions that are flagged as having episodes, each with the positions of the messages that have one."""
    after = ""
    while page := log.after(connection, tenant, after, AT_ONCE):
        yield from places(connection, tenant, [interaction for interaction, _ in page])
        after = page[-1][0].id


def places(connection: Connection, tenant: str, some: Sequence[Interaction]) -> Iterator[tuple[Interaction, set[int]]]:
    """The same for given interactions."""
    logged = {interaction.id: interaction for interaction in some}
    of_page = (interactions.c.tenant == tenant, interactions.c.id.in_(logged), interactions.c.episodes)
    found: dict[str, set[int]] = {
        interaction_id: set()
        for interaction_id in connection.execute(select(interactions.c.id).where(*of_page)).scalars()
    }
    # The source of an episode has no quote, since all of it is one. Changing the episode's kind leaves that so.
    whole = and_(sources.c.tenant == tenant, sources.c.interaction_id.in_(found), sources.c.quote.is_(None))
    for row in connection.execute(select(*sources.c["interaction_id", "position"]).where(whole)):
        found[row.interaction_id].add(row.position)
    for interaction_id, its in found.items():
        yield logged[interaction_id], its


def forgotten(connection: Connection, tenant: str) -> list[str]:
    """Ids of interactions flagged as having no episodes that are not in the backlog, or have episodes all the same."""
    whole = (sources.c.tenant == tenant, sources.c.interaction_id == interactions.c.id, sources.c.quote.is_(None))
    wrong = or_(interactions.c.backlog.is_(None), select(sources.c.item_id).where(*whole).exists())
    query = select(interactions.c.id).where(interactions.c.tenant == tenant, interactions.c.episodes.is_(False), wrong)
    return list(connection.execute(query).scalars())


def remember(connection: Connection, tenant: str, ids: Sequence[str]) -> None:
    """Flag these interactions as having episodes, and put those that nobody learned from into the backlog."""
    for start in range(0, len(ids), AT_ONCE):
        mine = and_(interactions.c.tenant == tenant, interactions.c.id.in_(ids[start : start + AT_ONCE]))
        connection.execute(update(interactions).where(mine).values(episodes=True))
        unlearned = and_(mine, interactions.c.backlog.is_(None), interactions.c.learned_by.is_(None))
        values = {"backlog": "waiting", "lease": None, "due_at": 0, "attempts": 0}
        connection.execute(update(interactions).where(unlearned).values(**values))


def unsupported(connection: Connection, tenant: str) -> list[str]:
    """Ids of items with a quote that is not in the message that it is said to come from."""
    found = []
    for rows in pages(connection, items, tenant, ()):
        fetched = item_rows.fetch(connection, tenant, [row.id for row in rows]).values()
        quoted = log.quoted(connection, tenant, [source for item in fetched for source in item.sources])
        found += [item.id for item in fetched if not quoted.issuperset(item.sources)]
    return found
