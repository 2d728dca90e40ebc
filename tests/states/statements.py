"""Wrong statements: too few, too many, other ones."""
from cases import *

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
    db = c.open(); db.execute("DROP TRIGGER paid"); c.apply(db); c.restore(db); db.close()

@wrong("a trigger that the agent left fired: another row was altered")
def w_trigger_fired(c):
    t, n = c.m["t"], c.m["text"]
    i = c.pick()
    db = c.open()
    db.execute(f"CREATE TRIGGER mine AFTER UPDATE OF {c.m['num']} ON {t} BEGIN UPDATE {t} SET {n} = 'fired' WHERE rowid = {i}; END")
    c.apply(db); db.execute("DROP TRIGGER mine"); db.close()

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
