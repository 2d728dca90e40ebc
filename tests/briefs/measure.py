#!/usr/bin/env python3
"""Measures how many rounds authors need who know only the language card.

    measure.py setup FOLDER PICARDC [BRIEFS]   make a folder for each brief (BRIEFS: a folder of *.txt [default: this one])
    measure.py report FOLDER [--json]          rounds by the log, and what selftest and analyze say of the last source

A round is one source submitted to `check`. Rounds are counted up to the first source of which `check` says nothing; a brief without such a source counts as
not done. Times are ignored. Exit status: 0; `report` gives 1 if a brief is not done.
"""

import hashlib
import json
import pathlib
import shutil
import stat
import statistics
import subprocess
import sys
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
CARD = HERE.parent.parent / "docs" / "language-card.md"
LOG = ".rounds"

CHECK = """#!/usr/bin/env python3
# What picardc says of a source; each call is a round, and is logged with the source.
import hashlib, json, pathlib, subprocess, sys
here = pathlib.Path(__file__).resolve().parent
if len(sys.argv) != 2:
    sys.exit("usage: ./check suite.pcd")
source = pathlib.Path(sys.argv[1]).read_bytes()
log = here / "{log}"
log.mkdir(exist_ok=True)
number = len(list(log.glob("*.pcd"))) + 1
(log / f"{{number:03}}.pcd").write_bytes(source)
run = subprocess.run(["{picardc}", "check", sys.argv[1]], cwd=here, capture_output=True, text=True)
data = subprocess.run(["{picardc}", "check", "--format", "json", sys.argv[1]], cwd=here, capture_output=True, text=True)
said = [json.loads(line) for line in data.stdout.splitlines()]
entry = {{"round": number, "sha256": hashlib.sha256(source).hexdigest(), "said": said}}
with (log / "log.jsonl").open("a") as out:
    out.write(json.dumps(entry) + "\\n")
print(run.stdout + run.stderr)
"""


def setup(folder: pathlib.Path, picardc: pathlib.Path, briefs: pathlib.Path) -> None:
    """Makes FOLDER/NAME for each brief, with the card, the brief, the author's task, and `check`."""
    for brief in sorted(briefs.glob("*.txt")):
        home = folder / brief.stem
        home.mkdir(parents=True)
        shutil.copy(brief, home / "brief.txt")
        shutil.copy(CARD, home / "card.md")
        shutil.copy(HERE / "AUTHOR.md", home / "AUTHOR.md")
        check = home / "check"
        check.write_text(CHECK.format(picardc=picardc.resolve(), log=LOG))
        check.chmod(check.stat().st_mode | stat.S_IXUSR)
    (folder / "setup.json").write_text(
        json.dumps({"picardc": str(picardc.resolve()), "card_sha256": hashlib.sha256(CARD.read_bytes()).hexdigest()})
    )


def judged(picardc: str, source: pathlib.Path) -> dict[str, Any]:
    """What selftest (20 samples) and analyze (200 samples) say of a source."""

    def ran(*words: str) -> dict[str, Any] | None:
        run = subprocess.run([picardc, *words, "--json", str(source)], capture_output=True, text=True)
        return json.loads(run.stdout) if run.stdout.strip() else None

    selftest, analysis = ran("selftest"), ran("analyze", "--samples", "200")
    weak = [f"{task['task']}: {', '.join(task['reasons'])}" for task in (analysis or {}).get("tasks", []) if task["reasons"]]
    return {
        "sound": bool(selftest and selftest["sound"]),
        "good": bool(analysis and analysis["good"]),
        "weak": weak,
    }


def measured(folder: pathlib.Path) -> list[dict[str, Any]]:
    """One record for each brief: rounds (None: not done), all submissions, codes said in each round, verdicts."""
    picardc = json.loads((folder / "setup.json").read_text())["picardc"]
    records = []
    for home in sorted(path.parent for path in folder.glob("*/brief.txt")):
        log = home / LOG / "log.jsonl"
        entries = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
        silent = next((entry["round"] for entry in entries if not entry["said"]), None)
        record: dict[str, Any] = {
            "brief": home.name,
            "rounds": silent,
            "submitted": len(entries),
            "said": [[said["code"] for said in entry["said"]] for entry in entries],
        }
        if silent is not None:
            # The last source of which nothing is said: the author may have gone on.
            last = max(entry["round"] for entry in entries if not entry["said"])
            record.update(judged(picardc, home / LOG / f"{last:03}.pcd"))
        records.append(record)
    return records


def report(folder: pathlib.Path, as_json: bool) -> int:
    """Prints the records and the median; 1 if a brief is not done."""
    records = measured(folder)
    if as_json:
        print(json.dumps(records, indent=2))
        return int(any(record["rounds"] is None for record in records))
    print(f"{'brief':<28} rounds  sound  good   said")
    for record in records:
        said = " | ".join(",".join(codes) or "-" for codes in record["said"])
        rounds = "-" if record["rounds"] is None else record["rounds"]
        print(f"{record['brief']:<28} {rounds:>6}  {record.get('sound', '-')!s:<5}  {record.get('good', '-')!s:<5}  {said}")
        for weak in record.get("weak", []):
            print(f"{'':<28} weak: {weak}")
    # A brief that is not done is worse than any that is.
    rounds = [record["rounds"] or float("inf") for record in records]
    median = statistics.median(rounds) if rounds else float("nan")
    done = sum(record["rounds"] is not None for record in records)
    sound, good = (sum(bool(record.get(key)) for record in records) for key in ("sound", "good"))
    print(f"\n{done} of {len(records)} done; median {median:g} rounds; {sound} sound; {good} good")
    return int(done < len(records))


def main(words: list[str]) -> int:
    match words:
        case ["setup", folder, picardc]:
            setup(pathlib.Path(folder), pathlib.Path(picardc), HERE)
        case ["setup", folder, picardc, briefs]:
            setup(pathlib.Path(folder), pathlib.Path(picardc), pathlib.Path(briefs))
        case ["report", folder]:
            return report(pathlib.Path(folder), False)
        case ["report", folder, "--json"]:
            return report(pathlib.Path(folder), True)
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
