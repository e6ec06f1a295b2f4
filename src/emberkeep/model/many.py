"""Sequences that carry something about all of their entries, such as a cursor or what was degraded."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar, overload

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Many(Sequence[T_co]):
    """A sequence of its `entries`."""

    __slots__ = ()

    @property
    @abstractmethod
    def entries(self) -> tuple[T_co, ...]:
        """All entries, in order."""

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[T_co]:
        return iter(self.entries)

    @overload
    def __getitem__(self, index: int) -> T_co: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T_co]: ...
    def __getitem__(self, index: int | slice) -> T_co | Sequence[T_co]:
        return self.entries[index]


class Listed(list[T]):
    """A page of a list: pass its `next` as `cursor=` to get the following page; `None` means the end."""

    __slots__ = ("next",)

    def __init__(self, entries: Iterable[T] = (), next: str | None = None) -> None:  # noqa: A002 - as in `Page`
        super().__init__(entries)
        self.next = next
