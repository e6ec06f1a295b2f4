"""Choosing records under a token budget, by value for their tokens. Pure functions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from emberkeep.context.passages import Passage, passage
from emberkeep.context.quoting import quoted
from emberkeep.context.render import Layout
from emberkeep.context.repeats import Repeats
from emberkeep.context.trimming import furthest_end
from emberkeep.language.instructions import is_instruction
from emberkeep.language.small_talk import is_small_talk
from emberkeep.model.context import TIERS, Candidate, Chunk, Considered, Shares, Tier

CountTokens = Callable[[str], int]
# Below this a trimmed text says too little to be worth its label.
FEWEST_TOKENS = 12
FEWEST_OF_THE_BEST = 6  # which is better than anything that is not
# Of a text, this many characters a token are looked at; what is longer would not fit. And of one that is longer than
# the fewest, how much it costs is told from its beginning, until there may be room for all of it.
CHARS_A_TOKEN, FEWEST_CHARS = 8, 2_000
FEW_CHARS = 100  # in which most texts say something
GUESS = 2  # a text may cost half of what its beginning lets expect
OVER, FULL, ENOUGH, REPEAT = "over budget", "tier is full", "tier has as many as it may", "duplicate of"
BLANK, IDLE = "nothing to read", "small talk"


@dataclass(frozen=True, slots=True)
class Selected:
    """The whole as it goes into a prompt, the records in it, and what became of each candidate."""

    text: str
    messages: tuple[Mapping[str, str], ...]
    chunks: tuple[Chunk, ...]
    entries: tuple[Considered, ...]
    total_tokens: int


def longest_shown(tokens: int) -> int:
    """How many characters of a text are looked at where there are so many tokens."""
    return max(FEWEST_CHARS, CHARS_A_TOKEN * tokens)


def select_within_budget(
    candidates: Sequence[Candidate], budget: int, *, count: CountTokens, layout: Layout, shares: Shares
) -> Selected:
    """The records that are worth most for their tokens, in the order of tiers, best first, within the budget.

    The best of all is never dropped for being long: it is trimmed, at a sentence or a word if there is a good one.
    """
    choosing = _Choosing(candidates, budget - count(layout.page(())), count, layout, shares)
    choosing.take_the_best()
    choosing.serve_floors()
    choosing.compete()
    choosing.fill_up()
    choosing.lengthen()
    return choosing.within(budget)


class _Choosing:
    """The state of one choice: what was taken, what that leaves, and why the others were not."""

    def __init__(
        self, candidates: Sequence[Candidate], room: int, count: CountTokens, layout: Layout, shares: Shares
    ) -> None:
        self._candidates = candidates
        self._count = count
        self._layout = layout
        self._shares = shares
        self._room = self._left = max(room, 0)
        self._cap = max(int(shares.record * self._room), 1)
        self._longest = longest_shown(self._room)
        # All beginnings together are about as long as what can be shown, however many long texts there are.
        self._sample = min(FEWEST_CHARS, max(self._longest // max(len(candidates), 1), FEW_CHARS))
        self._read: dict[int, Chunk] = {}
        self._vouched_for: dict[int, Candidate] = {}
        self._passages: dict[int, Passage] = {}
        self._tokens = [self._told(place) for place in range(len(candidates))]
        places = range(len(candidates))
        self._by_value = sorted(places, key=lambda place: -candidates[place].value)
        self._by_worth = sorted(places, key=lambda place: -candidates[place].value / self._cost(place))
        self._used = dict.fromkeys(TIERS, 0)
        self._taken: dict[int, Chunk] = {}
        self._why = {place: why for place in places if (why := self._unfit(candidates[place]))}
        self._repeats = Repeats()

    def take_the_best(self) -> None:
        """First of all, with room for what the other tiers are sure of if that leaves it enough.

        Live state is as relevant as can be, whatever the task; so it is the best only if there is nothing else.
        """
        ranked = sorted(self._waiting(self._by_value), key=lambda place: self._candidates[place].tier == "operational")
        for best in ranked[:1]:
            others = sum(self._floor(tier) for tier in TIERS if tier != self._candidates[best].tier)
            for room in (min(self._cap, self._room - others), self._room):
                if self._take(best, room, trim=True):
                    return
            self._take(best, self._room, trim=True, fewest=FEWEST_OF_THE_BEST)

    def serve_floors(self) -> None:
        """What each tier is sure of, if it has that much to say. Its first record is trimmed to it, not left out."""
        waiting = {tier: self._floor(tier) for tier in TIERS}
        for tier in TIERS:
            waiting[tier] = 0
            floor = self._shares.floor(tier) * self._room
            for place in self._waiting(self._by_worth):
                if self._used[tier] >= floor:
                    break
                if self._candidates[place].tier == tier:
                    room = min(self._left - sum(waiting.values()), self._cap, self._below_ceiling(tier))
                    fits = self._tokens[place] <= room
                    self._take(place, room if fits else min(room, int(floor)), trim=self._used[tier] == 0)

    def compete(self) -> None:
        """What is left goes by worth, up to the ceilings; what is longer than a record may be is trimmed to that."""
        for place in self._waiting(self._by_worth):
            tier = self._candidates[place].tier
            room = min(self._left, self._below_ceiling(tier))
            needed = min(self._tokens[place], self._cap)
            if needed <= room:
                self._take(place, self._cap, trim=True)
            elif needed <= self._left:
                self._why[place] = FULL

    def fill_up(self) -> None:
        """What nobody else wants goes to whoever waits, whatever the ceilings."""
        for place in self._waiting(self._by_worth):
            self._take(place, self._left, trim=self._left >= FEWEST_TOKENS)

    def lengthen(self) -> None:
        """What is left at last goes to records that were trimmed, the best first."""
        for place in self._by_value:
            chunk = self._taken.get(place)
            if chunk is not None and chunk.trimmed and self._left > 0:
                longer = self._fitted(place, chunk.tokens + self._left)
                if longer is not None and longer.tokens > chunk.tokens:
                    self._put(place, longer)

    def within(self, budget: int) -> Selected:
        """The outcome. Tokenizers need not add up, so the whole is counted, and the least give way until it fits."""
        while True:
            order = sorted(self._taken, key=self._order)
            records = [self._taken[place].text for place in order]
            text = self._layout.page(records) if records or not self._layout.may_be_left_out else ""
            total = self._count(text) if text else 0
            if total <= budget or not order:
                break
            self._give_way(total - budget)
        chunks = tuple(self._taken[place] for place in order)
        entries = tuple(self._entry(place) for place in self._by_value)
        return Selected(text, self._layout.messages(records), chunks, entries, total)

    def _give_way(self, over: int) -> None:
        for place in reversed([place for place in self._by_value if place in self._taken]):
            chunk = self._taken.pop(place)
            self._why[place] = OVER
            over -= max(chunk.tokens, 1)
            if not self._taken:  # the best: as much of it as may be
                shorter = self._fitted(place, chunk.tokens + over, FEWEST_OF_THE_BEST)
                if shorter is not None and shorter.tokens < chunk.tokens:
                    self._taken[place] = shorter
            if over <= 0:
                return

    def _take(self, place: int, room: int, *, trim: bool, fewest: int = FEWEST_TOKENS) -> bool:
        one = self._candidates[place]
        if self._has_enough(one.tier):
            self._why[place] = ENOUGH
            return False
        same = self._repeats.find(one, one.text[: self._longest])
        if same is not None:
            self._why[place] = f"{REPEAT} {same}"
            return False
        chunk = self._whole(place, room) or (self._fitted(place, room, fewest) if trim else None)
        if chunk is None:
            return False
        self._put(place, chunk)
        self._repeats.add(one, chunk.content)
        return True

    def _has_enough(self, tier: Tier) -> bool:
        most = self._shares.most.get(tier)
        return most is not None and sum(chunk.source == tier for chunk in self._taken.values()) >= most

    def _put(self, place: int, chunk: Chunk) -> None:
        before = self._taken[place].tokens if place in self._taken else 0
        self._taken[place] = chunk
        self._used[chunk.source] += chunk.tokens - before
        self._left -= chunk.tokens - before

    def _waiting(self, places: Sequence[int]) -> list[int]:
        out = (BLANK, IDLE, REPEAT)
        return [place for place in places if place not in self._taken and not self._why.get(place, "").startswith(out)]

    def _fitted(self, place: int, room: int, fewest: int = FEWEST_TOKENS) -> Chunk | None:
        """As much of a record as there is room for; nothing if that would say too little."""
        whole = self._whole(place, room)
        if whole is not None:
            return whole
        one = self._vouched(place)
        if room < fewest or room - self._count(self._layout.record(one, "…")) < fewest:
            return None
        chunk = self._cut(place, one, 0, room)
        there = self._asked_for(place)
        if len(chunk.content) < there.end:  # what was asked for would be cut off
            said = one.text[there.start : there.start + longest_shown(room)]
            trusted = replace(one, trust="untrusted") if is_instruction(said) else one
            chunk = self._cut(place, trusted, there.start, room)
        return chunk if chunk.tokens <= room and chunk.content.strip() else None

    def _cut(self, place: int, one: Candidate, start: int, room: int) -> Chunk:
        """As much of a text from there on as there is room for."""
        text = one.text[start : start + longest_shown(room)]
        begun = "… " if start else ""

        def fits(end: int) -> bool:
            return self._written(one, text[:end], cut=True, begun=begun).tokens <= room

        likely = room * min(len(one.text), self._longest) // max(self._tokens[place], 1)
        return self._written(one, text[: furthest_end(text, fits, likely)], cut=True, begun=begun)

    def _asked_for(self, place: int) -> Passage:
        """Where the words stand by which a record was found."""
        if place not in self._passages:
            hit = self._candidates[place].hit
            self._passages[place] = passage(self._candidates[place].text, () if hit is None else hit.why.terms)
        return self._passages[place]

    def _whole(self, place: int, room: int) -> Chunk | None:
        """All of a record, or all that is looked at, if there is room for it."""
        if self._tokens[place] > GUESS * room:
            return None
        if place not in self._read:
            one = self._vouched(place)
            self._read[place] = self._written(one, one.text[: self._longest], cut=len(one.text) > self._longest)
            self._tokens[place] = self._read[place].tokens
        return self._read[place] if self._tokens[place] <= room else None

    def _vouched(self, place: int) -> Candidate:
        """A candidate that is about to be shown; one that goes on as no one's voice may is not to be trusted."""
        one = self._candidates[place]
        if len(one.text) <= FEWEST_CHARS or one.trust == "untrusted":
            return one
        if place not in self._vouched_for:
            said = one.text[: self._longest]
            self._vouched_for[place] = replace(one, trust="untrusted") if is_instruction(said) else one
        return self._vouched_for[place]

    def _told(self, place: int) -> int:
        """What a record costs; of a long one about that much, told from how it begins."""
        one = self._candidates[place]
        sample = FEWEST_CHARS if len(one.text) <= FEWEST_CHARS else self._sample
        begins, length = one.text[:sample], min(len(one.text), self._longest)
        chunk = self._written(one, begins, cut=len(one.text) > len(begins))
        if length == len(begins):
            self._read[place] = chunk
            return chunk.tokens
        return chunk.tokens * length // len(begins)

    def _unfit(self, one: Candidate) -> str | None:
        """Why a record is not even considered: there is nothing to read, or nothing is said."""
        if not any(quoted(one.text[:length]) for length in (FEW_CHARS, FEWEST_CHARS, self._longest)):
            return BLANK
        return IDLE if one.kind == "episode" and is_small_talk(one.text) else None

    def _written(self, one: Candidate, text: str, *, cut: bool, begun: str = "") -> Chunk:
        line = self._layout.record(one, f"{begun}{text} …" if cut else text)
        return Chunk(one, line, text, self._count(line), trimmed=cut)

    def _floor(self, tier: Tier) -> int:
        said = sum(tokens for one, tokens in zip(self._candidates, self._tokens, strict=True) if one.tier == tier)
        return min(int(self._shares.floor(tier) * self._room), said)

    def _below_ceiling(self, tier: Tier) -> int:
        return int(self._shares.ceiling(tier) * self._room) - self._used[tier]

    def _cost(self, place: int) -> int:
        return max(min(self._tokens[place], self._cap), 1)

    def _order(self, place: int) -> tuple[int, float, int]:
        one = self._candidates[place]
        return TIERS.index(one.tier), -one.value, place

    def _entry(self, place: int) -> Considered:
        one, chunk = self._candidates[place], self._taken.get(place)
        if chunk is None:
            tokens, why = self._tokens[place], self._why.get(place, OVER)
            return Considered(one.key, one.tier, one.kind, one.value, tokens, "dropped", why)
        if chunk.trimmed:
            return Considered(one.key, one.tier, one.kind, one.value, chunk.tokens, "trimmed", OVER)
        return Considered(one.key, one.tier, one.kind, one.value, chunk.tokens, "chosen")
