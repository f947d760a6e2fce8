"""Errors that the package raises. Recording calls raise none of them: they count what they could not record."""

__all__ = ["InvalidRunError", "MetricsAggregatorError", "NoSubscriberError", "ProgramNotFoundError"]


class MetricsAggregatorError(Exception):
    """An object of this package cannot be opened or used; the message names the object and the remedy."""


class NoSubscriberError(MetricsAggregatorError, TimeoutError):
    """No daemon subscribed to the publisher within the timeout."""


class ProgramNotFoundError(MetricsAggregatorError):
    """The program metrics-aggregator is not installed; the message says how to install it."""


class InvalidRunError(MetricsAggregatorError):
    """The verdict on a run is INVALID; the message has the reasons."""
