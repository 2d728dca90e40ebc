"""Workbooks as answers, written by openpyxl, XlsxWriter, pandas, polars, and LibreOffice, where they are installed: right ones are right, and ones with one other cell are wrong.

    python3 books.py PICARDC FOLDER SEED

Builds a suite whose answers are a table and three cells, writes workbooks from its answer keys, and has them scored. Prints how many were judged, or the first
that was judged wrongly, and then fails. A last line names the programs that are missing.
"""

import base64
import datetime
import importlib
import json
import pathlib
import shutil
import subprocess
import sys
from decimal import Decimal

PICARDC, FOLDER, SEED = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
COLUMNS = ["ID", "NAME", "NOTE", "N", "X", "Y", "F", "OK", "D", "AT"]
TABLE = f"<<rows: SELECT {', '.join(COLUMNS)} FROM t ORDER BY ID>>"
SUITE = f"""suite s {{ title "S"  version "1.0.0"  samples 3 }}
task t {{
  csv t at "t.csv" {{
    rows 3..30
    ID : serial
    NAME : person_name blank 20%
    NOTE : one_of ["a\\"b", "#1", "0017", "yes", "Zürich", "2024-03-01", "1e5", "<b>&amp;", "two words"] blank 10%
    N : int -9..9_000_000 blank 10%
    X : decimal -9_999.999..9_999.999
    Y : decimal 0.00..1.00 blank 30%
    F = ID / 7.0
    OK : bool blank 10%
    D : date 1950-01-01..2079-12-31 blank 10%
    AT : datetime 1969-01-01T00:00..2044-12-31T00:00
  }}
  day, moment, note : ref t.(D, AT, NOTE) where D != null and NOTE != null
  prompt "Write all rows of <<t>> to out.xlsx, and to B2, B3, B4 and B5 of the sheet Sum of sum.xlsx the largest X, and the D, the AT, and the NOTE of one row: <<day>>."
  expect of_table: file "out.xlsx" rows {TABLE}
  expect of_objects: file "out.xlsx" json {TABLE}
  expect number: file "sum.xlsx" at "Sum!B2" number max(t.X)
  expect day: file "sum.xlsx" at "Sum!B3" date day
  expect moment: file "sum.xlsx" at "Sum!B4" date moment
  expect note: file "sum.xlsx" at "Sum!B5" text note
}}
"""


def run(*arguments):
    done = subprocess.run([PICARDC, *map(str, arguments)], cwd=FOLDER, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"picardc {' '.join(map(str, arguments))}:\n{done.stdout}{done.stderr}")


def value(json_value):
    """A value of a key as Python has it: a double, as every workbook has."""
    if isinstance(json_value, dict):
        (kind, text), = json_value.items()
        if kind != "date":
            return float(Decimal(text))
        json_value = text
    if isinstance(json_value, str) and len(json_value) in (10, 19) and json_value[4:5] == "-" and json_value[7:8] == "-":
        return datetime.datetime.fromisoformat(json_value) if "T" in json_value else datetime.date.fromisoformat(json_value)
    return json_value


def rows_of(key):
    """The cells of the table; a text that looks like a date stays one."""
    texts = {COLUMNS.index("NAME"), COLUMNS.index("NOTE")}
    return [[cell if at in texts else value(cell) for at, cell in enumerate(row)] for row in key["rows"]]


# -- Writers: a list of (sheet, [(row, column, value)]) becomes a file -------------------------------------------------------------------------

def openpyxl_writes(path, sheets):
    import openpyxl
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, cells in sheets:
        sheet = book.create_sheet(name)
        for row, column, content in cells:
            cell = sheet.cell(row + 1, column + 1)
            cell.value = content
            if isinstance(content, str):
                cell.data_type = "s"
    book.save(path)


def xlsxwriter_writes(path, sheets, **options):
    import xlsxwriter
    book = xlsxwriter.Workbook(path, options)
    forms = {datetime.date: book.add_format({"num_format": "d mmm yyyy"}), datetime.datetime: book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})}
    for name, cells in sheets:
        sheet = book.add_worksheet(name)
        for row, column, content in sorted(cells, key=lambda cell: cell[:2]):
            if isinstance(content, str):
                sheet.write_string(row, column, content)
            elif type(content) in forms:
                sheet.write_datetime(row, column, content, forms[type(content)])
            elif content is not None:
                sheet.write(row, column, content)
    book.close()


def frame_of(cells):
    """The table in these cells, by the names of its first row."""
    width = 1 + max(column for _, column, _ in cells)
    height = 1 + max(row for row, _, _ in cells)
    grid = [[None] * width for _ in range(height)]
    for row, column, content in cells:
        grid[row][column] = content
    return grid[0], grid[1:]


def pandas_writes(engine):
    def write(path, sheets):
        import pandas
        with pandas.ExcelWriter(path, engine=engine) as writer:
            for name, cells in sheets:
                names, rows = frame_of(cells)
                is_table = all(isinstance(name, str) for name in names)
                pandas.DataFrame(rows if is_table else [names, *rows], columns=names if is_table else None, dtype=object).to_excel(writer, sheet_name=name, index=False, header=is_table)
    return write


def polars_writes(path, sheets):
    import polars
    import xlsxwriter
    with xlsxwriter.Workbook(path) as book:
        for name, cells in sheets:
            names, rows = frame_of(cells)
            if name == "Sum":
                sheet = book.add_worksheet(name)
                form = {datetime.date: book.add_format({"num_format": "yyyy-mm-dd"}), datetime.datetime: book.add_format({"num_format": "yyyy-mm-dd hh:mm"})}
                for row, column, content in cells:
                    sheet.write(row, column, content, *([form[type(content)]] if type(content) in form else []))
                continue
            polars.DataFrame(rows, schema=names, orient="row", infer_schema_length=None).write_excel(book, worksheet=name)


def save_by_office(paths, way):
    """Opens and saves workbooks by LibreOffice, through these formats; all of them in one start of the program."""
    for ending in way:
        out = FOLDER / f"office-{ending}"
        out.mkdir(exist_ok=True)
        done = subprocess.run(["soffice", f"-env:UserInstallation=file://{FOLDER}/office", "--headless", "--convert-to", ending, "--outdir", out, *paths], capture_output=True, text=True)
        saved = [out / f"{path.stem}.{ending}" for path in paths]
        if not all(path.exists() for path in saved):
            sys.exit(f"LibreOffice wrote no {ending}: {done.stdout}{done.stderr}")
        paths = saved
    return paths


WRITERS = {
    "openpyxl": openpyxl_writes, "XlsxWriter": xlsxwriter_writes, "XlsxWriter, 1904": lambda path, sheets: xlsxwriter_writes(path, sheets, date_1904=True), 
    "pandas by openpyxl": pandas_writes("openpyxl"), "pandas by XlsxWriter": pandas_writes("xlsxwriter"), "polars": polars_writes, "LibreOffice": openpyxl_writes, "LibreOffice, from ODS": openpyxl_writes,
}
OFFICE = {"LibreOffice": ["xlsx"], "LibreOffice, from ODS": ["ods", "xlsx"]}
NEEDS = {"openpyxl": ["openpyxl"], "pandas by openpyxl": ["pandas", "openpyxl"], "pandas by XlsxWriter": ["pandas", "xlsxwriter"], "polars": ["polars", "xlsxwriter"], "LibreOffice": ["openpyxl"], "LibreOffice, from ODS": ["openpyxl"]}


def is_missing(name):
    for module in NEEDS.get(name, ["xlsxwriter"]):
        try:
            importlib.import_module(module)
        except ImportError:
            return True
    return name.startswith("LibreOffice") and shutil.which("soffice") is None


def other(content):
    """Another value of the same type."""
    if isinstance(content, bool):
        return not content
    if isinstance(content, (int, float)):
        return content + 1
    if isinstance(content, (datetime.date, datetime.datetime)):
        return content + datetime.timedelta(days=1)
    return "another" if content is None or isinstance(content, str) else None


def answer_workbooks(key, change, seed):
    """The sheets of both workbooks, right or with one change."""
    table = rows_of(key["of_table"])
    single = [value(key["number"]), value(key["day"]), value(key["moment"]), key["note"]]
    if change == "cell":
        row, column = divmod((len(table) * 7 + seed) % (len(table) * len(COLUMNS)), len(COLUMNS))
        table[row][column] = other(table[row][column])
        single = [other(content) for content in single]
    elif change == "row":
        table.pop()
        single = [None] * 4
    elif change == "column":
        table = [row[:-1] for row in table]
        single = [f"{content}x" for content in single]
    names = COLUMNS[:len(table[0])]
    cells = [(0, column, title) for column, title in enumerate(names)] + [(1 + row, column, content) for row, line in enumerate(table) for column, content in enumerate(line)]
    return {"out.xlsx": [("Sheet1", cells)], "sum.xlsx": [("Sum", [(1, 0, "x")] + [(1 + row, 1, content) for row, content in enumerate(single)])]}


def main():
    (FOLDER / "books").mkdir(parents=True, exist_ok=True)
    (FOLDER / "s.pcd").write_text(SUITE, encoding="utf-8")
    for old in ("out", "run"):
        shutil.rmtree(FOLDER / old, ignore_errors=True)
    run("build", "s.pcd", "-o", "out", "--seed", SEED, "--quiet")
    run("run", "out", "-o", "run", "--agent", "cmd:true", "--quiet")
    keys = {}
    for line in (FOLDER / "out" / "instances.jsonl").read_text(encoding="utf-8").splitlines():
        instance = json.loads(line)
        keys[instance["id"]] = {expect["name"]: expect["value"] for expect in instance["metadata"]["picard"]["expect"]}
    responses = [json.loads(line) for line in (FOLDER / "run" / "responses.jsonl").read_text(encoding="utf-8").splitlines()]
    judged, missing = 0, []
    for name, write in WRITERS.items():
        if is_missing(name):
            missing.append(name)
            continue
        for change in ("none", "cell", "row", "column"):
            books = []
            for response in responses:
                for path, sheets in answer_workbooks(keys[response["id"]], change, judged).items():
                    books.append(FOLDER / "books" / f"{response['id']}-{path}")
                    write(books[-1], sheets)
            if name in OFFICE:
                books = save_by_office(books, OFFICE[name])
            written = {path.name: base64.b64encode(path.read_bytes()).decode() for path in books}
            for response in responses:
                response["files"] = [[path, {"kind": "bytes", "base64": written[f"{response['id']}-{path}"]}] for path in ("out.xlsx", "sum.xlsx")]
            (FOLDER / "run" / "responses.jsonl").write_text("".join(json.dumps(response) + "\n" for response in responses), encoding="utf-8")
            run("score", "out", "run", "--quiet")
            for line in (FOLDER / "run" / "scores.jsonl").read_text(encoding="utf-8").splitlines():
                score = json.loads(line)
                for part in score["verdicts"]:
                    judged += 1
                    if (part["reason"] == "right") != (change == "none"):
                        sys.exit(f"{name}, changed: {change}, {score['id']}: {json.dumps(part)}\nkey: {json.dumps(keys[score['id']][part['name']])[:600]}")
    print(f"{judged} answers in workbooks of {len(WRITERS) - len(missing)} writers")
    if missing:
        print(f"missing: {', '.join(missing)}")


main()
