"""Random fixtures of every format, written by Python, and a suite that asks about them; then what picardc read in them, recomputed.

    python3 fixtures.py write FOLDER SEED
    python3 fixtures.py check FOLDER BUNDLE

`write` makes `fixtures.pcd` and its files in FOLDER. `check` holds the answers against the values that Python wrote. Needs the packages of readers.txt.
"""

import csv
import datetime
import io
import json
import pathlib
import pickle
import random
import sqlite3
import sys
from decimal import Decimal

import openpyxl
import yaml

import bundle
from differential import aggregate, report, same, stated
from trees import in_json

TASKS = 25
TEXTS = [
    "n/a", "yes", "No", "017", "~", "null", "- x", "a: b", "# c", "it's", 'a "b" c', "x,y;z", "two\nlines", "é 漢字 🙂", "@at", "{}", "[1]", "1_000", "0x1F",
    "tab\there", " pad ", "12:30:45", "%d", "-", "a, b", "<b>&amp;", "back\\slash", "TRUE", "2024-13-01",
]
# Relations whose decimals are exact; databases and workbooks hold doubles.
EXACT = ("c", "d", "j", "y")
COLUMNS = ["K", "I", "D", "F", "B", "T", "DT", "AT"]

# What is asked of every table, and the same over rows that are dictionaries.
ASKED = {
    "<<rows: SELECT K, I, D, F, B, T, DT, AT FROM {r} ORDER BY K>>": lambda rows: {"columns": COLUMNS, "rows": [[r[c] for c in COLUMNS] for r in rows]},
    "count({r})": len,
    "count({r}.I)": lambda rows: aggregate("count", rows, "I"),
    "count({r} where T != null and I > 2)": lambda rows: sum(r["T"] is not None and r["I"] is not None and r["I"] > 2 for r in rows),
    "coalesce(sum({r}.I), -1)": lambda rows: aggregate("sum", rows, "I", empty=-1),
    "coalesce(sum({r}.D), {d})": lambda rows: aggregate("sum", rows, "D", empty=-1),
    "coalesce(avg({r}.F), -1 / 1)": lambda rows: aggregate("avg", rows, "F", empty=-1.0),
    "coalesce(max({r}.F where I > 0), -1 / 1)": lambda rows: aggregate("max", rows, "F", lambda r: r["I"] is not None and r["I"] > 0, -1.0),
    "coalesce(median({r}.I), -1 / 1)": lambda rows: aggregate("median", rows, "I", empty=-1.0),
    "distinct_count({r}.T)": lambda rows: aggregate("distinct", rows, "T"),
    'coalesce(mode({r}.T), "none")': lambda rows: aggregate("mode", rows, "T", empty="none"),
    "list({r}.DT)": lambda rows: aggregate("list", rows, "DT"),
    "list({r}.AT)": lambda rows: aggregate("list", rows, "AT"),
    "list({r}.T)": lambda rows: aggregate("list", rows, "T"),
    "list({r}.B)": lambda rows: aggregate("list", rows, "B"),
}

# What is asked of a tree of any shape.
PATHS = ["$..*", "$.items[*]", "$.items[*].*", "$.items[0].*", "$.items[?@.K > 1].K", "$..[-1]", "$.items[::-1].K", "$.items[?@.T && @.K != 2]"]


def rows_of(rng):
    """Rows whose columns are of one kind each, with nulls between; the first has none."""
    def one(k):
        row = {
            "K": k, "I": rng.choice([0, rng.randint(-9, 99), rng.randint(-2**53, 2**53)]), "D": Decimal(rng.randint(-99999, 99999)).scaleb(-2),
            "F": rng.choice([rng.uniform(-1e3, 1e3), rng.random() * 1e-9, rng.uniform(-1, 1) * 1e20, 0.5]), "B": rng.random() < 0.5, "T": rng.choice(TEXTS),
            "DT": datetime.date(1900, 3, 1) + datetime.timedelta(rng.randint(0, 70000)),
            "AT": datetime.datetime(1990, 1, 1, 0, 0, 1) + datetime.timedelta(seconds=rng.randint(0, 10**9)),
        }
        return row if k == 1 else {key: value if key == "K" or rng.random() < 0.8 else None for key, value in row.items()}
    rows = [one(k) for k in range(1, rng.randint(1, 9) + 1)]
    # Texts that no reader of cells takes for something else; a number that only a float can be.
    rows[0]["T"], rows[0]["F"], rows[0]["D"] = "n/a", 1.5e-7, Decimal("0.25")
    return rows


def cell(value):
    if value is None:
        return ""
    return {bool: lambda: str(value).lower(), datetime.date: value.__str__, datetime.datetime: lambda: value.isoformat()}.get(type(value), value.__str__)()


def spelled(rng, value):
    """A cell, perhaps not as it would be written from its value: `5` for `5.00`, `1.5e3`, a blank for the `T` of a moment, no seconds."""
    plain = cell(value)
    if value is None or rng.random() < 0.5:
        return plain
    if isinstance(value, Decimal):
        return f"{value.normalize():f}"
    if isinstance(value, float):
        return rng.choice([f"{value:.17e}", f"{value:.17E}"])
    if isinstance(value, datetime.datetime):
        return value.isoformat(" ", "seconds" if value.second else "minutes")
    return "-0" if isinstance(value, int) and not isinstance(value, bool) and value == 0 else plain


def written_table(rows, delimiter):
    """The bytes of a table, and its cells as they are written."""
    rng = random.Random(f"{len(rows)}{delimiter}")
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator=rng.choice(["\n", "\r\n"]))
    writer.writerows([COLUMNS, *[[spelled(rng, row[name]) for name in COLUMNS] for row in rows]])
    return out.getvalue().encode()


def numbers_of(rng):
    """Decimals, as they are written in JSON and YAML: exact, where a reader keeps their digits."""
    one = lambda: f"{rng.choice(['', '-'])}{rng.choice([0, 7, rng.randint(0, 10**9)])}.{rng.randint(0, 10**6):0{rng.randint(1, 9)}}"
    return [one() for _ in range(rng.randint(1, 9))]


def with_numbers(text, numbers):
    """The marks in a written tree replaced by numbers, unquoted."""
    for at, number in enumerate(numbers):
        for quote in ('"', "'", ""):
            text = text.replace(f"{quote}number-{at}-{quote}", number)
    return text


def plain(row):
    """What JSON and YAML can say of a row."""
    said = {Decimal: float, datetime.date: datetime.date.isoformat, datetime.datetime: datetime.datetime.isoformat}
    return {name: said.get(type(value), lambda x: x)(value) for name, value in row.items()}


def database(path, rows):
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (K INTEGER PRIMARY KEY, I INTEGER, D REAL, F REAL, B INTEGER, T TEXT, DT DATE, AT DATETIME)")
        values = [[cell(row[c]) or None if c in ("DT", "AT") else float(row[c]) if isinstance(row[c], Decimal) else row[c] for c in COLUMNS] for row in rows]
        connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)
        connection.execute("CREATE VIEW v AS SELECT * FROM t WHERE K > 0")
    connection.close()


def workbook(path, rows):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "t"
    sheet.append(COLUMNS)
    for row in rows:
        sheet.append([float(row[name]) if isinstance(row[name], Decimal) else row[name] for name in COLUMNS])
    book.save(path)


def anything(rng, depth=0):
    """A value of any shape, without floats that have no place after the point."""
    kinds = ["int", "float", "text", "bool", "null"] + (["list", "object"] * 2 if depth < 3 else [])
    match rng.choice(kinds):
        case "int":
            return rng.randint(-99, 99)
        case "float":
            return rng.randint(-999, 999) + 0.5
        case "text":
            return rng.choice(TEXTS)
        case "bool":
            return rng.random() < 0.5
        case "null":
            return None
        case "list":
            return [anything(rng, depth + 1) for _ in range(rng.randint(0, 3))]
        case _:
            return {rng.choice(["a", "b", "K", "é", "x y", "no", "1"]): anything(rng, depth + 1) for _ in range(rng.randint(0, 3))}


def tree_of(rng):
    items = [{"K": k, "T": rng.choice(TEXTS), **({"more": anything(rng)} if rng.random() < 0.8 else {})} for k in range(1, rng.randint(2, 6))]
    return {"items": items, "any": anything(rng), "last": [1, rng.randint(2, 9)]}


def task(number, rows):
    """The source of a task, and its expectations by the names of relations and trees."""
    keys = []
    for relation in ("c", "d", "j", "y", "s.t", "s.v", "w.t"):
        for call in ASKED:
            text = call.format(r=relation, d="-1.00" if relation in EXACT else "-1 / 1")
            keys.append((text, text))
    for relation in ("c", "d"):
        keys += [(text, text) for row in range(1, rows + 1) for text in (f"csv_row({relation}, {row})", f"csv_cell({relation}, {row}, 3)")]
    for family, file in (("json", "m"), ("yaml", "n")):
        for path in PATHS:
            keys.append((f"{family} count_where {path}", f"<<{family}_count_where: {file}, {path}>>"))
        for path in ("$.items[*].T", "$.items[?@.K > 1].K", "$.items[::-1].K", "$.last[*]"):
            keys.append((f"{family} collect {path}", f"<<{family}_collect: {file}, {path}>>"))
        keys.append((f"{family} keys $", f"{family}_keys({file})"))
        keys.append((f"{family} count $", f"{family}_count({file})"))
        keys += [(text, text) for text in (f"sum({file}.numbers.value)", f"list({file}.numbers.value)", f"<<{family}_sum: {file}, $.numbers[*]>>")]
    lines = [f"    `{name}`: {call}," for name, call in keys]
    files = [
        f'  csv c at "c.csv" from "{number}.csv"', f'  file d at "d.tsv" from "{number}.tsv"', f'  file j at "j.json" from "{number}.json"',
        f'  yaml y at "y.yaml" from "{number}.yaml"', f'  sqlite s at "s.db" from "{number}.db"', f'  xlsx w at "w.xlsx" from "{number}.xlsx"',
        f'  json m at "m.json" from "{number}-any.json"', f'  file n at "n.yaml" from "{number}-any.yaml"',
    ]
    prompt = '  prompt "<<c>> <<d>> <<j>> <<y>> <<s>> <<w>> <<m>> <<n>>"'
    return "\n".join([f"task t{number} {{", *files, "  expect reply json {", *lines, "  }", prompt, "}", ""])


def write(folder, seed):
    folder = pathlib.Path(folder)
    source = ['suite fixtures { title "Fixtures" version "1" samples 1 }', ""]
    truth = {}
    for number in range(1, TASKS + 1):
        rng = random.Random(f"{seed}/{number}")
        rows, tree = rows_of(rng), tree_of(rng)
        (folder / f"{number}.csv").write_bytes((b"\xef\xbb\xbf" if number % 5 == 0 else b"") + written_table(rows, ","))
        (folder / f"{number}.tsv").write_bytes(written_table(rows, "\t"))
        (folder / f"{number}.json").write_text(json.dumps([plain(row) for row in rows], indent=rng.choice([None, 1])), encoding="utf-8")
        style = {"default_flow_style": rng.choice([None, True, False]), "allow_unicode": rng.random() < 0.5, "sort_keys": False}
        (folder / f"{number}.yaml").write_text(yaml.safe_dump([plain(row) for row in rows], **style), encoding="utf-8")
        database(folder / f"{number}.db", rows)
        workbook(folder / f"{number}.xlsx", rows)
        numbers = numbers_of(rng)
        marked = {**tree, "numbers": [f"number-{at}-" for at in range(len(numbers))]}
        tree = {**tree, "numbers": numbers}
        as_json, as_yaml = json.dumps(marked, ensure_ascii=rng.random() < 0.5), yaml.safe_dump(marked, **style)
        (folder / f"{number}-any.json").write_text(with_numbers(as_json, numbers), encoding="utf-8")
        (folder / f"{number}-any.yaml").write_text(with_numbers(as_yaml, numbers), encoding="utf-8")
        read = lambda name, delimiter: list(csv.reader(io.StringIO((folder / name).read_bytes().decode("utf-8-sig"), newline=""), delimiter=delimiter))[1:]
        truth[f"t{number}"] = rows, tree, {"c": read(f"{number}.csv", ","), "d": read(f"{number}.tsv", "\t")}
        source.append(task(number, len(rows)))
    (folder / "fixtures.pcd").write_text("\n".join(source), encoding="utf-8")
    (folder / "truth.pickle").write_bytes(pickle.dumps(truth))


def seen(rows, relation):
    """The rows with the types that each format keeps."""
    floats = lambda value: None if value is None else float(value)
    texts = lambda value: None if value is None else value.isoformat()
    numbers = lambda value: None if value is None else int(value)
    brought = {
        "c": {}, "d": {},
        "j": {"DT": texts, "AT": texts}, "y": {"DT": texts, "AT": texts},
        # openpyxl writes 16 digits of a number, one fewer than some doubles need.
        "s.t": {"D": floats, "B": numbers}, "s.v": {"D": floats, "B": numbers}, "w.t": {"D": floats, "F": lambda x: x and float(f"{x:.16g}")},
    }[relation]
    return [{name: brought.get(name, lambda x: x)(value) for name, value in row.items()} for row in rows]


def recomputed(rows, tree, written):
    out = {}
    for relation in ("c", "d", "j", "y", "s.t", "s.v", "w.t"):
        own = seen(rows, relation)
        for call, function in ASKED.items():
            out[call.format(r=relation, d="-1.00" if relation in EXACT else "-1 / 1")] = function(own)
    for relation, cells in written.items():
        for at, row in enumerate(cells, start=1):
            out[f"csv_row({relation}, {at})"] = row
            out[f"csv_cell({relation}, {at}, 3)"] = row[2]
    for family in ("json", "yaml"):
        for path in PATHS:
            out[f"{family} count_where {path}"] = in_json("count_where", tree, path)
        for path in ("$.items[*].T", "$.items[?@.K > 1].K", "$.items[::-1].K", "$.last[*]"):
            out[f"{family} collect {path}"] = in_json("collect", tree, path)
        out[f"{family} keys $"] = list(tree)
        out[f"{family} count $"] = len(tree)
        exact = [Decimal(number) for number in tree["numbers"]]
        places = min(number.as_tuple().exponent for number in exact)
        exact = [(number + 0).quantize(Decimal(1).scaleb(places)) for number in exact]
        file = "m" if family == "json" else "n"
        out[f"sum({file}.numbers.value)"] = sum(exact)
        out[f"list({file}.numbers.value)"] = [abs(number) if number == 0 else number for number in exact]
        out[f"<<{family}_sum: {file}, $.numbers[*]>>"] = sum(exact)
    return out


def check(folder, built):
    folder = pathlib.Path(folder)
    truth = pickle.loads((folder / "truth.pickle").read_bytes())
    instances = bundle.read(built)
    wrong, values = [], 0
    for it in instances:
        (expect,) = it.expects
        theirs = expect["value"]
        values += len(theirs)
        number = it.task[1:]
        for path in it.files:
            name = f"{number}-any" if path[0] in "mn" else number
            if it.content(path) != (folder / f"{name}.{path.split('.')[1]}").read_bytes():
                wrong.append(f"{it.id}: {path} is not the fixture, byte for byte")
        ours = recomputed(*truth[it.task])
        if list(ours) != list(theirs):
            wrong += [f"{it.id}: other keys"] * len(theirs)
            continue
        wrong += [
            f"{it.id}: {key}: recomputed {stated(value)!r}, the bundle says {theirs[key]!r}"
            for key, value in ours.items()
            if not same(stated(value), theirs[key])
        ]
    report(wrong, values, instances)


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in ("write", "check"):
        sys.exit(f"usage: {sys.argv[0]} write FOLDER SEED | check FOLDER BUNDLE")
    {"write": write, "check": check}[sys.argv[1]](sys.argv[2], sys.argv[3])
