"""Finds the samples of a run in an export or a journal, and reads them; no state."""

from __future__ import annotations

import contextlib
import sqlite3
import tempfile
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

from . import _frames
from ._frames import Column, Kind, Library
from ._program import run_program
from .errors import MetricsAggregatorError

_BOOLEANS = frozenset(("tracked", "failed", "good"))
_KINDS: dict[str, Kind] = {"INTEGER": "integer", "REAL": "number"}
_PARQUET = ("*.parquet", "run=*/node=*/*.parquet", "*/run=*/node=*/*.parquet")


def read_samples(place: Path, run_id: str | None, library: Library) -> Any:
    """Return a frame with a row for each sample of a run.

    Args:
        place: A Parquet or SQLite file, a folder with such files, a journal, or a folder with a journal in it.
        run_id: Rows of other runs are left out; None keeps all.
        library: Whose frame.

    Raises:
        MetricsAggregatorError: the place has no samples of this run, or cannot be read.
    """
    files, databases, journals = _find(place)
    try:
        if files:
            rows = _frames.read_parquet(files, run_id, library)
        elif databases:
            rows = _read_database(databases[0], run_id, library)
        elif journals:
            return _export(journals, run_id, library)
        else:
            raise MetricsAggregatorError(
                f"{place} has no samples: neither Parquet nor SQLite files, nor a journal. Start the daemon with --journal "
                "DIR, and give load(…, samples=DIR)."
            )
    except MetricsAggregatorError:
        raise
    except Exception as e:  # Of sqlite3, pyarrow, pandas, polars: each has its own.
        raise MetricsAggregatorError(f"Cannot read samples from {(files or databases)[0]}: {e}") from e
    if run_id is not None and len(rows) == 0:
        raise MetricsAggregatorError(f"{(files or databases)[0]} has no samples of run {run_id}.")
    return rows


def _find(place: Path) -> tuple[list[Path], list[Path], list[Path]]:
    """Return Parquet files, SQLite files and runs of journals, newest first, in a place, which must exist."""
    if not place.exists():
        raise MetricsAggregatorError(f"{place} does not exist.")
    if place.is_file():
        return ([place], [], []) if place.suffix == ".parquet" else ([], [place], [])
    files = sorted({file for pattern in _PARQUET for file in place.glob(pattern)})
    databases = sorted({file for pattern in ("*.sqlite", "*.sqlite3", "*.db") for file in place.glob(pattern)})
    segments = [
        *place.glob("segment-*.journal"),
        *place.glob("run-*/segment-*.journal"),
        *place.glob("*/run-*/segment-*.journal"),
    ]
    journals = sorted({file.parent for file in segments}, key=lambda folder: folder.name, reverse=True)
    return files, databases, journals


def _read_database(file: Path, run_id: str | None, library: Library) -> Any:
    where, values = ("", ()) if run_id is None else (" WHERE run_id = ?", (run_id,))
    with contextlib.closing(sqlite3.connect(f"file:{quote(str(file.absolute()))}?mode=ro", uri=True)) as database:
        kinds: dict[str, Kind] = {
            name: "boolean" if name in _BOOLEANS else _KINDS.get(declared, "text")
            for _, name, declared, *_ in database.execute("PRAGMA table_info(samples)")
        }
        rows = database.execute(f"SELECT * FROM samples{where} ORDER BY rowid", values).fetchall()
    columns = cast("list[tuple[Any, ...]]", list(zip(*rows)) or [()] * len(kinds))
    return _frames.build(
        {
            name: Column(kind, [None if value is None else bool(value) for value in column] if kind == "boolean" else column)
            for (name, kind), column in zip(kinds.items(), columns)
        },
        library,
    )


def _export(journals: list[Path], run_id: str | None, library: Library) -> Any:
    """Return the samples of a run, which the program exports from its journal into a temporary file."""
    chosen = next((each for each in journals if run_id is None or each.name.endswith(f"-{run_id}")), None)
    if chosen is None:
        names = ", ".join(each.name for each in journals)
        raise MetricsAggregatorError(f"The journal {journals[0].parent} has no run {run_id}; it has {names}.")
    kind = "parquet" if _frames.reads_parquet(library) else "sqlite"
    with tempfile.TemporaryDirectory(prefix="metrics-aggregator-") as folder:
        target = Path(folder, "samples" if kind == "parquet" else "samples.sqlite")
        run_program("export", chosen.absolute(), "--format", kind, "-o", target)
        return read_samples(Path(folder), run_id, library)
