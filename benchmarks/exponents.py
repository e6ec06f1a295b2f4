"""How a curve grows: the exponent of the power law that fits its points best."""

import math
from collections.abc import Sequence


def exponent(points: Sequence[tuple[float, float]]) -> float | None:
    """Return the slope of the straight line through the points on logarithmic axes, by least squares.

    0 is constant, 1 linear, 2 quadratic. None if there are fewer than two sizes, or a value is not positive.
    """
    if len({size for size, _ in points}) < 2 or any(size <= 0 or value <= 0 for size, value in points):
        return None
    sizes, values = ([math.log(point[axis]) for point in points] for axis in (0, 1))
    middle, level = sum(sizes) / len(sizes), sum(values) / len(values)
    around = [size - middle for size in sizes]
    return sum(one * (value - level) for one, value in zip(around, values, strict=True)) / sum(one**2 for one in around)


def last_exponent(points: Sequence[tuple[float, float]]) -> float | None:
    """Return the exponent between the two largest sizes, where fixed costs hide the growth least."""
    return exponent(sorted(points)[-2:])
