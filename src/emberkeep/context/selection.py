"""Selecting records within a token budget, by their value per token. Pure functions."""

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
# With fewer tokens, a trimmed record says too little to be worth its head.
FEWEST_TOKENS = 12
FEWEST_OF_THE_BEST = 6  # the same for the best record, of which a little is better than another one
# Characters of a text that are read for each token of room, as more would not fit, and those that are always read. What
# a longer text than that costs is estimated from its beginning, until there may be room for all of it.
CHARS_A_TOKEN, FEWEST_CHARS = 8, 2_000
FEW_CHARS = 100  # enough of most texts to see that they are not blank
GUESS = 2  # a text may cost half of its estimate
# Why a candidate was dropped or trimmed.
OVER, FULL, ENOUGH, REPEAT = "over budget", "tier is full", "tier has as many as it may", "duplicate of"
BLANK, IDLE = "nothing to read", "small talk"


@dataclass(frozen=True, slots=True)
class Selected:
    """The text for the prompt, the records in it, and the fate of each candidate."""

    text: str
    messages: tuple[Mapping[str, str], ...]
    chunks: tuple[Chunk, ...]
    entries: tuple[Considered, ...]
    total_tokens: int


def longest_shown(tokens: int) -> int:
    """Return how many characters of a text are read if there is room for so many tokens."""
    return max(FEWEST_CHARS, CHARS_A_TOKEN * tokens)


def select_within_budget(
    candidates: Sequence[Candidate], budget: int, *, count: CountTokens, layout: Layout, shares: Shares
) -> Selected:
    """Return the records with the most value per token that fit the budget, in the order of tiers, best first.

    The best record of all is never dropped for its length, but trimmed: after a sentence or a word, if possible.
    """
    choosing = _Choosing(candidates, budget - count(layout.page(())), count, layout, shares)
    choosing.take_the_best()
    choosing.serve_floors()
    choosing.compete()
    choosing.fill_up()
    choosing.lengthen()
    return choosing.within(budget)


class _Choosing:
    """The state of one selection: the records taken, the room left, and why others were dropped.

    Candidates are named by their position, `place`.
    """

    def __init__(
        self, candidates: Sequence[Candidate], room: int, count: CountTokens, layout: Layout, shares: Shares
    ) -> None:
        self._candidates = candidates
        self._count = count
        self._layout = layout
        self._shares = shares
        self._room = self._left = max(room, 0)
        self._cap = max(int(shares.record * self._room), 1)  # tokens of one record while others wait
        self._longest = longest_shown(self._room)
        # All beginnings together are about as long as what can be shown, however many long texts there are.
        self._sample = min(FEWEST_CHARS, max(self._longest // max(len(candidates), 1), FEW_CHARS))
        self._read: dict[int, Chunk] = {}
        self._checked: dict[int, Candidate] = {}
        self._passages: dict[int, Passage] = {}
        self._tokens = [self._estimate(place) for place in range(len(candidates))]
        places = range(len(candidates))
        self._by_value = sorted(places, key=lambda place: -candidates[place].value)
        self._by_worth = sorted(places, key=lambda place: -candidates[place].value / self._cost(place))
        self._used = dict.fromkeys(TIERS, 0)
        self._taken: dict[int, Chunk] = {}
        self._why = {place: why for place in places if (why := self._unfit(candidates[place]))}
        self._repeats = Repeats()

    def take_the_best(self) -> None:
        """Take the best record, leaving room for the floors of the other tiers if enough remains.

        The value of live state does not depend on the task, so it is the best only if there is nothing else.
        """
        ranked = sorted(self._waiting(self._by_value), key=lambda place: self._candidates[place].tier == "operational")
        for best in ranked[:1]:
            others = sum(self._floor(tier) for tier in TIERS if tier != self._candidates[best].tier)
            for room in (min(self._cap, self._room - others), self._room):
                if self._take(best, room, trim=True):
                    return
            self._take(best, self._room, trim=True, fewest=FEWEST_OF_THE_BEST)

    def serve_floors(self) -> None:
        """Fill each tier up to its floor. The first record of a tier is trimmed to that rather than left out."""
        reserved = {tier: self._floor(tier) for tier in TIERS}  # for the tiers that follow
        for tier in TIERS:
            reserved[tier] = 0
            floor = self._shares.floor(tier) * self._room
            for place in self._waiting(self._by_worth):
                if self._used[tier] >= floor:
                    break
                if self._candidates[place].tier == tier:
                    room = min(self._left - sum(reserved.values()), self._cap, self._below_ceiling(tier))
                    fits = self._tokens[place] <= room
                    self._take(place, room if fits else min(room, int(floor)), trim=self._used[tier] == 0)

    def compete(self) -> None:
        """Take records by value per token, up to the ceilings of their tiers; longer ones are trimmed to the cap."""
        for place in self._waiting(self._by_worth):
            tier = self._candidates[place].tier
            room = min(self._left, self._below_ceiling(tier))
            needed = min(self._tokens[place], self._cap)
            if needed <= room:
                self._take(place, self._cap, trim=True)
            elif needed <= self._left:
                self._why[place] = FULL

    def fill_up(self) -> None:
        """Give what is left to the records that still wait, whatever the ceilings."""
        for place in self._waiting(self._by_worth):
            self._take(place, self._left, trim=self._left >= FEWEST_TOKENS)

    def lengthen(self) -> None:
        """Give what is left in the end to records that were trimmed, the best first."""
        for place in self._by_value:
            chunk = self._taken.get(place)
            if chunk is not None and chunk.trimmed and self._left > 0:
                longer = self._fitted(place, chunk.tokens + self._left)
                if longer is not None and longer.tokens > chunk.tokens:
                    self._put(place, longer)

    def within(self, budget: int) -> Selected:
        """Return the selection. Token counts need not add up, so the whole text is counted, and cut until it fits."""
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
        """Drop records until that saves `over` tokens, the least valuable first; the last one is only shortened."""
        for place in reversed([place for place in self._by_value if place in self._taken]):
            chunk = self._taken.pop(place)
            self._why[place] = OVER
            over -= max(chunk.tokens, 1)
            if not self._taken:  # it was the best one
                shorter = self._fitted(place, chunk.tokens + over, FEWEST_OF_THE_BEST)
                if shorter is not None and shorter.tokens < chunk.tokens:
                    self._taken[place] = shorter
            if over <= 0:
                return

    def _take(self, place: int, room: int, *, trim: bool, fewest: int = FEWEST_TOKENS) -> bool:
        """Take a record if it fits the room, trimmed if that is allowed and needed; returns whether it was taken."""
        candidate = self._candidates[place]
        if self._has_enough(candidate.tier):
            self._why[place] = ENOUGH
            return False
        same = self._repeats.find(candidate, candidate.text[: self._longest])
        if same is not None:
            self._why[place] = f"{REPEAT} {same}"
            return False
        chunk = self._whole(place, room) or (self._fitted(place, room, fewest) if trim else None)
        if chunk is None:
            return False
        self._put(place, chunk)
        self._repeats.add(candidate, chunk.content)
        return True

    def _has_enough(self, tier: Tier) -> bool:
        most = self._shares.most.get(tier)
        return most is not None and sum(chunk.source == tier for chunk in self._taken.values()) >= most

    def _put(self, place: int, chunk: Chunk) -> None:
        """Take a record as this chunk, in place of its former chunk if it has one."""
        before = self._taken[place].tokens if place in self._taken else 0
        self._taken[place] = chunk
        self._used[chunk.source] += chunk.tokens - before
        self._left -= chunk.tokens - before

    def _waiting(self, places: Sequence[int]) -> list[int]:
        """Return the candidates that may still be taken."""
        gone = (BLANK, IDLE, REPEAT)  # the other reasons may pass, when there is more room
        return [place for place in places if place not in self._taken and not self._why.get(place, "").startswith(gone)]

    def _fitted(self, place: int, room: int, fewest: int = FEWEST_TOKENS) -> Chunk | None:
        """Return as much of a record as there is room for; None if that would say too little."""
        whole = self._whole(place, room)
        if whole is not None:
            return whole
        candidate = self._checked_candidate(place)
        if room < fewest or room - self._count(self._layout.record(candidate, "…")) < fewest:
            return None
        chunk = self._cut(place, candidate, 0, room)
        relevant = self._passage(place)
        if len(chunk.content) < relevant.end:  # it would be cut off
            text = candidate.text[relevant.start : relevant.start + longest_shown(room)]
            candidate = replace(candidate, trust="untrusted") if is_instruction(text) else candidate
            chunk = self._cut(place, candidate, relevant.start, room)
        return chunk if chunk.tokens <= room and chunk.content.strip() else None

    def _cut(self, place: int, candidate: Candidate, start: int, room: int) -> Chunk:
        """Return as much of a text from `start` on as there is room for."""
        text = candidate.text[start : start + longest_shown(room)]
        lead = "… " if start else ""

        def fits(end: int) -> bool:
            return self._written(candidate, text[:end], cut=True, lead=lead).tokens <= room

        likely = room * min(len(candidate.text), self._longest) // max(self._tokens[place], 1)
        return self._written(candidate, text[: furthest_end(text, fits, likely)], cut=True, lead=lead)

    def _passage(self, place: int) -> Passage:
        """Return the passage with the words by which a record was found."""
        if place not in self._passages:
            hit = self._candidates[place].hit
            self._passages[place] = passage(self._candidates[place].text, () if hit is None else hit.why.terms)
        return self._passages[place]

    def _whole(self, place: int, room: int) -> Chunk | None:
        """Return all of a record, or all that is read of it; None if there is no room for that."""
        if self._tokens[place] > GUESS * room:
            return None
        if place not in self._read:
            candidate = self._checked_candidate(place)
            text, cut = candidate.text[: self._longest], len(candidate.text) > self._longest
            self._read[place] = self._written(candidate, text, cut=cut)
            self._tokens[place] = self._read[place].tokens
        return self._read[place] if self._tokens[place] <= room else None

    def _checked_candidate(self, place: int) -> Candidate:
        """Return a candidate that is about to be shown; "untrusted" if a long text reads like instructions."""
        candidate = self._candidates[place]
        if len(candidate.text) <= FEWEST_CHARS or candidate.trust == "untrusted":
            return candidate
        if place not in self._checked:
            is_bad = is_instruction(candidate.text[: self._longest])
            self._checked[place] = replace(candidate, trust="untrusted") if is_bad else candidate
        return self._checked[place]

    def _estimate(self, place: int) -> int:
        """Return what a record costs; for a long one an estimate from its beginning."""
        candidate = self._candidates[place]
        sample = FEWEST_CHARS if len(candidate.text) <= FEWEST_CHARS else self._sample
        beginning, length = candidate.text[:sample], min(len(candidate.text), self._longest)
        chunk = self._written(candidate, beginning, cut=len(candidate.text) > len(beginning))
        if length == len(beginning):
            self._read[place] = chunk
            return chunk.tokens
        return chunk.tokens * length // len(beginning)

    def _unfit(self, candidate: Candidate) -> str | None:
        """Return why a record is not even considered, if it is blank or small talk."""
        if not any(quoted(candidate.text[:length]) for length in (FEW_CHARS, FEWEST_CHARS, self._longest)):
            return BLANK
        return IDLE if candidate.kind == "episode" and is_small_talk(candidate.text) else None

    def _written(self, candidate: Candidate, text: str, *, cut: bool, lead: str = "") -> Chunk:
        line = self._layout.record(candidate, f"{lead}{text} …" if cut else text)
        return Chunk(candidate, line, text, self._count(line), trimmed=cut)

    def _floor(self, tier: Tier) -> int:
        """Return the tokens that a tier is sure of, at most what its candidates cost."""
        cost = sum(tokens for one, tokens in zip(self._candidates, self._tokens, strict=True) if one.tier == tier)
        return min(int(self._shares.floor(tier) * self._room), cost)

    def _below_ceiling(self, tier: Tier) -> int:
        """Return how many more tokens a tier may get before it reaches its ceiling."""
        return int(self._shares.ceiling(tier) * self._room) - self._used[tier]

    def _cost(self, place: int) -> int:
        """Return the tokens that a record takes, if it is trimmed to the cap."""
        return max(min(self._tokens[place], self._cap), 1)

    def _order(self, place: int) -> tuple[int, float, int]:
        candidate = self._candidates[place]
        return TIERS.index(candidate.tier), -candidate.value, place

    def _entry(self, place: int) -> Considered:
        """Return the fate of a candidate."""
        one, chunk = self._candidates[place], self._taken.get(place)
        if chunk is None:
            tokens, why = self._tokens[place], self._why.get(place, OVER)
            return Considered(one.key, one.tier, one.kind, one.value, tokens, "dropped", why)
        if chunk.trimmed:
            return Considered(one.key, one.tier, one.kind, one.value, chunk.tokens, "trimmed", OVER)
        return Considered(one.key, one.tier, one.kind, one.value, chunk.tokens, "chosen")
