#!/usr/bin/env python3
"""What the cases of this folder share. Each case is a function that is given a copy of the sandbox's starting database and the statements of the goal,
and leaves an end state. `right` ones are correct by expect.md (database) and scoring.md (States of a database), `wrong` ones are not; the text says why.
Written by someone who had read the manual and no code."""
import gzip, json, os, random, re, shutil, sqlite3, struct, sys, tempfile

ALL = ("prices", "till", "depot", "office")
META = {  # t: a table with a key; num, text, whole, nullable columns of it
    "prices": dict(t="items", key=["ID"], num="PRICE", text="NAME", whole="QTY", null="NOTE", other="makers"),
    "till": dict(t="sales", key=["ID"], num="AMOUNT", text="CLERK", whole="PAID", null=None, other="log"),
    "depot": dict(t="codes", key=["A", "B"], num="RATE", text="LABEL", whole=None, null=None, other="sales"),
    "cents": dict(t="items", key=["ID"], num="PRICE", text="NAME", whole="QTY", null=None, other="bag"),
    "office": dict(t="people", key=["ID"], num="PAY", text="NAME", whole="BIG", null="NOTE", other="audit"),
}
CASES = {}


class Case:
    def __init__(self, name, run, right, why, tasks, **more):
        self.name, self.run, self.right, self.why, self.tasks = name, run, right, why, tasks
        self.reason = more.get("reason")      # reason the documents state, if they do
        self.score = more.get("score")        # score the documents state, if not computed
        self.loose = more.get("loose", False)  # the documents do not say what it scores
        self.blind = more.get("blind", False)  # Python's SQLite cannot be asked: expected is the label, score 0


def case(right, why, tasks=ALL, **more):
    def mark(f):
        assert f.__name__ not in CASES, f.__name__
        CASES[f.__name__] = Case(f.__name__, f, right, why, tuple(tasks), **more)
        return f
    return mark


def wrong(why, tasks=ALL, **more): return case(False, why, tasks, **more)
def right(why, tasks=ALL, **more): return case(True, why, tasks, **more)


OFFICE_BEHAVIOR = [
    "CREATE VIEW IF NOT EXISTS rich AS SELECT ID, NAME FROM people WHERE PAY > 3000",
    "CREATE TRIGGER IF NOT EXISTS paid AFTER UPDATE OF PAY ON people BEGIN INSERT INTO audit VALUES (OLD.ID, OLD.PAY, NEW.PAY); END",
]


def q(name): return '"' + name.replace('"', '""') + '"'


def connect(path):
    db = sqlite3.connect(path, isolation_level=None)
    return db


class C:
    """What a case gets."""
    def __init__(self, path, statements, task):
        self.path, self.statements, self.task = path, statements, task
        self.m = META[task]
        self.tmp = tempfile.mkdtemp()
        self.start = os.path.join(self.tmp, "start.db")
        shutil.copy(path, self.start)

    def side(self, name): return os.path.join(self.tmp, name)

    def open(self): return connect(self.path)

    def apply(self, db, statements=None, fk=True):
        db.execute(f"PRAGMA foreign_keys={'ON' if fk else 'OFF'}")
        for s in self.statements if statements is None else statements:
            db.execute(s)
        db.execute("PRAGMA foreign_keys=OFF")

    def goal(self, *then):
        """All statements, committed; then more SQL."""
        db = self.open()
        self.apply(db)
        for s in then:
            db.execute(s)
        db.close()

    def rows(self, path, table):
        db = connect(path)
        r = {x[0]: x[1:] for x in db.execute(f"SELECT rowid AS _r, * FROM {q(table)} ORDER BY _r")}
        db.close()
        return r

    def pick(self, what="same", table=None, n=0):
        """rowid of the n-th row that the goal leaves as it was (same), or alters (altered)."""
        table = table or self.m["t"]
        g = self.side("goal.db")
        if not os.path.exists(g):
            shutil.copy(self.start, g)
            db = connect(g)
            self.apply(db)
            db.close()
        a, b = self.rows(self.start, table), self.rows(g, table)
        ids = [i for i in a if i in b and (a[i] == b[i]) == (what == "same")]
        return ids[n]

    def set(self, column, expression, what="same", n=0, table=None):
        table = table or self.m["t"]
        self.goal(f"UPDATE {q(table)} SET {q(column)} = {expression} WHERE rowid = {self.pick(what, table, n)}")

    def columns(self, db, table): return [r[1] for r in db.execute(f"PRAGMA table_info({q(table)})")]

    def rebuild(self, db, table, define=None, order=None, mutate=None, tail="", columns=None):
        """The table made anew. define: name -> definition of the column; mutate: list of rows -> list of rows."""
        names = self.columns(db, table)
        rows = [list(r) for r in db.execute(f"SELECT * FROM {q(table)}" + (f" ORDER BY {order}" if order else ""))]
        if mutate:
            rows = mutate(rows, names)
        db.execute(f"DROP TABLE {q(table)}")
        names = columns or names
        parts = [q(n) + " " + (define(n) if define else "") for n in names]
        db.execute(f"CREATE TABLE {q(table)}({', '.join(parts)}){tail}")
        db.executemany(f"INSERT INTO {q(table)} VALUES ({','.join('?' * len(names))})", rows)
        self.restore(db)

    def restore(self, db):
        """The fixture's view and trigger, which are dropped with a table or before it, made again: they count."""
        if self.task == "office":
            for s in OFFICE_BEHAVIOR: db.execute(s)

    def tables(self, db):
        return [r[0] for r in db.execute("SELECT name FROM sqlite_master WHERE type='table' AND name NOT LIKE 'sqlite_%'")]

    def rebuild_all(self, make):
        """A new file of the goal's dump, after `make(db)`, in place of the old one."""
        self.goal()
        old = self.open()
        new_path = self.side("new.db")
        new = connect(new_path)
        make(new)
        new.execute("PRAGMA foreign_keys=OFF")
        for s in dump(old):
            new.execute(s)
        new.close()
        old.close()
        shutil.copy(new_path, self.path)


def dump(db):
    yield from (s for s in db.iterdump() if s not in ("BEGIN TRANSACTION;", "COMMIT;"))


def die():
    """Ends the process without closing a connection: no rollback, no checkpoint."""
    print("done", flush=True)
    os._exit(0)


def retype(c, column, f, which=None, table=None):
    """The table without types, so that values keep theirs; f on each value of the column (or on the n-th row only)."""
    db = c.open(); c.apply(db)
    def mutate(rows, names):
        j = names.index(column)
        for i, r in enumerate(rows):
            if which is None or i == which:
                r[j] = f(r[j])
        return rows
    c.rebuild(db, table or c.m["t"], mutate=mutate, order="rowid"); db.close()


def spill(db):
    """Makes SQLite write pages of the open transaction to the disk."""
    db.execute("CREATE TABLE spilled(x)")
    db.executemany("INSERT INTO spilled VALUES (?)", [("x" * 900,) for _ in range(400)])


def wal(c, then=()):
    """The goal in the log only; the connection stays open. Returns it."""
    db = c.open()
    db.execute("PRAGMA journal_mode=WAL"); db.execute("PRAGMA wal_autocheckpoint=0")
    c.apply(db)
    for s in then:
        db.execute(s)
    c.keep = db
    assert os.path.getsize(c.path + "-wal") > 1000
    return db


def wal_files(c):
    """Copies of the database and its log while it is open."""
    wal(c)
    return open(c.path, "rb").read(), open(c.path + "-wal", "rb").read()


def leave(c, main, log):
    c.keep.close()
    for end in ("", "-wal", "-shm", "-journal"):
        if os.path.exists(c.path + end):
            os.remove(c.path + end)
    open(c.path, "wb").write(main)
    if log is not None:
        open(c.path + "-wal", "wb").write(log)


def spill2(db):
    for i in range(4):
        db.execute("UPDATE spilled SET x = x || 'y' WHERE rowid % 4 = ?", (i,))
