"""Recomputes with SciPy what a report says of two arms of a run: McNemar's exact test over who was right, and the permutation of signs over an amount
that each response has.

    python3 ab.py RUN REPORT.json ARM AGAINST

Prints a JSON object of the p values; exits 1 if one is not that of the report.
"""

import json
import pathlib
import sys

import numpy as np
from scipy import stats


def sign_flip(differences):
    """p of Σ±d being as far from 0 as Σd: the exact distribution, a binomial one for each size."""
    sizes = np.abs([d for d in differences if d])
    if not len(sizes):
        return 1.0
    chances = {0: 1.0}
    for size, times in zip(*np.unique(sizes, return_counts=True)):
        ways = {int(size * (2 * k - times)): float(stats.binom.pmf(k, times, 0.5)) for k in range(times + 1)}
        step = {}
        for total, chance in chances.items():
            for more, way in ways.items():
                step[total + more] = step.get(total + more, 0.0) + chance * way
        chances = step
    seen = abs(sum(differences))
    return min(1.0, sum(chance for total, chance in chances.items() if abs(total) >= seen))


def amounts(score):
    """What is counted of a response."""
    attempts = score.get("attempts")
    if attempts is None:
        return {}
    scored = [attempt["class"] for attempt in attempts if attempt["class"] != "unscored"]
    return {"wasted_calls": sum(kind != "right" for kind in scored)}


def main():
    run, report, arm, against = sys.argv[1:]
    scores = [json.loads(line) for line in (pathlib.Path(run) / "scores.jsonl").read_text().splitlines()]
    by_id = {score["id"]: score for score in scores}
    pairs = [(by_id[one.replace(f"-{against}-", f"-{arm}-")], score) for one, score in by_id.items() if f"-{against}-" in one]
    won = sum(here["correct"] and not there["correct"] for here, there in pairs)
    lost = sum(there["correct"] and not here["correct"] for here, there in pairs)
    computed = {"right": stats.binomtest(won, won + lost).pvalue if won + lost else 1.0}
    both = [(amounts(here), amounts(there)) for here, there in pairs]
    for what in ["wasted_calls"]:
        computed[what] = sign_flip([here[what] - there[what] for here, there in both if what in here and what in there])
    (arms,) = json.loads(pathlib.Path(report).read_text())["by"]
    (told,) = [one for one in arms["arms"] if one["name"] == arm]
    said = {"right": told["against"]["p"]}
    for mean in told["means"]:
        if mean["what"] in computed:
            said[mean["what"]] = mean["against"]["p"]
    for what, p in computed.items():
        if not np.isclose(p, said[what], rtol=1e-7, atol=1e-12):
            sys.exit(f"{what}: SciPy has {p}, the report {said[what]}")
    print(json.dumps({"computed": computed, "won": won, "lost": lost, "test": told["against"]["test"]}))


if __name__ == "__main__":
    main()
