"""Answers in the styles in which people, models and programs write them, and near misses of them: one JSON object a line.

Written from docs/src/reference/scoring.md and docs/src/language/expect.md, and from nothing else of picardc's. Each line is a case:

    {"matcher", "type", "style", "near", "expect": {…}, "subject": "reply" or "file", "said": TEXT, "database"?: NUMBER}

`expect` is an entry of an answer key as bundles have it. A case that is not `near` must always be right, a near one must always be wrong. The
line {"database": NUMBER, "bytes": BASE64} goes before the cases of that database. The standard library is enough; styles of numpy and pandas come along where these can be imported, and a last line {"skipped": […]} names what cannot.
The same seed gives the same cases: `styles.py [DRAWS]`, the number of values drawn for each type.
"""

import base64
import csv
import datetime
import decimal
import io
import json
import math
import os
import random
import re
import sqlite3
import sys
import tempfile
import unicodedata
from decimal import Decimal

try:
    import numpy
except ImportError:
    numpy = None
try:
    import pandas
except ImportError:
    pandas = None

DRAWS = int(sys.argv[1]) if len(sys.argv) > 1 else 6
WORDS = ["Zürich", "Łódź", "Malmö", "São Paulo", "Kiel", "O'Hare", "Ængström", "東京", "Ñandú", "Ulm", "Brno", "Ağrı", "École", "Smith & Sons", "naïve", "Ἀθῆναι"]


def nfc(text):
    return unicodedata.normalize("NFC", text)


def nfd(text):
    return unicodedata.normalize("NFD", text)


def emit(matcher, kind, style, near, value, said, options=None, subject="reply", slice=None, database=None, any_of=None):
    expect = {"subject": {"file": "answer.txt"} if subject == "file" else "reply", "match": matcher, "weight": 1}
    # Only these matchers know that a text of their key is a day.
    form = (lambda value: value) if matcher in ("date", "list", "rows", "sql") else unmark
    if any_of is None:
        expect["value"] = form(value)
    else:
        expect["any_of"] = form(any_of)
    expect["options"] = options or {}
    if slice is not None:
        expect["slice"] = slice
    case = {"matcher": matcher, "type": kind, "style": style, "near": near, "expect": expect, "subject": subject, "said": said}
    if database is not None:
        expect["database"] = "data.db"
        case["database"] = database
    print(json.dumps(case))


def unmark(value):
    """A key in which days are texts."""
    if isinstance(value, list):
        return [unmark(item) for item in value]
    if isinstance(value, dict):
        return value["date"] if list(value) == ["date"] else {name: unmark(item) for name, item in value.items()}
    return value


def key(value):
    """A value as an answer key has it."""
    if isinstance(value, Decimal):
        return {"decimal": str(value)}
    if isinstance(value, bool) or value is None or isinstance(value, (str, float)):
        return value
    if isinstance(value, int):
        return value if abs(value) <= 2**53 else {"int": str(value)}
    if isinstance(value, (datetime.date, datetime.datetime)):
        return {"date": value.isoformat()}
    if isinstance(value, list):
        return [key(item) for item in value]
    return {name: key(item) for name, item in value.items()}


# -- Around any answer ---------------------------------------------------------------------------------------------------------------------

def fence(text, language="", mark="```"):
    while mark in text:
        mark += mark[0]
    return f"{mark}{language}\n{text}\n{mark}"


AROUND = [
    ("blanks at the ends", lambda text: f"  \n{text} \t\n\n"),
    ("CRLF", lambda text: text.replace("\n", "\r\n") + "\r\n"),
    ("byte order mark", lambda text: "\ufeff" + text),
    ("zero-width space", lambda text: "\u200b" + text + "\u200b\u2060"),
    ("no-break space", lambda text: "\u00a0" + text + "\u00a0"),
    ("fenced", lambda text: fence(text)),
    ("fenced, with a language", lambda text: fence(text, "text")),
    ("fenced by tildes", lambda text: fence(text, "", "~~~")),
    ("fenced, blanks around", lambda text: f"\n{fence(text)}\n\n"),
    ("fenced, CRLF", lambda text: fence(text).replace("\n", "\r\n")),
    ("after thoughts", lambda text: f"<think>It could be 17, or Rome.\n</think>\n\n{text}"),
    ("after thoughts that were opened elsewhere", lambda text: f"so it is 17\n</think>\n{text}"),
    ("Harmony", lambda text: f"<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>{text}<|return|>"),
    ("Harmony with thoughts", lambda text: f"<|channel|>final<|message|><think>17?</think>{text}<|return|>"),
]
PLAIN = ("as it is", lambda text: text)

# Marks around a whole answer, which do not belong to it.
MARKS = [
    ("a period", "{}."), ("bold", "**{}**"), ("italic", "*{}*"), ("bold and italic", "***{}***"), ("bold, underscores", "__{}__"), ("italic, underscores", "_{}_"),
    ("code", "`{}`"), ("code, two ticks", "`` {} ``"), ("in quotes", '"{}"'), ("in single quotes", "'{}'"), ("in curved quotes", "“{}”"), ("in low quotes", "„{}“"), ("in single curved quotes", "‘{}’"), ("in angle quotes", "«{}»"), ("in low and high quotes", "„{}”"), ("in corner brackets", "「{}」"),
    ("mathematics", "${}$"), ("mathematics, in brackets", "\\({}\\)"), ("displayed", "$${}$$"), ("displayed, in brackets", "\\[ {} \\]"), ("boxed", "\\boxed{{{}}}"), ("text of TeX", "\\text{{{}}}"), ("typewriter of TeX", "\\texttt{{{}}}"), ("emphasis of TeX", "\\emph{{{}}}"), ("boxed mathematics", "$\\boxed{{{}}}$"), ("boxed text", "\\[\\boxed{{\\text{{{}}}}}\\]"),
    ("bold, a period in it", "**{}.**"), ("bold, a period after it", "**{}**."), ("in quotes, a period in it", '"{}."'), ("bold code", "**`{}`**"), ("bold, blanks in it", "** {} **"),
]
# What else can be around an answer: it may say something, so it is read.
OTHER_MARKS = [
    ("an exclamation mark", "{}!"), ("a question mark", "{}?"), ("a comma after it", "{},"), ("an ellipsis", "{}…"), ("three periods", "{}..."), ("in round brackets", "({})"), ("in square brackets", "[{}]"), ("in angle brackets", "<{}>"), ("in braces", "{{{}}}"),
    ("a heading", "# {}"), ("quoted by a line", "> {}"), ("a line break of HTML", "{} <br>"), ("about", "about {}"), ("a tilde", "~{}"), ("nearly", "≈ {}"), ("at least", ">= {}"), ("equals", "= {}"), ("a name before it", "n: {}"),
    ("a sentence", "The answer is {}."), ("a reason after it", "{}, because it is"), ("a remark after it", "{} (the largest)"), ("a line after it", "{}\nThat is it."), ("or", "{} or 17"), ("a slash", "{} / 17"), ("bold, and another", "**{}** 17"), ("bold twice", "**{0}** or **{0}**"), ("bold on one side", "**{}"), ("marks that cross", "**{}*"),
]


# The answer in a tag, with anything around it.
TAGS = [("in a tag", "<answer>{}</answer>"), ("in a tag, lines", "I looked.\n<ANSWER>\n{}\n</ANSWER>\nI hope this helps."), ("in a tag, blanks in it", "It is < answer >{}</ answer >."), ("in a second tag", "<answer>17</answer>, no, <answer>{}</answer>"), ("in a tag, fenced", "<answer>\n```\n{}\n```\n</answer>"), ("in a bold tag", "**<answer>**{}**</answer>**"), ("in a tag after thoughts", "<think><answer>17</answer></think><answer>{}</answer>")]
BROKEN_TAGS = [("no tag", "{}"), ("a tag that does not close", "<answer>{}"), ("a second tag that does not close", "<answer>{0}</answer> or <answer>{0}"), ("a tag that does not open", "{}</answer>"), ("another tag", "<result>{}</result>"), ("a tag with an attribute", "<answer id=\"1\">{}</answer>"), ("in a tag of thoughts", "<think><answer>{}</answer></think>17")]


def wrap_marks(matcher, kind, value, text, options=None):
    """The answer in marks that do not count, and in others; of a reply only: programs read files."""
    specials = set("*_`\"'“”„‘’«»$\\.{}~")
    if specials & set(text) - {"."} or text.endswith(".") or not any(char.isalnum() for char in text):
        return
    for style, mark in MARKS:
        emit(matcher, kind, style, False, value, mark.format(text), options)
        emit(matcher, kind, f"after a mark, {style}", False, value, f"I looked at 17 rows.\nAnswer: {mark.format(text)}", options, slice={"after": "Answer:"})
        if style != "a period" or matcher != "number":
            emit(matcher, kind, f"file, {style}", True, value, mark.format(text), options, subject="file")
        emit(matcher, kind, f"in a tag, {style}", False, value, f"I looked at 17 rows. <answer>{mark.format(text)}</answer> Good luck!", options, slice={"in": "answer"})
    for style, mark in OTHER_MARKS:
        emit(matcher, kind, style, True, value, mark.format(text), options)
        emit(matcher, kind, f"in a tag, {style}", True, value, f"I looked. <answer>{mark.format(text)}</answer>", options, slice={"in": "answer"})
    for style, mark in TAGS:
        emit(matcher, kind, style, False, value, mark.format(text), options, slice={"in": "answer"})
    for style, mark in BROKEN_TAGS:
        emit(matcher, kind, style, True, value, mark.format(text), options, slice={"in": "answer"})
    emit(matcher, kind, "between brackets", False, value, f"It is [[3]], no, [[ {text} ]], I think.", options, slice={"between": ["[[", "]]"]})
    emit(matcher, kind, "between brackets, another after it", True, value, f"[[{text}]] or [[3", options, slice={"between": ["[[", "]]"]})
    emit(matcher, kind, "in a box", False, value, f"So $\\boxed{{\\text{{{text}}}}}$.", options, slice={"between": ["\\boxed{", "}"]})
    for style, mark in [("lower case", "answer:"), ("upper case", "ANSWER:"), ("in a longer one", "Final answer:")]:
        emit(matcher, kind, f"after a mark in {style}" if style != "in a longer one" else "after a longer mark", False, value, f"I looked.\n{mark} {text}", options, slice={"after": "Answer:"})
    emit(matcher, kind, "after a bold mark, bold", False, value, f"I looked.\n**Answer:** **{text}**", options, slice={"after": "Answer:"})
    emit(matcher, kind, "text after the answer", True, value, f"Answer: {text}\nI hope this helps.", options, slice={"after": "Answer:"})


def around(matcher, kind, value, text, options=None, database=None, fences=True, slices=True):
    """The plain answer in every wrapping, in a file, and as a part of a reply."""
    for style, wrap in [PLAIN] + AROUND:
        if fences or "fenced" not in style:
            emit(matcher, kind, style, False, value, wrap(text), options, database=database)
    if matcher == "sql":
        emit(matcher, kind, "in a fence of a longer reply", False, value, f"Here it is:\n{fence(text, 'sql')}\nDone.", options, slice={"fenced": "sql"}, database=database)
        return
    for style, wrap in [PLAIN] + AROUND[:5]:
        emit(matcher, kind, f"file, {style}", False, value, wrap(text), options, subject="file")
    if slices:
        emit(matcher, kind, "in a fence of a longer reply", False, value, f"Here it is:\n{fence(text)}\nDone.", options, slice={"fenced": None})
        emit(matcher, kind, "after a mark", False, value, f"I looked at 17 rows.\nAnswer: {text}", options, slice={"after": "Answer:"})
        emit(matcher, kind, "after a mark, fenced", False, value, f"I looked.\nAnswer:\n{fence(text)}\n", options, slice={"after": "Answer:"})
        if "\n" not in text:
            emit(matcher, kind, "last line", False, value, f"I looked at 17 rows.\n\n{text}\n", options, slice="last_line")
            emit(matcher, kind, "last line, fenced", False, value, f"I looked at 17 rows.\n{fence(text)}", options, slice="last_line")


# -- Values --------------------------------------------------------------------------------------------------------------------------------

class Draw:
    """Values of each type, from one seed a type."""

    def __init__(self, seed):
        self.random = random.Random(f"styles {seed}")

    def int(self):
        digits = self.random.choice([1, 2, 4, 6, 9])
        return self.random.choice([1, 1, -1]) * self.random.randrange(10 ** (digits - 1), 10**digits)

    def decimal(self):
        """The sum of up to 80 amounts, which doubles do not add exactly."""
        places = self.random.choice([1, 2, 2, 2, 4])
        parts = [self.random.randrange(-(10**6), 10**7) for _ in range(self.random.randrange(3, 80))]
        value = Decimal(sum(parts)).scaleb(-places)
        return value if value % 1 else value + Decimal(3).scaleb(-places)

    def float(self):
        """The mean of up to 80 numbers."""
        parts = [self.random.randrange(1, 10**6) / 8 for _ in range(self.random.randrange(3, 80))]
        return math.fsum(parts) / 7 / len(parts) * self.random.choice([1, 1, -1])

    def text(self):
        return nfc(f"{self.random.choice(WORDS)} {self.random.choice(WORDS)} {self.random.randrange(10, 99)}")

    def bool(self):
        return self.random.random() < 0.5

    def date(self):
        return datetime.date(2024, 1, 1) + datetime.timedelta(days=self.random.randrange(700))

    def datetime(self):
        return datetime.datetime(2024, 1, 1) + datetime.timedelta(seconds=self.random.randrange(60_000_000))

    def of(self, kind):
        return getattr(self, kind)()

    def many(self, kind, count):
        """As many different ones."""
        out = []
        while len(out) < count:
            value = self.of(kind)
            if kind == "bool" or value not in out:
                out.append(value)
        return out


def noisy(value, times=7):
    """What is left of a number after it was added up from parts, as a double."""
    total = 0.0
    for _ in range(times):
        total += float(value) / times
    return total


def places_of(value):
    return -value.as_tuple().exponent


def written_numbers(value):
    """A number with its digits in groups, or with a power of ten."""
    out = []
    if abs(value) >= 1000:
        grouped = f"{value:,}" if not isinstance(value, float) else f"{Decimal(repr(value)):,f}"
        signs = [("blanks", " "), ("no-break spaces", "\u00a0"), ("thin spaces", "\u2009"), ("narrow spaces", "\u202f"), ("apostrophes", "'"), ("curved apostrophes", "’"), ("underscores", "_")]
        out += [(f"grouped by {name}", grouped.replace(",", sign)) for name, sign in signs]
    mantissa, _, power = f"{Decimal(repr(value) if isinstance(value, float) else value):E}".partition("E")
    if power:
        raised = str(int(power)).translate(str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"))
        out += [("times a power", f"{mantissa} × 10^{int(power)}"), ("times a raised power", f"{mantissa}×10{raised}"), ("times a power, in TeX", f"{mantissa} \\times 10^{{{int(power)}}}"), ("times a power, in mathematics", f"${mantissa} \\times 10^{{{int(power)}}}$")]
        out += [("times a power, an x", f"{mantissa} x 10^{int(power)}"), ("times a power, a star", f"{mantissa}*10^{int(power)}"), ("times a power, as Python", f"{mantissa}*10**{int(power)}"), ("times a power, a point", f"{mantissa} · 10{raised}"), ("times a power, in brackets", f"{mantissa} × 10^({int(power)})"), ("times a power, in HTML", f"{mantissa} × 10<sup>{int(power)}</sup>"), ("times a power, a point of TeX", f"${mantissa} \\cdot 10^{{{int(power)}}}$")]
    return out


def separated_numbers(value):
    """A number with signs between its digits that have one meaning, though not the usual one."""
    if isinstance(value, float):
        return []
    whole, _, places = f"{abs(value):f}".partition(".")
    sign, points = "-" if value < 0 else "", f"{int(whole):,}".replace(",", ".")
    out = []
    if places and (len(places) != 3 or whole == "0"):
        out += [("a decimal comma", f"{sign}{whole},{places}")]
    if places and int(whole) >= 1000:
        out += [("points between groups, a decimal comma", f"{sign}{points},{places}"), ("blanks between groups, a decimal comma", f"{sign}{points.replace('.', ' ')},{places}")]
    if not places and int(whole) >= 1_000_000:
        out += [("points between groups", f"{sign}{points}")]
    if int(whole) >= 100_000:
        pairs = [whole[:-3][max(at - 2, 0):at] for at in range(len(whole) - 3, 0, -2)][::-1]
        out += [("groups of two digits", f"{sign}{','.join(pairs)},{whole[-3:]}{'.' if places else ''}{places}")]
    return out


def number_styles(value):
    """Spellings of a number, each with its whole value."""
    out = []
    if isinstance(value, int):
        out += [
            ("digits", str(value)), ("a point and a zero", f"{value}.0"), ("two places", f"{value}.00"), ("a point at the end", f"{value}."),
            ("exponent", f"{value}e0"), ("scientific", f"{Decimal(value):E}"), ("grouped", f"{value:,}"), ("grouped, with places", f"{value:,}.00"),
            ("as a double", repr(float(value))), ("%.10g", "%.10g" % value), ("plus", f"{value:+}"),
            ("euro after", f"{value} €"), ("grouped euro after", f"{value:,}€"),
        ]
        if value >= 0:
            out += [("dollar", f"${value}"), ("dollar, grouped", f"${value:,}.00")]
        else:
            out += [("minus of typography", f"\u2212{-value}"), ("minus and dollar", f"-${-value}"), ("dollar and minus", f"$-{-value}")]
        if numpy:
            out += [("numpy", str(numpy.int64(value))), ("numpy, as a double", str(numpy.float64(value)))]
        if pandas:
            out += [("pandas", str(pandas.Series([value, 0]).sum())), ("pandas, nullable", str(pandas.Series([value, None]).sum()))]
        return out + written_numbers(value)
    double = float(value)
    digits = str(value) if isinstance(value, Decimal) else f"{Decimal(repr(value)):f}"
    out += [
        ("digits", digits), ("repr", repr(double)), ("added up from 7 parts", repr(noisy(value))), ("added up from 23 parts", repr(noisy(value, 23))),
        ("less and more", repr((double - 1234.1) + 1234.1) if abs(double) > 0.01 else repr(double)), ("%.15g", "%.15g" % double), ("%.12e", "%.12e" % double), ("%.17g", "%.17g" % double), ("%.18e", "%.18e" % double),
        ("plus", "%+.17g" % double), ("grouped", f"{Decimal(digits):,}"), ("grouped noise", f"{noisy(value):,}"),
        ("zeros after", digits + "00"), ("a period", digits + "."), ("euro after", f"{digits} €"),
        ("scientific", f"{Decimal(digits):E}"), ("seventeen places", f"{double:.17f}" if abs(double) < 10 else repr(double)),
    ]
    if len(digits.lstrip("-").replace(".", "")) <= 10 or isinstance(value, float):
        out += [("%.10g", "%.10g" % double)]
    out += [("dollar", f"${digits}")] if double >= 0 else [("minus of typography", f"\u2212{digits[1:]}"), ("minus and dollar", f"-${digits[1:]}")]
    if abs(double) < 1:
        out += [("no zero before the point", digits.replace("0.", ".", 1))]
    if numpy:
        out += [
            ("numpy", str(numpy.float64(double))), ("numpy, positional", numpy.format_float_positional(double)),
            ("numpy, scientific", numpy.format_float_scientific(double)), ("numpy, sum", str(numpy.array([double / 9] * 9).sum())),
            ("numpy, savetxt", "%.18e" % numpy.float64(double)),
        ]
    if pandas:
        out += [("pandas, sum", str(pandas.Series([double / 9] * 9).sum())), ("pandas, csv", pandas.Series([double]).to_csv(index=False, header=False).strip())]
    return out + written_numbers(value)


def numbers_near(value):
    """Numbers that are wrong by the least that matters."""
    if isinstance(value, int):
        return [("one more", value + 1), ("one less", value - 1), ("wrong sign", -value), ("ten times", value * 10), ("a bit more", f"{value}.0000001"), ("half more", f"{value}.5")]
    if isinstance(value, Decimal):
        unit = Decimal(1).scaleb(-places_of(value))
        return [("one unit more", value + unit), ("one unit less", value - unit), ("wrong sign", -value), ("ten times", value * 10), ("whole part", int(value))]
    return [("a millionth more", repr(value * 1.000001)), ("a millionth less", repr(value * 0.999999)), ("wrong sign", repr(-value)), ("ten times", repr(value * 10)), ("whole part", str(int(value) if int(value) != value else int(value) + 1))]


def numbers():
    for kind in ["int", "decimal", "float"]:
        draw = Draw(f"number {kind}")
        values = {"int": [1234, 0, 7, -1], "decimal": [Decimal("88697.29"), Decimal("42.00"), Decimal("0.5"), Decimal("-0.07"), Decimal("9876543210.25")], "float": [44.653333333333336, 1 / 3, 0.1 + 0.2, 1e-7 / 3]}[kind]
        values += [draw.of(kind) for _ in range(DRAWS)]
        for value in values:
            for style, said in number_styles(value) + separated_numbers(value):
                emit("number", kind, style, False, key(value), said)
            for style, said in separated_numbers(value):
                emit("number", kind, f"file, {style}", True, key(value), said, subject="file")
            if isinstance(value, Decimal) and value.as_tuple().exponent == -3 and abs(value) >= 1:
                emit("number", kind, "a comma before three places", True, key(value), str(value).replace(".", ","))
            around("number", kind, key(value), number_styles(value)[1][1])
            wrap_marks("number", kind, key(value), str(value))
            for style, said in numbers_near(value):
                if said != value:
                    emit("number", kind, style, True, key(value), str(said))
                    emit("number", kind, f"{style}, fenced", True, key(value), fence(str(said)))
            for style, said in [("words around it", f"It is {value}"), ("twice", f"{value} {value}"), ("percent", f"{value}%"), ("nothing", "")]:
                emit("number", kind, style, True, key(value), said)
    # What is asked for by `rounded` and `within`.
    draw = Draw("number options")
    for _ in range(3 * DRAWS):
        for kind in ["decimal", "float"]:
            value = draw.of(kind)
            for places in [0, 1, 2]:
                unit = Decimal(1).scaleb(-places)
                exact = Decimal(str(value)) if kind == "decimal" else Decimal(repr(value))
                right = exact.quantize(unit, decimal.ROUND_HALF_EVEN)
                rounded = {"": {"rounded": places}}
                half = (exact - exact.quantize(unit, decimal.ROUND_FLOOR)) * 2 == unit
                styles = [("rounded", str(right)), ("rounded by round()", repr(round(float(value), places))), ("rounded by format", f"{float(value):.{places}f}"), ("grouped", f"{right:,}"), ("not rounded", repr(float(value))), ("added up, then rounded", f"{noisy(value):.{places}f}"), ("euro after", f"{right:,}€"), ("fenced", fence(str(right)))]
                if numpy:
                    styles += [("numpy.round", str(numpy.round(float(value), places)))]
                if pandas:
                    styles += [("pandas, round", str(pandas.Series([float(value)]).round(places)[0]))]
                for style, said in styles:
                    emit("number", f"{kind} rounded", style, False, key(value), said, rounded)
                for style, said in [("one unit more", right + unit), ("one unit less", right - unit), ("wrong sign", -right)]:
                    if not half and said != right:
                        emit("number", f"{kind} rounded", style, True, key(value), str(said), rounded)
        value = draw.decimal()
        unit = Decimal(1).scaleb(-places_of(value))
        within = {"": {"within": str(3 * unit)}}
        for off in range(-5, 6):
            emit("number", "decimal within", f"off by {abs(off)} units", abs(off) > 3, key(value), str(value + off * unit), within)
        percent = {"": {"within": "1%"}}
        for share, near in [("0.99", False), ("1.01", False), ("1", False), ("1.0101", True), ("0.9899", True), ("-1", True)]:
            emit("number", "decimal within", f"times {share}", near, key(value), str(value * Decimal(share)), percent)


# -- Texts ---------------------------------------------------------------------------------------------------------------------------------

def other_of_same_length(text):
    """The same with one letter changed."""
    for at, char in enumerate(text):
        if char.isascii() and char.isalpha():
            return text[:at] + ("x" if char != "x" else "y") + text[at + 1:]
    return text[:-1] + ("1" if text[-1] != "1" else "2")


def text_styles(value):
    """Spellings of a single value that is no number."""
    if isinstance(value, bool):
        return [("lower case", str(value).lower()), ("Python", str(value)), ("upper case", str(value).upper())]
    if isinstance(value, datetime.datetime):
        return [("ISO", value.isoformat()), ("Python, SQL", str(value))] + ([("pandas", str(pandas.Timestamp(value)))] if pandas else []) + ([("numpy", str(numpy.datetime64(value, "s")))] if numpy else [])
    if isinstance(value, datetime.date):
        return [("ISO", value.isoformat()), ("strftime", value.strftime("%Y-%m-%d"))] + ([("numpy", str(numpy.datetime64(value)))] if numpy else [])
    if isinstance(value, int):
        return [("digits", str(value))]
    return [("composed", nfc(value)), ("decomposed", nfd(value))]


def texts_near(value):
    if isinstance(value, bool):
        return [("the other", str(not value).lower()), ("a number", str(int(value)))]
    if isinstance(value, datetime.datetime):
        later = value + datetime.timedelta(seconds=1)
        return [("a second later", later.isoformat()), ("a second later, with a blank", str(later)), ("the date", value.date().isoformat())]
    if isinstance(value, datetime.date):
        return [("a day later", str(value + datetime.timedelta(days=1))), ("day and month swapped", value.strftime("%Y-%d-%m") if value.day != value.month else "")]
    if isinstance(value, int):
        return [("one more", str(value + 1)), ("wrong sign", str(-value) if value else "-1"), ("one digit more", f"{value}0")]
    out = [("another of the same length", other_of_same_length(value)), ("cut off", value[:-1]), ("one more", value + "s"), ("lower case", value.lower()), ("without marks", "".join(char for char in nfd(value) if not unicodedata.combining(char)))]
    return [(style, said) for style, said in out if nfc(said) != nfc(value)]


def texts():
    for kind in ["text", "int", "bool", "date", "datetime"]:
        draw = Draw(f"text {kind}")
        values = {"text": [*WORDS, "```", "a, b", "- x"], "int": [7, 0], "bool": [True, False], "date": [], "datetime": [datetime.datetime(2024, 3, 1, 10)]}[kind] + [draw.of(kind) for _ in range(DRAWS)]
        for value in values:
            for style, said in text_styles(value):
                around("text", kind, key(value), said, fences="```" not in said, slices="```" not in said)
                emit("text", kind, style, False, key(value), said)
            wrap_marks("text", kind, key(value), text_styles(value)[0][1])
            for style, said in texts_near(value):
                emit("text", kind, style, True, key(value), said)
                emit("text", kind, f"{style}, fenced", True, key(value), fence(said))
            emit("text", kind, "words around it", True, key(value), f"It is {value}")
            if kind == "text":
                folded = {"": {"ignore": ["case", "space", "punctuation"]}}
                for style, said in [("upper case", value.upper()), ("decomposed upper case", nfd(value.upper())), ("a period", value + "."), ("in quotes", f"“{value}”"), ("wide", value.replace(" ", "  "))]:
                    if value not in ("```", "- x", "a, b"):
                        emit("text", "text, ignoring", style, False, value, said, folded)
                if value not in ("```", "- x"):
                    emit("text", "text, ignoring", "another of the same length", True, value, other_of_same_length(value).upper(), folded)
                emit("text", "text, any of", "the second", False, None, nfd(value), any_of=["nothing of it", value])
    draw = Draw("contains")
    sentences = ["{}", "{}.", "It is {}.", "The answer: {}", "**{}**", "`{}`", "({})", "“{}”", "- {}\n- and nothing else", "| {} | 5 |", "First, {}; then more.", "{}!", "{}, of course", "see:{}", "# {}", "[{}]", "<b>{}</b>", "{}\n", "Yes — {} — indeed", "=> {}", "It is _{}_.", "__{}__", "***{}***"]
    for kind in ["text", "int", "bool"]:
        values = {"text": ["Zürich", "C++", "Kiel"], "int": [5], "bool": [True]}[kind] + [draw.of(kind) for _ in range(DRAWS)]
        for value in values:
            for style, said in text_styles(value):
                for sentence in sentences:
                    text = sentence.format(said)
                    emit("contains", kind, f"{style}: {sentence.format('…')}".replace("\n", " "), False, key(value), text)
                around("contains", kind, key(value), f"I say {said}.", slices=False)
            for style, said in texts_near(value):
                if style != "one more":
                    emit("contains", kind, style, True, key(value), f"It is {said} I think")
            if kind != "bool":
                # Scripts without blanks between words have a boundary everywhere.
                if not str(value).startswith("東"):
                    emit("contains", kind, "part of a word", True, key(value), f"It is x{value}" if kind == "text" else f"It is 1{abs(value)}")
                emit("contains", kind, "goes on", True, key(value), f"It is {value}s" if value != "C++" else "It is C+")
            emit("contains", kind, "only in thoughts", True, key(value), f"<think>{value}</think>no idea")
    draw = Draw("matches")
    for _ in range(DRAWS):
        code, word = f"{draw.random.choice('ABC')}{draw.random.choice('XYZ')}-{draw.random.randrange(100, 999)}", draw.random.choice(["Zürich", "Malmö", "Łódź"])
        for pattern, right, wrong in [
            ("[A-Z]{2}-[0-9]{3}", [code], [code.lower(), code + "1", "x" + code, code[:-1]]),
            ("^[A-Z]{2}-\\d{3}$", [code], [code.lower(), f"{code} {code}"]),
            (f"(?i){word}", [word, nfd(word), nfd(word.upper())], [word[:-1], other_of_same_length(word)]),
            (nfd(word) + "|Kiel", [word, nfd(word), "Kiel"], [word + "x", "Kie"]),
            ("\\w{4,9}", ["Malmö", nfd("Malmö")], ["Ma lm", "abc"]),
            ("(?s).*done.*", ["It is\ndone."], ["It is do ne"]),
        ]:
            for said in right:
                around("matches", "text", pattern, said, slices="\n" not in said)
            for said in wrong:
                emit("matches", "text", "does not fit", True, pattern, said)
                emit("matches", "text", "does not fit, fenced", True, pattern, fence(said))


# -- Dates and truths -----------------------------------------------------------------------------------------------------------------------

MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]
WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


def ordinal(day):
    return f"{day}{'th' if 10 < day < 14 else {1: 'st', 2: 'nd', 3: 'rd'}.get(day % 10, 'th')}"


def day_styles(value):
    """Spellings of a day whose order of day and month cannot be misread; those without a comma are also for cells."""
    year, number, day, month, weekday = f"{value.year:04}", value.month, value.day, MONTHS[value.month - 1], WEEKDAYS[value.weekday()]
    short = month[:3]
    return [
        ("ISO", f"{year}-{number:02}-{day:02}"), ("year first, slashes", f"{year}/{number:02}/{day:02}"), ("year first, points", f"{year}.{number:02}.{day:02}"), ("year first, no zeros", f"{year}-{number}-{day}"), ("year first, slashes, no zeros", f"{year}/{number}/{day}"), ("eight digits", f"{year}{number:02}{day:02}"),
        ("day, month, year", f"{day} {month} {year}"), ("day with a zero", f"{day:02} {month} {year}"), ("short month", f"{day} {short} {year}"), ("short month, capitals", f"{day:02} {short.upper()} {year}"), ("lower case", f"{day} {month.lower()} {year}"), ("with hyphens", f"{day:02}-{short}-{year}"), ("SAS", f"{day:02}{short.upper()}{year}"), ("ordinal", f"{ordinal(day)} {month} {year}"), ("ordinal of", f"{ordinal(day)} of {month} {year}"), ("year, month, day", f"{year} {month} {day}"), ("month, day, year", f"{month} {day} {year}"), ("short month with a period", f"{short}. {day} {year}"),
        ("weekday", f"{weekday} {day} {month} {year}"), ("short weekday", f"{weekday[:3]} {day} {short} {year}"),
        ("month, day, year, with a comma", f"{month} {day}, {year}"), ("ordinal, with a comma", f"{month} {ordinal(day)}, {year}"), ("weekday, with commas", f"{weekday}, {month} {day}, {year}"), ("RFC 1123", f"{weekday[:3]}, {day:02} {short} {year}"), ("weekday at the end", f"{day} {month} {year}, {weekday}"),
    ] + ([("four letters", f"{day} Sept {year}")] if number == 9 else [])


def time_styles(value):
    """Spellings of a time after its day."""
    hour, minute, second = value.hour, value.minute, value.second
    full, half = f"{hour:02}:{minute:02}:{second:02}", f"{(hour + 11) % 12 + 1}:{minute:02}:{second:02}"
    word = "am" if hour < 12 else "pm"
    out = [("T", f"T{full}"), ("a blank", f" {full}"), ("zeros of a second", f"T{full}.000"), ("Z", f"T{full}Z"), ("a comma", f", {full}"), ("at", f" at {full}"), ("half a day", f" {half} {word}"), ("half a day, capitals", f" {half}{word.upper()}")]
    if second == 0:
        out += [("no seconds", f" {hour:02}:{minute:02}"), ("half a day, no seconds", f", {half[:-3]} {word}")]
    return out


def moment_styles(value):
    if not isinstance(value, datetime.datetime):
        return day_styles(value) + [(f"midnight, {style}", day_styles(value)[0][1] + time) for style, time in time_styles(datetime.datetime(value.year, value.month, value.day))]
    times, days = time_styles(value), day_styles(value)
    out = [(f"{days[0][0]}, {time}", days[0][1] + after) for time, after in times]
    # `T` follows a digit: it would be a letter of a weekday.
    apart = [(time, after) for time, after in times[:8] if after[0] != "T"]
    return out + [(f"{day}, {time}", said + after) for at, (day, said) in enumerate(days[1:]) for time, after in [apart[at % len(apart)]]]


def moments_near(value):
    """Other days, and forms that are not read: who wrote them may have meant another one."""
    year, number, day, month = f"{value.year:04}", value.month, value.day, MONTHS[value.month - 1]
    time = value.strftime(" %H:%M:%S") if isinstance(value, datetime.datetime) else ""
    other = WEEKDAYS[(value.weekday() + 1) % 7]
    out = [
        ("a day later", str(value + datetime.timedelta(days=1))), ("a year later", f"{value.year + 1}-{number:02}-{day:02}{time}"), ("day first, points", f"{day:02}.{number:02}.{year}{time}"), ("day first, slashes", f"{day:02}/{number:02}/{year}{time}"), ("month first, slashes", f"{number:02}/{day:02}/{year}{time}"), ("month first, hyphens", f"{number:02}-{day:02}-{year}{time}"), ("two digits of a year", f"{day} {month} {year[2:]}{time}"), ("year, day, month", f"{year}-{day:02}-{number:02}{time}" if day != number else ""),
        ("a wrong weekday", f"{other}, {day} {month} {year}{time}"), ("another language", f"{day}. Märzember {year}{time}"), ("no year", f"{day} {month}{time}"), ("no day", f"{month} {year}{time}"), ("an offset", f"{year}-{number:02}-{day:02}{time or ' 00:00:00'}+00:00"), ("a word before it", f"on {day} {month} {year}{time}"), ("two days", f"{day} {month} {year} or {day} {month} {year}"), ("a range", f"{day}-{day + 1} {month} {year}{time}"),
    ]
    if time:
        later = value + datetime.timedelta(seconds=1)
        out += [("a second later", later.isoformat()), ("half a second later", f"{value.isoformat()}.5"), ("the day alone", f"{year}-{number:02}-{day:02}"), ("the time first", f"{time.strip()} {year}-{number:02}-{day:02}"), ("in words", f"{year}-{number:02}-{day:02} at noon")]
    else:
        out += [("a minute after midnight", f"{year}-{number:02}-{day:02} 00:01")]
    return [(style, said) for style, said in out if said]


def truth_styles(value):
    words = ["true", "yes", "y", "t"] if value else ["false", "no", "n", "f"]
    return [(f"{word}, {how}", write(word)) for word in words for how, write in [("lower case", str.lower), ("upper case", str.upper), ("a capital", str.capitalize)] if len(word) > 1 or how != "a capital"]


def truths_near(value):
    right, wrong = ("yes", "no") if value else ("no", "yes")
    return [("the other", wrong), ("the other, one letter", wrong[0]), ("a digit", str(int(value))), ("a sentence", f"{right.capitalize()}, it is."), ("another word", "correct" if value else "incorrect"), ("another language", "ja" if value else "nein"), ("both", f"{right}/{wrong}"), ("cut off", "tru" if value else "fals"), ("on or off", "on" if value else "off")]


def days():
    for kind in ["date", "datetime"]:
        draw = Draw(f"date {kind}")
        first = {"date": [datetime.date(2024, 3, 1), datetime.date(2021, 9, 30), datetime.date(1999, 12, 31)], "datetime": [datetime.datetime(2024, 3, 1, 15, 5), datetime.datetime(2024, 3, 1), datetime.datetime(2023, 11, 5, 0, 30, 9), datetime.datetime(2023, 11, 5, 12, 30)]}[kind]
        for value in first + [draw.of(kind) for _ in range(DRAWS)]:
            for style, said in moment_styles(value):
                emit("date", kind, style, False, key(value), said)
            text = f"{value.day} {MONTHS[value.month - 1]} {value.year}" + (value.strftime(" %H:%M:%S") if kind == "datetime" else "")
            around("date", kind, key(value), text)
            wrap_marks("date", kind, key(value), text)
            for style, said in moments_near(value):
                emit("date", kind, style, True, key(value), said)
                emit("date", kind, f"{style}, fenced", True, key(value), fence(said))
            emit("date", kind, "words around it", True, key(value), f"It is {text}")
            emit("date", kind, "any of, the second", False, None, text, any_of=key([datetime.date(1900, 1, 1), value]))
            for form, said in [("ISO in JSON", value.isoformat()), ("ISO with a blank in JSON", str(value))]:
                emit("date", kind, form, False, key(value), json.dumps({"a": said}), slice={"at": "$.a"})
            for form, said in [("words in JSON", text), ("slashes in JSON", value.isoformat().replace("-", "/")), ("a number in JSON", 20240301)]:
                emit("date", kind, form, True, key(value), json.dumps({"a": said}), slice={"at": "$.a"})
    for value in [True, False]:
        for style, said in truth_styles(value):
            emit("bool", "bool", style, False, value, said)
            around("bool", "bool", value, said)
            wrap_marks("bool", "bool", value, said)
        for style, said in truths_near(value):
            emit("bool", "bool", style, True, value, said)
            emit("bool", "bool", f"{style}, fenced", True, value, fence(said))
        emit("bool", "bool", "JSON", False, value, json.dumps({"a": value}), slice={"at": "$.a"})
        for style, said in [("a text in JSON", str(value).lower()), ("a number in JSON", int(value)), ("the other in JSON", not value)]:
            emit("bool", "bool", style, True, value, json.dumps({"a": said}), slice={"at": "$.a"})


# -- JSON ----------------------------------------------------------------------------------------------------------------------------------

def plain(value, noise=False, form=None):
    """A value as Python's json writes it; decimals as doubles, perhaps with noise."""
    if isinstance(value, Decimal):
        return noisy(value) if noise else float(value)
    if isinstance(value, float):
        return noisy(value) if noise else value
    if isinstance(value, bool) or value is None or isinstance(value, int):
        return value
    if isinstance(value, (datetime.date, datetime.datetime)):
        return str(value) if noise else value.isoformat()
    if isinstance(value, str):
        return form(value) if form else value
    if isinstance(value, list):
        return [plain(item, noise, form) for item in value]
    return {form(name) if form else name: plain(item, noise, form) for name, item in value.items()}


def doubles(value):
    """Every whole number as a double."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return float(value) if abs(value) < 2**53 else value
    if isinstance(value, list):
        return [doubles(item) for item in value]
    return {name: doubles(item) for name, item in value.items()} if isinstance(value, dict) else value


def backwards(value):
    if isinstance(value, dict):
        return {name: backwards(value[name]) for name in reversed(value)}
    return [backwards(item) for item in value] if isinstance(value, list) else value


class Spelled(float):
    """A double that json writes in its own way."""

    how = "%.17g"

    def __repr__(self):
        return self.how % float(self)


def spelled(value, how):
    class Kind(Spelled):
        pass

    Kind.how = how
    if isinstance(value, float):
        return Kind(value)
    if isinstance(value, list):
        return [spelled(item, how) for item in value]
    return {name: spelled(item, how) for name, item in value.items()} if isinstance(value, dict) else value


def dumps(value, **options):
    # The encoder in Python asks a double how it is written; the one in C does not.
    if "indent" not in options:
        options["indent"] = 1
    encoder = json.JSONEncoder(**options)
    chunks = json.encoder._make_iterencode({}, encoder.default, json.encoder.py_encode_basestring, encoder.indent, repr, encoder.key_separator, encoder.item_separator, False, False, False)
    return "".join(chunks(value, 0))


def json_styles(value):
    exact = plain(value)
    out = [
        ("json.dumps", json.dumps(exact)), ("not ASCII", json.dumps(exact, ensure_ascii=False)), ("indented", json.dumps(exact, indent=2, ensure_ascii=False)),
        ("indented by tabs", json.dumps(exact, indent="\t")), ("compact", json.dumps(exact, separators=(",", ":"))), ("wide", json.dumps(exact, separators=(" , ", " : "))),
        ("added up from parts", json.dumps(plain(value, noise=True))), ("whole numbers as doubles", json.dumps(doubles(exact))), ("keys backwards", json.dumps(backwards(exact))),
        ("decomposed", json.dumps(plain(value, form=nfd), ensure_ascii=False)), ("decomposed and escaped", json.dumps(plain(value, form=nfd))), ("capital escapes", re.sub(r"\\u[0-9a-f]{4}", lambda found: found[0][:2] + found[0][2:].upper(), json.dumps(exact))),
        ("%.17g", dumps(spelled(exact, "%.17g"))), ("%.12e", dumps(spelled(exact, "%.12e"))), ("%.15g", dumps(spelled(exact, "%.15g"))), ("slashes escaped", json.dumps(exact).replace("/", "\\/")),
        ("fenced as json", fence(json.dumps(exact, indent=2), "json")), ("fenced as JSON", fence(json.dumps(exact), "JSON")), ("fenced as json, CRLF", fence(json.dumps(exact, indent=2), "json").replace("\n", "\r\n")),
    ]
    if isinstance(value, dict):
        out.append(("sorted keys", json.dumps(exact, sort_keys=True)))
    if numpy:
        out.append(("numpy", json.dumps(numpied(exact))))
    return out


def numpied(value):
    if isinstance(value, float):
        return numpy.array([value / 3] * 3).sum().item()
    if isinstance(value, list):
        return [numpied(item) for item in value]
    return {name: numpied(item) for name, item in value.items()} if isinstance(value, dict) else value


def single_near(value):
    """A single value that is wrong, with the style of its wrongness."""
    if value is None:
        return [("zero for null", 0), ("empty for null", "")]
    if isinstance(value, bool):
        return [("the other", not value), ("a number for a truth", int(value))]
    if isinstance(value, (int, Decimal, float)):
        as_number = lambda said: said if isinstance(said, int) else float(said)
        return [(style, as_number(said)) for style, said in numbers_near(value)] + [("a text for a number", str(value)), ("null", None)]
    return [(style, said) for style, said in texts_near(value)] + [("null", None)]


def jsons():
    # An array comes with a value of each kind below; this one is what the manual shows.
    value = {"city": "Zürich", "total": Decimal("88697.29"), "days": 12}
    for style, said in json_styles(value):
        emit("json", "object", style, False, key(value), said)
    around("json", "object", key(value), json.dumps(plain(value), indent=1))
    for kind in ["int", "decimal", "float", "text", "bool", "date", "datetime", "null"]:
        draw = Draw(f"json {kind}")
        for at in range(DRAWS):
            value = None if kind == "null" else draw.of(kind)
            others = {"größe": draw.text(), "n": draw.int(), "path/to": "a/b", "list": [1, 2, 3], "none": None}
            for shape, whole in [("value", value), ("object", {"total": value, **others}), ("nested", {"a": {"b": [{"c": value}, others]}})]:
                for style, said in json_styles(whole):
                    emit("json", kind, style, False, key(whole), said)
                if shape == "object":
                    around("json", kind, key(whole), json.dumps(plain(whole), indent=1))
            whole = {"total": value, **others}
            exact = plain(whole)
            near = [(style, {**exact, "total": said}) for style, said in single_near(value) if said != value or type(said) is not type(value)]
            near += [("a key more", {**exact, "more": 1}), ("a key less", {name: exact[name] for name in exact if name != "total"}), ("two items swapped", {**exact, "list": [2, 1, 3]}), ("an item less", {**exact, "list": [1, 2]}), ("an item more", {**exact, "list": [1, 2, 3, 3]}), ("another key", {("totaI" if name == "total" else name): exact[name] for name in exact}), ("in an array", [exact])]
            for style, said in near:
                emit("json", kind, style, True, key(whole), json.dumps(said))
                emit("json", kind, f"{style}, fenced", True, key(whole), fence(json.dumps(said), "json"))
            text = json.dumps(exact)
            for style, said in [("a comma at the end", text[:-1] + ",}"), ("a comment", text + " // so"), ("words before it", "Here: " + text), ("a key twice", text[:-1] + ', "n": 1}')]:
                emit("json", kind, style, True, key(whole), said)
    draw = Draw("json arrays")
    for kind in ["int", "decimal", "float", "text", "date"]:
        for _ in range(DRAWS):
            values = draw.many(kind, draw.random.randrange(2, 12))
            unordered = {"": {"ordered": False}}
            for style, said in json_styles(values):
                emit("json", f"{kind} array", style, False, key(values), said)
                emit("json", f"{kind} array, unordered", style, False, key(values), said, unordered)
            mixed = values[:]
            draw.random.shuffle(mixed)
            emit("json", f"{kind} array, unordered", "in another order", False, key(values), json.dumps(plain(mixed, noise=True)), unordered)
            swapped = [values[1], values[0]] + values[2:]
            emit("json", f"{kind} array", "two swapped", True, key(values), json.dumps(plain(swapped)))
            for style, said in [("one less", values[1:]), ("one more", values + [values[0]]), ("one twice for another", [values[0], values[0]] + values[2:])]:
                emit("json", f"{kind} array", style, True, key(values), json.dumps(plain(said)))
                emit("json", f"{kind} array, unordered", style, True, key(values), json.dumps(plain(said)), unordered)


# -- Lists ---------------------------------------------------------------------------------------------------------------------------------

def item_texts(values, noise=False, form=None):
    out = []
    for value in values:
        if isinstance(value, Decimal):
            out.append(repr(noisy(value)) if noise else str(value))
        elif isinstance(value, float):
            out.append(repr(noisy(value)) if noise else repr(value))
        elif isinstance(value, bool):
            out.append(str(value) if noise else str(value).lower())
        elif isinstance(value, (datetime.date, datetime.datetime)):
            out.append(str(value) if noise else value.isoformat())
        else:
            out.append(form(str(value)) if form else str(value))
    return out


def csv_line(items, **options):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n", **options).writerow(items)
    return out.getvalue()


def list_styles(values, frames=True):
    items, noise, other = item_texts(values), item_texts(values, noise=True), item_texts(values, form=nfd)
    exact = plain(values)
    out = [
        ("one a line", "\n".join(items)), ("one a line, from doubles", "\n".join(noise)), ("one a line, decomposed", "\n".join(other)), ("a blank line between", "\n\n".join(items)),
        ("- bullets", "\n".join(f"- {item}" for item in items)), ("* bullets", "\n".join(f"* {item}" for item in items)), ("• bullets", "\n".join(f"• {item}" for item in items)), ("+ bullets", "\n".join(f"+ {item}" for item in items)),
        ("numbered", "\n".join(f"{at}. {item}" for at, item in enumerate(items, 1))), ("numbered with )", "\n".join(f"{at}) {item}" for at, item in enumerate(items, 1))), ("indented bullets", "\n".join(f"  - {item}" for item in items)),
        ("commas", ", ".join(items)), ("commas without blanks", ",".join(items)), ("commas, from doubles", ", ".join(noise)), ("commas, quoted", ", ".join(f'"{item}"' for item in items)), ("csv line, all quoted", csv_line(items, quoting=csv.QUOTE_ALL)),
        ("JSON", json.dumps(exact)), ("JSON, not ASCII", json.dumps(exact, ensure_ascii=False)), ("JSON, indented", json.dumps(exact, indent=2)), ("JSON, from doubles", json.dumps(plain(values, noise=True))), ("JSON, decomposed", json.dumps(plain(values, form=nfd), ensure_ascii=False)),
        ("JSON, fenced", fence(json.dumps(exact, indent=2), "json")), ("printed by Python", repr(exact)), ("printed by Python, from doubles", repr(plain(values, noise=True))), ("one a line, fenced", fence("\n".join(items))), ("one a line, padded", "\n".join(item.rjust(30) for item in items)),
    ]
    if not any(set("*_`\"'’$,.") & set(item) for item in items):
        out += [(f"one a line, {style}", "\n".join(mark.format(item) for item in items)) for style, mark in MARKS if "\\" not in mark]
        out += [("semicolons", "; ".join(items)), ("semicolons without blanks", ";".join(items)), ("semicolons, quoted", "; ".join(f'"{item}"' for item in items)), ("bullets, bold", "\n".join(f"- **{item}**" for item in items)), ("commas, bold", ", ".join(f"**{item}**" for item in items)), ("commas, code", ", ".join(f"`{item}`" for item in items)), ("commas, a period at the end", ", ".join(items) + "."), ("all bold", f"**{', '.join(items)}**")]
    if all(isinstance(value, bool) for value in values):
        words = lambda yes, no: "\n".join(yes if value else no for value in values)
        out += [("yes and no", words("yes", "no")), ("Yes and No", words("Yes", "No")), ("Y and N", words("Y", "N")), ("T and F", words("T", "F")), ("YES and NO, bold", words("**YES**", "**NO**"))]
    if all(isinstance(value, datetime.date) for value in values):
        for at, (style, first) in enumerate(moment_styles(values[0])):
            spelled_out = [dict(moment_styles(value)).get(style) for value in values]
            if None not in spelled_out and at % 3 == 0:
                out.append((f"one a line, {style}", "\n".join(spelled_out)))
                if "," not in first:
                    out.append((f"commas, {style}", ", ".join(spelled_out)))
    if not frames:
        return out
    if isinstance(values[0], (int, Decimal)) and not isinstance(values[0], bool):
        out += [("one a line, grouped", "\n".join(f"{value:,}" for value in values)), ("one a line, dollars", "\n".join(f"${value:,}" if value >= 0 else f"-${-value:,}" for value in values))]
    if isinstance(values[0], int):
        out += [("JSON, as doubles", json.dumps(doubles(exact)))]
    if numpy and isinstance(values[0], (int, Decimal, float)) and not isinstance(values[0], bool):
        out += [("numpy, tolist", str((numpy.array(exact) / 1).tolist())), ("numpy, a line each", "\n".join(str(item) for item in numpy.array(exact)))]
    if pandas:
        series = pandas.Series(exact)
        out += [("pandas, csv", series.to_csv(index=False, header=False)), ("pandas, tolist", str(series.tolist())), ("pandas, JSON", series.to_json(orient="values", double_precision=15)), ("pandas, a line each", "\n".join(map(str, series)))]
        if not isinstance(values[0], float) and not isinstance(values[0], Decimal):
            out += [("pandas, to_string", series.to_string(index=False, header=False))]
    return out


def lists():
    for kind in ["decimal", "int", "float", "text", "bool", "date", "datetime"]:
        draw = Draw(f"list {kind}")
        for at in range(DRAWS):
            values = draw.many(kind, draw.random.randrange(2, 12))
            if kind == "decimal" and at == 0:
                values = [Decimal("88697.29"), Decimal("-1234.50")]
            mixed = values[:]
            draw.random.shuffle(mixed)
            for ordered, said in [(False, mixed), (True, values)]:
                options = {"": {"ordered": ordered}} if ordered else {}
                name = f"{kind}, ordered" if ordered else kind
                for style, text in list_styles(said):
                    emit("list", name, style, False, key(values), text, options)
                around("list", name, key(values), "\n".join(item_texts(said)), options)
                near = [("one less", said[1:]), ("one more", said + [said[-1]])]
                if kind != "bool":
                    near += [("one twice for another", [said[0], said[0]] + said[2:])]
                    near += [(style, [wrong] + said[1:]) for style, wrong in single_near(said[0]) if wrong is not None and style not in ("a text for a number", "ten times", "day and month swapped")]
                if ordered and values[0] != values[1]:
                    near += [("two swapped", [values[1], values[0]] + values[2:])]
                if kind in ("date", "datetime"):
                    for style, wrong in moments_near(said[0]):
                        emit("list", name, f"{style}, lines", True, key(values), "\n".join([wrong] + item_texts(said[1:])), options)
                    for style, wrong in moment_styles(said[0]):
                        is_iso = wrong == plain(said[:1])[0]
                        if not is_iso and (style.split(",")[0] in ("year first", "eight digits", "day", "short month") or style == "ISO, half a day"):
                            emit("list", name, f"{style}, JSON", True, key(values), json.dumps([wrong] + plain(said[1:])), options)
                for style, wrong in near:
                    for form, text in [("lines", "\n".join(item_texts(wrong))), ("JSON", json.dumps(plain(wrong))), ("commas", ", ".join(item_texts(wrong)))]:
                        emit("list", name, f"{style}, {form}", True, key(values), text, options)
                emit("list", name, "words before it", True, key(values), "Here they are:\n" + "\n".join(item_texts(said)), options)
    draw = Draw("list with commas")
    for _ in range(DRAWS):
        values = [f"{word}, {draw.random.randrange(100)}" for word in draw.random.sample(WORDS, 3)]
        for style, text in [("one a line", "\n".join(values)), ("bullets", "\n".join(f"- {item}" for item in values)), ("quoted", ", ".join(f'"{item}"' for item in values)), ("csv line", csv_line(values)), ("JSON", json.dumps(values)), ("printed by Python", repr(values))]:
            emit("list", "text with commas", style, False, values, text)
        emit("list", "text with commas", "not quoted", True, values, ", ".join(values))


# -- Rows and queries ----------------------------------------------------------------------------------------------------------------------

NAMES = {"text": "Stadt", "int": "N", "decimal": "AMT", "float": "MEAN", "bool": "OK", "date": "DAY", "datetime": "AT", "null": "NOTE"}


def table(draw, kinds, count):
    columns = [[draw.of(kind) if kind != "null" else None for _ in range(count)] for kind in kinds]
    if "text" in kinds:
        columns[kinds.index("text")] = draw.many("text", count)
    return [NAMES[kind] + "2" * kinds[:at].count(kind) for at, kind in enumerate(kinds)], [list(row) for row in zip(*columns)]


def cell(value, noise=False, form=None, null=""):
    if value is None:
        return null
    return item_texts([value], noise, form)[0]


def csv_text(columns, rows, noise=False, form=None, null="", end="\n", raw=False, **options):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator=end, **options)
    writer.writerow([form(name) for name in columns] if form else columns)
    for row in rows:
        writer.writerow([plain(value) if raw and value is not None and not isinstance(value, bool) else cell(value, noise, form, null) for value in row])
    return out.getvalue()


def markdown(columns, rows, noise=False, rule="---", outer=True, pad=False, null="", group=False):
    def shown(value):
        text = f"{value:,}" if group and isinstance(value, (int, Decimal)) and not isinstance(value, bool) else cell(value, noise, null=null)
        return text.replace("|", "\\|")

    lines = [columns, [rule] * len(columns)] + [[shown(value) for value in row] for row in rows]
    if pad:
        widths = [max(len(line[at]) for line in lines) for at in range(len(columns))]
        lines = [[text.ljust(width, "-" if index == 1 else " ") for text, width in zip(line, widths)] for index, line in enumerate(lines)]
    joined = [" | ".join(line) for line in lines]
    return "\n".join(f"| {line} |" for line in joined) if outer else "\n".join(joined)


def records(columns, rows, noise=False, form=None):
    named = [form(name) for name in columns] if form else columns
    return [dict(zip(named, plain(row, noise, form))) for row in rows]


def rows_styles(columns, rows, draw):
    renamed = [f"column {at}" for at in range(len(columns))]
    arrays, objects = plain(rows), records(columns, rows)
    mixed = [dict(draw.random.sample(list(record.items()), len(record))) for record in objects]
    out = [
        ("csv", csv_text(columns, rows)), ("csv, all quoted", csv_text(columns, rows, quoting=csv.QUOTE_ALL)), ("csv, texts quoted", csv_text(columns, rows, raw=True, quoting=csv.QUOTE_NONNUMERIC)), ("csv, CRLF", csv_text(columns, rows, end="\r\n")),
        ("csv, from doubles", csv_text(columns, rows, noise=True)), ("csv, decomposed", csv_text(columns, rows, form=nfd)), ("csv, other names", csv_text(renamed, rows)), ("csv, blanks at the end", csv_text(columns, rows) + "\n\n"), ("csv, NULL written", csv_text(columns, rows, null="NULL")),
        ("csv, blank after a comma", csv_text(columns, rows).replace(",", ", ") if not any("," in cell(value) for row in rows for value in row) else csv_text(columns, rows)),
        ("tabs", csv_text(columns, rows, delimiter="\t") if len(columns) > 1 else csv_text(columns, rows)), ("csv, fenced", fence(csv_text(columns, rows).rstrip("\n"), "csv")),
        ("Markdown", markdown(columns, rows)), ("Markdown, aligned", markdown(columns, rows, rule=":--:")), ("Markdown, padded", markdown(columns, rows, pad=True)), ("Markdown, from doubles", markdown(columns, rows, noise=True)), ("Markdown, fenced", fence(markdown(columns, rows), "markdown")), ("Markdown, grouped numbers", markdown(columns, rows, group=True)), ("Markdown, null written", markdown(columns, rows, null="null")),
        ("JSON objects", json.dumps(objects)), ("JSON objects, not ASCII", json.dumps(objects, ensure_ascii=False)), ("JSON objects, indented", json.dumps(objects, indent=2)), ("JSON objects, keys in any order", json.dumps(mixed)), ("JSON objects, from doubles", json.dumps(records(columns, rows, noise=True))), ("JSON objects, decomposed", json.dumps(records(columns, rows, form=nfd), ensure_ascii=False)), ("JSON objects, names in lower case", json.dumps([{name.lower(): value for name, value in record.items()} for record in objects])), ("JSON objects, fenced", fence(json.dumps(objects, indent=2), "json")),
        ("JSON arrays", json.dumps(arrays)), ("JSON arrays, indented", json.dumps(arrays, indent=1)), ("JSON arrays, from doubles", json.dumps(plain(rows, noise=True))), ("JSON arrays, whole numbers as doubles", json.dumps(doubles(arrays))), ("an object a line", "\n".join(json.dumps(record) for record in objects)), ("an array a line", "\n".join(json.dumps(row) for row in arrays)),
        ("printed by Python, tuples", repr([tuple(row) for row in arrays])), ("printed by Python, dicts", repr(objects)),
    ]
    if not any(set("*_`\"'’$,.") & set(cell(value)) for row in rows for value in row):
        for style, mark in [("bold", "**{}**"), ("code", "`{}`"), ("a period", "{}."), ("mathematics", "${}$")]:
            marked = [[mark.format(cell(value)) if value is not None else None for value in row] for row in rows]
            out += [(f"Markdown, cells {style}", markdown(columns, marked)), (f"csv, cells {style}", csv_text(columns, marked))]
    kinds = [type(value) for value in rows[0]]
    if bool in kinds:
        written = lambda yes, no: [[(yes if value else no) if isinstance(value, bool) else value for value in row] for row in rows]
        for style, words in [("1 and 0", ("1", "0")), ("yes and no", ("yes", "no")), ("Y and N", ("Y", "N")), ("True and False", ("True", "False"))]:
            out += [(f"Markdown, {style}", markdown(columns, written(*words))), (f"csv, {style}", csv_text(columns, written(*words)))]
    at = next((at for at, kind in enumerate(kinds) if kind in (datetime.date, datetime.datetime)), None)
    if at is not None:
        for number, (style, _) in enumerate(moment_styles(rows[0][at])):
            cells = [dict(moment_styles(row[at])).get(style) for row in rows]
            if None not in cells and number % 3 == 0:
                spelled_out = [row[:at] + [said] + row[at + 1:] for row, said in zip(rows, cells)]
                out += [(f"Markdown, {style}", markdown(columns, spelled_out)), (f"csv, {style}", csv_text(columns, spelled_out))]
    if len(columns) > 1:
        out.append(("Markdown, no outer bars", markdown(columns, rows, outer=False)))
    if pandas:
        frame = pandas.DataFrame(arrays, columns=columns, dtype=object)
        typed = pandas.DataFrame({name: [row[at] for row in arrays] for at, name in enumerate(columns)})
        for name, used in [("pandas", typed), ("pandas, objects", frame)]:
            out += [(f"{name}, csv", used.to_csv(index=False)), (f"{name}, tabs", used.to_csv(index=False, sep="\t")), (f"{name}, records", used.to_json(orient="records", double_precision=15)), (f"{name}, values", used.to_json(orient="values", double_precision=15)), (f"{name}, lines", used.to_json(orient="records", lines=True, double_precision=15))]
    return out


def rows():
    shapes = {"decimal": ["text", "decimal"], "text": ["text"], "int": ["text", "int"], "float": ["text", "float"], "bool": ["text", "bool"], "date": ["date", "text", "int"], "datetime": ["text", "datetime"], "null": ["text", "null", "int"], "mixed": ["int", "text", "decimal", "null", "bool", "float"], "decimals alone": ["decimal", "decimal"]}
    for kind, kinds in shapes.items():
        draw = Draw(f"rows {kind}")
        for at in range(DRAWS):
            columns, expected = table(draw, kinds, draw.random.randrange(2, 9))
            if kind == "decimal" and at == 0:
                expected = [["Zürich", Decimal("88697.29")], ["Kiel", Decimal("-1234.50")]]
            value = {"columns": columns, "rows": [key(row) for row in expected]}
            mixed = expected[:]
            draw.random.shuffle(mixed)
            for ordered, said in [(False, mixed), (True, expected)]:
                options = {"": {"ordered": True}} if ordered else {}
                name = f"{kind}, ordered" if ordered else kind
                for style, text in rows_styles(columns, said, draw):
                    emit("rows", name, style, False, value, text, options)
                around("rows", name, value, csv_text(columns, said).rstrip("\n"), options, slices=False)
                near = [("one row less", said[1:]), ("one row more", said + [said[0]])]
                if len(said) > 1 and said[0] != said[1]:
                    near.append(("one row twice for another", [said[0], said[0]] + said[2:]))
                    if ordered:
                        near.append(("two rows swapped", [said[1], said[0]] + said[2:]))
                for column in range(len(kinds)):
                    for style, wrong in single_near(said[0][column]):
                        if style not in ("a text for a number", "null", "zero for null", "empty for null", "a number for a truth", "a number") and wrong != "":
                            near.append((f"{style} in a cell", [said[0][:column] + [wrong] + said[0][column + 1:]] + said[1:]))
                forms = [("csv", csv_text), ("Markdown", markdown), ("JSON", lambda columns, rows: json.dumps(plain(rows)))]
                for style, wrong in near:
                    for form, write in forms:
                        emit("rows", name, f"{style}, {form}", True, value, write(columns, wrong), options)
                for column, kind_of in enumerate(kinds):
                    if kind_of in ("date", "datetime"):
                        for style, wrong in moments_near(said[0][column]):
                            emit("rows", name, f"{style} in a cell", True, value, markdown(columns, [said[0][:column] + [wrong] + said[0][column + 1:]] + said[1:]), options)
                    if kind_of == "bool":
                        for style, wrong in truths_near(said[0][column]):
                            if style != "a digit":
                                emit("rows", name, f"{style} in a cell", True, value, markdown(columns, [said[0][:column] + [wrong] + said[0][column + 1:]] + said[1:]), options)
                        emit("rows", name, "a number for a truth, JSON", True, value, json.dumps(plain([said[0][:column] + [int(said[0][column])] + said[0][column + 1:]] + said[1:])), options)
                if len(columns) > 1:
                    emit("rows", name, "two columns swapped", True, value, csv_text([columns[1], columns[0]] + columns[2:], [[row[1], row[0]] + row[2:] for row in said]), options)
                    emit("rows", name, "a column less", True, value, csv_text(columns[1:], [row[1:] for row in said]), options)
                emit("rows", name, "words before it", True, value, "Here it is:\n\n" + markdown(columns, said), options)


def literal(value):
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, (int, Decimal, float)):
        return str(value) if not isinstance(value, float) else repr(value)
    return "'" + str(plain(value)).replace("'", "''") + "'"


def queries():
    stored_in = 0
    shapes = {"decimal": ["text", "decimal"], "text": ["text"], "int": ["text", "int"], "float": ["text", "float"], "bool": ["text", "bool"], "date": ["text", "date"], "null": ["text", "null"], "mixed": ["int", "text", "decimal", "null", "bool", "float"]}
    for kind, kinds in shapes.items():
        draw = Draw(f"sql {kind}")
        for at in range(max(2, DRAWS // 2)):
            columns, expected = table(draw, kinds, draw.random.randrange(3, 9))
            value = {"columns": columns, "rows": [key(row) for row in expected]}
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "data.db")
                connection = sqlite3.connect(path)
                connection.execute(f"CREATE TABLE t ({', '.join(columns)})")
                connection.execute(f"CREATE TABLE parts (id INTEGER, {', '.join(columns)})")
                for index, row in enumerate(expected):
                    stored = [int(item) if isinstance(item, bool) else plain(item) for item in row]
                    connection.execute(f"INSERT INTO t VALUES ({', '.join('?' * len(row))})", stored)
                    for _ in range(7):
                        connection.execute(f"INSERT INTO parts VALUES (?, {', '.join('?' * len(row))})", [index] + [item / 7 if isinstance(item, float) else item for item in stored])
                connection.commit()
                connection.close()
                with open(path, "rb") as file:
                    stored_in += 1
                    print(json.dumps({"database": stored_in, "bytes": base64.b64encode(file.read()).decode()}))
                database = stored_in
            names = ", ".join(columns)
            sums = ", ".join(f"SUM({name})" if kind in ("decimal", "float") else f"MAX({name})" for name, kind in zip(columns, kinds))
            select = f"SELECT {names} FROM t"
            styles = [
                ("plain", select), ("with a semicolon", select + ";"), ("star", "SELECT * FROM t"), ("lower case", select.lower()), ("on several lines", f"SELECT\n  {names}\nFROM t\nWHERE 1 = 1"), ("CRLF", f"SELECT\r\n  {names}\r\nFROM t"), ("comment before", f"-- all of it\n{select}"), ("comment after", f"{select} -- all of it"), ("comment of a block", f"/* all */ {select} /* of it */;"),
                ("quoted names", "SELECT " + ", ".join(f'"{name}"' for name in columns) + ' FROM "t"'), ("names in brackets", "SELECT " + ", ".join(f"[{name}]" for name in columns) + " FROM [t]"), ("names in backticks", "SELECT " + ", ".join(f"`{name}`" for name in columns) + " FROM `t`"), ("other names", "SELECT " + ", ".join(f"{name} AS c{at}" for at, name in enumerate(columns)) + " FROM t x"),
                ("WITH", f"WITH x AS ({select}) SELECT * FROM x"), ("from a query", f"SELECT * FROM ({select})"), ("joined to itself", "SELECT " + ", ".join(f"a.{name}" for name in columns) + " FROM t a JOIN t b ON a.rowid = b.rowid"), ("LIMIT", f"{select} LIMIT 1000"), ("united halves", f"{select} WHERE rowid <= 2 UNION ALL {select} WHERE rowid > 2"),
                ("VALUES", "VALUES " + ", ".join("(" + ", ".join(literal(item) for item in row) + ")" for row in expected)), ("added up from parts", f"SELECT {sums} FROM parts GROUP BY id"), ("CASE", "SELECT " + ", ".join(f"CASE WHEN 1 THEN {name} END" for name in columns) + " FROM t"), ("COALESCE", "SELECT " + ", ".join(f"COALESCE({name}, NULL)" for name in columns) + " FROM t"), ("EXISTS", f"{select} WHERE EXISTS (SELECT 1)"),
            ]
            for style, query in styles + [("in another order", f"{select} ORDER BY rowid DESC"), ("a window", f"SELECT {names} FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY rowid DESC) AS k FROM t) ORDER BY k")]:
                emit("sql", kind, style, False, value, query, database=database)
            ordered = {"": {"ordered": True}}
            for style, query in styles + [("in order", f"{select} ORDER BY rowid")]:
                emit("sql", f"{kind}, ordered", style, False, value, query + (" ORDER BY id" if "GROUP BY id" in query else ""), ordered, database=database)
            around("sql", kind, value, select, database=database)
            near = [("a row less", f"{select} LIMIT {len(expected) - 1}"), ("a row more", f"{select} UNION ALL SELECT * FROM (SELECT {names} FROM t LIMIT 1)"), ("a column less", f"SELECT {columns[0]} FROM t" if len(columns) > 1 else "SELECT Stadt, Stadt FROM t"), ("a write", f"DELETE FROM t"), ("two queries", f"{select}; {select}"), ("words before it", f"Here: {select}")]
            for name, kind_of in zip(columns, kinds):
                first = expected[0][columns.index(name)]
                unit = Decimal(1).scaleb(-places_of(first)) if kind_of == "decimal" else 0
                wrong = {"int": f"{name} + (rowid = 1)", "decimal": f"{name} + {unit} * (rowid = 1)", "float": f"{name} * (1 + 0.000001 * (rowid = 1))", "text": f"CASE rowid WHEN 1 THEN {name} || 's' ELSE {name} END", "bool": f"CASE rowid WHEN 1 THEN 1 - {name} ELSE {name} END", "date": f"CASE rowid WHEN 1 THEN date({name}, '+1 day') ELSE {name} END", "null": "0"}[kind_of]
                listed = ", ".join(wrong if other == name else other for other in columns)
                near.append((f"a wrong {kind_of}", f"SELECT {listed} FROM t"))
                if kind_of in ("int", "decimal", "float"):
                    near.append((f"wrong sign of a {kind_of}", "SELECT " + ", ".join(f"-{name}" if other == name else other for other in columns) + " FROM t"))
            for style, query in near:
                emit("sql", kind, style, True, value, query, database=database)
            emit("sql", f"{kind}, ordered", "in another order", True, value, f"{select} ORDER BY rowid DESC", ordered, database=database)


# -- Units, objects that may hold more, and lists of several kinds -------------------------------------------------------------------------

UNITS = ["kg", "%", "€", "EUR", "m²"]
MONEY = ["€", "EUR"]


def unit_styles(value, unit):
    """Spellings of a number that may carry a unit."""
    digits = str(value)
    grouped = f"{value:,}"
    out = [
        ("digits", digits), ("grouped", grouped), ("repr", repr(float(value))), ("unit after", f"{digits}{unit}"), ("blank and unit", f"{digits} {unit}"), ("no-break space and unit", f"{digits}\u00a0{unit}"), ("thin space and unit", f"{digits}\u2009{unit}"),
        ("grouped, unit", f"{grouped} {unit}"), ("%.17g, unit", f"{float(value):.17g}{unit}"), ("scientific, unit", f"{Decimal(digits):E} {unit}"), ("unit and period", f"{digits} {unit}."), ("unit decomposed", f"{digits} {nfd(unit)}"), ("plus, unit", f"{value:+} {unit}"), ("unit, fenced", fence(f"{digits} {unit}")),
    ]
    if isinstance(value, Decimal):
        # An int is exact, with a unit as without one.
        out += [("from doubles, unit", f"{noisy(value)!r} {unit}")]
    if value < 0:
        out += [("minus of typography, unit", f"\u2212{digits[1:]} {unit}")]
    if unit in MONEY:
        sign, size = ("-", digits[1:]) if value < 0 else ("", digits)
        out += [("currency in front", f"{sign}{unit}{size}"), ("currency and blank in front", f"{sign}{unit} {size}"), ("sign after the currency", f"{unit}{sign}{size}"), ("currency, grouped", f"{sign}{unit}{grouped.lstrip('-')}")]
    if numpy:
        out += [("numpy, unit", f"{numpy.float64(value)} {unit}")]
    if pandas:
        out += [("pandas, unit", f"{pandas.Series([float(value)]).sum()} {unit}")]
    return out


def unit_near(value, unit):
    one = 1 if isinstance(value, int) else Decimal(1).scaleb(-places_of(value))
    out = [
        ("one unit more, with the unit", f"{value + one} {unit}"), ("one unit less, with the unit", f"{value - one}{unit}"), ("another unit", f"{value} lb"), ("the unit twice", f"{value} {unit} {unit}"), ("half a unit of two letters", f"{value} {unit}x"), ("another currency", f"${value}"), ("words and unit", f"It is {value} {unit}"), ("a hundredth with the unit", f"{Decimal(value) / 100 + 1} {unit}"), ("the unit alone", unit), ("a range", f"{value}-{value} {unit}"),
    ]
    if value:
        out += [("wrong sign, with the unit", f"{-value} {unit}")]
    if unit not in MONEY:
        out += [("the unit in front", f"{unit} {value}")]
    if unit != unit.swapcase():
        out += [("the unit in other letters", f"{value} {unit.swapcase()}")]
    return out


def units():
    for kind in ["int", "decimal"]:
        draw = Draw(f"unit {kind}")
        first = {"int": [40, -5, 1234], "decimal": [Decimal("39.95"), Decimal("-0.5")]}[kind]
        for at, value in enumerate(first + [draw.of(kind) for _ in range(DRAWS)]):
            for unit in UNITS:
                options = {"": {"unit": unit}}
                for style, said in unit_styles(value, unit):
                    emit("number", f"{kind} with a unit", style, False, key(value), said, options)
                    if "fenced" not in style and "period" not in style:
                        emit("number", f"{kind} with a unit", f"file, {style}", False, key(value), said, options, subject="file")
                for style, said in unit_near(value, unit):
                    emit("number", f"{kind} with a unit", style, True, key(value), said, options)
            unit = UNITS[at % len(UNITS)]
            around("number", f"{kind} with a unit", key(value), f"{value} {unit}", {"": {"unit": unit}})
            # In JSON: a number, or a text with number and unit.
            whole, options = {"name": "Ulm", "size": value}, {"/size": {"unit": unit}}
            for style, said in json_styles(whole):
                emit("json", f"{kind} with a unit", style, False, key(whole), said, options)
            for text, said in unit_styles(value, unit):
                if text not in ("digits", "grouped", "repr") and "fenced" not in text:
                    for form, written in [("", json.dumps({"name": "Ulm", "size": said})), (", not ASCII", json.dumps({"size": said, "name": "Ulm"}, ensure_ascii=False, indent=1))]:
                        emit("json", f"{kind} with a unit", f"number and unit in a text{form}", False, key(whole), written, options)
            wrong = [(style, said) for style, said in unit_near(value, unit)] + [("a text for a number", str(value)), ("one more", plain(value + 1)), ("null", None)]
            for style, said in wrong:
                emit("json", f"{kind} with a unit", style, True, key(whole), json.dumps({"name": "Ulm", "size": said}), options)
            # In lists and rows each number may carry it.
            values = draw.many(kind, 4)
            options = {"": {"unit": unit}}
            carried = [f"{item} {unit}" for item in values]
            for style, text in [("one a line", "\n".join(carried)), ("one a line, without", "\n".join(map(str, values))), ("- bullets", "\n".join(f"- {item}" for item in carried)), ("numbered", "\n".join(f"{at}. {item}" for at, item in enumerate(carried, 1))), ("commas", ", ".join(carried)), ("JSON", json.dumps(carried)), ("JSON, numbers", json.dumps(plain(values))), ("JSON, fenced", fence(json.dumps(carried), "json")), ("printed by Python", repr(carried))]:
                emit("list", f"{kind} with a unit", style, False, key(values), text, options)
            around("list", f"{kind} with a unit", key(values), "\n".join(carried), options)
            for style, text in [("another unit", "\n".join(f"{item} lb" for item in values)), ("one of another unit", "\n".join([f"{values[0]} lb"] + carried[1:])), ("one less", "\n".join(carried[1:])), ("one more", "\n".join(carried + carried[:1])), ("one unit more", "\n".join([unit_near(values[0], unit)[0][1]] + carried[1:]))]:
                emit("list", f"{kind} with a unit", style, True, key(values), text, options)
            columns, expected = ["Stadt", "N"], [[name, item] for name, item in zip(draw.many("text", 4), values)]
            value_of = {"columns": columns, "rows": [key(row) for row in expected]}
            said = [[name, f"{item} {unit}"] for name, item in expected]
            for style, text in [("csv", csv_text(columns, said)), ("csv, without", csv_text(columns, expected)), ("Markdown", markdown(columns, said)), ("tabs", csv_text(columns, said, delimiter="\t")), ("JSON objects", json.dumps(records(columns, said))), ("JSON arrays", json.dumps(said)), ("JSON arrays, numbers", json.dumps(plain(expected))), ("printed by Python, tuples", repr([tuple(row) for row in said]))]:
                emit("rows", f"{kind} with a unit", style, False, value_of, text, options)
            around("rows", f"{kind} with a unit", value_of, markdown(columns, said), options, slices=False)
            for style, rows_said in [("another unit", [[name, f"{item} lb"] for name, item in expected]), ("a unit in the text", [[f"{name} {unit}", item] for name, item in said]), ("one row less", said[1:])]:
                emit("rows", f"{kind} with a unit", style, True, value_of, csv_text(columns, rows_said), options)


def open_objects():
    draw = Draw("open objects")
    for at in range(2 * DRAWS):
        value = {"city": draw.text(), "total": draw.decimal(), "inner": {"n": draw.int(), "ok": draw.bool()}, "list": [{"a": draw.int()}, {"a": draw.int()}]}
        if at == 0:
            value = {"city": "Zürich", "total": Decimal("88697.29"), "inner": {"n": 12, "ok": True}, "list": [{"a": 1}, {"a": 2}]}
        more = {"note": "as asked", "größe": [1, {"x": None}], "TOTAL": 0}
        deep = {**value, "inner": {"unit": "kg", **value["inner"]}, "list": [{**value["list"][0], "b": 2}, {"b": None, **value["list"][1]}]}
        everywhere, inside = {"": {"open": True}}, {"/inner": {"open": True}}
        # `TOTAL` is another key than `total`: names of keys keep their case.
        for shape, whole in [("nothing more", value), ("more at the end", {**value, **more}), ("more in front", {**more, **value}), ("more inside", deep), ("more everywhere", {**more, **deep})]:
            for style, said in json_styles(whole):
                emit("json", "open object", style if shape == "nothing more" else shape, False, key(value), said, everywhere)
        around("json", "open object", key(value), json.dumps(plain({**more, **deep}), indent=1), everywhere)
        for style, said in json_styles({**value, "inner": {**value["inner"], "more": 1}}):
            emit("json", "object open inside", style, False, key(value), said, inside)
        around("json", "object open inside", key(value), json.dumps(plain({**value, "inner": {**value["inner"], "more": 1}})), inside)
        near = [("a key less", {name: value[name] for name in value if name != "total"}), ("a key less inside", {**value, "inner": {"n": value["inner"]["n"]}}), ("one more", {**value, "inner": {**value["inner"], "n": value["inner"]["n"] + 1}}), ("an item more", {**value, "list": value["list"] + [{"a": 1}]}), ("an item less", {**value, "list": value["list"][1:]}), ("two items swapped", {**value, "list": value["list"][::-1]}), ("the right value under another key", {**{name: value[name] for name in value if name != "city"}, "town": value["city"]}), ("null", {**value, "total": None}), ("in an array", [value])]
        for style, said in near:
            if said == value:
                continue
            for options, kind in [(everywhere, "open object"), (inside, "object open inside")]:
                emit("json", kind, style, True, key(value), json.dumps(plain(said)), options)
                emit("json", kind, f"{style}, fenced", True, key(value), fence(json.dumps(plain(said)), "json"), options)
        # Open is only what the option governs.
        for style, said in [("a key more outside", {**value, "more": 1}), ("a key more in an item", {**value, "list": [{**value["list"][0], "b": 1}, value["list"][1]]})]:
            emit("json", "object open inside", style, True, key(value), json.dumps(plain(said)), inside)
        closed = {"": {"open": True}, "/inner": {"open": False}}
        emit("json", "open object", "a key more where it is closed again", True, key(value), json.dumps(plain({**value, "inner": {**value["inner"], "more": 1}})), closed)


def mixed_lists():
    draw = Draw("mixed lists")
    for at in range(2 * DRAWS):
        values = [draw.int(), draw.text(), draw.decimal(), draw.bool(), draw.date(), draw.float()]
        if at == 0:
            values = [12, "Zürich", Decimal("88697.29"), True, datetime.date(2024, 3, 1), 0.5]
        draw.random.shuffle(values)
        mixed = values[:]
        draw.random.shuffle(mixed)
        for ordered, said in [(False, mixed), (True, values)]:
            options = {"": {"ordered": True}} if ordered else {}
            name = "mixed items, ordered" if ordered else "mixed items"
            # The formats of frames are those of one column: of one kind.
            for style, text in list_styles(said, frames=False):
                emit("list", name, style, False, key(values), text, options)
            for form, whole in [("JSON, not ASCII, indented", json.dumps(plain(said), ensure_ascii=False, indent=1)), ("JSON, whole numbers as doubles", json.dumps(doubles(plain(said)))), ("JSON, compact", json.dumps(plain(said), separators=(",", ":")))]:
                emit("list", name, form, False, key(values), whole, options)
            around("list", name, key(values), "\n".join(item_texts(said)), options)
            near = [("one less", said[1:]), ("one more", said + said[-1:]), ("one twice for another", [said[0], said[0]] + said[2:])]
            for index, item in enumerate(said):
                near += [(f"{style} in an item", said[:index] + [wrong] + said[index + 1:]) for style, wrong in single_near(item) if wrong is not None and wrong != "" and style not in ("a text for a number", "a number for a truth", "a number", "ten times")]
                # JSON tells what kind a value is.
                for style, wrong in single_near(item):
                    if style in ("a text for a number", "a number for a truth", "null"):
                        emit("list", name, f"{style} in an item, JSON", True, key(values), json.dumps(plain(said[:index] + [wrong] + said[index + 1:])), options)
            if ordered:
                near.append(("two swapped", [said[1], said[0]] + said[2:]))
            for style, wrong in near:
                for form, text in [("lines", "\n".join(item_texts(wrong))), ("JSON", json.dumps(plain(wrong))), ("commas", ", ".join(item_texts(wrong)))]:
                    emit("list", name, f"{style}, {form}", True, key(values), text, options)


def object_list_styles(values):
    """Spellings of a list whose items are objects."""
    exact, noise, other = plain(values), plain(values, noise=True), plain(values, form=nfd)
    lines = [json.dumps(item) for item in exact]
    turned = [dict(reversed(item.items())) for item in exact]
    out = json_styles(values)
    out += [
        ("an object a line", "\n".join(lines)), ("an object a line, not ASCII", "\n".join(json.dumps(item, ensure_ascii=False) for item in exact)), ("an object a line, from doubles", "\n".join(json.dumps(item) for item in noise)), ("an object a line, compact", "\n".join(json.dumps(item, separators=(",", ":")) for item in exact)), ("an object a line, keys backwards", "\n".join(json.dumps(item) for item in turned)), ("an object a line, decomposed", "\n".join(json.dumps(item, ensure_ascii=False) for item in other)), ("an object a line, a blank line between", "\n\n".join(lines)), ("an object a line, fenced", fence("\n".join(lines), "json")),
        ("- bullets", "\n".join(f"- {line}" for line in lines)), ("* bullets", "\n".join(f"* {line}" for line in lines)), ("numbered", "\n".join(f"{at}. {line}" for at, line in enumerate(lines, 1))), ("printed by Python", repr(exact)), ("printed by Python, from doubles", repr(noise)),
    ]
    if pandas:
        frame = pandas.DataFrame(exact)
        out += [("pandas, records", frame.to_json(orient="records", double_precision=15)), ("pandas, lines", frame.to_json(orient="records", lines=True, double_precision=15)), ("pandas, to_dict", str(frame.to_dict("records")))]
    return out


def object_lists():
    for kind, is_rows in [("rows", True), ("objects", False)]:
        draw = Draw(f"list of {kind}")
        for at in range(2 * DRAWS):
            count = draw.random.randrange(2, 7)
            values = [{"Stadt": city, "AMT": draw.decimal(), "N": draw.int(), "OK": draw.bool()} for city in draw.many("text", count)]
            if at == 0:
                values = [{"Stadt": "Zürich", "AMT": Decimal("88697.29")}, {"Stadt": "Kiel", "AMT": Decimal("-1234.50")}]
            names = list(values[0])
            expected = {"columns": names, "rows": [[key(item[name]) for name in names] for item in values]} if is_rows else key(values)
            mixed = values[:]
            draw.random.shuffle(mixed)
            for ordered, said in [(False, mixed), (True, values)]:
                options = {"": {"ordered": True}} if ordered else {}
                name = f"{kind}, ordered" if ordered else kind
                for style, text in object_list_styles(said):
                    emit("list", name, style, False, expected, text, options)
                around("list", name, expected, "\n".join(json.dumps(plain(item)) for item in said), options)
                near = [("one less", said[1:]), ("one more", said + said[-1:]), ("one twice for another", [said[0], said[0]] + said[2:]), ("a key less", [{"Stadt": said[0]["Stadt"]}] + said[1:]), ("a key more", [{**said[0], "more": 1}] + said[1:]), ("another key", [{("STADT" if field == "Stadt" else field): item for field, item in said[0].items()}] + said[1:]), ("values of two swapped", [{**said[0], "AMT": said[1]["AMT"]}, {**said[1], "AMT": said[0]["AMT"]}] + said[2:])]
                for field, item in said[0].items():
                    near += [(f"{style} in a field", [{**said[0], field: wrong}] + said[1:]) for style, wrong in single_near(item) if wrong != ""]
                if ordered:
                    near.append(("two swapped", [said[1], said[0]] + said[2:]))
                for style, wrong in near:
                    for form, text in [("JSON", json.dumps(plain(wrong))), ("an object a line", "\n".join(json.dumps(plain(item)) for item in wrong))]:
                        emit("list", name, f"{style}, {form}", True, expected, text, options)
                emit("list", name, "arrays for objects", True, expected, json.dumps([list(item.values()) for item in plain(said)]), options)
                emit("list", name, "words before it", True, expected, "Here they are:\n" + json.dumps(plain(said)), options)


if __name__ == "__main__":
    numbers()
    texts()
    days()
    jsons()
    lists()
    rows()
    queries()
    units()
    open_objects()
    mixed_lists()
    object_lists()
    print(json.dumps({"skipped": [name for name, there in [("numpy", numpy), ("pandas", pandas)] if not there]}))
