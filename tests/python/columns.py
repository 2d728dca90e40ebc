"""What is read of the cells of random columns, compared with what Python makes of them. One column a line, as JSON:
{"from", "cells", "type", "values", "said"}, in the file that is named. Prints the counts; the first columns that are read wrongly end it with 1.
"""

import json
import re
import sys
from fractions import Fraction

# The usual marks of missing fields, in lower case.
MARKS = set(
    "|-|--|---|–|—|.|..|...|…|*|?|#n/a|(null)|<na>|k. a.|k.a.|n. a.|n.a.|n/a|n.v.|na|nan|not applicable|not available"
    "|not reported|null|tbd".split("|")
)
SUMMARIES = {"Total", "Mean", "Max", "Min", "Sum", "Average"}
# How digits are written: what is between groups, and the point.
FORMS = [(",", "."), (".", ","), (" ", ","), (" ", "."), ("'", "."), ("'", ","), ("\u00a0", ","), ("\u00a0", "."), ("\u202f", ",")]
# Text around a number that may change it.
CHANGES = re.compile(r"[()\[\]{}<>≤≥~≈±=^‰½]|(?<![a-z])²|[-−–]$|[-−–]\s*\D?$|million|\b(K|k|M|bn|Cr|Dr|BC|AD|N|S)\b")


def may_change(text):
    """Whether text on one side of a number may change it. A note in brackets and a price without cents (`5,-`) do not."""
    text = re.sub(r"\([^()]*\)", "", text)
    return bool(CHANGES.search(re.sub(r"^[,.][-–—]", "", text)))


def outside(cell):
    """What is before the first digit and after the last, a plus in front apart; without digits, all."""
    cell = cell.strip()
    if cell.startswith("+"):
        cell = cell[1:]
    digits = [at for at, char in enumerate(cell) if char in "0123456789"]
    if not digits:
        return (cell, "")
    before = cell[: digits[0]]
    return (before.removesuffix("."), cell[digits[-1] + 1 :])


def parts(cell):
    """Sign, text before, digits, text after."""
    cell = cell.strip()
    found = re.fullmatch(r"([-+−]?)([^0-9]*?)([-−]?)(\.?[0-9](?:.*[0-9])?)([^0-9]*)", cell, re.DOTALL)
    if not found:
        return None
    sign, before, inner, digits, after = found.groups()
    if inner and (sign or not before):
        return None
    return (sign or inner, before, digits, after)


def value(digits, form):
    """The number that digits are in a form."""
    group, point = form
    if point == "." and re.fullmatch(r"([0-9]+\.?[0-9]*|\.[0-9]+)[eE][-+]?[0-9]+", digits):
        return Fraction(digits if not digits.startswith(".") else "0" + digits)
    whole, _, fraction = digits.partition(point)
    if not re.fullmatch(r"[0-9]*", fraction):
        return None
    if group in whole:
        if not re.fullmatch(r"[1-9][0-9]{0,2}(%s[0-9]{3})+" % re.escape(group), whole):
            return None
        whole = whole.replace(group, "")
    if not re.fullmatch(r"[0-9]*", whole) or not whole + fraction:
        return None
    return Fraction(int((whole + fraction) or "0"), 10 ** len(fraction))


def expected(cells):
    """The numbers that all of these cells are, in the first form that all of them have; None for what is not a column of numbers."""
    taken = [parts(cell) for cell in cells]
    if any(part is None for part in taken) or len({(before, after) for _, before, _, after in taken}) > 1:
        return None
    _, before, _, after = taken[0]
    if may_change(before) or may_change(after) or before.endswith(("-", "−")):
        return None
    percent = "%" in before + after
    for form in FORMS:
        numbers = [value(digits, form) for _, _, digits, _ in taken]
        if all(number is not None for number in numbers):
            signed = zip(taken, numbers)
            return [(-number if sign in "-−" and sign else number) / (100 if percent else 1) for (sign, *_), number in signed]
    return None


FACTORS = {"": 1, "K": 10**3, "k": 10**3, "M": 10**6, "mn": 10**6, "B": 10**9, "bn": 10**9, "Bn": 10**9}


def meant(cells, said):
    """The numbers of cells of which a declaration says what the text around them means, or has it in a column of its own; None if it says nothing else."""
    taken = [parts(cell) for cell in cells]
    if any(part is None for part in taken):
        return None
    sections = re.search(r'written "[^"]*;[^"]*"', said)
    factors = re.search(r'written "[^"]*" times [0-9]', said)
    for form in FORMS:
        numbers = [value(digits, form) for _, _, digits, _ in taken]
        if any(number is None for number in numbers):
            continue
        found = []
        for (sign, before, _, after), number in zip(taken, numbers):
            negative = sign in ("-", "−")
            if sections:
                negative = before.count("(") == 1 and after.count(")") == 1 or after.strip()[:1] in ("-", "−", "–", "—")
                if sign or (before + after).count("-") > 1:
                    return None
            elif factors:
                if after.strip() not in FACTORS:
                    return None
                number *= FACTORS[after.strip()]
            elif 'line "<<' not in said or before and (after or sign):
                return None
            found.append(-number if negative else number)
        return found
    return None


def wrong_with(column):
    cells, values, kind = column["cells"], column["values"], column["type"]
    if len(values) != len(cells):
        return f"{len(values)} of {len(cells)} rows are read"
    known = {}
    numbers = []
    for cell, read in zip(cells, values):
        bare = cell.strip()
        if read is None:
            if bare.lower() not in MARKS:
                return f"{cell!r} is null"
            continue
        if kind == "text":
            if read.strip() != bare:
                return f"the text {cell!r} is read as {read!r}"
            continue
        numbers.append((bare, read))
        key = Fraction(read) if kind in ("int", "decimal", "float") else read
        # What is in a column of its own tells them apart.
        if 'line "<<' not in column["said"] and key in known and outside(known[key]) != outside(bare):
            zero = key == 0 and [side.lstrip("-") for side in outside(known[key])] == [side.lstrip("-") for side in outside(bare)]
            if not zero:
                return f"{known[key]!r} and {bare!r} are both {read}"
        known[key] = bare
    if kind in ("int", "decimal", "float") and numbers:
        texts = [cell for cell, _ in numbers]
        wanted = expected(texts)
        if wanted is None:
            wanted = meant(texts, column["said"])
        if wanted is None:
            return f"{[cell for cell, _ in numbers]} are read as numbers"
        for (cell, read), number in zip(numbers, wanted):
            same = float(read) == float(number) if kind == "float" else Fraction(read) == number
            if not same:
                return f"{cell!r} is read as {read}, and is {number}"
    return None


def main():
    counts, wrong = {}, 0
    for line in open(sys.argv[1], encoding="utf-8"):
        column = json.loads(line)
        key = f"{column['from']} {column['type']}"
        counts[key] = counts.get(key, 0) + 1
        why = wrong_with(column)
        if why:
            wrong += 1
            if wrong <= 20:
                print(f"{why}\n  {column['from']} {column['cells']} as {column['values']}\n  {column['said']}")
    print("read by Python:", ", ".join(f"{count} {key}" for key, count in sorted(counts.items())), f"; wrong: {wrong}")
    sys.exit(wrong > 0)


main()
