"""Recomputes every answer key of a bundle of the beaches from the files that were handed out.

    python3 verify_coast.py BUNDLE [SANDBOX_ROOT]

Prints `N of N agree`; exits 1 on any disagreement. Needs PyYAML.
"""

import datetime
import math

from dirty import METRES, below, between, day, drawn, fold, grouped, known, line, main, matches, mean, moment, number, once, table, tables

DAY = datetime.timedelta(days=1)


def rain_and_failure(it):
    limit, least = it.draws["limit"], it.draws["least"]
    paths = [path for path in below(it, "lake") if path.endswith("_beach.csv")]
    sheets = [(row, day(row["Date"], "%B %d, %Y", "%m/%d/%Y")) for row in tables(it, paths, "Beach", header=2)]
    sheets = {(row["Beach"], when): row for row, when in sheets}
    counted = [(beach, when, n) for (beach, when), row in sheets.items() for end in ("North", "South")
               if (n := known(row[f"{end} / Enterococcus"], ("", "N/A"))) is not None]
    rain = {day(row["Day"], "%Y-%m-%d"): known(row["Rain"], ("M",)) for row in table(it, "lake/rain.csv", "Day")}
    wet, dry = [], []
    for _, when, n in counted:
        inches = rain.get(when - DAY)
        if inches is not None:
            (wet if inches * 25.4 > least else dry).append(n >= limit)
    failures = {beach: len(rows) for beach, rows in grouped([row for row in counted if row[2] >= limit], lambda row: row[0]).items()}
    return {None: 100 * mean(wet) - 100 * mean(dry), "failures": failures, "matched": len(wet), "wet_rate": 100 * mean(wet)}


def geometric_mean(it):
    rows = table(it, "lake/enterococcus_2024.tsv", "Beach", delimiter="\t", encoding="utf-16")
    rows = [{**row, "Sampled": day(row["Sampled"], "%d %b %Y")} for row in rows]
    valid = [(fold(row["Beach"]), row["Sampled"], n) for row in once(rows, "Beach", "Sampled") if (n := known(row["per 100ml"], ("void", "-"))) is not None]
    windows = []
    for beach, samples in grouped(valid, lambda row: row[0], lambda row: row[1:]).items():
        samples.sort()
        windows += [(math.exp(mean(math.log(n) for _, n in samples[at - 4: at + 1])), beach, samples[at][0]) for at in range(4, len(samples))]
    highest, where, when = max(windows)
    above = {beach: len(of) for beach, of in grouped([row for row in windows if row[0] > it.draws["limit"]], lambda row: row[1]).items()}
    return {
        None: {"beach": where, "day": when, "mean": highest},
        "samples_of_each": math.exp(mean(math.log(n) for _, _, n in valid)),
        "windows": above,
        "highest_mean": highest,
    }


def days_to_bathe(it):
    beaches = {fold(station["code"]): station["beach"] for station in it.json("lake/stations.json")}
    reports = once(matches(it, below(it, "lake/weather"), r"(\d\d-\w{3}-\d{4}) (\w+) ([\d.]+F) (\S+)"), 0, 1)
    metric = [(beaches[fold(code)], (number(temp) - 32) * 5 / 9, known(wind, ("--", "calm?"))) for _, code, temp, wind in reports]
    metric = [(beach, celsius, None if wind is None else wind * 0.514444) for beach, celsius, wind in metric]
    good = [beach for beach, celsius, wind in metric if wind is not None and celsius > drawn(it, "celsius") and wind < it.draws["calm"]]
    warm = grouped([row for row in metric if row[2] is not None], lambda row: row[0], lambda row: row[1])
    return {
        None: {beach: len(days) for beach, days in grouped(good, lambda beach: beach).items()},
        "wind": mean(wind for _, _, wind in metric if wind is not None),
        "warm_station": max(mean(values) for values in warm.values()),
        "total": len(good),
    }


def dry_spell(it):
    rain = {day(row["Date"], "%m/%d/%Y"): known(row["Inches"], ("M",)) for row in tables(it, below(it, "lake/rain", ".csv"), "Date")}
    dry = sorted(when for when, inches in rain.items() if inches == 0)
    spells = []
    for when in dry:
        if spells and spells[-1][-1] == when - DAY:
            spells[-1].append(when)
        else:
            spells.append([when])
    longest = max(spells, key=len)
    later = [rain.get(longest[-1] + number * DAY) for number in range(1, 31)]
    return {
        None: {"began": longest[0], "days": len(longest), "next": max(inches for inches in later if inches is not None) * 25.4},
        "dry_days": {"dry": len(dry), "unknown": sum(inches is None for inches in rain.values())},
        "spells": mean(map(len, spells)),
        "longest_spell": longest[0],
    }


def closed_days(it):
    season = {key: datetime.date.fromisoformat(str(value)) for key, value in it.yaml("lake/season.yaml").items()}
    pattern = r"No\. (\d+): (.+) closed from (.+) to (.+) \((\w+)\)"
    notices = []
    for _, beach, first, last, cause in once(matches(it, ["lake/notices.txt"], pattern, "iso-8859-1"), 0):
        last = season["closes"] if last == "further notice" else min(day(last, "%d %B %Y"), season["closes"])
        first = max(day(first, "%d %B %Y"), season["opens"])
        if last >= season["opens"]:
            notices.append((fold(beach), cause, {first + number * DAY for number in range((last - first).days + 1)}))
    closed = {beach: len(set().union(*days)) for beach, days in grouped(notices, lambda row: row[0], lambda row: row[2]).items()}
    length = mean(len(days) for _, cause, days in notices if cause == it.draws["asked"])
    most = sorted(closed, key=lambda beach: (-closed[beach], beach))[:4]
    return {None: {"beaches": most, "length": length}, "length": length, "days": closed, "coast": sum(closed.values())}


def tide_at_sample(it):
    tides = {moment(row["Date and time"], "%Y-%m-%d %H:%M:%S").timestamp(): number(row["Height"]) * METRES
             for row in tables(it, below(it, "lake/tide", ".csv"), "Date and time")}
    levels = []
    for row in once(table(it, "lake/samples.csv", "Sample", delimiter=";"), "Sample"):
        n = known(row["Enterococcus"], ("", "lost"))
        if n is not None:
            levels.append((between(tides.items(), moment(row["Taken"], "%d.%m.%Y %H:%M:%S").timestamp()), n, row["Beach"]))
    limit = it.draws["limit"]
    return {
        None: {"high": mean(m for m, n, _ in levels if n >= limit), "low": mean(m for m, n, _ in levels if n < limit)},
        "counts": {beach: len(rows) for beach, rows in grouped(levels, lambda row: row[2]).items()},
        "at_the_worst": max(levels, key=lambda row: row[1])[0],
        "relation": line([row[:2] for row in levels])[1],
    }


main(
    rain_and_failure=rain_and_failure,
    geometric_mean=geometric_mean,
    days_to_bathe=days_to_bathe,
    dry_spell=dry_spell,
    closed_days=closed_days,
    tide_at_sample=tide_at_sample,
)
