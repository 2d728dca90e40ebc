"""The goal in other ways, and a sandbox in which nothing else changed: all expectations are met."""
from hires import *


@right("the statements")
def plain(w): w.goal()

@right("the raise first")
def raise_first(w):
    db = w.open(); w.raised(db); w.insert(db); w.seat(db); db.close()

@right("one transaction, foreign keys on")
def transaction(w):
    db = w.open("PRAGMA foreign_keys=ON", "BEGIN"); w.all(db); db.execute("COMMIT"); db.close()

@right("Python's own transactions, with commit")
def implicit(w):
    db = sqlite3.connect(w.path); w.all(db); db.commit(); db.close()

@right("savepoints, and damage that was rolled back")
def savepoint(w):
    db = w.open("BEGIN", "SAVEPOINT a"); w.all(db)
    for s in ("SAVEPOINT b", "DELETE FROM seat", "DROP INDEX people_name", "ROLLBACK TO b", "RELEASE a", "COMMIT"): db.execute(s)
    db.close()

@right("keys after a gap")
def keys_gap(w): w.goal(ids=(500, 777))

@right("keys in the other order")
def keys_reversed(w): w.goal(ids=(18, 17))

@right("a negative key, and one of 2^62")
def keys_odd(w): w.goal(ids=(-5, 1 << 62))

@right("keys changed afterwards, with their seats")
def keys_changed(w): w.goal("UPDATE seat SET PERSON = PERSON + 40 WHERE PERSON > 16", "UPDATE people SET ID = ID + 40 WHERE ID > 16")

@right("keys swapped afterwards, with their seats")
def keys_swapped(w):
    w.goal(*(f"UPDATE {t} SET {c} = {v} WHERE {c} = {k}" for k, v in ((17, 99), (18, 17), (99, 18)) for t, c in (("people", "ID"), ("seat", "PERSON"))))

@right("inserted without values, then filled")
def filled(w):
    db = w.open()
    for name in ("Nia", "Oda"): db.execute("INSERT INTO people (NAME) VALUES (?)", (name,))
    db.execute("UPDATE people SET BIG = 3, NOTE = 'new' WHERE NAME = 'Nia'"); db.execute("UPDATE people SET BIG = 4 WHERE NAME = 'Oda'")
    db.execute("DROP TRIGGER paid"); trigger = TRIGGER
    db.execute("UPDATE people SET PAY = CASE NAME WHEN 'Nia' THEN 2000.5 ELSE 2100 END WHERE ID > 16"); db.execute(trigger)
    w.seat(db); w.raised(db); db.close()

TRIGGER = "CREATE TRIGGER paid AFTER UPDATE OF PAY ON people BEGIN INSERT INTO audit VALUES (OLD.ID, OLD.PAY, NEW.PAY); END"

@right("the raised person deleted and inserted again, the audit by hand")
def delete_insert(w):
    db = w.open("PRAGMA foreign_keys=OFF"); w.insert(db); w.seat(db)
    row = list(db.execute("SELECT * FROM people WHERE ID = ?", (w.who,)).fetchone())
    db.execute("DELETE FROM people WHERE ID = ?", (w.who,)); db.execute("INSERT INTO audit VALUES (?, ?, 3000)", (w.who, row[2])); row[2] = 3000
    db.execute("INSERT INTO people VALUES (?,?,?,?,?,?)", row); db.close()

@right("REPLACE, the audit by hand")
def replace(w):
    db = w.open("PRAGMA foreign_keys=OFF"); w.insert(db); w.seat(db)
    db.execute("INSERT INTO audit SELECT ID, PAY, 3000 FROM people WHERE ID = ?", (w.who,))
    db.execute("REPLACE INTO people SELECT ID, NAME, 3000, PHOTO, NOTE, BIG FROM people WHERE ID = ?", (w.who,)); db.close()

@right("an upsert")
def upsert(w):
    db = w.open(); w.insert(db); w.seat(db)
    db.execute("INSERT INTO people (ID, NAME, PAY) VALUES (?, 'x', 3000) ON CONFLICT (ID) DO UPDATE SET PAY = excluded.PAY", (w.who,)); db.close()

@right("UPDATE … FROM, and INSERT … RETURNING")
def update_from(w):
    db = w.open()
    nia = db.execute("INSERT INTO people (NAME, PAY, NOTE, BIG) VALUES ('Nia', 2000.5, 'new', 3) RETURNING ID").fetchone()[0]
    oda = db.execute("INSERT INTO people (NAME, PAY, BIG) VALUES ('Oda', 2100, 4) RETURNING ID").fetchone()[0]
    db.executemany("INSERT INTO seat VALUES (?,?,?)", [(nia, "A", 103), (oda, "A", 104), (nia, "B", 7)])
    db.execute(f"UPDATE people SET PAY = new.P FROM (SELECT {w.who} AS I, 3000 AS P) AS new WHERE ID = new.I"); db.close()

@right("through temporary tables")
def temporary(w):
    db = w.open("CREATE TEMP TABLE staged (N, P, O, B)"); db.executemany("INSERT INTO staged VALUES (?,?,?,?)", [("Nia", 2000.5, "new", 3), ("Oda", 2100, None, 4)])
    db.execute("INSERT INTO people (NAME, PAY, NOTE, BIG) SELECT * FROM staged"); w.seat(db); w.raised(db); db.close()

@right("through a table that was dropped again")
def staged(w):
    w.goal("CREATE TABLE staged AS SELECT * FROM people", "DROP TABLE staged")

@right("a common table expression, and INSERT OR IGNORE")
def expression(w):
    db = w.open("INSERT OR IGNORE INTO people (NAME, PAY, NOTE, BIG) WITH n(a, b, c, d) AS (VALUES ('Nia', 2000.5, 'new', 3), ('Oda', 2100.0, NULL, 4)) SELECT * FROM n")
    w.seat(db); w.raised(db); db.close()

@right("a trigger of the connection that was temporary")
def temporary_trigger(w):
    db = w.open("CREATE TEMP TRIGGER t AFTER INSERT ON people WHEN NEW.NAME = 'Nia' BEGIN INSERT INTO seat VALUES (NEW.ID, 'B', 7); END"); w.insert(db)
    db.execute("INSERT INTO seat SELECT ID, 'A', 100 + BIG FROM people WHERE ID > 16"); w.raised(db); db.close()

@right("seats first, foreign keys off")
def seats_first(w):
    db = w.open("PRAGMA foreign_keys=OFF"); db.executemany("INSERT INTO seat VALUES (?,?,?)", [(21, "A", 103), (22, "A", 104), (21, "B", 7)])
    w.insert(db, (21, 22)); w.raised(db); db.close()

@right("as pandas' to_sql appends: named columns, one executemany, a commit")
def data_frame(w):
    db = sqlite3.connect(w.path)
    db.executemany('INSERT INTO people ("NAME", "PAY", "PHOTO", "NOTE", "BIG") VALUES (?, ?, ?, ?, ?)', [("Nia", 2000.5, None, "new", 3.0), ("Oda", 2100.0, None, None, 4.0)])
    w.seat(db); w.raised(db); db.commit(); db.close()

@right("a whole number in a REAL column, and a number as text, which its type makes a number")
def affinity(w):
    db = w.open("INSERT INTO people (NAME, PAY, NOTE, BIG) VALUES ('Nia', '2000.5', 'new', '3')", "INSERT INTO people (NAME, PAY, BIG) VALUES ('Oda', '2100', 4.0)")
    db.execute("INSERT INTO seat SELECT ID, 'A', '10' || BIG FROM people WHERE ID > 16"); db.execute("INSERT INTO seat VALUES (17, 'B', 7.0)")
    db.execute("UPDATE people SET PAY = '3000' WHERE ID = ?", (w.who,)); db.close()

@right("noise of doubles")
def noise(w):
    db = w.open("INSERT INTO people (NAME, PAY, NOTE, BIG) VALUES ('Nia', 2000.5 * (1 + 1e-13), 'new', 3), ('Oda', 2100, NULL, 4)"); w.seat(db); w.raised(db); db.close()

@right("a table renamed and renamed back")
def renamed(w): w.goal("ALTER TABLE seat RENAME TO chair", "ALTER TABLE chair RENAME TO seat", "ALTER TABLE people RENAME TO p", "ALTER TABLE p RENAME TO people")

@right("a column renamed and renamed back")
def renamed_column(w): w.goal("ALTER TABLE people RENAME COLUMN PAY TO SALARY", "ALTER TABLE people RENAME COLUMN SALARY TO PAY")

@right("a column added and dropped")
def column_and_back(w): w.goal("ALTER TABLE desk ADD COLUMN more", "ALTER TABLE desk DROP COLUMN more")

@right("a table made anew by the same declaration, with its index and trigger")
def rebuilt(w): w.rebuild("people")

@right("a table made anew by its declaration in other letters, with comments and quotes")
def rebuilt_otherwise(w): w.rebuild("people", lambda s: s.replace("NAME TEXT NOT NULL", '"name" /* of a person */ text not null').replace("BIG INTEGER", "[BIG] Integer -- a number\n"))

@right("the index dropped and made again, by another name")
def index_renamed(w): w.goal("DROP INDEX people_name", "CREATE INDEX by_name ON people (NAME)")

@right("the index dropped and made again")
def index_again(w): w.goal("DROP INDEX people_name", "CREATE INDEX people_name ON people(NAME)")

@right("the view and the trigger dropped and made again, in other letters")
def declared_again(w):
    w.goal("DROP VIEW rich", "DROP TRIGGER paid", "CREATE VIEW Rich AS select ID, NAME from people where PAY > 3000 -- as before", TRIGGER.replace("people", '"people"'))

@right("REINDEX")
def reindex(w): w.goal("REINDEX")

@right("ANALYZE")
def analyze(w): w.goal("ANALYZE")

@right("VACUUM")
def vacuum(w): w.goal("VACUUM")

@right("VACUUM INTO a file that replaces this one")
def vacuum_into(w):
    w.goal(); new = os.path.join(w.tmp, "v.db"); db = w.open(); db.execute("VACUUM INTO ?", (new,)); db.close(); shutil.move(new, w.path)

@right("the backup API")
def backup(w):
    w.goal(); db = w.open(); new = os.path.join(w.tmp, "b.db"); d = sqlite3.connect(new); db.backup(d); d.close(); db.close(); shutil.move(new, w.path)

@right("a dump that was restored")
def dump(w): w.dump()

@right("UTF-16, little endian")
def utf16le(w): w.dump("PRAGMA encoding='UTF-16le'")

@right("UTF-16, big endian")
def utf16be(w): w.dump("PRAGMA encoding='UTF-16be'")

@right("pages of 512 bytes")
def pages_512(w): w.goal("PRAGMA page_size=512", "VACUUM")

@right("pages of 65536 bytes")
def pages_65536(w): w.goal("PRAGMA page_size=65536", "VACUUM")

@right("auto_vacuum, incrementally")
def auto_vacuum(w): w.goal("PRAGMA auto_vacuum=INCREMENTAL", "VACUUM", "CREATE TABLE z AS SELECT zeroblob(90000) AS b", "DROP TABLE z", "PRAGMA incremental_vacuum")

@right("free pages with old content")
def free_pages(w): w.goal("PRAGMA secure_delete=OFF", "CREATE TABLE z AS SELECT zeroblob(500000) AS b", "DROP TABLE z")

@right("user_version and application_id: no rows, and no declarations")
def versions(w): w.goal("PRAGMA user_version=7", "PRAGMA application_id=8")

@right("WAL, checkpointed and closed")
def wal_closed(w):
    db = w.open("PRAGMA journal_mode=WAL"); w.all(db); db.close()

@right("WAL, killed without a checkpoint")
def wal_left(w):
    db = w.open("PRAGMA journal_mode=WAL", "PRAGMA wal_autocheckpoint=0"); w.all(db)
    assert os.path.getsize(w.path + "-wal") > 1000
    die()

@right("WAL, half of it checkpointed, and without -shm")
def wal_half(w):
    db = w.open("PRAGMA journal_mode=WAL"); w.insert(db); db.execute("PRAGMA wal_checkpoint(TRUNCATE)"); db.execute("PRAGMA wal_autocheckpoint=0"); w.seat(db); w.raised(db)
    os.remove(w.path + "-shm"); die()

@right("WAL, and a transaction after the goal that never ended")
def wal_tail(w):
    db = w.open("PRAGMA journal_mode=WAL", "PRAGMA wal_autocheckpoint=0", "PRAGMA cache_size=2"); w.all(db); db.execute("BEGIN"); db.execute("DELETE FROM people"); spill(db); die()

@right("journal_mode=PERSIST: the journal stays")
def persist(w):
    db = w.open("PRAGMA journal_mode=PERSIST"); w.all(db); db.close(); assert os.path.exists(w.path + "-journal")

@right("journal_mode=TRUNCATE: an empty journal stays")
def truncate(w):
    db = w.open("PRAGMA journal_mode=TRUNCATE"); w.all(db); db.close(); assert os.path.exists(w.path + "-journal")

@right("a hot journal of a later transaction")
def hot_journal(w):
    w.goal(); db = w.open("PRAGMA cache_size=2", "BEGIN"); db.execute("DELETE FROM people"); db.execute("DROP VIEW rich"); spill(db)
    assert os.path.getsize(w.path + "-journal") > 512
    die()

@right("rows of a table without a key in another order, with other ROWIDs")
def bag(w):
    db = w.open(); w.all(db)
    for t in ("desk", "seat"):
        rows = db.execute(f"SELECT * FROM {t} ORDER BY rowid DESC").fetchall(); db.execute(f"DELETE FROM {t}")
        names = ",".join(r[1] for r in db.execute(f"PRAGMA table_info({t})"))
        db.executemany(f"INSERT INTO {t}(rowid,{names}) VALUES ({','.join('?' * (len(rows[0]) + 1))})", [(i * 7 + 900, *r) for i, r in enumerate(rows)])
    db.close()

@right("all people deleted and inserted again, foreign keys and the trigger off")
def reinserted(w):
    db = w.open("PRAGMA foreign_keys=OFF"); w.all(db)
    rows = db.execute("SELECT * FROM people").fetchall(); db.execute("DELETE FROM people"); db.executemany("INSERT INTO people VALUES (?,?,?,?,?,?)", rows[::-1]); db.close()

@right("from an attached copy")
def attached(w):
    side = os.path.join(w.tmp, "side.db"); shutil.copy(w.path, side)
    db = connect(side); w.insert(db); w.seat(db); db.close()
    db = w.open(); db.execute("ATTACH ? AS side", (side,)); db.execute("INSERT INTO people SELECT * FROM side.people WHERE ID > 16"); db.execute("INSERT INTO seat SELECT * FROM side.seat WHERE PERSON > 16")
    w.raised(db); db.close()

@right("a hard link")
def hard_link(w):
    w.goal(); outside = os.path.join(w.tmp, "x.db"); shutil.move(w.path, outside); os.link(outside, w.path)

@right("other modes: of the database, and of all files")
def modes(w):
    w.goal()
    for root, _, names in os.walk("."):
        for name in names: os.chmod(os.path.join(root, name), 0o400)

@right("other times of all files")
def times(w):
    w.goal()
    for root, _, names in os.walk("."):
        for name in names: os.utime(os.path.join(root, name), (1, 1))

@right("files rewritten with the same bytes, and deleted and made again")
def rewritten(w):
    w.goal()
    for path in ("motd.txt", "lists/list.csv", "project/.env"):
        data = open(path, "rb").read(); os.remove(path); write(path, data)

@right("folders moved away and back")
def moved_back(w):
    w.goal(); os.rename("project", "p2"); os.rename("p2", "project"); os.rmdir("empty"); os.mkdir("empty")

@right("what shells and Python leave: histories, caches")
def traces(w):
    w.goal()
    for path in (".bash_history", ".python_history", ".sqlite_history", ".cache/pip/x", ".config/y", ".local/share/z", "__pycache__/a.pyc", "project/src/__pycache__/b.pyc"): write(path, b"x")

@right("the other database was vacuumed, and has statistics")
def bank_vacuumed(w): w.goal(); w.other("ANALYZE", "PRAGMA page_size=1024", "VACUUM")

@right("the other database was read in WAL mode, and its log stays")
def bank_wal(w):
    w.goal(); db = connect("bank.db")
    for s in ("PRAGMA journal_mode=WAL", "PRAGMA wal_autocheckpoint=0", "UPDATE charges SET N = N + 1", "UPDATE charges SET N = round(N - 1, 2)"): db.execute(s)
    assert os.path.getsize("bank.db-wal") > 1000
    die()

@right("temporary files that were removed")
def temporary_files(w):
    w.goal(); write("tmp/a.txt", b"x"); shutil.rmtree("tmp"); shutil.copy("bank.db", "bank.bak"); os.remove("bank.bak")
