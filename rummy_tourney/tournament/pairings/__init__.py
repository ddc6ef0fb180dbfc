"""Who meets whom: one module per format, each a pure function of the spec and of earlier results."""
