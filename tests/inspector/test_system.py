"""System: the tiers and what moves, how warm it is, what it costs, what waits, and what happens right now."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.conftest import Anywhere

import emberkeep
from emberkeep import Memory
from emberkeep.entrypoints.http.app import create_app
from emberkeep.entrypoints.serving import listening, server_of
from emberkeep.learning.llm import ModelLearner
from emberkeep.testing import FixedClock, ScriptedModel

from .conftest import Visit
from .hostile import ALL, SHORT, TEXTS, assert_harmless

pytestmark = pytest.mark.slow


def panel(page: Page, title: str) -> Locator:
    return page.locator("section.panel").filter(has=page.get_by_role("heading", name=title))


def tier(page: Page, name: str) -> Locator:
    return page.locator(".tier", has_text=name).locator(".tier-count")


def look_again(page: Page) -> None:
    """As it does by itself every few seconds."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def test_what_is_due_moves_and_it_is_said(visit: Visit, memory: Memory, clock: FixedClock) -> None:
    memory.goals.save("Ship it", status="succeeded")
    memory.tasks.save("t", "Deploy", status="failed", summary="It timed out")
    clock.move(days=400)
    memory.tasks.start("Water the plants")
    memory.operational.push_event("http", "GET /")
    due = memory.upkeep(dry_run=True).archived
    assert (due["tasks"], due["goals"]) == (1, 1)
    page = visit("#system")
    expect(tier(page, "Live events")).to_have_text("1")
    expect(tier(page, "Open work")).to_have_text("1")
    expect(tier(page, "Finished work")).to_have_text("2")
    expect(page.locator(".at-archived")).to_contain_text("2 due")
    before = memory.overview().tiers["long_term"]
    page.get_by_role("button", name="Run upkeep…").click()
    box = page.get_by_role("dialog")
    expect(box).to_contain_text("This would move now")
    expect(box).to_contain_text("1 task → long-term memory")
    assert memory.overview().tiers["finished"] == 2
    box.get_by_role("button", name="Run it").click()
    expect(box).to_contain_text("Upkeep has run")
    expect(box).to_contain_text("This was done")
    expect(box).to_contain_text("1 goal → long-term memory")
    box.get_by_role("button", name="Done").click()
    expect(box).to_have_count(0)
    expect(page.get_by_role("button", name="Run upkeep…")).to_be_focused()
    expect(tier(page, "Finished work")).to_have_text("0")
    assert memory.overview().tiers["long_term"] > before


def test_it_tells_what_the_memory_holds_and_is_made_of(visit: Visit, memory: Memory) -> None:
    memory.remember("Likes green tea", kind="preference", user_id="ann")
    memory.remember("Lives in Lisbon", user_id="ann", sacred=True)
    memory.search("tea", user_id="ann")
    stats = memory.stats()
    page = visit("#system")
    lights = page.get_by_role("list", name="Health")
    expect(lights).to_contain_text(f"Server answers, version {emberkeep.__version__}")
    expect(lights).to_contain_text("Database answers")
    expect(panel(page, "Temperature").locator("li").nth(7)).to_have_text("270°")
    expect(panel(page, "Temperature")).to_contain_text("1 memory is pinned")
    expect(panel(page, "Memories by kind (2)")).to_contain_text("preference")
    made = panel(page, "Made of")
    for told in (str(stats.embedder), f"{stats.dimension} dimensions", str(stats.learner), "default", ":memory:"):
        expect(made).to_contain_text(told)
    expect(made).to_contain_text("none: whoever is on this machine may do everything")
    expect(panel(page, "Embedding caches")).to_contain_text("store")
    expect(panel(page, "Spending")).to_contain_text("No language model was asked")
    expect(panel(page, "Backlog")).to_contain_text("All that was said has been learned from")
    expect(panel(page, "Audit")).to_contain_text("2 statements were looked through")
    memory.remember("Sails on Sundays", user_id="ann")
    look_again(page)
    expect(page.get_by_role("heading", name="Memories by kind (3)")).to_be_visible()


def test_what_waits_is_learned_when_asked(visit: Visit, memory: Memory) -> None:
    memory.add("I live in Lisbon.", user_id="ann", learn="later")
    page = visit("#system")
    backlog = panel(page, "Backlog")
    expect(backlog).to_contain_text("1 waiting")
    expect(backlog.get_by_role("link", name="the exchange")).to_be_visible()
    backlog.get_by_role("button", name="Learn now").click()
    expect(backlog.get_by_role("status").filter(has_text="1 exchange learned from")).to_be_visible()
    expect(backlog).to_contain_text("0 waiting")
    assert memory.stats().waiting == 0


def test_an_audit_gives_rates_and_examples(visit: Visit, memory: Memory) -> None:
    memory.remember("Ann lives in Lisbon with her sister", user_id="ann")
    memory.remember("Why is that so?", user_id="ann")
    found = memory.audit()
    assert found.faults["junk"].count == 1
    page = visit("#system")
    junk = panel(page, "Audit").locator("li", has_text="junk")
    expect(junk).to_contain_text("50 % (1)")
    junk.get_by_text("Such as").click()
    expect(junk).to_contain_text("Why is that so?")
    memory.remember("Bob sails on Sundays", user_id="bob")
    page.reload()
    page.get_by_label("User").select_option("bob")
    expect(junk).to_contain_text("0 % (0)")
    expect(page.get_by_role("main")).to_contain_text("the rest is everyone's")


def test_spending_is_shown_against_its_caps(opened: Anywhere, visit: Visit, server: Any, clock: FixedClock) -> None:
    learner = ModelLearner(ScriptedModel(lambda _: json.dumps({"facts": []})))
    caps = {"spend_soft_tokens": 1_000_000, "spend_hard_tokens": 2_000_000, "spend_user_tokens": 500_000}
    spent = opened(learner=learner, **caps)
    spent.add("I live in Lisbon.", user_id="ann")
    clock.move(days=1)
    spent.add("I like tea.", user_id="ann")
    server.serve(spent)
    shown = panel(visit("#system"), "Spending")
    expect(shown).to_contain_text(f"{spent.overview().spent_today:,} tokens today")
    expect(shown).to_contain_text("of 1,000,000, where it warns")
    expect(shown).to_contain_text("of 2,000,000, where it pauses")
    expect(shown).to_contain_text("A user may take 500,000 a day")
    expect(shown.locator(".bar-row dt")).to_have_text(["2026-06-02", "2026-06-01"])


def test_events_show_as_they_happen(visit: Visit, memory: Memory) -> None:
    page = visit("#system")
    events = panel(page, "Events")
    expect(events).to_contain_text("live")
    expect(events).to_contain_text("Nothing has happened since this page was opened")
    memory.remember("Likes tea", user_id="ann")
    rows = events.locator("li")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("memory.added")
    (added,) = memory.get_all(user_id="ann")
    expect(rows.get_by_role("link")).to_have_attribute("href", f"#memories/{added.id}")
    events.get_by_role("button", name="Pause").click()
    expect(events).to_contain_text("paused")
    memory.events.publish("app.greeted", {"by": "bob"}, user_id="bob")
    expect(events).to_contain_text("1 event since")
    expect(rows).to_have_count(1)
    events.get_by_role("button", name="Resume").click()
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("app.greeted")
    memory.remember("Likes coffee", user_id="bob")
    expect(rows).to_have_count(3)
    page.reload()  # with bob among the users
    page.get_by_label("User").select_option("bob")
    expect(events).to_contain_text("live")
    memory.remember("Sails", user_id="ann")
    memory.remember("Rows", user_id="bob")
    expect(rows).to_have_count(1)


def test_of_many_events_the_last_200_are_kept(visit: Visit, memory: Memory) -> None:
    page = visit("#system")
    expect(panel(page, "Events")).to_contain_text("live")
    for number in range(210):
        memory.events.publish("app.counted", {"number": number})
    expect(panel(page, "Events").locator("li").first).to_contain_text("number 209")
    expect(panel(page, "Events").locator("li")).to_have_count(200)


@contextmanager
def serving(memory: Memory, port: int) -> Iterator[int]:
    """A server of its own, which can go away and come back."""
    with listening("127.0.0.1", port) as listener:
        running = server_of(create_app(memory))
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            running.should_exit = True
            thread.join(30)


def test_what_could_not_be_read_is_read_when_the_server_is_back(visit: Visit) -> None:
    page = visit(expected="ERR_FAILED")
    page.route("**/api/v1/backlog*", lambda route: route.abort())
    page.goto("/#system")
    expect(panel(page, "Backlog").get_by_role("alert")).to_contain_text("The server does not answer.")
    page.unroute("**/api/v1/backlog*")
    expect(page.get_by_role("alert")).to_have_count(0, timeout=30_000)
    expect(panel(page, "Backlog")).to_contain_text("0 waiting")


def test_it_goes_on_when_the_server_was_away(browser: Any, memory: Memory) -> None:
    context = browser.new_context()
    page = context.new_page()
    with serving(memory, 0) as port:
        page.goto(f"http://127.0.0.1:{port}/#system")
        expect(panel(page, "Events")).to_contain_text("live")
        memory.events.publish("app.first")
        expect(panel(page, "Events").locator("li")).to_have_count(1)
    expect(panel(page, "Events")).to_contain_text("the server is away")
    look_again(page)
    expect(page.get_by_role("alert").first).to_contain_text("Is `emberkeep serve` still running?")
    expect(page.get_by_role("list", name="Health")).to_contain_text("Server does not answer")
    expect(page.get_by_role("heading", name="From tier to tier")).to_be_visible()  # as it was
    memory.events.publish("app.meanwhile")
    with serving(memory, port):
        expect(panel(page, "Events").locator("li")).to_have_count(2, timeout=20_000)
        expect(panel(page, "Events").locator("li").first).to_contain_text("app.meanwhile")
        look_again(page)  # unless it is just looking, when it does so again by itself
        expect(page.get_by_role("alert")).to_have_count(0, timeout=60_000)
        expect(page.get_by_role("list", name="Health")).to_contain_text("Server answers")
        context.close()


def test_hostile_texts_are_shown_as_text(visit: Visit, memory: Memory) -> None:
    for text in SHORT:
        memory.remember(f"{text}?", user_id=text.strip())
    memory.add(TEXTS[0], user_id=TEXTS[0], learn="later")
    page = visit("#system", viewport={"width": 360, "height": 700})
    expect(panel(page, "Events")).to_contain_text("live")
    memory.events.publish("app.said", {"words": ALL[:4000], TEXTS[1]: TEXTS}, user_id=TEXTS[1])
    expect(panel(page, "Events").locator("li")).to_contain_text(TEXTS[1])
    audit = panel(page, "Audit")
    audit.get_by_text("Such as").first.click()
    expect(audit.locator("details[open] li").first).not_to_be_empty()
    page.get_by_label("User").select_option(TEXTS[1])
    expect(page.get_by_role("main")).to_contain_text(f"those of {TEXTS[1]}")
    assert_harmless(page)


def test_an_empty_memory_says_what_would_fill_it(visit: Visit) -> None:
    page = visit("#system", color_scheme="dark")
    expect(panel(page, "Memories by kind (0)")).to_contain_text("emberkeep demo")
    expect(panel(page, "Audit")).to_contain_text("Nothing was learned yet")
    page.get_by_role("button", name="Run upkeep…").click()
    expect(page.get_by_role("dialog")).to_contain_text("Nothing. It would still tidy the database")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="Run upkeep…")).to_be_focused()
