"""Solves the instances of the suite `wildfire` from their prompts and sandboxes (see README.md)."""

import json
import math
import re
import xml.etree.ElementTree as ET
from datetime import datetime, timedelta

import pandas as pd
from common import OFF, clean, day, listed, lower, main, number, once, reply, rounded, same, table, tables, text


def burned_by_people(prompt, lake):
    year = re.search(r"\./lake/(\d{4}) has the fires", prompt)[1]
    acre = float(re.search(r"an acre is ([\d.]+) ha", prompt)[1])
    origin = {lower(cause.get("code")): cause.findtext("origin").strip() for cause in ET.parse(f"{lake}/causes.xml").getroot().iter("cause")}
    fires = once(tables(f"{lake}/{'*' if 'decoy' in OFF else year}/*.csv", "Fire no."), ["Fire no."])
    fires["ha"] = [number(cell, ("tbd",)) * (acre if unit.strip() == "acres" else 1) for cell, unit in zip(fires["Size"], fires["Unit"])]
    people = [origin.get(lower(cell.strip())) == "human" for cell in fires["Cause"]]
    return reply({"share": rounded(100 * fires["ha"][people].sum() / fires["ha"].sum(), 2), "mean": rounded(fires["ha"][people].mean(), 2)})


def dearest_year(prompt, lake):
    base = re.search(r"in dollars of (\d{4}) \(", prompt)[1]
    points = {year: float(value) for year, value in listed(f"{lake}/prices.yaml", "year", "points").items()}
    costs = table(f"{lake}/costs.tsv", "Number", "\t")
    costs["cost"] = [number(cell.strip().lstrip("$"), ("n/a", "pending"), r"\+$") for cell in costs["Cost"]]
    fires = once(tables(f"{lake}/fires/sizes_*.csv", "Number"), ["Number"])
    fires["acres"] = [number(cell, mark=r"\+$") for cell in fires["Acres"]]
    fires["year"] = [cell.strip().rsplit("/", 1)[1] for cell in fires["Out"]]
    both = fires[["Number", "acres", "year"]].merge(costs[["Number", "cost"]], on="Number").dropna(subset=["acres", "cost"])
    both["real"] = [cost * points[base] / points[year] for cost, year in zip(both["cost"], both["year"])]
    sums = both.groupby("year")[["real", "acres"]].sum()
    each = sums["real"] / sums["acres"]
    return reply({"year": int(each.idxmax()), "cost": rounded(each.max(), 2)})


def fastest_growth(prompt, lake):
    names = {lower(incident["id"]): incident["name"] for incident in json.loads(text(f"{lake}/incidents.json"))}
    reports = []
    for line in text(f"{lake}/situation.log").split("\n"):
        found = re.fullmatch(r"\s*(\S+)\s+(\S+)\s+(\S+)\s+contained\s+(\S+)\s*", line)
        if found:
            at, fire, acres, _ = found.groups()
            reports.append((at, datetime.fromisoformat(at), same(fire), lower(fire), number(acres.removesuffix("ac"), ("unmapped",))))
    reports = once(pd.DataFrame(reports, columns=["until", "at", "row", "fire", "acres"]), ["at", "row"])
    reports = reports.dropna(subset=["acres"]).sort_values(["fire", "at"], kind="stable")
    fires = reports.groupby("fire")
    reports["days"], reports["more"] = fires["at"].diff() / timedelta(days=1), fires["acres"].diff()
    pairs = reports.dropna(subset=["days"])
    rate = (pairs["more"] / pairs["days"])[pairs["days"] > 0]
    best = pairs.loc[rate.idxmax()]
    fire, pause = names.get(best["fire"], best["fire"]), pairs["days"].mean()
    return reply({"fire": fire, "until": best["until"], "rate": rounded(rate.max(), 1), "pause": rounded(pause, 3)})


def wind_at_ignition(prompt, lake):
    mile = float(re.search(r"a mile is ([\d.]+) km", prompt)[1])
    least = float(re.search(r"mean gust of fires of (\d+) acres or more", prompt)[1])
    stations = json.loads(text(f"{lake}/stations.json"))["stations"]
    wind = tables(f"{lake}/wind/*.csv", "Day")
    gusts = {
        (station, day(at, "%d-%b-%Y")): number(cell, ("M",)) * mile for station, at, cell in zip(wind["_file"], wind["Day"], wind["Gust"])
    }
    fires = once(table(f"{lake}/fires.csv", "Fire", ";"), ["Fire"])
    found = []
    for began, east, north, acres in zip(fires["Began"], fires["East mi"], fires["North mi"], fires["Acres"]):
        east, north = number(east, decimal=",") * mile, number(north, decimal=",") * mile
        nearest = min(stations, key=lambda station: math.hypot(east - station["east"], north - station["north"]))["id"]
        found.append((number(acres, decimal=","), gusts.get((nearest, day(began, "%d.%m.%Y")), math.nan)))
    found = pd.DataFrame(found, columns=["acres", "gust"])
    large = found["acres"] >= least
    return reply({"large": rounded(found["gust"][large].mean(), 2), "small": rounded(found["gust"][~large].mean(), 2)})


def homes_lost(prompt, lake):
    k = int(re.search(r"In which (\d+) counties", prompt)[1])
    year = re.search(r"structures_(\d{4})\.csv", prompt)[1]
    register = {clean(cell): cell.strip() for cell in table(f"{lake}/register.csv", "County")["County"]}
    names = [year, *(["2023"] if "decoy" in OFF else [])]
    sheet = pd.concat([table(f"{lake}/structures_{name}.csv", "County", group=True) for name in names], ignore_index=True)
    sheet.columns = ["County", "Fire", *sheet.columns[2:]]
    sheet = once(sheet.assign(row=[same(cell) for cell in sheet["County"]]), ["row", "Fire"])
    county = [clean(cell) for cell in sheet["County"]]
    homes = pd.Series([number(cell.replace(" ", ""), ("-",)) for cell in sheet["Homes Destroyed"]])
    means = homes.groupby(county).mean().dropna().sort_values(kind="stable")
    return reply([register.get(name, name) for name in means.index[:k]])


def smoke_with_a_lag(prompt, lake):
    lag = timedelta(days=int(re.search(r"acres that burned (\d+) days? earlier", prompt)[1]))
    burning = table(f"{lake}/burning.csv", "Day")
    acres = {day(at, "%a, %d %b %Y"): number(cell, ("-999",)) for at, cell in zip(burning["Day"], burning["Acres"])}
    air = tables(f"{lake}/air/*.tsv", "Town", "\t", "utf-16")
    air = once(air.assign(row=[same(cell) for cell in air["Town"]]), ["row", "Day"])
    air["town"] = [clean(cell) for cell in air["Town"]]
    air["pm"] = [number(cell, ("-999",)) for cell in air["PM2.5"]]
    air["acres"] = [acres.get(day(at, "%Y/%m/%d") - lag, math.nan) for at in air["Day"]]
    best = (-2.0, None, None)
    for town, group in air.dropna(subset=["pm", "acres"]).groupby("town"):
        if len(group) < 3 or group.acres.nunique() < 2 or group.pm.nunique() < 2:
            continue
        r = group.acres.corr(group.pm)
        if r > best[0]:
            best = (r, town, 1000 * group.acres.cov(group.pm) / group.acres.var())
    return reply({"town": best[1].title(), "r": rounded(best[0], 3), "rise": rounded(best[2], 4)})


if __name__ == "__main__":
    main(burned_by_people, dearest_year, fastest_growth, wind_at_ignition, homes_lost, smoke_with_a_lag)
