"""ONNX models of the BERT family: opened by onnxruntime without telemetry, and loaded once per process."""

import atexit
import ctypes
import importlib
import os
import threading
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, TypeVar
from weakref import WeakSet, WeakValueDictionary

import numpy as np

from emberkeep.errors import ConfigError, ModelUnavailable
from emberkeep.providers.model_folder import file_digest

Key = TypeVar("Key", bound=Hashable)
Network = TypeVar("Network")
PATIENCE_S = 30.0  # how long the exit waits for running calls; the longest takes a fraction of that
WholeNumber = type[np.integer[Any]]
_WHOLE_NUMBERS: Mapping[str, WholeNumber] = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}


def open_session(model: Path, sha256: str, threads: int, *, optimised: bool = False) -> Any:
    """Open the network in a file; raises `ConfigError` if its checksum is wrong or onnxruntime cannot load it."""
    if file_digest(model) != sha256:
        raise ConfigError(f"{model} is not the file it should be (sha256 {sha256}): install the model again")
    runtime = _onnxruntime()
    options = runtime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    if not optimised:
        # Measured: the higher levels load and run the bundled embedder no faster, and change the vectors of dynamic
        # int8 models, which a store holds.
        options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    # Without the arena, the memory of a large batch is released after it.
    options.enable_cpu_mem_arena = False
    options.enable_mem_pattern = False
    try:
        with _under_way.one():
            return runtime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    except ModelUnavailable:
        raise
    except Exception as error:  # onnxruntime's errors have no common base class
        raise ConfigError(f"onnxruntime cannot load {model}: {error}") from error


def inputs_of(model: Path, session: Any) -> Mapping[str, WholeNumber]:
    """The inputs of a network by name, each with its integer type."""
    wanted = {tensor.name: tensor.type for tensor in session.get_inputs()}
    unknown = wanted.keys() - {"input_ids", "attention_mask", "token_type_ids"}
    unknown |= {name for name, kind in wanted.items() if kind not in _WHOLE_NUMBERS}
    if unknown:
        raise ConfigError(f"{model} wants {', '.join(sorted(unknown))}, which a BERT model does not")
    return {name: _WHOLE_NUMBERS[kind] for name, kind in wanted.items()}


def run(session: Any, outputs: Sequence[str], feed: Mapping[str, Any]) -> Any:
    """Run a network on its inputs and return its outputs; raises whatever onnxruntime does."""
    with _under_way.one():
        return session.run(outputs, feed)


class _UnderWay:
    """Counts the running calls of onnxruntime: a process that exits while a thread computes would crash.

    Such a thread is one that missed its deadline, so that nobody waits for it any more (`learning.in_time`).
    """

    def __init__(self) -> None:
        self.start_anew()

    def start_anew(self) -> None:
        self._changed = threading.Condition()
        self._count = 0
        self._ending = False

    @contextmanager
    def one(self) -> Iterator[None]:
        with self._changed:
            if self._ending and threading.current_thread() is not threading.main_thread():
                raise ModelUnavailable("the process is ending")
            self._count += 1
        try:
            yield
        finally:
            with self._changed:
                self._count -= 1
                self._changed.notify_all()

    def end(self) -> None:
        """Wait for running calls to finish; from now on only the main thread may start new ones."""
        with self._changed:
            self._ending = True
            self._changed.wait_for(lambda: not self._count, PATIENCE_S)


_under_way = _UnderWay()
atexit.register(_under_way.end)


class HeldOnce(Generic[Key, Network]):
    """The loaded networks of one kind in this process: those in use, each once, and the last one loaded.

    The last one is kept for the next caller even if nobody uses it now.
    """

    def __init__(self, load: Callable[[Key], Network]) -> None:
        self._load = load
        self._lock = threading.Lock()
        self._in_use: WeakValueDictionary[Key, Network] = WeakValueDictionary()
        self._last: Network | None = None
        _all.add(self)

    def get(self, key: Key) -> Network:
        """The network with this key; loads it if it is not loaded."""
        with self._lock:
            found = self._in_use.get(key)
            if found is None:
                found = self._in_use[key] = self._last = self._load(key)
            return found

    def start_anew(self) -> None:
        """In a forked process: drop the inherited networks, whose threads do not exist here, without destroying them.

        Destroying one would wait for its threads to end.
        """
        for inherited in list(self._in_use.values()):
            # A reference that is never released: from Python 3.14 on, module globals are destroyed at exit too.
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(inherited))
        self._lock = threading.Lock()
        self._in_use = WeakValueDictionary()
        self._last = None


_all: WeakSet[HeldOnce[Any, Any]] = WeakSet()


def _start_anew() -> None:
    _under_way.start_anew()
    for held in _all:
        held.start_anew()


if hasattr(os, "register_at_fork"):  # not on Windows, which has no fork
    os.register_at_fork(after_in_child=_start_anew)


def _onnxruntime() -> ModuleType:
    """Import onnxruntime, which since 1.29 sends telemetry unless this variable is set before."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    runtime = importlib.import_module("onnxruntime")
    runtime.disable_telemetry_events()  # on Windows the variable has no effect
    return runtime
