"""Runs a suite in Inspect AI with a mock of a model, and reads prompts and scores back from the log.

    python inspect_hostile.py SUITE

Needs inspect_ai and picardc. The mock gives the expected reply to every second instance, and
`unknown` to the others. Prints JSON: `right` (ids with a right reply), `correct` (by id, as the log
has it, and as it is when the log is scored again), `changed` (ids of prompts that did not reach the
model, or are not in the log, as they are), and `leaked` (ids whose expected reply the model was
shown).
"""

import json
import sys
import tempfile

from inspect_ai import eval, score
from inspect_ai.log import read_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model

import picardc
from picardc import inspect


def main(path: str) -> None:
    instances = list(picardc.compile(path).instances(7))
    right = {instance.prompt: instance.oracle().reply for instance in instances[::2]}
    seen: list[str] = []

    def answer(messages, tools, tool_choice, config) -> ModelOutput:
        seen.append(messages[-1].text)
        output = ModelOutput.from_content("mockllm/model", right.get(messages[-1].text, "unknown"))
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    with tempfile.TemporaryDirectory() as logs:
        (log,) = eval(
            inspect.suite(path, seed=7),
            model=get_model("mockllm/model", custom_outputs=answer),
            log_dir=logs,
            display="none",
        )
        read = read_eval_log(log.location)
        again = score(read, inspect.picard(), action="overwrite", display="none")
    inputs = {sample.id: sample.input for sample in read.samples}
    told = "\n".join(seen)
    found = {
        "right": sorted(instance.id for instance in instances[::2]),
        "correct": [
            {sample.id: sample.scores["picard"].value["correct"] for sample in one.samples} for one in (read, again)
        ],
        "changed": [
            instance.id
            for instance in instances
            if instance.prompt not in seen or inputs[instance.id] != instance.prompt
        ],
        "leaked": [instance.id for instance in instances if instance.oracle().reply in told],
    }
    print(json.dumps(found))


main(sys.argv[1])
