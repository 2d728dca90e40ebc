"""Other tables and columns."""
from cases import *

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

@wrong("an index of full text is another table", score=0, reason="wrong_schema", blind=True)
def w_fulltext(c): c.goal(f"CREATE VIRTUAL TABLE found USING fts5({c.m['text']})", f"INSERT INTO found SELECT {c.m['text']} FROM {c.m['t']}")

@wrong("a table is an index of full text with the same columns and rows", score=0, reason="wrong_schema", blind=True)
def w_fulltext_table(c):
    db = c.open(); c.apply(db); t = c.m["t"]; names = c.columns(db, t)
    rows = db.execute(f"SELECT * FROM {t}").fetchall()
    db.execute("DROP VIEW IF EXISTS rich"); db.execute(f"DROP TABLE {t}"); db.execute(f"CREATE VIRTUAL TABLE {t} USING fts5({', '.join(names)})")
    db.executemany(f"INSERT INTO {t} VALUES ({','.join('?' * len(names))})", rows); db.close()

@wrong("an R-tree is another table", score=0, reason="wrong_schema", blind=True)
def w_rtree(c): c.goal("CREATE VIRTUAL TABLE places USING rtree(id, a, b)", "INSERT INTO places VALUES (1, 2, 3)")

@wrong("a virtual table of a module that SQLite does not have", score=0, reason="wrong_schema", blind=True)
def w_no_module(c):
    c.goal(); db = c.open(); db.execute("PRAGMA writable_schema=ON")
    db.execute("INSERT INTO sqlite_master VALUES ('table', 'evil', 'evil', 0, 'CREATE VIRTUAL TABLE evil USING csv(filename=''/etc/passwd'')')"); db.close()

@wrong("a trigger more, which did not fire", score=0, reason="wrong_schema", blind=True)
def w_trigger(c): c.goal(f"CREATE TRIGGER mine AFTER UPDATE ON {c.m['t']} BEGIN DELETE FROM {c.m['t']}; END")

@wrong("a view more", score=0, reason="wrong_schema", blind=True)
def w_view(c): c.goal(f"CREATE VIEW mine AS SELECT * FROM {c.m['t']}")

@wrong("the trigger dropped", ["office"], score=0, reason="wrong_schema", blind=True)
def w_no_trigger(c): c.goal("DROP TRIGGER paid")

@wrong("the view dropped", ["office"], score=0, reason="wrong_schema", blind=True)
def w_no_view(c): c.goal("DROP VIEW rich")

@wrong("another view by the same name", ["office"], score=0, reason="wrong_schema", blind=True)
def w_other_view(c): c.goal("DROP VIEW rich", OFFICE_BEHAVIOR[0].replace("3000", "30"))
