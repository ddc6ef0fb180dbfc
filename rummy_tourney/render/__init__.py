"""Text for people: tables, cards, replays."""
