"""Transactions that were not finished, by the log or the journal next to the file."""
from cases import *

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
