"""Recomputes every answer key of a bundle of the file formats: csv, json, sqlite3 and ElementTree of Python, PyYAML, openpyxl.

    python3 verify_formats.py BUNDLE [SANDBOX_ROOT]

Prints `N of N agree`; exits 1 on any disagreement.
"""

import collections
import datetime
import pathlib
import re

import bundle
from bundle import Decimal, Disagreement, Fraction, Rows, agree, asked

FIXTURES = pathlib.Path(__file__).parents[2] / "suites" / "fixtures"
PURCHASE = ["ORD_ID", "DAY", "REGION", "ITEM", "QTY", "PRICE"]
CENTS = re.compile(r"-?\d+\.\d\d")


def cents(text):
    """A decimal that is written with two places."""
    if not CENTS.fullmatch(str(text)):
        raise Disagreement(f"no two places: {text!r}")
    return Decimal(str(text))


def total(amounts):
    """The exact sum of decimals, with two places also over nothing."""
    return sum(amounts, Decimal("0.00"))


def purchases(records, *more):
    """Rows of purchases read from texts; days and prices must be written as such."""
    agree("columns", [*PURCHASE, *more], list(records[0]))
    agree("keys", [str(number + 1) for number in range(len(records))], [row["ORD_ID"] for row in records])
    for row in records:
        agree("day", row["DAY"], datetime.date.fromisoformat(row["DAY"]).isoformat())
        cents(row["PRICE"])
    return records


def semicolon_csv(it):
    path, region = asked(
        it,
        r"(\S+) was exported by an office program; its cells are separated by semicolons\. Reply with a JSON object: `orders` \(the number of orders from\n"
        r"the REGION (\w+)\), `units` \(the sum of their QTY\) and `remarks` \(the number of orders from any region whose REMARK is not blank\)\.",
    )
    content = it.content(it.below(path))
    agree("byte order mark", True, content.startswith(b"\xef\xbb\xbf"))
    agree("ends of lines", content.count(b"\n"), content.count(b"\r\n"))
    agree("quotes of the header", b'"ORD_ID";"DAY"', content[3:17])
    rows = purchases(it.records(it.below(path), ";", "utf-8-sig"), "REMARK")
    units = [int(row["QTY"]) for row in rows if row["REGION"] == region]
    remarks = sum(row["REMARK"] != "" for row in rows)
    it.expects_value("reply", "json", {"orders": len(units), "units": sum(units), "remarks": remarks})


def tab_separated(it):
    item, path = asked(it, r"What is the highest PRICE of an order of the ITEM (\w+) in (\S+)\? Reply with the number only\.")
    rows = purchases(it.records(it.below(path), "\t"))
    it.expects_value("reply", "number", max(cents(row["PRICE"]) for row in rows if row["ITEM"] == item))


def json_orders(it):
    path, region = asked(
        it,
        r"(\S+) lists `orders`\. Reply with a JSON object: `total` \(the sum of `total` over the orders of the region (\w+), with 2 decimals\), `vips`\n"
        r"\(the number of orders, of any region, whose customer is a vip\) and `exported` \(the day of the export\)\.",
    )
    book = it.json(it.below(path))
    agree("keys", ["exported", "orders"], list(book))
    for order in book["orders"]:
        agree("keys of an order", ["id", "region", "customer", "qty", "price", "total"], list(order))
        # Half away from zero, to two places.
        gross = order["qty"] * cents(order["price"]) * Decimal("1.2")
        agree("total", gross.quantize(Decimal("0.01"), "ROUND_HALF_UP"), cents(order["total"]))
    answer = {
        "total": total(cents(order["total"]) for order in book["orders"] if order["region"] == region),
        "vips": sum(order["customer"]["vip"] is True for order in book["orders"]),
        "exported": datetime.date.fromisoformat(book["exported"]).isoformat(),
    }
    it.expects_value("reply", "json", answer, {"/total": {"within": "0.01"}})


def yaml_lines(it):
    path, item = asked(
        it,
        r"(\S+) lists `orders`, each with `lines` and `tags`\. Reply with a JSON object: `units` \(the sum of `qty` over all lines of the item (\w+)\),\n"
        r"`unpaid` \(the ids of the orders that are not paid, in the order of the file\), `rush` \(how many orders have the tag `rush`; an order may repeat\n"
        r"a tag\) and `first_lines` \(how many lines the first order has\)\.",
    )
    orders = it.yaml(it.below(path))["orders"]
    agree("different ids", len(orders), len({order["id"] for order in orders}))
    for order in orders:
        if not 1 <= len(order["lines"]) <= 5 or not 0 <= len(order["tags"]) <= 3:
            raise Disagreement(f"lines or tags of {order}")
    answer = {
        "units": sum(line["qty"] for order in orders for line in order["lines"] if line["item"] == item),
        "unpaid": [order["id"] for order in orders if order["paid"] is False],
        "rush": sum("rush" in order["tags"] for order in orders),
        "first_lines": len(orders[0]["lines"]),
    }
    it.expects_value("reply", "json", answer)


TRADE = "{https://example.com/trade}"


def xml_catalogue(it):
    path, sku = asked(
        it,
        r"(\S+) is a catalogue; the prefix `t` stands for https://example\.com/trade\. Reply with a JSON object: `price` \(the `t:price` of the article with the sku\n"
        r"(\S+)\), `scarce` \(how many articles have fewer than 10 in `stock`\), `euro` \(the sum of the `t:price` of all articles in EUR\) and `revised`\n"
        r"\(when the catalogue was revised\)\.",
    )
    root = it.xml(it.below(path))
    agree("root", "catalogue", root.tag)
    articles = root.findall(f"{TRADE}article")
    agree("children", len(root), len(articles))
    for article in articles:
        agree("attributes", ["sku", "currency"], list(article.attrib))
        agree("parts", ["title", f"{TRADE}price", "stock"], [part.tag for part in article])
        agree("attributes of stock", ["depot"], list(article.find("stock").attrib))
    price = {article.get("sku"): cents(article.find(f"{TRADE}price").text) for article in articles}
    agree("different skus", len(articles), len(price))
    answer = {
        "price": price[sku],
        "scarce": sum(int(article.find("stock").text) < 10 for article in articles),
        "euro": total(price[article.get("sku")] for article in articles if article.get("currency") == "EUR"),
        "revised": root.get("revised"),
    }
    it.expects_value("reply", "json", answer, {"/euro": {"within": "0.01"}})


def sqlite_orders(it):
    path, item = asked(it, r"How many different clients in (\S+) have ordered the ITEM (\w+)\? Reply with the number only\.")
    tables = it.tables(it.below(path))
    agree("tables", {"clients": 15, "orders": 90}, {name: len(rows) for name, rows in tables.items()})
    agree("columns", [*PURCHASE, "CLIENT"], list(tables["orders"][0]))
    it.expects_value("reply", "number", len({row["CLIENT"] for row in tables["orders"] if row["ITEM"] == item}))


def workbook(it):
    path, name = asked(
        it,
        r"The workbook (\S+) has the sheets `clients` and `orders`\. Reply with a JSON object: `units` \(the sum of the QTY that (.+) has ordered\), `orders` \(the\n"
        r"number of that client's orders\) and `newest` \(the NAME of the client whose SINCE is the latest, the lower number of CLIENT if several\)\.",
    )
    book = it.workbook(it.below(path))
    agree("sheets", ["clients", "orders"], list(book))
    clients, orders = book["clients"], book["orders"]
    if not all(type(row["SINCE"]) is datetime.datetime for row in clients):
        raise Disagreement("a SINCE that Excel does not know as a day")
    if not all(type(row["QTY"]) is int and type(row["PRICE"]) in (int, float) for row in orders):
        raise Disagreement("a number that Excel does not know as one")
    (client,) = (row["CLIENT"] for row in clients if row["NAME"] == name)
    units = [row["QTY"] for row in orders if row["CLIENT"] == client]
    newest = min(clients, key=lambda row: (-row["SINCE"].toordinal(), row["CLIENT"]))
    it.expects_value("reply", "json", {"units": sum(units), "orders": len(units), "newest": newest["NAME"]})


def csv_to_json(it):
    region, path, answer = asked(
        it,
        r"Write the orders of the REGION (\w+) in (\S+) to (\S+): an array of objects with the keys `id` \(ORD_ID, a number\), `item`, `qty` \(a number\)\n"
        r"and `day` \(as in the file\), ordered by `id`\.",
    )
    rows = purchases(it.records(it.below(path)))
    chosen = [[int(row["ORD_ID"]), row["ITEM"], int(row["QTY"]), row["DAY"]] for row in rows if row["REGION"] == region]
    if not chosen:
        raise Disagreement("no such order: the sample should have been drawn again")
    it.expects_value({"file": it.below(answer)}, "json", Rows(["id", "item", "qty", "day"], chosen))


def json_to_csv(it):
    answer, path = asked(
        it,
        r"Write a CSV file (\S+) from (\S+): the header `town,clients` and one line for each town of the clients, with the number of clients in it\.",
    )
    clients = it.json(it.below(path))["clients"]
    agree("ids", list(range(1, len(clients) + 1)), [client["id"] for client in clients])
    towns = collections.Counter(client["address"]["town"] for client in clients)
    it.expects_value({"file": it.below(answer)}, "rows", Rows(["town", "clients"], [[town, towns[town]] for town in sorted(towns)]))


def json_with_csv(it):
    services, people = asked(
        it,
        r"(\S+) lists services and the TEAM that runs each, (\S+) says who is in which TEAM\. How many people are in a team that runs at least one enabled\n"
        r"service\? Reply with the number only\.",
    )
    teams = {service["TEAM"] for service in it.json(it.below(services))["services"] if service["enabled"] is True}
    rows = it.records(it.below(people))
    agree("people", 60, len({row["EMP_ID"] for row in rows}))
    it.expects_value("reply", "number", sum(row["TEAM"] in teams for row in rows))


def three_formats(it):
    shop, prices, terms = asked(
        it,
        r"(\S+) holds sales, (\S+) the PRICE of each SKU, (\S+) the terms: a sale of at least `minimum` pieces gets a rebate of `rebate` percent\. What do the sales\n"
        r"that get a rebate cost together, after the rebate\? Reply with the number only, with 2 decimals\.",
    )
    # The double nearest to a price of two places shows just these.
    price = {row["SKU"]: Fraction(repr(row["PRICE"])) for row in it.workbook(it.below(prices))["prices"]}
    terms = it.yaml(it.below(terms))
    agree("terms", ["rebate", "minimum"], list(terms))
    sales = [row for row in it.tables(it.below(shop))["sales"] if row["QTY"] >= terms["minimum"]]
    gross = sum(row["QTY"] * price[row["SKU"]] for row in sales)
    it.expects_value("reply", "number", gross * (100 - terms["rebate"]) / 100, {"": {"rounded": 2}})


def rates(it):
    invoices, rates, code = asked(
        it,
        r"(\S+) lists amounts in several currencies, (\S+) how many units of each are worth one euro\. What are the invoices in (\w+) worth together, in\n"
        r"euros\? Reply with the number only, with 2 decimals\.",
    )
    agree("fixture", (FIXTURES / "rates.csv").read_bytes(), it.content(it.below(rates)))
    (rate,) = (Fraction(row["RATE"]) for row in it.records(it.below(rates)) if row["CODE"] == code)
    amounts = [Fraction(cents(row["AMOUNT"])) for row in it.records(it.below(invoices)) if row["CODE"] == code]
    it.expects_value("reply", "number", sum(amounts) / rate, {"": {"rounded": 2}})


def depots(it):
    path, hour, docks = asked(
        it,
        r"Which depots of (\S+) open at (\d) o'clock or earlier and have at least (\d) docks\? Reply with a JSON object: `codes` \(an array of their codes,\n"
        r"in the order of the file\) and `bulk` \(how many depots, of all, take `bulk`\)\.",
    )
    agree("fixture", (FIXTURES / "depots.json").read_bytes(), it.content(it.below(path)))
    found = it.json(it.below(path))["depots"]
    codes = [depot["code"] for depot in found if depot["hours"]["opens"] <= int(hour) and depot["docks"] >= int(docks)]
    it.expects_value("reply", "json", {"codes": codes, "bulk": sum("bulk" in depot["takes"] for depot in found)})


VERIFIERS = {
    "semicolon_csv": semicolon_csv,
    "tab_separated": tab_separated,
    "json_orders": json_orders,
    "yaml_lines": yaml_lines,
    "xml_catalogue": xml_catalogue,
    "sqlite_orders": sqlite_orders,
    "workbook": workbook,
    "csv_to_json": csv_to_json,
    "json_to_csv": json_to_csv,
    "json_with_csv": json_with_csv,
    "three_formats": three_formats,
    "rates": rates,
    "depots": depots,
}

if __name__ == "__main__":
    bundle.main(VERIFIERS, lambda instance: instance.task)
