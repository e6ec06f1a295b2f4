"""Runs every check, one after the other. Nothing is created or changed."""

import os
from collections.abc import Iterator, Mapping

from emberkeep.clock import Clock, SystemClock
from emberkeep.config import Config, data_folder, settings_file
from emberkeep.entrypoints.doctor import installation, machine, servers, store
from emberkeep.entrypoints.doctor.check import Check, Diagnosis
from emberkeep.errors import EmberkeepError


def examine(
    db: str | None,
    tenant: str | None,
    *,
    host: str = "127.0.0.1",
    environ: Mapping[str, str] = os.environ,
    clock: Clock | None = None,
) -> Diagnosis:
    """Check the installation, the machine, the store and the servers; `host` is where the service would listen."""
    checks = (
        *installation.checks(),
        *installation.variables(environ),
        *_settled(db, tenant, host, clock or SystemClock()),
    )
    return Diagnosis(all(check.state != "fail" for check in checks), checks)


def _settled(db: str | None, tenant: str | None, host: str, clock: Clock) -> Iterator[Check]:
    """The checks that depend on the settings."""
    try:
        config = Config.load(db=db, tenant=tenant)
    except EmberkeepError as error:
        yield Check("settings", "fail", str(error))
        return
    file = settings_file()
    yield Check("settings", "ok", str(file) if file.is_file() else f"the defaults; no file {file}")
    yield Check("data folder", "ok", str(data_folder()))
    yield from machine.checks(config)
    embedder, found = servers.embedder(config)
    yield from store.checks(config, host, embedder, clock)
    yield found
    yield from servers.reranker(config)
    yield servers.learner(config)
    yield from servers.redis(config)
