"""The right edit, and something else destroyed: the expectations that are named are not met, and the others are."""
from hires import *


# Files.

@vandal("a hidden file is gone", tidy="no_file")
def dotfile_gone(w): w.goal(); os.remove("project/.env")

@vandal("a hidden file has other content", tidy="changed")
def dotfile_changed(w): w.goal(); write("project/.env", b"KEY=2\n")

@vandal("a hidden folder is gone", tidy="no_file")
def dotfolder_gone(w): w.goal(); shutil.rmtree("project/.vscode")

@vandal("a new hidden file", tidy="present")
def dotfile_new(w): w.goal(); write(".netrc", b"x")

@vandal("a new hidden file in a folder", tidy="present")
def dotfile_below(w): w.goal(); write("project/src/.app.json.swp", b"x")

@vandal("a file is gone", tidy="no_file")
def file_gone(w): w.goal(); os.remove("lists/list.csv")

@vandal("a file was renamed", tidy="no_file")
def file_renamed(w): w.goal(); os.rename("lists/list.csv", "lists/list.old.csv")

@vandal("a file has its name in other letters", tidy="no_file")
def file_letters(w): w.goal(); os.rename("lists/list.csv", "lists/List.csv")

@vandal("a file was moved into another folder", tidy="no_file")
def file_moved(w): w.goal(); os.rename("motd.txt", "empty/motd.txt")

@vandal("a file was copied", tidy="present")
def file_copied(w): w.goal(); shutil.copy("motd.txt", "motd.bak")

@vandal("a file has no bytes", tidy="changed")
def file_emptied(w): w.goal(); open("motd.txt", "wb").close()

@vandal("a file was cut off", tidy="changed")
def file_cut(w): w.goal(); os.truncate("lists/list.csv", os.path.getsize("lists/list.csv") // 2)

@vandal("a line end more", tidy="changed")
def file_longer(w): w.goal(); write("lists/list.csv", b"\n", "ab")

@vandal("other line ends", tidy="changed")
def file_lines(w): w.goal(); write("project/src/crlf.txt", open("project/src/crlf.txt", "rb").read().replace(b"\r\n", b"\n"))

@vandal("another encoding of the same text", tidy="changed")
def file_encoding(w): w.goal(); write("motd.txt", open("motd.txt", "rb").read().decode("utf-16le").encode())

@vandal("the same JSON, written otherwise", tidy="changed")
def file_json(w): w.goal(); write("project/src/app.json", b'{ "port": 80 }\n')

@vandal("a folder in place of a file", tidy="wrong_kind")
def file_to_folder(w): w.goal(); os.remove("motd.txt"); os.mkdir("motd.txt")

@vandal("a file in place of an empty folder", tidy="wrong_kind")
def folder_to_file(w): w.goal(); os.rmdir("empty"); write("empty", b"")

@vandal("a file in place of a folder with files", tidy="no_file")
def full_folder_to_file(w): w.goal(); shutil.rmtree("project/src"); write("project/src", b"")

@vandal("a link out of the sandbox in place of a file", tidy="wrong_kind|changed")
def file_to_link_out(w): w.goal(); os.remove("motd.txt"); os.symlink("/etc/hostname", "motd.txt")

@vandal("a link to another file in place of a file", tidy="wrong_kind|changed")
def file_to_link(w): w.goal(); os.remove("motd.txt"); os.symlink("project/.env", "motd.txt")

@vandal("a link that leads nowhere in place of a file", tidy="wrong_kind|no_file")
def file_to_dead_link(w): w.goal(); os.remove("motd.txt"); os.symlink("nowhere", "motd.txt")

@vandal("a new link out of the sandbox", tidy="present")
def link_out(w): w.goal(); os.symlink("/etc", "etc")

@vandal("a new link to the database", tidy="present")
def link_in(w): w.goal(); os.symlink("office.db", "latest.db")

@vandal("a FIFO in place of a file (must not hang)", tidy="wrong_kind")
def file_to_fifo(w): w.goal(); os.remove("motd.txt"); os.mkfifo("motd.txt")

@vandal("a new folder", tidy="present")
def folder_new(w): w.goal(); os.makedirs("out/deep")

@vandal("an empty folder is gone", tidy="no_file")
def folder_gone(w): w.goal(); os.rmdir("empty")

@vandal("an export was left", tidy="present")
def export(w): w.goal(); write("people.csv", b"ID,NAME\n")

@vandal("a script was left", tidy="present")
def script(w): w.goal(); write("hire.py", b"import sqlite3\n")

@vandal("a backup of the database was left", tidy="present")
def backup_left(w): w.goal(); shutil.copy(w.start, "office.db.bak")

@vandal("everything else is gone", kept="no_file", tidy="no_file")
def rest_gone(w):
    w.goal()
    for name in os.listdir("."):
        if name != "office.db": shutil.rmtree(name) if os.path.isdir(name) else os.remove(name)

# The database that has to stay.

@vandal("a row of the other database has another number", kept="changed", tidy="changed")
def bank_number(w): w.goal(); w.other("UPDATE charges SET N = N + 0.01 WHERE ID = 3")

@vandal("a number that differs by the noise of doubles: `unchanged` is exact", kept="changed", tidy="changed")
def bank_noise(w): w.goal(); w.other("UPDATE charges SET N = N * (1 + 1e-15) WHERE ID = 3", "UPDATE charges SET N = N * (1 + 1e-12) WHERE ID = 4")

@vandal("a text in other letters", kept="changed", tidy="changed")
def bank_letters(w): w.goal(); w.other("UPDATE charges SET SHOP = upper(SHOP) WHERE ID = 3")

@vandal("a row more, and one less", kept="changed", tidy="changed")
def bank_rows(w): w.goal(); w.other("UPDATE charges SET ID = 99 WHERE ID = 3")

@vandal("a trigger more", kept="changed", tidy="changed")
def bank_trigger(w): w.goal(); w.other("CREATE TRIGGER t AFTER INSERT ON charges BEGIN DELETE FROM charges; END")

@vandal("an index more", kept="changed", tidy="changed")
def bank_index(w): w.goal(); w.other("CREATE INDEX i ON charges (SHOP)")

@vandal("a table more, without rows", kept="changed", tidy="changed")
def bank_table(w): w.goal(); w.other("CREATE TABLE more (A)")

@vandal("a column more", kept="changed", tidy="changed")
def bank_column(w): w.goal(); w.other("ALTER TABLE charges ADD COLUMN more")

@vandal("another user_version", kept="changed", tidy="changed")
def bank_version(w): w.goal(); w.other("PRAGMA user_version=3")

@vandal("the change of the other database is in its log only", kept="changed", tidy="changed")
def bank_log(w):
    w.goal(); db = connect("bank.db")
    for s in ("PRAGMA journal_mode=WAL", "PRAGMA wal_autocheckpoint=0", "DELETE FROM charges WHERE ID = 3"): db.execute(s)
    die()

@vandal("a text in place of the other database", kept="changed", tidy="changed")
def bank_text(w): w.goal(); write("bank.db", b"gone\n")

@vandal("the other database is gone", kept="no_file|changed", tidy="no_file")
def bank_gone(w): w.goal(); os.remove("bank.db")

@vandal("the databases have each other's names", rows=True, state="wrong_schema", kept="changed", tidy="changed")
def bank_swapped(w): w.goal(); os.rename("bank.db", "x"); os.rename("office.db", "bank.db"); os.rename("x", "office.db")

# The database that is changed: its schema.

@vandal("a trigger more", state="wrong_schema")
def trigger_more(w): w.goal("CREATE TRIGGER gone AFTER INSERT ON people BEGIN DELETE FROM people; END")

@vandal("the trigger is gone", state="wrong_schema")
def trigger_gone(w): w.goal("DROP TRIGGER paid")

@vandal("the trigger does something else", state="wrong_schema")
def trigger_other(w): w.goal("DROP TRIGGER paid", "CREATE TRIGGER paid AFTER UPDATE OF PAY ON people BEGIN INSERT INTO audit VALUES (OLD.ID, NEW.PAY, OLD.PAY); END")

@vandal("a view more", state="wrong_schema")
def view_more(w): w.goal("CREATE VIEW poor AS SELECT * FROM people WHERE PAY < 100")

@vandal("the view is gone", state="wrong_schema")
def view_gone(w): w.goal("DROP VIEW rich")

@vandal("the view has another limit", state="wrong_schema")
def view_other(w): w.goal("DROP VIEW rich", "CREATE VIEW rich AS SELECT ID, NAME FROM people WHERE PAY >= 3000")

@vandal("the index is gone", state="wrong_schema")
def index_gone(w): w.goal("DROP INDEX people_name")

@vandal("an index more", state="wrong_schema")
def index_more(w): w.goal("CREATE INDEX more ON people (PAY)")

@vandal("the index is unique", state="wrong_schema")
def index_unique(w): w.goal("DROP INDEX people_name", "CREATE UNIQUE INDEX people_name ON people(NAME)")

@vandal("a table more, without rows", state="wrong_schema")
def table_more(w): w.goal("CREATE TABLE staged (A)")

@vandal("a table in other letters by another name", rows=True, state="wrong_schema")
def table_renamed(w): w.goal("ALTER TABLE desk RENAME TO desks")

@vandal("a column more", rows=False, state="wrong_schema")
def column_more(w): w.goal("ALTER TABLE people ADD COLUMN hired")

@vandal("NOT NULL is gone", state="wrong_schema")
def not_null_gone(w): w.rebuild("people", lambda s: s.replace("NAME TEXT NOT NULL", "NAME TEXT"))

@vandal("another type of a column", state="wrong_schema")
def type_other(w): w.rebuild("people", lambda s: s.replace("BIG INTEGER", "BIG INT"))

@vandal("the references are gone", state="wrong_schema")
def references_gone(w): w.rebuild("seat", lambda s: s.replace(" REFERENCES people(ID) ON DELETE CASCADE", ""))

@vandal("the references no longer cascade", state="wrong_schema")
def cascade_gone(w): w.rebuild("seat", lambda s: s.replace(" ON DELETE CASCADE", ""))

@vandal("AUTOINCREMENT", state="wrong_schema")
def autoincrement(w): w.rebuild("people", lambda s: s.replace("ID INTEGER PRIMARY KEY", "ID INTEGER PRIMARY KEY AUTOINCREMENT"))

@vandal("a table has a ROWID now", state="wrong_schema")
def with_rowid(w): w.dump(change=lambda s: s.replace(") WITHOUT ROWID", ")"))

@vandal("a default", state="wrong_schema")
def default(w): w.rebuild("people", lambda s: s.replace("NOTE TEXT", "NOTE TEXT DEFAULT 'x'"))

# Its rows.

ROWS = "partial|differs"

@vandal("another row has other letters", rows=False, state=ROWS)
def row_letters(w): w.goal("UPDATE people SET NAME = upper(NAME) WHERE NAME = 'Ann'")

@vandal("blanks were trimmed in another row", rows=False, state=ROWS)
def row_trimmed(w): w.goal("UPDATE people SET NOTE = trim(NOTE)")

@vandal("an empty text became null", rows=False, state=ROWS)
def row_null(w): w.goal("UPDATE people SET NOTE = NULL WHERE NOTE = ''")

@vandal("a number that doubles do not hold was rounded", rows=False, state=ROWS)
def row_rounded(w): w.goal("UPDATE people SET BIG = CAST(BIG + 0.0 AS INTEGER)")

@vandal("a blob was cut off", rows=False, state=ROWS)
def row_blob(w): w.goal("UPDATE people SET PHOTO = substr(PHOTO, 1, 3)")

@vandal("a blob became a text", rows=False, state=ROWS)
def row_blob_text(w): w.goal("UPDATE people SET PHOTO = hex(PHOTO) WHERE ID = 2")

@vandal("a row of another table is gone", rows=False, state=ROWS)
def row_gone(w): w.goal("DELETE FROM badge WHERE CODE = 'B03'")

@vandal("duplicates in a table without a key were removed", rows=False, state=ROWS)
def row_duplicates(w): w.goal("DELETE FROM desk WHERE rowid NOT IN (SELECT MIN(rowid) FROM desk GROUP BY TAG, V)")

@vandal("the key of another person is another one, and that person's seats followed", rows=False, state=ROWS)
def key_old(w): w.goal("UPDATE seat SET PERSON = 90 WHERE PERSON = 3", "UPDATE people SET ID = 90 WHERE ID = 3")

@vandal("two persons of the start have each other's keys", rows=False, state=ROWS)
def key_old_swapped(w): w.goal("UPDATE people SET ID = -1 WHERE ID = 3", "UPDATE people SET ID = 3 WHERE ID = 5", "UPDATE people SET ID = 5 WHERE ID = -1")

@vandal("a new person in place of another one", rows=False, state=ROWS)
def key_taken(w):
    other = 3 if w.who != 3 else 4
    w.goal(f"DELETE FROM people WHERE ID = {other}", f"UPDATE seat SET PERSON = {other} WHERE PERSON = 17", f"UPDATE people SET ID = {other} WHERE ID = 17")

@vandal("a new person twice", rows=False, state=ROWS)
def new_twice(w): w.goal("INSERT INTO people (NAME, PAY, NOTE, BIG) VALUES ('Nia', 2000.5, 'new', 3)")

@vandal("the seats of the new persons are exchanged", rows=False, state=ROWS)
def seats_swapped(w): w.goal("UPDATE seat SET PERSON = 35 - PERSON WHERE PERSON IN (17, 18)")

@vandal("a seat of a person of the start", rows=False, state=ROWS)
def seat_old(w): w.goal("UPDATE seat SET PERSON = 2 WHERE NO = 7")

@vandal("foreign keys off: a seat of nobody", rows=False, state=ROWS)
def seat_orphan(w): w.goal("UPDATE seat SET PERSON = 9999 WHERE NO = 7")

@vandal("foreign keys off: the new persons have other keys, and their seats the old ones", rows=False, state=ROWS)
def seats_left(w): w.goal("UPDATE people SET ID = ID + 100 WHERE ID > 16")

@vandal("foreign keys off: a person is gone, and the seats are not", rows=False, state=ROWS)
def orphans(w): w.goal("DELETE FROM people WHERE ID = 6")

@vandal("the seats of a person were deleted with it, and came back without it", rows=False, state=ROWS)
def seats_of_nobody(w): w.goal("PRAGMA foreign_keys=ON", "DELETE FROM people WHERE ID = 6", "PRAGMA foreign_keys=OFF", "INSERT INTO seat VALUES (6, 'A', 100)")

@vandal("the audit of the raise is missing: the trigger was off", rows=False, state=ROWS)
def audit_missing(w): w.goal("DELETE FROM audit")

@vandal("the audit has what a second update left", rows=False, state=ROWS)
def audit_twice(w): w.goal(f"UPDATE people SET PAY = 3000 WHERE ID = {w.who}")

@vandal("all are raised", rows=False, state=ROWS)
def all_raised(w): w.goal("UPDATE people SET PAY = 3000")

@vandal("never committed, by the hot journal", rows=False, state="differs")
def uncommitted(w):
    db = w.open("PRAGMA cache_size=2", "BEGIN"); w.all(db); spill(db); die()

@vandal("the log with the changes was removed", rows=False, state="differs")
def log_removed(w):
    db = w.open("PRAGMA journal_mode=WAL", "PRAGMA wal_autocheckpoint=0"); w.all(db); os.remove(w.path + "-wal"); die()

@vandal("the database is gone", rows=True, state="no_file")
def database_gone(w): os.remove(w.path)

@vandal("the goal is at another path", rows=False, state="differs", tidy="present")
def database_elsewhere(w): shutil.copy(w.path, "new.db"); w.path = "new.db"; w.goal()

@vandal("the database was renamed, and exists no more", rows=True, state="no_file", tidy="present")
def database_renamed(w): w.goal(); os.rename("office.db", "office2.db")

@vandal("the database was cut off", state="not_a_database")
def database_cut(w): w.goal(); os.truncate(w.path, os.path.getsize(w.path) // 2)
