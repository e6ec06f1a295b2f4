"""A program that uses a service over gRPC. Run it: python examples/grpc_client.py.

It starts `emberkeep serve` with a store of its own. A program in another language does the same with the code that its
own compiler generates from proto/.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc

from emberkeep.entrypoints.grpc.generated import events_pb2, events_pb2_grpc, memories_pb2, memories_pb2_grpc
from emberkeep.entrypoints.grpc.generated.values_pb2 import Message


def main() -> None:
    with served() as address, grpc.insecure_channel(address) as channel:
        memories = memories_pb2_grpc.MemoriesStub(channel)
        events = events_pb2_grpc.EventsStub(channel)

        following = events.Follow(events_pb2.EventsFollowRequest(type="memory.*"))
        following.initial_metadata()  # they arrive once the stream is open: from then on no event is missed

        said = Message(role="user", content="I moved to Lisbon in May.", name="Alex")
        added = memories.Add(memories_pb2.MemoriesAddRequest(messages=[said], user_id="alex"))
        print("kept:", [memory.text for memory in added.memories])
        for event in following:
            print("told of it:", event.type)
            break

        question = memories_pb2.MemoriesSearchRequest(query="where does Alex live?", user_id="alex", limit=1)
        for hit in memories.Search(question, timeout=5).memories:  # if need be, the service answers in part
            print(f"found: {hit.score:.2f}  {hit.temperature:.0f}°  {hit.text}")

        try:
            memories.Get(memories_pb2.MemoriesGetRequest(id="nothing"))
        except grpc.RpcError as error:
            print("refused:", error.code().name, "-", error.details())


@contextmanager
def served() -> Iterator[str]:
    """Run a service in a process of its own; yield the address of its gRPC."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "emberkeep", "serve", "--port", "0", "--db", str(Path(folder, "agent.db"))]
        with subprocess.Popen([*command, "--json"], stdout=subprocess.PIPE, text=True) as service:  # noqa: S603 - ours
            assert service.stdout is not None  # noqa: S101 - it is a pipe
            try:
                yield json.loads(service.stdout.readline())["grpc"]
            finally:
                service.terminate()


if __name__ == "__main__":
    main()
