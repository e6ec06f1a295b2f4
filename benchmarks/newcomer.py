"""How long adding takes for a new tenant as it grows, while the statistics of PostgreSQL know only other tenants.

python -m benchmarks.newcomer --db URL [--messages 1500]

The database must be empty, and the role must own it. Autovacuum, which updates the statistics, is turned off for the
tables, as if it had not reached them yet.
"""

import argparse
import random
import time

import psycopg

import emberkeep
from emberkeep.testing.embedder import WordEmbedder

AT_ONCE = 100
KNOWN = 6  # tenants in the statistics; each partition of a table holds one or two of them
PLACES = ("Lisbon", "Rome", "Oslo", "Paris", "Berlin", "Madrid", "Kyoto", "Quito")
THINGS = ("tea", "chess", "jazz", "hiking", "pottery", "sushi", "cycling", "opera")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--db", required=True, help="a PostgreSQL URL")
    parser.add_argument("--messages", type=int, default=1_500)
    options = parser.parse_args()
    drawn = random.Random(1)
    for number in range(KNOWN):
        _add(options.db, f"known-{number}", AT_ONCE, drawn)
    _stop_counting(options.db)
    first = None
    for start, seconds in _add(options.db, "newcomer", options.messages, drawn):
        first = first or seconds
        print(
            f"{AT_ONCE} messages beside {start:>6,}: {seconds:6.2f} s, {seconds / first:5.2f} times the first",
            flush=True,
        )


def _add(url: str, tenant: str, count: int, drawn: random.Random) -> list[tuple[int, float]]:
    taken = []
    with emberkeep.open(url, tenant=tenant, embedder=WordEmbedder()) as memory:
        for start in range(0, count, AT_ONCE):
            texts = [_text(number, drawn) for number in range(start, start + AT_ONCE)]
            began = time.perf_counter()
            memory.add(texts, user_id="alex", session_id=f"s{start}")
            taken.append((start, time.perf_counter() - began))
    return taken


def _text(number: int, drawn: random.Random) -> str:
    friend = f"{drawn.choice(('Ann', 'Bob', 'Cleo', 'Dan'))}{number % 50}"
    return f"My friend {friend} lives in {drawn.choice(PLACES)} and I like {drawn.choice(THINGS)} number {number}."


def _stop_counting(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("ANALYZE")
        tables = connection.execute(
            "SELECT oid::regclass::text FROM pg_class WHERE relkind = 'r' AND relowner = current_user::regrole"
        )
        for (name,) in tables.fetchall():
            connection.execute(f"ALTER TABLE {name} SET (autovacuum_enabled = false)".encode())


if __name__ == "__main__":
    main()
