"""The table of verbs: complete, and without two verbs on one route."""

import inspect
import re
from collections import Counter

import emberkeep
from emberkeep.service.verbs import LOCAL, NAMESPACES, VERBS
from emberkeep.testing import WordEmbedder


def test_every_verb_of_a_memory_has_a_route_or_a_reason() -> None:
    with emberkeep.open(":memory:", embedder=WordEmbedder(), learner="none") as memory:
        found = {name for name in dir(memory) if not name.startswith("_") and inspect.ismethod(getattr(memory, name))}
        spaces = {name: value for name, value in vars(memory).items() if not name.startswith("_")}
        assert {name: type(value) for name, value in spaces.items()} == dict(NAMESPACES)
        for space, value in spaces.items():
            verbs = (name for name in dir(value) if not name.startswith("_") and inspect.ismethod(getattr(value, name)))
            found |= {f"{space}.{name}" for name in verbs}
    assert found == VERBS.keys() | LOCAL.keys()
    assert not VERBS.keys() & LOCAL.keys()


def test_no_route_hides_another() -> None:
    routes = [(verb.method, re.sub(r"{\w+}", "{}", verb.path)) for verb in VERBS.values()]
    assert [route for route, count in Counter(routes).items() if count > 1] == []
    fixed = {path for _, path in routes}
    for method, path in routes:
        if path.endswith("/{}"):
            beside = {other for other in fixed if other.rpartition("/")[0] == path.rpartition("/")[0] and other != path}
            assert all((method, other) not in routes for other in beside), f"{method} {path} is beside {beside}"


def test_what_is_part_of_a_path_is_an_argument_that_is_needed() -> None:
    for verb in VERBS.values():
        for name in verb.in_path:
            assert verb.arguments[name].required, verb


def test_arguments_of_this_process_are_not_sent() -> None:
    assert "progress" not in VERBS["rebuild"].arguments
    assert "archive_before" in VERBS["upkeep"].arguments
    assert VERBS["knowledge.import_file"].arguments["source"].kind is bytes


def test_a_read_that_is_narrowed_takes_what_narrows_it() -> None:
    assert {"query", "limit", "user_id", "kinds", "as_of"} <= VERBS["search"].arguments.keys()
    assert "kinds" not in VERBS["decisions.similar"].arguments


def test_each_verb_says_what_it_does() -> None:
    assert all(verb.summary.endswith((".", ":")) or verb.summary for verb in VERBS.values())
    assert VERBS["delete"].summary.startswith("Remove a memory")
