#!/usr/bin/env python3
"""Plays every case on every instance of a bundle of `shop.pcd`, and says what each is worth.

    python3 play.py BUNDLE OUT

OUT/CASE/INSTANCE is the sandbox that a case leaves. OUT/expected.json has for each whether it is correct, by its label, and its score, computed here
from the end state by the rules of scoring.md, with Python's SQLite and nothing of ours."""
import json, os, shutil, sqlite3, sys, tempfile, traceback
from decimal import Decimal

from cases import CASES, C
import cents, files, logs, right, rows, schema, statements  # each adds its cases

OPTIONS = {  # what the suite says: (within, ignored columns, ignored tables, keys by the documents)
    "prices": (Decimal("0.01"), {}, set(), {"makers": ["mid"], "items": ["id"]}),
    "till": (None, {"sales": {"changed"}}, {"log"}, {"sales": ["id"]}),
    "depot": (None, {}, set(), {"stock": ["store", "day"], "sales": None, "codes": ["a", "b"]}),
    "cents": (Decimal("0.05"), {}, set(), {"items": ["id"], "bag": None}),
    "office": (None, {}, set(), {"people": ["id"], "badge": ["code"], "room": ["building", "no"], "desk": None, "seat": None, "audit": None}),
}


class T(bytes):
    """A text; plain bytes are a blob."""
    def __eq__(self, o): return isinstance(o, T) and bytes(self) == bytes(o)
    def __hash__(self): return hash(("T", bytes(self)))


def state(path, ignored_columns, ignored_tables):
    """{table: (columns, rows)} of a copy, read with its log and journal; SQLite's own tables left out."""
    d = tempfile.mkdtemp()
    try:
        for x in os.listdir(os.path.dirname(path)):  # links as links, and a super-journal that names this place
            f = os.path.join(os.path.dirname(path), x)
            if x.startswith((os.path.basename(path), "real.db")) and not x.endswith("-shm"):
                shutil.copy(f, os.path.join(d, x), follow_symlinks=False)
        copy = os.path.join(d, os.path.basename(path))
        db = sqlite3.connect(copy)
        db.text_factory = T
        names = [bytes(r[0]).decode() for r in db.execute("SELECT name FROM sqlite_master WHERE type='table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'")]
        out = {}
        for n in names:
            t = n.lower()
            if t in ignored_tables:
                continue
            c = db.execute(f'SELECT * FROM "{n}"')
            cols = [x[0].lower() for x in c.description]
            keep = [i for i, x in enumerate(cols) if x not in ignored_columns.get(t, ())]
            out[t] = ([cols[i] for i in keep], [tuple(r[i] for i in keep) for r in c])
        db.close()
        return out
    finally:
        shutil.rmtree(d)


def same(e, f, within):
    if isinstance(e, (int, float)) and isinstance(f, (int, float)):
        if e == f:
            return True
        if e in (float("inf"), float("-inf")) or f in (float("inf"), float("-inf")):
            return False
        a, b = Decimal(repr(e)), Decimal(repr(f))
        if within is not None:
            return abs(a - b) <= within * Decimal("1.001")
        if isinstance(e, int):
            return False
        return abs(a - b) <= (abs(a) or 1) * Decimal("1e-9")
    if isinstance(e, T) != isinstance(f, T) or type(e) is not type(f) and not (isinstance(e, T) and isinstance(f, T)):
        return False
    return e == f


def same_row(e, f, within): return len(e) == len(f) and all(same(x, y, within) for x, y in zip(e, f))


def pairs(expected, found, within):
    """How many of these rows can be paired: equal ones first, then by tolerance."""
    found, left, n = list(found), [], 0
    have = {}
    for i, r in enumerate(found):
        have.setdefault(tuple((type(x).__name__ if not isinstance(x, (int, float)) else "n", x) for x in r), []).append(i)
    gone = set()
    for r in expected:
        k = tuple((type(x).__name__ if not isinstance(x, (int, float)) else "n", x) for x in r)
        if have.get(k):
            gone.add(have[k].pop()); n += 1
        else:
            left.append(r)
    rest = [r for i, r in enumerate(found) if i not in gone]
    for r in left:
        for i, f in enumerate(rest):
            if same_row(r, f, within):
                rest.pop(i); n += 1
                break
    return n


def minus(a, b, within):
    """Rows of the bag a that are not in the bag b."""
    have = {}
    for r in b:
        k = tuple((type(x).__name__ if not isinstance(x, (int, float)) else "n", x) for x in r)
        have.setdefault(k, []).append(r)
    left = []
    for r in a:
        k = tuple((type(x).__name__ if not isinstance(x, (int, float)) else "n", x) for x in r)
        if have.get(k): have[k].pop()
        else: left.append(r)
    rest = [r for rs in have.values() for r in rs]
    out = []
    for r in left:
        for i, f in enumerate(rest):
            if same_row(r, f, within) or same_row(f, r, within):
                rest.pop(i)
                break
        else:
            out.append(r)
    return out


def changes(start, end, columns, key, within):
    """([altered: {key: {column: value}}], removed rows, added rows) from start to end."""
    if key is None:
        return {}, minus(start, end, within), minus(end, start, within)
    at = [columns.index(k) for k in key]
    def by_key(rows):
        out = {}
        for r in rows:
            out.setdefault(tuple(r[i] for i in at), []).append(r)
        return out
    s, e = by_key(start), by_key(end)
    altered, removed, added = {}, [], []
    for k, rs in s.items():
        if k not in e:
            removed += rs
    for k, rs in e.items():
        if k not in s:
            added += rs
            continue
        new = rs[0]
        # of several rows of a key, the one that is as at the start, if there is one
        for r in rs:
            if same_row(s[k][0], r, within):
                new = r
        added += [r for r in rs if r is not new]
        cells = {i: v for i, v in enumerate(new) if not same(s[k][0][i], v, within)}
        if cells:
            altered[k] = cells
    return altered, removed, added


def taken(start, goal, end, columns, key, within):
    """The end with each number as what it is taken for: the start's, where it had to change and did not, else the goal's or the start's within the tolerance."""
    if key is not None:
        at = [columns.index(k) for k in key]
        of = lambda rows: {tuple(r[i] for i in at): r for r in reversed(rows)}
        s, g = of(start), of(goal)
        out = []
        for r in end:
            k = tuple(r[i] for i in at)
            row = list(r)
            for i, v in enumerate(r):
                old, new = (x[k][i] if k in x else None for x in (s, g))
                if k in s and k in g and not same(new, old, None) and same(old, v, None): row[i] = old
                elif k in g and same(new, v, within): row[i] = new
                elif k in s and same(old, v, within): row[i] = old
            out.append(tuple(row))
        return out
    left, out = [], []
    free = list(goal)
    for r in end:
        if r in free: free.remove(r); out.append(r)
        else: left.append(r)
    gone = minus(minus(start, goal, None), [], None)
    for pool, by in ((gone, None), (free, within), (list(start), within)):
        rest = []
        for r in left:
            hit = next((p for p in pool if same_row(p, r, by)), None)
            if hit is None: rest.append(r)
            else: pool.remove(hit); out.append(hit)
        left = rest
    return out + left


def judged(start, goal, end, task):
    """(correct, score) by scoring.md."""
    within, _, _, keys = OPTIONS[task]
    if {t: c for t, (c, _) in goal.items()} != {t: c for t, (c, _) in end.items()}:
        return False, 0.0
    both = g_all = a_all = 0
    correct = True
    for t, (columns, rows) in goal.items():
        key = keys[t]
        left = end[t][1] if within is None else taken(start[t][1], rows, end[t][1], columns, key, within)
        n = pairs(rows, left, None)
        correct &= n == len(rows) == len(left)
        ga, gr, gd = changes(start[t][1], rows, columns, key, None)
        aa, ar, ad = changes(start[t][1], left, columns, key, None)
        g_all += len(ga) + len(gr) + len(gd)
        a_all += len(aa) + len(ar) + len(ad)
        both += pairs(gr, ar, None) + pairs(gd, ad, None)
        both += sum(k in aa and set(aa[k]) == set(cells) and all(same(v, aa[k][i], None) for i, v in cells.items()) for k, cells in ga.items())
    if correct:
        return True, 1.0
    return False, both / (g_all + a_all - both) if g_all + a_all else 1.0


def played(case, path, lines, task):
    """Whether the case did its work, in a process of its own: some end without closing anything."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.umask(0o022)
            case.run(C(path, lines, task))
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def end(case, instance, bundle, out):
    """What one case is worth on one instance, after it was played."""
    task = instance["metadata"]["picard"]["task"]
    folder = os.path.join(out, case.name, instance["id"])
    lines = instance["input"].split("\n")
    for p, f in instance["files"].items():
        os.makedirs(os.path.dirname(os.path.join(folder, p)), exist_ok=True)
        shutil.copyfile(os.path.join(bundle, f), os.path.join(folder, p))
    path = os.path.join(folder, lines[1])
    columns_out, tables_out = OPTIONS[task][1:3]
    if not case.blind:
        start = state(path, columns_out, tables_out)
        goal_path = os.path.join(tempfile.gettempdir(), "goal.db")
        shutil.copyfile(path, goal_path)
        g = sqlite3.connect(goal_path, isolation_level=None)
        g.execute("PRAGMA foreign_keys=ON")
        for s in lines[2:]:
            g.execute(s)
        g.close()
        goal = state(goal_path, columns_out, tables_out)
    os.chdir(folder)
    said = {"case": case.name, "id": instance["id"], "why": case.why, "right": case.right, "reason": case.reason, "loose": case.loose}
    if not played(case, lines[1], lines[2:], task):
        return {**said, "broken": True}
    if case.blind:
        return {**said, "score": float(case.right)}
    correct, score = judged(start, goal, state(path, columns_out, tables_out), task)
    return {**said, "score": score, "label": correct == case.right and (case.score is None or case.score == score)}


def main():
    bundle, out = map(os.path.abspath, sys.argv[1:])
    tempfile.tempdir = os.path.join(out, "tmp")
    os.makedirs(tempfile.tempdir)
    instances = [json.loads(x) for x in open(os.path.join(bundle, "instances.jsonl"))]
    ends = [end(case, i, bundle, out) for case in CASES.values() for i in instances if i["metadata"]["picard"]["task"] in case.tasks]
    json.dump(ends, open(os.path.join(out, "expected.json"), "w"))


main()
