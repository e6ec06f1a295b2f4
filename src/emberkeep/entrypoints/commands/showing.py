"""The command that shows what a memory looks like after a month.

Heavy modules are imported inside the command that needs them.
"""

# ruff: noqa: PLC0415 - so that --help and --version answer at once

from functools import partial
from typing import Annotated

import typer

import emberkeep
from emberkeep.entrypoints import options as opt
from emberkeep.entrypoints import printing
from emberkeep.entrypoints.commands.app import command
from emberkeep.entrypoints.printing import note, progress, show

Store = Annotated[
    str | None,
    typer.Option(
        "--db",
        metavar="PATH_OR_URL",
        help="A file, or postgresql://…; else demo.db in the data folder, never the one in the settings.",
    ),
]
Again = Annotated[bool, typer.Option("--again", help="Replace it, and lose all that was added to it since.")]
Serve = Annotated[bool, typer.Option("--serve", help="Then serve it, until told to stop.")]
Port = Annotated[int, typer.Option(min=0, max=65_535, help="The port for --serve; 0 takes a free one.")]

WAITING = "another process loads it there: waiting until it is done"


@command("demo", example="emberkeep demo --serve")
def demo(
    *,
    again: Again = False,
    serve: Serve = False,
    port: Port = 8787,
    db: Store = None,
    tenant: opt.Tenant = None,
    as_json: opt.AsJson = False,
) -> None:
    """Load a month in the life of an assistant and a coding agent, to look around in; it has a store of its own.

    A demo that is loaded already stays as it is. After an interruption, the same command starts over.
    """
    from emberkeep.demo.live import go_live
    from emberkeep.demo.loading import Demo, load, settings, story
    from emberkeep.entrypoints import serving
    from emberkeep.entrypoints.demo_view import demo_view

    config = settings(db, tenant)

    def loaded() -> Demo:
        with progress("a month", len(story())) as step:
            return load(config, again=again, progress=step, waiting=partial(note, WAITING))

    if not serve:
        show(loaded(), demo_view, as_json=as_json)
        return
    serving.require_extra()
    announce = partial(show, view=printing.address_view, as_json=as_json)
    with serving.listening("127.0.0.1", port) as listener:  # a port in use is reported before everything is loaded
        told = loaded()
        note("loaded" if told.is_new else f"it is there already, until {printing.minute(told.until)}")
        with emberkeep.open(config=config) as memory:
            go_live(memory)
            serving.run(memory, listener, config, announce, serving.Options(port=port))
