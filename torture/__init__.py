"""Fault injection: processes, servers, disks and clocks that fail at any moment, and a ledger outside the store.

Writers record in the ledger (`ledger`) each call before they make it, and each acknowledgement. Whatever was killed or
cut off meanwhile, a judge (`judge`) then compares the store with the ledger. `python -m torture --help` says how to run
it.
"""
