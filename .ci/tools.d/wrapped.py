"""Compares what `wrap` measured with the log of serve-synthetic: wrapped.py SERVED.jsonl final_snapshot.json samples.csv. Exit status 1 if a count differs."""
import csv
import json
import statistics
import sys

served = [json.loads(line) for line in open(sys.argv[1])]
snapshot = json.load(open(sys.argv[2]))
metrics = {each["name"]: each for each in snapshot["metrics"]}
counts = {name: metrics["tracked_samples_" + name]["value"] for name in ("issued", "completed", "failed")}
answered = [each for each in served if each["end"] in ("stop", "length")]
print(f"server: {len(served)} requests, {len(answered)} answered; here: {counts}")
for name in ("ttft_ns", "sample_latency_ns"):
    series = metrics.get(name)
    if series is None or series["count"] == 0:
        print(f"{name}: none here")
        continue
    values = sorted(each["latency_ns" if name == "sample_latency_ns" else name] for each in answered)
    # The rank that the snapshot takes; the mean of two ranks would differ by half their distance.
    theirs = values[(len(values) + 1) // 2 - 1]
    ours = float(series["percentiles"]["50.0"])
    print(f"{name} at the median: server {theirs / 1e6:.3f} ms, here {ours / 1e6:.3f} ms, {(ours - theirs) / 1e6:+.3f} ms, {series['count']} requests")
# Request by request, in the order of issue and of arrival; two that overtook each other are two outliers.
ours = sorted((int(each["issued_ns"]), int(each["ttft_ns"])) for each in csv.DictReader(open(sys.argv[3])) if each["ttft_ns"])
theirs = sorted((each["arrived_ns"], each["ttft_ns"]) for each in answered)
if ours and len(ours) == len(theirs):
    pairs = sorted((a[1] - b[1]) / 1e6 for a, b in zip(ours, theirs))
    print(f"ttft_ns of a request: {statistics.median(pairs):+.3f} ms at the median, {pairs[len(pairs) * 9 // 10]:+.3f} ms at p90, {len(pairs)} requests")
sys.exit(0 if counts["completed"] - counts["failed"] == len(answered) else 1)
