"""Builds data frames of pandas or polars, whichever is installed; no state."""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from .errors import MetricsAggregatorError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Library = Literal["pandas", "polars"]
Kind = Literal["integer", "number", "text", "boolean"]

_PANDAS = {"integer": "Int64", "number": "Float64", "text": "string", "boolean": "boolean"}
_POLARS = {"integer": "Int64", "number": "Float64", "text": "String", "boolean": "Boolean"}


class Column(NamedTuple):
    """Values of one kind; None where there is none."""

    kind: Kind
    values: Sequence[Any]


def choose(library: Library | None) -> Library:
    """Return the library that was asked for, or pandas if it is installed, or polars.

    Raises:
        MetricsAggregatorError: it is not installed, or not one of the two.
    """
    if library is None:
        installed: list[Library] = [each for each in ("pandas", "polars") if importlib.util.find_spec(each)]
        if not installed:
            raise MetricsAggregatorError(
                "Data frames need pandas or polars. Run: pip install 'metrics-aggregator[pandas]' or "
                "pip install 'metrics-aggregator[polars]'."
            )
        return installed[0]
    if library not in ("pandas", "polars"):
        raise MetricsAggregatorError(f"Cannot make frames of {library!r}: 'pandas' and 'polars' can be had.")
    if not importlib.util.find_spec(library):
        raise MetricsAggregatorError(f"{library} is not installed. Run: pip install 'metrics-aggregator[{library}]'.")
    return library


def build(columns: Mapping[str, Column], library: Library) -> Any:
    """Return the frame of columns of one length. Missing values are NA in pandas (integers stay integers) and null in polars."""
    if library == "pandas":
        import pandas as pd

        return pd.DataFrame(
            {name: pd.Series(list(column.values), dtype=_PANDAS[column.kind]) for name, column in columns.items()}
        )
    import polars as pl

    return pl.DataFrame(
        {
            name: pl.Series(name, list(column.values), dtype=getattr(pl, _POLARS[column.kind]), strict=False)
            for name, column in columns.items()
        }
    )


def reads_parquet(library: Library) -> bool:
    """Whether the library reads the program's Parquet files here: polars from version 2 on, otherwise both with pyarrow."""
    return importlib.util.find_spec("pyarrow") is not None or (library == "polars" and _polars_reads())


def _polars_reads() -> bool:
    # 1.20 to 1.38 end with "Invalid thrift: bad data" at footers of parquet-java 1.18.
    import polars as pl

    return int(pl.__version__.partition(".")[0]) >= 2


def read_parquet(files: Sequence[Any], run_id: str | None, library: Library) -> Any:
    """Return the rows of a run, or of all runs, from Parquet files."""
    if not reads_parquet(library):
        raise MetricsAggregatorError(
            f"{library} reads {files[0]} with pyarrow, which is not installed. Run: pip install pyarrow."
        )
    if library == "pandas":
        import pandas as pd

        frames = []
        for each in files:
            # A path would add the folders run= and node= as columns.
            with open(each, "rb") as file:
                frames.append(pd.read_parquet(file, dtype_backend="numpy_nullable"))
        rows = pd.concat(frames, ignore_index=True)
        return rows if run_id is None else rows[(rows["run_id"] == run_id).fillna(value=False)].reset_index(drop=True)
    import polars as pl

    whole = pl.concat([_read_with_polars(each) for each in files])
    return whole if run_id is None else whole.filter(pl.col("run_id") == run_id)


def _read_with_polars(path: Any) -> Any:
    import polars as pl

    if _polars_reads():
        return pl.read_parquet(path, hive_partitioning=False)
    import pyarrow.parquet as pq

    with open(path, "rb") as file:
        return pl.from_arrow(pq.ParquetFile(file).read())
