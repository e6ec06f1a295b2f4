"""The operational memories of the tenants that this process serves: one per tenant, shared by all callers."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from weakref import WeakValueDictionary

from emberkeep.errors import StoreError
from emberkeep.lifecycle.operational import Operational

MOST_HELD = 256  # tenants whose live state is kept although nothing else refers to it


class Operationals:
    """The live state of each tenant.

    It is kept for the tenants that were asked for last. Another tenant's is dropped once nothing refers to it, but not
    before its critical events are written: the thread that writes them refers to it until then.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._alive: WeakValueDictionary[str, Operational] = WeakValueDictionary()
        self._held: OrderedDict[str, Operational] = OrderedDict()

    def of(self, tenant: str, make: Callable[[], Operational]) -> Operational:
        """The operational memory of a tenant; calls `make` if there is none."""
        with self._lock:
            found = self._alive.get(tenant)
            if found is None:
                found = self._alive[tenant] = make()
            self._held[tenant] = found
            self._held.move_to_end(tenant)
            if len(self._held) > MOST_HELD:
                self._held.popitem(last=False)
            return found

    def flush(self) -> int:
        """Write all critical events that are in memory only; returns how many."""
        return sum(one.flush() for one in self._all())

    def close(self) -> None:
        """Write the critical events and accept no more; if the store cannot be written to, all stay open."""
        closed: list[Operational] = []
        try:
            for one in self._all():
                one.close()
                closed.append(one)
        except StoreError:
            for one in closed:
                one.reopen()
            raise

    def _all(self) -> list[Operational]:
        with self._lock:
            return list(self._alive.values())
