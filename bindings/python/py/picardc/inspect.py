"""Inspect AI: a suite is a task, and its responses are scored by picardc's own scorer.

    inspect eval picardc/suite -T path=desk.pcd -T seed=7 --model openai/gpt-4o-mini

`picardc report LOG.eval` reads the log. Needs the package `inspect_ai` (0.3.285 is tested), which
the extra `picardc[inspect]` installs.

Each sample has the prompt as its input and the expected answer as its target; Inspect shows
neither the target nor anything else of the answer key to a model.
Its metadata has the address of the instance, never its key: the key, the files, and the state of
the sandbox at the start are made again when they are needed.
"""

from __future__ import annotations

import logging
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.event import ErrorEvent, SampleLimitEvent, ToolEvent
from inspect_ai.log import transcript
from inspect_ai.model import ChatMessageAssistant, ModelOutput
from inspect_ai.scorer import Score, Scorer, Target, accuracy, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver, use_tools
from inspect_ai.tool import bash
from inspect_ai.util import OutputLimitExceededError, sandbox

from picardc import Instance, Instances, StaleError, __version__
from picardc import _asked, _sandbox

__all__ = ["suite", "picard", "place", "oracle"]

SCHEMA = 1
"""The version of what is written into metadata."""
OURS = "picard"
"""The field of every `metadata` that is picardc's."""
CLUSTER = "picard_cluster"
"""The field of a sample's metadata that says what it hangs together with: standard errors are
those of clusters."""
CAPTURED = "picard:captured"
"""The field of the store with how the trial ended and what was in the sandbox then."""
FILES = "picard:files"
"""The field of the store with what was found at each path that the answer key reads: pairs of a
path and what `responses.jsonl` has for it."""
SUBMIT = "submit"
"""The tool by which an agent of Inspect gives its answer."""
_log = logging.getLogger(__name__)


@task
def suite(
    path: str,
    seed: str | int = 0,
    samples: int | None = None,
    only: str | None = None,
    sandbox: str | None = "docker",
    ignore_tools: bool = False,
) -> Task:
    """A suite as a task of Inspect AI.

    Args:
        path: The suite, a `.pcd` file.
        seed: The seed of the instances: a number, or any text. Another seed gives fresh instances.
        samples: How many samples to make of each task; without it, the number that the suite says.
        only: Only tasks whose names match this pattern, such as `q3*`.
        sandbox: Where agents work: `docker`, `local`, or any other that Inspect knows. It is left
            out if no instance has or reads files.
        ignore_tools: Run instances that state which tools or how many calls an agent has, although
            Inspect does not enforce it. The log says so.

    Raises:
        picardc.CompileError: The suite has errors.
        ValueError: No task matches `only`, or an instance states tools or calls.
        picardc.BuildError: An instance cannot be made.
    """
    instances = _asked.load(path, seed=seed, samples=samples, only=only)
    address = {
        "path": str(path),
        "sha256": instances.suite.sha256,
        "seed": instances.seed,
        "samples": samples,
        "only": only,
        "identity": instances.identity,
    }
    needs_sandbox = False
    stating: list[str] = []
    dataset = []
    for instance in instances:
        needs_sandbox = needs_sandbox or bool(instance.files or instance.folders or instance.key_paths)
        if _asked.unenforced(instance):
            stating.append(instance.id)
        dataset.append(_sample(instance, address))
    if not ignore_tools:
        _asked.refuse(stating, instances, "Inspect", "-T ignore_tools=true")
    elif stating:
        _log.warning(
            "%d instances of `%s` state which tools or how many calls an agent has, which is ignored",
            len(stating),
            instances.suite.name,
        )
    return Task(
        dataset=MemoryDataset(dataset, name=instances.suite.name),
        setup=place(),
        solver=[use_tools(bash(timeout=180)), generate()] if needs_sandbox else [generate()],
        scorer=picard(),
        sandbox=sandbox if needs_sandbox else None,
        name=instances.suite.name,
        # Inspect tells tasks apart by name, arguments, and version, and never looks into the
        # file: an edited suite is another version.
        version=f"{instances.suite.version}+{instances.identity[:12]}",
        metadata={OURS: {**_facts(instances), "tools_ignored": len(stating)}},
    )


def _facts(instances: Instances) -> dict[str, Any]:
    """What `picardc report` needs to know of the suite."""
    return {
        "schema": SCHEMA,
        "identity": instances.identity,
        "suite": instances.suite.name,
        "title": instances.suite.title,
        "version": instances.suite.version,
        "seed": instances.seed,
        "instances": len(instances),
        "picardc": f"picardc {__version__}",
    }


def _sample(instance: Instance, address: dict[str, Any]) -> Sample:
    target = instance.target
    unanswered = _asked.unanswered(instance)
    return Sample(
        id=instance.id,
        input=instance.prompt,
        target=target[0] if len(target) == 1 else target,
        metadata={
            OURS: {**address, "index": instance.index, "unanswered": unanswered},
            CLUSTER: _asked.cluster(unanswered),
        },
    )


def _instance(state: TaskState, path: str | None = None) -> Instance:
    """The instance of a sample, made again.

    Raises:
        picardc.StaleError: The suite was edited, and is not the one that asked.
    """
    address = state.metadata[OURS]
    instances = _asked.load(
        path or address["path"],
        seed=address["seed"],
        samples=address["samples"],
        only=address["only"],
        sha256=address["sha256"],
    )
    if not instances._has_identity(address["identity"]):
        raise StaleError(f"{state.sample_id} was made by another version of picardc: run the suite again")
    return instances[address["index"]]


@solver
def place() -> Solver:
    """Puts the files and the empty folders of an instance into its sandbox. It is the `setup` of
    the task, so it runs before any solver."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        await _sandbox.place(_instance(state), _run, _write)
        return state

    return solve


@solver
def oracle() -> Solver:
    """Gives the expected answer, and leaves the sandbox as it is expected: every sample must be
    correct, or the suite or the sandbox has a mistake."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        solution = _instance(state).oracle()
        await _sandbox.apply(solution, _run, _write)
        state.messages.append(ChatMessageAssistant(content=solution.reply))
        state.output = ModelOutput.from_content(str(state.model), solution.reply)
        return state

    return solve


@scorer(
    metrics={
        "correct": [accuracy(), stderr(cluster=CLUSTER)],
        "score": [mean(), stderr(cluster=CLUSTER)],
    }
)
def picard(path: str | None = None) -> Scorer:
    """picardc's scorer: `correct` is 1 if every expectation is met, and `score` is 0 to 1.

    What the answer key reads of the sandbox is kept in the store, so `inspect score LOG --scorer
    picardc/picard` needs no sandbox. It needs the suite as it was: an
    edited one is refused.

    The reply is the answer that the agent submitted with the tool `submit`, if the log has it, and
    else the completion.

    Args:
        path: Where the suite is now, if it is not where it was when it was run.

    Raises:
        picardc.StaleError: The suite was edited.
    """

    async def score(state: TaskState, target: Target) -> Score:
        instance = _instance(state, path)
        captured = state.store.get(CAPTURED)
        if captured is None:
            captured = {"status": _status()}
            # What failed is incorrect, whatever it left; its sandbox may be gone.
            paths = [] if captured["status"] == "failed" else instance.key_paths
            files = await _sandbox.capture(paths, _run, _read)
            state.store.set(FILES, [[path, found] for path, found in files.items()])
            state.store.set(CAPTURED, captured)
        reply = _submitted(state.output.completion)
        files = dict(state.store.get(FILES))
        scored = instance.score(reply, files=files, status=captured["status"]).to_dict()
        return Score(
            value={"correct": int(scored["correct"]), "score": scored["score"]},
            answer=reply,
            explanation=_asked.explain(scored),
            metadata={OURS: {"identity": state.metadata[OURS]["identity"], "score": scored}},
        )

    return score


def _submitted(completion: str) -> str:
    """The answer that the agent submitted, where its reply is text and then that answer: so does
    `react()` join the last message and the answer. Else the reply."""
    for event in reversed(transcript().events):
        if isinstance(event, ToolEvent) and event.function == SUBMIT and event.error is None:
            answer = event.result.strip() if isinstance(event.result, str) else ""
            return answer if answer and completion.endswith(answer) else completion
    return completion


def _status() -> str:
    """How the trial ended, in the words of `responses.jsonl`. An error or time that is up makes
    it incorrect; after any other limit, what was done until then is scored."""
    if any(isinstance(event, ErrorEvent) for event in transcript().events):
        return "failed"
    kinds = [event.type for event in transcript().events if isinstance(event, SampleLimitEvent)]
    if any(kind in ("time", "working") for kind in kinds):
        return "timeout"
    return "max_rounds" if kinds else "done"


async def _run(command: list[str]) -> str:
    try:
        result = await sandbox().exec(command)
    except OutputLimitExceededError as error:
        raise _sandbox.TooMuch from error
    if not result.success:
        raise _sandbox.CommandFailed(f"`{command[0]}` failed in the sandbox: {result.stderr.strip()}")
    return result.stdout


async def _read(path: str) -> bytes:
    try:
        return await sandbox().read_file(path, text=False)
    except OutputLimitExceededError as error:
        raise _sandbox.TooMuch from error


async def _write(path: str, content: bytes) -> None:
    await sandbox().write_file(path, content)
