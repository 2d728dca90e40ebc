"""picardc: evaluation suites for AI agents, as Python objects.

    >>> import picardc
    >>> suite = picardc.compile("suites/past.pcd")
    >>> instances = suite.instances(7, samples=3)
    >>> first = instances[0]
    >>> score = first.score("42", files={"result.csv": b"..."})
    >>> score.correct, score.verdicts

A suite is compiled from a `.pcd` file. Its instances are made when they are asked for: nothing is
kept, and an index gives the same bytes on every machine, the same as `picardc build`. Suites and
instances can be pickled: a pickle has the address (path, digest of the source, options, index), and
whoever reads it compiles the suite again, or gets a `StaleError` if it was edited.

Integrations are modules of their own, imported only when asked for: `picardc.hf` (Hugging Face
datasets), `picardc.ray`, and `picardc.spark`.
"""

from collections.abc import Sequence as _Sequence

from ._picardc import (
    BuildError,
    CompileError,
    Error,
    Instance,
    Instances,
    Score,
    ScoreError,
    Solution,
    StaleError,
    Suite,
    __version__,
    check,
    compile,
    key_paths,
    score,
)

_Sequence.register(Instances)

__all__ = [
    "BuildError",
    "CompileError",
    "Error",
    "Instance",
    "Instances",
    "Score",
    "ScoreError",
    "Solution",
    "StaleError",
    "Suite",
    "__version__",
    "check",
    "compile",
    "key_paths",
    "score",
]
