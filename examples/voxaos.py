"""A voice assistant: every turn is stored at once, and learned from later. Run it as it is."""

from datetime import UTC, datetime

import emberkeep

with emberkeep.open(":memory:") as memory:
    memory.capture.log(
        {
            "session_id": "kitchen",
            "timestamp": datetime.now(UTC),
            "user_transcript": "My name is Alex and I prefer Python. Turn on the light, please.",
            "tool_calls": [{"name": "light", "args": {"on": True}, "result": "ok"}],
            "assistant_response": "The light is on, Alex!",
            "skill_used": "home",
            "latency_ms": {"stt": 120.0, "llm": 340.0},
            "user_id": "alex",
        }
    )
    latest = memory.capture.recent(1)[0]
    print("written down:", latest.user_transcript, latest.details and latest.details.tool_calls)

    print("learned:", memory.learn().new)
    learned = memory.search("what's my name?", user_id="alex", kinds=["fact", "preference"])
    print("known:", [hit.text for hit in learned])
    print(memory.context("Greet the user", user_id="alex", max_tokens=200).text)
