"""What lies together is grouped, and groups are in groups."""

import numpy as np

from emberkeep.patterns.grouping import Vectors, groups, tree


def blobs(seed: int = 0) -> Vectors:
    """Three heaps of ten, the first two nearer to each other than to the third."""
    chance = np.random.default_rng(seed)
    centres = np.zeros((3, 32), np.float32)
    centres[0, 0], centres[1, 0], centres[1, 1], centres[2, 5] = 1.0, 0.7, 0.7, 1.0
    made = np.repeat(centres, 10, axis=0) + chance.normal(0, 0.02, (30, 32)).astype(np.float32)
    return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True), dtype=np.float32)


def test_heaps_become_groups() -> None:
    assert sorted(map(sorted, groups(blobs(), 0.9))) == [[*range(10)], [*range(10, 20)], [*range(20, 30)]]
    assert groups(blobs()[:0], 0.9) == []


def test_groups_are_in_groups() -> None:
    names = [f"{number:02}" for number in range(30)]
    loose = tree(names, blobs(), 0.5)
    assert [len(cluster.members) for cluster in loose] == [20, 10]
    inside = loose[0].parts
    assert sorted(len(part.members) for part in inside) == [10, 10]
    assert loose[0].cohesion < inside[0].cohesion
    assert [len(cluster.members) for cluster in tree(names, blobs(), 0.9)] == [10, 10, 10]


def test_one_and_none_are_no_trouble() -> None:
    assert [cluster.members for cluster in tree(["a"], blobs()[:1], 0.5)] == [("a",)]
    assert tree([], blobs()[:0], 0.5) == []
