"""Recomputes every answer key of a bundle of the satellites from the files that were handed out.

    python3 verify_orbit.py BUNDLE [SANDBOX_ROOT]

Prints `N of N agree`; exits 1 on any disagreement. Needs PyYAML.
"""

import bisect
import datetime
import math

from dirty import NAUTICAL, POUND, below, day, fold, german, grouped, known, line, main, matches, mean, median, moment, number, once, stem, table, tables

DAY = datetime.timedelta(days=1)


def lowest_perigee(it):
    catalogue = {int(row["NUMBER"]): row for row in it.records("lake/catalogue.tsv", "\t")}
    pattern = r"1 (\d+)U (\S+) (\S+) (\S+) (\S+)"
    sets = [(int(no), moment(epoch, "%Y%m%dT%H%M%S"), float(incl), float(ecc), float(motion))
            for no, epoch, incl, ecc, motion in once(matches(it, ["lake/elements/2024-03.txt"], pattern), 0, 1)]
    heights = {}
    for no, rows in grouped(sets, lambda row: row[0]).items():
        _, _, incl, ecc, motion = max(rows, key=lambda row: row[1])
        axis = (398600.4418 / (motion * 2 * math.pi / 86400) ** 2) ** (1 / 3)
        heights[no] = axis * (1 - ecc) - 6378.137, incl
    steep = {catalogue[no]["NAME"]: height for no, (height, incl) in heights.items() if catalogue[no]["ACTIVE"] == "true" and incl >= it.draws["least"]}
    lowest = min(steep, key=steep.get)
    return {
        None: {"satellite": lowest, "height": steep[lowest], "motion": mean(row[4] for row in sets)},
        "lines_of_each": {operator: len(rows) for operator, rows in grouped(sets, lambda row: catalogue[row[0]]["OPERATOR"]).items()},
        "mean_height": mean(height for height, _ in heights.values()),
        "steep_": sorted(steep, key=steep.get),
    }


def density_in_storms(it):
    index = sorted((moment(since, "%Y-%m-%dT%H:%M:%S"), int(ap)) for since, ap in matches(it, ["lake/ap.txt"], r"(\S+) (\d+)", "iso-8859-1"))
    values = []
    for path in below(it, "lake/density"):
        for row in once(table(it, path, "Satellite"), "Time"):
            rho = known(row["Density"], ("-99", "NaN"))
            if rho is not None:
                at = bisect.bisect(index, (moment(row["Time"], "%Y-%m-%d %H:%M:%S"), math.inf)) - 1
                values.append((stem(path), index[at][1], rho))
    storm = [rho for _, ap, rho in values if ap >= it.draws["storm"]]
    quiet = [rho for _, ap, rho in values if ap <= it.draws["quiet"]]
    return {
        None: mean(storm) / mean(quiet),
        "means": {name: mean(rhos) for name, rhos in grouped(values, lambda row: row[0], lambda row: row[2]).items()},
        "storm_values": {"storm": len(storm), "quiet": len(quiet)},
        "storm_mean": mean(storm),
    }


def fastest_decay(it):
    units = {fold(row["name"]): NAUTICAL if row["unit"] == "nmi" else 1 for row in it.yaml("lake/providers.yaml")["providers"]}
    since, tracks = datetime.date.fromisoformat(it.draws["since"]), []
    rows = [{**row, "Day": day(row["Day"], "%d.%m.%Y", "%d %B %Y")} for row in tables(it, below(it, "lake/tracks"), "Provider", delimiter=";")]
    for row in once(rows, "Provider", "Satellite", "Day"):
        if row["Day"] >= since:
            tracks.append((fold(row["Satellite"]), row["Day"].toordinal(), german(row["Altitude"]) * units[fold(row["Provider"])]))
    groups = grouped(tracks, lambda row: row[0], lambda row: row[1:])
    decays = {name: -1000 * line(pairs)[0] for name, pairs in groups.items()}
    fastest = max(decays, key=decays.get)
    return {
        None: {"satellite": fastest, "decay": decays[fastest]},
        "counts": {name: len(pairs) for name, pairs in groups.items()},
        "mean_altitude": mean(row[2] for row in tracks),
        "median_decay": median(decays.values()),
    }


def closest_pairs(it):
    pattern = r"#(\d+) (\S+ \S+) (\w+) x (\w+) miss (\S+) (k?m) at (\S+)"
    passes = [("/".join(sorted([one.upper(), two.upper()])), float(miss) * (1000 if unit == "km" else 1), known(speed.removesuffix("km/s"), ("?", "n/a")))
              for _, _, one, two, miss, unit, speed in once(matches(it, ["lake/approaches.txt"], pattern), 0)]
    pairs = {pair: metres for pair, metres in grouped(passes, lambda row: row[0], lambda row: row[1]).items() if len(metres) >= 2}
    slow = mean(metres for _, metres, speed in passes if speed is not None and speed < it.draws["speed"])
    return {
        None: {"pairs": sorted(pairs, key=lambda pair: mean(pairs[pair]))[: it.draws["k"]], "slow": slow},
        "misses": median(metres for _, metres, _ in passes),
        "slow_": slow,
        "pairs_": {"pairs": len(pairs), "most": max(map(len, pairs.values()))},
    }


def cost_of_a_kilogram(it):
    crowns = {row["money"]: float(row["crowns"]) for row in it.yaml("lake/rates.yaml")["rates"]}
    vehicles = {fold(row["model"]): row for row in it.json("lake/vehicles.json")["vehicles"]}
    loads = []
    for row in once(table(it, "lake/manifest.csv", "Item"), "Item"):
        mass = known(row["Mass"], ("classified", ""))
        if mass is not None:
            loads.append((fold(row["Flight"]), mass * (1 if row["Unit"] == "kg" else POUND)))
    loads, flights = grouped(loads, lambda row: row[0], lambda row: row[1]), []
    for row in once(tables(it, below(it, "lake/launches"), "Flight"), "Flight"):
        items = loads.get(fold(row["Flight"]))
        if items and row["Failed"] == "false":
            vehicle = vehicles[fold(row["Vehicle"])]
            flights.append((row["Operator"], sum(items), len(items), float(vehicle["price"]) * crowns[vehicle["money"]], 100 * sum(items) / vehicle["capacity_kg"]))
    operators = grouped(flights, lambda row: row[0])
    per = {name: 1e6 * sum(row[3] for row in rows) / sum(row[1] for row in rows) for name, rows in operators.items()}
    asked = per[it.draws["asked"]]
    return {
        None: {"cheapest": min(per, key=per.get), "cost": asked, "item": sum(row[1] for row in flights) / sum(row[2] for row in flights)},
        "flown": {name: len(rows) for name, rows in operators.items()},
        "filled": mean(row[4] for row in flights),
        "per_kilogram": asked,
    }


def smoothed_flux(it):
    lines_ = once(matches(it, below(it, "lake/flux"), r"(\d{4} \w{3} \d\d) \| (\S+) \| (\d+)", "iso-8859-1"), 0)
    flux = {day(when, "%Y %b %d"): known(value, ("*", "-1")) for when, value, _ in lines_}
    smooth, half = {}, range(-it.draws["half"], it.draws["half"] + 1)
    for when in flux:
        window = [flux.get(when + number * DAY, "outside") for number in half]
        if "outside" not in window and any(value is not None for value in window):
            smooth[when] = mean(value for value in window if value is not None)
    top, seen = max(smooth, key=smooth.get), [value for value in flux.values() if value is not None]
    return {
        None: {"day": top, "highest": smooth[top], "lowest": min(smooth.values())},
        "known": {"mean": mean(seen), "unknown": len(flux) - len(seen)},
        "peak": smooth[top],
        "above_smooth": sum(flux[when] is not None and flux[when] > value for when, value in smooth.items()),
    }


main(
    lowest_perigee=lowest_perigee,
    density_in_storms=density_in_storms,
    fastest_decay=fastest_decay,
    closest_pairs=closest_pairs,
    cost_of_a_kilogram=cost_of_a_kilogram,
    smoothed_flux=smoothed_flux,
)
