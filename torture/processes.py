"""Processes that start quickly, since a fork server forks them with everything loaded, and are killed by SIGKILL."""

import ctypes
import logging
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from typing import Any

from torture import disk

_forking = multiprocessing.get_context("forkserver")
_forking.set_forkserver_preload(["torture.loaded"])
_PR_SET_PDEATHSIG = 1
Target = Callable[..., None]


def start(target: Target, *arguments: Any) -> BaseProcess:
    """Run a function in a new process, which does not outlive this one."""
    with _as_processes_need_it():
        process = _forking.Process(target=_run, args=(target, *arguments), daemon=True)
        process.start()
    return process


def kill(process: BaseProcess) -> None:
    """Kill a process by SIGKILL, and wait until it is gone."""
    process.kill()
    process.join()


def end_with_parent() -> None:
    """Let the kernel kill this process when its parent ends for any reason; on Linux only."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _run(target: Target, *arguments: Any) -> None:
    end_with_parent()
    logging.disable(logging.CRITICAL)  # of the errors that are provoked
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent stops it
    target(*arguments)


@contextmanager
def _as_processes_need_it() -> Iterator[None]:
    """Set the environment for the fork server, which the first process starts: no BLAS threads, failing disk."""
    wanted = {"OPENBLAS_NUM_THREADS": "1", **disk.preload()}
    former = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name, value in former.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
