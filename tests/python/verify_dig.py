"""Recomputes every answer key of a bundle of the excavations from the files that were handed out.

    python3 verify_dig.py BUNDLE [SANDBOX_ROOT]

Prints `N of N agree`; exits 1 on any disagreement.
"""

import collections
import math

from bundle import agree
from dirty import GRAIN, OUNCE, below, between, fold, german, grouped, known, main, mean, median, number, once, table, tables


def calibrated_span(it):
    curve = [(number(row["Radiocarbon age"]), number(row["Calendar age"])) for row in table(it, "lake/curve.csv", "Radiocarbon age")]
    dates = [(fold(row["Site"]), known(row["Age"], ("failed", ""))) for row in once(table(it, "lake/dates.csv", "Number", delimiter=";"), "Number")]
    sites = grouped([(site, between(curve, age)) for site, age in dates if age is not None], lambda row: row[0], lambda row: row[1])
    young = min(sites, key=lambda site: mean(sites[site]))
    return {
        None: {"site": young, "year": 1950 - mean(sites[young])},
        "counts": {site: len(ages) for site, ages in sites.items()},
        "oldest_sample": max(map(max, sites.values())),
        "span": max(max(ages) - min(ages) for ages in sites.values()),
    }


def ware_by_phase(it):
    phase = {context["number"]: context["phase"] for context in it.json("lake/matrix.json")["contexts"]}
    bags = []
    for row in once(tables(it, below(it, "lake/pottery"), "Trench", encoding="iso-8859-15"), "Bag"):
        grams = known(row["Weight"], ("not weighed", ""))
        if grams is not None:
            bags.append((phase[number(row["Context"])], fold(row["Ware"]), grams))
    chosen = [row for row in bags if row[1] == it.draws["ware"]]
    phases = grouped(bags, lambda row: row[0], lambda row: row[2])
    return {
        None: {name: mean(grams) for name, grams in grouped(chosen, lambda row: row[0], lambda row: row[2]).items()},
        "grams": {name: sum(grams) for name, grams in phases.items()},
        "mean_bag": max(map(mean, phases.values())),
        "share": 100 * sum(row[2] for row in chosen) / sum(row[2] for row in bags),
    }


def upper_tail(x, df):
    """The probability that chi-squared with `df` degrees of freedom is `x` or more, by the finite sums for whole numbers of degrees."""
    half = x / 2
    if df % 2 == 0:
        return math.exp(-half) * math.fsum(half**k / math.factorial(k) for k in range(df // 2))
    return math.erfc(math.sqrt(half)) + math.exp(-half) * math.fsum(half ** (k - 0.5) / math.gamma(k + 0.5) for k in range(1, (df + 1) // 2))


def pooled_age(it):
    asked = it.draws["asked"]
    agree("what it is", it.draws["what"], {int(row["CONTEXT"]): row["WHAT"] for row in it.records("lake/contexts.csv")}[asked])
    rows = once(tables(it, below(it, "lake/laboratories"), "Lab. no."), "Lab. no.")
    ages = [(int(row["Context"]), known(row["Age"], ("n.d.",)), number(row["Error"].replace("+/-", ""))) for row in rows]
    ages = [row for row in ages if row[1] is not None]
    pool = [(age, 1 / error**2) for context, age, error in ages if context == asked]
    weights = math.fsum(weight for _, weight in pool)
    pooled = math.fsum(age * weight for age, weight in pool) / weights
    t = math.fsum(weight * (age - pooled) ** 2 for age, weight in pool)
    return {
        None: {"age": pooled, "error": 1 / math.sqrt(weights), "t": t, "p": upper_tail(t, len(pool) - 1)},
        "mean_of_all": mean(age for _, age, _ in ages),
        "pooled_mean": pooled,
        "t_value": t,
    }


def hoards(it):
    began = {row["RULER"]: int(row["BEGAN"]) for row in it.records("lake/reigns.tsv", "\t")}
    coins = []
    for row in once(table(it, "lake/coins.csv", "No", encoding="windows-1252"), "No"):
        weight = known(row["Weight"], ("worn", "–"))
        coins.append((fold(row["Hoard"]), began[row["Ruler"]], row["Metal"], None if weight is None else weight * (GRAIN if row["Unit"] == "gr" else 1)))
    by_hoard = grouped(coins, lambda row: row[0], lambda row: row[1])
    largest = max(by_hoard, key=lambda hoard: len(by_hoard[hoard]))
    late = median(grams for _, year, _, grams in coins if grams is not None and year >= it.draws["since"])
    return {
        None: {"hoard": largest, "coins": len(by_hoard[largest]), "year": max(by_hoard[largest]), "median": late},
        "silver": mean(grams for _, _, metal, grams in coins if metal == "silver" and grams is not None),
        "counts": mean(row[1] for row in coins),
        "late": late,
    }


def least_number_of_animals(it):
    bones = [(fold(row["Species"].replace("(?)", "")), row["Part"], row["Side"], known(row["Length cm"], ("broken",)))
             for row in once(tables(it, below(it, "lake/bones", ".csv"), "Pit"), "Find")]
    sided = [row[:3] for row in bones if row[2] not in ("indet.", "")]
    least = {}
    for (species, _, _), n in collections.Counter(sided).items():
        least[species] = max(least.get(species, 0), n)
    return {
        None: least,
        "finds": dict(collections.Counter(row[0] for row in bones)),
        "length": mean(row[3] for row in bones if row[3] is not None) / 2.54,
        "together": {"animals": sum(least.values()), "finds": len(sided)},
    }


def catalogues_that_disagree(it):
    grams = {fold(row["Object"]): number(row["Mass"]) for row in table(it, "lake/inventory.tsv", "Object", delimiter="\t")}
    both = []
    for row in once(tables(it, below(it, "lake/ledger"), "Object", delimiter=";"), "Object"):
        weight, name = known(row["Weight"], ("-", ""), german), fold(row["Object"])
        if weight is not None and name in grams:
            both.append((name, row["Material"], weight * OUNCE, 100 * (grams[name] - weight * OUNCE) / grams[name]))
    off = sorted(row for row in both if abs(row[3]) > it.draws["percent"])
    return {
        None: [row[0] for row in off],
        "both_": {made: len(rows) for made, rows in grouped(both, lambda row: row[1]).items()},
        "kilograms": sum(row[2] for row in both) / 1000,
        "mean_difference": mean(row[3] for row in off),
    }


main(
    calibrated_span=calibrated_span,
    ware_by_phase=ware_by_phase,
    pooled_age=pooled_age,
    hoards=hoards,
    least_number_of_animals=least_number_of_animals,
    catalogues_that_disagree=catalogues_that_disagree,
)
