"""How a curve grows: the exponent of the power law that lies closest to its points."""

import math
from collections.abc import Sequence


def exponent(points: Sequence[tuple[float, float]]) -> float | None:
    """The slope of the straight line through the points on logarithmic axes, by least squares.

    0 is flat, 1 grows with the size, 2 with its square. None if there are no two sizes, or something took no time.
    """
    if len({size for size, _ in points}) < 2 or any(size <= 0 or value <= 0 for size, value in points):
        return None
    sizes, values = ([math.log(point[axis]) for point in points] for axis in (0, 1))
    middle, level = sum(sizes) / len(sizes), sum(values) / len(values)
    around = [size - middle for size in sizes]
    return sum(one * (value - level) for one, value in zip(around, values, strict=True)) / sum(one**2 for one in around)


def last_exponent(points: Sequence[tuple[float, float]]) -> float | None:
    """The same between the two largest sizes: what a fixed cost, which hides growth at first, no longer hides."""
    return exponent(sorted(points)[-2:])
