"""Other systems that keep and find messages, measured beside Emberkeep on the same data with the same embedder."""

from collections.abc import Callable, Sequence

from emberkeep.bench.contender import Contender
from emberkeep.bench.peers.chroma import Chroma
from emberkeep.bench.peers.mem0 import Mem0
from emberkeep.errors import InvalidInput
from emberkeep.providers.base import Embedder

PEERS: dict[str, Callable[[Embedder], Contender]] = {"mem0": Mem0, "chroma": Chroma}


def make_peers(names: Sequence[str], embedder: Embedder) -> list[Contender]:
    """The peers of those names, each once; raises `ConfigError` if one is not installed."""
    unknown = [name for name in names if name not in PEERS]
    if unknown:
        raise InvalidInput(f"unknown peer {unknown[0]!r}: compare with {' or '.join(PEERS)}")
    return [PEERS[name](embedder) for name in dict.fromkeys(names)]
