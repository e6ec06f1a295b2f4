"""The result of a check, and how it is printed."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from rich.text import Text

State = Literal["ok", "warn", "fail"]
_STYLES = {"ok": "green", "warn": "yellow", "fail": "bold red"}


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check."""

    name: str
    state: State
    detail: str


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All checks; `ok` unless one of them failed."""

    ok: bool
    checks: tuple[Check, ...]


def diagnosis_view(diagnosis: Diagnosis) -> Iterable[Text]:
    """One line per check."""
    for check in diagnosis.checks:
        yield Text.assemble((f"{check.state:4}", _STYLES[check.state]), f"  {check.name}: {check.detail}")
