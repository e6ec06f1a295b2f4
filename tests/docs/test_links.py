"""Links lead somewhere, and the tree says nothing of the machine it was written on."""

import re
import subprocess
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parents[2]
_LINK = re.compile(r"\]\(\s*<?([^)>\s]+)>?[^)]*\)|^\[[^\]]+\]:\s*(\S+)", re.MULTILINE)
_FENCED = re.compile(r"^( *)```.*?^\1```|`[^`\n]+`", re.MULTILINE | re.DOTALL)
_URL = re.compile(r"https?://[^\s\"'`<>()\[\]{}]+")
_PACKAGE_FILES = {"Makefile", "constraints.txt", "package-lock.json", "pyproject.toml", "requirements.txt", "uv.lock"}
_ASK_FOR_SUPPORT = {"github.com", "opencollective.com", "tidelift.com"}  # of npm packages, in their own words
_INSIDE_A_NETWORK = (".internal", ".local", ".lan", ".corp", ".svc", ".intra", ".home.arpa")


def tracked_files() -> list[Path]:
    """All that is, or would be, in the repository."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return [path for name in names if name and (path := ROOT / name).is_file()]


def texts() -> dict[Path, str]:
    return {path: path.read_text(encoding="utf-8", errors="replace") for path in tracked_files()}


TEXTS = texts()
PAGES = [path for path in TEXTS if path.suffix == ".md"]


def _named(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=_named)
def test_relative_links_point_to_files_and_headings_that_exist(page: Path) -> None:
    broken = [link for link in links(TEXTS[page]) if not exists(page, link)]
    assert not broken


def test_no_file_names_a_path_of_this_machine() -> None:
    folders = [re.escape(str(folder)) for folder in (ROOT, Path.home()) if len(folder.parts) > 1]
    # The home of root, by itself, is the same everywhere.
    here = re.compile(rf"(?<![\w./])(?!/root(?!/))(?:{'|'.join(folders) or '$^'})(?![\w-])")
    found = [_named(path) for path, text in TEXTS.items() if here.search(text)]
    assert not found


def test_no_url_leads_into_a_private_network() -> None:
    """But for the defaults of the federation's own settings, which its adapter has to repeat."""
    found = [
        (_named(path), url)
        for path, text in TEXTS.items()
        for url in _URL.findall(text)
        if is_private(url) and "federation" not in path.name
    ]
    assert not found


def test_packages_are_named_without_a_place_to_fetch_them_from() -> None:
    named = {path: text for path, text in TEXTS.items() if path.name in _PACKAGE_FILES}
    hosts = {urlsplit(url).hostname for text in named.values() for url in _URL.findall(text)}
    assert hosts <= {"127.0.0.1", *_ASK_FOR_SUPPORT}


def test_whatever_is_said_of_others_has_its_source() -> None:
    """In the comparison: an address, a version of a package, or that it was not found."""
    compared = (ROOT / "docs" / "comparison.md").read_text(encoding="utf-8").partition("## Point by point")[2]
    rows = re.findall(r"^\| (?!Emberkeep|of 100|Mem0 2)\w.*$", compared, re.MULTILINE)
    assert len(rows) > 30
    assert [row for row in rows if not re.search(r"\]\(https://|package 2\.2\.1|not documented", row)] == []


def test_private_hosts_are_told_from_public_ones() -> None:
    private = ["10.0.0.7/simple", "mirror.corp/x", "nexus.svc:8081/", "192.168.1.2"]
    public = ["127.0.0.1:8787/healthz", "example.org/simple", "localhost:1", "[::1]/", "h:x"]
    assert [host for host in [*private, *public] if is_private(f"http://{host}")] == private


def links(text: str) -> list[str]:
    found = (match[1] or match[2] for match in _LINK.finditer(_FENCED.sub("", text)))
    return [link for link in found if not urlsplit(link).scheme]


def exists(page: Path, link: str) -> bool:
    path, _, heading = unquote(link).partition("#")
    target = page.parent / path if path else page
    return target.exists() and (not heading or heading in headings(target.read_text(encoding="utf-8")))


def headings(text: str) -> set[str]:
    """The names that headings get on GitHub."""
    titles = re.findall(r"^#+ +(.+?) *$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def is_private(url: str) -> bool:
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return False
    try:
        address = ip_address(host)
    except ValueError:
        return f".{host}".endswith(_INSIDE_A_NETWORK)
    return address.is_private and not address.is_loopback and not address.is_unspecified
