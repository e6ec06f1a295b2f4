"""A task runner: it records each step, and has the summaries of earlier tasks for the next one. Run it as it is."""

import asyncio
import tempfile
from pathlib import Path

from emberkeep.adapters.aira import MemoryStore


async def run_task(store: MemoryStore, task_id: str, description: str, outputs: dict[str, str]) -> None:
    """Run one task: plan it, record its steps, and sum it up."""
    await store.save_task(task_id, {"description": description, "status": "PLANNING"})
    for iteration, (tool, output) in enumerate(outputs.items(), start=1):
        step = {"iteration": iteration, "tool_name": tool, "output": output, "success": True, "duration_ms": 12}
        await store.save_step(task_id, step)
    await store.update_task_status(task_id, "COMPLETED", f"{description}: {len(outputs)} steps, all went well.")


async def main() -> None:
    """Store two tasks, a preference and a mood, and read them after opening the file again."""
    with tempfile.TemporaryDirectory() as folder:
        store = MemoryStore(Path(folder) / "aira.db")
        await store.init_db()
        await store.save_preference("units", "metric")
        await store.save_persona_state("mood", "cheerful")
        await run_task(store, "t1", "Read the notes", {"file_read": "Buy oat milk."})
        await run_task(store, "t2", "Write the shopping list", {"file_read": "Buy oat milk.", "file_write": "written"})
        await store.close()

        again = MemoryStore(Path(folder) / "aira.db")
        await again.init_db()
        print("before the next task:", await again.get_recent_summaries(limit=3))
        print("units:", await again.get_preference("units"), "- mood:", await again.get_persona_state("mood"))
        task = await again.get_task("t2")
        print("t2 is", task and task["status"], "after", len(again.memory.tasks.steps("t2")), "steps")
        print("found:", [hit.text for hit in again.memory.search("what is on the shopping list?", limit=1)])
        await again.close()


asyncio.run(main())
