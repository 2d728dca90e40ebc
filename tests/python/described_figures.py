"""What a report says of descriptions of databases, computed from a bundle, the questions of its data set, and the responses of a run alone: nothing of picardc's
is asked.

    python3 described_figures.py BUNDLE RUN QUESTIONS AXIS

prints JSON: for each value of AXIS the quartiles of what is visible, of the tokens of descriptions, and of the tokens that the server counts, and what is right
where more or less is visible. What a query reads is what SQLite asks leave for while it prepares the query; what is visible is what is read in the prompt.
"""

import collections
import json
import pathlib
import re
import sqlite3
import sys

import agent_figures
import bundle


def needed(content, sql):
    """The tables and columns that a query reads."""
    db = sqlite3.connect(":memory:")
    db.deserialize(content)
    tables = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    read = set()

    def asked(action, first, second, _database, _trigger):
        if action == sqlite3.SQLITE_READ and first in tables:
            read.update({(first, None)} if second in ("", "ROWID") else {(first, None), (first, second)})
        return sqlite3.SQLITE_OK

    db.set_authorizer(asked)
    db.execute("EXPLAIN " + sql).close()
    db.set_authorizer(None)
    db.close()
    return {(table.lower(), column and column.lower()) for table, column in read}


def named(prompt):
    """The tables and columns in the description, which is between two empty lines."""
    told, table = set(), None
    for line in prompt.split("has these tables:\n\n", 1)[1].split("\n\n", 1)[0].split("\n"):
        if line.startswith("# "):
            table = re.sub(r" \(\d+ rows?\)$", "", line[2:]).lower()
            told.add((table, None))
        elif not re.match(r"- … \d+ more$", line):
            told.add((table, re.split(r":|, | not null| -> ", line[2:])[0].lower()))
    return told


def rank(ordered, percent):
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]


def quartiles(values):
    """By nearest rank."""
    ordered = sorted(value for value in values if value is not None)
    if not ordered:
        return None
    said = {"n": len(ordered), "min": ordered[0], "max": ordered[-1]}
    return said | {"p25": rank(ordered, 25), "median": rank(ordered, 50), "p75": rank(ordered, 75)}


def parts(shares):
    """What the quartiles make of all shares: the least and greatest of each part that is not empty."""
    found = quartiles(shares)
    ends, before, said = [found["p25"], found["median"], found["p75"], found["max"]], -1, []
    for end in ends:
        part = [share for share in shares if before < share <= end]
        if part:
            said.append((min(part), max(part)))
        before = max(before, end)
    return said


def main(folder, run, questions, axis):
    run = pathlib.Path(run)
    gold = {str(row["question_id"]): row["SQL"].rstrip(";") for row in json.loads(pathlib.Path(questions).read_text(encoding="utf-8"))}
    instances = {instance.id: instance for instance in bundle.read(folder)}
    arms = collections.defaultdict(list)
    for response in agent_figures.lines(run / "responses.jsonl"):
        instance = instances[response["id"]]
        (recorded,) = instance.described
        judge = agent_figures.Judge(instance)
        reads = needed(judge.content, gold[instance.each["key"]])
        told = named(instance.prompt)
        visible = round(len(reads & told) / len(reads), 4)
        bundle.agree(f"{instance.id}: visible", visible, float(recorded["visible"]))
        bundle.agree(f"{instance.id}: budget", instance.cell[axis], recorded["budget"])
        if recorded["tokens"] > recorded["budget"]:
            raise bundle.Disagreement(f"{instance.id}: {recorded}")
        sql = agent_figures.fenced(response["reply"])
        correct = sql is not None and judge.judge(sql) == "right"
        arms[str(instance.cell[axis])].append((visible, recorded["tokens"], response["prompt_tokens"], correct))
    all_parts = parts([visible for answers in arms.values() for visible, *_ in answers])
    said = {}
    for name, answers in arms.items():
        within = lambda low, high: [correct for visible, *_, correct in answers if low <= visible <= high]
        said[name] = {
            "visible": quartiles([answer[0] for answer in answers]),
            "tokens": quartiles([answer[1] for answer in answers]),
            "prompt_tokens": quartiles([answer[2] for answer in answers]),
            "right": [{"from": low, "to": high, "correct": sum(within(low, high)), "of": len(within(low, high))} for low, high in all_parts],
        }
    print(json.dumps(said))


if __name__ == "__main__":
    main(*sys.argv[1:])
