"""What this process takes."""

import sys
from pathlib import Path

_STATUS = Path("/proc/self/status")


def peak_mb() -> float | None:
    """The most memory that it had resident at a time; None where nobody counts that."""
    if _STATUS.exists():  # what getrusage says on Linux begins with the peak of the process that started this one
        peak = next(line for line in _STATUS.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(peak.split()[1]) / 1_024
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1_048_576 if sys.platform == "darwin" else 1_024)
