"""Wrong rows: collateral, missing, and other ones."""
from cases import *

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
