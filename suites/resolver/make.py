"""Writes the data set of the suite `resolver`: three databases with made-up rows, and the questions of `tests/resolver/own.json`.

    python3 make.py

The rows are counted out, not drawn: column number k of a table with n rows has its own number of different values, so that a query of another
column counts something else. CC0.
"""

import json
import pathlib
import sqlite3

HOME = pathlib.Path(__file__).parent
CORPUS = json.loads((HOME.parent.parent / "tests/resolver/own.json").read_text(encoding="utf-8"))


def fill(db, name):
    """Gives every table its rows."""
    tables = [table for (table,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid")]
    for number, table in enumerate(tables):
        columns = db.execute("SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid", [table]).fetchall()
        references = {row[3] for row in db.execute(f'PRAGMA foreign_key_list("{table}")')}
        rows = 23 + 2 * number
        for row in range(rows):
            cells = []
            for at, (column, kind, key) in enumerate(columns):
                step = row if key else row % (rows - 1 - at)
                whole = 1 + step if key else 10 * (at + 1) + step
                if column in references:
                    # Every table has more than 20 rows.
                    cells.append(1 + row % (20 - at))
                    continue
                if "DATE" in kind or "TIME" in kind:
                    cells.append(f"2024-{1 + step // 28:02d}-{1 + step % 28:02d}")
                elif kind == "TEXT":
                    cells.append(f"{column.lower()[:3]}{whole}")
                else:
                    cells.append(whole)
            db.execute(f'INSERT INTO "{table}" VALUES ({", ".join("?" * len(cells))})', cells)


def main():
    for name, schema in CORPUS["schemas"].items():
        path = HOME / f"{name}.sqlite"
        path.unlink(missing_ok=True)
        db = sqlite3.connect(path)
        db.executescript(schema)
        fill(db, name)
        db.commit()
        db.execute("VACUUM")
        db.close()
    cases = []
    for record in CORPUS["records"]:
        gold = record["gold"]
        table, column = gold.split(".") if gold else (None, None)
        cases.append({
            "id": record["id"].replace("-", "_"),
            "db": record["schema"],
            "place": f"the table {record['table']}" if record["table"] else "any table",
            "name": record["name"],
            "gold": gold or "none",
            "kind": record["kind"],
            "sql": f'SELECT COUNT(DISTINCT "{column}") FROM "{table}"' if gold else None,
        })
    text = ",\n".join(" " + json.dumps(case) for case in cases)
    (HOME / "cases.json").write_text(f"[\n{text}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
