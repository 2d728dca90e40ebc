"""The goal, reached in other ways."""
from cases import *

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
    c.restore(db); db.close()

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
    db.execute(f"CREATE TABLE t2 AS SELECT * FROM {t} ORDER BY random() * 0, 2"); db.execute(f"DROP TABLE {t}"); db.execute(f"ALTER TABLE t2 RENAME TO {t}"); c.restore(db); db.close()

@right("WITHOUT ROWID")
def r_without_rowid(c):
    db = c.open(); c.apply(db)
    t = c.m["t"]; names = c.columns(db, t)
    db.execute("DROP VIEW IF EXISTS rich")
    db.execute(f"CREATE TABLE t2({','.join(names)}, PRIMARY KEY({','.join(c.m['key'])})) WITHOUT ROWID")
    db.execute(f"INSERT INTO t2 SELECT * FROM {t}"); db.execute(f"DROP TABLE {t}"); db.execute(f"ALTER TABLE t2 RENAME TO {t}"); c.restore(db); db.close()

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
def r_noise(c): c.goal(f"UPDATE {c.m['t']} SET {c.m['num']} = {c.m['num']} * (1 + 1e-12)") if c.task != "office" else c.goal("DROP TRIGGER paid", "UPDATE people SET PAY = PAY * (1 + 1e-12)", OFFICE_BEHAVIOR[1])

@right("off by 10^-10 of its size")
def r_noise_10(c): c.goal(f"UPDATE {c.m['t']} SET {c.m['num']} = {c.m['num']} * (1 - 1e-10)") if c.task != "office" else c.goal("DROP TRIGGER paid", "UPDATE people SET PAY = PAY * (1 - 1e-10)", OFFICE_BEHAVIOR[1])

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

@right("an index dropped", ["office"])
def r_dropped(c): c.goal("DROP INDEX people_name")

@right("a view and a trigger declared again, in other letters and with comments", ["office"])
def r_declared_again(c): c.goal("DROP TRIGGER paid", "DROP VIEW rich", *(s.replace("SELECT", "select /* more */").replace("people", '"PEOPLE"') for s in OFFICE_BEHAVIOR))

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

@right("an index on a function that only the agent's program had")
def r_function_index(c):
    c.goal(); db = c.open(); db.create_function("mine", 1, lambda a: a, deterministic=True)
    db.execute(f"CREATE INDEX mine_i ON {c.m['t']}(mine({c.m['text']}))"); db.close()

@right("a partial index on a function that only the agent's program had")
def r_function_partial(c):
    c.goal(); db = c.open(); db.create_function("mine", 1, lambda a: 1, deterministic=True)
    db.execute(f"CREATE INDEX mine_i ON {c.m['t']}({c.m['text']}) WHERE mine({c.m['text']})"); db.close()

@right("a CHECK with a function that only the agent's program had")
def r_function_check(c):
    db = c.open(); c.apply(db); db.create_function("mine", 1, lambda a: 1, deterministic=True)
    c.rebuild(db, c.m["t"], define=lambda n: f"CHECK (mine({q(n)}))"); db.close()

@right("an index with a collation that only the agent's program had")
def r_collation_index(c):
    c.goal(); db = c.open(); db.create_collation("mine", lambda a, b: (a > b) - (a < b))
    db.execute(f"CREATE INDEX mine_i ON {c.m['t']}({c.m['text']} COLLATE mine)"); db.close()

@right("columns with a collation that only the agent's program had")
def r_collation_columns(c):
    db = c.open(); c.apply(db); db.create_collation("mine", lambda a, b: (a > b) - (a < b))
    c.rebuild(db, c.m["t"], define=lambda n: "COLLATE mine"); db.close()

@right("a key with a collation that only the agent's program had", ["depot"])
def r_collation_key(c):
    db = c.open(); c.apply(db); db.create_collation("mine", lambda a, b: (a > b) - (a < b))
    db.execute("CREATE TABLE t2(A TEXT COLLATE mine, B, LABEL, RATE, PRIMARY KEY (A, B))"); db.execute("INSERT INTO t2 SELECT * FROM codes")
    db.execute("DROP TABLE codes"); db.execute("ALTER TABLE t2 RENAME TO codes"); db.close()

@right("an ignored table is an index of full text", ["till"], blind=True)
def r_ignored_fulltext(c): c.goal("DROP TABLE log", "CREATE VIRTUAL TABLE log USING fts5(entry, n)", "INSERT INTO log VALUES ('a', 'b')")
