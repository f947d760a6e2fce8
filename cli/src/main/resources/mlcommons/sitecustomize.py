"""Puts metrics-aggregator in the place of MLCommons endpoints' own aggregator, for the processes of one command.

`metrics-aggregator mlcommons -- COMMAND` puts the folder of this file first on PYTHONPATH, so every Python that COMMAND starts
imports it. A process that was started as `python -m inference_endpoint.async_utils.services.metrics_aggregator ARGS` becomes
`metrics-aggregator run ARGS` under the same process id: its parent's signals and waits reach the daemon. Every other process goes
on as it would have, including the sitecustomize module that this one hides.
"""
import importlib.machinery
import importlib.util
import os
import sys

MODULE = "inference_endpoint.async_utils.services.metrics_aggregator"


def become_the_daemon():
    command = os.environ.get("METRICS_AGGREGATOR_MLCOMMONS_COMMAND")
    words = getattr(sys, "orig_argv", [])
    if not command or "-m" not in words:
        return
    module = words.index("-m") + 1
    if module >= len(words) or words[module] != MODULE:
        return
    command = command.split("\x1f")
    os.execv(command[0], command + words[module + 1 :])


def import_what_this_hides():
    here = os.path.dirname(os.path.abspath(__file__))
    elsewhere = [entry for entry in sys.path if os.path.abspath(entry or ".") != here]
    found = importlib.machinery.PathFinder.find_spec("sitecustomize", elsewhere)
    if found is not None and found.loader is not None:
        found.loader.exec_module(importlib.util.module_from_spec(found))


become_the_daemon()
import_what_this_hides()
