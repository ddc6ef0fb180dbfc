"""Experiments that need bots as well as records: playing a run again, counting positions."""
