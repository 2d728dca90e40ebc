"""Instances of a picardc bundle for lm-evaluation-harness, and their scores."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import datasets

HERE = Path(__file__).resolve().parent


def dataset(**_: Any) -> dict[str, datasets.Dataset]:
    """The instances, as `{"test": rows of id, input, and key}`. Nothing is cached, so an edited suite is never served from a cache."""
    with open(HERE / "instances.jsonl", encoding="utf-8", newline="\n") as lines:
        rows = [json.loads(line) for line in lines]
    return {"test": datasets.Dataset.from_list(rows)}


def process_results(doc: dict[str, Any], results: list[str]) -> dict[str, float]:
    """The score of a reply: `correct` is 0 or 1, `score` is between.

    Raises RuntimeError with what `picardc grade` says if it cannot score.
    """
    command = [os.environ.get("PICARDC", "picardc"), "grade", str(HERE / doc["key"]), doc["id"]]
    response = json.dumps({"reply": results[0]})
    ran = subprocess.run(
        [*command, "--response", "-", "--json"], input=response.encode(), capture_output=True, check=False
    )
    if ran.returncode not in (0, 1):
        raise RuntimeError(f"picardc grade {doc['id']}: {ran.stderr.decode(errors='replace')}")
    score = json.loads(ran.stdout)
    return {"correct": float(score["correct"]), "score": float(score["score"])}
