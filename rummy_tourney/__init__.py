"""Seeded, verifiable tournaments for rummy bots, and audits for card rooms."""
