"""What is around the pages: where they are, who is looked at, the key, and how it looks."""

import pytest
from playwright.sync_api import expect

from emberkeep import Memory

from .conftest import Visit

pytestmark = pytest.mark.slow


def test_every_page_is_reached_from_the_side(visit: Visit) -> None:
    page = visit()
    for name in ("Memories", "Timeline", "Context", "Work", "Patterns", "System"):
        page.get_by_role("link", name=name, exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(name)
        expect(page).to_have_title(f"{name} · Emberkeep")


def test_an_unknown_page_says_so(visit: Visit) -> None:
    expect(visit("#nowhere").get_by_role("main")).to_contain_text("There is no page here")


def test_the_theme_is_turned_and_kept(visit: Visit) -> None:
    page = visit(color_scheme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_role("button", name="Theme: system").click()
    page.get_by_role("button", name="Theme: light").click()
    assert page.evaluate(ground) != light
    page.reload()
    expect(page.get_by_role("button", name="Theme: dark")).to_be_visible()
    assert page.evaluate(ground) != light


def test_users_can_be_chosen(visit: Visit, memory: Memory) -> None:
    memory.remember("Likes tea", user_id="ann")
    page = visit()
    page.get_by_label("User").select_option("ann")
    page.reload()
    expect(page.get_by_label("User")).to_have_value("ann")


def test_the_keyboard_is_enough(visit: Visit) -> None:
    page = visit()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()
