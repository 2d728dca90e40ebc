"""Adaptive difficulty: the values of an axis follow the policy.

    python adaptive.py SUITE AXIS BASE_URL MODEL [STEPS [TASKS]]

Asks TASKS tasks at the easiest value of AXIS. If the mean reward is at least 0.75, the next step
asks at the next harder value; if it is below 0.25, at the next easier
one. Each step is printed as a line of JSON. A trainer does the same: where this program asks and
waits, it takes its gradient step.
"""

import asyncio
import json
import os
import sys
import tempfile
from pathlib import Path

import picardc
import verifiers.v1 as vf
from picardc_verifiers import PicardcConfig
from verifiers.v1.clients import ModelContext
from verifiers.v1.utils.loaders import load_environment

HARDER, EASIER = 0.75, 0.25


def environment(suite: str, axes_file: Path) -> vf.Env:
    """One agent that replies, in a folder of this machine, over the endless stream of the suite."""
    agent = vf.AgentConfig(harness={"id": "null"}, runtime={"type": "subprocess"})
    taskset = PicardcConfig(id="picardc-verifiers", suite=suite, seed="train", axes_file=axes_file)
    return load_environment(vf.SingleAgentEnvConfig(taskset=taskset, agent=agent))


async def main(suite: str, axis: str, base_url: str, model: str, steps: int = 8, count: int = 8) -> None:
    (values,) = [task["axes"][axis] for task in picardc.compile(suite).tasks]
    os.environ.setdefault("POLICY_KEY", "none")
    policy = ModelContext(
        client=vf.EvalClientConfig(base_url=base_url, api_key_var="POLICY_KEY"), model=model, sampling=vf.SamplingConfig()
    )
    with tempfile.TemporaryDirectory() as folder:
        axes_file = Path(folder) / "axes.json"

        def at(level: int) -> None:
            # Renamed, so that a round that begins meanwhile reads all of it or the old one.
            new = axes_file.with_suffix(".new")
            new.write_text(json.dumps({axis: [values[level]]}))
            new.replace(axes_file)

        level = 0
        at(level)
        env = environment(suite, axes_file)
        # A round is one instance: it has one value of the axis. So every task sees the values as
        # they are now.
        tasks = iter(env.taskset)
        async with env.serving():
            for step in range(steps):
                slots = [slot for _ in range(count) for slot in env.slots(next(tasks), 1)]
                episodes = await asyncio.gather(*(env.run_slot(slot, policy, None, ignore) for slot in slots))
                traces = [trace for episode in episodes for trace in episode.traces]
                mean = sum(trace.reward for trace in traces) / len(traces)
                seen = sorted({trace.task.data.axis[axis] for trace in traces})
                print(json.dumps({"step": step, axis: seen, "reward": round(mean, 3)}), flush=True)
                if mean >= HARDER:
                    level = min(level + 1, len(values) - 1)
                elif mean < EASIER:
                    level = max(level - 1, 0)
                at(level)


async def ignore(episode: vf.Episode) -> None:
    """A trainer keeps episodes; here they are counted and forgotten."""


if __name__ == "__main__":
    if not 5 <= len(sys.argv) <= 7:
        sys.exit(f"usage: {sys.argv[0]} SUITE AXIS BASE_URL MODEL [STEPS [TASKS]]")
    asyncio.run(main(*sys.argv[1:5], *map(int, sys.argv[5:])))
