"""Solves the instances of the suite `dig` from their prompts and sandboxes (see README.md)."""

import json
import math
import re

import numpy as np
import pandas as pd
from common import OFF, clean, main, number, once, reply, rounded, same, shown, table, tables, text


def calibrated_span(prompt, lake):
    curve = table(f"{lake}/curve.csv", "Radiocarbon age")
    points = sorted((number(age), number(year)) for age, year in zip(curve["Radiocarbon age"], curve["Calendar age"]))
    dates = once(table(f"{lake}/dates.csv", "Number", ";"), ["Number"])
    dates["site"] = [clean(cell) for cell in dates["Site"]]
    dates["age"] = [number(cell, ("failed",), r"\s*BP$") for cell in dates["Age"]]
    dates = dates.dropna(subset=["age"])
    years = pd.Series(np.interp(dates["age"], *zip(*points)), index=dates.index)
    means = years.groupby(dates["site"]).mean()
    return reply({"site": shown(dates["Site"])[means.idxmin()], "year": rounded(1950 - means.min(), 1)})


def ware_by_phase(prompt, lake):
    ware = clean(re.search(r"mean weight of a bag of (.+?) in each phase", prompt)[1])
    bags = once(tables(f"{lake}/pottery/*.csv", "Trench"), ["Bag"])
    if "decoy" in OFF:
        bags = pd.concat([bags, once(table(f"{lake}/pottery_of_last_season.csv", "Trench"), ["Bag"])], ignore_index=True)
    phases = {float(context["number"]): context["phase"] for context in json.loads(text(f"{lake}/matrix.json"))["contexts"]}
    bags["phase"] = [phases.get(number(cell, mark=r"[()]")) for cell in bags["Context"]]
    bags["grams"] = [number(cell, ("not weighed",), r"\s*g$") for cell in bags["Weight"]]
    bags = bags[[clean(cell) == ware for cell in bags["Ware"]]].dropna(subset=["grams"])
    return reply({phase: rounded(math.fsum(group) / len(group), 2) for phase, group in bags.groupby("phase")["grams"]})


def upper_tail(x, df):
    """The probability that chi-squared with `df` degrees of freedom is `x` or more, by the finite sums for whole numbers of degrees."""
    half = x / 2
    if half <= 0:
        return 1.0
    if df % 2 == 0:
        return math.fsum(math.exp(-half + k * math.log(half) - math.lgamma(k + 1)) for k in range(df // 2))
    terms = [math.exp(-half + (k - 0.5) * math.log(half) - math.lgamma(k + 0.5)) for k in range(1, (df + 1) // 2)]
    return math.erfc(math.sqrt(half)) + math.fsum(terms)


def pooled_age(prompt, lake):
    what = re.search(r"Pool the ages of the (.+?)\. Reply", prompt)[1]
    contexts = table(f"{lake}/contexts.csv", "CONTEXT")
    asked = {number.strip() for number, kind in zip(contexts["CONTEXT"], contexts["WHAT"]) if same(kind) == same(what)}
    book = once(tables(f"{lake}/laboratories/*.csv", "Lab. no."), ["Lab. no."])
    book["age"] = [number(cell, ("n.d.",), r"\s*\?$") for cell in book["Age"]]
    book["error"] = [number(cell.strip().removeprefix("+/-")) for cell in book["Error"]]
    book = book[book["Context"].str.strip().isin(asked)].dropna(subset=["age", "error"])
    weights = 1 / book["error"] ** 2
    age = (weights * book["age"]).sum() / weights.sum()
    t = (weights * (book["age"] - age) ** 2).sum()
    return reply({"age": rounded(age, 1), "error": rounded(1 / math.sqrt(weights.sum()), 1), "t": rounded(t, 3), "p": rounded(upper_tail(t, len(book) - 1), 4)})


def hoards(prompt, lake):
    since = int(re.search(r"reign began in (-?\d+) or later", prompt)[1])
    grain = float(re.search(r"\(gr, ([\d.]+) g\)", prompt)[1])
    reigns = table(f"{lake}/reigns.tsv", "RULER", "\t")
    began = {ruler.strip(): int(year) for ruler, year in zip(reigns["RULER"], reigns["BEGAN"])}
    coins = once(table(f"{lake}/coins.csv", "No", encoding="cp1252"), ["No"])
    coins["hoard"] = [clean(cell) for cell in coins["Hoard"]]
    coins["year"] = [began[cell.strip()] for cell in coins["Ruler"]]
    coins["grams"] = [number(cell, ("worn", "–")) * (grain if unit.strip() == "gr" else 1) for cell, unit in zip(coins["Weight"], coins["Unit"])]
    counts = coins["hoard"].value_counts()
    latest = int(coins["year"][coins["hoard"] == counts.index[0]].max())
    median = coins["grams"][coins["year"] >= since].median()
    return reply({"hoard": shown(coins["Hoard"])[counts.index[0]], "coins": int(counts.iloc[0]), "year": latest, "median": rounded(median, 3)})


def least_number_of_animals(prompt, lake):
    bones = once(tables(f"{lake}/bones/p[0-9].csv", "Pit"), ["Find"])
    if "written" not in OFF:
        bones["Species"] = [re.sub(r"\s*\(\?\)", "", cell) for cell in bones["Species"]]
    bones["species"] = [clean(cell) for cell in bones["Species"]]
    sides = [cell.strip() for cell in bones["Side"]]
    known = bones if "missing" in OFF else bones[[side not in ("", "indet.") for side in sides]]
    most = known.groupby(["species", "Part", "Side"]).size().groupby(level=0).max()
    return reply({species: int(most.get(species, 0)) for species in sorted(set(bones["species"]))})


def catalogues_that_disagree(prompt, lake):
    limit = float(re.search(r"differ by more than ([\d.]+) per cent", prompt)[1])
    ounce = float(re.search(r"an ounce is ([\d.]+) g", prompt)[1])
    ledger = tables(f"{lake}/ledger/*.csv", "Object", ";")
    inventory = table(f"{lake}/inventory.tsv", "Object", "\t")
    for book in (ledger, inventory):
        book["row"] = [re.sub(r"\s", "", cell).upper() for cell in book["Object"]]
        object_ = [cell if "space" in OFF else re.sub(r"\s", "", cell) for cell in book["Object"]]
        book["object"] = [cell if "case" in OFF else cell.upper() for cell in object_]
    ledger["grams"] = [number(cell, ("-",), r"\s*oz$", ",") * ounce for cell in ledger["Weight"]]
    inventory["mass"] = [number(cell, mark=r"\s*g$") for cell in inventory["Mass"]]
    both = once(ledger, ["row"])[["object", "grams"]].merge(once(inventory, ["row"])[["object", "mass"]], on="object").dropna()
    differ = (both["mass"] - both["grams"]).abs() / both["mass"] * 100
    return reply(sorted(both["object"][differ > limit]))


if __name__ == "__main__":
    main(calibrated_span, ware_by_phase, pooled_age, hoards, least_number_of_animals, catalogues_that_disagree)
