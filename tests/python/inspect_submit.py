"""Runs a suite with `react()`, whose replies are text and then the submitted answer.

    python inspect_submit.py SUITE FOLDER

Needs inspect_ai and picardc. The model is a mock that says a sentence and submits the answer. Prints `right N of M` for each way.
"""

import sys

from inspect_ai import eval as run
from inspect_ai.agent import AgentSubmit, react
from inspect_ai.model import ChatMessageAssistant, ChatCompletionChoice, ModelOutput, ModelUsage, get_model
from inspect_ai.tool import ToolCall

from picardc.inspect import suite


def outputs(answers):
    """One output for each sample: a sentence, and a call of `submit`."""
    for answer in answers:
        call = ToolCall(id=f"call-{answer}", function="submit", arguments={"answer": answer})
        message = ChatMessageAssistant(content="I counted them: 12 and 4.", tool_calls=[call])
        # Without a count of tokens, the mock fetches a tokenizer to make one.
        usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        yield ModelOutput(model="mockllm", choices=[ChatCompletionChoice(message=message, stop_reason="tool_calls")], usage=usage)


def main(path, folder):
    task = suite(path=path, seed=7, sandbox="local")
    answers = [sample.target for sample in task.dataset]
    for name, submit in [("joined", AgentSubmit()), ("alone", AgentSubmit(answer_only=True)), ("kept", AgentSubmit(keep_in_messages=True))]:
        for wrong in [False, True]:
            said = [f"{answer}0" if wrong else answer for answer in answers]
            model = get_model("mockllm/model", custom_outputs=list(outputs(said)))
            [log] = run(
                suite(path=path, seed=7, sandbox="local"), solver=react(submit=submit), model=model, log_dir=folder, max_samples=1, display="none"
            )
            assert log.status == "success", log.error
            scores = [sample.scores["picard"].value["correct"] for sample in log.samples]
            print(f"{name} {'wrong' if wrong else 'right'} {sum(scores)} of {len(scores)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
