"""The browser for benchmarks of pages: a headless Chromium, or whichever Chromium is installed."""

import shutil

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def chromium() -> str | None:
    """Return its path, or None; `scripts/chromium.sh` installs it."""
    return next(filter(None, map(shutil.which, NAMES)), None)
