"""Numbers with a unit, so that a limit reads as `0.5 * s` and a wrong unit is an error.

>>> from metrics_aggregator.units import ms, s
>>> 0.5 * s
500 ms
>>> 499 * ms < 0.5 * s
True
>>> 1.5 * s / ms
1500.0
>>> 499 * ms < 0.5
Traceback (most recent call last):
    ...
TypeError: 499 ms is a time: compare it with another one, such as 0.5 * s, not with 0.5
"""

from __future__ import annotations

from typing import overload

__all__ = ["Quantity", "ms", "ns", "s", "us"]

# Shown from the first number on, in a unit of the second one's nanoseconds; milliseconds from 0.1 ms to 10 s, as in reports.
_STEPS = ((1e10, 1e9, "s"), (1e5, 1e6, "ms"), (1e2, 1e3, "us"))


class Quantity:
    """A number and its unit. Immutable; quantities of one unit add, subtract and compare, and dividing two gives a float.

    A time compares with times alone; a count, such as tokens, also with plain numbers.

    Attributes:
        value: The number in `unit`; times are nanoseconds.
        unit: `ns`, `tokens`, `turns`, `tok/s`, or empty.
    """

    __slots__ = ("unit", "value")

    def __init__(self, value: float, unit: str) -> None:
        self.value = value
        self.unit = unit

    def _same(self, other: object) -> float:
        """The other side's number in this unit."""
        if isinstance(other, Quantity):
            if other.unit != self.unit:
                raise TypeError(f"{self} and {other} have different units: {self.unit or 'none'} and {other.unit or 'none'}")
            return other.value
        if isinstance(other, (int, float)):
            if self.unit == "ns":
                raise TypeError(f"{self} is a time: compare it with another one, such as 0.5 * s, not with {other!r}")
            return other
        raise TypeError(f"{self} cannot be compared or combined with {other!r}")

    def __lt__(self, other: Quantity | float) -> bool:
        return self.value < self._same(other)

    def __le__(self, other: Quantity | float) -> bool:
        return self.value <= self._same(other)

    def __gt__(self, other: Quantity | float) -> bool:
        return self.value > self._same(other)

    def __ge__(self, other: Quantity | float) -> bool:
        return self.value >= self._same(other)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Quantity):
            return self.unit == other.unit and self.value == other.value
        return self.unit != "ns" and isinstance(other, (int, float)) and self.value == other

    def __hash__(self) -> int:
        return hash(self.value) if self.unit != "ns" else hash((self.value, self.unit))

    def __add__(self, other: Quantity | float) -> Quantity:
        return Quantity(self.value + self._same(other), self.unit)

    def __sub__(self, other: Quantity | float) -> Quantity:
        return Quantity(self.value - self._same(other), self.unit)

    def __mul__(self, factor: float) -> Quantity:
        if not isinstance(factor, (int, float)):
            raise TypeError(f"{self} can be multiplied by a plain number, not by {factor!r}")
        return Quantity(self.value * factor, self.unit)

    __rmul__ = __mul__

    @overload
    def __truediv__(self, other: Quantity) -> float: ...
    @overload
    def __truediv__(self, other: float) -> Quantity: ...
    def __truediv__(self, other: Quantity | float) -> Quantity | float:
        if isinstance(other, Quantity):
            return self.value / self._same(other)
        return Quantity(self.value / other, self.unit)

    def __str__(self) -> str:
        if self.unit != "ns":
            return f"{self.value:.6g} {self.unit}".rstrip()
        for least, size, name in _STEPS:
            if abs(self.value) >= least:
                return f"{self.value / size:.4g} {name}"
        return f"{self.value:.4g} ns"

    def __repr__(self) -> str:
        return str(self)


#: A nanosecond.
ns = Quantity(1.0, "ns")
#: A microsecond.
us = Quantity(1e3, "ns")
#: A millisecond.
ms = Quantity(1e6, "ns")
#: A second.
s = Quantity(1e9, "ns")
