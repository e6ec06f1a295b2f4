"""A federation of agents: memories that warm when told again, private to each user or shared by the tribe."""

import emberkeep


def told(memory: emberkeep.Memory, text: str, user_id: str) -> None:
    added = memory.add([{"role": "user", "content": text}], user_id=user_id, agent_id="bridge", tags=["federation"])
    print(f"{user_id}: {[(item.text, item.temperature) for item in added.learned]}")


with emberkeep.open(":memory:", initial_temperature=75, reheat_by=5) as memory:
    told(memory, "I prefer Telegram alerts.", "darrell")
    told(memory, "I prefer Telegram alerts.", "darrell")  # the same again: five degrees warmer, and no second copy
    told(memory, "I live in Tahlequah.", "joe")
    memory.remember("Council votes are held on Mondays", kind="decision", user_id="tribe", sacred=True)

    print("darrell's own:", [hit.text for hit in memory.search("alerts", user_id="darrell", kinds=["preference"])])
    seen = memory.search("when do we vote?", user_id="joe", shared=["tribe"], kinds=["fact", "decision"])
    print("joe's and the tribe's:", [hit.text for hit in seen])
