"""Solves the instances of the suite `consumer` from their prompts and sandboxes (see README.md)."""

import glob
import json
import re

import pandas as pd
from common import MONTHS, OFF, clean, listed, lower, main, number, once, reply, rounded, rows, same, table, tables, text, write


def worst_state(prompt, lake):
    k = int(re.search(r"Which (\d+) of its areas", prompt)[1])
    fraud = table(f"{lake}/fraud.csv", "Metropolitan Area", encoding="cp1252")
    fraud = fraud.assign(area=[clean(cell) for cell in fraud["Metropolitan Area"]], fraud=[number(cell, mark=r"\*$") for cell in fraud["# of Reports"]])
    fraud["shown"] = fraud["Metropolitan Area"].str.strip()
    theft = tables(f"{lake}/Identity Theft/*.csv", "Metropolitan Area", encoding="cp1252")
    if "decoy" in OFF:
        theft = pd.concat([theft, tables(f"{lake}/archive/*/*.csv", "Metropolitan Area", encoding="cp1252")])
    theft = theft.assign(row=[same(cell) for cell in theft["Metropolitan Area"]], area=[clean(cell) for cell in theft["Metropolitan Area"]])
    theft["theft"] = [number(cell, mark=r"\*$") for cell in theft["# of Reports"]]
    theft = once(theft, ["_file", "row"])
    both = theft.merge(fraud[["area", "shown", "fraud"]], on="area").dropna(subset=["theft", "fraud"])
    sums = both.groupby("_file")[["theft", "fraud"]].sum()
    worst = both[both["_file"] == (sums.theft / sums.fraud).idxmax()].sort_values(["theft", "shown"], ascending=[False, True])
    return reply(list(worst.shown.head(k)))


def loss_of_a_category(prompt, lake):
    name = re.search(r"The file lake/(\S+\.tsv)", prompt)[1]
    book = tables(f"{lake}/*.tsv" if "decoy" in OFF else f"{lake}/{name}", "Category", "\t")
    written = "written" not in OFF
    share = [re.fullmatch(r"(\d+)\s*%" if written else r"(\d+)%", cell.strip()) for cell in book["With a Loss"]]
    total = [re.fullmatch(r"\$([\d.,]+)(M| million)" if written else r"\$([\d.,]+)(M)", cell.strip()) for cell in book["Total Loss"]]
    book["share"] = [number(found[1]) / 100 if found else None for found in share]
    book["total"] = [number(found[1]) * 1e6 if found else None for found in total]
    book["median"] = [number(cell.strip().lstrip("$"), ("n/a", "–"), " *USD$") for cell in book["Median Loss"]]
    book["paying"] = [number(cell, mark="r$") for cell in book["Reports"]] * book["share"].astype(float)
    book = once(book, ["_file", "Category"])
    book = book.assign(part=book["median"] / (book["total"].astype(float) / book["paying"]))
    least = book.dropna(subset=["part"]).sort_values("part", kind="stable").iloc[0]
    return reply({"category": least["Category"].strip(), "part": rounded(least["part"], 4), "share": rounded(100 * least["paying"] / book["paying"].sum(), 2)})


def growth_by_new_names(prompt, lake):
    k = int(re.search(r"Which (\d+) categories", prompt)[1])
    category = {lower(row[1].strip()): row[0].strip() for row in rows(f"{lake}/codes.csv")[1:] if len(row) > 1}
    old = table(f"{lake}/2023/complaints.csv", "Code", ";")
    old = old.assign(row=[same(cell) for cell in old["Code"]], n=[number(cell, decimal=",") for cell in old["Count"]])
    old["category"] = [category.get(lower(cell.strip())) for cell in old["Code"]]
    new = table(f"{lake}/2024/complaints.csv", "Category")
    new["n"] = [number(cell) for cell in new["Count"]]
    years = pd.DataFrame({"old": once(old, ["row"]).groupby("category").n.sum(), "new": once(new, ["Category"]).groupby("Category").n.sum()}).dropna()
    growth = (years.new - years.old) / years.old
    return reply(list(growth.sort_values(ascending=False).index[:k]))


def age_bands(prompt, lake):
    method = re.search(r"paid by (.+?) whose", prompt)[1]
    bands = [(int(low), int(high)) for low, high in re.findall(r"(\d+)-(\d+)", text(f"{lake}/hotline/README.txt").split("\n")[0])]
    calls = [[cell.strip() for cell in line.split("|")] for line in text(f"{lake}/hotline/2024.log").split("\n")]
    calls = pd.DataFrame([call for call in calls if len(call) == 5], columns=["no", "day", "age", "method", "loss"])
    calls = once(calls, ["no"])
    calls["age"] = [number(cell.removeprefix("age "), ("?", "not told")) for cell in calls["age"]]
    calls["loss"] = [number(cell.lstrip("$"), mark=" *USD$") for cell in calls["loss"]]
    calls["band"] = [next((f"{low}-{high}" for low, high in bands if low <= age <= high), None) for age in calls["age"]]
    calls = calls[calls["method"].map(lower) == method].dropna(subset=["loss", "band"])
    medians, sums = calls.groupby("band").loss.median(), calls.groupby("band").loss.sum()
    band = medians.idxmax()
    return reply({"band": band, "median": rounded(medians[band], 1), "share": rounded(100 * sums[band] / sums.sum(), 2)})


def channels_shift(prompt, lake):
    then, now = re.search(r"from (\d{4}) to (\d{4})", prompt).groups()
    parts = [table(path, "State", group=True) for path in sorted(glob.glob(f"{lake}/channels/*.csv"))]
    sheet = pd.concat(parts, ignore_index=True)
    sheet.columns = ["State", "Channel", *sheet.columns[2:]]
    sheet = once(sheet.assign(row=[same(cell) for cell in sheet["Channel"]]), ["State", "row"])
    sheet["Channel"] = [cell if "space" in OFF else " ".join(cell.split()) for cell in sheet["Channel"]]
    columns = [f"{then} Reports", f"{now} Reports", f"{now} Losses"]
    for column in columns:
        sheet[column] = [number(cell.strip().lstrip("$"), mark=" *p$") for cell in sheet[column]]
    old, new, losses = (sheet.groupby("Channel")[column].sum() for column in columns)
    points = 100 * new / new.sum() - 100 * old / old.sum()
    most = points.idxmax()
    return reply({"channel": most, "points": rounded(points[most], 2), "losses": rounded(losses[most] / 1000, 3)})


def day(cell):
    for pattern in (r"(\d+)\.(\d+)\.(\d{4})", r"(\d+)\.?\s+(\w+)\s+(\d{4})"):
        found = re.fullmatch(pattern, cell.strip())
        if found:
            month = int(found[2]) if found[2].isdigit() else MONTHS.index(found[2]) + 1
            return pd.Timestamp(int(found[3]), month, int(found[1]))
    return pd.NaT


def refunds_in_crowns(prompt, lake):
    days = int(re.search(r"at most (\d+) days", prompt)[1])
    firms = {clean(firm["name"]): firm for firm in json.loads(text(f"{lake}/firms.json"))}
    rate = {currency: float(units) for currency, units in listed(f"{lake}/rates.yaml", "currency", "per_crown").items()}
    cases = once(tables(f"{lake}/cases/*.csv", "No", ";"), ["No"])
    cases = cases.assign(firm=[clean(cell) for cell in cases["Firm"]], refund=[number(cell, decimal=",") for cell in cases["Refund"]])
    took = pd.Series([day(closed) - day(opened) for opened, closed in zip(cases["Opened"], cases["Closed"])], index=cases.index)
    cases = cases[(took <= pd.Timedelta(days=days)) & cases.firm.isin(firms)]
    crowns = pd.Series([refund / rate[firms[firm]["currency"]] for firm, refund in zip(cases.firm, cases.refund)]).groupby(list(cases.firm)).sum()
    answer = reply({"firm": firms[crowns.idxmax()]["name"], "crowns": rounded(crowns.max(), 2)})
    write("answer.json", answer)
    return f"Wrote ./answer.json: {answer}"


if __name__ == "__main__":
    main(worst_state, loss_of_a_category, growth_by_new_names, age_bands, channels_shift, refunds_in_crowns)
