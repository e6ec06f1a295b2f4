"""An agent's loop, and what is told of finished work, with a real language model: whatever it says, nothing is lost."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import emberkeep
from emberkeep.agent import Session
from emberkeep.learning.llm import ModelLearner
from emberkeep.providers.openai_chat import OpenAIChat
from emberkeep.testing import FixedClock, WordEmbedder

pytestmark = pytest.mark.live

ROOT = Path(__file__).parents[2]


def test_the_example_runs_with_it(server: str) -> None:
    environ = {**os.environ, "AIOS_LLM_URL": server, "AIOS_LLM_MODEL": "local"}
    command = [sys.executable, "-W", "error", str(ROOT / "examples" / "aios.py")]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, env=environ)
    assert ran.returncode == 0, ran.stderr
    assert "steps: [('model', True)" in ran.stdout
    assert "</memory>" in ran.stdout


def test_the_chatbot_remembers_with_it(server: str, tmp_path: Path) -> None:
    environ = {**os.environ, "OPENAI_BASE_URL": server}
    command = [sys.executable, str(ROOT / "examples" / "chatbot.py"), "--db", str(tmp_path / "chat.db")]
    said = ["--say", "I live in Lisbon and my dog is called Rex.", "--say", "What is my dog called?"]
    ran = subprocess.run(
        [*command, *said, "--max-tokens", "300"], capture_output=True, text=True, timeout=600, check=False, env=environ
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.count("bot: ") == 2, ran.stderr
    assert "Rex" in ran.stdout


def test_it_answers_with_what_is_remembered(chat: OpenAIChat) -> None:
    def model(messages: list[dict[str, str]]) -> str:
        system = " ".join(one["content"] for one in messages[:-1])
        return chat.complete(system, messages[-1]["content"]).text

    with emberkeep.open(":memory:") as memory:
        memory.remember("The wifi password of the office is written on the blue whiteboard")
        with Session(memory, "Help a visitor", max_tokens=500) as session:
            answer = session.ask(model, "Where can I find the wifi password?")
            assert answer.strip()
            assert "whiteboard" in session.contexts[0].text
        assert memory.tasks.get(session.task.id).status == "succeeded"


def test_it_sums_up_finished_work_or_the_extract_does(chat: OpenAIChat) -> None:
    clock = FixedClock()
    with emberkeep.open(":memory:", clock=clock, embedder=WordEmbedder(), learner=ModelLearner(chat)) as memory:
        task = memory.tasks.start("Renew the certificate of the web shop")
        memory.tasks.step(task.id, "shell", output="certbot renewed shop.example until March")
        memory.tasks.finish(task.id, success=True, summary="The certificate is valid until March")
        clock.move(days=40)
        assert memory.upkeep().archived["tasks"] == 1
        (summary,) = memory.search("certificate", kinds=["summary"])
        assert "certificate" in summary.text.lower()
        assert summary.metadata["summarizer"]
        assert memory.tasks.steps(task.id)[0].tool == "shell"
