"""Changes that `make docs` makes to a page before it becomes part of the site."""

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
_NOT_RUN = re.compile(r"^( *```\w+) no-run$", re.MULTILINE)
_OUTSIDE = re.compile(r"\[([^\]]+)\]\((?:\.\./)+([^)#]+)\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the files outside of docs/ that pages link to, as text files."""
    for page in files.documentation_pages():
        for path in _outside(page):
            if path.is_file() and files.get_file_from_path(_published(path)) is None:
                files.append(File.generated(config, _published(path), content=path.read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Point links out of docs/ to those text files, and remove the marks that are for the tests."""
    del config, files
    up = "../" * page.file.src_uri.count("/")

    def lead(match: re.Match[str]) -> str:
        path = _target(page.file, match[0])
        if path is None:
            return match[0]
        return f"[{match[1]}]({up}{_published(path)})" if path.is_file() else match[1]

    return _NOT_RUN.sub(r"\1", _OUTSIDE.sub(lead, markdown))


def _outside(page: File) -> list[Path]:
    """Return what a page links to outside of docs/."""
    found = (_target(page, match[0]) for match in _OUTSIDE.finditer(page.content_string))
    return [path for path in found if path is not None]


def _target(page: File, link: str) -> Path | None:
    """Return the target of a link, if it is in the repository and outside of docs/."""
    docs = ROOT / "docs"
    path = (docs / page.src_uri).parent.joinpath(link.rpartition("(")[2].removesuffix(")")).resolve()
    return None if path.is_relative_to(docs) or not path.is_relative_to(ROOT) else path


def _published(path: Path) -> str:
    """Return a name in the site that ends with .txt, so that browsers show the file rather than save it."""
    return f"source/{path.relative_to(ROOT).as_posix()}.txt"
