"""Recomputes every answer key of a bundle of the suite `repair_sql` from its databases and prompts: rows are read, joined, grouped, and ranked here.

    python3 verify_repair_sql.py BUNDLE [SANDBOX_ROOT]

Prints `N of N agree`; exits 1 on any disagreement.
"""

import collections
import datetime
import decimal
import re

import bundle
from bundle import Decimal, Disagreement, Fraction, Rows, agree, asked

END = r"Reply with one query in a fenced block marked `sql`\."
CENT = Decimal("0.01")


class Shop:
    """The tables of a prompt's database, and what the prompt asks."""

    def __init__(self, it, question):
        path, schema, *self.asked = asked(it, rf"(?s)The SQLite database (\S+) has these tables:\n\n(.*?\n\);)\n\n{question}\s{END}")
        self.path = it.below(path)
        self.tables = it.tables(self.path)
        agree("tables of the schema", list(self.tables), re.findall(r"CREATE TABLE (\w+) \(", schema))
        for rows in self.tables.values():
            for row in rows:
                for name in ("PRICE", "COST", "WAGE"):
                    if name in row:
                        row[name] = Decimal(str(row[name]))

    def __getattr__(self, name):
        return self.tables[name]

    def by(self, table, key):
        found = {row[key]: row for row in self.tables[table]}
        agree(f"{key} of {table} is unique", len(self.tables[table]), len(found))
        return found

    def garage_of(self, mechanic):
        return self.by("garages", "GARAGE_ID")[self.by("mechanics", "MECH_ID")[mechanic]["GARAGE_ID"]]


def day(text):
    return datetime.date.fromisoformat(text)


def exact(number):
    return Fraction(number)


def cents(number):
    """Rounded to two places, as the float that a result set has."""
    return Fraction(Decimal(number).quantize(CENT, decimal.ROUND_HALF_UP))


def expects(it, shop, columns, rows, options=None):
    """The rows are those of the key. Where the order is free, they are put into the key's."""
    rows = [list(row) for row in rows]
    if not (options or {}).get("", {}).get("ordered"):
        stated = [[shown(cell) for cell in row] for row in it.expects[0]["value"]["rows"]]
        if sorted(map(repr, stated)) != sorted(repr([shown(cell) for cell in row]) for row in rows):
            raise Disagreement(f"rows: recomputed {rows!r}, the bundle says {stated!r}")
        rows.sort(key=lambda row: stated.index([shown(cell) for cell in row]))
    it.expects_value("reply", "sql", Rows(columns, rows), options, slice={"fenced": "sql"}, database=shop.path)


def shown(cell):
    """Alike for a number of ours and one of the key."""
    number = cell["decimal"] if isinstance(cell, dict) else cell
    return f"{float(number):.6f}" if isinstance(cell, (float, Fraction, Decimal, dict)) else cell


WITHIN = {"within": "0.01"}


def fitted(it):
    shop = Shop(it, r"Which cars got a part with the ITEM (\w+) from a mechanic of the garage in the TOWN (\w+)\? Return their PLATE and MAKE, each car once\.")
    item, town = shop.asked
    jobs = {part["JOB_ID"] for part in shop.parts if part["ITEM"] == item}
    plates = {
        job["PLATE"] for job in shop.jobs
        if job["JOB_ID"] in jobs and job["MECH_ID"] is not None and shop.garage_of(job["MECH_ID"])["TOWN"] == town
    }
    expects(it, shop, ["PLATE", "MAKE"], [[car["PLATE"], car["MAKE"]] for car in shop.cars if car["PLATE"] in plates])


def idle_mechanics(it):
    shop = Shop(it, r"Which mechanics have no job that was BEGUN on (\S+) or later\? Return MECH_ID and NAME\. "
                    r"MECH_ID in jobs is null while nobody has been assigned\.")
    (since,) = shop.asked
    busy = {job["MECH_ID"] for job in shop.jobs if day(job["BEGUN"]) >= day(since)}
    expects(it, shop, ["MECH_ID", "NAME"], [[it_["MECH_ID"], it_["NAME"]] for it_ in shop.mechanics if it_["MECH_ID"] not in busy])


def outgrown(it):
    shop = Shop(it, r"A row of trainings says who \(TRAINER\) trained a mechanic \(MECH_ID\)\. Which mechanics have a higher WAGE than their trainer and work in "
                    r"another garage than\nthe trainer\? Return two columns: the mechanic's NAME and the trainer's NAME\.")
    people = shop.by("mechanics", "MECH_ID")
    pairs = [(people[row["MECH_ID"]], people[row["TRAINER"]]) for row in shop.trainings]
    rows = [[one["NAME"], other["NAME"]] for one, other in pairs if one["WAGE"] > other["WAGE"] and one["GARAGE_ID"] != other["GARAGE_ID"]]
    expects(it, shop, ["NAME", "TRAINED_BY"], rows)


def busy_makes(it):
    shop = Shop(it, r"For each MAKE with at least (\d+) jobs: the MAKE, how many jobs its cars had, and the sum of their PRICE, rounded to 2 decimals\. Sort by MAKE\.")
    least, cars, makes = int(shop.asked[0]), shop.by("cars", "PLATE"), collections.defaultdict(list)
    for job in shop.jobs:
        makes[cars[job["PLATE"]]["MAKE"]].append(job["PRICE"])
    rows = [[make, len(prices), exact(sum(prices))] for make, prices in sorted(makes.items()) if len(prices) >= least]
    expects(it, shop, ["MAKE", "JOBS", "REVENUE"], rows, {"": {"ordered": True, **WITHIN}})


def all_garages(it):
    shop = Shop(it, r"For every garage, also one without mechanics or jobs: its TOWN, and how many jobs its mechanics have BEGUN in (\d{4})\.")
    year, counts = int(shop.asked[0]), {garage["TOWN"]: 0 for garage in shop.garages}
    for job in shop.jobs:
        if job["MECH_ID"] is not None and day(job["BEGUN"]).year == year:
            counts[shop.garage_of(job["MECH_ID"])["TOWN"]] += 1
    expects(it, shop, ["TOWN", "JOBS"], counts.items())


def margins(it):
    shop = Shop(it, r"For each job with at least one part on a car of the MAKE (\w+): its JOB_ID, and its PRICE less the cost of its parts "
                    r"\(the sum of QTY × COST\),\nrounded to 2 decimals\.")
    (make,), cars, costs = shop.asked, shop.by("cars", "PLATE"), collections.defaultdict(Decimal)
    for part in shop.parts:
        costs[part["JOB_ID"]] += part["QTY"] * part["COST"]
    rows = [
        [job["JOB_ID"], exact(job["PRICE"] - costs[job["JOB_ID"]])] for job in shop.jobs
        if job["JOB_ID"] in costs and cars[job["PLATE"]]["MAKE"] == make
    ]
    expects(it, shop, ["JOB_ID", "MARGIN"], rows, {"": WITHIN})


def dearest_by_town(it):
    shop = Shop(it, r"The (\d) jobs with the highest PRICE of each garage: return TOWN, the place \(1 is the highest PRICE\), JOB_ID, and PRICE\. No two jobs have the "
                    r"same\nPRICE\. A job belongs to the garage of its mechanic; leave out those without one\.")
    places, towns = int(shop.asked[0]), collections.defaultdict(list)
    agree("prices are unique", len(shop.jobs), len({job["PRICE"] for job in shop.jobs}))
    for job in shop.jobs:
        if job["MECH_ID"] is not None:
            towns[shop.garage_of(job["MECH_ID"])["TOWN"]].append((job["PRICE"], job["JOB_ID"]))
    rows = [
        [town, place, job, price.quantize(CENT)]
        for town, jobs in towns.items()
        for place, (price, job) in enumerate(sorted(jobs, reverse=True)[:places], 1)
    ]
    expects(it, shop, ["TOWN", "PLACE", "JOB_ID", "PRICE"], rows, {"": WITHIN})


def pauses(it):
    shop = Shop(it, r"Take the jobs of each car in the order of BEGUN \(on the same day, the lower JOB_ID is first\)\. Which jobs began more than (\d+) days after the\n"
                    r"one before\? Return PLATE, the JOB_ID of the later job, and the number of days between the two, a whole number\.")
    days, cars = int(shop.asked[0]), collections.defaultdict(list)
    for job in shop.jobs:
        cars[job["PLATE"]].append((day(job["BEGUN"]), job["JOB_ID"]))
    rows = []
    for plate, jobs in cars.items():
        jobs.sort()
        rows += [[plate, later, (to - since).days] for (since, _), (to, later) in zip(jobs, jobs[1:]) if (to - since).days > days]
    expects(it, shop, ["PLATE", "JOB_ID", "GAP"], rows)


def unfinished_by_month(it):
    shop = Shop(it, r"For each month of (\d{4}) in which a job was BEGUN, in the order of months: the month written like 2024-05, the number of jobs, how many of them "
                    r"have no DONE, and\nthe mean RATING of those that have one, rounded to 2 decimals \(null where none has\)\.")
    year, months = shop.asked[0], collections.defaultdict(list)
    for job in shop.jobs:
        if job["BEGUN"].startswith(f"{year}-"):
            months[job["BEGUN"][:7]].append(job)
    rows = []
    for month, jobs in sorted(months.items()):
        ratings = [job["RATING"] for job in jobs if job["RATING"] is not None]
        mean = cents(Decimal(sum(ratings)) / len(ratings)) if ratings else None
        rows.append([month, len(jobs), sum(job["DONE"] is None for job in jobs), mean])
    expects(it, shop, ["MONTH", "JOBS", "UNFINISHED", "RATED"], rows, {"": {"ordered": True, **WITHIN}})


def lineage(it):
    shop = Shop(it, r"A row of trainings says who \(TRAINER\) trained a mechanic \(MECH_ID\)\. Which mechanics learned from the mechanic with MECH_ID (\d+), directly or "
                    r"through\nothers \(someone that \1 trained, someone whom that one trained, and so on\)\? Leave out \1\. Return MECH_ID and NAME, each once\.".replace(r"\1", r"\d+"))
    first, taught, seen = int(shop.asked[0]), collections.defaultdict(list), set()
    for row in shop.trainings:
        taught[row["TRAINER"]].append(row["MECH_ID"])
    left = [first]
    while left:
        for pupil in taught[left.pop()]:
            if pupil not in seen:
                seen.add(pupil)
                left.append(pupil)
    rows = [[it_["MECH_ID"], it_["NAME"]] for it_ in shop.mechanics if it_["MECH_ID"] in seen - {first}]
    expects(it, shop, ["MECH_ID", "NAME"], rows)


VERIFIERS = {
    verifier.__name__: verifier
    for verifier in (fitted, idle_mechanics, outgrown, busy_makes, all_garages, margins, dearest_by_town, pauses, unfinished_by_month, lineage)
}

if __name__ == "__main__":
    bundle.main(VERIFIERS, lambda instance: instance.task)
