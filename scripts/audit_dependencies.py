"""Audit the packages that `constraints.txt` pins for known vulnerabilities, by pip-audit.

pip-audit also succeeds if its database does not know a package, or could not be reached. Here that is reported, and is
no success: the exit code is 0 if all were audited and none is vulnerable, 1 if one is, 2 if some were not audited.
"""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

CONSTRAINTS = Path(__file__).parents[1] / "constraints.txt"
SHOWN = 5  # names of packages that were not audited


def verdict(packages: Sequence[Mapping[str, Any]]) -> tuple[int, list[str]]:
    """Return the exit code and the lines to print, for what pip-audit reports of each package."""
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
    """Run pip-audit, and print the verdict."""
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
