"""Instances as datasets of Hugging Face. Needs datasets and pyarrow.

    >>> import picardc, picardc.hf
    >>> instances = picardc.compile("suite.pcd").instances(7, samples=1_000_000)
    >>> dataset = picardc.hf.dataset(instances, shards=64)          # rows are made when they are read
    >>> dataset = picardc.hf.dataset(instances, streaming=False)    # made once, and kept in the cache

The columns are those of `picardc.parquet`. The cache of `datasets` keeps rows by what made them: the digest of
the suite is part of it, so an edited suite is made again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, overload

from . import _tables
from ._picardc import Instances

try:
    import datasets
except ImportError as error:
    raise ImportError("picardc.hf needs datasets; install it with: pip install datasets pyarrow") from error


def _rows(
    shards: list[int],
    of: int,
    instances: Instances,
    identity: str,
    keys: bool,
    on_error: _tables.OnError = "raise",
) -> Iterator[dict[str, Any]]:
    """The rows of some shards. `identity` is there for the cache of `datasets`, which hashes arguments."""
    del identity
    makers = _tables.columns(keys)
    for shard in shards:
        for one in _tables.made(instances.shard(shard, of), on_error):
            yield {name: make(one) for name, _, make in makers}


@overload
def dataset(
    instances: Instances,
    *,
    shards: int = ...,
    keys: bool = ...,
    streaming: Literal[True] = ...,
    num_proc: None = ...,
    on_error: _tables.OnError = ...,
) -> datasets.IterableDataset: ...
@overload
def dataset(
    instances: Instances,
    *,
    shards: int = ...,
    keys: bool = ...,
    streaming: Literal[False],
    num_proc: int | None = ...,
    on_error: _tables.OnError = ...,
) -> datasets.Dataset: ...
def dataset(
    instances: Instances,
    *,
    shards: int = 8,
    keys: bool = True,
    streaming: bool = True,
    num_proc: int | None = None,
    on_error: _tables.OnError = "raise",
) -> datasets.IterableDataset | datasets.Dataset:
    """The instances as a dataset, one row for each, in their order.

    shards: how many parts workers can share: `num_shards` of the dataset, from 1.
    keys: whether rows have `target` and `instance`, with the answer key.
    streaming: rows are made when they are read, and `state_dict` resumes at the next row; else all are made at once,
        by `num_proc` processes, and kept in the cache of `datasets`.
    on_error: an instance that cannot be made is left out with "skip"; at the end of a shard, a warning has the number
        of such instances in it.

    Raises ValueError if `shards` is not from 1, BuildError if an instance cannot be made.
    """
    of = _tables.of_shards(instances, shards)
    arguments = {
        "shards": list(range(of)),
        "of": of,
        "instances": instances,
        "identity": _tables.identity(instances, keys),
        "keys": keys,
        "on_error": _tables.of_errors(on_error),
    }
    features = datasets.Features.from_arrow_schema(_tables.schema(instances, keys).remove_metadata())
    if streaming:
        return datasets.IterableDataset.from_generator(_rows, features=features, gen_kwargs=arguments)
    return datasets.Dataset.from_generator(_rows, features=features, gen_kwargs=arguments, num_proc=num_proc)
