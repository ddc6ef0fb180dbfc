"""Bots: what an author writes, how entries are found, and the guard that turns every misdeed into a fault."""
