"""What is shipped to deploy with: valid manifests, whose commands and settings are ones that we have."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml
from typer.testing import CliRunner

from emberkeep.config import PREFIX, Config
from emberkeep.entrypoints.cli import app

ROOT = Path(__file__).parents[2]
MANIFESTS = sorted((ROOT / "deploy" / "kubernetes").glob("*.yaml"))
PINNED = re.compile(r"[a-z0-9./-]+:[a-z0-9.-]*\d[a-z0-9.-]*")


def documents() -> Iterator[Any]:
    for path in MANIFESTS:
        yield from yaml.safe_load_all(path.read_text(encoding="utf-8"))


def pods() -> Iterator[Any]:
    for document in documents():
        if document["kind"] in {"Deployment", "StatefulSet"}:
            yield document["metadata"]["name"], document["spec"]["template"]


def compose() -> Any:
    return yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))


def check_command(words: list[str]) -> None:
    """A command of ours takes these options."""
    name, *options = words
    helped = CliRunner(env={"COLUMNS": "200", "TERM": "dumb"}).invoke(app, [name, "--help"], prog_name="emberkeep")
    assert helped.exit_code == 0, helped.output
    for option in options:
        if option.startswith("--"):
            assert re.search(rf"{re.escape(option.partition('=')[0])}\b", helped.output), f"{name} has no {option}"


def check_settings(names: Any) -> None:
    for name in names:
        if name.startswith(PREFIX) and name != "EMBERKEEP_HOME":
            assert name.removeprefix(PREFIX).lower() in Config.__dataclass_fields__, name


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.name)
def test_manifests_are_valid(path: Path) -> None:
    for document in yaml.safe_load_all(path.read_text(encoding="utf-8")):
        kubernetes_validate.validate(document, kubernetes_validate.latest_version(), strict=True)


def test_pods_are_locked_down_and_run_our_commands() -> None:
    for name, template in pods():
        spec = template["spec"]
        assert spec["securityContext"]["runAsNonRoot"], name
        assert spec["automountServiceAccountToken"] is False, name
        for container in [*spec.get("initContainers", []), *spec["containers"]]:
            assert PINNED.fullmatch(container["image"]), container["image"]
            assert container["resources"].keys() == {"requests", "limits"}, name
            assert container["securityContext"]["allowPrivilegeEscalation"] is False, name
            assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}, name
            mounted = {mount["name"] for mount in container["volumeMounts"]}
            claimed = {volume["name"] for volume in spec.get("volumes", [])}
            assert mounted <= claimed | {"data"}, name
            if container["image"].startswith("emberkeep:"):
                check_command(container["args"])


def test_what_manifests_name_is_there() -> None:
    kinds: dict[str, set[str]] = {}
    for document in documents():
        kinds.setdefault(document["kind"], set()).add(document["metadata"]["name"])
        if document["kind"] == "ConfigMap":
            check_settings(document["data"])
            hosts = re.findall(r"@?(emberkeep-[a-z]+):\d+", " ".join(document["data"].values()))
    assert set(hosts) <= kinds["Service"]
    labels = [template["metadata"]["labels"].items() for _, template in pods()]
    for document in documents():
        if document["kind"] == "Service":
            assert any(document["spec"]["selector"].items() <= found for found in labels)
        if document["kind"] == "HorizontalPodAutoscaler":
            assert document["spec"]["scaleTargetRef"]["name"] in kinds["Deployment"]
    for _, template in pods():
        for container in template["spec"]["containers"]:
            for source in container.get("envFrom", []):
                for kind, reference in (("ConfigMap", "configMapRef"), ("Secret", "secretRef")):
                    assert source.get(reference, {"name": "emberkeep"})["name"] in kinds[kind]


def test_the_composition_is_consistent() -> None:
    whole = compose()
    services = whole["services"]
    for name, service in services.items():
        assert PINNED.fullmatch(service["image"]), name
        for needed, how in service.get("depends_on", {}).items():
            assert needed in services, name
            assert how["condition"] != "service_healthy" or "test" in services[needed]["healthcheck"], name
        for volume in service.get("volumes", []):
            assert volume.partition(":")[0] in whole["volumes"], name
        assert set(service["networks"]) <= whole["networks"].keys(), name
        check_settings(service.get("environment", {}))
        if service["image"].startswith("emberkeep:"):
            check_command(service["command"])
            assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"]), name
        for port in service.get("ports", []):
            assert port.startswith("127.0.0.1:"), "for others there is a proxy with TLS in front"
    hosts = re.findall(r"(?:@|//)([a-z]+):\d+", " ".join(services["api"]["environment"].values()))
    assert set(hosts) <= services.keys()


def test_the_image_is_nobodys_root_and_runs_our_command() -> None:
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    stages = [line.split()[1] for line in lines if line.startswith("FROM ")]
    assert len(stages) == 3
    assert all(PINNED.fullmatch(image) for image in stages)
    assert "USER 10001:10001" in lines
    (command,) = (line.removeprefix("CMD ") for line in lines if line.startswith("CMD "))
    check_command(yaml.safe_load(command))
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    for line in lines:
        if line.startswith("COPY ") and "--from" not in line:
            for source in line.split()[1:-1]:
                assert (ROOT / source).exists()
                assert f"!{source.split('/')[0]}" in ignored
