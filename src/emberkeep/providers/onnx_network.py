"""ONNX models of the BERT family: opened by onnxruntime without telemetry, and held once in a process."""

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
PATIENCE_S = 30.0  # at the end, for one call; the longest there is takes a fraction of that
WholeNumber = type[np.integer[Any]]
_WHOLE_NUMBERS: Mapping[str, WholeNumber] = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}


def open_session(model: Path, sha256: str, threads: int, *, optimised: bool = False) -> Any:
    """The network in a file, if that is what it should be."""
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
    # Without the arena the memory of a large batch is given back.
    options.enable_cpu_mem_arena = False
    options.enable_mem_pattern = False
    try:
        with _under_way.one():
            return runtime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    except ModelUnavailable:
        raise
    except Exception as error:  # onnxruntime's errors have no root of their own
        raise ConfigError(f"onnxruntime cannot load {model}: {error}") from error


def inputs_of(model: Path, session: Any) -> Mapping[str, WholeNumber]:
    """Which numbers a network wants, and how long they are."""
    wanted = {tensor.name: tensor.type for tensor in session.get_inputs()}
    unknown = wanted.keys() - {"input_ids", "attention_mask", "token_type_ids"}
    unknown |= {name for name, kind in wanted.items() if kind not in _WHOLE_NUMBERS}
    if unknown:
        raise ConfigError(f"{model} wants {', '.join(sorted(unknown))}, which a BERT model does not")
    return {name: _WHOLE_NUMBERS[kind] for name, kind in wanted.items()}


def run(session: Any, outputs: Sequence[str], feed: Mapping[str, Any]) -> Any:
    """What a network makes of its inputs; raises whatever onnxruntime does."""
    with _under_way.one():
        return session.run(outputs, feed)


class _UnderWay:
    """What onnxruntime is doing: a process that ended while one of its threads computes would crash.

    Such a thread is one that nobody waits for any more (`learning.in_time`).
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
        """Let what is under way come to its end, and nothing begin but what the main thread still does."""
        with self._changed:
            self._ending = True
            self._changed.wait_for(lambda: not self._count, PATIENCE_S)


_under_way = _UnderWay()
atexit.register(_under_way.end)


class HeldOnce(Generic[Key, Network]):
    """The networks of one kind in this process: each that is in use once, and the last one for whoever comes next."""

    def __init__(self, load: Callable[[Key], Network]) -> None:
        self._load = load
        self._lock = threading.Lock()
        self._in_use: WeakValueDictionary[Key, Network] = WeakValueDictionary()
        self._last: Network | None = None
        _all.add(self)

    def get(self, key: Key) -> Network:
        """A network, loaded if it is not."""
        with self._lock:
            found = self._in_use.get(key)
            if found is None:
                found = self._in_use[key] = self._last = self._load(key)
            return found

    def start_anew(self) -> None:
        """In a process that was forked off: let nobody use what has no threads here, nor wait for them to end."""
        for inherited in list(self._in_use.values()):
            # A reference that nobody gives back: from Python 3.14 on, what a module holds is let go of at the end too.
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(inherited))
        self._lock = threading.Lock()
        self._in_use = WeakValueDictionary()
        self._last = None


_all: WeakSet[HeldOnce[Any, Any]] = WeakSet()


def _start_anew() -> None:
    _under_way.start_anew()
    for held in _all:
        held.start_anew()


if hasattr(os, "register_at_fork"):  # else there is no fork
    os.register_at_fork(after_in_child=_start_anew)


def _onnxruntime() -> ModuleType:
    """Imports onnxruntime, which since 1.29 reports home unless this variable is set before."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    runtime = importlib.import_module("onnxruntime")
    runtime.disable_telemetry_events()  # Windows does not know the variable
    return runtime
