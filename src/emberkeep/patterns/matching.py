"""Matching tasks with a caller's regular expression, within a time limit."""

import time

import regex

from emberkeep.errors import InvalidInput

LONGEST_PATTERN = 500
LONGEST_TEXT = 2_000  # characters of a text that are matched
SECONDS = 0.05  # for one text; an ordinary expression takes microseconds
SECONDS_IN_ALL = 2.0  # for all texts that one expression is matched with


class TaskMatcher:
    """A regular expression for the types and texts of tasks, case-insensitive."""

    def __init__(self, pattern: str) -> None:
        if len(pattern) > LONGEST_PATTERN:
            raise InvalidInput(f"task_type_pattern has {len(pattern)} characters, the limit is {LONGEST_PATTERN}")
        try:
            self._regex = regex.compile(pattern, regex.IGNORECASE)
        except regex.error as error:
            raise InvalidInput(f"task_type_pattern {pattern!r} is no regular expression: {error}") from None
        self.pattern = pattern
        self._left = SECONDS_IN_ALL

    def matches(self, *texts: str) -> bool:
        """Whether the expression is found in one of the texts; raises `InvalidInput` if that takes too long."""
        return any(self._found(text[:LONGEST_TEXT]) for text in texts if text)

    def _found(self, text: str) -> bool:
        began = time.perf_counter()
        try:
            return self._regex.search(text, timeout=max(0.0001, min(SECONDS, self._left))) is not None
        except TimeoutError:
            raise InvalidInput(
                f"task_type_pattern {self.pattern!r} takes too long to match: make it simpler, "
                "for instance without a repetition inside a repetition"
            ) from None
        finally:
            self._left -= time.perf_counter() - began
