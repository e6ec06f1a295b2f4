"""For everyone: narrow windows, both themes, a keyboard alone, and readers who hear the page."""

import re

import pytest
from playwright.sync_api import Page, expect

from emberkeep import Memory

from .conftest import Visit
from .hostile import assert_harmless

pytestmark = pytest.mark.slow
CONTROLS = "button link textbox searchbox combobox checkbox slider spinbutton meter img dialog navigation".split()
NAMELESS = re.compile(rf"^\s*- (?:{'|'.join(CONTROLS)})(?::| \[|$)", re.MULTILINE)

# The texts whose contrast with what is behind them is below 4.5 to 1; what is busy or disabled may be.
PALE = """() => {
  const pixel = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const colour = text => {
    pixel.clearRect(0, 0, 1, 1);
    pixel.fillStyle = text;
    pixel.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = pixel.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const over = (top, ground) => ground.map((value, place) => top[place] * top[3] + value * (1 - top[3]));
  const light = of => {
    const [red, green, blue] = of.map(value => value / 255)
      .map(value => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = element => element === null ? [255, 255, 255]
    : over(colour(getComputedStyle(element).backgroundColor), behind(element.parentElement));
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || !element.checkVisibility()) continue;
    if (element.closest('[aria-disabled=true], [aria-busy=true], option')) continue;
    const style = getComputedStyle(element);
    const ground = behind(element);
    const ink = over(colour(element instanceof SVGElement ? style.fill : style.color), ground);
    const [low, high] = [light(ink), light(ground)].sort((one, other) => one - other);
    if ((high + 0.05) / (low + 0.05) < 4.5) found.push(texts.currentNode.data);
  }
  return found;
}"""

# Notes what gets the focus, and whether that is seen.
NOTED = """() => {
  window.noted = [];
  const drawn = one => one && getComputedStyle(one).outlineStyle !== 'none';
  document.addEventListener('focusin', ({ target }) => {
    const otherwise = target.closest('.wheel, [type=date]'); // a thicker ring, and what the browser draws inside
    const seen = drawn(target) || drawn(target.closest('.choice')) || otherwise;
    window.noted.push([Boolean(seen), target.outerHTML.slice(0, 120)]);
  });
}"""


@pytest.fixture
def addresses(memory: Memory) -> list[str]:
    """Every page, with something on it."""
    known = memory.remember("Mara works as a nurse in Porto", user_id="ann", tags=["work"], metadata={"a": 1}).id
    memory.remember("Mara has two cats", user_id="ann", sacred=True)
    said = memory.add("I moved to Lisbon in May.", user_id="ann", session_id="monday")
    memory.add("I like tea.", user_id="ann", learn="later")
    memory.goals.save("Ship it", id="g")
    memory.tasks.save("t", "Deploy", goal_id="g", status="running")
    memory.tasks.step("t", "git", parameters={"ref": "main"}, output="HEAD", duration_ms=3)
    memory.decisions.log("Wait for noon", confidence=0.5, task_id="t", outcome="It was late", success=False)
    memory.incidents.report("It leaks", severity="critical")
    memory.procedures.save("Deploy", steps=["Tag it"])
    for number in range(10):
        memory.experience.store(
            f"e{number}", "Deploy", success=False, task_type="deploy", auto_extract_patterns=False
        )  # fmt: skip
        memory.experience.store(f"r{number}", "Review", success=True, task_type="review", auto_extract_patterns=False)
    pattern = memory.patterns.extract()[0]
    memory.patterns.feedback(pattern.id, helpful=True, note="Indeed")
    handed = memory.context("Where does Mara work", user_id="ann").id
    tabs = [f"work?tab={tab}" for tab in ("decisions", "incidents", "procedures", "executions")]
    one = [f"memories/{known}", f"timeline/{said.interaction_id}", f"context/{handed}", f"patterns/{pattern.id}"]
    return ["memories?q=mara", "timeline", "context", "work", "work/task%3At", *tabs, "patterns", "system", *one]


def open_all(page: Page, address: str) -> None:
    """Go there, load it as if it was the first page, and open what can be opened."""
    page.goto(f"/#{address}")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_text("Loading…")).to_have_count(0)
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")


def test_every_page_fits_a_phone_is_named_and_can_be_read(visit: Visit, addresses: list[str]) -> None:
    page = visit(viewport={"width": 320, "height": 700}, color_scheme="light", reduced_motion="reduce")
    for address in addresses:
        open_all(page, address)
        assert_harmless(page)
        assert NAMELESS.findall(page.locator("body").aria_snapshot()) == [], address
        assert page.evaluate(PALE) == [], address
    page.evaluate("document.documentElement.style.setProperty('--quiet', '#888')")
    assert page.evaluate(PALE), "it would not be noticed"


def test_every_page_can_be_read_in_the_dark_and_is_walked_by_key(visit: Visit, addresses: list[str]) -> None:
    page = visit(viewport={"width": 1280, "height": 700}, color_scheme="dark")
    for address in addresses:
        open_all(page, address)
        assert page.evaluate(PALE) == [], address
        if "tab=" in address:
            continue  # the same controls as on others
        page.evaluate(NOTED)
        controls = page.locator("a[href], button, input, select, textarea, summary").count()
        for _ in range(controls + 3):
            page.keyboard.press("Tab")
        noted: list[tuple[bool, str]] = page.evaluate("window.noted")
        assert len({where for _, where in noted}) >= 12, address
        assert [where for seen, where in noted if not seen] == [], address
