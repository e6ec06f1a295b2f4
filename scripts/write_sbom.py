"""Write the SBOM, the list of packages that Emberkeep runs with, in the format CycloneDX.

    python scripts/write_sbom.py build/sbom.json

cyclonedx-py describes all installed packages; of these, the ones are kept that `pyproject.toml` requires, with every
extra, and their own dependencies. The file is reproducible, and says nothing about the machine.
"""

import json
import subprocess
import sys
import tomllib
from collections.abc import Collection, Iterator, Mapping
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
NOT_RUNNING = {"bench"}  # extras that only measurements of other products need
Document = dict[str, Any]


def asked_for(project: Mapping[str, Any]) -> Iterator[Requirement]:
    """Yield the requirements of a project, those of its extras included."""
    extras = project.get("optional-dependencies", {})
    lines = [*project["dependencies"], *(line for name in extras if name not in NOT_RUNNING for line in extras[name])]
    yield from map(Requirement, lines)


def installed_for(wanted: Collection[Requirement]) -> tuple[dict[str, str], set[str]]:
    """Return the installed packages that these requirements need, with versions, and the names of missing ones."""
    found: dict[str, str] = {}
    missing: set[str] = set()
    seen: set[tuple[str, frozenset[str]]] = set()
    waiting = list(wanted)
    while waiting:
        one = waiting.pop()
        name, extras = canonicalize_name(one.name), frozenset(one.extras)
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        try:
            package = metadata.distribution(one.name)
        except metadata.PackageNotFoundError:
            missing.add(name)
            continue
        found[name] = package.version
        needs = map(Requirement, package.requires or ())
        waiting += [need for need in needs if _holds(need, extras)]
    return found, missing


def only(document: Document, names: Collection[str]) -> Document:
    """Return the document with only these packages, and without links to files on this machine."""
    kept = [one for one in document["components"] if canonicalize_name(one["name"]) in names]
    for one in kept:
        links = [link for link in one.pop("externalReferences", ()) if not link["url"].startswith("file:")]
        one.update({"externalReferences": links} if links else {})
    refs = {one["bom-ref"] for one in kept}
    root = document["metadata"]["component"]["bom-ref"]
    edges = [
        {**edge, "dependsOn": sorted(refs & set(edge.get("dependsOn", ())))}
        for edge in document["dependencies"]
        if edge["ref"] in refs | {root}
    ]
    return {**document, "components": kept, "dependencies": edges}


def _holds(need: Requirement, extras: frozenset[str]) -> bool:
    """Whether a requirement applies on this platform and with any of these extras."""
    return need.marker is None or any(need.marker.evaluate({"extra": extra}) for extra in extras or {""})


def _described() -> Document:
    """Return what cyclonedx-py says of all installed packages."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "all.json"
        command = [sys.executable, "-m", "cyclonedx_py", "environment", "--pyproject", str(ROOT / "pyproject.toml")]
        options = ["--output-reproducible", "--of", "JSON", "-o", str(file), sys.executable]
        subprocess.run([*command, *options], check=True)  # noqa: S603 - a program of ours, with paths of ours
        document: Document = json.loads(file.read_text(encoding="utf-8"))
        return document


def main(target: Path) -> None:
    """Write the SBOM; exit with an error if a package is missing from it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found, missing = installed_for(list(asked_for(project)))
    document = only(_described(), found)
    listed = {canonicalize_name(one["name"]) for one in document["components"]}
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(document, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    sys.stdout.write(f"{target}: {len(listed)} packages\n")
    if absent := sorted(missing | (found.keys() - listed)):
        sys.exit(f"not installed here, so not in it: {', '.join(absent)}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
