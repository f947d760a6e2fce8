"""The programs of README.md, as written."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"


def program_of(folder: Path, mark: str) -> Path:
    """The only Python block with a mark, in a file, with this test's folder in place of /tmp/bench."""
    (text,) = [block for block in re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL) if mark in block]
    file = folder / "program.py"
    file.write_text(text.replace("/tmp/bench", str(folder)))
    return file


def test_the_quick_start_makes_a_run_of_one_sample_that_the_snapshot_program_reads(daemons, folder):
    follow = program_of(folder, "import SnapshotView").rename(folder / "follow.py")
    follow.write_text(follow.read_text().replace("\n\n", '\nprint("imported", flush=True)\n', 1))
    load = program_of(folder, "import Publisher").rename(folder / "load.py")
    following = subprocess.Popen([sys.executable, follow], stdout=subprocess.PIPE, text=True)
    try:
        assert following.stdout is not None
        assert following.stdout.readline() == "imported\n"
        # The daemon takes longer to start than the program to subscribe.
        daemon = daemons("--streaming")
        subprocess.run([sys.executable, load], check=True, timeout=60)
        final = daemon.final()
        output, _ = following.communicate(timeout=60)
    finally:
        following.kill()
    assert following.returncode == 0
    assert output.splitlines()[-1].startswith("complete 1 ")
    assert final["by_name"]["tracked_samples_completed"]["value"] == 1
    assert final["by_name"]["chunk_delta_ns"]["count"] == 1


def test_the_program_of_a_finished_run_finds_its_figures(finished, tmp_path):
    pytest.importorskip("pandas")
    file = program_of(tmp_path, "import load")
    file.write_text(file.read_text().replace(f"{tmp_path}/out", str(finished)) + "assert len(rows) == 700\n")
    subprocess.run([sys.executable, file], check=True, timeout=120)


def test_the_program_of_the_projects_readme_measures_a_hundred_samples(program, tmp_path):
    text = (Path(__file__).parents[3] / "README.md").read_text()
    (program_text,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    file = tmp_path / "program.py"
    file.write_text(program_text + 'assert run.counter("tracked_samples_completed") == 100\n')
    done = subprocess.run([sys.executable, file], check=True, timeout=120, capture_output=True, text=True)
    assert re.fullmatch(r"(valid|questionable) p99 of the time to first token: [\d.]+ [num]?s\??\n", done.stdout), done.stdout


def test_the_tests_of_the_pytest_section_pass(program, pytester):
    (text,) = [block for block in re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL) if "import pytest" in block]
    server = """
openai_client = None


def ask_the_server(publisher):
    for _ in range(700):
        with publisher.sample() as sample:
            sample.token()


"""
    text = text.replace("from metrics_aggregator.openai import instrument\n", "").replace(
        "instrument(openai_client, publisher)", "publisher"
    )
    pytester.makepyfile(text.replace("\n\n\n", server, 1))
    pytester.runpytest_subprocess("-p", "no:cacheprovider").assert_outcomes(passed=1)


def test_every_program_compiles():
    programs = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
    assert len(programs) >= 3
    for text in programs:
        body = "".join(f"    {line}\n" for line in text.splitlines())
        compile(f"async def program():\n{body}", str(README), "exec")
