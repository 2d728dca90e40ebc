"""Recomputes what is asked of relations of every kind of file: `relations.pcd`, from the written files, with the readers of readers.txt.

    python3 relations.py BUNDLE

A key of an expected object is the call itself. Functions below are the calls in Python, over rows that are dictionaries.
"""

import csv
import datetime
import io
import sqlite3
import sys
from decimal import Decimal

import openpyxl

import bundle
from differential import aggregate, date, lines_of, moment, otherwise, places, report, same, stated, table, truth, typed
from trees import read_json, read_xml, read_yaml, typed as by_name, valued

LONG_AGO = datetime.date(1999, 12, 31)


def result(rows, *columns):
    return {"columns": list(columns), "rows": [[row[name] for name in columns] for row in rows]}


def ordered(rows, *names):
    """As SQL orders: nulls first, texts by code points."""
    return sorted(rows, key=lambda row: [(row[name] is not None, otherwise(row[name], 0)) for name in names])


def flat(rows, key):
    """The elements of arrays inside of rows; plain ones under the name `value`."""
    items = [item for row in rows for item in row[key]]
    return [item if isinstance(item, dict) else {"value": item} for item in items]


def dated(rows, *names):
    return typed(rows, {name: date for name in names})


def arrays(it):
    cut, at = it.draws["cut"], it.draws["dir"]
    conf = by_name(read_json(it.text(f"{at}/conf.json")))
    services = dated(conf["services"], "since")
    ports, tags, numbers = flat(services, "ports"), flat(services, "tags"), flat([conf], "numbers")
    rows = read_yaml(it.text(f"{at}/same.yaml"))["rows"]
    feed = []
    for item in read_xml(it.content(f"{at}/feed.xml")).findall("item"):
        one = lambda name: (valued(item.xpath(name)) or [None])[0]
        feed.append({"id": one("@id"), "price": one("price"), "qty": one("qty"), "tag": [tag.text for tag in item.findall("tag")]})
    of_port = [row for row in ordered(services, "port", "name", "price") if row["port"] > cut]
    product = [item["qty"] * row["n"] for item in feed for row in rows if row["n"] == item["qty"]]
    on = lambda row: row["on"]
    return {
        "count(conf.services)": len(services),
        "count(conf.services where on and port > cut)": sum(s["on"] and s["port"] > cut for s in services),
        "count(conf.services.price)": aggregate("count", services, "price"),
        "count(conf.services.tags)": len(tags),
        'count(conf.services.tags where value == "a")': sum(t["value"] == "a" for t in tags),
        "count(conf.services.ports where open and n > 4)": sum(p["open"] and p["n"] > 4 for p in ports),
        "coalesce(sum(conf.services.port), -1)": aggregate("sum", services, "port", empty=-1),
        "coalesce(sum(conf.services.price where on), -1.00)": aggregate("sum", services, "price", on, Decimal("-1.00")),
        "coalesce(avg(conf.services.load), -1 / 1)": aggregate("avg", services, "load", empty=-1.0),
        "coalesce(max(conf.services.since), 1999-12-31)": aggregate("max", services, "since", empty=LONG_AGO),
        'coalesce(min(conf.services.name), "none")': aggregate("min", services, "name", empty="none"),
        "coalesce(sum(conf.services.ports.n), -1)": aggregate("sum", ports, "n", empty=-1),
        "coalesce(sum(conf.services.ports.n where not open), -1)": aggregate("sum", ports, "n", lambda p: not p["open"], -1),
        "coalesce(median(conf.numbers.value), -1 / 1)": aggregate("median", numbers, "value", empty=-1.0),
        "coalesce(sum(conf.numbers.value where value > 0), -1)": aggregate("sum", numbers, "value", lambda n: n["value"] > 0, -1),
        "list(conf.services.name where port <= cut)": aggregate("list", services, "name", lambda s: s["port"] <= cut),
        "list(conf.services.tags.value)": aggregate("list", tags, "value"),
        "list(conf.services.since)": aggregate("list", services, "since"),
        "distinct_count(conf.services.tags.value)": aggregate("distinct", tags, "value"),
        "coalesce(stdev(conf.services.port), -1 / 1)": aggregate("stdev", services, "port", empty=-1.0),
        'object("k<<feed.item.id>>", feed.item.qty)': {f"k{item['id']}": item["qty"] for item in feed},
        'object("k<<feed.item.id>>" where id > 1, feed.item.price where price != null)': {
            f"k{item['id']}": item["price"] for item in feed if item["id"] > 1 and item["price"] is not None
        },
        "conf.limit + 1": conf["limit"] + 1,
        "count(same.rows where n > 4)": sum(row["n"] > 4 for row in rows),
        "sum(same.rows.d)": aggregate("sum", rows, "d"),
        "list(same.rows.name)": aggregate("list", rows, "name"),
        "coalesce(sum(same.rows.ks.value), -1)": aggregate("sum", flat(rows, "ks"), "value", empty=-1),
        "coalesce(mode(same.rows.ks.value), -1)": aggregate("mode", flat(rows, "ks"), "value", empty=-1),
        "count(feed.item where qty > 4)": sum(item["qty"] > 4 for item in feed),
        "coalesce(sum(feed.item.price), -1.00)": aggregate("sum", feed, "price", empty=Decimal("-1.00")),
        "list(feed.item.id where price > 2.50)": aggregate("list", feed, "id", lambda i: i["price"] is not None and i["price"] > Decimal("2.50")),
        'count(feed.item.tag where value == "b")': sum(tag["value"] == "b" for tag in flat(feed, "tag")),
        "count(of_port)": len(of_port),
        "coalesce(sum(of_port.port), -1)": aggregate("sum", of_port, "port", empty=-1),
        "coalesce(sum(of_port.price where port < 80), -1.00)": aggregate("sum", of_port, "price", lambda r: r["port"] < 80, Decimal("-1.00")),
        "list(of_port.name)": aggregate("list", of_port, "name"),
        "coalesce(sum(joined.product), -1)": sum(product) if product else -1,
        '<<rows: SELECT name, port, "on", price, load, since FROM conf.services ORDER BY port, name, price, load, since>>':
            result(ordered(services, "port", "name", "price", "load", "since"), "name", "port", "on", "price", "load", "since"),
    }


def unquoted(it, path, types, delimiter, crlf, mark, quoted):
    """The rows of a CSV file written in another way, which Python's reader must take apart in the same way."""
    content = it.content(path)
    text = content.decode("utf-8-sig" if mark else "utf-8")
    bundle.agree("byte order mark", mark, content.startswith(b"\xef\xbb\xbf"))
    header, *rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    bundle.agree("header", list(types), header)
    again = io.StringIO()
    end = "\r\n" if crlf else "\n"
    cell = lambda value: value if not quoted and not any(c in value for c in f'{delimiter}"\r\n') else f'"{value.replace(chr(34), chr(34) * 2)}"'
    for row in [header, *rows]:
        again.write(delimiter.join(cell(value) if value else "" for value in row) + end)
    bundle.agree("text", again.getvalue(), text)
    return [{name: types[name](value) if value else None for name, value in zip(header, row)} for row in rows], rows


def sheet(book, name, types):
    """The rows of a sheet, every cell of the kind that its column says."""
    header, *rows = book[name].iter_rows()
    bundle.agree("header", list(types), [cell.value for cell in header])
    return [{column: types[column](cell) for column, cell in zip(types, row)} for row in rows]


def cell_of(kind, read):
    def value(cell):
        if cell.value is None:
            return None
        bundle.agree(f"kind of {cell.coordinate}", cell.data_type, kind)
        return read(cell)
    return value


def day(cell):
    bundle.agree(f"{cell.coordinate} is shown without a time", False, "h" in cell.number_format.lower())
    bundle.agree(f"{cell.coordinate} is a day", datetime.time(), cell.value.time())
    return cell.value.date()


NUMBER = cell_of("n", lambda cell: int(cell.value))
TEXT = cell_of("s", lambda cell: cell.value)
STAFF = {
    "K": NUMBER, "T": TEXT, "N": NUMBER, "BIG": NUMBER, "D": cell_of("n", lambda cell: places(2)(float(cell.value))),
    "F": cell_of("n", lambda cell: float(cell.value)), "B": cell_of("b", lambda cell: cell.value), "DT": cell_of("d", day),
    "AT": cell_of("d", lambda cell: cell.value),
}


def written(it):
    low, at = it.draws["low"], it.draws["dir"]
    semi, _ = unquoted(it, f"{at}/semi.csv", {"K": int, "T": str, "N": int, "D": Decimal}, ";", True, False, False)
    quoted, cells = unquoted(it, f"{at}/quoted.csv", {"K": int, "T": str, "DT": date}, ",", False, True, True)
    pipe, raw = unquoted(it, f"{at}/pipe.csv", {"K": int, "T": str, "B": truth}, "|", True, True, True)
    pairs = table(it, f"{at}/pairs.csv", {"A": int, "B": int, "V": int})
    bundle.agree("pairs", len(pairs), len({(row["A"], row["B"]) for row in pairs}))
    tables = it.tables(f"{at}/shop.db")
    stock, sales = dated(tables["stock"], "DAY"), dated(tables["sales"], "DAY")
    groups = {}
    for row in sales:
        groups.setdefault((row["STORE"], row["DAY"]), []).append(row["SOLD"])
    log = [dict(zip("LM", line.split(" ", 1))) for line in lines_of(it.text(f"{at}/log.txt"))]
    notes, copied = lines_of(it.text(f"{at}/notes.txt")), lines_of(it.text(f"{at}/copy.txt"))
    book = openpyxl.load_workbook(io.BytesIO(it.content(f"{at}/book.xlsx")))
    bundle.agree("sheets", ["staff", "Other Sheet"], book.sheetnames)
    staff, other = sheet(book, "staff", STAFF), sheet(book, "Other Sheet", {"K": NUMBER, "STAFF": NUMBER})
    return {
        "<<rows: SELECT K, T, N, D FROM semi ORDER BY K>>": result(semi, "K", "T", "N", "D"),
        "coalesce(sum(semi.D where N > low), -1.00)": aggregate("sum", semi, "D", lambda r: r["N"] is not None and r["N"] > low, Decimal("-1.00")),
        "<<rows: SELECT K, T, DT FROM quoted ORDER BY K>>": result(quoted, "K", "T", "DT"),
        "max(quoted.DT)": aggregate("max", quoted, "DT"),
        "csv_cell(quoted, 1, 3)": cells[0][2],
        "csv_row(pipe, 1)": raw[0],
        "<<rows: SELECT K, T, B FROM pipe ORDER BY K>>": result(pipe, "K", "T", "B"),
        "count(pipe where B)": sum(row["B"] is True for row in pipe),
        "coalesce(sum(pairs.V where A <= 3), -1)": aggregate("sum", pairs, "V", lambda r: r["A"] <= 3, -1),
        "<<rows: SELECT A, B, V FROM pairs ORDER BY A, B>>": result(ordered(pairs, "A", "B"), "A", "B", "V"),
        "<<rows: SELECT STORE, DAY, N FROM shop.stock ORDER BY STORE, DAY>>": result(ordered(stock, "STORE", "DAY"), "STORE", "DAY", "N"),
        "<<rows: SELECT STORE, DAY, COUNT(*) AS C, SUM(SOLD) AS S FROM shop.sales GROUP BY STORE, DAY ORDER BY STORE, DAY>>":
            {"columns": ["STORE", "DAY", "C", "S"], "rows": [[*key, len(sold), sum(sold)] for key, sold in sorted(groups.items())]},
        'count(log where L == "ERROR")': sum(row["L"] == "ERROR" for row in log),
        "list(log.M)": aggregate("list", log, "M"),
        'count(notes where contains(line, "a"))': sum("a" in line for line in notes),
        "list(notes.line where len(line) > 40)": [line for line in notes if len(line) > 40],
        "count(copied)": len(copied),
        'list(copied.line where starts_with(line, "é"))': [line for line in copied if line.startswith("é")],
        "<<rows: SELECT K, T, N, BIG, D, F, B, DT, AT FROM book.staff ORDER BY K>>": result(staff, *STAFF),
        "coalesce(sum(book.staff.D where B), -1.00)": aggregate("sum", staff, "D", lambda r: r["B"] is True, Decimal("-1.00")),
        "list(book.staff.AT where N > 0)": aggregate("list", staff, "AT", lambda r: r["N"] is not None and r["N"] > 0),
        "sum(book.Other Sheet.STAFF)": aggregate("sum", other, "STAFF"),
    }


TASKS = {"arrays": arrays, "written": written}


def main(folder):
    instances = bundle.read(folder)
    wrong, values = [], 0
    for it in instances:
        (expect,) = it.expects
        theirs = expect["value"]
        values += len(theirs)
        try:
            ours = TASKS[it.task](it)
            bundle.agree("keys", list(ours), list(theirs))
        except (bundle.Disagreement, ValueError, KeyError, IndexError, TypeError, AttributeError, csv.Error, sqlite3.Error) as problem:
            wrong += [f"{it.id}: {type(problem).__name__}: {problem}"] * len(theirs)
            continue
        wrong += [
            f"{it.id}: {key}: recomputed {stated(value)!r}, the bundle says {theirs[key]!r}"
            for key, value in ours.items()
            if not same(stated(value), theirs[key])
        ]
    report(wrong, values, instances)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} BUNDLE")
    main(sys.argv[1])
