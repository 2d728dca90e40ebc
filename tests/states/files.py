"""Files that are not databases, and other things at the path."""
from cases import *

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
