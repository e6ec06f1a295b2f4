"""The site that `make docs` builds: all pages are in it, links lead somewhere, and it asks nothing of other hosts."""

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlsplit

import pytest
from benchmarks.browser import chromium
from playwright.sync_api import expect, sync_playwright

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
# What a browser fetches of itself; a link in a text it does not.
FETCHED = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src", "object": "data"}
ALONE = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
_IN_STYLES = re.compile(r"url\(\s*[\"']?(https?:)?//|@import")


class Links(HTMLParser):
    """What a page names, what its menu and the rest of it lead to, and what it is fetched with."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.links: list[str] = []
        self.menu: list[str] = []
        self.fetched: list[str] = []
        self._menus_open = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.names |= {given[name] for name in ("id", "name") if name in given}
        if tag == "nav" and (self._menus_open or "md-nav--primary" in given.get("class", "")):
            self._menus_open += 1
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
            self.menu += [given["href"]] if self._menus_open else []
        if tag in FETCHED and FETCHED[tag] in given and given.get("rel") != "canonical":
            self.fetched.append(given[FETCHED[tag]])

    def handle_endtag(self, tag: str) -> None:
        if tag == "nav" and self._menus_open:
            self._menus_open -= 1


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    environ = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    built = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, timeout=120, check=False)
    assert built.returncode == 0, built.stderr
    assert {line.split()[0] for line in built.stderr.splitlines()} <= {"INFO"}, built.stderr
    return folder


@pytest.fixture(scope="session")
def pages(site: Path) -> dict[Path, Links]:
    return {path: Links(path.read_text(encoding="utf-8")) for path in site.rglob("*.html") if path.name != "404.html"}


def test_every_page_is_in_the_site_and_in_its_navigation(site: Path, pages: dict[Path, Links]) -> None:
    written = {page.relative_to(ROOT / "docs").with_suffix(".html") for page in PAGES}
    expected = {page.with_name("index.html") if page.name == "README.html" else page for page in written}
    assert {path.relative_to(site) for path in pages} == expected
    led_to = {(site / link).resolve().relative_to(site.resolve()) for link in pages[site / "index.html"].menu if link}
    assert expected - {Path("index.html")} <= led_to


def test_every_link_leads_to_a_file_and_a_name_in_it(site: Path, pages: dict[Path, Links]) -> None:
    names = {path.resolve(): page.names for path, page in pages.items()}
    # The menu is on every page of a folder: each of its links is looked up once for them all.
    found = {
        (path.parent if urlsplit(link).path else path, link) for path, page in pages.items() for link in page.links
    }
    assert not [(str(path.relative_to(site)), link) for path, link in found if not leads(path, link, names)]


def leads(path: Path, link: str, names: dict[Path, set[str]]) -> bool:
    parts = urlsplit(link)
    if parts.scheme or not link:
        return True
    target = (path / unquote(parts.path)).resolve()
    target = target / "index.html" if target.is_dir() else target
    named = names.get(target)
    return target.is_file() and (not parts.fragment or named is None or unquote(parts.fragment) in named)


def test_nothing_is_fetched_from_another_host(site: Path, pages: dict[Path, Links]) -> None:
    elsewhere = [(path.name, one) for path, page in pages.items() for one in page.fetched if urlsplit(one).netloc]
    assert not elsewhere
    styles = {path.name: path.read_text(encoding="utf-8") for path in site.rglob("*.css")}
    assert not [name for name, text in styles.items() if _IN_STYLES.search(text)]


def test_what_pages_show_of_the_repository_is_there(site: Path) -> None:
    proto = Path("proto/emberkeep/v1/memories.proto")
    published = (site / "source" / f"{proto}.txt").read_text(encoding="utf-8")
    assert published == (ROOT / proto).read_text(encoding="utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_read_and_searched_as_files(site: Path, scheme: Literal["light", "dark"]) -> None:
    """Opened from the disk: no server, no request to anyone, no word on the console."""
    path = chromium()
    if path is None:
        pytest.skip("there is no Chromium here: scripts/chromium.sh installs it")
    said: list[str] = []
    asked: list[str] = []
    with sync_playwright() as playwright, playwright.chromium.launch(executable_path=path, args=ALONE) as browser:
        page = browser.new_page(color_scheme=scheme)
        page.on("console", lambda one: said.append(one.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda one: asked.append(one.url))
        page.goto((site / "index.html").as_uri())
        background = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (int(re.findall(r"\d+", background)[0]) > 128) == (scheme == "light"), background
        words = page.get_by_role("textbox", name="Search")
        words.click()
        expect(page.locator(".md-search-result__meta")).to_have_text("Type to start searching", timeout=20_000)
        words.press_sequentially("half-life")
        expect(page.locator(".md-search-result__item h1", has_text="Temperature")).to_be_visible(timeout=20_000)
    assert not said
    assert {urlsplit(url).scheme for url in asked} <= {"file", "data", "blob"}
