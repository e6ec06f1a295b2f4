"""Measuring the memory of this process."""

import sys
from pathlib import Path

_STATUS = Path("/proc/self/status")


def peak_mb() -> float | None:
    """The peak resident memory of this process in MB; None where the system does not report it."""
    if _STATUS.exists():  # on Linux, getrusage would start from the peak of the parent process
        peak = next(line for line in _STATUS.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(peak.split()[1]) / 1_024
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1_048_576 if sys.platform == "darwin" else 1_024)
