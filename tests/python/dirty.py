"""What the verifiers of the written lakes share: reading files with titles, footers, marks, and rows that appear twice, and comparing what follows
from them with the answer keys.

It knows only what the prompts say: in which letters names are does not matter, a row that appears twice counts once, which marks mean nothing.
"""

import csv
import datetime
import io
import math
import re

import bundle
from bundle import Disagreement, agree

METRES, MILE, ACRE, POUND, OUNCE, GRAIN, NAUTICAL = 0.3048, 1.609344, 0.40468564, 0.45359237, 28.349523, 0.06479891, 1.852


def fold(text):
    """A name without what does not matter in names: letter case, and how many blanks."""
    return " ".join(text.split()).casefold()


def number(text, point=".", groups=", '\u00a0\u202f"):
    """The one number in a text, whatever sign or unit is around it."""
    for group in groups:
        if group != point:
            text = re.sub(rf"(?<=\d)[{re.escape(group)}](?=\d{{3}})", "", text)
    found = re.findall(rf"-?\d+(?:{re.escape(point)}\d+)?", text)
    if len(found) != 1:
        raise Disagreement(f"{text!r} is not one number")
    return float(found[0].replace(point, "."))


def german(text):
    return number(text, ",", ".")


def known(text, marks, read=number):
    """The value of a cell, or None for a mark."""
    return None if text.strip() in marks else read(text)


def day(text, *forms):
    """A day in the first form that fits."""
    return moment(text, *forms).date()


def moment(text, *forms):
    for form in forms:
        try:
            return datetime.datetime.strptime(text.strip(), form)
        except ValueError:
            continue
    raise Disagreement(f"{text!r} is in none of {forms}")


def drawn(it, name):
    """A number that was drawn, of whatever type."""
    value = it.draws[name]
    return float(value["decimal"]) if isinstance(value, dict) else value


def below(it, folder, ending=""):
    """The paths of the files in a folder, and not in folders in it."""
    found = [path for path in it.files if path.rpartition("/")[0] == folder and path.endswith(ending)]
    if not found:
        raise Disagreement(f"{folder} has no file {ending}: {sorted(it.files)}")
    return sorted(found)


def stem(path):
    return path.rpartition("/")[2].rpartition(".")[0]


def table(it, path, first, delimiter=",", encoding="utf-8-sig", header=1):
    """The records below the header, whose first cell is `first`, up to the first that is blank."""
    text = it.content(path).decode(encoding)
    records = [[cell.strip() for cell in row] for row in csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=delimiter)]
    at = next((number for number, row in enumerate(records) if row and row[0] == first), None)
    if at is None:
        raise Disagreement(f"{path} has no header with {first!r}")
    names = records[at]
    if header == 2:
        group, joined = "", []
        for upper, lower in zip(records[at - 1], names):
            group = upper or group
            joined.append(f"{group} / {lower}" if group else lower)
        names = joined
    found = []
    for row in records[at + 1:]:
        if not any(row):
            break
        if len(row) != len(names):
            raise Disagreement(f"{path}: a row is not as wide as the header: {row}")
        found.append(dict(zip(names, row)))
    return found


def tables(it, paths, first, **form):
    return [row for path in paths for row in table(it, path, first, **form)]


def matches(it, paths, pattern, encoding="utf-8-sig"):
    """The groups of each line that fits; every other line must begin with `#`, `:`, or a capital letter, as a heading."""
    found = []
    for path in paths:
        for line in it.content(path).decode(encoding).splitlines():
            fits = re.fullmatch(pattern, " ".join(line.split()))
            if fits:
                found.append(fits.groups())
            elif line and not re.match(r"[#:A-Z]", line):
                raise Disagreement(f"{path}: {line!r} does not fit")
    return found


def once(rows, *keys):
    """The first of the rows that have equal values, folded, under `keys` (of a list or of a dictionary)."""
    found = {}
    for row in rows:
        found.setdefault(tuple(fold(str(row[key])) for key in keys), row)
    return list(found.values())


def grouped(rows, key, value=lambda row: row):
    """Lists of values by key, in the order of the keys."""
    found = {}
    for row in rows:
        found.setdefault(key(row), []).append(value(row))
    return dict(sorted(found.items()))


def mean(values):
    values = list(values)
    return math.fsum(values) / len(values)


def median(values):
    values = sorted(values)
    half = len(values) // 2
    return values[half] if len(values) % 2 else (values[half - 1] + values[half]) / 2


def stdev(values):
    middle = mean(values)
    return math.sqrt(math.fsum((value - middle) ** 2 for value in values) / (len(values) - 1))


def line(pairs):
    """Slope and correlation of the second on the first."""
    x, y = mean(a for a, _ in pairs), mean(b for _, b in pairs)
    xx, yy, xy = (math.fsum(f(a - x, b - y) for a, b in pairs) for f in (lambda a, b: a * a, lambda a, b: b * b, lambda a, b: a * b))
    return xy / xx, xy / math.sqrt(xx * yy)


def between(points, at):
    """The value at `at` on straight lines between points."""
    points = sorted(points)
    for (x, y), (next_x, next_y) in zip(points, points[1:]):
        if x <= at <= next_x:
            return y + (next_y - y) * (at - x) / (next_x - x)
    raise Disagreement(f"{at} is outside of the points")


def close(what, ours, theirs):
    """A value and how an answer key writes it: numbers to 1e-9 of them, texts folded and without blanks."""
    if isinstance(theirs, dict) and set(theirs) in ({"decimal"}, {"int"}):
        theirs = float(next(iter(theirs.values())))
    if isinstance(theirs, dict) and list(theirs) == ["columns", "rows"]:
        theirs = theirs["rows"]
    if isinstance(ours, (datetime.date, datetime.datetime)):
        ours = ours.isoformat()
    if isinstance(ours, (int, float)) and isinstance(theirs, (int, float)):
        if abs(ours - theirs) > 1e-8 * max(1, abs(ours)):
            raise Disagreement(f"{what}: recomputed {ours!r}, the bundle says {theirs!r}")
    elif isinstance(ours, str) and isinstance(theirs, str):
        agree(what, fold(ours).replace(" ", ""), fold(theirs).replace(" ", ""))
    elif isinstance(ours, dict) and isinstance(theirs, dict):
        ours, theirs = ({fold(key).replace(" ", ""): value for key, value in part.items()} for part in (ours, theirs))
        agree(f"{what}: keys", sorted(ours), sorted(theirs))
        for key, value in ours.items():
            close(f"{what}/{key}", value, theirs[key])
    elif isinstance(ours, (list, tuple)) and isinstance(theirs, list):
        agree(f"{what}: length", len(ours), len(theirs))
        for index, (one, other) in enumerate(zip(ours, theirs)):
            close(f"{what}/{index}", one, other)
    else:
        raise Disagreement(f"{what}: recomputed {ours!r}, the bundle says {theirs!r}")


def verifier(recompute):
    """Checks an instance against `recompute`, which gives the answers of the task (under None) and of its stages. Several answers of one instance are
    a dictionary by the names of its expectations."""

    def verify(it):
        answers = recompute(it)
        if it.stage not in answers:
            raise Disagreement(f"no answer for stage {it.stage!r}")
        answer = answers[it.stage]
        if len(it.expects) == 1:
            return close("value", answer, it.expects[0]["value"])
        agree("expects", list(answer), [expect["name"] for expect in it.expects])
        for expect in it.expects:
            close(expect["name"], answer[expect["name"]], expect["value"])

    return verify


def opens(it, path):
    """Nothing: every task decodes the files it reads, and clutter is of no format."""


def main(**tasks):
    bundle.main({name: verifier(recompute) for name, recompute in tasks.items()}, lambda it: it.task, opens)
