"""Documents: imported, found, read again, replaced and removed."""

from pathlib import Path

import numpy as np
import pytest

import emberkeep
from emberkeep import Conflict, InvalidInput, Memory, ModelUnavailable, NotFound
from emberkeep.clock import Deadline
from emberkeep.providers.base import Vectors
from emberkeep.testing import FixedClock, WordEmbedder

GUIDE = """# The guide

For those who are new.

## Install

Run the installer, then restart the machine.

## Backups

Backups are taken every night at two.

They are kept for thirty days.
"""


def texts(memory: Memory, **where: str) -> list[str]:
    return [item.text for item in memory.get_all(kinds=["knowledge"], **where)]  # type: ignore[arg-type]


def test_a_document_is_kept_in_chunks_that_are_found(memory: Memory) -> None:
    added = memory.knowledge.add(GUIDE, metadata={"team": "ops"})

    assert (added.change, added.new, added.gone, added.kept) == ("added", 3, 0, 0)
    document = memory.knowledge.get(added.id)
    assert document == added.document
    assert (document.title, document.chunks, document.origin) == ("The guide", 3, "")
    assert document.metadata == {"team": "ops"}
    best, *_ = memory.knowledge.search("how long are backups kept?")
    assert (best.relevance, best.record.heading, best.record.chunk) == (1.0, "The guide › Backups", 2)
    assert best.record.text == (
        "The guide\n\n## Backups\n\nBackups are taken every night at two.\n\nThey are kept for thirty days."
    )
    assert (best.record.document_id, best.record.title, best.record.page) == (added.id, "The guide", None)
    assert memory.get(best.record.id).text == best.record.text
    assert memory.knowledge.list() == [document]


@pytest.mark.slow
def test_the_whole_text_comes_back(memory: Memory) -> None:
    text = GUIDE + "".join(f"\n## Part {n}\n\n{'A sentence of it. ' * 80}\n\n```\ncode  {n}\n```\n" for n in range(5))
    assert memory.knowledge.text(memory.knowledge.add(text).id) == "\n".join(
        line.rstrip() for line in text.strip().splitlines()
    )
    plain = "word " * 2_000
    assert memory.knowledge.text(memory.knowledge.add(plain, media_type="text/plain").id) == plain.strip()


def test_the_same_text_again_changes_nothing(memory: Memory, clock: FixedClock) -> None:
    first = memory.knowledge.add(GUIDE)
    clock.move(days=1)
    again = memory.knowledge.add(GUIDE)
    assert (again.change, again.document, again.kept) == ("unchanged", first.document, 3)
    assert len(memory.knowledge.list()) == 1
    assert len(texts(memory)) == 3
    assert memory.knowledge.add(GUIDE, user_id="alex").change == "added"  # another's


def test_a_changed_file_takes_the_place_of_what_it_said(memory: Memory, clock: FixedClock, tmp_path: Path) -> None:
    path = tmp_path / "guide.md"
    path.write_text(GUIDE, encoding="utf-8")
    first = memory.knowledge.import_file(path)
    before = {item.text: item.id for item in memory.get_all()}
    then = clock.now()
    clock.move(days=1)
    path.write_text(
        GUIDE.replace("thirty days", "ninety days").replace("## Install", "## First\n\nRead this.\n\n## Install"),
        encoding="utf-8",
    )
    second = memory.knowledge.import_file(str(path))

    assert (second.change, second.new, second.gone, second.kept) == ("replaced", 2, 1, 2)
    assert second.id == first.id
    assert (second.document.created_at, second.document.updated_at) == (then, clock.now())
    assert second.document.origin == str(path.resolve())
    assert memory.knowledge.text(first.id) == path.read_text(encoding="utf-8").strip()
    kept = {item.text: item.id for item in memory.get_all()}
    assert [kept[text] for text in before if text in kept] == [before[text] for text in before if text in kept]
    chunks = {item.metadata["chunk"]: item.metadata["heading"] for item in memory.get_all()}
    assert chunks == {
        0: "The guide",
        1: "The guide › First",
        2: "The guide › Install",
        3: "The guide › Backups",
    }
    assert memory.knowledge.search("how long are backups kept?")[0].record.text.endswith("ninety days.")
    past = memory.knowledge.search("how long are backups kept?", as_of=then)
    assert past[0].record.text.endswith("thirty days.")
    assert not any("thirty" in one.record.text for one in memory.knowledge.search("backups kept thirty days"))
    assert memory.knowledge.import_file(path).change == "unchanged"


def test_another_title_or_metadata_is_a_change_too(memory: Memory) -> None:
    first = memory.knowledge.add(GUIDE, origin="wiki/guide", metadata={"a": 1})
    named = memory.knowledge.add(GUIDE, origin="wiki/guide", title="Handbook")
    assert (named.id, named.change, named.document.metadata) == (first.id, "replaced", {"a": 1})
    assert all(text.startswith("Handbook") for text in texts(memory))
    assert memory.knowledge.text(first.id) == GUIDE.strip()
    described = memory.knowledge.add(GUIDE, origin="wiki/guide", title="Handbook", metadata={"a": 2})
    assert (described.change, described.new, described.gone) == ("replaced", 0, 0)


def test_an_id_may_be_chosen(memory: Memory) -> None:
    memory.knowledge.add(GUIDE, id="guide")
    assert memory.knowledge.add("Short.", id="guide").change == "replaced"
    assert memory.knowledge.text("guide") == "Short."
    with pytest.raises(Conflict, match="taken by another user"):
        memory.knowledge.add(GUIDE, id="guide", user_id="eve")


def test_deleting_leaves_nothing_of_any_version(memory: Memory) -> None:
    added = memory.knowledge.add(GUIDE, origin="guide")
    memory.knowledge.add(GUIDE.replace("thirty", "ninety"), origin="guide")
    receipt = memory.knowledge.delete(added.id)
    assert (receipt.rows["documents"], receipt.rows["items"]) == (1, 4)
    assert memory.stats().items == 0
    assert memory.knowledge.search("backups") == []
    with pytest.raises(NotFound, match="no document"):
        memory.knowledge.text(added.id)


def test_a_chunk_is_not_deleted_alone(memory: Memory) -> None:
    added = memory.knowledge.add("Short.")
    (item,) = memory.get_all()
    with pytest.raises(InvalidInput, match=f"stands for document '{added.id}'"):
        memory.delete(item.id)


def test_what_was_told_as_knowledge_is_no_document(memory: Memory) -> None:
    memory.remember("Backups are kept for a week", kind="knowledge")
    memory.knowledge.add(GUIDE)
    assert all(one.record.title == "The guide" for one in memory.knowledge.search("backups kept for a week"))
    assert memory.semantic_search("backups kept for a week", ["knowledge"])[0].content == "Backups are kept for a week"


def test_looking_in_one_document(memory: Memory) -> None:
    memory.knowledge.add(GUIDE)
    other = memory.knowledge.add("# Other\n\nBackups are for others.")
    found = memory.knowledge.search("backups", filters={"document_id": other.id})
    assert [one.record.title for one in found] == ["Other"]


def test_bytes_and_files_of_every_type(memory: Memory, tmp_path: Path) -> None:
    page = b"<title>A page</title><h1>News</h1><p>The bridge is closed.</p>"
    assert memory.knowledge.import_file(page, media_type="text/html").document.title == "A page"
    (tmp_path / "notes.txt").write_bytes("Der Käse ist alt".encode("utf-16"))
    imported = memory.knowledge.import_file(tmp_path / "notes.txt")
    assert (imported.document.title, memory.knowledge.text(imported.id)) == ("notes", "Der Käse ist alt")
    assert memory.knowledge.search("is the bridge open?")[0].record.text == "A page\n\n# News\n\nThe bridge is closed."
    with pytest.raises(InvalidInput, match="pass the media_type of these bytes"):
        memory.knowledge.import_file(page)


def test_text_that_declares_another_encoding_is_taken_as_it_is(memory: Memory) -> None:
    added = memory.knowledge.add('<meta charset="latin-1"><p>Käse', media_type="text/html")
    assert memory.knowledge.text(added.id) == "Käse"


def test_mistakes_name_the_file_and_leave_nothing_behind(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "empty.md").write_text("")
    (tmp_path / "picture.md").write_bytes(b"\x89PNG\x00\x00")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 no")
    (tmp_path / "letter.docx").write_text("x")
    for name, message in {
        "empty.md": "nothing to import",
        "picture.md": "not text",
        "broken.pdf": "broken",
        "letter.docx": "Pass a media_type",
        "missing.md": "cannot be read",
    }.items():
        with pytest.raises(InvalidInput, match=f"{name}.*{message}"):
            memory.knowledge.import_file(tmp_path / name)
    with pytest.raises(InvalidInput, match="is a folder: pass the files in it"):
        memory.knowledge.import_file(tmp_path)
    with pytest.raises(InvalidInput, match="text must be a string"):
        memory.knowledge.add(b"x")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="holds no text"):
        memory.knowledge.add(" \n")
    with pytest.raises(InvalidInput, match="a PDF is not text"):
        memory.knowledge.add("x", media_type="application/pdf")
    assert memory.knowledge.list() == []
    assert memory.stats().items == 0


def test_documents_have_a_largest_size(tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_text("word " * 300_000)
    with emberkeep.open(":memory:", embedder=WordEmbedder(), max_document_mb=1) as memory:
        for source in (tmp_path / "long.txt", b"word " * 300_000):
            with pytest.raises(InvalidInput, match="over 1 MB: split it, or raise max_document_mb"):
                memory.knowledge.import_file(source, media_type="text/plain")
        with pytest.raises(InvalidInput, match="over 1 MB"):
            memory.knowledge.add("word " * 300_000)


def test_a_part_that_is_longer_than_a_memory_may_be_is_refused() -> None:
    with emberkeep.open(":memory:", embedder=WordEmbedder(), max_text_chars=500) as memory:
        with pytest.raises(InvalidInput, match="raise max_text_chars"):
            memory.knowledge.add("A sentence of some length. " * 100)
        assert memory.knowledge.list() == []


def test_secrets_are_cut_out() -> None:
    with emberkeep.open(":memory:", embedder=WordEmbedder(), redact=True) as memory:
        added = memory.knowledge.add("The key is sk-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH today.")
        assert "abcdefghij" not in memory.knowledge.text(added.id)
        assert "today" in memory.knowledge.text(added.id)


@pytest.mark.slow
def test_progress_is_told_and_large_documents_are_kept() -> None:
    steps: list[int] = []
    text = "".join(f"## Part {n}\n\n{'It says something here. ' * 30}\n\n" for n in range(300))
    with emberkeep.open(":memory:", embedder=WordEmbedder()) as memory:
        added = memory.knowledge.add(text, progress=steps.append)
        assert sum(steps) == added.new == 300
        assert len(steps) > 1
        assert memory.knowledge.text(added.id).count("## Part") == 300


class Moody(WordEmbedder):
    """Down whenever it is told so."""

    down = False

    def embed(self, texts: object, *, deadline: Deadline | None = None) -> Vectors:
        if self.down:
            raise ModelUnavailable("asleep")
        return super().embed(texts)  # type: ignore[arg-type]


def test_a_model_that_is_down_delays_vectors_and_nothing_else() -> None:
    embedder = Moody()
    with emberkeep.open(":memory:", embedder=embedder) as memory:
        embedder.down = True
        assert memory.knowledge.add(GUIDE).new == 3
        assert "thirty" in memory.knowledge.search("backups kept")[0].record.text
        embedder.down = False
        assert memory.learn().embedded == 3
        assert np.isfinite(memory.knowledge.search("backups")[0].similarity or 0)
