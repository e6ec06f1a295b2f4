"""A memory against the simplest one there could be, a dictionary: Hypothesis looks for steps on which they differ."""

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, rule

import emberkeep
from emberkeep import InvalidInput, Memory, NotFound
from emberkeep.testing import FixedClock, WordEmbedder

USERS = st.sampled_from(["ann", "bo", None])
# Words that no two things share, so that only what is told again is taken for the same.
THINGS = st.integers(0, 25).map(lambda n: " ".join(f"{chr(97 + n)}{word}" for word in ("lamp", "river", "stone")))
TAGS = st.lists(st.sampled_from(["home", "work"]), unique=True)


class Reference(RuleBasedStateMachine):
    """What a memory should hold, kept in a dictionary of texts by id."""

    kept: Bundle[str] = Bundle("kept")
    gone: Bundle[str] = Bundle("gone")

    @initialize()
    def opening(self) -> None:
        self.clock = FixedClock()
        self.memory: Memory = emberkeep.open(":memory:", embedder=WordEmbedder(), clock=self.clock, learner="none")
        self.held: dict[str, tuple[str | None, str, frozenset[str]]] = {}

    def teardown(self) -> None:
        if hasattr(self, "memory"):
            self.memory.close()

    @rule(target=kept, user=USERS, thing=THINGS, tags=TAGS)
    def tell(self, user: str | None, thing: str, tags: list[str]) -> str:
        self.clock.move(minutes=1)
        known = next((id_ for id_, (whose, text, _) in self.held.items() if (whose, text) == (user, thing)), None)
        told = self.memory.remember(thing, user_id=user, tags=tags)
        assert (told.new, told.updated) == ((1, 0) if known is None else (0, 1))
        assert known is None or told.id == known
        if known is None:
            self.held[told.id] = (user, thing, frozenset(tags))
        return told.id

    @rule(id_=kept, thing=THINGS)
    def correct(self, id_: str, thing: str) -> None:
        self.clock.move(minutes=1)
        if id_ not in self.held:
            with pytest.raises(NotFound):
                self.memory.update(id_, thing)
            return
        whose, before, tags = self.held[id_]
        if any((whose, thing) == (other, text) for other, text, _ in self.held.values()):
            return  # two that say the same are another story: which of them is told again?
        assert self.memory.update(id_, thing).text == thing
        self.held[id_] = (whose, thing, tags)
        assert self.memory.history(id_)[-1].previous_text == before

    @rule(target=gone, id_=consumes(kept))
    def forget(self, id_: str) -> str:
        if id_ in self.held:
            assert self.memory.delete(id_).total
            del self.held[id_]
        return id_

    @rule(user=USERS)
    def erase(self, user: str | None) -> None:
        if user is None:
            with pytest.raises(InvalidInput):
                self.memory.delete_all()
            return
        self.memory.delete_all(user_id=user)
        self.held = {id_: one for id_, one in self.held.items() if one[0] != user}

    @rule(id_=gone)
    def ask_for_what_is_gone(self, id_: str) -> None:
        if id_ not in self.held:  # told again, it may be there under another id only
            with pytest.raises(NotFound):
                self.memory.get(id_)

    @rule(id_=kept)
    def look_for_it(self, id_: str) -> None:
        if id_ in self.held:
            whose, text, _ = self.held[id_]
            found = self.memory.search(text, user_id=whose, limit=3)
            assert found[0].id == id_
            assert {hit.item.user_id for hit in found} == {whose}

    @rule(days=st.integers(1, 90))
    def wait(self, days: int) -> None:
        self.clock.move(days=days)

    @rule()
    def tidy(self) -> None:
        self.memory.upkeep()

    @rule(tag=st.sampled_from(["home", "work"]))
    def filter_by_tag(self, tag: str) -> None:
        listed = {item.id for item in self.memory.get_all(user_id="*", tags=[tag])}
        assert listed == {id_ for id_, (_, _, tags) in self.held.items() if tag in tags}

    @invariant()
    def all_is_listed(self) -> None:
        if not hasattr(self, "memory"):
            return
        for user in ("ann", "bo", None):
            listed = {item.id: item.text for item in self.memory.get_all(user_id=user, limit=1_000)}
            assert listed == {id_: text for id_, (whose, text, _) in self.held.items() if whose == user}
        assert self.memory.stats().items == len(self.held)


TestReference = Reference.TestCase
TestReference.settings = settings(
    max_examples=15, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
)
TestReference.pytestmark = [pytest.mark.slow]  # type: ignore[attr-defined]
