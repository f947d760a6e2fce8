"""Asks a Prometheus for every expression of the dashboard, and checks every metric name of dashboard and rules against a live daemon.

    expressions.py DASHBOARD RULES METRICS_URL PROMETHEUS_URL
"""

import json
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

dashboard, rules, metrics_url, prometheus = sys.argv[1:]
SECONDS = 40


def get(url):
    with urllib.request.urlopen(url, timeout=10) as answer:
        return answer.read().decode()


expressions = []
rows = json.load(open(dashboard))["panels"]
for panel in rows + [inner for row in rows for inner in row.get("panels", [])]:
    for target in panel.get("targets", []):
        expression = target["expr"].replace("$__rate_interval", "15s").replace("$job", ".*").replace("$instance", ".*")
        expressions.append((panel["title"], expression))
text = open(rules).read()
alerts = re.findall(r"^ +expr: (?:\|\n)?((?:.+\n)(?: {12}.+\n)*)", text, re.M)
names = set()
for expression in [e for _, e in expressions] + alerts:
    names.update(re.findall(r"metrics_aggregator_[a-z0-9_]+", expression))
assert len(expressions) > 10 and len(alerts) == text.count("- alert:"), (len(expressions), len(alerts))

deadline = time.monotonic() + SECONDS
open_names, unanswered = names, expressions
while time.monotonic() < deadline and (open_names or unanswered):
    time.sleep(1)
    exported = {re.split(r"[ {]", line)[0] for line in get(metrics_url).splitlines() if not line.startswith("#")}
    open_names = names - exported
    still = []
    for title, expression in unanswered:
        query = urllib.parse.urlencode({"query": expression})
        try:
            answer = json.loads(get(f"{prometheus}/api/v1/query?{query}"))
        except urllib.error.HTTPError as error:
            sys.exit(f"Prometheus refuses {expression}: {error.read().decode()}")
        except urllib.error.URLError:
            still.append((title, expression))
            continue
        values = [float(each["value"][1]) for each in answer["data"]["result"]]
        if not values or all(value != value for value in values):
            still.append((title, expression))
    unanswered = still
if open_names:
    sys.exit(f"the daemon does not export: {sorted(open_names)}")
if unanswered:
    sys.exit("no value in Prometheus for: " + "; ".join(f"{t}: {e}" for t, e in unanswered))
groups = json.loads(get(f"{prometheus}/api/v1/rules"))["data"]["groups"]
bad = [rule["name"] for group in groups for rule in group["rules"] if rule["health"] == "err"]
if bad:
    sys.exit(f"rules that cannot be evaluated: {bad}")
print(f"{len(expressions)} expressions answered, {len(names)} metric names exist, {len(alerts)} alerts evaluated")
