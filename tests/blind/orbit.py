"""Solves the instances of the suite `orbit` from their prompts and sandboxes (see README.md)."""

import glob
import json
import math
import re
from datetime import datetime, timedelta

import pandas as pd
from common import OFF, clean, day, listed, main, number, once, reply, rounded, same, shown, table, tables, text


def lowest_perigee(prompt, lake):
    least = float(re.search(r"inclination of ([\d.]+) degrees or more", prompt)[1])
    name = re.search(r"The file lake/elements/(\S+\.txt)", prompt)[1]
    sets = []
    for path in [name, *(["forecast.txt"] if "decoy" in OFF else [])]:
        sets += [line.split()[1:] for line in text(f"{lake}/elements/{path}").split("\n") if line.strip() and not line.startswith("#")]
    sets = once(pd.DataFrame(sets, columns=["no", "epoch", "inclination", "eccentricity", "motion"]), ["no", "epoch"])
    sets["no"] = [number(cell, mark="U$") for cell in sets["no"]]
    sets["epoch"] = [day(cell, "%Y%m%dT%H%M%S") for cell in sets["epoch"]]
    for column in ("inclination", "eccentricity", "motion"):
        sets[column] = sets[column].astype(float)
    sets = sets.dropna(subset=["no"])
    catalogue = table(f"{lake}/catalogue.tsv", "NUMBER", "\t")
    names = {float(no): name for no, name, active in zip(catalogue["NUMBER"], catalogue["NAME"], catalogue["ACTIVE"]) if active.strip() == "true"}
    last = sets.sort_values("epoch", kind="stable").drop_duplicates("no", keep="last")
    last = last[last["no"].isin(names) & (last["inclination"] >= least)]
    axis = (398600.4418 / (last["motion"] * 2 * math.pi / 86400) ** 2) ** (1 / 3)
    heights = axis * (1 - last["eccentricity"]) - 6378.137
    satellite = names[last["no"][heights.idxmin()]]
    return reply({"satellite": satellite, "height": rounded(heights.min(), 2), "motion": rounded(sets["motion"].mean(), 5)})


def density_in_storms(prompt, lake):
    storm = float(re.search(r"storm value where ap is (\d+) or more", prompt)[1])
    quiet = float(re.search(r"quiet value where ap is (\d+) or less", prompt)[1])
    index = {datetime.fromisoformat(line.split()[0]): float(line.split()[1]) for line in text(f"{lake}/ap.txt").split("\n") if line.strip()}
    files = once(tables(f"{lake}/density/*.csv", "Satellite"), ["Satellite", "Time"])
    files["density"] = [number(cell, ("-99", "NaN")) for cell in files["Density"]]
    times = [datetime.fromisoformat(cell) for cell in files["Time"]]
    ap = pd.Series([index[time.replace(hour=time.hour // 3 * 3, minute=0, second=0)] for time in times], index=files.index)
    return f"{files['density'][ap >= storm].mean() / files['density'][ap <= quiet].mean():.3f}"


def fastest_decay(prompt, lake):
    since = datetime.fromisoformat(re.search(r"Look at days from (\S+) on", prompt)[1])
    mile = float(re.search(r"nautical miles \(nmi, ([\d.]+) km\)", prompt)[1])
    unit = listed(f"{lake}/providers.yaml", "name", "unit")
    tracks = tables(f"{lake}/tracks/*.csv", "Provider", ";")
    tracks = tracks.assign(row=[same(cell) for cell in tracks["Satellite"]], satellite=[clean(cell) for cell in tracks["Satellite"]])
    tracks["at"] = [day(cell, "%d.%m.%Y", "%d %B %Y", "%B %d, %Y") for cell in tracks["Day"]]
    tracks = once(tracks, ["Provider", "row", "at"])
    factors = [1000 * (mile if unit[provider.strip()] == "nmi" else 1) for provider in tracks["Provider"]]
    tracks["metres"] = [number(cell, decimal=",") for cell in tracks["Altitude"]] * pd.Series(factors, index=tracks.index)
    tracks["time"] = [float(at.toordinal()) for at in tracks["at"]]
    decay = {}
    for satellite, group in tracks[tracks["at"] >= since].groupby("satellite"):
        time = group["time"] - group["time"].mean()
        if (time != 0).any():
            decay[satellite] = -(time * (group["metres"] - group["metres"].mean())).sum() / (time**2).sum()
    fastest = max(decay, key=decay.get)
    return reply({"satellite": shown(tracks["Satellite"])[fastest], "decay": rounded(decay[fastest], 2)})


def closest_pairs(prompt, lake):
    k = int(re.search(r"an array of the (\d+) pairs", prompt)[1])
    slow = float(re.search(r"relative speed below ([\d.]+) km/s", prompt)[1])
    log = []
    for line in text(f"{lake}/approaches.txt").split("\n"):
        found = re.fullmatch(r"#(\d+) (\S+) (\S+) (\w+) x (\w+) miss ([\d.]+) (k?m) at (.+)", line.strip())
        if found:
            pair = [cell if "case" in OFF else cell.upper() for cell in found.group(4, 5)]
            metres = round(float(found[6]) * (1000 if found[7] == "km" else 1), 6)
            log.append((found[1], "/".join(sorted(pair)), metres, number(found[8], ("?", "n/a"), r"\s*km/s$")))
    log = once(pd.DataFrame(log, columns=["no", "pair", "metres", "speed"]), ["no"])
    means = log.groupby("pair")["metres"].agg(["size", "mean"])
    means = means[means["size"] >= 2].sort_values("mean")
    return reply({"pairs": list(means.index[:k]), "slow": rounded(log["metres"][log["speed"] < slow].mean(), 2)})


def cost_of_a_kilogram(prompt, lake):
    who = re.search(r"that of (\w+) in crowns", prompt)[1]
    pound = float(re.search(r"lb \(([\d.]+) kg\)", prompt)[1])
    rate = {money: float(crowns) for money, crowns in listed(f"{lake}/rates.yaml", "money", "crowns").items()}
    prices = {clean(model["model"]): model["price"] * 1e6 * rate[model["money"]] for model in json.loads(text(f"{lake}/vehicles.json"))["vehicles"]}
    flights = tables(f"{lake}/launches/*.csv", "Flight")
    flights = once(flights.assign(row=[same(cell) for cell in flights["Flight"]]), ["row"])
    flights = flights.assign(flight=[clean(cell) for cell in flights["Flight"]], cost=[prices.get(clean(cell), math.nan) for cell in flights["Vehicle"]])
    items = once(table(f"{lake}/manifest.csv", "Item"), ["Item"])
    if "decoy" in OFF:
        items = pd.concat([items, once(table(f"{lake}/manifest_of_plans.csv", "Item"), ["Item"])], ignore_index=True)
    items["flight"] = [clean(cell) for cell in items["Flight"]]
    items["kilos"] = [number(cell, ("classified",)) * (pound if unit.strip() == "lb" else 1) for cell, unit in zip(items["Mass"], items["Unit"])]
    items = items.dropna(subset=["kilos"])
    # A flight without a known vehicle has no cost, and what it carried cannot be divided by one.
    flights = flights[(flights["Failed"].str.strip() == "false") & flights["flight"].isin(items["flight"])].dropna(subset=["cost"])
    carried = items.merge(flights[["flight", "Operator"]], on="flight")
    each = flights.groupby("Operator")["cost"].sum() / carried.groupby("Operator")["kilos"].sum()
    return reply({"cheapest": each.idxmin(), "cost": rounded(each[who], 2), "item": rounded(carried["kilos"].mean(), 3)})


def smoothed_flux(prompt, lake):
    k = int(re.search(r"from (\d+) days before to", prompt)[1])
    sun = []
    for path in sorted(glob.glob(f"{lake}/flux/[0-9]*_*.txt")):
        for line in text(path).split("\n"):
            found = re.fullmatch(r"(\d{4} \w{3} \d{1,2}) \| (\S+) \| (\S+)", line.strip())
            if found:
                sun.append((day(found[1], "%Y %b %d"), number(found[2], ("*", "-1"))))
    sun = once(pd.DataFrame(sun, columns=["at", "flux"]), ["at"])
    known = {at: list(group.dropna()) for at, group in sun.groupby("at")["flux"]}
    means = {}
    for at in known:
        window = [at + timedelta(days=step) for step in range(-k, k + 1)]
        values = [value for other in window for value in known.get(other, ())]
        if values and all(other in known for other in window):
            means[at] = math.fsum(values) / len(values)
    highest = max(means, key=means.get)
    return reply({"day": f"{highest:%Y-%m-%d}", "highest": rounded(means[highest], 2), "lowest": rounded(min(means.values()), 2)})


if __name__ == "__main__":
    main(lowest_perigee, density_in_storms, fastest_decay, closest_pairs, cost_of_a_kilogram, smoothed_flux)
