"""For tests of code that uses Emberkeep: a fixed clock, stand-ins for models, and the contract of a store."""

from emberkeep.testing.clock import FixedClock as FixedClock
from emberkeep.testing.embedder import WordEmbedder as WordEmbedder
from emberkeep.testing.model import ScriptedModel as ScriptedModel
