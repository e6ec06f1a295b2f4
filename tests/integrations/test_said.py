"""What was said, as a memory takes it."""

from emberkeep.integrations import said


def test_what_is_too_long_for_one_message_is_several() -> None:
    text = "la " * 100_000
    found = said.messages("user", text)
    assert [len(one["content"]) for one in found] == [said.LONGEST] * 2 + [99_999]
    assert "".join(one["content"] for one in found) == text.strip()
    assert len(said.question(text)) == said.LOOKED_UP


def test_what_no_database_holds_is_replaced() -> None:
    assert said.messages("user", "a\x00b \ud800") == [{"role": "user", "content": "a\ufffdb ?"}]
    assert said.messages("user", " \n") == []
    assert said.question("  ") == ""
