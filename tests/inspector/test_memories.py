"""The memories: found with reasons, looked into, corrected and forgotten."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from emberkeep import Memory, NotFound
from emberkeep.testing import FixedClock

from .conftest import Visit
from .hostile import SHORT, TEXTS, assert_harmless, shown

pytestmark = pytest.mark.slow
SAID = [
    {"role": "user", "content": "Hello there. I moved to Lisbon in May. What a year!", "name": "Ann"},
    {"role": "assistant", "content": "How do you like it?"},
]


def cards(page: Page) -> list[str]:
    return page.locator(".memories > li > a").all_inner_texts()


def test_an_empty_store_says_what_would_fill_it(visit: Visit) -> None:
    page = visit()
    expect(page.get_by_role("main")).to_contain_text("Nothing is remembered yet.")
    expect(page.get_by_role("main")).to_contain_text("emberkeep demo")


def test_the_latest_come_first_page_by_page(visit: Visit, memory: Memory, clock: FixedClock) -> None:
    for number in range(28):
        memory.remember(f"Note number {number} of the log", kind="knowledge")
        clock.move(hours=1)
    page = visit()
    expect(page.get_by_text("25 memories, latest first")).to_be_visible()
    assert cards(page)[0] == "Note number 27 of the log"
    page.get_by_role("button", name="More").click()
    expect(page.get_by_text("28 memories, latest first")).to_be_visible()
    assert cards(page)[-1] == "Note number 0 of the log"
    expect(page.get_by_text("That is all.")).to_be_focused()


def test_search_as_you_type_says_why_and_is_in_the_address(visit: Visit, memory: Memory) -> None:
    memory.add(SAID, user_id="ann")
    memory.remember("The cat sleeps all day", user_id="ann")
    page = visit()
    page.get_by_label("Search", exact=True).press_sequentially("who moved to lisbon", delay=20)
    expect(page).to_have_url(re.compile(r"#memories\?q=who\+moved\+to\+lisbon$"))
    hit = page.locator(".memories > li").first
    expect(hit).to_contain_text("Lisbon")
    hit.get_by_text("Why it is here: 2 words in common").click()
    best = memory.search("who moved to lisbon", user_id="*")[0]
    for one in best.why.evidence:
        expect(hit.locator(".worths")).to_contain_text(f"{one.worth:+.2f} · rank {one.rank}".replace("-", "−"))
    assert best.similarity is not None
    for said in (f"{best.similarity:.3f}", "balanced", "lisbon", "moved", "Ann, message 1", f"score {best.score:.2f}"):
        expect(hit).to_contain_text(re.compile(re.escape(said), re.IGNORECASE))
    page.reload()
    expect(page.get_by_label("Search", exact=True)).to_have_value("who moved to lisbon")
    expect(page.locator(".memories > li").first).to_contain_text("Lisbon")


def test_a_search_that_is_overtaken_is_given_up(visit: Visit, memory: Memory) -> None:
    memory.remember("Tea is in the left cupboard")
    memory.remember("Coffee is in the right cupboard")
    page = visit()
    given_up: list[str | None] = []
    page.on("requestfailed", lambda one: given_up.append(one.post_data))
    held: list[Route] = []
    page.route("**/memories/search", lambda route: held.append(route) if not held else route.continue_())
    page.get_by_label("Search", exact=True).fill("tea")
    with page.expect_event("requestfailed"):
        expect(page).to_have_url(re.compile("q=tea"))
        page.get_by_label("Search", exact=True).fill("coffee")
    expect(page.locator(".memories > li").first).to_contain_text("Coffee")
    assert [text for text in given_up if text and '"tea"' in text]


def test_what_is_not_there_is_said_not_to_be(visit: Visit, memory: Memory) -> None:
    memory.remember("Likes tea", user_id="ann")
    page = visit("#memories?tag=nowhere")
    expect(page.get_by_role("main")).to_contain_text("Nothing like that is remembered.")


def test_filters_narrow_and_are_in_the_address(visit: Visit, memory: Memory) -> None:
    memory.remember("Likes tea", kind="preference", user_id="ann", tags=["drinks"], occurred_at="2026-05-01T10:00:00Z")
    memory.remember("Tea was out", kind="incident", user_id="bo", occurred_at="2026-05-20T10:00:00Z")
    memory.remember("The sky is grey", user_id="ann", occurred_at="2026-05-25T10:00:00Z")
    page = visit()
    page.get_by_text("Filters").click()
    page.get_by_label("preference").check()
    expect(page.locator(".memories > li")).to_have_count(1)
    page.get_by_label("incident").check()
    expect(page.locator(".memories > li")).to_have_count(2)
    expect(page).to_have_url(re.compile("kinds=preference%2Cincident"))
    page.get_by_label("Tag", exact=True).fill("drinks")
    expect(page.locator(".memories > li")).to_have_count(1)
    page.reload()
    expect(page.get_by_text("2 filters")).to_be_visible()
    expect(page.get_by_label("preference")).to_be_checked()
    page.get_by_role("button", name="Clear filters").click()
    expect(page.locator(".memories > li")).to_have_count(3)
    expect(page).to_have_url(re.compile("#memories$"))
    page.get_by_label("From").fill("2026-05-20")
    expect(page.locator(".memories > li")).to_have_count(2)
    page.get_by_label("To", exact=True).fill("2026-05-20")
    expect(page.locator(".memories > li")).to_have_count(1)
    assert cards(page) == ["Tea was out"]
    page.get_by_label("User").select_option("ann")
    expect(page.get_by_role("main")).to_contain_text("Nothing like that is remembered of ann.")


def test_the_past_is_shown_as_it_was(visit: Visit, memory: Memory, clock: FixedClock) -> None:
    memory.remember("Ann lives in Porto", user_id="ann")
    clock.move(days=3)
    memory.remember("Ann lives in Lisbon now", user_id="ann")
    page = visit("#memories?as_of=2026-06-02")
    expect(page.locator(".memories > li")).to_have_count(1)
    assert cards(page) == ["Ann lives in Porto"]


def test_what_has_grown_cold_is_searched_if_that_is_said(visit: Visit, memory: Memory, clock: FixedClock) -> None:
    memory.add("The ferry left from the northern pier", learn=False)
    clock.move(days=1000)
    memory.upkeep()
    memory.remember("Breakfast is at eight")
    page = visit("#memories?q=ferry")
    expect(page.get_by_text("Breakfast is at eight")).to_be_visible()
    expect(page.get_by_text("northern pier")).to_have_count(0)
    page.get_by_text("Filters").click()
    page.get_by_label("Search cold ones too").check()
    expect(page.get_by_text("northern pier")).to_be_visible()


def test_a_bad_address_is_refused_in_the_words_of_the_service(visit: Visit) -> None:
    page = visit("#memories?since=yesterday", expected="Failed to load resource")
    expect(page.get_by_role("alert")).to_contain_text("since is 'yesterday': pass ISO 8601")
    expect(page.get_by_role("button", name="Try again")).to_be_visible()


def test_a_server_that_is_away_is_said_to_be_and_asked_again(visit: Visit, memory: Memory) -> None:
    memory.remember("Likes tea")
    page = visit("#timeline", expected="Failed to load resource")
    page.route("**/api/v1/memories*", lambda route: route.abort())
    page.get_by_role("link", name="Memories").click()
    expect(page.get_by_role("alert")).to_contain_text("Is `emberkeep serve` still running?")
    page.unroute("**/api/v1/memories*")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("Likes tea")).to_be_visible()


def test_one_memory_shows_where_it_comes_from(visit: Visit, memory: Memory) -> None:
    added = memory.add(SAID, user_id="ann", agent_id="voxa", session_id="s-1", metadata={"channel": "voice"})
    fact = added.learned[0]
    page = visit()
    page.get_by_role("link", name=fact.text).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Memory")
    expect(page.get_by_role("region", name="What it says")).to_contain_text(fact.text)
    quote = fact.sources[0].quote
    assert quote is not None
    expect(page.locator("mark")).to_have_text(quote)
    expect(page.locator(".exchange")).to_contain_text("Hello there.")
    expect(page.locator(".exchange")).to_contain_text("How do you like it?")
    expect(page.locator(".pairs")).to_contain_text(fact.id)
    expect(page.locator("pre")).to_contain_text('"channel": "voice"')
    page.locator(".exchange").locator("xpath=..").get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Timeline")
    expect(page.get_by_role("region", name="What was learned")).to_contain_text(fact.text)


def test_what_was_replaced_leads_to_what_replaced_it(visit: Visit, memory: Memory, clock: FixedClock) -> None:
    before = memory.remember("Ann lives in Porto", user_id="ann").id
    clock.move(days=3)
    after = memory.remember("Ann lives in Lisbon now", user_id="ann").id
    page = visit(f"#memories/{before}")
    expect(page.locator(".pairs")).to_contain_text("Held until")
    expect(page.locator(".changes")).to_contain_text("No longer so")
    page.get_by_role("link", name="what is so now").click()
    expect(page).to_have_url(re.compile(after))
    expect(page.get_by_role("region", name="What it says")).to_contain_text("Lisbon")


def test_links_are_drawn_and_listed_and_reached_by_key(visit: Visit, memory: Memory) -> None:
    first = memory.remember("Mara works as a nurse in Porto", user_id="ann").id
    memory.remember("Mara has two cats", user_id="ann")
    memory.remember("Mara plays the cello", user_id="ann")
    texts = {one.item.text for one in memory.links(first)}
    assert len(texts) == 2
    page = visit(f"#memories/{first}")
    expect(page.locator(".neighbours > li")).to_have_count(2)
    assert set(page.locator(".neighbours a").all_inner_texts()) == texts
    page.locator(".wheel a").first.focus()
    expect(page.locator(".wheel a").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="What it says")).to_contain_text(memory.links(first)[0].item.text)


def test_a_memory_is_corrected_and_its_former_text_is_shown(visit: Visit, memory: Memory) -> None:
    known = memory.remember("Likes tee", user_id="ann", tags=["drinks"]).id
    page = visit(f"#memories/{known}")
    page.get_by_role("button", name="Edit").click()
    expect(page.get_by_label("Text", exact=True)).to_be_focused()
    page.get_by_label("Text", exact=True).fill("Likes tea")
    page.get_by_role("combobox", name="Kind").select_option("preference")
    page.get_by_role("button", name="Remove the tag drinks").click()
    page.get_by_label("Another tag").fill("taste")
    page.get_by_label("Another tag").press("Enter")
    page.get_by_label("Another tag").fill("hot, mostly")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status").first).to_contain_text("Changed.")
    expect(page.get_by_role("button", name="Edit")).to_be_focused()
    item = memory.get(known)
    assert (item.text, item.kind, set(item.tags)) == ("Likes tea", "preference", {"taste", "hot, mostly"})
    expect(page.get_by_role("region", name="What it says")).to_contain_text("Likes tea")
    expect(page.locator(".changes")).to_contain_text("It said before:Likes tee")


def test_a_correction_that_is_refused_is_not_lost(visit: Visit, memory: Memory) -> None:
    known = memory.remember("Likes tea").id
    page = visit(f"#memories/{known}", expected="Failed to load resource")
    page.get_by_role("button", name="Edit").click()
    page.get_by_label("Text", exact=True).fill("   ")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("text is empty: pass at least one visible character")
    expect(page.get_by_label("Text", exact=True)).to_have_value("   ")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Edit")).to_be_visible()
    assert memory.get(known).text == "Likes tea"


def test_what_somebody_else_changed_meanwhile_is_not_written_over(visit: Visit, memory: Memory) -> None:
    known = memory.remember("Likes tee", user_id="ann", tags=["drinks"]).id
    page = visit(f"#memories/{known}", expected="status of 412")
    page.get_by_role("button", name="Edit").click()
    page.get_by_label("Text", exact=True).fill("Likes tea")
    memory.update(known, text="Likes the letter T", tags=["letters"])
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("Somebody changed it meanwhile: what it says now is above.")
    expect(page.get_by_role("region", name="What it says").locator(".words")).to_have_text("Likes the letter T")
    expect(page.get_by_label("Text", exact=True)).to_have_value("Likes tea")
    assert memory.get(known).text == "Likes the letter T"
    page.get_by_role("button", name="Save").click()  # who saw it may
    expect(page.get_by_role("status").first).to_contain_text("Changed.")
    item = memory.get(known)
    assert (item.text, item.tags) == ("Likes tea", ("letters",))
    page.get_by_role("button", name="Forget…").click()
    memory.update(known, text="Likes green tea")
    page.get_by_role("button", name="Forget for good").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("Somebody changed it meanwhile")
    assert memory.get(known).text == "Likes green tea"


def test_a_memory_is_pinned_and_unpinned(visit: Visit, memory: Memory) -> None:
    known = memory.remember("Allergic to peanuts").id
    page = visit(f"#memories/{known}")
    page.get_by_role("button", name="Pin").click()
    expect(page.get_by_role("status").first).to_contain_text("Pinned: it never cools.")
    assert memory.get(known).sacred
    page.get_by_role("button", name="Unpin").click()
    expect(page.get_by_role("status").first).to_contain_text("Unpinned")
    assert not memory.get(known).sacred


def test_forgetting_asks_first_and_is_for_good(visit: Visit, memory: Memory) -> None:
    known = memory.remember("Likes tea").id
    memory.remember("Likes coffee")
    page = visit(f"#memories/{known}?kinds=fact")
    page.get_by_role("button", name="Forget…").click()
    expect(page.get_by_role("dialog")).to_contain_text("for good")
    page.get_by_role("button", name="Keep it").click()
    expect(page.get_by_role("button", name="Forget…")).to_be_focused()
    assert memory.get(known).text == "Likes tea"
    page.get_by_role("button", name="Forget…").click()
    expect(page.get_by_role("button", name="Forget for good")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Forget…").click()
    page.get_by_role("button", name="Forget for good").click()
    expect(page.get_by_role("status").first).to_contain_text("Forgotten, with its history:")
    expect(page).to_have_url(re.compile(r"#memories\?kinds=fact$"))
    expect(page.locator(".memories > li")).to_have_count(1)
    with pytest.raises(NotFound):
        memory.get(known)


def test_what_stands_for_a_record_says_where_it_belongs(visit: Visit, memory: Memory) -> None:
    task = memory.tasks.start("Copy the users table")
    (item,) = memory.get_all(kinds=["execution"])
    page = visit(f"#memories/{item.id}")
    expect(page.get_by_role("main")).to_contain_text(f"This memory stands for task {task.id}")
    expect(page.get_by_role("button", name="Edit")).to_have_count(0)
    page.get_by_role("main").get_by_role("link", name="Work").click()
    expect(page).to_have_url(re.compile("#work"))
    memory.knowledge.add("Receipts within thirty days.", title="Expenses")
    (passage,) = memory.get_all(kinds=["knowledge"])
    page.goto(f"/#memories/{passage.id}")
    expect(page.get_by_role("main")).to_contain_text("Use memory.knowledge")


def test_the_way_back_leads_to_the_same_list_and_place(visit: Visit, memory: Memory) -> None:
    memory.remember("Tea is in the left cupboard")
    other = memory.remember("Coffee is in the right cupboard")
    page = visit("#memories?q=cupboard")
    link = page.get_by_role("link", name="Coffee is in the right cupboard")
    link.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(other.id))
    expect(page.get_by_role("link", name="Back to what was found")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("#memories.q=cupboard$"))
    expect(link).to_be_focused()


def test_hostile_texts_are_shown_as_text(visit: Visit, memory: Memory) -> None:
    for number, text in enumerate(TEXTS):
        tag = SHORT[number % len(SHORT)]
        memory.remember(text, user_id=SHORT[-number % len(SHORT)].strip(), tags=[tag], metadata={"a": text, tag: 1})
    added = memory.add([{"role": "user", "content": text, "name": "<b>Ann</b>"} for text in TEXTS], user_id="ann")
    memory.update(added.id, text="<i>other</i>")
    page = visit(viewport={"width": 360, "height": 700}, color_scheme="light")
    page.get_by_role("button", name="More").click()
    expect(page.get_by_text(f"{2 * len(TEXTS)} memories")).to_be_visible()
    listed = " ".join(page.locator(".memories").inner_text().split())
    for text in TEXTS:
        assert shown(text) in listed
    assert_harmless(page)
    page.get_by_label("Search", exact=True).fill(TEXTS[0])
    expect(page.get_by_text("best first")).to_be_visible()
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    assert_harmless(page)
    for item in (memory.get(added.id), *memory.get_all(user_id="*", limit=3)):
        page.goto(f"/#memories/{item.id}")
        expect(page.get_by_role("region", name="What it says")).to_contain_text(shown(item.text)[:20])
        expect(page.get_by_text("Loading…")).to_have_count(0)
        assert_harmless(page)
    page.goto(f"/#memories/{added.id}")
    exchange = page.locator(".exchange")
    expect(exchange).to_contain_text(f"Show all {len('W' * 10_000):,} characters")
    page.get_by_role("button", name="Show all 10,000 characters").first.click()
    assert_harmless(page)
    page.get_by_role("button", name="Edit").click()
    expect(page.get_by_label("Text", exact=True)).to_have_value("<i>other</i>")
    assert_harmless(page)
