"""The tables, for both databases.

The tenant is the first column of every key, so that a distributed PostgreSQL can shard by it; on a single one the large
tables are partitioned by it (`postgres_layout.py`). Scope columns hold "" for "none", so that equality works
everywhere. Times are whole microseconds since 1970 in UTC.

A *shelf* is one user's memories (or those of no user): the unit of text statistics, of vector indexes and of
synchronising processes. Each change to a shelf's items takes the next of its `revision` numbers, and a process that
holds an index of the shelf reads the rows after the last revision it knows. A new `epoch` tells it to read all anew.
"""

from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
    event,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

from emberkeep.storage.column_types import Listed, Moment, ScopeId, Vector
from emberkeep.storage.postgres_layout import lay_out

metadata = MetaData()
event.listen(metadata, "after_create", lay_out)
VERSION_TABLE = "emberkeep_version"  # not Alembic's usual one, which another application may have
_Json = JSON().with_variant(JSONB(), "postgresql")
_JsonOrNone = JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")
_Key = String(256)
# Options of tables that grow with each thing that is told, found or done.
_by_tenant: dict[str, Any] = {"postgresql_partition_by": "HASH (tenant)"}


def _tenant() -> Column[str]:
    return Column("tenant", _Key, primary_key=True)


def _of_item() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["tenant", "item_id"], ["items.tenant", "items.id"], ondelete="CASCADE")


# Named values for the whole database, such as the vector space in use.
meta = Table("meta", metadata, Column("key", _Key, primary_key=True), Column("value", Text, nullable=False))

# The vector spaces: the embedder that made the vectors, and their dimension.
spaces = Table(
    "spaces",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("embedder", Text, nullable=False),
    Column("dimension", Integer, nullable=False),
    Column("created_at", BigInteger, nullable=False),
)

shelves = Table(
    "shelves",
    metadata,
    _tenant(),
    Column("user_id", _Key, primary_key=True),
    Column("number", BigInteger, nullable=False),  # names the shelf in `vectors` and in index names
    Column("epoch", BigInteger, nullable=False),
    Column("revision", BigInteger, nullable=False),
    UniqueConstraint("tenant", "number"),
)

interactions = Table(
    "interactions",
    metadata,
    _tenant(),
    Column("id", _Key, primary_key=True),
    Column("user_id", _Key, nullable=False),
    Column("agent_id", _Key, nullable=False),
    Column("session_id", _Key, nullable=False),
    Column("occurred_at", BigInteger, nullable=False),
    Column("recorded_at", BigInteger, nullable=False),
    Column("messages", _Json, nullable=False),
    Column("tags", _Json, nullable=False),
    Column("metadata", _Json, nullable=False),
    Column(
        "details", JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")
    ),  # tool calls, the prompt, skill and latencies, as the caller passed them
    Column("episodes", Boolean, nullable=False),  # whether its messages have become items
    Column("backlog", String(16)),  # "waiting" to be learned from, or "failed"; null if there is nothing to do
    Column("attempts", Integer, nullable=False),
    Column("due_at", BigInteger, nullable=False),  # not to be taken before this; when leased, the end of the lease
    Column("lease", _Key),  # its holder
    Column("reason", Text),  # why the last attempt failed
    Column("learned_by", _Key),
    Column("utc_offset", SmallInteger),  # minutes east of UTC where it was said; null if that is not known
    Index("interactions_by_session", "tenant", "user_id", "session_id", "id"),
    Index("interactions_by_time", "tenant", "occurred_at", "id"),
    Index(
        "interactions_in_backlog",
        "tenant",
        "backlog",
        "id",
        sqlite_where=text("backlog IS NOT NULL"),
        postgresql_where=text("backlog IS NOT NULL"),
    ),
    **_by_tenant,
)

items = Table(
    "items",
    metadata,
    _tenant(),
    Column("id", _Key, primary_key=True),
    Column("user_id", _Key, nullable=False),
    Column("agent_id", _Key, nullable=False),
    Column("session_id", _Key, nullable=False),
    Column("kind", String(32), nullable=False),
    Column("text", Text, nullable=False),
    Column("speaker", _Key),
    Column("gloss", Text),  # further words to index
    Column("content_hash", LargeBinary, nullable=False),  # of the normalised text: finds the same text told again
    Column("terms", LargeBinary, nullable=False),  # the packed terms for the text index, see `language/terms.py`
    Column("tags", _Json, nullable=False),
    Column("metadata", _Json, nullable=False),
    Column("occurred_at", BigInteger, nullable=False),
    Column("recorded_at", BigInteger, nullable=False),
    Column("valid_from", BigInteger, nullable=False),
    Column("valid_to", BigInteger),
    Column("superseded_by", _Key),
    Column("version_of", _Key),  # of a former version, which an update leaves behind: the id of the item
    Column("temperature", Float, nullable=False),  # at `heated_at`; from then on it cools by the clock
    Column("heated_at", BigInteger, nullable=False),
    Column("access_count", Integer, nullable=False),
    Column("last_access", BigInteger),
    Column("sacred", Boolean, nullable=False),
    Column("revision", BigInteger, nullable=False),
    Column("unembedded", Boolean, nullable=False),
    Column("told", Boolean),  # whether a caller told or changed it, so that it cannot be derived from the log
    Column("stale_from", BigInteger),  # of an episode: when the last statement learned from it ceased to hold
    Column("traits", Integer),  # what kind of message it is, see `language/traits.py`
    Column("about_from", BigInteger),  # the period that the text tells of, if it names one
    Column("about_to", BigInteger),
    Column("record", _Key),  # the record that is found by it, such as "task:ID"; null for what was said or learned
    Column("cold", Boolean),  # whether it has left the index that searches use by default
    Column("utc_offset", SmallInteger),  # as of an interaction
    Index("items_by_revision", "tenant", "user_id", "revision"),
    Index("items_by_content", "tenant", "user_id", "content_hash"),
    Index("items_by_time", "tenant", "user_id", "occurred_at", "id"),
    Index(
        "items_by_version",
        "tenant",
        "version_of",
        sqlite_where=text("version_of IS NOT NULL"),
        postgresql_where=text("version_of IS NOT NULL"),
    ),
    Index(
        "items_by_successor",
        "tenant",
        "superseded_by",
        sqlite_where=text("superseded_by IS NOT NULL"),
        postgresql_where=text("superseded_by IS NOT NULL"),
    ),
    Index(
        "items_by_record",
        "tenant",
        "record",
        sqlite_where=text("record IS NOT NULL"),
        postgresql_where=text("record IS NOT NULL"),
    ),
    Index(
        "items_unembedded",
        "tenant",
        "id",
        sqlite_where=text("unembedded"),
        postgresql_where=text("unembedded"),
    ),
    **_by_tenant,
)

# Worded like the condition of the index above: for `unembedded = 1`, SQLAlchemy's form, SQLite reads the whole table.
LACKS_VECTOR = text("items.unembedded")

# A copy of tags and metadata, one row each, so that filters are quick and work the same on both databases.
attributes = Table(
    "attributes",
    metadata,
    _tenant(),
    Column("item_id", _Key, primary_key=True),
    Column("attribute", LargeBinary, primary_key=True),  # the hash of a tag, or of a metadata key and its value
    Column("user_id", _Key, nullable=False),
    _of_item(),
    Index("attributes_by_value", "tenant", "user_id", "attribute"),
    **_by_tenant,
)

# The messages that an item came from.
sources = Table(
    "sources",
    metadata,
    _tenant(),
    Column("item_id", _Key, primary_key=True),
    Column("interaction_id", _Key, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("message_id", _Key, nullable=False),
    Column("role", _Key, nullable=False),
    Column("name", _Key),
    Column("occurred_at", BigInteger, nullable=False),
    Column("quote", Text),  # the words that support a statement; null for an episode, which is the message itself
    _of_item(),
    Index("sources_by_interaction", "tenant", "interaction_id"),
    **_by_tenant,
)

# The claims of statements, see `model/claim.py`; by them it is found out what a new statement changes.
claims = Table(
    "claims",
    metadata,
    _tenant(),
    Column("item_id", _Key, primary_key=True),
    Column("user_id", _Key, nullable=False),
    Column("subject", Text, nullable=False),
    Column("relation", Text, nullable=False),
    Column("value", Text, nullable=False),
    Column("stems", Text, nullable=False),  # of the value, in order: the same for "two dogs" and "two dog"
    Column("single", Boolean, nullable=False),
    Column("negated", Boolean, nullable=False),
    _of_item(),
    Index("claims_by_subject", "tenant", "user_id", "subject", "relation"),
    **_by_tenant,
)

# The people and things that an item mentions, folded.
mentions = Table(
    "mentions",
    metadata,
    _tenant(),
    Column("item_id", _Key, primary_key=True),
    Column("entity", _Key, primary_key=True),
    Column("user_id", _Key, nullable=False),
    _of_item(),
    Index("mentions_by_entity", "tenant", "user_id", "entity"),
    **_by_tenant,
)

# Relations between items; searched in both directions.
links = Table(
    "links",
    metadata,
    _tenant(),
    Column("item_id", _Key, primary_key=True),
    Column("other_id", _Key, primary_key=True),
    Column("relation", String(32), primary_key=True),  # similar, entity, supersedes
    Column("user_id", _Key, nullable=False),
    Column("weight", Float, nullable=False),
    _of_item(),
    ForeignKeyConstraint(["tenant", "other_id"], ["items.tenant", "items.id"], ondelete="CASCADE"),
    Index("links_by_other", "tenant", "other_id"),
    **_by_tenant,
)

# The tokens and calls spent on language models, by day, user and model.
spend = Table(
    "spend",
    metadata,
    _tenant(),
    Column("day", String(10), primary_key=True),
    Column("user_id", _Key, primary_key=True),
    Column("model", _Key, primary_key=True),
    Column("tokens_in", BigInteger, nullable=False),
    Column("tokens_out", BigInteger, nullable=False),
    Column("calls", BigInteger, nullable=False),
)

# Hashes of learned texts that were deleted, so that a rebuild does not bring them back.
forgotten = Table(
    "forgotten",
    metadata,
    _tenant(),
    Column("user_id", _Key, primary_key=True),
    Column("content_hash", LargeBinary, primary_key=True),
    Column("at", BigInteger, nullable=False),
)

# Rebuilds, and what each changed, with the rows that were there before, so that it can be undone.
generations = Table(
    "generations",
    metadata,
    _tenant(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("learner", _Key, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("undone", Boolean, nullable=False),
)
generation_changes = Table(
    "generation_changes",
    metadata,
    _tenant(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("item_id", _Key, primary_key=True),
    Column("user_id", _Key, nullable=False),
    Column("change", String(16), nullable=False),  # added, lost, changed
    Column("before", _Json),  # the rows that were there, by table
    Index("generation_changes_by_user", "tenant", "user_id"),
)

# One vector for each item and space. The hash of the embedded text makes this table the embedding cache as well.
vectors = Table(
    "vectors",
    metadata,
    _tenant(),
    Column("space", BigInteger, primary_key=True),
    Column("item_id", _Key, primary_key=True),
    Column("shelf", BigInteger, nullable=False),
    Column("revision", BigInteger, nullable=False),
    Column("embedded_hash", LargeBinary, nullable=False),
    Column("embedding", Vector, nullable=False),
    Column("words", LargeBinary),  # packed, see `word_vectors.py`; null if the embedder made none
    _of_item(),
    Index("vectors_by_item", "tenant", "item_id"),
    Index("vectors_by_revision", "tenant", "space", "shelf", "revision"),
    Index("vectors_by_content", "tenant", "space", "embedded_hash"),
    Index(
        "vectors_without_words",
        "tenant",
        "space",
        "item_id",
        sqlite_where=text("words IS NULL"),
        postgresql_where=text("words IS NULL"),
    ),
    **_by_tenant,
)

# The changes of an item after it was added. Former texts are in `items` alone, so deleting those removes them.
history = Table(
    "history",
    metadata,
    _tenant(),
    Column("item_id", _Key, primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("user_id", _Key, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("action", String(32), nullable=False),
    Column("version_id", _Key),
    Column("temperature", Float),
    Index("history_by_user", "tenant", "user_id"),
    **_by_tenant,
)

# Deleted items: from these rows, indexes held by other processes learn what to drop.
tombstones = Table(
    "tombstones",
    metadata,
    _tenant(),
    Column("user_id", _Key, primary_key=True),
    Column("revision", BigInteger, primary_key=True),
    Column("item_id", _Key, nullable=False),
)


# Records of work and its outcomes. Their columns are the fields of the values in `model/work.py`,
# `model/experience.py` and `model/collection.py`, so that one module (`storage/records.py`) reads and writes them all.


def _scope() -> tuple[Column[str], ...]:
    return tuple(Column(name, ScopeId, nullable=False) for name in ("user_id", "agent_id", "session_id"))


def _record(name: str, *columns: Column[Any], indexes: tuple[Index, ...] = (), **options: Any) -> Table:
    """Return a table of records, with the columns that all of them have."""
    return Table(
        name,
        metadata,
        _tenant(),
        Column("id", _Key, primary_key=True),
        *_scope(),
        *columns,
        Column("metadata", _Json, nullable=False),
        Column("created_at", Moment, nullable=False),
        Column("updated_at", Moment, nullable=False),
        Index(f"{name}_by_time", "tenant", "user_id", "updated_at", "id"),
        *indexes,
        **options,
    )


goals = _record(
    "goals",
    Column("parent_id", _Key),
    Column("description", Text, nullable=False),
    Column("status", String(16), nullable=False),
    Column("priority", Integer, nullable=False),
    Column("summary", Text, nullable=False),
    Column("finished_at", Moment),
    Column("archived_at", Moment),  # when it was moved to long-term memory as a summary
    indexes=(Index("goals_by_parent", "tenant", "parent_id"), Index("goals_by_status", "tenant", "status", "id")),
)
tasks = _record(
    "tasks",
    Column("goal_id", _Key),
    Column("description", Text, nullable=False),
    Column("status", String(16), nullable=False),
    Column("summary", Text, nullable=False),
    Column("started_at", Moment),
    Column("finished_at", Moment),
    Column("archived_at", Moment),
    indexes=(Index("tasks_by_goal", "tenant", "goal_id"), Index("tasks_by_status", "tenant", "status", "id")),
)
steps = Table(
    "steps",
    metadata,
    _tenant(),
    Column("task_id", _Key, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("iteration", Integer, nullable=False),
    Column("tool", Text, nullable=False),
    Column("parameters", _Json, nullable=False),
    Column("output", Text, nullable=False),
    Column("output_chars", BigInteger, nullable=False),  # the length of the whole output; only its beginning is kept
    Column("success", Boolean, nullable=False),
    Column("duration_ms", Float),
    Column("created_at", Moment, nullable=False),
    ForeignKeyConstraint(["tenant", "task_id"], ["tasks.tenant", "tasks.id"], ondelete="CASCADE"),
    **_by_tenant,
)
decisions = _record(
    "decisions",
    Column("goal_id", _Key),
    Column("task_id", _Key),
    Column("who", Text, nullable=False),
    Column("what", Text, nullable=False),
    Column("why", Text, nullable=False),
    Column("context", Text, nullable=False),
    Column("alternatives", Listed, nullable=False),
    Column("confidence", Float),
    Column("outcome", Text),
    Column("success", Boolean),
    Column("archived_at", Moment),
    indexes=(Index("decisions_by_task", "tenant", "task_id"), Index("decisions_by_goal", "tenant", "goal_id")),
)
cached_patterns = _record(
    "cached_patterns",
    Column("trigger", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("successes", Integer, nullable=False),
    Column("failures", Integer, nullable=False),
    Column("used_at", Moment),
)
procedures = _record(
    "procedures",
    Column("name", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("steps", Listed, nullable=False),
)
incidents = _record(
    "incidents",
    Column("title", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("severity", String(16), nullable=False),
    Column("cause", Text, nullable=False),
    Column("resolution", Text, nullable=False),
    Column("occurred_at", Moment, nullable=False),
    Column("resolved_at", Moment),
)
config_changes = _record(
    "config_changes",
    Column("key", Text, nullable=False),
    Column("old", _JsonOrNone),
    Column("new", _JsonOrNone),
    Column("who", Text, nullable=False),
    Column("why", Text, nullable=False),
    Column("occurred_at", Moment, nullable=False),
)
documents = _record(
    "documents",
    Column("title", Text, nullable=False),
    Column("origin", Text, nullable=False),  # the path or URL that it came from; "" for none
    Column("media_type", String(64), nullable=False),
    Column(
        "content_hash", LargeBinary, nullable=False
    ),  # of the whole text, so that importing it again changes nothing
    Column("chunks", Integer, nullable=False),
)

# How tasks ended, a row for each time that one did.
executions = _record(
    "executions",
    Column("task_id", _Key, nullable=False),
    Column("type", Text, nullable=False),  # the type of the task; "" if none was given
    Column("description", Text, nullable=False),
    Column("summary", Text, nullable=False),
    Column("success", Boolean, nullable=False),
    Column("errors", Listed, nullable=False),
    Column("tools", Listed, nullable=False),  # in the order in which they were called
    Column("code", Text),
    Column("reused", Integer, nullable=False),
    indexes=(
        Index("executions_by_task", "tenant", "task_id"),
        Index("executions_by_type", "tenant", "user_id", "type", "created_at"),
    ),
    **_by_tenant,
)

# What tasks with the same outcome have in common.
patterns = _record(
    "patterns",
    Column("pattern_type", String(16), nullable=False),
    Column("task_type_pattern", Text, nullable=False),
    Column("subject", _Key, nullable=False),  # what it is about: by this, a pattern that is mined again is recognised
    Column("description", Text, nullable=False),
    Column("success_indicators", Listed, nullable=False),
    Column("failure_indicators", Listed, nullable=False),
    Column("recommended_context", _Json, nullable=False),
    Column("examples", Listed, nullable=False),
    Column("hits", Integer, nullable=False),
    Column("support", Integer, nullable=False),
    Column("other_hits", Integer, nullable=False),
    Column("other_support", Integer, nullable=False),
    Column("helpful", Integer, nullable=False),
    Column("unhelpful", Integer, nullable=False),
    Column("adjustment", Float, nullable=False),
    Column("confidence_score", Float, nullable=False),
    Column("usage_count", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("retired_at", Moment),
    indexes=(Index("patterns_by_subject", "tenant", "user_id", "subject"),),
)
pattern_versions = Table(
    "pattern_versions",
    metadata,
    _tenant(),
    Column("pattern_id", _Key, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("at", Moment, nullable=False),
    Column("reason", Text, nullable=False),
    Column("changed", _Json, nullable=False),  # the old and the new value by field
    ForeignKeyConstraint(["tenant", "pattern_id"], ["patterns.tenant", "patterns.id"], ondelete="CASCADE"),
)
pattern_feedback = Table(
    "pattern_feedback",
    metadata,
    _tenant(),
    Column("id", _Key, primary_key=True),
    Column("pattern_id", _Key, nullable=False),
    Column("helpful", Boolean),
    Column("adjustment", Float, nullable=False),
    Column("note", Text),
    Column("at", Moment, nullable=False),
    ForeignKeyConstraint(["tenant", "pattern_id"], ["patterns.tenant", "patterns.id"], ondelete="CASCADE"),
    Index("pattern_feedback_by_pattern", "tenant", "pattern_id", "id"),
)

# Events, written in the transaction of the change; deliveries that sinks are owed; and the listeners.
outbox = Table(
    "outbox",
    metadata,
    _tenant(),
    Column("id", _Key, primary_key=True),
    Column("type", _Key, nullable=False),
    Column("at", Moment, nullable=False),
    Column("user_id", ScopeId, nullable=False),
    Column("payload", _Json, nullable=False),
    **_by_tenant,
)
deliveries = Table(
    "deliveries",
    metadata,
    _tenant(),
    Column("sink", _Key, primary_key=True),
    Column("event_id", _Key, primary_key=True),
    Column("attempts", Integer, nullable=False),
    Column("due_at", Moment, nullable=False),
    Column("holder", String(32)),
    Column("failed", Boolean, nullable=False),
    Column("reason", Text),
    ForeignKeyConstraint(["tenant", "event_id"], ["outbox.tenant", "outbox.id"], ondelete="CASCADE"),
    Index("deliveries_by_event", "tenant", "event_id"),
    **_by_tenant,
)
listeners = Table(
    "listeners",
    metadata,
    _tenant(),
    Column("id", _Key, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("url", Text, nullable=False),
    Column("secret", Text, nullable=False),
    Column("types", _Json, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("until", Moment),
)

# Critical live events, stored so that they are not lost with the process.
events = Table(
    "events",
    metadata,
    _tenant(),
    Column("id", _Key, primary_key=True),
    Column("at", Moment, nullable=False),
    Column("category", Text, nullable=False),
    Column("severity", String(16), nullable=False),
    Column("source", Text, nullable=False),
    Column("message", Text, nullable=False),
    Column("data", _JsonOrNone),
    Column("archived_at", Moment),
    Index("events_by_time", "tenant", "at", "id"),
)

# Named values: preferences, the state of a persona, the state of an agent.
entries = Table(
    "entries",
    metadata,
    _tenant(),
    Column("drawer", String(16), primary_key=True),
    Column("user_id", ScopeId, primary_key=True),
    Column("agent_id", ScopeId, primary_key=True),
    Column("key", _Key, primary_key=True),
    Column("value", _JsonOrNone),
    Column("updated_at", Moment, nullable=False),
)

# Contexts that were handed out, what each was made of, and whether it helped. Holds ids of memories, never their text.
contexts = Table(
    "contexts",
    metadata,
    _tenant(),
    Column("id", _Key, primary_key=True),
    *_scope(),
    Column("at", Moment, nullable=False),
    Column("task", Text, nullable=False),
    Column("max_tokens", Integer, nullable=False),
    Column("total_tokens", Integer, nullable=False),
    Column("settings", _Json, nullable=False),
    Column("entries", Listed, nullable=False),
    Column("degraded", Listed, nullable=False),
    Column("helpful", Boolean),
    Column("note", Text),
    Column("rated_at", Moment),
    Index("contexts_by_time", "tenant", "user_id", "at", "id"),
    **_by_tenant,
)

# Keys that give access to the store from outside. A key is presented before its tenant is known, so its id is unique
# among all tenants; where tables are spread over servers, each server needs a copy of this one.
api_keys = Table(
    "api_keys",
    metadata,
    _tenant(),
    Column("id", _Key, primary_key=True),
    Column("name", _Key, nullable=False),
    Column("secret_hash", LargeBinary, nullable=False),
    Column("role", String(16), nullable=False),
    Column("user_id", ScopeId, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("expires_at", Moment),
    Column("revoked_at", Moment),
    Column("last_used_at", Moment),
    Index("api_keys_by_id", "id", unique=True),
)

# What was done to look after the store, and by whom.
audit = Table(
    "audit",
    metadata,
    _tenant(),
    Column("id", _Key, primary_key=True),
    Column("at", Moment, nullable=False),
    Column("who", _Key, nullable=False),
    Column("action", _Key, nullable=False),
    Column("user_id", ScopeId, nullable=False),  # whose data it was about
    Column("what", _Json, nullable=False),
)

# Requests that are carried out once however often they are sent.
idempotency = Table(
    "idempotency",
    metadata,
    _tenant(),
    Column("who", _Key, primary_key=True),  # senders may choose the same key, and must not see each other's answers
    Column("key", _Key, primary_key=True),
    Column("user_id", ScopeId, nullable=False),  # whose data the answer holds
    Column("fingerprint", LargeBinary, nullable=False),
    Column("state", String(16), nullable=False),
    Column("holder", String(32), nullable=False),
    Column("lease_until", Moment, nullable=False),
    Column("status", Integer),
    Column("body", Text),
    Column("created_at", Moment, nullable=False),
    Index("idempotency_by_user", "tenant", "user_id"),
)
