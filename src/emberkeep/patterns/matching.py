"""Which tasks an expression means, without letting it run away."""

import time

import regex

from emberkeep.errors import InvalidInput

LONGEST_PATTERN = 500
LONGEST_TEXT = 2_000  # of a task, for an expression to look at
SECONDS = 0.05  # for one text; an ordinary expression takes microseconds
SECONDS_IN_ALL = 2.0  # for all texts that one expression is held against


class TaskMatcher:
    """A regular expression over what a task is called and what it is about, capitals aside."""

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
        """Whether one of the texts holds what the expression means."""
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
