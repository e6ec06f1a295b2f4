"""How long it takes until a page of the inspector is usable, and how much is fetched for it.

python -m benchmarks.inspector [--items 2000] [--rounds 5]

A real Chromium, with an empty cache each time, loads the pages from a server over loopback. A page is usable once its
heading is there and nothing in its main part says that it is still loading.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Response, sync_playwright

import emberkeep
from benchmarks.browser import chromium
from benchmarks.texts import Texts

USER = "alex"
PAGES = ("memories", "timeline", "context", "work", "patterns", "system")
WANTED_MS, WANTED_KB = 1_500, 300
ALONE = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")
USABLE = """() => document.querySelector("main h1")
  && ![...document.querySelectorAll("main [role=status]")].some((one) => one.textContent.includes("Loading"))"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=2_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    path = chromium()
    if path is None:
        sys.exit("there is no Chromium here: scripts/chromium.sh installs it")
    with tempfile.TemporaryDirectory(prefix="emberkeep-bench-") as folder:
        target = str(Path(folder) / "inspector.db")
        fill(target, options.items)
        with served(target) as url, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=ALONE)
            print(f"{options.items:,} memories, {options.rounds} rounds; wanted: {WANTED_MS:,} ms, {WANTED_KB} kB")
            for name in PAGES:
                measure(browser, url, name, options.rounds)
            browser.close()


def fill(target: str, count: int) -> None:
    """Add memories, and tasks with their outcomes."""
    with emberkeep.open(target, learner="none") as memory:
        memory.add(Texts().memories(count), user_id=USER)
        memory.goals.save("Ship the release", id="goal", user_id=USER)
        for number in range(min(100, count)):
            task = memory.tasks.start(f"Deploy part {number % 7}", goal_id="goal", user_id=USER)
            memory.tasks.step(task.id, "kubectl", output="configured", duration_ms=20 * number)
            memory.tasks.finish(task.id, success=number % 3 > 0, summary=f"Part {number % 7} is out")


def measure(browser: Browser, url: str, name: str, rounds: int) -> None:
    """Measure the time from requesting a page until it is usable, median and longest, and what was transferred."""
    times, fetched = [], []
    for _ in range(rounds):
        answers: list[Response] = []

        def keep(answer: Response, answers: list[Response] = answers) -> None:
            answers.append(answer)

        with browser.new_context() as context:
            page = context.new_page()
            page.on("response", keep)
            begun = time.perf_counter()
            page.goto(f"{url}/#{name}", wait_until="commit")
            page.wait_for_function(USABLE)
            times.append(1_000 * (time.perf_counter() - begun))
            sizes = [one.request.sizes() for one in answers if not one.url.endswith("/stream?type=*")]
            fetched.append(sum(one["responseBodySize"] + one["responseHeadersSize"] for one in sizes) / 1_000)
    print(
        f"{name:10} usable after {statistics.median(times):6.0f} ms (longest {max(times):.0f}), "
        f"{statistics.median(fetched):5.0f} kB fetched"
    )


@contextmanager
def served(target: str) -> Iterator[str]:
    """Run a server in a process of its own; yield its URL."""
    command = [sys.executable, "-m", "emberkeep", "serve", "--port", "0", "--grpc-port", "0", "--db", target]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            line = process.stdout.readline() if process.stdout else ""
            if not line.startswith("serving: "):
                sys.exit(f"the server did not start: {line!r}")
            yield line.removeprefix("serving: ").strip()
        finally:
            process.terminate()


if __name__ == "__main__":
    main()
