"""Texts that want to be more than text, or to spoil the page around them."""

from playwright.sync_api import Page, expect

LONG_WORD = "w" * 10_000
HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "javascript:alert(1)",
    "<svg onload=alert(1)><a xlink:href='javascript:alert(1)'>x</a></svg>",
    '"><iframe srcdoc="<script>alert(1)</script>">',
    "{{constructor.constructor('alert(1)')()}} ${alert(1)} &lt;b&gt;",
    "\u202egnp.exe\u202c \u2066left\u2069 \u200bnothing",
    "z\u0335\u0321\u034e\u0316\u0301\u030b\u0358" * 20,
    "null undefined NaN None [object Object] %00 ../../etc/passwd",
    "👩‍👩‍👧‍👦🏳️‍🌈 שלום مرحبا 日本語",
    f"before {LONG_WORD} after",
)
ALL = "\n".join(HOSTILE)
_MADE = "main script, main img, main iframe, main [onload], main [onerror], main [href^='javascript:' i]"


def assert_harmless(page: Page) -> None:
    """Nothing on the page was made of a text, and the page is as wide as its window."""
    expect(page.locator(_MADE)).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
