"""The SQL that stores and finds the claims of items, and the entities that they mention."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    and_,
    bindparam,
    delete,
    false,
    func,
    insert,
    literal,
    or_,
    select,
)

from emberkeep.language.terms import term_of, words
from emberkeep.model.claim import Claim
from emberkeep.model.item import Item
from emberkeep.storage import items as item_rows
from emberkeep.storage.schema import claims, items, mentions

MAX_ENTITY_CHARS = 256
_remove = [
    delete(table).where(table.c.tenant == bindparam("owner"), table.c.item_id == bindparam("item"))
    for table in (claims, mentions)
]
_insert, _insert_mentions = insert(claims), insert(mentions)
_mentioning = (
    select(mentions.c.item_id)
    .join(items, and_(items.c.tenant == mentions.c.tenant, items.c.id == mentions.c.item_id))
    .where(
        mentions.c.tenant == bindparam("owner"),
        mentions.c.user_id == bindparam("user"),
        mentions.c.entity.in_(bindparam("entities", expanding=True)),
        mentions.c.item_id != bindparam("item"),
        items.c.valid_to.is_(None),
    )
    .group_by(mentions.c.item_id)
    .order_by(func.count().desc(), mentions.c.item_id.desc())
    .limit(bindparam("most"))
)
_called = (
    select(items.c.text, claims.c.value)
    .join(items, and_(items.c.tenant == claims.c.tenant, items.c.id == claims.c.item_id))
    .where(
        claims.c.tenant == bindparam("owner"),
        claims.c.user_id == bindparam("user"),
        claims.c.subject == "",
        claims.c.relation.in_(("name", "nickname")),
        claims.c.negated.is_(False),
        items.c.valid_to.is_(None),
    )
    .order_by(claims.c.relation, items.c.valid_from.desc(), items.c.id.desc())  # a name goes before a nickname
    .limit(1)
)
_of_others = (
    select(items.c.text)
    .join(claims, and_(items.c.tenant == claims.c.tenant, items.c.id == claims.c.item_id))
    .where(
        claims.c.tenant == bindparam("owner"),
        claims.c.user_id == bindparam("user"),
        or_(claims.c.subject != "", claims.c.relation.in_(("spouse", "partner", "has", "lives with"))),
    )
    # Order by an expression: for the plain column, SQLite would walk an index over the claims of all users.
    .order_by(func.coalesce(claims.c.item_id, "").desc())
    .limit(bindparam("most"))
)


def replace(connection: Connection, tenant: str, item: Item, claim: Claim | None, entities: Iterable[str]) -> None:
    """Replace the claim and the mentions of an item."""
    for statement in _remove:
        connection.execute(statement, {"owner": tenant, "item": item.id})
    put(connection, tenant, item, claim, entities)


def put(connection: Connection, tenant: str, item: Item, claim: Claim | None, entities: Iterable[str]) -> None:
    """Write the claim and the mentions of a new item."""
    if claim is not None:
        connection.execute(_insert, row_of(tenant, item, claim))
    mention(connection, tenant, item, entities)


def row_of(tenant: str, item: Item, claim: Claim) -> dict[str, Any]:
    """The claim of an item as a row."""
    row = {name: getattr(claim, name) for name in ("subject", "relation", "value", "single", "negated")}
    return {**_owner(tenant, item), **row, "stems": stems(claim.value)}


def mention(connection: Connection, tenant: str, item: Item, entities: Iterable[str]) -> None:
    """Write the entities that an item mentions; it must not have any mentions yet."""
    folded = dict.fromkeys(entity.casefold()[:MAX_ENTITY_CHARS] for entity in entities if entity.strip())
    if folded:
        connection.execute(_insert_mentions, [{**_owner(tenant, item), "entity": entity} for entity in folded])


def about(connection: Connection, tenant: str, user_id: str, claim: Claim) -> list[tuple[Item, Claim]]:
    """The items of a user that a claim may restate, refine or end, ended items included, in the order of time.

    They have the same subject, and a relation of the same family as the claim or as one of its consequences. Of a
    relation that can have several values at a time, only items with a similar value are returned.
    """
    query = (
        select(claims)
        .join(items, and_(items.c.tenant == claims.c.tenant, items.c.id == claims.c.item_id))
        .where(
            claims.c.tenant == tenant,
            claims.c.user_id == user_id,
            or_(*_subjects(claim)),
            or_(*map(_in_respect, (claim, *claim.consequences))),
            items.c.version_of.is_(None),
        )
        .order_by(items.c.valid_from, items.c.id)
    )
    rows = connection.execute(query).all()
    if claim.whose and _are_several(connection, tenant, user_id, claim.whose):
        rows = [row for row in rows if not row.subject.startswith(f"{claim.whose} ")]
    found = item_rows.fetch(connection, tenant, [row.item_id for row in rows])
    return [(found[row.item_id], _claim(row)) for row in rows if row.item_id in found]


def _in_respect(claim: Claim) -> ColumnElement[bool]:
    """The condition for rows whose relation is of the claim's family, and that the claim may restate, refine or end."""
    return and_(
        or_(
            claims.c.relation.in_((claim.family, *claim.tied)),
            claims.c.relation.startswith(f"{claim.family}:", autoescape=True),
        ),
        or_(
            and_(claims.c.relation == claim.relation, or_(claims.c.single, literal(claim.renewed))),
            claims.c.negated.is_not(claim.negated),
            claims.c.relation.in_(claim.tied),
            *_akin(claim.value),
            *(_akin(claim.instead_of) if claim.instead_of else ()),
        ),
    )


def _subjects(claim: Claim) -> Iterator[ColumnElement[bool]]:
    """Conditions for rows about the claim's subject, under any of its names."""
    yield claims.c.subject.in_((claim.subject, *claim.also))
    if claim.whose:
        yield claims.c.subject.startswith(f"{claim.whose} ", autoescape=True)
    if claim.is_death and claim.subject:  # that Rex dies also ends the user's claim to have "a dog named Rex"
        value = claims.c.value
        named = or_(*(value.endswith(f" {called} {claim.subject}", autoescape=True) for called in ("named", "called")))
        yield and_(claims.c.subject == "", claims.c.relation == "has", named)


def _are_several(connection: Connection, tenant: str, user_id: str, whose: str) -> bool:
    """Whether a user has named several of, say, their sisters, so that "my sister" could be any of them."""
    mine = and_(claims.c.tenant == tenant, claims.c.user_id == user_id)
    named = claims.c.subject.startswith(f"{whose} ", autoescape=True)
    found = connection.execute(select(claims.c.subject).where(mine, named).distinct().limit(2)).all()
    return len(found) > 1


def of_others(connection: Connection, tenant: str, user_id: str, limit: int) -> list[str]:
    """The latest statements about others than the user, or that say whom or what the user has or lives with."""
    return list(connection.execute(_of_others, {"owner": tenant, "user": user_id, "most": limit}).scalars())


def mentioning(connection: Connection, tenant: str, item: Item, entities: Sequence[str], limit: int) -> list[str]:
    """Ids of other current items that mention any of these entities: those that share most first, then the latest."""
    folded = [entity.casefold()[:MAX_ENTITY_CHARS] for entity in entities]
    if not folded:
        return []
    asked = {"owner": tenant, "user": item.user_id or "", "entities": folded, "item": item.id, "most": limit}
    return list(connection.execute(_mentioning, asked).scalars())


def called(connection: Connection, tenant: str, user_id: str) -> tuple[str, str] | None:
    """The text of the latest current statement of a user's name, and the name; the nickname if no name is known."""
    row = connection.execute(_called, {"owner": tenant, "user": user_id}).one_or_none()
    return None if row is None else (row.text, row.value)


def of_items(connection: Connection, tenant: str, ids: Sequence[str]) -> dict[str, Claim]:
    """The claims of these items by id; items without a claim are left out."""
    query = select(claims).where(claims.c.tenant == tenant, claims.c.item_id.in_(ids))
    return {row.item_id: _claim(row) for row in connection.execute(query)} if ids else {}


def stems(value: str) -> str:
    """The stems of a value's words, in order; the value itself if it has no words."""
    return " ".join(str(term_of(word)) for word in words(value)) or value


def _akin(value: str) -> list[ColumnElement[bool]]:
    """Conditions for rows with the same value, or the same with more or less detail."""
    longer = claims.c.value.startswith(value, autoescape=True) if value else false()
    return [claims.c.stems == stems(value), longer, literal(value).startswith(claims.c.value)]


def _owner(tenant: str, item: Item) -> dict[str, Any]:
    return {"tenant": tenant, "item_id": item.id, "user_id": item.user_id or ""}


def _claim(row: Row[Any]) -> Claim:
    return Claim(row.subject, row.relation, row.value, row.single, row.negated)
