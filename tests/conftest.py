"""Settings of the whole test run.

Being here, this file also makes pytest put ``tests/`` on the import path, so that tests can import ``oracles``.
"""

from hypothesis import settings

# The same examples on every run and every machine; a slow machine is not a failure.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")
