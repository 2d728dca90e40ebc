"""Recomputes every answer key of a bundle of the consumer reports from the files that were handed out.

    python3 verify_consumer.py BUNDLE [SANDBOX_ROOT]

Prints `N of N agree`; exits 1 on any disagreement. Needs PyYAML.
"""

from dirty import below, day, fold, german, grouped, known, main, matches, mean, median, number, once, stem, table, tables


def worst_state(it):
    thefts = {}
    for path in below(it, "lake/Identity Theft"):
        for row in once(table(it, path, "Metropolitan Area", encoding="windows-1252"), "Metropolitan Area"):
            thefts[fold(row["Metropolitan Area"])] = (stem(path), number(row["# of Reports"]))
    frauds = {fold(row["Metropolitan Area"]): number(row["# of Reports"]) for row in table(it, "lake/fraud.csv", "Metropolitan Area")}
    both = [(state, -n, area) for area, (state, n) in thefts.items() if area in frauds]
    states = grouped(both, lambda row: row[0])
    totals = {state: -sum(n for _, n, _ in rows) for state, rows in states.items()}
    worst = max(states, key=lambda state: totals[state] / sum(frauds[area] for _, _, area in states[state]))
    top = [area for _, _, area in sorted(states[worst])[: it.draws["k"]]]
    return {None: top, "matching": len(both), "totals": totals, "state": worst}


def loss_of_a_category(it):
    kinds = {}
    for row in once(table(it, f"lake/categories_{it.draws['asked']}.tsv", "Category", delimiter="\t"), "Category"):
        payers = number(row["Reports"]) * number(row["With a Loss"]) / 100
        kinds[row["Category"]] = payers, number(row["Total Loss"]) * 1e6 / payers, known(row["Median Loss"], ("n/a", "–"))
    parts = {name: middle / average for name, (_, average, middle) in kinds.items() if middle is not None}
    first, everyone = min(parts, key=parts.get), sum(payers for payers, _, _ in kinds.values())
    whole = {"category": first, "part": parts[first], "share": 100 * kinds[first][0] / everyone}
    return {None: whole, "payers": everyone, "means": {name: average for name, (_, average, _) in kinds.items()}, "category": first}


def growth_by_new_names(it):
    names = {fold(row["Old code"]): row["New category"] for row in table(it, "lake/codes.csv", "New category")}
    old = once(table(it, "lake/2023/complaints.csv", "Code", delimiter=";"), "Code")
    before = {name: sum(counts) for name, counts in grouped(old, lambda row: names[fold(row["Code"])], lambda row: german(row["Count"])).items()}
    after = {row["Category"]: number(row["Count"]) for row in table(it, "lake/2024/complaints.csv", "Category")}
    sums = {name: count for name, count in before.items() if name in after}
    growth = {name: 100 * (after[name] - count) / count for name, count in sums.items()}
    fastest = sorted(growth, key=growth.get, reverse=True)[: it.draws["k"]]
    middle = median(growth.values())
    return {None: fastest, "sums": sums, "rates": middle, "threefold": {"categories": sum(rate >= 200 for rate in growth.values()), "median": middle}}


def age_bands(it):
    calls = once(matches(it, ["lake/hotline/2024.log"], r"(\d+) \| (.+) \| age (.+) \| (.+) \| (.+)"), 0)
    chosen = [(int(age), number(loss)) for _, _, age, method, loss in calls if age not in ("?", "not told") and fold(method) == it.draws["method"]]
    ends = {29: "18-29", 44: "30-44", 59: "45-59", 74: "60-74", 89: "75-89"}
    bands = grouped(chosen, lambda row: next(band for end, band in ends.items() if row[0] <= end), lambda row: row[1])
    middles = {band: median(losses) for band, losses in bands.items()}
    best, total = max(middles, key=middles.get), sum(loss for _, loss in chosen)
    whole = {"band": best, "median": middles[best], "share": 100 * sum(bands[best]) / total}
    return {None: whole, "lines": total, "counts": {band: len(losses) for band, losses in bands.items()}, "medians": middles[best]}


def channels_shift(it):
    rows = once(tables(it, below(it, "lake/channels"), "State", header=2), "State", "Channel")
    columns = ("2022 / Reports", "2024 / Reports", "2024 / Losses")
    sums = {name: [sum(number(row[column]) for row in of) for column in columns] for name, of in grouped(rows, lambda row: fold(row["Channel"])).items()}
    old, new, lost = (sum(part[index] for part in sums.values()) for index in range(3))
    points = {name: 100 * b / new - 100 * a / old for name, (a, b, _) in sums.items()}
    best = max(points, key=points.get)
    whole = {"channel": best, "points": points[best], "losses": sums[best][2] / 1000}
    return {None: whole, "totals": {name: b for name, (_, b, _) in sums.items()}, "losses": lost / 1000, "gaining": points[best]}


def refunds_in_crowns(it):
    rates = {row["currency"]: float(row["per_crown"]) for row in it.yaml("lake/rates.yaml")["rates"]}
    firms = {fold(firm["name"]): (firm["name"], rates[firm["currency"]]) for firm in it.json("lake/firms.json")}
    closed = []
    for row in once(tables(it, below(it, "lake/cases"), "No", delimiter=";"), "No"):
        if row["Closed"] not in ("", "open"):
            days = (day(row["Closed"], "%d. %B %Y") - day(row["Opened"], "%d.%m.%Y")).days
            name, rate = firms[fold(row["Firm"])]
            closed.append((name, days, german(row["Refund"]) / rate))
    quick = grouped([row for row in closed if row[1] <= it.draws["days"]], lambda row: row[0], lambda row: row[2])
    sums = {name: sum(refunds) for name, refunds in quick.items()}
    best = max(sums, key=sums.get)
    return {
        None: {"firm": best, "crowns": sums[best]},
        "closed": mean(days for _, days, _ in closed),
        "quick": {name: len(refunds) for name, refunds in quick.items()},
        "most": sums[best],
    }


main(
    worst_state=worst_state,
    loss_of_a_category=loss_of_a_category,
    growth_by_new_names=growth_by_new_names,
    age_bands=age_bands,
    channels_shift=channels_shift,
    refunds_in_crowns=refunds_in_crowns,
)
