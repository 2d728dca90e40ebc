"""Random valid suites for recompute.py: their text, and a description of what every expected value is.

A description has expression trees and SQL. A tree is a list: `["+", ["col", "PAY"], ["int", 1]]`. Conditions and
expected values are in `["mark", number, tree]`, so that a diagnostic can be found again by its place in the text.
"""
import datetime as dt, json, random, re
from decimal import Decimal

COMPARE = ("==", "!=", "<", "<=", ">", ">=")


def render_value(v):
    """The text of a value in a string, as the table of types says."""
    if isinstance(v, bool):
        return "true" if v else "false"
    if isinstance(v, Decimal):
        return f"{v:f}"
    if isinstance(v, dt.datetime):
        return v.strftime("%Y-%m-%dT%H:%M:%S")
    if isinstance(v, dt.date):
        return v.isoformat()
    if isinstance(v, list):
        return ", ".join(render_value(x) for x in v)
    return repr(v) if isinstance(v, float) else str(v)


def quote_name(n):
    return n if re.fullmatch(r"\w+", n) else f'"{n}"'


# ------------------------------------------------------------------ writing trees as text

LEVEL = {"or": 1, "and": 2, "not": 3, "in": 4, "notin": 4, "isnull": 4, "notnull": 4, "+": 5, "-": 5, "*": 6, "/": 6, "if": 0}
LEVEL.update({c: 4 for c in COMPARE})


def strip_marks(s):
    return re.sub("\x01\\d+\x02|\x03", "", s)


def quote_text(s):
    return '"' + s.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("<<", "\\<<") + '"'


def write_pcd(t, task, want=0, table=None, full=False):
    """A tree in the language. `table` is the table whose row it is about."""
    k = t[0]
    go = lambda x, n=0: write_pcd(x, task, n, table, full)
    if k == "mark":
        return f"\x01{t[1]}\x02" + go(t[2], want) + "\x03"
    level = LEVEL.get(k, 8)
    if k == "int":
        s = f"{t[1]:_}" if t[1] > 9999 else str(t[1])
        level = 7 if t[1] < 0 else 8
    elif k == "dec":
        s, level = t[1], 7 if t[1][0] == "-" else 8
    elif k == "date":
        s = t[1]
    elif k == "dt":
        s = t[1]
    elif k == "text":
        s = quote_text(t[1])
    elif k == "bool":
        s = "true" if t[1] else "false"
    elif k == "dur":
        s = f"{t[1]} {t[2] if t[1] != 1 else t[2][:-1]}"
    elif k == "null":
        s = "null"
    elif k == "name":
        s = t[1]
    elif k == "col":
        s = f"{task['tables'][table]['ref']}.{t[1]}" if full else t[1]
    elif k in COMPARE:
        s = f"{go(t[1], 5)} {k} {go(t[2], 5)}"
    elif k in ("+", "-", "*", "/"):
        s = f"{go(t[1], level)} {k} {go(t[2], level + 1)}"
    elif k in ("and", "or"):
        s = f"{go(t[1], level)} {k} {go(t[2], level + 1)}"
    elif k == "not":
        s = f"not {go(t[1], 4)}"
    elif k in ("in", "notin"):
        s = f"{go(t[1], 5)} {'in' if k == 'in' else 'not in'} [{', '.join(go(x) for x in t[2])}]"
    elif k in ("isnull", "notnull"):
        s = f"{go(t[1], 5)} {'==' if k == 'isnull' else '!='} null"
    elif k == "if":
        s = f"if {go(t[1])} then {go(t[2])} else {go(t[3])}"
    elif k == "call":
        s = f"{t[1][3:] if t[1].startswith('of_') else t[1]}({', '.join(go(x) for x in t[2])})"
    elif k == "str":
        s = '"' + "".join(quote_text(x)[1:-1] if isinstance(x, str) else f"<<{go(x)}>>" for x in t[1]) + '"'
    elif k == "list":
        s = f"[{', '.join(go(x) for x in t[1])}]"
    elif k == "obj":
        s = "{ " + ", ".join(f"{n}: {go(x)}" for n, x in t[1]) + " }"
    elif k == "agg":
        ref = task["tables"][t[2]]["ref"]
        args = [write_pcd(e, task, 0, t[2], True) for e in t[3]] or [ref]
        if t[4] is not None:
            args[-1] += " where " + write_pcd(t[4], task, 0, t[2])
        s = f"{t[1]}({', '.join(args + [go(x) for x in t[5]])})"
    elif k == "sql":
        n = t[1]
        s = f"<<sqlite_query: {n['db']}, {n['text']}>>" if n.get("db") else f"<<{n['as']}: {n['text']}>>"
    elif k == "rowat":
        s = f"{t[1]}({task['tables'][t[2]]['ref']}.{t[3]}, {go(t[4])})"
    elif k == "file":
        s = f"{t[1]}({', '.join([t[2]] + [go(x) for x in t[3]])})"
    elif k == "jp":
        s = f"<<json_{t[1]}: {t[2]}, {write_path(t[3])}>>"
    elif k == "xp":
        spec = f"/{task['files'][t[2]]['root']}/{t[3]}" + (f"[{write_xpath(t[4])}]" if t[4] else "")
        s = f"<<xpath_{t[1]}: {t[2]}, {spec}{'/' + '@' * t[5][2] + t[5][1] if t[5] else ''}>>"
    elif k == "edit":
        s = f"edit({t[1]}, {quote_text(strip_marks(write_path(t[2])))}, {go(t[3])})"
    elif k == "changed":
        s = f"changed({t[1]})"
    else:
        raise KeyError(k)
    return f"({s})" if level < want else s


def write_path(steps):
    out = "$"
    for s in steps:
        out += {"key": lambda: "." + s[1], "at": lambda: f"[{s[1]}]", "all": lambda: "[*]", "if": lambda: f"[?{write_filter(s[1])}]"}[s[0]]()
    return out


def write_filter(t):
    k = t[0]
    if k == "mark":
        return f"\x01{t[1]}\x02{write_filter(t[2])}\x03"
    if k in ("and", "or"):
        return f"({write_filter(t[1])} {'&&' if k == 'and' else '||'} {write_filter(t[2])})"
    if k == "not":
        return f"!({write_filter(t[1])})"
    b = t[2]
    return f"@.{t[1][1]} {k} " + ("null" if b[0] == "null" else json.dumps(b[1], ensure_ascii=False) if b[0] in ("text", "date", "dt", "bool") else str(b[1]))


def write_xpath(t):
    k = t[0]
    if k == "mark":
        return f"\x01{t[1]}\x02{write_xpath(t[2])}\x03"
    if k in ("and", "or"):
        return f"({write_xpath(t[1])} {k} {write_xpath(t[2])})"
    if k == "not":
        return f"not({write_xpath(t[1])})"
    b = t[2]
    return f"{'@' * t[1][2]}{t[1][1]} {'=' if k == '==' else k} " + (json.dumps(b[1], ensure_ascii=False) if b[0] == "text" and "'" in b[1] else f"'{b[1]}'" if b[0] == "text" else str(b[1]))


def write_sql(t, task, alias=""):
    """A tree in SQL. Names become parameters."""
    k = t[0]
    go = lambda x: write_sql(x, task, alias)
    if k == "mark":
        return f"\x01{t[1]}\x02{go(t[2])}\x03"
    if k == "raw":
        return t[1].replace("{0}", alias + quote_name(t[2]))
    if k in ("int", "dec"):
        return str(t[1])
    if k in ("text", "date", "dt"):
        return "'" + t[1].replace("'", "''") + "'"
    if k == "bool":
        return str(int(t[1]))
    if k == "name":
        return ":" + t[1]
    if k == "col":
        return alias + quote_name(t[1])
    if k in COMPARE:
        return f"{go(t[1])} {'=' if k == '==' else k} {go(t[2])}"
    if k in "+-*":
        return f"({go(t[1])} {k} {go(t[2])})"
    if k in ("and", "or"):
        return f"({go(t[1])} {k.upper()} {go(t[2])})"
    if k == "not":
        return f"NOT ({go(t[1])})"
    if k in ("in", "notin"):
        return f"{go(t[1])} {'IN' if k == 'in' else 'NOT IN'} ({', '.join(go(x) for x in t[2])})"
    if k in ("isnull", "notnull"):
        return f"{go(t[1])} IS {'NOT ' if k == 'notnull' else ''}NULL"
    if k == "call":
        f = t[1]
        if f in ("year", "month", "day", "hour"):
            return f"CAST(strftime('{ {'year': '%Y', 'month': '%m', 'day': '%d', 'hour': '%H'}[f] }', {go(t[2][0])}) AS INTEGER)"
        if f == "mod":
            return f"({go(t[2][0])} % {go(t[2][1])})"
        return f"{ {'len': 'LENGTH', 'upper': 'UPPER', 'lower': 'LOWER', 'abs': 'ABS', 'coalesce': 'COALESCE'}[f] }({', '.join(go(x) for x in t[2])})"
    if k == "agg":
        e = write_sql(t[3][0], task) if t[3] else "*"
        where = f" WHERE {write_sql(t[4], task)}" if t[4] else ""
        return f"(SELECT {t[1].upper()}({e}) FROM {task['tables'][t[2]]['sql']}{where})"
    raise KeyError(k)


# ------------------------------------------------------------------ the generator

WORDS = "amber birch cedar delta ember fjord grove heath inlet jetty knoll ledge maple north olive pearl quill ridge slate thorn".split()
ODD = ["Ähre", "straße", "ñandú", "O'Neil", 'say "hi"', "a, b", "x;y", "1 < 2 & 3", "Zoë", "École", "Mary Ann", "x|y", "007", "-5", "true", "NULL", "2024-01-01", "[x]", "50%", "a_b"]
OPEN = ["word", "city", "person_name", "department", "first_name", "color", "gem"]


def write_day(n):
    return (dt.date(2019, 1, 1) + dt.timedelta(days=n)).isoformat()


class Writer:
    """Draws one suite: its text, and what its values are."""

    def __init__(self, rng, name):
        self.r, self.suite, self.count, self.marks, self.body = rng, name, 0, {}, []

    def make_name(self, base):
        self.count += 1
        return f"{base}{self.count}"

    def flip(self, p):
        return self.r.random() < p

    def mark(self, ctx, tree, table=None):
        self.count += 1
        self.marks[self.count] = {"ctx": ctx, "tree": tree, "table": table, "task": self.task["name"], "variant": self.variant}
        return ["mark", self.count, tree]

    def mark_sql(self, text, source):
        """A condition in SQL, with a query that gives its values."""
        i = self.mark("sql", f"SELECT {text} FROM {source}")[1]
        return f"\x01{i}\x02{text}\x03"

    # ---- domains

    def draw_domain(self, types=None, column=True):
        """A domain as text, and what is known of its values."""
        r = self.r
        kind = r.choice(types or ["int"] * 4 + ["dec"] * 3 + ["date"] * 2 + ["dt", "bool", "bool"] + ["text"] * 4)
        c = {"t": kind, "null": False}
        if kind == "int":
            way = r.random()
            lo = r.choice([0, 0, 1, 1, 5, 10, 100, -5, 1000])
            hi = lo + r.choice([1, 3, 5, 9, 20, 50, 99, 400, 90_000])
            text = f"int {lo}..{hi}"
            if way < 0.08 and hi - lo > 10:
                text, hi = f"int {lo}..{hi} step 5", lo + (hi - lo) // 5 * 5
            elif way < 0.14:
                c["pool"] = sorted(r.sample(range(1, 50), r.randint(2, 4)))
                lo, hi, text = c["pool"][0], c["pool"][-1], f"one_of {c['pool']}"
            elif way < 0.20:
                lo, hi, text = 0, 100, f"normal mean {r.randint(30, 70)} sd {r.randint(5, 30)} 0..100"
            elif way < 0.24:
                lo, hi, text = 1, r.choice([5, 20]), ""
                text = f"zipf {hi}"
            elif way < 0.27:
                lo, hi, text = 10, 500, "lognormal mean 4.0 sd 0.5 10..500"
            c.update(lo=lo, hi=hi)
        elif kind == "dec":
            p = r.choice([1, 2, 2, 3])
            lo, hi = sorted(r.sample(range(0, 5000), 2))
            if self.flip(0.1):
                lo = -lo
            q = Decimal(1).scaleb(-p)
            lo, hi = (Decimal(lo) / 10).quantize(q), (Decimal(hi) / 10).quantize(q)
            c.update(lo=str(lo), hi=str(hi), places=p)
            text = f"decimal {lo}..{hi}" + (f" step {q * 5}" if self.flip(0.1) and hi - lo > q * 9 else "")
        elif kind == "date":
            a = r.randint(0, 1800)
            b = a + r.choice([3, 30, 364, 800])
            c.update(lo=write_day(a), hi=write_day(b))
            text = f"date {c['lo']}..{c['hi']}"
        elif kind == "dt":
            a = r.randint(0, 1800)
            c.update(lo=f"{write_day(a)}T{r.randint(0, 9):02}:00:00", hi=f"{write_day(a + r.choice([0, 1, 60]))}T{r.randint(12, 23)}:30:00")
            text = f"datetime {c['lo']}..{c['hi']}" + (" step 15 minutes" if self.flip(0.3) else "")
        elif kind == "bool":
            text = r.choice(["bool", "bool 80%", "bool 25%"] + ["bool exactly 1"] * (column and self.flip(0.2)) + ["bool 100%"] * self.flip(0.05))
        else:
            way = r.random()
            if way < 0.45:
                c["pool"] = r.sample(WORDS, r.randint(2, 5))
                if column and self.odd and self.flip(0.4):
                    c["pool"][:2] = r.sample(ODD, 2)
                text = "one_of [" + ", ".join(quote_text(x) for x in c["pool"]) + "]"
            elif way < 0.6:
                c["pool"] = r.sample(WORDS, 3)
                text = "weighted [" + ", ".join(f'"{x}": {n}' for x, n in zip(c["pool"], (60, 30, 10))) + "]"
            elif way < 0.7:
                text = r.choice(['pattern "[A-C][0-9]{2}"', 'pattern "(AB|CD)-[1-3]{3}"', 'pattern "[a-f]{4}"'])
            elif way < 0.76:
                text = 'template "<<color>>-<<metal>>"'
            elif way < 0.82:
                text = "lorem words 1..3" if column else "word"
            else:
                text = r.choice(OPEN)
            if c.get("pool") and len(c["pool"]) > 2 and "one_of" in text and self.flip(0.1):
                text += f' except "{c["pool"].pop()}"'
        if column and self.flip(0.07) and kind == "int" and text.startswith("int") and "step" not in text and c["hi"] - c["lo"] >= 90:
            text, c["uniq"] = "unique " + text, True
        elif column and self.flip(0.06) and text.split()[0] in ("int", "date", "datetime", "decimal"):
            text = "sorted " + text
        elif self.flip(0.33) and "exactly" not in text:
            text, c["null"] = text + f" blank {r.choice([5, 20, 50])}%", True
        return text, c

    def pick_near(self, c):
        """A literal near the values of a column or name: inside, at a bound, or just beyond."""
        r, t = self.r, c["t"]
        if t == "int":
            if c.get("pool") and self.flip(0.6):
                return ["int", r.choice(c["pool"])]
            lo, hi = c.get("lo", 0), c.get("hi", 100)
            return ["int", r.choice([lo - 1, lo, lo + 1, (lo + hi) // 2, hi - 1, hi, hi + 1] + [r.randint(lo, hi) for _ in range(6)])]
        if t in ("dec", "float"):
            p = 1 if c.get("places") is None else c["places"]
            q = Decimal(1).scaleb(-p)
            lo, hi = Decimal(c.get("lo", "0.0")), Decimal(c.get("hi", "50.0"))
            mid = [(lo + (hi - lo) * r.randint(1, 99) / 100).quantize(q) for _ in range(5)]
            return ["dec", str(r.choice([lo - q, lo, lo + q, hi - q, hi, hi + q] + mid))]
        if t == "date":
            lo, hi = dt.date.fromisoformat(c.get("lo", "2020-01-01")), dt.date.fromisoformat(c.get("hi", "2025-12-31"))
            d = r.choice([lo - dt.timedelta(1), lo, hi, hi + dt.timedelta(1)] + [lo + dt.timedelta(r.randint(0, (hi - lo).days)) for _ in range(5)])
            return ["date", d.isoformat()]
        if t == "dt":
            lo, hi = dt.datetime.fromisoformat(c.get("lo", "2020-01-01T00:00:00")), dt.datetime.fromisoformat(c.get("hi", "2025-12-31T00:00:00"))
            d = r.choice([lo, hi, hi + dt.timedelta(seconds=1)] + [lo + (hi - lo) * r.randint(1, 99) // 100 for _ in range(4)])
            return ["dt", render_value(d.replace(microsecond=0))]
        if t == "bool":
            return ["bool", self.flip(0.5)]
        return ["text", r.choice((c.get("pool") or []) * 3 + [r.choice(WORDS), "m", "B2", "AB-123"])]

    def pick_middle(self, c):
        """A literal within the values of an int or a date."""
        if c["t"] == "int":
            return ["int", c["pool"][0] if c.get("pool") else self.r.randint(c["lo"], c["hi"])]
        lo, hi = dt.date.fromisoformat(c["lo"]), dt.date.fromisoformat(c["hi"])
        return ["date", (lo + (hi - lo) / 2).isoformat()]

    # ---- expressions

    def pick(self, scope, types):
        """A column or name of one of these types: its tree and facts, or None."""
        found = [(k, c) for k in ("col", "name") for c in scope[k] if c["t"] in types]
        if not found:
            return None
        cols = [x for x in found if x[0] == "col"]
        k, c = self.r.choice(cols if cols and self.flip(0.75) else found)
        return [k, c["n"]], c

    def fill_null(self, tree, c):
        """The tree, or something in its place where it is null."""
        if not c["null"]:
            return tree
        other = self.pick_near(c)
        return ["call", "coalesce", [tree, other]] if self.flip(0.7) else ["if", ["notnull", tree], tree, other]

    def make_number(self, scope, depth, solid, sql=False):
        """A number: its tree, its type, whether it can be null."""
        r = self.r
        if depth == 0 or self.flip(0.35):
            got = self.pick(scope, ("int", "dec") if sql or self.flip(0.9) else ("int", "dec", "float"))
            if got and self.flip(0.9):
                tree, c = got
                return (self.fill_null(tree, c), c["t"], False) if solid else (tree, c["t"], c["null"])
            return (["int", r.randint(1, 20)], "int", False) if self.flip(0.7) else (["dec", f"{r.randint(1, 90) / 10:.1f}"], "dec", False)
        way = r.random()
        a, ta, na = self.make_number(scope, depth - 1, solid, sql)
        b, tb, nb = self.make_number(scope, depth - 1, solid, sql)
        kind = "float" if "float" in (ta, tb) else "dec" if "dec" in (ta, tb) else "int"
        if way < 0.55 or sql:
            return [r.choice("++--*"), a, b], kind, na or nb
        a, ta, _ = self.make_number(scope, depth - 1, True)
        if way < 0.62:
            return ["/", a, r.choice([["int", r.choice([2, 3, 4, 7, 8, 10, 40])], ["+", ["call", "abs", [self.make_whole(scope)]], ["int", 1]]])], "float", False
        if way < 0.70:
            p = r.choice([0, 1, 2])
            return ["call", "round", [a, ["int", p]]], "dec", False
        if way < 0.75:
            return ["call", "abs", [a]], ta, False
        if way < 0.81:
            return ["call", "mod", [self.make_whole(scope), ["int", r.choice([2, 3, 7])]]], "int", False
        if way < 0.86:
            return ["call", r.choice(["least", "greatest"]), [self.make_whole(scope), self.make_whole(scope)]], "int", False
        if way < 0.90:
            return ["call", r.choice(["floor", "ceil"]), [a]], "int", False
        if way < 0.94 and scope["col"] + scope["name"]:
            got = self.pick(scope, ("date", "dt", "text"))
            if got:
                tree, c = self.fill_null(*got), got[1]
                f = {"text": ["len"], "date": ["year", "month", "day", "weekday"], "dt": ["hour", "minute", "day", "weekday"]}[c["t"]]
                return ["call", r.choice(f), [tree]], "int", False
        b = self.make_like(scope, ta)
        return (["if", self.make_condition(scope, 1, mark="row" if scope["row"] else "scalar"), a, b], ta, False) if b else (a, ta, False)

    def make_whole(self, scope):
        got = self.pick(scope, ("int",))
        return self.fill_null(*got) if got else ["int", self.r.randint(-9, 30)]

    def make_like(self, scope, t):
        """Another number of the same type."""
        got = self.pick(scope, (t,))
        if got and self.flip(0.7):
            return self.fill_null(*got)
        return {"int": ["int", self.r.randint(0, 30)], "dec": ["dec", f"{self.r.randint(0, 300) / 100:.2f}"]}.get(t)

    def make_text(self, scope, depth):
        got = self.pick(scope, ("text",))
        if not got or depth == 0:
            return self.fill_null(*got) if got else ["text", self.r.choice(WORDS)]
        a = self.fill_null(*got)
        f = self.r.choice(["upper", "lower", "title", "slice", "replace", "pad_left", "str", "if", "trim", "nth"])
        if f == "slice":
            return ["call", f, [a, ["int", 1], ["int", self.r.randint(1, 4)]]]
        if f == "replace":
            return ["call", f, [a, ["text", self.r.choice("aeo")], ["text", self.r.choice("4-x")]]]
        if f == "pad_left":
            return ["call", f, [a, ["int", self.r.randint(4, 9)], ["text", "0"]]]
        if f == "str":
            parts = [a]
            other = self.pick(scope, ("int", "dec", "date", "text", "bool", "dt"))
            if other:
                parts += [self.r.choice([" / ", "-", " (\"x\") "]), self.fill_null(*other)]
            return ["str", parts]
        if f == "if":
            return ["if", self.make_condition(scope, 1, mark="row" if scope["row"] else "scalar"), a, ["text", self.r.choice(WORDS)]]
        if f == "nth":
            return ["call", "coalesce", [["call", "nth", [["call", "split", [a, ["text", "e"]]], ["int", self.r.randint(1, 2)]]], ["text", "none"]]]
        return ["call", f, [a]]

    def make_day(self, scope):
        got = self.pick(scope, ("date",))
        if not got:
            return ["date", write_day(self.r.randint(0, 2000))]
        a = self.fill_null(*got)
        if self.flip(0.4):
            return [self.r.choice("+-"), a, ["dur", self.r.randint(1, 14), self.r.choice(["days", "weeks", "months", "years"])]]
        return a

    def make_test(self, scope, sql):
        """One comparison or call that is true or false."""
        r = self.r
        got = self.pick(dict(scope, name=[]) if scope["row"] else scope, ("int", "dec", "date", "dt", "text", "bool", "float"))
        if not got:
            return ["<", ["int", r.randint(0, 9)], ["int", r.randint(0, 9)]]
        x, c = got
        t = c["t"]
        if scope.get("raw") and x[0] == "col" and self.flip(0.35):
            return self.make_raw(c)
        if c["null"] and self.flip(0.15):
            return [r.choice(["isnull", "notnull"]), x]
        if t == "bool":
            return ["==", x, self.pick_near(c)] if sql or c["null"] or self.flip(0.5) else x if self.flip(0.5) else ["not", x]
        if self.flip(0.2):
            other = self.pick(scope, (t,))
            if other and other[0] != x and not (t == "text" and False):
                return [r.choice(COMPARE), x, other[0]]
        if t in ("int", "dec") and self.flip(0.15):
            a = self.make_number(scope, 1, not sql, sql)[0]
            return [r.choice(COMPARE[2:]), a, self.pick_near(c)]
        if t in ("int", "dec") and scope.get("agg") and self.flip(0.1):
            return [r.choice(COMPARE[2:]), x, ["agg", r.choice(["max", "min"] if sql else ["avg", "max", "min"]), scope["row"], [["col", x[1]]], None, []]] if x[0] == "col" else ["==", x, x]
        if t in ("int", "text") and self.flip(0.2):
            items = [self.pick_near(c) for _ in range(r.randint(1, 3))]
            items = [list(i) for i in dict.fromkeys(map(tuple, items))]
            return [r.choice(["in", "in", "notin"]), x, items]
        if t == "int" and self.flip(0.1) and (not sql or c.get("lo", 0) >= 0):
            return ["==", ["call", "mod", [self.fill_null(x, c) if not sql else x, ["int", r.choice([2, 3])]]], ["int", r.choice([0, 1, 1, 2])]]
        if t == "date" and not sql and self.flip(0.25):
            day = self.pick_near(c)
            return r.choice([[r.choice(COMPARE), ["-", self.fill_null(x, c), day], ["int", r.choice([-30, 0, 1, 31, 365])]], [r.choice(COMPARE), ["call", "days_between", [day, self.fill_null(x, c)]], ["int", r.choice([-1, 0, 7, 30])]],
                             [r.choice(COMPARE[2:]), ["+", self.fill_null(x, c), ["dur", r.choice([1, 30]), r.choice(["days", "months"])]], day]])
        if t == "text" and not sql and self.flip(0.15):
            w = r.choice(c.get("pool") or WORDS)
            return [r.choice(COMPARE[:2]), *r.choice([[["call", "slice", [self.fill_null(x, c), ["int", 1], ["int", 1]]], ["text", w[:1]]], [["call", "upper", [self.fill_null(x, c)]], ["text", r.choice([w, w.upper()])]],
                                                      [["call", "replace", [self.fill_null(x, c), ["text", w[:1]], ["text", "x"]]], x if not c["null"] else ["text", w]]])]
        if t in ("int", "dec") and not sql and self.flip(0.1):
            a = self.fill_null(x, c)
            return r.choice([[r.choice(COMPARE), ["*", a, a], ["int", r.randint(-1, 9)]], [r.choice(COMPARE), ["call", "round", [a, ["int", 0]]], self.pick_near(c)], ["<=", ["call", "least", [a, a]], a],
                             [r.choice(COMPARE[2:]), ["/", a, ["int", r.choice([2, 4, -2])]], self.pick_near(c)], [r.choice(COMPARE), ["if", self.mark("row" if scope["row"] else "scalar", ["==", a, a], scope["row"]), a, self.pick_near(c)], self.pick_near(c)], [r.choice(COMPARE), ["-", a, a], ["int", 0]],
                             [r.choice(COMPARE[2:]), ["call", "floor", [a]], ["int", r.randint(-2, 20)]]])
        if t in ("date", "dt") and self.flip(0.3):
            f = r.choice(["year", "month", "day"] + (["weekday"] if not sql else []))
            lo = {"year": 2019, "month": 1, "day": 1, "weekday": 1}[f]
            y = int(c.get("lo", "2020")[:4])
            n = r.choice([y, y + 1, y - 1]) if f == "year" else lo + r.randint(0, {"month": 12, "day": 30, "weekday": 6}[f])
            return [r.choice(["==", "<=", ">", "!="]), ["call", f, [x if sql else self.fill_null(x, c)]], ["int", n]]
        if t == "text" and not sql and self.flip(0.4):
            f = r.choice(["starts_with", "ends_with", "contains", "len"])
            if f == "len":
                return [r.choice(["<", ">=", "=="]), ["call", "len", [self.fill_null(x, c)]], ["int", r.randint(2, 7)]]
            w = r.choice(c.get("pool") or WORDS)
            return ["call", f, [self.fill_null(x, c), ["text", {"starts_with": w[:1], "ends_with": w[-1:], "contains": w[1:3]}[f]]]]
        if t == "text" and sql and self.flip(0.15):
            return [r.choice(["<", ">=", "=="]), ["call", "len", [x]], ["int", r.randint(2, 7)]]
        if t == "text":
            return [r.choice(["==", "==", "!=", "<", ">="]), x, self.pick_near(c)]
        return [r.choice(COMPARE[2:] * 2 + COMPARE[:1]), x, self.pick_near(c)]

    def make_raw(self, c):
        """A comparison that only SQL has; `{0}` stands for the column."""
        r, t = self.r, c["t"]
        lit = lambda: write_sql(self.pick_near(c), self.task)
        n, k = r.randint(0, 9), r.choice([1, 2, 3, 7])
        w = str(r.choice(c.get("pool") or WORDS)).replace("'", "''")
        every = ["{0} BETWEEN %s AND %s" % (lit(), lit()), "{0} NOT BETWEEN %s AND %s" % (lit(), lit()), "{0} IS %s" % lit(), "{0} IS NOT %s" % lit(),
                 "COALESCE({0}, %s) <> %s" % (lit(), lit()), "NULLIF({0}, %s) IS NULL" % lit(), "CASE WHEN {0} > %s THEN 1 ELSE 0 END = 1" % lit()]
        some = {"int": ["{0} / %d > %d" % (k + 1, n), "{0} %% %d = %d" % (k + 1, r.randint(-1, k + 1)), "ABS({0}) < %d" % n, "{0} * {0} < %d" % n, "-{0} > %d" % -n,
                        "MIN({0}, %d) > %d" % (n, k), "MAX({0}, %d) = %d" % (n, n), "{0} + 0.5 > %d" % n, "CAST({0} AS TEXT) < '%d'" % n, "IIF({0} > %s, 1, 2) = %d" % (lit(), r.randint(1, 3))],
                "dec": ["ROUND({0}) > %d" % n, "CAST({0} AS INTEGER) = %d" % n, "{0} * 2 >= %s" % lit(), "ABS({0}) >= 0", "{0} / 2 < %s" % lit(), "{0} - {0} = 0"],
                "float": ["ROUND({0}) > %d" % n], "bool": ["{0}", "NOT {0}", "{0} = 1", "{0} <> 0", "{0} IN (0, 1)", "{0} > 1", "1 - {0} = 1"],
                "date": ["date({0}, '+1 month') > %s" % lit(), "strftime('%w', {0}) = '{1}'".replace("{1}", str(r.randint(0, 7))), "strftime('%m', {0}) = '{1}'".replace("{1}", f"{r.randint(0, 13):02}"),
                         "substr({0}, 1, 4) = '{1}'".replace("{1}", str(r.randint(2018, 2026))), "julianday({0}) - julianday(%s) > %d" % (lit(), n), "{0} LIKE '20%'", "date({0}, 'start of month') <= {0}",
                         "CAST(strftime('%Y', {0}) AS INTEGER) % 4 = 0", "{0} || 'x' > %s" % lit()],
                "dt": ["date({0}) >= date(%s)" % lit(), "strftime('%H', {0}) < '{1}'".replace("{1}", f"{r.randint(0, 23):02}"), "unixepoch({0}) > unixepoch(%s)" % lit(), "time({0}) >= '12:00:00'"],
                "text": ["{0} LIKE '%s%%'" % w[:1], "{0} LIKE '%s'" % w.upper(), "{0} NOT LIKE '%%%s%%'" % w[1:3], "{0} GLOB '%s*'" % w[:1], "UPPER({0}) = '%s'" % w, "UPPER({0}) = UPPER('%s')" % w,
                         "substr({0}, 1, 1) = '%s'" % w[:1], "INSTR({0}, '%s') > 0" % w[:2], "LENGTH({0}) BETWEEN %d AND %d" % (n, n + 2), "{0} || '' = '%s'" % w, "TRIM({0}) = '%s'" % w,
                         "REPLACE({0}, '%s', '') = {0}" % w[:1], "{0} COLLATE NOCASE = '%s'" % w.upper()]}
        return ["raw", r.choice(every + 2 * some[t]), c["n"]]

    def make_condition(self, scope, depth, sql=False, mark="where"):
        """A condition of random shape. Every part of it is marked, so that a diagnostic can be found again."""
        r = self.r
        if depth > 0 and self.flip(0.55):
            k = r.choice(["and", "and", "or", "or", "not"])
            if self.flip(0.4) and scope["row"]:  # over one column: parts that can exclude or cover each other
                scope = dict(scope, col=[r.choice(scope["col"])] if scope["col"] else [])
            a = self.make_condition(scope, depth - 1, sql, mark)
            t = ["not", a] if k == "not" else [k, a, self.make_condition(scope, depth - 1, sql, mark)]
        else:
            t = self.make_test(scope, sql)
        return self.mark(mark, t, scope["row"])

    # ---- tables and files

    def make_scope(self, table, names=True, sql=False, agg=True, raw=False):
        spec = self.task["tables"][table]
        return {"col": [c for c in spec["cols"] if not (sql and c.get("helper"))], "name": self.names if names else [], "row": table, "agg": agg, "raw": raw}

    def add_columns(self, spec, n, types=None, helper=True, computed=True):
        """Columns of a table: the lines that declare them."""
        lines = []
        for _ in range(n):
            c = {"n": self.make_name({"csv": "C", "tsv": "C", "sqlite": "D", "json": "k", "xml": "x", "lines": "L"}[spec["kind"]])}
            text, facts = self.draw_domain(types)
            c.update(facts)
            spec["cols"].append(c)
            lines.append(f"{c['n']} : {text}")
        if computed:
            for _ in range(self.r.choice([0, 0, 1, 2])):
                scope = {"col": spec["cols"], "name": self.names, "row": spec["id"], "agg": False}
                c = {"n": self.make_name("E"), "null": False}
                kind = self.r.choice(["num", "num", "text", "bool", "date"])
                if kind == "num":
                    c["expr"], c["t"], c["null"] = self.make_number(scope, 2, True)
                elif kind == "text":
                    c["expr"], c["t"] = self.make_text(scope, 1), "text"
                elif kind == "date":
                    c["expr"], c["t"] = self.make_day(scope), "date"
                else:
                    c["expr"], c["t"] = ["call", "coalesce", [self.make_condition(scope, 1, mark="row"), ["bool", False]]], "bool"
                if helper and self.flip(0.3):
                    c["helper"], c["n"] = True, "_" + c["n"]
                spec["cols"].append(c)
                lines.append(f"{c['n']} = {write_pcd(c['expr'], self.task, 0, spec['id'])}")
        return lines

    def draw_rows(self, spec):
        r = self.r
        way = r.random()
        ints = [c for c in self.names if c["t"] == "int" and not c["null"] and 0 <= c.get("lo", -1) and c.get("hi", 99) <= 60]
        if way < 0.15 and ints:
            c = r.choice(ints)
            spec["rows_min"] = c["lo"]
            return c["n"]
        if way < 0.5:
            a = r.choice([0, 1, 2, 5, 10])
            spec["rows_min"] = a
            return f"{a}..{a + r.choice([1, 5, 25])}"
        spec["rows_min"] = r.choice([1, 3, 8, 12, 20, 35])
        return str(spec["rows_min"])

    def add_ref(self, spec, within=None):
        """A column that takes its values from another table."""
        found = [(t, c) for t, s in self.task["tables"].items() for c in s["cols"]
                 if s["kind"] in ("csv", "sqlite", "tsv") and s["rows_min"] > 0 and not c["null"] and not c.get("helper") and (s["kind"] != "sqlite" or s["file"] == within)
                 and (not within or (s["kind"] == "sqlite" and c.get("uniq"))) and t != spec["id"]]
        if not found:
            return []
        t, c = self.r.choice(found)
        new = dict({k: v for k, v in c.items() if k not in ("uniq", "expr")}, n=self.make_name("R"), ref=[t, c["n"]])
        where = ""
        spec["cols"].append(new)
        if self.flip(0.2):
            where, new["null"] = " blank 20%", True
        if within:
            self.task["tables"][t]["referenced"] = True
        return [f"{new['n']} : ref {t if within else self.task['tables'][t]['ref']}.{c['n']}{where}"]

    def add_csv(self):
        f = self.make_name("f")
        kind = "csv" if self.flip(0.85) else "tsv"
        spec = {"id": f, "kind": kind, "file": f, "ref": f, "sql": f, "cols": []}
        rows = self.draw_rows(spec)
        file = {"path": ["text", f"{f}.{kind}"], "delimiter": "," if kind == "csv" else "\t"}
        options = ""
        if kind == "csv" and self.flip(0.25):
            file["delimiter"] = self.r.choice(";|")
            options += f' delimiter "{file["delimiter"]}"'
        for o in ("quoted", "crlf", "bom"):
            if self.flip(0.1):
                options, file[o] = options + " " + o, True
        if self.flip(0.06):
            options, file["above"] = options + r' above "A title\n"', 2
        if self.flip(0.06):
            options, file["below"] = options + r' below "\nThe end"', 2
        if self.flip(0.05):
            options, file["header"] = options + " header 0", 0
        words = [c for c in self.names if c.get("path")]
        if words and self.flip(0.4):
            file["path"] = ["str", [["name", words[0]["n"]], f"/{f}.{kind}"]]
        lines = []
        if self.flip(0.5):
            spec["cols"].append({"n": self.make_name("ID"), "t": "int", "null": False, "uniq": True, "lo": 1, "hi": 40})
            lines.append(f"{spec['cols'][0]['n']} : serial")
        if self.flip(0.35):
            lines += self.add_ref(spec)
        self.task["files"][f], self.task["tables"][f] = file, spec
        lines += self.add_columns(spec, self.r.randint(2, 5))
        wide = [c["n"] for c in spec["cols"] if "ref" not in c and "expr" not in c and c["t"] in ("int", "date", "dt") and not c.get("pool") and not c.get("uniq")]
        if len(wide) > 1 and self.flip(0.15) and spec["rows_min"] < 10 and ".." not in rows and not rows.startswith(("v", "a")):
            lines.append(f"unique ({wide[0]}, {wide[1]})")
        self.body.append(f"  {kind} {f} at {write_pcd(file['path'], self.task)}{options} {{\n    rows {rows}\n    " + "\n    ".join(lines) + "\n  }")

    def add_written(self):
        """A CSV file that is written from another table."""
        r = self.r
        found = [s for s in self.list_tables("csv", "sqlite") if not s.get("from")]
        if not found:
            return
        src = r.choice(found)
        f = self.make_name("f")
        scope = self.make_scope(src["id"])
        where = self.make_condition(dict(scope, agg=False), 1) if self.flip(0.5) else None
        by = r.choice(src["cols"]) if self.flip(0.5) else None
        spec = {"id": f, "kind": "csv", "file": f, "ref": f, "sql": f, "cols": [], "rows_min": 0 if where else src["rows_min"],
                "from": {"table": src["id"], "where": where, "by": by and by["n"], "desc": self.flip(0.5)}}
        lines = [f"rows by {by['n']}" + (" desc" if spec["from"]["desc"] else "")] if by else []
        for c in r.sample(src["cols"], min(len(src["cols"]), 4)):
            new = dict({k: v for k, v in c.items() if k not in ("expr", "uniq", "ref", "helper", "attr")}, n=self.make_name("W"), src=["col", c["n"]])
            if c["t"] in ("int", "dec") and not c["null"] and self.flip(0.2):
                new["src"], new["t"], new["null"] = self.make_number(dict(scope, col=[c]), 1, True)
                new["places"] = None
                new = {k: v for k, v in new.items() if k not in ("pool", "lo", "hi")}
            style = ""
            if new["src"][0] == "col" and self.flip(0.4):
                p = "0" * (c.get("places") or 0)
                style = {"int": r.choice(["#,##0", "0 kg", "#.##0"]), "date": r.choice(["dd.MM.yyyy", "d/M/yyyy", "MMMM d, yyyy"])}.get(c["t"], "")
                if c["t"] == "dec" and p and not c.get("expr"):
                    style = r.choice([f"#,##0.{p}", f"#.##0,{p}"])
            if style:
                new["style"] = style
                style = f' as written "{style}"'
            if c["null"] and new["src"][0] == "col" and not where and src["kind"] != "view" and self.flip(0.3):
                new["missing"] = ["-", "n/a"]
                style = (style or " as") + ' missing ["-", "n/a"]'
            spec["cols"].append(new)
            lines.append(f"{new['n']} = {write_pcd(new['src'], self.task, 0, src['id'])}{style}")
        self.task["files"][f], self.task["tables"][f] = {"path": ["text", f"{f}.csv"], "delimiter": ";"}, spec
        cond = f" where {write_pcd(where, self.task, 0, src['id'])}" if where else ""
        self.body.append(f'  csv {f} at "{f}.csv" delimiter ";" from {src["ref"]}{cond} {{\n    ' + "\n    ".join(lines) + "\n  }")

    def add_sqlite(self):
        f = self.make_name("db")
        self.task["files"][f] = {"path": ["text", f"{f}.db"]}
        parts = []
        for i in range(self.r.randint(1, 3)):
            t = self.make_name("t")
            spec = {"id": t, "name": t, "kind": "sqlite", "file": f, "ref": f"{f}.{t}", "sql": f"{f}.{t}", "cols": []}
            rows = self.draw_rows(spec)
            spec["cols"].append({"n": self.make_name("ID"), "t": "int", "null": False, "uniq": True, "lo": 1, "hi": 40})
            lines = [f"{spec['cols'][0]['n']} : serial"]
            if i:
                lines += self.add_ref(spec, f)
            self.task["tables"][t] = spec
            lines += self.add_columns(spec, self.r.randint(2, 4), helper=False)
            parts.append(f"    table {t} {{\n      rows {rows}\n      " + "\n      ".join(lines) + "\n    }")
        if self.flip(0.3):
            spec = self.r.choice([s for s in self.task["tables"].values() if s.get("file") == f])
            cols = self.r.sample(spec["cols"], min(2, len(spec["cols"])))
            v = self.make_name("w")
            if self.flip(0.3):
                cols = cols[:1] + [{"n": "COUNTED", "t": "int", "null": False}]
            text = f"SELECT {', '.join('COUNT(*) AS COUNTED' if c['n'] == 'COUNTED' else c['n'] for c in cols)} FROM {spec['name']} WHERE {write_sql(self.make_condition(self.make_scope(spec['id'], False, True, False, True), 1, True), self.task)}" + (f" GROUP BY {cols[0]['n']}" if cols[-1]["n"] == "COUNTED" else "")
            self.task["tables"][v] = {"id": v, "name": v, "kind": "view", "file": f, "ref": f"{f}.{v}", "sql": f"{f}.{v}", "rows_min": 0,
                                      "cols": [{k: x for k, x in c.items() if k not in ("expr", "uniq")} for c in cols], "query": {"as": "rows", "text": text, "params": []}}
            parts.append(f"    view {v} = <<rows: {text}>>")
        self.body.append(f'  sqlite {f} at "{f}.db" {{\n' + "\n".join(parts) + "\n  }")

    def add_json(self):
        f, key = self.make_name("js"), self.make_name("items")
        spec = {"id": f, "kind": "json", "file": f, "key": key, "ref": f"{f}.{key}", "sql": f"{f}.{key}", "cols": []}
        self.task["files"][f], self.task["tables"][f] = {"path": ["text", f"{f}.json"]}, spec
        lo = self.r.choice([0, 1, 3, 8])
        hi = lo + self.r.choice([0, 4, 15])
        spec["rows_min"] = lo
        lines = self.add_columns(spec, self.r.randint(2, 4), computed=False)
        if self.flip(0.4):
            text, facts = self.draw_domain(["int", "dec"])
            outer, inner = self.make_name("o"), self.make_name("i")
            spec["cols"].append(dict(facts, n=f"{outer}.{inner}"))
            lines.append(f"{outer} : {{ {inner} : {text.replace('unique ', '').replace('sorted ', '')} }}")
        if self.flip(0.4):
            inner = self.make_name("ports")
            lines.append(f"{inner} : [ int 1..9 ; 0..3 ]")
            self.task["tables"][f + "_in"] = {"id": f + "_in", "kind": "nested", "file": f, "key": key, "inner": inner, "ref": f"{f}.{key}.{inner}",
                                              "sql": f'{f}."{key}.{inner}"', "rows_min": 0, "cols": [{"n": "value", "t": "int", "null": False, "lo": 1, "hi": 9}]}
        size = str(lo) if lo == hi else f"{lo}..{hi}"
        self.body.append(f'  json {f} at "{f}.json" {{\n    zone : region\n    {key} : [ {{\n      ' + "\n      ".join(lines) + f"\n    }} ; {size} ]\n  }}")

    def add_xml(self):
        f, key, top = self.make_name("xf"), self.make_name("item"), self.make_name("root")
        spec = {"id": f, "kind": "xml", "file": f, "key": key, "ref": f"{f}.{key}", "sql": f"{f}.{key}", "cols": []}
        self.task["files"][f], self.task["tables"][f] = {"path": ["text", f"{f}.xml"], "root": top}, spec
        lo = self.r.choice([0, 2, 6])
        hi = lo + self.r.choice([0, 8])
        spec["rows_min"] = lo
        spec["cols"].append({"n": "id", "t": "int", "null": False, "attr": True, "lo": 1, "hi": 14, "uniq": True})
        lines = ["@id : serial"] + self.add_columns(spec, self.r.randint(2, 4), computed=False)
        size = str(lo) if lo == hi else f"{lo}..{hi}"
        if size == "0":
            size, spec["rows_min"] = "1", 1
        self.body.append(f'  xml {f} at "{f}.xml" {top} {{\n    day : date\n    {key} : [ {{\n      ' + "\n      ".join(lines) + f"\n    }} ; {size} ]\n  }}")

    def add_text(self):
        f = self.make_name("n")
        way = self.r.random()
        file = self.task["files"][f] = {"path": ["text", f"{f}.txt"]}
        if way < 0.5:
            gap = self.r.choice([" ", " | ", "\t"])
            spec = {"id": f, "kind": "lines", "file": f, "ref": f, "sql": f, "cols": [], "gap": gap}
            rows = self.draw_rows(spec)
            self.task["tables"][f] = spec
            lines = []
            self.odd = False
            for t in (["dt"] if self.flip(0.5) else []) + self.r.choice([["int"], ["dec", "int"], ["date", "int"], ["bool"]]):
                text, c = self.draw_domain([t])
                c["n"], c["null"] = self.make_name("L"), False
                spec["cols"].append(c)
                lines.append(f"{c['n']} : {text.split(' blank')[0]}")
            self.odd = True
            c = {"n": self.make_name("L"), "t": "text", "null": False}
            spec["cols"].append(c)
            if self.flip(0.5):
                c["pool"] = self.r.sample(WORDS, 3)
                lines.append(f"{c['n']} : one_of [{', '.join(quote_text(x) for x in c['pool'])}]")
            else:
                lines.append(f"{c['n']} : lorem words 2..4")
            self.body.append(f'  text {f} at "{f}.txt" {{\n    rows {rows}\n    line {quote_text("@@").replace("@@", gap.join("<<" + c["n"] + ">>" for c in spec["cols"]))}\n    ' + "\n    ".join(lines) + "\n  }")
            self.body[-1] = self.body[-1].replace("\t", "\\t")
        elif way < 0.8:
            n = file["lines"] = self.r.randint(3, 9)
            self.task["tables"][f] = {"id": f, "kind": "text", "file": f, "ref": f, "sql": f, "rows_min": n, "cols": [{"n": "line", "t": "text", "null": False}]}
            self.body.append(f'  text {f} at "{f}.txt" : lorem lines {n}')
        else:
            scope = {"col": [], "name": self.names, "row": None}
            file["content"] = ["str", ["Dear ", self.make_text(scope, 1), ",\n", self.make_text(scope, 0), "\n"]]
            self.body.append(f'  text {f} at "{f}.txt" = {write_pcd(file["content"], self.task)}')

    # ---- values of the task

    def list_tables(self, *kinds):
        return [s for s in self.task["tables"].values() if not kinds or s["kind"] in kinds]

    def make_aggregate(self, sql=False, never_empty=False):
        """An aggregate of a table: its tree, its type, whether it can be null."""
        r = self.r
        spec = r.choice(self.list_tables("csv", "tsv", "sqlite") if sql else self.list_tables())
        scope = self.make_scope(spec["id"], True, sql)
        where = self.make_condition(scope, r.choice([0, 1, 2]), sql) if self.flip(0.1 if never_empty else 0.7) else None
        sure = where is None and spec["rows_min"] >= 1
        got = self.pick(dict(scope, name=[]), ("int", "dec", "date", "text", "dt"))
        f = r.choice(["count", "count", "sum", "sum", "avg", "avg", "min", "max", "median", "stdev", "mode", "first", "last", "distinct_count", "quantile", "corr", "slope", "intercept"])
        if sql:
            f = r.choice(["count", "sum", "min", "max"] if self.pick(dict(scope, name=[]), ("int", "dec")) else ["count", "min", "max"])
        if f == "count" or not got:
            return ["agg", "count", spec["id"], [["col", got[1]["n"]]] if got and self.flip(0.3) else [], where, []], "int", False
        x, c = got
        t, null = c["t"], c["null"]
        if f in ("corr", "slope", "intercept"):
            pair = [self.pick(dict(scope, name=[]), ("int", "dec")) for _ in range(2)]
            if not all(pair) or pair[0][0] == pair[1][0]:
                return ["agg", "distinct_count", spec["id"], [x], where, []], "int", False
            return ["agg", f, spec["id"], [p[0] for p in pair], where, []], "float", True
        if f in ("sum", "avg", "median", "stdev", "quantile"):
            number = self.pick(dict(scope, name=[]), ("int", "dec"))
            if not number:
                return ["agg", "distinct_count", spec["id"], [x], where, []], "int", False
            x, t, null = number[0], number[1]["t"], number[1]["null"]
            if not sql and self.flip(0.4):
                x, t, null = self.make_number(dict(scope, name=scope["name"] if self.flip(0.3) else []), 2, False)
                if not re.search(r"'col'", str(x)):
                    x, t, null = number[0], number[1]["t"], number[1]["null"]
            extra = [["dec", r.choice(["0.5", "0.9", "0.25", "0.1"])]] if f == "quantile" else []
            return ["agg", f, spec["id"], [x], where, extra], t if f == "sum" else "float", not sure or null or f == "stdev"
        if f == "distinct_count":
            return ["agg", f, spec["id"], [x], where, []], "int", False
        return ["agg", f, spec["id"], [x], where, []], t, not sure or null

    def make_scalar(self, depth=1):
        """A value of the task that is never null: its tree and type."""
        r = self.r
        scope = {"col": [], "name": self.names, "row": None}
        way = r.random()
        if self.small:
            way = way * 0.38 if way < 0.9 and self.task["tables"] else way / 3 + 0.7
        if way < 0.38 and self.task["tables"]:
            tree, t, null = self.make_aggregate()
            return (self.cover_null(tree, t) if null else tree), t
        if way < 0.50:
            got = self.make_query_value()
            if got:
                return got
        if way < 0.62:
            got = self.make_place()
            if got:
                return got
        if way < 0.68:
            got = self.make_list()
            if got:
                return got
        if way < 0.74 and depth:
            a, ta = self.make_scalar(0)
            b, tb = self.make_scalar(0)
            if ta in ("int", "dec") and tb in ("int", "dec"):
                return [r.choice("+-*"), a, b], "dec" if "dec" in (ta, tb) else "int"
            return a, ta
        if way < 0.80:
            return self.make_text(scope, 1), "text"
        if way < 0.86:
            return self.make_day(scope), "date"
        if way < 0.92:
            return ["call", "coalesce", [self.make_condition(scope, 2, mark="scalar"), ["bool", False]]], "bool"
        tree, t, _ = self.make_number(scope, 2, True)
        return tree, t

    def cover_null(self, tree, t):
        other = {"int": ["int", 0], "dec": ["dec", "0.00"], "float": ["dec", "0.0"], "text": ["text", "none"], "date": ["date", "2000-01-01"],
                 "dt": ["dt", "2000-01-01T00:00:00"], "bool": ["bool", False]}[t]
        return ["call", "coalesce", [tree, other]] if self.flip(0.8) else ["if", ["isnull", tree], other, tree]

    def make_list(self):
        spec = self.r.choice(self.list_tables()) if self.list_tables() else None
        got = spec and self.pick(self.make_scope(spec["id"], False), ("int", "text", "date", "dec"))
        if not got:
            return None
        where = self.make_condition(self.make_scope(spec["id"]), 1) if self.flip(0.7) else None
        tree = ["agg", "list", spec["id"], [got[0]], where, []]
        way = self.r.random()
        if way < 0.3:
            tree = ["call", "sort", [tree]]
        elif way < 0.5:
            tree = ["call", self.r.choice(["reverse", "dedupe"]), [tree]]
        elif way < 0.6:
            return ["call", "join", [tree, ["text", "; "]]], "text"
        elif way < 0.7:
            return ["call", self.r.choice(["of_count", "of_distinct_count", "len"]), [tree]], "int"
        elif way < 0.8 and got[1]["t"] != "dec":
            f = self.r.choice(["of_max", "of_min", "of_first", "of_last", "of_mode"])
            return self.cover_null(["call", f, [tree]], got[1]["t"]), got[1]["t"]
        return tree, "list"

    def make_place(self):
        """A function of lines, words, cells, JSONPath, or XPath."""
        r, files = self.r, self.task["files"]
        spec = r.choice(self.list_tables("csv", "tsv", "json", "xml", "text", "sqlite") or [None])
        if spec is None:
            return None
        f, rows, cols = spec["file"], spec["rows_min"], [c for c in spec["cols"] if not c.get("helper")]
        if spec["kind"] == "text":
            way = r.choice(["file_line", "file_word", "file_line_count", "file_word_count"])
            if way == "file_line":
                return ["file", way, f, [["int", r.randint(1, files[f]["lines"])]]], "text"
            if way == "file_word":
                return ["file", way, f, [["int", r.randint(1, files[f]["lines"] * 8)]]], "text"
            return ["file", way, f, []], "int"
        if spec["kind"] == "sqlite":
            c = r.choice(cols)
            if rows < 1 or c["t"] == "float":
                return None
            tree = ["rowat", "sqlite_value", spec["id"], c["n"], ["int", r.randint(1, rows)]]
            return (self.cover_null(tree, c["t"]) if c["null"] else tree), c["t"]
        if spec["kind"] in ("csv", "tsv"):
            n = self.r.randint(1, max(rows, 1))
            way = r.choice(["csv_cell", "csv_row", "csv_value", "csv_sum", "csv_avg", "csv_count"])
            if way in ("csv_cell", "csv_row", "csv_value") and (rows < 1 or any(c.get("style") or c.get("missing") for c in cols)):
                return None  # whether csv_cell is the cell of the file or of the table is a defect of its own
            c = r.choice(cols)
            if way == "csv_cell":
                return ["file", way, f, [["int", n], ["int", r.randint(1, len(cols))]]], "text"
            if way == "csv_row":
                return ["file", way, f, [["int", n]]], "list"
            if way == "csv_value":
                tree = ["rowat", way, spec["id"], c["n"], ["int", n]]
                return (self.cover_null(tree, c["t"]) if c["null"] else tree), c["t"]
            if c["t"] not in ("int", "dec") or way == "csv_count":
                return ["agg", "csv_count", spec["id"], [["col", c["n"]]], None, []], "int"
            t = c["t"] if way == "csv_sum" else "float"
            return self.cover_null(["agg", way, spec["id"], [["col", c["n"]]], None, []], t), t
        c = r.choice(spec["cols"])
        if spec["kind"] == "json":
            keys = [["key", k] for k in c["n"].split(".")]
            test = self.make_filter(spec) if self.flip(0.6) else None
            steps = [["key", spec["key"]], ["if", test] if test else ["all"]]
            way = r.choice(["count", "count_where", "sum", "avg", "min", "max", "collect", "value", "keys"])
            if way == "count":
                return ["jp", way, f, steps[:1], "", None], "int"
            if way == "count_where" and test:
                return ["jp", way, f, steps, "", None], "int"
            if way == "keys":
                return (["jp", way, f, [steps[0], ["at", 0]], "", None], "list") if rows else (["jp", way, f, [], "", None], "list")
            if way == "value" and rows:
                tree = ["jp", way, f, [steps[0], ["at", r.randint(0, rows - 1)]] + keys, c["t"], c.get("places")]
                return (self.cover_null(tree, c["t"]) if c["null"] else tree), c["t"]
            if way in ("sum", "avg", "min", "max") and c["t"] in ("int", "dec"):
                t = "float" if way == "avg" else c["t"]
                return self.cover_null(["jp", way, f, steps + keys, c["t"], c.get("places")], t), t
            return ["jp", "filter" if test else "collect", f, steps + keys, c["t"], c.get("places")], "list"
        test = self.make_predicate(spec) if self.flip(0.6) else None
        leaf = ["col", c["n"], bool(c.get("attr"))]
        way = r.choice(["count", "exists", "sum", "avg", "min", "max", "collect"])
        if way in ("count", "exists"):
            return ["xp", way, f, spec["key"], test, None, "", None], "int" if way == "count" else "bool"
        if way != "collect" and c["t"] in ("int", "dec"):
            t = "float" if way == "avg" else c["t"]
            return self.cover_null(["xp", way, f, spec["key"], test, leaf, c["t"], c.get("places")], t), t
        return ["xp", "collect", f, spec["key"], test, leaf, c["t"], c.get("places")], "list"

    def make_filter(self, spec, depth=1):
        """A filter of JSONPath over the elements of an array."""
        if depth and self.flip(0.4):
            k = self.r.choice(["and", "or", "not"])
            a = self.make_filter(spec, depth - 1)
            t = ["not", a] if k == "not" else [k, a, self.make_filter(spec, depth - 1)]
        else:
            c = self.r.choice([c for c in spec["cols"] if "." not in c["n"]])
            if c["null"] and self.flip(0.3):
                t = [self.r.choice(["==", "!="]), ["col", c["n"]], ["null"]]
            else:
                t = [self.r.choice(COMPARE[:2] if c["t"] == "bool" else COMPARE), ["col", c["n"]], self.pick_near(c)]
        return self.mark("filter", t, spec["id"])

    def make_predicate(self, spec, depth=1):
        """A predicate of XPath over repeated elements."""
        if depth and self.flip(0.4):
            k = self.r.choice(["and", "or", "not"])
            a = self.make_predicate(spec, depth - 1)
            t = ["not", a] if k == "not" else [k, a, self.make_predicate(spec, depth - 1)]
        else:
            c = self.r.choice([c for c in spec["cols"] if c["t"] in ("int", "dec", "text")])
            t = [self.r.choice(COMPARE[:2] if c["t"] == "text" else COMPARE), ["col", c["n"], bool(c.get("attr"))], self.pick_near(c)]
        return self.mark("predicate", t, spec["id"])

    # ---- queries

    def make_node(self, how, text, types=(), **more):
        text = re.sub(r"\s+", " ", text)
        params = sorted(set(re.findall(r":(v\d+|a\d+)\b", text)))
        return ["sql", dict({"as": how, "text": text, "params": params, "types": list(types)}, **more)]

    def make_query_value(self):
        r = self.r
        tables = self.list_tables("csv", "tsv", "sqlite", "json", "lines", "view")
        if not tables:
            return None
        if self.flip(0.4) and self.list_tables("csv", "tsv", "sqlite"):  # a query and a tree that say the same
            tree, t, null = self.make_aggregate(sql=True)
            if tree[1] == "count" or t in ("int", "date", "dt", "text", "dec"):
                spec = self.task["tables"][tree[2]]
                e = write_sql(tree[3][0], self.task) if tree[3] else "*"
                where = f" WHERE {write_sql(tree[4], self.task)}" if tree[4] else ""
                db = spec["file"] if spec["kind"] == "sqlite" and self.flip(0.4) else None
                text = f"SELECT {tree[1].upper()}({e}) FROM {spec['name'] if db else spec['sql']}{where}"
                if not (db and "SELECT AVG" in text or db and "(SELECT" in text):
                    node = self.make_node("value", text, also=tree, db=db)
                    return (self.cover_null(node, t) if tree[1] != "count" else node), t
        spec = r.choice(tables)
        scope = self.make_scope(spec["id"], True, True, True, True)
        where = f" WHERE {write_sql(self.make_condition(scope, 1, True), self.task)}" if self.flip(0.6) else ""
        number = self.pick(dict(scope, name=[]), ("int", "dec"))
        group = self.pick(dict(scope, name=[]), ("text", "int", "bool", "date"))
        if not number or not group:
            return self.make_node("value", f"SELECT COUNT(*) FROM {spec['sql']}{where}"), "int"
        n, g = quote_name(number[1]["n"]), quote_name(group[1]["n"])
        high = self.mark_sql(f"{n} > {self.pick_near(number[1])[1]}", spec["sql"])
        often = self.mark_sql("K >= 2", f"(SELECT COUNT(*) AS K FROM {spec['sql']}{where} GROUP BY {g})")
        same, above = (self.mark_sql(x, f"{spec['sql']} AS a, {spec['sql']} AS b") for x in (f"b.{g} = a.{g}", f"b.{n} > a.{n}"))
        gone, there = self.mark_sql(f"{n} IS NULL", spec["sql"]), self.mark_sql(f"{g} IS NOT NULL", spec["sql"])
        text = r.choice([
            f"SELECT COUNT(DISTINCT {g}) FROM {spec['sql']}{where}",
            f"WITH q AS (SELECT {g} AS G, COUNT(*) AS K FROM {spec['sql']}{where} GROUP BY {g}) SELECT COUNT(*) FROM q WHERE {often}",
            f"SELECT COUNT(*) FROM {spec['sql']} WHERE {n} > (SELECT {'AVG' if number[1]['t'] == 'int' else 'MIN'}({n}) FROM {spec['sql']}{where})",
            f"SELECT COUNT(*) FROM {spec['sql']} AS a WHERE EXISTS (SELECT 1 FROM {spec['sql']} AS b WHERE {same} AND {above})",
            f"SELECT COUNT(*) FROM (SELECT {g} FROM {spec['sql']}{where} UNION SELECT {g} FROM {spec['sql']} WHERE {high})",
            f"SELECT COUNT(*) FROM {spec['sql']} WHERE {g} NOT IN (SELECT {g} FROM {spec['sql']}{where + (' AND ' if where else ' WHERE ')}{there})",
            f"SELECT COUNT(CASE WHEN {high} THEN 1 END) FROM {spec['sql']}{where}",
            f"SELECT COALESCE(SUM(CASE WHEN {gone} THEN 2 ELSE 1 END), 0) FROM {spec['sql']}{where}"])
        return self.make_node("value", text), "int"

    def tell_type(self, c):
        return ["dec", c["places"]] if c["t"] == "dec" and c.get("places") is not None else c["t"]

    def make_rows(self):
        """A query of rows in a fixed order: its tree and the columns."""
        r = self.r
        tables = self.list_tables("csv", "tsv", "sqlite")
        if not tables:
            return None
        spec = r.choice(tables)
        scope = self.make_scope(spec["id"], True, True, True, True)
        plain = [c for c in spec["cols"] if not c.get("helper")]
        where = f" WHERE {write_sql(self.make_condition(scope, 1, True), self.task, 'a.')}" if self.flip(0.5) else ""
        number = self.pick(dict(scope, name=[], col=plain), ("int", "dec"))
        group = self.pick(dict(scope, name=[], col=plain), ("text", "int", "bool", "date"))
        joins = [(s, c) for s in tables for c in s["cols"] if c.get("ref")]
        T = spec["sql"]
        if joins and self.flip(0.5):
            s, c = r.choice(joins)
            other = self.task["tables"][c["ref"][0]]
            x = r.choice([k for k in other["cols"] if not k.get("helper")])
            y = r.choice([k for k in s["cols"] if not k.get("helper")])
            where = f" WHERE {write_sql(self.make_condition(self.make_scope(s['id'], True, True, True, True), 1, True), self.task, 'a.')}" if self.flip(0.5) else ""
            on = self.mark_sql(f"b.{c['ref'][1]} = a.{c['n']}", f"{s['sql']} AS a, {other['sql']} AS b")
            on = f"{s['sql']} AS a JOIN {other['sql']} AS b ON {on}"
            way = r.random()
            if way < 0.35:
                return self.make_node("rows", f"SELECT a.{y['n']} AS Y, b.{x['n']} AS X FROM {on}{where} ORDER BY a.{y['n']}, b.{x['n']}, a.rowid, b.rowid", [self.tell_type(y), self.tell_type(x)])
            if way < 0.7:
                return self.make_node("rows", f"SELECT b.{x['n']} AS X, COUNT(a.{y['n']}) AS N FROM {other['sql']} AS b LEFT JOIN {s['sql']} AS a ON a.{c['n']} = b.{c['ref'][1]} GROUP BY b.{x['n']} ORDER BY b.{x['n']}", [self.tell_type(x), "int"])
            return self.make_node("rows", f"SELECT COUNT(*) AS N, COUNT(DISTINCT b.{x['n']}) AS M FROM {on}{where}", ["int", "int"])
        if not number or not group:
            c = r.choice(plain)
            return self.make_node("rows", f"SELECT DISTINCT a.{c['n']} AS X FROM {T} AS a{where} ORDER BY a.{c['n']}", [self.tell_type(c)])
        n, g, tn, tg = number[1]["n"], group[1]["n"], self.tell_type(number[1]), self.tell_type(group[1])
        way = r.random()
        if way < 0.35:
            having = r.choice(["", "", f"COUNT(*) >= {r.randint(1, 3)}", f"MAX(a.{n}) > {self.pick_near(number[1])[1]}", f"MIN(a.{n}) <> {self.pick_near(number[1])[1]}"])
            having = having and " HAVING " + self.mark_sql(having, f"{T} AS a{where} GROUP BY a.{g}")
            return self.make_node("rows", f"SELECT a.{g} AS G, COUNT(*) AS N, SUM(a.{n}) AS S, AVG(a.{n}) AS M FROM {T} AS a{where} GROUP BY a.{g}{having} ORDER BY a.{g}", [tg, "int", tn, "float"], columns="GNSM")
        if way < 0.55:
            f = r.choice([f"ROW_NUMBER() OVER (PARTITION BY a.{g} ORDER BY a.{n}, a.rowid)", f"RANK() OVER (ORDER BY a.{n} DESC)", f"COUNT(a.{n}) OVER (PARTITION BY a.{g} ORDER BY a.rowid)", f"LAG(a.{g}) OVER (ORDER BY a.rowid)"])
            return self.make_node("rows", f"SELECT a.{g} AS G, a.{n} AS X, {f} AS W FROM {T} AS a{where} ORDER BY a.rowid", [tg, tn, tg if "LAG" in f else "int"])
        if way < 0.75:
            return self.make_node("rows", f"SELECT a.{n} AS X, a.{g} AS G FROM {T} AS a{where} ORDER BY a.{n} DESC, a.rowid LIMIT {r.randint(1, 5)} OFFSET {r.randint(0, 2)}", [tn, tg])
        day = self.pick(dict(scope, name=[], col=plain), ("date", "dt"))
        if day and way < 0.9:
            d = day[1]["n"]
            f = r.choice([f"strftime('%Y-%m', a.{d})", f"date(a.{d}, 'start of month')", f"date(a.{d}, '+1 month', '-1 day')", f"CAST(julianday(date(a.{d})) - julianday('2020-01-01') AS INTEGER)"])
            return self.make_node("rows", f"SELECT {f} AS D, COUNT(*) AS N FROM {T} AS a{where} GROUP BY 1 ORDER BY 1", ["any", "int"])
        high, gone = self.mark_sql(f"a.{n} > {self.pick_near(number[1])[1]}", f"{T} AS a"), self.mark_sql(f"a.{n} IS NULL", f"{T} AS a")
        return self.make_node("rows", f"SELECT a.{g} AS G, CASE WHEN {high} THEN 'high' WHEN {gone} THEN 'none' ELSE 'low' END AS K FROM {T} AS a{where} ORDER BY a.rowid", [tg, "text"])

    def add_goal(self):
        """A state of a database after statements; its name, or None."""
        r = self.r
        found = [s for s in self.list_tables("sqlite") if not s.get("referenced") and s["rows_min"] > 0]
        if not found:
            return None
        spec = r.choice(found)
        scope = self.make_scope(spec["id"], True, True, False, True)
        free = [c for c in spec["cols"][1:] if not c.get("ref") and not c.get("uniq")]
        statements = []
        for _ in range(r.randint(1, 3)):
            where = write_sql(self.make_condition(scope, 1, True), self.task)
            c = r.choice(free)
            value = {"int": f"{c['n']} + {r.randint(1, 9)}", "dec": f"{c['n']} * 2", "bool": f"1 - {c['n']}"}.get(c["t"]) or write_sql(self.pick_near(c), self.task)
            if self.flip(0.3):
                value = write_sql(self.pick_near(c), self.task)
            statements.append(r.choice([f"DELETE FROM {spec['name']} WHERE {where}"] + [f"UPDATE {spec['name']} SET {c['n']} = {value} WHERE {where}"] * 3))
        if self.flip(0.25) and not any(c.get("ref") or c["t"] == "float" for c in spec["cols"]):
            values = [str(1000 + len(statements))] + [write_sql(self.pick_near(c), self.task) for c in spec["cols"][1:]]
            if not any(c.get("uniq") for c in spec["cols"][1:]):
                statements.append(f"INSERT INTO {spec['name']} VALUES ({', '.join(values)})")
        g = self.make_name("goal")
        params = sorted(set(re.findall(r":(v\d+|a\d+)\b", " ".join(statements))))
        self.task["goals"][g] = {"db": spec["file"], "tables": [s["name"] for s in self.list_tables("sqlite") if s["file"] == spec["file"]], "statements": statements, "params": params}
        self.body.append(f"  {g} = <<after: {spec['file']}, {'; '.join(statements)}>>")
        if self.flip(0.5):
            self.body.append(f"  require changed({g}) > 0")
        return g

    # ---- tasks

    def write_task(self, name):
        r = self.r
        self.names, self.body, self.variant = [], [], None
        task = self.task = {"name": name, "axes": {}, "draws": {}, "computed": {}, "tables": {}, "files": {}, "goals": {}, "variants": []}
        for n, t in self.constants.items():
            task["computed"][n] = t
            self.names.append({"n": n, "t": t[0], "null": False, **({"lo": t[1], "hi": t[1]} if t[0] != "text" else {"pool": [t[1]]})})
        if self.flip(0.25):
            a = self.make_name("a")
            if self.flip(0.7):
                values = sorted(r.sample([1, 2, 5, 8, 13, 30, 50], 2))
                self.names.append({"n": a, "t": "int", "null": False, "lo": values[0], "hi": values[1]})
                self.body.append(f"  axis {a} = [{values[0]}, {values[1]}]")
                task["axes"][a] = "int"
            else:
                values = r.sample(WORDS, 2)
                self.names.append({"n": a, "t": "text", "null": False, "pool": values})
                self.body.append(f'  axis {a} = ["{values[0]}", "{values[1]}"]')
                task["axes"][a] = "text"
        for _ in range(r.randint(1, 4)):
            v = self.make_name("v")
            text, c = self.draw_domain(column=False)
            c["n"] = v
            if text == "word":
                c["path"] = True
            task["draws"][v] = c["t"]
            self.names.append(c)
            self.body.append(f"  {v} : {text}")
        for add in r.sample([self.add_csv, self.add_csv, self.add_sqlite, self.add_sqlite, self.add_json, self.add_xml, self.add_text], 1 if self.small else r.randint(1, 3)):
            add()
        if self.flip(0.2):
            self.add_written()
        bounded = [c for c in self.names if c["t"] in ("int", "date") and "lo" in c and c["n"] in task["draws"]]
        if bounded and self.flip(0.3):  # what a require says of a draw, later conditions can use
            c = r.choice(bounded)
            self.body.append(f"  require {write_pcd(self.mark('scalar', [r.choice(['<=', '>=', '!=']), ['name', c['n']], self.pick_middle(c)]), task)}")
        pairs = [s for s in self.list_tables("csv", "sqlite") if s["rows_min"] > 0 and len([c for c in s["cols"] if not c["null"]]) > 1]
        if pairs and self.flip(0.2):  # two values of one row
            s = r.choice(pairs)
            both = r.sample([c for c in s["cols"] if not c["null"]], 2)
            new = [self.make_name("v"), self.make_name("v")]
            for v, c in zip(new, both):
                task["draws"][v] = c["t"]
                self.names.append(dict({k: x for k, x in c.items() if k not in ("expr", "uniq", "ref", "helper")}, n=v))
            self.body.append(f"  {new[0]}, {new[1]} : ref {s['ref']}.({both[0]['n']}, {both[1]['n']})")
        if self.flip(0.4):  # a value that is in a table
            found = [(s, c) for s in self.list_tables("csv", "sqlite", "json") for c in s["cols"] if s["rows_min"] > 0 and not c["null"] and not c.get("helper") and c["t"] != "float"]
            if found:
                s, c = r.choice(found)
                v = self.make_name("v")
                task["draws"][v] = c["t"]
                self.names.append(dict({k: x for k, x in c.items() if k not in ("expr", "uniq", "ref")}, n=v))
                self.body.append(f"  {v} : ref {s['ref']}.{c['n']}")
        for _ in range(0 if self.small else r.randint(0, 3)):  # computed values, in the task's scope
            v = self.make_name("v")
            tree, t = self.make_scalar()
            task["computed"][v] = tree
            self.body.append(f"  {v} = {write_pcd(tree, task)}")
            if t in ("int", "dec", "text", "date", "bool"):
                self.names.append({"n": v, "t": t, "null": False})
        if self.flip(0.3):
            made = self.make_rows()
            if made and made[1].get("columns"):
                v = self.make_name("rs")
                types = made[1]["types"]
                task["tables"][v] = {"id": v, "kind": "result", "ref": v, "sql": v, "rows_min": 0, "query": made[1],
                                     "cols": [{"n": n, "t": t[0] if isinstance(t, list) else t, "places": t[1] if isinstance(t, list) else None, "null": True} for n, t in zip(made[1]["columns"], types)]}
                self.body.append(f"  {v} = {write_pcd(made, task)}")
        if self.flip(0.2):
            v = self.make_name("v")
            tree, t, null = self.make_aggregate(never_empty=True) if task["tables"] else (["int", 1], "int", False)
            task["computed"][v] = tree
            self.body.append(f"  {v} = {write_pcd(tree, task)}")
            self.body.append(f"  require {v} != null" if null else f"  require {write_pcd(self.mark('scalar', ['>=', ['name', v], ['name', v]]), task)}")
            self.names.append({"n": v, "t": t, "null": False})
        goal = self.add_goal() if self.flip(0.3) else None
        shown = " ".join(f"<<{c['n']}>>" for c in self.names if not c["null"] and not c.get("path") and c["t"] != "float")
        files = " ".join(f"<<{f}>>" for f in task["files"])
        if self.flip(0.1):
            self.body.append(f'  prompt one_of ["Look at {files}. {shown}", "See {files}: {shown}"]')
        else:
            self.body.append(f'  prompt "Look at {files}. {shown}"')
        if self.flip(0.3):
            for v in ("one", "two"):
                self.variant = v
                lines, spec = self.write_expects(goal)
                n = self.make_name("v")
                tree, t = self.make_scalar()
                spec["computed"][n] = tree
                spec["expects"].append({"tree": ["name", n], "form": "json"})
                lines.append(f'expect file "{n}.json" json ' + write_pcd(self.mark("value", ["name", n]), self.task))
                self.body.append(f"  variant {v} {{\n    {n} = {write_pcd(tree, task)}\n    prompt \"Form {v}.\"\n    " + "\n    ".join(lines) + "\n  }")
                task["variants"].append(dict(spec, name=v))
        else:
            lines, spec = self.write_expects(goal)
            self.body += ["  " + x for x in lines]
            task["variants"].append(dict(spec, name=None))
        return f"task {name} {{\n" + "\n".join(self.body) + "\n}\n", task

    # ---- tasks whose builds may stop, or may not: what the end of a check is about

    def write_risky(self, name):
        r = self.r
        self.names, self.body, self.variant = [], [], None
        task = self.task = {"name": name, "axes": {}, "draws": {}, "computed": {}, "tables": {}, "files": {}, "goals": {}, "variants": []}

        def draw(text, t="int"):
            v = self.make_name("v")
            task["draws"][v] = t
            self.body.append(f"  {v} : {text}")
            return ["name", v]

        def draw_whole(*los):
            lo = r.choice(los or (-2, 0, 1, 1, 1, 2, 5))
            hi = lo + r.choice([1, 2, 5, 20])
            n = draw(f"int {lo}..{hi}")
            self.names.append({"n": n[1], "t": "int", "null": False, "lo": lo, "hi": hi})
            return n

        def draw_table():
            f = self.make_name("f")
            way = r.random()
            rows = "8" if way < 0.4 else draw_whole(0, 1, 1, 5)[1] if way < 0.7 else f"{r.choice([0, 1])}..9"
            self.body.append(f'  csv {f} at "{f}.csv" {{ rows {rows} {f}I : serial {f}N : int {r.choice([-3, 0, 1])}..{r.choice([5, 40])} {f}B : int 1..9 blank {r.choice([10, 60])}% {f}T : one_of ["amber", "birch", "cedar"] {f}U : unique int 1..{r.choice([12, 40, 900])} }}')
            cols = [{"n": f + x, "t": "text" if x == "T" else "int", "null": x == "B"} for x in "INBTU"]
            task["files"][f] = {"path": ["text", f"{f}.csv"]}
            task["tables"][f] = {"id": f, "kind": "csv", "file": f, "ref": f, "sql": f, "cols": cols, "rows_min": 0}
            return f

        def make_agg(fn, f, col, where=None, extra=()):
            return ["agg", fn, f, [["col", f + col]] if col else [], where and self.mark("where", where, f), list(extra)]

        values = []
        for _ in range(r.choice([1, 1, 2, 3])):
            way = r.randint(0, 17)
            a, b = draw_whole(), draw_whole()
            if way <= 2:  # a divisor
                by = r.choice([b, ["+", b, ["int", r.choice([1, 2, 3])]], ["-", b, a], ["*", b, a], ["call", "abs", [b]], ["call", "greatest", [b, ["int", 1]]]])
                t = ["/", a, by] if self.flip(0.6) else ["call", "mod", [a, by]]
                if self.flip(0.3):
                    t = ["if", self.mark("scalar", ["!=", by, ["int", 0]]), t, ["/", a, ["int", 2]] if t[0] == "/" else ["int", 0]]
                elif self.flip(0.3):
                    self.body.append(f"  require {write_pcd(self.mark('scalar', ['!=', by, ['int', 0]]), task)}")
            elif way == 3:  # a range with drawn bounds
                t = draw(f"int {write_pcd(a, task)}..{write_pcd(r.choice([b, ['+', a, ['int', 3]], ['+', a, b]]), task)}")
            elif way == 4:
                t = ["call", "round", [["/", a, ["int", 7]], r.choice([b, ["int", 2], draw_whole(0, 15)])]]
            elif way == 5:
                t = ["+", ["call", "to_int", [draw('pattern "%s"' % r.choice(["[0-9]{2}", "[0-9A]{2}", "-?[1-9]{2}", "[1-9][0-9]{18}"]), "text")]], ["int", 1]]
            elif way == 6:
                f = draw_table()
                t = ["rowat", "csv_value", f, f + r.choice("INU"), ["int", r.choice([1, 5, 8])] if "rows 8" in self.body[-1] else ["int", 1] if "rows v" not in self.body[-1] else ["call", "greatest", [["int", 1], make_agg("count", f, "")]]]
            elif way == 7:
                f = draw_table()
                col = r.choice("INBU")
                where = r.choice(["", f" where {f}N > {r.choice([0, 3, 39])}", f" where {f}N > {a[1]}"])
                t = draw(f"ref {f}.{f}{col}{where}")
            elif way == 8:
                f = draw_table()
                t = ["agg", "object", f, [["col", f + r.choice("TU")], ["col", f + "N"]], None, []]
                if t[3][0][1].endswith("U"):
                    t[3][0] = ["str", [["col", f + "U"]]]
            elif way == 9:
                t = ["*", ["*", a, draw(f"int 1..{r.choice([1000, 3_000_000_000])}")], draw(f"int 1..{r.choice([1000, 3_000_000_000])}")]
            elif way == 10:
                t = [r.choice("+-"), draw("date 2020-01-01..2030-01-31", "date"), ["dur", r.choice([1, 40, 2500, 7980]), r.choice(["months", "years", "days"])]]
            elif way == 11:
                w = draw("word", "text")
                t = ["call", "replace", [w, ["call", "slice", [w, ["int", 1], r.choice([b, draw_whole(1)])]], ["text", "_"]]]
            elif way == 12:
                self.body.append(f'  text n{name} at "n{name}.txt" : lorem lines {r.choice([3, 8])}') if f"n{name}" not in task["files"] else None
                task["files"][f"n{name}"] = {"path": ["text", f"n{name}.txt"]}
                t = ["file", r.choice(["file_line", "file_word"]), f"n{name}", [r.choice([draw_whole(1), b])]]
            elif way == 13:
                f = draw_table()
                t = ["/", make_agg("count", f, r.choice("BN")), r.choice([make_agg("count", f, ""), make_agg("count", f, "N", [">", ["col", f + "N"], a]), ["+", make_agg("count", f, ""), ["int", 1]], ["call", "coalesce", [make_agg("sum", f, "N"), ["int", 1]]]])]
            elif way == 14:
                f = draw_table()
                t = ["call", "coalesce", [make_agg("quantile", f, "N", None, [draw(r.choice(["decimal 0.0..1.0", "decimal 0.5..1.2"]), "dec")]), ["dec", "0.0"]]]
            elif way == 15:
                f = draw_table()
                t = ["agg", "list", f, [["/", ["col", f + "U"], self.mark("divisor", r.choice([["col", f + "N"], ["col", f + "I"], ["+", ["col", f + "N"], ["int", 4]]]), f)]], None if self.flip(0.5) else self.mark("where", ["!=", ["col", f + "N"], ["int", 0]], f), []]
            elif way == 16:
                f = draw_table()
                t = self.make_node("value", r.choice([f"SELECT {f}N FROM {f} WHERE {f}I = 1", f"SELECT {f}N FROM {f} WHERE {f}U > :{a[1]}", f"SELECT MAX({f}N) FROM {f}", f"SELECT {f}N FROM {f} WHERE {f}I = :{b[1]} LIMIT 1"]))
                t = ["call", "coalesce", [t, ["int", -1]]]
            else:
                t = ["call", "nth", [["agg", "list", draw_table(), None, None, []], b]]
                f = t[2][0][2]
                t[2][0][3] = [["col", f + "N"]]
                t = ["call", "coalesce", [t, ["int", 0]]] if self.flip(0.8) else ["call", "pad_left", [["str", [a, "x"]], b, ["text", "0"]]]
            values.append(t)
        shown = " ".join(f"<<{v}>>" for v in task["draws"])
        self.body.append(f'  prompt "Look at {" ".join(f"<<{f}>>" for f in task["files"])}. {shown}"')
        tree = ["obj", [[f"k{i}", self.mark("value", t)] for i, t in enumerate(values)]]
        self.body.append(f"  expect reply json {write_pcd(tree, task)}")
        task["variants"].append({"name": None, "computed": {}, "expects": [{"form": "json", "tree": tree}]})
        return f"task {name} {{\n" + "\n".join(self.body) + "\n}\n", task

    def write_expects(self, goal):
        """The expectations of a task or variant: lines, and a description."""
        r, task = self.r, self.task
        lines, spec = [], {"computed": {}, "expects": []}

        def add(subject, form, tree, options="", text=None, **more):
            spec["expects"].append(dict({"form": form, "tree": tree}, **more))
            lines.append(f"expect {subject} {form} {text or write_pcd(tree, task)}{options}")

        fields = []
        for i in range(1 if self.small else r.randint(3, 7)):
            made = self.make_rows() if self.flip(0.15) and not self.small else None
            tree, t = (made, "rows") if made else self.make_scalar()
            fields.append([f"k{i}", self.mark("value", tree)])
        subject = r.choice(["reply", "reply fenced \"json\"", "file \"out.json\"", "reply after \"Answer:\""])
        add(subject, "json", ["obj", fields], r.choice(["", "", " open", " weight 2"]))
        if self.flip(0.5):
            tree, t = self.make_scalar()
            tree = self.mark("value", tree)
            place = '"one.txt"' if "out.json" not in subject else '"two.txt"'
            if t in ("int", "dec", "float"):
                add(f"file {place}", "number", tree, r.choice(["", " rounded 2", " within 0.001", " gate"]))
            elif t == "list":
                add(f"file {place}", "list", tree, r.choice(["", " ordered"]))
            elif t == "date":
                add(f"file {place}", r.choice(["text", "contains"]), tree)
        if self.flip(0.3):
            made = self.make_rows()
            if made:
                add('file "rows.json"', r.choice(["rows", "list", "json"]), made, r.choice(["", " ordered"]))
        if self.flip(0.15):
            picks = [f for f, s in task["files"].items() if s.get("lines")]
            if picks:
                f = r.choice(picks)
                add(f"file {f}", "bytes", ["call", "replace", [["file", "content", f, []], ["text", r.choice(["a", "um", "e "])], ["text", "_"]]])
        js = [s for s in self.list_tables("json") if s["rows_min"] > 0]
        if js and self.flip(0.2):
            s = r.choice(js)
            c = r.choice([c for c in s["cols"] if "." not in c["n"]])
            test = self.make_filter(s) if self.flip(0.05) else None
            add(f"file {s['file']}", "json", ["edit", s["file"], [["key", s["key"]], ["if", test] if test else ["all"], ["key", c["n"]]], self.pick_near(c)])
        if goal:
            f = task["goals"][goal]["db"]
            add(f"file {f}", "database", None, text=goal, goal=goal)
            if self.flip(0.5):
                add('file "changed.txt"', "number", ["changed", goal])
        return lines, spec

    def write(self):
        """The text of the suite, its description, and where its conditions are."""
        parts, tasks, self.constants = [], [], {}
        for _ in range(self.r.choice([0, 0, 1, 2])):
            t = self.r.choice(["int", "dec", "text", "date"])
            self.constants[self.make_name("v")] = self.pick_near({"t": t, "lo": {"int": 0, "dec": "1.0", "date": "2021-01-01"}.get(t), "hi": {"int": 60, "dec": "90.0", "date": "2024-06-30"}.get(t)})
        risky = self.flip(0.3)
        self.odd = True
        self.small = not risky and self.flip(0.25)  # one file and few expressions: most builds are proved not to stop
        for i in range(1 if risky and self.flip(0.8) else self.r.choice([1, 1, 1, 2, 2, 3])):
            text, task = self.write_risky(f"q{i + 1}") if risky else self.write_task(f"q{i + 1}")
            parts.append(text)
            tasks.append(task)
        constants = "".join(f"{n} = {write_pcd(t, {})}\n" for n, t in self.constants.items())
        text = f'suite {self.suite} {{ title "Random" version "1.0.0" samples 3 }}\n\n' + constants + "\n".join(parts)
        return strip_marks(text), {"suite": self.suite, "tasks": {t["name"]: t for t in tasks}, "spans": self.find_spans(text)}

    def find_spans(self, text):
        """Where each mark is in the text: line and column of its start and end, counted from 1."""
        spans, stack, line, col = [], [], 1, 1
        for m in re.finditer("\x01(\\d+)\x02|\x03|\n|[^\x01\x03\n]", text):
            if m[1]:
                stack.append((int(m[1]), line, col))
            elif m[0] == "\x03":
                i, a, b = stack.pop()
                spans.append(dict(self.marks[i], span=[a, b, line, col]))
            elif m[0] == "\n":
                line, col = line + 1, 1
            else:
                col += 1
        return spans
