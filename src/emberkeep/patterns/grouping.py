"""Clustering of tasks and patterns by their vectors. Pure functions."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from emberkeep.model.experience import Cluster

Vectors = NDArray[np.float32]
MOST_IN_TREE = 400  # the time to build the tree grows with the cube of this


def groups(vectors: Vectors, similar: float) -> list[list[int]]:
    """Row numbers in groups: each row joins the group with the nearest centre, if its cosine is at least `similar`.

    Vectors are of length one. Time grows with rows times groups, so tens of thousands of rows are no trouble.
    """
    centres = np.zeros_like(vectors)  # room for a group per row; the first `len(found)` are in use
    found: list[list[int]] = []
    for row, vector in enumerate(vectors):
        if found:
            near = centres[: len(found)] @ vector
            best = int(near.argmax())
            if float(near[best]) >= similar:
                found[best].append(row)
                centre = centres[best] * (len(found[best]) - 1) + vector
                centres[best] = centre / (float(np.linalg.norm(centre)) or 1.0)
                continue
        centres[len(found)] = vector
        found.append([row])
    return found


def tree(names: Sequence[str], vectors: Vectors, similar: float) -> list[Cluster]:
    """Hierarchical clusters: the two nearest are merged repeatedly, by mean cosine, down to a cosine of `similar`.

    Only the first `MOST_IN_TREE` names are clustered; each of the rest is a cluster of its own.
    """
    nodes = [Cluster((name,), 1.0) for name in names[:MOST_IN_TREE]]
    alone = [Cluster((name,), 1.0) for name in names[MOST_IN_TREE:]]  # the least certain ones, too many to cluster
    if len(nodes) < 2:  # noqa: PLR2004 - a pair
        return nodes
    kept = vectors[: len(nodes)]
    near = np.array(kept @ kept.T, dtype=np.float64)
    np.fill_diagonal(near, -np.inf)
    sizes = np.ones(len(nodes))
    alive: list[Cluster | None] = [*nodes]
    while True:
        one, two = np.unravel_index(int(near.argmax()), near.shape)
        cosine = float(near[one, two])
        first, second = alive[one], alive[two]
        if first is None or second is None or cosine < similar:
            break
        parts = tuple(sorted((first, second), key=lambda part: part.members))
        alive[one] = Cluster(tuple(sorted((*first.members, *second.members))), cosine, parts)
        alive[two] = None
        joined = (near[one] * sizes[one] + near[two] * sizes[two]) / (sizes[one] + sizes[two])
        sizes[one] += sizes[two]
        near[one], near[:, one] = joined, joined
        near[two], near[:, two] = -np.inf, -np.inf
        near[one, one] = -np.inf
    joined_up = [node for node in alive if node is not None]
    return sorted([*joined_up, *alone], key=lambda node: (-len(node.members), node.members))
