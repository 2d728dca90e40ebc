"""Scores replies with the scorer of an export for lm-eval, whose answer keys are replaced meanwhile.

    python lm_eval_replaced.py EXPORT OTHER ID RIGHT

OTHER is an export of the edited suite, in which RIGHT is wrong. Needs neither lm-eval nor datasets. Prints `ok`; exits 1 otherwise.
"""

import json
import shutil
import sys
import types
from pathlib import Path

datasets = types.ModuleType("datasets")
datasets.Dataset = object  # type: ignore[attr-defined]
sys.modules["datasets"] = datasets


def main(export: str, other: str, instance: str, right: str) -> None:
    sys.path.insert(0, export)
    import picardc_score as scorer

    bundles = [json.loads((Path(one) / "picardc.json").read_text())["bundle_sha256"] for one in (export, other)]
    docs = [{"id": instance, "bundle": bundle} for bundle in bundles]
    processes = set()
    for _ in range(20):
        assert scorer.process_results(docs[0], [right]) == {"correct": 1.0, "score": 1.0}
        assert scorer.process_results(docs[0], ["1"]) == {"correct": 0.0, "score": 0.0}
        processes.add(scorer._kept.process.pid)
    assert len(processes) == 1, processes
    refused({**docs[0], "id": "plus-77"}, right, "has no instance `plus-77`", scorer)
    assert scorer.process_results(docs[0], [right])["correct"] == 1.0
    shutil.rmtree(Path(export) / "keys")
    shutil.copytree(Path(other) / "keys", Path(export) / "keys")
    refused(docs[0], right, "was exported again", scorer)
    assert scorer.process_results(docs[1], [right])["correct"] == 0.0
    # A process that ends is said to have ended, and why; the next reply has a new one.
    (Path(export) / "keys/instances.jsonl").write_text("")
    scorer._kept.close()
    scorer._kept = None
    refused(docs[1], right, "instances.jsonl", scorer)
    print("ok")


def refused(doc: dict, reply: str, why: str, scorer) -> None:
    try:
        scorer.process_results(doc, [reply])
    except RuntimeError as error:
        assert why in str(error), error
    else:
        raise AssertionError(f"not refused: {why}")


main(*sys.argv[1:])
