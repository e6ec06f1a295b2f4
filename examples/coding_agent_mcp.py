"""A coding agent whose memory is `emberkeep mcp`, over stdio, by the client of the MCP SDK. Run it as it is.

The agent is a script and its tools are simulated; its memory is real. In the first session a deployment fails,
and the agent finds out why. The second session has a server of its own and shares only the
memory with the first: it asks before it acts, and succeeds at once.
"""

import asyncio
import os
import re
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters

TOOLS = ("build", "clear_cache", "deploy")
USUAL = ("build", "deploy")


@dataclass
class Workshop:
    """The agent's tools: a deployment fails until the cache was cleared."""

    fresh: bool = False
    done: list[str] = field(default_factory=list)

    def use(self, tool: str) -> tuple[str, bool]:
        """Use a tool; return its output, and whether it worked."""
        self.done.append(tool)
        if tool == "clear_cache":
            self.fresh = True
        if tool == "deploy" and not self.fresh:
            return "KeyError: 'coupon_v2' while serving /basket", False
        return "ok", True


async def call(client: Client, name: str, /, **arguments: Any) -> dict[str, Any]:
    """Call a tool of the memory."""
    result = await client.call_tool(name, arguments)
    if result.is_error or not isinstance(result.structured_content, dict):
        raise SystemExit(f"{name}: {result.content}")
    return result.structured_content


async def attempt(client: Client, aim: str, tools: Sequence[str], summary: str) -> bool:
    """Run a task with these tools, recording each step; return whether it succeeded."""
    task = await call(client, "task_start", description=aim)
    for similar in task["similar_tasks"]:
        print(f"  known: {'succeeded' if similar['success'] else 'failed'}: {similar['summary']}")
    workshop, said, worked = Workshop(), "", True
    for tool in tools:
        said, worked = workshop.use(tool)
        await call(client, "task_step", task_id=task["task_id"], tool=tool, output=said, success=worked)
        if not worked:
            break
    ended = summary if worked else f"{tool} failed: {said}"
    await call(client, "task_finish", task_id=task["task_id"], success=worked, summary=ended)
    print(f"  {' > '.join(workshop.done)}: {'done' if worked else said}")
    return worked


async def plan(client: Client, aim: str) -> Sequence[str]:
    """Return the tools to use: those that worked after a failure of a similar task, else the usual ones."""
    warned = await call(client, "warn", action=aim)
    print(f"  warned: {warned['failed']} of {warned['total']} tasks like this failed")
    for fix in warned["fixes"]:
        named = [word for word in re.findall(r"\w+", fix["summary"]) if word in TOOLS]
        if named:
            print(f"  what worked: {fix['summary']}")
            return named
    return USUAL


async def first_session(client: Client) -> None:
    aim = "Deploy the coupon service"
    print("first session:", aim)
    tools = await plan(client, aim)
    if not await attempt(client, aim, tools, "Deployed"):
        why = f"The cache held coupons in their old form; with {', '.join(TOOLS)} it worked"
        await attempt(client, f"{aim} again", TOOLS, why)
        await call(
            client, "remember", text="Clear the cache before a deployment that changes coupons", kind="procedure"
        )


async def second_session(client: Client) -> None:
    aim = "Deploy the coupon service with new discounts"
    print("second session:", aim)
    tools = await plan(client, aim)
    if not await attempt(client, aim, tools, f"Deployed at once, with {', '.join(tools)}"):
        raise SystemExit("it learned nothing")
    context = await call(client, "context", task="Change how coupons are stored", max_tokens=300)
    print(context["text"])


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        args = ["-m", "emberkeep", "mcp", "--db", str(Path(folder, "agent.db")), "--user", "devi", "--agent", "coder"]
        server = StdioServerParameters(command=sys.executable, args=args, env=dict(os.environ))
        for session in (first_session, second_session):  # each with a server of its own, as a client starts it
            async with Client(server, read_timeout_seconds=60) as client:
                await session(client)


if __name__ == "__main__":
    asyncio.run(main())
