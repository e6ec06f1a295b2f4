"""All that the product does, in a process of its own and in those that it starts, for the test in `test_offline`."""

import asyncio
import json
import socket
import struct
import subprocess
import sys
from pathlib import Path

ONLY_HERE = sys.argv[1] == "alone"
BROUGHT_UP = 0x8914, 0x41  # SIOCSIFFLAGS; up and running


def be_reachable() -> None:
    """In a namespace of its own even loopback is down at first."""
    import fcntl  # noqa: PLC0415 - Linux alone has namespaces

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, BROUGHT_UP[0], struct.pack("16sh14x", b"lo", BROUGHT_UP[1]))


def prove_that_it_is_blocked() -> None:
    def connect() -> None:
        socket.create_connection(("192.0.2.1", 80), 1)

    for reach in (connect, lambda: socket.getaddrinfo("example.org", 80)):
        try:
            reach()
        except PermissionError:
            continue
        sys.exit("the network was not blocked")
    code = "import socket; socket.create_connection(('192.0.2.2', 80), 1)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "tried to reach 192.0.2.2" in told.stderr, told.stderr


def in_this_process() -> None:
    import emberkeep  # noqa: PLC0415 - only now: what imports do counts too
    from emberkeep.transfer.exporting import write_export  # noqa: PLC0415
    from emberkeep.transfer.importing import import_from  # noqa: PLC0415

    with emberkeep.open() as memory:
        added = memory.add(["I moved to Lisbon in May.", "Noted!"], user_id="alex")
        told = memory.remember("Prefers a window seat", kind="preference", user_id="alex")
        assert memory.search("where does Alex live?", user_id="alex")[0].id == added.learned[0].id
        assert "Lisbon" in memory.context("Plan Alex's weekend", user_id="alex").text
        memory.update(told.id, "Prefers an aisle seat")
        memory.delete(added.items[1].id)
        memory.add("I have a dog called Rex.", user_id="alex", learn="later")
        memory.learn()
        task = memory.tasks.start("Book a flight", user_id="alex")
        memory.tasks.step(task.id, "search", output="three flights")
        memory.tasks.finish(task.id, success=True, summary="booked")
        memory.decisions.log("Fly in June", who="Alex", why="cheaper", user_id="alex")
        for number in range(8):
            memory.experience.store(f"t{number}", f"Book flight {number}", number % 2 == 0, ["late"], task_type="book")
        memory.patterns.extract("book", min_samples=3)
        memory.knowledge.add("# Flights\n\nBook early.", title="Flights", user_id="alex")
        memory.operational.push_event("app", "opened", severity="critical")
        memory.events.publish("app.opened", {})
        memory.events.deliver()
        write_export(memory, Path("all.jsonl"))
        memory.upkeep()
        memory.rebuild(dry_run=True)
        memory.rebuild()
        memory.audit()
        memory.tidy(rewrite=True)
    with emberkeep.open(":memory:") as other:
        import_from(other, "all.jsonl", "emberkeep")


async def over_mcp() -> None:
    from mcp import Client  # noqa: PLC0415

    import emberkeep  # noqa: PLC0415
    from emberkeep.entrypoints.mcp.caller import Caller  # noqa: PLC0415
    from emberkeep.entrypoints.mcp.server import create_server  # noqa: PLC0415

    with emberkeep.open() as memory:
        async with Client(create_server(lambda _: Caller(memory))) as client:
            for name, given in (
                ("search", {"query": "Lisbon"}),
                ("context", {"task": "plan"}),
                ("warn", {"action": "book"}),
            ):
                assert not (await client.call_tool(name, {**given, "user_id": "alex"})).is_error


def by_commands() -> None:
    from emberkeep.entrypoints.cli import app  # noqa: PLC0415

    commands = "search Lisbon --user alex|doctor|stats --json|backup all.backup|restore all.backup --check|models list"
    for command in commands.split("|"):
        try:
            app(command.split())
        except SystemExit as left:
            if left.code:
                sys.exit(f"{command} ended with {left.code}")


def over_a_server() -> None:
    import httpx  # noqa: PLC0415

    import emberkeep  # noqa: PLC0415

    command = [sys.executable, "-m", "emberkeep", "serve", "--port", "0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            assert server.stdout is not None
            url = json.loads(server.stdout.readline())["serving"]
            for path in ("/healthz", "/readyz", "/metrics", "/", "/api/v1/openapi.json"):
                httpx.get(url + path, timeout=30)
            with emberkeep.open(url) as memory:
                assert memory.search("Lisbon", user_id="alex")
                memory.add("I like tea.", user_id="alex")
                assert memory.context("tea", user_id="alex").text
        finally:
            server.terminate()
            server.wait(30)


if __name__ == "__main__":
    if ONLY_HERE:
        be_reachable()
    prove_that_it_is_blocked()
    in_this_process()
    asyncio.run(over_mcp())
    by_commands()
    over_a_server()
