"""For tests of code that uses Emberkeep: a clock that stands still, an embedder without a model, a store contract."""

from emberkeep.testing.clock import FixedClock as FixedClock
from emberkeep.testing.embedder import WordEmbedder as WordEmbedder
