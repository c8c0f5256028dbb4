"""The matches of the feature: those whose setup has a day, which the core writes."""

from game.matches.parts import FeaturePart, PartFormat
from game.matches.setup import Day

PART = FeaturePart([PartFormat(Day)])
