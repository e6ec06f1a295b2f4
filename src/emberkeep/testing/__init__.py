"""For tests of code that uses Emberkeep: a still clock, models that are none, a store contract."""

from emberkeep.testing.clock import FixedClock as FixedClock
from emberkeep.testing.embedder import WordEmbedder as WordEmbedder
from emberkeep.testing.model import ScriptedModel as ScriptedModel
