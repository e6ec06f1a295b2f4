"""Made-up memories and questions: any number of sentences that people and agents might say."""

import random
from collections.abc import Sequence

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
    """Generates sentences that people and agents might say; the same seed gives the same ones."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)  # noqa: S311 - nothing secret
        self._seen: set[str] = set()

    def memories(self, count: int) -> list[str]:
        """So many sentences, none of which it generated before."""
        made: list[str] = []
        while len(made) < count:
            text = self._fill(PATTERNS)
            if text not in self._seen:
                self._seen.add(text)
                made.append(text)
        return made

    def questions(self, count: int) -> list[str]:
        """So many questions, possibly with repetitions."""
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
