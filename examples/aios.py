"""An operating system of agents: live state, work and knowledge, and the context before each call of a model.

Run it as it is, with a scripted model. `AIOS_LLM_URL` and `AIOS_LLM_MODEL` name a real one with OpenAI's chat API.
"""

import os
import tempfile
from pathlib import Path

import httpx

import emberkeep
from emberkeep.agent import Session

PLAN = ["disk_usage", "rotate_logs", "DONE The logs were rotated; the disk is at 41 %."]
TOOLS = {"disk_usage": "/var is at 97 %", "rotate_logs": "freed 18 GB", "restart": "restarted"}


def scripted(messages: list[dict[str, str]]) -> str:
    """A model that follows a plan, one step per call."""
    done = str(messages[-1]["content"]).count("->")
    return PLAN[min(done, len(PLAN) - 1)]


def served(messages: list[dict[str, str]]) -> str:
    """A real model on an OpenAI-compatible server."""
    body = {"model": os.environ["AIOS_LLM_MODEL"], "messages": messages, "max_tokens": 40}
    reply = httpx.post(f"{os.environ['AIOS_LLM_URL']}/chat/completions", json=body, timeout=180)
    return str(reply.json()["choices"][0]["message"]["content"])


def work(memory: emberkeep.Memory) -> None:
    """Run one task of an agent: ask the model, act, record the step, until the model says that it is done."""
    model = served if os.environ.get("AIOS_LLM_URL") else scripted
    with Session(memory, "Free space on /var", goal="Keep the servers healthy", agent_id="janitor") as session:
        seen: list[str] = []
        for _ in range(5):
            prompt = "Next tool, or DONE and what came of it? So far: " + "; ".join(seen)
            answer = session.ask(model, prompt).strip()
            if answer.startswith("DONE"):
                break
            name = answer.split()[0] if answer else ""
            with session.tool(name) as call:
                call.output, call.success = TOOLS.get(name, "no such tool"), name in TOOLS
            seen.append(f"{name} -> {call.output}")
        session.decide("Rotate the logs first", why="it is quick and loses nothing", alternatives=["Buy a larger disk"])
        session.finish(answer.removeprefix("DONE").strip())
        print("steps:", [(step.tool, step.success) for step in memory.tasks.steps(session.task.id)])
        print("tokens of each context:", [context.total_tokens for context in session.contexts])


with tempfile.TemporaryDirectory() as folder, emberkeep.open(Path(folder) / "aios.db") as memory:
    memory.operational.update_metric("disk_used", 0.97)
    memory.operational.push_event("disk", "/var is nearly full", severity="critical", source="node1")
    memory.procedures.save("Free a disk", "What to do when a disk is full", steps=["look", "rotate logs", "look again"])
    memory.knowledge.add("# Logs\n\nLogs live in /var/log and are rotated by logrotate.", title="Handbook")
    memory.patterns.store("the disk is full", "rotate the logs")
    work(memory)

    print("what is known before the next time:")
    print(memory.context("The disk of node1 is full again", max_tokens=400).text)
    print("who decided what:", [(one.record.who, one.record.what) for one in memory.decisions.similar("full disk")])
    print("what to do:", getattr(memory.patterns.find("no space left on the disk"), "action", None))
