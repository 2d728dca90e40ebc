#!/usr/bin/env python3
"""hunt.py: a stop hunter for the checker of `.pcd`.

  hunt.py write --count 3000 --seed N --out DIR       random suites with risky constructs and their safe twins
  hunt.py judge DIR --picardc PATH [--builder PATH] [--reuse] [--samples 1000] [--jobs 1] [--check-args "..."] [--build-args "..."]
                                                      (--builder: another picardc that builds; --reuse: keep the builds of DIR/results.jsonl, and check again)
  hunt.py table DIR                                    prints the table of DIR/results.jsonl again
  hunt.py list                                         names of the constructs
"""
import argparse, collections, concurrent.futures, datetime, json, os, random, re, shlex, shutil, signal, subprocess, sys, tempfile, time

# ------------------------------------------------------------------ building a suite

def dec(n, places):
    s = f"{abs(n):0{places + 1}d}"
    return ("-" if n < 0 else "") + (s[:-places] + "." + s[-places:] if places else s)

def pct(n):
    """1/n as a percentage literal"""
    if n <= 1: return "100%"
    v = 100.0 / n
    return (f"{v:.0f}%" if v >= 1 and abs(v - round(v)) < 1e-9 else f"{v:.4f}".rstrip("0").rstrip(".") + "%")

def day(base, k):
    return (datetime.date.fromisoformat(base) + datetime.timedelta(days=k)).isoformat()

BIG = "9_223_372_036_854_775_807"

class Table:
    def __init__(s, ref, file, fmt, cols, sql):
        s.ref, s.file, s.fmt, s.cols, s.sql = ref, file, fmt, cols, sql
    def col(s, c): return f"{s.ref}.{c}"

class Suite:
    def __init__(s, rng, ident):
        s.r, s.id = rng, ident
        s.items, s.body, s.show, s.results, s.reqs, s.stages, s.variants = [], [], [], [], [], [], []
        s.axes = []
        s.n = 0
        s.used = set()
        s.matcher = None       # a whole `expect` of a construct
        s.notes = []
        s.tail = []            # further text of the prompt (raw)
        s.dbs = 0
        s.fixture = False
    def name(s, p):
        s.n += 1
        return f"{p}{s.n}"
    def pick(s, *a): return s.r.choice(a)
    def ri(s, a, b): return s.r.randint(a, b)
    def coin(s, p=0.5): return s.r.random() < p
    def add(s, line): s.body.append(line)
    def draw(s, p, dom, show=True):
        k = s.name(p)
        s.add(f"{k} : {dom}")
        if show: s.show.append(f"{k} is <<{k}>>")
        else: s.show.append(None)
        return k
    def drawn_null(s, p, dom, other):
        k = s.name(p)
        s.add(f"{k} : {dom}")
        s.show.append(f"{k} is <<coalesce({k}, {other})>>")
        return k
    def comp(s, p, expr):
        k = s.name(p)
        s.add(f"{k} = {expr}")
        return k
    def result(s, expr, typ):
        """typ: int, decimal, float, text, bool, list, rows, date"""
        if typ == "int" and re.fullmatch(r"[a-z]+\d+", expr) and any(x and f"<<{expr}>>" in x for x in s.show): expr = f"{expr} + {s.ri(2, 9)}"
        elif typ == "decimal" and re.fullmatch(r"[a-z]+\d+", expr): expr = f"{expr} + {s.ri(2, 9)}"
        s.results.append((s.name("part"), expr, typ))
    def word(s):
        W = ["amber", "cedar", "delta", "ember", "fable", "grove", "haven", "ivory", "jolly", "knoll", "lemon", "maple", "noble", "ocean", "plaza",
             "quill", "raven", "sable", "tulip", "umbra", "vivid", "woven", "zebra"]
        w = s.r.choice([x for x in W if x not in s.used] or W)
        s.used.add(w)
        return w + "_f"        # no drawn word can be the same
    def table(s, cols, rows, fmt=None, opts=""):
        """cols: list of (name, ': dom' or '= expr'); rows: text of the number"""
        r = s.r
        nullable = any("blank" in d for _, d in cols)
        special = any(re.search(r"\b(unique|sorted|serial|key|index|exactly|ref|xref)\b", d) for _, d in cols)
        if fmt is None:
            fs = ["csv"] * 5 + ["sqlite"] * 5 + ["xlsx"] * 2 + ["tsv"] + ["table"]
            if not special: fs += ["json", "json", "yaml", "xml"]
            if not nullable: fs += ["text"]
            fmt = r.choice(fs)
        t = s.name("t")
        w = s.word()
        inner = "\n".join(f"    {c} {d}" for c, d in cols)
        if fmt in ("csv", "tsv"):
            o = opts or (r.choice(["", "", "", "crlf ", "quoted ", 'bom ', 'delimiter ";" ']) if fmt == "csv" else "")
            s.add(f'{fmt} {t} at "{w}.{fmt}" {o}{{\n    rows {rows}\n{inner}\n  }}')
            s.show.append(f"see <<{t}>>")
            return Table(t, t, fmt, cols, t)
        if fmt == "table":
            s.add(f'table {t} {{\n    rows {rows}\n{inner}\n  }}')
            return Table(t, None, fmt, cols, t)
        if fmt in ("sqlite", "xlsx"):
            d = s.name("db")
            ext = "db" if fmt == "sqlite" else "xlsx"
            s.add(f'{fmt} {d} at "{w}.{ext}" {{\n    table {t} {{\n    rows {rows}\n{inner}\n    }}\n  }}')
            s.show.append(f"see <<{d}>>")
            x = Table(f"{d}.{t}", d, fmt, cols, f"{d}.{t}")
            x.bare = t
            return x
        if fmt in ("json", "yaml"):
            s.add(f'{fmt} {t} at "{w}.{fmt}" {{\n    kind : gem\n    items : [ {{\n{inner}\n    }} ; {rows} ]\n  }}')
            s.show.append(f"see <<{t}>>")
            return Table(f"{t}.items", t, fmt, cols, f"{t}.items")
        if fmt == "xml":
            s.add(f'xml {t} at "{w}.xml" root {{\n    kind : gem\n    item : [ {{\n{inner}\n    }} ; {rows} ]\n  }}')
            s.show.append(f"see <<{t}>>")
            return Table(f"{t}.item", t, fmt, cols, f"{t}.item")
        if fmt == "text":
            line = " | ".join(f"<<{c}>>" for c, _ in cols if not c.startswith("_"))
            s.add(f'text {t} at "{w}.log" {{\n    rows {rows}\n    line "{line}"\n{inner}\n  }}')
            s.show.append(f"see <<{t}>>")
            return Table(t, t, fmt, cols, t)
        raise ValueError(fmt)
    def col(s, p="C"):
        s.n += 1
        return f"{p}{s.n}"
    def req(s, cond): s.add(f"require {cond}")

    # ---------------------------------------------------------------- the text
    def expectation(s, results, reply=True):
        """list of lines: prompt text, expect"""
        r = s.r
        def opt(t): return " rounded 2" if t == "float" else ""
        if len(results) == 1:
            k, e, t = results[0]
            c = r.random()
            if t in ("int", "decimal", "float") and c < .7:
                say = "Reply with the number only" + (", rounded to 2 decimal places." if t == "float" else ".")
                if c < .1: return "Write the number" + (", rounded to 2 decimal places," if t == "float" else ",") + " and nothing else, to <<sandbox>>/answer.txt.", f'expect file "answer.txt" number {e}{opt(t)}'
                if c < .2: return say + " Write it on the last line.", f"expect reply last line number {e}{opt(t)}"
                return say, f"expect reply number {e}{opt(t)}"
            if t == "list" and c < .6:
                return "Reply with the items, one on each line, in the given order.", f"expect reply list {e} ordered"
            if t == "textonly":
                return "Reply with the text only.", f"expect reply text {e}"
        say = "Reply with a JSON object with the keys " + " and ".join(f"`{k}`" for k, _, _ in results) + "."
        if any(t == "float" for _, _, t in results): say += " Round fractions to 2 decimal places."
        return say, "expect reply json { " + ", ".join(f"{k}: {e}{opt(t)}" for k, e, t in results) + " }"
    def text(s, head):
        r = s.r
        show = [x for x in s.show if x]
        what = []
        n = 0
        for k, e, t in s.results:
            n += 1
            what.append(f"{k} is wanted")
        prompt = "; ".join(show)
        lines = [head, f'suite {s.id} {{ title "Hunt {s.id}"  version "1.0.0"  samples 5 }}', ""]
        lines += s.items
        body = list(s.body)
        if s.coin(.3): r.shuffle(body)
        lines.append(f"task job {{")
        for a in s.axes: lines.append("  " + a)
        for b in body: lines.append("  " + b)
        if s.matcher and not s.results:
            say, exp = s.matcher
        else:
            if not s.results: s.results.append((s.name("part"), "7", "int"))
            say, exp = s.expectation(s.results)
            if s.matcher:
                say, exp = say + " " + s.matcher[0], exp + "\n  " + s.matcher[1]
        base = (prompt[:1].upper() + prompt[1:] + "." if prompt else "Please answer.") + (" What are the parts? " if s.results else " ")
        base += " ".join(s.tail) + (" " if s.tail else "")
        if s.variants and s.results:
            lines.append(f'  prompt "{base}"')
            for v, dec_, e, t in s.variants:
                sv, ev = s.expectation([(s.name("extra"), e, t)])
                lines.append(f"  variant {v} {{\n    {dec_}\n    prompt \"{say} {sv}\"\n    {ev.replace('expect reply', 'expect reply', 1)}\n  }}" if False else
                             f"  variant {v} {{\n    {dec_}\n    prompt \"{sv}\"\n    {ev}\n  }}")
        elif s.variants:
            lines.append(f'  prompt "{base}"')
            for v, dec_, e, t in s.variants:
                sv, ev = s.expectation([(s.name("extra"), e, t)])
                lines.append(f"  variant {v} {{\n    {dec_}\n    prompt \"{sv}\"\n    {ev}\n  }}")
        else:
            lines.append(f'  prompt "{base}{say}"')
            lines.append("  " + exp)
        for nm, dec_, e, t in s.stages:
            sv, ev = s.expectation([(s.name("step"), e, t)])
            lines.append(f'  stage {nm} {{\n    {dec_}\n    prompt "{base}{sv}"\n    {ev}\n  }}')
        lines.append("}")
        return "\n".join(lines) + "\n"

# ------------------------------------------------------------------ sources of an int that is 0 with probability 1/n
# f(S, n, base) -> (expr, lo, hi); base 0: dangerous, base 1: never 0

def src_draw(S, n, b): k = S.draw("k", f"int {b}..{n - 1 + b}"); return k, b, n
def src_offset(S, n, b):
    x = S.ri(5, 500); k = S.draw("k", f"int {x + b}..{x + b + n - 1}"); return f"({k} - {x})", b, n
def src_diff(S, n, b):
    a = S.draw("a", f"int 1..{n}"); c = S.draw("b", f"int 1..{n}"); return (f"(abs({a} - {c}) + {b})" if b else f"abs({a} - {c})"), b, n
def src_sdiff(S, n, b):
    if b: a = S.draw("a", f"int {n + 1}..{2 * n}"); c = S.draw("b", f"int 1..{n}")
    else: m = n if n < 20 else max(3, int(n ** .5)); a = S.draw("a", f"int {m}..{2 * m - 1}"); c = S.draw("b", f"int 1..{m}")
    # a - b: 0 only where a is its least and b its greatest
    return f"({a} - {c})", b, 2 * n
def src_mod(S, n, b): k = S.draw("k", "int 0..999_999"); return (f"(mod({k}, {n}) + {b})" if b else f"mod({k}, {n})"), b, n
def src_modsum(S, n, b):
    a = S.draw("a", "int 1..5_000"); c = S.draw("b", "int 1..7_000"); return (f"(mod({a} + {c}, {n}) + {b})" if b else f"mod({a} + {c}, {n})"), b, n
def src_step(S, n, b): k = S.draw("k", f"int {b * 50}..{(n - 1 + b) * 50} step 50"); return f"floor({k} / 50)", b, n
def src_weighted(S, n, b):
    w = S.draw("w", f'weighted ["amber": {max(n - 1, 1)}, "coral": 1]'); return f'(if {w} == "coral" then {b} else 3)', b, 3
def src_weightint(S, n, b):
    w = S.draw("k", f'weighted [{b}: 1, 4: {max(n - 1, 1)}]' if False else f'weighted ["0": 1, "4": {max(n - 1, 1)}]'); return (f"(to_int({w}) + {b})" if b else f"to_int({w})"), b, 5
def src_oneof(S, n, b):
    n = max(2, min(n, 6)); xs = [b] + S.r.sample(range(2, 9), n - 1); S.r.shuffle(xs); k = S.draw("k", f"one_of {xs}"); return k, b, 9
def src_bool(S, n, b): k = S.draw("f", f"bool {pct(n)}"); return f"(if {k} then {b} else 5)", b, 5
def src_pattern(S, n, b):
    if n >= 500: p, h = "[0-9]{3}", 999
    elif n >= 50: p, h = "[0-9]{2}", 99
    elif n >= 6: p, h = "[0-9]", 9
    elif n >= 2: p, h = "[01]", 1
    else: p, h = "[0-9]{3}", 999
    k = S.draw("s", f'pattern "{p}"'); return (f"(to_int({k}) + {b})" if b else f"to_int({k})"), b, h + b
def src_date(S, n, b):
    d0 = "2021-03-01"; d = S.draw("d", f"date {d0}..{day(d0, n - 1)}")
    return (f"({d} - {day(d0, -b)})" if S.coin() else f"days_between({day(d0, -b)}, {d})"), b, n
def src_minute(S, n, b):
    if n >= 500: t = S.draw("m", "datetime 2024-03-01T00:00..2024-03-01T23:59 step 1 minutes"); e, h = f"hour({t}) * 60 + minute({t})", 1439
    elif n >= 20: t = S.draw("m", "datetime 2024-03-01T00:00..2024-03-01T23:59"); e, h = f"hour({t})", 23
    else: t = S.draw("m", "datetime 2024-03-01T00:00..2024-03-01T01:59"); e, h = f"hour({t})", 1
    return f"({e} + {b})" if b else f"({e})", b, h + b
def src_weekday(S, n, b): d = S.draw("d", "date"); return (f"weekday({d})" if b else f"(weekday({d}) - 1)"), b, 7
def src_zipf(S, n, b):
    if n >= 100: k = S.draw("k", "zipf 160"); return f"({160 + b} - {k})", b, 160
    k = S.draw("k", "zipf 4"); return (k if b else f"({k} - 1)"), b, 4
def src_count(S, n, b):
    c = S.col()
    if n >= 100: rows, dom, cond = "3", "int 1..10", 0 if b else 1
    elif n >= 10: rows, dom, cond = "2", "int 1..5", 0 if b else 1
    else: rows, dom, cond = "2", "int 1..10", 0 if b else 7
    t = S.table([(c, f": {dom}")], rows)
    if S.coin(.25): return f"count({t.col(c)} where {c} > {cond})", b, int(rows)
    if S.coin(.2) : z = S.comp("z", f"<<value: SELECT COUNT(*) FROM {t.sql} WHERE {c} > {cond}>>"); return f"coalesce({z}, 1)" if S.coin(.5) else f"coalesce(<<value: SELECT COUNT(*) FROM {t.sql} WHERE {c} > {cond}>>, 1)", b, int(rows)
    return f"count({t.ref} where {c} > {cond})", b, int(rows)
def src_countdraw(S, n, b):
    c = S.col(); k = S.draw("k", f"int 1..{max(n, 2)}" if not b else f"int 1..5"); t = S.table([(c, f": int {1 if not b else 6}..{max(n, 2) if not b else 9}")], "1" if n < 10 else "2")
    if b: return f"count({t.ref} where {c} > {k})", 1, 2
    return f"count({t.ref} where {c} >= {k})", 0, 2
def src_span(S, n, b):
    c = S.col(); t = S.table([(c, f": int 1..{max(n, 2)}")], "2"); e = f"max({t.col(c)}) - min({t.col(c)})"; return (f"({e} + 1)" if b else f"({e})"), b, max(n, 2)
def src_rows(S, n, b):
    c = S.col(); t = S.table([(c, ": int 1..9")], f"{b}..{n - 1 + b}" if n > 1 else str(b)); return f"count({t.ref})", b, n
def src_distinct(S, n, b):
    c = S.col(); t = S.table([(c, f": int 1..{max(n, 2)}")], "2"); return (f"distinct_count({t.col(c)})" if b else f"(distinct_count({t.col(c)}) - 1)"), b, 2
def src_len(S, n, b): w = S.draw("w", "word"); return (f"(len({w}) - 3)" if b else f"(len({w}) - 4)"), b, 6
def src_prod(S, n, b):
    if b: a = S.draw("a", "int 1..3"); c = S.draw("b", "int 1..4"); return f"({a} * {c})", 1, 12
    if n < 20: a = S.draw("a", "int 0..1"); c = S.draw("b", "int 1..4")
    else: a = S.draw("a", f"int 0..{n - 1}"); c = S.draw("b", "int 1..4")
    return f"({a} * {c})", 0, n * 4
def src_normal(S, n, b):
    k = S.draw("k", f"normal mean {0 if n < 20 else 50} sd {2 if n < 20 else 16} {b}..100"); return k, b, 100
def src_decimal(S, n, b):
    x = S.draw("x", f"decimal {b}.0..{n - 1 + b}.9"); return f"floor({x})", b, n
def src_json(S, n, b):
    j = S.name("j"); f = S.pick("json", "yaml"); S.add(f'{f} {j} at "{S.word()}.{f}" {{ kind : gem  lim : {{ low : int {b}..{n - 1 + b}  top : int 5..9 }} }}'); S.show.append(f"see <<{j}>>")
    if S.coin(.4): return f"coalesce(<<{f}_value: {j}, $.lim.low>>, 1)", b, n
    return f"{j}.lim.low", b, n
def src_xml(S, n, b):
    j = S.name("x"); S.add(f'xml {j} at "{S.word()}.xml" root {{ @low : int {b}..{n - 1 + b}  kind : gem }}'); S.show.append(f"see <<{j}>>")
    return f"{j}.low", b, n
def src_arrlen(S, n, b):
    n = min(n, 300)
    j = S.name("j"); S.add(f'json {j} at "{S.word()}.json" {{ kind : gem  nums : [ int 1..9 ; {b}..{n - 1 + b} ] }}'); S.show.append(f"see <<{j}>>")
    return (f"count({j}.nums)" if S.coin() else f"<<json_count: {j}, $.nums>>"), b, n
def src_cell(S, n, b):
    c = S.col(); f = S.pick("csv", "sqlite"); t = S.table([(c, f": int {b}..{n - 1 + b}")], "3", f); return f"{'csv' if f == 'csv' else 'sqlite'}_value({t.col(c)}, {S.ri(1, 3)})", b, n
def src_blank(S, n, b):
    k = S.drawn_null("k", f"int 1..9 blank {pct(n)}", "0"); return f"coalesce({k}, {b})", b, 9
def src_aggnull(S, n, b):
    c, g = S.col(), S.col("G")
    if n >= 100: rows, q = 3, 10
    else: rows, q = 2, 3
    t = S.table([(c, ": int 1..9"), (g, f": int 1..{q}")], str(rows))
    f = S.pick("max", "sum", "min", "first", "last")
    return f"coalesce({f}({t.col(c)} where {g} {'> 1' if n >= 100 else '== 1'}), {b})", b, 27
def src_aggblank(S, n, b):
    c = S.col(); t = S.table([(c, f": int 1..9 blank {10 if n >= 100 else 70}%")], "3" if n >= 100 else "2")
    return f"coalesce({S.pick('max', 'sum', 'min')}({t.col(c)}), {b})", b, 27
def src_chain(S, n, b):
    lo = S.draw("lo", "int 1..40"); k = S.draw("k", f"int {lo} + {b}..{lo} + {n - 1 + b}"); return f"({k} - {lo})", b, n
def src_sqlval(S, n, b):
    k = S.draw("k", f"int {b}..{n - 1 + b}"); return f"coalesce(<<value: SELECT :{k}>>, 1)" if S.coin(.3) else f"coalesce(<<value: SELECT CAST(:{k} AS INTEGER)>>, 1)" if False else f"least({k}, 50)", b, n
def src_list(S, n, b):
    a = S.draw("a", f"int {b}..{n - 1 + b}"); c = S.draw("b", f"int {n}..{2 * n}"); f = S.pick("min([{0}, {1}])", "first(sort([{0}, {1}]))", "least({0}, {1})"); e = f.format(a, c)
    return (f"coalesce({e}, 1)" if e.startswith("first") else e), b, n
def src_round(S, n, b):
    a = S.draw("a", f"int {b * 10}..{(n - 1 + b) * 10 + 9}"); return S.pick(f"floor({a} / 10)", f"floor({a} * 0.1)"), b, n
def src_axis(S, n, b):
    if S.axes: return src_draw(S, n, b)
    k = S.name("ax"); xs = [b, 2, 5]; S.r.shuffle(xs); S.axes.append(f"axis {k} = {xs}"); S.show.append(f"{k} is <<{k}>>"); return k, b, 5
def src_const(S, n, b):
    k = S.name("LIMIT"); S.items.append(f"{k} = {b}\n"); S.show.append(f"the limit is <<{k}>>"); return k, b, b
def src_words(S, n, b):
    t = S.name("t"); S.add(f'text {t} at "{S.word()}.txt" : lorem words 1..{max(2, n)}'); S.show.append(f"see <<{t}>>"); e = f"<<file_word_count: {t}>>"
    return (e if b else f"({e} - 1)"), b, max(2, n)
def src_refcell(S, n, b):
    c = S.col(); t = S.table([(c, f": int {b}..{max(n, 2) - 1 + b}")], S.pick("4", "2..6")); k = S.name("k"); S.add(f"{k} : ref {t.col(c)}"); S.show.append(f"{k} is <<{k}>>"); return k, b, max(n, 2)

SOURCES = {k[4:]: v for k, v in list(globals().items()) if k.startswith("src_")}
SRCW = {"axis": .5, "const": .25, "weekday": .5, "len": .5, "oneof": .7, "words": .6, "draw": 3, "mod": 1.5, "offset": 1.5, "sdiff": 1.5, "count": 2, "aggnull": 2, "chain": 1.5, "countdraw": 1.5}

def small(S, z, lo, hi, m=4):
    """an int of 0..m that is 0 only where z is"""
    if hi <= m: return z
    return S.pick(f"least({z}, {m})", f"(if {z} == 0 then 0 else {S.ri(1, m)})", f"least({z}, {m})")

# ------------------------------------------------------------------ sinks: fail where z is 0
# f(S, z, lo, hi) -> (expr, type[, default]); z is a name. kind "e": an expression that a guard can wrap; "d": declarations

def fixed_table(S, R, fmt=None, dom=None):
    c = S.col(); i = S.col("ID")
    t = S.table([(i, ": serial"), (c, dom or ": int 1..99")], str(R), fmt)
    return t, i, c

def e_div(S, z, lo, hi): return S.pick(f"{S.ri(5, 99)} / {z}", f"12.50 / {z}", f"(3 + 4) / {z}"), "float"
def e_divdrawn(S, z, lo, hi): k = S.draw("q", "int 10..900"); return f"{k} / {z}", "float"
def e_divsum(S, z, lo, hi):
    t, i, c = fixed_table(S, 4); return f"sum({t.col(c)}) / {z}", "float"
def e_divround(S, z, lo, hi): return f"round({S.ri(5, 99)} / {z}, 2)", "decimal"
def e_mod(S, z, lo, hi): k = S.draw("q", "int 10..900"); return f"mod({k}, {z})", "int"
def e_modrow(S, z, lo, hi):
    t, i, c = fixed_table(S, 4); return f"count({t.ref} where mod({c}, {z}) == 0)", "int"
def e_divrow(S, z, lo, hi):
    t, i, c = fixed_table(S, 4); return f"max({t.col(c)} / {z})", "float"
def e_sumdivrow(S, z, lo, hi):
    t, i, c = fixed_table(S, 4); return f"coalesce(sum({t.col(c)} / {z} where {i} < 3), 0.0e0)", "float"
def e_sqlite_value(S, z, lo, hi):
    R = S.ri(4, 7); t, i, c = fixed_table(S, R, "sqlite"); q = small(S, z, lo, hi); p = S.pick(q, f"{R} + 1 - {q}"); return f"sqlite_value({t.col(c)}, {p})", "int"
def e_csv_value(S, z, lo, hi):
    R = S.ri(4, 7); t, i, c = fixed_table(S, R, S.pick("csv", "tsv")); q = small(S, z, lo, hi); p = S.pick(q, f"{R} + 1 - {q}"); return f"csv_value({t.col(c)}, {p})", "int"
def e_csv_cell(S, z, lo, hi):
    R = S.ri(4, 7); t, i, c = fixed_table(S, R, "csv"); q = small(S, z, lo, hi); p = S.pick(q, f"{R} + 1 - {q}"); return f"csv_cell({t.ref}, {p}, 2)", "text"
def e_csv_cellcol(S, z, lo, hi):
    t, i, c = fixed_table(S, 3, "csv"); q = small(S, z, lo, hi, 2); p = S.pick(q, f"3 - {q}"); return f"csv_cell({t.ref}, 2, {p})", "text"
def e_csv_row(S, z, lo, hi):
    R = S.ri(4, 7); t, i, c = fixed_table(S, R, "csv"); q = small(S, z, lo, hi); p = S.pick(q, f"{R} + 1 - {q}"); return f"csv_row({t.ref}, {p})", "list"
def e_file_line(S, z, lo, hi):
    t = S.name("t"); R = S.ri(4, 9); S.add(f'text {t} at "{S.word()}.txt" : lorem lines {R}'); S.show.append(f"see <<{t}>>"); q = small(S, z, lo, hi); return f"file_line({t}, {S.pick(q, f'{R} + 1 - {q}')})", "text"
def e_file_word(S, z, lo, hi):
    t = S.name("t"); R = S.ri(4, 9); S.add(f'text {t} at "{S.word()}.txt" : lorem words {R}'); S.show.append(f"see <<{t}>>"); q = small(S, z, lo, hi); return f"file_word({t}, {S.pick(q, f'{R} + 1 - {q}')})", "text"
def e_quantile(S, z, lo, hi):
    q = small(S, z, lo, hi); e = S.pick(f"1.2 - {q} * 0.2", f"{q} * 0.2 - 0.1")
    if S.coin(.5): return f"quantile([3, 8, 14, {S.ri(20, 60)}], {e})", "float"
    t, i, c = fixed_table(S, 5); return f"quantile({t.col(c)}, {e})", "float"
def e_chi2df(S, z, lo, hi): return f"chi2_p(2.5, {z})", "float"
def e_chi2x(S, z, lo, hi): q = small(S, z, lo, hi); return f"chi2_p({q} - 1, 3)", "float"
def e_slice(S, z, lo, hi):
    q = small(S, z, lo, hi); return S.pick(f'slice("ABCDEFGH", {q}, 6)', f'slice("ABCDEFGH", 2, {q} + 1)', f'slice("ABCDEFGH", 3 - {q}, 7 - {q})' if False else f'slice("ABCDEFGH", {q}, {q} + 1)'), "text"
def e_slice_empty(S, z, lo, hi):
    q = small(S, z, lo, hi); return S.pick(f'slice("ABCDEFGH", 9 - {q}, 9)', f'slice("ABCDEFGH", 1, {q})'), "textonly"
def e_nth(S, z, lo, hi): q = small(S, z, lo, hi); return f'coalesce(nth(["elm", "oak", "ash", "fir"], {q}), "none")', "text"
def e_pad_width(S, z, lo, hi): q = small(S, z, lo, hi); return f'pad_left("7", {q} - 1, "0")', "text"
def e_pad_huge(S, z, lo, hi): return f'len(pad_left("7", if {z} == 0 then {S.pick("40_000_000", BIG, "20_000_000")} else 4, "0"))', "int"
def e_pad_fill(S, z, lo, hi): return f'pad_left("7", 4, if {z} == 0 then {S.pick(chr(34) * 2, chr(34) + "ab" + chr(34))} else "0")', "text"
def e_split(S, z, lo, hi): return f'split("a-b-c", if {z} == 0 then "" else "-")', "list"
def e_replace(S, z, lo, hi): return f'replace("banana", if {z} == 0 then "" else "a", "o")', "text"
def e_to_int(S, z, lo, hi): return S.pick(f'to_int(if {z} == 0 then "n/a" else "12")', f'to_int(if {z} == 0 then "" else "7")', f'to_int(slice("120000", 1, {small(S, z, lo, hi)}))'), "int"
def e_to_dec(S, z, lo, hi): q = small(S, z, lo, hi); return S.pick(f'to_decimal(if {z} == 0 then "1,5" else "1.5", 2)', f'to_decimal(if {z} == 0 then "1.525" else "1.5", 2)'), "decimal"
def e_to_dec_places(S, z, lo, hi): q = small(S, z, lo, hi, 3); return f'to_decimal("4.125", {q} + 2)', "decimal"
def e_round_places(S, z, lo, hi): q = small(S, z, lo, hi); k = S.draw("q", "int 10..90"); return S.pick(f"round({k} / 7, {q} - 1)", f"round({k} / 7, 19 - {q})", f"round({k} * 1.25, 19 - {q} * 4)"), "decimal"
def e_format_places(S, z, lo, hi): q = small(S, z, lo, hi); k = S.draw("q", "int 10..90"); return S.pick(f"format({k} / 7, {q} - 1)", f"format({k} / 7, 41 - {q} * 10)", f"format({k} / 7, if {z} == 0 then {BIG} else 2)"), "text"
def e_over_add(S, z, lo, hi): q = small(S, z, lo, hi); return S.pick(f"{BIG} - {q} + 1", f"-{BIG} + {q} - 2" if False else f"{BIG} + 1 - {q}" if False else f"({BIG} - {q}) + 1"), "int"
def e_over_mul(S, z, lo, hi): q = small(S, z, lo, hi); return S.pick(f"(4_611_686_018_427_387_904 - {q}) * 2", f"(3_037_000_500 - {q}) * 3_037_000_500"), "int"
def e_over_neg(S, z, lo, hi): q = small(S, z, lo, hi); return S.pick(f"abs({q} - {BIG} - 1)", f"-({q} - {BIG} - 1)", f"({q} - {BIG}) - 2"), "int"
def e_over_sum(S, z, lo, hi): q = small(S, z, lo, hi); return f"coalesce(sum([{BIG}, 1 - {q}]), 0)", "int"
def e_over_floor(S, z, lo, hi): return S.pick(f"floor(if {z} == 0 then 1e19 else 5.5e0)", f"ceil((if {z} == 0 then 3e18 else 7e0) * 4)", f"floor((if {z} == 0 then 9_000_000_000_000_000_000 else 5) / 0.5)"), "int"
def e_inf(S, z, lo, hi): return S.pick(f"1e308 * (if {z} == 0 then 100 else 1)", f"1e300 * (if {z} == 0 then 1e30 else 2e0)", f"1e200 / (if {z} == 0 then 1e-200 else 2e0)", f"(if {z} == 0 then 1.7e308 else 5e0) + 1.7e308"), "bigfloat"
def e_over_dec(S, z, lo, hi): return S.pick(f"(if {z} == 0 then 999_999_999_999_999_999.99 else 3.50) * 99_999_999_999_999.99", f"(if {z} == 0 then 999_999_999_999_999_999 else 3) * 1_000_000_000.000000001"), "decimal"
def e_round_over(S, z, lo, hi): return f"round(if {z} == 0 then 1e30 else 5.25e0, {S.ri(0, 12)})", "decimal"
def e_tree(S, z, lo, hi): return f'tree(["src/", if {z} == 0 then {S.pick(chr(34) * 2, chr(34) + "a//b" + chr(34), chr(34) + "/etc" + chr(34), chr(34) + ".." + chr(34))} else "src/main.rs"])', "text"
def e_sql_blob(S, z, lo, hi): return f"coalesce(<<value: SELECT CASE WHEN :{z} = 0 THEN x'4142' ELSE 7 END>>, 0)", "int"
def e_sql_several(S, z, lo, hi):
    t, i, c = fixed_table(S, 3); return f"coalesce(<<value: SELECT {i} FROM {t.sql} WHERE {i} = 2 OR :{z} = 0>>, 0)", "int"
def e_sql_now(S, z, lo, hi):
    w = S.comp("u", f'if {z} == 0 then "now" else "2024-05-01"'); return f"coalesce(<<value: SELECT strftime('%Y', :{w})>>, \"none\")", "text"
def e_sql_inf(S, z, lo, hi): return f"coalesce(<<value: SELECT 1e308 * CASE WHEN :{z} = 0 THEN 10.0 ELSE 0.0 END>>, 0.0e0)", "float"
def e_sql_inf2(S, z, lo, hi):
    t, i, c = fixed_table(S, 3); return f"coalesce(<<value: SELECT SUM(CASE WHEN :{z} = 0 THEN 9e307 ELSE 1.5 END) FROM {t.sql}>>, 0.0e0)", "float"
def e_sql_overflow(S, z, lo, hi): return S.pick(f"coalesce(<<value: SELECT abs(-9223372036854775807 - CASE WHEN :{z} = 0 THEN 1 ELSE 0 END)>>, 0)",
    f"coalesce(<<value: SELECT SUM(x) FROM (SELECT 9223372036854775807 AS x UNION ALL SELECT CASE WHEN :{z} = 0 THEN 1 ELSE -1 END)>>, 0)"), "int"
def e_sql_intadd(S, z, lo, hi): return f"coalesce(<<value: SELECT 9223372036854775807 + CASE WHEN :{z} = 0 THEN 1 ELSE 0 END>>, 0)", "int"
def e_sql_json(S, z, lo, hi):
    w = S.comp("u", f'if {z} == 0 then "{{" else "{{}}"'); return f"coalesce(<<value: SELECT json_type(:{w})>>, \"none\")", "text"
def e_sql_big(S, z, lo, hi): return f"coalesce(<<value: SELECT length(printf('%0' || CASE WHEN :{z} = 0 THEN '30000000' ELSE '5' END || 'd', 7))>>, 0)", "int"
def e_sql_zeroblob(S, z, lo, hi): return f"coalesce(<<value: SELECT length(hex(zeroblob(CASE WHEN :{z} = 0 THEN 40000000 ELSE 5 END)))>>, 0)", "int"
def e_sql_quantile(S, z, lo, hi):
    t, i, c = fixed_table(S, 4); q = S.comp("u", f"if {z} == 0 then 1.5 else 0.5"); return f"coalesce(<<value: SELECT quantile({c}, :{q}) FROM {t.sql}>>, 0.0e0)", "float"
def e_sql_chi2(S, z, lo, hi): return f"coalesce(<<value: SELECT chi2_p(2.5, :{z})>>, 0.0e0)", "float"
def e_sql_div(S, z, lo, hi): return f"coalesce(<<value: SELECT 10.0 / :{z}>>, 0.0e0)", "float"
def e_sql_interp(S, z, lo, hi):
    return f"coalesce(<<value: SELECT interpolate(x, y, 1.5) FROM (SELECT 1 AS x, 1 AS y UNION ALL SELECT CASE WHEN :{z} = 0 THEN 1 ELSE 2 END, 5)>>, 0.0e0)", "float"
def e_sql_limit(S, z, lo, hi):
    t, i, c = fixed_table(S, 4); return f"coalesce(<<value: SELECT {i} FROM {t.sql} ORDER BY {i} LIMIT CASE WHEN :{z} = 0 THEN 2 ELSE 1 END>>, 0)", "int"
def e_sql_like(S, z, lo, hi):
    w = S.comp("u", f'if {z} == 0 then "+1 fortnight" else "+1 day"'); return f"coalesce(<<value: SELECT date('2024-01-31', :{w})>>, \"none\")", "text"
def e_sql_sqlitequery(S, z, lo, hi):
    t, i, c = fixed_table(S, 4, "sqlite"); return f"coalesce(<<sqlite_query: {t.file}, SELECT {i} FROM {t.bare} WHERE {i} = 1 OR (:{z} = 0 AND {i} = 3)>>, 0)", "int"
def e_query_text(S, z, lo, hi):
    t, i, c = fixed_table(S, 4, "sqlite"); q = S.pick(f'SELECT {i} AS N FROM {t.bare} WHERE {i} = <<{z}>>', f'SELECT abs(-9223372036854775807 - (<<{z}>> = 0)) AS N')
    return f'query({t.file}, "{q}")', "rows"
def e_interp(S, z, lo, hi):
    t = S.table([("X1", ": serial"), ("Y1", f": int 1..999")], "3", S.pick("csv", "sqlite"))
    return f"coalesce(interpolate({t.ref}.X1 * {z}, {t.ref}.Y1, 1.5), 0.0e0)", "float"
def e_jsonpath_at(S, z, lo, hi):
    j = S.name("j"); f = S.pick("json", "yaml"); q = small(S, z, lo, hi)
    S.add(f'{f} {j} at "{S.word()}.{f}" {{ kind : gem  rowz : [ {{ a : serial  b = if a <= {q} then 1 else 0 }} ; 2 ] }}'); S.show.append(f"see <<{j}>>")
    # several places lead to a value where z is above 1, so the danger is turned round: b = 0 twice only where z is 0
    return f"coalesce(<<{f}_value: {j}, $.rowz[?@.b == 0].a>>, 0)", "int"
def e_object_dup(S, z, lo, hi):
    c, v = S.col("N"), S.col("V"); q = small(S, z, lo, hi, 1)
    t = S.table([("I1", ": serial"), (c, f'= "n<<if I1 == 1 then 1 else 1 + {q}>>"'), (v, ": int 1..9")], "2", S.pick("csv", "sqlite", "xlsx", "table")); return f"object({t.col(c)}, {t.col(v)})", "object"
def e_date_over(S, z, lo, hi):
    return S.pick(f"(if {z} == 0 then 9999-12-31 else 2024-02-29) + 1 days", f"(if {z} == 0 then 9999-03-31 else 2024-02-29) + 1 years" if False else f"(if {z} == 0 then 9999-12-31 else 2024-02-29) + 1 month", f"(if {z} == 0 then 0001-01-01 else 2024-02-29) - 1 days"), "date"
def e_null_cmp(S, z, lo, hi):
    return f"coalesce((if {z} == 0 then null else 5) > 3, false)" if False else f"if coalesce(nth([4, 8], {small(S, z, lo, hi, 2)}), 0) > 3 then 1 else 10 / coalesce(nth([4, 8], {small(S, z, lo, hi, 2)}), 0)", "float"

def d_range_int(S, z, lo, hi): x = S.draw("y", S.pick(f"int 1..{z}", f"int 5..{z} + 4", f"int 10 - least({z}, 9)..9")); return x, "int"
def d_range_col(S, z, lo, hi):
    c = S.col(); t = S.table([(c, f": int 1..{z}")], S.pick("3", "5")); return f"sum({t.col(c)})", "int"
def d_range_dec(S, z, lo, hi): x = S.draw("y", S.pick(f"decimal 0.50..{z} * 1.00", f"decimal 0.1..{z} * 0.5")); return x, "decimal"
def d_range_date(S, z, lo, hi): y = S.comp("e", f"if {z} == 0 then 2023-12-31 else 2024-06-30"); x = S.draw("y", f"date 2024-01-01..{y}"); return f"year({x})" if S.coin() else f"days_between({x}, 2024-12-31)", "int"
def d_range_datetime(S, z, lo, hi): y = S.comp("e", f"if {z} == 0 then 2023-12-31T10:00 else 2024-06-30T10:00"); x = S.draw("y", f"datetime 2024-01-01T00:00..{y}"); return f"hour({x})", "int"
def d_rows_neg(S, z, lo, hi):
    q = small(S, z, lo, hi); c = S.col(); t = S.table([(c, ": int 1..9")], f"{q} - 1"); return f"count({t.ref})", "int"
def d_rows_range(S, z, lo, hi):
    q = small(S, z, lo, hi); c = S.col(); t = S.table([(c, ": int 1..9")], f"1..{q}"); return f"count({t.ref})", "int"
def d_rows_big(S, z, lo, hi):
    c = S.col(); n = S.comp("u", f"if {z} == 0 then 10_000_001 else 5"); t = S.table([(c, ": int 1..9")], n); return f"count({t.ref})", "int"
def d_rows_value(S, z, lo, hi):
    q = small(S, z, lo, hi); c = S.col(); f = S.pick("csv", "sqlite"); t = S.table([(c, ": int 1..9")], q, f); return f"{f}_value({t.col(c)}, 1)", "int"
def d_rows_ref(S, z, lo, hi):
    q = small(S, z, lo, hi); c = S.col(); t = S.table([(c, ": int 1..900")], q); x = S.name("y"); S.add(f"{x} : ref {t.col(c)}"); S.show.append(f"{x} is <<{x}>>"); return x, "int"
def d_rows_line(S, z, lo, hi):
    q = small(S, z, lo, hi); c = S.col(); t = S.table([(c, ": word")], q, "text"); return f"file_line({t.ref}, 1)", "text"
def d_lorem_range(S, z, lo, hi):
    q = small(S, z, lo, hi); x = S.draw("y", f"lorem {S.pick('words', 'sentences')} 1..{q}"); return f"len({x})", "int"
def d_lorem_zero(S, z, lo, hi):
    q = small(S, z, lo, hi); t = S.name("t"); k = S.pick("words", "lines", "sentences", "paragraphs"); S.add(f'text {t} at "{S.word()}.txt" : lorem {k} {q}'); S.show.append(f"see <<{t}>>")
    return S.pick(f"file_line({t}, 1)", f"file_word({t}, 1)"), "text"
def d_array_range(S, z, lo, hi):
    q = small(S, z, lo, hi); j = S.name("j"); f = S.pick("json", "yaml"); S.add(f'{f} {j} at "{S.word()}.{f}" {{ kind : gem  nums : [ int 1..9 ; 1..{q} ] }}'); S.show.append(f"see <<{j}>>"); return f"count({j}.nums)", "int"
def d_array_ref(S, z, lo, hi):
    q = small(S, z, lo, hi); j = S.name("j"); f = S.pick("json", "yaml"); S.add(f'{f} {j} at "{S.word()}.{f}" {{ kind : gem  nums : [ int 1..900 ; {q} ] }}'); S.show.append(f"see <<{j}>>"); x = S.name("y"); S.add(f"{x} : ref {j}.nums.value"); S.show.append(f"{x} is <<{x}>>"); return x, "int"
def d_share(S, z, lo, hi):
    q = small(S, z, lo, hi); p = S.comp("share", S.pick(f"101 - {q}", f"{q} - 1", f"{q} * 20 - 5")); c = S.col(); t = S.table([(c, f": bool {p}%")], "8"); return f"count({t.ref} where {c})", "int"
def d_blankshare(S, z, lo, hi):
    q = small(S, z, lo, hi); p = S.comp("share", S.pick(f"101 - {q}", f"{q} - 1")); c = S.col(); t = S.table([(c, f": int 1..9 blank {p}%")], "8"); return f"count({t.col(c)})", "int"
def d_exactly(S, z, lo, hi):
    q = small(S, z, lo, hi); R = S.ri(4, 9); c = S.col(); t = S.table([(c, f": bool exactly {R} + 1 - {q}" if S.coin() else f": bool exactly {q} - 1")], str(R)); return f"count({t.ref} where {c})", "int"
def d_unique(S, z, lo, hi):
    q = small(S, z, lo, hi); R = S.ri(4, 9); c = S.col(); t = S.table([(c, f": unique int 1..{R - 1} + {q}")], str(R)); return f"sum({t.col(c)})", "int"
def d_uniquerows(S, z, lo, hi):
    q = small(S, z, lo, hi); c = S.col(); t = S.table([(c, ': unique one_of ["elm", "oak", "ash", "fir", "yew"]')], f"6 - {q}"); return f"list({t.col(c)})", "list"
def d_uniquepair(S, z, lo, hi):
    q = small(S, z, lo, hi); a, b = S.col("A"), S.col("B"); f = S.pick("csv", "sqlite", "xlsx"); t = S.table([(a, ': one_of ["elm", "oak"]'), (b, ": int 1..3"), (f"unique ({a}, {b})", "")], f"7 - {q}", f); return f"sum({t.col(b)})", "coalint"
def d_distinct(S, z, lo, hi):
    q = small(S, z, lo, hi); a, b, c = S.name("a"), S.name("b"), S.name("g"); S.add(f"{a}, {b}, {c} : distinct int 1..2 + {q}"); S.show.append(f"the numbers are <<{a}>>, <<{b}>> and <<{c}>>"); return f"{a} + 2 * {b} + 5 * {c}", "int"
def d_ref_where(S, z, lo, hi):
    t, i, c = fixed_table(S, S.ri(4, 9)); x = S.name("y"); S.add(f"{x} : ref {t.col(c)} where {i} <= {z}"); S.show.append(f"{x} is <<{x}>>"); return x, "int"
def d_ref_pair(S, z, lo, hi):
    t, i, c = fixed_table(S, S.ri(4, 9)); x, y = S.name("y"), S.name("v"); S.add(f"{x}, {y} : ref {t.ref}.({i}, {c}) where {i} <= {z}"); S.show.append(f"{x} is <<{x}>>"); return y, "int"
def d_ref_col(S, z, lo, hi):
    t, i, c = fixed_table(S, S.ri(4, 9), "csv"); c2 = S.col(); u = S.table([(c2, f": xref".replace("xref", f"ref {t.ref}.{c} where {t.ref}.{i} <= {z}"))], "3", "csv"); return f"sum({u.col(c2)})", "int"
def d_except(S, z, lo, hi):
    q = small(S, z, lo, hi); x = S.draw("y", S.pick(f"int 1..1 + {q} except 1", f"int 3..{q} + 4 except [3, 4]", f"int 1..{q} + 1 except [1]")); return x, "int"
def d_path_same(S, z, lo, hi):
    a, b = S.name("t"), S.name("t"); w = S.word(); q = small(S, z, lo, hi)
    S.add(f'text {a} at "{w}/<<{z}>>.txt" : lorem words 5'); S.add(f'text {b} at "{w}/0.txt" : lorem words 6'); S.show.append(f"see <<{a}>> and <<{b}>>"); return f"<<file_word: {a}, 2>>", "text"
def d_path_neg(S, z, lo, hi):
    a = S.name("t"); w = S.word(); k = S.comp("u", f'slice("abcdef", 1, {small(S, z, lo, hi)})')
    S.add(f'text {a} at "{w}/<<{k}>>/x.txt" : lorem words 5'); S.show.append(f"see <<{a}>>"); return f"<<file_word: {a}, 2>>", "text"
def d_path_folder(S, z, lo, hi):
    a, b = S.name("t"), S.name("t"); w = S.word()
    S.add(f'text {a} at "{w}/<<{z}>>" : lorem words 5'); S.add(f'text {b} at "{w}/0/x.txt" : lorem words 6'); S.show.append(f"see <<{a}>> and <<{b}>>"); return f"<<file_word: {a}, 2>>", "text"
def d_describe(S, z, lo, hi):
    t, i, c = fixed_table(S, 4, "sqlite"); k = S.comp("u", f"describe({t.file}, {S.pick(f'1 + least({z}, 1) * 90', f'if {z} == 0 then 2 else 128', f'least({z}, 1) * 300')})"); S.tail.append(f"<<{k}>>"); return f"sum({t.col(c)})", "int"
def d_insert(S, z, lo, hi):
    t, i, c = fixed_table(S, 5, "sqlite"); g = S.name("goal"); S.add(f"{g} = <<after: {t.file}, INSERT INTO {t.bare} ({i}, {c}) VALUES (5 + :{z}, 3)>>"); S.req(f"changed({g}) > 0"); S.matcher = (f"Add the row 5 + {z} with {c} 3 to the database.", f"expect file {t.file} database {g}"); return None
def d_after_null(S, z, lo, hi):
    t, i, c = fixed_table(S, 5, "sqlite"); g = S.name("goal"); S.add(f"{g} = <<after: {t.file}, UPDATE {t.bare} SET {c} = {c} + 100 / :{z} WHERE {i} = 2>>"); S.matcher = (f"Add 100 / {z} to {c} where {i} is 2.", f"expect file {t.file} database {g}"); return None
def d_after_key(S, z, lo, hi):
    t, i, c = fixed_table(S, 5, "sqlite"); g = S.name("goal"); S.add(f"{g} = <<after: {t.file}, UPDATE {t.bare} SET {i} = 5 + :{z} WHERE {i} = 2>>"); S.req(f"changed({g}) > 0"); S.matcher = (f"Change the {i} of row 2 to 5 + {z}.", f"expect file {t.file} database {g}"); return None
def d_to_many_clutter(S, z, lo, hi):
    q = small(S, z, lo, hi); S.add(f"clutter {q} - 1"); return z, "int"
def d_edit_index(S, z, lo, hi):
    q = small(S, z, lo, hi); j = S.name("j"); f = S.pick("json", "yaml"); S.add(f'{f} {j} at "{S.word()}.{f}" {{ kind : gem  nums : [ int 1..9 ; {q} ] }}'); S.show.append(f"see <<{j}>>")
    op = S.pick(f'edit({j}, "$.nums[0]", 99)', f'remove({j}, "$.nums[0]")'); S.matcher = (f"Change the first number of <<{j}>> as asked.", f"expect file {j} json {op}"); return None
def d_step(S, z, lo, hi): q = small(S, z, lo, hi); x = S.draw("y", f"int 0..100 step {q}"); return x, "int"
def d_computed_col_div(S, z, lo, hi):
    c, e = S.col(), S.col("Q"); t = S.table([(c, ": int 1..99"), (e, f"= round({c} / {z}, 2)")], "4", S.pick("csv", "sqlite", "xlsx", "table")); return f"max({t.col(e)})", "decimal"
def d_computed_col_if(S, z, lo, hi):
    c, e = S.col(), S.col("Q"); t = S.table([(c, ": int 1..9"), (e, f"= if {c} > {S.ri(1, 9)} then mod({c}, {z}) else 0")], "4", S.pick("csv", "sqlite", "xlsx", "table")); return f"sum({t.col(e)})", "int"
def d_textfile(S, z, lo, hi):
    t = S.name("t"); S.add(f'text {t} at "{S.word()}.txt" = "The share is <<round(9 / {z}, 2)>> today.\\n"'); S.show.append(f"see <<{t}>>"); return f"len(content({t}))", "int"
def d_jsonfile(S, z, lo, hi):
    j = S.name("j"); f = S.pick("json", "yaml"); S.add(f'{f} {j} at "{S.word()}.{f}" = {{ share: round(9 / {z}, 2), name: "x" }}'); S.show.append(f"see <<{j}>>"); return f"len(content({j}))", "int"
def d_prompt(S, z, lo, hi): S.tail.append(f"The rest is <<mod(100, {z})>>."); return f"{z} * 3", "int"
def d_stage(S, z, lo, hi):
    k = S.comp("u", f"round(90 / {z}, 2)") if S.coin() else None; S.stages.append(("first_step", "" if k else f"st1 = 90 / {z}", k or "st1", "decimal" if k else "float")); return (f"{k} + 1", "decimal") if k else (f"{z} + 1", "int")
def d_variant(S, z, lo, hi):
    S.variants.append(("plain", "", f"{z} + 1", "int")); S.variants.append(("hard", f"vr1 = 90 / {z}", "vr1", "float")); return None
def d_if_cond(S, z, lo, hi): return f"if mod(10, {z}) == 0 then {S.ri(1, 5)} else {S.ri(6, 9)}", "int"
def d_and_order(S, z, lo, hi):
    return S.pick(f"if {z} > 0 and 10 / {z} > 2 then 1 else 2", f"if 10 / {z} > 2 and {z} > 0 then 1 else 2", f"if {z} == 0 or mod(10, {z}) == 0 then 1 else 2"), "int"
def d_view(S, z, lo, hi):
    t, i, c = fixed_table(S, 4, "csv"); r = S.comp("top", f"<<rows: SELECT {i} AS N, {c} AS V FROM {t.sql} WHERE {i} <= :{z}>>"); x = S.name("y"); S.add(f"{x} : ref {r}.N"); S.show.append(f"{x} is <<{x}>>"); return x, "int"

ESINKS = {k[2:]: v for k, v in list(globals().items()) if k.startswith("e_")}
DSINKS = {k[2:]: v for k, v in list(globals().items()) if k.startswith("d_")}
NEED_NAME = {k for k in ESINKS if k.startswith("sql_")} | {"query_text", "insert", "after_null", "after_key", "view"}
DEFAULT = {"int": "0", "decimal": "0.00", "float": "0.0e0", "bigfloat": "0.0e0", "text": '"none"', "textonly": '"none"', "list": '["none"]', "bool": "false", "date": "2024-01-01"}
PRETTY = {"bigfloat": "float", "object": "json", "date": "text", "coalint": "int"}

def put(S, res, plain=False):
    if res is None: return
    e, t = res
    if t == "bigfloat": e, t = f"(if {S.comp('res', e)} > 1e250 then 1 else 2)", "int"
    if t == "coalint": e, t = f"coalesce({e}, 0)", "int"
    if t in ("int", "decimal", "float", "text") and S.coin(.35) and not re.fullmatch(r"\w+", e): e = S.comp("res", e)
    elif not re.fullmatch(r"[\w.]+|\w+\(.*\)", e): e = S.comp("res", e)
    S.result(e, t)

def danger(S, n, risky, guard, name, kind, f):
    """one source through one sink"""
    rare = n >= 50
    srcs = list(SOURCES)
    src = S.r.choices(srcs, [SRCW.get(k, 1) * (0 if (k in ("axis", "const", "weekday", "len", "oneof", "prod") and rare and k not in ("prod",)) else 1) for k in srcs])[0]
    base = 0
    if not risky and guard == "numbers": base = 1
    z, lo, hi = SOURCES[src](S, n, base)
    if name in NEED_NAME or S.coin(.5) or len(z) > 40:
        if not re.fullmatch(r"[a-z]+\d+", z) or src == "json": z = S.comp("z", z)
    weak = risky and S.coin(.3)
    if weak: guard = S.pick("require", "if", "greatest") if kind == "e" else S.pick("require", "greatest")
    if not risky and guard == "require":
        c = S.pick(f"{z} > 0", f"{z} != 0", f"{z} >= 1", f"not ({z} == 0)", f"{z} > 0 and {z} < 100_000_000", f"{z} * 2 > 1", f"0 < {z}", f"not ({z} <= 0)", f"{z} not in [0]", f"{z} - 1 >= 0") if src != "sdiff" else f"{z} > 0"
        if S.coin(.25): c = S.comp("ok", c)
        S.req(c)
    if weak and guard == "require" and n > 1:
        S.req(S.pick(f"{z} >= 0", f"{z} != 1", f"{z} < 100_000_000", f"{z} > 0 or {z} < 1", f"not ({z} < 0)", f"{z} > -1", f"{z} in [0, 1, 2, 3, 4, 5]" if n < 20 else f"{z} >= 0", f"{z} * 3 >= 0", f"{z} + 1 > 0"))
    if weak and guard == "greatest":
        z = S.comp("z", S.pick(f"greatest({z}, 0)", f"if {z} == 1 then 2 else {z}", f"if {z} >= 0 then {z} else 2", f"abs({z})", f"max([{z}, 0])", f"{z} * 2", f"least({z}, 900)"))
    if not risky and guard == "plus1":
        z = S.comp("z", f"{z} + 1"); lo, hi = lo + 1, hi + 1
    if not risky and guard == "greatest":
        z = S.comp("z", S.pick(f"greatest({z}, 1)", f"if {z} == 0 then 1 else {z}", f"if {z} > 0 then {z} else 2", f"max([{z}, 1])")); lo, hi = 1, max(hi, 2)
    res = f(S, z, lo, hi)
    if not risky and guard == "if":
        e, t = res[:2]
        if t in DEFAULT:
            d = DEFAULT[t]
            ok = S.comp("ok", f"{z} > 0") if S.coin(.2) else f"{z} > 0"
            res = (S.pick(f"if {ok} then {e} else {d}", f"if {z} == 0 then {d} else {e}", f"if {z} != 0 then {e} else {d}", f"if {z} < 1 then {d} else {e}", f"if not ({z} <= 0) then {e} else {d}",
                          f"if {z} < 0 then {d} else if {z} == 0 then {d} else {e}", f"if {z} >= 1 and {z} < 1_000_000 then {e} else {d}", f"if {z} <= 0 or {z} > 1_000_000 then {d} else {e}"), t)
    if weak and guard == "if":
        e, t = res[:2]
        if t in DEFAULT:
            d = DEFAULT[t]
            res = (S.pick(f"if {z} >= 0 then {e} else {d}", f"if {z} == 1 then {d} else {e}", f"if {z} > 0 or {z} < 1 then {e} else {d}", f"if {z} < 1_000_000 then {e} else {d}", f"if {z} > -1 then {e} else {d}", f"if not ({z} > 0) then {e} else {d}"), t)
    put(S, res)
    return src + (":weak_" + guard if weak else "")

# ------------------------------------------------------------------ natural constructs: f(S, n, risky)
# n: about one draw in n is dangerous. Each has its own safe twin.

def split_range(S, n, risky):
    """(a, b, c, d): lo of a..b, hi of c..d; lo > hi with probability of about 1/n"""
    if not risky:
        b = S.ri(10, 60); return 1, b, b + S.ri(0, 3), b + S.ri(10, 60)
    if n < 20: m = S.ri(10, 60); return 1, m, 1 + S.ri(0, 2), m
    m = max(3, int(n ** .5)); return 1, m, m - 1, 2 * m - 2
def guard_of(S, *g): return S.pick(*g)

def n_cross_int(S, n, risky):
    g = None if risky else S.pick("numbers", "require", "rel")
    a, b, c, d = split_range(S, n, risky or g == "require")
    lo = S.draw("lo", f"int {a}..{b}")
    hi = S.draw("hi", f"int {lo}..{lo + str()} + 20" if g == "rel" else f"int {c}..{d}")
    if g == "require": S.req(S.pick(f"{lo} <= {hi}", f"{hi} >= {lo}", f"{lo} < {hi}", f"{hi} - {lo} >= 0"))
    S.result(S.draw("y", f"int {lo}..{hi}"), "int")
def n_cross_minmax(S, n, risky):
    a, b, c, d = split_range(S, n, True)
    lo = S.draw("lo", f"int {a}..{b}"); hi = S.draw("hi", f"int {c}..{d}")
    S.result(S.draw("y", f"int {lo}..{hi}" if risky else f"int least({lo}, {hi})..greatest({lo}, {hi})"), "int")
def n_cross_col(S, n, risky):
    n = n * 4
    a, b, c, d = split_range(S, n, risky)
    A, B, C = S.col("A"), S.col("B"), S.col("C")
    t = S.table([(A, f": int {a}..{b}"), (B, f": int {c}..{d}" if risky or S.coin() else f": int {A}..{A} + 9"), (C, f": int {A}..{B}")], "4", S.pick("csv", "sqlite", "xlsx", "table", "json"))
    S.result(f"sum({t.col(C)})", "int")
def n_cross_dec(S, n, risky):
    a, b, c, d = split_range(S, n, risky)
    lo = S.draw("lo", f"decimal {a}.0..{b}.0 step 1.0" if S.coin(.2) else f"decimal {dec(a, 1)}..{dec(b, 1)}"); hi = S.draw("hi", f"decimal {dec(c, 1)}..{dec(d, 1)}" if "step" not in S.body[-1] else f"decimal {c}.0..{d}.0 step 1.0")
    S.result(S.draw("y", f"decimal {lo}..{hi}"), "decimal")
def n_cross_date(S, n, risky):
    g = None if risky else S.pick("numbers", "require")
    a, b, c, d = split_range(S, n, risky or g == "require")
    D = "2023-05-01"
    lo = S.draw("d", f"date {day(D, a)}..{day(D, b)}"); hi = S.draw("e", f"date {day(D, c)}..{day(D, d)}")
    if g == "require": S.req(f"{lo} <= {hi}")
    y = S.draw("y", f"date {lo}..{hi}"); S.result(f"days_between({D}, {y})", "int")
def n_cross_date_dur(S, n, risky):
    a, b, c, d = split_range(S, n, risky)
    D = "2023-05-01"
    lo = S.draw("d", f"date {day(D, a)}..{day(D, b)}"); hi = S.draw("e", f"date {day(D, c + 14)}..{day(D, d + 14)}")
    y = S.draw("y", S.pick(f"date {lo} + 14 days..{hi}", f"date {lo} + 2 weeks..{hi}", f"date {lo}..{hi} - 14 days")); S.result(f"days_between({D}, {y})", "int")
def n_cross_datetime(S, n, risky):
    a, b, c, d = split_range(S, n, risky)
    st = "step 1 minutes"
    f = lambda k: f"2024-03-01T{8 + k // 60:02d}:{k % 60:02d}"
    lo = S.draw("m", f"datetime {f(a)}..{f(b)} {st}"); hi = S.draw("o", f"datetime {f(c)}..{f(d)} {st}")
    y = S.draw("y", f"datetime {lo}..{hi}"); S.result(f"minute({y})", "int")
def n_cross_month(S, n, risky):
    # the end of a month in February
    d = S.draw("d", "date 2023-01-01..2023-12-31"); k = "2 months" if risky else "3 days"
    y = S.draw("y", f"date {d} + {'1 month' if risky else '1 days'}..{d} + {'30 days' if risky else '9 days'}"); S.result(f"day({y})", "int")
def n_cross_rows(S, n, risky):
    a, b, c, d = split_range(S, min(n, 900), risky)
    lo = S.draw("lo", f"int {a}..{b}"); hi = S.draw("hi", f"int {c}..{d}"); c1 = S.col()
    t = S.table([(c1, ": int 1..9")], f"{lo}..{hi}"); S.result(f"count({t.ref})", "int")
def n_cross_lorem(S, n, risky):
    a, b, c, d = split_range(S, min(n, 400), risky)
    lo = S.draw("lo", f"int {a}..{b}"); hi = S.draw("hi", f"int {c}..{d}"); t = S.name("t")
    S.add(f'text {t} at "{S.word()}.txt" : lorem words {lo}..{hi}'); S.show.append(f"see <<{t}>>"); S.result(f"<<file_word_count: {t}>>", "int")
def n_cross_agg(S, n, risky):
    A, B = S.col("A"), S.col("B"); m = 8 if n < 20 else 0
    t = S.table([(A, ": int 1..40"), (B, f": int {30 if risky and n < 20 else (38 if risky else 41)}..{60 if n < 20 or not risky else 200}")], "3")
    lo = S.comp("lo", f"max({t.col(A)})"); hi = S.comp("hi", f"min({t.col(B)})")
    S.result(S.draw("y", f"int {lo}..{hi}"), "int")
def n_cross_avg(S, n, risky):
    A = S.col("A"); t = S.table([(A, ": int 1..100")], S.pick("4", "3..7"))
    m = f"floor(coalesce(avg({t.col(A)}), 1))" if S.coin() else f"coalesce(max({t.col(A)}), 1)"
    S.result(S.draw("y", f"int {m}..{100 if not risky else 95 if m.startswith('coal') else 60}"), "int")
def n_cross_sql(S, n, risky):
    A = S.col("A"); t = S.table([(A, ": int 1..100")], "3")
    S.comp("lo", f"coalesce(<<value: SELECT MIN({A}) FROM {t.sql}>>, 0)"); lo = f"lo{S.n}"
    S.result(S.draw("y", f"int {lo}..{100 if not risky else 50 if n < 20 else 94}"), "int")
def n_cross_fields(S, n, risky):
    a, b, c, d = split_range(S, n, risky); j = S.name("j"); f = S.pick("json", "yaml", "xml")
    S.add(f'{f} {j} at "{S.word()}.{f}" {"root " if f == "xml" else ""}{{ low : int {a}..{b}  high : int {c}..{d}  mid : int low..high }}'); S.show.append(f"see <<{j}>>"); S.result(f"{j}.mid", "int")
def n_div_row(S, n, risky):
    A, B, Q = S.col("A"), S.col("B"), S.col("Q"); lo = 0 if risky else 1; n = n * 4
    g = "" if risky else S.pick("num", "if", "num")
    e = f"round({A} / {B}, 2)"
    if g == "if": lo = 0; e = f"if {B} > 0 then round({A} / {B}, 2) else 0.00"
    t = S.table([(A, ": int 1..99"), (B, f": int {lo}..{n}"), (Q, f"= {e}")], "4", S.pick("csv", "sqlite", "xlsx", "table", "json"))
    S.result(f"max({t.col(Q)})", "decimal")
def n_div_rowexpr(S, n, risky):
    A, B = S.col("A"), S.col("B"); lo = 0 if risky else S.pick(0, 1)
    t = S.table([(A, ": int 1..99"), (B, f": int {lo}..{4 * n}")], "4")
    w = f" where {B} > 0" if (not risky and lo == 0) else ""
    S.result(f"coalesce(sum({t.col(A)} / {t.col(B)}{w}), 0.0e0)", "float")
def n_div_where(S, n, risky):
    A, B = S.col("A"), S.col("B"); lo = 0 if risky else S.pick(0, 1)
    t = S.table([(A, ": int 1..99"), (B, f": int {lo}..{4 * n}")], "4")
    c = f"{A} / {B} > 3" if risky or lo else f"{B} != 0 and {A} / {B} > 3"
    S.result(f"count({t.ref} where {c})", "int")
def n_div_modrow(S, n, risky):
    A, B = S.col("A"), S.col("B"); t = S.table([(A, ": int 1..99"), (B, f": int {0 if risky else 1}..{4 * n}")], "4")
    S.result(f"count({t.ref} where mod({A}, {B}) == 1)", "int")
def n_div_countgroup(S, n, risky):
    G = S.col("G"); P = S.col("P"); rows = 2 if n < 20 else 10
    dom = 'one_of ["elm", "oak"]'; t = S.table([(G, f": {dom}"), (P, ": int 1..99")], str(rows))
    g = S.name("g"); S.add(f"{g} : ref {t.col(G)}" if not risky else f"{g} : {dom}"); S.show.append(f"{g} is <<{g}>>")
    k = S.comp("z", f"count({t.ref} where {G} == {g})"); S.result(f"coalesce(sum({t.col(P)} where {G} == {g}), 0) / {k}", "float")
def n_div_stdev(S, n, risky):
    A = S.col("A"); t = S.table([(A, f": int 1..{max(n, 2)}")], "2"); s_ = f"coalesce(stdev({t.col(A)}), 1.0e0)"
    S.result(f"100 / {s_}" if risky else S.pick(f"100 / ({s_} + 1)", f"if {s_} > 0 then 100 / {s_} else 0.0e0"), "float")
def n_div_avg(S, n, risky):
    A = S.col("A"); k = 0 if risky else 1
    t = S.table([(A, f": int {k}..{1 + k if n < 20 else 9 + k}")], "1" if n < 20 else "3"); S.result(f"100 / {S.pick('avg', 'median', 'max', 'sum')}({t.col(A)})", "float")
def n_div_dec(S, n, risky):
    x = S.draw("x", f"decimal {'0.00' if risky else '0.01'}..{dec(n - 1 + (not risky), 2)}"); S.result(f"100 / {x}", "float")
def n_div_neg(S, n, risky):
    m = max(n // 2, 1); x = S.draw("k", f"int -{m}..{m}"); 
    if risky: S.result(f"{S.pick('100 / ' + x, 'mod(100, ' + x + ')')}", "float" if "/" in "x" else "int") if False else S.result(f"mod(100, {x})", "int")
    else: S.req(f"{x} != 0") if S.coin() else None; S.result(f"mod(100, {x})" if "require" in S.body[-1] else f"mod(100, if {x} == 0 then 1 else {x})", "int")
def n_div_lenword(S, n, risky):
    w = S.draw("w", "word"); v = S.draw("w", "word"); S.result(f"60 / {f'(len({w}) - len({v}))' if risky else f'(len({w}) + len({v}))'}", "float")
def n_div_duration(S, n, risky):
    d0 = "2024-01-01"; a = S.draw("d", f"date {d0}..{day(d0, n - 1)}"); b = S.draw("e", f"date {d0 if risky else day(d0, n)}..{day(d0, n - 1 if risky else 2 * n)}"); S.result(f"500 / ({b} - {a})", "float")
def n_div_sub(S, n, risky):
    a = S.draw("a", f"int 1..{n}"); b = S.draw("b", f"int 1..{n}" if risky else f"int {n + 1}..{2 * n}"); S.result(f"{S.ri(10, 99)} / ({a} - {b})", "float")
def n_div_distinct(S, n, risky):
    if risky: a = S.draw("a", f"int 1..{n}"); b = S.draw("b", f"int 1..{n}")
    else: a, b = S.name("a"), S.name("b"); S.add(f"{a}, {b} : distinct int 1..{max(n, 2)}"); S.show.append(f"the numbers are <<{a}>> and <<{b}>>")
    S.result(f"60 / ({a} - {b})", "float")
def n_pos_beyond(S, n, risky):
    f = S.pick("csv", "sqlite"); m = 12; 
    if n < 20: rows, top = "4..10", 10 if risky else 4
    else: rows, top = "40..80", 41 if risky else 40
    c = S.col(); t = S.table([(c, ": int 1..999")], rows, f); k = S.draw("row", f"int 1..{top}")
    if not risky and S.coin(.4): S.body.pop(); S.show.pop(); k = f"row{S.n + 1}"; S.n += 1; S.add(f"{k} : int 1..count({t.ref})"); S.show.append(f"the row is <<{k}>>")
    S.result(f"{f}_value({t.col(c)}, {k})", "int")
def n_pos_cell(S, n, risky):
    c = S.col(); t = S.table([(c, ": word"), (S.col(), ": int 1..9")], "5", "csv"); k = S.draw("column", f"int 1..{3 if risky else 2}") if n < 20 else S.draw("column", f"int {0 if risky else 1}..2")
    S.result(f"csv_cell({t.ref}, 2, {k})", "text")
def n_pos_line(S, n, risky):
    t = S.name("t"); S.add(f'text {t} at "{S.word()}.txt" : lorem lines {"4..10" if n < 20 else "30..60"}'); S.show.append(f"see <<{t}>>"); k = S.draw("row", f"int 1..{(10 if n < 20 else 31) if risky else (4 if n < 20 else 30)}")
    S.result(f"file_line({t}, {k})", "text")
def n_pos_word(S, n, risky):
    t = S.name("t"); S.add(f'text {t} at "{S.word()}.txt" : lorem sentences 2'); S.show.append(f"see <<{t}>>"); k = S.draw("row", f"int 1..{(28 if n < 20 else 17) if risky else 16}")
    S.result(f"file_word({t}, {k})", "text")
def n_pos_content(S, n, risky):
    t = S.name("t"); w = S.draw("w", "lorem words 1..3" if risky else "lorem words 2..4"); S.add(f'text {t} at "{S.word()}.txt" = "<<{w}>>\\n"'); S.show.append(f"see <<{t}>>"); S.result(f"file_word({t}, 2)", "text")
def n_pos_blankcell(S, n, risky):
    f = S.pick("csv", "sqlite"); c = S.col(); p = pct(n); t = S.table([(c, f": int 1..9 blank {p}" if risky or S.coin() else ": int 1..9")], "5", f); e = f"{f}_value({t.col(c)}, 3)"
    u = S.comp("u", e); S.req(f"{u} != null") if S.coin(.4) else None; S.result(u if S.body[-1].startswith("require") else f"coalesce({u}, 0)", "int")
def n_pos_empty_rows(S, n, risky):
    f = S.pick("csv", "sqlite"); c = S.col(); t = S.table([(c, ": int 1..9")], f"{0 if risky else 1}..{min(n, 300)}", f); k = f"count({t.ref})"; S.result(f"{f}_value({t.col(c)}, {k})", "int")
def n_lookup_several(S, n, risky):
    N, P = S.col("N"), S.col("P"); m = 2 if n < 20 else n
    t = S.table([(N, f": {'' if risky else 'unique '}int 1..{max(m, 3)}"), (P, ": int 1..99")], "2", S.pick("csv", "sqlite", "xlsx", "table")); k = S.name("k"); S.add(f"{k} : ref {t.col(N)}"); S.show.append(f"{k} is <<{k}>>")
    S.result(f"coalesce(<<value: SELECT {P} FROM {t.sql} WHERE {N} = :{k}>>, 0)", "int")
def n_lookup_limit(S, n, risky):
    N, P = S.col("N"), S.col("P"); t = S.table([(N, ": word"), (P, f": int 1..{max(n, 3)}")], "2" , S.pick("csv", "sqlite", "table"))
    q = f"SELECT {N} FROM {t.sql} WHERE {P} = (SELECT MAX({P}) FROM {t.sql})" + ("" if risky else f" ORDER BY {N} LIMIT 1"); S.result(f"coalesce(<<value: {q}>>, \"none\")", "text")
def n_lookup_scalar(S, n, risky):
    t, i, c = fixed_table(S, 5); k = S.draw("k", f"int {0 if risky else 1}..5"); x = S.comp("u", f"<<value: SELECT {c} FROM {t.sql} WHERE {i} = :{k}>>"); S.req(f"{x} != null"); S.result(x, "int")
def n_ref_town(S, n, risky):
    T, N = S.col("T"), S.col("N"); q = 3 if n < 20 else 2; rows = "2" if n < 20 else "10"
    dom = "one_of " + json.dumps(["Kiel", "Ulm", "Jena"][:q]); t = S.table([(T, f": {dom}"), (N, ": person_name")], rows)
    k = S.name("town"); S.add(f"{k} : {dom}" if risky else f"{k} : ref {t.col(T)}"); x = S.name("who"); S.add(f"{x} : ref {t.col(N)} where {T} == {k}"); S.show.append(f"{k} is <<{k}>>"); S.result(f"len({x})", "int"); S.show.append(f"{x} is <<{x}>>")
def n_ref_range(S, n, risky):
    A = S.col("A"); top = 20 if n < 20 else 60; t = S.table([(A, f": int 1..{top}" if risky else f": int {top}..{2 * top}")], "1" if n < 20 else "2"); k = S.draw("k", f"int 1..{top}" if n < 20 or not risky else f"int 1..{max(3, top // 4)}")
    x = S.name("y"); S.add(f"{x} : ref {t.col(A)} where {A} > {k}" if risky else f"{x} : ref {t.col(A)} where {A} >= {k}"); S.show.append(f"{x} is <<{x}>>"); S.result(x, "int")
def n_ref_self(S, n, risky):
    # a value that exists, and another row
    A, B = S.col("A"), S.col("B"); t = S.table([(A, f": {'' if risky else 'unique '}int 1..{max(n, 4)}"), (B, ": int 1..99")], "2", S.pick("csv", "sqlite")); a, x = S.name("k"), S.name("y")
    S.add(f"{a} : ref {t.col(A)}"); S.add(f"{x} : ref {t.col(B)} where {A} != {a}"); S.show.append(f"{a} is <<{a}>>, {x} is <<{x}>>"); S.result(f"{x} + {a}", "int")
def n_ref_blank(S, n, risky):
    A = S.col("A"); t = S.table([(A, f": int 1..99 blank {70 if n < 20 else 10}%" if risky else ": int 1..99")], "2" if n < 20 else "3"); x = S.name("y"); S.add(f"{x} : ref {t.col(A)}"); S.show.append(f"{x} is <<{x}>>"); S.result(x, "int")
def n_ref_notnull(S, n, risky):
    A, B = S.col("A"), S.col("B"); t = S.table([(A, f": int 1..99 blank {30 if risky else 0}%" if risky else ": int 1..99"), (B, ": word")], "2" if n < 20 else "6"); x = S.name("y"); S.add(f"{x} : ref {t.col(B)} where {A} {'== null' if risky and S.coin() else '!= null'}"); S.show.append(f"{x} is <<{x}>>"); S.result(f"len({x})", "int")
def n_ref_zero_rows(S, n, risky):
    A = S.col("A"); t = S.table([(A, ": int 1..999")], f"{0 if risky else 1}..{min(n, 400)}"); x = S.name("y"); S.add(f"{x} : ref {t.col(A)}"); S.show.append(f"{x} is <<{x}>>"); S.result(x, "int")
def n_ref_fk(S, n, risky):
    d = S.name("db"); S.add(f'sqlite {d} at "{S.word()}.db" {{\n    table owners {{ rows {"0" if risky else "1"}..{min(n, 300)}  OID : serial  NAME : person_name }}\n    table pets {{ rows 6  PID : serial  OWNER : ref owners.OID  AGE : int 1..15 }}\n  }}'); S.show.append(f"see <<{d}>>"); S.result(f"sum({d}.pets.AGE)", "int")
def n_ref_rowwhere(S, n, risky):
    d = S.name("db"); lo = 1 if risky else 5
    S.add(f'sqlite {d} at "{S.word()}.db" {{\n    table items {{ rows {3 if n < 20 else 8}  IID : serial  COST : int {lo}..{30} }}\n    table sales {{ rows 3  LIMIT_ : int {5 if n < 20 or not risky else 14}..60  ITEM : ref items.IID where items.COST <= LIMIT_ }}\n  }}'); S.show.append(f"see <<{d}>>"); S.result(f"sum({d}.sales.ITEM)", "int")
def n_ref_unique(S, n, risky):
    d = S.name("db"); a = "4..8"; b = ("2..5" if n < 20 else "3..5") if risky else "2..4"
    S.add(f'sqlite {d} at "{S.word()}.db" {{\n    table seats {{ rows {a}  SID : serial  ROWN : int 1..9 }}\n    table guests {{ rows {b}  SEAT : unique ref seats.SID  AGE : int 1..90 }}\n  }}'); S.show.append(f"see <<{d}>>"); S.result(f"coalesce(sum({d}.guests.AGE), 0)", "int")
def n_ref_distinct(S, n, risky):
    A = S.col("A"); m = max(n, 2); t = S.table([(A, f": {'' if risky else 'unique '}int 1..{m}")], "2", S.pick("csv", "sqlite")); a, b = S.name("a"), S.name("b"); S.add(f"{a}, {b} : distinct ref {t.col(A)}"); S.show.append(f"the numbers are <<{a}>> and <<{b}>>"); S.result(f"{a} + 3 * {b}", "int")
def n_ref_exceptself(S, n, risky):
    A = S.col("A"); m = max(n, 2); t = S.table([(A, f": {'' if risky else 'unique '}int 1..{m}")], "2", S.pick("csv", "sqlite")); a, b = S.name("a"), S.name("b"); S.add(f"{a} : ref {t.col(A)}"); S.add(f"{b} : ref {t.col(A)} except {a}"); S.show.append(f"the numbers are <<{a}>> and <<{b}>>"); S.result(f"{a} + 3 * {b}", "int")
def n_ref_array(S, n, risky):
    j = S.name("j"); f = S.pick("json", "yaml"); S.add(f'{f} {j} at "{S.word()}.{f}" {{ kind : gem  parts : [ {{ name : word  marks : [ int 1..900 ; {"0..2" if risky else "1..2"} ] }} ; {1 if n < 20 else 5} ] }}'); S.show.append(f"see <<{j}>>"); x = S.name("y"); S.add(f"{x} : ref {j}.parts.marks.value"); S.show.append(f"{x} is <<{x}>>"); S.result(x, "int")
def n_ref_result(S, n, risky):
    A, B = S.col("A"), S.col("B"); t = S.table([(A, ': one_of ["elm", "oak", "ash"]'), (B, f": int {1 if risky else 20}..{99}")], "4"); r = S.comp("top", f"<<rows: SELECT {A} AS K, SUM({B}) AS TOTAL FROM {t.sql} GROUP BY {A} HAVING SUM({B}) > {120 if risky and n < 20 else 19}>>"); x = S.name("y"); S.add(f"{x} : ref {r}.K"); S.show.append(f"{x} is <<{x}>>"); S.result(f"len({x})", "int")
def n_unique_rows(S, n, risky):
    m = S.ri(6, 20); c = S.col(); dom = S.pick(f"int 1..{m}", f"int 0..{(m - 1) * 5} step 5", f"date 2024-01-01..{day('2024-01-01', m - 1)}"); top = m + (0 if not risky else (m if n < 20 else 1)); lo = max(1, m - 5) if n < 20 else 1
    t = S.table([(c, f": unique {dom}")], f"{lo}..{top}", S.pick("csv", "sqlite", "xlsx", "table")); S.result(f"count({t.ref})", "int")
def n_unique_word(S, n, risky):
    c = S.col(); dom, m = S.pick(("word", 184), ("city", 34), ("department", 10), ("gem", 13), ("state_code", 50), ('pattern "[A-C][0-9]"', 30), ('pattern "[AB]{3}"', 8), ("first_name", 29), ("http_status", 24))
    lo = max(1, m - 3) if n < 20 else 1; t = S.table([(c, f": unique {dom}")], f"{lo}..{m + (0 if not risky else 3 if n < 20 else 1)}", S.pick("csv", "sqlite", "xlsx", "table")); S.result(f"count({t.ref})", "int")
def n_unique_lib(S, n, risky):
    lib, m = S.pick(("countries", 193), ("languages", 92), ("currencies", 151)); t = S.name("t"); S.add(f'csv {t} : {lib} at "{S.word()}.csv" {{ rows {m - 20 if n < 20 else 1}..{m + (0 if not risky else 20 if n < 20 else 1)} }}'); S.show.append(f"see <<{t}>>"); S.result(f"count({t})", "int")
def n_unique_blank(S, n, risky):
    c = S.col(); m = S.ri(5, 12); t = S.table([(c, f": unique int 1..{m} blank 20%")], str(m + (1 if risky else 0)), S.pick("csv", "sqlite", "xlsx")); S.result(f"count({t.col(c)})", "int")
def n_unique_except(S, n, risky):
    c = S.col(); m = 8; k = S.draw("k", f"int 1..{m if risky else 20}" if risky else f"int {m + 1}..20"); t = S.table([(c, f": unique int 1..{m} except {k}")], str(m), S.pick("csv", "sqlite", "xlsx")) ; S.result(f"sum({t.col(c)})", "int")
def n_unique_pair(S, n, risky):
    a, b = S.col("A"), S.col("B"); k = S.draw("k", f"int {2 if risky else 3}..{3 if n < 20 else 3}") if n < 20 else S.draw("k", f"int {2 if risky else 3}..30")
    f = S.pick("csv", "sqlite"); t = S.table([(a, ': one_of ["elm", "oak"]'), (b, f": int 1..{k}"), (f"{'key' if f == 'sqlite' and S.coin() else 'unique'} ({a}, {b})", "")], "5" if S.coin() else "6", f); S.result(f"sum({t.col(b)})", "int")
def n_unique_computed(S, n, risky):
    a, b = S.col("A"), S.col("B"); m = 3 if n < 20 else 40; f = S.pick("csv", "sqlite")
    t = S.table([(a, f": unique int 1..{m * 3}" if not risky else f": int 1..{m * 3}"), (b, f"= {a} * 2 + 1"), (f"unique ({a}, {b})" if not risky else f"unique ({b})" if S.coin(.3) else f"unique ({a}, {b})", "")], "2", f); S.result(f"sum({t.col(b)})", "int")
def n_unique_computed2(S, n, risky):
    a, b = S.col("A"), S.col("B"); m = 7 if n < 20 else 999; f = S.pick("csv", "sqlite")
    t = S.table([(a, f": sorted int 1..{m * 10}" if risky else ": serial"), (b, f"= mod({a}, {m + 5})"), (f"unique ({a}, {b})", "")], "3", f); S.result(f"sum({t.col(b)})", "int")
def n_unique_overlap(S, n, risky):
    a, b, c = S.col("A"), S.col("B"), S.col("D"); m = 3 if risky else 9; f = S.pick("csv", "sqlite")
    t = S.table([(a, f": int 1..{m}"), (b, f": int 1..{m}"), (c, f": int 1..{m}"), (f"unique ({a}, {b})", ""), (f"unique ({b}, {c})", "")], "7", f); S.result(f"sum({t.col(c)})", "int")
def n_distinct_small(S, n, risky):
    names = [S.name("a") for _ in range(3)]; top = S.draw("k", f"int {2 if risky else 3}..{3 if n < 20 else 900}"); S.add(f"{', '.join(names)} : distinct int 1..{top}"); S.show.append("the numbers are " + ", ".join(f"<<{x}>>" for x in names)); S.result(f"{names[0]} + 2 * {names[1]}", "int")
def n_distinct_except(S, n, risky):
    k = S.draw("k", f"int {1 if risky else 4}..{3 if n < 20 and risky else 900}"); a, b, c = S.name("a"), S.name("b"), S.name("g"); S.add(f"{a}, {b}, {c} : distinct int 1..3 except {k}"); S.show.append(f"the numbers are <<{a}>>, <<{b}>> and <<{c}>>"); S.result(f"{a} + 2 * {b}", "int")
def n_except_col(S, n, risky):
    A = S.col("A"); m = 2 if n < 20 else 3; rows = "3" if n < 20 else "4"; words = ["elm", "oak", "ash", "fir", "yew", "bay"]; dom = "one_of " + json.dumps(words[:m]); t = S.table([(A, f": {dom}")], rows if risky else str(m - 1)); x = S.draw("y", f"{dom} except {t.col(A)}"); S.result(f"len({x})", "int")
def n_except_range(S, n, risky):
    lo = S.draw("lo", "int 1..30"); hi = S.draw("hi", f"int {lo}..{lo} + {n - 1}" if risky else f"int {lo} + 1..{lo} + {n}"); S.result(S.draw("y", f"int {lo}..{hi} except {lo}"), "int")
def n_except_rowcol(S, n, risky):
    a, b = S.col("A"), S.col("B"); t = S.table([(a, f": int {1 if risky else 2}..{4 * n}"), (b, f": int 1..{a} except 1" if S.coin() else f": int 1..{a} except {a}")], "4", S.pick("csv", "sqlite", "table")); S.result(f"sum({t.col(b)})", "int")
def n_object_dup(S, n, risky):
    c, v = S.col("N"), S.col("V"); p, m = ("[ab]", 2) if n < 20 else ("[a-z]{2}", 676)
    t = S.table([(c, f': {"" if risky else "unique "}pattern "{p}"'), (v, ": int 1..9")], "2", S.pick("csv", "sqlite", "xlsx", "table")); S.result(f"object({t.col(c)}, {t.col(v)})", "json")
def n_object_where(S, n, risky):
    c, v, g = S.col("N"), S.col("V"), S.col("G"); t = S.table([(c, ": word"), (v, ": int 1..99"), (g, f": bool {30 if n < 20 else 3}%" if risky else ": bool exactly 1")], "12" if n < 20 else "8", S.pick("csv", "sqlite", "xlsx")); S.result(f"object({t.col(c)} where {g}, {t.col(v)})", "json")
def n_object_case(S, n, risky):
    c, u, v = S.col("N"), S.col("U"), S.col("V"); t = S.table([(c, ': unique pattern "[a-zA-Z]"' if risky else ': unique pattern "[a-z]"'), (u, f"= upper({c})"), (v, ": int 1..9")], "4", S.pick("csv", "sqlite", "xlsx")); S.result(f"object({t.col(u)}, {t.col(v)})", "json")
def n_interp_dup(S, n, risky):
    x, y = S.col("X"), S.col("Y"); t = S.table([(x, f": {'' if risky else 'unique '}int 1..{max(3, n)}"), (y, ": int 1..99")], "2" if n >= 20 else "3", S.pick("csv", "sqlite")); S.result(f"coalesce(interpolate({t.col(x)}, {t.col(y)}, 2), 0.0e0)", "float")
def n_toint_text(S, n, risky):
    d = S.pick('pattern "[0-9]{2}[0-9X]"' if n < 20 else 'pattern "[0-9]{2}([0-9]{3}|X[0-9])"', f'weighted ["n/a": 1, "12": {n}, "7": {n}]', f'weighted ["1 200": 1, "12": {n}]', f'weighted ["": 1, "12": {n}]', f'weighted ["1.0": 1, "-12": {n}]', f'weighted ["+5": 1, "5": {n}]') if risky else S.pick('pattern "[0-9]{3}"', 'one_of ["12", "-7", "007"]')
    k = S.draw("s", d); S.result(f"to_int({k})", "int")
def n_toint_big(S, n, risky):
    k = S.draw("s", f'pattern "{"9[0-9]{18}" if n < 20 else "92233720368547758[0-9]{2}"}"' if risky else 'pattern "[1-8][0-9]{17}"'); S.result(f"mod(to_int({k}), 1000)", "int")
def n_toint_slice(S, n, risky):
    k = S.draw("s", 'pattern "[0-9]{1,4}"'); S.result(f"to_int(slice({k}, {2 if risky else 1}, 4))", "int")
def n_toint_split(S, n, risky):
    k = S.draw("s", 'pattern "[0-9]{2}(-[0-9])?"' if risky else 'pattern "[0-9]{2}-[0-9]"'); S.result(f'to_int(coalesce(nth(split({k}, "-"), 2), {S.pick(chr(34) + chr(34), chr(34) + "x" + chr(34)) if risky or S.coin() else chr(34) + "0" + chr(34)}))', "int")
def n_toint_cell(S, n, risky):
    c = S.col(); t = S.table([(c, f": int 1..99 blank {pct(n)}" if risky else ": int 1..99"), (S.col(), ": word")], "4", "csv"); S.result(f"to_int(csv_cell({t.ref}, 2, 1))", "int")
def n_toint_word(S, n, risky):
    c = S.col(); t = S.table([(c, f': weighted ["12": {n}, "none": 1]' if risky else ": int 10..99")], "3", "text"); S.result(f"to_int(file_word({t.ref}, 2))", "int")
def n_toint_where(S, n, risky):
    c = S.col(); t = S.table([(c, f': weighted ["12": {4 * n}, "900": {n}, "n/a": 1]')], "4"); S.result(f"count({t.ref} where {'to_int(' + c + ') > 100' if risky else c + ' != ' + chr(34) + 'n/a' + chr(34) + ' and to_int(' + c + ') > 100'})", "int")
def n_todec_text(S, n, risky):
    k = S.draw("s", f'weighted ["{S.pick("1,50", "1.505", "", "n/a", "1e3")}": 1, "1.5": {n}, "20": {n}]' if risky else 'one_of ["1.50", "20", "-0.5"]'); S.result(f"to_decimal({k}, 2)", "decimal")
def n_todec_format(S, n, risky):
    x = S.draw("x", "decimal 0.000..9.999"); S.result(f'to_decimal("<<{x}>>", {2 if risky else 3})', "decimal")
def n_todec_places(S, n, risky):
    k = S.draw("k", f"int {16 if n < 20 else 0}..{19 if risky else 18}"); S.result(f'to_decimal("1", {k})', "decimal")
def n_over_sum(S, n, risky):
    c = S.col(); m = "9_000_000_000_000_000_000" if n < 20 else "4_720_000_000_000_000_000"; t = S.table([(c, f": int 1..{m if risky else '4_000_000_000_000_000_000'}")], "2"); S.result(f"sum({t.col(c)})", "int")
def n_over_prod(S, n, risky):
    m = ("5_000_000_000" if n < 20 else "3_100_000_000") if risky else "3_000_000_000"; a = S.draw("a", f"int 1..{m}"); b = S.draw("b", f"int 1..{m}"); S.result(f"{a} * {b}", "int")
def n_over_cube(S, n, risky):
    a = S.draw("a", f"int 1..{('4_000_000' if n < 20 else '2_100_000') if risky else '2_000_000'}"); S.result(f"{a} * {a} * {a}", "int")
def n_over_rowprod(S, n, risky):
    A, B, Q = S.col("A"), S.col("B"), S.col("Q"); m = ("5_000_000_000" if n < 20 else "3_100_000_000") if risky else "3_000_000_000"; t = S.table([(A, f": int 1..{m}"), (B, f": int 1..{m}"), (Q, f"= {A} * {B}")], "2", S.pick("csv", "sqlite", "table", "xlsx")); S.result(f"max({t.col(Q)})", "int")
def n_over_edge(S, n, risky):
    k = S.draw("k", f"int {int(BIG.replace('_', '')) - n + 1 if risky else 9_000_000_000_000_000_000}..{BIG if risky else 9_000_000_000_000_000_900}"); S.result(f"{k} + 1", "int")
def n_over_neg(S, n, risky):
    k = S.draw("k", f"int -9_223_372_036_854_775_807 - 1..-9_223_372_036_854_775_807 + {n - 2}" if risky and n > 1 else f"int -900..-1"); S.result(S.pick(f"-{k}", f"abs({k})"), "int")
def n_over_dec(S, n, risky):
    m = "999_999_999_999.99"; a = S.draw("x", f"decimal 0.00..{m}"); b = S.draw("x", f"decimal 0.00..{m}"); S.result(f"{a} * {b} * {'1_000_000.00 * 1_000_000.00' if risky else '1'}", "decimal")
def n_over_places(S, n, risky):
    a = S.draw("x", "decimal 0.000000001..9.999999999"); b = S.draw("x", "decimal 0.000000001..0.999999999"); S.result(f"{a} * {b}" + (" * 0.1" if risky else ""), "decimal")
def n_over_round(S, n, risky):
    k = S.draw("k", f"int {15 if n < 20 else 0}..{21 if risky else 18}" if n < 20 else f"int {'-1' if risky else '0'}..{18}"); S.result(f'"<<round(2 / 3, {k})>>"' if False else f"round(2 / 3, {k})", "decimal")
def n_over_format(S, n, risky):
    k = S.draw("k", f"int {'-1' if risky else '0'}..{2 if n < 20 else 30}"); x = S.draw("x", "decimal 0.00..9.99"); S.result(f"format({x}, {k})", "text")
def n_over_floor(S, n, risky):
    a = S.draw("a", f"int 1..{n}"); S.result(f"floor({'1e19' if risky else '1e12'} / {a})", "int")
def n_over_float(S, n, risky):
    a = S.draw("a", f"int 1..{n}"); x = S.comp("u", f"1.5e308 {'/' if not risky else '*'} {a if not risky else f'(1 + 1 / {a})' if n >= 20 else a}"); S.result(f"if {x} > 1e200 then 1 else 2", "int")
def n_date_over(S, n, risky):
    d = S.draw("d", f"date {day('9999-12-31', -n + 1)}..9999-12-31" if risky else "date 9990-01-01..9998-12-30"); S.result(S.pick(f"year({d} + 1 days)", f"day({d} + 1 days)", f"weekday({d} + 1 days)"), "int")
def n_date_years(S, n, risky):
    d = S.draw("d", f"date {'9000' if n >= 20 else '9990'}-01-01..{'9995-01-09' if n >= 20 else '9999-12-31'}" if risky else "date 1990-01-01..2099-12-31"); S.result(f"year({d} + {S.pick('5 years', '60 months')})", "int")
def n_date_under(S, n, risky):
    d = S.draw("d", f"date 0001-01-01..{day('0001-01-01', n - 1)}" if risky else "date 0002-01-01..0009-12-31"); S.result(f"day({d} - {S.pick('1 days', '1 days', '1 month')})" if n >= 20 else f"day({d} - 1 days)", "int")
def n_datetime_over(S, n, risky):
    t = S.draw("m", "datetime 9999-12-31T00:00..9999-12-31T23:59" if risky else "datetime 9998-12-31T00:00..9999-01-31T23:59"); S.result(f"hour({t} + {'12 hours' if n < 20 else '60 seconds'})", "int")
def n_date_col(S, n, risky):
    a, b = S.col("A"), S.col("B"); t = S.table([(a, f": date {day('9999-12-31', -4 * n)}..9999-12-31" if risky else ": date 2024-01-01..2024-12-31"), (b, f"= {a} + 1 days")], "4", S.pick("csv", "sqlite", "table", "json")); S.result(f"year(max({t.col(b)}))", "int")
def n_date_range_over(S, n, risky):
    d = S.draw("d", f"date {day('9999-12-31', -n - 5)}..9999-12-31" if risky else "date 2024-01-01..2024-12-31"); y = S.draw("y", f"date {d}..{d} + {5 if n < 20 else 1} days"); S.result(f"day({y})", "int")
def n_path_words(S, n, risky):
    a, b = S.name("w"), S.name("w"); S.add(f"{a}, {b} : {'' if risky else 'distinct '}{'gem' if n < 20 else 'word'}"); t, u = S.name("t"), S.name("t"); S.add(f'text {t} at "<<{a}>>.txt" : lorem words 5'); S.add(f'text {u} at "<<{b}>>.txt" : lorem words 5'); S.show.append(f"see <<{t}>> and <<{u}>>"); S.result(f"file_word({t}, 3)", "text")
def n_path_ints(S, n, risky):
    a = S.draw("a", f"int 1..{n}"); b = S.draw("b", f"int 1..{n}" if risky else f"int {n + 1}..{2 * n}"); t, u = S.name("t"), S.name("t"); w = S.word(); S.add(f'csv {t} at "{w}/<<{a}>>.csv" {{ rows 3  N : int 1..99 }}'); S.add(f'csv {u} at "{w}/<<{b}>>.csv" {{ rows 3  N : int 1..99 }}'); S.show.append(f"see <<{t}>> and <<{u}>>"); S.result(f"sum({t}.N) + sum({u}.N)", "int")
def n_path_case(S, n, risky):
    dr = S.name("dir"); p = "[a-b]" if n < 20 else "[a-z]{2}"; a = S.draw("s", f'pattern "{p}"'); b = S.draw("s", f'pattern "{p.upper() if risky else p.replace("[a-b]", "[c-d]").replace("[a-z]", "[0-9]")}"'); t, u = S.name("t"), S.name("t"); S.add(f'text {t} at "{dr}/<<{a}>>.txt" : lorem words 5'); S.add(f'text {u} at "{dr}/<<{b}>>.txt" : lorem words 5'); S.show.append(f"see <<{t}>> and <<{u}>>"); S.result(f"file_word({t}, 3)", "text")
def n_path_folder(S, n, risky):
    a, b = S.name("w"), S.name("w"); S.add(f"{a}, {b} : {'' if risky else 'distinct '}{'gem' if n < 20 else 'word'}"); t, u = S.name("t"), S.name("t"); S.add(f'text {t} at "<<{a}>>" : lorem words 5'); S.add(f'text {u} at "<<{b}>>/notes.txt" : lorem words 5'); S.show.append(f"see <<{t}>> and <<{u}>>"); S.result(f"file_word({t}, 3)", "text")
def n_path_unsafe(S, n, risky):
    dr = S.name("dir"); k = S.draw("s", S.pick('pattern "[a-c.]{1,2}"', 'pattern "(con|cat|cap|aux)"', 'one_of ["a", "b."]', 'pattern "[a-c ]{3}"', "phone", 'pattern "[a-z]{2}[:|-][0-9]"', "url", f'weighted ["ok": {n}, "..": 1]', f'weighted ["ok": {n}, "nul": 1]') if risky else S.pick('pattern "[a-c]{1,2}"', "word", "gem", "username", 'one_of ["a", "b"]')); t = S.name("t"); S.add(f'text {t} at "{dr}/<<{k}>>/x.txt" : lorem words 5'); S.show.append(f"see <<{t}>>"); S.result(f"file_word({t}, 3)", "text")
def n_path_computed(S, n, risky):
    dr = S.name("dir"); w = S.draw("w", "word"); k = S.draw("k", f"int {0 if risky else 1}..{n - 1 if n < 900 else 900}" if n > 1 else "int 0..0" if risky else "int 1..2"); u = S.comp("u", S.pick(f"slice({w}, 1, {k})", f'replace({w}, "a", "")' if False else f"lower(slice({w}, 1, {k}))")); t = S.name("t"); S.add(f'text {t} at "{dr}/<<{u}>>/x.txt" : lorem words 5'); S.show.append(f"see <<{t}>>"); S.result(f"file_word({t}, 3)", "text")
def n_path_slice(S, n, risky):
    dr = S.name("dir"); w = S.draw("w", "word"); t = S.name("t"); S.add(f'text {t} at "{dr}/<<slice({w}, 1, 3)>>.txt" : lorem words 5'); u = S.name("t"); S.add(f'text {u} at "{dr}/{"zzz" if not risky else "mar"}.txt" : lorem words 4') ; S.show.append(f"see <<{t}>> and <<{u}>>"); S.result(f"file_word({t}, 3)", "text")
def n_path_percol(S, n, risky):
    dr = S.name("dir"); a = S.col("K"); dom = S.pick('pattern "[a-b][A-B]?"', 'one_of ["north", "con", "south"]', "time_zone", "url", "phone", f'weighted ["ok": {n}, "a?b": 1]') if risky else S.pick('one_of ["north", "south"]', "gem", "int 1..5", "date 2024-01-01..2024-01-05")
    t = S.name("t"); u = S.name("t"); S.add(f"table {t} {{ rows 6  ID : serial  {a} : {dom}  PAY : int 1..99 }}"); S.add(f'csv {u} at "{dr}/<<{a}>>.csv" from {t} {{ Id = ID  Pay = PAY }}'); S.show.append(f"see the folder <<sandbox>>/{dr}"); S.result(f"sum({t}.PAY)", "int")
def n_path_perrow(S, n, risky):
    dr = S.name("dir"); t, u, v = S.name("t"), S.name("t"), S.name("t"); m = 3 if n < 20 else 999
    S.add(f"table {t} {{ rows 2  ID : serial  K : int {1 if risky else 10}..{m if risky else 99}  PAY : int 1..99 }}"); S.add(f'csv {u} at "{dr}/<<K>>.csv" from {t} {{ Id = ID  Pay = PAY }}'); S.add(f'text {v} at "{dr}/2.csv" : lorem words 4'); S.show.append(f"see the folder <<sandbox>>/{dr} and <<{v}>>"); S.result(f"sum({t}.PAY)", "int")
def n_expect_empty(S, n, risky):
    w = S.draw("w", "word"); 
    if n < 20: e = S.pick(f'replace(slice({w}, 1, 1), "{S.pick("a", "s", "m")}", "")' if risky else f"slice({w}, 1, 2)", f"slice({w}, 6, 9)" if risky else f"slice({w}, 3, 9)", f"slice({w}, 9, 12)" if risky else f"slice({w}, 4, 12)")
    else:
        k = S.draw("k", f"int {0 if risky else 1}..{n - 1}"); e = f"slice({w}, 1, {k})"
    S.results.append((S.name("part"), e, "textonly"))
    if len(S.results) > 1: S.results.pop(); S.result(f"len({e})", "int")
def n_expect_joined(S, n, risky):
    c = S.col(); t = S.table([(c, ": word")], "3" if n < 20 else "2"); k = "len(%s) > %d" % (c, 7 if n < 20 else 4) if risky else "len(%s) > 0" % c; S.results.append((S.name("part"), f'join(list({t.col(c)} where {k}), " ")', "textonly"))
def n_expect_blanktext(S, n, risky):
    k = S.draw("s", f'weighted [" ": 1, "oak": {n}, "elm": {n}]' if risky else 'one_of ["oak", "elm"]'); S.results.append((S.name("part"), S.pick(k, f"trim({k})"), "textonly"))
def n_require_never(S, n, risky):
    a = S.draw("a", "int 1..20"); b = S.draw("b", f"int {20 if risky else 1}..40"); S.req(S.pick(f"{a} > {b}", f"{b} < {a}", f"{b} - {a} < 0")); S.result(f"{a} + {b}", "int")
def n_require_contra(S, n, risky):
    a = S.draw("a", "int 1..200"); c = S.pick((f"mod({a}, 2) == 0", f"mod({a}, {2 if risky else 3}) == 1"), (f"{a} > 100", f"{a} < {100 if risky else 150}"), (f"mod({a}, 4) == 1", f"mod({a}, {2 if risky else 5}) == 0"), (f"{a} > 50 or {a} < 10", f"{a} >= 10 and {a} <= {50 if risky else 60}")); S.req(c[0]); S.req(c[1]); S.result(f"{a} + 1", "int")
def n_require_seldom(S, n, risky):
    m = S.pick(700, 1500, 5000, 200_000) if risky else S.pick(2, 5, 20); a = S.draw("a", f"int 1..{m}"); S.req(S.pick(f"{a} == 1", f"{a} <= 1", f"mod({a}, {m}) == 0")); b = S.draw("b", "int 1..900"); S.result(f"{a} + {b}", "int")
def n_require_count(S, n, risky):
    c = S.col(); t = S.table([(c, ": int 1..10")], S.pick("5", "3..6")); k = S.comp("z", f"count({t.ref} where {c} > 5)"); S.req(f"{k} {'>' if risky else '>='} {S.pick(5, 6) if risky else 1}"); S.result(k, "int")
def n_require_sum(S, n, risky):
    c = S.col(); t = S.table([(c, ": int 1..10")], "8"); k = S.comp("z", f"sum({t.col(c)})"); S.req(f"{k} {'>= 79' if risky else '> 40'}"); S.result(k, "int")
def n_require_words(S, n, risky):
    a = S.draw("w", "word"); b = S.draw("w", "word"); S.req(f"{a} == {b}" if risky else f"{a} != {b}"); d = S.draw("k", "int 1..900"); S.result(f"len({a}) + {d}", "int")
    if risky: c = S.draw("w", "word"); S.req(f"{b} == {c}")
def n_require_date(S, n, risky):
    a = S.draw("d", "date"); S.req(S.pick(f"day({a}) == 31 and month({a}) == {S.pick(4, 6, 9, 11) if risky else 1}", f"year({a}) {'>' if risky else '>='} 2025", f"weekday({a}) == {8 if risky else 3}")); S.result(f"day({a})", "int")
def n_require_text(S, n, risky):
    a = S.draw("w", "word"); S.req(S.pick(f"len({a}) > {9 if risky else 5}", f'starts_with({a}, "{"Q" if risky else "m"}")', f'contains({a}, "{"xq" if risky else "a"}")')); d = S.draw("k", "int 1..900"); S.result(f"{d} + len({a})", "int")
def n_require_null(S, n, risky):
    c, g = S.col(), S.col("G"); t = S.table([(c, ": int 1..99"), (g, ": gem")], "6"); k = S.comp("u", f'max({t.col(c)} where {g} == "{"oak" if risky else "ruby"}")'); S.req(f"{k} != null"); S.result(k, "int")
def n_require_changed(S, n, risky):
    t, i, c = fixed_table(S, 6, "sqlite"); k = S.draw("k", f"int {100 if risky else 1}..{120 if risky else 60}"); g = S.name("goal"); S.add(f"{g} = <<after: {t.file}, DELETE FROM {t.bare} WHERE {c} > :{k}>>"); S.req(f"changed({g}) > 0"); S.matcher = (f"Delete the rows of {t.bare} whose {c} is above {k}.", f"expect file {t.file} database {g}")
def n_require_float(S, n, risky):
    a = S.draw("a", "int 1..30"); b = S.draw("b", "int 1..30"); S.req(f"{a} / {b} {'> 30.5' if risky else '> 0.5'}"); S.result(f"{a} + {b}", "int")
def n_sql_several(S, n, risky):
    c = S.col(); t = S.table([(c, f": int 1..{max(n, 3)}"), (S.col("D"), ": int 1..9")], "2"); 
    q = f"SELECT {c} FROM {t.sql} WHERE {c} >= (SELECT MAX({c}) FROM {t.sql})"; S.result(f"coalesce(<<value: {q if risky else q.replace('SELECT ' + c, 'SELECT MAX(' + c + ')', 1)}>>, 0)", "int")
def n_sql_group(S, n, risky):
    c = S.col(); t = S.table([(c, ': one_of ["elm", "oak"]' if n < 20 else f': weighted ["elm": {n}, "oak": 1]')], "1..2"); S.result(f"coalesce(<<value: SELECT COUNT(*) FROM {t.sql} {'GROUP BY ' + c if risky else ''}>>, 0)", "int")
def n_sql_blob(S, n, risky):
    k = S.draw("k", f"int {0 if risky else 1}..{n}"); S.result(f"coalesce(<<value: SELECT CASE WHEN :{k} > 0 THEN 'x' ELSE CAST('x' AS BLOB) END>>, \"none\")", "text")
def n_sql_mixed(S, n, risky):
    k = S.draw("k", f"int {0 if risky else 1}..{n}"); S.result(f"coalesce(<<value: SELECT CASE WHEN :{k} > 0 THEN 5 ELSE 'five' END>>, 0) + 1", "int")
def n_sql_cast(S, n, risky):
    k = S.draw("k", f"int {0 if risky else 1}..{n}"); x = S.comp("u", f"<<value: SELECT 100 / :{k}>>"); S.req(f"{x} != null") if not risky or S.coin() else None; S.result(x if S.body[-1].startswith("require") else f"coalesce({x}, 0)", "int")
def n_sql_list_null(S, n, risky):
    c = S.col(); t = S.table([(c, f": int 1..9 blank {pct(n)}" if risky else ": int 1..9")], "4"); q = f"<<list: SELECT {c} FROM {t.sql} ORDER BY {c}>>"; u = S.comp("u", q); S.result(S.pick(f"100 / coalesce(max({u}), {0 if risky else 1})", f"100 / count({u})" if risky else f"100 / (count({u}) + 1)"), "float")
def n_sql_sum_over(S, n, risky):
    c = S.col(); m = "9_000_000_000_000_000_000" if n < 20 else "4_720_000_000_000_000_000"; t = S.table([(c, f": int 1..{m if risky else '4_000_000_000_000_000_000'}")], "2"); S.result(f"coalesce(<<value: SELECT SUM({c}) FROM {t.sql}>>, 0)", "int")
def n_sql_prod_over(S, n, risky):
    a = S.draw("a", f"int 1..{('5_000_000_000' if n < 20 else '3_060_000_000') if risky else '3_000_000_000'}"); S.result(f"coalesce(<<value: SELECT :{a} * :{a}>>, 0)", "int")
def n_sql_now(S, n, risky):
    w = S.draw("s", f'weighted ["{S.pick("now", "NOW", "now")}": 1, "2024-05-01": {n}, "2023-01-31": {n}]' if risky else 'one_of ["2024-05-01", "2023-01-31"]'); S.result(f"coalesce(<<value: SELECT strftime('%Y', :{w})>>, \"none\")", "text")
def n_sql_json(S, n, risky):
    w = S.draw("s", f"weighted [\"[1\": 1, \"[1, 2]\": {n}, \"[]\": {n}]" if risky else 'one_of ["[1, 2]", "[]"]'); S.result(f"coalesce(<<value: SELECT json_array_length(:{w})>>, 0)", "int")
def n_sql_window(S, n, risky):
    c = S.col(); i = S.col("ID"); t = S.table([(i, ": serial"), (c, ": int 1..9")], "2..5"); k = S.draw("k", f"int 1..{3 if risky else 2}"); x = S.comp("u", f"<<value: SELECT SUM({c}) OVER (ORDER BY {i}) FROM {t.sql} ORDER BY {i} LIMIT 1 OFFSET {':' + k + ' - 1'}>>"); S.req(f"{x} != null"); S.result(x, "int")
def n_sql_view(S, n, risky):
    d = S.name("db"); S.add(f'sqlite {d} at "{S.word()}.db" {{\n    table orders {{ rows 2  OID : serial  CUST : int 1..{max(n, 2)}  AMT : int 1..99 }}\n    view totals = <<rows: SELECT CUST, SUM(AMT) AS TOTAL FROM orders GROUP BY CUST>>\n  }}'); S.show.append(f"see <<{d}>>"); S.result(f"coalesce(<<sqlite_query: {d}, SELECT TOTAL FROM totals {'WHERE CUST > 1' if False else '' if risky else 'ORDER BY CUST LIMIT 1'}>>, 0)", "int")
def n_sql_rows_div(S, n, risky):
    c = S.col(); t = S.table([(c, f": int {0 if risky else 1}..{4 * n}")], "4"); r = S.comp("top", f"<<rows: SELECT {c} AS N FROM {t.sql}>>"); S.result(f"max(100 / {r}.N)", "coalf"); k, e, ty = S.results.pop(); S.result(f"coalesce({e}, 0.0e0)", "float")
def n_sql_rows_null(S, n, risky):
    c, g = S.col(), S.col("G"); t = S.table([(c, f": int 1..9 blank {30 if n < 20 else 5}%" if risky else ": int 1..9"), (g, ': one_of ["elm", "oak"]')], "4"); r = S.comp("top", f"<<rows: SELECT {g} AS K, MAX({c}) AS M FROM {t.sql} GROUP BY {g} ORDER BY {g}>>"); S.results.append((S.name("part"), r, "json"))
def n_after_unique(S, n, risky):
    d, g = S.name("db"), S.name("goal"); c = "CODE"; k = S.draw("k", f"int {1 if risky else 200}..{199 if n >= 20 and risky else 12 if risky else 300}"); S.add(f'sqlite {d} at "{S.word()}.db" {{ table items {{ rows 6  ID : serial  {c} : unique int 1..{12 if n < 20 else 199} }} }}'); S.show.append(f"see <<{d}>>"); S.add(f"{g} = <<after: {d}, INSERT INTO items (ID, CODE) VALUES (7, :{k})>>"); S.req(f"changed({g}) > 0"); S.matcher = (f"Add an item with ID 7 and CODE {k}.", f"expect file {d} database {g}")
def n_after_shift(S, n, risky):
    d, g = S.name("db"), S.name("goal"); m = 8 if n < 20 else 300; S.add(f'sqlite {d} at "{S.word()}.db" {{ table items {{ rows 3  ID : serial  CODE : unique int 1..{m} }} }}'); S.show.append(f"see <<{d}>>"); S.add(f"{g} = <<after: {d}, UPDATE items SET CODE = CODE + {1 if risky else m} WHERE ID = 2>>"); S.req(f"changed({g}) > 0"); S.matcher = (f"Change CODE of the item 2 as asked.", f"expect file {d} database {g}")
def n_after_fk(S, n, risky):
    d, g = S.name("db"), S.name("goal"); x = S.name("k"); S.add(f'sqlite {d} at "{S.word()}.db" {{\n    table owners {{ rows {5 if n < 20 else 40}  OID : serial  NAME : person_name }}\n    table pets {{ rows {5 if n < 20 else 1}  PID : serial  OWNER : ref owners.OID }}\n  }}'); S.show.append(f"see <<{d}>>"); S.add(f"{x} : ref {d}.owners.OID"); S.show.append(f"{x} is <<{x}>>"); S.add(f"{g} = <<after: {d}, {'' if risky else f'DELETE FROM pets WHERE OWNER = :{x}; '}DELETE FROM owners WHERE OID = :{x}>>"); S.req(f"changed({g}) > 0"); S.matcher = (f"Delete the owner {x}{'' if risky else ' and the pets of this owner'}.", f"expect file {d} database {g}")
def n_after_fkins(S, n, risky):
    d, g = S.name("db"), S.name("goal"); k = S.draw("k", f"int 1..{(10 if n < 20 else 6) if risky else 5}"); S.add(f'sqlite {d} at "{S.word()}.db" {{\n    table owners {{ rows 5  OID : serial  NAME : person_name }}\n    table pets {{ rows 4  PID : serial  OWNER : ref owners.OID }}\n  }}'); S.show.append(f"see <<{d}>>"); S.add(f"{g} = <<after: {d}, INSERT INTO pets (PID, OWNER) VALUES (9, :{k})>>"); S.req(f"changed({g}) > 0"); S.matcher = (f"Add the pet 9 of the owner {k}.", f"expect file {d} database {g}")
def n_after_notnull(S, n, risky):
    d, g = S.name("db"), S.name("goal"); S.add(f'sqlite {d} at "{S.word()}.db" {{ table items {{ rows 4  ID : serial  A : int {0 if risky else 1}..{max(4 * n, 2)}  B : int 1..9 }} }}'); S.show.append(f"see <<{d}>>"); S.add(f"{g} = <<after: {d}, UPDATE items SET B = B + 60 / A WHERE ID > 0>>"); S.matcher = ("Add 60 / A (whole numbers) to B in all items.", f"expect file {d} database {g}")
def n_after_idle(S, n, risky):
    d, g = S.name("db"), S.name("goal"); k = S.draw("k", f"int 1..{(9 if n < 20 else 6) if risky else 5}"); S.add(f'sqlite {d} at "{S.word()}.db" {{ table items {{ rows 5  ID : serial  B : int 1..9 }} }}'); S.show.append(f"see <<{d}>>"); S.add(f"{g} = <<after: {d}, DELETE FROM items WHERE ID = :{k}>>"); S.matcher = (f"Delete the item {k}.", f"expect file {d} database {g}")
def n_axis_div(S, n, risky):
    if S.axes: return n_div_sub(S, n, risky)
    k = S.name("ax"); S.axes.append(f"axis {k} = [{0 if risky else 1}, 3, 8]"); a = S.draw("a", "int 10..99"); S.show.append(f"{k} is <<{k}>>"); S.result(S.pick(f"{a} / {k}", f"{a} / ({k} * 2)"), "float")
def n_axis_bound(S, n, risky):
    if S.axes: return n_cross_int(S, n, risky)
    k = S.name("ax"); S.axes.append(f"axis {k} = {{ small: 5, large: 50 }}"); lo = S.draw("lo", f"int 1..{(9 if n < 20 else 6) if risky else 5}"); S.show.append(f"{k} is <<{k}>>"); S.result(S.draw("y", f"int {lo}..{k}"), "int")
def n_axis_rows(S, n, risky):
    if S.axes: return n_rows_axisless(S, n, risky)
    k = S.name("ax"); S.axes.append(f"axis {k} = {{ none: {0 if risky else 1}, few: 3 }}"); c = S.col(); t = S.table([(c, ": int 1..99")], k); x = S.name("y"); S.add(f"{x} : ref {t.col(c)}"); S.show.append(f"{x} is <<{x}>>"); S.show.append(f"{k} is <<{k}>>"); S.result(x, "int")
def n_rows_axisless(S, n, risky): return n_ref_zero_rows(S, n, risky)
def n_stage_div(S, n, risky):
    z = S.draw("k", f"int {0 if risky else 1}..{n - 1 + (not risky)}" if n > 1 or not risky else "int 0..0"); S.stages.append(("first_step", f"st1 = 90 / {z}", "st1", "float")); S.result(f"{z} * 7", "int")
def n_stage_files(S, n, risky):
    z = S.draw("k", f"int {0 if risky else 1}..{n}"); t, i, c = fixed_table(S, 5); S.stages.append(("read_step", "", f"coalesce(sum({t.col(c)} where {i} < 3), 0)", "int")); S.result(f"coalesce(sum({t.col(c)} where {i} < 3), 0) / {z}", "float")
def n_variant_div(S, n, risky):
    if S.variants: return n_div_sub(S, n, risky)
    z = S.draw("k", f"int {0 if risky else 1}..{n}"); S.variants.append(("plain", "", f"{z} + 1", "int")); S.variants.append(("hard", f"vr1 = 90 / {z}", "vr1", "float"))
def n_xlsx_date(S, n, risky):
    c = S.col("D"); b = S.name("wb"); a0 = day("1900-03-01", -1 if n < 20 else -1); dom = f"date 1900-02-{'20' if n < 20 else '28'}..{'1900-03-10' if n < 20 else day('1900-03-01', 4 * n)}" if risky else "date 1900-03-01..1930-01-01"; S.add(f'xlsx {b} at "{S.word()}.xlsx" {{ table sheet1 {{ rows 4  ID : serial  {c} : {dom} }} }}'); S.show.append(f"see <<{b}>>"); S.result(f"year(max({b}.sheet1.{c}))", "int")
def n_xlsx_datecomp(S, n, risky):
    b = S.name("wb"); S.add(f'xlsx {b} at "{S.word()}.xlsx" {{ table sheet1 {{ rows 4  A : date 1900-03-01..{day("1900-03-01", 4 * n)}  B = A {"-" if risky else "+"} 1 days }} }}'); S.show.append(f"see <<{b}>>"); S.result(f"day(max({b}.sheet1.B))", "int")
def n_xlsx_text(S, n, risky):
    b = S.name("wb"); k = S.draw("k", f"int {0 if risky else 1}..{n}"); S.add(f'xlsx {b} at "{S.word()}.xlsx" {{ table sheet1 {{ rows 2  ID : serial  A = pad_left("x", if {k} == 0 then 40_000 else 30, "z") }} }}'); S.show.append(f"see <<{b}>>"); S.result(f"count({b}.sheet1)", "int")
def n_xlsx_control(S, n, risky):
    b = S.name("wb"); S.add(f'xlsx {b} at "{S.word()}.xlsx" {{ table sheet1 {{ rows 2  ID : serial  A : weighted ["ok": {n}, "a{chr(92)}u{{{S.pick("1", "7", "ffff") if risky else "e9"}}}b": 1] }} }}'); S.show.append(f"see <<{b}>>"); S.result(f"count({b}.sheet1)", "int")
def n_xml_control(S, n, risky):
    b = S.name("xf"); S.add(f'xml {b} at "{S.word()}.xml" root {{ kind : gem  item : [ {{ a : weighted ["ok": {n}, "a{chr(92)}u{{{S.pick("1", "b", "ffff") if risky else "e9"}}}b": 1] }} ; 2 ] }}'); S.show.append(f"see <<{b}>>"); S.result(f"count({b}.item)", "int")
def n_yaml_control(S, n, risky):
    b = S.name("yf"); f = S.pick("yaml", "json", "csv", "text"); w = f'weighted ["ok": {n}, "a{chr(92)}u{{{S.pick("0", "1", "7f", "85", "2028", "d") if risky else "e9"}}}b": 1]'
    if f == "csv": S.add(f'csv {b} at "{S.word()}.csv" {{ rows 2  ID : serial  A : {w} }}')
    elif f == "text": S.add(f'text {b} at "{S.word()}.log" {{ rows 2  line "<<ID>> <<A>>"  ID : serial  A : {w} }}')
    else: S.add(f'{f} {b} at "{S.word()}.{f}" : [ {{ id : serial  a : {w} }} ; 2 ]')
    S.show.append(f"see <<{b}>>"); S.result(f"count({b})", "int")
def n_line_break(S, n, risky):
    b = S.name("lf"); S.add(f'text {b} at "{S.word()}.log" {{ rows 3  line "<<ID>> <<A>>"  ID : serial  A : weighted ["ok": {n}, "{"two" + chr(92) + "nlines" if risky else "two lines"}": 1] }}'); S.show.append(f"see <<{b}>>"); S.result(f'count({b} where A == "ok")', "int")
def n_enc_char(S, n, risky):
    b = S.name("cf"); e = S.pick("windows-1252", "iso-8859-1", "iso-8859-15"); dom = S.pick("person_name_world", "country", f'weighted ["ok": {n}, "\\u{{3a9}}": 1]') if risky else "person_name"; S.add(f'csv {b} at "{S.word()}.csv" encoding "{e}" {{ rows 3  ID : serial  A : {dom} }}'); S.show.append(f"see <<{b}>>"); S.result(f"count({b})", "int")
def n_enc_upper(S, n, risky):
    b = S.name("cf"); S.add(f'csv {b} at "{S.word()}.csv" encoding "iso-8859-1" {{ rows 3  ID : serial  _A : weighted ["ab": {n}, "{chr(92)}u{{ff}}b": 1]  B = {"upper(_A)" if risky else "_A"} }}'); S.show.append(f"see <<{b}>>"); S.result(f"count({b})", "int")
def n_enc_text(S, n, risky):
    b = S.name("tf"); w = S.draw("s", f'weighted ["ok": {n}, "{chr(92)}u{{{"3a9" if risky else "e9"}}}": 1]'); S.add(f'text {b} at "{S.word()}.txt" encoding "iso-8859-1" = "Sign <<{w}>>\\n"'); S.show.append(f"see <<{b}>>"); S.result(f"len(content({b}))", "int")
def n_from_case(S, n, risky):
    t, u = S.name("t"), S.name("t"); dom = ('pattern "[abAB]{2}"' if n < 20 else 'pattern "[a-zA-Z]{3}"') if risky else 'pattern "[a-z]{3}"'; S.add(f"table {t} {{ rows 8  ID : serial  CODE : {dom}  PAY : int 1..99 }}"); S.add(f'csv {u} at "{S.word()}.csv" from {t} {{ Id = ID  Code = CODE as case 20%  Pay = PAY }}'); S.show.append(f"see <<{u}>>"); S.tail.append("Capitals do not matter."); S.result(f"distinct_count({t}.CODE)", "int")
def n_from_space(S, n, risky):
    t, u = S.name("t"), S.name("t"); dom = 'pattern "[ab ]{4}"' if risky else 'pattern "[a-z]{4}"'; S.add(f"table {t} {{ rows 8  ID : serial  CODE : {dom}  PAY : int 1..99 }}"); S.add(f'csv {u} at "{S.word()}.csv" from {t} {{ Id = ID  Code = CODE as space 20%  Pay = PAY }}'); S.show.append(f"see <<{u}>>"); S.tail.append("Blanks do not matter."); S.result(f"distinct_count({t}.CODE)", "int")
def n_from_missing(S, n, risky):
    t, u = S.name("t"), S.name("t"); dom = (f'weighted ["na": 1, "xy": {n}]' if risky else 'one_of ["xy", "ab"]'); S.add(f"table {t} {{ rows 8  ID : serial  CODE : {dom} blank 20% }}"); S.add(f'csv {u} at "{S.word()}.csv" from {t} {{ Id = ID  Code = CODE as missing ["", "na"] }}'); S.show.append(f"see <<{u}>>"); S.tail.append("An empty cell or na means that nothing is known."); S.result(f"count({t}.CODE)", "int")
def n_from_computed(S, n, risky):
    t, u = S.name("t"), S.name("t"); S.add(f"table {t} {{ rows 4  ID : serial  K : int {0 if risky else 1}..{4 * n}  PAY : int 1..99 }}"); S.add(f'csv {u} at "{S.word()}.csv" from {t} {{ Id = ID  Share = round(PAY / K, 2)  Pay = PAY }}'); S.show.append(f"see <<{u}>>"); S.result(f"sum({t}.PAY)", "int")
def n_from_yy(S, n, risky):
    t, u = S.name("t"), S.name("t"); S.add(f"table {t} {{ rows 4  ID : serial  DAY : date {'1969-12-20' if risky else '1970-01-01'}..{'1999-12-31' if n >= 20 else '1970-01-20' if risky else '1990-01-01'} }}"); S.add(f'csv {u} at "{S.word()}.csv" from {t} {{ Id = ID  Day = DAY as written "dd.MM.yy" }}'); S.show.append(f"see <<{u}>>"); S.tail.append("Years are of 1970 to 2069."); S.result(f"year(max({t}.DAY))", "int")
def n_from_repeat(S, n, risky):
    t, u = S.name("t"), S.name("t"); k = S.draw("share", f"int {95 if n < 20 else 0}..{(105 if n < 20 else 101) if risky else 100}"); S.add(f"table {t} {{ rows 8  ID : serial  PAY : int 1..99 }}"); S.add(f'csv {u} at "{S.word()}.csv" from {t} {{ rows repeat {k}%  Id = ID  Pay = PAY }}'); S.show.append(f"see <<{u}>>"); S.tail.append("Duplicate rows count once."); S.result(f"sum({t}.PAY)", "int")
def n_from_empty(S, n, risky):
    t, u = S.name("t"), S.name("t"); S.add(f"table {t} {{ rows 6  ID : serial  PAY : int 1..{20 if n < 20 else 99} }}"); k = S.draw("k", f"int 1..{20}" if risky else "int 1..5"); S.add(f'csv {u} at "{S.word()}.csv" from {t} where {"PAY" if risky else "ID"} >= {k}'); S.show.append(f"see <<{u}>>"); S.result(f"csv_value({u}.PAY, 1)", "int")
def n_from_above(S, n, risky):
    t, u = S.name("t"), S.name("t"); k = S.draw("k", f"int {0 if risky else 1}..{n}"); S.add(f"table {t} {{ rows 6  ID : serial  PAY : int 1..99 }}"); S.add(f'csv {u} at "{S.word()}.csv" above "Share <<round(9 / {k}, 1)>>\\n" from {t} {{ Id = ID  Pay = PAY }}'); S.show.append(f"see <<{u}>>"); S.result(f"sum({t}.PAY)", "int")
def n_json_several(S, n, risky):
    j = S.name("j"); f = S.pick("json", "yaml"); m = 3 if n < 20 else 60; S.add(f'{f} {j} at "{S.word()}.{f}" {{ kind : gem  parts : [ {{ id : {"" if risky else "unique "}int 1..{m}  n : int 1..99 }} ; 3 ] }}'); S.show.append(f"see <<{j}>>"); S.result(f"coalesce(<<{f}_value: {j}, $.parts[?@.id == 1].n>>, 0)", "int")
def n_json_index(S, n, risky):
    j = S.name("j"); f = S.pick("json", "yaml"); S.add(f'{f} {j} at "{S.word()}.{f}" {{ kind : gem  parts : [ int 1..99 ; {"0..3" if risky else "1..3"} ] }}'); S.show.append(f"see <<{j}>>"); x = S.comp("u", f"<<{f}_value: {j}, $.parts[{S.pick(0, 2) if risky else 0}]>>"); S.result(f"coalesce({x}, 0)", "int") if not risky or S.coin() else (S.req(f"{x} != null"), S.result(x, "int"))
def n_json_sum_over(S, n, risky):
    j = S.name("j"); f = S.pick("json", "yaml"); m = "9_000_000_000_000_000_000" if n < 20 else "4_720_000_000_000_000_000"; S.add(f'{f} {j} at "{S.word()}.{f}" {{ kind : gem  parts : [ int 1..{m if risky else "4_000_000_000_000_000_000"} ; 2 ] }}'); S.show.append(f"see <<{j}>>"); S.result(f"coalesce(<<{f}_sum: {j}, $.parts[*]>>, 0)", "int")
def n_json_edit(S, n, risky):
    j = S.name("j"); f = S.pick("json", "yaml"); m = "0..3" if n < 20 else "0..40"; S.add(f'{f} {j} at "{S.word()}.{f}" {{ kind : gem  parts : [ {{ id : int 1..9  n : int 1..99 }} ; {m if risky else "1..3"} ] }}'); S.show.append(f"see <<{j}>>"); op = S.pick(f'edit({j}, "$.parts[0].n", 443)', f'remove({j}, "$.parts[0]")', f'edit({j}, "$.parts[{1 if risky else 0}].n", 443)'); S.matcher = (f"Change the first part of <<{j}>> as asked.", f"expect file {j} json {op}")
def n_json_editfilter(S, n, risky):
    j = S.name("j"); f = S.pick("json", "yaml"); S.add(f'{f} {j} at "{S.word()}.{f}" {{ kind : gem  parts : [ {{ id : int {1 if risky else 6}..9  n : int 1..99 }} ; {1 if n < 20 else 10} ] }}'); S.show.append(f"see <<{j}>>"); op = S.pick(f'edit({j}, "$.parts[?@.id > 5].n", 443)', f'remove({j}, "$.parts[?@.id > 5]")'); S.matcher = (f"In <<{j}>>, change the parts whose id is above 5 as asked.", f"expect file {j} json {op}")
def n_json_append(S, n, risky):
    j = S.name("j"); f = S.pick("json", "yaml"); S.add(f'{f} {j} at "{S.word()}.{f}" {{ kind : gem  parts : [ {{ id : int 1..9  marks : [ int 1..9 ; 0..2 ] }} ; {"0..2" if risky else "1..2"} ] }}'); S.show.append(f"see <<{j}>>"); S.matcher = (f"In <<{j}>>, add 7 to the marks of the parts as asked.", f'expect file {j} json append({j}, "$.parts[{"0" if S.coin() else "*"}].marks", 7)')
def n_json_keys(S, n, risky):
    j = S.name("j"); S.add(f'json {j} at "{S.word()}.json" {{ kind : gem  parts : [ {{ id : int 1..9  n : int 1..99 }} ; {"0..3" if risky else "1..3"} ] }}'); S.show.append(f"see <<{j}>>"); S.result(S.pick(f"<<json_keys: {j}, $.parts[0]>>", f"<<json_keys: {j}, $.parts[0]>>"), "list")
def n_json_count(S, n, risky):
    j = S.name("j"); S.add(f'json {j} at "{S.word()}.json" {{ kind : gem  parts : [ {{ id : int 1..9  marks : [ int 1..9 ; 0..2 ] }} ; {"0..3" if risky else "1..3"} ] }}'); S.show.append(f"see <<{j}>>"); S.result(f"<<json_count: {j}, $.parts[0].marks>>", "int")
def n_xpath_several(S, n, risky):
    j = S.name("xf"); m = 3 if n < 20 else 60; S.add(f'xml {j} at "{S.word()}.xml" root {{ kind : gem  item : [ {{ @id : {"" if risky else "unique "}int 1..{m}  n : int 1..99 }} ; 3 ] }}'); S.show.append(f"see <<{j}>>"); S.result(f"coalesce(<<xpath_value: {j}, /root/item[@id = 1]/n>>, 0)", "int")
def n_xpath_attr(S, n, risky):
    j = S.name("xf"); S.add(f'xml {j} at "{S.word()}.xml" root {{ kind : gem  item : [ {{ @id : serial  n : int 1..{9 if n < 20 else 99} }} ; 3 ] }}'); S.show.append(f"see <<{j}>>"); S.result(f"coalesce(<<xpath_attr: {j}, {'/root/item[n > 7]/@id' if risky else '/root/item[2]/@id'}>>, 0)", "int")
def n_xpath_div(S, n, risky):
    j = S.name("xf"); S.add(f'xml {j} at "{S.word()}.xml" root {{ kind : gem  item : [ {{ @id : serial  n : int {0 if risky else 1}..{n} }} ; 1 ] }}'); S.show.append(f"see <<{j}>>"); S.result(f"60 / coalesce(<<xpath_sum: {j}, //item/n>>, 1)" if S.coin(.6) else f"60 / greatest(<<xpath_count: {j}, /root/item[n > 0]>>, {0 if risky else 1})", "float")
def n_describe(S, n, risky):
    t, i, c = fixed_table(S, 4, "sqlite"); k = S.draw("k", f"int {1 if risky else 100}..{60 if n < 20 and risky else 900}"); u = S.comp("u", f"describe({t.file}, {k})"); S.tail.append(f"<<{u}>>"); S.result(f"sum({t.col(c)})", "int")
def n_quantile(S, n, risky):
    q = S.draw("x", f"decimal 0.00..{('2.00' if n < 20 else '1.01') if risky else '1.00'}") if n < 20 or not risky else S.draw("x", "decimal 0.000..1.001"); c = S.col(); t = S.table([(c, ": int 1..99")], "5"); S.result(f"quantile({t.col(c)}, {q})", "float")
def n_chi2(S, n, risky):
    x = S.draw("x", f"decimal {('-5.0' if n < 20 else '-0.1') if risky else '0.0'}..{5 if n < 20 else n // 10 + 1}.0"); S.result(f"chi2_p({x}, 2)", "float")
def n_exactly(S, n, risky):
    rows = "5..12" if n < 20 else "5..50"; k = S.draw("k", f"int 1..{(12 if n < 20 else 6) if risky else 5}"); c = S.col(); t = S.table([(c, f": bool exactly {k}")], rows, S.pick("csv", "sqlite", "table")); S.result(f"count({t.ref} where {c})", "int")
def n_share(S, n, risky):
    k = S.draw("share", f"int {('-5' if n < 20 else '-1') if risky else '0'}..{10 if n < 20 else 100}"); c = S.col(); f = S.pick(f": bool {k}%", f": int 1..9 blank {k}%"); t = S.table([(c, f)], "6"); S.result(f"count({t.col(c)})", "int")
def n_rows_minus(S, n, risky):
    a = S.draw("a", f"int {1 if risky else 3}..{n}" if n > 3 else f"int {1 if risky else 3}..4"); c = S.col(); t = S.table([(c, ": int 1..9")], f"{a} - {2}"); S.result(f"count({t.ref})", "int")
def n_array_minus(S, n, risky):
    j = S.name("j"); a = S.draw("a", f"int {1 if risky else 3}..{max(4, min(n, 300))}"); S.add(f'json {j} at "{S.word()}.json" {{ kind : gem  nums : [ int 1..9 ; {a} - 2 ] }}'); S.show.append(f"see <<{j}>>"); S.result(f"count({j}.nums)", "int")
def n_pad_width(S, n, risky):
    w = S.draw("w", "word"); k = S.draw("k", f"int {('-3' if n < 20 else '-1') if risky else '0'}..{6 if n < 20 else 400}"); S.result(f'pad_left({w}, {k}, "x")', "text")
def n_pad_fill(S, n, risky):
    k = S.draw("s", f'weighted ["{S.pick("", "ab")}": 1, "x": {n}, "0": {n}]' if risky else 'one_of ["x", "0"]'); S.result(f'pad_left("7", 5, {k})', "text")
def n_pad_slice(S, n, risky):
    w = S.draw("w", "word"); S.result(f'pad_left("7", 5, slice({w}, {8 if risky else 2}, {8 if risky else 2}))', "text")
def n_split_by(S, n, risky):
    k = S.draw("s", f'weighted ["": 1, "-": {n}, "/": {n}]' if risky else 'one_of ["-", "/"]'); S.result(f'len(split("a-b/c", {k}))', "int")
def n_replace_part(S, n, risky):
    w = S.draw("w", "word"); k = f"slice({w}, {5 if n < 20 else 5}, 5)" if risky else f"slice({w}, 1, 1)"; S.result(f'replace({w}, {k}, "*")', "text")
def n_slice_bounds(S, n, risky):
    w = S.draw("w", "word"); a = S.draw("a", f"int {('-2' if n < 20 else '0') if risky else '1'}..{3 if n < 20 else 300}"); S.result(f'len(slice({w}, {a}, {a} + 2))' if S.coin() else f"len(slice({w}, 3, {a}))", "int")
def n_slice_cross(S, n, risky):
    w = S.draw("w", "word"); a = S.draw("a", "int 1..4"); b = S.draw("b", f"int {1 if risky else 4}..8"); S.result(f"len(slice({w}, {a}, {b}))", "int")
def n_nth_bounds(S, n, risky):
    a = S.draw("a", f"int {('-2' if n < 20 else '0') if risky else '1'}..{3 if n < 20 else 300}"); S.result(f'coalesce(nth(["elm", "oak", "ash"], {a}), "none")', "text")
def n_tree(S, n, risky):
    a = S.draw("w", "gem" if n < 20 else "word"); b = S.draw("w", "gem" if n < 20 else "word"); S.result(f'tree(["<<{a}>>/x.txt", "<<{b}>>{"" if risky else "/y.txt"}"])', "text")
def n_float_text(S, n, risky):
    a = S.draw("a", f"int {0 if risky else 1}..{n}"); t = S.name("t"); S.add(f'text {t} at "{S.word()}.txt" = "ratio <<{a} / {a}>>\\n"'); S.show.append(f"see <<{t}>>"); S.result(f"{a} + 1", "int")
def n_coalesce_div(S, n, risky):
    c = S.col(); t = S.table([(c, f": int 1..9 blank {70 if n < 20 else 10}%")], "2" if n < 20 else "3"); k = f"coalesce({S.pick('sum', 'max', 'first', 'last', 'mode')}({t.col(c)}), {0 if risky else 1})"; S.result(f"60 / {k}", "float")
def n_null_divisor(S, n, risky):
    k = S.drawn_null("k", f"int 1..9 blank {pct(n)}", "0"); S.result(f"60 / coalesce({k}, {0 if risky else 2})" if S.coin(.6) or risky else f"if {k} != null then 60 / {k} else 0.0e0", "float")
def n_null_bound(S, n, risky):
    k = S.drawn_null("k", f"int 5..9 blank {pct(n)}", "0"); S.result(S.draw("y", f"int 3..coalesce({k}, {2 if risky else 3})"), "int")
def n_null_key(S, n, risky):
    c, v = S.col("N"), S.col("V"); t = S.table([(c, f": unique pattern \"[a-z]{{4}}\" blank {pct(n)}" if risky else ': unique pattern "[a-z]{4}"'), (v, ": int 1..9")], "3", S.pick("csv", "sqlite", "table")); S.result(f"object({t.col(c)}{f' where {c} != null' if risky else ''}, {t.col(v)})", "json")
def n_fixture_row(S, n, risky):
    S.fixture = True; f = S.name("fx"); S.add(f'csv {f} at "rates.csv" from "fixtures/rates.csv"'); S.show.append(f"see <<{f}>>"); k = S.draw("row", f"int 1..{(8 if n < 20 else 6) if risky else 5}"); S.result(f"csv_value({f}.RATE, {k})", "decimal")
def n_fixture_ref(S, n, risky):
    S.fixture = True; f = S.name("fx"); S.items.append(f'table {f} from "fixtures/rates.csv"\n'); k = S.draw("k", f"int {(1 if n < 20 else 19) if risky else 30}..{90 if n < 20 else 900}"); x = S.name("y"); S.add(f"{x} : ref {f}.CODE where STOCK {'<=' if True else ''} {k}"); S.show.append(f"{x} is <<{x}>>"); S.result(f"len({x})", "int")
def n_fixture_div(S, n, risky):
    S.fixture = True; f = S.name("fx"); S.items.append(f'table {f} from "fixtures/rates.csv"\n'); x = S.name("y"); S.add(f"{x} : ref {f}.{'ZERO' if risky else 'STOCK'}"); S.show.append(f"{x} is <<{x}>>"); S.result(f"60 / {x}", "float")
def n_fixture_each(S, n, risky):
    S.fixture = True; f = S.name("fx"); S.items.append(f'table {f} from "fixtures/rates.csv"\n')
    if any(x.startswith("each ") for x in S.body): return n_fixture_div(S, n, risky)
    S.add(f"each q in {f} key CODE" + ("" if risky else " where ZERO > 0")); k = S.draw("k", "int 5..90"); S.show.append("the code is <<q.CODE>> and the limit <<q.ZERO>>"); S.result(f"{k} / q.ZERO", "float")
def n_lib_pattern(S, n, risky):
    k = S.draw("s", S.pick("semver", "ipv4", "postcode")); S.result(f'to_int(coalesce(nth(split({k}, "."), 1), "0")){" / 1" if False else ""}' if not risky else f'60 / to_int(coalesce(nth(split({k}, "."), {2}), "0"))', "float" if risky else "int")
def n_lib_split(S, n, risky):
    k = S.draw("s", S.pick("country_line", "place_line", "item_line")); S.result(f'to_int(coalesce(nth(split({k}, "|"), {3}), "0"))' if risky else f'len(coalesce(nth(split({k}, "|"), 2), ""))', "int")
def n_sorted_unique(S, n, risky):
    c = S.col(); k = S.draw("k", f"int {3 if risky else 5}..{6 if n < 20 else 900}"); t = S.table([(c, f": unique int 1..{k}")], "5", S.pick("csv", "sqlite")); S.result(f"max({t.col(c)})", "int")
def n_compare_big(S, n, risky):
    a = S.draw("a", "int 1..9"); S.req(f"{a} * 1_000_000_000_000_000_000 {'>' if risky and n < 20 else '<'} 9_000_000_000_000_000_000" if False else f"{a} < 9"); S.result(f"{a} * {'1_200_000_000_000_000_000' if risky else '1_000_000_000_000_000_000'}", "int")

# ---- guards that hold, or nearly hold

def n_guard_rel(S, n, risky):
    a = S.draw("a", f"int 1..{n}"); b = S.draw("b", f"int 1..{n}")
    if n < 3: S.body[-1] = f"{b} : int 1..5"; S.body[-2] = f"{a} : int 1..9"
    S.req(S.pick(f"{a} > {b}", f"{b} < {a}", f"{a} - {b} >= 1") if not risky else S.pick(f"{a} >= {b}", f"{b} <= {a}", f"not ({a} < {b})"))
    k = S.ri(1, 4)
    if k == 1: S.result(f"60 / ({a} - {b})", "float")
    elif k == 2: S.result(f"mod(600, {a} - {b})", "int")
    elif k == 3: S.result(S.draw("y", f"int {b} + 1..{a}"), "int")
    else: c = S.col(); t = S.table([(c, ": int 1..9")], f"least({a} - {b}, 5)"); f = S.name("y"); S.add(f"{f} : ref {t.col(c)}"); S.show.append(f"{f} is <<{f}>>"); S.result(f, "int")
def n_guard_chain(S, n, risky):
    m = 9 if n < 20 else 40; a, b, c = (S.draw(x, f"int 1..{m}") for x in "abg"); S.req(f"{a} < {b}"); S.req(f"{b} < {c}"); S.result(S.draw("y", f"int {a} + {3 if risky else 2}..{c}"), "int")
def n_guard_count(S, n, risky):
    c = S.col(); t = S.table([(c, f": int 1..{20 if n < 20 else 99}")], "3"); k = S.draw("k", f"int 1..{18 if n < 20 else 95}"); S.req(S.pick(f"count({t.ref} where {c} > {k}) > 0", f"max({t.col(c)}) > {k}")); x = S.name("y"); S.add(f"{x} : ref {t.col(c)} where {c} > {k}{' + 1' if risky else ''}"); S.show.append(f"{x} is <<{x}>>"); S.result(x, "int")
def n_guard_len(S, n, risky):
    w = S.draw("w", "word"); S.req(f"len({w}) > 5"); S.results.append((S.name("part"), f"slice({w}, {7 if risky else 6}, 9)", "textonly"))
def n_guard_in(S, n, risky):
    k = S.draw("k", f"int 0..{max(n, 4)}"); S.req(S.pick(f"{k} in {[0, 1, 2] if risky else [1, 2, 3]}", f"{k} not in {[1, 2] if risky else [0, 2]}")); S.result(f"60 / {k}", "float")
def n_guard_sum(S, n, risky):
    a = S.draw("a", f"int 0..{n}"); b = S.draw("b", f"int 0..{n}"); S.req(f"{a} + {b} > 0"); S.result(f"60 / {a if risky else f'({a} + {b})'}", "float")
def n_guard_prod(S, n, risky):
    a = S.draw("a", f"int 0..{n}"); b = S.draw("b", f"int 0..{n}"); S.req(f"{a} * {b} {'>=' if risky else '>'} 0"); S.result(f"60 / {a}", "float")
def n_guard_else(S, n, risky):
    a = S.draw("a", f"int 1..{n}"); b = S.draw("b", f"int 1..{n}"); S.result(f"if {a} {'>=' if risky else '>'} {b} then 60 / ({a} - {b}) else if {a} < {b} then 60 / ({b} - {a}) else 0.5e0", "float")
def n_guard_where(S, n, risky):
    c, g = S.col(), S.col("G"); t = S.table([(c, f": int 0..{4 * n}"), (g, f": int 0..{4 * n}")], "4"); S.result(f"coalesce(sum(60 / {t.col(c)} where {S.pick(g + ' > 0', c + ' >= 0', c + ' > 0 or ' + g + ' > 0') if risky else S.pick(c + ' > 0', c + ' > 0 and ' + g + ' > 1')}), 0.0e0)", "float")
def n_guard_sqlwhere(S, n, risky):
    c = S.col(); t = S.table([(c, f": int 0..{4 * n}")], "4"); r = S.comp("top", f"<<rows: SELECT {c} AS N FROM {t.sql} WHERE {c} {'>=' if risky else '>'} 0>>"); S.result(f"coalesce(max(60 / {r}.N), 0.0e0)", "float")
def n_guard_date(S, n, risky):
    d = S.draw("d", f"date {day('9999-12-31', -n - 1)}..9999-12-31"); S.req(f"{d} {'<=' if risky else '<'} 9999-12-31"); S.result(f"day({d} + 1 days)", "int")
def n_guard_over(S, n, risky):
    a = S.draw("a", "int 1..9_000_000"); S.req(f"{a} < {('4_000_000' if n < 20 else '2_099_000') if risky else '2_000_000'}"); S.result(f"{a} * {a} * {a}", "int")
def n_guard_null(S, n, risky):
    k = S.drawn_null("k", f"int {0 if risky else 1}..{n} blank 30%", "0"); S.req(f"{k} != null"); S.result(f"60 / {k}", "float")
def n_guard_nullor(S, n, risky):
    k = S.drawn_null("k", f"int 0..{n} blank 30%", "0"); S.req(f"{k} > 0" if not risky else f"coalesce({k}, 5) > 0"); S.result(f"60 / coalesce({k}, {1 if not risky else 0})", "float")
def n_guard_several(S, n, risky):
    c, v = S.col(), S.col("V"); t = S.table([(c, f": int 1..{3 if n < 20 else 99}"), (v, ": int 1..99")], "3", S.pick("csv", "sqlite", "table")); k = S.name("k"); S.add(f"{k} : ref {t.col(c)}"); S.show.append(f"{k} is <<{k}>>"); S.req(f"count({t.ref} where {c} == {k}) {'>=' if risky else '=='} 1"); S.result(f"coalesce(<<value: SELECT {v} FROM {t.sql} WHERE {c} = :{k}>>, 0)", "int")
def n_guard_rows(S, n, risky):
    c = S.col(); f = S.pick("csv", "sqlite"); t = S.table([(c, ": int 1..99")], "0..9" if n < 20 else "2..400", f); S.req(f"count({t.ref}) > {2 if not risky else 1}" if n < 20 or not risky else f"count({t.ref}) > 0"); S.result(f"{f}_value({t.col(c)}, 3)", "int")
def n_guard_pos(S, n, risky):
    c = S.col(); f = S.pick("csv", "sqlite"); t = S.table([(c, ": int 1..99")], "2..9", f); k = S.draw("row", "int 1..12"); S.req(f"{k} {'<= count' if not risky else '<= 1 + count'}({t.ref})"); S.result(f"{f}_value({t.col(c)}, {k})", "int")
def n_minmax_range(S, n, risky):
    c = S.col(); t = S.table([(c, f": int 1..{4 if n < 20 else 40}")], "3"); S.result(S.draw("y", f"int min({t.col(c)}){' + 1' if risky else ''}..max({t.col(c)})"), "int")
def n_avg_range(S, n, risky):
    c = S.col(); t = S.table([(c, ": int 1..40")], "3"); a = f"avg({t.col(c)})"; S.result(S.draw("y", f"int ceil({a})..floor({a})" if risky else S.pick(f"int floor({a})..ceil({a})", f"int min({t.col(c)})..ceil({a})")), "int")
def n_median_range(S, n, risky):
    c = S.col(); t = S.table([(c, ": int 1..40")], "5"); S.result(S.draw("y", f"int ceil(avg({t.col(c)}))..ceil(median({t.col(c)}))" if risky else f"int ceil(median({t.col(c)}))..max({t.col(c)})"), "int")
def n_mod_range(S, n, risky):
    k = S.draw("k", "int 0..9_999"); m = 3 if n < 20 else 1000; S.result(S.draw("y", f"int mod({k}, {m})..{m - 2 if risky else m - 1}"), "int")
def n_day_range(S, n, risky):
    d = S.draw("d", "date"); S.result(S.draw("y", S.pick(f"int day({d})..{30 if risky else 31}", f"int month({d})..{11 if risky else 12}", f"int weekday({d})..{6 if risky else 7}", f"int year({d})..{2024 if risky else 2025}")), "int")
def n_hour_range(S, n, risky):
    d = S.draw("m", "timestamp"); S.result(S.draw("y", S.pick(f"int hour({d})..{22 if risky else 23}", f"int minute({d})..{58 if risky else 59}", f"int second({d})..{58 if risky else 59}")), "int")
def n_len_range(S, n, risky):
    w = S.draw("w", S.pick("word", 'pattern "[a-z]{4,9}"')); S.result(S.draw("y", S.pick(f"int len({w})..{8 if risky else 9}", f"int {5 if risky else 4}..len({w})")), "int")
def n_distinct_range(S, n, risky):
    c = S.col(); t = S.table([(c, f": int 1..{5 if n < 20 else 20}")], "4"); S.result(S.draw("y", f"int distinct_count({t.col(c)})..{3 if risky else 4}"), "int")
def n_sorted_range(S, n, risky):
    c = S.col(); t = S.table([(c, f": {'' if risky else 'sorted '}int 1..{40}")], "3", S.pick("csv", "sqlite", "table")); S.result(S.draw("y", f"int first({t.col(c)})..last({t.col(c)})"), "int")
def n_sorted_dates(S, n, risky):
    c = S.col(); t = S.table([(c, f": {'' if risky else 'sorted '}date 2024-01-01..2024-12-31")], "3", S.pick("csv", "sqlite", "table")); y = S.draw("y", f"date first({t.col(c)})..last({t.col(c)})"); S.result(f"day({y})", "int")
def n_sum_range(S, n, risky):
    c, g = S.col(), S.col("G"); t = S.table([(c, ": int 1..9"), (g, ': one_of ["elm", "oak"]')], "5"); S.result(S.draw("y", f"int coalesce(sum({t.col(c)} where {g} == \"elm\"), 0)..{'coalesce(sum(' + t.col(c) + ' where ' + g + ' == ' + chr(34) + 'oak' + chr(34) + '), 0)' if risky else 'sum(' + t.col(c) + ')'}"), "int")
def n_count_range(S, n, risky):
    c = S.col(); t = S.table([(c, ": int 1..10")], "3..6"); S.result(S.draw("y", f"int 1..count({t.ref} where {c} > {2 if n < 20 else 1})" if risky else S.pick(f"int count({t.ref} where {c} > 2)..count({t.ref})", f"int 0..count({t.ref} where {c} > 2)")), "int")
def n_serial_ref(S, n, risky):
    t, i, c = fixed_table(S, 5); k = S.draw("k", f"int 1..{(9 if n < 20 else 6) if risky else 5}"); x = S.name("y"); S.add(f"{x} : ref {t.col(c)} where {i} == {k}"); S.show.append(f"{x} is <<{x}>>"); S.result(x, "int")
def n_corr_div(S, n, risky):
    a, b = S.col("A"), S.col("B"); t = S.table([(a, f": int 1..{3 if n < 20 else 9}"), (b, f": int 1..{3 if n < 20 else 9}")], "3"); S.result(f"1 / coalesce({S.pick('corr', 'slope')}({t.col(a)}, {t.col(b)}), {0 if risky and S.coin() else 1}.0e0)" if risky else f"1 / (coalesce(corr({t.col(a)}, {t.col(b)}), 1.0e0) + 2)", "float")
def n_mode_first(S, n, risky):
    c = S.col(); t = S.table([(c, ": int 1..9")], f"{0 if risky else 1}..{min(n, 300)}"); u = S.comp("u", f"{S.pick('mode', 'first', 'last', 'min', 'max', 'sum')}({t.col(c)})"); S.result(f"60 / coalesce({u}, {0 if risky else 3})", "float")
def n_round_range(S, n, risky):
    x = S.draw("x", "decimal 0.00..9.99"); S.result(S.draw("y", f"int ceil({x})..floor({x} + 0.5)" if risky else f"int floor({x})..ceil({x})"), "int")
def n_least_greatest(S, n, risky):
    a = S.draw("a", f"int 0..{n}"); b = S.draw("b", f"int {0 if risky else 1}..{n}"); S.result(f"60 / {'least' if risky and S.coin() else 'greatest'}({a}, {b})", "float")
def n_nested_if(S, n, risky):
    a = S.draw("a", f"int 0..{n}"); b = S.draw("b", "int 1..9"); e = f"60 / {a}"; S.result(f"if {b} > 3 then (if {a} > 0 then {e} else 0.5e0) else {'(if ' + a + ' > 0 then 0.5e0 else ' + e + ')' if risky else '0.25e0'}", "float")
def n_lake_ref(S, n, risky):
    if any(x.startswith("lake ") for x in S.items): return n_fixture_ref(S, n, risky)
    S.fixture = True; S.items.append('lake stations from "lakes/stations" {\n  csv rain from "*.csv" { PLACE = file.stem  YEAR : int  MM : int }\n}\n'); S.add("lake stations"); S.show.append("see the folder <<stations>>"); k = S.draw("k", f"int {(1 if n < 20 else 4) if risky else 9}..{12 if n < 20 else 900}"); x = S.name("y"); S.add(f"{x} : ref stations.rain.YEAR where MM <= {k}"); S.show.append(f"{x} is <<{x}>>"); S.result(x, "int")
def n_lake_div(S, n, risky):
    if any(x.startswith("lake ") for x in S.items): return n_fixture_div(S, n, risky)
    S.fixture = True; S.items.append('lake stations from "lakes/stations" {\n  csv rain from "*.csv" { PLACE = file.stem  YEAR : int  MM : int  DRY : int }\n}\n'); S.add("lake stations"); S.show.append("see the folder <<stations>>"); x, w = S.name("y"), S.name("v"); S.add(f"{x}, {w} : ref stations.rain.(YEAR, {'DRY' if risky else 'MM'})"); S.show.append(f"{x} is <<{x}>>"); S.result(f"{x} / {w}", "float")
def n_shared_table(S, n, risky):
    m = S.name("mt"); S.items.append(f"table {m} {{\n  A : int {0 if risky else 1}..{4 * n}\n  B = mod(100, A)\n}}\n"); t = S.name("t"); S.add(f'csv {t} : {m} at "{S.word()}.csv" {{ rows 4 }}'); S.show.append(f"see <<{t}>>"); S.result(f"sum({t}.B)", "int")
def n_domain_item(S, n, risky):
    m = S.name("dm"); S.items.append(f"domain {m} = int {0 if risky else 1}..{n}\n"); k = S.draw("k", m); S.result(f"mod(77, {k})", "int")
def n_xml_text(S, n, risky):
    j = S.name("xf"); S.add(f'xml {j} at "{S.word()}.xml" root {{ kind : gem  owner : {{ @id : int {0 if risky else 1}..{n}  `#text` : person_name }} }}'); S.show.append(f"see <<{j}>>"); S.result(f"60 / {j}.owner.id", "float")
def n_json_helper(S, n, risky):
    j = S.name("j"); f = S.pick("json", "yaml", "xml"); S.add(f'{f} {j} at "{S.word()}.{f}" {"root " if f == "xml" else ""}{{ kind : gem  parts : [ {{ _load : int {0 if risky else 1}..{4 * n}  share = mod(100, _load) }} ; 4 ] }}'); S.show.append(f"see <<{j}>>"); S.result(f"coalesce(sum({j}.parts.share), 0)", "int")
def n_helper_col(S, n, risky):
    c = S.col(); t = S.table([("_H", f": int {0 if risky else 1}..{4 * n}"), (c, "= mod(100, _H)")], "4", S.pick("csv", "sqlite", "xlsx")); S.result(f"sum({t.col(c)})", "int")
def n_after_twice(S, n, risky):
    d, g, h = S.name("db"), S.name("goal"), S.name("goal"); k = S.draw("k", f"int 1..{5 if n < 20 else 60}"); S.add(f'sqlite {d} at "{S.word()}.db" {{ table items {{ rows 5  ID : serial  B : int 1..9 }} }}'); S.show.append(f"see <<{d}>>"); S.add(f"{g} = <<after: {d}, INSERT INTO items (ID, B) VALUES (6 + :{k}, 3)>>"); S.add(f"{h} = <<after: {g}, INSERT INTO items (ID, B) VALUES ({7 if risky else 6}, 4)>>"); S.req(f"changed({h}) > 0"); S.matcher = (f"Add the item 6 + {k} with B 3, and the item {7 if risky else 6} with B 4.", f"expect file {d} database {h}")
def n_after_div(S, n, risky):
    d, g = S.name("db"), S.name("goal"); k = S.draw("k", f"int 1..{9 if n < 20 else 60}"); S.add(f'sqlite {d} at "{S.word()}.db" {{ table items {{ rows 5  ID : serial  B : int 1..{9 if n < 20 else 60} }} }}'); S.show.append(f"see <<{d}>>"); S.add(f"{g} = <<after: {d}, UPDATE items SET B = 0 WHERE B = :{k}>>"); S.result(f"60 / {f'changed({g})' if risky else f'(changed({g}) + 1)'}", "float")
def n_bytes_empty(S, n, risky):
    w = S.draw("w", "word"); S.results.append((S.name("part"), f"upper(slice({w}, {8 if risky else 4}, 9))", "textonly"))
def n_variant_range(S, n, risky):
    if S.variants: return n_cross_int(S, n, risky)
    a, b, c, d = split_range(S, n, risky); lo = S.draw("lo", f"int {a}..{b}"); hi = S.draw("hi", f"int {c}..{d}"); y = S.draw("y", f"int {lo}..{hi}"); S.variants.append(("plain", "", f"{y} + 1", "int")); S.variants.append(("other", f"vr1 = {y} * 2", "vr1", "int"))

def n_json_objectfile(S, n, risky):
    c, v = S.col("N"), S.col("V"); p = "[ab]" if n < 20 else "[a-z]{2}"; t = S.table([(c, f': {"" if risky else "unique "}pattern "{p}"'), (v, ": int 1..9")], "2", S.pick("csv", "sqlite", "xlsx")); j = S.name("j"); f = S.pick("json", "yaml"); S.add(f'{f} {j} at "{S.word()}.{f}" = object({t.col(c)}, {t.col(v)})'); S.show.append(f"see <<{j}>>"); S.result(f"sum({t.col(v)})", "int")
def n_big_text(S, n, risky):
    k = S.draw("k", f"int {0 if risky else 1}..999"); t = S.name("t"); S.add(f'text {t} at "{S.word()}.txt" = pad_left("x", if {k} == 0 then {S.pick("70_000_000", "300_000_000")} else 20, "z")'); S.show.append(f"see <<{t}>>"); S.result(f"{k} * 2", "int")
def n_pos_where(S, n, risky):
    c, g = S.col(), S.col("G"); f = S.pick("csv", "sqlite"); m, rows = (3, "4") if n < 20 else (10, "3"); t = S.table([(c, ": int 1..99"), (g, f": int 1..{m}")], rows, f); S.result(f"{f}_value({t.col(c)} where {g} {'> 0' if not risky else '> 1' if n >= 20 else '== 1'}, 1)", "int")
def n_pos_rowwhere(S, n, risky):
    c, g = S.col(), S.col("G"); m, rows = (3, "4") if n < 20 else (10, "3"); t = S.table([(c, ": int 1..99"), (g, f": int 1..{m}")], rows, "csv"); w = f"where {g} {'> 0' if not risky else '> 1' if n >= 20 else '== 1'}"
    if S.coin(): S.result(f"csv_row({t.ref} {w}, 1)", "list")
    else: S.result(f"csv_cell({t.ref} {w}, 1, 1)", "text")
def n_expect_any(S, n, risky):
    m = S.draw("w", f'weighted ["Oak": 1, "elm": {n}]' if risky else 'one_of ["yew", "elm"]'); S.matcher = ("Reply with the word.", f'expect reply text any_of ["{chr(60) * 2}{m}{chr(62) * 2}", "oak"] {S.pick("ignore case", "ignore case", "ignore punctuation")}')
def n_expect_punct(S, n, risky):
    m = S.draw("s", f'weighted ["{S.pick("--", ".", "!")}": 1, "elm": {n}]' if risky else 'one_of ["yew", "elm"]'); S.matcher = ("Reply with the text.", f"expect reply text {m} ignore punctuation")
def n_expect_matches(S, n, risky):
    m = S.draw("s", f'weighted ["{S.pick("(", "[a", "*", "a{9999999}")}": 1, "elm": {n}]' if risky else 'one_of ["yew", "[a-z]"]'); S.matcher = ("Reply with a text of this form and a digit.", f'expect reply matches "<<{m}>>[0-9]"')
def n_expect_path(S, n, risky):
    w = S.draw("w", "word"); k = S.draw("k", f"int {0 if risky else 1}..{max(n - 1, 1) if n < 900 else 900}"); S.matcher = ("Write 7 to the file as asked.", f'expect file "out/<<slice({w}, 1, {k})>>/n.txt" number {k} + 3')
def n_expect_pathsame(S, n, risky):
    a, b = S.name("w"), S.name("w"); S.add(f"{a}, {b} : {'' if risky else 'distinct '}{'gem' if n < 20 else 'word'}"); S.show.append(f"the names are <<{a}>> and <<{b}>>"); S.matcher = ("Write 7 to the first file and 8 to the second.", f'expect file "<<{a}>>.txt" number 7\n  expect file "<<{b}>>.txt" number 8')
def n_expect_newpath(S, n, risky):
    a, b = S.name("w"), S.name("w"); S.add(f"{a}, {b} : {'' if risky else 'distinct '}{'gem' if n < 20 else 'word'}"); S.show.append(f"the names are <<{a}>> and <<{b}>>"); t = S.name("t"); S.add(f'text {t} at "<<{a}>>.txt" : lorem words 5'); S.matcher = (f"Rename <<{t}>> to <<{b}>>.txt.", f'expect file "<<{b}>>.txt" bytes {t}\n  expect file {t} absent')
def n_rows_blob(S, n, risky):
    c = S.col(); t = S.table([(c, f": int {1 if risky else 2}..{4 * n}")], "3", S.pick("csv", "sqlite", "table")); S.matcher = (f"Reply with the rows as a table of {c} and B.", f"expect reply rows <<rows: SELECT {c}, CASE WHEN {c} = 1 THEN x'41' ELSE 'a' END AS B FROM {t.sql} ORDER BY {c}>>")
def n_rows_inf(S, n, risky):
    c = S.col(); t = S.table([(c, f": int 1..{4 if n < 20 else 5}" if risky else ": int 1..3")], "3" if n < 20 else "1"); S.matcher = (f"Reply with the rows as a table of {c} and B.", f"expect reply rows <<rows: SELECT {c}, {c} * {'6e307' if n < 20 or not risky else '4e307'} {'' if not risky else '+ 0.0'} AS B FROM {t.sql} ORDER BY {c}>>" if not risky else f"expect reply rows <<rows: SELECT {c}, {c} * {'6e307'} AS B FROM {t.sql} ORDER BY {c}>>")
def n_rows_sql(S, n, risky):
    t, i, c = fixed_table(S, 4, "sqlite"); k = S.draw("k", f"int {0 if risky else 1}..{n}"); S.matcher = (f"Reply with one SQLite query in a sql block.", f"expect reply fenced \"sql\" sql {t.file} <<rows: SELECT {i}, abs(-9223372036854775807 - (:{k} = 0)) AS B FROM {t.sql} WHERE {i} <= 2>>")
def n_list_blob(S, n, risky):
    c = S.col(); t = S.table([(c, f": int {1 if risky else 2}..{4 * n}")], "4"); S.result(f"count(<<list: SELECT CASE WHEN {c} = 1 THEN x'41' ELSE 'a' END FROM {t.sql}>>)", "int")
def n_array_nested(S, n, risky):
    j = S.name("j"); f = S.pick("json", "yaml"); k = S.draw("k", f"int {1 if risky else 2}..{max(3, min(n, 200))}"); S.add(f'{f} {j} at "{S.word()}.{f}" {{ kind : gem  parts : [ {{ id : serial  marks : [ int 1..9 ; 2..{k} ] }} ; 2 ] }}'); S.show.append(f"see <<{j}>>"); S.result(f"count({j}.parts.marks)", "int")
def n_unique_array(S, n, risky):
    j = S.name("j"); f = S.pick("json", "yaml", "xml"); k = 'root ' if f == "xml" else ''; S.add(f'{f} {j} at "{S.word()}.{f}" {k}{{ kind : gem  parts : [ {{ id : unique int 1..6  n : int 1..99 }} ; {"1" if n >= 20 else "4"}..{(9 if n < 20 else 7) if risky else 6} ] }}'); S.show.append(f"see <<{j}>>"); S.result(f"coalesce(sum({j}.parts.n), 0)", "int")
def n_tokens_div(S, n, risky):
    w = S.draw("w", "word"); S.result(f"60 / (tokens({w}) {'- 1' if risky else '+ 1'})", "float")
def n_intercept_div(S, n, risky):
    a, b = S.col("A"), S.col("B"); t = S.table([(a, f": int 1..{2 if n < 20 else 8}"), (b, ": int 1..99")], "2" if n < 20 else "4"); x = S.comp("u", f"intercept({t.col(a)}, {t.col(b)})"); S.req(f"{x} != null"); S.result(x if not risky else f"60 / floor({x} - {x})" if S.coin(.1) else f"60 / floor(abs({x}))" if risky else x, "float")

NATURAL = {k[2:]: v for k, v in list(globals().items()) if k.startswith("n_") and callable(v)}
NATURAL.pop("rows_axisless", None)
NO_TWIN = {"sql_inf", "sql_inf2"}
CONSTRUCTS = sorted([f"e:{k}" for k in ESINKS] + [f"d:{k}" for k in DSINKS] + [f"n:{k}" for k in NATURAL])
EXCLUSIVE = {"n:expect_any", "n:expect_punct", "n:expect_matches", "n:expect_path", "n:expect_pathsame", "n:expect_newpath", "n:rows_blob", "n:rows_inf", "n:rows_sql", "d:insert", "d:after_null", "d:after_key", "d:edit_index", "n:require_changed", "n:json_edit", "n:json_editfilter", "n:json_append", "d:variant", "n:variant_div", "d:stage", "n:stage_div", "n:stage_files",
             "n:guard_len", "n:bytes_empty", "n:variant_range", "n:expect_empty", "n:expect_joined", "n:expect_blanktext", "e:slice_empty", "n:fixture_each"} | {k for k in CONSTRUCTS if k.startswith("n:after_") and k != "n:after_div"}

def make(rng, ident):
    S = Suite(rng, ident)
    k = rng.choices([1, 2, 3], [.6, .27, .13])[0]
    names = []
    while len(names) < k:
        pool = rng.choices(["e", "d", "n"], [.25, .25, .5])[0]
        c = rng.choice([x for x in CONSTRUCTS if x[0] == pool])
        if c in names or (names and c in EXCLUSIVE): continue
        names.append(c)
        if c in EXCLUSIVE: break
    head = []
    safe_rest = k > 1 and rng.random() < .6    # so that a stop can be put down to one construct
    for j, c in enumerate(names):
        n, lvl = rng.choices([(2, "half"), (1000, "rare"), (200, "rare"), (20, "some"), (1, "always")], [.42, .33, .1, .11, .04])[0]
        risky = rng.random() < .5
        if safe_rest and j > 0 and any("risky" in h for h in head): risky = False
        kind, nm = c.split(":")
        src = ""
        if kind == "n":
            n = max(n, 2); NATURAL[nm](S, n, risky)
            lvl = "half" if lvl == "always" else lvl
        else:
            f = (ESINKS if kind == "e" else DSINKS)[nm]
            guards = ["numbers", "numbers", "plus1", "greatest"] + (["require"] if n > 1 else []) + (["if", "if", "if"] if kind == "e" else [])
            g = rng.choice(guards)
            if not risky and n == 1 and g in ("if",): g = "numbers"
            src = danger(S, n, risky, g, nm, kind, f)
            src = ":" + src + ("" if risky else ":" + g)
        head.append(f"{kind}.{nm}={'risky' if risky else 'safe'}:{lvl}{src}")
    for _ in range(rng.choice([0, 0, 0, 1])):
        w = S.draw("extra", rng.choice(["word", "int 1..99", "city", "date", "decimal 0.00..9.99", "person_name"]))
    return S.text("# hunt: " + " ".join(head)), S.fixture

FIXTURE = "CODE,RATE,STOCK,ZERO\nCHF,0.94,20,4\nGBP,0.85,31,0\nUSD,1.08,55,7\nDKK,7.46,70,2\nSEK,11.30,88,9\n"

def fixtures(out):
    os.makedirs(os.path.join(out, "fixtures"), exist_ok=True); os.makedirs(os.path.join(out, "lakes", "stations"), exist_ok=True)
    with open(os.path.join(out, "fixtures", "rates.csv"), "w") as f: f.write(FIXTURE)
    for p, rows in (("kiel", "2001,12,0\n2002,9,3\n2003,5,4\n"), ("ulm", "2001,30,1\n2002,44,2\n")):
        with open(os.path.join(out, "lakes", "stations", p + ".csv"), "w") as f: f.write("YEAR,MM,DRY\n" + rows)

def write(a):
    os.makedirs(a.out, exist_ok=True)
    fixtures(a.out)
    seen = collections.Counter()
    for i in range(1, a.count + 1):
        rng = random.Random(f"{a.seed}/{i}")
        text, _ = make(rng, f"h{i:05d}")
        for nm, r, _ in head_of(text): seen[nm, r] += 1
        with open(os.path.join(a.out, f"h{i:05d}.pcd"), "w", encoding="utf-8") as f: f.write(text)
    print(f"{a.count} suites in {a.out}; {len({k for k, _ in seen})} of {len(CONSTRUCTS)} constructs; "
          f"{sum(v for (k, r), v in seen.items() if r == 'risky')} risky, {sum(v for (k, r), v in seen.items() if r == 'safe')} safe")

def head_of(text):
    m = re.match(r"# hunt: (.*)", text)
    out = []
    for w in (m.group(1).split() if m else []):
        k, v = w.split("=", 1)
        p = v.split(":")
        out.append((k, p[0], ":".join(p[1:])))
    return out

# ------------------------------------------------------------------ judging

def run(cmd, timeout):
    t = time.time()
    p = subprocess.Popen(cmd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    try:
        o, e = p.communicate(timeout=timeout)
        return p.returncode, o.decode("utf-8", "replace"), e.decode("utf-8", "replace"), time.time() - t
    except subprocess.TimeoutExpired:
        os.killpg(p.pid, signal.SIGKILL)      # only the group of the program that was started here
        o, e = p.communicate()
        return "timeout", o.decode("utf-8", "replace"), e.decode("utf-8", "replace"), time.time() - t

# The last sentence of `check`, which only the form for people has. Observations of the net come after it.
CANNOT = "the build cannot stop"

def read_sentence(path, a):
    """the last sentence of check; None if there is none"""
    _, _, e, _ = run([a.picardc, "check", path] + shlex.split(a.check_args), a.timeout)
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", l).strip() for l in e.strip().split("\n")]
    at = max((n for n, l in enumerate(lines) if re.match(r"\d+ files?: no errors|\d+ (errors?|warnings?)\b", l)), default=None)
    return " ".join(lines[at + 1:]) or None if at is not None else None

def judge_one(path, a, known):
    with open(path, encoding="utf-8") as f: text = f.read()
    res = {"file": os.path.basename(path), "constructs": head_of(text)}
    rc, o, e, t = run([a.picardc, "check", "--format", "json", path] + shlex.split(a.check_args), a.timeout)
    ds = []
    for l in o.splitlines():
        if l.strip().startswith("{"):
            try: ds.append(json.loads(l))
            except ValueError: pass
    res["check"] = {"status": rc, "seconds": round(t, 2), "errors": [[d.get("code"), d.get("line"), d.get("message")] for d in ds if d.get("severity") == "error"],
                    "warnings": [[d.get("code"), d.get("line"), d.get("message")] for d in ds if d.get("severity") == "warning"]}
    if rc not in (0, 1): res["check"]["stderr"] = e[-2000:]
    res["check"]["sentence"] = read_sentence(path, a)
    if res["check"]["errors"] or rc not in (0, 1) or (rc == 1 and not ds):
        res["build"] = None
        return res
    if res["file"] in known:
        res["build"] = known[res["file"]]
        return res
    tmp = tempfile.mkdtemp(prefix="hunt-")
    try:
        out = os.path.join(tmp, "out")
        rc, o, e, t = run([a.builder or a.picardc, "build", path, "-o", out, "--seed", str(a.build_seed), "--samples", str(a.samples), "--force", "--quiet"] + shlex.split(a.build_args), a.timeout)
    finally:
        shutil.rmtree(tmp, ignore_errors=True)
    e = re.sub(r"\x1b\[[0-9;]*m", "", e)
    m = re.search(r"error(?:\[([A-Z]\d{4})\])?:?\s*(.*)", e)
    code = (m.group(1) if m and m.group(1) else None) or next(iter(re.findall(r"\bE\d{4}\b", e)), None)
    stopped = rc != 0
    x = re.search(r"×\s*(.*(?:\n\s+│\s.*)*)", e)
    said = re.sub(r"\s*\n\s+│\s*", " ", x.group(1)).strip() if x else None
    at = re.search(r"\.pcd:(\d+):(\d+)\]", e)
    where = text.split("\n")[int(at.group(1)) - 1].strip()[:200] if at and int(at.group(1)) <= text.count("\n") else None
    res["build"] = {"status": rc, "seconds": round(t, 2), "stopped": stopped, "code": code if stopped else None,
                    "kind": "no" if not stopped else "timeout" if rc == "timeout" else "crash" if isinstance(rc, int) and (rc < 0 or rc > 3) else "usage or I/O" if rc in (2, 3) else "stop",
                    "source_line": where if stopped else None,
                    "message": (said if said else m.group(2) if m else e.strip().split("\n")[0] if e.strip() else "")[:400] if stopped else None}
    if stopped: res["build"]["stderr"] = e[:3000]
    return res

def judge(a):
    files = sorted(os.path.join(a.dir, f) for f in os.listdir(a.dir) if f.endswith(".pcd"))
    if a.limit: files = files[:a.limit]
    results = []
    out = os.path.join(a.dir, "results.jsonl")
    known = {}
    if a.reuse and os.path.exists(out):
        with open(out, encoding="utf-8") as f: known = {r["file"]: r["build"] for r in map(json.loads, f) if r["build"]}
    with open(out, "w", encoding="utf-8") as w, concurrent.futures.ThreadPoolExecutor(a.jobs) as ex:
        for n, r in enumerate(ex.map(lambda p: judge_one(p, a, known), files), 1):
            w.write(json.dumps(r, ensure_ascii=False) + "\n"); w.flush()
            results.append(r)
            if n % 100 == 0: print(f"{n}/{len(files)}", file=sys.stderr)
    table(results)

# Warnings that speak of a stop. Others are told, too, but say nothing of a stop.
ABOUT_STOPS = re.compile(r"W0305|W0403|W0405|W042[0-4]|W0241")

CLASSES = (("SAID 'CANNOT STOP' & stopped", "claimed & stopped"), ("NOT A WORD & stopped", "silent & stopped"), ("told by the sentence only & stopped", "sentence & stopped"),
           ("told by a warning & stopped", "told & stopped"), ("never stopped, 'cannot stop'", "claimed & never"), ("never stopped, nothing said", "silent & never"),
           ("never stopped, told by the sentence only", "sentence & never"), ("never stopped, told by a warning", "told & never"))

def said_of(r):
    """what check says of a stop: told (by a warning), claimed (that there is none), sentence (that it is not known), or silent"""
    if any(ABOUT_STOPS.match(w[0] or "") for w in r["check"]["warnings"]): return "told"
    x = r["check"].get("sentence")
    return "silent" if not x else "claimed" if x.startswith(CANNOT) else "sentence"

def cls(r):
    if r["build"] is None: return "refused"
    if r["build"]["kind"] in ("timeout", "usage or I/O"): return "other"
    return said_of(r) + (" & stopped" if r["build"]["kind"] in ("stop", "crash") else " & never")

def table(results):
    C = collections.Counter(cls(r) for r in results)
    never = sum(v for k, v in C.items() if k.endswith("& never"))
    share = lambda k: f"  ({100 * C[k] / max(never, 1):.1f} % of those that never stopped)" if k.endswith("& never") else ""
    print(f"\n{'suites':44} {len(results)}\n{'refused by check (errors)':44} {C['refused']}")
    for title, k in CLASSES: print(f"{title:44} {C[k]}{share(k)}")
    print(f"{'timeout, usage or I/O':44} {C['other']}")
    built = [r for r in results if r["build"] is not None]
    of = lambda k: [r for r in built if cls(r) == k]
    for title, sel in (("SAID 'CANNOT STOP' & stopped", of("claimed & stopped")), ("not a word & stopped", of("silent & stopped")), ("told by the sentence only & stopped", of("sentence & stopped")),
                       ("never stopped & told by a warning", of("told & never")),
                       ("crashes of check or build", [r for r in results if (r["build"] and r["build"]["kind"] == "crash") or r["check"]["status"] not in (0, 1)]),
                       ("timeouts, usage errors", of("other"))):
        if not sel: continue
        print(f"\n== {title}: {len(sel)}")
        for r in sel:
            cs = " ".join(f"{k}={v}:{d}" for k, v, d in r["constructs"])
            b = r["build"] or {}
            ws = ",".join(sorted({w[0] or "?" for w in r["check"]["warnings"]}))
            if r["check"].get("sentence") and cls(r) == "sentence & stopped": ws += " " + r["check"]["sentence"][:200]
            print(f"  {r['file']}  {b.get('code') or b.get('status') or r['check']['status']}  {cs}{'  told ' + ws if ws else ''}\n      {(b.get('message') or '')[:160]}{'   at: ' + b['source_line'][:110] if b.get('source_line') else ''}")
    print("\n== by kind of suite")
    for title, f in (("every construct safe", lambda r: all(v == "safe" for _, v, _ in r["constructs"])), ("some construct risky", lambda r: any(v == "risky" for _, v, _ in r["constructs"]))) + tuple(
            (f"one risky, {l}", lambda r, l=l: [d.split(":")[0] for _, v, d in r["constructs"] if v == "risky"] == [l]) for l in ("always", "half", "some", "rare")):
        c = collections.Counter(cls(r) for r in results if f(r))
        print(f"  {title:22} {sum(c.values()):5}: refused {c['refused']}, " + ", ".join(f"{k} {c[k]}" for _, k in CLASSES if c[k]))
    print("\n== what the sentence says of suites that never stopped")
    for k, v in collections.Counter(shape_sentence(r["check"].get("sentence")) for r in of("sentence & never")).most_common(40): print(f"  {v:5} {k}")
    print("\n== by codes")
    about = lambda r: {w[0] for w in r["check"]["warnings"] if ABOUT_STOPS.match(w[0] or "")}
    other = lambda r: {w[0] for w in r["check"]["warnings"]} - about(r)
    ends = lambda r, end: cls(r).endswith(end)
    for title, f in (("check errors", lambda r: {e[0] for e in r["check"]["errors"]}), ("of stops, stopped", lambda r: about(r) if ends(r, "& stopped") else ()), ("of stops, never stopped", lambda r: about(r) if ends(r, "& never") else ()),
                     ("other warnings, stopped", lambda r: other(r) if ends(r, "& stopped") else ()), ("other warnings, never", lambda r: other(r) if ends(r, "& never") else ()),
                     ("build codes, without warning", lambda r: {r["build"]["code"]} if ends(r, "& stopped") and cls(r) != "told & stopped" else ()),
                     ("build codes, told", lambda r: {r["build"]["code"]} if cls(r) == "told & stopped" else ())):
        c = collections.Counter(str(x) for r in results for x in f(r))
        print(f"  {title:28} " + "  ".join(f"{k} {v}" for k, v in c.most_common()))
    print("\n== by construct (a suite with several constructs counts for each; ALONE: suites in which it is the only construct, or the only risky one)")
    per = collections.defaultdict(collections.Counter)
    codes = collections.defaultdict(collections.Counter)
    for r in results:
        risky = [k for k, v, _ in r["constructs"] if v == "risky"]
        for k, v, d in r["constructs"]:
            alone = len(r["constructs"]) == 1 or (v == "risky" and risky == [k])
            per[k, v][cls(r)] += 1
            if alone: per[k, v]["A " + cls(r)] += 1
            if r["build"] and r["build"]["stopped"] and alone: codes[k, v][r["build"]["code"] or str(r["build"]["status"])] += 1
            if r["build"] is None and alone:
                for e in {e[0] for e in r["check"]["errors"]}: codes[k, v][f"check {e}"] += 1
            if r["build"] is not None and alone:
                for e in {e[0] for e in r["check"]["warnings"]}: codes[k, v][f"{e}{'+' if r['build']['stopped'] else '-'}"] += 1
    short = ("CLAIM&ST", "none&st", "sent&st", "told&st", "claim&nv", "none&nv", "sent&nv", "told&nv")
    print(f"  {'construct':24} {'':5} {'all':>4} {'refus':>5} | " + " ".join(f"{x:>8}" for x in short) + " | alone: the same; codes (W+ stopped, W- never)")
    for k, v in sorted(per):
        c = per[k, v]
        print(f"  {k:24} {v:5} {sum(n for x, n in c.items() if not x.startswith('A ')):4} {c['refused']:5} | " + " ".join(f"{c[x]:8}" for _, x in CLASSES) + " | "
              + " ".join(str(c["A " + x]) for _, x in CLASSES) + "; " + " ".join(f"{x} {n}" for x, n in codes[k, v].most_common(6)))

def shape_sentence(s):
    """the sentence without what differs from suite to suite"""
    return re.sub(r"`[^`]*`", "`…`", re.sub(r"\d+", "N", s or ""))

def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    sub = p.add_subparsers(dest="cmd", required=True)
    w = sub.add_parser("write"); w.add_argument("--count", type=int, default=3000); w.add_argument("--seed", default="1"); w.add_argument("--out", required=True)
    j = sub.add_parser("judge"); j.add_argument("dir"); j.add_argument("--picardc", required=True); j.add_argument("--samples", type=int, default=1000); j.add_argument("--jobs", type=int, default=1)
    j.add_argument("--check-args", default=""); j.add_argument("--build-args", default=""); j.add_argument("--build-seed", default="1"); j.add_argument("--timeout", type=float, default=60); j.add_argument("--limit", type=int, default=0)
    j.add_argument("--builder"); j.add_argument("--reuse", action="store_true")
    t = sub.add_parser("table"); t.add_argument("dir")
    sub.add_parser("list")
    a = p.parse_args()
    if a.cmd == "write": write(a)
    elif a.cmd == "judge": judge(a)
    elif a.cmd == "table":
        with open(os.path.join(a.dir, "results.jsonl"), encoding="utf-8") as f: table([json.loads(l) for l in f])
    else:
        print("\n".join(CONSTRUCTS)); print(len(CONSTRUCTS))

if __name__ == "__main__": main()
