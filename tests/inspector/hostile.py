"""Texts that want to be more than text, or to spoil the page around them, and what a page must not become by them."""

from playwright.sync_api import Page

TEXTS = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(2)>",
    "</textarea></pre></script><script>alert(3)</script>",
    '"><img src="https://example.org/spy.png">',
    "javascript:alert(4)",
    "[a link](javascript:alert(5)) and https://example.org/",
    '<a href="javascript:alert(6)" autofocus onfocus=alert(7)>here</a>',
    "<svg onload=alert(8)><a xlink:href='javascript:alert(9)'>x</a></svg>",
    '"><iframe srcdoc="<script>alert(10)</script>">',
    "<style>main { display: none }</style>",
    "\u202egnp.tpircs\u202c then \u2067right to left\u2069 \u200bnothing, مرحبا بالعالم, שלום",
    "H\u0335\u0321\u0322\u0323e\u0336\u0300\u0301\u0302\u0303\u0304 c" + "\u0315\u031b\u0340\u0341\u0358" * 40 + "omes",
    "W" * 10_000,
    "null",
    "undefined",
    "NaN",
    "[object Object]",
    "__proto__",
    "constructor",
    "{{constructor.constructor('alert(11)')()}} ${7 * 7} %s %d",
    "&lt;b&gt; &amp; &#x27;",
    "a/b?c#d%2Fe%zz&f=g+h ../../etc/passwd",
    "👩‍👩‍👧‍👦 🏳️‍🌈 🇵🇹 e\u0301 日本語 ﷽",
    "line\nafter\r\nline\u2028and\ttab",
)
SHORT = tuple(text for text in TEXTS if len(text) <= 256)  # what can be an id or a tag
ALL = "\n".join(TEXTS)


def shown(text: str) -> str:
    """How a text is found again in a page: its beginning, with white space as one blank."""
    return " ".join(text.split())[:100]


def assert_harmless(page: Page) -> None:
    """Nothing was made of the texts but text, and the page is no wider than the window."""
    assert page.locator("main :is(script, img, iframe, style, [onload], [onerror], [onfocus])").count() == 0
    assert page.locator("main a:not([href^='#'])").count() == 0
    width = page.evaluate("window.innerWidth")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    beyond = "[...document.querySelectorAll('main *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1)"
    wide = page.evaluate(f"{beyond}.map(e => e.outerHTML.slice(0, 200))")
    assert not wide, wide
