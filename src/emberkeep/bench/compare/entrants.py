"""The stores that can be compared, and the reasons for leaving one out."""

from importlib.util import find_spec

from emberkeep.bench.compare.chroma import open_chroma
from emberkeep.bench.compare.entrant import Entrant
from emberkeep.bench.compare.mem0 import open_mem0
from emberkeep.bench.compare.own import open_embedded, open_on_postgres
from emberkeep.bench.compare.pgvector import open_pgvector
from emberkeep.errors import InvalidInput

ENTRANTS = {
    one.name: one
    for one in (
        Entrant("emberkeep", (), in_database=False, open=open_embedded),
        Entrant("emberkeep-postgres", ("psycopg",), in_database=True, open=open_on_postgres),
        Entrant("mem0", ("mem0", "qdrant_client"), in_database=False, open=open_mem0),
        Entrant("chroma", ("chromadb",), in_database=False, open=open_chroma),
        Entrant("pgvector", ("psycopg",), in_database=True, open=open_pgvector),
    )
}


def chosen(names: tuple[str, ...]) -> list[Entrant]:
    """The entrants with these names, each once; all of them if none is named."""
    unknown = [name for name in names if name not in ENTRANTS]
    if unknown:
        raise InvalidInput(f"unknown store {unknown[0]!r}: compare {', '.join(ENTRANTS)}")
    return [ENTRANTS[name] for name in dict.fromkeys(names)] or list(ENTRANTS.values())


def why_left_out(entrant: Entrant, *, has_server: bool) -> str | None:
    """What is missing to compare an entrant, and how to install it; None if nothing is."""
    missing = [name for name in entrant.needs if find_spec(name) is None]
    if missing:
        return f"{missing[0]} is not installed: pip install 'emberkeep[bench]'"
    if entrant.in_database and not has_server:
        return "there is no PostgreSQL: name one in --db, or pip install 'emberkeep[bench]'"
    return None
