"""Fuzz the targets one after the other, each in a process of its own, and print the results.

`python -m fuzz --minutes 5 [TARGET ...]`. Inputs that reach new code are kept in `.cache/fuzz`, and those that are
faults in `.cache/fuzz/found`: fix the fault, and add the input to `fuzz/corpus`, where a test gives it to the target.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

from fuzz.corpus import CORPUS

CACHE = Path(".cache") / "fuzz"
LONGEST_S = 25  # for one input, on a machine that is busy with other things
_EXECUTIONS = re.compile(r"(?:Done|#)\s*(\d+)")


def fuzzed(target: str, seconds: int) -> list[Path]:
    """Fuzz one target, and print what came of it; return the inputs that were a fault."""
    new, found = CACHE / target, CACHE / "found" / target
    for folder in (new, found):
        folder.mkdir(parents=True, exist_ok=True)
    before = set(found.iterdir())
    options = [f"-max_total_time={seconds}", f"-timeout={LONGEST_S}", "-rss_limit_mb=4096", "-max_len=8192"]
    command = [sys.executable, "-m", "fuzz.one", target, *options, f"-artifact_prefix={found}/"]
    log = CACHE / f"{target}.log"
    with log.open("wb") as said:
        subprocess.run([*command, str(new), str(CORPUS / target)], stdout=said, stderr=said, check=False)
    text = log.read_text(encoding="utf-8", errors="replace")
    faults = sorted(set(found.iterdir()) - before)
    count = max(map(int, _EXECUTIONS.findall(text)), default=0)
    print(f"{target:12} {count:>12,} executions  {len(faults)} found", flush=True)
    for fault in faults:
        print(f"    {fault}")
        print("".join(f"    {line}\n" for line in _traceback(text)), end="")
    if not count and not faults:
        print(f"    it did not run: see {log}")
    return faults


def _traceback(text: str) -> list[str]:
    """Return the part of a log that shows the fault, or its end if there is none."""
    lines = text.splitlines()
    starts = [place for place, line in enumerate(lines) if "Uncaught Python exception" in line or "ERROR: lib" in line]
    return lines[starts[0] : starts[0] + 30] if starts else lines[-20:]


def main() -> None:
    """Fuzz the given targets, or all; the exit code is 1 if anything was found."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    known = sorted(path.name for path in CORPUS.iterdir())
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"some of {', '.join(known)}; all if left out")
    parser.add_argument("--minutes", type=float, default=1.0, help="for each of them")
    asked = parser.parse_args()
    if unknown := set(asked.targets) - set(known):
        parser.error(f"no target {min(unknown)!r}: use some of {', '.join(known)}")
    found = [fault for target in asked.targets or known for fault in fuzzed(target, int(asked.minutes * 60))]
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
