"""What the solvers share: how they are asked, how they read files, and the cleaning that `--off KIND` leaves out.

A solver answers one instance as a program that `picardc run` starts in its sandbox:

    picardc run BUNDLE --agent "cmd:python3 tests/blind/dig.py" -o RUN

or all instances of a bundle, once for each kind of cleaning that is left out (`none` leaves out nothing), a line of JSON each:

    python3 tests/blind/dig.py --bundle BUNDLE --off none,repeat,case
"""

import csv
import functools
import glob
import io
import json
import math
import os
import re
import sys
import tempfile
from datetime import datetime

import pandas as pd

KINDS = ("repeat", "case", "space", "missing", "written", "decoy")
OFF = set()
WRITTEN = {}

MONTHS = "January February March April May June July August September October November December".split()


@functools.cache
def day(cell, *forms):
    """The moment of a cell, by the first form that it has."""
    for form in forms:
        try:
            return datetime.strptime(cell.strip(), form)
        except ValueError:
            continue
    raise ValueError(cell)


def text(path, encoding="utf-8-sig"):
    with open(path, encoding=encoding, newline="") as file:
        return file.read().replace("\r\n", "\n")


def rows(path, sep=",", encoding="utf-8-sig"):
    return list(csv.reader(io.StringIO(text(path, encoding)), delimiter=sep))


def table(path, first, sep=",", encoding="utf-8-sig", group=False):
    """The rows under the header that begins with the cell `first`, down to the first blank one. With `group`, names of columns begin with the cell above."""
    cells = rows(path, sep, encoding)
    at = next(index for index, row in enumerate(cells) if row and row[0].strip() == first)
    head = [cell.strip() for cell in cells[at]]
    if group:
        above = pd.Series([cell.strip() or None for cell in cells[at - 1]], dtype=object).ffill().fillna("")
        head = [f"{over} {cell}".strip() for over, cell in zip(above, head)]
    body = []
    for row in cells[at + 1 :]:
        if not any(cell.strip() for cell in row):
            break
        if len(row) == len(head):
            body.append(row)
    return pd.DataFrame(body, columns=head, dtype=object)


def tables(pattern, first, sep=",", encoding="utf-8-sig"):
    """The rows of all files that a pattern finds; the column `_file` has the name of the file without its ending."""
    parts = []
    for path in sorted(glob.glob(pattern)):
        parts.append(table(path, first, sep, encoding).assign(_file=os.path.splitext(os.path.basename(path))[0]))
    return pd.concat(parts, ignore_index=True)


def same(cell):
    """A text by which rows are told apart: always clean, because rows that appear twice count once even if the second is written differently."""
    return " ".join(cell.split()).casefold()


def clean(cell):
    """A text without regard to blanks and capitals."""
    if "space" not in OFF:
        cell = " ".join(cell.split())
    return lower(cell)


def lower(cell):
    return cell if "case" in OFF else cell.casefold()


def number(cell, missing=(), mark="", decimal="."):
    """The number in a cell, or NaN. `missing` are marks of what is not known, `mark` is what may be written around a number (a regular expression)."""
    cell = cell.strip()
    if cell == "" or cell in missing:
        return 0.0 if "missing" in OFF else math.nan
    if mark and "written" not in OFF:
        cell = re.sub(mark, "", cell).strip()
    cell = cell.replace(",", "") if decimal == "." else cell.replace(".", "").replace(",", ".")
    try:
        return float(cell)
    except ValueError:
        return math.nan


def once(frame, by):
    """Rows with the same `by` count once."""
    return frame if "repeat" in OFF else frame.drop_duplicates(subset=by)


def shown(column):
    """From the clean text to the spelling to reply with: the most common one."""
    spelled = pd.Series([" ".join(cell.split()) if "space" not in OFF else cell for cell in column], dtype=object)
    return spelled.groupby([clean(cell) for cell in column]).agg(lambda group: group.value_counts().index[0]).to_dict()


def listed(path, first, second):
    """Of a YAML file with a list: from the value of one key to that of the other."""
    pairs = re.findall(rf"- {first}: *(.+?) *\n +{second}: *(.+?) *(?:\n|$)", text(path))
    return {key.strip('"'): value.strip('"') for key, value in pairs}


def rounded(value, digits):
    return None if math.isnan(value) else round(float(value), digits) + 0.0


def reply(value):
    return json.dumps(value, ensure_ascii=False)


def write(path, content):
    """What the solver writes into its sandbox."""
    WRITTEN[path] = content


def solve(solvers, instance, prompt, folder):
    """The reply to one instance, and the files it wrote. The name of the task begins the id of the instance."""
    task = next(name for name in sorted(solvers, key=len, reverse=True) if instance.startswith(f"{name}-"))
    WRITTEN.clear()
    return solvers[task](" ".join(prompt.split()), os.path.join(folder, "lake")), dict(WRITTEN)


def without(solvers, instance, prompt, folder):
    """The same; a solver that leaves out some cleaning may find nothing to answer with."""
    try:
        return solve(solvers, instance, prompt, folder)
    except Exception as error:
        if not OFF:
            raise
        return f"no answer: {type(error).__name__}", {}


def main(*solvers):
    solvers = {solver.__name__: solver for solver in solvers}
    options = dict(zip(sys.argv[1::2], sys.argv[2::2]))
    kinds = options.get("--off", "none").split(",")
    assert set(kinds) <= {"none", *KINDS}, kinds
    if "--bundle" not in options:
        OFF.update(set(kinds) - {"none"})
        asked = json.loads(sys.stdin.readline())
        answer, files = without(solvers, asked["id"], asked["prompt"], asked["sandbox"])
        for path, content in files.items():
            with open(os.path.join(asked["sandbox"], path), "w", encoding="utf-8") as file:
                file.write(content)
        print(json.dumps({"reply": answer}))
        return
    bundle = os.path.abspath(options["--bundle"])
    for line in open(os.path.join(bundle, "instances.jsonl"), encoding="utf-8"):
        instance = json.loads(line)
        with tempfile.TemporaryDirectory() as folder:
            for path, source in instance["files"].items():
                os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
                os.symlink(os.path.join(bundle, source), os.path.join(folder, path))
            for kind in kinds:
                OFF.clear()
                OFF.update({kind} - {"none"})
                answer, files = without(solvers, instance["id"], instance["input"], folder)
                print(json.dumps({"id": instance["id"], "off": kind, "reply": answer, "files": files}))
