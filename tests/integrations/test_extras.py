"""Without its framework an integration says which extra to install, and the rest of Emberkeep loads no framework."""

import subprocess
import sys

import pytest

PACKAGES = [
    ("langgraph", "langgraph", "langgraph"),
    ("openai_agents", "agents", "openai-agents"),
    ("llama_index", "llama_index", "llama-index"),
    ("pydantic_ai", "pydantic_ai", "pydantic-ai"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("folder", "package", "extra"), PACKAGES)
def test_a_missing_framework_is_named_with_its_extra(folder: str, package: str, extra: str) -> None:
    code = f"""
import sys
sys.modules["{package}"] = None
from emberkeep.errors import ConfigError
try:
    import emberkeep.integrations.{folder}
except ConfigError as error:
    print(error)
"""
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60).stdout
    assert said.strip() == f"{package} is not installed: pip install 'emberkeep[{extra}]'"


@pytest.mark.slow
def test_nothing_else_loads_a_framework() -> None:
    names = sorted(package for _, package, _ in PACKAGES)
    code = f"""
import sys, emberkeep
with emberkeep.open(":memory:") as memory:
    memory.remember("Likes tea")
print(sorted(set({names!r}) & set(sys.modules)))
"""
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60).stdout
    assert said.strip() == "[]"
