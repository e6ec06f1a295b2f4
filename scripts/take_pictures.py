"""Takes the screenshots of the inspector for the docs, with the data of the demo: docs/images/inspector*.png.

Needs `make web` and a Chromium (`scripts/chromium.sh`).
"""

import io
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

IMAGES = Path(__file__).parent.parent / "docs" / "images"
PORT = 8793
SIZE = {"width": 1280, "height": 800}
ALONE = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")


def search(page: Page) -> None:
    """Search, and open the explanation of the first hit."""
    page.get_by_role("searchbox").fill("where does Mara live now?")
    page.get_by_text("best first").wait_for()
    page.locator("summary", has_text="Why it is here").first.click()
    page.get_by_role("heading", level=1).click()  # so that the field loses the focus


def assemble(page: Page) -> None:
    """Assemble a context for a task."""
    page.get_by_label("Task").fill("Suggest a dinner for Mara")
    page.get_by_role("button", name="Assemble").click()
    page.get_by_role("heading", name="As the model gets it").wait_for()


SHOWN: dict[str, tuple[str, Callable[[Page], None] | None]] = {
    "inspector": ("memories", search),
    "inspector-context": ("context", assemble),
    "inspector-patterns": ("patterns", None),
    "inspector-system": ("system", None),
}


def main() -> None:
    """Serve the demo from a temporary folder, and take the screenshots."""
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if chromium is None:
        sys.exit("there is no Chromium here: scripts/chromium.sh installs it")
    with tempfile.TemporaryDirectory() as home:
        command = [sys.executable, "-m", "emberkeep", "demo", "--serve", "--port", str(PORT)]
        settings = {**os.environ, "EMBERKEEP_HOME": home}
        server = subprocess.Popen(command, env=settings, stdout=subprocess.PIPE, text=True)  # noqa: S603
        try:
            assert server.stdout is not None  # noqa: S101 - it is a pipe
            next(line for line in server.stdout if "mcp:" in line)  # its last line of output
            take(chromium)
        finally:
            server.terminate()
            server.wait()


def take(chromium: str) -> None:
    """Take all screenshots, reduced to 128 colours."""
    with sync_playwright() as playwright, playwright.chromium.launch(executable_path=chromium, args=ALONE) as browser:
        page = browser.new_page(base_url=f"http://127.0.0.1:{PORT}", viewport=SIZE, color_scheme="light")  # type: ignore[arg-type]
        for name, (address, act) in SHOWN.items():
            page.goto(f"/#{address}")
            page.wait_for_load_state("networkidle" if address != "system" else "load")
            page.wait_for_timeout(1_500)
            if act is not None:
                act(page)
                page.wait_for_timeout(500)
            picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
            picture.quantize(128).save(IMAGES / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
