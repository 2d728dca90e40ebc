"""Solves the instances of the suite `coast` from their prompts and sandboxes (see README.md)."""

import glob
import json
import re
from datetime import datetime

import common
import numpy as np
import pandas as pd
from common import OFF, clean, lower, main, number, once, reply, rounded, same, table, tables, text

ONE = pd.Timedelta(days=1)
NUMBERS = {"three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
DAYS = ("%Y-%m-%d", "%m/%d/%Y", "%d %B %Y", "%d %b %Y", "%d-%b-%Y", "%B %d, %Y", "%d.%m.%Y")


def day(cell):
    return pd.Timestamp(common.day(cell, *DAYS))


def rain_and_failure(prompt, lake):
    fail = float(re.search(r"count is (\d+) or more", prompt)[1])
    wet = float(re.search(r"more than ([\d.]+) mm", prompt)[1])
    gauge = table(f"{lake}/rain.csv", "Day")
    rain = {day(at): number(cell, ("M",), r"\s*T$") * 25.4 for at, cell in zip(gauge["Day"], gauge["Rain"])}
    parts = []
    for station in ("North", "South"):
        sheet = grouped(lake)
        sheet["n"] = [number(cell, ("N/A",)) for cell in sheet[f"{station} Enterococcus"]]
        parts.append(sheet)
    samples = pd.concat(parts)
    samples["rain"] = [rain.get(at - ONE, np.nan) for at in samples["at"]]
    samples = samples.dropna(subset=["n", "rain"])
    fails, rainy = samples.n >= fail, samples.rain > wet + 1e-9
    return str(rounded(100 * fails[rainy].mean() - 100 * fails[~rainy].mean(), 2))


def grouped(lake):
    sheet = pd.concat([table(path, "Beach", group=True) for path in sorted(glob.glob(f"{lake}/*_beach.csv"))], ignore_index=True)
    sheet.columns = ["Beach", "at", *sheet.columns[2:]]
    sheet["at"] = [day(cell) for cell in sheet["at"]]
    return once(sheet, ["Beach", "at"])


def geometric_mean(prompt, lake):
    size = NUMBERS[re.search(r"window is (\w+) successive", prompt)[1]]
    name = re.search(r"The file lake/(\S+\.tsv)", prompt)[1]
    lab = tables(f"{lake}/*.tsv" if "decoy" in OFF else f"{lake}/{name}", "Beach", "\t", "utf-16")
    lab = lab.assign(row=[same(cell) for cell in lab["Beach"]], beach=[clean(cell) for cell in lab["Beach"]], at=[day(cell) for cell in lab["Sampled"]])
    lab["n"] = [number(cell, ("void", "-"), "^<") for cell in lab["per 100ml"]]
    lab = once(lab, ["row", "at"]).dropna(subset=["n"]).sort_values("at", kind="stable")
    with np.errstate(divide="ignore"):
        lab["log"] = np.log(lab["n"])
    best = (-1.0, None, None)
    for beach, group in lab.groupby("beach"):
        logs, days = list(group["log"]), list(group["at"])
        for end in range(size, len(logs) + 1):
            mean = float(np.exp(sum(logs[end - size : end]) / size))
            if mean > best[0] + 1e-9:
                best = (mean, beach, days[end - 1])
    return reply({"beach": best[1].title(), "day": f"{best[2]:%Y-%m-%d}", "mean": rounded(best[0], 1)})


def days_to_bathe(prompt, lake):
    warm = float(re.search(r"above ([\d.]+) °C", prompt)[1])
    calm = float(re.search(r"below ([\d.]+) m/s", prompt)[1])
    beach = {lower(station["code"]): station["beach"] for station in json.loads(text(f"{lake}/stations.json"))}
    reports = []
    for path in sorted(glob.glob(f"{lake}/weather/*.txt")):
        reports += [line.split() for line in text(path).split("\n")[1:]]
    reports = pd.DataFrame([report for report in reports if len(report) == 4], columns=["day", "station", "temp", "wind"])
    reports = once(reports.assign(row=[same(cell) for cell in reports["station"]]), ["day", "row"])
    reports["beach"] = [beach.get(lower(cell)) for cell in reports["station"]]
    celsius = pd.Series([(number(cell.removesuffix("F")) - 32) * 5 / 9 for cell in reports["temp"]], index=reports.index)
    wind = pd.Series([number(cell.removesuffix("kn"), ("--", "calm?")) * 0.514444 for cell in reports["wind"]], index=reports.index)
    days = reports[(celsius > warm) & (wind < calm)].groupby("beach").size()
    return reply({name: int(count) for name, count in days.items()})


def dry_spell(prompt, lake):
    after = int(re.search(r"in the (\d+) days after", prompt)[1])
    gauge = tables(f"{lake}/rain/*.csv", "Date")
    gauge["at"] = [day(cell) for cell in gauge["Date"]]
    gauge["inches"] = [number(cell, ("M",), r"\s*T$") for cell in gauge["Inches"]]
    # A day that is not known is then a gap between days, which ends the spell.
    gauge = once(gauge, ["at"]).dropna(subset=["inches"]).sort_values("at", kind="stable")
    longest, length, began, last = (0, None, None), 0, None, None
    for at, inches in zip(gauge["at"], gauge["inches"]):
        if inches == 0:
            if length and at - last <= ONE:
                length += 1
            else:
                length, began = 1, at
            if length > longest[0]:
                longest = (length, began, at)
        else:
            length = 0
        last = at
    then = gauge[(gauge["at"] > longest[2]) & (gauge["at"] <= longest[2] + after * ONE)]
    return reply({"began": f"{longest[1]:%Y-%m-%d}", "days": longest[0], "next": rounded(then["inches"].max() * 25.4, 1)})


def closed_days(prompt, lake):
    cause = re.search(r"a notice for (\w+) covers", prompt)[1]
    k = NUMBERS[re.search(r"names of the (\w+) beaches", prompt)[1]]
    season = dict(re.findall(r'(\w+): "([\d-]+)"', text(f"{lake}/season.yaml")))
    opens, closes = day(season["opens"]), day(season["closes"])
    notices = []
    for line in text(f"{lake}/notices.txt", "iso-8859-1").split("\n"):
        found = re.fullmatch(r"No\. (\d+): (.+?) closed from (.+?) to (.+?) \((\w+)\)\s*", line)
        if found:
            no, beach, since, until, why = found.groups()
            notices.append((no, clean(beach), max(day(since), opens), closes if until == "further notice" else min(day(until), closes), why))
    notices = once(pd.DataFrame(notices, columns=["no", "beach", "since", "until", "why"]), ["no"])
    notices["length"] = (notices["until"] - notices["since"]).dt.days + 1
    notices = notices[notices["length"] > 0]
    closed = {}
    for beach, since, until in zip(notices["beach"], notices["since"], notices["until"]):
        closed.setdefault(beach, set()).update(pd.date_range(since, until))
    most = sorted(closed, key=lambda beach: (-len(closed[beach]), beach))[:k]
    return reply({"beaches": [beach.title() for beach in most], "length": rounded(notices["length"][notices["why"] == cause].mean(), 2)})


def tide_at_sample(prompt, lake):
    limit = float(re.search(r"count of (\d+) or more", prompt)[1])
    tide = tables(f"{lake}/tide/*.csv", "Date and time")
    tide["at"] = [datetime.fromisoformat(cell).timestamp() for cell in tide["Date and time"]]
    tide["metres"] = [number(cell.removesuffix(" ft")) * 0.3048 for cell in tide["Height"]]
    tide = tide.sort_values("at")
    lab = once(table(f"{lake}/samples.csv", "Sample", ";"), ["Sample"])
    lab["at"] = [datetime.strptime(cell, "%d.%m.%Y %H:%M:%S").timestamp() for cell in lab["Taken"]]
    lab["n"] = [number(cell, ("lost",)) for cell in lab["Enterococcus"]]
    lab = lab.dropna(subset=["n"])
    metres = pd.Series(np.interp(lab["at"], tide["at"], tide["metres"]), index=lab.index)
    return reply({"high": rounded(metres[lab.n >= limit].mean(), 3), "low": rounded(metres[lab.n < limit].mean(), 3)})


if __name__ == "__main__":
    main(rain_and_failure, geometric_mean, days_to_bathe, dry_spell, closed_days, tide_at_sample)
