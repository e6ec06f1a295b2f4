"""A disk that fails on demand: a small library preloaded before libc, compiled here if there is a C compiler.

It delays each write and sync, lets some of them fail, or kills the process at the n-th, so that every moment between
two steps of a commit is hit; kills at random times would hardly ever hit some of them.
"""

import atexit
import ctypes
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

_SOURCE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static atomic_long left = -1;   /* steps until the end; below zero for never */
static atomic_long delay = 0;   /* nanoseconds for each step */
static atomic_long healthy = 0; /* steps until the first that fails */
static atomic_long failing = 0; /* how many then fail */
static atomic_int reason = 0;   /* as errno says it */

void torture_end_in(long steps) { left = steps; }
void torture_delay(long nanoseconds) { delay = nanoseconds; }
void torture_fail(int error, long after, long steps) { reason = error; healthy = after; failing = steps; }

/* Whether this step fails. */
static int step(void)
{
    long pause = delay;
    if (pause > 0) {
        struct timespec span = { pause / 1000000000, pause % 1000000000 };
        nanosleep(&span, 0);
    }
    if (left >= 0 && atomic_fetch_sub(&left, 1) == 0)
        kill(getpid(), SIGKILL);
    if (failing > 0 && atomic_fetch_sub(&healthy, 1) <= 0) {
        atomic_fetch_sub(&failing, 1);
        errno = reason;
        return 1;
    }
    return 0;
}

#define IN_FRONT_OF(type, name, parameters, arguments)                   \
    type name parameters                                                 \
    {                                                                    \
        static type (*real) parameters;                                  \
        if (!real)                                                       \
            real = (type (*) parameters) dlsym(RTLD_NEXT, #name);        \
        return step() ? (type) -1 : real arguments;                      \
    }

IN_FRONT_OF(ssize_t, pwrite, (int fd, const void *from, size_t size, off_t at), (fd, from, size, at))
IN_FRONT_OF(ssize_t, pwrite64, (int fd, const void *from, size_t size, off64_t at), (fd, from, size, at))
IN_FRONT_OF(int, fsync, (int fd), (fd))
IN_FRONT_OF(int, fdatasync, (int fd), (fd))
IN_FRONT_OF(int, ftruncate, (int fd, off_t size), (fd, size))
IN_FRONT_OF(int, ftruncate64, (int fd, off64_t size), (fd, size))
IN_FRONT_OF(int, rename, (const char *from, const char *to), (from, to))
"""


@cache
def library() -> Path | None:
    """The library, compiled once per run; None if it cannot be compiled here."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    folder = Path(tempfile.mkdtemp(prefix="emberkeep-disk-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    source, made = folder / "disk.c", folder / "disk.so"
    source.write_text(_SOURCE, encoding="utf-8")
    command = [compiler, "-shared", "-fPIC", "-O1", "-o", str(made), str(source), "-ldl"]
    return made if subprocess.run(command, capture_output=True, check=False).returncode == 0 else None


def preload() -> dict[str, str]:
    """The environment for a process with such a disk; empty without the library."""
    made = library()
    return {} if made is None else {"LD_PRELOAD": str(made)}


def end_in(steps: int) -> None:
    """Kill this process after so many more writes and syncs."""
    ctypes.CDLL(None).torture_end_in(ctypes.c_long(steps))


def slow_down(seconds: float) -> None:
    """Delay each write and sync of this process."""
    ctypes.CDLL(None).torture_delay(ctypes.c_long(int(seconds * 1e9)))


def fail(error: int, after: int, steps: int) -> None:
    """Let `steps` writes and syncs of this process fail with an `errno`, `after` so many more that succeed."""
    ctypes.CDLL(None).torture_fail(ctypes.c_int(error), ctypes.c_long(after), ctypes.c_long(steps))
