"""Fit the projection that tells words apart best, and write it to src/emberkeep/providers/data/minilm-words.npy.

    python scripts/fit_words.py --data FILE [--data FILE ...] [--write]

The bundled model makes vectors of 384 numbers for pieces of words; a store keeps 64 (`storage/word_vectors.py`). The
projection consists of the first 64 singular vectors for the words in the given files (their format is in
docs/howto/measure.md): the directions in which they differ most. Questions and gold labels play no part.
"""

import argparse
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

from emberkeep.bench.dataset import read_datasets
from emberkeep.providers.base import Vectors
from emberkeep.providers.local_embedder import BUNDLED_WORDS, LocalEmbedder, LocalModel

DIRECTIONS = 64
OF_EACH = 3  # words taken of each message, so that long messages do not count more
SEED = 8


def main() -> None:
    """Fit, print how much of the variance is kept, and write with --write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", action="append", required=True, type=Path)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    bundled = LocalModel.bundled()
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.npy"
        np.save(whole, np.eye(bundled.dimension or 0))
        seen = sample(LocalEmbedder(replace(bundled, words=whole)), asked.data)
    _, strengths, directions = np.linalg.svd(seen, full_matrices=False)
    kept = float(np.square(strengths[:DIRECTIONS]).sum() / np.square(strengths).sum())
    sys.stdout.write(f"{len(seen)} words of {len(asked.data)} files; {kept:.1%} is in {DIRECTIONS} directions\n")
    if asked.write:
        np.save(BUNDLED_WORDS, directions[:DIRECTIONS].T.astype(np.float16))
        sys.stdout.write(f"written to {BUNDLED_WORDS.name}\n")


def sample(embedder: LocalEmbedder, files: list[Path]) -> Vectors:
    """Return the vectors of a few words of each message."""
    chance = np.random.default_rng(SEED)
    found = []
    for dataset in read_datasets(files):
        for store in dataset.stores:
            made = embedder.embed_words([message.spoken for message in store.messages])[1]
            found += [chance.choice(one.vectors, OF_EACH) for one in made if one is not None and one.terms]
    return np.concatenate(found)


if __name__ == "__main__":
    main()
