"""What goes wrong around the page: slow and lost answers, clicks that come twice, keys that may not, odd ids."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from emberkeep import Memory
from emberkeep.testing import FixedClock

from .conftest import Visit
from .hostile import TEXTS, assert_harmless

pytestmark = pytest.mark.slow


def hold(page: Page, path: str) -> Callable[[], int]:
    """Keep the answers to a path back; what is returned lets them go and says how many there were."""
    held: list[Route] = []

    def keep(route: Route) -> None:
        held.append(route)

    def release() -> int:
        page.unroute(path)  # which lets go of those that wait
        return len(held)

    page.route(path, keep)

    return release


def test_any_id_has_an_address(visit: Visit, memory: Memory) -> None:
    ids = ("a/b%2Fc?d#e", "%zz", "…/é 🦊", TEXTS[0], "task:constructor")
    for known in ids:
        memory.tasks.save(known, f"Do {known}", status="running", user_id=known)
    page = visit("#work")
    for known in ids:
        page.get_by_label("User").select_option(known)
        expect(page.get_by_role("link", name="Do ")).to_have_count(1)
        page.get_by_role("link", name="Do ").click()
        expect(page.get_by_role("main")).to_contain_text(f"id {known}")
        page.get_by_role("button", name="✓ It succeeded").click()
        expect(page.get_by_role("status").filter(has_text="The task has succeeded")).to_be_focused()
        page.reload()
        expect(page.get_by_role("main")).to_contain_text("Kept as experience")
        page.get_by_role("link", name="← All work").click()
    assert {one.id for one in memory.tasks.list(status="succeeded")} == set(ids)


def test_an_id_that_a_browser_takes_for_a_folder_is_refused(visit: Visit, memory: Memory) -> None:
    memory.tasks.save("..", "Deploy", status="running")
    page = visit("#work")
    page.get_by_role("link", name="Deploy").click()
    expect(page.get_by_role("alert")).to_contain_text('A browser cannot ask for the id "..": use Python')
    page.goto("/#timeline/.")
    expect(page.get_by_role("alert")).to_contain_text("use Python")


def test_an_address_may_say_anything(visit: Visit, memory: Memory) -> None:
    memory.tasks.start("Deploy")
    page = visit("#work?tab=constructor&status=toString")
    expect(page.get_by_role("link", name="Deploy")).to_be_visible()
    for address in ("__proto__", "constructor", "%E0%A4%A"):
        page.goto(f"/#{address}")
        expect(page.get_by_role("main")).to_contain_text("There is no page here")
    page.goto("/#memories?q=why?really")
    expect(page.get_by_label("Search", exact=True)).to_have_value("why?really")


def test_what_is_not_there_is_said_not_to_be(visit: Visit) -> None:
    page = visit("#memories/nowhere", expected="status of 404")
    expect(page.get_by_role("alert")).to_have_text(re.compile("no memory 'nowhere'"))
    page.get_by_role("link", name="All memories").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Memories")
    for address, noun in (("timeline", "interaction"), ("context", "context"), ("patterns", "pattern")):
        page.goto(f"/#{address}/nowhere")
        expect(page.get_by_role("alert")).to_have_text(re.compile(f"no {noun} 'nowhere'"))


def test_a_browser_that_keeps_nothing_shows_everything(browser: Browser, server: Any, memory: Memory) -> None:
    memory.remember("Likes tea")
    server.serve(memory)
    with browser.new_context(base_url=server.url) as context:
        denied = "{ get() { throw new DOMException('denied', 'SecurityError') } }"
        for name in ("sessionStorage", "localStorage"):
            context.add_init_script(f"Object.defineProperty(window, '{name}', {denied})")
        page = context.new_page()
        page.goto("/")
        expect(page.get_by_text("Likes tea")).to_be_visible()
        page.get_by_role("button", name="Theme: system").click()
        expect(page.get_by_role("button", name="Theme: light")).to_be_visible()


def test_a_click_that_comes_twice_counts_once(visit: Visit, memory: Memory) -> None:
    known = memory.remember("Likes tea", user_id="ann").id
    handed = memory.context("Tea", user_id="ann").id
    page = visit(f"#context/{handed}")
    for address, path, name, said in (
        (f"context/{handed}", "**/feedback", "Yes", "Noted as helpful"),
        (f"memories/{known}", "**/memories/*", "Pin", "Pinned"),
    ):
        page.goto(f"/#{address}")
        button = page.get_by_role("button", name=name)
        expect(button).to_be_visible()
        expect(page.get_by_text("Loading…")).to_have_count(0)
        release = hold(page, path)
        button.dblclick()
        expect(button).to_have_attribute("aria-disabled", "true")
        assert release() == 1
        expect(page.get_by_role("status").filter(has_text=said)).to_be_visible()
    assert memory.get(known).sacred


def test_a_server_that_goes_away_during_a_change_loses_nothing(visit: Visit, memory: Memory) -> None:
    memory.tasks.start("Deploy", id="t")
    page = visit("#work/task%3At", expected="Failed to load resource")
    page.get_by_label("What came of it").fill("It held")
    page.route("**/finish", lambda route: route.abort())
    page.get_by_role("button", name="✓ It succeeded").click()
    expect(page.get_by_role("alert")).to_contain_text("Is `emberkeep serve` still running?")
    page.unroute("**/finish")
    page.get_by_role("button", name="✓ It succeeded").click()
    expect(page.get_by_role("status").filter(has_text="The task has succeeded")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    assert memory.tasks.get("t").summary == "It held"


def test_more_that_cannot_be_had_leaves_what_is_there(visit: Visit, memory: Memory) -> None:
    for number in range(30):
        memory.remember(f"Note number {number} of the log", kind="knowledge")
    page = visit(expected="Failed to load resource")
    expect(page.get_by_text("25 memories, latest first")).to_be_visible()
    page.route("**/api/v1/memories*", lambda route: route.abort())
    page.get_by_role("button", name="More").click()
    expect(page.get_by_role("alert")).to_contain_text("The server does not answer")
    expect(page.get_by_text("25 memories, latest first")).to_be_visible()
    page.unroute("**/api/v1/memories*")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("30 memories, latest first")).to_be_visible()


def test_what_is_of_before_looks_so_while_the_next_takes_long(visit: Visit, memory: Memory) -> None:
    memory.remember("Likes tea", user_id="ann")
    memory.remember("Likes coffee", user_id="bo")
    page = visit()
    page.get_by_label("User").select_option("ann")
    expect(page.locator(".memories > li")).to_have_count(1)
    release = hold(page, "**/api/v1/memories*")
    page.get_by_label("User").select_option("bo")
    expect(page.locator(".shown[aria-busy=true]")).to_have_css("opacity", "0.6")
    release()
    expect(page.locator(".shown").first).to_have_css("opacity", "1")
    expect(page.locator(".memories > li")).to_contain_text("Likes coffee")


def test_an_answer_of_somebody_else_is_no_blank_page(visit: Visit, memory: Memory) -> None:
    memory.tasks.start("Deploy")
    page = visit("#work")
    page.route("**/api/v1/memories*", lambda route: route.fulfill(body="<html>Log in</html>"))
    page.get_by_role("link", name="Memories").click()
    expect(page.get_by_role("alert")).to_contain_text("What answered is not Emberkeep")
    page.unroute("**/api/v1/memories*")
    page.route("**/api/v1/memories*", lambda route: route.fulfill(json={"memories": 7}))
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("alert")).to_contain_text("This cannot be shown")
    page.get_by_role("link", name="Work").click()
    expect(page.get_by_role("link", name="Deploy")).to_be_visible()


def test_a_key_that_may_only_read_is_told_so_and_keeps_what_was_typed(visit: Visit, memory: Memory) -> None:
    known = memory.remember("Likes tee", user_id="ann").id
    memory.incidents.report("It leaks")
    secret = memory.keys.create("a reader", role="read").secret
    page = visit(f"#memories/{known}", expected="status of 40")
    box = page.get_by_role("dialog", name="API key")
    box.get_by_label("Key").fill("ключ")
    box.get_by_role("button", name="Use it").click()
    expect(page.get_by_role("alert").first).to_contain_text("characters that are in no key: copy it again")
    page.get_by_role("button", name="API key: set").click()
    box.get_by_label("Key").fill(secret)
    box.get_by_role("button", name="Use it").click()
    page.get_by_role("button", name="Edit").click()
    page.get_by_label("Text", exact=True).fill("Likes tea")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("write")
    expect(page.get_by_label("Text", exact=True)).to_have_value("Likes tea")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("button", name="Forget…").click()
    page.get_by_role("button", name="Forget for good").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("write")
    page.goto("/#work?tab=incidents")
    page.get_by_text("Resolve it").click()
    page.get_by_label("What helped").fill("A new pipe")
    page.get_by_role("button", name="It is resolved").click()
    expect(page.get_by_role("alert")).to_contain_text("write")
    expect(page.get_by_label("What helped")).to_have_value("A new pipe")
    assert memory.get(known).text == "Likes tee"


def test_another_key_looks_at_everyone_of_its_own(visit: Visit, memory: Memory) -> None:
    memory.remember("Likes tea", user_id="ann")
    memory.remember("Likes coffee", user_id="bo")
    page = visit(expected="status of 40")
    page.get_by_label("User").select_option("ann")
    expect(page.locator(".memories > li")).to_have_count(1)
    secret = memory.keys.create("bo's", role="read", user_id="bo").secret
    page.get_by_role("button", name="API key: none").click()
    page.get_by_role("dialog").get_by_label("Key").fill(secret)
    page.get_by_role("button", name="Use it").click()
    expect(page.get_by_label("User")).to_have_value("*")
    expect(page.locator(".memories > li")).to_contain_text("Likes coffee")


def test_what_is_long_shows_its_beginning(visit: Visit, memory: Memory) -> None:
    text = "word" * 50_000
    known = memory.remember(text).id
    said = memory.add([f"number {number}" for number in range(60)], learn=False).interaction_id
    page = visit(f"#memories/{known}")
    page.get_by_role("button", name="Show all 200,000 characters").click()
    expect(page.get_by_role("button", name="Show less")).to_be_visible()
    page.get_by_role("button", name="Edit").click()
    expect(page.get_by_label("Text", exact=True)).to_have_value(text)
    page.goto(f"/#timeline/{said}")
    expect(page.locator(".said")).to_have_count(20)
    page.get_by_role("button", name="Show 40 more").click()
    expect(page.locator(".said")).to_have_count(60)


def test_as_many_and_as_long_tags_as_there_may_be(visit: Visit, memory: Memory) -> None:
    known = memory.remember("Likes tea", tags=[f"{number} {'W' * 250}" for number in range(64)]).id
    page = visit(viewport={"width": 320, "height": 700})
    expect(page.locator(".tag")).to_have_count(8)
    page.get_by_role("button", name="Show 56 more").click()
    expect(page.locator(".tag")).to_have_count(64)
    page.goto(f"/#memories/{known}")
    page.get_by_role("button", name="Edit").click()
    page.get_by_role("button", name="Remove the tag 63 ").click()
    assert_harmless(page)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status").first).to_contain_text("Changed.")
    assert len(memory.get(known).tags) == 63


def test_the_way_back_and_forth(visit: Visit, memory: Memory, clock: FixedClock) -> None:
    memory.remember("Likes tea", tags=["drinks"])
    clock.move(hours=1)
    memory.remember("The sky is grey")
    page = visit()
    page.get_by_label("Search", exact=True).fill("tea")
    expect(page.get_by_text("best first")).to_be_visible()
    page.get_by_role("link", name="Likes tea").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Memory")
    page.get_by_role("link", name="#drinks").first.click()
    expect(page.get_by_text("1 memory, latest first")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Memory")
    page.go_back()
    expect(page.get_by_label("Search", exact=True)).to_have_value("tea")
    page.go_forward()
    expect(page.get_by_role("region", name="What it says")).to_contain_text("Likes tea")


def test_an_outcome_is_changed_from_what_it_was(visit: Visit, memory: Memory) -> None:
    memory.decisions.log("Wait for noon", outcome="It was late", success=False)
    page = visit("#work?tab=decisions")
    page.get_by_role("button", name="Change the outcome").click()
    expect(page.get_by_label("How it turned out")).to_have_value("badly")
    expect(page.get_by_label("How it turned out").get_by_role("option")).to_have_text(["Well", "Badly"])
    page.get_by_label("What came of it").fill("It was far too late")
    page.get_by_role("button", name="Keep the outcome").click()
    expect(page.get_by_role("article")).to_contain_text("It was far too late")
    (kept,) = memory.decisions.list()
    assert kept.success is False
