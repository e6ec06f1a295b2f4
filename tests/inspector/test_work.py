"""Work: goals with their tasks, steps, decisions, incidents, procedures, and how tasks ended."""

import pytest
from playwright.sync_api import expect

from emberkeep import Memory

from .conftest import Visit
from .hostile import ALL, SHORT, TEXTS, assert_harmless, shown

pytestmark = pytest.mark.slow
PHONE = {"width": 360, "height": 700}


def test_goals_are_a_tree_with_their_tasks(visit: Visit, memory: Memory) -> None:
    memory.goals.save("Ship the release", id="g", priority=7, user_id="ann")
    memory.goals.save("Test it", id="part", parent_id="g", user_id="ann")
    memory.tasks.start("Write tests", goal_id="part", user_id="ann")
    memory.tasks.save("leak", "Fix the leak", goal_id="g", status="failed", summary="It still leaks", user_id="ann")
    memory.tasks.start("Water the plants", user_id="bob")
    page = visit("#work")
    tree = page.locator("section.panel").filter(has_text="Ship the release")
    expect(tree).to_contain_text("priority 7")
    expect(tree.locator("li", has_text="Fix the leak")).to_contain_text("failed")
    inner = tree.locator(".goal-parts").filter(has_text="Test it")
    expect(inner.locator(".task-list li")).to_contain_text("running")
    loose = page.locator("section.panel").filter(has_text="Tasks without a goal")
    expect(loose.get_by_role("link")).to_have_text("Water the plants")

    page.get_by_label("Status").select_option("Failed")
    expect(page.get_by_role("link", name="Fix the leak")).to_be_visible()
    expect(page.get_by_text("Write tests")).to_have_count(0)
    page.get_by_label("Status").select_option("Cancelled")
    expect(page.get_by_role("main")).to_contain_text("No goal or task is cancelled")
    page.get_by_label("Status").select_option("Open")
    expect(page.get_by_role("link", name="Write tests")).to_be_visible()
    page.get_by_label("User").select_option("bob")
    expect(page.get_by_text("Ship the release")).to_have_count(0)
    expect(page.get_by_role("link", name="Water the plants")).to_be_visible()


def test_a_goal_shows_its_open_tasks_first_and_the_others_when_asked(visit: Visit, memory: Memory) -> None:
    memory.goals.save("Review", id="g")
    memory.tasks.save("open", "The open one", goal_id="g", status="running")
    for number in range(9):
        memory.tasks.save(f"t{number}", f"Cancelled {number}", goal_id="g", status="cancelled")
    page = visit("#work")
    expect(page.locator(".task-list a")).to_have_count(8)
    expect(page.locator(".task-list a").first).to_have_text("The open one")
    page.get_by_role("button", name="Show 2 more").click()
    expect(page.locator(".task-list a")).to_have_count(10)


def test_a_task_is_shown_step_by_step(visit: Visit, memory: Memory) -> None:
    memory.tasks.save("a/b?c#d", "Deploy", status="running", user_id="ann", agent_id="deployer")
    memory.tasks.step("a/b?c#d", "git", parameters={"ref": "main"}, output="HEAD is now at 3fa9", duration_ms=340)
    long = "x" * 900 + " the end"
    memory.tasks.step("a/b?c#d", "pytest", output=long, success=False, duration_ms=61_000, iteration=4)
    memory.decisions.log(
        "Use the canary", who="deployer", why="the last one failed", alternatives=["wait"], confidence=0.65,
        task_id="a/b?c#d", user_id="ann",
    )  # fmt: skip
    page = visit("#work")
    page.get_by_role("link", name="Deploy").click()
    steps = page.locator("ol.steps > li")
    expect(steps.nth(0)).to_contain_text("git")
    expect(steps.nth(0)).to_contain_text("succeeded")
    expect(steps.nth(0)).to_contain_text("340 ms")
    steps.nth(0).get_by_text("Parameters").click()
    expect(steps.nth(0)).to_contain_text('"ref": "main"')
    expect(steps.nth(1)).to_contain_text("failed")
    expect(steps.nth(1)).to_contain_text("round 4")
    expect(steps.nth(1)).to_contain_text("1 min 1 s")
    expect(steps.nth(1)).not_to_contain_text("the end")
    steps.nth(1).get_by_role("button", name="Show all 908 characters").click()
    expect(steps.nth(1)).to_contain_text("the end")
    decision = page.get_by_role("article").filter(has_text="Use the canary")
    for told in ("the last one failed", "wait", "65 %", "decided by deployer", "outcome not known yet"):
        expect(decision).to_contain_text(told)

    decision.get_by_role("button", name="Set the outcome").click()
    expect(decision.get_by_label("What came of it")).to_be_focused()
    page.keyboard.type("It held")
    decision.get_by_label("How it turned out").select_option("Well")
    decision.get_by_role("button", name="Keep the outcome").click()
    expect(decision.get_by_role("status")).to_contain_text("The outcome is kept")
    expect(decision).to_contain_text("turned out well")
    (kept,) = memory.decisions.list()
    assert (kept.outcome, kept.success) == ("It held", True)

    page.get_by_role("link", name="← All work").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Work")


def test_a_task_is_finished_from_the_page(visit: Visit, memory: Memory) -> None:
    page = visit("#work")
    for button, said, status in (
        ("✓ It succeeded", "The task has succeeded", "succeeded"),
        ("✗ It failed", "The task has failed", "failed"),
        ("Cancel the task", "The task has been cancelled", "cancelled"),
    ):
        memory.tasks.start("Deploy", id=status)
        page.goto(f"/#work/task%3A{status}")
        page.get_by_label("What came of it").fill("Rolled back")
        page.get_by_role("button", name=button).click()
        expect(page.get_by_role("button", name=button)).to_have_count(0)
        expect(page.get_by_role("status").filter(has_text=said)).to_be_focused()
        ended = memory.tasks.get(status)
        assert (ended.status, ended.summary) == (status, "Rolled back")


def test_a_task_that_somebody_else_finished_is_refused_in_words(visit: Visit, memory: Memory) -> None:
    memory.tasks.start("Deploy", id="t")
    page = visit("#work/task%3At", expected="status of 409")
    button = page.get_by_role("button", name="✓ It succeeded")
    expect(button).to_be_visible()
    memory.tasks.finish("t", success=False)
    button.click()
    expect(page.get_by_role("alert")).to_contain_text("save it again to reopen it")


def test_a_task_that_is_not_there_says_so(visit: Visit, memory: Memory) -> None:
    page = visit("#work/task%3At", expected="status of 404")
    expect(page.get_by_role("alert")).to_contain_text("no task 't'")
    memory.tasks.start("Deploy", id="t")
    page.get_by_role("button", name="Try again").press("Enter")
    expect(page.get_by_role("main")).to_contain_text("Deploy")
    expect(page.get_by_role("main")).to_be_focused()  # or Tab would go on from the top


def test_decisions_of_all_tasks(visit: Visit, memory: Memory) -> None:
    memory.tasks.start("Deploy", id="t")
    memory.decisions.log("Wait for noon", task_id="t", outcome="It was late", success=False)
    for number in range(100):
        memory.decisions.log(f"Decision {number}", user_id="ann")
    page = visit("#work?tab=decisions")
    expect(page.get_by_role("article")).to_have_count(100)
    page.get_by_role("button", name="More").click()
    first = page.get_by_role("article").filter(has_text="Wait for noon")
    expect(first).to_contain_text("turned out badly")
    first.get_by_role("link", name="its task").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Task")


def test_incidents_are_listed_open_ones_first_and_resolved(visit: Visit, memory: Memory) -> None:
    memory.incidents.report("It leaks", severity="critical", description="Water everywhere", user_id="ann")
    done = memory.incidents.report("No backup", cause="disk full", user_id="ann")
    memory.incidents.resolve(done.id, "Deleted snapshots")
    page = visit()
    page.get_by_role("link", name="Work").click()
    page.get_by_role("link", name="Incidents").click()
    expect(page.get_by_role("article").nth(0)).to_contain_text("It leaks")
    expect(page.get_by_role("article").nth(0)).to_contain_text("critical")
    expect(page.get_by_role("article").nth(1)).to_contain_text("Deleted snapshots")
    page.get_by_text("Resolve it").click()
    page.get_by_label("What helped").fill("A new pipe")
    page.get_by_role("button", name="It is resolved").click()
    expect(page.get_by_role("status").filter(has_text="The incident is resolved")).to_be_visible()
    assert [one.resolution for one in memory.incidents.list() if one.title == "It leaks"] == ["A new pipe"]
    page.get_by_label("Status").select_option("Open")
    expect(page.get_by_role("main")).to_contain_text("There is no open incident")


def test_procedures_and_executions(visit: Visit, memory: Memory) -> None:
    memory.procedures.save("Deploy a release", description="For any service", steps=["Tag it", {"tool": "kubectl"}])
    memory.experience.store("t1", "Went out", success=True, task_type="deploy", description="Deploy 1")
    errors = ["TimeoutError: probe"]
    memory.experience.store("t2", "Rolled back", success=False, error_patterns=errors, description="Deploy 2")
    page = visit("#work?tab=procedures")
    for told in ("Deploy a release", "For any service", "Tag it", '"tool": "kubectl"'):
        expect(page.get_by_role("article")).to_contain_text(told)
    page.get_by_role("link", name="Executions").click()
    expect(page.get_by_role("article")).to_have_count(2)
    page.get_by_label("Status").select_option("Failed")
    expect(page.get_by_role("article")).to_have_count(1)
    expect(page.get_by_role("article")).to_contain_text("TimeoutError: probe")
    page.get_by_role("link", name="Deploy 2").click()
    expect(page.get_by_role("article")).to_contain_text("Kept as experience")


def test_where_there_is_nothing_it_says_what_would_fill_it(visit: Visit) -> None:
    page = visit("#work")
    for tab, told in (
        ("goals", "memory.goals.save"),
        ("decisions", "memory.decisions.log"),
        ("incidents", "memory.incidents.report"),
        ("procedures", "memory.procedures.save"),
        ("executions", "memory.tasks.finish"),
    ):
        page.goto(f"/#work?tab={tab}")
        expect(page.get_by_role("main")).to_contain_text(told)


def test_hostile_texts_are_shown_as_text(visit: Visit, memory: Memory) -> None:
    for place, text in enumerate(TEXTS):
        who = SHORT[place % len(SHORT)].strip()
        memory.goals.save(text, id=f"g{place}", parent_id=f"g{place - 1}" if place else None, summary=text)
        memory.tasks.save(f"{place} {who[:190]}", text, goal_id=f"g{place}", status="running", agent_id=who)
    first = f"0 {TEXTS[0]}"
    memory.tasks.step(first, ALL[:5000], parameters={ALL[:5000]: ALL}, output=ALL, success=False)
    memory.decisions.log(ALL, who=ALL, why=ALL, context=ALL, alternatives=TEXTS, outcome=ALL, task_id=first)
    memory.incidents.report(ALL, description=ALL, cause=ALL)
    memory.procedures.save(ALL[:200], description=ALL, steps=TEXTS)
    memory.experience.store(first, ALL, success=False, error_patterns=TEXTS[:20], task_type=TEXTS[1])
    page = visit("#work", viewport=PHONE)
    expect(page.locator(".goal")).to_have_count(len(TEXTS))
    listed = " ".join(page.get_by_role("main").inner_text().split())
    for text in TEXTS:
        assert shown(text) in listed
    assert_harmless(page)
    page.get_by_role("link", name=TEXTS[0], exact=True).click()
    expect(page.locator("ol.steps > li")).to_contain_text(TEXTS[1])
    page.get_by_text("Parameters").click()
    cut = page.get_by_role("button", name="Show all")
    while cut.count():
        cut.first.click()
    assert_harmless(page)
    for tab in ("decisions", "incidents", "procedures", "executions"):
        page.goto(f"/#work?tab={tab}")
        expect(page.get_by_role("article").first).to_contain_text(TEXTS[0])
        assert_harmless(page)


def test_it_works_with_the_keyboard_alone(visit: Visit, memory: Memory) -> None:
    memory.goals.save("Ship it", id="g")
    memory.tasks.start("Write tests", goal_id="g")
    page = visit("#work", color_scheme="dark")
    page.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Write tests")).to_be_hidden()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Write tests")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Task")
