"""Checks of the database: whether it opens, its schema, clock, vectors, backlog, events and keys."""

import os
from collections.abc import Iterator
from datetime import timedelta

from emberkeep.clock import Clock
from emberkeep.config import Config
from emberkeep.entrypoints.doctor.check import Check
from emberkeep.entrypoints.doctor.machine import file_of, folder_of, is_there, may
from emberkeep.entrypoints.serving import LOOPBACK
from emberkeep.errors import EmberkeepError
from emberkeep.learning.embedding import Embedding
from emberkeep.providers.base import Embedder
from emberkeep.storage import counts, keys, log, migrate, outbox, spaces, vectors
from emberkeep.storage.database import Database
from emberkeep.storage.freshness import Following
from emberkeep.wiring import open_database

OFF = timedelta(seconds=30)  # the largest difference between two clocks that is not a fault
_BELOW = "for a service with several tenants, connect as a role without SUPERUSER and BYPASSRLS"
_SET = "have it set by the network (timedatectl set-ntp true)"


def checks(config: Config, host: str, embedder: Embedder | None, clock: Clock) -> Iterator[Check]:
    """Open the database and check it; a file that does not exist is not created."""
    path = file_of(config)
    if path is not None and not is_there(path):
        folder = folder_of(path)
        if folder.is_dir() and may(folder, os.W_OK):
            yield Check("database", "ok", f"{path} is made when it is first used")
        else:
            advice = f"you may not write to {folder}; pass another --db"
            yield Check("database", "fail", f"{path} cannot be made: {advice}")
        return
    try:
        database = open_database(config)
    except EmberkeepError as error:
        yield Check("database", "fail", str(error))
        return
    try:
        yield from _opened(database, config, host, embedder, clock)
    except EmberkeepError as error:
        yield Check("database", "fail", str(error))
    finally:
        database.close()


def _opened(database: Database, config: Config, host: str, embedder: Embedder | None, clock: Clock) -> Iterator[Check]:
    schema = migrate.current(database)
    yield Check("database", "ok", database.url)
    strange = migrate.strange_tables(database)
    yield Check("schema", "fail", f"{database.url} {strange}") if strange else _schema(schema, database.url)
    if role := database.above_the_wall():
        yield Check("tenants", "warn", f"{role} is above row-level security: {_BELOW}")
    if following := database.following():
        yield _replica(following)
    if schema == migrate.HEAD:
        yield _time(database, config.tenant, clock)
        yield _index(database, config.tenant, embedder, clock)
        yield _backlog(database, config.tenant)
        yield _events(database, config.tenant)
        yield _keys(database, host)


def _schema(found: str | None, url: str) -> Check:
    if found is None:
        return Check("schema", "ok", "empty; made when it is first used")
    if found == migrate.HEAD:
        return Check("schema", "ok", found)
    if found > migrate.HEAD:
        return Check("schema", "fail", str(migrate.newer(url, found)))
    return Check("schema", "warn", f"{found}, the current one is {migrate.HEAD}: run emberkeep migrate")


def _replica(following: Following) -> Check:
    if following.problem is not None:
        return Check("read_db", "warn", f"{following.url}: {following.problem}; the primary answers meanwhile")
    return Check("read_db", "ok", f"{following.url} answers, {following.behind:,} bytes of the log behind")


def _time(database: Database, tenant: str, clock: Clock) -> Check:
    """Check that this machine's clock agrees with the database server's, and is not behind the latest row."""
    theirs, now = database.now(), clock.now()
    if theirs is not None and abs(theirs - now) > OFF:
        apart = round(abs((theirs - now).total_seconds()))
        return Check("clock", "fail", f"it and the database's are {apart:,} s apart: {_SET} on both machines")
    with database.read() as connection:
        latest = counts.latest(connection, tenant)
    if latest is not None and latest - now > OFF:
        found = f"it says {now:%Y-%m-%d %H:%M}, but something was kept at {latest:%Y-%m-%d %H:%M}"
        return Check("clock", "fail", f"{found}: it goes wrong, or went wrong then; {_SET}")
    return Check("clock", "ok", f"{now:%Y-%m-%d %H:%M} UTC" + ("" if theirs is None else ", as the database's"))


def _index(database: Database, tenant: str, embedder: Embedder | None, clock: Clock) -> Check:
    """Check that searches can use the stored vectors, and that every memory has one."""
    with database.read() as connection:
        space = spaces.active_space(connection)
        without = vectors.count_unembedded(connection, tenant)
    if embedder is not None:
        try:
            Embedding(database, embedder, clock).check(space)
        except EmberkeepError as error:
            return Check("index", "fail", str(error))
    if without:
        advice = "found by their words only: emberkeep learn gives them theirs"
        return Check("index", "warn", f"{without:,} memories have no vector, and are {advice}")
    return Check("index", "ok", "empty" if space is None else f"vectors of {space.embedder}, none missing")


def _backlog(database: Database, tenant: str) -> Check:
    with database.read() as connection:
        counted = log.count_backlog(connection, tenant)
    found = f"{counted['waiting']:,} wait, {counted['failed']:,} failed"
    if counted["failed"]:
        advice = "emberkeep backlog says why, emberkeep learn --retry-failed tries again"
        return Check("backlog", "warn", f"{found}: {advice}")
    return Check("backlog", "ok", found)


def _events(database: Database, tenant: str) -> Check:
    with database.read() as connection:
        counted = outbox.count(connection, tenant)
    found = f"{counted['waiting']:,} wait to be delivered, {counted['failed']:,} were given up"
    if counted["failed"]:
        return Check("events", "warn", f"{found}: emberkeep webhooks failed says why")
    return Check("events", "ok", found)


def _keys(database: Database, host: str) -> Check:
    with database.of_everyone().read() as connection:
        exist = keys.exist(connection)
    if exist:
        return Check("keys", "ok", "there are some, so everyone needs one")
    if host == "localhost" or host.startswith(LOOPBACK):
        return Check("keys", "ok", "none yet; the service lets in whoever is on this machine, and nobody else")
    advice = "make one with `emberkeep keys create NAME --role admin`, or serve on 127.0.0.1"
    return Check("keys", "fail", f"none yet, and others can reach {host}: {advice}")
