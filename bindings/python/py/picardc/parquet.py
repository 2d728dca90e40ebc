"""Instances as Parquet files: one file for each shard, with the same bytes by whatever worker.

    import picardc, picardc.parquet

    if __name__ == "__main__":
        instances = picardc.compile("suite.pcd").instances(7, samples=100_000)
        picardc.parquet.write(instances, "out", shards=64, workers=8)

Workers are started by `multiprocessing`, and each runs the script that starts them from the top: so the call is below
`if __name__ == "__main__":`.

A file appears when it is complete, under the name of its shard. So a run that was stopped is resumed by the
same call: it makes what is missing. A folder with tables of another suite, seed, or option is refused.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
import tempfile
import uuid
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any, NoReturn

import pyarrow.parquet as pq

from . import _tables
from ._picardc import BuildError, Error, Instances, StaleError

# Readers of a folder pass over names that begin so.
_MANIFEST = "_picardc.json"
# How often workers may die before any shard is done.
_PATIENCE = 3
# The variable that tells a worker the file in which to note that it runs its script from the top, up to the call that started it.
_NOTE = "PICARDC_UNGUARDED"
_UNGUARDED = (
    "picardc.parquet.write starts workers, and each of them runs your script from the top, up to this call: "
    'put the call below `if __name__ == "__main__":`, or give workers=1'
)


def name(index: int, of: int) -> str:
    """The name of the file of a shard, from 0."""
    return f"part-{index:05}-of-{of:05}.parquet"


def write_shard(
    instances: Instances,
    out: str | os.PathLike[str],
    index: int,
    of: int,
    keys: bool = True,
    on_error: _tables.OnError = "raise",
) -> int:
    """Writes shard `index` (from 0) of `of` into the folder `out`, unless it is there. Returns its number of rows.

    on_error: as of `write`. Raises StaleError if the file there is of other instances.
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
            for batch in _tables.batches(shard, keys, _tables.of_errors(on_error), warns=False):
                writer.write_batch(batch.replace_schema_metadata(schema.metadata))
                rows += batch.num_rows
        with open(unfinished, "rb+") as file:
            os.fsync(file.fileno())
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)
    return rows


class Work:
    """Writes shards in other processes. It holds instances as a pickle, which is read when there is work: what is
    wrong with them then is an error of that work, not of the engine."""

    def __init__(
        self, instances: Instances, out: Path, of: int, keys: bool, on_error: _tables.OnError = "raise"
    ) -> None:
        self.held = pickle.dumps(instances)
        self.out, self.of, self.keys, self.on_error = str(out.absolute()), of, keys, on_error

    def shard(self, index: int) -> bytes:
        """Writes a shard. Returns the pickle of a picardc.Error, for `settle` to raise; or nothing."""
        try:
            write_shard(pickle.loads(self.held), self.out, index, self.of, self.keys, self.on_error)
        except Error as error:
            return pickle.dumps(error)
        return b""


def settle(errors: Iterable[bytes]) -> None:
    """Raises the first error that work returned, as it was raised there."""
    for error in filter(None, errors):
        raise pickle.loads(error)


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


def finish(folder: Path, instances: Instances, shards: int, on_error: _tables.OnError = "raise") -> int:
    """Removes what killed workers left, and returns the number of rows.

    Instances that cannot be made are told by a warning if `on_error` is "skip", else by the BuildError of the first.
    Raises RuntimeError if others are missing.
    """
    for left in folder.glob(".part-*"):
        left.unlink(missing_ok=True)
    counts = [int(pq.read_metadata(folder / name(index, shards)).num_rows) for index in range(shards)]
    rows, of = sum(counts), len(instances)
    if rows == of:
        return rows
    # What is missing in the first file that lacks rows says what the others lack.
    short = next((at for at, count in enumerate(counts) if count != len(instances.shard(at, shards))), 0)
    shard, path = instances.shard(short, shards), folder / name(short, shards)
    there = set(pq.read_table(path, columns=["index"])["index"].to_pylist())
    first: BuildError | None = None
    for at, index in enumerate(shard.indexes()):
        if index not in there:
            try:
                shard[at]
            except BuildError as error:
                first = first or error
            else:
                first = None
                break
    if first is None:
        raise RuntimeError(f"{folder} has {rows} rows, not {of}")
    if on_error == "raise":
        raise first
    _tables.warn(of - rows, of, str(first))
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
    on_error: _tables.OnError = "raise",
) -> int:
    """Writes Parquet files into the folder `out`, by several processes. Returns the number of rows.

    shards: the number of files; they hold consecutive instances. It decides the files, the number of workers
        does not.
    workers: the number of processes (default: that of the cores); 1 makes all in this process.
    keys: whether rows have `target` and `instance`, with the answer key, or only what an agent may see.
    on_error: an instance that cannot be made is left out with "skip", and a warning has the number of such
        instances: `len(instances)` minus the number of rows.

    A worker that dies is replaced. Raises StaleError for a folder with other tables, BuildError if an instance
    cannot be made, RuntimeError if the call of a script is not below `if __name__ == "__main__":`.
    """
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        _note_unguarded()
    on_error = _tables.of_errors(on_error)
    folder = begin(instances, out, shards, keys)
    workers = workers or os.cpu_count() or 1
    if workers == 1:
        for index in range(shards):
            write_shard(instances, folder, index, shards, keys, on_error)
        return finish(folder, instances, shards, on_error)
    for index in set(range(shards)) - set(missing(folder, shards)):
        # What is there is looked at, too.
        write_shard(instances, folder, index, shards, keys, on_error)
    patience, before = _PATIENCE, shards + 1
    while left := missing(folder, shards):
        patience = _PATIENCE if len(left) < before else patience - 1
        before = len(left)
        try:
            _all(instances, folder, left, shards, min(workers, len(left)), keys, on_error)
        except BrokenProcessPool as error:
            if patience == 0:
                raise RuntimeError(f"workers died {_PATIENCE} times before a shard was done") from error
    return finish(folder, instances, shards, on_error)


def _note_unguarded() -> NoReturn:
    """Ends a worker that runs the script which started it; the process that waits for it says why."""
    note = os.environ.get(_NOTE)
    if note is None:
        raise RuntimeError(_UNGUARDED)
    Path(note).touch()
    # Its exception would be one page for each worker.
    os._exit(1)


def _all(
    instances: Instances,
    folder: Path,
    left: list[int],
    of: int,
    workers: int,
    keys: bool,
    on_error: _tables.OnError,
) -> None:
    context: Any = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as home:
        note = Path(home) / "unguarded"
        before = os.environ.get(_NOTE)
        os.environ[_NOTE] = str(note)
        try:
            with ProcessPoolExecutor(workers, mp_context=context) as pool:
                work = Work(instances, folder, of, keys, on_error)
                tasks = [pool.submit(work.shard, index) for index in left]
                settle(task.result() for task in as_completed(tasks))
        except BrokenProcessPool as error:
            if note.exists():
                raise RuntimeError(_UNGUARDED) from None
            raise error
        finally:
            if before is None:
                del os.environ[_NOTE]
            else:
                os.environ[_NOTE] = before
