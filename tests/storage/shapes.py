"""All that is to know of the tables of a database, to be compared with those of another."""

from typing import Any

from sqlalchemy import Connection, inspect, text

from emberkeep.storage.database import Database


def shape(database: Database) -> dict[str, Any]:
    """All that is to know of the tables of a database."""
    with database.read() as connection:
        look = inspect(connection)
        tables = {
            name: {
                "columns": {
                    column["name"]: (str(column["type"]), column["nullable"], column["default"])
                    for column in look.get_columns(name)
                },
                "key": look.get_pk_constraint(name)["constrained_columns"],
                "foreign": [
                    (key["constrained_columns"], key["referred_table"], key["referred_columns"], key["options"])
                    for key in look.get_foreign_keys(name)
                ],
                "unique": [one["column_names"] for one in look.get_unique_constraints(name)],
            }
            for name in look.get_table_names()
        }
        return {"tables": tables, "indexes": _indexes(connection), "walls": _walls(connection)}


def _indexes(connection: Connection) -> dict[str, str]:
    """The indexes by name, as the database itself writes them down, conditions included."""
    if connection.dialect.name == "sqlite":
        query = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
    else:
        query = "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'"
    return {row[0]: " ".join(row[1].split()) for row in connection.execute(text(query))}


def _walls(connection: Connection) -> list[Any]:
    """The row-level security of each table."""
    if connection.dialect.name == "sqlite":
        return []
    query = """
        SELECT c.relname, c.relrowsecurity, c.relforcerowsecurity, p.polname, pg_get_expr(p.polqual, p.polrelid)
        FROM pg_class c LEFT JOIN pg_policy p ON p.polrelid = c.oid
        WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace ORDER BY 1
    """
    return [tuple(row) for row in connection.execute(text(query))]
