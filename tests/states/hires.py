#!/usr/bin/env python3
"""Plays every case of `hires_right.py` and `hires_wrong.py` on every instance of a bundle of `hires.pcd`.

    python3 hires.py BUNDLE OUT

OUT/CASE/INSTANCE is the sandbox that a case leaves. OUT/expected.json has for each case what each expectation must say: `right`, or one of these reasons. Whether the rows
of the database are right is computed here from the end state, with Python's SQLite and nothing of ours, and must be what the label says."""
import json, os, re, shutil, sqlite3, sys, tempfile, traceback

CASES = {}


class Case:
    def __init__(self, run, why, wrong, rows):
        self.name, self.run, self.why, self.wrong, self.rows = run.__name__, run, why, wrong, rows


def case(why, wrong, rows):
    def mark(f):
        assert f.__name__ not in CASES, f.__name__
        CASES[f.__name__] = Case(f, why, wrong, rows)
        return f
    return mark


def right(why): return case(why, {}, True)


def vandal(why, rows=True, **wrong):
    """`state`, `kept`, `tidy`: the reasons that are right for this expectation, with `|` between them; one that is not named must be met. `rows`: whether the
    rows of the database are right, where it can be read."""
    assert wrong
    return case(why, wrong, rows)


def connect(path): return sqlite3.connect(path, isolation_level=None)


class Work:
    """What a case gets: the sandbox is the current folder."""
    def __init__(self, who):
        self.who, self.path, self.tmp = who, "office.db", tempfile.mkdtemp()
        self.start = os.path.join(self.tmp, "start.db")
        shutil.copy(self.path, self.start)

    def open(self, *first):
        db = connect(self.path)
        for s in first: db.execute(s)
        return db

    def insert(self, db, ids=(None, None)):
        db.execute("INSERT INTO people (ID, NAME, PAY, NOTE, BIG) VALUES (?, 'Nia', 2000.5, 'new', 3)", ids[:1])
        db.execute("INSERT INTO people (ID, NAME, PAY, NOTE, BIG) VALUES (?, 'Oda', 2100, NULL, 4)", ids[1:])

    def seat(self, db):
        db.execute("INSERT INTO seat SELECT ID, 'A', 103 FROM people WHERE NAME = 'Nia'")
        db.execute("INSERT INTO seat SELECT ID, 'A', 104 FROM people WHERE NAME = 'Oda'")
        db.execute("INSERT INTO seat SELECT ID, 'B', 7 FROM people WHERE NAME = 'Nia'")

    def raised(self, db): db.execute("UPDATE people SET PAY = 3000 WHERE ID = ?", (self.who,))

    def all(self, db, ids=(None, None)): self.insert(db, ids); self.seat(db); self.raised(db)

    def goal(self, *then, ids=(None, None)):
        db = self.open(); self.all(db, ids)
        for s in then: db.execute(s)
        db.close()

    def dump(self, *first, change=lambda s: s):
        """A new file of the dump of the goal, after these statements."""
        self.goal()
        old = self.open(); text = [s for s in old.iterdump() if s not in ("BEGIN TRANSACTION;", "COMMIT;")]; old.close()
        os.remove(self.path)
        new = self.open("PRAGMA foreign_keys=OFF", *first)
        for s in map(change, text): new.execute(s)
        new.close()

    def declared(self, db, name): return db.execute("SELECT sql FROM sqlite_master WHERE name = ?", (name,)).fetchone()[0]

    def rebuild(self, table, change=lambda s: s):
        """The table made anew, as SQLite's manual says, with what belongs to it."""
        db = self.open("PRAGMA foreign_keys=OFF"); self.all(db)
        sql = change(self.declared(db, table))
        more = [r[0] for r in db.execute("SELECT sql FROM sqlite_master WHERE tbl_name = ? AND type IN ('index', 'trigger') AND sql IS NOT NULL", (table,))]
        view = self.declared(db, "rich")
        db.execute("DROP VIEW rich")
        db.execute("PRAGMA legacy_alter_table=ON")
        db.execute(re.sub(r"TABLE \"?\w+\"?", "TABLE made", sql, count=1)); db.execute(f"INSERT INTO made SELECT * FROM {table}")
        db.execute(f"DROP TABLE {table}"); db.execute(f"ALTER TABLE made RENAME TO {table}")
        for s in [*more, view]: db.execute(s)
        db.close()

    def other(self, *statements):
        """Changes of the database that has to stay."""
        db = connect("bank.db")
        for s in statements: db.execute(s)
        db.close()


def die():
    """Ends the process without closing a connection."""
    os._exit(0)


def spill(db):
    db.execute("CREATE TABLE spilled(x)"); db.executemany("INSERT INTO spilled VALUES (?)", [("x" * 900,) for _ in range(400)])


def write(path, data, mode="wb"):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, mode) as f: f.write(data)


def plain(value):
    """5.0 is 5, and the noise of doubles does not count."""
    if not isinstance(value, float): return value
    return int(value) if value.is_integer() else float(f"{value:.10g}")


def content(path):
    """The rows, with new people by what they are and where they sit."""
    copy = tempfile.mkdtemp()
    for end in ("", "-wal", "-journal"):
        if os.path.isfile(path + end): shutil.copy(path + end, os.path.join(copy, "c.db" + end))
    db = connect(os.path.join(copy, "c.db"))
    rows = lambda t: [tuple(map(plain, r)) for r in db.execute(f"SELECT * FROM {t}")]
    out = {t: sorted(rows(t), key=repr) for t in ("badge", "room", "desk", "audit")}
    people, seats = rows("people"), rows("seat")
    old = set(range(1, 17))
    out["old"] = sorted([r for r in people if r[0] in old], key=repr)
    out["seats"] = sorted([s for s in seats if s[0] in old or s[0] not in {r[0] for r in people}], key=repr)
    out["new"] = sorted([(r[1:], sorted(s[1:] for s in seats if s[0] == r[0])) for r in people if r[0] not in old], key=repr)
    db.close(); shutil.rmtree(copy)
    return out


def played(case, who):
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.umask(0o022); case.run(Work(who)); code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def lay_out(instance, bundle, folder):
    for path, at in instance["files"].items():
        target = os.path.join(folder, path)
        os.makedirs(os.path.dirname(target), exist_ok=True); shutil.copyfile(os.path.join(bundle, at), target)
    for path in instance["metadata"]["picard"]["folders"]: os.makedirs(os.path.join(folder, path), exist_ok=True)


def end(case, instance, bundle, out):
    folder = os.path.join(out, case.name, instance["id"])
    lay_out(instance, bundle, folder)
    os.chdir(folder)
    who = instance["metadata"]["picard"]["draws"]["who"]
    goal = os.path.join(tempfile.mkdtemp(), "office.db")
    shutil.copy("office.db", goal)
    work = Work(who); work.path = goal; work.goal()
    said = {"case": case.name, "id": instance["id"], "why": case.why, "wrong": {name: reasons.split("|") for name, reasons in case.wrong.items()}}
    said["broken"] = not played(case, who)
    try:
        rows = content("office.db") == content(goal)
    except sqlite3.Error:
        rows = case.rows
    said["label"] = rows == case.rows
    return said


def main():
    import hires_right, hires_wrong
    bundle, out = map(os.path.abspath, sys.argv[1:])
    tempfile.tempdir = os.path.join(out, "tmp")
    os.makedirs(tempfile.tempdir)
    instances = [json.loads(x) for x in open(os.path.join(bundle, "instances.jsonl"))]
    ends = [end(case, one, bundle, out) for case in CASES.values() for one in instances]
    json.dump(ends, open(os.path.join(out, "expected.json"), "w"))


if __name__ == "__main__":
    sys.modules["hires"] = sys.modules["__main__"]
    main()
