"""Patterns: what repeats and how sure that is, what is said of it, what to ask, and warnings."""

import pytest
from playwright.sync_api import expect

from emberkeep import Memory, TaskPattern
from emberkeep.patterns.statistics import wilson
from emberkeep.testing import FixedClock

from .conftest import Visit
from .hostile import ALL, SHORT, TEXTS, assert_harmless

pytestmark = pytest.mark.slow


def live_through(memory: Memory, user_id: str | None = None) -> list[TaskPattern]:
    """Deployments that go well by the canary and badly without it, and reviews that always do."""
    for number in range(10):
        memory.experience.store(
            f"c{number}", f"Deploy by canary {number}", success=number > 0, auto_extract_patterns=False,
            task_type="deploy", user_id=user_id,
        )  # fmt: skip
        memory.experience.store(
            f"d{number}", f"Deploy directly {number}", success=number > 8, error_patterns=["TimeoutError: probe"],
            auto_extract_patterns=False, task_type="deploy", user_id=user_id,
        )  # fmt: skip
        memory.experience.store(
            f"r{number}", f"Review request {number}", success=True, auto_extract_patterns=False, task_type="review",
            user_id=user_id,
        )  # fmt: skip
    return memory.patterns.extract(user_id=user_id)


def percent(share: float) -> str:
    return f"{int(100 * share + 0.5)} %"


def test_patterns_are_shown_with_their_evidence(visit: Visit, memory: Memory) -> None:
    patterns = live_through(memory)
    assert {one.pattern_type for one in patterns} >= {"success", "failure"}
    page = visit("#patterns")
    for one in patterns:
        card = page.get_by_role("article").filter(has=page.get_by_role("link", name=one.description, exact=True))
        low, high = wilson(one.hits, one.support)
        expect(card).to_contain_text(f"{one.hits} of {one.support}")
        expect(card).to_contain_text(f"confidence {percent(one.confidence_score)}")
        expect(card).to_contain_text(f"between {percent(low)} and {percent(high)}")
        expect(card.get_by_role("img", name=f"{percent(one.hits / one.support)} seen")).to_be_visible()
        for name in one.indicators:
            expect(card.locator(".chip", has_text=name.partition(":")[2]).first).to_be_visible()
    page.get_by_label("Show").select_option("What fails")
    expect(page.get_by_role("heading", name="What fails")).to_be_visible()
    expect(page.get_by_role("heading", name="What succeeds")).to_have_count(0)


def test_one_is_rated_and_shows_how_it_changed(visit: Visit, memory: Memory) -> None:
    (pattern,) = [one for one in live_through(memory) if one.task_type_pattern == "^review$"]
    page = visit("#patterns")
    page.get_by_role("link", name=pattern.description).click()
    expect(page.get_by_text("Nobody has said so far")).to_be_visible()
    page.get_by_label("A note, if you like").fill("It saved the day")
    page.get_by_role("button", name="✓ Helpful").press("Enter")
    expect(page.get_by_role("status").filter(has_text="Kept as helpful: confidence 74 %")).to_be_visible()
    expect(page.get_by_role("button", name="✓ Helpful")).to_be_focused()
    expect(page.get_by_label("A note, if you like")).to_have_value("")
    expect(page.locator(".ratings")).to_contain_text("It saved the day")
    page.get_by_role("button", name="✗ Not helpful").click()
    expect(page.get_by_role("status").filter(has_text="Kept as not helpful")).to_be_visible()
    rated = memory.patterns.get(pattern.id)
    assert (rated.helpful, rated.unhelpful) == (1, 1)
    assert [one.note for one in memory.patterns.ratings(pattern.id)] == ["It saved the day", None]
    versions = page.locator(".versions li")
    expect(versions).to_have_count(3)
    expect(versions.nth(0)).to_contain_text(percent(rated.confidence_score))
    expect(versions.nth(1)).to_contain_text("74 %")
    expect(versions.nth(1)).to_contain_text("found helpful")
    expect(versions.nth(2)).to_contain_text(percent(pattern.confidence_score))
    expect(versions.nth(2)).to_contain_text("learned")
    expect(page.get_by_role("img", name="Confidence from")).to_be_visible()
    page.locator("section", has_text="Examples").get_by_role("link").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Task")


def test_retired_ones_are_behind_a_switch(visit: Visit, memory: Memory) -> None:
    (pattern,) = [one for one in live_through(memory) if one.task_type_pattern == "^review$"]
    while memory.patterns.get(pattern.id).retired_at is None:
        memory.patterns.feedback(pattern.id, helpful=False)
    page = visit("#patterns")
    expect(page.get_by_role("article").first).to_be_visible()
    expect(page.get_by_role("link", name=pattern.description)).to_have_count(0)
    page.get_by_label("Retired ones too").check()
    card = page.get_by_role("article").filter(has=page.get_by_role("link", name=pattern.description))
    expect(card).to_contain_text("retired")


def test_questions_are_answered(visit: Visit, memory: Memory) -> None:
    live_through(memory)
    (first, *_) = memory.patterns.ask(1)
    page = visit("#patterns")
    question = page.locator(".question").filter(has_text=first.pattern.description).first
    question.get_by_role("button", name="Yes").click()
    expect(page.get_by_role("status").filter(has_text="Kept: it is")).to_be_visible()
    assert memory.patterns.get(first.pattern.id).helpful == 1
    expect(page.get_by_role("article").filter(has_text="1 found it helpful, 0 not")).to_have_count(1)


def test_it_warns_of_what_failed_before(visit: Visit, memory: Memory, clock: FixedClock) -> None:
    live_through(memory)
    clock.move(hours=1)
    memory.experience.store("d3", "Deploy directly 3, with a longer timeout", success=True)
    memory.experience.store("f", "Paint the garden fence", success=True)
    page = visit("#patterns")
    page.get_by_label("What you are about to do").fill("Deploy directly 3")
    panel = page.locator("section", has_text="Warn me")
    caution = memory.experience.warn("Deploy directly 3")
    expect(panel).to_contain_text(f"({caution.failed} of {caution.total})")
    expect(panel).to_contain_text(caution.message)
    expect(panel.get_by_role("link", name="with a longer timeout")).to_be_visible()
    page.get_by_label("What you are about to do").fill("Paint the garden fence")
    expect(panel).to_contain_text("and never failed")
    page.get_by_label("What you are about to do").fill("qqq")
    expect(panel).to_contain_text("Nothing like it was done here before")


def test_a_user_sees_their_own_and_where_there_is_none_it_says_why(visit: Visit, memory: Memory) -> None:
    live_through(memory, user_id="ann")
    memory.remember("Likes tea", user_id="bob")
    page = visit("#patterns")
    expect(page.get_by_role("article").first).to_be_visible()
    page.get_by_label("User").select_option("bob")
    expect(page.get_by_role("main")).to_contain_text("memory.patterns.extract")
    expect(page.get_by_role("main")).to_contain_text("nothing to ask about")
    page.get_by_label("What you are about to do").fill("Deploy directly 3")
    expect(page.locator("section", has_text="Warn me")).to_contain_text("Nothing like it")
    page.get_by_label("User").select_option("ann")
    expect(page.locator("section", has_text="Warn me")).to_contain_text("What failed")


def test_hostile_texts_are_shown_as_text(visit: Visit, memory: Memory) -> None:
    for text in SHORT[:12]:
        for number in range(5):
            memory.experience.store(
                f"{number} {text[:150]}", text, success=False, error_patterns=[text], auto_extract_patterns=False,
                task_type=text[:150],
            )  # fmt: skip
    made = memory.patterns.extract()
    assert len(made) >= 10
    memory.patterns.feedback(made[0].id, helpful=True, note=ALL)
    page = visit("#patterns", viewport={"width": 360, "height": 700})
    expect(page.get_by_role("article")).to_have_count(len(made))
    expect(page.get_by_role("main")).to_contain_text(TEXTS[1])
    page.get_by_label("What you are about to do").fill(TEXTS[1])
    expect(page.locator("section", has_text="Warn me")).to_contain_text("What failed")
    assert_harmless(page)
    page.goto(f"/#patterns/{made[0].id}")
    expect(page.locator(".ratings")).to_contain_text(TEXTS[0])
    page.get_by_role("button", name="Show all").first.click()
    assert_harmless(page)
