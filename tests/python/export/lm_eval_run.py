"""Runs an exported task of lm-evaluation-harness with a model that looks its replies up, and prints the scores.

Requests are cached (`cache_requests`), as a user would have it.
"""

import json
import os
import sys
import tempfile
from pathlib import Path

# One cache for all runs of a test: it is next to the replies.
os.environ["LM_HARNESS_CACHE_PATH"] = str(Path(sys.argv[2]).parent / "lm-eval-cache")

from lm_eval import simple_evaluate  # noqa: E402
from lm_eval.api.model import LM  # noqa: E402
from lm_eval.tasks import TaskManager  # noqa: E402


class Scripted(LM):
    """Replies by prompt; `unknown` to others."""

    def __init__(self, replies: dict[str, str]) -> None:
        super().__init__()
        self.replies = replies
        self.seen: list[str] = []

    def generate_until(self, requests, disable_tqdm: bool = False) -> list[str]:
        self.seen = [request.args[0] for request in requests]
        return [self.replies.get(prompt, "unknown") for prompt in self.seen]

    def loglikelihood(self, requests, disable_tqdm: bool = False):
        raise NotImplementedError

    def loglikelihood_rolling(self, requests, disable_tqdm: bool = False):
        raise NotImplementedError


def main() -> None:
    folder, replies = Path(sys.argv[1]).resolve(), json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))
    (task,) = [path.stem for path in folder.glob("*.yaml")]
    model = Scripted(replies)
    # The harness runs from anywhere.
    with tempfile.TemporaryDirectory() as elsewhere:
        os.chdir(elsewhere)
        manager = TaskManager(include_path=str(folder), include_defaults=False)
        found = simple_evaluate(
            model=model, tasks=[task], task_manager=manager, cache_requests=True, bootstrap_iters=0
        )
    results = found["results"][task]
    samples = found["samples"][task]
    assert all("expect" not in json.dumps(sample["doc"]) for sample in samples)
    prompts = [sample["arguments"][0][0] for sample in sorted(samples, key=lambda one: one["doc_id"])]
    print(
        json.dumps(
            {
                "correct": results["correct,none"],
                "score": results["score,none"],
                "n": len(samples),
                "prompts": prompts,
            }
        )
    )


main()
