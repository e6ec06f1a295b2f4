"""The inspector's page and files, as they are served."""

import gzip
import http.client
from pathlib import Path

import pytest

from emberkeep.entrypoints.http import inspector
from emberkeep.entrypoints.http.app import create_app
from emberkeep.memory import Memory

from .client import API, Client, error, served, talk

PAGE = "<!doctype html><title>Emberkeep</title>" + " " * 2_000
SCRIPT = "console.assert(true);" * 100
PLACES = {
    "/": "text/html",
    "/favicon.svg": "image/svg+xml",
    "/assets/app-1a2b.js": "text/javascript",
    "/assets/app-3c4d.css": "text/css",
}


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page that was built, with what is beside it on disk and is none of it."""
    (tmp_path / "secret.py").write_text("secret")
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(PAGE)
    (folder / "favicon.svg").write_text("<svg/>")
    (folder / "assets" / "app-1a2b.js").write_text(SCRIPT)
    (folder / "assets" / "app-3c4d.css").write_text("body { margin: 0 }")
    monkeypatch.setattr(inspector, "STATIC", folder)
    return folder


@pytest.fixture
def page(built: Path, memory: Memory) -> Client:
    return Client(create_app(memory))


def test_nothing_runs_or_is_asked_but_what_this_server_sends(page: Client) -> None:
    for path, media_type in PLACES.items():
        answer = page("GET", path)
        assert answer.status_code == 200
        assert answer.headers["content-type"].partition(";")[0] == media_type
        policy = answer.headers["content-security-policy"]
        assert "unsafe" not in policy
        assert dict(part.split(" ", 1) for part in policy.split("; ")) == {
            "default-src": "'none'",
            "script-src": "'self'",
            "style-src": "'self'",
            "img-src": "'self'",
            "connect-src": "'self'",
            "base-uri": "'none'",
            "form-action": "'none'",
            "frame-ancestors": "'none'",
        }
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"


def test_what_is_known_is_not_sent_again(page: Client) -> None:
    first = page("GET", "/")
    etag = first.headers["etag"]
    for known in (etag, f'"other", W/{etag}', "*"):
        again = page("GET", "/", headers={"if-none-match": known})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", etag)
        assert "content-security-policy" in again.headers
    assert page("GET", "/", headers={"if-none-match": '"other"'}).text == PAGE


def test_a_new_build_has_another_etag(page: Client, built: Path, memory: Memory) -> None:
    (built / "index.html").write_text(f"{PAGE}<p>new</p>")
    assert Client(create_app(memory))("GET", "/").headers["etag"] != page("GET", "/").headers["etag"]


def test_assets_are_kept_for_ever_and_the_page_is_asked_for(page: Client) -> None:
    assert page("GET", "/assets/app-1a2b.js").headers["cache-control"] == "public, max-age=31536000, immutable"
    assert page("GET", "/").headers["cache-control"] == "no-cache"
    assert page("GET", "/favicon.svg").headers["cache-control"] == "no-cache"


def test_over_the_wire(built: Path, memory: Memory) -> None:
    with served(create_app(memory)) as (host, port):
        connection = http.client.HTTPConnection(host, port, timeout=20)
        connection.request("GET", "/assets/app-1a2b.js", headers={"Accept-Encoding": "gzip, br"})
        packed = connection.getresponse()
        body = packed.read()
        assert (packed.headers["Content-Encoding"], packed.headers["Vary"]) == ("gzip", "Accept-Encoding")
        assert gzip.decompress(body).decode() == SCRIPT
        assert len(body) < len(SCRIPT) / 10
        connection.request("GET", "/assets/app-1a2b.js", headers={"Accept-Encoding": "identity"})
        whole = connection.getresponse()
        assert (whole.headers["Content-Encoding"], whole.read().decode()) == (None, SCRIPT)
        connection.request("HEAD", "/", headers={"Accept-Encoding": "identity"})
        head = connection.getresponse()
        assert (head.status, head.headers["Content-Length"], head.read()) == (200, str(len(PAGE)), b"")
        connection.close()
        for path in ("/../secret.py", "/assets/../../secret.py", "/assets/..%2f..%2fsecret.py", "//secret.py"):
            said = talk((host, port), f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
            assert said.split(b" ", 2)[1] in {b"400", b"404"}, path
            assert b"secret" not in said.replace(path.encode(), b"")


def test_there_is_no_listing_and_nothing_beside_it(page: Client) -> None:
    beside = ("/index.html", "/static/", "/secret.py", "/assets/%2e%2e/%2e%2e/secret.py", "/assets/app.js")
    for path in ("/assets", "/assets/", *beside):
        assert error(page("GET", path), 404)["code"] == "not_found"


def test_it_is_read_only(page: Client) -> None:
    error(page("POST", "/"), 405)
    error(page("DELETE", "/favicon.svg"), 405)


def test_a_page_that_was_not_built_says_how(tmp_path: Path, memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspector, "STATIC", tmp_path / "nowhere")
    client = Client(create_app(memory))
    answer = client("GET", "/")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain")
    assert "make web" in answer.text
    assert "content-security-policy" in answer.headers
    assert client("HEAD", "/").status_code == 200
    error(client("GET", "/favicon.svg"), 404)


def test_with_keys_the_page_is_served_and_the_data_is_not(page: Client, memory: Memory) -> None:
    secret = memory.keys.create("ann", role="read").secret
    assert page("GET", "/").text == PAGE
    assert page("GET", "/assets/app-1a2b.js").text == SCRIPT
    assert error(page("GET", f"{API}/users"), 401)["code"] == "unauthenticated"
    assert page("GET", f"{API}/users", headers={"authorization": f"Bearer {secret}"}).status_code == 200
