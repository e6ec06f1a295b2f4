"""A model server that hangs, hangs up or talks nonsense: messages are kept all the same, and learned from later."""

from dataclasses import replace

from torture import ledger
from torture.crowd import crowd
from torture.model import MOODS, running
from torture.run import Run

TIMEOUT_S = 0.3


def moods(run: Run) -> None:
    """Two processes write with a learner that asks the model; its mood changes, and sometimes a writer is killed."""
    chance = run.chance
    with running() as model:
        place = run.place(
            "store", learner="llm", llm_url=model.url, llm_model="m", llm_timeout_s=TIMEOUT_S, learn_attempts=1_000
        )
        with crowd(place, run.seed, writers=2) as writers:
            for _ in run.goes_on():
                writers.get_on(chance, most=6)
                model.mood = chance.choice(MOODS)
                if chance.random() < 0.3:  # noqa: PLR2004 - now and then
                    writers.kill_one(chance)
                    writers.gather()
                    run.tally.kills += 1
            run.tally.kills += writers.kill_all()
        model.mood = "answers"
        run.judge(replace(place, settings={**place.settings, "llm_timeout_s": 30.0}))
        took = [deed.result["took_s"] for deed in ledger.read(place.ledger).deeds if deed.verb == "add" and deed.result]
        run.tally.notes.append(
            f"one question may take {TIMEOUT_S} s; the longest `add` took {max(took, default=0):.1f} s"
        )
