"""``python -m rummy_tourney`` is ``tourney``."""

from rummy_tourney.cli import main

main()
