# The findings that the first runs gave are in the closing note of 2026-11-23.
#!/usr/bin/env python3
"""Builds shop.pcd (3 samples), runs each case of ends.py as a command agent through `picardc run`, and compares scores.jsonl
with the case's label and with the score of scoring.md, computed here from the end state.

    python3 judge.py [--picardc PATH] [--only NAME,NAME] [--tasks NAME]
"""
import argparse, base64, json, os, shutil, sqlite3, subprocess, sys, tempfile, time
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import ends

OPTIONS = {  # what the suite says: (within, ignored columns, ignored tables, keys by the documents)
    "prices": (Decimal("0.01"), {}, set(), {"makers": ["mid"], "items": ["id"]}),
    "till": (None, {"sales": {"changed"}}, {"log"}, {"sales": ["id"]}),
    "depot": (None, {}, set(), {"stock": ["store", "day"], "sales": None, "codes": ["a", "b"]}),
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


def judged(start, goal, end, task):
    """(correct, score) by scoring.md."""
    within, _, _, keys = OPTIONS[task]
    if {t: c for t, (c, _) in goal.items()} != {t: c for t, (c, _) in end.items()}:
        return False, 0.0
    both = g_all = a_all = 0
    correct = True
    for t, (columns, rows) in goal.items():
        key = keys[t]
        n = pairs(rows, end[t][1], within)
        correct &= n == len(rows) == len(end[t][1])
        ga, gr, gd = changes(start[t][1], rows, columns, key, None)
        aa, ar, ad = changes(start[t][1], end[t][1], columns, key, within)
        g_all += len(ga) + len(gr) + len(gd)
        a_all += len(aa) + len(ar) + len(ad)
        both += pairs(gr, ar, None) + pairs(gd, ad, within)
        both += sum(k in aa and set(aa[k]) == set(cells) and all(same(v, aa[k][i], within) for i, v in cells.items()) for k, cells in ga.items())
    if correct:
        return True, 1.0
    return False, both / (g_all + a_all - both) if g_all + a_all else 1.0


def expected(case, instance, bundle):
    """(correct, score, note) that the documents ask for: the case is played in a folder of its own."""
    task = instance["metadata"]["picard"]["task"]
    if case.blind:
        return case.right, float(case.right), ""
    within, columns, tables, _ = OPTIONS[task]
    d = tempfile.mkdtemp()
    try:
        path = instance["input"].split("\n")[1]
        for p, f in instance["files"].items():
            os.makedirs(os.path.dirname(os.path.join(d, p)), exist_ok=True)
            shutil.copyfile(os.path.join(bundle, f), os.path.join(d, p))
        db = os.path.join(d, path)
        start = state(db, columns, tables)
        goal_path = os.path.join(d, "goal.tmp")
        shutil.copyfile(db, goal_path)
        g = sqlite3.connect(goal_path, isolation_level=None)
        g.execute("PRAGMA foreign_keys=ON")
        for s in instance["input"].split("\n")[2:]:
            g.execute(s)
        g.close()
        goal = state(goal_path, columns, tables)
        line = json.dumps({"id": instance["id"], "prompt": instance["input"], "sandbox": d})
        r = subprocess.run([sys.executable, os.path.join(HERE, "ends.py")], input=line + "\n", text=True, cwd=d, capture_output=True,
                           env={**os.environ, "PCD_CASE": case.name, "TMPDIR": d}, timeout=120)
        if r.returncode:
            return None, None, "the case itself failed: " + r.stderr.strip().split("\n")[-1]
        correct, score = judged(start, goal, state(db, columns, tables), task)
        note = "" if correct == case.right and (case.score is None or case.score == score) else f"LABEL: this program computes {correct}, {score}"
        return case.right, score, note
    finally:
        shutil.rmtree(d, ignore_errors=True)


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--picardc", default=os.path.join(HERE, "picardc"))
    a.add_argument("--only"); a.add_argument("--tasks"); a.add_argument("--out", default=os.path.join(HERE, "out"))
    a.add_argument("--seed", default="5"); a.add_argument("--samples", default="3"); a.add_argument("--jobs", type=int, default=2)
    o = a.parse_args()
    shutil.rmtree(o.out, ignore_errors=True)
    os.makedirs(o.out)
    if not os.path.exists(os.path.join(HERE, "office.db")):
        subprocess.run([sys.executable, os.path.join(HERE, "make_fixture.py")], check=True)
    bundle = os.path.join(o.out, "bundle")
    subprocess.run([o.picardc, "build", os.path.join(HERE, "shop.pcd"), "-o", bundle, "--seed", o.seed, "--samples", o.samples, "--quiet"], check=True)
    instances = [json.loads(x) for x in open(os.path.join(bundle, "instances.jsonl"))]
    cases = [c for c in ends.CASES.values() if not o.only or c.name in o.only.split(",")]

    def play(case):
        found, seconds = {}, 0
        run = os.path.join(o.out, case.name)
        only = o.tasks or (case.tasks[0] if len(case.tasks) == 1 else "*")
        t = time.time()
        r = subprocess.run([o.picardc, "run", bundle, "--agent", f"cmd:{sys.executable} {os.path.join(HERE, 'ends.py')}", "--env", "PCD_CASE",
                            "--task", only, "-o", run, "--quiet", "--concurrency", "1", "--timeout", "60", "--retry-failed=false"],
                           env={**os.environ, "PCD_CASE": case.name}, capture_output=True, text=True)
        seconds = time.time() - t
        scores = os.path.join(run, "scores.jsonl")
        if os.path.exists(scores):
            for x in map(json.loads, open(scores)):
                found[x["id"]] = x
        failed = f"picardc exited with {r.returncode}: {r.stderr.strip()[-300:]}"
        want = {i["id"]: expected(case, i, bundle) for i in instances if i["metadata"]["picard"]["task"] in case.tasks and (not o.tasks or i["metadata"]["picard"]["task"] == o.tasks)}
        return case, found, want, seconds, failed

    total = {"right": 0, "wrong": 0}; bad = {k: [] for k in ("misjudged", "score", "reason", "label", "broken")}
    with ThreadPoolExecutor(o.jobs) as pool, open(os.path.join(o.out, "verdicts.jsonl"), "w") as log:
        for case, found, want, seconds, failed in pool.map(play, cases):
            for i, (correct, score, note) in want.items():
                total["right" if case.right else "wrong"] += 1
                x = found.get(i)
                if x is None or correct is None:
                    bad["broken"].append(f"{case.name} {i}: {note or failed}")
                    continue
                v = x["verdicts"][0]
                log.write(json.dumps({"case": case.name, "id": i, "right": case.right, "want": score, "correct": x["correct"], "score": x["score"], "reason": v["reason"], "differences": v["differences"], "status": x["status"]}) + "\n")
                if x["status"] != "done":
                    bad["broken"].append(f"{case.name} {i}: {x['status']}: {x.get('error')}")
                    continue
                at = f"{case.name} {i} ({case.why})"
                if note:
                    bad["label"].append(f"{at}: {note}")
                if x["correct"] != correct:
                    bad["misjudged"].append(f"{at}: {'right' if correct else 'wrong'} by the documents, {'correct' if x['correct'] else 'not correct'} ({v['reason']}, {x['score']}) {json.dumps(v['differences'])[:300]}")
                elif not case.loose and abs(x["score"] - score) > 1e-9:
                    bad["score"].append(f"{at}: {score:.6f} by the documents, {x['score']:.6f} ({v['reason']})")
                documented = case.reason or ("right" if correct else None if case.blind or score == 0 else "partial")
                if documented and v["reason"] != documented:
                    bad["reason"].append(f"{at}: `{documented}` by the documents, `{v['reason']}`")
            if seconds > 20:
                bad["broken"].append(f"{case.name}: a run took {seconds:.0f} s")
    for k, title in (("broken", "did not run"), ("misjudged", "misjudged"), ("score", "another score"), ("reason", "another reason"), ("label", "labels that this program does not confirm")):
        print(f"\n{title}: {len(bad[k])}")
        by = {}
        for x in bad[k]:
            by.setdefault(x.split()[0], []).append(x)
        for x in by.values():  # one line a case: its first instance, and how many there are
            print("  " + x[0][:400] + (f" … and {len(x) - 1} more" if len(x) > 1 else ""))
    print(f"\n{len(cases)} cases ({sum(c.right for c in cases)} right, {sum(not c.right for c in cases)} wrong); {total['right']} right and {total['wrong']} wrong end states judged")
    sys.exit(bool(bad["broken"] or bad["misjudged"] or bad["score"] or bad["reason"]))


if __name__ == "__main__":
    main()
