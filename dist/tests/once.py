"""Writes promtool test rules: no expression of the dashboard changes when a second job scrapes the same daemon.

    once.py DASHBOARD TESTS

For each expression, the same series come from one daemon through the jobs a and b. Its value over both jobs is that over the job a alone.
"""

import json
import re
import sys

ROWS = ["Load", "Latency", "Tokens", "Errors and stalls", "Servers and GPUs", "The daemon"]


def panels(dashboard):
    """All panels with the row that each stands in: an open row is followed by its panels, a closed one holds them."""
    row = None
    for panel in dashboard["panels"]:
        if panel["type"] != "row":
            yield row, panel
            continue
        row = panel["title"]
        for inner in panel["panels"]:
            yield row, inner


def check_rows(dashboard):
    rows = [each["title"] for each in dashboard["panels"] if each["type"] == "row"]
    filled = {row for row, _ in panels(dashboard)}
    if rows != ROWS or filled != set(ROWS):
        sys.exit(f"rows are {rows}, with panels: {sorted(map(str, filled))}; expected {ROWS}, each with panels")
    if dashboard.get("graphTooltip") != 1:
        sys.exit("the plots share no crosshair (graphTooltip is not 1)")
    ids = [each["id"] for each in dashboard["panels"]] + [
        inner["id"] for each in dashboard["panels"] for inner in each.get("panels", [])
    ]
    if len(ids) != len(set(ids)):
        sys.exit("two panels have the same id")


def selected(expression, jobs):
    expression = expression.replace("$__rate_interval", "1m").replace("$instance", ".*")
    return expression.replace("$job", jobs)


def series(expression, instances=("i",)):
    """Input series of the metrics of an expression: labels from its matchers and its `by`, growing where they are counters."""
    grouped = {label.strip() for by in re.findall(r"by \(([^)]*)\)", expression) for label in by.split(",")} - {"instance", "le"}
    result = []
    for name, matchers in sorted(set(re.findall(r"(metrics_aggregator_\w+)\{([^}]*)\}", expression))):
        fixed = dict(re.findall(r'(\w+)="([^"]*)"', matchers))
        buckets = ["0.1", "1", "+Inf"] if name.endswith("_bucket") else [None]
        grows = name.endswith(("_total", "_bucket", "_sum", "_joules"))
        for instance in instances:
            for job in ("a", "b"):
                for place, bound in enumerate(buckets, 1):
                    labels = {"job": job, "instance": instance, **{each: "x" for each in sorted(grouped)}, **fixed}
                    if bound:
                        labels["le"] = bound
                    text = ",".join(f'{key}="{value}"' for key, value in labels.items())
                    result.append({"series": f"{name}{{{text}}}", "values": f"{place}+{7 * place}x20" if grows else "1+0x20"})
    return result


def main(file, tests):
    with open(file, encoding="utf-8") as text:
        dashboard = json.load(text)
    check_rows(dashboard)
    groups = []
    for row, panel in panels(dashboard):
        for target in panel["targets"]:
            expression = target["expr"]
            both, one = selected(expression, "a|b"), selected(expression, "a")
            different = f"count(({both}) != ({one}) or (({both}) unless ({one})) or (({one}) unless ({both}))) or vector(0)"
            groups.append({
                "name": f"{row} / {panel['title']} / {target['legendFormat']}: {expression}",
                "interval": "15s",
                "input_series": series(expression),
                "promql_expr_test": [
                    {"expr": f"count({one}) > bool 0", "eval_time": "4m", "exp_samples": [{"labels": "{}", "value": 1}]},
                    {"expr": different, "eval_time": "4m", "exp_samples": [{"labels": "{}", "value": 0}]},
                ],
            })
            if panel["title"] == "Samples in flight":
                # Two daemons, each scraped by two jobs, add up: 1 + 1.
                groups.append({
                    "name": "the samples in flight of two daemons",
                    "interval": "15s",
                    "input_series": series(expression, ("i", "k")),
                    "promql_expr_test": [{"expr": both, "eval_time": "4m", "exp_samples": [{"labels": "{}", "value": 2}]}],
                })
    with open(tests, "w", encoding="utf-8") as out:
        json.dump({"evaluation_interval": "15s", "tests": groups}, out, indent=1)
    print(f"{len(groups)} expressions in {len(ROWS)} rows")


if __name__ == "__main__":
    main(*sys.argv[1:])
