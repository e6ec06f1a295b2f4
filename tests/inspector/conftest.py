"""A real browser, and a memory that it looks at through the service."""

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from benchmarks.browser import chromium
from playwright.sync_api import Browser, Dialog, Page, expect, sync_playwright

import emberkeep
from emberkeep.entrypoints.http.inspector import PAGE, STATIC
from emberkeep.testing import FixedClock, WordEmbedder

# Else it looks for hosts of its maker's at every start.
ALONE = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
Visit = Callable[..., Page]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A Chromium for the tests of one file: while it is open, a loop runs in this thread, and no other can be run."""
    path = chromium()
    if path is None:
        pytest.skip("there is no Chromium here: scripts/chromium.sh installs it")
    if not (STATIC / PAGE).is_file():
        pytest.fail("the inspector was not built: run `make web`")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=ALONE)
        yield opened
        opened.close()


@pytest.fixture
def memory(clock: FixedClock) -> Iterator[emberkeep.Memory]:
    with emberkeep.open(":memory:", embedder=WordEmbedder(), clock=clock) as opened:
        yield opened


@pytest.fixture
def visit(request: pytest.FixtureRequest, server: Any, browser: Browser, memory: emberkeep.Memory) -> Iterator[Visit]:
    """Opens a page of the inspector; whatever it says on the console, or asks of others, fails the test.

    So does a box that it opens. What is `expected` on the console, as browsers say it of every refusal, does not.
    """
    server.serve(memory)
    said: list[str] = []
    contexts = []

    def refuse(box: Dialog) -> None:
        said.append(f"a box: {box.message}")
        box.dismiss()

    def go(address: str = "", *, expected: str | None = None, **settings: Any) -> Page:
        context = browser.new_context(base_url=server.url, **settings)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda one: None if expected and expected in one.text else said.append(one.text))
        page.on("dialog", refuse)
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda one: said.append(one.url) if not one.url.startswith(server.url) else None)
        page.set_default_timeout(10_000)
        page.goto(f"/{address}")
        expect(page.get_by_role("main")).not_to_be_empty()
        return page

    expect.set_options(timeout=10_000)
    yield go
    for number, context in enumerate(contexts):
        if folder := os.environ.get("SCREENSHOTS"):  # to be looked at
            context.pages[0].screenshot(path=f"{folder}/{request.node.name}-{number}.png", full_page=True)
        context.close()
    assert said == []
