"""Made-up memories and questions for benchmarks, and their real vectors, which are computed once and kept."""

import hashlib
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from emberkeep.clock import Deadline
from emberkeep.providers.base import Vectors
from emberkeep.providers.local_embedder import LocalEmbedder

KEPT = Path(__file__).parent.parent / ".cache" / "benchmarks"

NAMES = """Alex Maria Tom Priya Chen Fatima Lucas Ingrid Omar Sofia Jonas Keiko Ravi Elena Marcus Amara Pavel Lucia
Hassan Greta Diego Naomi Viktor Leila Samuel Astrid Mateo Yuki Bruno Zara Felix Nadia Oscar Hana Ivan Clara Kofi Mei
Anton Rosa""".split()
PLACES = """Lisbon Berlin Osaka Toronto Nairobi Lima Oslo Athens Dublin Warsaw Seville Hanoi Denver Cairo Riga Quito
Boston Geneva Naples Perth Kyoto Tbilisi Austin Bergen Porto Ghent Turin Malmo Split Cork""".split()
THINGS = """guitar telescope greenhouse sourdough motorbike kayak piano novel garden podcast camera bakery newsletter
chess marathon pottery database compiler spreadsheet invoice contract passport mortgage dentist allergy birthday wedding
vaccine thesis interview raspberry router firewall backup deployment dashboard notebook puzzle drone bicycle ceramics
orchid aquarium violin sketchbook treehouse sauna hammock lighthouse vineyard""".split()
TIMES = """yesterday today tonight tomorrow on-Monday on-Friday last-week last-month last-summer in-May in-October
next-year this-morning before-lunch after-work at-midnight over-the-weekend in-the-spring two-weeks-ago since-January
""".split()
PATTERNS = [
    "{name} moved to {place} {time} and misses the {thing}",
    "I told {name} about the {thing} in {place} {time}",
    "{name} prefers {place} to {place2} because of the {thing}",
    "we decided to postpone the {thing} with {name} {time}",
    "{name} is allergic to the food at the {thing} place in {place}",
    "the {thing} broke {time}, and {name} repaired it with a {thing2}",
    "{name} and {name2} argued about the {thing} {time}",
    "my appointment for the {thing} in {place} is {time}",
    "{name} bought a {thing} in {place} {time} for {number} euros",
    "remember that {name} never answers messages about the {thing} {time}",
    "the build of the {thing} failed {time} with error {number}",
    "{name} wants to learn the {thing} before going to {place}",
    "order number {number} for the {thing} goes to {name} in {place}",
    "{name} said the {thing} in {place} was better than the {thing2}",
    "please book the {thing} for {name} and {name2} {time}",
]
QUESTIONS = [
    "where did {name} say they wanted to move {time}, and why?",
    "what did {name} buy on the trip to {place} with {name2}?",
    "who was it that repaired the {thing} and the {thing2} {time}?",
    "when is the appointment for the {thing} in {place}?",
    "what do {name} and {name2} always argue about when they meet?",
    "which order number goes to the address of {name} in {place}?",
    "why was the {thing} with {name} postponed?",
    "does {name} like {place} or {place2} more?",
]


class Texts:
    """Sentences that people and agents might say; the same seed gives the same ones."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)
        self._seen: set[str] = set()

    def memories(self, count: int) -> list[str]:
        made: list[str] = []
        while len(made) < count:
            text = self._fill(PATTERNS)
            if text not in self._seen:
                self._seen.add(text)
                made.append(text)
        return made

    def questions(self, count: int) -> list[str]:
        return [self._fill(QUESTIONS) for _ in range(count)]

    def _fill(self, patterns: Sequence[str]) -> str:
        pick = self._random.choice
        names, places, things = (self._random.sample(words, 2) for words in (NAMES, PLACES, THINGS))
        return pick(patterns).format(
            name=names[0],
            name2=names[1],
            place=places[0],
            place2=places[1],
            thing=things[0],
            thing2=things[1],
            time=pick(TIMES).replace("-", " "),
            number=self._random.randint(10, 9_999),
        )


class KeptEmbedder:
    """The real model, which does not embed the texts of an earlier run again."""

    name = "kept"
    dimension = 384

    def __init__(self, real: LocalEmbedder, *, keep: bool = True) -> None:
        self._real = real
        self._keep = keep

    def embed(self, texts: Sequence[str], *, deadline: Deadline | None = None) -> Vectors:
        file = KEPT / f"{hashlib.sha256(chr(0).join(texts).encode()).hexdigest()[:24]}.npy"
        if self._keep and file.exists():
            kept: Vectors = np.load(file)
            return kept
        made = self._real.embed(texts, deadline=deadline)
        if not self._keep:
            return made
        KEPT.mkdir(parents=True, exist_ok=True)
        np.save(file, made)
        return made

    def embed_query(self, text: str, *, deadline: Deadline | None = None) -> Vectors:
        return self._real.embed_query(text, deadline=deadline)


class MixedEmbedder:
    """Mixtures of real vectors, for a million memories that only have to be there."""

    name = "mixed"
    dimension = 384

    def __init__(self, real: LocalEmbedder, texts: Texts) -> None:
        self._real = real
        self._bases = real.embed(texts.memories(1_000))
        self._random = np.random.default_rng(1)

    def embed(self, texts: Sequence[str], *, deadline: Deadline | None = None) -> Vectors:
        first, second = self._random.integers(0, len(self._bases), (2, len(texts)))
        mixed = self._bases[first] + 0.5 * self._bases[second]
        unit: Vectors = mixed / np.linalg.norm(mixed, axis=1, keepdims=True)
        return unit

    def embed_query(self, text: str, *, deadline: Deadline | None = None) -> Vectors:
        return self._real.embed_query(text, deadline=deadline)
