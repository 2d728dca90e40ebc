#!/usr/bin/env python3
"""Writes office.db, the fixture of `shop.pcd`: a trigger, a view, indexes, blobs, nulls, a table WITHOUT ROWID, a set that is
unique and never null, an untyped bag with duplicates, and large whole numbers."""
import os, sqlite3

path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "office.db")
if os.path.exists(path):
    os.remove(path)
db = sqlite3.connect(path)
db.executescript("""
CREATE TABLE people(ID INTEGER PRIMARY KEY, NAME TEXT NOT NULL, PAY REAL, PHOTO BLOB, NOTE TEXT, BIG INTEGER);
CREATE TABLE badge(CODE TEXT PRIMARY KEY, LEVEL INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE room(SPARE TEXT UNIQUE, BUILDING TEXT NOT NULL, NO INTEGER NOT NULL, SEATS INTEGER, UNIQUE(BUILDING, NO));
CREATE TABLE desk(TAG, V);
CREATE TABLE seat(PERSON INTEGER REFERENCES people(ID) ON DELETE CASCADE, BUILDING TEXT, NO INTEGER);
CREATE TABLE audit(PERSON INTEGER, OLD REAL, NEW REAL);
CREATE INDEX people_name ON people(NAME);
CREATE VIEW rich AS SELECT ID, NAME FROM people WHERE PAY > 3000;
CREATE TRIGGER paid AFTER UPDATE OF PAY ON people BEGIN INSERT INTO audit VALUES (OLD.ID, OLD.PAY, NEW.PAY); END;
""")
names = ["Zoë", "Ann", "Bo", "José", "Cy", "Dee", "Åsa", "Eve", "Fay", "Gus", "Hal", "Ida", "Jim", "Kim", "Lou", "Max"]
for i, name in enumerate(names):
    db.execute("INSERT INTO people VALUES (?,?,?,?,?,?)", (
        i + 1, name, 1000.25 + 250.5 * i, bytes([i, 0, 255, 128]) if i % 3 else None,
        [None, "", "late", " padded "][i % 4], 9007199254740993 + i * 1000))
for i in range(8):
    db.execute("INSERT INTO badge VALUES (?,?)", (f"B{i:02}", i % 3))
for i in range(9):
    db.execute("INSERT INTO room VALUES (?,?,?,?)", (f"s{i}" if i % 2 else None, "AB"[i % 2], 100 + i, i * 4 or None))
for tag, v in [("a", 5), ("a", 5), ("a", "5"), ("b", 5.5), ("b", None), ("b", None), ("c", b"5"), ("c", ""), ("d", 0)]:
    db.execute("INSERT INTO desk VALUES (?,?)", (tag, v))
for i in range(16):
    for k in range(i % 3 + 1):
        db.execute("INSERT INTO seat VALUES (?,?,?)", (i + 1, "AB"[k % 2], 100 + k))
db.commit()
db.close()
