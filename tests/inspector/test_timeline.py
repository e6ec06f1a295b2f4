"""The timeline: what was said, what was learned from it, what waits, and trying again."""

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

import emberkeep
from emberkeep import Memory
from emberkeep.clock import Deadline
from emberkeep.errors import UnusableReply
from emberkeep.model.finding import Exchange, Finding, Lesson, Spent
from emberkeep.testing import FixedClock, WordEmbedder

from .conftest import Visit
from .hostile import SHORT, TEXTS, assert_harmless, shown

pytestmark = pytest.mark.slow


class Pupil:
    """Learns what users say, unless it talks nonsense."""

    name = "pupil-1"
    nonsense = False

    def learn(self, exchange: Exchange, *, deadline: Deadline | None = None) -> Lesson:
        if self.nonsense:
            raise UnusableReply("the model talks <b>nonsense</b>", tokens_in=7, tokens_out=3)
        found = [
            Finding(f"Somebody said that {message.content}", "fact", place, message.content)
            for place, message in enumerate(exchange.interaction.messages)
            if message.role == "user"
        ]
        return Lesson(tuple(found), Spent(10, 5, 1))


@pytest.fixture
def pupil() -> Pupil:
    return Pupil()


@pytest.fixture
def memory(clock: FixedClock, pupil: Pupil) -> Iterator[Memory]:
    with emberkeep.open(":memory:", embedder=WordEmbedder(), clock=clock, learner=pupil, learn_attempts=1) as opened:
        yield opened


def turns(page: Page) -> list[str]:
    return page.locator(".lived .said.user .stored").all_inner_texts()


def test_an_empty_log_says_what_would_fill_it(visit: Visit) -> None:
    page = visit("#timeline")
    expect(page.get_by_role("main")).to_contain_text("Nothing was captured yet.")
    expect(page.get_by_role("main")).to_contain_text("memory.capture.log")
    expect(page.get_by_role("navigation", name="Sessions")).to_contain_text("None yet")


def test_exchanges_come_latest_first_with_what_was_learned(visit: Visit, memory: Memory, clock: FixedClock) -> None:
    memory.add("it rains today", user_id="ann", session_id="monday", tags=["weather"])
    clock.move(hours=1)
    memory.add([{"role": "assistant", "content": "Good morning!"}], user_id="bo", session_id="early")
    page = visit("#timeline")
    expect(page.locator(".lived")).to_have_count(2)
    first, second = page.locator(".lived").all()
    expect(first).to_contain_text("Good morning!")
    expect(first).to_contain_text("Nothing was learned beyond what was said.")
    expect(second.get_by_role("region", name="What was learned")).to_contain_text("Somebody said that it rains today")
    expect(second).to_contain_text("1 message is found word for word.")
    expect(second).to_contain_text("#weather")
    second.get_by_role("link", name="Somebody said that it rains today").click()
    expect(page.locator("mark")).to_have_text("it rains today")


def test_more_of_them_even_where_many_happened_at_once(visit: Visit, memory: Memory) -> None:
    for number in range(24):
        memory.add(f"number {number} came by", occurred_at="2026-05-20T10:00:00Z", learn=False)
    page = visit("#timeline")
    expect(page.locator(".lived")).to_have_count(10)
    page.get_by_role("button", name="More").click()
    expect(page.locator(".lived")).to_have_count(20)
    expect(page.get_by_role("button", name="More")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".lived")).to_have_count(24)
    expect(page.get_by_role("button", name="More")).to_have_count(0)
    assert len(set(turns(page))) == 24


def test_one_session_of_one_user(visit: Visit, memory: Memory, clock: FixedClock) -> None:
    memory.add("it rains today", user_id="ann", session_id="monday")
    clock.move(hours=1)
    memory.add("it pours today", user_id="ann", session_id="tuesday")
    memory.add("it snows today", user_id="bo", session_id="monday")
    memory.add("it hails today", session_id="monday")
    page = visit("#timeline")
    sessions = page.get_by_role("navigation", name="Sessions")
    expect(page.locator(".lived")).to_have_count(4)
    sessions.get_by_role("link", name=re.compile("monday.*ann")).click()
    expect(page.locator(".lived")).to_have_count(1)
    assert turns(page) == ["it rains today"]
    expect(page).to_have_url(re.compile("session=monday&of=ann"))
    sessions.get_by_role("link", name=re.compile(r"^monday\s*Jun")).click()
    expect(page.locator(".lived")).to_contain_text("it hails today")
    expect(page.locator(".lived")).to_have_count(1)
    sessions.get_by_role("link", name="All sessions").click()
    expect(page.locator(".lived")).to_have_count(4)
    page.get_by_label("User").select_option("bo")
    expect(page.locator(".lived")).to_have_count(1)
    assert turns(page) == ["it snows today"]
    expect(sessions.get_by_role("link")).to_have_count(2)


def test_what_failed_is_said_why_and_tried_again(visit: Visit, memory: Memory, pupil: Pupil) -> None:
    pupil.nonsense = True
    memory.add("it rains today", user_id="ann")
    memory.add("it snows today", user_id="bo", learn="later")
    page = visit("#timeline")
    backlog = page.locator(".backlog")
    expect(backlog.get_by_role("heading")).to_have_text("1 exchange waits to be learned from, 1 failed")
    expect(backlog).to_contain_text("the model talks <b>nonsense</b>")
    expect(page.locator(".lived").filter(has_text="it rains today")).to_contain_text("the model talks <b>nonsense</b>")
    page.get_by_role("button", name="Retry").click()
    expect(page.get_by_role("status").first).to_contain_text("None waits, 2 failed")
    expect(page.get_by_role("status").first).to_contain_text("the model talks <b>nonsense</b>")
    pupil.nonsense = False
    page.get_by_role("button", name="Retry").click()
    expect(page.get_by_role("status").first).to_contain_text("Learned from 2 exchanges: 2 new memories")
    expect(page.locator(".backlog")).to_have_count(0)
    expect(page.locator(".came")).to_have_count(2)
    assert memory.backlog() == []


def test_the_backlog_is_that_of_the_user_and_leads_to_the_exchange(visit: Visit, memory: Memory) -> None:
    memory.add("it rains today", user_id="ann", learn="later")
    memory.add("it snows today", user_id="bo", learn="later")
    page = visit("#timeline")
    expect(page.locator(".backlog")).to_contain_text("2 exchanges wait")
    page.get_by_label("User").select_option("bo")
    expect(page.locator(".backlog")).to_contain_text("1 exchange waits")
    page.get_by_role("link", name="See it").click()
    expect(page.locator(".lived")).to_have_count(1)
    expect(page.locator(".lived")).to_contain_text("it snows today")
    page.get_by_role("button", name="Learn now").click()
    expect(page.locator(".came")).to_contain_text("Somebody said that it snows today")
    page.get_by_role("link", name="The whole timeline").click()
    expect(page).to_have_url(re.compile("#timeline$"))


def test_a_turn_with_tools_shows_what_was_done(visit: Visit, memory: Memory, clock: FixedClock) -> None:
    known = memory.capture.log(
        {
            "timestamp": clock.now() - timedelta(hours=1),
            "user_transcript": "What is the weather?",
            "assistant_response": "Rain.",
            "llm_messages": [{"role": "system", "content": "You are Voxa"}],
            "tool_calls": [{"name": "weather", "result": "<i>six degrees</i>"}],
            "skill_used": "weather",
            "latency_ms": {"stt": 210},
        }
    )
    page = visit(f"#timeline/{known}")
    expect(page.locator(".behind")).to_contain_text("skill: weather")
    expect(page.locator(".behind")).to_contain_text("stt: 210 ms")
    page.get_by_text("Tool calls (1)").click()
    expect(page.locator(".behind pre").first).to_contain_text("<i>six degrees</i>")
    page.get_by_text("Messages to the model (1)").click()
    expect(page.locator(".behind pre").last).to_contain_text("You are Voxa")


def test_words_that_were_deleted_are_said_to_be(visit: Visit, memory: Memory) -> None:
    added = memory.add(["it rains today", "and it snows"], learn=False)
    memory.delete(added.items[0].id)
    page = visit(f"#timeline/{added.interaction_id}")
    expect(page.locator(".said").first).to_contain_text("These words were deleted.")
    expect(page.locator(".said").last).to_contain_text("and it snows")


def test_hostile_texts_are_shown_as_text(visit: Visit, memory: Memory, pupil: Pupil) -> None:
    for number, text in enumerate(TEXTS):
        name = SHORT[number % len(SHORT)].strip()
        pupil.nonsense = number % 4 == 0
        said = [{"role": "user", "content": text, "name": name}, {"role": "assistant", "content": text}]
        memory.add(said, user_id=name, session_id=name, agent_id=name, tags=[name], metadata={name: text})
    page = visit("#timeline", viewport={"width": 1200, "height": 700}, color_scheme="dark")
    expect(page.locator(".backlog")).to_contain_text("the model talks <b>nonsense</b>")
    for number in (10, 20):
        expect(page.locator(".lived")).to_have_count(number)
        page.get_by_role("main").get_by_role("button", name="More", exact=True).last.click()
    expect(page.locator(".lived")).to_have_count(len(TEXTS))
    expect(page.get_by_text("Loading…")).to_have_count(0)
    listed = " ".join(page.locator(".lived-list").inner_text().split())
    for text in TEXTS:
        assert shown(text) in listed
    assert_harmless(page)
    page.evaluate("document.querySelector('.lived .row a').click()")
    expect(page.locator(".lived")).to_have_count(1)
    expect(page.get_by_text("Loading…")).to_have_count(0)
    assert_harmless(page)


def test_a_key_of_one_user_shows_what_is_theirs(visit: Visit, memory: Memory) -> None:
    memory.add("it rains today", user_id="ann", session_id="monday")
    memory.add("it snows today", user_id="bo", learn="later")
    key = memory.keys.create("ann's", role="write", user_id="ann").secret
    page = visit("#timeline", expected="Failed to load resource")
    page.get_by_role("textbox", name="Key").fill(key)
    page.get_by_role("button", name="Use it").click()
    expect(page.locator(".lived")).to_have_count(1)
    expect(page.locator(".lived")).to_contain_text("Somebody said that it rains today")
    expect(page.get_by_role("main")).to_contain_text("What waits: this key is for one user")
    expect(page.get_by_role("combobox", name="User")).to_contain_text("The key's user")
    page.get_by_role("link", name="Memories", exact=True).click()
    expect(page.get_by_role("link", name="Somebody said that it rains today")).to_be_visible()
    page.get_by_role("link", name="Context", exact=True).click()
    page.get_by_label("Task").fill("What is the weather")
    page.get_by_role("button", name="Assemble").click()
    expect(page.locator(".rendered")).to_contain_text("it rains today")
