"""Runs one target under atheris until its time is over or it finds a fault: `python -m fuzz.one TARGET [OPTION ...]`.

The options are libFuzzer's. atheris instruments code during its import, so `emberkeep` must not be imported before.
"""

import sys
from random import Random

import atheris

from fuzz.corpus import words_of
from fuzz.mutation import mutated

with atheris.instrument_imports(include=["emberkeep"], enable_loader_override=False):
    from fuzz import targets


def main(target: str, *options: str) -> None:
    """Fuzz the target; this ends the process."""
    words = words_of(target)

    def mutate(data: bytes, max_size: int, seed: int) -> bytes:
        random = Random(seed)
        if random.random() < 0.5:  # noqa: PLR2004 - half by structure, half by libFuzzer
            return mutated(data, random, words)[:max_size]
        changed: bytes = atheris.Mutate(data, min(max_size, 2 * len(data) + 64))
        return changed

    atheris.Setup([sys.argv[0], *options], lambda data: targets.attempt(target, data), custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
