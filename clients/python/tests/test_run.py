"""Finished runs of a real daemon: figures, certainty, frames, verdict, HTML."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from metrics_aggregator import InvalidRunError, MetricsAggregatorError, ProgramNotFoundError, _frames, load
from metrics_aggregator.units import Quantity, ms, s

from conftest import DAEMON, FAILED, LATENCY_MS, TTFT_MS


def linear(values, percent):
    """The percentile by numpy's default rule."""
    values = sorted(values)
    place = (len(values) - 1) * percent / 100
    low = int(place)
    return values[low] + (place - low) * (values[min(low + 1, len(values) - 1)] - values[low])


@pytest.fixture
def changed(finished, tmp_path):
    """Writes the snapshot of `finished` with a change into a directory of its own, without its journal."""

    def change(edit):
        tree = json.loads((finished / "final_snapshot.json").read_text())
        edit(tree)
        (tmp_path / "final_snapshot.json").write_text(json.dumps(tree))
        return tmp_path

    return change


def test_percentiles_are_those_of_the_samples_with_their_unit(finished):
    run = load(finished)
    for name, values in {"ttft_ns": TTFT_MS, "sample_latency_ns": LATENCY_MS}.items():
        series = run.series(name)
        assert series.count == 700
        for p in (1, 50, 90, 99, 99.9):
            assert series.percentile(p) / ms == pytest.approx(linear(values, p), abs=1e-6)
        assert (series.min, series.max) == (min(values) * ms, max(values) * ms)
        assert series.mean / ms == pytest.approx(sum(values) / 700)
    assert run.series("ttft_ns").p99 < 0.5 * s
    assert not run.series("ttft_ns").p99 < 0.1 * s
    with pytest.raises(TypeError, match=r"119 ms is a time"):
        assert run.series("ttft_ns").p99 < 0.5


def test_certainty_is_the_snapshots_own(finished):
    run = load(finished)
    compared = 0
    for name in run.snapshot.series_names:
        series = run.series(name)
        for key, row in (series.view.fields.get("certification") or {}).items() if series.count else ():
            compared += 1
            each = series.percentile(float(key))
            assert each.certain == row["certified"], (name, key)
            assert each.upper_bound == (None if row["upper_bound"] is None else Quantity(row["upper_bound"], "ns"))
    assert compared >= 14
    series = run.series("ttft_ns")
    assert (series.p99.certain, series.percentile(1).certain, series.p99_9.certain) == (True, True, False)
    assert (str(series.p99), str(series.p99_9)) == ("119 ms", "120 ms?")


def test_an_unknown_series_or_one_without_values_keeps_no_limit(changed):
    def empty(tree):
        for metric in tree["metrics"]:
            if metric["name"] == "ttft_ns":
                metric.update(count=0, total=0, min=0, max=0)

    run = load(changed(empty))
    with pytest.raises(MetricsAggregatorError, match="ttft_ns has no values"):
        assert run.series("ttft_ns").p99 < 1 * s
    with pytest.raises(KeyError, match=r"series ttfs: the run has .*ttft_ns"):
        run.series("ttfs")
    with pytest.raises(KeyError, match=r"percentile 98: the snapshot has 99\.9"):
        run.series("sample_latency_ns").percentile(98)


@pytest.mark.parametrize("broken", ["", "[]", "{}", "[" * 100_000, '{"counter": 1, "metrics": [{}]}'])
def test_a_broken_snapshot_is_named(tmp_path, broken):
    (tmp_path / "final_snapshot.json").write_text(broken)
    with pytest.raises(MetricsAggregatorError, match=r"final_snapshot\.json"):
        load(tmp_path)


def test_a_missing_snapshot_is_named_and_a_journal_recognised(finished, tmp_path):
    with pytest.raises(MetricsAggregatorError, match=r"absent/?.*: No such file"):
        load(tmp_path / "absent" / "final_snapshot.json")
    with pytest.raises(MetricsAggregatorError, match=r"is a journal: metrics-aggregator replay"):
        load(finished / "journal")


@pytest.mark.parametrize("field", ["interpolated", "certification"])
def test_percentiles_that_are_no_numbers_are_an_error(changed, field):
    def spoil(tree):
        for metric in tree["metrics"]:
            if metric["name"] == "ttft_ns":
                metric[field] = {"99.0": None, "100": 5, "x": {}}

    with pytest.raises(MetricsAggregatorError, match="Cannot read percentile 99 of the series ttft_ns"):
        _ = load(changed(spoil)).series("ttft_ns").p99


def test_the_verdict_is_the_programs_and_an_invalid_run_says_why(program, finished, changed):
    run = load(finished)
    assert run.verdict.validity == run.report["verdict"]["validity"] == "valid"
    assert run.require_valid() is run

    def fail(tree):
        for metric in tree["metrics"]:
            if metric["name"] in ("tracked_samples_failed", "tracked_samples_errored"):
                metric["value"] = 600
            if metric["name"] == "tracked_samples_succeeded":
                metric["value"] = 100

    failed = load(changed(fail))
    with pytest.raises(InvalidRunError, match=r"is INVALID; failed samples: 600 of 700"):
        failed.require_valid()
    assert failed.verdict.reasons[0].weight == "bad"


def test_without_the_program_figures_are_there_and_the_verdict_says_what_to_install(finished, monkeypatch, tmp_path):
    monkeypatch.delenv("METRICS_AGGREGATOR")
    monkeypatch.setenv("PATH", str(tmp_path))
    run = load(finished)
    assert run.series("ttft_ns").p99 < 1 * s
    if "metrics_aggregator_daemon" in sys.modules:
        pytest.skip("the extra daemon is installed")
    with pytest.raises(ProgramNotFoundError, match=r"pip install 'metrics-aggregator\[daemon\]'"):
        _ = run.verdict
    assert "No verdict" in run._repr_html_()


@pytest.fixture(scope="session")
def exported(program, finished, tmp_path_factory):
    """The samples of `finished` as the program exports them: a folder of Parquet files, and a SQLite file."""
    folder = tmp_path_factory.mktemp("exported")
    for kind, name in {"parquet": "rows", "sqlite": "run.sqlite"}.items():
        command = [DAEMON, "export", finished / "journal", "--format", kind, "-o", folder / name]
        subprocess.run(command, check=True, capture_output=True)
    return folder


@pytest.mark.parametrize("library", ["pandas", "polars"])
@pytest.mark.parametrize("source", ["journal", "rows", "run.sqlite", "journal without Parquet"])
def test_a_frame_has_a_row_for_each_sample_wherever_they_are(finished, exported, library, source, monkeypatch):
    pytest.importorskip(library)
    if source.startswith("journal"):
        place = None
        if "without" in source:
            monkeypatch.setattr(_frames, "reads_parquet", lambda _: False)
    else:
        place = exported / source
        if source == "rows" and not _frames.reads_parquet(library):
            pytest.skip(f"{library} does not read Parquet without pyarrow")
    rows = load(finished, samples=place).samples(library)
    assert rows["ttft_ns"].to_list() == [each * 1_000_000 for each in TTFT_MS]
    assert rows["latency_ns"].to_list() == [each * 1_000_000 for each in LATENCY_MS]
    assert rows["failed"].to_list() == [False] * (700 - FAILED) + [True] * FAILED
    assert rows["tracked"].to_list() == [True] * 700
    assert set(rows["error_type"][-FAILED:]) == {"<script>Timeout"}
    assert set(rows["run_id"]) == {load(finished).id}
    assert rows["good"].is_null().all() if library == "polars" else rows["good"].isna().all()
    assert str(rows["osl"].dtype).lower() == "int64", "no value is there, and the kind is kept"


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_of_slices_and_percentiles_have_the_snapshots_values(finished, library):
    pytest.importorskip(library)
    run = load(finished)
    slices = run.slices(library)
    assert slices["start_s"].to_list() == [float(number) for number in range(len(slices))]
    assert sum(slices["issued"].to_list()) == sum(slices["completed"].to_list()) == 700
    assert sum(slices["failed"].to_list()) == FAILED
    rows = run.percentiles(library)
    p99 = dict(zip(zip(rows["series"].to_list(), rows["percentile"].to_list()), rows["value"].to_list()))["ttft_ns", 99.0]
    assert p99 == run.series("ttft_ns").p99.value
    assert set(rows["unit"].to_list()) >= {"ns"}


def test_what_is_missing_for_frames_is_named(finished, monkeypatch):
    run = load(finished)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(MetricsAggregatorError, match=r"pip install 'metrics-aggregator\[pandas\]'"):
        run.slices()
    with pytest.raises(MetricsAggregatorError, match=r"polars is not installed"):
        run.samples("polars")
    with pytest.raises(MetricsAggregatorError, match=r"'dask'"):
        run.percentiles("dask")  # type: ignore[call-overload]


def test_samples_that_cannot_be_read_are_named(finished, changed, tmp_path):
    pytest.importorskip("pandas")
    alone = changed(lambda tree: None)
    with pytest.raises(MetricsAggregatorError, match=r"has no samples: .*--journal"):
        load(alone).samples("pandas")
    with pytest.raises(MetricsAggregatorError, match=r"absent does not exist"):
        load(alone, samples=tmp_path / "absent").samples("pandas")
    (tmp_path / "broken.sqlite").write_bytes(b"no database" * 100)
    with pytest.raises(MetricsAggregatorError, match=r"broken.sqlite: file is not a database"):
        load(alone, samples=tmp_path / "broken.sqlite").samples("pandas")
    other = sqlite3.connect(tmp_path / "other.sqlite")
    other.execute("CREATE TABLE samples (sample_uuid TEXT, run_id TEXT)")
    other.close()
    with pytest.raises(MetricsAggregatorError, match=rf"no samples of run {load(alone).id}"):
        load(alone, samples=tmp_path / "other.sqlite").samples("pandas")

    def rename(tree):
        tree["run"]["run_id"] = "another"

    with pytest.raises(MetricsAggregatorError, match=r"has no run another; it has run-"):
        load(changed(rename), samples=finished / "journal").samples("pandas")


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs


def test_the_notebook_shows_tiles_and_two_plots_and_loads_nothing(program, finished):
    text = load(finished)._repr_html_()
    tree = ElementTree.fromstring(text)
    shown = " ".join(tree.itertext())
    ttft = " · ".join(f"{linear(TTFT_MS[:-FAILED], p):.4g} ms" for p in (50, 99))
    for each in ("VALID", "7 of 700 (1.00%)", ttft, "Requests per second", "Time to first token, ms"):
        assert each in shown, shown
    assert len(tree.findall(".//{http://www.w3.org/2000/svg}svg")) == 2
    curves = [path for path in tree.iter("{http://www.w3.org/2000/svg}path") if "L" in path.get("d", "")]
    assert len(curves) == 4
    tags = Tags(text)
    assert set(tags.tags) <= {"div", "svg", "path", "text"}
    assert not [name for name, _ in tags.attributes if name in ("src", "href") or name.startswith("on")]


def test_texts_of_a_run_are_escaped(changed):
    def inject(tree):
        tree["run"]["run_id"] = "<script>alert(1)</script>"
        tree["state"] = '"><img src=x onerror=alert(2)>'

    tags = Tags(load(changed(inject))._repr_html_())
    assert set(tags.tags) <= {"div", "svg", "path", "text"}


@pytest.mark.parametrize(
    "slices",
    [
        None,
        [],
        {"width_ns": 10**9, "columns": {}},
        {"width_ns": "1", "columns": {"completed": [1]}},
        {"width_ns": 10**9, "columns": {"completed": [1], "ttft_p50_ns": ["x", None, 1e308, True]}},
    ],
)
def test_strange_slices_give_a_notebook_without_curves(changed, slices):
    run = load(changed(lambda tree: tree.update(slices=slices)))
    ElementTree.fromstring(run._repr_html_())
