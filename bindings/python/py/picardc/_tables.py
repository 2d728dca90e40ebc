"""Instances as tables of fixed column types, for `picardc.parquet`, `hf`, `ray`, and `spark`. Needs pyarrow."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any, Literal

from ._picardc import BuildError, Instance, Instances, _columns

try:
    import pyarrow as pa
except ImportError as error:
    raise ImportError("tables need pyarrow; install it with: pip install pyarrow") from error

# A batch is full at this many rows, or at this many bytes of instances.
ROWS = 1000
BYTES = 32 << 20

OnError = Literal["raise", "skip"]
"""What becomes of an instance that cannot be made: `raise` its BuildError, or `skip` it and count it."""

# The columns are those of `picardc export` (`runtime/records/src/columns.rs`); here is what their kinds are to Arrow, and how an
# instance fills them, where not by its attribute of the same name.
_FILE = pa.struct([("path", pa.string()), ("content", pa.binary())])
_KINDS: dict[str, pa.DataType] = {
    "string": pa.string(),
    "string or null": pa.string(),
    "int64": pa.int64(),
    "list of string": pa.list_(pa.string()),
    "list of files": pa.list_(_FILE),
}
_MAKERS: dict[str, Callable[[Instance], Any]] = {
    "axis": lambda one: json.dumps(one.axis, ensure_ascii=False, separators=(",", ":")),
    "input": lambda one: one.prompt,
    "instance": lambda one: one.to_json(),
    "files": lambda one: [{"path": path, "content": content} for path, content in one.files.items()],
}


def columns(keys: bool) -> list[tuple[str, pa.DataType, Callable[[Instance], Any]]]:
    """Name, Arrow type, and maker of each column.

    With keys: `instance` is the line of `picardc build --inline`, with the answer key and files. Without:
    neither `target` nor `instance`, but the starting `files` and `folders`.
    """
    return [(name, _KINDS[kind], _MAKERS.get(name) or attrgetter(name)) for name, kind, _ in _columns(keys)]


def schema(instances: Instances, keys: bool) -> pa.Schema:
    """The schema of a table; its metadata has the identity of the instances."""
    fields = [pa.field(name, kind) for name, kind, _ in columns(keys)]
    return pa.schema(fields, {b"picardc.identity": identity(instances, keys).encode()})


def identity(instances: Instances, keys: bool) -> str:
    """What a table is a function of: tables of the same identity have the same rows."""
    return f"{instances.identity}{'' if keys else ' without keys'}"


def made(instances: Instances, on_error: OnError, warns: bool = True) -> Iterator[Instance]:
    """The instances in their order, without those that cannot be made if `on_error` is "skip": a
    warning has their number, if it `warns`."""
    count, first, each = 0, "", iter(instances)
    while True:
        try:
            one = next(each)
        except StopIteration:
            break
        except BuildError as error:
            if on_error != "skip":
                raise
            count, first = count + 1, first or str(error)
        else:
            yield one
    if count and warns:
        warn(count, len(instances), first)


def warn(count: int, of: int, first: str) -> None:
    """Says how many instances were left out, and why the first one was."""
    message = f"{count} of {of} instances cannot be made, so the table does not have them. The first: {first}"
    warnings.warn(message, RuntimeWarning, stacklevel=3)


def of_errors(on_error: str) -> OnError:
    """What is to become of errors, checked."""
    if on_error == "raise":
        return "raise"
    if on_error == "skip":
        return "skip"
    raise ValueError(f"on_error is {on_error!r}; the words are raise, skip")


def batches(
    instances: Instances, keys: bool, on_error: OnError = "raise", warns: bool = True
) -> Iterator[pa.RecordBatch]:
    """The instances that can be made as batches of rows, in their order, without metadata."""
    makers = columns(keys)
    shape = pa.schema([pa.field(name, kind) for name, kind, _ in makers])
    held: list[list[Any]] = [[] for _ in makers]
    size = 0

    def batch() -> pa.RecordBatch:
        arrays = [pa.array(values, kind) for values, (_, kind, _) in zip(held, makers, strict=True)]
        return pa.RecordBatch.from_arrays(arrays, schema=shape)

    for one in made(instances, on_error, warns):
        for values, (_, _, make) in zip(held, makers, strict=True):
            values.append(make(one))
        # The last column has the most: the line, or the files.
        last = held[-1][-1]
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
