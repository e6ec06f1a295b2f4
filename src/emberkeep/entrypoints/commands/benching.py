"""Commands that measure.

Heavy modules are imported inside the command that needs them.
"""

# ruff: noqa: PLC0415 - so that --help and --version answer at once

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal

import typer

from emberkeep.entrypoints import options as opt
from emberkeep.entrypoints.commands.app import app
from emberkeep.entrypoints.printing import note, progress, show

bench = typer.Typer(no_args_is_help=True)
app.add_typer(bench, name="bench", help="Measure Emberkeep on data of your own.")

Data = Annotated[
    list[Path],
    typer.Option(
        "--data",
        metavar="FILE",
        help="Conversations and questions, a file or a folder; may be repeated.",
        show_default=False,
    ),
]
More = Annotated[list[Path] | None, typer.Argument(metavar="FILE", help="More files, as in --data *.json.gz.")]
NewDb = Annotated[
    str | None,
    typer.Option("--db", metavar="PATH_OR_URL", help="A new file, or postgresql://…; else temporary files."),
]
Kinds = Annotated[Literal["episode", "all"], typer.Option(help="Messages alone, or also what was learned from them.")]
Learner = Annotated[Literal["rules", "none"], typer.Option(help="How to learn from the messages.")]
Embedder = Annotated[
    str | None,
    typer.Option(help="local, one of `models list`, onnx:FOLDER or openai:MODEL; else the one in the settings."),
]
Reranker = Annotated[
    str | None,
    typer.Option(help="Reranker of the plan deep: none, one of `models list` or onnx:FOLDER; else as in the settings."),
]
Ablate = Annotated[bool, typer.Option("--ablate", help="Ask again without each channel of the plan.")]
Compare = Annotated[str, typer.Option(metavar="PEERS", help="Measure these too: mem0, chroma or mem0,chroma.")]
Quick = Annotated[
    int | None, typer.Option("--limit", min=1, help="How many stores of a data set, and questions of a store, at most.")
]
AnyData = Annotated[
    list[Path] | None,
    typer.Option("--data", metavar="FILE", help="Conversations and questions; may be repeated. Else made-up notes."),
]
Items = Annotated[
    int | None,
    typer.Option(min=10, help="How many notes in all: made-up notes of other users are added to the data."),
]
Server = Annotated[
    str | None,
    typer.Option("--db", metavar="URL", help="A postgresql://… where databases may be made; else a temporary server."),
]
Only = Annotated[str, typer.Option(metavar="STORES", help="Compare only these, such as emberkeep,chroma.")]
Rounds = Annotated[int, typer.Option(min=1, help="How often a writer is killed.")]
Out = Annotated[Path | None, typer.Option(metavar="FILE", help="Write each answer there, as a line of JSON.")]


@bench.command("recall", epilog="Example: emberkeep bench recall --data conversations.json.gz --ablate")
def recall(
    more: More = None,
    *,
    data: Data,
    db: NewDb = None,
    plan: opt.Plan = "balanced",
    kinds: Kinds = "episode",
    learner: Learner = "rules",
    embedder: Embedder = None,
    reranker: Reranker = None,
    ablate: Ablate = False,
    compare: Compare = "",
    limit: Quick = None,
    out: Out = None,
    as_json: opt.AsJson = False,
) -> None:
    """Measure how well search finds the messages that answer a question, on conversations with known answers."""
    from emberkeep.bench.measuring import Measuring, Options
    from emberkeep.entrypoints.recall_view import recall_view

    measuring = Measuring(
        Options(
            files=(*data, *(more or ())),
            db=db,
            plan=plan,
            kinds=kinds,
            learner=learner,
            embedder=embedder,
            reranker=reranker,
            ablate=ablate,
            compare=tuple(name.strip() for name in compare.split(",") if name.strip()),
            limit=limit,
            out=out,
        )
    )
    with _stopped_gently(), progress("measuring", measuring.steps) as step:
        report = measuring.run(step)
    show(report, recall_view, as_json=as_json)
    if out is not None:
        note(f"the answers are in {out}")


@bench.command("compare", epilog="Example: emberkeep bench compare --data conversations.json.gz --items 10000")
def compare(
    more: More = None,
    *,
    data: AnyData = None,
    items: Items = None,
    db: Server = None,
    only: Only = "",
    rounds: Rounds = 5,
    embedder: Embedder = None,
    as_json: opt.AsJson = False,
) -> None:
    """Measure Emberkeep beside Mem0, Chroma and plain pgvector: speed, recall, size, and what each survives."""
    from emberkeep.bench.compare.comparing import Comparing, Options
    from emberkeep.entrypoints.compare_view import compare_view

    comparing = Comparing(
        Options(
            files=(*(data or ()), *(more or ())),
            items=items,
            db=db,
            only=tuple(name.strip() for name in only.split(",") if name.strip()),
            rounds=rounds,
            embedder=embedder,
        )
    )
    with _stopped_gently(), progress("comparing", comparing.steps) as step:
        report = comparing.run(step)
    show(report, compare_view, as_json=as_json)


@contextmanager
def _stopped_gently() -> Iterator[None]:
    """Treat SIGTERM like Ctrl-C, so that everything made for the measurement is removed."""
    former = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, former)
