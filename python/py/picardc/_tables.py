"""Instances as tables of fixed column types, for `picardc.parquet`, `hf`, `ray`, and `spark`. Needs pyarrow."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from ._picardc import Instance, Instances

try:
    import pyarrow as pa
except ImportError as error:
    raise ImportError("tables need pyarrow; install it with: pip install 'picardc[tables]'") from error

# A batch is full at this many rows, or at this many bytes of instances.
ROWS = 1000
BYTES = 32 << 20

# Name, type, and how an instance fills it. Values whose shape differs from task to task are JSON.
_OPEN: list[tuple[str, Any, Any]] = [
    ("id", pa.string(), lambda one: one.id),
    ("index", pa.int64(), lambda one: one.index),
    ("task", pa.string(), lambda one: one.task),
    ("variant", pa.string(), lambda one: one.variant),
    ("stage", pa.string(), lambda one: one.stage),
    ("sample", pa.int64(), lambda one: one.sample),
    ("tags", pa.list_(pa.string()), lambda one: one.tags),
    ("axis", pa.string(), lambda one: json.dumps(one.axis, ensure_ascii=False)),
    ("input", pa.string(), lambda one: one.prompt),
]
_KEYED = [
    ("target", pa.list_(pa.string()), lambda one: one.target),
    ("instance", pa.string(), lambda one: one.to_json()),
]
_FILE = pa.struct([("path", pa.string()), ("content", pa.binary())])
_KEYLESS = [
    ("files", pa.list_(_FILE), lambda one: [{"path": p, "content": c} for p, c in one.files.items()]),
    ("folders", pa.list_(pa.string()), lambda one: one.folders),
]


def columns(keys: bool) -> list[tuple[str, Any, Any]]:
    """Name, Arrow type, and maker of each column.

    With keys: `instance` is the line of `picardc build --inline`, with the answer key and files. Without:
    neither `target` nor `instance`, but the starting `files` and `folders`.
    """
    return _OPEN + (_KEYED if keys else _KEYLESS)


def schema(instances: Instances, keys: bool) -> pa.Schema:
    """The schema of a table; its metadata has the identity of the instances."""
    fields = [pa.field(name, kind) for name, kind, _ in columns(keys)]
    return pa.schema(fields, {b"picardc.identity": identity(instances, keys).encode()})


def identity(instances: Instances, keys: bool) -> str:
    """What a table is a function of: tables of the same identity have the same rows."""
    return f"{instances.identity}{'' if keys else ' without keys'}"


def batches(instances: Iterable[Instance], keys: bool) -> Iterator[pa.RecordBatch]:
    """The instances as batches of rows, in their order, without metadata."""
    makers = columns(keys)
    shape = pa.schema([pa.field(name, kind) for name, kind, _ in makers])
    held: list[list[Any]] = [[] for _ in makers]
    size = 0

    def batch() -> pa.RecordBatch:
        arrays = [pa.array(values, kind) for values, (_, kind, _) in zip(held, makers, strict=True)]
        return pa.RecordBatch.from_arrays(arrays, schema=shape)

    for one in instances:
        for values, (_, _, make) in zip(held, makers, strict=True):
            values.append(make(one))
        last = held[-1][-1] if keys else held[-2][-1]
        size += len(last) if keys else sum(len(file["content"]) for file in last)
        if len(held[0]) >= ROWS or size >= BYTES:
            yield batch()
            held, size = [[] for _ in makers], 0
    if held[0]:
        yield batch()


def of_shards(instances: Instances, shards: int) -> int:
    """The number of parts that are asked for, checked: from 1."""
    if shards < 1:
        raise ValueError(f"shards is {shards}; give a number from 1")
    return shards
