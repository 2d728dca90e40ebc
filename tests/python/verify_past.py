"""Recomputes every answer key of a PAST bundle from its files and prompts, knowing only the questions.

    python3 verify_past.py BUNDLE [SANDBOX_ROOT]

Prints `N of N agree`; exits 1 on any disagreement.
"""

import fractions
import re

import bundle
from bundle import Disagreement, agree, asked


def word(text):
    if not re.fullmatch("[a-z]+", text):
        raise Disagreement(f"no plain word: {text!r}")
    return text


def create_files(it):
    log, conf, folder = asked(it, r"Create these files: (\S+)\.log and (\S+)\.config in the (\S+) directory")
    folder = it.below(folder)
    agree("draws", {"log": word(log), "conf": word(conf), "dir": word(folder)}, it.draws)
    it.expects_just({"files": [f"{folder}/{log}.log", f"{folder}/{conf}.config"]}, "exists")


def repeat_word(it):
    (a,) = asked(it, r"Respond only with this word: (\S+)")
    it.expects_just("reply", "text", word(a))


def repeat_words(it):
    words = asked(it, r"Respond only with these three words in the given order: (\S+) (\S+) (\S+)")
    it.expects_just("reply", "text", " ".join(map(word, words)))


def drawn_tree(text):
    """The paths that a drawn tree shows, whatever fence stands around it."""
    paths, above = [], []
    for line in text.splitlines():
        match = re.fullmatch(r"((?:│   |    |│ {3})*)(?:├── |└── )(\S+)", line.rstrip())
        if match is None:
            if line.strip() and not line.strip().startswith("```"):
                raise Disagreement(f"not a line of a tree: {line!r}")
            continue
        depth = len(match[1]) // 4
        if depth > len(above):
            raise Disagreement(f"a line without a folder above it: {line!r}")
        del above[depth:]
        paths.append("".join(above) + match[2])
        above.append(match[2])
    return paths


def directory_tree(it):
    folder, tree = asked(it, r"(?s)Create this directory structure inside the folder `(\S+)`:\s(.*)")
    agree("sandbox", it.root, folder)
    a, b, c, d = (word(it.draws[name]) for name in "abcd")
    agree("different words", 5, len({a, b, c, d, "logs"}))
    layout = [f"{a}/", f"{a}/{b}/", f"{a}/logs/", f"{a}/logs/{c}.log", f"{d}/", f"{d}/README.md"]
    agree("tree of the prompt", sorted(layout), sorted(drawn_tree(tree)))
    it.expects_just({"tree": layout}, "exists")


def needle_line(it):
    (path,) = asked(
        it,
        r"Read the file (\S+) and tell me what line 34 says\. Reply ONLY with the contents of that line\.\n"
        r"Do not mention anything else other than the line\.",
    )
    lines = it.text(it.below(path)).split("\n")
    agree("lines", 100, len(lines) - (lines[-1] == ""))
    it.expects_just("reply", "text", lines[33])


def needle_word(it):
    (path,) = asked(it, r"Read the file (\S+) and tell me what 35th word is\. Reply ONLY with the word\.")
    it.expects_just("reply", "text", it.text(it.below(path)).split()[34])


def csv_summary(it):
    path, answer = asked(
        it,
        r"Create a JSON summary of (\S+) showing total customers and average age\.\n"
        r"Create (\S+) with the JSON containing `total_customers` and `average_age`\.",
    )
    header, _ = it.csv(it.below(path))
    agree("header", ["C_ID", "C_NAME", "AGE_YRS", "LOC_CD", "REG_DT"], header)
    rows = it.records(it.below(path))
    agree("rows", 75, len(rows))
    ages = [int(row["AGE_YRS"]) for row in rows]
    if not all(18 <= age <= 70 for age in ages):
        raise Disagreement("an age outside 18 to 70")
    it.expects_just(
        {"file": it.below(answer)},
        "json",
        # A fraction is exact and rounds once, on its way to a double.
        {"total_customers": sum(row["C_ID"] != "" for row in rows), "average_age": float(fractions.Fraction(sum(ages), len(ages)))},
        {"/average_age": {"within": "0.01"}},
    )


def csv_filter(it):
    path, answer = asked(
        it,
        r"How many employees are in the Engineering department in (\S+)\?\n"
        r"Write down your final answer in (\S+)",
    )
    rows = it.records(it.below(path))
    agree("rows", 100, len(rows))
    count = sum(row["DEPT_CD"] == "Engineering" and row["EMP_ID"] != "" for row in rows)
    it.expects_just({"file": it.below(answer)}, "text", count)


def sql_sum(it):
    path, answer = asked(
        it,
        r"In the database (\S+), find the total salary for all Engineering department employees\.\n"
        r"Write down your final answer in (\S+)",
    )
    tables = it.tables(it.below(path))
    agree("tables", ["enterprise_employees"], list(tables))
    employees = tables["enterprise_employees"]
    agree("keys", list(range(1, 51)), [row["EMP_ID"] for row in employees])
    pay = [row["SAL_AMT"] for row in employees if row["DEPT_CD"] == "Engineering"]
    if not pay:
        raise Disagreement("the total over nobody has no value: the sample should have been drawn again")
    it.expects_just({"file": it.below(answer)}, "text", sum(pay))


def big_orders(tables):
    """How many orders above 50000 there are from customers of Engineering, joined by hand."""
    agree("tables", ["enterprise_customers", "enterprise_orders"], list(tables))
    customers, orders = tables["enterprise_customers"], tables["enterprise_orders"]
    agree("customers", list(range(1, 21)), [row["CUST_ID"] for row in customers])
    agree("orders", list(range(1, 76)), [row["ORD_ID"] for row in orders])
    department = {row["CUST_ID"]: row["DEPT_CD"] for row in customers}
    return sum(department[row["CUST_REF"]] == "Engineering" and row["ORD_AMT"] > 50000 for row in orders)


def sql_join(it):
    path, answer = asked(
        it,
        r"How many orders above 50000 are there from customers in the Engineering department in (\S+)\?\n"
        r"Create a JSON file (\S+) that contains the answer using 'num_big_orders' as key\.",
    )
    it.expects_just({"file": it.below(answer)}, "json", {"num_big_orders": big_orders(it.tables(it.below(path)))})


VERIFIERS = {
    "q101_create_files": create_files,
    "q102_repeat_word": repeat_word,
    "q103_repeat_words": repeat_words,
    "q104_directory_tree": directory_tree,
    "q201_needle_line": needle_line,
    "q202_needle_word": needle_word,
    "q301_csv_summary": csv_summary,
    "q302_csv_filter": csv_filter,
    "q401_sql_sum": sql_sum,
    "q402_sql_join": sql_join,
}

if __name__ == "__main__":
    bundle.main(VERIFIERS, lambda instance: instance.task)
