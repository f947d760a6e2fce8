"""Errors that the package raises. Recording calls raise none of them: they count what they could not record."""

__all__ = ["MetricsAggregatorError", "NoSubscriberError"]


class MetricsAggregatorError(Exception):
    """A publisher or subscriber cannot be opened or used; the message names the object and the remedy."""


class NoSubscriberError(MetricsAggregatorError, TimeoutError):
    """No daemon subscribed to the publisher within the timeout."""
