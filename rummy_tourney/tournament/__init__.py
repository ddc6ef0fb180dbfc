"""Tournaments: the spec, the schedule, the workers, the standings."""
