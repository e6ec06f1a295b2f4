"""Ask what is known against the packages that `constraints.txt` pins, by pip-audit; and say how much was not answered.

pip-audit ends well also when its database knew nothing of a package, as when it could not be asked at all. Here that is
said, and is no success: 0 is for all asked about and nothing known, 1 for something known, 2 for something not asked.
"""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

CONSTRAINTS = Path(__file__).parents[1] / "constraints.txt"
SHOWN = 5


def verdict(packages: Sequence[Mapping[str, Any]]) -> tuple[int, list[str]]:
    """The exit code, and what to say, for what pip-audit reports of each package."""
    known = [one for one in packages if one.get("vulns")]
    unasked = [one for one in packages if "skip_reason" in one]
    lines = [
        f"{one['name']} {one['version']}: {flaw['id']}, fixed in {', '.join(flaw['fix_versions']) or 'no version yet'}"
        for one in known
        for flaw in one["vulns"]
    ]
    if packages and len(unasked) == len(packages):
        lines.append("The database of known flaws could not be asked about any package: nothing was audited.")
        lines.append(f"It says: {unasked[0]['skip_reason']}")
    elif unasked:
        names = ", ".join(str(one["name"]) for one in unasked[:SHOWN])
        more = f" and {len(unasked) - SHOWN} more" if len(unasked) > SHOWN else ""
        lines.append(f"Not audited, as the database does not know them: {names}{more}.")
    audited = len(packages) - len(unasked)
    lines.append(f"{audited} of {len(packages)} packages audited, something is known against {len(known)}.")
    return 1 if known else 2 if unasked or not packages else 0, lines


def main() -> None:
    """Ask, and say it."""
    command = [sys.executable, "-m", "pip_audit", "--requirement", str(CONSTRAINTS), "--no-deps", "--disable-pip"]
    options = ["--format", "json", "--progress-spinner", "off"]
    told = subprocess.run([*command, *options], capture_output=True, text=True, check=False)  # noqa: S603 - ours
    try:
        packages = json.loads(told.stdout)["dependencies"]
    except (ValueError, KeyError):
        last = (told.stderr.strip().splitlines() or ["nothing"])[-1]
        code, lines = 2, [f"The database of known flaws could not be asked: nothing was audited ({last})"]
    else:
        code, lines = verdict(packages)
    sys.stdout.write("\n".join([*lines, ""]))
    sys.exit(code)


if __name__ == "__main__":
    main()
