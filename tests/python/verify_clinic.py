"""Recomputes every answer key of a bundle of the clinics from the files that were handed out.

    python3 verify_clinic.py BUNDLE [SANDBOX_ROOT]

Prints `N of N agree`; exits 1 on any disagreement. Needs PyYAML.
"""

import datetime
import math

from dirty import POUND, below, day, drawn, fold, german, grouped, known, main, matches, mean, number, once, stdev, stem, table, tables


def glucose(it):
    sex = {fold(row["PATIENT"]): row["SEX"] for row in it.records("lake/patients.csv")}
    tests = []
    for row in once(tables(it, below(it, "lake/labs", ".csv"), "Laboratory", delimiter=";"), "Test"):
        value = known(row["Glucose"], ("hemolyzed", ""), german)
        if value is not None:
            tests.append((fold(row["Patient"]), row["Laboratory"], value if row["Unit"] == "mmol/L" else value / 18.016))
    means = {patient: mean(values) for patient, values in grouped(tests, lambda row: row[0], lambda row: row[2]).items() if len(values) >= 3}
    above = [patient for patient, average in means.items() if average > drawn(it, "limit")]
    highest = max(means, key=means.get)
    return {
        None: {"above": len(above), "women": sum(sex[patient] == "f" for patient in above), "highest": highest},
        "means_of_labs": {lab: mean(values) for lab, values in grouped(tests, lambda row: row[1], lambda row: row[2]).items()},
        "often": {"tests": len(tests), "patients": len(means)},
        "top_mean": means[highest],
    }


def change_in_two_arms(it):
    arms = {kit.get("number"): kit.findtext("arm") for kit in it.xml("lake/randomization.xml")}
    subjects = {fold(row["SUBJECT"]): (arms[row["KIT"]], row["SITE"]) for row in it.records("lake/subjects.tsv", "\t")}
    weeks = {week: {fold(row["Subject"]): known(row["Pressure"], ("ND", "-")) for row in table(it, f"lake/visits/week_{week}.csv", "Week")} for week in (0, 12)}
    complete = {subject: (first, weeks[12][subject]) for subject, first in weeks[0].items() if first is not None and weeks[12].get(subject) is not None}
    changes = {subject: last - first for subject, (first, last) in complete.items()}
    active, placebo = (mean(change for subject, change in changes.items() if subjects[subject][0] == arm) for arm in ("active", "placebo"))
    return {
        None: {"effect": active - placebo, "sd": stdev(changes.values())},
        "complete": {site: len(of) for site, of in grouped(complete, lambda subject: subjects[subject][1]).items()},
        "baseline": mean(first for first, _ in complete.values()),
        "active_arm": active,
    }


def vials_for_doses(it):
    drugs = {fold(drug["name"]): drug for drug in it.yaml("lake/formulary.yaml")["drugs"]}
    weights = {row["Patient"]: number(row["Weight"]) * (1 if row["Unit"] == "kg" else POUND) for row in table(it, "lake/weights.csv", "Patient")}
    doses = []
    for row in once(tables(it, below(it, "lake/orders"), "No"), "No"):
        drug = drugs[fold(row["Drug"])]
        mg = weights[row["Patient"]] * drug["mg_per_kg"]
        vials = math.ceil(mg / drug["vial_mg"])
        doses.append((drug["name"], day(row["Given"], "%b %d, %Y", "%m/%d/%Y").month, mg, vials, vials * float(drug["price"]), vials * drug["vial_mg"]))
    by_drug = grouped(doses, lambda row: row[0])
    vials, cost = (sum(row[index] for row in by_drug[it.draws["drug"]]) for index in (3, 4))
    used, opened = (sum(row[index] for row in by_drug[it.draws["second"]]) for index in (2, 5))
    wasted = 100 * (opened - used) / opened
    return {
        None: {"vials": vials, "cost": cost, "wasted": wasted},
        "given": sum(row[2] for row in doses if row[1] == it.draws["month"]),
        "vials_of_each": {drug: sum(row[3] for row in rows) for drug, rows in by_drug.items()},
        "waste": wasted,
    }


def events_per_patient_day(it):
    cut = datetime.date.fromisoformat(it.draws["cut"])
    patients = {}
    for path in below(it, "lake/sites"):
        for row in table(it, path, "Patient", delimiter=";"):
            last = known(row["To"], ("", "ongoing"), lambda text: day(text, "%d.%m.%Y"))
            patients[fold(row["Patient"])] = stem(path), day(row["From"], "%d.%m.%Y"), min(last or cut, cut)
    days = {site: sum((last - first).days + 1 for _, first, last in of) for site, of in grouped(patients.values(), lambda row: row[0]).items()}
    events = dict.fromkeys(days, 0)
    for _, when, who, grade, _ in once(matches(it, ["lake/events.log"], r"(\d+) (.+) patient=(\w+) grade=G(\d) (\w+)"), 0):
        site, first, last = patients[fold(who)]
        events[site] += int(grade) >= it.draws["grade"] and first <= day(when, "%Y-%m-%d", "%d %b %Y") <= last
    rates = [(site, events[site], 1000 * events[site] / days[site]) for site in days]
    return {
        None: {"table": rates, "worst": max(rates, key=lambda row: row[2])[0]},
        "days": days,
        "severe_events": events,
        "overall": 1000 * sum(events.values()) / sum(days.values()),
    }


def out_of_range(it):
    ranges = {test.get("name"): test for test in it.xml("lake/ranges.xml").iter("test")}
    sex = {row["PERSON"]: row["SEX"] for row in it.records("lake/people.csv")}
    results = [{**row, "Test": fold(row["Test"].lower().removesuffix("(serum)"))} for row in table(it, "lake/panel_2024.csv", "Person", delimiter=";", encoding="utf-16")]
    judged = []
    for row in once(results, "Person", "Test"):
        value = known(row["Value"], ("QNS", "clotted"), german)
        if value is not None:
            who = "women" if sex[row["Person"]] == "female" else "men"
            low, high = (float(ranges[row["Test"]].findtext(f"{who}_{end}")) for end in ("from", "to"))
            judged.append((row["Person"], row["Test"], not low <= value <= high))
    bad = {person: sum(of) for person, of in grouped(judged, lambda row: row[0], lambda row: row[2]).items()}
    tests = grouped(judged, lambda row: row[1], lambda row: row[2])
    return {
        None: sorted(person for person, n in bad.items() if n >= it.draws["least"]),
        "share": 100 * mean(row[2] for row in judged),
        "each_test": {test: sum(of) for test, of in tests.items()},
        "worst_test": max(100 * mean(of) for of in tests.values()),
    }


def response_in_two_arms(it):
    outcomes = {fold(row["Subject"]): row["Outcome"] for row in table(it, "lake/outcomes.tsv", "Subject", delimiter="\t")}
    oldest, fields = it.draws["oldest"], {}
    for row in once(tables(it, ["lake/enrolment_alpha.csv", "lake/enrolment_beta.csv"], "Arm"), "Subject"):
        born, entered = day(row["Born"], "%d %B %Y"), day(row["Entered"], "%Y.%m.%d")
        age = entered.year - born.year - ((entered.month, entered.day) < (born.month, born.day))
        outcome = outcomes.get(fold(row["Subject"]), "lost")
        if outcome not in ("lost", "?") and age < oldest:
            fields.setdefault(row["Arm"], [0, 0])[outcome == "non-responder"] += 1
    (a, b), (c, d) = fields["alpha"], fields["beta"]
    expected = [(x, (x + y) * (x + z) / (a + b + c + d)) for x, y, z in ((a, b, c), (b, a, d), (c, d, a), (d, c, b))]
    chi2 = sum((seen - wanted) ** 2 / wanted for seen, wanted in expected)
    odds = (a / b) / (c / d)
    return {
        None: {"odds": odds, "chi2": chi2, "p": math.erfc(math.sqrt(chi2 / 2))},
        "subjects_": {"alpha": a + b, "beta": c + d},
        "fields_": {"alpha": a, "beta": c},
        "ratio": odds,
    }


main(
    glucose=glucose,
    change_in_two_arms=change_in_two_arms,
    vials_for_doses=vials_for_doses,
    events_per_patient_day=events_per_patient_day,
    out_of_range=out_of_range,
    response_in_two_arms=response_in_two_arms,
)
