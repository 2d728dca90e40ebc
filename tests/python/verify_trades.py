"""Recomputes every answer key of a bundle of the suite `trades`: the gold queries of the published questions run in Python's own SQLite.

    python3 verify_trades.py BUNDLE [SANDBOX_ROOT]

Prints `N of N agree`; exits 1 on any disagreement.
"""

import csv
import json
import pathlib
import sqlite3

import bundle
from bundle import Disagreement, agree, asked

HOME = pathlib.Path(__file__).parent.parent.parent / "suites/trades"


def published():
    """The questions as they are published, by what an agent reads of them; only those that can be used."""
    with open(HOME / "verdicts.csv", encoding="utf-8", newline="") as file:
        good = {int(row["question_id"]) for row in csv.DictReader(file) if row["verdict"] == "good"}
    questions = json.loads((HOME / "bird/dev.json").read_text(encoding="utf-8"))
    return {f"{it['question']} {it['evidence']}".strip(): it for it in questions if it["question_id"] in good}


QUESTIONS = published()


def same(ours, theirs):
    """A cell of SQLite and of a key: numbers by value."""
    if isinstance(theirs, dict):
        theirs = float(theirs["decimal"])
    numbers = (int, float)
    if isinstance(ours, numbers) and isinstance(theirs, numbers) and not isinstance(theirs, bool):
        return abs(ours - theirs) <= 1e-12 * max(1.0, abs(ours))
    return type(ours) is type(theirs) and ours == theirs


def ask(it):
    path, schema, question = asked(
        it, r"(?s)The SQLite database (\S+) has these tables:\n\n(CREATE .*;)\n\n([^\n]+?)\s*\n\nReply with one query in a fenced block marked `sql`\."
    )
    if question not in QUESTIONS:
        raise Disagreement(f"nobody published this question: {question!r}")
    row = QUESTIONS[question]
    path = it.below(path)
    agree("the database is the published one", (HOME / f"bird/dev_databases/{row['db_id']}/{row['db_id']}.sqlite").read_bytes(), it.content(path))
    db = sqlite3.connect(":memory:")
    db.deserialize(it.content(path))
    rows = sorted(db.execute(row["SQL"]).fetchall(), key=repr)
    named = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    db.close()
    for name in named:
        if name not in schema:
            raise Disagreement(f"the prompt does not have the table {name}")
    (expect,) = it.expects
    agree("what is expected", ["reply", "sql", {"fenced": "sql"}, path], [expect["subject"], expect["match"], expect["slice"], expect["database"]])
    stated = sorted((tuple(cell if not isinstance(cell, dict) else float(cell["decimal"]) for cell in row) for row in expect["value"]["rows"]), key=repr)
    agree("number of rows", len(rows), len(stated))
    for ours, theirs in zip(rows, stated):
        if len(ours) != len(theirs) or not all(map(same, ours, theirs)):
            raise Disagreement(f"recomputed {ours!r}, the bundle says {theirs!r}")


if __name__ == "__main__":
    bundle.main({"ask": ask}, lambda instance: instance.task)
