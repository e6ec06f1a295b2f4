"""Ten lines to a first memory: keep, find, warm, forget. Run it: python examples/first_memory.py."""

import emberkeep

with emberkeep.open(":memory:") as memory:
    memory.add("I moved to Lisbon in May, and I miss the mountains.", user_id="alex")
    memory.remember("Prefers a window seat", kind="preference", user_id="alex")
    for hit in memory.search("where does Alex live?", user_id="alex", limit=2):
        print(f"{hit.score:.2f}  {hit.temperature:.0f}°  {hit.text}   ({hit.why})")
    again = memory.remember("prefers a window seat", kind="preference", user_id="alex")
    print("told again, so warmer:", again.items[0].temperature)
    print(memory.context("Book a flight for Alex", user_id="alex", max_tokens=200).text)
    print("forgotten:", dict(memory.delete_all(user_id="alex").rows))
