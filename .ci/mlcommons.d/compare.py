"""Compares final snapshots with those of MLCommons endpoints; run by .ci/mlcommons."""
import argparse
import json
import math
import pathlib
import struct
import subprocess
import sys
import tempfile

import zmq

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "quality" / "golden" / "endpoints"
MODULE = "inference_endpoint.async_utils.services.metrics_aggregator"
# Integers and percentiles must be equal; sums of reals and bucket edges may differ in the last bits.
RELATIVE = 1e-12


def frames(case):
    data = (case / "frames.bin").read_bytes()
    at = 0
    while at < len(data):
        (size,) = struct.unpack_from(">I", data, at)
        yield data[at + 4 : at + 4 + size]
        at += 4 + size


def flags(case):
    args = json.loads((case / "args.json").read_text())
    words = ["--publish-interval", str(args["publish_interval"]), "--drain-timeout", str(args["drain_timeout"])]
    words += ["--hdr-sig-figs", str(args["hdr_sig_figs"]), "--n-histogram-buckets", str(args["n_histogram_buckets"])]
    if args["streaming"]:
        words.append("--streaming")
    if args["early_stopping"]:
        words.append("--early-stopping")
    if args["tokenizer"]:
        words += ["--tokenizer", str((case.parent / args["tokenizer"]).resolve())]
        words += ["--tokenizer-workers", str(max(1, args["tokenizer_workers"]))]
    return words


def run(command, case):
    """Returns the final snapshot that an aggregator writes for the frames of a case."""
    with tempfile.TemporaryDirectory(prefix="mlcommons-") as folder:
        context = zmq.Context()
        events = context.socket(zmq.XPUB)
        events.sndhwm = 0
        events.bind(f"ipc://{folder}/events")
        output = pathlib.Path(folder) / "out"
        output.mkdir()
        process = subprocess.Popen(
            command
            + ["--socket-dir", folder, "--socket-name", "events", "--metrics-socket", "metrics"]
            + ["--metrics-output-dir", str(output)]
            + flags(case),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            for _ in range(600):
                if events.poll(100):
                    break
                if process.poll() is not None:
                    raise RuntimeError(f"{command[0]} ended with {process.returncode}: {process.stderr.read().strip()[-500:]}")
            else:
                raise RuntimeError(f"{command[0]} did not subscribe within 60 s")
            events.recv()
            for frame in frames(case):
                events.send(frame)
            _, errors = process.communicate(timeout=120)
        finally:
            process.kill()
            events.close(linger=0)
            context.term()
        file = output / "final_snapshot.json"
        if not file.exists():
            raise RuntimeError(f"{command[0]} wrote no file, status {process.returncode}: {errors.strip()[-500:]}")
        return json.loads(file.read_text())


def theirs_only(snapshot):
    """Reduces a snapshot to the fields of the reference, without the extensions that follow them."""
    metrics = []
    for metric in snapshot["metrics"]:
        keys = ["type", "name", "value"] if metric["type"] == "counter" else list(metric)
        metrics.append({key: metric[key] for key in keys if key in metric})
    return {
        "state": snapshot["state"],
        "n_pending_tasks": snapshot["n_pending_tasks"],
        "metrics": {metric["name"]: metric for metric in metrics},
    }


def differences(path, expected, actual):
    if isinstance(expected, dict):
        for key, value in expected.items():
            if not isinstance(actual, dict) or key not in actual:
                yield f"{path}/{key}: missing"
            else:
                yield from differences(f"{path}/{key}", value, actual[key])
    elif isinstance(expected, list):
        if not isinstance(actual, list) or len(expected) != len(actual):
            yield f"{path}: {len(expected)} elements expected, got {actual!r:.80}"
            return
        for index, value in enumerate(expected):
            yield from differences(f"{path}/{index}", value, actual[index])
    elif isinstance(expected, float) and isinstance(actual, (int, float)):
        if not math.isclose(expected, actual, rel_tol=RELATIVE, abs_tol=0.0) and expected != actual:
            yield f"{path}: {expected!r} expected, got {actual!r}"
    elif expected != actual or isinstance(expected, bool) != isinstance(actual, bool):
        yield f"{path}: {expected!r} expected, got {actual!r}"


def main():
    parser = argparse.ArgumentParser(description="Compares final snapshots with the reference's, value by value.")
    parser.add_argument("--tool-python", metavar="PYTHON", help="an interpreter that has the tool's package inference_endpoint")
    parser.add_argument("case", nargs="*", type=pathlib.Path, help="folders with frames.bin and args.json")
    options = parser.parse_args()
    cases = options.case or sorted(each.parent for each in GOLDEN.glob("*/frames.bin"))
    failed = left_out = 0
    for case in cases:
        if (case / "not_survived.json").exists():
            print(f"{case.name}: skipped, the reference hangs on this stream")
            left_out += 1
            continue
        if options.tool_python:
            expected = run([options.tool_python, "-m", MODULE], case)
        else:
            expected = json.loads((case / "expected_final_snapshot.json").read_text())
        actual = run([str(ROOT / "metrics-aggregator"), "run"], case)
        found = list(differences("", theirs_only(expected), theirs_only(actual)))
        values = json.dumps(theirs_only(expected)).count(",") + 1
        print(f"{case.name}: {'equal' if not found else f'{len(found)} differences'} in {values:,} values", flush=True)
        for each in found[:20]:
            print(f"  {each}")
        failed += bool(found)
    print(f"{len(cases) - failed - left_out} passed, {failed} failed, {left_out} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
