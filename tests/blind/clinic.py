"""Solves the instances of the suite `clinic` from their prompts and sandboxes (see README.md)."""

import math
import re
import xml.etree.ElementTree as ET
from datetime import datetime, timedelta
from fractions import Fraction

import pandas as pd
from common import OFF, clean, day, lower, main, number, once, reply, rounded, same, table, tables, text, write


def glucose(prompt, lake):
    mmol = float(re.search(r"1 mmol/L is ([\d.]+) mg/dL", prompt)[1])
    limit = float(re.search(r"mean above ([\d.]+) mmol/L", prompt)[1])
    patients = table(f"{lake}/patients.csv", "PATIENT")
    sex = {clean(code): cell.strip() for code, cell in zip(patients["PATIENT"], patients["SEX"])}
    code = {clean(cell): cell.strip() for cell in patients["PATIENT"]}
    tests = once(tables(f"{lake}/labs/*.csv", "Laboratory", ";"), ["Test"])
    tests["patient"] = [clean(cell) for cell in tests["Patient"]]
    tests["value"] = [number(cell, ("hemolyzed",), decimal=",") for cell in tests["Glucose"]]
    tests["value"] /= [mmol if unit.strip() == "mg/dL" else 1 for unit in tests["Unit"]]
    means = tests.dropna(subset=["value"]).groupby("patient").value.agg(["mean", "size"])
    means = means[means["size"] >= 3]["mean"]
    above = means[means > limit].index
    highest = means.idxmax()
    return reply({"above": len(above), "women": sum(sex.get(patient) == "f" for patient in above), "highest": code.get(highest, highest.upper())})


def change_in_two_arms(prompt, lake):
    arm_of = {kit.get("number").strip(): kit.findtext("arm").strip() for kit in ET.parse(f"{lake}/randomization.xml").getroot().iter("kit")}
    subjects = table(f"{lake}/subjects.tsv", "SUBJECT", "\t")
    arm = {clean(subject): arm_of[kit.strip()] for subject, kit in zip(subjects["SUBJECT"], subjects["KIT"])}
    visits = tables(f"{lake}/visits/week_*.csv", "Week")
    visits = once(visits.assign(row=[same(cell) for cell in visits["Subject"]]), ["Week", "row"])
    visits["subject"] = [clean(cell) for cell in visits["Subject"]]
    visits["value"] = [number(cell, ("ND", "-"), r"\*$") for cell in visits["Pressure"]]
    visits = visits.dropna(subset=["value"])[["Week", "subject", "value"]]
    both = visits[visits["Week"] == "0"].merge(visits[visits["Week"] == "12"], on="subject")
    both["change"] = both["value_y"] - both["value_x"]
    both["arm"] = both["subject"].map(arm)
    both = both.dropna(subset=["arm"])
    means = both.groupby("arm").change.mean()
    return reply({"effect": rounded(means["active"] - means["placebo"], 2), "sd": rounded(both.change.std(ddof=1), 2)})


def vials_for_doses(prompt, lake):
    first, second = re.search(r"about all doses of (\w+):.*about all doses of (\w+):", prompt).groups()
    pound = Fraction(re.search(r"1 lb is ([\d.]+) kg", prompt)[1])
    drugs = {}
    for name, body in re.findall(r"- name: *(\S+) *\n((?: {4}\w+:.*\n?)+)", text(f"{lake}/formulary.yaml")):
        drugs[clean(name)] = {key: Fraction(value) for key, value in re.findall(r"(\w+): *([\d.]+)", body)}
    weights = table(f"{lake}/weights.csv", "Patient")
    kilos = {
        patient.strip(): Fraction(weight.strip()) * (pound if unit.strip() == "lb" else 1)
        for patient, weight, unit in zip(weights["Patient"], weights["Weight"], weights["Unit"])
    }
    orders = once(tables(f"{lake}/orders/*.csv", "No"), ["No"])

    def opened(drug):
        of = drugs[clean(drug)]
        doses = [kilos[patient.strip()] * of["mg_per_kg"] for patient, name in zip(orders["Patient"], orders["Drug"]) if clean(name) == clean(drug)]
        return of, sum(math.ceil(dose / of["vial_mg"]) for dose in doses), sum(doses)

    of, vials, _ = opened(first)
    other, more, used = opened(second)
    wasted = 100 * (1 - used / (more * other["vial_mg"]))
    return reply({"vials": vials, "cost": float(round(vials * of["price"], 2)), "wasted": float(round(wasted, 2))})


def events_per_patient_day(prompt, lake):
    end = datetime.fromisoformat(re.search(r"means until (\d{4}-\d\d-\d\d)", prompt)[1])
    grade = int(re.search(r"events of grade (\d) or higher", prompt)[1])
    events = []
    for line in text(f"{lake}/events.log").split("\n"):
        found = re.fullmatch(r"(\d+) (\d{4}-\d\d-\d\d|\d+ \w{3} \d{4}) patient=(\S+) grade=G([1-5]) \S.*", line.strip())
        if found and ("-" in found[2] or "written" not in OFF):
            events.append((found[1], day(found[2], "%Y-%m-%d", "%d %b %Y"), lower(found[3]), int(found[4])))
    events = once(pd.DataFrame(events, columns=["no", "day", "patient", "grade"]), ["no"])
    events = events[events["grade"] >= grade]
    stays = tables(f"{lake}/sites/*.csv", "Patient", ";")
    lines, rates = ["SITE,EVENTS,RATE\n"], {}
    for site, group in stays.groupby("_file"):
        counted = days = 0
        for patient, since, until in zip(group["Patient"], group["From"], group["To"]):
            unknown = until.strip() in ("", "ongoing")
            if unknown and "missing" in OFF:
                continue
            since, until = day(since, "%d.%m.%Y"), end if unknown else min(day(until, "%d.%m.%Y"), end)
            days += max(0, (until - since) // timedelta(days=1) + 1)
            counted += int(((events["patient"] == lower(patient.strip())) & (events["day"] >= since) & (events["day"] <= until)).sum())
        rates[site] = 1000 * counted / days
        lines.append(f"{site},{counted},{rounded(rates[site], 3):.3f}\n")
    write("rates.csv", "".join(lines))
    return max(rates, key=rates.get)


def out_of_range(prompt, lake):
    k = int(re.search(r"out of range in (\d+) tests or more", prompt)[1])
    year = re.search(r"lake/panel_(\d{4})\.csv \(UTF-16\)", prompt)[1]
    ranges = {}
    for test in ET.parse(f"{lake}/ranges.xml").getroot().iter("test"):
        for sex, name in (("female", "women"), ("male", "men")):
            ranges[lower(test.get("name")), sex] = float(test.findtext(f"{name}_from")), float(test.findtext(f"{name}_to"))
    people = table(f"{lake}/people.csv", "PERSON")
    sex = dict(zip(people["PERSON"].str.strip(), people["SEX"].str.strip()))
    panel = tables(f"{lake}/panel_{'*' if 'decoy' in OFF else year}.csv", "Person", ";", "utf-16")
    name = re.compile(r"\s*\(serum\)\s*$", re.IGNORECASE)
    panel = once(panel.assign(row=[same(name.sub("", cell)) for cell in panel["Test"]]), ["_file", "Person", "row"])
    out = {}
    for person, test, cell in zip(panel["Person"].str.strip(), panel["Test"], panel["Value"]):
        test = lower((test if "written" in OFF else name.sub("", test)).strip())
        value = number(cell, ("QNS", "clotted"), decimal=",")
        low, high = ranges.get((test, sex.get(person)), (-math.inf, math.inf))
        out[person] = out.get(person, 0) + (value < low or value > high)
    return reply(sorted(person for person, tests in out.items() if tests >= k))


def response_in_two_arms(prompt, lake):
    limit = int(re.search(r"younger than (\d+) years", prompt)[1])
    outcomes = table(f"{lake}/outcomes.tsv", "Subject", "\t")
    outcomes = once(outcomes.assign(row=[same(cell) for cell in outcomes["Subject"]]), ["row"])
    outcomes["subject"] = [clean(cell) for cell in outcomes["Subject"]]
    subjects = tables(f"{lake}/enrolment_*.csv", "Arm")
    subjects = once(subjects.assign(row=[same(cell) for cell in subjects["Subject"]]), ["_file", "row"])
    subjects["subject"] = [clean(cell) for cell in subjects["Subject"]]
    ages = []
    for born, entered in zip(subjects["Born"], subjects["Entered"]):
        born, entered = day(born, "%d %B %Y"), day(entered, "%Y.%m.%d")
        ages.append(entered.year - born.year - ((entered.month, entered.day) < (born.month, born.day)))
    young = subjects[[age < limit for age in ages]].merge(outcomes[["subject", "Outcome"]], on="subject")
    if "missing" not in OFF:
        young = young[~young["Outcome"].str.strip().isin(["lost", "?", ""])]
    counts = young.groupby([young["Arm"].str.strip(), young["Outcome"].str.strip() == "responder"]).size()
    a, b, c, d = counts["alpha", True], counts["alpha", False], counts["beta", True], counts["beta", False]
    chi2 = (a + b + c + d) * (a * d - b * c) ** 2 / ((a + b) * (c + d) * (a + c) * (b + d))
    return reply({"odds": rounded(a * d / (b * c), 3), "chi2": rounded(chi2, 3), "p": rounded(math.erfc(math.sqrt(chi2 / 2)), 3)})


if __name__ == "__main__":
    main(glucose, change_in_two_arms, vials_for_doses, events_per_patient_day, out_of_range, response_in_two_arms)
