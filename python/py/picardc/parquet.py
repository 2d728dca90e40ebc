"""Instances as Parquet files: one file for each shard, with the same bytes by whatever worker.

    >>> import picardc, picardc.parquet
    >>> instances = picardc.compile("suite.pcd").instances(7, samples=100_000)
    >>> picardc.parquet.write(instances, "out", shards=64, workers=8)

A file appears when it is complete, under the name of its shard. So a run that was stopped is resumed by the
same call: it makes what is missing. A folder with tables of another suite, seed, or option is refused.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import uuid
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from . import _tables
from ._picardc import Instances, StaleError

# Readers of a folder pass over names that begin so.
_MANIFEST = "_picardc.json"
# How often workers may die before any shard is done.
_PATIENCE = 3


def name(index: int, of: int) -> str:
    """The name of the file of a shard, from 0."""
    return f"part-{index:05}-of-{of:05}.parquet"


def write_shard(instances: Instances, out: str | os.PathLike[str], index: int, of: int, keys: bool = True) -> int:
    """Writes shard `index` (from 0) of `of` into the folder `out`, unless it is there. Returns its number of rows.

    Raises StaleError if the file there is of other instances.
    """
    shard, path = instances.shard(index, of), Path(out) / name(index, of)
    schema = _tables.schema(shard, keys)
    if path.exists():
        there = pq.read_schema(path).metadata or {}
        if there.get(b"picardc.identity") != schema.metadata[b"picardc.identity"]:
            raise StaleError(f"{path} is of another suite, seed, or option: remove it, or write to another folder")
        return int(pq.read_metadata(path).num_rows)
    unfinished = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    rows = 0
    try:
        with pq.ParquetWriter(unfinished, schema, compression="zstd") as writer:
            for batch in _tables.batches(shard, keys):
                writer.write_batch(batch.replace_schema_metadata(schema.metadata))
                rows += batch.num_rows
        with open(unfinished, "rb+") as file:
            os.fsync(file.fileno())
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)
    return rows


def begin(instances: Instances, out: str | os.PathLike[str], shards: int, keys: bool) -> Path:
    """Makes the folder, or takes one that was begun for the same tables. Raises StaleError for any other."""
    folder, manifest = Path(out), Path(out) / _MANIFEST
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {"identity": _tables.identity(instances, keys), "shards": _tables.of_shards(instances, shards)}
    wanted["rows"] = len(instances)
    if manifest.exists():
        there = json.loads(manifest.read_text(encoding="utf-8"))
        if there != wanted:
            differ = ", ".join(key for key in wanted if there.get(key) != wanted[key])
            raise StaleError(f"{folder} has other tables (its {differ} differ): write to another folder")
    elif any(folder.glob("*.parquet")):
        raise StaleError(f"{folder} has Parquet files, but not of picardc: write to another folder")
    else:
        unfinished = folder / f".{_MANIFEST}.{uuid.uuid4().hex}"
        unfinished.write_text(json.dumps(wanted), encoding="utf-8")
        os.replace(unfinished, manifest)
    return folder


def finish(folder: Path, instances: Instances, shards: int) -> int:
    """Removes what killed workers left, and returns the number of rows. Raises RuntimeError if some are missing."""
    for left in folder.glob(".part-*"):
        left.unlink(missing_ok=True)
    rows = sum(int(pq.read_metadata(folder / name(index, shards)).num_rows) for index in range(shards))
    if rows != len(instances):
        raise RuntimeError(f"{folder} has {rows} rows, not {len(instances)}")
    return rows


def missing(folder: Path, shards: int) -> list[int]:
    """The shards that have no file yet."""
    return [index for index in range(shards) if not (folder / name(index, shards)).exists()]


def write(
    instances: Instances,
    out: str | os.PathLike[str],
    *,
    shards: int = 8,
    workers: int | None = None,
    keys: bool = True,
) -> int:
    """Writes Parquet files into the folder `out`, by several processes. Returns the number of rows.

    shards: the number of files; they hold consecutive instances. It decides the files, the number of workers
        does not.
    workers: the number of processes (default: that of the cores); 1 makes all in this process.
    keys: whether rows have `target` and `instance`, with the answer key, or only what an agent may see.

    A worker that dies is replaced. Raises StaleError for a folder with other tables, BuildError if an instance
    cannot be made.
    """
    folder = begin(instances, out, shards, keys)
    workers = workers or os.cpu_count() or 1
    if workers == 1:
        for index in range(shards):
            write_shard(instances, folder, index, shards, keys)
        return finish(folder, instances, shards)
    for index in set(range(shards)) - set(missing(folder, shards)):
        # What is there is looked at, too.
        write_shard(instances, folder, index, shards, keys)
    patience, before = _PATIENCE, shards + 1
    while left := missing(folder, shards):
        patience = _PATIENCE if len(left) < before else patience - 1
        before = len(left)
        try:
            _all(instances, folder, left, shards, min(workers, len(left)), keys)
        except BrokenProcessPool as error:
            if patience == 0:
                raise RuntimeError(f"workers died {_PATIENCE} times before a shard was done") from error
    return finish(folder, instances, shards)


def _all(instances: Instances, folder: Path, left: list[int], of: int, workers: int, keys: bool) -> None:
    context: Any = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        tasks = [pool.submit(write_shard, instances, folder, index, of, keys) for index in left]
        for task in as_completed(tasks):
            task.result()
