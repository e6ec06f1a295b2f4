"""The output of `emberkeep demo`."""

import shlex

from rich.text import Text

from emberkeep.demo.loading import Demo
from emberkeep.entrypoints.printing import View, minute, shown


def demo_view(demo: Demo) -> View:
    """What the demo holds, and commands to look at it."""
    there = "is loaded" if demo.is_new else "is there already; --again replaces it"
    yield Text(f"The month until {minute(demo.until)} UTC {there}.")
    yield Text(shown(f"store: {demo.database}, tenant {demo.tenant}"))
    yield Text(f"users: {', '.join(demo.users)}")
    yield Text(f"{demo.interactions} interactions, {demo.memories} memories, {demo.patterns} patterns")
    yield Text(", ".join(f"{count} {kind}" for kind, count in demo.by_kind.items()))
    named = shown(shlex.join(["--db", demo.database, *([] if demo.tenant == "default" else ["--tenant", demo.tenant])]))
    yield Text("\nLook at it:")
    yield Text(f"  emberkeep serve {named}   # then open http://127.0.0.1:8787")
    yield Text(f"  emberkeep search 'Where does Mara live now?' --user mara {named}")
    yield Text(f"  emberkeep context 'Deploy the image resizer' --user devi {named}")
