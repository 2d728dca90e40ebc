"""Columns with marks that change a value, written by picardc and read by Python, and the other way round; and what `picardc infer` makes of them.

    python3 marks.py PICARDC FOLDER COLUMNS SEED

The rules are those of docs/src/language/lakes.md and renderings.md, and nothing else of picardc's. At least COLUMNS columns go each way, in files of random
delimiters, encodings, line ends, and lines around the table. Prints the counts, or each difference, and then fails.
"""

import csv
import datetime
import io
import json
import pathlib
import random
import re
import subprocess
import sys
from decimal import Decimal

PICARDC, FOLDER, COLUMNS, SEED = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
WIDTH, ROWS = 40, 12
MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]


# -- Numbers -------------------------------------------------------------------------------------------------------------------------------

class Form:
    """One pattern of a number: its digits with text around them, perhaps another text around those of values below 0, and a factor."""

    def __init__(self, digits, around=("", ""), below=None, times=None):
        self.digits, self.around, self.below = digits, around, below
        group = re.match(r"#(.)##0", digits)
        self.group = group[1] if group else None
        self.point = "," if self.group == "." or re.search(r"0,0+$", digits) else "."
        places = re.search(r"[.,](0+)$", digits)
        self.places = len(places[1]) if places and not (group and places.start() < 3) else 0
        self.factor = Decimal(times) if times else Decimal("0.01") if "%" in around[1] else Decimal(1)
        self.times = times

    def declare(self):
        pattern = self.around[0] + self.digits + self.around[1]
        if self.below:
            pattern += ";" + self.below[0] + self.digits + self.below[1]
        return f'written "{pattern}"' + (f" times {self.times}" if self.times else "")

    def write(self, value):
        """A text of the value, or None where the places of the pattern do not hold it."""
        shown = value / self.factor
        if shown != shown.quantize(Decimal(1).scaleb(-self.places)):
            return None
        whole, _, part = f"{abs(shown):.{self.places}f}".partition(".")
        if self.group:
            whole = f"{int(whole):,}".replace(",", self.group)
        text = whole + (self.point + part if part else "")
        if value < 0 and self.below:
            return self.below[0] + text + self.below[1]
        return ("-" if value < 0 else "") + self.around[0] + text + self.around[1]

    def read(self, text):
        """The value of a text in this form, else None: groups or none, any number of places, exactly the text around."""
        for around, sign in [(self.around, 1)] + ([(self.below, -1)] if self.below else []):
            before, after = around
            minus = 1
            if sign == 1 and not self.below:
                # The minus is before the text or before the digits.
                for lead in ("-" + before, before + "-"):
                    if text.startswith(lead):
                        text, minus = before + text[len(lead):], -1
                        break
            if not (text.startswith(before) and text.endswith(after) and len(text) > len(before) + len(after)):
                continue
            inner = text[len(before):len(text) - len(after)]
            whole = r"\d+"
            if self.group:
                whole = rf"(?:\d{{1,3}}(?:{re.escape(self.group)}\d{{3}})+|\d+)"
            if re.fullmatch(rf"{whole}(?:{re.escape(self.point)}\d+)?", inner):
                plain = inner.replace(self.group, "") if self.group else inner
                return sign * minus * Decimal(plain.replace(self.point, ".")) * self.factor
        return None


DIGITS = {0: ["0", "#,##0", "#.##0", "#'##0", "# ##0"], 1: ["0.0", "0,0", "#,##0.0"], 2: ["0.00", "0,00", "#,##0.00", "#.##0,00", "#'##0.00", "# ##0,00"], 3: ["0.000", "#,##0.000"]}
BELOW = [(("", ""), ("(", ")")), (("", ""), ("", "-")), (("", " Cr"), ("", " Dr")), (("", "° N"), ("", "° S")), (("", " AD"), ("", " BC")), (("$", ""), ("($", ")")), (("", " E"), ("", " W")), (("+", ""), ("−", ""))]
AROUND = [("", ""), ("", ""), ("$", ""), ("€ ", ""), ("", " €"), ("", " kg"), ("", "%"), ("", " %"), ("CHF ", ""), ("", " pts."), ("~", ""), ("", "°C")]
SCALES = [[("0", "", None), ("0.0", "K", "1_000"), ("0.0", "M", "1_000_000")], [("0", " kg", None), ("0", " g", "0.001")], [("0.00", " bn", "1_000_000_000"), ("0", " mn", "1_000_000"), ("0", "", None)], [("0", " km", None), ("0", " m", "0.001"), ("0", " cm", "0.00001")], [("0", " min", None), ("0", " h", "60"), ("0", " d", "1_440")]]


class Numbers:
    """A column of numbers: `places` of its values, and the patterns in which they are written."""

    def __init__(self, rng):
        kind = rng.choice(["one", "one", "sections", "scales", "share"])
        self.places = rng.choice([0, 0, 1, 2, 2, 3])
        self.high = 10 ** rng.randint(1, 6)
        self.low = -self.high if rng.random() < 0.6 else 0
        digits = rng.choice(DIGITS[self.places])
        if kind == "sections":
            around, below = rng.choice(BELOW)
            self.forms = [Form(digits, around, below)]
            self.low = -self.high
        elif kind == "scales":
            scale = rng.choice(SCALES)
            self.places = 3 if scale[1][2] == "0.001" else 0
            if len(scale) == 3 and scale[2][2] == "0.00001":
                self.places = 5
            self.high *= 1000 if self.places == 0 else 1
            forms = [Form(digits, ("", unit), None, times) for digits, unit, times in scale]
            # The first that holds a number exactly writes it: the largest units come first.
            self.forms = sorted(forms, key=lambda form: -form.factor)
        elif kind == "share":
            around = rng.choice(AROUND[2:5])
            others = [other for other in DIGITS[self.places] if Form(other).point == Form(digits).point and Form(other).group in (None, Form(digits).group)]
            self.forms = [Form(digits, around), Form(rng.choice(others), ("", around[0].strip() or around[1]))]
        else:
            around = rng.choice(AROUND)
            self.forms = [Form(digits, around)]
        if any("%" in form.around[1] for form in self.forms):
            self.places += 2
        self.scaled, self.shared = kind == "scales", kind == "share"
        self.type = "decimal" if self.places else "int"

    def bounds(self):
        text = (lambda bound: f"{bound:_}") if self.type == "int" else (lambda bound: f"{bound:_}." + "0" * max(self.places, 1))
        return f"{self.type} {text(self.low)}..{text(self.high)}"

    def draw(self, rng):
        value = Decimal(rng.randint(self.low * 10**self.places, self.high * 10**self.places)).scaleb(-self.places)
        # Round numbers, which larger units hold.
        return value - value % 1000 if self.scaled and rng.random() < 0.5 else value

    def styles(self):
        if self.shared:
            return f"{self.forms[0].declare()} {self.forms[1].declare()} 30%"
        return " ".join(form.declare() for form in self.forms)

    def write(self, rng, value):
        texts = [text for form in self.forms if (text := form.write(value)) is not None]
        return rng.choice(texts)

    def read(self, text):
        found = {value for form in self.forms if (value := form.read(text)) is not None}
        return found.pop() if len(found) == 1 else f"not one reading of {text!r}: {found}"

    def same(self, ours, theirs):
        if isinstance(theirs, dict):
            theirs = next(iter(theirs.values()))
        return theirs is not None and not isinstance(ours, str) and Decimal(str(theirs)) == ours


# -- Dates ---------------------------------------------------------------------------------------------------------------------------------

PARTS = {
    "yyyy": (r"(?P<y>\d{4})", lambda d: f"{d.year:04}"), "yy": (r"(?P<yy>\d\d)", lambda d: f"{d.year % 100:02}"),
    "MMMM": ("(?P<name>" + "|".join(MONTHS) + ")", lambda d: MONTHS[d.month - 1]), "MMM": ("(?P<name>" + "|".join(month[:3] for month in MONTHS) + ")", lambda d: MONTHS[d.month - 1][:3]),
    "MM": (r"(?P<m>\d\d)", lambda d: f"{d.month:02}"), "M": (r"(?P<m>\d\d?)", lambda d: str(d.month)), "dd": (r"(?P<d>\d\d)", lambda d: f"{d.day:02}"), "d": (r"(?P<d>\d\d?)", lambda d: str(d.day)),
    "HH": (r"(?P<H>\d\d)", lambda d: f"{d.hour:02}"), "H": (r"(?P<H>\d\d?)", lambda d: str(d.hour)), "hh": (r"(?P<h>\d\d)", lambda d: f"{d.hour % 12 or 12:02}"), "h": (r"(?P<h>\d\d?)", lambda d: str(d.hour % 12 or 12)), "a": ("(?P<half>AM|PM)", lambda d: "PM" if d.hour >= 12 else "AM"),
    "mm": (r"(?P<M>\d\d)", lambda d: f"{d.minute:02}"), "ss": (r"(?P<S>\d\d)", lambda d: f"{d.second:02}"), "XXX": (r"(?P<zone>Z|[+-]\d\d:\d\d)", lambda d: "Z"), "X": (r"(?P<zone>Z|[+-]\d\d(?:\d\d)?)", lambda d: "Z"),
}
DAYS = ["yyyy-MM-dd", "dd.MM.yyyy", "d.M.yyyy", "MM/dd/yyyy", "M/d/yy", "d MMM yyyy", "MMMM d, yyyy", "d. MMMM yyyy", "dd-MMM-yy", "yyyyMMdd", "yyyy/M/d", "'on' d MMM yyyy", "dd/MM/yyyy"]
TIMES = ["yyyy-MM-dd HH:mm:ss", "dd.MM.yyyy HH:mm:ss", "yyyy-MM-dd'T'HH:mm:ssXXX", "yyyy-MM-dd'T'HH:mm:ssX", "M/d/yyyy h:mm:ss a", "dd/MMM/yyyy:HH:mm:ss", "MMMM d, yyyy hh:mm:ss a", "yyyyMMdd HHmmss", "d MMM yy H:mm:ss"]


class Days:
    """A column of dates, or of datetimes in whole seconds."""

    def __init__(self, rng):
        self.timed = rng.random() < 0.4
        self.pattern = rng.choice(TIMES if self.timed else DAYS)
        two = re.search(r"(?<!y)yy(?!y)", self.pattern)
        self.first = rng.choice([1970, 1990] if two else [1900, 1970, 2001])
        self.last = rng.choice([2010, 2039] if two else [2010, 2039, 2099])
        self.pieces = re.findall(r"'[^']*'|yyyy|yy|MMMM|MMM|MM|M|dd|d|HH|H|hh|h|mm|ss|XXX|X|a|.", self.pattern)

    def bounds(self):
        ends = (f"{self.first}-01-01", f"{self.last}-12-31")
        return "datetime {}T00:00:00..{}T23:59:59".format(*ends) if self.timed else "date {}..{}".format(*ends)

    type = property(lambda self: "datetime" if self.timed else "date")

    def draw(self, rng):
        start = datetime.datetime(self.first, 1, 1)
        seconds = int((datetime.datetime(self.last + 1, 1, 1) - start).total_seconds()) - 1
        value = start + datetime.timedelta(seconds=rng.randint(86400, seconds - 86400))
        return value if self.timed else value.date()

    def styles(self):
        return f'written "{self.pattern}"'

    def write(self, rng, value):
        zone, shown = "Z", value
        if "X" in self.pattern:
            minutes = rng.choice([0, 60, -300, 330, -570])
            if "XXX" not in self.pattern and rng.random() < 0.5:
                minutes -= minutes % 60
            shown = value + datetime.timedelta(minutes=minutes)
            hours, rest = divmod(abs(minutes), 60)
            colon = ":" if "XXX" in self.pattern else ""
            short = "XXX" not in self.pattern and rest == 0 and rng.random() < 0.5
            zone = rng.choice(["Z", f"+00{'' if short else colon + '00'}"]) if minutes == 0 else f"{'-' if minutes < 0 else '+'}{hours:02}" + ("" if short else f"{colon}{rest:02}")
        return "".join(zone if piece in ("X", "XXX") else PARTS[piece][1](shown) if piece in PARTS else piece.strip("'") or piece for piece in self.pieces)

    def read(self, text):
        found = re.fullmatch("".join(PARTS[piece][0] if piece in PARTS else re.escape(piece.strip("'") or piece) for piece in self.pieces), text, re.IGNORECASE)
        if not found:
            return f"{text!r} is not in the form {self.pattern}"
        got = found.groupdict()
        year = int(got["y"]) if got.get("y") else 1900 + int(got["yy"]) if int(got["yy"]) >= 70 else 2000 + int(got["yy"])
        month = int(got["m"]) if got.get("m") else 1 + [month[:3].lower() for month in MONTHS].index(got["name"][:3].lower())
        if not self.timed:
            return datetime.date(year, month, int(got["d"]))
        hour = int(got["H"]) if got.get("H") else int(got["h"]) % 12 + (12 if got["half"].upper() == "PM" else 0)
        value = datetime.datetime(year, month, int(got["d"]), hour, int(got["M"]), int(got["S"]))
        zone = got.get("zone") or "Z"
        if zone.upper() == "Z":
            return value
        minutes = int(zone[1:3]) * 60 + int(zone[3:].strip(":") or 0)
        return value - datetime.timedelta(minutes=minutes if zone[0] == "+" else -minutes)

    def same(self, ours, theirs):
        return not isinstance(ours, str) and ours.isoformat() == theirs


class Texts:
    """A column of words, some with text around them."""

    WORDS = ["oak", "elm tree", "O'Hare", "x;y", "a, b", "7", "Zug 12", "e"]

    def __init__(self, rng):
        self.around = rng.choice([("", " km"), ("Dr. ", ""), ("", " (old)"), ("<", ">")])
        self.type = "text"

    def bounds(self):
        return "one_of " + json.dumps(self.WORDS)

    def draw(self, rng):
        return rng.choice(self.WORDS)

    def styles(self):
        return f'written "{self.around[0]}@{self.around[1]}"'

    def write(self, rng, value):
        return self.around[0] + value + self.around[1]

    def read(self, text):
        before, after = self.around
        return text[len(before):len(text) - len(after)] if text.startswith(before) and text.endswith(after) else ["other text around", text]

    def same(self, ours, theirs):
        return ours == theirs


# -- Files ---------------------------------------------------------------------------------------------------------------------------------

class File:
    """How a table is written: what its options say."""

    def __init__(self, rng):
        self.delimiter = rng.choice([",", ",", ";", "|", "\t"])
        self.encoding = rng.choice(["utf-8", "utf-8", "utf-16le", "utf-16be"])
        self.crlf = rng.random() < 0.3
        self.above, self.below = rng.random() < 0.3, rng.random() < 0.3
        self.marks = rng.sample(["", "n/a", "-", "..", "NULL", "?"], rng.choice([1, 1, 2]))

    def options(self):
        delimiter = "\\t" if self.delimiter == "\t" else self.delimiter
        return "".join([f' delimiter "{delimiter}"' if self.delimiter != "," else "", f' encoding "{self.encoding}"' if self.encoding != "utf-8" else ""])

    def write(self, path, names, rows):
        text = io.StringIO(newline="")
        ends = "\r\n" if self.crlf else "\n"
        text.write(f"A title{ends}" if self.above else "")
        csv.writer(text, delimiter=self.delimiter, lineterminator=ends).writerows([names, *rows])
        text.write(f"Source: made up{ends}" if self.below else "")
        path.write_bytes(text.getvalue().encode(self.encoding))

    def read(self, path, first):
        """The fields of the rows between the lines above and below."""
        records = list(csv.reader(io.StringIO(path.read_bytes().decode(self.encoding), newline=""), delimiter=self.delimiter, strict=True))
        start = next(number for number, record in enumerate(records) if record[:1] == [first])
        rows = records[start + 1:]
        return rows[:-1] if self.below else rows


def run(*arguments, folder):
    done = subprocess.run([PICARDC, *map(str, arguments)], cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


SUITE = 'suite s {{ title "S"  version "1.0.0"  samples {samples} }}\n{items}\ntask t {{\n{body}  prompt "List all rows of <<t>>."\n  expect reply json <<rows: SELECT {names} FROM t>>\n}}\n'
COUNTS = {"written": 0, "read": 0, "inferred": 0, "inferred as text": 0, "cells": 0}
FOUND = []


def differ(what, column, declared, cell, ours, theirs):
    FOUND.append(f"{what}: {column} as {declared}: {cell!r} is {ours!s}, picardc says {theirs!r}")


def instances(folder):
    with open(folder / "out" / "instances.jsonl", encoding="utf-8") as lines:
        for line in lines:
            instance = json.loads(line)
            yield instance, instance["metadata"]["picard"]["expect"][0]["value"]["rows"]


def build(folder, text, what):
    (folder / "s.pcd").write_text(text, encoding="utf-8")
    code, _, errors = run("build", "s.pcd", "-o", "out", "--force", "--quiet", "--seed", SEED, folder=folder)
    if code:
        FOUND.append(f"{what} is refused:\n{errors[:3000]}\n")
    return code == 0


def make(rng):
    return rng.choice([Numbers, Numbers, Numbers, Days, Texts])(rng)


def compare(what, columns, cells, values, marks, read):
    for row, expected in zip(cells, values, strict=True):
        for (name, column), cell, theirs in zip(columns, row, expected, strict=True):
            COUNTS["cells"] += 1
            ours = read(column, cell)
            right = theirs is None if ours is None else column.same(ours, theirs)
            if not right:
                differ(what, name, f"{column.bounds()} as {column.styles()}", cell, ours, theirs)


def write_by_picardc(folder, rng, samples=3):
    """Draws columns and lets picardc write them: what Python reads must be what the key says."""
    columns, file = [(f"C{number}", make(rng)) for number in range(WIDTH)], File(rng)
    # The first column has no nulls, and no header is like a field.
    nulls = {name for name, column in columns[1:] if rng.random() < 0.3 and column.type != "text"}
    lines = ""
    for name, column in columns:
        missing = f" missing {json.dumps(file.marks)}" if name in nulls else ""
        lines += f"    {name} : {column.bounds()}{' blank 20%' if name in nulls else ''} as {column.styles()}{missing}\n"
    around = ' above "A title"' if file.above else ""
    around += ' below "Source: made up"' if file.below else ""
    crlf = " crlf" if file.crlf else ""
    body = f'  csv t at "t.csv"{file.options()}{crlf}{around} {{\n    rows {ROWS}\n{lines}  }}\n'
    text = SUITE.format(samples=samples, items="", body=body, names=", ".join(name for name, _ in columns))
    if not build(folder, text, "a table to write"):
        return
    for instance, values in instances(folder):
        cells = file.read(folder / "out" / "files" / instance["id"] / "t.csv", "C0")
        COUNTS["written"] += WIDTH

        def read(column, cell):
            return None if cell in file.marks and isinstance(column.read(cell), (str, list)) else column.read(cell)

        compare("written", columns, cells, values, file.marks, read)


def write_by_python(folder, rng):
    """Writes columns whose values are known: what the key says must be these."""
    columns, file = [(f"C{number}", make(rng)) for number in range(WIDTH)], File(rng)
    nulls = {name for name, column in columns[1:] if rng.random() < 0.3 and column.type != "text"}
    drawn = [[None if name in nulls and rng.random() < 0.2 else column.draw(rng) for name, column in columns] for _ in range(ROWS)]
    cells = [[rng.choice(file.marks) if value is None else column.write(rng, value) for (_, column), value in zip(columns, row)] for row in drawn]
    file.write(folder / "t.csv", [name for name, _ in columns], cells)
    options = file.options() + (' skip "C0"' if file.above else "") + (' until "Source: made up"' if file.below else "")
    lines = ""
    for name, column in columns:
        shown = column.bounds() if column.type in ("date", "datetime") and "yy" in re.findall("y+", column.styles()) else column.type
        missing = f" missing {json.dumps(file.marks)}" if name in nulls else ""
        patterns = " ".join(form.declare() for form in column.forms) if isinstance(column, Numbers) else column.styles()
        lines += f"    {name} : {shown} as {patterns}{missing}\n"
    names = ", ".join(name for name, _ in columns)
    body = f'  csv t at "t.csv"{options} from "t.csv" {{\n{lines}  }}\n'
    if build(folder, SUITE.format(samples=1, items="", body=body, names=names), "a file to read"):
        COUNTS["read"] += WIDTH
        for _, values in instances(folder):
            texts = iter([cell for row in cells for cell in row])
            for row, expected in zip(drawn, values, strict=True):
                for (name, column), ours, theirs in zip(columns, row, expected, strict=True):
                    COUNTS["cells"] += 1
                    cell = next(texts)
                    if not (theirs is None if ours is None else column.same(ours, theirs)):
                        differ("read", name, f"{column.type} as {column.styles()}", cell, ours, theirs)
    infer(folder, columns, drawn, cells)


def is_ambiguous(column):
    """Whether its cells alone do not say what they mean: `1.234`, `20240301`, one unit in every cell."""
    if isinstance(column, Days):
        return column.pattern in ("yyyyMMdd", "yyyyMMdd HHmmss")
    return isinstance(column, Numbers) and any((form.group or "") in {".", ","} or form.point == "," or form.places == 3 or form.factor != 1 for form in column.forms)


def infer(folder, columns, drawn, cells):
    """Reads the same file as `infer` declares it: a column has the values that were written, or the texts of its cells; two different texts become one value only where a comment stands above the column."""
    code, declared, errors = run("infer", "t.csv", "--as", "table", folder=folder)
    if code:
        FOUND.append(f"infer: {errors[:500]}")
        return
    known = re.findall(r"^  (?:  )?(\w+)\s*(?::|=)", declared, re.MULTILINE)
    table = re.search(r"^table (\w+)", declared, re.MULTILINE)
    if not table:
        FOUND.append(f"infer: no table in\n{declared[:500]}")
        return
    suite = SUITE.format(samples=1, items=declared, body="", names=", ".join(known)).replace(" FROM t>>", f" FROM {table[1]}>>").replace("<<t>>", "the table")
    if not build(folder, suite, "what infer declares"):
        return
    comments = set()
    for above, name in re.findall(r"((?:^ *#.*\n)+) *(\w+)\s*:", declared, re.MULTILINE):
        comments.add(name)
    for _, values in instances(folder):
        places = {name: number for number, name in enumerate(known)}
        for number, (name, column) in enumerate(columns):
            # A unit has a column of its own: nothing is lost.
            if name not in places or f"{name}_UNIT" in places:
                continue
            COUNTS["inferred"] += 1
            got = [row[places[name]] for row in values]
            texts = [row[number] for row in cells]
            ours = [row[number] for row in drawn]
            if all(value is None or isinstance(value, str) for value in got) and not isinstance(column, Days):
                COUNTS["inferred as text"] += 1
            shown = {}
            for text, value, true in zip(texts, got, ours):
                COUNTS["cells"] += 1
                kept = value == text or value == true or value is None or column.same(true if true is not None else "", value)
                shown.setdefault(json.dumps(value), set()).add(text.strip())
                if not kept and name not in comments and not is_ambiguous(column):
                    differ("inferred", name, re.search(rf"^ *{name}\s*:.*$", declared, re.MULTILINE)[0].strip(), text, true, value)
            for value, several in shown.items():
                plain = {column.read(text) if not isinstance(column.read(text), (str, list)) else text for text in several}
                if len(plain) > 1 and name not in comments:
                    differ("inferred", name, re.search(rf"^ *{name}\s*:.*$", declared, re.MULTILINE)[0].strip(), sorted(several), "several values", value)


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    number = 0
    while min(COUNTS["written"], COUNTS["read"]) < COLUMNS and len(FOUND) < 40 and number < COLUMNS:
        rng = random.Random(f"{SEED}/{number}")
        number += 1
        if COUNTS["written"] < COLUMNS:
            write_by_picardc(FOLDER, rng)
        if COUNTS["read"] < COLUMNS:
            write_by_python(FOLDER, rng)
    for found in FOUND[:40]:
        print(found)
    print(", ".join(f"{count} {what}" for what, count in COUNTS.items()))
    sys.exit(1 if FOUND else 0)


main()
