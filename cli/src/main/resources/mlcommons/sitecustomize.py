"""Puts metrics-aggregator in the place of MLCommons endpoints' own aggregator, or beside it, for the processes of one command.

`metrics-aggregator mlcommons -- COMMAND` puts the folder of this file first on PYTHONPATH, so every Python that COMMAND starts
imports it. A process that was started as `python -m inference_endpoint.async_utils.services.metrics_aggregator ARGS` becomes
`metrics-aggregator run ARGS` under the same process id: its parent's signals and waits reach the daemon. With `--shadow` the process
stays what it is; it only waits until a daemon of ours has subscribed beside it. Every other process runs as it would have, including
the sitecustomize module that this one hides.
"""
import importlib.machinery
import importlib.util
import json
import os
import socket
import sys

MODULE = "inference_endpoint.async_utils.services.metrics_aggregator"
# Options of the tool's aggregator that our daemon has too.
SHARED_OPTIONS = {
    "--" + name
    for name in "socket-dir socket-name metrics-socket metrics-output-dir publish-interval drain-timeout hdr-sig-figs n-histogram-buckets"
    " tokenizer tokenizer-workers streaming readiness-path readiness-id early-stopping".split()
}
# So versions until August 2026 read --drain-timeout 0 as no limit, and always pass it; later ones give up at once, and omit it for no limit.
NO_LIMIT = "args.drain_timeout == 0"
# Longer than the command waits for its daemon, shorter than the tool waits for its services.
SHADOW_SECONDS = 15
# Ends with this process, which tells the command that the aggregator has ended.
shadow_connection = None


def aggregator_arguments():
    words = getattr(sys, "orig_argv", [])
    if "-m" not in words:
        return None
    module = words.index("-m") + 1
    return words[module + 1 :] if module < len(words) and words[module] == MODULE else None


def for_our_daemon(words):
    into = ours = []
    theirs = []
    for word in words:
        if word.startswith("--"):
            into = ours if word.partition("=")[0] in SHARED_OPTIONS else theirs
        into.append(word)
    if theirs:
        print(f"metrics-aggregator: the daemon has no option {' '.join(theirs)}; it runs without what that asks for", file=sys.stderr)
    value = ours.index("--drain-timeout") + 1 if "--drain-timeout" in ours[:-1] else 0
    if value and not ours[value].strip("0.") and zero_is_no_limit():
        ours[value] = "none"
    return ours


def zero_is_no_limit():
    """Whether the tool that is installed means no limit by 0, which only its source tells."""
    package, *folders = MODULE.split(".")
    found = importlib.util.find_spec(package)
    for place in found.submodule_search_locations or [] if found else []:
        try:
            with open(os.path.join(place, *folders, "__main__.py"), encoding="utf-8") as source:
                return NO_LIMIT in source.read()
        except OSError:
            pass
    return False


def become_the_daemon():
    command = os.environ.get("METRICS_AGGREGATOR_MLCOMMONS_COMMAND")
    arguments = aggregator_arguments()
    if not command or arguments is None:
        return
    command = command.split("\x1f")
    os.execv(command[0], command + for_our_daemon(arguments))


def have_a_daemon_beside():
    global shadow_connection
    path = os.environ.get("METRICS_AGGREGATOR_MLCOMMONS_SHADOW")
    arguments = aggregator_arguments()
    if not path or arguments is None:
        return
    try:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.settimeout(SHADOW_SECONDS)
        connection.connect(path)
        request = json.dumps({"folder": os.getcwd(), "arguments": for_our_daemon(arguments)})
        connection.sendall(request.encode("utf-8", "surrogateescape") + b"\n")
        connection.recv(16)
        shadow_connection = connection
    except OSError as error:
        # The run must not depend on us.
        print(f"metrics-aggregator: no daemon beside this aggregator: {error}", file=sys.stderr)


def import_what_this_hides():
    here = os.path.dirname(os.path.abspath(__file__))
    elsewhere = [entry for entry in sys.path if os.path.abspath(entry or ".") != here]
    found = importlib.machinery.PathFinder.find_spec("sitecustomize", elsewhere)
    if found is not None and found.loader is not None:
        found.loader.exec_module(importlib.util.module_from_spec(found))


become_the_daemon()
have_a_daemon_beside()
import_what_this_hides()
