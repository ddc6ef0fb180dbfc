"""Checks that bot and variant authors run on their own work."""
