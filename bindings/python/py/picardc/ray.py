"""Instances on a Ray cluster. Needs ray[data] and pyarrow.

    >>> import picardc, picardc.ray
    >>> instances = picardc.compile("/shared/suite.pcd").instances(7, samples=10_000_000)
    >>> dataset = picardc.ray.dataset(instances, shards=1000)               # a ray.data.Dataset
    >>> picardc.ray.write(instances, "/shared/out", shards=1000)            # Parquet files

A task makes a shard. It compiles the suite at the same path as here, once a process, so that every machine needs
the suite's folder there; if it has another digest, the task fails with a `StaleError`.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from . import _tables, parquet
from ._picardc import Instances

if TYPE_CHECKING:
    import pyarrow as pa

try:
    import ray.data
except ImportError as error:
    raise ImportError("picardc.ray needs ray; install it with: pip install 'ray[data]' pyarrow") from error


class _Make:
    """The rows of the shards that a batch names. Instances are held as a pickle, and read when there is work: what is
    wrong with them then is raised as it is, and not as an error of Ray."""

    def __init__(self, instances: Instances, of: int, keys: bool, on_error: _tables.OnError) -> None:
        self.held = pickle.dumps(instances)
        self.of, self.keys, self.on_error = of, keys, on_error

    def __call__(self, batch: dict[str, Any]) -> Iterator[pa.Table]:
        import pyarrow as pa

        instances = pickle.loads(self.held)
        for shard in batch["id"]:
            for rows in _tables.batches(instances.shard(int(shard), self.of), self.keys, self.on_error):
                yield pa.Table.from_batches([rows])


def dataset(
    instances: Instances, *, shards: int = 8, keys: bool = True, on_error: _tables.OnError = "raise"
) -> ray.data.Dataset:
    """The instances as a dataset of Ray, one row for each, with the columns of `picardc.parquet`.

    shards: the number of tasks, from 1. keys: whether rows have `target` and `instance`, with the answer key.
    on_error: an instance that cannot be made is left out with "skip"; at the end of a shard, the log of its worker
        has a warning with the number of such instances in it.

    Blocks come in any order: the column `index` has the place of a row. Raises ValueError if `shards` is not from 1.
    Reading it raises StaleError if the suite was edited.
    """
    of = _tables.of_shards(instances, shards)
    numbers = ray.data.range(of, override_num_blocks=of)
    # A function, not a class: Ray keeps no actors for it, and makes it again on a worker that replaces one.
    make = _Make(instances, of, keys, _tables.of_errors(on_error))
    rows = numbers.map_batches(lambda batch: make(batch), batch_size=1, batch_format="numpy")
    # Else, a StaleError would be an error of Ray, with its text only.
    rows.context.raise_original_map_exception = True
    return rows


def write(
    instances: Instances,
    out: str | os.PathLike[str],
    *,
    shards: int = 8,
    keys: bool = True,
    on_error: _tables.OnError = "raise",
) -> int:
    """As `picardc.parquet.write`, by the workers of Ray: the same files, and resumed in the same way.

    out: a folder that every machine sees. Returns the number of rows.
    """
    on_error = _tables.of_errors(on_error)
    folder = parquet.begin(instances, out, shards, keys)
    work = parquet.Work(instances, folder, shards, keys, on_error)

    def write(batch: dict[str, Any]) -> dict[str, Any]:
        return {"error": [work.shard(int(shard)) for shard in batch["shard"]]}

    numbers = ray.data.from_items([{"shard": shard} for shard in range(shards)], override_num_blocks=shards)
    done = numbers.map_batches(write, batch_size=1, batch_format="numpy").take_all()
    parquet.settle(row["error"] for row in done)
    return parquet.finish(folder, instances, shards, on_error)
