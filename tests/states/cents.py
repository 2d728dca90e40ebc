"""Changes that are smaller than the tolerance: each has to be made all the same. Only what is the noise of doubles has not."""
from cases import *

TASK = ["cents"]
PRICE, BOTH, BAG, GONE, COME, NOISE = range(6)


def but(c, *left):
    """All statements but these."""
    db = c.open(); c.apply(db, [s for i, s in enumerate(c.statements) if i not in left])
    return db


def of(c, which): return c.statements[which].rsplit("= ", 1)[1]


@wrong("the price that goes up by less than the tolerance was left", TASK)
def w_cents_price(c): but(c, PRICE).close()

@wrong("the row with two changes was left", TASK)
def w_cents_both(c): but(c, BOTH).close()

@wrong("of two changes of a row, the one within the tolerance was left", TASK)
def w_cents_half(c):
    db = but(c, BOTH); db.execute(f"UPDATE items SET QTY = QTY + 5 WHERE ID = {of(c, BOTH)}"); db.close()

@wrong("of two changes of a row, only the one within the tolerance was made", TASK)
def w_cents_other_half(c):
    db = but(c, BOTH); db.execute(f"UPDATE items SET PRICE = PRICE + 0.04 WHERE ID = {of(c, BOTH)}"); db.close()

@wrong("rows without a key were left", TASK)
def w_cents_bag(c): but(c, BAG).close()

@wrong("one of the rows without a key was left", TASK)
def w_cents_bag_one(c):
    db = but(c, BAG)
    db.execute("UPDATE bag SET N = N + 0.02 WHERE TAG = 'a' AND rowid > (SELECT MIN(rowid) FROM bag WHERE TAG = 'a')"); db.close()

@wrong("only one of the rows without a key was changed", TASK)
def w_cents_bag_only_one(c):
    db = but(c, BAG); db.execute("UPDATE bag SET N = N + 0.02 WHERE rowid = (SELECT MIN(rowid) FROM bag WHERE TAG = 'a')"); db.close()

@wrong("rows without a key were taken away and added again as they were", TASK)
def w_cents_bag_again(c):
    db = but(c, BAG)
    rows = db.execute("SELECT * FROM bag WHERE TAG = 'a'").fetchall()
    db.execute("DELETE FROM bag WHERE TAG = 'a'"); db.executemany("INSERT INTO bag VALUES (?, ?)", rows); db.close()

@wrong("next to the changed rows without a key, one is there as it was", TASK)
def w_cents_bag_copy(c):
    n = c.rows(c.path, "bag")
    n = next(v for v in n.values() if v[0] == "a")
    db = but(c); db.execute("INSERT INTO bag VALUES (?, ?)", n); db.close()

@wrong("rows without a key were changed by too much", TASK)
def w_cents_bag_too_much(c):
    db = but(c, BAG); db.execute("UPDATE bag SET N = N + 0.2 WHERE TAG = 'a'"); db.close()

@wrong("the price was computed anew and came out as it was", TASK)
def w_cents_noise(c):
    db = but(c, PRICE); db.execute(f"UPDATE items SET PRICE = PRICE * 1.000000000001 WHERE ID = {of(c, PRICE)}"); db.close()

@wrong("the row was replaced by one with the old price", TASK)
def w_cents_replaced(c):
    db = but(c, PRICE)
    row = db.execute(f"SELECT * FROM items WHERE ID = {of(c, PRICE)}").fetchone()
    db.execute(f"DELETE FROM items WHERE ID = {of(c, PRICE)}"); db.execute("INSERT INTO items VALUES (?, ?, ?, ?, ?)", row); db.close()

@wrong("another price went up in its place", TASK)
def w_cents_elsewhere(c):
    db = but(c, PRICE)
    db.execute(f"UPDATE items SET PRICE = PRICE + 0.03 WHERE ID = (SELECT MIN(ID) FROM items WHERE ID NOT IN ({of(c, PRICE)}, {of(c, BOTH)}))"); db.close()

@wrong("all prices went up but this one", TASK)
def w_cents_all_but(c):
    db = but(c, PRICE); db.execute(f"UPDATE items SET PRICE = PRICE + 0.01 WHERE ID <> {of(c, PRICE)}"); db.close()

@wrong("only what is not within the tolerance was changed", TASK)
def w_cents_only_large(c): but(c, PRICE, BOTH, BAG).close()

@wrong("only the noise was made", TASK, score=0)
def w_cents_only_noise(c): but(c, PRICE, BOTH, BAG, GONE, COME).close()

@wrong("rewritten, with all numbers as they were", TASK, score=0)
def w_cents_vacuum(c):
    db = c.open(); db.execute("UPDATE items SET PRICE = PRICE, QTY = QTY"); db.execute("VACUUM"); db.close()

@wrong("the row that comes is another", TASK)
def w_cents_comes(c):
    db = but(c, COME); db.execute("INSERT INTO bag VALUES ('c', 7.9)"); db.close()

@wrong("the row that goes has only a smaller number", TASK)
def w_cents_goes(c):
    db = but(c, GONE); db.execute("UPDATE bag SET N = N - 0.01 WHERE TAG = 'b' AND N > 5"); db.close()

@wrong("the change of a price was rolled back in the log", TASK)
def w_cents_log(c):
    c.path and wal(c, [f"UPDATE items SET PRICE = PRICE - 0.03 WHERE ID = {of(c, PRICE)}"]); die()

@right("all of it", TASK)
def r_cents(c): c.goal()

@right("without the noise", TASK)
def r_cents_no_noise(c): but(c, NOISE).close()

@right("rounded to cents", TASK)
def r_cents_rounded(c): c.goal("UPDATE items SET PRICE = round(PRICE, 2), RATE = round(RATE, 2)", "UPDATE bag SET N = round(N, 2)")

@right("another change within the tolerance", TASK)
def r_cents_by_another(c):
    db = but(c, PRICE); db.execute(f"UPDATE items SET PRICE = PRICE + 0.05 WHERE ID = {of(c, PRICE)}"); db.close()

@right("rows without a key taken away and added with their new numbers", TASK)
def r_cents_bag(c):
    db = but(c, BAG)
    rows = db.execute("SELECT TAG, N + 0.03 FROM bag WHERE TAG = 'a' ORDER BY N DESC").fetchall()
    db.execute("DELETE FROM bag WHERE TAG = 'a'"); db.executemany("INSERT INTO bag VALUES (?, ?)", rows); db.close()
