"""Recomputes every answer key of a bundle of the harbor lake from the files that were handed out.

    python3 verify_lake.py BUNDLE [SANDBOX_ROOT]

Every file must be, byte for byte, the one in `suites/lake/data`. Prints `N of N agree`; exits 1 on any disagreement. Needs PyYAML and openpyxl.
"""

import csv
import datetime
import fractions
import io
import json
import math
import pathlib
import re

import bundle
from bundle import Decimal, Disagreement, agree, asked, same_value

SUITE = pathlib.Path(__file__).resolve().parent.parent.parent / "suites"
LAKE = SUITE / "lake" / "data"
ALL = sorted(path.relative_to(LAKE).as_posix() for path in LAKE.rglob("*") if path.is_file())


def opens(it, path):
    """A file of the lake is the file that is on disk."""
    agree(f"bytes of {path}", (LAKE / path.removeprefix("harbor/")).read_bytes(), it.content(path))


def handed(it, needed, others=None):
    """The files of the sandbox: those needed, and a number of others, or all (None). They are below `harbor`."""
    paths = sorted(path.removeprefix("harbor/") for path in it.files)
    if any(not path.startswith("harbor/") for path in it.files):
        raise Disagreement(f"files that are not of the lake: {sorted(it.files)}")
    if others is None:
        agree("files", ALL, paths)
    else:
        agree("needed files", sorted(needed), sorted(set(paths) & set(needed)))
        agree("number of files", len(needed) + others, len(paths))
        agree("files of the lake", True, set(paths) <= set(ALL))


def expects(it, *stated):
    """The answer key is these expectations in this order: name, subject, slice, matcher, value, options."""
    agree("number of expects", len(stated), len(it.expects))
    for (name, subject, slice_, matcher, value, options), expect in zip(stated, it.expects):
        agree(f"{name}: answer key but for the value", {**({"name": name} if name else {}), "subject": subject, **({"slice": slice_} if slice_ else {}), "match": matcher,
              "options": options, "weight": 1}, {key: said for key, said in expect.items() if key != "value"})
        same_value(str(name), value, expect["value"])


def rows(it, path, encoding, delimiter=","):
    text = it.content(f"harbor/{path}").decode(encoding)
    return [[cell.strip() for cell in row] for row in csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=delimiter)]


def dicts(records, first, upto=None):
    """Records below the one at `first`, up to the first whose cells are blank, or `upto`."""
    header, found = [" ".join(name.split()) for name in records[first]], []
    for row in records[first + 1:]:
        if not any(row) or (upto and row[0].startswith(upto)):
            break
        found.append(dict(zip(header, row)))
    return found


def rain(it):
    """(station, year, month) to mm, without what was not observed."""
    found = {}
    for path in (path for path in ALL if path.startswith("rain/")):
        for row in dicts(rows(it, path, "utf-8"), 2):
            for month in list(row)[1:13]:
                if row[month] != "M":
                    found[pathlib.Path(path).stem, int(row["Year"]), month] = Decimal(row[month].removesuffix("T"))
    return found


def german(cell):
    return Decimal(cell.replace(".", "").replace(",", "."))


def landings(it):
    found = []
    for path in (path for path in ALL if path.startswith("fishing/landings_")):
        for row in dicts(rows(it, path, "windows-1252", ";"), 0):
            kg, eur = (None if row[name] == "k. A." else german(row[name]) for name in ("Gewicht (kg)", "Erlös (€)"))
            found.append((datetime.datetime.strptime(row["Datum"], "%d.%m.%Y").date(), row["Schiff"], row["Hafen"], row["Art"], kg, eur))
    return found


def vessels(it):
    return {row["Vessel"]: (datetime.datetime.strptime(row["Registered"], "%d %B %Y").date(), Decimal(row["Tonnage"].removesuffix(" t").replace(",", "")), row["Owner"])
            for row in dicts(rows(it, "fishing/vessels.csv", "utf-8"), 0)}


def text_lines(it, path, encoding="utf-8"):
    return it.content(f"harbor/{path}").decode(encoding).splitlines()


def rain_of_a_year(it):
    station, year = asked(it, r"The folder \S+ has records of a harbor\. (?s:.*) at (\w+) in (\d+)\?(?s:.*)")
    needed = [path for path in ALL if path.startswith("rain/")]
    handed(it, needed, {"full": None, "needed": 0, "four": 4}[it.variant])
    amounts = [mm for (place, when, _), mm in rain(it).items() if (place, when) == (station, int(year))]
    expects(it, (None, "reply", None, "number", sum(amounts), {}))


def pressure_above_limit(it):
    pump, most = asked(it, r"The files in \S+/logs are logs of pumps\. How many lines say that pump (\d) had a pressure above ([\d.]+) bar\?(?s:.*)")
    handed(it, [])
    limits = {row["Pump"]: row["Most (bar)"].replace(",", ".") for row in csv.DictReader(io.StringIO((SUITE / "lake" / "limits.csv").read_text()), delimiter=";")}
    agree("limit", limits[pump], most)
    lines = [line for number in (1, 2, 3) for line in text_lines(it, f"logs/pump-{number}.log")]
    found = [re.fullmatch(r"\S+ \[\w+\] pump (\d) pressure ([\d.]+) bar.*", line) for line in lines]
    expects(it, (None, "reply", None, "number", sum(match is not None and match[1] == pump and Decimal(match[2]) > Decimal(most) for match in found), {}))


def revenue_of_a_species(it):
    species, port, year = asked(it, r"The folder \S+/fishing has (?s:.*)species\s+`(.+?)` \(column `Art`\) in the port (\w+) \(`Hafen`\) in (\d+), (?s:.*)")
    handed(it, [path for path in ALL if path.startswith("fishing/landings_")], {"full": None, "nine": 9}[it.variant])
    values = [eur for day, _, where, what, _, eur in landings(it) if (where, what, day.year) == (port, species, int(year))]
    value = {"revenue": sum(eur for eur in values if eur is not None), "unknown": values.count(None)}
    expects(it, (None, "reply", None, "json", value, {}))


def unpaid_categories(it):
    asked(it, r"The file \S+/reports/complaints_2024\.csv (?s:.*)")
    handed(it, ["README.txt", *(path for path in ALL if path.startswith("reports/"))], 0)
    listed = dicts(rows(it, "reports/complaints_2024.csv", "windows-1252"), 2)
    unpaid = [row["Category"] for row in listed if Decimal(row["Share"].removesuffix("%")) >= 1 and row["Compensation Paid"] in ("n/a", "–")]
    expects(it, (None, "reply", None, "list", unpaid, {"": {"ordered": True}}))


def late_departures(it):
    (place,) = asked(it, r"The file \S+/ferries/movements\.csv (?s:.*)departures to (\w+) left(?s:.*)")
    handed(it, ["ferries/movements.csv"], 5)
    records = rows(it, "ferries/movements.csv", "utf-8")
    heads = [number for number, row in enumerate(records) if row[0] == "Vessel"]
    out, back = dicts(records, heads[0]), dicts(records, heads[1], "Total")

    def moment(cell):
        return datetime.datetime.strptime(cell, "%d/%m/%Y %H:%M")

    late = sum(row["Destination"] == place and row["Left"] != "cancelled" and moment(row["Left"]) - moment(row["Planned"]) > datetime.timedelta(minutes=10) for row in out)
    cancelled = sum(row["Destination"] == place and row["Left"] == "cancelled" for row in out) + sum(row["Origin"] == place and row["Came"] == "cancelled" for row in back)
    expects(it, (None, "reply", None, "json", {"late": late, "cancelled": cancelled}, {}))


def nights_and_money(it):
    year, answer = asked(it, r"The folder \S+/reports has (?s:.*?)Write (?s:(?=.*nights of (\d+),))(\S+), a JSON(?s:.*)")
    handed(it, [])
    upper, lower, *body = rows(it, "reports/tourism.tsv", "utf-16", "\t")[2:]
    nights = {}
    for row in body:
        if not any(row):
            break
        if row[0] == year:
            for place in (2, 4, 6):
                if row[place + 1] != "...":
                    nights[upper[place]] = nights.get(upper[place], 0) + int(row[place + 1].replace(",", ""))
    agree("lower header", ["Year", "Quarter", *["Guests", "Nights"] * 3], lower)
    accounts = []
    for row in rows(it, "reports/budget.csv", "iso-8859-15", ";")[1:]:
        if row[0] == "Summe":
            break
        plan, spent = (german(cell.removesuffix(" €").replace("\u00a0", "")) for cell in row[2:4])
        accounts.append((plan - spent, int(row[0]), row[1]))
    subject = {"file": it.below(answer)}
    expects(it, ("nights", subject, {"at": "$.nights"}, "list", [nights[name] for name in sorted(nights)], {"": {"ordered": True}}), ("account", subject, {"at": "$.account"}, "text", min(accounts)[2], {}))


def water_and_birds(it):
    asked(it, r"In \S+, the sheet `2024` of survey\.xlsx (?s:.*)")
    import openpyxl

    handed(it, ["survey.xlsx", "bulletins/2024-01.txt", "bulletins/2024-02.txt"], 3)
    sheet = openpyxl.load_workbook(io.BytesIO(it.content("harbor/survey.xlsx")), data_only=True)["2024"]
    sites = []
    for row in sheet.iter_rows(min_row=5, values_only=True):
        if row[0] == "Total":
            break
        sites.append(row)
    water, birds = ([fractions.Fraction(str(row[place])) for row in sites] for place in (4, 3))
    seals = sorted(row[2] for row in sites if row[2] != "n/a")
    rank = fractions.Fraction(9, 10) * (len(seals) - 1)
    low = math.floor(rank)
    quantile = seals[low] + (rank - low) * (seals[min(low + 1, len(seals) - 1)] - seals[low])
    pier = []
    for month in ("01", "02"):
        for line in text_lines(it, f"bulletins/2024-{month}.txt", "iso-8859-1")[2:]:
            *_, celsius, place = line.split()
            if place == "Pier" and celsius != "-999.9":
                pier.append(fractions.Fraction(celsius))

    def mean(values):
        return sum(values) / fractions.Fraction(len(values))

    def moment(xs, ys):
        return sum((x - mean(xs)) * (y - mean(ys)) for x, y in zip(xs, ys))

    r = fractions.Fraction(float(moment(water, birds)) / math.sqrt(moment(water, water) * moment(birds, birds)))
    swing = fractions.Fraction(math.sqrt(moment(pier, pier) / (len(pier) - 1)))
    expects(it, ("r", "reply", {"at": "$.r"}, "number", r, {"": {"rounded": 3}}), ("seals", "reply", {"at": "$.seals"}, "number", quantile, {"": {"within": "0.05", "graded": True}}),
            ("swing", "reply", {"at": "$.swing"}, "number", swing, {"": {"rounded": 3}}))


def owners_and_ferries(it):
    asked(it, r"Answer from the files in \S+, (?s:.*)")
    import yaml

    handed(it, [])
    ships = vessels(it)
    kg = {}
    for day, vessel, _, _, weight, _ in landings(it):
        since, _, owner = ships[vessel]
        if day >= since and weight is not None:
            kg[owner] = kg.get(owner, 0) + weight
    cars = {}
    for line in text_lines(it, "ferries/crossings.txt", "iso-8859-1")[4:]:
        if line.startswith("TOTAL"):
            break
        cars[line[:12].strip()] = cars.get(line[:12].strip(), 0) + int(line[33:37] or 0)
    ferry = min((-fractions.Fraction(carried) / fractions.Fraction(ships[vessel][1]), vessel) for vessel, carried in cars.items())[1]
    states = {row["name"]: row["state"] for row in yaml.safe_load(it.content("harbor/stations.yaml"))["stations"]}
    amounts = {}
    for (station, _, _), mm in rain(it).items():
        if states[station] == "open":
            amounts.setdefault(station, []).append(mm)
    dry = min((fractions.Fraction(sum(values)) / len(values), station) for station, values in amounts.items())[1]
    items = json.loads(it.content("harbor/catalogue.json"))["result"]["items"]
    deep = sum((item["limits"].get("draft_m") or 0) >= 5 and item["limits"]["length_m"] >= 40 for item in items)
    expects(it, ("kg", "reply", {"at": "$.kg"}, "list", [kg[name] for name in sorted(kg)], {"": {"ordered": True}}), ("ferry", "reply", {"at": "$.ferry"}, "text", ferry, {}),
            ("dry", "reply", {"at": "$.dry"}, "text", dry, {}), ("berths", "reply", {"at": "$.berths"}, "number", deep, {}))


VERIFIERS = {
    "rain_of_a_year": rain_of_a_year,
    "pressure_above_limit": pressure_above_limit,
    "revenue_of_a_species": revenue_of_a_species,
    "unpaid_categories": unpaid_categories,
    "late_departures": late_departures,
    "nights_and_money": nights_and_money,
    "water_and_birds": water_and_birds,
    "owners_and_ferries": owners_and_ferries,
}

if __name__ == "__main__":
    bundle.main(VERIFIERS, lambda instance: instance.task, opens)
