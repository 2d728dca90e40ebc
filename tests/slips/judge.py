#!/usr/bin/env python3
"""judge.py PICARDC: of suites with one slip each and of unusual right suites, all written by people who had read the manual alone, how many slips
`check` tells at their line, by kind, and which right suites are not silent. `slips.jsonl` and `right.jsonl` have the suites."""
import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
program = os.path.abspath(sys.argv[1])


def load(name):
    with open(os.path.join(here, name), encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def check(folder, entry):
    """What is told of a suite, next to the files of its author."""
    author, name = entry["file"].split("-", 1)
    home = os.path.join(folder, author)
    if not os.path.exists(home):
        shutil.copytree(os.path.join(here, author), home)
    path = os.path.join(home, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(entry["suite"])
    ran = subprocess.run([program, "check", "--format", "json", path], capture_output=True, text=True, cwd=home)
    return [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")]


with tempfile.TemporaryDirectory() as folder:
    told, seen, all_of = collections.Counter(), collections.Counter(), collections.Counter()
    for slip in load("slips.jsonl"):
        said = check(folder, slip)
        lines = {slip["line"], *slip.get("also", [])}
        at = any(d["line"] in lines or any(label["line"] == slip["line"] for label in d["labels"]) for d in said)
        all_of[slip["kind"]] += 1
        told[slip["kind"]] += at
        seen[slip["kind"]] += bool(said)
        if not at:
            print("not told:", slip["file"], slip["kind"], slip["line"], slip["slip"])
    for entry in load("right.jsonl"):
        for d in check(folder, entry):
            print("right, but told:", entry["file"], d["code"], d["line"], d["message"])
    for kind in sorted(all_of):
        print(f"{kind:10} {told[kind]:3} of {all_of[kind]} (anywhere {seen[kind]})")
    print(f"told at their lines: {sum(told.values())} of {sum(all_of.values())}")
