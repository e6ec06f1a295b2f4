"""A server with keys: the page asks for one, keeps it for the tab, and says what the key may not do."""

import pytest
from playwright.sync_api import expect

from emberkeep import Memory

from .conftest import Visit

pytestmark = pytest.mark.slow


def test_the_page_asks_for_a_key(visit: Visit, memory: Memory) -> None:
    memory.remember("Likes tea", user_id="ann")
    secret = memory.keys.create("the inspector", role="read").secret
    page = visit("#system", expected="status of 401")
    box = page.get_by_role("dialog", name="API key")
    expect(box).to_contain_text("This server asks for a key")
    expect(page.get_by_role("alert").first).to_be_visible()
    box.get_by_label("Key").fill("ek_wrong")
    box.get_by_role("button", name="Use it").click()
    expect(box).to_have_count(0)
    expect(page.get_by_role("alert").first).to_be_visible()
    page.get_by_role("button", name="API key: set").click()
    box.get_by_label("Key").fill(f" {secret} ")
    box.get_by_label("Key").press("Enter")
    expect(page.get_by_role("heading", name="Memories by kind (1)")).to_be_visible()
    expect(page.get_by_text("● live")).to_be_visible()
    expect(page.get_by_label("User").get_by_role("option", name="ann")).to_be_attached()
    page.reload()
    expect(page.get_by_role("heading", name="Memories by kind (1)")).to_be_visible()
    assert secret not in page.content()
    other = page.context.new_page()
    other.goto("/#system")
    expect(other.get_by_role("dialog", name="API key")).to_be_visible()
    other.close()


def test_what_a_key_may_not_do_is_said(visit: Visit, memory: Memory) -> None:
    reader = memory.keys.create("a reader", role="read").secret
    admin = memory.keys.create("an admin", role="admin").secret
    page = visit("#system", expected="status of 40")
    page.get_by_role("dialog").get_by_label("Key").fill(reader)
    page.get_by_role("button", name="Use it").click()
    page.get_by_role("button", name="Run upkeep…").click()
    expect(page.get_by_role("alert")).to_contain_text("admin")
    page.get_by_role("button", name="API key: set").click()
    page.get_by_role("dialog").get_by_label("Key").fill(admin)
    page.get_by_role("button", name="Use it").click()
    page.get_by_role("button", name="Run upkeep…").click()
    expect(page.get_by_role("dialog")).to_contain_text("This would move now")


def test_a_key_of_one_user_shows_what_is_theirs(visit: Visit, memory: Memory) -> None:
    memory.tasks.start("Water the plants", user_id="ann")
    memory.tasks.start("Rob the bank", user_id="bob")
    secret = memory.keys.create("ann's", role="write", user_id="ann").secret
    page = visit("#work", expected="status of 40")
    page.get_by_role("dialog").get_by_label("Key").fill(secret)
    page.get_by_role("button", name="Use it").click()
    expect(page.get_by_role("link", name="Water the plants")).to_be_visible()
    expect(page.get_by_text("Rob the bank")).to_have_count(0)
    expect(page.get_by_label("User").get_by_role("option")).to_have_text("The key's user")
    page.get_by_role("link", name="System").click()
    expect(page.get_by_role("alert")).to_contain_text("overview is about everyone")
    expect(page.get_by_text("● live")).to_be_visible()
