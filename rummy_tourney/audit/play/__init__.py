"""The play audit."""
