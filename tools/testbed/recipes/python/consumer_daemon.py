"""Runs the daemon of this project as the aggregator under check-consumer: prints the final snapshot of one case.

Usage: check-consumer -- python3 consumer_daemon.py metrics-aggregator
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

case = json.load(sys.stdin)
with tempfile.TemporaryDirectory() as folder:
    command = [*sys.argv[1:], "run", "--in", f"connect:{os.environ['MA_ENDPOINT']}", "--output-dir", folder]
    for option in ("streaming", "early_stopping"):
        if case.get(option):
            command.append("--" + option.replace("_", "-"))
    if case.get("tokenizer"):
        command += ["--tokenizer", case["tokenizer"]]
    subprocess.run(command, check=True, stdout=sys.stderr)
    print(pathlib.Path(folder, "final_snapshot.json").read_text(encoding="utf-8"))
