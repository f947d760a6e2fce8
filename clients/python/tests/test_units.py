"""Quantities and certainty, without a daemon."""

from __future__ import annotations

import pytest

from metrics_aggregator.run import _least_count
from metrics_aggregator.units import Quantity, ms, ns, s, us


def test_units_of_time_convert():
    assert 0.5 * s == 500 * ms == s * 0.5
    assert 1 * ms == 1000 * us == 1_000_000 * ns
    assert (1 * s + 500 * ms - 1 * us) / ms == 1499.999
    assert 3 * s / 2 == 1500 * ms
    assert len({1 * s, 1000 * ms}) == 1


@pytest.mark.parametrize(
    ("quantity", "text"),
    [
        (12 * s, "12 s"),
        (1.5 * s, "1500 ms"),
        (0.25 * ms, "0.25 ms"),
        (90 * us, "90 us"),
        (7 * ns, "7 ns"),
        (-2 * ms, "-2 ms"),
        (Quantity(2950, "tokens"), "2950 tokens"),
        (Quantity(3, ""), "3"),
    ],
)
def test_a_quantity_reads_as_in_a_report(quantity, text):
    assert str(quantity) == repr(quantity) == text


@pytest.mark.parametrize("compare", [lambda q: q < 0.5, lambda q: q >= 1, lambda q: q < 500, lambda q: q + 1, lambda q: q < "1"])
def test_a_time_refuses_a_number_without_a_unit(compare):
    with pytest.raises(TypeError, match=r"500 ms"):
        compare(0.5 * s)


def test_a_count_compares_with_plain_numbers_and_not_with_times():
    assert Quantity(5, "tokens") < 6
    assert Quantity(5, "tokens") == 5
    assert 0.5 * s != 500_000_000
    with pytest.raises(TypeError, match="different units: tokens and ns"):
        assert Quantity(5, "tokens") < 1 * s
    with pytest.raises(TypeError, match="multiplied by a plain number"):
        1 * s * s  # type: ignore[operator]


def test_a_percentile_is_certain_from_as_many_values_as_the_documentation_says():
    assert [_least_count(p) for p in (50.0, 99.0, 99.9)] == [11, 662, 6636]
    assert _least_count(100.0) > 10**18
