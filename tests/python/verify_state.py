"""Recomputes every answer key of a bundle of the suite `state` from its prompts and starting files.

    python3 verify_state.py BUNDLE [SANDBOX_ROOT]

Databases are changed by SQL written from the prompt, JSON and YAML by Python. Prints `N of N agree`; exits 1 on any disagreement. PyYAML is needed.
"""

import pathlib
import sqlite3
import tempfile
from collections import Counter

import bundle
from bundle import Disagreement, agree, asked, same_json


def state(path):
    """Table to columns and rows."""
    with sqlite3.connect(path) as connection:
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid")]
        found = {}
        for name in names:
            cursor = connection.execute(f'SELECT * FROM "{name}"')
            found[name] = ([column[0] for column in cursor.description], cursor.fetchall())
    connection.close()
    return found


def alike(what, recomputed, stated):
    """The same rows; fractions may differ by a cent, because versions of SQLite round halves of doubles in other ways."""
    agree(f"number of rows {what}", len(recomputed), len(stated))
    for ours, theirs in zip(recomputed, stated):
        for one, other in zip(ours, theirs, strict=True):
            numbers = isinstance(one, (int, float)) and isinstance(other, (int, float))
            if not (numbers and float in (type(one), type(other)) and abs(one - other) < 0.0101):
                agree(what, one, other)


def database(it, path, statements, keys, options):
    """The key says what these statements, with parameters, make of a database."""
    agree("number of expects", 1, len(it.expects))
    (expect,) = it.expects
    agree("subject", {"file": path}, expect["subject"])
    agree("matcher", "database", expect["match"])
    agree("options", options, expect["options"])
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "copy.db"
        copy.write_bytes(it.content(path))
        before = state(copy)
        with sqlite3.connect(copy) as connection:
            for sql, values in statements:
                connection.execute(sql, values)
        connection.close()
        after = state(copy)
    tables = expect["value"]["tables"]
    agree("tables", list(before), [table["name"] for table in tables])
    changed = 0
    for table in tables:
        (columns, old), (_, new) = before[table["name"]], after[table["name"]]
        agree("columns", columns, table["columns"])
        agree("key", keys[table["name"]], table["key"])
        old, new = Counter(old), Counter(new)
        for word, rows in (("removed", old - new), ("added", new - old)):
            alike(f"{word} in {table['name']}", sorted(rows.elements()), sorted(tuple(row) for row in table[word]))
            changed += sum(rows.values())
    if not changed:
        raise Disagreement("nothing to change: the sample should have been drawn again")


def price_list(it):
    path, gone, limit = asked(
        it,
        r"In the database (\S+), delete the item (\S+) from the table items\. Then raise each PRICE below (\d+) by 10 %, rounded to whole cents\.\n"
        r"Set CHANGED to today where you change a row\. Change nothing else\.",
    )
    statements = [
        ("DELETE FROM items WHERE ITEM = ?", (gone,)),
        ("UPDATE items SET PRICE = round(PRICE * 1.1, 2) WHERE PRICE < ?", (int(limit),)),
    ]
    keys = {"makers": ["MAKER_ID"], "items": ["ITEM_ID"]}
    database(it, it.below(path), statements, keys, {"": {"within": "0.01", "ignore": ["items.CHANGED"]}})


def stock_transfer(it):
    path, pieces, origin, giver, target, taker = asked(
        it,
        r"In (\S+), the table stock says how many PIECES are on each SHELF of a STORE\. Move (\d+) pieces from shelf (\d+) of store (\d) to\n"
        r"shelf (\d+) of store (\d): change both rows of stock, and add one row for each of the two to moves, with negative PIECES for the one\n"
        r"that gives\.",
    )
    statements = []
    for store, shelf, by in ((giver, origin, -int(pieces)), (taker, target, int(pieces))):
        place = (int(store), int(shelf))
        statements.append(("UPDATE stock SET PIECES = PIECES + ? WHERE STORE = ? AND SHELF = ?", (by, *place)))
        statements.append(("INSERT INTO moves VALUES (?, ?, ?)", (*place, by)))
    database(it, it.below(path), statements, {"stock": ["STORE", "SHELF"], "moves": []}, {})


def json_settings(it):
    path, low = asked(
        it,
        r"Edit (\S+): set the port of every host to 8443, set debug to true, and add the number (\d+) at the end of seen\. Keep everything else\.",
    )
    goal = it.json(it.below(path))
    for host in goal["hosts"]:
        host["port"] = 8443
    goal["debug"] = True
    goal["seen"].append(int(low))
    it.expects_just({"file": it.below(path)}, "json", goal)


def yaml_service(it):
    path, size = asked(it, r"In (\S+), set workers to (\d+) and remove the whole section legacy\. Keep all other settings\.")
    goal = it.yaml(it.below(path))
    goal["workers"] = int(size)
    del goal["legacy"]
    (expect,) = it.expects
    agree("subject", {"file": it.below(path)}, expect["subject"])
    agree("slice", {"at": "$", "yaml": True}, expect["slice"])
    same_json("value", goal, expect["value"])


def expectations(it, wanted):
    """The expects, in their order, as (name, subject, matcher, the file whose content is right)."""
    found = [(expect.get("name"), expect["subject"], expect["match"], expect.get("content")) for expect in it.expects]
    agree("expectations", wanted, found)


def rename_report(it):
    old, new = asked(
        it, r"Rename (\S+) to (\S+)\.txt, in the same folder, without changing its content\. Leave all other files as they are\."
    )
    path = f"drafts/{new}.txt"
    if path in it.files:
        raise Disagreement("the new name is taken")
    expectations(it, [
        ("moved", {"file": path}, "bytes", it.below(old)),
        ("gone", {"file": it.below(old)}, "absent", None),
        ("untouched", {"file": "drafts/index.txt"}, "unchanged", None),
        ("tidy", {"only": [path]}, "exists", None),
    ])


def sort_inbox(it):
    first, second, year, third, again, bin = asked(
        it,
        r"Sort the folder inbox: move (\S+) and (\S+) to archive/(\d+)/texts and (\S+) to archive/(\d+)/logs, each with the name it has,\n"
        r"and delete (\S+)\. Make no other files or folders\.",
    )
    agree("year", year, again)
    texts, logs = [it.below(first), it.below(second)], [it.below(third)]
    moved = {path: f"archive/{year}/{kind}/{path.removeprefix('inbox/')}" for kind, paths in (("texts", texts), ("logs", logs)) for path in paths}
    wanted = [(None, {"file": to}, "bytes", path) for path, to in moved.items()]
    wanted += [(None, {"file": path}, "absent", None) for path in [*moved, it.below(bin)]]
    wanted.append((None, {"only": list(moved.values())}, "exists", None))
    expectations(it, wanted)


VERIFIERS = {
    "price_list": price_list,
    "stock_transfer": stock_transfer,
    "json_settings": json_settings,
    "yaml_service": yaml_service,
    "rename_report": rename_report,
    "sort_inbox": sort_inbox,
}

if __name__ == "__main__":
    bundle.main(VERIFIERS, lambda instance: instance.task)
