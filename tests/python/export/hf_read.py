"""Reads an exported dataset with `datasets` and compares it with the bundle; prints the numbers of rows."""

import json
import sys
from pathlib import Path

import datasets


def main() -> None:
    folder, bundle = Path(sys.argv[1]), Path(sys.argv[2])
    with open(bundle / "instances.jsonl", encoding="utf-8", newline="\n") as text:
        lines = [json.loads(line) for line in text]
    configs = datasets.get_dataset_config_names(str(folder))
    rows = datasets.load_dataset(str(folder), split="test")
    assert rows.features["tags"] == datasets.List(datasets.Value("string")), rows.features
    assert rows.features["index"] == datasets.Value("int64"), rows.features
    same = len(rows) == len(lines)
    for row, line in zip(rows, lines):
        picard = line["metadata"]["picard"]
        same = same and (row["id"], row["input"], row["task"]) == (line["id"], line["input"], picard["task"])
        same = same and (row["sample"], row["variant"], row["tags"]) == (picard["sample"], picard["variant"], picard["tags"])
        files = {file["path"]: file["content"] for file in row["files"]}
        same = same and files == {path: (bundle / place).read_bytes() for path, place in line["files"].items()}
        kept = {name: value for name, value in picard.items() if name not in ("expect", "draws", "stages")}
        same = same and json.loads(row["metadata"]) == kept
    keys = 0
    if "keys" in configs:
        secret = datasets.load_dataset(str(folder), "keys", split="test")
        keys = len(secret)
        for row, line in zip(secret, lines):
            target = line["target"] if isinstance(line["target"], list) else [line["target"]]
            same = same and (row["id"], row["target"]) == (line["id"], target)
            same = same and json.loads(row["expect"]) == line["metadata"]["picard"]["expect"]
            same = same and json.loads(row["draws"]) == line["metadata"]["picard"]["draws"]
    print(json.dumps({"rows": len(rows), "keys": keys, "same": same}))


main()
