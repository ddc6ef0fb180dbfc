"""The shuffle audit."""
