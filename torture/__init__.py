"""Torture: processes, servers, disks and clocks that fail at any moment, and a ledger outside of the store.

Writers write down what they are about to do and what was acknowledged (`ledger`); whatever is killed or cut off
meanwhile, a judge (`judge`) then compares the store with the ledger. `python -m torture --help` says how to run it.
"""
