"""Runs the scorer of the manual's page on Inspect AI, `picard.py` in the current folder, with a mock model.

    python inspect_score.py BUNDLE RESPONSES COMMAND

Needs inspect_ai. The model runs COMMAND in bash and replies with the target, in all samples but the last, where it only replies. In COMMAND, `TARGET` is the
target, and `DRAW_x` the value that was drawn for `x`. Prints how many samples there were; exits 1 where Inspect did not finish.
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path.cwd()))

import picard
from inspect_ai import eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model


def main(folder, responses, command):
    lines = [json.loads(line) for line in open(pathlib.Path(folder) / "instances.jsonl", encoding="utf-8")]
    outputs = []
    for line in lines:
        value = json.loads(line["target"])[0]
        if line is not lines[-1]:
            asked = command.replace("TARGET", str(value))
            for name, drawn in line["metadata"]["picard"]["draws"].items():
                asked = asked.replace(f"DRAW_{name}", str(drawn))
            outputs.append(ModelOutput.for_tool_call("mockllm/model", "bash", {"command": asked}))
        outputs.append(ModelOutput.from_content("mockllm/model", str(value)))
    # Without usage, Inspect counts tokens, and fetches a table for that.
    for output in outputs:
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    model = get_model("mockllm/model", custom_outputs=outputs)
    (log,) = eval(picard.bundle(folder, responses), model=model, max_samples=1, display="none", log_dir="logs")
    assert log.status == "success", log.error and log.error.message
    print(f"{len(lines)} samples")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(f"usage: {sys.argv[0]} BUNDLE RESPONSES COMMAND")
    main(*sys.argv[1:])
