"""The inspector: the page at `/` and its files, as `make web` built them from web/."""

import gzip
import mimetypes
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, Response

from emberkeep.entrypoints.http.etags import names

STATIC = files("emberkeep.entrypoints.http") / "static"
PAGE = "index.html"
NOT_BUILT = (
    "Emberkeep is running. The inspector, its web page, was not built: run `make web` in a checkout (it needs Node.js "
    "20.19 or newer), and start the server again.\nThe API is described at /api/v1/openapi.json.\n"
)
# Only files of this server are run or shown, and the page connects to this server alone.
POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_FOR_EVER = "public, max-age=31536000, immutable"  # the name of an asset changes with its content


@dataclass(frozen=True, slots=True)
class File:
    """A file of the page, in memory: there are few and they are small."""

    media_type: str
    whole: bytes
    packed: bytes
    etag: str
    keep: str

    def answer(self, request: Request) -> Response:
        """The file, gzipped if the client accepts that; only a 304 if the client has it already."""
        headers = {**HEADERS, "Cache-Control": self.keep, "ETag": self.etag, "Vary": "Accept-Encoding"}
        if names(request.headers.get("if-none-match", ""), self.etag):
            return Response(status_code=304, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(self.packed, headers=headers | {"Content-Encoding": "gzip"}, media_type=self.media_type)
        return Response(self.whole, headers=headers, media_type=self.media_type)


def inspector() -> APIRouter:
    """The routes of the page and its files, or one that says how to build them."""
    router = APIRouter(include_in_schema=False)
    found = dict(_read(STATIC, "")) if STATIC.is_dir() else {}
    if PAGE not in found:
        router.add_api_route("/", _not_built, methods=["GET", "HEAD"])
        return router
    found[""] = found.pop(PAGE)
    for path, file in found.items():
        router.add_api_route(f"/{path}", file.answer, methods=["GET", "HEAD"])
    return router


def _not_built() -> Response:
    return PlainTextResponse(NOT_BUILT, headers=HEADERS)


def _read(folder: Traversable, prefix: str) -> Iterator[tuple[str, File]]:
    for entry in folder.iterdir():
        path = f"{prefix}{entry.name}"
        if entry.is_dir():
            yield from _read(entry, f"{path}/")
        else:
            whole = entry.read_bytes()
            kind = mimetypes.guess_type(entry.name)[0] or "application/octet-stream"
            keep = _FOR_EVER if prefix else "no-cache"
            etag = f'"{sha256(whole).hexdigest()[:32]}"'
            yield path, File(kind, whole, gzip.compress(whole, mtime=0), etag, keep)
