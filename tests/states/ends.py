#!/usr/bin/env python3
"""End states of the databases of `shop.pcd`. Each function is given a copy of the sandbox's starting database and the statements
of the goal, and leaves an end state. `right` ones are correct by expect.md (database) and scoring.md (States of a database),
`wrong` ones are not; the text says why. `judge.py` runs this file as an agent: the case is named in $PCD_CASE."""
import gzip, json, os, random, re, shutil, sqlite3, struct, sys, tempfile

ALL = ("prices", "till", "depot", "office")
META = {  # t: a table with a key; num, text, whole, nullable columns of it
    "prices": dict(t="items", key=["ID"], num="PRICE", text="NAME", whole="QTY", null="NOTE", other="makers"),
    "till": dict(t="sales", key=["ID"], num="AMOUNT", text="CLERK", whole="PAID", null=None, other="log"),
    "depot": dict(t="codes", key=["A", "B"], num="RATE", text="LABEL", whole=None, null=None, other="sales"),
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


# ---------------------------------------------------------------- wrong: rows

@wrong("nothing was changed", score=0, reason="differs")
def w_nothing(c): pass

@wrong("a row that had to stay has another number")
def w_collateral_number(c): c.set(c.m["num"], f"{c.m['num']} + 1")

@wrong("the same, by less than a cent can hide: 0.02")
def w_collateral_cents(c): c.set(c.m["num"], f"{c.m['num']} - 0.02")

@wrong("a row that had to stay has another text")
def w_collateral_text(c): c.set(c.m["text"], "'other'")

@wrong("all rows of a table were altered, not only those that had to be")
def w_collateral_all(c): c.goal(f"UPDATE {c.m['t']} SET {c.m['num']} = {c.m['num']} + 3")

@wrong("two collateral rows in the same table")
def w_collateral_two(c):
    a, b = c.pick(n=0), c.pick(n=1)
    c.goal(f"UPDATE {c.m['t']} SET {c.m['num']} = 77.5 WHERE rowid IN ({a},{b})")

@wrong("a collateral row in another table", ["prices", "depot", "office"])
def w_collateral_other_table(c):
    t = c.m["other"]
    db = c.open(); c.apply(db)
    n = c.columns(db, t)[-1]
    db.execute(f"UPDATE {t} SET {n} = 'changed' WHERE rowid = (SELECT MAX(rowid) FROM {t})"); db.close()

@wrong("an altered row also has another cell altered: it is another change")
def w_altered_more(c): c.set(c.m["text"], "'other'", "altered")

@wrong("an altered row has another new value")
def w_altered_otherwise(c): c.set(c.m["num"], f"{c.m['num']} + 9", "altered")

@wrong("a row that had to stay is missing")
def w_missing_row(c): c.goal(f"DELETE FROM {c.m['t']} WHERE rowid = {c.pick()}")

@wrong("an altered row is missing")
def w_missing_altered(c): c.goal(f"DELETE FROM {c.m['t']} WHERE rowid = {c.pick('altered')}")

@wrong("a row too many, with a key of its own")
def w_extra_row(c):
    db = c.open(); c.apply(db)
    row = list(db.execute(f"SELECT * FROM {c.m['t']} WHERE rowid = {c.pick()}").fetchone())
    names = c.columns(db, c.m["t"])
    for n in c.m["key"] + ([c.m["text"]] if c.task == "prices" else []):
        row[names.index(n)] = 5000 if n in ("ID", "B") else "zz"
    db.execute(f"INSERT INTO {c.m['t']} VALUES ({','.join('?' * len(row))})", row); db.close()

@wrong("a row of a bag too many: it counts as often as it is there", ["depot", "office"])
def w_extra_duplicate(c):
    t = {"depot": "sales", "office": "desk"}[c.task]
    c.goal(f"INSERT INTO {t} SELECT * FROM {t} WHERE rowid = {c.pick(table=t)}")

@wrong("duplicates of a bag were removed", ["depot", "office"])
def w_bag_deduplicated(c):
    t = {"depot": "sales", "office": "desk"}[c.task]
    db = c.open(); c.apply(db)
    names = ", ".join(c.columns(db, t))
    db.execute(f"DELETE FROM {t} WHERE rowid NOT IN (SELECT MIN(rowid) FROM {t} GROUP BY {names})"); db.close()

@wrong("one of two equal inserted rows is missing", ["depot"])
def w_bag_one_of_two(c): c.goal("DELETE FROM sales WHERE rowid = (SELECT MAX(rowid) FROM sales WHERE SOLD = 7)")

@wrong("duplicates moved from one row to another: the same number of rows, other counts", ["depot", "office"])
def w_bag_counts_moved(c):
    t = {"depot": "sales", "office": "desk"}[c.task]
    db = c.open(); c.apply(db)
    names = ", ".join(c.columns(db, t))
    r = db.execute(f"SELECT MIN(rowid), {names} FROM {t} GROUP BY {names} HAVING COUNT(*) > 1 ORDER BY 1 LIMIT 1").fetchone()
    other = db.execute(f"SELECT {names} FROM {t} WHERE ({names}) IS NOT ({','.join('?' * (len(r) - 1))}) ORDER BY rowid LIMIT 1", r[1:]).fetchone()
    db.execute(f"DELETE FROM {t} WHERE rowid = ?", r[:1])
    db.execute(f"INSERT INTO {t} VALUES ({','.join('?' * len(other))})", other); db.close()

@wrong("a number off by a cent; without an option only 10^-9 of its size is accepted", ["till", "depot", "office"])
def w_cent(c): c.set(c.m["num"], f"{c.m['num']} + 0.01", "altered")

@wrong("off by two cents, which is more than `within 0.01`", ["prices"])
def w_two_cents(c): c.set("PRICE", "PRICE + 0.02", "altered")

@wrong("off by 0.011, which is more than `within 0.01`", ["prices"])
def w_just_beyond(c): c.set("PRICE", "PRICE + 0.011", "same")

@wrong("`within` is no share: a whole number off by one", ["prices"])
def w_within_int(c): c.set("QTY", "QTY + 1")

@wrong("off by 10^-8 of its size", ["till", "depot", "office"])
def w_relative_1e8(c): c.set(c.m["num"], f"{c.m['num']} * (1 + 1e-8)")

@wrong("rounded to whole numbers")
def w_rounded(c):
    c.goal(f"UPDATE {c.m['t']} SET {c.m['num']} = round({c.m['num']})")

@wrong("cents instead of units")
def w_scaled(c): c.set(c.m["num"], f"{c.m['num']} * 100", "altered")

@wrong("the sign is lost")
def w_sign(c): c.set(c.m["num"], f"-{c.m['num']}", "altered")

@wrong("null instead of a number")
def w_null_number(c):
    db = c.open(); c.apply(db)
    i = c.pick(); t, n = c.m["t"], c.m["num"]
    k = c.columns(db, t)
    rid = db.execute(f"SELECT COUNT(*) FROM {t} WHERE rowid < {i}").fetchone()[0]
    def mutate(rows, names):
        rows[rid][names.index(n)] = None
        return rows
    c.rebuild(db, t, mutate=mutate, order="rowid"); db.close()

@wrong("an empty text for null", ["prices", "office"])
def w_empty_for_null(c):
    t, n = c.m["t"], c.m["null"]
    c.goal(f"UPDATE {t} SET {n} = '' WHERE {n} IS NULL")

@wrong("null for an empty text", ["office"])
def w_null_for_empty(c): c.goal("UPDATE people SET NOTE = NULL WHERE NOTE = ''")

@wrong("0 for null", ["office"])
def w_zero_for_null(c): c.goal("UPDATE room SET SEATS = 0 WHERE SEATS IS NULL")

@wrong("the text NULL for null", ["prices", "office"])
def w_text_null(c):
    c.goal(f"UPDATE {c.m['t']} SET {c.m['null']} = 'NULL' WHERE {c.m['null']} IS NULL")

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

@wrong("all numbers of a column as text")
def w_text_numbers(c): retype(c, c.m["num"], lambda v: repr(v))

@wrong("one whole number as text: '5' for 5", ["prices", "till", "office"])
def w_text_whole(c): retype(c, c.m["whole"], lambda v: str(v), 2)

@wrong("keys as text", ["prices", "till", "office"])
def w_text_key(c): retype(c, "ID", lambda v: str(v))

@wrong("keys off by half", ["prices", "till", "office"])
def w_half_key(c): retype(c, "ID", lambda v: v + 0.5)

@wrong("a text as a blob of the same bytes")
def w_blob_for_text(c): retype(c, c.m["text"], lambda v: v.encode(), 1)

@wrong("a blob as a text of the same bytes", ["office"])
def w_text_for_blob(c): c.goal("UPDATE desk SET V = '5' WHERE TAG = 'c' AND typeof(V) = 'blob'")

@wrong("5 for '5' and '5' for 5 in untyped columns: the number of texts is other", ["office"])
def w_untyped_text(c): c.goal("UPDATE desk SET V = 5 WHERE TAG = 'a' AND typeof(V) = 'text'")

@wrong("a number as a blob of its digits")
def w_blob_for_number(c): retype(c, c.m["num"], lambda v: str(v).encode(), 0)

@wrong("true as a text", ["till"])
def w_bool_text(c): retype(c, "PAID", lambda v: "true" if v else "false")

@wrong("another case of a text")
def w_case(c): c.set(c.m["text"], f"CASE WHEN upper({c.m['text']}) <> {c.m['text']} THEN upper({c.m['text']}) ELSE lower({c.m['text']}) END")

@wrong("a blank at the end")
def w_trailing_blank(c): c.set(c.m["text"], f"{c.m['text']} || ' '")

@wrong("a blank at the start")
def w_leading_blank(c): c.set(c.m["text"], f"' ' || {c.m['text']}")

@wrong("a line end at the end of an altered row's text")
def w_newline(c): c.set(c.m["text"], f"{c.m['text']} || char(10)", "altered")

@wrong("a zero-width space at the end")
def w_zero_width(c): c.set(c.m["text"], f"{c.m['text']} || char(8203)")

@wrong("a byte order mark at the start")
def w_bom(c): c.set(c.m["text"], f"char(65279) || {c.m['text']}")

@wrong("a NUL and more text after it")
def w_nul_suffix(c): c.set(c.m["text"], f"{c.m['text']} || char(0) || 'x'")

@wrong("a NUL after the text")
def w_nul(c): c.set(c.m["text"], f"{c.m['text']} || char(0)")

@wrong("trimmed blanks", ["office"])
def w_trimmed(c): c.goal("UPDATE people SET NOTE = trim(NOTE)")

@wrong("texts are compared exactly: the decomposed form of a letter is another text", ["office"])
def w_decomposed(c): c.goal("UPDATE people SET NAME = 'Zoe' || char(0x308) WHERE NAME = 'Zo' || char(0xeb)", "UPDATE people SET NAME = 'Jose' || char(0x301) WHERE NAME = 'Jos' || char(0xe9)")

@wrong("texts are compared exactly: a datetime with a blank for its T", ["till"])
def w_datetime_blank(c): c.goal("UPDATE sales SET AT = replace(AT, 'T', ' ')")

@wrong("texts are compared exactly: a datetime without its seconds", ["till"])
def w_datetime_short(c): c.goal("UPDATE sales SET AT = '2024-07-01T08:00' WHERE ID = 900")

@wrong("a date as a datetime", ["depot"])
def w_date_as_datetime(c): c.goal("UPDATE stock SET DAY = DAY || ' 00:00:00'")

@wrong("a text that is not UTF-8")
def w_invalid_utf8(c): c.set(c.m["text"], "CAST(x'ff80fe' AS TEXT)")

@wrong("a byte that is not UTF-8 at the end of a text", ["office"])
def w_replacement(c): c.goal(f"UPDATE people SET NAME = NAME || CAST(x'ff' AS TEXT) WHERE ID = {c.pick()}")

@wrong("another letter that looks the same", ["office"])
def w_homoglyph(c): c.goal(f"UPDATE people SET NAME = replace(replace(NAME, 'a', char(0x430)), 'o', char(0x43e)) WHERE ID <> {c.statements[0].split()[-1]}")

@wrong("a blob one byte shorter", ["office"])
def w_blob_short(c): c.goal("UPDATE people SET PHOTO = x'00ff' WHERE PHOTO = x'00ff10'")

@wrong("an empty blob for null", ["office"])
def w_empty_blob(c): c.goal("UPDATE people SET PHOTO = x'' WHERE PHOTO IS NULL")

@wrong("a whole number beyond 2^53, one off: both are the same double", ["office"])
def w_big_off_by_one(c): c.goal("UPDATE people SET BIG = BIG + 1 WHERE BIG = 9007199254740995")

@wrong("2^53 as a double for 2^53 + 1: a whole number is exact", ["office"])
def w_big_as_double(c): retype(c, "BIG", lambda v: float(v))

@wrong("a whole number that overflowed to a double", ["office"])
def w_overflow(c): c.goal("UPDATE people SET BIG = 9223372036854775807 + 1 WHERE rowid = (SELECT MIN(rowid) FROM people)")

@wrong("infinity")
def w_infinity(c): c.set(c.m["num"], "9e999")

@wrong("minus infinity as a whole column")
def w_infinities(c): c.goal(f"UPDATE {c.m['t']} SET {c.m['num']} = -9e999")

@wrong("values of two keys were swapped")
def w_swapped(c):
    db = c.open(); c.apply(db)
    t, n = c.m["t"], c.m["text"]
    a, b = c.pick(n=0), c.pick(n=1)
    x, y = [db.execute(f"SELECT {n} FROM {t} WHERE rowid = {i}").fetchone()[0] for i in (a, b)]
    if x == y:
        y = x + "y"
    for i, v in ((a, "__tmp"), (b, x), (a, y)):
        db.execute(f"UPDATE {t} SET {n} = ? WHERE rowid = {i}", (v,))
    db.close()

@wrong("numbers of an altered row and of another one were swapped")
def w_swapped_numbers(c):
    db = c.open(); c.apply(db)
    t, n = c.m["t"], c.m["num"]
    a, b = c.pick("altered"), c.pick()
    x, y = [db.execute(f"SELECT {n} FROM {t} WHERE rowid = {i}").fetchone()[0] for i in (a, b)]
    db.execute(f"UPDATE {t} SET {n} = ? WHERE rowid = {a}", (y,))
    db.execute(f"UPDATE {t} SET {n} = ? WHERE rowid = {b}", (x + (1 if x == y else 0),)); db.close()

@wrong("one key is another", ["prices", "till", "office"])
def w_wrong_key(c): c.goal(f"UPDATE {c.m['t']} SET ID = ID + 1000 WHERE rowid = {c.pick()}")

@wrong("all keys were numbered anew, from 1001", ["prices", "till", "office"])
def w_keys_anew(c): c.goal(f"UPDATE {c.m['t']} SET ID = ID + 1000")

@wrong("a key in another case", ["depot", "office"])
def w_key_case(c): c.goal(*{"depot": ["UPDATE codes SET A = upper(A)"], "office": ["UPDATE badge SET CODE = lower(CODE)"]}[c.task])

@wrong("the wrong row was altered")
def w_wrong_row(c):
    t, n = c.m["t"], c.m["num"]
    a, b = c.pick("altered"), c.pick()
    db = c.open(); c.apply(db)
    old = c.rows(c.start, t)[a][c.columns(db, t).index(n)]
    db.execute(f"UPDATE {t} SET {n} = ? WHERE rowid = {a}", (old,))
    db.execute(f"UPDATE {t} SET {n} = {n} * 1.1 + 1 WHERE rowid = {b}"); db.close()

@wrong("a row twice, in a table that has lost its key", loose=True)
def w_duplicate_key(c):
    db = c.open(); c.apply(db); c.rebuild(db, c.m["t"], order="rowid", mutate=lambda rows, names: rows + rows[:1]); db.close()

@wrong("two rows of a key that differ, in a table that has lost its key", loose=True)
def w_two_rows_of_a_key(c):
    def mutate(rows, names):
        r = list(rows[0]); r[names.index(c.m["num"])] = 1.5
        return [r] + rows
    db = c.open(); c.apply(db); c.rebuild(db, c.m["t"], order="rowid", mutate=mutate); db.close()

@wrong("keys that are null, in a table that has lost its key", loose=True)
def w_null_keys(c):
    def mutate(rows, names):
        for r in rows[:3]: r[names.index(c.m["key"][0])] = None
        return rows
    db = c.open(); c.apply(db); c.rebuild(db, c.m["t"], order="rowid", mutate=mutate); db.close()

# ---------------------------------------------------------------- wrong: statements

@wrong("only the first statement")
def w_first(c):
    db = c.open(); c.apply(db, c.statements[:1]); db.close()

@wrong("only the last statement")
def w_last(c):
    db = c.open(); c.apply(db, c.statements[-1:]); db.close()

@wrong("all but the last statement")
def w_all_but_last(c):
    db = c.open(); c.apply(db, c.statements[:-1]); db.close()

@wrong("the statements twice (those that can run twice)")
def w_twice(c):
    db = c.open(); c.apply(db)
    for s in c.statements:
        try:
            db.execute(s)
        except sqlite3.IntegrityError:
            pass
    db.close()

@wrong("updates without their WHERE")
def w_no_where(c):
    db = c.open()
    c.apply(db, [s.split(" WHERE ")[0] if s.startswith("UPDATE") and "SET BIG" not in s and "PHOTO" not in s else s for s in c.statements]); db.close()

@wrong("deletes without their WHERE", ["prices", "depot", "office"])
def w_delete_all(c):
    db = c.open()
    c.apply(db, [s.split(" WHERE ")[0] if s.startswith("DELETE") else s for s in c.statements], fk=False); db.close()

@wrong("everything was deleted")
def w_emptied(c):
    c.goal()
    db = c.open()
    for t in c.tables(db):
        db.execute(f"DELETE FROM {q(t)}")
    db.close()

@wrong("another direction: the inverse change")
def w_inverse(c):
    t, n = c.m["t"], c.m["num"]
    db = c.open(); names = c.columns(db, t)
    g = c.pick("altered"); c.apply(db)
    old = c.rows(c.start, t)
    for i, r in c.rows(c.side("goal.db"), t).items():
        if i in old and old[i] != r:
            a, b = old[i][names.index(n)], r[names.index(n)]
            db.execute(f"UPDATE {t} SET {n} = ? WHERE rowid = ?", (2 * a - b - (3 if a == b else 0), i))
    db.close()

@wrong("foreign keys off: the rows that a delete cascades to are still there", ["office"])
def w_no_cascade(c):
    db = c.open(); c.apply(db, fk=False); db.close()

@wrong("the fixture's trigger was dropped before: its row of `audit` is missing", ["office"])
def w_trigger_dropped(c):
    db = c.open(); db.execute("DROP TRIGGER paid"); c.apply(db); db.close()

@wrong("a trigger that the agent left fired: another row was altered")
def w_trigger_fired(c):
    t, n = c.m["t"], c.m["text"]
    i = c.pick()
    db = c.open()
    db.execute(f"CREATE TRIGGER mine AFTER UPDATE OF {c.m['num']} ON {t} BEGIN UPDATE {t} SET {n} = 'fired' WHERE rowid = {i}; END")
    c.apply(db); db.close()

@wrong("rolled back", score=0)
def w_rolled_back(c):
    db = c.open(); db.execute("PRAGMA foreign_keys=ON"); db.execute("BEGIN"); c.apply(db); db.execute("ROLLBACK"); db.close()

@wrong("never committed", score=0)
def w_not_committed(c):
    db = c.open(); db.execute("PRAGMA foreign_keys=ON"); db.execute("BEGIN"); c.apply(db); db.close()

@wrong("changes of temporary tables with the names of the tables", score=0)
def w_temporary(c):
    db = c.open()
    for t in c.tables(db):
        db.execute(f"CREATE TEMP TABLE {q(t)} AS SELECT * FROM main.{q(t)}")
    c.apply(db, fk=False); db.close()

@wrong("the changes are in a copy at another path", score=0)
def w_other_path(c):
    copy = os.path.join(os.path.dirname(c.path), "copy.db")
    shutil.copy(c.path, copy)
    db = connect(copy); c.apply(db); db.close()

@wrong("the changes are in a copy of the table", score=0, reason="wrong_schema")
def w_copied_table(c):
    db = c.open()
    t = c.m["t"]
    db.execute(f"CREATE TABLE {t}_new AS SELECT * FROM {t}"); db.execute(f"UPDATE {t}_new SET {c.m['num']} = 1"); db.close()

# ---------------------------------------------------------------- wrong: schema

@wrong("a table too many, empty", score=0, reason="wrong_schema")
def w_extra_table(c): c.goal("CREATE TABLE extra(a)")

@wrong("a backup of a table was left", score=0, reason="wrong_schema")
def w_backup_table(c): c.goal(f"CREATE TABLE old AS SELECT * FROM {c.m['t']}")

@wrong("a virtual table too many (with its shadow tables)", score=0, reason="wrong_schema")
def w_virtual_table(c): c.goal("CREATE VIRTUAL TABLE words USING fts5(t)")

@wrong("a table is missing", ["prices", "depot", "office"], score=0, reason="wrong_schema")
def w_missing_table(c): c.goal(f"DROP TABLE {c.m['other']}")

@wrong("all tables are missing", score=0, reason="wrong_schema")
def w_no_tables(c):
    db = c.open()
    for s in ["DROP VIEW IF EXISTS rich", *(f"DROP TABLE {q(t)}" for t in c.tables(db))]:
        db.execute(s)
    db.close()

@wrong("the table whose column is ignored is missing", ["till"], score=0, reason="wrong_schema")
def w_ignored_columns_table(c): c.goal("DROP TABLE sales")

@wrong("a column is missing", score=0, reason="wrong_schema")
def w_dropped_column(c):
    db = c.open(); c.apply(db)
    drop = c.columns(db, c.m["t"])[-1] if c.task != "till" else "AT"
    keep = [n for n in c.columns(db, c.m["t"]) if n != drop]
    db.execute("DROP VIEW IF EXISTS rich")
    db.execute(f"CREATE TABLE t2 AS SELECT {','.join(keep)} FROM {c.m['t']}")
    db.execute(f"DROP TABLE {c.m['t']}"); db.execute(f"ALTER TABLE t2 RENAME TO {c.m['t']}"); db.close()

@wrong("a column too many, all null", score=0, reason="wrong_schema")
def w_added_column(c): c.goal(f"ALTER TABLE {c.m['t']} ADD COLUMN more")

@wrong("a generated column too many", score=0, reason="wrong_schema")
def w_generated_column(c): c.goal(f"ALTER TABLE {c.m['t']} ADD COLUMN more AS ({c.m['num']} * 2) VIRTUAL")

@wrong("a column was renamed", score=0, reason="wrong_schema")
def w_renamed_column(c): c.goal(f"ALTER TABLE {c.m['t']} RENAME COLUMN {c.m['num']} TO renamed")

@wrong("columns in another order", score=0, reason="wrong_schema")
def w_column_order(c):
    db = c.open(); c.apply(db); db.execute("DROP VIEW IF EXISTS rich")
    names = c.columns(db, c.m["t"])
    db.execute(f"CREATE TABLE t2 AS SELECT {','.join(names[::-1])} FROM {c.m['t']}")
    db.execute(f"DROP TABLE {c.m['t']}"); db.execute(f"ALTER TABLE t2 RENAME TO {c.m['t']}"); db.close()

@wrong("a table was renamed", score=0, reason="wrong_schema")
def w_renamed_table(c):
    db = c.open(); c.apply(db); db.execute("DROP VIEW IF EXISTS rich"); db.execute(f"ALTER TABLE {c.m['t']} RENAME TO renamed"); db.close()

@wrong("two tables have each other's names", ["prices", "depot", "office"], score=0, reason="wrong_schema")
def w_tables_swapped(c):
    db = c.open(); c.apply(db); db.execute("DROP VIEW IF EXISTS rich"); db.execute("DROP TRIGGER IF EXISTS paid")
    a, b = c.m["t"], c.m["other"]
    for x, y in ((a, "zz"), (b, a), ("zz", b)):
        db.execute(f"ALTER TABLE {x} RENAME TO {y}")
    db.close()

@wrong("a view with the table's name over a table of another name", score=0, reason="wrong_schema")
def w_view_for_table(c):
    t = c.m["t"]
    db = c.open(); c.apply(db)
    for s in ["DROP VIEW IF EXISTS rich", "DROP TRIGGER IF EXISTS paid", f"ALTER TABLE {t} RENAME TO base", f"CREATE VIEW {t} AS SELECT * FROM base"]:
        db.execute(s)
    db.close()

@wrong("a view with the table's name and literal rows, no table", score=0, reason="wrong_schema")
def w_view_of_literals(c):
    t = c.m["t"]
    db = c.open(); c.apply(db)
    names = c.columns(db, t)
    rows = [",".join(db.execute("SELECT quote(?)", (v,)).fetchone()[0] for v in r) for r in db.execute(f"SELECT * FROM {t}")]
    for s in ["DROP VIEW IF EXISTS rich", f"DROP TABLE {t}", f"CREATE VIEW {t}({','.join(names)}) AS VALUES " + ",".join(f"({r})" for r in rows)]:
        db.execute(s)
    db.close()

@wrong("WITHOUT ROWID with the text as the key: rows with the same text were lost", ["till"])
def w_without_rowid_lost(c):
    db = c.open(); c.apply(db)
    names = c.columns(db, "sales")
    db.execute(f"CREATE TABLE t2({','.join(n + (' PRIMARY KEY' if n == 'CLERK' else '') for n in names)}) WITHOUT ROWID")
    db.execute("INSERT OR REPLACE INTO t2 SELECT * FROM sales")
    db.execute("INSERT OR IGNORE INTO t2 SELECT * FROM sales")
    db.execute("DELETE FROM t2 WHERE CLERK = (SELECT MIN(CLERK) FROM t2)")
    db.execute("DROP TABLE sales"); db.execute("ALTER TABLE t2 RENAME TO sales"); db.close()

@wrong("WITHOUT ROWID bag: duplicates were lost", ["depot"])
def w_without_rowid_bag(c):
    db = c.open(); c.apply(db)
    db.execute("CREATE TABLE t2(STORE, DAY, SOLD, PRIMARY KEY (STORE, DAY, SOLD)) WITHOUT ROWID")
    db.execute("INSERT OR IGNORE INTO t2 SELECT * FROM sales")
    db.execute("DROP TABLE sales"); db.execute("ALTER TABLE t2 RENAME TO sales"); db.close()

@wrong("a type that changes values: TEXT columns made of numbers")
def w_text_affinity(c):
    db = c.open(); c.apply(db); c.rebuild(db, c.m["t"], define=lambda n: "TEXT"); db.close()

@wrong("a type that changes values: INTEGER with whole numbers made of them", ["prices", "till", "depot", "office"])
def w_int_affinity(c):
    db = c.open(); c.apply(db)
    def mutate(rows, names):
        j = names.index(c.m["num"])
        for r in rows: r[j] = int(r[j])
        return rows
    c.rebuild(db, c.m["t"], define=lambda n: "INTEGER" if n == c.m["num"] else "", mutate=mutate); db.close()

# ---------------------------------------------------------------- wrong: logs and journals

def spill(db):
    """Makes SQLite write pages of the open transaction to the disk."""
    db.execute("CREATE TABLE spilled(x)")
    db.executemany("INSERT INTO spilled VALUES (?)", [("x" * 900,) for _ in range(400)])

@wrong("the transaction is in the write-ahead log, without its commit", score=0)
def w_wal_uncommitted(c):
    db = c.open()
    db.execute("PRAGMA foreign_keys=ON"); db.execute("PRAGMA journal_mode=WAL"); db.execute("PRAGMA cache_size=2"); db.execute("BEGIN")
    c.apply(db); spill(db)
    assert os.path.getsize(c.path + "-wal") > 10000
    die()

@wrong("a hot journal: the pages are in the file, the transaction was never finished", score=0)
def w_hot_journal(c):
    db = c.open()
    db.execute("PRAGMA foreign_keys=ON"); db.execute("PRAGMA cache_size=2"); db.execute("BEGIN")
    c.apply(db); spill(db)
    assert os.path.getsize(c.path + "-journal") > 512 and os.path.getsize(c.path) > 50000
    die()

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

@wrong("the log with the changes was removed", score=0)
def w_wal_removed(c):
    main, log = wal_files(c); leave(c, main, None)

@wrong("the log is cut off in its first transaction", score=0)
def w_wal_cut(c):
    main, log = wal_files(c); leave(c, main, log[:32 + 24 + 2000])

@wrong("the log's first frame has another checksum: SQLite ignores it", score=0)
def w_wal_checksum(c):
    main, log = wal_files(c)
    b = bytearray(log); b[32 + 24 + 100] ^= 1
    leave(c, main, bytes(b))

@wrong("the log's header has another salt: SQLite ignores its frames", score=0)
def w_wal_salt(c):
    main, log = wal_files(c)
    b = bytearray(log); b[16] ^= 1
    leave(c, main, bytes(b))

@wrong("a log with another name", score=0)
def w_wal_name(c):
    main, log = wal_files(c); leave(c, main, None)
    open(os.path.join(os.path.dirname(c.path), "other.db-wal"), "wb").write(log)

@wrong("the right state, and then a committed log with another change")
def w_wal_damage(c):
    t, n = c.m["t"], c.m["text"]
    i = c.pick()
    c.goal()
    db = c.open(); db.execute("PRAGMA journal_mode=WAL"); db.execute("PRAGMA wal_autocheckpoint=0")
    db.execute(f"UPDATE {t} SET {n} = 'damage' WHERE rowid = {i}")
    die()

@wrong("a hot journal of synchronous=OFF, which does not count its pages", score=0)
def w_hot_journal_off(c):
    db = c.open()
    db.execute("PRAGMA foreign_keys=ON"); db.execute("PRAGMA synchronous=OFF"); db.execute("PRAGMA cache_size=2"); db.execute("BEGIN")
    c.apply(db); spill(db)
    die()

@wrong("a hot journal of a database with pages of 512 bytes and many segments", score=0)
def w_hot_journal_512(c):
    db = c.open()
    for s in ("PRAGMA page_size=512", "VACUUM", "PRAGMA cache_size=2", "PRAGMA synchronous=EXTRA", "PRAGMA foreign_keys=ON", "BEGIN"): db.execute(s)
    c.apply(db); spill(db); spill2(db)
    die()

def spill2(db):
    for i in range(4):
        db.execute("UPDATE spilled SET x = x || 'y' WHERE rowid % 4 = ?", (i,))

@wrong("a link to a database whose changes were never finished, by the hot journal beside it", score=0)
def w_link_hot_journal(c):
    real = os.path.join(os.path.dirname(c.path), "real.db")
    os.rename(c.path, real); os.symlink("real.db", c.path)
    db = c.open()
    db.execute("PRAGMA foreign_keys=ON"); db.execute("PRAGMA cache_size=2"); db.execute("BEGIN")
    c.apply(db); spill(db)
    assert os.path.getsize(real + "-journal") > 512
    die()

@wrong("a link to a database whose log has damage")
def w_link_wal_damage(c):
    i = c.pick(); c.goal()
    real = os.path.join(os.path.dirname(c.path), "real.db")
    os.rename(c.path, real); os.symlink("real.db", c.path)
    db = c.open(); db.execute("PRAGMA journal_mode=WAL"); db.execute("PRAGMA wal_autocheckpoint=0")
    db.execute(f"UPDATE {c.m['t']} SET {c.m['text']} = 'damage' WHERE rowid = {i}")
    die()

@wrong("a log without its database: the file has no bytes", score=0)
def w_wal_zero(c):
    main, log = wal_files(c); leave(c, b"", log)

@wrong("a hot journal of two databases, whose super-journal is there: SQLite rolls it back", score=0)
def w_super_journal(c):
    db = c.open(); d = os.path.dirname(os.path.abspath(c.path))
    db.execute("PRAGMA foreign_keys=ON"); db.execute("PRAGMA cache_size=2"); db.execute("BEGIN")
    c.apply(db); spill(db)
    name = os.path.join(d, os.path.basename(c.path) + "-mj12345678")
    open(name, "wb").write((os.path.abspath(c.path) + "-journal").encode() + b"\0")
    n = name.encode()
    with open(c.path + "-journal", "ab") as f:
        f.write(struct.pack(">I", 0x40000000 // 4096 + 1) + n + struct.pack(">I", len(n)) + struct.pack(">I", sum(n)) + bytes.fromhex("d9d505f920a163d7"))
    die()

# ---------------------------------------------------------------- wrong: files

BAD = dict(score=0, reason="not_a_database", blind=True)

@wrong("the file is missing", score=0, reason="no_file", blind=True)
def w_removed(c): os.remove(c.path)

@wrong("only the log is left", score=0, reason="no_file", blind=True)
def w_only_wal(c):
    main, log = wal_files(c); leave(c, main, log); os.remove(c.path)

@wrong("cut off in the middle", **BAD)
def w_truncated(c):
    c.goal(); n = os.path.getsize(c.path); os.truncate(c.path, n // 2 // 512 * 512)

@wrong("cut off after 50 bytes", **BAD)
def w_header_cut(c): c.goal(); os.truncate(c.path, 50)

@wrong("only the magic", **BAD)
def w_magic(c): open(c.path, "wb").write(b"SQLite format 3\0")

@wrong("the last page is missing", **BAD)
def w_last_page(c): c.goal(); os.truncate(c.path, os.path.getsize(c.path) - 4096)

@wrong("no bytes: for SQLite a database without tables", score=0, blind=True)
def w_zero_bytes(c): open(c.path, "wb").close()

@wrong("a text file", **BAD)
def w_text_file(c): open(c.path, "w").write("done, all rows changed\n" * 100)

@wrong("the dump as SQL", **BAD)
def w_sql_file(c):
    c.goal(); db = c.open(); text = "\n".join(db.iterdump()); db.close()
    open(c.path, "w").write(text)

@wrong("compressed", **BAD)
def w_gzip(c): c.goal(); data = open(c.path, "rb").read(); open(c.path, "wb").write(gzip.compress(data))

@wrong("a header like that of an encrypted database", **BAD)
def w_encrypted(c):
    c.goal(); data = open(c.path, "rb").read(); r = random.Random(3)
    open(c.path, "wb").write(bytes(b ^ r.randrange(256) for b in data))

@wrong("only its first 16 bytes are encrypted", **BAD)
def w_encrypted_magic(c):
    c.goal(); f = open(c.path, "r+b"); f.write(bytes(range(200, 216))); f.close()

@wrong("another database", score=0, reason="wrong_schema")
def w_other_database(c):
    os.remove(c.path); db = c.open(); db.execute("CREATE TABLE x(a)"); db.execute("INSERT INTO x VALUES (1)"); db.close()

@wrong("random pages after the header", **BAD)
def w_noise(c):
    c.goal(); data = bytearray(open(c.path, "rb").read()); r = random.Random(4)
    for i in range(100, len(data)): data[i] = r.randrange(256)
    open(c.path, "wb").write(data)

@wrong("a page that points to itself: integrity_check fails", **BAD)
def w_cycle(c):
    c.goal()
    db = c.open()
    db.execute("PRAGMA writable_schema=ON")
    db.execute(f"UPDATE sqlite_master SET rootpage = 1 WHERE name = '{c.m['t']}'"); db.close()

@wrong("an index that lacks rows: integrity_check fails", ["prices", "office"], score=0, reason="not_a_database", blind=True)
def w_index(c):
    t, n = c.m["t"], c.m["text"]
    c.goal(f"CREATE INDEX mine ON {t}({c.m['num']})")
    db = c.open(); db.execute("PRAGMA writable_schema=ON")
    sql = db.execute("SELECT sql FROM sqlite_master WHERE name='mine'").fetchone()[0]
    db.execute("UPDATE sqlite_master SET sql = ? WHERE name = 'mine'", (sql.replace(c.m["num"], n),)); db.close()

@wrong("NOT NULL was written into the schema over nulls: integrity_check fails", ["office"], score=0, reason="not_a_database", blind=True)
def w_not_null(c):
    c.goal()
    db = c.open(); db.execute("PRAGMA writable_schema=ON")
    db.execute("UPDATE sqlite_master SET sql = replace(sql, 'NOTE TEXT', 'NOTE TEXT NOT NULL') WHERE name = 'people'"); db.close()

@wrong("a schema that cannot be parsed", **BAD)
def w_schema(c):
    c.goal()
    db = c.open(); db.execute("PRAGMA writable_schema=ON")
    db.execute(f"UPDATE sqlite_master SET sql = 'CREATE TABLE oops(' WHERE name = '{c.m['t']}'"); db.close()

@wrong("a folder", score=0, reason="wrong_kind", blind=True)
def w_folder(c): os.remove(c.path); os.mkdir(c.path)

@wrong("a folder with the database in it", score=0, reason="wrong_kind", blind=True)
def w_folder_with(c):
    c.goal(); new = c.side("keep.db"); shutil.copy(c.path, new); os.remove(c.path); os.mkdir(c.path); shutil.copy(new, os.path.join(c.path, os.path.basename(c.path)))

@wrong("a link out of the sandbox", score=0, blind=True)
def w_link_out(c): os.remove(c.path); os.symlink("/etc/hostname", c.path)

@wrong("a link that leads nowhere", score=0, blind=True)
def w_link_nowhere(c): os.remove(c.path); os.symlink("nowhere.db", c.path)

@wrong("a link to itself", score=0, blind=True)
def w_link_self(c): os.remove(c.path); os.symlink(os.path.basename(c.path), c.path)

@wrong("a FIFO (must not hang)", score=0, blind=True)
def w_fifo(c): os.remove(c.path); os.mkfifo(c.path)

@wrong("the start, and a FIFO as its log (must not hang)", score=0, blind=True)
def w_fifo_wal(c): os.mkfifo(c.path + "-wal"); os.mkfifo(c.path + "-journal")

@wrong("a sparse file of 900 MB", score=0, reason="too_large", blind=True)
def w_sparse(c): c.goal(); os.truncate(c.path, 900 << 20)

@wrong("the right rows in a file of more than 16 MiB (free pages)", score=0, reason="too_large", blind=True)
def w_bloated(c): c.goal("CREATE TABLE b(x)", "INSERT INTO b VALUES (zeroblob(17825792))", "DROP TABLE b")

@wrong("more than 16 MiB of rows", ["office"], score=0, reason="too_large", blind=True)
def w_large_rows(c): c.goal("INSERT INTO desk VALUES ('a', zeroblob(17825792))")

@wrong("300,000 rows too many in a bag (below 16 MiB)", ["office"])
def w_many_rows(c):
    c.goal("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) INSERT INTO desk SELECT NULL, NULL FROM n")

# ---------------------------------------------------------------- right

@right("the statements, each in a transaction of its own")
def r_plain(c): c.goal()

@right("one transaction")
def r_transaction(c):
    db = c.open(); db.execute("PRAGMA foreign_keys=ON"); db.execute("BEGIN")
    for s in c.statements: db.execute(s)
    db.execute("COMMIT"); db.close()

@right("other statement order, where it does not matter", ["depot", "office"])
def r_reverse(c):
    s = c.statements
    order = s[::-1]
    db = c.open(); c.apply(db, order); db.close()

@right("a row at a time, by a program")
def r_by_program(c):
    c.pick(); t = c.m["t"]
    g = c.side("goal.db")
    db = c.open()
    db.execute("DROP TRIGGER IF EXISTS paid")
    for t in c.tables(db):
        have = connect(g); rows = have.execute(f"SELECT * FROM {q(t)}").fetchall(); have.close()
        db.execute(f"DELETE FROM {q(t)}")
        for r in rows: db.execute(f"INSERT INTO {q(t)} VALUES ({','.join('?' * len(r))})", r)
    db.close()

@right("VACUUM")
def r_vacuum(c): c.goal("VACUUM")

@right("VACUUM INTO another file that replaces this one")
def r_vacuum_into(c):
    c.goal(); new = c.side("v.db"); db = c.open(); db.execute("VACUUM INTO ?", (new,)); db.close(); shutil.copy(new, c.path)

@right("the backup API into a new file")
def r_backup(c):
    c.goal(); db = c.open(); new = c.side("b.db"); d = sqlite3.connect(new); db.backup(d); d.close(); db.close()
    os.remove(c.path); shutil.move(new, c.path)

@right("a dump that was restored")
def r_dump(c): c.rebuild_all(lambda db: None)

@right("UTF-16LE")
def r_utf16le(c): c.rebuild_all(lambda db: db.execute("PRAGMA encoding='UTF-16le'"))

@right("UTF-16BE")
def r_utf16be(c): c.rebuild_all(lambda db: db.execute("PRAGMA encoding='UTF-16be'"))

@right("pages of 512 bytes")
def r_page_512(c): c.goal("PRAGMA page_size=512", "VACUUM")

@right("pages of 65536 bytes")
def r_page_65536(c): c.goal("PRAGMA page_size=65536", "VACUUM")

@right("auto_vacuum=FULL")
def r_auto_vacuum(c): c.goal("PRAGMA auto_vacuum=FULL", "VACUUM")

@right("auto_vacuum=INCREMENTAL, with free pages")
def r_incremental(c): c.goal("PRAGMA auto_vacuum=INCREMENTAL", "VACUUM", "CREATE TABLE z AS SELECT zeroblob(90000) AS b", "DROP TABLE z")

@right("WAL, checkpointed and closed")
def r_wal_closed(c):
    db = c.open(); db.execute("PRAGMA journal_mode=WAL"); c.apply(db); db.close()

@right("the changes are only in the write-ahead log; killed without a checkpoint")
def r_wal_only(c): wal(c); die()

@right("the same, without -shm")
def r_wal_no_shm(c):
    main, log = wal_files(c); leave(c, main, log)

@right("the same, with a -shm of garbage")
def r_wal_bad_shm(c):
    main, log = wal_files(c); leave(c, main, log); open(c.path + "-shm", "wb").write(b"\xa5" * 32768)

@right("half of the statements are checkpointed, half are in the log")
def r_wal_half(c):
    db = c.open(); db.execute("PRAGMA journal_mode=WAL"); c.apply(db, c.statements[:1])
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)"); db.execute("PRAGMA wal_autocheckpoint=0"); c.apply(db, c.statements[1:]); die()

@right("the log has the commit and, after it, a transaction that never ended")
def r_wal_tail(c):
    db = wal(c)
    db.execute("PRAGMA cache_size=2"); n = os.path.getsize(c.path + "-wal")
    db.execute("BEGIN"); db.execute(f"DELETE FROM {c.m['t']}"); spill(db)
    assert os.path.getsize(c.path + "-wal") > n + 10000
    die()

@right("the log has bytes of garbage after the commit")
def r_wal_garbage_tail(c):
    main, log = wal_files(c); leave(c, main, log + bytes(range(256)) * 20)

@right("an empty log")
def r_wal_empty(c):
    c.goal("PRAGMA journal_mode=WAL"); open(c.path + "-wal", "wb").close()

@right("a log that belongs to nothing: SQLite ignores it")
def r_wal_noise(c):
    c.goal("PRAGMA journal_mode=WAL"); open(c.path + "-wal", "wb").write(b"not a log" * 500)

@right("the log was started anew: old frames with another salt follow the new ones")
def r_wal_restarted(c):
    db = c.open(); db.execute("PRAGMA journal_mode=WAL"); db.execute("PRAGMA wal_autocheckpoint=0")
    t, n = c.m["t"], c.m["text"]
    db.execute("SAVEPOINT s"); c.pick()
    db.execute("RELEASE s")
    for k in range(3):
        db.execute(f"CREATE TABLE z{k} AS SELECT * FROM {t}"); db.execute(f"DROP TABLE z{k}")
    size = os.path.getsize(c.path + "-wal")
    db.execute("PRAGMA wal_checkpoint(RESTART)"); c.apply(db)
    assert os.path.getsize(c.path + "-wal") == size
    die()

@right("VACUUM in the log: the database there is smaller than the file")
def r_wal_vacuum(c):
    c.goal("CREATE TABLE z AS SELECT zeroblob(300000) AS b", "DROP TABLE z")
    db = c.open(); db.execute("PRAGMA journal_mode=WAL"); db.execute("PRAGMA wal_autocheckpoint=0"); db.execute("VACUUM"); die()

@right("a new database in WAL mode, all of it in the log")
def r_wal_new(c):
    c.goal(); old = c.open(); text = list(dump(old)); old.close(); os.remove(c.path)
    db = c.open(); db.execute("PRAGMA journal_mode=WAL"); db.execute("PRAGMA wal_autocheckpoint=0")
    for s in text: db.execute(s)
    assert os.path.getsize(c.path) <= 4096
    die()

@right("a log with checksums in big-endian order, as another machine writes it")
def r_wal_big_endian(c):
    main, log = wal_files(c)
    def check(data, s):
        a, b = s
        v = struct.unpack(f">{len(data) // 4}I", data)
        for i in range(0, len(v), 2):
            a = (a + v[i] + b) & 0xffffffff; b = (b + v[i + 1] + a) & 0xffffffff
        return a, b
    head = struct.pack(">I", 0x377f0683) + log[4:24]
    s = check(head, (0, 0)); out = head + struct.pack(">II", *s)
    size = 24 + struct.unpack(">I", log[8:12])[0]
    for i in range(32, len(log), size):
        f = log[i:i + size]
        s = check(f[24:], check(f[:8], s)); out += f[:16] + struct.pack(">II", *s) + f[24:]
    leave(c, main, out)

@right("a log beside a header that does not state WAL: SQLite reads it")
def r_wal_header(c):
    main, log = wal_files(c)
    leave(c, main[:18] + b"\1\1" + main[20:], log)

@right("a link within the sandbox to a database whose log has the changes: SQLite follows the link and reads that log")
def r_link_wal(c):
    real = os.path.join(os.path.dirname(c.path), "real.db")
    os.rename(c.path, real); os.symlink("real.db", c.path)
    db = c.open(); db.execute("PRAGMA journal_mode=WAL"); db.execute("PRAGMA wal_autocheckpoint=0"); c.apply(db)
    assert os.path.exists(real + "-wal")
    die()

@right("a link to a database beside which is the log of another one, with the link's name")
def r_link_other_wal(c):
    c.goal()
    real = os.path.join(os.path.dirname(c.path), "real.db")
    shutil.copy(c.path, real)
    db = c.open(); db.execute("PRAGMA journal_mode=WAL"); db.execute("PRAGMA wal_autocheckpoint=0"); db.execute(f"DELETE FROM {c.m['t']}")
    log = open(c.path + "-wal", "rb").read(); db.close()
    shutil.copy(real, c.path)
    os.remove(c.path); os.symlink("real.db", c.path); open(c.path + "-wal", "wb").write(log)

@right("a hot journal whose super-journal is gone: the transaction of two databases is finished")
def r_super_journal_gone(c):
    db = c.open()
    db.execute("PRAGMA foreign_keys=ON"); db.execute("PRAGMA cache_size=2"); db.execute("BEGIN"); c.apply(db); spill(db); db.execute("DROP TABLE spilled")
    log = open(c.path + "-journal", "rb").read()
    db.execute("COMMIT"); db.close()
    n = (os.path.abspath(c.path) + "-mj12345678").encode()
    open(c.path + "-journal", "wb").write(log + struct.pack(">I", 0x40000000 // 4096 + 1) + n + struct.pack(">I", len(n)) + struct.pack(">I", sum(n)) + bytes.fromhex("d9d505f920a163d7"))

@right("the log was copied with the database, whose frames are already in it")
def r_wal_old(c):
    db = wal(c); log = open(c.path + "-wal", "rb").read()
    db.execute("PRAGMA wal_checkpoint(PASSIVE)"); main = open(c.path, "rb").read()
    leave(c, main, log)

@right("the changes are finished; a later transaction was not, by the hot journal")
def r_hot_journal(c):
    c.goal()
    db = c.open(); db.execute("PRAGMA cache_size=2"); db.execute("BEGIN")
    db.execute(f"UPDATE {c.m['t']} SET {c.m['text']} = 'damage' || rowid"); spill(db)
    assert os.path.getsize(c.path + "-journal") > 512
    die()

@right("journal_mode=PERSIST: the journal is there, and not hot")
def r_persist(c):
    db = c.open(); db.execute("PRAGMA journal_mode=PERSIST"); c.apply(db); db.close()
    assert os.path.exists(c.path + "-journal")

@right("journal_mode=TRUNCATE: the journal is there, and empty")
def r_truncate(c):
    db = c.open(); db.execute("PRAGMA journal_mode=TRUNCATE"); c.apply(db); db.close()
    assert os.path.exists(c.path + "-journal")

@right("a journal of garbage: SQLite ignores it")
def r_journal_noise(c): c.goal(); open(c.path + "-journal", "wb").write(b"\1not a journal" * 300)

@right("synchronous=OFF, journal_mode=OFF")
def r_journal_off(c):
    db = c.open(); db.execute("PRAGMA synchronous=OFF"); db.execute("PRAGMA journal_mode=OFF"); c.apply(db); db.close()

@right("foreign keys off, where nothing cascades", ["prices", "till", "depot"])
def r_fk_off(c):
    db = c.open(); c.apply(db, fk=False); db.close()

@right("rows deleted and inserted again, in another order")
def r_reinserted(c):
    db = c.open(); c.apply(db); t = c.m["t"]
    rows = db.execute(f"SELECT * FROM {t}").fetchall()
    db.execute(f"DELETE FROM {t}")
    db.executemany(f"INSERT INTO {t} VALUES ({','.join('?' * len(rows[0]))})", rows[::-1]); db.close()

@right("bags in another order, with other ROWIDs", ["depot", "office"])
def r_bag_order(c):
    t = {"depot": "sales", "office": "desk"}[c.task]
    db = c.open(); c.apply(db); names = ",".join(c.columns(db, t))
    rows = db.execute(f"SELECT {names} FROM {t} ORDER BY rowid DESC").fetchall()
    db.execute(f"DELETE FROM {t}")
    db.executemany(f"INSERT INTO {t}(rowid, {names}) VALUES ({','.join('?' * (len(rows[0]) + 1))})", [(i * 7 + 900, *r) for i, r in enumerate(rows)]); db.close()

@right("a table with all types left out")
def r_untyped(c):
    db = c.open(); c.apply(db); c.rebuild(db, c.m["t"]); db.close()

@right("all tables made anew without types and constraints")
def r_untyped_all(c):
    db = c.open(); c.apply(db)
    for t in c.tables(db): c.rebuild(db, t)
    db.close()

@right("CREATE TABLE AS in place of a table")
def r_create_as(c):
    db = c.open(); c.apply(db); t = c.m["t"]
    db.execute("DROP VIEW IF EXISTS rich")
    db.execute(f"CREATE TABLE t2 AS SELECT * FROM {t} ORDER BY random() * 0, 2"); db.execute(f"DROP TABLE {t}"); db.execute(f"ALTER TABLE t2 RENAME TO {t}"); db.close()

@right("WITHOUT ROWID")
def r_without_rowid(c):
    db = c.open(); c.apply(db)
    t = c.m["t"]; names = c.columns(db, t)
    db.execute("DROP VIEW IF EXISTS rich")
    db.execute(f"CREATE TABLE t2({','.join(names)}, PRIMARY KEY({','.join(c.m['key'])})) WITHOUT ROWID")
    db.execute(f"INSERT INTO t2 SELECT * FROM {t}"); db.execute(f"DROP TABLE {t}"); db.execute(f"ALTER TABLE t2 RENAME TO {t}"); db.close()

@right("with ROWID where there was none", ["office"])
def r_with_rowid(c):
    db = c.open(); c.apply(db); c.rebuild(db, "badge"); db.close()

@right("AUTOINCREMENT: SQLite's own table sqlite_sequence", ["prices", "till", "office"])
def r_autoincrement(c):
    db = c.open(); c.apply(db); c.rebuild(db, c.m["t"], define=lambda n: "INTEGER PRIMARY KEY AUTOINCREMENT" if n == "ID" else ""); db.close()

@right("STRICT with ANY")
def r_strict(c):
    db = c.open(); c.apply(db); c.rebuild(db, c.m["t"], define=lambda n: "ANY", tail=" STRICT"); db.close()

@right("whole numbers as REAL: 5.0 for 5", ["prices", "till"])
def r_real(c):
    db = c.open(); c.apply(db); c.rebuild(db, c.m["t"], define=lambda n: "REAL" if n == c.m["whole"] else ""); db.close()

@right("keys as REAL", ["prices", "till"])
def r_real_keys(c): retype(c, "ID", float)

@right("noise of doubles: 10^-12 of the size")
def r_noise(c): c.goal(f"UPDATE {c.m['t']} SET {c.m['num']} = {c.m['num']} * (1 + 1e-12)") if c.task != "office" else c.goal("DROP TRIGGER paid", "UPDATE people SET PAY = PAY * (1 + 1e-12)")

@right("off by 10^-10 of its size")
def r_noise_10(c): c.goal(f"UPDATE {c.m['t']} SET {c.m['num']} = {c.m['num']} * (1 - 1e-10)") if c.task != "office" else c.goal("DROP TRIGGER paid", "UPDATE people SET PAY = PAY * (1 - 1e-10)")

@right("-0.0 for 0", ["office"])
def r_negative_zero(c): c.goal("UPDATE desk SET V = -0.0 WHERE TAG = 'd'")

@right("within 0.01: prices that the statements raise are a cent off", ["prices"])
def r_within(c): c.goal("UPDATE items SET PRICE = round(PRICE + 0.01, 2) WHERE PRICE < 22")

@right("within 0.01: not rounded", ["prices"])
def r_unrounded(c):
    db = c.open(); c.apply(db, [c.statements[0], "UPDATE items SET PRICE = PRICE * 1.1 WHERE PRICE < 20"]); db.close()

@right("within 0.01: 0.005 off, everywhere", ["prices"])
def r_within_all(c): c.goal("UPDATE items SET PRICE = PRICE + 0.005")

@right("an ignored column has other values", ["till"])
def r_ignored_column(c): c.goal("UPDATE sales SET CHANGED = CASE WHEN ID % 2 THEN '2030-01-01' ELSE 5 END")

@right("an ignored table has other rows", ["till"])
def r_ignored_rows(c): c.goal("DELETE FROM log WHERE N > 3", "INSERT INTO log VALUES ('x', 1), ('x', 1)")

@right("an ignored table has other columns", ["till"])
def r_ignored_columns(c): c.goal("ALTER TABLE log ADD COLUMN more", "ALTER TABLE log RENAME COLUMN N TO M")

@right("an ignored table is left out on both sides, also if it is not there", ["till"])
def r_ignored_dropped(c): c.goal("DROP TABLE log")

@right("an ignored column is left out on both sides, also if it is not there", ["till"])
def r_ignored_column_dropped(c):
    db = c.open(); c.apply(db)
    db.execute("CREATE TABLE t2 AS SELECT ID, CLERK, PAID, AMOUNT, AT FROM sales"); db.execute("DROP TABLE sales"); db.execute("ALTER TABLE t2 RENAME TO sales"); db.close()

@right("an ignored column at another place", ["till"])
def r_ignored_column_moved(c):
    db = c.open(); c.apply(db)
    db.execute("CREATE TABLE t2 AS SELECT CHANGED, ID, CLERK, PAID, AMOUNT, AT FROM sales"); db.execute("DROP TABLE sales"); db.execute("ALTER TABLE t2 RENAME TO sales"); db.close()

@right("an index more")
def r_index(c): c.goal(f"CREATE INDEX mine ON {c.m['t']}({c.m['num']})", f"CREATE UNIQUE INDEX mine2 ON {c.m['t']}({','.join(c.m['key'])}, {c.m['text']})")

@right("partial and expression indexes")
def r_index_expression(c): c.goal(f"CREATE INDEX mine ON {c.m['t']}(lower({c.m['text']})) WHERE {c.m['num']} > 5")

@right("a trigger more, which did not fire")
def r_trigger(c): c.goal(f"CREATE TRIGGER mine AFTER UPDATE ON {c.m['t']} BEGIN DELETE FROM {c.m['t']}; END")

@right("views more, one of them broken")
def r_view(c): c.goal(f"CREATE VIEW mine AS SELECT * FROM {c.m['t']}", "CREATE VIEW broken AS SELECT * FROM nowhere")

@right("indexes, triggers, and views dropped", ["office"])
def r_dropped(c): c.goal("DROP TRIGGER paid", "DROP VIEW rich", "DROP INDEX people_name")

@right("ANALYZE: SQLite's own tables sqlite_stat1")
def r_analyze(c): c.goal("ANALYZE")

@right("user_version and application_id")
def r_versions(c): c.goal("PRAGMA user_version=77", "PRAGMA application_id=123456")

@right("free pages with old content; secure_delete off")
def r_free_pages(c): c.goal("PRAGMA secure_delete=OFF", "CREATE TABLE z AS SELECT zeroblob(500000) AS b", "DROP TABLE z")

@right("damage that was repaired")
def r_repaired(c):
    c.pick(); db = c.open(); t = c.m["t"]; g = c.side("goal.db")
    c.apply(db); db.execute(f"DELETE FROM {t}"); db.execute("ATTACH ? AS g", (g,)); db.execute(f"INSERT INTO {t} SELECT * FROM g.{t}"); db.close()

@right("damage that was rolled back to a savepoint")
def r_savepoint(c):
    db = c.open(); c.apply(db); db.execute("BEGIN"); db.execute("SAVEPOINT s"); db.execute(f"DELETE FROM {c.m['t']}"); db.execute("ROLLBACK TO s"); db.execute("COMMIT"); db.close()

@right("columns in lower case (letter case does not matter)")
def r_lower_columns(c):
    db = c.open(); c.apply(db); t = c.m["t"]
    db.execute("DROP VIEW IF EXISTS rich"); db.execute("DROP TRIGGER IF EXISTS paid")
    names = c.columns(db, t)
    c.rebuild(db, t, columns=[n.lower() for n in names]); db.close()

@right("a column was added and dropped again; a table was renamed and renamed back")
def r_there_and_back(c):
    t = c.m["t"]; c.goal(f"ALTER TABLE {t} ADD COLUMN more", f"ALTER TABLE {t} DROP COLUMN more", f"ALTER TABLE {t} RENAME TO zz", f"ALTER TABLE zz RENAME TO {t}")

@right("constraints, defaults, collations that were not there")
def r_constraints(c):
    db = c.open(); c.apply(db)
    c.rebuild(db, c.m["t"], define=lambda n: f"DEFAULT 5 COLLATE NOCASE CHECK ({q(n)} IS NULL OR length({q(n)}) >= 0)"); db.close()

@right("a stored generated column with the same values", ["prices", "till"])
def r_generated(c):
    db = c.open(); c.apply(db); t, n = c.m["t"], c.m["text"]
    names = c.columns(db, t)
    rows = db.execute(f"SELECT * FROM {t}").fetchall(); j = names.index(n)
    cases = " ".join(f"WHEN {r[0]} THEN '{r[j]}'" for r in rows)
    db.execute("DROP VIEW IF EXISTS rich"); db.execute(f"DROP TABLE {t}")
    db.execute(f"CREATE TABLE {t}({','.join(x if x != n else x + f' AS (CASE ID {cases} END) STORED' for x in names)})")
    db.executemany(f"INSERT INTO {t}({','.join(x for x in names if x != n)}) VALUES ({','.join('?' * (len(names) - 1))})", [r[:j] + r[j + 1:] for r in rows]); db.close()

@right("the file is read-only")
def r_read_only(c): c.goal(); os.chmod(c.path, 0o444)

@right("other files beside it")
def r_beside(c):
    c.goal(); d = os.path.dirname(c.path)
    shutil.copy(c.start, os.path.join(d, "backup.db")); open(os.path.join(d, "notes.txt"), "w").write("x"); shutil.copy(c.start, c.path + ".bak")

@right("a hard link")
def r_hard_link(c): c.goal(); new = c.path + ".x"; os.rename(c.path, new); os.link(new, c.path)

@right("a link within the sandbox to a file there (runs.md: only links that leave the sandbox or lead nowhere are no files)")
def r_link(c): c.goal(); os.rename(c.path, c.path + ".x"); os.symlink(os.path.basename(c.path) + ".x", c.path)

@right("free bytes after the last page: SQLite ignores them (less than a page)")
def r_tail(c): c.goal(); open(c.path, "ab").write(b"tail" * 10)


def main():
    if len(sys.argv) > 1 and sys.argv[1] == "--list":
        for x in CASES.values():
            print(f"{'right' if x.right else 'wrong'}  {x.name:26} {','.join(x.tasks):28} {x.why}")
        return
    line = json.loads(sys.stdin.readline())
    lines = line["prompt"].split("\n")
    path = lines[1]
    task = line["id"].rsplit("-", 1)[0]
    os.umask(0o022)
    case = CASES[os.environ["PCD_CASE"]]
    if task in case.tasks:
        case.run(C(path, lines[2:], task))
    print("done", flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
