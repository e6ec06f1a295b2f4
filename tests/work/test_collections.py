"""One search over all collections, and erasing them."""

import pytest

import emberkeep
from emberkeep import InvalidInput, Memory
from emberkeep.testing import WordEmbedder


@pytest.fixture
def filled(memory: Memory) -> Memory:
    memory.decisions.log("Move the logs to another disk", why="the disk was full", user_id="alex")
    memory.incidents.report("Disk full on db-1", "Writes failed", user_id="alex")
    memory.procedures.save("Free disk space", "When a disk is full", steps=["Rotate the logs"], user_id="alex")
    memory.configs.record("logs.path", "/var/log", "/data/log", why="the disk was full", user_id="alex")
    memory.knowledge.add("# Disks\n\nA full disk stops the database.", user_id="alex")
    memory.add("The disk is full again!", user_id="alex")
    memory.procedures.save("Bake bread", "For the weekend", steps=["Knead"], user_id="sam")
    return memory


def test_decisions_incidents_and_procedures_are_searched_unless_others_are_named(filled: Memory) -> None:
    found = filled.semantic_search("the disk is full")
    assert {one.collection for one in found} == {"decisions", "incidents", "procedures"}
    relevances = [one.relevance for one in found]
    assert relevances == sorted(relevances, reverse=True)
    similarities = {hit.text: hit.similarity for hit in filled.search("the disk is full", user_id="alex", limit=50)}
    assert found[0].relevance == pytest.approx(similarities[found[0].content], abs=1e-3)
    assert all(0 <= one < 1 for one in relevances)


def test_what_has_nothing_to_do_with_the_question_is_not_relevant(filled: Memory) -> None:
    (other,) = filled.semantic_search("quantum chromodynamics", ["procedures"], user_id="sam")
    assert other.relevance == 0.0


def test_all_collections_are_in_one_ranking(filled: Memory) -> None:
    names = ["knowledge", "configs", "decisions", "incidents", "procedures"]
    found = filled.semantic_search("the disk is full", names, 5, user_id="alex")
    assert sorted(one.collection for one in found) == sorted(names)
    assert len(filled.semantic_search("the disk is full", names, 2)) == 2


def test_results_name_the_record_and_chunks_the_memory(filled: Memory) -> None:
    (incident,) = filled.semantic_search("disk full", ["incidents"])
    assert filled.incidents.get(incident.id).title == "Disk full on db-1"
    assert incident.content == "Disk full on db-1: Writes failed."
    (chunk,) = filled.semantic_search("disk full", ["knowledge"])
    assert filled.get(chunk.id).text == chunk.content
    assert chunk.metadata.keys() == {"document_id", "title", "heading", "chunk"}


def test_it_is_narrowed_as_search_is(filled: Memory) -> None:
    assert [one.content for one in filled.semantic_search("anything", ["procedures"], user_id="sam")] == [
        "Bake bread: For the weekend. Steps: 1. Knead."
    ]
    assert filled.semantic_search("disk", filters={"severity": "low"}) == []


def test_what_makes_no_sense_is_refused(filled: Memory) -> None:
    with pytest.raises(InvalidInput, match="use one of decisions, incidents, procedures, knowledge, configs"):
        filled.semantic_search("disk", ["recipes"])
    with pytest.raises(InvalidInput, match=r"collections.*list"):
        filled.semantic_search("disk", "incidents")
    with pytest.raises(InvalidInput, match="n_results is 0"):
        filled.semantic_search("disk", n_results=0)
    with pytest.raises(InvalidInput, match="name the collections instead"):
        filled.semantic_search("disk", kinds=["fact"])
    with pytest.raises(InvalidInput, match="query is empty"):
        filled.semantic_search(" ")


def test_erasing_a_user_erases_the_collections(filled: Memory) -> None:
    receipt = filled.delete_all(user_id="alex")
    tables = ("decisions", "incidents", "procedures", "config_changes", "documents")
    assert {table: receipt.rows[table] for table in tables} == dict.fromkeys(tables, 1)
    left = [filled.decisions.list(), filled.incidents.list(), filled.configs.list(), filled.knowledge.list()]
    assert left == [[], [], [], []]
    assert [one.name for one in filled.procedures.list()] == ["Bake bread"]
    assert filled.semantic_search("the disk is full", ["knowledge", "configs", "incidents"]) == []


def test_tenants_do_not_see_one_another(durable_target: str) -> None:
    with (
        emberkeep.open(durable_target, embedder=WordEmbedder()) as memory,
        emberkeep.open(durable_target, tenant="other", embedder=WordEmbedder()) as other,
    ):
        memory.procedures.save("Deploy", "By hand", id="deploy")
        assert other.procedures.list() == []
        assert other.procedures.find("deploy") == []
        other.procedures.save("Bake", id="deploy")
        assert memory.procedures.get("deploy").name == "Deploy"
