"""The browser that pages are looked at with: Chromium without a window of its own, or whichever is there."""

import shutil

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def chromium() -> str | None:
    """Where it is; `scripts/chromium.sh` installs it."""
    return next(filter(None, map(shutil.which, NAMES)), None)
