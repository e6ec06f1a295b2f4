"""The verbs that show a memory as a whole: its users, its state, and what belongs together."""

from collections.abc import Iterable

from sqlalchemy import Connection

from emberkeep.errors import NotFound
from emberkeep.facade import Facade
from emberkeep.model import checks
from emberkeep.model.item import Item
from emberkeep.model.moment import day_of
from emberkeep.model.overview import Caps, Linked, Overview, UserSummary
from emberkeep.storage import counts, items, ledger, links

BINS = 10


class Overviews(Facade):
    """Shows a memory as a whole."""

    def users(self, *, limit: int = 100) -> list[UserSummary]:
        """The users who have memories or interactions, the most recent first."""
        limit = checks.limit(limit, most=checks.MAX_PAGE_LIMIT)
        with self._parts.database.read() as connection:
            return counts.users(connection, self._tenant, limit)

    def links(self, id: str, *, limit: int = 20) -> list[Linked]:  # noqa: A002 - the contract's name
        """The memories that a memory is linked to, closest first."""
        limit = checks.limit(limit, most=checks.MAX_PAGE_LIMIT)

        def job(connection: Connection) -> tuple[list[links.Link], dict[str, Item]]:
            if items.owner(connection, self._tenant, checks.storable(id, name="id")) is None:
                raise NotFound(f"no memory {id!r}")
            around = links.around(connection, self._tenant, [id])
            around.sort(key=lambda link: (-link.weight, link.other_id, link.relation))
            nearest = list({(link.relation, link.other_id): link for link in around}.values())[:limit]
            return nearest, items.fetch(connection, self._tenant, [link.other_id for link in nearest])

        nearest, found = self._parts.database.look(job)
        now = self._parts.clock.now()
        return [
            Linked(link.relation, link.weight, self._parts.thermal.cooled(found[link.other_id], now))
            for link in nearest
            if link.other_id in found
        ]

    def learned_from(self, interaction_id: str) -> list[Item]:
        """The memories made of an interaction: its episodes, in order, then what was learned from it."""
        self.capture.get(interaction_id)

        def job(connection: Connection) -> Iterable[Item]:
            return items.fetch(
                connection, self._tenant, items.made_of(connection, self._tenant, interaction_id)
            ).values()

        now = self._parts.clock.now()
        found = [self._parts.thermal.cooled(item, now) for item in self._parts.database.look(job)]
        return sorted(found, key=lambda item: (item.kind != "episode", _position(item, interaction_id), item.id))

    def overview(self) -> Overview:
        """The state of the memory: what the tiers hold, what is due to move, how warm it is, and what was spent."""
        now = self._parts.clock.now()
        config = self._parts.config
        bins, sacred = [0] * BINS, 0
        due = self._migration.due(self._tenant)
        with self._parts.database.read() as connection:
            for one in counts.warmths(connection, self._tenant):
                left = one.temperature
                if one.sacred:
                    sacred += one.number
                else:
                    left = self._parts.thermal.cooled_from(left, one.heated_at, one.access_count, now)
                bins[min(int(left // BINS), BINS - 1)] += one.number
            tiers = counts.tiers(connection, self._tenant)
            spent = ledger.tokens_on(connection, self._tenant, day_of(now))
        return Overview(
            tiers={"events": self.operational.get_system_snapshot(stored=False).held, **tiers},
            due={**due.archived, "demoted": due.demoted},
            temperatures=tuple(bins),
            sacred=sacred,
            spent_today=spent,
            caps=Caps(config.spend_soft_tokens, config.spend_hard_tokens, config.spend_user_tokens),
        )


def _position(item: Item, interaction_id: str) -> int:
    return min((one.position for one in item.sources if one.interaction_id == interaction_id), default=0)
