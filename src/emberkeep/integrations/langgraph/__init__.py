"""LangGraph: an Emberkeep memory as the `store=` of a graph."""

from emberkeep.integrations import missing

try:
    from emberkeep.integrations.langgraph.store import EmberkeepStore
except ModuleNotFoundError as error:
    raise missing(error, package="langgraph", extra="langgraph") from None

__all__ = ["EmberkeepStore"]
