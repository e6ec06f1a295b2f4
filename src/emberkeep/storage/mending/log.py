"""The log is the truth: each message of it that has become an episode is one, and what was learned can be looked up."""

from collections.abc import Iterator, Sequence

from sqlalchemy import Connection, and_, or_, select, update

from emberkeep.model.interaction import Interaction
from emberkeep.storage import items as item_rows
from emberkeep.storage import log
from emberkeep.storage.mending.pages import AT_ONCE, pages
from emberkeep.storage.schema import interactions, items, sources


def derived(connection: Connection, tenant: str) -> Iterator[tuple[Interaction, set[int]]]:
    """The interactions that have become episodes, each with the places of those messages that are one."""
    after = ""
    while page := log.after(connection, tenant, after, AT_ONCE):
        yield from places(connection, tenant, [interaction for interaction, _ in page])
        after = page[-1][0].id


def places(connection: Connection, tenant: str, some: Sequence[Interaction]) -> Iterator[tuple[Interaction, set[int]]]:
    """The same of some interactions."""
    logged = {interaction.id: interaction for interaction in some}
    of_page = (interactions.c.tenant == tenant, interactions.c.id.in_(logged), interactions.c.episodes)
    found: dict[str, set[int]] = {
        interaction_id: set()
        for interaction_id in connection.execute(select(interactions.c.id).where(*of_page)).scalars()
    }
    # An episode is all quote, and names none; so does one that was made something else of.
    whole = and_(sources.c.tenant == tenant, sources.c.interaction_id.in_(found), sources.c.quote.is_(None))
    for row in connection.execute(select(*sources.c["interaction_id", "position"]).where(whole)):
        found[row.interaction_id].add(row.position)
    for interaction_id, its in found.items():
        yield logged[interaction_id], its


def forgotten(connection: Connection, tenant: str) -> list[str]:
    """Ids of interactions that are said to have no episodes and wait for nothing, or have them all the same."""
    whole = (sources.c.tenant == tenant, sources.c.interaction_id == interactions.c.id, sources.c.quote.is_(None))
    wrong = or_(interactions.c.backlog.is_(None), select(sources.c.item_id).where(*whole).exists())
    query = select(interactions.c.id).where(interactions.c.tenant == tenant, interactions.c.episodes.is_(False), wrong)
    return list(connection.execute(query).scalars())


def remember(connection: Connection, tenant: str, ids: Sequence[str]) -> None:
    """Say that these have episodes; what nobody has learned from waits for that."""
    for start in range(0, len(ids), AT_ONCE):
        mine = and_(interactions.c.tenant == tenant, interactions.c.id.in_(ids[start : start + AT_ONCE]))
        connection.execute(update(interactions).where(mine).values(episodes=True))
        unlearned = and_(mine, interactions.c.backlog.is_(None), interactions.c.learned_by.is_(None))
        values = {"backlog": "waiting", "lease": None, "due_at": 0, "attempts": 0}
        connection.execute(update(interactions).where(unlearned).values(**values))


def unsupported(connection: Connection, tenant: str) -> list[str]:
    """Ids of items that quote what is not in the log, or stands there otherwise."""
    found = []
    for rows in pages(connection, items, tenant, ()):
        some = item_rows.fetch(connection, tenant, [row.id for row in rows]).values()
        quoted = log.quoted(connection, tenant, [source for item in some for source in item.sources])
        found += [item.id for item in some if not quoted.issuperset(item.sources)]
    return found
