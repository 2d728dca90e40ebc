"""Instances on a Spark cluster. Needs pyspark, pyarrow, and pandas.

    >>> import picardc, picardc.spark
    >>> instances = picardc.compile("/shared/suite.pcd").instances(7, samples=10_000_000)
    >>> frame = picardc.spark.dataframe(session, instances, shards=1000)    # a DataFrame
    >>> picardc.spark.write(session, instances, "/shared/out", shards=1000) # Parquet files

A partition is a shard. It is made by the Python of the executors (`PYSPARK_PYTHON`), which needs picardc, pyarrow,
and the suite's folder at the same path as here; if it has another digest, the task fails with a `StaleError`.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator
from typing import TYPE_CHECKING

from . import _tables, parquet
from ._picardc import Instances

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession


def _frame(session: SparkSession, of: int) -> DataFrame:
    return session.range(0, of, 1, of)


def dataframe(
    session: SparkSession,
    instances: Instances,
    *,
    shards: int = 8,
    keys: bool = True,
    on_error: _tables.OnError = "raise",
) -> DataFrame:
    """The instances as a DataFrame, one row for each, with the columns of `picardc.parquet`.

    shards: the number of partitions, from 1. keys: whether rows have `target` and `instance`, with the answer key.
    on_error: an instance that cannot be made is left out with "skip"; at the end of a shard, the log of its executor
        has a warning with the number of such instances in it.

    The column `index` has the place of a row. Raises ValueError if `shards` is not from 1. Reading it raises Spark's
    PythonException with the text of a StaleError if the suite was edited.
    """
    from pyspark.sql.pandas.types import from_arrow_schema

    of, on_error = _tables.of_shards(instances, shards), _tables.of_errors(on_error)
    held = pickle.dumps(instances)

    def make(numbers: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        here = pickle.loads(held)
        for batch in numbers:
            for shard in batch.column("id").to_pylist():
                yield from _tables.batches(here.shard(shard, of), keys, on_error)

    shape = from_arrow_schema(_tables.schema(instances, keys))
    return _frame(session, of).mapInArrow(make, shape)


def write(
    session: SparkSession,
    instances: Instances,
    out: str | os.PathLike[str],
    *,
    shards: int = 8,
    keys: bool = True,
    on_error: _tables.OnError = "raise",
) -> int:
    """As `picardc.parquet.write`, by the executors of Spark: the same files, and resumed in the same way.

    out: a folder that every machine sees. Returns the number of rows.
    """
    on_error = _tables.of_errors(on_error)
    folder = parquet.begin(instances, out, shards, keys)
    work = parquet.Work(instances, folder, shards, keys, on_error)

    def write(numbers: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for batch in numbers:
            errors = [work.shard(shard) for shard in batch.column("id").to_pylist()]
            yield pa.RecordBatch.from_pydict({"error": pa.array(errors, pa.binary())})

    done = _frame(session, shards).mapInArrow(write, "error binary").collect()
    parquet.settle(bytes(row["error"]) for row in done)
    return parquet.finish(folder, instances, shards, on_error)
