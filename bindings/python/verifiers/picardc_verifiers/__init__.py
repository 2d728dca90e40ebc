"""A suite of picardc as a taskset for verifiers (v1): reinforcement learning with rewards that
are computed.

    vf-validate picardc-verifiers --taskset.suite suite.pcd --runtime.type subprocess -n 20
    vf-eval picardc-verifiers --env.taskset.suite suite.pcd -n 20 -m MODEL

The stream of tasks has no end: it goes through all instances of the suite with one seed, then
with the next one. Task `i` is the same on every machine, and is found
without making those before it. The data of a task, which verifiers writes into every trace, is
its address, never its answer key.
"""

from __future__ import annotations

import itertools
import json
import logging
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal

import verifiers.v1 as vf
from verifiers.v1.errors import SandboxError
from verifiers.v1.runtimes import Runtime

from picardc import BuildError, Instance, Instances, _asked, _sandbox

__all__ = ["PicardcTaskset"]

_log = logging.getLogger(__name__)


class PicardcData(vf.TaskData):
    """The address of an instance: what makes it again, and nothing of its answer key."""

    suite: str
    """Path of the suite."""
    sha256: str
    """Digest of the source of the suite, 64 hexadecimal digits: an edited suite is refused."""
    seed: str
    """The seed of the round."""
    samples: int
    """Samples of each task in a round."""
    only: str | None = None
    """The pattern of names that tasks match."""
    index: int
    """The number of the instance in the round, from 0."""
    axis: dict[str, Any] = {}
    """The values of its axes."""
    identity: str
    """Digest of the source, the seed, the options, and the index."""
    unenforced: list[str] = []
    """What the suite states of its agent and is ignored: `tools`, `calls`."""


class PicardcTaskConfig(vf.TaskConfig):
    """How responses are rewarded."""

    reward: Literal["parts", "score", "correct"] = "parts"
    """`parts`: a reward for each expectation, by its name, which add up to the score; `score`:
    the score, 0 to 1; `correct`: 1 if every expectation is met, else 0."""


class PicardcTask(vf.Task[PicardcData, vf.State, PicardcTaskConfig]):
    """An instance of a suite."""

    @property
    def key(self) -> str:
        """Stable identity: the same instance has the same key, wherever it is in the stream."""
        return self.data.identity

    @property
    def instance(self) -> Instance:
        """The instance, made again from its address.

        Raises picardc.StaleError if the suite was edited.
        """
        data = self.data
        instances = _asked.load(data.suite, seed=data.seed, samples=data.samples, only=data.only, sha256=data.sha256)
        return instances[data.index]

    async def setup(self, trace: vf.Trace, runtime: Runtime) -> None:
        """Puts the files and the empty folders of the instance into the runtime."""
        await _sandbox.place(self.instance, _run(runtime), runtime.write)

    async def validate(self, runtime: Runtime) -> bool:
        """Whether the expected answer, as the oracle of `picardc selftest` gives it, is correct
        in the runtime."""
        instance = self.instance
        solution = instance.oracle()
        await _sandbox.apply(solution, _run(runtime), runtime.write)
        files = await _sandbox.capture(instance.key_paths, _run(runtime), _read(runtime))
        return bool(instance.score(solution.reply, files=files).correct)

    @vf.reward
    async def picard(self, trace: vf.Trace, runtime: Runtime | None = None) -> dict[str, float]:
        """The score of the response, by name. Whether every expectation is met is the metric
        `correct`."""
        instance = self.instance
        status = _status(trace)
        files: dict[str, Any] = {}
        if instance.key_paths and status != "failed":
            if runtime is None:
                raise RuntimeError(f"{instance.id} is scored by files: it needs the runtime in which the agent worked")
            files = await _sandbox.capture(instance.key_paths, _run(runtime), _read(runtime))
        score = instance.score(trace.last_reply, files=files, status=status).to_dict()
        trace.record_metrics({"correct": float(score["correct"])})
        # What was expected stays out of the trace: it may be shown to a model later.
        trace.info["picard"] = [
            {"name": name, "reason": verdict["reason"]} for name, verdict in _named(score["verdicts"])
        ]
        match self.config.reward:
            case "score":
                return {"score": score["score"]}
            case "correct":
                return {"correct": float(score["correct"])}
            case _:
                return parts(score)


def parts(score: dict[str, Any]) -> dict[str, float]:
    """The share of each expectation in a score, by name: they add up to it. If an expectation
    that is a gate is not met, all are 0."""
    named = _named(score["verdicts"])
    whole = sum(verdict["weight"] for _, verdict in named)
    closed = any(verdict["gate"] and verdict["reason"] != "right" for _, verdict in named)
    return {name: 0.0 if closed else verdict["weight"] * verdict["score"] / whole for name, verdict in named}


def _named(verdicts: list[dict[str, Any]]) -> list[tuple[str, dict[str, Any]]]:
    """Verdicts by the name that the author gave, or else by what is read and how it is compared;
    a number tells equal names apart."""
    seen: dict[str, int] = {}
    named = []
    for verdict in verdicts:
        name = verdict.get("name") or f"{verdict['subject'].split(' ', 1)[0]}_{verdict['matcher']}"
        seen[name] = seen.get(name, 0) + 1
        named.append((name if seen[name] == 1 else f"{name}_{seen[name]}", verdict))
    return named


def _status(trace: vf.Trace) -> str:
    """How the response ended, in the words of `responses.jsonl`: an error makes it incorrect;
    what a limit left is scored."""
    if trace.errors:
        return "failed"
    return "max_rounds" if trace.is_truncated else "done"


def _run(runtime: Runtime) -> _sandbox.Run:
    async def run(command: list[str]) -> str:
        result = await runtime.run(command, {})
        if result.exit_code:
            raise _sandbox.CommandFailed(f"`{command[0]}` failed in the runtime: {result.stderr.strip()}")
        return result.stdout

    return run


def _read(runtime: Runtime) -> _sandbox.Read:
    async def read(path: str) -> bytes:
        try:
            return await runtime.read(path, max_bytes=_sandbox.FILE_LIMIT)
        except SandboxError as error:
            raise OSError(str(error)) from error

    return read


class PicardcConfig(vf.TasksetConfig):
    """Which instances, under `--env.taskset.*`."""

    task: PicardcTaskConfig = PicardcTaskConfig()
    suite: Path | None = None
    """The suite, a `.pcd` file. It must be given."""
    seed: str = "0"
    """The seed: round `r` (from 0) has the seed `SEED/r`."""
    samples: int = 1
    """How many samples a round makes of each task."""
    only: str | None = None
    """Only tasks whose names match this pattern, such as `q3*`."""
    axes: dict[str, list[str]] = {}
    """Only these values of axes."""
    axes_file: Path | None = None
    """A file of JSON like `axes`, which is read when a round begins: a trainer that changes it
    changes the difficulty of the tasks to come."""
    rounds: int | None = None
    """How many rounds there are; without it, the stream has no end."""
    ignore_tools: bool = False
    """Take instances that state which tools or how many calls an agent has, although verifiers does
    not enforce it. The data of such a task says so."""
    on_error: Literal["raise", "skip"] = "raise"
    """What becomes of an instance that cannot be made: `raise` ends the stream with its BuildError;
    `skip` leaves it out, logs it, and counts it in `skipped` of the taskset."""


class PicardcTaskset(vf.Taskset[PicardcTask, PicardcConfig]):
    """The instances of a suite, round after round, each with a seed of its own."""

    INFINITE = True

    def __init__(self, config: PicardcConfig) -> None:
        super().__init__(config)
        if config.suite is None:
            raise ValueError("give the suite: `suite`, the path of a .pcd file")
        self._path = str(config.suite)
        self.skipped = 0
        """How many instances the stream has left out because they cannot be made."""
        self.INFINITE = config.rounds is None
        # Compiled once: what is edited while the stream goes on is not mixed in.
        first = _asked.load(self._path, seed=self._seed(0), samples=config.samples, only=config.only)
        self._sha256 = first.suite.sha256
        # It is the same for all samples, of which there may be millions.
        few = first.suite.instances(self._seed(0), samples=1, task=config.only)
        self._refuse(self._some(few), few)

    @staticmethod
    def _some(instances: Instances) -> Iterator[Instance]:
        """Those that can be made; the others raise their errors in the stream."""
        each = iter(instances)
        while True:
            try:
                yield next(each)
            except StopIteration:
                return
            except BuildError:
                continue

    def _refuse(self, some: Iterable[Instance], of: Instances) -> None:
        """Refuses instances that state what verifiers does not enforce, unless it is to be ignored."""
        if not self.config.ignore_tools:
            stating = [instance.id for instance in some if _asked.unenforced(instance)]
            _asked.refuse(stating, of, "verifiers", "the flag `ignore-tools` of the taskset")

    def __getitem__(self, index: int) -> PicardcTask:
        """Task `index` (from 0) of the stream, made alone. It needs `axes_file` to be unset,
        because a file may have had other values before.

        Raises IndexError beyond the last round, ValueError if `axes_file` is set.
        """
        if self.config.axes_file is not None:
            raise ValueError("a stream whose axes change has no index: take the key of a task from its trace")
        size = len(self._round(0))
        number, at = divmod(index, size)
        if index < 0 or (self.config.rounds is not None and number >= self.config.rounds):
            raise IndexError(f"task {index} does not exist")
        return self._task(self._round(number), at).with_data(idx=index)

    def load(self) -> Iterator[PicardcTask]:
        rounds = itertools.count() if self.config.rounds is None else range(self.config.rounds)
        for number in rounds:
            instances = self._round(number)
            if not len(instances):
                raise ValueError("no instance of the suite has these values of axes")
            failed = None
            some = False
            for at in range(len(instances)):
                try:
                    task = self._task(instances, at)
                except BuildError as error:
                    if self.config.on_error == "raise":
                        raise
                    failed = error
                    self.skipped += 1
                    _log.warning("instance left out, %d so far: %s", self.skipped, error)
                    continue
                some = True
                yield task
            # Nothing may ever come of a suite of which nothing can be made.
            if failed is not None and not some:
                raise failed

    def _seed(self, number: int) -> str:
        return f"{self.config.seed}/{number}"

    def _round(self, number: int) -> Instances:
        config = self.config
        known = _asked.load(
            self._path, seed=self._seed(number), samples=config.samples, only=config.only, sha256=self._sha256
        )
        axes = config.axes if config.axes_file is None else json.loads(config.axes_file.read_text(encoding="utf-8"))
        if not axes:
            return known
        return known.suite.instances(self._seed(number), samples=config.samples, task=config.only, axes=axes)

    def _task(self, instances: Instances, at: int) -> PicardcTask:
        instance, config = instances[at], self.config
        self._refuse([instance], instances)
        data = PicardcData(
            id=instance.identity,
            name=f"{instance.id}@{instance.seed}",
            prompt=instance.prompt,
            suite=self._path,
            sha256=self._sha256,
            seed=instance.seed,
            samples=config.samples,
            only=config.only,
            index=instance.index,
            axis=instance.axis,
            identity=instance.identity,
            unenforced=_asked.unenforced(instance),
        )
        return PicardcTask(data, config.task)
