"""Recomputes what the suites in tests/differential/ expect, from the written files and the draws, knowing only the manual.

    python3 differential.py BUNDLE

Every key of an expected object is recomputed by its name. Ints, decimals (with their places), texts, truths, days and moments must be the same; so must
means of ints and decimals, which are exact sums rounded once. Other floats may differ by 1e-12 of the greatest number that went into them.
Prints `N of N agree`, values counted; exits 1 on any disagreement.
"""

import collections
import csv
import datetime
import decimal
import fractions
import io
import math
import re
import sqlite3
import sys
import tempfile
import pathlib

import bundle

decimal.getcontext().prec = 80
Decimal = decimal.Decimal
Fraction = fractions.Fraction
DAY = datetime.timedelta(days=1)


# What is written


class Near:
    """A float that may differ a little."""

    def __init__(self, value, size=0.0):
        self.value = float(value)
        self.off = 1e-12 * max(abs(self.value), float(size))

    def __repr__(self):
        return f"about {self.value!r}"


def cells(text, comma=","):
    """Rows of cells: a text, or None where nothing at all is written. Python's csv must read the same texts."""
    rows, row, at = [], [], 0
    while at < len(text):
        if text[at] == '"':
            match = re.compile(r'"((?:[^"]|"")*)"').match(text, at)
            cell = match[1].replace('""', '"')
        else:
            match = re.compile(f'[^{comma}"\n]*').match(text, at)
            cell = match[0] or None
        row.append(cell)
        at = match.end()
        mark = text[at:at + 1]
        at += 1
        if mark == "\n":
            rows.append(row)
            row = []
        elif mark != comma:
            raise bundle.Disagreement(f"{mark!r} behind a cell")
        elif at == len(text) or text[at] == "\n":
            rows.append([*row, None])
            row = []
            at += 1
    if row:
        raise bundle.Disagreement("the last line has no end")
    plain = [[cell or "" for cell in row] for row in rows]
    bundle.agree("cells", list(csv.reader(io.StringIO(text, newline=""), delimiter=comma, strict=True)), plain)
    return rows


def moment(text):
    return datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S")


def truth(text):
    return {"true": True, "false": False}[text]


def table(it, path, types, comma=","):
    """The rows of a CSV file, typed; the header must be just these columns."""
    header, *rows = cells(it.text(path), comma)
    bundle.agree("header", list(types), header)
    if any(len(row) != len(header) for row in rows):
        raise bundle.Disagreement("a row is not as wide as the header")
    return [{name: None if cell is None else types[name](cell) for name, cell in zip(header, row)} for row in rows]


def places(count):
    """A REAL back to the decimal that was drawn."""
    return lambda number: Decimal(repr(number)).quantize(Decimal(1).scaleb(-count))


date = datetime.date.fromisoformat


def typed(rows, types):
    return [{name: None if value is None else types.get(name, lambda x: x)(value) for name, value in row.items()} for row in rows]


def drawn(value):
    """A value of `draws`; days stay texts."""
    if isinstance(value, dict):
        return Decimal(value["decimal"]) if "decimal" in value else int(value["int"])
    return value


def stated(value):
    """How a bundle states a value."""
    if isinstance(value, bool) or value is None or isinstance(value, (float, str, Near)):
        return value
    if isinstance(value, int):
        return value if abs(value) <= 2**53 else {"int": str(value)}
    if isinstance(value, Decimal):
        return {"decimal": f"{value:f}"}
    if isinstance(value, datetime.datetime):
        return value.strftime("%Y-%m-%dT%H:%M:%S")
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, list):
        return [stated(item) for item in value]
    if isinstance(value, dict):
        return {key: stated(item) for key, item in value.items()}
    raise TypeError(value)


def same(ours, theirs):
    if isinstance(ours, Near):
        return type(theirs) is float and abs(theirs - ours.value) <= ours.off
    if type(ours) is not type(theirs):
        return False
    if isinstance(ours, dict):
        return list(ours) == list(theirs) and all(same(ours[key], theirs[key]) for key in ours)
    if isinstance(ours, list):
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    return ours == theirs


def rendered(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(map(rendered, value))
    said = stated(value)
    return said.get("decimal", said.get("int")) if isinstance(said, dict) else said if isinstance(said, str) else repr(said)


def otherwise(value, other):
    return other if value is None else value


# Functions


def mean(values):
    exact = sum(map(Fraction, values)) / len(values)
    if any(isinstance(value, float) for value in values):
        return Near(exact, max(map(abs, values)))
    return float(exact)


def total(values):
    result = values[0]
    for value in values[1:]:
        result += value
    return result


def pstdev(values):
    return stdev(values, 0)


def stdev(values, less=1):
    if len(values) <= less:
        return None
    middle = sum(map(Fraction, values)) / len(values)
    square = sum((Fraction(value) - middle) ** 2 for value in values) / (len(values) - less)
    return Near((Decimal(square.numerator) / Decimal(square.denominator)).sqrt(), max(abs(float(value)) for value in values))


def median(values):
    ordered = sorted(values)
    return mean([ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]])


def mode(values):
    counts = collections.Counter(values)
    most = max(counts.values())
    return min(value for value, count in counts.items() if count == most)


AGGREGATES = {
    "count": len,
    "sum": total,
    "avg": mean,
    "min": min,
    "max": max,
    "median": median,
    "stdev": stdev,
    "pstdev": pstdev,
    "mode": mode,
    "first": lambda values: values[0],
    "last": lambda values: values[-1],
    "distinct": lambda values: len(set(values)),
    "list": list,
}


def aggregate(name, rows, column, where=lambda row: True, empty=None):
    """Over the values that are not null; `empty` where there is none."""
    values = [row[column] for row in rows if where(row) and row[column] is not None]
    if not values and name not in ("count", "distinct", "list"):
        return empty
    return otherwise(AGGREGATES[name](values), empty)


def rounded(number, count):
    """Half away from zero; of a float, the shortest decimal form."""
    exact = Decimal(repr(number)) if isinstance(number, float) else Decimal(number)
    result = exact.quantize(Decimal(1).scaleb(-count), decimal.ROUND_HALF_UP)
    return abs(result) if result == 0 else result


def add_months(day, months):
    at = day.year * 12 + day.month - 1 + months
    year, month = divmod(at, 12)
    last = (datetime.date(year + (month == 11), (month + 1) % 12 + 1, 1) - DAY).day
    return day.replace(year=year, month=month + 1, day=min(day.day, last))


def lines_of(text):
    lines = re.split("\r\n|\n|\r", text)
    return lines[:-1] if lines[-1] == "" else lines


def tree(paths):
    top = {}
    for path in paths:
        folder = top
        *above, name = re.findall("[^/]+/?", path)
        for part in above:
            folder = folder.setdefault(part, {})
        folder.setdefault(name, {})

    def draw(folder, before):
        lines = []
        for at, name in enumerate(sorted(folder)):
            last = at == len(folder) - 1
            lines.append(before + ("└── " if last else "├── ") + name)
            lines += draw(folder[name], before + ("    " if last else "│   "))
        return lines

    return "\n".join(draw(top, ""))


# aggregates.pcd


OF_CSV = {
    "I": int, "IB": int, "BIG": int, "D": Decimal, "DB": Decimal, "W": Decimal, "F": float, "C": str, "TX": str, "TB": str,
    "DT": date, "DTB": date, "AT": moment, "B": truth,
}

EMPTY = {
    int: -1, Decimal: {"D": Decimal("-1.00"), "DB": Decimal("-1.000"), "W": Decimal("-1.000000")}, float: -1.0, str: "none",
    date: datetime.date(1999, 12, 31), moment: datetime.datetime(1999, 12, 31), truth: False,
}


def known(comparison, *values):
    """Of three values: None where one of those compared is."""
    return None if None in values else comparison()


def no(a):
    return None if a is None else not a


def both(a, b):
    return False if a is False or b is False else None if a is None or b is None else True


def either(a, b):
    return no(both(no(a), no(b)))


def conditions(x):
    """As in tests/differential.rs, by the same names."""
    k, c, d, day, y, m, n = (drawn(x[name]) for name in ("k", "c", "d", "day", "y", "m", "n"))
    return {
        "w1": lambda r: r["I"] > k,
        "w2": lambda r: r["C"] == c and r["DT"] >= date(day),
        "w3": lambda r: r["TB"] is not None,
        "w4": lambda r: r["IB"] is not None and r["IB"] > k,
        "w5": lambda r: r["IB"] is not None and not r["IB"] > k,
        "w6": lambda r: r["D"] < d or r["IB"] is None,
        "w7": lambda r: r["C"] in (c, "beta"),
        "w8": lambda r: r["I"] > 10 and r["I"] < -10,
        "w9": lambda r: "a" in r["TX"] and r["DT"].year == y,
        "w10": lambda r: r["DT"].isoweekday() <= 5 and r["DT"].month >= m,
        "w11": lambda r: r["TX"].startswith("Z") or r["TX"].endswith("n") or len(r["TX"]) > n,
        "w12": lambda r: r["I"] % 3 == 1 and abs(r["D"]) > Decimal("2.50"),
        "w13": lambda r: r["F"] > 0.5,
        "w14": lambda r: r["C"] not in ("alpha", "gamma") and r["B"],
        "w15": lambda r: otherwise(r["IB"], 0) * 2 + r["I"] < k,
        "w16": lambda r: r["AT"] is not None and r["AT"].date() == datetime.date(2024, 2, 29) or r["TB"] == "",
        "w17": lambda r: no(both(known(lambda: r["IB"] > k, r["IB"]), r["B"])) is True,
        "w18": lambda r: either(
            no(either(known(lambda: r["IB"] <= k, r["IB"]), known(lambda: r["DTB"] != date(day), r["DTB"]))),
            both(r["TB"] is not None, no(both(r["B"], known(lambda: r["DB"] < d, r["DB"])))),
        ) is True,
    }


def of_csv(it, keys):
    x = it.draws
    rows = table(it, f"{x['dir']}/t.csv", OF_CSV)
    for row in rows:
        bundle.agree("a computed column", row["I"] / 7, row["F"])
    where = {**conditions(x), "all": lambda row: True}
    out = {"rows": len(rows)}
    for key in keys[1:]:
        name, column, condition = key.split("_")
        if column == "rows":
            out[key] = sum(map(where[condition], rows))
            continue
        kind = OF_CSV[column]
        empty = -1.0 if name in ("avg", "median", "stdev", "pstdev") else EMPTY[kind]
        out[key] = aggregate(name, rows, column, where[condition], empty[column] if isinstance(empty, dict) else empty)
    return out


def of_fixed(it, keys):
    rows = table(it, f"{it.draws['dir']}/t.csv", {"I": int, "D": Decimal, "F": float, "TX": str, "DT": date})
    return {key: aggregate(*key.split("_")[:1], rows, key.split("_")[1]) for key in keys}


# csv.pcd


def csv_cells(it, _):
    x = it.draws
    row, col, c, low = x["row"], x["col"], x["c"], x["low"]
    path, tsv = f"{x['dir']}/t.csv", f"{x['dir']}/s.tsv"
    t = table(it, path, {"ID": int, "N": int, "PRICE": Decimal, "NOTE": str, "DAY": date, "C": str, "HALF": float})
    types = {"N": int, "PRICE": Decimal, "NOTE": str, "A": int, "B": truth, "D": moment, "E": str}
    s = table(it, tsv, types, "\t")
    raw_t, raw_s = ([[cell or "" for cell in line] for line in rows[1:]] for rows in (cells(it.text(path)), cells(it.text(tsv), "\t")))
    is_c = lambda r: r["C"] == c
    every = lambda rows, column: aggregate("list", rows, column)
    return {
        "t_cell": raw_t[row - 1][col - 1],
        "t_cell_last": raw_t[24][6],
        "t_row": raw_t[row - 1],
        "t_row_1": raw_t[0],
        "t_value_ID": t[row - 1]["ID"],
        "t_value_N": otherwise(t[row - 1]["N"], -1000),
        "t_value_PRICE": t[row - 1]["PRICE"],
        "t_value_NOTE": otherwise(t[row - 1]["NOTE"], "nothing"),
        "t_value_DAY": t[row - 1]["DAY"],
        "t_value_HALF": t[row - 1]["HALF"],
        **{f"t_column_{name}": every(t, name) for name in ("ID", "N", "PRICE", "NOTE", "DAY", "HALF")},
        "t_count_N": aggregate("count", t, "N"),
        "t_count_NOTE": aggregate("count", t, "NOTE", is_c),
        "t_sum_ID": aggregate("sum", t, "ID"),
        "t_sum_N": aggregate("sum", t, "N", is_c, 0),
        "t_sum_PRICE": aggregate("sum", t, "PRICE", lambda r: is_c(r) and r["N"] is not None and r["N"] > low, Decimal("0.00")),
        "t_sum_HALF": aggregate("sum", t, "HALF"),
        "t_avg_N": aggregate("avg", t, "N", empty=0.0),
        "t_avg_PRICE": aggregate("avg", t, "PRICE", lambda r: r["N"] is not None, 0.0),
        "t_avg_HALF": aggregate("avg", t, "HALF", lambda r: not is_c(r), 0.0),
        "s_cell": raw_s[row - 1][col - 1],
        "s_row": raw_s[row - 1],
        "s_value_NOTE": s[row - 1]["NOTE"],
        "s_value_PRICE": otherwise(s[row - 1]["PRICE"], Decimal("-1.0")),
        "s_value_B": s[row - 1]["B"],
        "s_value_D": s[row - 1]["D"],
        **{f"s_column_{name}": every(s, name) for name in ("NOTE", "B", "D")},
        "s_sum_PRICE": aggregate("sum", s, "PRICE", lambda r: r["B"], Decimal("0.0")),
        "s_count_PRICE": aggregate("count", s, "PRICE", lambda r: not r["B"]),
    }


# files.pcd


def lines_and_words(it, _):
    x = it.draws
    notes, prose, letter, log, table_of = (it.text(f"{x['dir']}/{name}") for name in ("notes.txt", "prose.txt", "letter.txt", "app.log", "t.csv"))
    line, at = x["line"] - 1, x["word_at"] - 1
    bundle.agree("notes", x["many"], len(lines_of(notes)))
    bundle.agree("letter", f"Dear {x['who']},{x['sep']}two  blanks,\ta tab{x['sep']}é ü 漢字 end.{x['end']}", letter)
    entries = [re.fullmatch(r"(\S+) \[([A-Z]+)\] (.*)", entry).groups() for entry in lines_of(log)]
    return {
        "notes_line": lines_of(notes)[line],
        "notes_word": notes.split()[at],
        "notes_lines": len(lines_of(notes)),
        "notes_words": len(notes.split()),
        "notes_content": notes,
        "prose_word": prose.split()[x["word_at"] % 60],
        "prose_line": lines_of(prose)[0],
        "prose_lines": len(lines_of(prose)),
        "prose_words": len(prose.split()),
        "letter_line": lines_of(letter)[0],
        "letter_word": letter.split()[x["word_at"] % 9],
        "letter_lines": len(lines_of(letter)),
        "letter_words": len(letter.split()),
        "letter_content": letter,
        "letter_len": len(letter),
        "log_line": lines_of(log)[line],
        "log_word": log.split()[line],
        "log_lines": len(lines_of(log)),
        "log_words": len(log.split()),
        "log_errors": sum(level == "ERROR" for _, level, _ in entries),
        "log_first": next((message for _, level, message in entries if level == "WARN"), "none"),
        "log_last": max((moment(when) for when, level, _ in entries if level == "INFO"), default=datetime.datetime(2000, 1, 1)),
        "table_line": lines_of(table_of)[line],
        "table_word": table_of.split()[line],
        "table_lines": len(lines_of(table_of)),
        "table_words": len(table_of.split()),
    }


# queries.pcd


def layout(connection):
    """Tables in their order, with what SQLite knows of their columns and references."""
    names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid")]
    return [
        (name, connection.execute(f'PRAGMA table_info("{name}")').fetchall(), connection.execute(f'PRAGMA foreign_key_list("{name}")').fetchall(),
         len(connection.execute(f'PRAGMA index_list("{name}")').fetchall()))
        for name in names
    ]


def schema(text, content):
    """The schema as it was told, if an empty database that it makes is laid out as the written one."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "copy.db"
        copy.write_bytes(content)
        written, told = sqlite3.connect(copy), sqlite3.connect(":memory:")
        told.executescript(text)
        bundle.agree("schema", layout(written), layout(told))
        written.close()
    return text


def joined(it, keys):
    x = it.draws
    low, day, dept, cut, row = x["low"], date(x["day"]), x["dept"], drawn(x["cut"]), x["row"]
    hr = table(it, f"{x['dir']}/hr.csv", {"NAME": str, "DEPT": str, "PAY": int, "HIRED": date})
    tables = it.tables(f"{x['dir']}/shop.db")
    items = typed(tables["items"], {"PRICE": places(2), "MADE": date, "AT": moment, "GOOD": lambda x: {0: False, 1: True}[x], "RATE": places(3)})
    sales = typed(tables["sales"], {"DAY": date})
    item = {i["SKU"]: i for i in items}
    person = {h["NAME"]: h for h in hr}
    the = items[row - 1]
    bundle.agree("keys", list(range(1, 13)), list(item))
    told = it.expects[0]["value"]["shop_schema"]
    by_price = sorted(items, key=lambda i: (-i["PRICE"], i["SKU"]))
    of_dept = lambda h: h["DEPT"] == dept

    def group(name):
        members = [h for h in hr if h["DEPT"] == name]
        paid = [h["PAY"] for h in members if h["PAY"] is not None]
        return [name, len(members), len(paid), sum(paid) if paid else None, min(h["HIRED"] for h in members)]

    def sold(name):
        mine = [s for s in sales if s["SELLER"] == name]
        return [name, len(mine), sum(s["N"] for s in mine) if mine else None, max((s["DAY"] for s in mine), default=None)]

    revenue = [s["N"] * item[s["SKU"]]["PRICE"] for s in sales]
    columns = ["SKU", "PRICE", "NAME", "MADE", "AT", "GOOD", "RATE"]
    return {
        "query_count": sum(s["N"] > 4 for s in sales),
        "query_join": sum(item[s["SKU"]]["PRICE"] > cut and s["DAY"] >= day for s in sales),
        "query_sum_int": aggregate("sum", sales, "N", lambda s: s["DAY"] < day, -1),
        "query_sum_price": aggregate("sum", items, "PRICE"),
        "query_max_rate": aggregate("max", items, "RATE", lambda i: i["PRICE"] < cut, Decimal("0.000")),
        "query_min_day": aggregate("min", items, "MADE", empty=datetime.date(1999, 12, 31)),
        "query_plain_text": the["NAME"],
        "query_plain_price": by_price[0]["PRICE"],
        "query_plain_moment": the["AT"],
        "query_nothing": -7,
        "query_nothing_is_null": True,
        "sqlite_PRICE": the["PRICE"],
        "sqlite_NAME": the["NAME"],
        "sqlite_MADE": otherwise(the["MADE"], datetime.date(1999, 12, 31)),
        "sqlite_AT": the["AT"],
        "sqlite_GOOD": the["GOOD"],
        "sqlite_RATE": otherwise(the["RATE"], Decimal("9.999")),
        "shop_count": sum(s["N"] > 4 and s["DAY"] < day for s in sales),
        "shop_sum": aggregate("sum", items, "PRICE"),
        "shop_avg": aggregate("avg", items, "RATE", lambda i: i["GOOD"], 0.0),
        "shop_mode": aggregate("mode", items, "NAME"),
        "shop_median": aggregate("median", sales, "N", empty=0.0),
        "shop_list": aggregate("list", items, "MADE", lambda i: i["GOOD"]),
        "shop_schema": schema(told, it.content(f"{x['dir']}/shop.db")),
        "value_revenue": Near(sum(revenue), max(revenue, default=0)),
        "value_across": sum(person[s["SELLER"]]["DEPT"] == dept and s["DAY"] > person[s["SELLER"]]["HIRED"] for s in sales),
        "value_pay": aggregate("max", hr, "PAY", of_dept, -1),
        "value_hired": aggregate("min", hr, "HIRED", of_dept, datetime.date(1999, 12, 31)),
        "list_names": sorted(h["NAME"] for h in hr if h["PAY"] is not None and h["PAY"] > low),
        "list_prices": sorted(i["PRICE"] for i in items if i["PRICE"] > cut),
        "list_days": sorted(s["DAY"] for s in sales)[:3],
        "rows_group": {
            "columns": ["DEPT", "PEOPLE", "PAID", "PAY", "SINCE"],
            "rows": [group(name) for name in sorted({h["DEPT"] for h in hr})],
        },
        "rows_across": {"columns": ["NAME", "SALES", "PIECES", "LATEST"], "rows": [sold(name) for name in sorted(person)]},
        "rows_plain": {"columns": columns, "rows": [[i[name] for name in columns] for i in items]},
        "rows_none": {"columns": ["NAME", "PAY"], "rows": []},
    }


def without_files(it, _):
    x = it.draws
    shown = lines_of(it.text(f"{x['dir']}/shown.txt"))
    truths = [
        {"KEY": key, "N": int(n), "P": Decimal(p), "DAY": date(day)}
        for key, (n, p, day) in enumerate(zip(shown[:10], shown[10:20], shown[20:30], strict=True), 1)
    ]
    log = [dict(zip(("KEY", "LEVEL", "TOOK"), line.split(";"), strict=True)) for line in lines_of(it.text(f"{x['dir']}/log.txt"))]
    log = typed(log, {"KEY": int, "TOOK": Decimal})
    by_key = {t["KEY"]: t for t in truths}
    took = aggregate("sum", log, "TOOK", lambda l: l["LEVEL"] == "low", Decimal("0.000"))
    rows = []
    for level in ("low", "high"):
        these = [l for l in log if l["LEVEL"] == level]
        if these:
            rows.append([level, max(l["TOOK"] for l in these), min(by_key[l["KEY"]]["P"] for l in these)])
    return {
        "joined": sum(by_key[l["KEY"]]["N"] > x["cut"] and l["LEVEL"] == "high" for l in log),
        "took": took,
        "took_again": took,
        "prices": aggregate("sum", truths, "P", lambda t: t["N"] > x["cut"] or t["KEY"] == 1),
        "days": sorted(t["DAY"] for t in truths if t["N"] > x["cut"]),
        "rows": {"columns": ["LEVEL", "MOST", "LEAST"], "rows": rows},
    }


# scalars.pcd: what `numbers`, `texts`, and `days` return is also what their tasks expect, each key as an expression of the suite


def numbers(it, _):
    i, j, z, big, d, e, half, count = (drawn(it.draws[name]) for name in ("i", "j", "z", "big", "d", "e", "half", "places"))
    ratio, third = i / z, float(Fraction(d) / 3)
    # What is computed from a float starts from the float that the bundle states, which is near enough.
    near_third = it.expects[0]["value"]["third"]
    text = lambda number, count: f"{rounded(number, count):f}"
    three = lambda number: Decimal(number).quantize(Decimal("0.001"))
    lowest = min(ratio, near_third)
    return {
        "floor(d)": math.floor(d), "ceil(d)": math.ceil(d), "floor(i)": i, "ceil(half)": math.ceil(half), "floor(half)": math.floor(half),
        "floor(ratio)": math.floor(ratio), "ceil(ratio)": math.ceil(ratio),
        "least(i, j)": min(i, j), "greatest(i, j)": max(i, j), "least(d, e)": min(d, e), "greatest(d, e)": max(d, e), "least(ratio, third)": lowest,
        "to_int(digits)": int(it.draws["digits"]), 'to_int("<<big>>")': big, "to_decimal(money, 3)": three(it.draws["money"]), 'to_decimal("<<e>>", 4)': e,
        "sum([i, j, z])": i + j + z, "max([d, e, half])": max(d, e, half),
        "avg([i, j, z])": mean([i, j, z]), "median([d, e, half])": median([d, e, half]), "stdev([i, j, z])": stdev([i, j, z]), "pstdev([i, j, z])": pstdev([i, j, z]),
        "min([i, j, z])": min(i, j, z),
        "round(i, places)": rounded(i, count),
        "round(d, 0)": rounded(d, 0), "round(d, 1)": rounded(d, 1), "round(d, 2)": rounded(d, 2), "round(d, 3)": rounded(d, 3), "round(d, 6)": rounded(d, 6),
        "round(d, places)": rounded(d, count),
        "round(half, 2)": rounded(half, 2),
        "round(ratio, 3)": rounded(ratio, 3), "round(third, places)": rounded(near_third, count),
        "format(i, places)": text(i, count), "format(d, places)": text(d, count), "format(half, 2)": text(half, 2), "format(ratio, 2)": text(ratio, 2),
        "format(third, places)": text(near_third, count), "format(big, 1)": text(big, 1),
        "mod(i, z)": i % z, "mod(-i, z)": -i % z, "mod(big, 97)": big % 97,
        "abs(i)": abs(i), "abs(big)": abs(big), "abs(d)": abs(d), "abs(ratio)": abs(ratio),
        "d + e": d + e, "d - e": d - e, "d * e": d * e, "d * i": d * i, "d + j": d + j, "d / z": Near(Fraction(d) / z), "i / z": i / z,
        "i + j * z - 3": i + j * z - 3, "-d": -d,
        "ratio": ratio, "third": Near(third), "big": big,
        "d < e": d < e, "half == 0.5": half == Decimal("0.5"), "if i > j then i else j": max(i, j),
    }


def texts(it, _):
    a, b, w, n = (it.draws[name] for name in ("a", "b", "w", "n"))
    x, cut, row, start, end, wide, fill = (it.draws[name] for name in ("x", "cut", "row", "from_at", "to_at", "wide", "fill"))
    parts = row.split(cut)
    nth = lambda at: parts[at - 1] if 1 <= at <= len(parts) else "none"
    span = lambda text, start, end: "".join(c for at, c in enumerate(text, 1) if start <= at <= end)
    title = lambda text: "".join(part[:1].upper() + part[1:] for part in re.split(r"(\s+)", text))
    return {
        "split(row, cut)": parts, 'split("<<w>>-<<x>>", "-")': [w, x],
        'coalesce(nth(split(row, cut), n), "none")': nth(n), 'coalesce(nth(split(row, cut), 1), "none")': nth(1), 'coalesce(nth(split(row, cut), wide), "none")': nth(wide),
        "len(split(row, cut))": len(parts), 'coalesce(last(split(row, cut)), "none")': parts[-1],
        "replace(row, cut, w)": w.join(parts), 'replace(row, cut, "")': "".join(parts), 'replace(w, "a", "aa")': w.replace("a", "aa"),
        "trim(row)": row.strip(), r'trim(" \t<<w>>\n ")': w, r'trim("\u{a0}\u{2003}<<a>>\u{3000}")': a.strip(),
        "slice(row, from_at, to_at)": span(row, start, end), "slice(a, from_at, to_at)": span(a, start, end), "slice(w, 2, 3)": w[1:3], "slice(w, 1, 99)": w,
        "pad_left(a, wide, fill)": a.rjust(max(wide, 0), fill), 'pad_left("<<n>>", 4, "0")': f"{n:04}",
        "title(row)": title(row), "title(a)": title(a), r'title("<<w>> of\n<<x>>  <<a>>")': title(f"{w} of\n{x}  {a}"),
        "least(a, b)": min(a, b), "greatest(a, b)": max(a, b),
        "len(a)": len(a), "upper(a)": a.upper(), "lower(a)": a.lower(),
        "contains(a, b)": b in a, "starts_with(a, b)": a.startswith(b), "ends_with(a, b)": a.endswith(b),
        'contains(w, "an")': "an" in w, 'starts_with(w, "c")': w[0] == "c", 'ends_with(w, "er")': w[-2:] == "er", "len(w)": len(w), "upper(w)": w.upper(),
        'lower(upper("<<w>>-<<n>>"))': f"{w}-{n}", '"<<w>> <<n>> <<a>>"': f"{w} {n} {a}",
    }


def lists(it, keys):
    p, q, r, by = (it.draws[name] for name in ("p", "q", "r", "by"))
    rows = table(it, f"{it.draws['dir']}/t.csv", {"N": int, "D": Decimal, "F": float, "T": str, "DT": date, "AT": moment})
    of = {name: aggregate("list", rows, name) for name in ("N", "D", "F", "T", "DT", "AT")}
    paths = [f"{p}/", f"{p}/{q}/{r}.txt", f"{q}/", f"{r}.md", f"{p}/{r}/", f"{q}/{p}/deep/{r}.log", f"{p}.txt"]
    out = {}
    empty = {"N": 0, "D": Decimal("0.00"), "F": 0.0, "T": "none"}
    for key in keys:
        name, _, column = key.removeprefix("sql_").partition("_")
        if name in ("sum", "avg", "min", "max", "median", "stdev", "mode", "first", "last", "count", "distinct"):
            keep = lambda r: key != "sql_sum_N" or r["N"] > 0
            rows_of = sorted(rows, key=lambda r: r["T"]) if key == "sql_last_T" else rows
            none = 0.0 if name in ("avg", "median", "stdev") else empty.get(column)
            out[key] = aggregate(name, rows_of, column, keep, none)
            continue
        out[key] = {
            "reverse": lambda: (sorted(of[column]) if column == "T" else of[column])[::-1],
            "nth": lambda: (of["N"][1] if len(of["N"]) > 1 else 99) if column == "2" else of["DT"][-1] if of["DT"] else datetime.date(1999, 12, 31),
            "len": lambda: len(of[column]),
            "join": lambda: by.join(map(rendered, of[column])),
            "lines": lambda: "\n".join(map(rendered, of[column])),
            "rendered": lambda: rendered(of["D"]),
            "sort": lambda: sorted(of[column]),
            "dedupe": lambda: sorted({n for n in of["N"] if n > 0}) if column == "sort" else list(dict.fromkeys(of[column])),
            "kinds": lambda: len(set(of["T"])),
            "words": lambda: [p, q, r],
            "both": lambda: sorted([p, q, r]),
            "tree": lambda: tree(paths),
        }[name]()
    return out


def days(it, _):
    x = it.draws
    day, other, at, later = date(x["day"]), date(x["other"]), moment(x["moment"]), moment(x["later"])
    return {
        "year(day)": day.year, "month(day)": day.month, "weekday(day)": day.isoweekday(),
        "year(moment)": at.year, "month(moment)": at.month, "weekday(moment)": at.isoweekday(),
        "day(day)": day.day, "day(moment)": at.day, "hour(moment)": at.hour, "minute(moment)": at.minute, "second(moment)": at.second, "date(moment)": at.date(),
        "days_between(day, other)": (other - day).days, "days_between(other, day)": (day - other).days,
        "least(day, other)": min(day, other), "greatest(moment, later)": max(at, later),
        "plus": day + 14 * DAY, "minus": day - 21 * DAY, "months": add_months(day, 1), "leap": add_months(day, 12), "day - other": (day - other).days,
        "day < other": day < other,
        "seconds(later - moment)": int((later - at).total_seconds()), "seconds(2 hours) + n": 7200 + x["n"], "(moment - later) / 1 hour": (at - later) / datetime.timedelta(hours=1),
        "hour": at + datetime.timedelta(hours=2), "month_later": add_months(at, 1), "moment > later": at > later, '"<<day>> <<moment>>"': f"{x['day']} {x['moment']}",
        "n + m": x["n"] + x["m"],
    }


def nulls(it, _):
    maybe, name = it.draws["maybe"], it.draws["name"]
    rows = table(it, f"{it.draws['dir']}/t.csv", {"N": int, "D": Decimal})
    more = maybe is not None and maybe > 4
    return {
        "maybe": otherwise(maybe, 0), "text": otherwise(name, "none"), "first": aggregate("first", rows, "N", empty=-1),
        "sum": aggregate("sum", rows, "D", empty=Decimal("0.0")), "avg": aggregate("avg", rows, "N", empty=0.0),
        "is": maybe is None, "isnt": maybe is not None, "more": more, "not_more": maybe is not None and not more, "some": 100 if maybe is None else maybe * 2,
        "chain": otherwise(aggregate("first", rows, "N", lambda r: r["N"] is not None and r["N"] > 5), otherwise(maybe, 77)),
        "stdev": aggregate("stdev", rows, "D", empty=0.0),
        "any": sum(r["N"] is not None and r["N"] == maybe for r in rows),
    }


TASKS = {
    "of_csv": of_csv, "of_fixed": of_fixed, "cells": csv_cells, "lines_and_words": lines_and_words, "joined": joined, "without_files": without_files,
    "numbers": numbers, "texts": texts, "lists": lists, "days": days, "nulls": nulls,
}


def report(wrong, values, instances):
    """Says how many values agree, and which do not; exits."""
    for line in list(dict.fromkeys(wrong))[:20]:
        print(line)
    print(f"{values - len(wrong)} of {values} agree, in {len(instances)} instances")
    sys.exit(1 if wrong or not instances else 0)


def main(folder):
    instances = bundle.read(folder)
    wrong, values = [], 0
    for it in instances:
        (expect,) = it.expects
        theirs = expect["value"]
        values += len(theirs)
        try:
            ours = TASKS[it.task](it, list(theirs))
            bundle.agree("keys", list(theirs), list(ours))
        except (bundle.Disagreement, ValueError, KeyError, IndexError, TypeError, AttributeError, csv.Error, sqlite3.Error) as problem:
            wrong += [f"{it.id}: {type(problem).__name__}: {problem}"] * len(theirs)
            continue
        for key, value in ours.items():
            if not same(stated(value), theirs[key]):
                wrong.append(f"{it.id}: {key}: recomputed {stated(value)!r}, the bundle says {theirs[key]!r}")
    report(wrong, values, instances)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} BUNDLE")
    main(sys.argv[1])
