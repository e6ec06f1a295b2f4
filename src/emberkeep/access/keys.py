"""`memory.keys`: making, listing, revoking and verifying API keys.

A key reads `ek_<id>_<secret>`. The id finds it, in any tenant; the secret proves it, and only its hash is stored.
"""

import hashlib
import hmac
import logging
import re
import secrets
import threading
from builtins import list as listing
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Connection

from emberkeep.access.audit import entry
from emberkeep.access.principal import Principal
from emberkeep.clock import Clock
from emberkeep.errors import InvalidInput, NotFound, StoreError, Unauthenticated
from emberkeep.model import checks
from emberkeep.model.access import LOCAL, ApiKey, NewKey, Role, role_named
from emberkeep.storage import audit_log, keys
from emberkeep.storage.database import Database

_logger = logging.getLogger(__name__)
ID_BYTES = 8
SECRET_BYTES = 32
REVOKED_WITHIN = timedelta(seconds=5)  # how long a process caches a key, and so how long a revoked one may still work
NOTED_EVERY = timedelta(minutes=1)
MOST_HELD = 10_000
_FORM = re.compile(rf"ek_([0-9a-f]{{{2 * ID_BYTES}}})_([0-9a-f]{{{2 * SECRET_BYTES}}})")
_LENGTH = len("ek_") + 2 * ID_BYTES + len("_") + 2 * SECRET_BYTES
_NOBODYS = bytes(hashlib.sha256().digest_size)  # no secret hashes to this; compared with where there is no key


class _Held(NamedTuple):
    key: ApiKey
    read_at: datetime


class Keys:
    """Manages the keys of a tenant, and verifies the keys of any tenant."""

    def __init__(self, database: Database, clock: Clock, tenant: str) -> None:
        self._database = database
        self._everyone = database.of_everyone()  # a presented key does not name its tenant
        self._clock = clock
        self._tenant = tenant
        self._lock = threading.Lock()
        self._held: dict[tuple[str, bytes], _Held] = {}  # by id and hash, so that a wrong secret finds nothing
        self._noted: dict[str, datetime] = {}

    def create(
        self,
        name: str,
        *,
        role: Role = "write",
        user_id: str | None = None,
        expires_at: datetime | str | None = None,
        who: str = LOCAL,
    ) -> NewKey:
        """Make a key for this tenant; the answer holds its secret, which is shown only this once: keep it.

        With a `user_id` the key opens only that user's memory. `who` is recorded in the audit log as its maker.
        """
        now = self._clock.now()
        key = ApiKey(
            id=secrets.token_hex(ID_BYTES),
            tenant=self._tenant,
            name=_name(name),
            role=role_named(role),
            user_id=checks.owner_id(user_id),
            created_at=now,
            expires_at=_later(checks.moment(expires_at, name="expires_at"), now),
        )
        if key.role == "admin" and key.user_id is not None:  # or it could make itself a key without that limit
            raise InvalidInput("an admin looks after all users: leave the user out, or make it a key that writes")
        secret = secrets.token_hex(SECRET_BYTES)
        told = {"id": key.id, "name": key.name, "role": key.role}
        made = entry("key.created", told, who=who, user_id=key.user_id, now=now)

        def write(connection: Connection) -> None:
            keys.add(connection, key, _hash(secret))
            audit_log.add(connection, self._tenant, made)

        self._database.write(write)
        return NewKey(key, f"ek_{key.id}_{secret}")

    def list(self, limit: int = 100) -> listing[ApiKey]:
        """The tenant's keys, the latest first, including revoked and expired ones."""
        most = checks.limit(limit, most=checks.MAX_PAGE_LIMIT)
        with self._database.read() as connection:
            return keys.listed(connection, self._tenant, most)

    def exist(self) -> bool:
        """Whether there is any key, of any tenant, including revoked and expired ones."""
        with self._everyone.read() as connection:
            return keys.exist(connection)

    def revoke(self, id: str, *, who: str = LOCAL) -> ApiKey:  # noqa: A002 - as in the other verbs
        """Revoke one of the tenant's keys: here it takes effect at once, in other processes within five seconds."""
        # Reduce a whole key to its id: the secret must not end up in an error message.
        named = checks.storable(id, name="id").removeprefix("ek_").partition("_")[0]
        now = self._clock.now()

        def write(connection: Connection) -> ApiKey | None:
            found = keys.revoke(connection, self._tenant, named, now)
            if found is None:
                return None
            key, changed = found
            if changed:
                told = {"id": key.id, "name": key.name, "role": key.role}
                made = entry("key.revoked", told, who=who, user_id=key.user_id, now=now)
                audit_log.add(connection, self._tenant, made)
            return key

        revoked = self._database.write(write)
        if revoked is None:
            raise NotFound(f"no key {named[:100]!r}: `emberkeep keys list` shows those there are")
        with self._lock:
            self._held = {place: held for place, held in self._held.items() if place[0] != named}
        return revoked

    def verify(self, presented: str | None) -> Principal:
        """The principal of a presented key, of any tenant; raises `Unauthenticated` unless it is known and valid.

        A known key is not looked up again for five seconds.
        """
        key = self._found(presented)
        now = self._clock.now()
        match key.state_at(now):
            case "revoked":
                raise Unauthenticated("this API key was revoked: ask for a new one")
            case "expired":
                raise Unauthenticated("this API key has expired: ask for a new one")
        self._note(key, now)
        return Principal(key.tenant, key.role, key.user_id, key.id)

    def _found(self, presented: object) -> ApiKey:
        """The stored key that a presented one proves, even if it is revoked or expired; from the cache or the store."""
        if presented is None or presented == "":
            raise Unauthenticated("an API key is needed: pass one, made with `emberkeep keys create`")
        form = _FORM.fullmatch(presented) if isinstance(presented, str) and len(presented) == _LENGTH else None
        if form is None:
            raise Unauthenticated(f"this is no API key: one begins with ek_ and has {_LENGTH} characters")
        place = form[1], _hash(form[2])
        now = self._clock.now()
        held = self._held.get(place)
        if held is not None and held.read_at <= now < held.read_at + REVOKED_WITHIN:
            return held.key
        with self._everyone.read() as connection:
            stored = keys.find(connection, place[0])
        # The comparison is made even if there is no such key, so that its time does not reveal whether there is.
        proved = hmac.compare_digest(_NOBODYS if stored is None else stored.secret_hash, place[1])
        if stored is None or not proved:
            raise Unauthenticated("this API key is not known: check that it is complete, or ask for a new one")
        with self._lock:
            if len(self._held) >= MOST_HELD:
                self._held.clear()
            self._held[place] = _Held(stored.key, now)
        return stored.key

    def _note(self, key: ApiKey, now: datetime) -> None:
        """Store that a key was used, at most once a minute; if the store cannot be written to, that is only logged.

        Of several requests at the same time only one writes, so that a slow write delays no other.
        """
        due = now - NOTED_EVERY
        with self._lock:
            noted = self._noted.get(key.id, key.last_used_at)
            if noted is not None and due < noted <= now:
                return
            if len(self._noted) >= MOST_HELD:
                self._noted.clear()
            self._noted[key.id] = now
        try:
            self._everyone.write(lambda connection: keys.touch(connection, key, now, before=due))
        except StoreError as error:
            _logger.warning("the last use of key %s was not noted: %s", key.id, error)


def _hash(secret: str) -> bytes:
    """The hash of a secret, which is all that is stored of it.

    Slow hashes such as bcrypt make guessing expensive where people choose guessable secrets. Nobody guesses 256 random
    bits, so one round of SHA-256 is as safe, and costs a request a microsecond.
    """
    return hashlib.sha256(secret.encode()).digest()


def _name(value: object) -> str:
    name = checks.scope_id(value, name="name")
    if name is None:
        raise InvalidInput("name is missing: say what the key is for, such as the program that gets it")
    return name


def _later(moment: datetime | None, now: datetime) -> datetime | None:
    if moment is not None and moment <= now:
        raise InvalidInput(f"expires_at is {moment:%Y-%m-%dT%H:%M:%SZ}, which is over: pass a later time")
    return moment
