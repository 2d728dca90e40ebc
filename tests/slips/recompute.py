#!/usr/bin/env python3
"""Write random suites, build them, and recompute every answer key in Python.

    recompute.py write --count 100 --seed 1 --out DIR      random valid suites, each with a description
    recompute.py judge DIR --picardc P --samples 3         check, build, recompute, compare
    recompute.py table DIR                                 what came out
    recompute.py self-test --picardc P --out DIR           wrong evaluations must be noticed

A description holds expression trees and SQL, so that nothing here reads `.pcd`. The evaluator follows the
manual and reads only what a bundle has: its files, its drawn values, and the values of its axes.
"""
import argparse, calendar, collections, concurrent.futures, csv, datetime as dt, glob, hashlib, io, json, math, os, random, re, shutil
import sqlite3, subprocess, sys, xml.etree.ElementTree as ET
from decimal import Decimal, getcontext
from fractions import Fraction

from recompute_write import COMPARE, Writer, quote_name, render_value, strip_marks, write_sql

getcontext().prec = 80
PROVED = "the build cannot stop"  # of all tasks: "1 of 2 tasks cannot stop" says less
SLIP = None  # the deliberate mistake that --self-test makes, or None


# ------------------------------------------------------------------ values

def parse_value(text, kind, places=None):
    """A value of a column from its text in a file."""
    if text is None:
        return None
    if kind == "int":
        return int(text)
    if kind == "dec":
        d = Decimal(text)
        return d if places is None else d.quantize(Decimal(1).scaleb(-places))
    if kind == "float":
        return float(text)
    if kind == "bool":
        return {"true": True, "false": False}[text] if isinstance(text, str) else bool(text)
    if kind == "date":
        return dt.date.fromisoformat(text)
    if kind == "dt":
        return dt.datetime.fromisoformat(text)
    return text


def parse_native(v, kind, places=None):
    """A value of a column from what the json or sqlite3 module returns."""
    if v is None or isinstance(v, bool):
        return v
    if kind == "dec":
        return parse_value(repr(v) if isinstance(v, float) else str(v), "dec", places)
    if kind == "float":
        return float(v)
    if kind == "bool":
        return bool(v)
    return parse_value(v, kind) if isinstance(v, str) else v


def parse_key(v):
    """A value as a bundle writes it."""
    if isinstance(v, dict):
        if set(v) == {"decimal"}:
            return Decimal(v["decimal"])
        if set(v) == {"int"}:
            return int(v["int"])
        if set(v) == {"object"}:
            return {k: parse_key(x) for k, x in v["object"].items()}
        if set(v) == {"columns", "rows"}:
            return {"columns": v["columns"], "rows": [[parse_key(x) for x in r] for r in v["rows"]]}
        return {k: parse_key(x) for k, x in v.items()}
    return [parse_key(x) for x in v] if isinstance(v, list) else v


def equal_values(key, mine, notes):
    """Whether a key is the value computed here: exact, but 1e-9 for floats, and the type too."""
    if isinstance(mine, (dt.date, dt.datetime)):
        return key == render_value(mine)
    if isinstance(mine, SqlBool):
        return key in (0, 1) and int(key) == int(mine)
    if isinstance(key, bool) or isinstance(mine, bool):
        return key is mine
    if isinstance(mine, (int, float, Decimal)):
        if not isinstance(key, (int, float, Decimal)):
            return False
        if isinstance(key, float) or isinstance(mine, float):
            a, b = float(key), float(mine)
            notes["floats"] += 1
            if a != b:
                notes["floats off in the last digits"] += 1
            return a == b or math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)
        if isinstance(key, Decimal) and isinstance(mine, Decimal) and key.as_tuple().exponent != mine.as_tuple().exponent:
            notes["other places"] += 1
            return False
        return key == mine
    if isinstance(mine, list):
        return isinstance(key, list) and len(key) == len(mine) and all(equal_values(a, b, notes) for a, b in zip(key, mine))
    if isinstance(mine, dict):
        return isinstance(key, dict) and list(key) == list(mine) and all(equal_values(key[k], mine[k], notes) for k in mine)
    return type(key) is type(mine) and key == mine


def equal_bags(a, b, notes):
    """Whether two lists have the same items in any order."""
    rest = list(b)
    for x in a:
        hit = next((i for i, y in enumerate(rest) if equal_values(x, y, notes)), None)
        if hit is None:
            return False
        del rest[hit]
    return not rest


class SqlBool(int):
    """A 0 or 1 of SQL, which a key may also write as false or true."""


# ------------------------------------------------------------------ what a bundle has

class World:
    """The files and values of one instance, read when they are needed."""

    def __init__(self, task, variant, meta, files):
        self.task, self.variant, self.meta, self.files = task, variant, meta, files
        self.cache, self.tables, self.sql, self.in_column = {}, {}, None, False

    def read_name(self, n):
        if n not in self.cache:
            if n in self.meta["axis"]:
                v = parse_key(self.meta["axis"][n])
                self.cache[n] = parse_value(v, self.task["axes"][n]) if isinstance(v, str) else v
            elif n in self.task["draws"]:
                v = parse_key(self.meta["draws"][n])
                self.cache[n] = v if isinstance(v, Decimal) else parse_native(v, self.task["draws"][n])
            else:
                tree = self.task["computed"].get(n) or self.variant["computed"][n]
                self.cache[n] = evaluate(tree, self)
        return self.cache[n]

    def find_path(self, f):
        return self.files[evaluate(self.task["files"][f]["path"], self)]

    def read_text(self, f):
        with open(self.find_path(f), newline="", encoding="utf-8") as handle:
            return handle.read()

    def read_cells(self, f):
        """The cells of a CSV or TSV file as they are written, without the header."""
        spec = self.task["files"][f]
        with open(self.find_path(f), newline="", encoding="utf-8-sig" if spec.get("bom") else "utf-8") as handle:
            rows = split_cells(handle.read(), spec.get("delimiter", ","))
            return rows[spec.get("above", 0) + spec.get("header", 1):len(rows) - spec.get("below", 0)]

    def read_json(self, f):
        if ("json", f) not in self.cache:
            with open(self.find_path(f), encoding="utf-8") as handle:
                self.cache["json", f] = json.load(handle, parse_float=Decimal)
        return self.cache["json", f]

    def read_xml(self, f):
        return ET.parse(self.find_path(f)).getroot()

    def read_table(self, t):
        if t not in self.tables:
            spec = self.task["tables"][t]
            rows = read_rows(spec, self)
            self.tables[t] = rows
            for c in spec["cols"]:  # a database keeps no places: they are those of the expression
                if c["t"] == "dec" and c.get("expr") and spec["kind"] == "sqlite":
                    for row in rows:
                        mine = self.compute_cell(c, row)
                        row[c["n"]] = mine if row[c["n"]] is not None and float(mine) == float(row[c["n"]]) else row[c["n"]]
            for c in spec["cols"]:  # helper columns are in no file: compute them
                if c.get("helper"):
                    for row in rows:
                        row[c["n"]] = self.compute_cell(c, row)
        return self.tables[t]

    def compute_cell(self, column, row):
        self.in_column = True
        try:
            return evaluate(column["expr"], self, row)
        finally:
            self.in_column = False

    def connect(self):
        """A database with all tables of the task, under the names that queries use."""
        if self.sql is None:
            self.sql = sqlite3.connect(":memory:")
            attached = set()
            for t, spec in self.task["tables"].items():
                f = spec.get("file")
                if spec["kind"] in ("sqlite", "view"):
                    if f not in attached:
                        self.sql.execute(f"ATTACH '{os.path.abspath(self.find_path(f))}' AS {f}")
                        attached.add(f)
                    continue
                rows = self.read_table(t)
                if "." in spec["sql"] and f not in attached:
                    self.sql.execute(f"ATTACH ':memory:' AS {f}")
                    attached.add(f)
                kinds = {"int": "INTEGER", "dec": "REAL", "float": "REAL", "bool": "BOOLEAN"}
                cols = [c for c in spec["cols"] if not c.get("helper")]
                self.sql.execute(f"CREATE TABLE {spec['sql']} ({', '.join(quote_name(c['n']) + ' ' + kinds.get(c['t'], 'TEXT') for c in cols)})")
                if SLIP == "a row too few in SQL":
                    rows = rows[:-1]
                self.sql.executemany(f"INSERT INTO {spec['sql']} VALUES ({', '.join('?' * len(cols))})",
                                     [[bind_value(r[c["n"]]) for c in cols] for r in rows])
        return self.sql

    def run_query(self, node):
        """Columns and rows of a query."""
        text = strip_marks(node["text"])
        binds = {p: bind_value(self.read_name(p)) for p in node["params"]}
        con = self.connect()
        if node.get("db"):
            con = sqlite3.connect(self.find_path(node["db"]))
        cur = con.execute(text, binds)
        rows = [list(r) for r in cur.fetchall()]
        types = node.get("types") or []
        for r in rows:
            for i, x in enumerate(r):
                kind = types[i] if i < len(types) else None
                if kind == "bool" and x is not None:
                    r[i] = SqlBool(x)
                elif isinstance(kind, list) and x is not None:  # decimal with places
                    r[i] = Decimal(repr(x)).quantize(Decimal(1).scaleb(-kind[1]))
        return [d[0] for d in cur.description], rows

    def run_statements(self, node):
        """Tables of a database before and after statements, and how many rows changed."""
        con = sqlite3.connect(":memory:")
        disk = sqlite3.connect(self.find_path(node["db"]))
        disk.backup(con)
        con.execute("PRAGMA foreign_keys = ON")
        tables = [t for t in node["tables"]]
        before = {t: con.execute(f"SELECT * FROM {t}").fetchall() for t in tables}
        todo = node["statements"][:-1] if SLIP == "the last statement left out" and len(node["statements"]) > 1 else node["statements"]
        for i, s in enumerate(todo):
            if i != node.get("skip"):
                con.execute(strip_marks(s), {p: bind_value(self.read_name(p)) for p in node["params"] if f":{p}" in s})
        after = {t: con.execute(f"SELECT * FROM {t}").fetchall() for t in tables}
        return before, after


def split_cells(text, delimiter):
    """The cells of a CSV text. The csv module does not tell a null, an empty cell, from an empty string, `""`."""
    rows = []
    cells = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    marked = list(csv.reader(io.StringIO(re.sub(f'(^|[{re.escape(delimiter)}\n])""(?=[{re.escape(delimiter)}\r\n]|$)', '\\1"\0"', text), newline=""), delimiter=delimiter))
    for a, b in zip(cells, marked, strict=True):  # "\0" stands in an empty string
        rows.append([None if x == "" == y and len(a) > 1 else x for x, y in zip(a, b, strict=True)])
    return [[None] if r == [""] else r for r in rows]


def read_rows(spec, world):
    """The rows of a table, from its file."""
    cols = [c for c in spec["cols"] if not c.get("helper")]
    kind, f = spec["kind"], spec.get("file")
    if kind in ("csv", "tsv"):
        return [{c["n"]: parse_value(None if x in c.get("missing", ()) else read_style(x, c.get("style")), c["t"], c.get("places")) for c, x in zip(cols, line, strict=True)}
                for line in world.read_cells(f)]
    if kind == "sqlite":
        con = sqlite3.connect(world.find_path(f))
        names = ", ".join(quote_name(c["n"]) for c in cols)
        return [{c["n"]: parse_native(x, c["t"], c.get("places")) for c, x in zip(cols, r)}
                for r in con.execute(f"SELECT {names} FROM {spec['name']} ORDER BY rowid")]
    if kind in ("view", "result"):
        node = dict(spec["query"], db=f) if kind == "view" else spec["query"]
        rows = world.run_query(node)[1]
        return [{c["n"]: parse_native(x, c["t"], c.get("places")) for c, x in zip(cols, r)} for r in rows]
    if kind == "json":
        return [{c["n"]: parse_native(walk(o, c["n"].split(".")), c["t"], c.get("places")) for c in cols}
                for o in world.read_json(f)[spec["key"]]]
    if kind == "nested":
        return [{"value": x} for o in world.read_json(f)[spec["key"]] for x in o[spec["inner"]]]
    if kind == "xml":
        return [{c["n"]: parse_value(e.get(c["n"]) if c.get("attr") else e.findtext(c["n"]), c["t"], c.get("places")) for c in cols}
                for e in world.read_xml(f).findall(spec["key"])]
    if kind == "lines":
        rows = []
        for line in world.read_text(f).splitlines():
            parts = line.split(spec["gap"], len(cols) - 1)
            rows.append({c["n"]: parse_value(x, c["t"], c.get("places")) for c, x in zip(cols, parts, strict=True)})
        return rows
    return [{"line": x} for x in world.read_text(f).splitlines()]  # any other text


def read_style(x, style):
    """A cell that is written with a pattern, as it would be without one."""
    if x is None or style is None:
        return x
    if style[0] in "0#":
        x = re.sub(r" kg$", "", x)
        return x.replace(".", "").replace(",", ".") if style == "0,00" or style.startswith("#.") else x.replace(",", "")
    return dt.datetime.strptime(x, {"dd.MM.yyyy": "%d.%m.%Y", "d/M/yyyy": "%d/%m/%Y", "MMMM d, yyyy": "%B %d, %Y"}[style]).date().isoformat()


def walk(o, keys):
    for k in keys:
        o = o[k]
    return o


def bind_value(v):
    if isinstance(v, bool):
        return int(v)
    if isinstance(v, Decimal):
        return float(v)
    return render_value(v) if isinstance(v, dt.date) else v


# ------------------------------------------------------------------ the evaluator

def compare(op, a, b):
    """A comparison of two values: null if one of them is null."""
    if a is None or b is None:
        return None
    if {type(a), type(b)} == {Decimal, float}:  # a decimal next to a float is a float
        a, b = float(a), float(b)
    if op == "==":
        return a == b
    if op == "!=":
        return a != b
    if SLIP == "< for <=" and op == "<=":
        op = "<"
    return {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op]


def add_months(day, n):
    """Months follow the calendar: if a month is too short, the result is its last day."""
    if SLIP == "a month is 30 days":
        return day + dt.timedelta(days=30 * n)
    m = day.year * 12 + day.month - 1 + n
    y, m = divmod(m, 12)
    return day.replace(year=y, month=m + 1, day=min(day.day, calendar.monthrange(y, m + 1)[1]))


def compute(op, a, b):
    """Arithmetic of two values: null if one of them is null."""
    if a is None or b is None:
        return None
    if isinstance(b, tuple):  # a duration
        n, unit = b[0] if op == "+" else -b[0], b[1]
        if unit in ("months", "years"):
            return add_months(a, n * (12 if unit == "years" else 1))
        step = dt.timedelta(**{unit: n})
        if unit in ("hours", "minutes", "seconds") and not isinstance(a, dt.datetime):
            a = dt.datetime(a.year, a.month, a.day)
        return a + step
    if isinstance(a, dt.date):
        return (a - b).days
    if isinstance(a, list):
        return a + b
    if op == "/":
        return float(a) / float(b)
    if isinstance(a, float) or isinstance(b, float):
        a, b = float(a), float(b)
    if op == "-" and SLIP == "a swapped pair":
        a, b = b, a
    return a + b if op == "+" else a - b if op == "-" else a * b


def round_half_away(x, places):
    d = Decimal(repr(x)) if isinstance(x, float) else Decimal(x)
    step = Decimal(1).scaleb(-places)
    return (abs(d) + step / 2).quantize(step, rounding="ROUND_DOWN").copy_sign(d) if d else Decimal(0).quantize(step)


def take_root(x):
    """The square root of an exact number as a float."""
    return float(Decimal(x.numerator).sqrt() / Decimal(x.denominator).sqrt())


def fold(f, xs, extra=()):
    """An aggregate of values without nulls."""
    n = len(xs)
    if f == "count":
        return n
    if f == "distinct_count":
        return len(set(xs))
    if f == "list":
        return xs[::-1] if SLIP == "a reversed list" else xs
    if n == 0:
        return None
    if f in ("sum", "avg"):
        s = xs[0]
        for x in xs[1:]:
            s = s + x
        if f == "sum":
            return s + 1 if SLIP == "a plus one in a sum" else s
        return s / n if isinstance(s, float) else float(Fraction(s) / n)
    if f == "min":
        return min(xs)
    if f == "max":
        return max(xs)
    if f in ("first", "last"):
        return xs[0 if f == "first" else -1]
    if f == "mode":
        seen = collections.Counter(xs)
        return min(x for x in seen if seen[x] == max(seen.values()))
    exact = sorted(Fraction(x) for x in xs)
    if f == "median":
        return float((exact[(n - 1) // 2] + exact[n // 2]) / 2)
    if f == "stdev":
        if n < 2:
            return None
        mean = sum(exact) / n
        return take_root(sum((x - mean) ** 2 for x in exact) / (n - 1))
    if f == "quantile":
        at = Fraction(extra[0]) * (n - 1)
        i = math.floor(at)
        return float(exact[i] + (exact[min(i + 1, n - 1)] - exact[i]) * (at - i))
    raise KeyError(f)


def fold_pairs(f, pairs):
    """A statistic of two columns, over the rows that have both."""
    xs, ys = [Fraction(a) for a, _ in pairs], [Fraction(b) for _, b in pairs]
    n = len(pairs)
    if n < 2 or len(set(xs)) == 1 or (f == "corr" and len(set(ys)) == 1):
        return None
    mx, my = sum(xs) / n, sum(ys) / n
    sxy = sum((a - mx) * (b - my) for a, b in zip(xs, ys))
    sxx = sum((a - mx) ** 2 for a in xs)
    if f == "slope":
        return float(sxy / sxx)
    if f == "intercept":
        return float(my - sxy / sxx * mx)
    r = take_root(sxy ** 2 / (sxx * sum((b - my) ** 2 for b in ys)))
    return r if sxy >= 0 else -r


FUNCTIONS = {
    "round": lambda x, n: round_half_away(x, n),
    "format": lambda x, n: f"{round_half_away(x, n):f}",
    "abs": abs,
    "mod": lambda a, b: a % b,
    "floor": math.floor,
    "ceil": math.ceil,
    "least": lambda a, b: a if a <= b else b,
    "greatest": lambda a, b: a if a >= b else b,
    "len": len,
    "upper": str.upper,
    "lower": str.lower,
    "title": lambda x: re.sub(r"(^|\s)(\S)", lambda m: m[1] + m[2].upper(), x),
    "trim": str.strip,
    "replace": str.replace,
    "slice": lambda x, a, b: x[max(a, 1) - 1:max(b, 0)],
    "pad_left": str.rjust,
    "split": str.split,
    "contains": lambda x, y: y in x,
    "starts_with": str.startswith,
    "ends_with": str.endswith,
    "weekday": lambda d: d.isoweekday(),
    "date": lambda d: d.date(),
    "days_between": lambda a, b: (b - a).days,
    "to_int": int,
    "to_decimal": lambda x, n: Decimal(x).quantize(Decimal(1).scaleb(-n)),
    "nth": lambda x, n: x[n - 1] if 1 <= n <= len(x) else None,
    "join": lambda x, y: y.join(map(render_value, x)),
    "lines": lambda x: "\n".join(map(render_value, x)),
    "sort": sorted,
    "reverse": lambda x: x[::-1],
    "dedupe": lambda x: list(dict.fromkeys(x)),
}


def call(f, a):
    """A function of values."""
    if a[0] is None:
        return None
    if f in ("year", "month", "day", "hour", "minute", "second"):
        return getattr(a[0], f)
    if f.startswith("of_"):  # an aggregate of a list
        return fold(f[3:], [x for x in a[0] if x is not None], a[1:])
    return FUNCTIONS[f](*a)


def evaluate(t, w, row=None):
    """The value of a tree in an instance, and in a row of a table."""
    return EVALUATE[t[0]](t, w, row)


def decide(t, w, row):
    """`and` and `or` of three values: null, unless one side decides."""
    a, b = evaluate(t[1], w, row), evaluate(t[2], w, row)
    decides = t[0] == "or"
    if a is decides or b is decides:
        return decides
    return None if a is None or b is None else not decides


def choose(t, w, row):
    """`if` and `coalesce`: one of two values. In a computed column, decimals have the places of the one that has more."""
    if t[0] == "if":
        one, other = (t[2], t[3]) if evaluate(t[1], w, row) is True else (t[3], t[2])
    else:
        one, other = t[2] if evaluate(t[2][0], w, row) is not None else t[2][::-1]
    v = evaluate(one, w, row)
    if not w.in_column or not isinstance(v, Decimal):
        return v
    try:
        places = evaluate(other, w, row)
    except (ArithmeticError, ValueError, IndexError):
        return v
    return v.quantize(places) if isinstance(places, Decimal) and places.as_tuple().exponent < v.as_tuple().exponent else v


def negate(t, w, row):
    v = evaluate(t[1], w, row)
    if v is None:
        return True if SLIP == "a dropped null rule" else None
    return not v


def find_in(t, w, row):
    v = evaluate(t[1], w, row)
    return None if v is None else (v in [evaluate(x, w, row) for x in t[2]]) == (t[0] == "in")


EVALUATE = {
    "mark": lambda t, w, row: evaluate(t[2], w, row),
    "int": lambda t, w, row: t[1],
    "text": lambda t, w, row: t[1],
    "bool": lambda t, w, row: t[1],
    "dec": lambda t, w, row: Decimal(t[1]),
    "date": lambda t, w, row: parse_value(t[1], "date"),
    "dt": lambda t, w, row: parse_value(t[1], "dt"),
    "dur": lambda t, w, row: (t[1], t[2]),
    "null": lambda t, w, row: None,
    "name": lambda t, w, row: w.read_name(t[1]),
    "col": lambda t, w, row: row[t[1]],
    "and": decide,
    "or": decide,
    "not": negate,
    "in": find_in,
    "notin": find_in,
    "isnull": lambda t, w, row: evaluate(t[1], w, row) is None,
    "notnull": lambda t, w, row: evaluate(t[1], w, row) is not None,
    "if": choose,
    "call": lambda t, w, row: choose(t, w, row) if t[1] == "coalesce" else call(t[1], [evaluate(x, w, row) for x in t[2]]),
    "str": lambda t, w, row: "".join(x if isinstance(x, str) else render_value(evaluate(x, w, row)) for x in t[1]),
    "list": lambda t, w, row: [evaluate(x, w, row) for x in t[1]],
    "obj": lambda t, w, row: {n: evaluate(x, w, row) for n, x in t[1]},
    "agg": lambda t, w, row: aggregate(t, w),
    "sql": lambda t, w, row: answer_query(t, w),
    "rowat": lambda t, w, row: w.read_table(t[2])[evaluate(t[4], w) - 1][t[3]],
    "file": lambda t, w, row: read_place(t, w),
    "jp": lambda t, w, row: answer_path(t, w),
    "xp": lambda t, w, row: answer_xpath(t, w),
    "edit": lambda t, w, row: edit_json(t, w),
    "changed": lambda t, w, row: count_changes(w.task["goals"][t[1]], w),
}
EVALUATE.update({k: lambda t, w, row: compare(t[0], evaluate(t[1], w, row), evaluate(t[2], w, row)) for k in COMPARE})
EVALUATE.update({k: lambda t, w, row: compute(t[0], evaluate(t[1], w, row), evaluate(t[2], w, row)) for k in "+-*/"})


def aggregate(t, w):
    _, f, table, exprs, where, extra = t
    f = f.removeprefix("csv_")
    rows = [r for r in w.read_table(table) if where is None or evaluate(where, w, r) is True]
    if not exprs:
        return len(rows)
    values = [[evaluate(e, w, r) for e in exprs] for r in rows]
    if f == "object":
        return {k: v for k, v in values}
    if len(exprs) == 2:
        return fold_pairs(f, [v for v in values if None not in v])
    xs = [v[0] for v in values]
    if SLIP == "nulls counted in a mean" and f == "avg":
        n = len(xs)
        s = fold("sum", [x for x in xs if x is not None])
        return None if s is None else float(s) / n
    return fold(f, [x for x in xs if x is not None], [evaluate(e, w) for e in extra])


def answer_query(t, w):
    node = t[1]
    names, rows = w.run_query(node)
    if node["as"] == "value":
        v = rows[0][0] if rows else None
        if node.get("also"):  # the same question as a tree
            other = evaluate(node["also"], w)
            if not (v is None and other is None) and not equal_values(v, other, collections.Counter()) and \
                    not (isinstance(other, Decimal) and math.isclose(float(other), float(v), abs_tol=1e-9)):
                raise AssertionError(f"SQL and tree differ: {v} and {other}")
            return other
        return v
    if node["as"] == "list":
        return [r[0] for r in rows]
    return {"columns": names, "rows": rows}


def read_place(t, w):
    """Functions of lines, words, and cells."""
    _, f, file, args = t
    args = [evaluate(x, w) for x in args]
    if f == "content":
        return w.read_text(file)
    if f == "file_line":
        return w.read_text(file).splitlines()[args[0] - 1]
    if f == "file_word":
        return w.read_text(file).split()[args[0] - 1]
    if f == "file_line_count":
        return len(w.read_text(file).splitlines())
    if f == "file_word_count":
        return len(w.read_text(file).split())
    if f == "csv_cell":
        return w.read_cells(file)[args[0] - 1][args[1] - 1] or ""
    return [x or "" for x in w.read_cells(file)[args[0] - 1]]  # csv_row


def test_json(t, o):
    """A filter of RFC 9535: comparisons are true or false, never null."""
    k = t[0]
    if k == "mark":
        return test_json(t[2], o)
    if k in ("and", "or"):
        a, b = test_json(t[1], o), test_json(t[2], o)
        return a and b if k == "and" else a or b
    if k == "not":
        return not test_json(t[1], o)
    a = o[t[1][1]]
    b = {"null": None}.get(t[2][0], t[2][-1])
    if t[2][0] == "dec":
        b = Decimal(b)
    same = a == b and isinstance(a, bool) == isinstance(b, bool)
    if k in ("==", "!="):
        return same == (k == "==")
    if SLIP == "a dropped null rule" and a is None:
        return True
    both = [isinstance(x, (int, Decimal)) and not isinstance(x, bool) for x in (a, b)] == [True] * 2 or isinstance(a, str) and isinstance(b, str)
    return bool(both and (a < b if k[0] == "<" else a > b)) or (len(k) == 2 and same)


def find_json(steps, o):
    """All places that the steps of a path lead to."""
    found = [o]
    for s in steps:
        if s[0] == "key":
            found = [x[s[1]] for x in found if isinstance(x, dict) and s[1] in x]
        elif s[0] == "at":
            found = [x[s[1]] for x in found if -len(x) <= s[1] < len(x)]
        elif s[0] == "all":
            found = [y for x in found for y in x]
        else:
            found = [y for x in found for y in x if test_json(s[1], y)]
    return found


def answer_path(t, w):
    _, f, file, steps, kind, places = t
    found = find_json(steps, w.read_json(file))
    if f == "count":
        return len(found[0]) if len(found) == 1 and isinstance(found[0], list) else len(found)
    if f == "count_where":
        return len(found)
    if f == "keys":
        return list(found[0])
    values = [parse_native(x, kind, places) for x in found]
    if f in ("value", "path"):
        return values[0] if values else None
    values = [x for x in values if x is not None]
    return fold({"collect": "list", "filter": "list"}.get(f, f), values)


def test_xml(t, e):
    """A predicate of XPath 1.0: a comparison is true if it is so for one of the nodes."""
    k = t[0]
    if k == "mark":
        return test_xml(t[2], e)
    if k in ("and", "or"):
        a, b = test_xml(t[1], e), test_xml(t[2], e)
        return a and b if k == "and" else a or b
    if k == "not":
        return not test_xml(t[1], e)
    c, b = t[1], t[2]
    nodes = [e.get(c[1])] if c[2] else [x.text for x in e.findall(c[1])]
    if b[0] == "text":
        return any((x == b[1]) == (k == "==") for x in nodes if x is not None)
    b = Fraction(b[1])
    return any(compare(k, Fraction(x), b) for x in nodes if x is not None)


def answer_xpath(t, w):
    _, f, file, element, test, leaf, kind, places = t
    found = [e for e in w.read_xml(file).findall(element) if test is None or test_xml(test, e)]
    if f == "count":
        return len(found)
    if f == "exists":
        return bool(found)
    texts = [e.get(leaf[1]) if leaf[2] else e.findtext(leaf[1]) for e in found]
    values = [parse_value(x, kind, places) for x in texts if x is not None]
    return fold("list" if f == "collect" else f, values)


def edit_json(t, w):
    """The content of a JSON file with another value at every place of a path."""
    _, file, steps, value = t
    o = json.loads(w.read_text(file), parse_float=Decimal)
    for place in find_json(steps[:-1], o):
        if steps[-1][1] in place:
            place[steps[-1][1]] = evaluate(value, w)
    return o


def count_rows(rows):
    return collections.Counter(tuple(r) for r in rows)


def count_changes(goal, w):
    before, after = w.run_statements(goal)
    n = 0
    for t in before:
        a, b = {r[0]: r for r in before[t]}, {r[0]: r for r in after[t]}
        n += sum(a.get(k) != b.get(k) for k in a.keys() | b.keys())
    return n


def write_suites(args):
    os.makedirs(args.out, exist_ok=True)
    for i in range(args.count):
        name = f"s{i:05}"
        text, desc = Writer(random.Random(f"{args.seed}/{i}"), name).write()
        with open(f"{args.out}/{name}.pcd", "w", encoding="utf-8") as f:
            f.write(text)
        with open(f"{args.out}/{name}.desc", "w", encoding="utf-8") as f:
            json.dump(desc, f)


# ------------------------------------------------------------------ judging

def run(command):
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def read_bundle(out, desc):
    """The instances of a bundle, each with its world."""
    with open(f"{out}/instances.jsonl", encoding="utf-8") as f:
        for line in f:
            inst = json.loads(line)
            meta = inst["metadata"]["picard"]
            task = desc["tasks"][meta["task"]]
            variant = next(v for v in task["variants"] if v["name"] == meta["variant"])
            yield inst, meta, variant, World(task, variant, meta, {p: f"{out}/{q}" for p, q in inst["files"].items()})


def compare_expect(got, spec, w, notes):
    """None if the key of an expectation is right, else what is wrong."""
    if spec["form"] == "database":
        before, after = w.run_statements(w.task["goals"][spec["goal"]])
        said = {t["name"]: t for t in got["value"]["tables"]}
        for t in before:
            gone, new = count_rows(before[t]) - count_rows(after[t]), count_rows(after[t]) - count_rows(before[t])
            told = said.get(t, {"added": [], "removed": []})
            for a, b in ((told["removed"], gone), (told["added"], new)):
                if not equal_bags([parse_key(r) for r in a], [list(r) for r in b.elements()], notes):
                    return f"table {t}: {a} told, {sorted(b.elements(), key=str)} here"
        return None
    key, mine = parse_key(got["value"]), evaluate(spec["tree"], w)
    unplaced = [t for t, x in w.task["tables"].items() if x["kind"] in ("view", "result") and any(c["t"] == "dec" and c.get("places") is None for c in x["cols"])]
    if any(f"'{t}'" in str(spec["tree"]) for t in unplaced):  # a view of a computed column: its places are in no file
        key, mine = drop_places(key), drop_places(mine)
    loose = spec["form"] in ("rows", "list") and not (got.get("options", {}).get("") or {}).get("ordered")
    if loose and isinstance(mine, dict):
        if isinstance(key, dict) and "rows" in key and key["columns"] == mine["columns"] and equal_bags(key["rows"], mine["rows"], notes):
            return None
    elif loose and isinstance(mine, list) and isinstance(key, list):
        if equal_bags(key, mine, notes):
            return None
    elif equal_values(key, mine, notes):
        return None
    return f"{show(key)} told, {show(mine)} here"


def drop_places(v):
    """A value with its decimals normalized."""
    if isinstance(v, dict):
        return {k: drop_places(x) for k, x in v.items()}
    return [drop_places(x) for x in v] if isinstance(v, list) else v.normalize() + 0 if isinstance(v, Decimal) else v


def drop_zeros(value):
    """A value with decimals that are equal written alike: 0.0 is 0.00."""
    if isinstance(value, Decimal):
        return Decimal(0) if value == 0 else value.normalize()
    return [drop_zeros(item) for item in value] if isinstance(value, list) else value


def show(v):
    return json.dumps(v, default=render_value)[:600]


def list_fields(got, spec):
    """One expectation as several keys: the fields of a JSON object."""
    tree = spec.get("tree")
    if spec["form"] == "json" and tree and tree[0] == "obj" and isinstance(got.get("value"), dict):
        value = got["value"].get("object", got["value"])
        if [k for k, _ in tree[1]] == list(value):
            return [(dict(got, value=value[k]), dict(spec, tree=t)) for k, t in tree[1]]
    return [(got, spec)]


def check_keys(out, desc, result):
    """Recompute every key and every computed cell of a bundle."""
    notes = result["notes"]
    for inst, meta, variant, w in read_bundle(out, desc):
        result["instances"] += 1
        if len(meta["expect"]) != len(variant["expects"]):
            result["wrong"].append([inst["id"], "expects", "another number of expectations"])
            continue
        for i, (got, spec) in enumerate(zip(meta["expect"], variant["expects"])):
            for j, (g, s) in enumerate(list_fields(got, spec)):
                result["keys"] += 1
                result["forms"][s["form"]] += 1
                try:
                    bad = compare_expect(g, s, w, notes)
                except Exception as e:  # the evaluator failed: as bad as a wrong key
                    bad = f"evaluator: {type(e).__name__}: {e}"
                if bad:
                    result["wrong"].append([inst["id"], f"{i}.{j}", bad])
        for t, spec in w.task["tables"].items():
            if spec.get("from"):  # a file of another table's rows
                src = spec["from"]
                rows = [r for r in w.read_table(src["table"]) if src["where"] is None or evaluate(src["where"], w, r) is True]
                if src["by"]:
                    rows = sorted(rows, key=lambda r: (r[src["by"]] is not None, r[src["by"]] if r[src["by"]] is not None else 0), reverse=src["desc"])
                mine = [[w.compute_cell({"expr": c["src"]}, r) for c in spec["cols"]] for r in rows]
                result["cells"] += sum(map(len, mine))
                read = [[render_value(x) if isinstance(x, dt.date) else x for x in r.values()] for r in w.read_table(t)]
                if not equal_values(read, mine, notes):
                    result["wrong"].append([inst["id"], t, f"{show(read)[:250]} written, {show(mine)[:250]} here"])
            for c in spec["cols"]:
                if c.get("expr") and not c.get("helper"):
                    for n, row in enumerate(w.read_table(t)):
                        result["cells"] += 1
                        mine = w.compute_cell(c, row)
                        if not equal_values(row[c["n"]] if not isinstance(row[c["n"]], dt.date) else render_value(row[c["n"]]), mine, notes):
                            result["wrong"].append([inst["id"], f"{t} row {n + 1} {c['n']}", f"{show(row[c['n']])} written, {show(mine)} here"])
        for f, spec in w.task["files"].items():
            if spec.get("content"):
                result["cells"] += 1
                if w.read_text(f) != evaluate(spec["content"], w):
                    result["wrong"].append([inst["id"], f, "other content"])


# Claims about values, and what must be so in the built data. Other lints judge wording or likelihood.

def group_cells(instances):
    """Instances by variant and cell of the axes."""
    groups = collections.defaultdict(list)
    for x in instances:
        groups[x[1]["task"], x[1]["variant"], json.dumps(x[1]["axis"])].append(x)
    return groups


CONDITIONS = ("where", "row", "scalar", "filter", "predicate", "sql")


def find_marks(desc, d, ctx):
    """The marks at the places of a diagnostic: its own, then those of its labels."""
    found = []
    for x in [d] + d["labels"]:
        at = [x["line"], x["column"], x["end_line"], x["end_column"]]
        found += [m for m in desc["spans"] if m["span"] == at and m["ctx"] in ctx and m not in found]
    return found


def find_around(desc, d, kinds):
    """The smallest marked condition of these kinds around a diagnostic."""
    found = [m for m in desc["spans"] if m["span"][0] == d["line"] and m["span"][1] <= d["column"] and d["end_column"] <= m["span"][3] and m["tree"][0] in kinds]
    return min(found, key=lambda m: m["span"][3] - m["span"][1], default=None)


def try_condition(m, tree, instances):
    """What a condition gave: in each row of its table, or once in each instance."""
    for inst, meta, variant, w in instances:
        if meta["task"] != m["task"] or (m["variant"] and m["variant"] != meta["variant"]):
            continue
        if m["ctx"] == "sql" or "'raw'" in str(tree):
            text = tree if m["ctx"] == "sql" else f"SELECT {write_sql(tree, w.task)} FROM {w.task['tables'][m['table']]['sql']}"
            binds = {p: bind_value(w.read_name(p)) for p in re.findall(r":([va]\d+)", text)}
            for row in w.connect().execute(strip_marks(text), binds):
                yield inst["id"], None if row[0] is None else bool(row[0])
        elif m["ctx"] in ("where", "row") and m["table"]:
            for row in w.read_table(m["table"]):
                yield inst["id"], evaluate(tree, w, row)
        elif m["ctx"] == "filter":
            spec = w.task["tables"][m["table"]]
            for o in w.read_json(spec["file"])[spec["key"]]:
                yield inst["id"], test_json(tree, o)
        elif m["ctx"] == "predicate":
            spec = w.task["tables"][m["table"]]
            for e in w.read_xml(spec["file"]).findall(spec["key"]):
                yield inst["id"], test_xml(tree, e)
        else:
            yield inst["id"], evaluate(tree, w)


def test_condition(d, desc, instances):
    """W0401, W0402, W0404: a condition that is never or always true."""
    words = " ".join([d["message"]] + [x["message"] for x in d["labels"]])
    never = d["code"] == "W0401" or (d["code"] == "W0404" and "never" in words)
    marks = find_marks(desc, d, CONDITIONS)
    single = re.search(r"is never (['\"]?)([^'\"`]+?)\1$", d["message"]) if d["code"] == "W0401" else None
    if d["message"].startswith("the compared value"):
        m = find_around(desc, d, COMPARE)
        if not m:
            return None
        tree = m["tree"]
    elif single and single[2] not in ("true", "null"):  # an item of a list
        m = find_around(desc, d, ("in", "notin"))
        items = [x for x in m["tree"][2] if str(x[1]) == single[2].replace("_", "")] if m else []
        if not items:
            return None
        tree = ["==", m["tree"][1], items[0]]
    elif re.search(r"^(no|every) row meets (both )?`.*` (or|and) `|^never both|^one of .* always holds", d["message"]):
        if len(marks) < 2 or "sql" in (marks[0]["ctx"], marks[1]["ctx"]):
            return None
        m, tree = marks[0], ["and" if never else "or", marks[0]["tree"], marks[1]["tree"]]
    elif marks:
        m, tree = marks[0], marks[0]["tree"]
    else:
        return None
    cell = re.search(r"where `(\w+)` is (.+)$", d["message"])
    if cell:  # said of one cell of an axis
        instances = [x for x in instances if x[1]["task"] == m["task"] and str(x[1]["axis"].get(cell[1])) == cell[2].strip('"').replace("_", "")]
    for where, got in try_condition(m, tree, instances):
        if never and got is True:
            return False, f"{where}: it is true"
        if not never and got is not True and not (got is None and "is not null" in d["message"]):
            return False, f"{where}: it is {got}"
    return True


def hash_files(w):
    return {p: hashlib.sha256(open(f, "rb").read()).hexdigest() for p, f in w.files.items()}


def test_claim(d, desc, instances, lines):
    """Whether what a diagnostic says is so in the built data: True, or False and why, or None if it says nothing that the data can refute."""
    code = d["code"]
    if code in ("W0401", "W0402", "W0404"):
        return test_condition(d, desc, instances)
    if code == "W0405":  # a row with the divisor 0, and the build did not stop
        for m in find_marks(desc, d, ("divisor",))[:1]:
            zero = next((x[0] for x in try_condition(dict(m, ctx="where"), ["==", m["tree"], ["int", 0]], instances) if x[1]), None)
            return (False, f"{zero}: it is 0 in a row, and the build does not stop") if zero else None
        return None
    if code == "W0533":
        marks = find_marks(desc, d, ("sql",))
        bad = [x for m in marks[:1] for x in try_condition(m, m["tree"].replace("SELECT ", "SELECT 0 > ", 1), instances) if x[1] is False]
        return None if not marks else True if not bad else (False, f"{bad[0][0]}: not negative")
    if code == "W0301":
        marks = find_marks(desc, d, ("value",)) or [m for m in desc["spans"] if m["ctx"] == "value" and m["span"][0] == d["line"] and m["span"][1] <= d["column"] <= m["span"][3]]
        if not marks:
            return None
        m = marks[0]
        of_cell = re.match(r"in cell `(.*)` of axis `(\w+)`, ", d["message"])
        for key, group in group_cells(instances).items():
            if of_cell and render_value(json.loads(key[2]).get(of_cell[2])) != of_cell[1]:
                continue
            if key[0] == m["task"] and m["variant"] in (None, key[1]):
                got = {show(drop_zeros(evaluate(m["tree"], w))) for _, _, _, w in group}
                if len(got) > 1:
                    return False, f"{key}: {sorted(got)[:2]}"
        return True
    wide = re.match(r"`(rounded|within) ([\d.]+)` accepts (-?[\d.]+) in every sample", d["message"])
    if code == "W0320" and wide:
        m = next((m for m in desc["spans"] if m["ctx"] == "value" and m["span"][2] == d["line"] and m["span"][3] <= d["end_column"] + 1 and m["span"][1] <= d["column"] + 60), None)
        room = Decimal(1).scaleb(-int(wide[2])) / 2 if wide[1] == "rounded" else Decimal(wide[2])
        for inst, meta, _, w in instances:
            if m and meta["task"] == m["task"] and m["variant"] in (None, meta["variant"]) and abs(Fraction(evaluate(m["tree"], w)) - Fraction(wide[3])) > room:
                return False, f"{inst['id']}: {evaluate(m['tree'], w)}"
        return True if m else None
    name = re.search(r"`(\w+)`", d["message"])
    task = next((desc["tasks"][n] for n in desc["tasks"] for k, l in enumerate(lines) if l.startswith(f"task {n} ") and k < d["line"] and not any(x.startswith("task ") for x in lines[k + 1:d["line"]])), None)
    if code == "W0101" and name and not re.fullmatch(r"a\d+", name[1]):
        a = next(k for k, l in enumerate(lines) if l.startswith(f"task {task['name']} "))
        b = next((k for k in range(a + 1, len(lines)) if lines[k].startswith("task ")), len(lines))
        uses = [x for x in range(a, b) if re.search(rf"\b{name[1]}\b", lines[x]) and x != d["line"] - 1]
        unused = [x for x in uses if not re.match(r"\s+\w+ = ", lines[x])]  # one that only unused names read is unused, too
        return True if not unused else (False, f"used in line {unused[0] + 1}")
    if code in ("W0101", "W0431") and name:
        groups = group_cells([x for x in instances if x[1]["task"] == task["name"]])
        for key, g in groups.items():
            for other, h in groups.items():
                a, b = json.loads(key[2]), json.loads(other[2])
                if key[:2] == other[:2] and name[1] in a and a != b and {k: v for k, v in a.items() if k != name[1]} == {k: v for k, v in b.items() if k != name[1]}:
                    for x, y in zip(g, h):
                        if hash_files(x[3]) != hash_files(y[3]) or x[1]["expect"] != y[1]["expect"]:
                            return False, f"{x[0]['id']} and {y[0]['id']} differ in files or keys"
        return True
    if code == "W0432":
        m = re.match(r"\s*(\w+) :", lines[d["line"] - 1])
        for _, meta, _, w in instances:
            for t, spec in w.task["tables"].items():
                if m and meta["task"] == task["name"] and m[1] in [c["n"] for c in spec["cols"]] and len({show(r[m[1]]) for r in w.read_table(t)}) > 1:
                    return False, f"{m[1]} has several values"
        return True
    if code == "W0325" and ("never" in d["message"] or "no row" in d["message"]):
        for g, goal in task["goals"].items():
            for i, s in enumerate(goal["statements"]):
                here = lines[d["line"] - 1]
                start = here.find(strip_marks(s)) + 1
                if here.startswith(f"  {g} = ") and start <= d["column"] < start + len(strip_marks(s)):
                    for inst, meta, _, w in instances:
                        if meta["task"] == task["name"] and w.run_statements(goal)[1] != w.run_statements(dict(goal, skip=i))[1]:
                            return False, f"{inst['id']}: without statement {i + 1}, the state is another"
                    return True
    return None


def judge_suite(path, args, desc=None, keep=False):
    """Check, build, and judge one suite."""
    name = os.path.basename(path)[:-4]
    if desc is None:
        with open(path[:-4] + ".desc", encoding="utf-8") as f:
            desc = json.load(f)
    result = {"suite": name, "instances": 0, "keys": 0, "cells": 0, "wrong": [], "forms": collections.Counter(), "notes": collections.Counter(),
              "codes": collections.Counter(), "claims": collections.Counter(), "untested": collections.Counter(), "false": [], "refused": [], "risks": collections.Counter(), "stopped": None, "end": None}
    got = run([args.picardc, "check", path, "--format", "json"])
    diags = [json.loads(x) for x in got.stdout.splitlines()]
    if got.returncode not in (0, 1) or "panicked" in got.stderr:
        result["refused"].append(["panic", got.stderr[-500:]])
        return result
    end = getattr(args, "say", None) or run([args.picardc, "check", path, "--no-draw"]).stderr.strip().splitlines()[-1]
    result["end"] = re.sub(r"\d+ ", "N ", end.split(";")[0])[:60]
    result["codes"].update(d["code"] for d in diags)
    errors = [d for d in diags if d["severity"] == "error"]
    lines = open(path, encoding="utf-8").read().splitlines()
    if any(not d.get("observed") for d in errors):
        result["refused"] = [[d["code"], f"{d['line']}:{d['column']} {d['message']}"] for d in errors]
        return result
    out = path[:-4] + ".out"
    shutil.rmtree(out, ignore_errors=True)
    got = run([args.picardc, "build", path, "-o", out, "--seed", args.seed, "--samples", str(args.samples), "--threads", "1", "--quiet"])
    if got.returncode:
        result["stopped"] = " ".join(got.stderr.split())[:400]
        if "panicked" in got.stderr:
            result["refused"].append(["panic", got.stderr[-500:]])
        if end.startswith(PROVED):
            result["false"].append(["the build cannot stop", 0, result["stopped"]])
        told = {d["code"] for d in diags} & {"W0401", "W0403", "W0404", "W0405", "W0420", "W0421", "W0422", "W0423", "W0424"}
        result["risks"]["told, and stops" if told or errors else "stops, and nothing was told"] += 1
        if end.startswith(PROVED):
            result["claims"]["the build cannot stop"] += 1
        return result
    risks = {d["code"] for d in diags} & {"W0403", "W0405", "W0420", "W0421", "W0422", "W0423", "W0424"}
    if end.startswith(PROVED) or risks:  # many more samples: does it stop?
        more = run([args.picardc, "build", path, "-o", out + "2", "--seed", args.seed + "x", "--samples", "60" if risks else "40", "--threads", "1", "--quiet", "--force"])
        shutil.rmtree(out + "2", ignore_errors=True)
        if risks:
            result["risks"]["told, and stops" if more.returncode else "told, and does not stop in 60 samples"] += 1
            if not more.returncode:
                result["quiet"] = [f"{d['code']} {d['line']}:{d['column']} {d['message']}" for d in diags if d["code"] in risks]
        else:
            result["claims"]["the build cannot stop"] += 1
            if more.returncode:
                result["false"].append(["the build cannot stop", 0, " ".join(more.stderr.split())[:400]])
    check_keys(out, desc, result)
    instances = list(read_bundle(out, desc))
    for d in errors:  # a drawn sample that stops: it must stop in a build, too
        o = d["observed"]
        result["claims"][f"{d['code']} seen in a drawn sample"] += 1
        if d["code"].startswith("E090"):
            again = run([args.picardc, "build", path, "-o", out + "2", "--seed", str(o["seed"]), "--samples", str(o["sample"]), "--task", o["task"], "--force", "--quiet"])
            shutil.rmtree(out + "2", ignore_errors=True)
            if again.returncode == 0:
                result["false"].append([d["code"], d["line"], "the build with this seed does not stop"])
    for d in diags:
        if d["severity"] != "error":
            try:
                verdict = test_claim(d, desc, instances, lines)
            except ZeroDivisionError:
                verdict = None
            if verdict is None:
                result["untested"][d["code"]] += 1
            else:
                result["claims"][d["code"]] += 1
                if verdict is not True:
                    result["false"].append([d["code"], f"{d['line']}:{d['column']}", f"{d['message']} | {verdict[1]}"])
    if not keep:
        shutil.rmtree(out, ignore_errors=True)
    return result


def judge(args):
    """Judge all suites of a folder, and write results.jsonl."""
    def judge_one(path):
        try:
            return judge_suite(path, args, keep=args.keep)
        except Exception as e:
            if args.debug:
                raise
            return {"suite": os.path.basename(path)[:-4], "crash": f"{type(e).__name__}: {e}"}

    with open(f"{args.dir}/results.jsonl", "w", encoding="utf-8") as f, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for r in pool.map(judge_one, sorted(glob.glob(f"{args.dir}/*.pcd"))):
            f.write(json.dumps(r) + "\n")
            f.flush()


def print_table(args):
    """A summary of results.jsonl."""
    rows = [json.loads(x) for x in open(f"{args.dir}/results.jsonl", encoding="utf-8")]
    good = [r for r in rows if "crash" not in r]
    total = lambda k: sum((collections.Counter(r[k]) for r in good), collections.Counter())
    built = [r for r in good if r["instances"]]
    print(f"suites                 {len(rows)}")
    print(f"  refused by check     {sum(bool(r['refused']) for r in good)}  {dict(collections.Counter(r['refused'][0][0] for r in good if r['refused']))}")
    print(f"  builds that stopped  {sum(bool(r['stopped']) for r in good)}  {dict(collections.Counter(r['stopped'].split()[0] for r in good if r['stopped']))}")
    print(f"  judge failed         {len(rows) - len(good)}")
    print(f"  built and judged     {len(built)}")
    print(f"instances              {sum(r['instances'] for r in built)}")
    print(f"keys compared          {sum(r['keys'] for r in built)}  {dict(total('forms'))}")
    print(f"computed cells         {sum(r['cells'] for r in built)}")
    print(f"wrong keys or cells    {sum(len(r['wrong']) for r in built)} in {sum(bool(r['wrong']) for r in built)} suites")
    print(f"floats                 {dict(total('notes'))}")
    print(f"claims tested          {dict(sorted(total('claims').items()))}")
    print(f"false alarms           {sum(len(r['false']) for r in good)}  {dict(collections.Counter(x[0] for r in good for x in r['false']))}")
    print(f"can stop               {dict(sorted(total('risks').items()))}")
    print(f"said at the end        {dict(collections.Counter(r['end'] for r in good))}")
    print(f"not tested             {dict(sorted(total('untested').items()))}")
    for r in rows:
        for kind in ("crash", "refused", "stopped", "wrong", "false", "quiet"):
            if args.all and r.get(kind):
                v = r[kind]
                for x in (v[:3] if isinstance(v, list) else [v]):
                    print(f"{r['suite']} {kind}: {x if isinstance(x, str) else ' '.join(map(str, x))}"[:700])


SLIPS = ["a plus one in a sum", "< for <=", "a swapped pair", "a dropped null rule", "nulls counted in a mean", "a reversed list", "a row too few in SQL",
         "the last statement left out", "a month is 30 days"]


def self_test(args):
    """Judge built suites with deliberate mistakes: each must show as wrong keys."""
    global SLIP
    args.count, args.seed = 150, "self-test"
    write_suites(args)
    built = []
    for p in sorted(glob.glob(f"{args.out}/*.pcd")):
        if not judge_suite(p, args, keep=True)["wrong"] and os.path.exists(p[:-4] + ".out"):
            built.append(p)
    print(f"{len(built)} suites without a wrong key")
    bad = 0
    for SLIP in SLIPS:
        seen = 0
        for p in built:
            result = {"instances": 0, "keys": 0, "cells": 0, "wrong": [], "forms": collections.Counter(), "notes": collections.Counter()}
            check_keys(p[:-4] + ".out", json.load(open(p[:-4] + ".desc", encoding="utf-8")), result)
            seen += len(result["wrong"])
        print(f"{SLIP}: {seen} wrong keys or cells")
        bad += seen == 0
    SLIP = None
    seen = collections.Counter({k: 0 for k in ("W0301", "W0401", "W0402", "W0431", "W0432", "W0101", "the build cannot stop")})
    for p in built:  # claims that are not true must be seen as false
        desc = json.load(open(p[:-4] + ".desc", encoding="utf-8"))
        lines = open(p, encoding="utf-8").read().splitlines()
        instances = list(read_bundle(p[:-4] + ".out", desc))
        said = [json.loads(x) for x in run([args.picardc, "check", p, "--format", "json"]).stdout.splitlines()]
        for d in [dict(d, code="W0401" if d["code"] == "W0402" else "W0402") for d in said if d["code"] in ("W0401", "W0402")] + make_claims(desc, lines):
            verdict = test_claim(d, desc, instances, lines)
            seen[d["code"]] += verdict is not None and verdict is not True
    for p in glob.glob(f"{args.out}/*.pcd"):
        if p not in built and seen["the build cannot stop"] < 3:
            args.say = "the build cannot stop"
            seen["the build cannot stop"] += len([x for x in judge_suite(p, args)["false"] if x[0] == args.say])
    print("false claims seen as false:", dict(seen))
    sys.exit(bad > 0 or min(seen.values()) == 0)


def make_claims(desc, lines):
    """Diagnostics that mostly are not true: values that are constant, columns with one value, names that nothing uses."""
    claims = [("W0301", "", m["span"]) for m in desc["spans"] if m["ctx"] == "value"]
    for i, line in enumerate(lines, 1):
        column, drawn, axis = re.match(r"\s+([CDkx]\d+) : ", line), re.match(r"  (v\d+) : ", line), re.match(r"  axis (a\d+)", line)
        found = column and ("W0432", "") or drawn and ("W0101", f"`{drawn[1]}` is drawn but never used") or axis and ("W0431", f"axis `{axis[1]}` only changes the prompt")
        if found:
            claims.append((*found, [i, 1, i, 1]))
    return [{"code": c, "message": m, "labels": [], "line": s[0], "column": s[1], "end_line": s[2], "end_column": s[3]} for c, m, s in claims]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    sub = parser.add_subparsers(dest="what", required=True)
    p = sub.add_parser("write")
    p.add_argument("--count", type=int, default=100)
    p.add_argument("--seed", default="1")
    p.add_argument("--out", required=True)
    p = sub.add_parser("judge")
    p.add_argument("dir")
    p.add_argument("--picardc", default="picardc")
    p.add_argument("--samples", type=int, default=3)
    p.add_argument("--seed", default="7")
    p.add_argument("--jobs", type=int, default=1)
    p.add_argument("--keep", action="store_true")
    p.add_argument("--debug", action="store_true")
    p = sub.add_parser("table")
    p.add_argument("dir")
    p.add_argument("--all", action="store_true")
    p = sub.add_parser("self-test")
    p.add_argument("--picardc", default="picardc")
    p.add_argument("--samples", type=int, default=3)
    p.add_argument("--out", required=True)
    args = parser.parse_args(["self-test" if x == "--self-test" else x for x in sys.argv[1:]])
    {"write": write_suites, "judge": judge, "table": print_table, "self-test": self_test}[args.what](args)


if __name__ == "__main__":
    main()
