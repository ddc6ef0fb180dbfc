"""``greedy`` and ``steady`` for basic rummy and Wrotham.

``greedy`` lives for the moment. ``steady`` plans a turn (``planning.py``) with what it has seen (``memory.py``); where a whole
hand has to be laid at once it counts the ways to complete one (``whole_hand.py``).
"""

from rummy_tourney.bot.builtin.basic.greedy import GreedyBasic
from rummy_tourney.bot.builtin.basic.steady import SteadyBasic

__all__ = ["GreedyBasic", "SteadyBasic"]
