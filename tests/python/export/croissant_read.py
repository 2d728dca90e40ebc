"""Validates Croissant metadata, reads its records, and compares them with the bundle; prints the numbers of records."""

import json
import os
import sys
from pathlib import Path

import mlcroissant as mlc


def text(value: bytes | str) -> str:
    """A text; mlcroissant gives bytes."""
    return value.decode("utf-8") if isinstance(value, bytes) else value


def texts(values: object) -> list[str]:
    return [text(value) for value in values]  # type: ignore[attr-defined]


def main() -> None:
    folder, bundle = Path(sys.argv[1]), Path(sys.argv[2])
    with open(bundle / "instances.jsonl", encoding="utf-8", newline="\n") as lines_:
        lines = [json.loads(line) for line in lines_]
    dataset = mlc.Dataset(jsonld=str(folder / "croissant.json"))
    assert not dataset.metadata.ctx.issues.errors, dataset.metadata.ctx.issues.report()
    names = [one.id for one in dataset.metadata.record_sets]
    records = list(dataset.records("instances"))
    same = len(records) == len(lines)
    for record, line in zip(records, lines):
        picard = line["metadata"]["picard"]
        same = same and text(record["instances/id"]) == line["id"]
        same = same and text(record["instances/input"]) == line["input"]
        same = same and record["instances/sample"] == picard["sample"]
        same = same and texts(record["instances/tags"]) == picard["tags"]
        places = json.loads(text(record["instances/files"]))
        same = same and {path: (folder / place).read_bytes() for path, place in places.items()} == {
            path: (bundle / place).read_bytes() for path, place in line["files"].items()
        }
    keys = list(dataset.records("keys")) if "keys" in names else []
    for record, line in zip(keys, lines):
        same = same and json.loads(text(record["keys/expect"])) == line["metadata"]["picard"]["expect"]
        target = line["target"] if isinstance(line["target"], list) else [line["target"]]
        same = same and texts(record["keys/target"]) == target
    print(json.dumps({"instances": len(records), "keys": len(keys), "same": same}), flush=True)
    # Threads of the libraries that mlcroissant uses can abort an interpreter that ends in order ("terminate called without an active exception").
    os._exit(0)


main()
