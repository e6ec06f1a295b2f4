"""A server and a worker as their commands run them, for a process that has everything loaded."""

import emberkeep
from emberkeep.config import Config
from emberkeep.entrypoints import serving
from emberkeep.testing import WordEmbedder
from torture.writer import Place


def serve(place: Place, port: int) -> None:
    """Do what `emberkeep serve --no-worker` does, with a cheap embedder and without a rate limit."""
    config = Config.load(db=place.target, **place.settings, keep_events=True, requests_per_s=0)
    options = serving.Options(port=port, grpc_port=0, worker=False)
    with (
        serving.listening("127.0.0.1", port) as listener,
        emberkeep.open(config=config, embedder=WordEmbedder()) as memory,
    ):
        serving.run(memory, listener, config, lambda _: None, options)


def work(place: Place) -> None:
    """Do what `emberkeep worker` does."""
    with place.open() as memory:
        memory.worker(every_s=0.05).run()
