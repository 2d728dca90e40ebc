"""The compiled part of picardc. Import its names from `picardc`."""

from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, TypedDict, final, overload

__version__: str

class Label(TypedDict):
    """A place in a source with words. Lines and columns count from 1; columns count characters."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    message: str

class Edit(TypedDict):
    """Bytes `start` to `end` (from 0, the end excluded) of `file` become `text`."""

    file: str
    start: int
    end: int
    text: str

class Fix(TypedDict):
    """A repair: all of its edits, or none."""

    message: str
    applicability: Literal["safe", "unsafe"]
    edits: list[Edit]

class _Diagnostic(TypedDict):
    code: str
    name: str
    severity: Literal["error", "warning"]
    message: str
    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    labels: list[Label]
    help: str | None
    fixes: list[Fix]

class Sample(TypedDict):
    """A sample that was drawn while a suite was checked."""

    task: str
    sample: int
    cell: str | None
    variant: str | None
    stage: str | None
    attempt: int
    seed: str

class Diagnostic(_Diagnostic, total=False):
    """An error or a warning: a line of `picardc check --format json`.

    `note` is there if it has facts, `observed` if a drawn sample shows it and not the source alone.
    """

    note: str
    observed: Sample

class _Verdict(TypedDict):
    subject: str
    matcher: str
    score: float
    weight: float
    gate: bool
    reason: str

class Verdict(_Verdict, total=False):
    """What one expectation says of a response: `score` 0 to 1, and why (`reason`)."""

    name: str
    trap: str
    differences: list[dict[str, str]]

class Task(TypedDict):
    """A task of a suite; `axes` has the labels of the values of each axis."""

    name: str
    samples: int
    variants: list[str]
    axes: dict[str, list[str]]

class Error(Exception):
    """What picardc refuses. All of its other exceptions are of this kind."""

class CompileError(Error):
    """The suite has errors; `diagnostics` has all that was found, as `check` gives it."""

    diagnostics: list[Diagnostic]
    """All that was found, errors and warnings, by file and place."""

class BuildError(Error):
    """An instance cannot be made, for example because an expected value is null.

    Its attributes: `code`, `message`, `help`, `at` (which instance), `place` (in the source).
    """

    code: str | None
    """`E0901` to `E0909`: `picardc explain` tells more."""
    message: str
    help: str | None
    at: dict[str, Any] | None
    """Which instance: task, sample (from 1), cell, variant, stage, attempt, seed."""
    place: dict[str, Any] | None
    """The place in the source: file, line, column, end_line, end_column."""

class StaleError(Error):
    """The suite is not the one that a pickle or a cache was made with."""

class ScoreError(Error):
    """A response cannot be scored: something that the answer key reads was not given."""

Stages = Literal["whole", "each", "given", "trace"]

def compile(path: str | PathLike[str], *, stages: Stages = "whole", sha256: str | None = None) -> Suite:
    """Compiles the suite whose root source is the file at `path`.

    stages: how the stages of tasks are asked, as `--stages` of the command line.
    sha256: refuse a suite whose `sha256` is another one.

    Raises CompileError if it has errors, OSError if the file cannot be read, StaleError if the
    digest differs, ValueError if stages are asked for and no task has any.
    """

def check(path: str | PathLike[str]) -> list[Diagnostic]:
    """All errors and warnings of the suite at `path`, by file and place; an empty list is a clean suite.

    As `picardc check` does, it draws some samples of a suite without errors.

    Raises OSError if the file cannot be read.
    """

def score(
    instance: Instance | dict[str, Any] | str,
    reply: str,
    *,
    files: Mapping[str, Any] | None = None,
    start: Mapping[str, bytes | str] | None = None,
    status: Literal["done", "max_rounds", "timeout", "failed"] = "done",
    key: dict[str, Any] | str | None = None,
) -> Score:
    """Scores a response, by the rules of `picardc run`.

    instance: an Instance, or a line of `instances.jsonl` as a dict or as text.
    reply: the final reply of the agent. Half of a surrogate pair, here and in `files`, is U+FFFD.
    files: what was in the sandbox in the end, by path, at least for each path of `key_paths`: bytes
        or str (a file), None (nothing), a dict such as {"kind": "folder"}, or, for "./", the list of
        all paths. A path is a str or an os.PathLike, relative to the sandbox; "./a", "a", and, for a
        folder, "a/" are the same. A path that is not there counts as absent. A folder counts as
        there if a path below it is. Files over 16 MiB, and all beyond 64 MiB together, are not scored.
    start: the starting files by path: bytes, or `data:` URIs.
    status: how the agent ended; all but "done" and "max_rounds" score 0.
    key: the line of `keys.jsonl`, where a bundle has split keys.

    Raises ScoreError if the key reads the sandbox and `files` is missing, or if it reads a file as it
    was at the start and `start` does not have it; ValueError for what is not an instance, and for an
    absolute path or one with ".."; TypeError for other types than these.
    """

def key_paths(
    instance: Instance | dict[str, Any] | str, *, key: dict[str, Any] | str | None = None
) -> list[str]:
    """The paths below the sandbox that the answer key reads, each once; folders end with "/", and "./"
    is the list of all paths. Raises ValueError for what is not an instance."""

def _columns(keys: bool) -> list[tuple[str, str, str]]:
    """Name, kind, and meaning of each column of a table of instances: with `keys`, all of an instance, else only what an agent may see."""

@final
class Suite:
    """A suite without errors. It can be pickled: by path and digest."""

    @property
    def name(self) -> str:
        """The name after `suite` in its source."""
    @property
    def title(self) -> str:
        """Its title."""
    @property
    def version(self) -> str:
        """Its version, such as "1.0.0"."""
    @property
    def canary(self) -> str | None:
        """A text that marks the suite, so that training sets can be searched for it."""
    @property
    def path(self) -> str:
        """Its path, absolute."""
    @property
    def stages(self) -> Stages:
        """How stages are asked, as `compile` was told."""
    @property
    def source_sha256(self) -> str:
        """SHA-256 over every file that it was compiled from, in 64 hexadecimal digits: `source_sha256` of a bundle.
        The suite's own file counts without its name; files of lakes that are only handed out count by name and size."""
    @property
    def sha256(self) -> str:
        """SHA-256 over every file that it was compiled from or hands out, in 64 hexadecimal digits. After any edit
        it is another one; under another name or in another folder it is the same. It is `source_sha256` for a suite
        that hands out no lake."""
    @property
    def tasks(self) -> list[Task]:
        """Its tasks, in the order of the source, each with its samples, variants, and the labels of its axes."""
    @property
    def diagnostics(self) -> list[Diagnostic]:
        """Its warnings."""
    def identity(
        self,
        seed: int | str,
        *,
        samples: int | None = None,
        task: str | None = None,
        sandbox_root: str | None = None,
        traps: bool = True,
    ) -> str:
        """SHA-256 over `sha256`, seed, and options: suites with the same identity give the same
        instances, byte for byte. It belongs into every cache key. Raises ValueError for an empty seed."""
    def instances(
        self,
        seed: int | str,
        *,
        samples: int | None = None,
        task: str | None = None,
        axes: Mapping[str, Any] | None = None,
        sandbox_root: str | None = None,
        traps: bool = True,
    ) -> Instances:
        """The instances of a seed, in the order of a bundle: by task, cell of the axes, variant, sample.

        seed: `7` is the text "7".
        samples: the number of samples of every task, instead of its own, from 1.
        task: only tasks whose names match (`*` any characters, `?` one).
        axes: only these values of axes: {"size": 50}, or {"size": [50, 200]}. A value is meant by
            its label, or as it is written. Tasks without one of the axes are left out.
        sandbox_root: what prompts call the root of the sandbox (default ".").
        traps: whether answer keys have the values that mistakes give.

        Raises ValueError if no task matches, or no task has such an axis or value.
        """
    def analyze(
        self, seed: int | str | None = None, *, samples: int = 1000, task: str | None = None, threads: int = 0
    ) -> dict[str, Any]:
        """The analysis of each task by samples and counting: the document of `picardc analyze --json`.

        seed: 1 for None. samples: of every task, at least 30. threads: 0 for as many as the machine has cores.
        Raises BuildError if an instance cannot be made, ValueError if no task matches or a number is out of range.
        """

@final
class Instances(Sequence[Instance]):  # type: ignore[misc]
    """A sequence of instances, made when they are asked for. A slice is a sequence too, and makes nothing.
    An iterator continues after an instance that raised a BuildError."""

    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int) -> Instance: ...
    @overload
    def __getitem__(self, index: slice) -> Instances: ...
    def __iter__(self) -> Iterator[Instance]: ...
    def __contains__(self, value: object) -> bool: ...
    def index(self, value: Instance, start: int = 0, stop: int | None = None) -> int:  # type: ignore[override]
        """Which of these an equal instance is, from 0. Raises ValueError if it is not one of them."""
    def count(self, value: Instance) -> int:
        """1 if an equal instance is one of these, else 0."""
    def shard(self, index: int, of: int) -> Instances:
        """Part `index` of `of` parts, from 0: consecutive, disjoint, of sizes that differ by at most 1.
        `shard(i, n)` of a whole suite is `picardc build --shard {i+1}/{n}`. Raises ValueError."""
    def indexes(self) -> list[int]:
        """The index in the suite of each."""
    def _has_identity(self, identity: str) -> bool: ...
    @property
    def suite(self) -> Suite:
        """The suite that they are of."""
    @property
    def seed(self) -> str:
        """The seed, as text."""
    @property
    def axes(self) -> dict[str, list[str]]:
        """The values of axes that were selected, as texts by the name of the axis; empty for all."""
    @property
    def identity(self) -> str:
        """`Suite.identity` of the options; another one for a selection, a slice, or a shard. 64 hexadecimal digits."""

@final
class Instance:
    """What an agent is given, and its answer key. It can be pickled: by address, without the key. Instances are equal
    if they have the same place in suites with the same digest, under the same options."""

    @property
    def id(self) -> str:
        """`<task>[-<row>][-<labels of axes>][-<variant>]-<sample>`"""
    @property
    def index(self) -> int:
        """Its place in the suite under these options, from 0."""
    @property
    def identity(self) -> str:
        """SHA-256 over the suite's identity and the index, in 64 hexadecimal digits: a stable key."""
    @property
    def task(self) -> str:
        """The name of its task."""
    @property
    def variant(self) -> str | None:
        """The name of its variant, or None where the task has none."""
    @property
    def stage(self) -> str | None:
        """The name of its stage, or None."""
    @property
    def sample(self) -> int:
        """From 1."""
    @property
    def seed(self) -> str:
        """The seed, as text."""
    @property
    def axis(self) -> dict[str, Any]:
        """Values of axes by name, as in a bundle."""
    @property
    def draws(self) -> dict[str, Any]:
        """Drawn values by name, as in a bundle: they may be the answer, so keep them from the agent."""
    @property
    def prompt(self) -> str:
        """What the agent is told."""
    @property
    def target(self) -> list[str]:
        """The expected answer for people: one text, or several of which any is right. Keep it from the agent."""
    @property
    def files(self) -> dict[str, bytes]:
        """The files of its sandbox at the start: path with "/", and content. Raises OSError if a file of a lake cannot
        be read, StaleError if it was edited after the suite was compiled."""
    @property
    def folders(self) -> list[str]:
        """Empty folders of its sandbox at the start, without a "/" at the end."""
    @property
    def tags(self) -> list[str]:
        """The tags of suite, task, and variant, each once."""
    @property
    def tools(self) -> list[str] | None:
        """The tools that the agent has, where the suite says it."""
    @property
    def calls(self) -> int | None:
        """How many calls of tools the agent has, where the suite says it."""
    @property
    def key_paths(self) -> list[str]:
        """As `picardc.key_paths`."""
    def to_dict(self) -> dict[str, Any]:
        """The line of `picardc build --inline`, with the answer key and files as `data:` URIs: `json.loads(to_json())`."""
    def to_json(self) -> str:
        """The line of `picardc build --inline` without its newline, byte for byte."""
    def score(
        self,
        reply: str,
        files: Mapping[str, Any] | None = None,
        *,
        status: Literal["done", "max_rounds", "timeout", "failed"] = "done",
    ) -> Score:
        """As `picardc.score`; the sandbox at the start is its own."""
    def oracle(self) -> Solution:
        """A solution that is right, made from the answer key. Raises Error if none was found."""

@final
class Solution:
    """What an agent replies and does to its sandbox to be right. It can be pickled: with the answer."""

    @property
    def reply(self) -> str:
        """The final reply."""
    @property
    def files(self) -> dict[str, bytes]:
        """Files to write, by path."""
    @property
    def folders(self) -> list[str]:
        """Folders to make, without a "/" at the end."""
    @property
    def removed(self) -> list[str]:
        """Starting files and folders to remove first, folders with their contents."""
    @property
    def left(self) -> dict[str, dict[str, Any]]:
        """What the answer key then finds in the sandbox: `files` of `score`."""

@final
class Score:
    """What a response is worth. It can be pickled."""

    @property
    def id(self) -> str:
        """The id of the instance."""
    @property
    def correct(self) -> bool:
        """Whether every expectation is met in full."""
    @property
    def score(self) -> float:
        """The weighted mean of the expectations' scores, 0 where a gate failed; 0 to 1."""
    @property
    def verdicts(self) -> list[Verdict]:
        """One for each expectation, in the order of the source."""
    def to_dict(self) -> dict[str, Any]:
        """The line of `scores.jsonl`."""
