"""How much a browser has to fetch before it shows something."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Response, expect

from emberkeep import Memory

pytestmark = pytest.mark.slow
MOST_BYTES = 300_000


def test_the_first_page_is_light(browser: Browser, server: Any, memory: Memory) -> None:
    memory.add([f"I like tea number {number}." for number in range(100)], user_id="ann", learn=False)
    server.serve(memory)
    answers: list[Response] = []

    def keep(answer: Response) -> None:
        answers.append(answer)

    with browser.new_context(base_url=server.url) as context:  # which has nothing yet
        page = context.new_page()
        page.on("response", keep)
        page.goto("/", wait_until="networkidle")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        sizes = {one.url: one.request.sizes() for one in answers}
    assert {one.url.rpartition(".")[2] for one in answers} >= {"js", "css"}
    total = sum(one["responseBodySize"] + one["responseHeadersSize"] for one in sizes.values())
    assert 10_000 < total < MOST_BYTES, sizes
    for one in answers:
        if one.url.endswith((".js", ".css")):
            assert one.headers["content-encoding"] == "gzip"
