"""Writes the logs of Inspect AI that the tests of `picardc report` read.

    python inspect_logs.py SUITE OUT

Needs inspect_ai and picardc. The suite is `tests/inspect/desk.pcd`, named by a relative path. `OUT` gets `good.eval` (the oracle, two epochs), `mixed.eval` (some
replies are wrong, one sample fails, one exceeds its time, one its messages), `again.eval` (`mixed.eval`, scored a second time), and `open.eval` (not finished).
"""

import pathlib
import shutil
import sys

import anyio
from inspect_ai import eval, score
from inspect_ai.log import read_eval_log, write_eval_log
from inspect_ai.model import ChatMessageUser, ModelOutput, ModelUsage, get_model
from inspect_ai.solver import solver

from picardc import inspect as picardc


def outputs():
    """What the mock model says, with the tokens that it is said to have used: 100 read, of which 60 from a cache, and 20 written."""
    while True:
        output = ModelOutput.from_content("mockllm/model", "thinking")
        output.usage = ModelUsage(
            input_tokens=40, input_tokens_cache_read=60, output_tokens=20, total_tokens=120
        )
        yield output


@solver
def unsteady():
    """Asks the model once, and is the oracle in the end, except where the id of a sample and its epoch say otherwise."""
    right = picardc.oracle()

    async def solve(state, generate):
        state = await generate(state)
        match (str(state.sample_id), state.epoch):
            case ("big_orders-2", 1):
                raise ValueError("the tool broke")
            case ("big_orders-3", 1):
                await anyio.sleep(90)
            case ("total-1", 1):
                state = await right(state, generate)
                for _ in range(10):
                    state.messages.append(ChatMessageUser(content="go on"))
            case ("total-2", _):
                state.output.completion = "-1"
                return state
        return await right(state, generate)

    return solve


def run(path, out, name, solver, **options):
    model = get_model("mockllm/model", custom_outputs=outputs())
    task = picardc.suite(path, seed=7, sandbox="local")
    folder = out / name
    (log,) = eval(
        task, solver=solver, model=model, max_samples=1, epochs=2, display="none", log_dir=str(folder), **options
    )
    target = out / f"{name}.eval"
    shutil.move(log.location, target)
    shutil.rmtree(folder)
    print(name, log.status, log.results and {s.name: {k: m.value for k, m in s.metrics.items()} for s in log.results.scores})
    return target


def main(path, out):
    out.mkdir(parents=True, exist_ok=True)
    run(path, out, "good", picardc.oracle())
    mixed = run(path, out, "mixed", unsteady(), fail_on_error=False, time_limit=15, message_limit=6)
    again = score(read_eval_log(str(mixed)), picardc.picard(), action="append", display="none")
    write_eval_log(again, str(out / "again.eval"))
    run(path, out, "open", unsteady(), fail_on_error=True, time_limit=15)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(f"usage: {sys.argv[0]} SUITE OUT")
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
