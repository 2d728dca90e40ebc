"""Validates records of Every Eval Ever with its own validator, and prints their scores and samples."""

import contextlib
import io
import json
import sys
from pathlib import Path

from every_eval_ever import validate


def main() -> None:
    folder = Path(sys.argv[1]).resolve()
    files = sorted(path for path in (folder / "data").rglob("*") if path.is_file())
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        status = validate.main([str(path) for path in files])
    assert status in (0, None), said.getvalue()
    found = {}
    for path in files:
        if path.suffix != ".json":
            continue
        record = json.loads(path.read_text(encoding="utf-8"))
        samples = path.with_name(f"{path.stem}_samples.jsonl").read_text(encoding="utf-8")
        # Not `splitlines`: texts may have line ends that Unicode has and JSON does not.
        rows = [json.loads(line) for line in samples.split("\n") if line]
        found[record["model_info"]["id"]] = {
            "score": record["evaluation_results"][0]["score_details"]["score"],
            "samples": [[row["sample_id"], row["evaluation"]["is_correct"]] for row in rows],
            "prompts": [row["input"]["raw"] for row in rows],
        }
    print(json.dumps(found))


main()
