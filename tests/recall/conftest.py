"""Properties are tested without a stopwatch."""

from hypothesis import settings

settings.register_profile("patient", deadline=None)  # a busy machine is not a failure
settings.load_profile("patient")
