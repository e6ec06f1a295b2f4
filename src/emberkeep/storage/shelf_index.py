"""A shelf's search index in memory: the columns to filter by, the text index, and the vectors of a small shelf.

It knows nothing of SQL or of ranking: `resident` feeds it, and it returns candidates with their raw scores.
"""

import json
import math
import zlib
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emberkeep.language.terms import terms_of
from emberkeep.model.moment import to_micros
from emberkeep.model.recall import Selection
from emberkeep.storage.array_file import Arrays
from emberkeep.storage.bm25 import LONGEST, Occurrences, TextStatistics, of_groups, rarity, weight
from emberkeep.storage.postings import Postings, unpack
from emberkeep.storage.search import Floats, LargeShelf, Mask, Rows, Scores
from emberkeep.storage.shelf_columns import EPISODE, FOREVER, KIND_CODES, LAYOUT, Columns, Document, grown
from emberkeep.storage.threads import NONE, Threads

IN_ONE_GO = 30 * 60 * 1_000_000  # the longest gap between messages without a session, in microseconds


class ShelfIndex:
    """Rows are items in the order in which they came; the row of one that was deleted or rewritten is dead and stays.

    Messages that name no speaker, and are no machine's, are by the `owner`, the user whose shelf it is.
    """

    def __init__(self, dimension: int, owner: str = "") -> None:
        self.dimension = dimension
        self.owner = owner
        self.ids: list[str] = []
        self.row_of: dict[str, int] = {}
        self.large: LargeShelf | None = None
        self.worked_out: dict[str, Any] = {}  # what others compute from the index, until that changes
        self._columns = Columns()
        self._conversations: dict[tuple[int, int], int] = {(-1, -1): 0}  # numbered by agent and session; 0 is for none
        self._conversation_lengths: Scores = np.zeros(64, np.float32)
        self._threads = Threads()
        self._spoken: Counter[int] = Counter()  # how many live rows each speaker has
        self._changed: dict[str, int] = {}  # former rows of items whose text changed, until their new ones are added
        self._postings = Postings()
        self._vectors: Floats = np.zeros((64, dimension), np.float32)
        self._row_of_key: dict[int, int] = {}
        self._dead = 0
        self._ending = 0  # live rows with a valid_to
        self._total_length = 0.0
        self._capped_length = 0.0

    @classmethod
    def of(cls, dimension: int, owner: str, arrays: Arrays) -> "ShelfIndex | None":
        """Restore an index from what `arrays` returned; `None` if an Emberkeep with other columns wrote that."""
        names = json.loads(bytes(arrays["names"]))
        if names["layout"] != LAYOUT:
            return None
        index = cls(dimension, owner)
        index._columns = Columns.of(_under("column", arrays), names["codes"])
        index._threads = Threads.of(_under("thread", arrays))
        index._postings = Postings.of(_under("posting", arrays))
        index._conversations = {thread: n for n, thread in enumerate(map(tuple, arrays["conversations"].tolist()))}
        index._conversation_lengths = arrays["conversation_lengths"]
        index.ids = names["ids"]
        live, keys = index.column("live"), index.column("key")
        index.row_of = dict(zip(index.ids, range(len(index.ids)), strict=True))
        for row in np.flatnonzero(~live).tolist():
            if index.row_of.get(index.ids[row]) == row:
                del index.row_of[index.ids[row]]
        held = np.flatnonzero(keys >= 0)
        index._row_of_key = dict(zip(keys[held].tolist(), held.tolist(), strict=True))
        index._spoken = Counter(dict(enumerate(np.bincount(index.column("speaker")[live]).tolist())))
        index._dead = len(live) - int(live.sum())
        index._ending = int(np.count_nonzero(live & (index.column("valid_to") != FOREVER)))
        lengths = index.column("length")[live].astype(np.float64)
        index._total_length = float(lengths.sum())
        index._capped_length = float(np.minimum(lengths, LONGEST).sum())
        return index

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the index without its vectors as arrays, from which `of` restores it."""
        codes = {column: list(codes) for column, codes in self._columns.codes.items()}
        names = json.dumps({"layout": LAYOUT, "ids": self.ids, "codes": codes})
        return {
            "names": np.frombuffer(names.encode(), np.uint8),
            "conversations": np.array(list(self._conversations), np.int64),
            "conversation_lengths": self._conversation_lengths,
            **{f"column.{name}": array for name, array in self._columns.arrays(len(self.ids)).items()},
            **{f"thread.{name}": array for name, array in self._threads.arrays().items()},
            **{f"posting.{name}": array for name, array in self._postings.arrays().items()},
        }

    def __len__(self) -> int:
        return len(self.ids) - self._dead

    def column(self, name: str) -> NDArray[Any]:
        """Return one column, for all rows."""
        return self._columns[name][: len(self.ids)]

    # Feeding it from the store.

    def put(self, documents: Sequence[Document]) -> None:
        """Add items, or update those that are here."""
        self.worked_out.clear()
        fresh = [document for document in documents if not self._refresh(document)]
        first = len(self.ids)
        self._reserve(first + len(fresh))
        packed = [unpack(document.terms) for document in fresh]
        for row, (document, terms) in enumerate(zip(fresh, packed, strict=True), start=first):
            self.ids.append(document.item_id)
            self.row_of[document.item_id] = row
            length = float(terms["count"].sum())
            self._total_length += length
            self._capped_length += min(length, LONGEST)
            self._columns["length"][row] = length
            self._columns["print"][row] = zlib.crc32(document.terms)
            self._columns["live"][row] = True
            self._columns["key"][row] = -1
            self._columns["valid_to"][row] = FOREVER
            self._columns["origin"][row] = NONE
            self._describe(row, document)
            former = self._changed.pop(document.item_id, NONE)
            if former != NONE:
                self._take_over(former, row)
            self._seat(row, document)
        self._postings.add(np.arange(first, first + len(fresh)), packed)

    def remove(self, item_id: str) -> bool:
        """Remove an item; returns whether it was here."""
        row = self.row_of.pop(item_id, None)
        if row is None:
            return False
        self.worked_out.clear()
        if self._columns["threaded"][row] and item_id not in self._changed:
            self._leave(row)
        self._spoken[int(self._columns["speaker"][row])] -= 1
        self._columns["live"][row] = False
        self._ending -= int(self._columns["valid_to"][row] != FOREVER)
        length = float(self._columns["length"][row])
        self._total_length -= length
        self._capped_length -= min(length, LONGEST)
        self._vectors[row : row + 1] = 0.0
        self._row_of_key.pop(int(self._columns["key"][row]), None)
        self._columns["key"][row] = -1
        self._dead += 1
        return True

    def put_origins(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Record which message each statement was learned from; if several, the first of them is kept."""
        for item_id, episode_id in pairs:
            row, origin = self.row_of.get(item_id), self.row_of.get(episode_id)
            if row is not None and origin is not None:
                if self.origins(np.array([row]))[0] == NONE:
                    self._columns["origin"][row] = origin
                self._share_subject(row, origin)

    def is_message(self, item_id: str) -> bool:
        """Return whether an item is here and is a message, not a former version of one."""
        row = self.row_of.get(item_id)
        return row is not None and bool(self._columns["threaded"][row])

    def put_keys(self, item_ids: Sequence[str], keys: Rows) -> Mask:
        """Record the key of each item's vector: the revision that wrote it. Returns which of the items are here."""
        rows = [self.row_of.get(item_id, -1) for item_id in item_ids]
        for row, key in zip(rows, keys.tolist(), strict=True):
            if row >= 0:
                self._row_of_key.pop(int(self._columns["key"][row]), None)
                self._columns["key"][row] = key
                self._row_of_key[key] = row
        return np.array(rows, dtype=np.int64) >= 0

    def put_vectors(self, keys: Rows, vectors: Floats) -> None:
        """Hold vectors for exact search, or pass them to the large index if there is one."""
        if self.large is not None:
            self.large.put(keys, vectors)
            return
        self._reserve_vectors()
        rows = [self._row_of_key[key] for key in keys.tolist()]
        self._vectors[rows] = vectors

    def keys(self) -> Rows:
        """Return the keys of the vectors of all items that are here."""
        return np.fromiter(self._row_of_key, np.int64, len(self._row_of_key))

    def exact_vectors(self) -> tuple[Rows, Floats]:
        """Return the keys and vectors that are held for exact search."""
        self._reserve_vectors()
        keys = self.column("key")
        rows = np.flatnonzero(keys >= 0)
        return keys[rows], self._vectors[rows]

    def use(self, large: LargeShelf) -> None:
        """Search vectors through this large index from now on."""
        self.large = large
        if large.needs_vectors:
            keys, vectors = self.exact_vectors()
            absent = np.isin(keys, large.missing(keys))
            if absent.any():
                large.put(keys[absent], vectors[absent])
        self._vectors = np.zeros((0, self.dimension), np.float32)

    def memory(self) -> int:
        """Return about how many bytes it takes."""
        large = 0 if self.large is None else self.large.memory()
        return self._vectors.nbytes + large + 400 * len(self.ids)

    # Searching it.

    def allowed(self, selection: Selection, now: int, only: frozenset[str] | None) -> Mask | None:
        """Return the rows that a selection may see, `None` for all; `only` has the ids that match tags and metadata."""
        past = selection.as_of is not None
        checks = self._holding(now if selection.as_of is None else to_micros(selection.as_of), past=past)
        if self._dead:
            checks.append(self.column("live"))
        if selection.since is not None:
            checks.append(self.column("occurred_at") >= to_micros(selection.since))
        if selection.until is not None:
            checks.append(self.column("occurred_at") <= to_micros(selection.until))
        if selection.kinds:
            checks.append(np.isin(self.column("kind"), [KIND_CODES[kind] for kind in selection.kinds]))
        for name, wanted in (("agent", selection.agent_id), ("session", selection.session_id)):
            if wanted is not None:
                checks.append(self.column(name) == self._columns.codes[name].get(wanted, -1))
        if only is not None:
            mask = np.zeros(len(self.ids), dtype=np.bool_)
            mask[[self.row_of[item_id] for item_id in only if item_id in self.row_of]] = True
            checks.append(mask)
        return np.logical_and.reduce(checks) if checks else None

    def spoken_for(self, messages: Mask, statements: Mask | None) -> Mask:
        """Return these messages, and those of the statements (`None`: all) that were learned from one of them."""
        origin = self.column("origin")
        learned: Mask = (origin >= 0) & messages[origin]
        return messages | (learned if statements is None else learned & statements)

    def _holding(self, moment: int, *, past: bool) -> list[Mask]:
        """Return the conditions for rows that hold at a moment, which is now or, with `past`, an earlier one."""
        checks: list[Mask] = []
        if self._ending:
            checks.append(self.column("valid_to") > moment)
        if past:
            checks.append(self.column("valid_from") <= moment)
        elif self._ending:  # former versions are excluded even if the clock was set back
            checks.append(~self.column("version"))
        return checks

    def stale(self, rows: Rows, moment: int) -> Mask:
        """Return which rows are messages whose statements have all ceased to hold."""
        mask: Mask = self._columns["stale_from"][rows] <= moment
        return mask

    def learned_from(self, rows: Rows, moment: int) -> tuple[Rows, Rows]:
        """Return the statements learned from these messages: those that hold no longer and, if there are any, the rest.

        Former versions of statements are left out.
        """
        none: Rows = np.empty(0, np.int64)
        if not self._ending:
            return none, none
        origin, among = self.column("origin"), np.zeros(len(self.ids), np.bool_)
        among[rows] = True
        stated = np.flatnonzero((origin >= 0) & self.column("live") & ~self.column("version"))
        stated = stated[among[origin[stated]]]
        over = self.column("valid_to")[stated] <= moment
        return (stated[over], stated[~over]) if over.any() else (none, none)

    def are_episodes(self, rows: Rows) -> Mask:
        """Return which rows are episodes."""
        mask: Mask = self._columns["kind"][rows] == EPISODE
        return mask

    def before(self, rows: Rows) -> Rows:
        """Return the message before each in its conversation, -1 where there is none."""
        return self._in_one_go(rows, self._threads.before(rows))

    def after(self, rows: Rows) -> Rows:
        """Return the message after each in its conversation, -1 where there is none."""
        return self._in_one_go(rows, self._threads.after(rows))

    def origins(self, rows: Rows) -> Rows:
        """Return the message that each statement was learned from, -1 if that is not here."""
        found: Rows = self._columns["origin"][rows]
        return np.where((found >= 0) & self._columns["live"][found], found, NONE)

    def speakers(self) -> Mapping[str, int]:
        """Return the speakers here, with the code that stands for each in the column."""
        return {name: code for name, code in self._columns.codes["speaker"].items() if self._spoken[code] > 0}

    def speak_of_another(self, rows: Rows, terms: Container[int]) -> Mask:
        """Return which rows have a known subject that none of these terms names."""
        found: Mask = np.zeros(len(rows), np.bool_)
        subjects = self._columns["subject"][rows]
        if subjects.any():
            names = list(self._columns.codes["subject"])
            known, at = np.unique(subjects, return_inverse=True)
            others = [code > 0 and not any(term in terms for term in terms_of(names[code])) for code in known.tolist()]
            found = np.array(others)[at]
        return found

    def conversation_lengths(self, numbers: Rows) -> Scores:
        """Return how many terms each of these conversations has."""
        found: Scores = self._conversation_lengths[numbers]
        return found

    def bm25_of_conversations(self, occurrences: Sequence[Occurrences]) -> Scores:
        """Return the BM25 score of each conversation, as if it were one text."""
        lengths = self._conversation_lengths[: len(self._conversations)]
        return of_groups(occurrences, self.column("conversation"), lengths)

    def occurrences(self, terms: Sequence[int]) -> list[Occurrences]:
        """Return for each term the live rows that hold it, and how often."""
        return [self._live(term) for term in terms]

    def text_statistics(self, occurrences: Sequence[Occurrences]) -> TextStatistics:
        """Return how many texts there are, their length, and in how many of them each term occurs."""
        frequencies = tuple(len(rows) for rows, _ in occurrences)
        return TextStatistics(len(self), self._total_length, frequencies, self._capped_length)

    def bm25(self, occurrences: Sequence[Occurrences], statistics: TextStatistics) -> Scores:
        """Return the BM25 score of every row."""
        scores: Scores = np.zeros(len(self.ids), np.float32)
        if not statistics.documents:
            return scores
        mean = statistics.mean_length
        for (rows, counts), frequency in zip(occurrences, statistics.frequencies, strict=True):
            if not len(rows):
                continue
            scores[rows] += rarity(statistics.documents, frequency) * weight(
                counts, self._columns["length"][rows], mean
            )
        return scores

    def nearest(self, query: Floats, count: int, mask: Mask | None, *, exact: bool) -> tuple[Rows, Scores]:
        """Return the rows nearest to the query, best first, with their cosine."""
        if self.large is not None and not exact:
            rows, scores = self._nearest_by_graph(self.large, query, count, mask)
            if len(rows) >= min(count, len(self) if mask is None else int(mask.sum())):
                return rows, scores
        rows = self._with_vector(mask)
        scores = self.similarity(query, rows)
        best = top(scores, count)
        return rows[best], scores[best]

    def similarity(self, query: Floats, rows: Rows) -> Scores:
        """Return the cosine of each row with the query; NaN where there is no vector yet."""
        keys = self._columns["key"][rows]
        if self.large is None:
            self._reserve_vectors()
            # Not a product of matrices: its threads wait for each other, on a busy machine for many milliseconds.
            matrix = self._vectors[rows] if len(rows) < len(self.ids) else self._vectors[: len(rows)]
            scores = np.vecdot(matrix, query)
        else:
            scores = np.full(len(rows), np.nan, np.float32)
            held = np.flatnonzero(keys >= 0)
            if len(held):
                scores[held] = self.large.similarity(query, keys[held])
        return np.where(keys >= 0, scores, np.float32(np.nan))

    def _nearest_by_graph(self, large: LargeShelf, query: Floats, count: int, mask: Mask | None) -> tuple[Rows, Scores]:
        """Return the nearest rows that the large index finds; too few of them, or none, if the mask is narrow."""
        # A narrow mask would leave next to nothing of what the graph finds, and exact search is quick then.
        share = 1.0 if mask is None else float(mask.mean())
        if share < 0.1:  # noqa: PLR2004 - a tenth
            return np.empty(0, np.int64), np.empty(0, np.float32)
        keys, scores = large.nearest(query, math.ceil(count / share * (1.0 if mask is None else 1.5)))
        rows = np.fromiter((self._row_of_key.get(key, -1) for key in keys.tolist()), np.int64, len(keys))
        keep = rows >= 0
        if mask is not None:
            keep &= mask[rows]
        return rows[keep][:count], scores[keep][:count]

    def _with_vector(self, mask: Mask | None) -> Rows:
        held = self.column("key") >= 0
        return np.flatnonzero(held if mask is None else held & mask)

    def _live(self, term: int) -> Occurrences:
        """Return the live rows that hold a term, and how often."""
        rows, counts = self._postings.find(term)
        if not self._dead or not len(rows):
            return rows, counts
        alive = self._columns["live"][rows]
        return rows[alive], counts[alive]

    def _refresh(self, document: Document) -> bool:
        """Update an item in its row; returns False if it needs a new row, as it is new or has another text."""
        row = self.row_of.get(document.item_id)
        if row is None:
            return False
        if self._columns["print"][row] != zlib.crc32(document.terms):
            self._changed[document.item_id] = row
            self.remove(document.item_id)
            return False
        self._spoken[int(self._columns["speaker"][row])] -= 1
        self._describe(row, document)
        self._seat(row, document)
        return True

    def _describe(self, row: int, document: Document) -> None:
        """Write the values of an item to its row, and update the counts that depend on them."""
        self._ending -= int(self._columns["valid_to"][row] != FOREVER)
        self._columns.describe(row, document, self.owner)
        self._ending += int(self._columns["valid_to"][row] != FOREVER)
        self._spoken[int(self._columns["speaker"][row])] += 1

    def _seat(self, row: int, document: Document) -> None:
        """Give a row a place in its conversation if it is a message, and take it away if it is none any more."""
        is_message = document.kind == "episode" and document.version_of is None
        if is_message == self._columns["threaded"][row]:
            return
        if is_message:
            self._join(row)
        else:
            self._leave(row)

    def _join(self, row: int) -> None:
        """Add a message to its conversation."""
        thread = self._thread(row)
        number = self._conversations.setdefault(thread, len(self._conversations)) if self._has_session(row) else 0
        if number >= len(self._conversation_lengths):
            self._conversation_lengths = grown(self._conversation_lengths, 2 * number)
        self._conversation_lengths[number] += self._columns["length"][row]
        self._columns["conversation"][row] = number
        self._columns["threaded"][row] = True
        self._threads.add(row, thread, self.ids)

    def _leave(self, row: int) -> None:
        """Take a message out of its conversation."""
        self._conversation_lengths[self._columns["conversation"][row]] -= self._columns["length"][row]
        self._columns["threaded"][row] = False
        self._threads.remove(row, self._thread(row))

    def _take_over(self, former: int, row: int) -> None:
        """Let the new row of a changed item take the place of its former one, also as the origin of statements."""
        columns = self._columns
        for name in ("threaded", "conversation", "taught", "origin"):
            columns[name][row] = columns[name][former]
        if columns["taught"][row]:
            columns["subject"][row] = columns["subject"][former]
        origins = self.column("origin")
        origins[origins == former] = row
        if columns["threaded"][former]:
            columns["threaded"][former] = False
            longer = columns["length"][row] - columns["length"][former]
            self._conversation_lengths[columns["conversation"][row]] += longer
            self._threads.replace(former, row, self._thread(row))

    def _has_session(self, row: int) -> bool:
        return bool(self._columns["session"][row] != self._columns.code("session", ""))

    def _in_one_go(self, rows: Rows, beside: Rows) -> Rows:
        """Return the neighbours of rows without those that are too far apart in time, where there is no session."""
        occurred_at, loose = self._columns["occurred_at"], self._columns["conversation"][rows] == 0
        if not loose.any():
            return beside
        apart = np.abs(occurred_at[beside] - occurred_at[rows]) > IN_ONE_GO
        return np.where(loose & apart, NONE, beside)

    def _share_subject(self, row: int, origin: int) -> None:
        """Give a message the subject of the statement in `row`; none if another statement from it has another."""
        subjects, taught = self._columns["subject"], self._columns["taught"]
        subjects[origin] = subjects[row] if not taught[origin] or subjects[origin] == subjects[row] else 0
        taught[origin] = True

    def _thread(self, row: int) -> tuple[int, int]:
        """Return the codes of agent and session, which name the conversation of a row."""
        return int(self._columns["agent"][row]), int(self._columns["session"][row])

    def _reserve(self, rows: int) -> None:
        if self._columns.reserve(rows):
            self._threads.reserve(self._columns.room)

    def _reserve_vectors(self) -> None:
        if len(self._vectors) < len(self.ids):
            self._vectors = grown(self._vectors, self._columns.room)


def _under(prefix: str, arrays: Arrays) -> dict[str, NDArray[Any]]:
    """Return the arrays whose names start with a prefix, without it."""
    return {name.removeprefix(f"{prefix}."): array for name, array in arrays.items() if name.startswith(f"{prefix}.")}


def top(scores: Scores, count: int) -> Rows:
    """Return the positions of the highest scores, best first, the earlier one first among equals; no NaN in scores."""
    if len(scores) > 2 * count:
        # All that equal the last one taken are compared by position, so that the cut does not depend on chance.
        candidates = np.flatnonzero(scores >= np.partition(scores, -count)[-count])
    else:
        candidates = np.arange(len(scores))
    order = np.lexsort((candidates, -scores[candidates]))
    best: Rows = candidates[order[:count]]
    return best
