"""Recomputes every answer key of a bundle of the suite `resolver` from the corpus of the resolver: which column a name means, and what a query
of it returns in Python's own SQLite.

    python3 verify_resolver.py BUNDLE [SANDBOX_ROOT]

Prints `N of N agree`; exits 1 on any disagreement.
"""

import json
import pathlib
import sqlite3

import bundle
from bundle import Disagreement, agree, asked

HOME = pathlib.Path(__file__).parent.parent.parent
CORPUS = json.loads((HOME / "tests/resolver/own.json").read_text(encoding="utf-8"))


def record(it, path, name, place):
    """The record that is asked: the database, the name, and the table tell it."""
    database = path.removesuffix(".sqlite").split("/")[-1]
    table = None if place == "any table" else place.removeprefix("the table ")
    found = [one for one in CORPUS["records"] if (one["schema"], one["name"], one["table"]) == (database, name, table)]
    if len(found) != 1:
        raise Disagreement(f"{len(found)} records ask {name!r} of {place}")
    agree("the database is that of the data set", (HOME / f"suites/resolver/{database}.sqlite").read_bytes(), it.content(it.below(path)))
    return found[0]


def column(it):
    name, place, path = asked(it, r"(?s)Somebody writes `([^`]+)` and means a column of (any table|the table \w+) in the SQLite database (\S+)\. Which one\?.*")
    (expect,) = it.expects
    agree("the column", record(it, path, name, place)["gold"] or "none", expect["value"])


def count(it):
    name, place, path = asked(it, r"(?s)How many different values does `([^`]+)` of (any table|the table \w+) have in the SQLite database (\S+)\? .*")
    table, column = record(it, path, name, place)["gold"].split(".")
    db = sqlite3.connect(":memory:")
    db.deserialize(it.content(it.below(path)))
    values = {value for (value,) in db.execute(f'SELECT "{column}" FROM "{table}"') if value is not None}
    db.close()
    (expect,) = it.expects
    agree("the number of values", [[len(values)]], [list(row) for row in expect["value"]["rows"]])


if __name__ == "__main__":
    bundle.main({"column": column, "count": count}, lambda instance: instance.task)
