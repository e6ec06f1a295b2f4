"""The list of what Emberkeep is made of is whole, and what is known against it is told as far as it was asked."""

import importlib.util
import json
import subprocess
import sys
import tomllib
from importlib.metadata import distributions
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parents[2]


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SBOM, AUDIT = script("write_sbom"), script("audit_dependencies")
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_what_every_extra_asks_for_is_among_it_and_tools_are_not() -> None:
    wanted = list(SBOM.asked_for(PROJECT))
    found, missing = SBOM.installed_for(wanted)
    assert missing == set()
    assert {SBOM.canonicalize_name(one.name) for one in wanted} <= found.keys()
    assert {"sqlalchemy", "greenlet", "pydantic", "starlette", "psycopg", "psycopg-binary"} <= found.keys()
    assert not {"pytest", "ruff", "mypy", "hypothesis", "mkdocs", "schemathesis"} & found.keys()


@pytest.mark.parametrize("python", ["3.11.0", "3.12.0", "3.13.0", "3.14.0"])
def test_what_is_pinned_installs_on_the_first_release_of_every_python_that_is_supported(python: str) -> None:
    assert f"Programming Language :: Python :: {python.removesuffix('.0')}" in PROJECT["classifiers"]
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = [Requirement(line) for line in lines if not line.startswith("#")]
    there = {SBOM.canonicalize_name(one.name): one for one in distributions()}
    release = {"python_version": python.removesuffix(".0"), "python_full_version": python}
    refused = {
        str(one): there[name].metadata.json["requires_python"]
        for one in pinned
        if (name := SBOM.canonicalize_name(one.name)) in there
        if one.marker is None or one.marker.evaluate(release)
        if one.specifier.contains(there[name].version)
        if not SpecifierSet(str(there[name].metadata.json.get("requires_python", ""))).contains(python)
    }
    assert refused == {}


def test_what_is_not_installed_is_said() -> None:
    found, missing = SBOM.installed_for([Requirement("httpx"), Requirement("nobody-wrote-this-package")])
    assert "httpx" in found
    assert missing == {"nobody-wrote-this-package"}


def test_only_what_runs_is_kept_and_nothing_of_the_machine() -> None:
    local = {"type": "distribution", "url": "file:///home/alex/emberkeep"}
    document = {
        "metadata": {"component": {"bom-ref": "root"}},
        "components": [
            {
                "name": "Typing_Extensions",
                "bom-ref": "t",
                "externalReferences": [local, {"type": "x", "url": "https://x"}],
            },
            {"name": "httpx", "bom-ref": "h", "externalReferences": [local]},
            {"name": "pytest", "bom-ref": "p"},
        ],
        "dependencies": [{"ref": "root", "dependsOn": ["p", "h"]}, {"ref": "h", "dependsOn": ["t", "p"]}, {"ref": "p"}],
    }
    kept = SBOM.only(document, {"typing-extensions", "httpx"})
    assert [one["name"] for one in kept["components"]] == ["Typing_Extensions", "httpx"]
    assert kept["dependencies"] == [{"ref": "root", "dependsOn": ["h"]}, {"ref": "h", "dependsOn": ["t"]}]
    assert "file:" not in json.dumps(kept)


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("cyclonedx_py") is None, reason="comes with `make audit`")
def test_the_file_says_nothing_of_when_and_where_it_was_written(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(ROOT / "scripts" / "write_sbom.py"), str(tmp_path / "sbom.json")], check=True)
    written = (tmp_path / "sbom.json").read_text(encoding="utf-8")
    document = json.loads(written)
    assert "serialNumber" not in document
    assert "timestamp" not in document["metadata"]
    assert str(ROOT) not in written
    assert sys.prefix not in written
    names = {SBOM.canonicalize_name(one["name"]) for one in document["components"]}
    assert names == SBOM.installed_for(list(SBOM.asked_for(PROJECT)))[0].keys()


FLAW = {"id": "GHSA-1", "fix_versions": ["2"], "aliases": [], "description": ""}


@pytest.mark.parametrize(
    ("packages", "code", "said"),
    [
        ([{"name": "a", "version": "1", "vulns": []}], 0, "1 of 1 packages audited, something is known against 0."),
        ([{"name": "a", "version": "1", "vulns": [FLAW]}], 1, "a 1: GHSA-1, fixed in 2"),
        ([{"name": "a", "skip_reason": "not found"}], 2, "nothing was audited"),
        ([{"name": "a", "skip_reason": "x"}, {"name": "b", "version": "1", "vulns": []}], 2, "Not audited"),
        ([], 2, "0 of 0"),
    ],
)
def test_what_was_not_asked_is_no_success(packages: list[dict[str, Any]], code: int, said: str) -> None:
    told, lines = AUDIT.verdict(packages)
    assert told == code
    assert said in "\n".join(lines)
