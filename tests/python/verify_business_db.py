"""Recomputes every answer key of a bundle of the business database from its databases and prompts: rows are read, joined and ranked here.

    python3 verify_business_db.py BUNDLE [SANDBOX_ROOT]

Prints `N of N agree`; exits 1 on any disagreement.
"""

import collections
import datetime

import bundle
from bundle import Disagreement, Fraction, Rows, agree, asked

COLUMNS = {
    "customers": ["CUST_ID", "NAME", "REGION", "SINCE"],
    "products": ["SKU", "TITLE", "CATEGORY", "PRICE"],
    "orders": ["ORD_ID", "CUST_ID", "ORDERED", "SHIPPED", "STATUS"],
    "lines": ["ORD_ID", "POS", "SKU", "QTY"],
    "returns": ["RET_ID", "ORD_ID", "POS", "RETURNED", "REASON"],
}


def books(it, path):
    """The five tables; keys are unique and lead somewhere, also those of two columns."""
    tables = it.tables(it.below(path))
    agree("tables", list(COLUMNS), list(tables))
    for name, columns in COLUMNS.items():
        if any(list(row) != columns for row in tables[name]):
            raise Disagreement(f"columns of {name}")
    lines = [(row["ORD_ID"], row["POS"]) for row in tables["lines"]]
    agree("keys of lines", len(lines), len(set(lines)))
    agree("keys of products", len(tables["products"]), len({row["SKU"] for row in tables["products"]}))
    for row in tables["returns"]:
        if (row["ORD_ID"], row["POS"]) not in lines:
            raise Disagreement(f"a return of no line: {row}")
    for row in tables["orders"]:
        if row["SHIPPED"] is not None and not 1 <= (day(row["SHIPPED"]) - day(row["ORDERED"])).days <= 21:
            raise Disagreement(f"shipped at the wrong time: {row}")
    return tables


def day(text):
    return datetime.date.fromisoformat(text)


def by(rows, key):
    return {row[key]: row for row in rows}


def revenue_of_region(it):
    path, region = asked(
        it,
        r"The database (\S+) holds customers, products, orders, their lines and returns\. What is the revenue of completed orders from\n"
        r"customers in the region (\S+): the sum of QTY × PRICE over all lines of those orders\? Reply with the number only, with 2 decimals\.",
    )
    tables = books(it, path)
    customers, orders, products = by(tables["customers"], "CUST_ID"), by(tables["orders"], "ORD_ID"), by(tables["products"], "SKU")
    total, lines = Fraction(0), 0
    for line in tables["lines"]:
        order = orders[line["ORD_ID"]]
        if order["STATUS"] == "completed" and customers[order["CUST_ID"]]["REGION"] == region:
            # The double nearest to a price of two places shows just these.
            total += line["QTY"] * Fraction(repr(products[line["SKU"]]["PRICE"]))
            lines += 1
    if not lines:
        raise Disagreement("the sum of nothing has no value: the sample should have been drawn again")
    it.expects_value("reply", "number", total, {"": {"within": "0.01"}})


def returned_products(it):
    path, reason = asked(
        it,
        r"Which products of (\S+) were returned for the REASON (.+)\? A return names a line of an order by ORD_ID and POS\. Reply with a JSON array of\n"
        r"their SKU, each once\.",
    )
    tables = books(it, path)
    sku = {(line["ORD_ID"], line["POS"]): line["SKU"] for line in tables["lines"]}
    found = sorted({sku[row["ORD_ID"], row["POS"]] for row in tables["returns"] if row["REASON"] == reason})
    if not found:
        raise Disagreement("nothing was returned: the sample should have been drawn again")
    it.expects_value("reply", "list", found)


def kept_orders(it):
    (path,) = asked(it, r"How many completed orders in (\S+) have no return at all\? Reply with the number only\.")
    tables = books(it, path)
    returned = {row["ORD_ID"] for row in tables["returns"]}
    kept = [row for row in tables["orders"] if row["STATUS"] == "completed" and row["ORD_ID"] not in returned]
    it.expects_value("reply", "number", len(kept))


def top_customers(it):
    (path,) = asked(
        it,
        r"Which three customers in (\S+) have the most orders\? Reply with a JSON array of their CUST_ID, most orders first; where two have as\n"
        r"many orders, the lower CUST_ID comes first\.",
    )
    orders = collections.Counter(row["CUST_ID"] for row in books(it, path)["orders"])
    it.expects_value("reply", "list", sorted(orders, key=lambda who: (-orders[who], who))[:3], {"": {"ordered": True}})


def longest_pause(it):
    path, customer = asked(
        it,
        r"In (\S+), take the orders of the customer with CUST_ID (\d+) in the order of their dates\. What is the longest pause between one order and the next, in\n"
        r"whole days\? Reply with the number only\.",
    )
    days = sorted(day(row["ORDERED"]) for row in books(it, path)["orders"] if row["CUST_ID"] == int(customer))
    it.expects_value("reply", "number", max((after - before).days for before, after in zip(days, days[1:])))


def best_sellers(it):
    path, answer = asked(
        it,
        r"For each CATEGORY of products in (\S+) of which anything was ordered, which SKU was ordered most \(by the sum of QTY over all lines; of equal sums the SKU that\n"
        r"comes first in the alphabet\)\? Write a CSV file (\S+) with the header CATEGORY,SKU,SOLD and one line for each category\.",
    )
    tables = books(it, path)
    sold = collections.Counter()
    for line in tables["lines"]:
        sold[line["SKU"]] += line["QTY"]
    best = {}
    for product in sorted(tables["products"], key=lambda row: row["SKU"]):
        number = sold[product["SKU"]]
        if number and number > best.get(product["CATEGORY"], ("", 0))[1]:
            best[product["CATEGORY"]] = (product["SKU"], number)
    rows = [[category, *best[category]] for category in sorted(best)]
    it.expects_value({"file": it.below(answer)}, "rows", Rows(["CATEGORY", "SKU", "SOLD"], rows))


def late_shipments(it):
    path, month, days = asked(
        it,
        r"In (\S+), how many orders that were ORDERED in month (\d+) of 2024 were SHIPPED more than (\d+) days later\? Orders not shipped yet do\n"
        r"not count\. Reply with the number only\.",
    )
    late = 0
    for row in books(it, path)["orders"]:
        ordered = day(row["ORDERED"])
        if (ordered.year, ordered.month) == (2024, int(month)) and row["SHIPPED"] is not None:
            late += (day(row["SHIPPED"]) - ordered).days > int(days)
    it.expects_value("reply", "number", late)


REPORT = r"For each REGION in (\S+): how many orders do its customers have \(ORDERS\), and how many of them are completed \(COMPLETED\)\?\n"


def report(it, wording):
    path, *named = asked(it, REPORT + wording)
    tables = books(it, path)
    region = {row["CUST_ID"]: row["REGION"] for row in tables["customers"]}
    counts = collections.defaultdict(lambda: [0, 0])
    for row in tables["orders"]:
        counts[region[row["CUST_ID"]]][0] += 1
        counts[region[row["CUST_ID"]]][1] += row["STATUS"] == "completed"
    return path, named, Rows(["REGION", "ORDERS", "COMPLETED"], [[name, *counts[name]] for name in sorted(counts)])


def report_file(it):
    _, (answer,), rows = report(it, r"Write a CSV file (\S+) with the header REGION,ORDERS,COMPLETED and one line for each region\.")
    it.expects_value({"file": it.below(answer)}, "rows", rows)


def report_reply(it):
    _, _, rows = report(it, r"Reply with a Markdown table of the columns REGION, ORDERS and COMPLETED\.")
    it.expects_value("reply", "rows", rows)


def report_sql(it):
    path, _, rows = report(it, r"Reply with one SQL query for SQLite that gives it, in a fenced block marked `sql`\.")
    it.expects_value("reply", "sql", rows, slice={"fenced": "sql"}, database=it.below(path))


VERIFIERS = {
    ("revenue_of_region", None): revenue_of_region,
    ("returned_products", None): returned_products,
    ("kept_orders", None): kept_orders,
    ("top_customers", None): top_customers,
    ("longest_pause", None): longest_pause,
    ("best_sellers", None): best_sellers,
    ("late_shipments", None): late_shipments,
    ("region_report", "csv_file"): report_file,
    ("region_report", "reply"): report_reply,
    ("region_report", "sql"): report_sql,
}

if __name__ == "__main__":
    bundle.main(VERIFIERS, lambda instance: (instance.task, instance.variant))
