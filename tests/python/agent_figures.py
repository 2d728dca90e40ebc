"""What a report says of SQL agents, computed from a bundle and the responses and transcripts of a run alone: nothing of picardc's is asked.

    python3 agent_figures.py BUNDLE RUN

prints JSON: for each variant its instances, and what its agent did. Each query of an agent runs on the starting database, and its rows are compared with those
of the answer key.
"""

import collections
import json
import pathlib
import re
import sqlite3
import sys

import bundle

# What SQLite says of a query, and the class that it is; the first that matches.
SAID = [
    (r"syntax error|unrecognized token|incomplete input", "syntax"),
    (r"no such table", "unknown_table"),
    (r"no such column", "unknown_column"),
]
# Words with which a statement begins that may change something.
WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE", "CREATE", "DROP", "ALTER")


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def is_write(sql):
    words = sql.split(None, 1)
    return bool(words) and words[0].upper() in WRITES


def number(cell):
    """A number as the key and SQLite have it; `None` for anything else."""
    if isinstance(cell, dict) and "decimal" in cell:
        return float(cell["decimal"])
    return float(cell) if isinstance(cell, (int, float)) else None


def same_cell(ours, theirs):
    a, b = number(ours), number(theirs)
    if a is None or b is None:
        return a is b is None and ours == theirs
    return abs(a - b) <= 1e-9 * max(1.0, abs(a), abs(b))


def same_rows(ours, theirs):
    """As bags: each row of one has a row of the other."""
    left = [list(row) for row in theirs]
    if len(left) != len(ours):
        return False
    for row in ours:
        found = next((at for at, other in enumerate(left) if len(other) == len(row) and all(map(same_cell, row, other))), None)
        if found is None:
            return False
        del left[found]
    return True


class Judge:
    """Runs queries on the starting database of an instance."""

    def __init__(self, instance):
        (expect,) = instance.expects
        self.path = expect["database"]
        self.gold = expect["value"]["rows"]
        self.content = instance.content(self.path)

    def judge(self, sql):
        """The class of a query."""
        if is_write(sql):
            return "refused"
        db = sqlite3.connect(":memory:")
        db.deserialize(self.content)
        try:
            rows = db.execute(sql).fetchall()
        except sqlite3.Error as error:
            return next((name for pattern, name in SAID if re.search(pattern, str(error))), "refused")
        except sqlite3.Warning:
            return "refused"
        finally:
            db.close()
        if same_rows(rows, self.gold):
            return "right"
        return "empty" if not rows and self.gold else "differs"


def fenced(reply):
    """The content of the last block marked `sql`."""
    blocks = re.findall(r"^```sql\n(.*?)\n?^```$", reply or "", re.MULTILINE | re.DOTALL)
    return blocks[-1] if blocks else None


class Arm:
    """What is counted of a variant."""

    def __init__(self):
        self.counts = collections.Counter()
        self.classes = collections.Counter()
        self.first_right = collections.Counter()

    def add(self, response, transcript, judge):
        self.counts["n"] += 1
        sql = fenced(response["reply"])
        answered = "none" if sql is None else judge.judge(sql)
        self.counts["correct"] += answered == "right"
        calls = [call["function"] for message in transcript if message["role"] == "assistant" for call in message.get("tool_calls") or []]
        results = [message["content"] for message in transcript if message["role"] == "tool"]
        self.counts["rounds"] += sum(message["role"] == "assistant" for message in transcript)
        self.counts["tool_calls"] += len(calls)
        self.counts["prompt_tokens"] += response["prompt_tokens"]
        self.counts["completion_tokens"] += response["completion_tokens"]
        failed, written, first, place = False, False, None, 0
        for call, result in zip(calls, results, strict=True):
            if call["name"] != "run_sql":
                continue
            place += 1
            self.counts["sql_retries"] += failed
            failed = result.startswith("error:")
            asked = json.loads(call["arguments"])
            if asked["database"] != judge.path or written:
                found = "unscored"
            else:
                found = judge.judge(asked["sql"])
                # What follows a change runs on another database than the one that is asked about.
                written = is_write(asked["sql"])
            self.classes[found] += 1
            if found == "right" and first is None:
                first = place
        self.first_right["none" if first is None else str(first)] += 1

    def figures(self):
        return {**self.counts, "classes": dict(self.classes), "first_right": dict(self.first_right)}


def main(folder, run):
    run = pathlib.Path(run)
    instances = {instance.id: instance for instance in bundle.read(folder)}
    arms = collections.defaultdict(Arm)
    for response in lines(run / "responses.jsonl"):
        instance = instances[response["id"]]
        transcript = lines(run / "transcripts" / f"{response['id']}.{response['trial']}.jsonl")
        arms[instance.variant].add(response, transcript, Judge(instance))
    print(json.dumps({name: arm.figures() for name, arm in sorted(arms.items())}, indent=2))


if __name__ == "__main__":
    main(*sys.argv[1:])
