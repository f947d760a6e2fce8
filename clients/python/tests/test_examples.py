"""The examples in docstrings, as written."""

from __future__ import annotations

import doctest
import importlib

import pytest


def examples(module):
    """Tests of the docstrings that have examples."""
    return [
        each for each in doctest.DocTestFinder().find(importlib.import_module(f"metrics_aggregator.{module}")) if each.examples
    ]


@pytest.mark.parametrize("module", ["units", "run", "daemon", "snapshot", "publisher"])
def test_the_examples_of_a_module_do_what_they_say(module, request):
    tests = examples(module)
    assert tests
    places = {}
    if module in ("run", "snapshot"):
        places["/tmp/bench/out"] = str(request.getfixturevalue("finished"))
    if module == "publisher":
        places["ipc:///tmp/bench/events"] = request.getfixturevalue("daemons")("--streaming").events
    if module == "daemon":
        request.getfixturevalue("program")
    if module == "run":
        pytest.importorskip("pandas")
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    for test in tests:
        for example in test.examples:
            for place, here in places.items():
                example.source = example.source.replace(place, here)
        from metrics_aggregator.units import s

        test.globs["s"] = s
        said = []
        runner.run(test, out=said.append)
        assert runner.failures == 0, "".join(said)
