"""Reads the dashboard with Grafana's own model and writes it again: a field that the model does not know would be lost.

    dashboard.py DASHBOARD
"""

import json
import sys

from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models.dashboard import Dashboard


def differences(before, after, place):
    """Fields that are missing or different after the round trip. Fields that the model adds are its defaults."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key, value in before.items():
            if key not in after:
                yield f"{place}.{key} is unknown"
            else:
                yield from differences(value, after[key], f"{place}.{key}")
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, (first, second) in enumerate(zip(before, after)):
            yield from differences(first, second, f"{place}[{index}]")
    elif before != after:
        yield f"{place}: {before!r} became {after!r}"


def main(file):
    with open(file, encoding="utf-8") as text:
        before = json.load(text)
    after = json.loads(JSONEncoder(sort_keys=True).encode(Dashboard.from_json(before)))
    found = list(differences(before, after, "dashboard"))
    # Grafana shows the definition of a variable in its list of variables; the model of the query has no place for it.
    unexpected = [each for each in found if not (".templating.list[" in each and each.endswith(".definition is unknown"))]
    if unexpected:
        sys.exit("\n".join(unexpected))
    print(f"{len(before['panels'])} panels and {len(before['templating']['list'])} variables are as before")


if __name__ == "__main__":
    main(sys.argv[1])
