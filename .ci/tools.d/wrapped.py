"""Compares what `wrap` measured with the log of serve-synthetic: wrapped.py SERVED.jsonl final_snapshot.json. Exit status 1 if a count differs."""
import json
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
sys.exit(0 if counts["completed"] - counts["failed"] == len(answered) else 1)
