"""Writes the table tool x scenario from results of `audit --format json`: audited.py PAGE.md FILE..."""
import json
import os
import re
import sys

page, files = sys.argv[1], sys.argv[2:]
script = open(".ci/tools").read()
order = []
tools = {}
about = {}
for name in sorted(files, key=lambda n: (not n.endswith("/audit.json"), n)):
    if os.path.getsize(name) == 0:
        continue
    audit = json.load(open(name))
    key = os.path.basename(os.path.dirname(name)).removeprefix("run-")
    version = re.search(rf"\b{key}(?:/v\d+)?(?:==|@v)([\d.]+)", script)
    about.setdefault(key, {"name": f"{key} {version.group(1) if version else audit['tool_version']}".strip()})
    about[key].setdefault("runs", []).append(audit)
    for each in audit["scenarios"]:
        if each["name"] not in order:
            order.append(each["name"])
        # The file with options for a scenario comes behind the one of all.
        tools.setdefault(key, {})[each["name"]] = each


def cell(run):
    if run is None:
        return "–"
    bad = [f for f in run["figures"] if f["verdict"] in ("wrong", "silent")]
    if any(f["name"] == "requests that failed" and f["tool"] >= run["served"] for f in run["figures"]):
        return "all failed"
    unknown = [f for f in run["figures"] if f["verdict"] == "unknown"]
    if not [f for f in run["figures"] if f["name"] != "warning"]:
        return "all failed" if "for failures" in run.get("problem", "") else f"no file, exit {run['exit_status']}"
    if run["name"] == "turns" and any(f["name"] == "requests of later turns" for f in unknown):
        return "–"
    right = sum(f["verdict"] in ("exact", "within") for f in run["figures"])
    text = f"{right} right" if not bad else ""
    if bad:
        silent = [f for f in bad if f["verdict"] == "silent"]
        wrong = [f for f in bad if f["verdict"] == "wrong"]
        omission = [f for f in wrong if f["name"] == "coordinated_omission"]
        parts = ["**silent**"] if silent else []
        if omission:
            parts.append(f"**omission**: {omission[0]['tool']:,.0f} for {omission[0]['server']:,.0f} ms")
        elif wrong:
            worst = max(wrong, key=lambda f: abs(f["tool"] - f.get("server", f["tool"])) / max(1e-9, abs(f.get("server", 1)), abs(f["tool"])))
            amount = f"`{worst['name']}` {worst['tool']:,.4g} for {worst.get('server', 0):,.4g}"
            parts.append(f"**wrong** {len(wrong)}: {amount}" + (f" ({worst['note'][6:]})" if worst["note"].startswith("it is ") and worst["tool"] else ""))
        text = "; ".join(parts)
    return text + (f", {len(unknown)} unknown" if unknown else "")


names = sorted(tools)
lines = ["| scenario | " + " | ".join(about[n]["name"] for n in names) + " |", "|---|" + "---|" * len(names)]
for scenario in order:
    lines.append(f"| `{scenario}` | " + " | ".join(cell(tools[n].get(scenario)) for n in names) + " |")
runs = [r for n in names for r in about[n]["runs"]]
times = sorted(r["time"] for r in runs)
loads = sorted(float(r["load"] or 0) for r in runs)
lines += ["", f"{times[0][:10]}, {runs[0]['cores']} cores shared with other work (load {loads[0]:.1f} to {loads[-1]:.1f})."]
text = open(page).read()
made = re.sub(r"(?s)(<!-- audit: generated -->\n).*?(<!-- end of audit -->)", lambda m: m.group(1) + "\n".join(lines) + "\n" + m.group(2), text)
open(page, "w").write(made)
sys.exit(0 if "<!-- audit: generated -->" in text else f"{page} has no markers of the table")
