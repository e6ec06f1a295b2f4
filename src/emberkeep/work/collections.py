"""One search across the long-term collections."""

from emberkeep.errors import InvalidInput
from emberkeep.model import checks
from emberkeep.model.collection import COLLECTION_OF, KIND_OF, SearchResult, collections_named
from emberkeep.model.recall import Hit, Where
from emberkeep.work.desk import Desk, relevance
from emberkeep.work.knowledge import about_chunk


def search_collections(
    desk: Desk, query: str, collections: object, n_results: object, where: Where
) -> list[SearchResult]:
    """Search the named collections; returns results in descending relevance."""
    if "kinds" in where:
        raise InvalidInput("kinds= does not go with collections: name the collections instead")
    names = collections_named(collections)
    limit = checks.limit(n_results, most=checks.MAX_SEARCH_LIMIT, name="n_results")
    hits = desk.hits(query, tuple(KIND_OF[name] for name in names), limit, where)
    return sorted((_result(hit, hits[0]) for hit in hits), key=lambda one: -one.relevance)


def _result(hit: Hit, best: Hit) -> SearchResult:
    noun, _, record_id = (hit.item.record or "").partition(":")
    return SearchResult(
        content=hit.text,
        metadata=about_chunk(hit.item.metadata) if noun == "document" else hit.item.metadata,
        relevance=relevance(hit, best) if hit.similarity is None else max(0.0, hit.similarity),
        collection=COLLECTION_OF[hit.item.kind],
        id=hit.id if noun in {"", "document"} else record_id,
    )
