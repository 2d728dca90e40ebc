"""Recomputes every answer key of a bundle of the wildfires from the files that were handed out.

    python3 verify_wildfire.py BUNDLE [SANDBOX_ROOT]

Prints `N of N agree`; exits 1 on any disagreement. Needs PyYAML.
"""

import datetime
import math

from dirty import ACRE, MILE, below, day, fold, german, grouped, known, line, main, matches, mean, median, moment, number, once, stem, table, tables


def burned_by_people(it):
    causes = {fold(cause.get("code")): cause for cause in it.xml("lake/causes.xml")}
    fires = []
    for row in once(tables(it, below(it, f"lake/{it.draws['asked']}", ".csv"), "Fire no."), "Fire no."):
        size = known(row["Size"], ("tbd", ""))
        if size is not None:
            cause = causes[fold(row["Cause"])]
            fires.append((cause.findtext("label"), cause.findtext("origin"), size if row["Unit"] == "ha" else size * ACRE))
    human, every = ([ha for _, origin, ha in fires if origin in origins] for origins in (("human",), ("human", "natural")))
    counts = {label: len(of) for label, of in grouped(fires, lambda row: row[0]).items()}
    return {None: {"share": 100 * sum(human) / sum(every), "mean": mean(human)}, "area": sum(every), "causes_": counts, "mean_size": mean(human)}


def dearest_year(it):
    prices = {row["year"]: float(row["points"]) for row in it.yaml("lake/prices.yaml")["prices"]}
    costs = {row["Number"]: known(row["Cost"], ("n/a", "pending")) for row in table(it, "lake/costs.tsv", "Number", delimiter="\t")}
    fires = []
    for row in once(tables(it, below(it, "lake/fires", ".csv"), "Number"), "Number"):
        if costs[row["Number"]] is not None:
            year = day(row["Out"], "%m/%d/%Y").year
            fires.append((year, number(row["Acres"]), costs[row["Number"]], costs[row["Number"]] * prices[it.draws["base"]] / prices[year]))
    per = {year: sum(row[3] for row in rows) / sum(row[1] for row in rows) for year, rows in grouped(fires, lambda row: row[0]).items()}
    dearest = max(per, key=per.get)
    return {
        None: {"year": dearest, "cost": per[dearest]},
        "listed": sum(row[2] for row in fires),
        "converted": sum(row[3] for row in fires) / 1e6,
        "per_acre": per[dearest],
    }


def fastest_growth(it):
    names = {fold(fire["id"]): fire["name"] for fire in it.json("lake/incidents.json")}
    reports = [(fold(id_), moment(at, "%Y-%m-%dT%H:%M:%S"), known(acres, ("unmapped",)))
               for at, id_, acres, _ in once(matches(it, ["lake/situation.log"], r"(\S+) (\w+) (\S+) contained (\S+)"), 0, 1)]
    fires = grouped(sorted(row for row in reports if row[2] is not None), lambda row: names[row[0]], lambda row: row[1:])
    steps = [(acres - before, (at - last) / datetime.timedelta(days=1), name, at)
             for name, rows in fires.items() for (last, before), (at, acres) in zip(rows, rows[1:])]
    pause, (more, days, name, at) = mean(days for _, days, _, _ in steps), max(steps, key=lambda step: step[0] / step[1])
    return {
        None: {"fire": name, "until": at, "rate": more / days, "pause": pause},
        "last_sizes": {name: rows[-1][1] for name, rows in fires.items()},
        "gaps": pause,
        "largest_step": max(step[0] for step in steps),
    }


def wind_at_ignition(it):
    stations = {station["id"]: (float(station["east"]), float(station["north"])) for station in it.json("lake/stations.json")["stations"]}
    gusts = {(stem(path), day(row["Day"], "%d-%b-%Y")): known(row["Gust"], ("M", "")) for path in below(it, "lake/wind") for row in table(it, path, "Day")}
    near, blown = [], []
    for row in once(table(it, "lake/fires.csv", "Fire", delimiter=";"), "Fire"):
        place = german(row["East mi"]) * MILE, german(row["North mi"]) * MILE
        station = min(stations, key=lambda id_: math.dist(place, stations[id_]))
        near.append((station, math.dist(place, stations[station])))
        gust = gusts.get((station, day(row["Began"], "%d.%m.%Y")))
        if gust is not None:
            blown.append((german(row["Acres"]) >= it.draws["least"], gust * MILE))
    return {
        None: {"large": mean(gust for large, gust in blown if large), "small": mean(gust for large, gust in blown if not large)},
        "nearest": {station: len(fires) for station, fires in grouped(near, lambda row: row[0]).items()},
        "distance": mean(far for _, far in near),
        "matched": len(blown),
    }


def homes_lost(it):
    homes = {fold(row["County"]): number(row["Homes"]) for row in table(it, "lake/register.csv", "County")}
    rows = once(table(it, "lake/structures_2024.csv", "County", header=2), "County", "Fire")
    lost = grouped([(fold(row["County"]), n) for row in rows if (n := known(row["Homes / Destroyed"], ("-", ""))) is not None], lambda row: row[0], lambda row: row[1])
    rates = [1000 * sum(values) / homes[county] for county, values in lost.items()]
    return {
        None: sorted(lost, key=lambda county: mean(lost[county]))[: it.draws["k"]],
        "lost": {"homes": sum(map(sum, lost.values())), "counties": len(lost)},
        "rates": median(rates),
        "worst_rate": max(rates),
    }


def smoke_with_a_lag(it):
    acres = {day(row["Day"], "%a, %d %b %Y"): number(row["Acres"]) for row in table(it, "lake/burning.csv", "Day")}
    lag, air = datetime.timedelta(days=it.draws["lag"]), []
    for row in once(tables(it, below(it, "lake/air"), "Town", delimiter="\t", encoding="utf-16"), "Town", "Day"):
        dust = known(row["PM2.5"], ("", "-999"))
        if dust is not None:
            air.append((fold(row["Town"]), acres[day(row["Day"], "%Y/%m/%d") - lag], dust))
    towns = {town: line(pairs) for town, pairs in grouped(air, lambda row: row[0], lambda row: row[1:]).items()}
    best = max(towns, key=lambda town: towns[town][1])
    return {
        None: {"town": best, "r": towns[best][1], "rise": 1000 * towns[best][0]},
        "dust_of_all": mean(dust for _, _, dust in air),
        "counts": {town: len(rows) for town, rows in grouped(air, lambda row: row[0]).items()},
        "highest": towns[best][1],
    }


main(
    burned_by_people=burned_by_people,
    dearest_year=dearest_year,
    fastest_growth=fastest_growth,
    wind_at_ignition=wind_at_ignition,
    homes_lost=homes_lost,
    smoke_with_a_lag=smoke_with_a_lag,
)
