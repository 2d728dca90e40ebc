"""What a report says of SQL agents, computed from a bundle and the responses and transcripts of a run alone: nothing of picardc's is asked.

    python3 agent_figures.py BUNDLE RUN VARIANT

prints JSON: for each variant what its agent did, and how it compares with that VARIANT. Each query of an agent runs on the starting database, and its rows are
compared with those of the answer key. Intervals by the bootstrap are of the same draws: `intervals.py` has the generator that they come from.
"""

import collections
import json
import math
import pathlib
import re
import sqlite3
import sys

import bundle
import intervals
from bundle import Fraction

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


def plain(cell):
    """A day of the key as the database has it; anything else as it is."""
    return cell["date"] if isinstance(cell, dict) and list(cell) == ["date"] else cell


def same_cell(ours, theirs):
    ours, theirs = plain(ours), plain(theirs)
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


def attempts(transcript, judge):
    """The classes of the calls of SQL, each with its number among all calls. What follows a change of the database runs on another one than is asked about."""
    results = [message["content"] for message in transcript if message["role"] == "tool"]
    found, changed = [], False
    for number, (call, _) in enumerate(zip(calls(transcript), results, strict=True), 1):
        if call["name"] != "run_sql":
            continue
        asked = json.loads(call["arguments"])
        scored = asked["database"] == judge.path and not changed
        found.append((number, judge.judge(asked["sql"]) if scored else "unscored"))
        changed = changed or scored and is_write(asked["sql"])
    return found


def calls(transcript):
    return [call["function"] for message in transcript if message["role"] == "assistant" for call in message.get("tool_calls") or []]


def retries(transcript):
    """Calls of SQL that failed and were followed by another."""
    results = [message["content"] for message in transcript if message["role"] == "tool"]
    failed = [result.startswith("error:") for call, result in zip(calls(transcript), results) if call["name"] == "run_sql"]
    return sum(failed[:-1])


class Answer:
    """What is known of one response."""

    def __init__(self, instance, response, transcript):
        judge = Judge(instance)
        by = (instance.each or {}).get("by")
        self.cluster = (instance.task, by if by is not None else instance.id.replace(f"-{instance.variant}-", "-"))
        sql = fenced(response["reply"])
        self.correct = sql is not None and judge.judge(sql) == "right"
        self.attempts = attempts(transcript, judge)
        scored = [found for _, found in self.attempts if found != "unscored"]
        self.first_right = scored.index("right") + 1 if "right" in scored else None
        self.times = {"first_sql_ms": response.get("first_sql_ms"), "wall_ms": response["wall_ms"]}
        self.amounts = {
            "score": float(self.correct),
            "retries_until_right": None if self.first_right is None else self.first_right - 1,
            "wasted_calls": sum(found != "right" for found in scored),
            "sql_retries": retries(transcript),
            "tool_calls": len(calls(transcript)),
            "rounds": sum(message["role"] == "assistant" for message in transcript),
            "prompt_tokens": response["prompt_tokens"],
            "completion_tokens": response["completion_tokens"],
        }


def mcnemar(won, lost):
    """The exact two-sided p of as many discordant pairs of each kind."""
    n = won + lost
    tail = sum(math.comb(n, k) for k in range(min(won, lost) + 1))
    return float(min(Fraction(1), Fraction(2 * tail, 2**n)))


def signs(differences):
    """The exact two-sided p of the permutation of signs: how many choices of a sign for each cluster give a sum as far from 0."""
    seen = abs(sum(differences))
    sums = collections.Counter([0])
    for difference in differences:
        after = collections.Counter()
        for total, ways in sums.items():
            after[total + difference] += ways
            after[total - difference] += ways
        sums = after
    return float(Fraction(sum(ways for total, ways in sums.items() if abs(total) >= seen), sum(sums.values())))


def p_right(answers, first):
    """McNemar's where each instance is a cluster of its own, else by the signs of clusters."""
    clusters = collections.defaultdict(list)
    for key, answer in answers.items():
        clusters[answer.cluster].append(answer.correct - first[key].correct)
    if all(len(differences) == 1 for differences in clusters.values()):
        found = [difference for (difference,) in clusters.values()]
        return "mcnemar", mcnemar(found.count(1), found.count(-1))
    return "signs", signs([sum(differences) for differences in clusters.values()])


def holm(ps):
    """Holm's adjustment: the smallest p times their number, the next times one less, never decreasing."""
    adjusted, worst = [0.0] * len(ps), 0.0
    for place, at in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        worst = max(worst, min(1.0, (len(ps) - place) * ps[at]))
        adjusted[at] = worst
    return adjusted


def grouped(values):
    """Values of answers by cluster: `{cluster: [value]}`."""
    clusters = collections.defaultdict(list)
    for answer, value in values:
        clusters[answer.cluster].append(value)
    return [clusters[key] for key in sorted(clusters, key=repr)]


def share(told, is_so):
    """How many answers are so, of how many, and the interval of their share."""
    clusters = grouped((answer, is_so(answer)) for answer in told)
    count = sum(map(sum, clusters))
    return {"count": count, "of": len(told), "interval": intervals.share(clusters)}


def amount(what, answers, first):
    """The mean of an amount, and of its differences to the other arm."""
    told = {key: answer.amounts[what] for key, answer in answers.items() if answer.amounts[what] is not None}
    if not told:
        return None
    said = {"n": len(told), "mean": sum(told.values()) / len(told)}
    pairs = [] if first is None else [key for key in answers if key in told and first[key].amounts[what] is not None]
    if pairs:
        clusters = grouped((answers[key], told[key] - first[key].amounts[what]) for key in pairs)
        said["against"] = {
            "pairs": len(pairs),
            "difference": sum(map(sum, clusters)) / len(pairs),
            "interval": intervals.mean(clusters),
            "p": signs([round(sum(cluster)) for cluster in clusters]),
        }
    return said


def time(what, answers, first):
    """The median and the 95th percentile of a time, and the difference of medians to the other arm."""
    told = {key: answer.times[what] for key, answer in answers.items() if answer.times[what] is not None}
    if not told:
        return None
    said = {"n": len(told), "p50": intervals.rank(told.values(), 50), "p95": intervals.rank(told.values(), 95)}
    pairs = [] if first is None else [key for key in answers if key in told and first[key].times[what] is not None]
    if pairs:
        clusters = grouped((answers[key], (first[key].times[what], told[key])) for key in pairs)
        said["against"] = {"pairs": len(pairs), **intervals.medians(clusters)}
    return said


def known(named):
    return {what: said for what, said in named if said is not None}


def figures(answers, first):
    """Of one arm; `first` are the answers of the arm that it is held against, or `None`."""
    told = list(answers.values())
    places = [answer.first_right for answer in told if answer.first_right is not None]
    within = lambda k: share(told, lambda answer: answer.first_right is not None and answer.first_right <= k)
    said = {
        "n": len(told),
        "right": share(told, lambda answer: answer.correct),
        "amounts": known((what, amount(what, answers, first)) for what in told[0].amounts),
        "times": known((what, time(what, answers, first)) for what in told[0].times),
        "classes": dict(collections.Counter(found for answer in told for _, found in answer.attempts)),
        "by_attempt": [within(k) for k in range(1, max(places, default=0) + 1)],
        "ever": within(math.inf),
    }
    if first is not None:
        said["won"] = sum(answer.correct and not first[key].correct for key, answer in answers.items())
        said["lost"] = sum(first[key].correct and not answer.correct for key, answer in answers.items())
        said["test"], said["p"] = p_right(answers, first)
        pairs = collections.defaultdict(lambda: collections.defaultdict(list))
        for key, answer in answers.items():
            task, cluster = answer.cluster
            pairs[task][cluster].append(answer.correct - first[key].correct)
        is_clustered = any(len(cluster) > 1 for task in pairs.values() for cluster in task.values())
        said.update(intervals.paired([list(task.values()) for task in pairs.values()], is_clustered))
    return said


def main(folder, run, against):
    run = pathlib.Path(run)
    instances = {instance.id: instance for instance in bundle.read(folder)}
    arms = collections.defaultdict(dict)
    each = {}
    for response in lines(run / "responses.jsonl"):
        instance = instances[response["id"]]
        transcript = lines(run / "transcripts" / f"{response['id']}.{response['trial']}.jsonl")
        answer = Answer(instance, response, transcript)
        arms[instance.variant][instance.id.replace(f"-{instance.variant}-", "-")] = answer
        each[response["id"]] = {"attempts": answer.attempts, "first_right": answer.first_right, "correct": answer.correct}
    first = arms[against]
    said = {name: figures(answers, None if name == against else first) for name, answers in sorted(arms.items())}
    others = [name for name in said if name != against]
    for name, p in zip(others, holm([said[name]["p"] for name in others])):
        said[name]["p_holm"] = p
    for what in {what for name in others for what in said[name]["amounts"]}:
        compared = [said[name]["amounts"][what]["against"] for name in others if "against" in said[name]["amounts"].get(what, {})]
        for one, p in zip(compared, holm([one["p"] for one in compared])):
            one["p_holm"] = p
    print(json.dumps({"arms": said, "responses": each}))


if __name__ == "__main__":
    main(*sys.argv[1:])
