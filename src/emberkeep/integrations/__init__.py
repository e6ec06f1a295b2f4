"""Memory for agents written with a framework: a subpackage for each framework, never imported by Emberkeep itself.

Each needs its framework, which is installed with the extra of that name, such as `emberkeep[langgraph]`.
"""

from emberkeep.errors import ConfigError


def missing(error: ModuleNotFoundError, *, package: str, extra: str) -> Exception:
    """The exception to raise after a failed import: if the framework is missing, it names the extra to install."""
    if (error.name or "").partition(".")[0] != package:
        return error
    return ConfigError(f"{package} is not installed: pip install 'emberkeep[{extra}]'")
