"""Instances on a Ray cluster: `pip install 'picardc[ray]'`.

    >>> import picardc, picardc.ray
    >>> instances = picardc.compile("/shared/suite.pcd").instances(7, samples=10_000_000)
    >>> dataset = picardc.ray.dataset(instances, shards=1000)               # a ray.data.Dataset
    >>> picardc.ray.write(instances, "/shared/out", shards=1000)            # Parquet files

A task makes a shard. It compiles the suite at the same path as here, once a process, so that every machine needs
the suite's folder there; if it has another digest, the task fails with a `StaleError`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from . import _tables, parquet
from ._picardc import Instances

if TYPE_CHECKING:
    import pyarrow as pa

try:
    import ray.data
except ImportError as error:
    raise ImportError("picardc.ray needs ray; install it with: pip install 'picardc[ray]'") from error


class _Make:
    """The rows of the shards that a batch names."""

    def __init__(self, instances: Instances, of: int, keys: bool) -> None:
        self.instances, self.of, self.keys = instances, of, keys

    def __call__(self, batch: dict[str, Any]) -> Iterator[pa.Table]:
        import pyarrow as pa

        for shard in batch["id"]:
            for rows in _tables.batches(self.instances.shard(int(shard), self.of), self.keys):
                yield pa.Table.from_batches([rows])


class _Write:
    """Writes the shards that a batch names, and says how many rows they have."""

    def __init__(self, instances: Instances, out: str, of: int, keys: bool) -> None:
        self.instances, self.out, self.of, self.keys = instances, out, of, keys

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        shards = [int(shard) for shard in batch["shard"]]
        rows = [parquet.write_shard(self.instances, self.out, shard, self.of, self.keys) for shard in shards]
        return {"shard": shards, "rows": rows}


def dataset(instances: Instances, *, shards: int = 8, keys: bool = True) -> ray.data.Dataset:
    """The instances as a dataset of Ray, one row for each, with the columns of `picardc.parquet`.

    shards: the number of tasks, from 1. keys: whether rows have `target` and `instance`, with the answer key.

    Blocks come in any order: the column `index` has the place of a row. Raises ValueError if `shards` is not from 1.
    """
    of = _tables.of_shards(instances, shards)
    numbers = ray.data.range(of, override_num_blocks=of)
    # A function, not a class: Ray keeps no actors for it, and makes it again on a worker that replaces one.
    make = _Make(instances, of, keys)
    return numbers.map_batches(lambda batch: make(batch), batch_size=1, batch_format="numpy")


def write(instances: Instances, out: str | os.PathLike[str], *, shards: int = 8, keys: bool = True) -> int:
    """As `picardc.parquet.write`, by the workers of Ray: the same files, and resumed in the same way.

    out: a folder that every machine sees. Returns the number of rows.
    """
    folder = parquet.begin(instances, out, shards, keys)
    work = _Write(instances, str(folder.absolute()), shards, keys)
    numbers = ray.data.from_items([{"shard": shard} for shard in range(shards)], override_num_blocks=shards)
    numbers.map_batches(lambda batch: work(batch), batch_size=1, batch_format="numpy").take_all()
    return parquet.finish(folder, instances, shards)
