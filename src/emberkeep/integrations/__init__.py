"""Memory for agents that are written with a framework: a folder for each, imported only when it is asked for.

Each needs the framework itself, which comes with the extra of its name, such as `emberkeep[langgraph]`.
"""

from emberkeep.errors import ConfigError


def missing(error: ModuleNotFoundError, *, package: str, extra: str) -> Exception:
    """What to raise when an import failed: which extra to install, if it is the framework that is not there."""
    if (error.name or "").partition(".")[0] != package:
        return error
    return ConfigError(f"{package} is not installed: pip install 'emberkeep[{extra}]'")
