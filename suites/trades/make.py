"""Writes the made-up data set `trades`: four databases, and sixty questions with gold SQL, in the layouts of BIRD and of Spider.

    python3 make.py [DIR]

writes `DIR/bird`, `DIR/spider`, and `DIR/verdicts.csv` (DIR: the folder of this file). The same bytes each time, but for the pages of databases, which are up
to the version of SQLite. All names, data, and questions are our own. CC0 1.0: do with them what you like.
"""

import contextlib
import csv
import datetime
import json
import pathlib
import random
import shutil
import sqlite3
import sys

from questions import QUESTIONS

# Of made-up people and places.
GIVEN = ["Ilva", "Torin", "Bess", "Anselm", "Wynn", "Corva", "Jory", "Petra", "Odo", "Maris", "Tamsin", "Rolf", "Yara", "Edda", "Kester", "Lune"]
FAMILY = ["Marsh", "Quill", "Fenn", "Lodge", "Ashby", "Tarrow", "Venn", "Oakes", "Brand", "Sedge", "Holloway", "Pike"]
TOWNS = ["Saltford", "Millbeck", "Ravenmoor", "Eastwick", "Old Quay"]


class Draw:
    """Random choices that are the same with every version of Python: `Random.random` alone is promised to be."""

    def __init__(self, seed):
        self.random = random.Random(seed).random

    def whole(self, low, high):
        return low + int(self.random() * (high - low + 1))

    def real(self, low, high, places):
        scale = 10**places
        return self.whole(round(low * scale), round(high * scale)) / scale

    def one(self, items):
        return items[self.whole(0, len(items) - 1)]

    def some(self, share):
        return self.random() < share

    def day(self, first, last):
        first, last = datetime.date.fromisoformat(first), datetime.date.fromisoformat(last)
        return (first + datetime.timedelta(days=self.whole(0, (last - first).days))).isoformat()

    def people(self, count):
        """Names that differ."""
        names = [f"{given} {family}" for given in GIVEN for family in FAMILY]
        return [names.pop(self.whole(0, len(names) - 1)) for _ in range(count)]


def later(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def harbor(db):
    draw = Draw("harbor")
    db.executescript("""
        CREATE TABLE ships (ship_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, flag TEXT NOT NULL, built INTEGER, length_m REAL NOT NULL);
        CREATE TABLE berths (berth_id INTEGER PRIMARY KEY, quay TEXT NOT NULL, depth_m REAL NOT NULL);
        CREATE TABLE calls (
            call_id INTEGER PRIMARY KEY, ship_id INTEGER NOT NULL REFERENCES ships(ship_id), berth_id INTEGER REFERENCES berths(berth_id),
            arrived DATE NOT NULL, left_on DATE, cargo_t REAL);
        CREATE TABLE dues (
            call_id INTEGER NOT NULL REFERENCES calls(call_id), kind TEXT NOT NULL, amount REAL NOT NULL, PRIMARY KEY (call_id, kind));
    """)
    first = ["Grey", "North", "Salt", "Amber", "Quiet", "Long"]
    second = ["Heron", "Ember", "Lantern", "Tide", "Thistle"]
    flags = ["Norland", "Estmark", "Sudvale", "Westray"]
    names = [f"{a} {b}" for a in first for b in second]
    for number, name in enumerate(names, 1):
        built = None if draw.some(0.1) else draw.whole(1961, 2021)
        db.execute("INSERT INTO ships VALUES (?, ?, ?, ?, ?)", (number, name, draw.one(flags), built, draw.real(40, 220, 1) + number / 1000))
    for number in range(1, 9):
        db.execute("INSERT INTO berths VALUES (?, ?, ?)", (number, ["East Quay", "West Quay", "Oil Pier"][number % 3], 6 + number * 0.75))
    # As many calls for each of the first two ships, more than any other: whoever asks for the one with most has a tie.
    ships = [1] * 16 + [2] * 16 + [draw.whole(3, 28) for _ in range(188)]
    for number, ship in enumerate(ships, 1):
        arrived = draw.day("2022-01-01", "2023-12-31")
        left = None if draw.some(0.06) else later(arrived, draw.whole(0, 9))
        berth = None if draw.some(0.05) else draw.whole(1, 8)
        cargo = None if draw.some(0.15) else draw.real(12, 4000, 1)
        db.execute("INSERT INTO calls VALUES (?, ?, ?, ?, ?, ?)", (number, ship, berth, arrived, left, cargo))
        for kind in ["pilot", "quay", "waste"]:
            if draw.some(0.7):
                db.execute("INSERT INTO dues VALUES (?, ?, ?)", (number, kind, draw.real(20, 1900, 2)))


def reading_room(db):
    draw = Draw("reading room")
    db.executescript("""
        CREATE TABLE Readers ("Reader ID" INTEGER PRIMARY KEY, "Full Name" TEXT NOT NULL, Town TEXT, Joined DATE NOT NULL);
        CREATE TABLE "Book Titles" (
            "Title No" TEXT PRIMARY KEY, Title TEXT NOT NULL, Author TEXT NOT NULL, "Pages (total)" INTEGER NOT NULL, "group" TEXT NOT NULL);
        CREATE TABLE Copies (
            "Copy No" INTEGER PRIMARY KEY, "Title No" TEXT NOT NULL REFERENCES "Book Titles"("Title No"), "Shelf No" TEXT NOT NULL, "% damaged" REAL);
        CREATE TABLE Loans (
            "Loan No" INTEGER PRIMARY KEY, "Copy No" INTEGER NOT NULL REFERENCES Copies("Copy No"),
            "Reader ID" INTEGER NOT NULL REFERENCES Readers("Reader ID"), Lent DATE NOT NULL, Returned DATE);
    """)
    for number, name in enumerate(draw.people(48), 1):
        town = None if draw.some(0.1) else draw.one(TOWNS)
        db.execute("INSERT INTO Readers VALUES (?, ?, ?, ?)", (number, name, town, draw.day("2015-01-01", "2022-12-31")))
    what = ["Bees", "Bridges", "Clocks", "Ferns", "Kites", "Mills", "Owls", "Rivers", "Ropes", "Tides"]
    kinds = {"A Book of": "craft", "Notes on": "nature", "The Last": "novel", "Songs of": "poetry"}
    authors = draw.people(12)
    number = 0
    for head, kind in kinds.items():
        for thing in what:
            number += 1
            row = (f"T-{number:03}", f"{head} {thing}", draw.one(authors), 60 + number * 7 + draw.whole(0, 6), kind)
            db.execute('INSERT INTO "Book Titles" VALUES (?, ?, ?, ?, ?)', row)
    for copy in range(1, 91):
        damaged = None if draw.some(0.3) else draw.real(0, 60, 1)
        row = (copy, f"T-{draw.whole(1, 38):03}", f"{draw.one('ABCDE')}{draw.whole(1, 6)}", damaged)
        db.execute("INSERT INTO Copies VALUES (?, ?, ?, ?)", row)
    for loan in range(1, 401):
        lent = draw.day("2023-01-01", "2024-06-30")
        back = None if draw.some(0.08) else later(lent, draw.whole(1, 60))
        db.execute("INSERT INTO Loans VALUES (?, ?, ?, ?, ?)", (loan, draw.whole(1, 90), draw.whole(1, 44), lent, back))


def orchard(db):
    draw = Draw("orchard")
    db.executescript("""
        CREATE TABLE plots (plot_id INTEGER PRIMARY KEY, plot_name TEXT NOT NULL UNIQUE, soil TEXT NOT NULL, area_ha REAL NOT NULL);
        CREATE TABLE trees (
            tree_id INTEGER PRIMARY KEY, plot_id INTEGER NOT NULL REFERENCES plots(plot_id), variety TEXT NOT NULL, planted INTEGER NOT NULL);
        CREATE TABLE weather (day DATE PRIMARY KEY, min_c REAL NOT NULL, max_c REAL NOT NULL, rain_mm REAL);
        CREATE TABLE picks (
            pick_id INTEGER PRIMARY KEY, tree_id INTEGER NOT NULL REFERENCES trees(tree_id), day DATE NOT NULL REFERENCES weather(day),
            kg REAL NOT NULL, grade TEXT);
        CREATE INDEX picks_of_tree ON picks (tree_id);
    """)
    for number, name in enumerate(["Upper Field", "Mill Lane", "Chapel", "Stony Acre", "Riverside", "New Ground"], 1):
        db.execute("INSERT INTO plots VALUES (?, ?, ?, ?)", (number, name, ["loam", "clay", "sand"][number % 3], number * 0.4 + 0.3))
    varieties = ["Amberlet", "Rusty Nell", "Winter Bell", "Greenfinch", "Sweet Tarrow"]
    for tree in range(1, 241):
        db.execute("INSERT INTO trees VALUES (?, ?, ?, ?)", (tree, draw.whole(1, 5), draw.one(varieties), draw.whole(1985, 2018)))
    day = "2021-01-01"
    while day <= "2023-12-31":
        low = draw.real(-8, 14, 1)
        rain = None if draw.some(0.02) else draw.real(0, 30, 1) if draw.some(0.4) else 0.0
        db.execute("INSERT INTO weather VALUES (?, ?, ?, ?)", (day, low, round(low + draw.real(2, 14, 1), 1), rain))
        day = later(day, 1)
    for pick in range(1, 8001):
        year = draw.whole(2021, 2023)
        grade = None if draw.some(0.12) else draw.one(["A", "A", "B", "C"])
        row = (pick, draw.whole(1, 236), draw.day(f"{year}-08-20", f"{year}-10-31"), draw.real(0.5, 24, 1), grade)
        db.execute("INSERT INTO picks VALUES (?, ?, ?, ?, ?)", row)


def evening_school(db):
    draw = Draw("evening school")
    db.executescript("""
        CREATE TABLE teachers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, hired DATE NOT NULL);
        CREATE TABLE courses (
            code TEXT PRIMARY KEY, title TEXT NOT NULL, teacher_id INTEGER REFERENCES teachers(id), fee REAL NOT NULL, level TEXT NOT NULL);
        CREATE TABLE students (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, born DATE NOT NULL, mentor_id INTEGER REFERENCES students(id), town TEXT);
        CREATE TABLE marks (
            student_id INTEGER NOT NULL REFERENCES students(id), course_code TEXT NOT NULL REFERENCES courses(code), term TEXT NOT NULL, mark INTEGER,
            PRIMARY KEY (student_id, course_code, term));
        CREATE VIEW passed AS SELECT student_id, course_code, term FROM marks WHERE mark >= 50;
    """)
    people = draw.people(88)
    for number in range(1, 9):
        db.execute("INSERT INTO teachers VALUES (?, ?, ?)", (number, people.pop(), draw.day("2005-01-01", "2020-12-31")))
    titles = ["Bookbinding", "Celestial Navigation", "Cheese Making", "Dry Stone Walls", "Fiddle", "Joinery", "Map Drawing", "Pottery", "Sign Writing", "Weaving"]
    codes = [f"{title[:2].upper()}{number:02}" for number, title in enumerate(titles, 1)]
    for number, (code, title) in enumerate(zip(codes, titles)):
        teacher = None if number == 9 else draw.whole(1, 7)
        db.execute("INSERT INTO courses VALUES (?, ?, ?, ?, ?)", (code, title, teacher, 40 + number * 12.5, ["first", "second", "third"][number % 3]))
    for number, name in enumerate(people, 1):
        mentor = draw.whole(1, number - 1) if number > 5 and draw.some(0.6) else None
        town = None if draw.some(0.12) else draw.one(TOWNS)
        db.execute("INSERT INTO students VALUES (?, ?, ?, ?, ?)", (number, name, draw.day("1950-01-01", "2004-12-31"), mentor, town))
    seen = set()
    while len(seen) < 420:
        key = (draw.whole(1, 76), draw.one(codes[:9]), draw.one(["2022-1", "2022-2", "2023-1", "2023-2"]))
        if key not in seen:
            seen.add(key)
            db.execute("INSERT INTO marks VALUES (?, ?, ?, ?)", (*key, None if draw.some(0.14) else draw.whole(20, 100)))


DATABASES = {"evening_school": evening_school, "harbor": harbor, "orchard": orchard, "reading_room": reading_room}


def database(fill):
    """The bytes of a database, without the number of the version of SQLite that wrote it."""
    with contextlib.closing(sqlite3.connect(":memory:")) as db:
        db.execute("PRAGMA page_size = 4096")
        fill(db)
        db.commit()
        if db.execute("PRAGMA foreign_key_check").fetchall() or db.execute("PRAGMA integrity_check").fetchone() != ("ok",):
            raise SystemExit(f"{fill.__name__}: a database that is not sound")
        written = bytearray(db.serialize())
    # https://sqlite.org/fileformat.html: 96 is the version; 24 and 92 count changes, and must be equal.
    written[96:100] = (3_040_001).to_bytes(4, "big")
    written[24:28] = written[92:96] = (1).to_bytes(4, "big")
    return bytes(written)


def words(name):
    """A name of the schema as Spider's lists have it: in words."""
    return name.replace("_", " ").lower()


def described(db_id, content):
    """The entry of a database in `tables.json`."""
    with contextlib.closing(sqlite3.connect(":memory:")) as db:
        db.deserialize(content)
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid")]
        columns, types, keys, references = [[-1, "*"]], ["text"], [], []
        for at, table in enumerate(tables):
            for _, name, kind, _, _, key in db.execute(f'PRAGMA table_info("{table}")').fetchall():
                if key:
                    keys.append(len(columns))
                columns.append([at, name])
                types.append({"INTEGER": "number", "REAL": "number", "DATE": "time"}.get(kind, "text"))
        for at, table in enumerate(tables):
            for _, _, to, here, there, *_ in db.execute(f'PRAGMA foreign_key_list("{table}")').fetchall():
                references.append([columns.index([at, here]), columns.index([tables.index(to), there])])
    return {
        "db_id": db_id,
        "table_names_original": tables,
        "table_names": [words(name) for name in tables],
        "column_names_original": columns,
        "column_names": [[table, words(name)] for table, name in columns],
        "column_types": types,
        "primary_keys": keys,
        "foreign_keys": sorted(references),
    }


def put(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def listed(items):
    """A list of JSON, an item to a block."""
    return json.dumps(items, ensure_ascii=False, indent=2) + "\n"


def main(home):
    contents = {db_id: database(fill) for db_id, fill in DATABASES.items()}
    tables = listed([described(db_id, content) for db_id, content in contents.items()])
    for layout, folder in [("bird", "dev_databases"), ("spider", "database")]:
        shutil.rmtree(home / layout, ignore_errors=True)
        for db_id, content in contents.items():
            path = home / layout / folder / db_id / f"{db_id}.sqlite"
            path.parent.mkdir(parents=True)
            path.write_bytes(content)
    put(home / "bird/dev_tables.json", tables)
    put(home / "spider/tables.json", tables)
    keys = ["db_id", "question", "evidence", "SQL", "difficulty"]
    put(home / "bird/dev.json", listed([{"question_id": number, **{key: asked[key] for key in keys}} for number, asked in enumerate(QUESTIONS)]))
    put(home / "spider/dev.json", listed([{"db_id": it["db_id"], "query": it["SQL"], "question": f"{it['question']} {it['evidence']}".strip()} for it in QUESTIONS]))
    with open(home / "verdicts.csv", "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["question_id", "verdict"])
        rows.writerows([number, asked["verdict"]] for number, asked in enumerate(QUESTIONS))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
