"""Prints schema, metadata and figures of a Parquet file as pyarrow reads them, as one object of JSON."""

import json
import sys

import pyarrow.compute
import pyarrow.dataset
import pyarrow.parquet

metadata = pyarrow.parquet.read_metadata(sys.argv[1]).metadata
table = pyarrow.parquet.ParquetFile(sys.argv[1]).read()
done = table.filter((pyarrow.compute.field("tracked")) & pyarrow.compute.field("completed_ns").is_valid())
print(
    json.dumps(
        {
            "rows": table.num_rows,
            "types": {field.name: str(field.type) for field in table.schema},
            "metadata": {key.decode(): value.decode() for key, value in metadata.items()},
            "completed": done.num_rows,
            "latency_sum": pyarrow.compute.sum(done["latency_ns"]).as_py(),
            "partitioned": pyarrow.dataset.dataset(sys.argv[2], partitioning="hive").count_rows(),
        }
    )
)
