"""Instances on a Spark cluster: `pip install 'picardc[spark]'`.

    >>> import picardc, picardc.spark
    >>> instances = picardc.compile("/shared/suite.pcd").instances(7, samples=10_000_000)
    >>> frame = picardc.spark.dataframe(session, instances, shards=1000)    # a DataFrame
    >>> picardc.spark.write(session, instances, "/shared/out", shards=1000) # Parquet files

A partition is a shard. It is made by the Python of the executors (`PYSPARK_PYTHON`), which needs picardc, pyarrow,
and the suite's folder at the same path as here; if it has another digest, the task fails with a `StaleError`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from . import _tables, parquet
from ._picardc import Instances

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession


def _frame(session: SparkSession, of: int) -> DataFrame:
    return session.range(0, of, 1, of)


def dataframe(session: SparkSession, instances: Instances, *, shards: int = 8, keys: bool = True) -> DataFrame:
    """The instances as a DataFrame, one row for each, with the columns of `picardc.parquet`.

    shards: the number of partitions, from 1. keys: whether rows have `target` and `instance`, with the answer key.

    The column `index` has the place of a row. Raises ValueError if `shards` is not from 1.
    """
    from pyspark.sql.pandas.types import from_arrow_schema

    of = _tables.of_shards(instances, shards)

    def make(numbers: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in numbers:
            for shard in batch.column("id").to_pylist():
                yield from _tables.batches(instances.shard(shard, of), keys)

    shape = from_arrow_schema(_tables.schema(instances, keys))
    return _frame(session, of).mapInArrow(make, shape)


def write(
    session: SparkSession, instances: Instances, out: str | os.PathLike[str], *, shards: int = 8, keys: bool = True
) -> int:
    """As `picardc.parquet.write`, by the executors of Spark: the same files, and resumed in the same way.

    out: a folder that every machine sees. Returns the number of rows.
    """
    folder = parquet.begin(instances, out, shards, keys)
    target = str(folder.absolute())

    def work(numbers: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for batch in numbers:
            ids = batch.column("id").to_pylist()
            rows = [parquet.write_shard(instances, target, shard, shards, keys) for shard in ids]
            yield pa.RecordBatch.from_pydict({"shard": ids, "rows": rows})

    _frame(session, shards).mapInArrow(work, "shard bigint, rows bigint").collect()
    return parquet.finish(folder, instances, shards)
