"""Writes the files of `suites/lake/data` and `suites/lake/limits.csv`: the records of a harbor that does not exist.

    python3 make.py

The files are in the public domain (CC0 1.0). The script needs only Python's standard library and writes the same bytes each time.
"""

import datetime
import io
import json
import pathlib
import zipfile

HERE = pathlib.Path(__file__).parent
DATA = HERE / "data"
MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]
VESSELS = ["Aurora", "Brise", "Étoile", "Greta", "Håkon", "Mistral", "Osprey", "Zoë"]


class Dice:
    """A linear congruential generator, so that no version of Python changes the files."""

    def __init__(self, seed):
        self.state = seed

    def below(self, count):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % count

    def between(self, low, high):
        return low + self.below(high - low + 1)

    def choice(self, items):
        return items[self.below(len(items))]

    def hits(self, percent):
        return self.below(100) < percent


def write(path, text, encoding="utf-8", end="\n"):
    target = DATA / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(text.replace("\n", end).encode(encoding))


def quoted(cell, delimiter):
    cell = str(cell)
    return '"' + cell.replace('"', '""') + '"' if any(mark in cell for mark in (delimiter, '"', "\n")) else cell


def table(rows, delimiter=","):
    width = max(len(row) for row in rows)
    return "".join(delimiter.join(quoted(cell, delimiter) for cell in [*row, *[""] * (width - len(row))]) + "\n" for row in rows)


def comma(hundredths):
    """German: `1.234,50`."""
    return f"{hundredths // 100:,}".replace(",", ".") + f",{hundredths % 100:02}"


def spaced(hundredths):
    """French: `1 234,50 €` with no-break spaces between the groups, and `-` before all."""
    sign, size = ("-" if hundredths < 0 else ""), abs(hundredths)
    return sign + f"{size // 100:,}".replace(",", "\u00a0") + f",{size % 100:02} €"


def rain(dice):
    """Wide months, a title, a footer after an empty record, `M` for missing, a `T` after a number that was a trace."""
    for station, wet in [("Harbor", 40), ("Lighthouse", 55), ("Moor", 90), ("Upland", 130)]:
        rows = [[f"Monthly rainfall at {station} (mm)"], [], ["Year", *MONTHS, "Days observed"]]
        for year in range(2015, 2024):
            cells = []
            for month in range(12):
                amount = dice.between(0, wet * 20) if month in (0, 1, 10, 11) else dice.between(0, wet * 12)
                written = f"{amount // 10}.{amount % 10}"
                cells.append("M" if dice.hits(5) else written + "T" if amount < 40 else written)
            rows.append([year, *cells, dice.between(340, 365)])
        rows += [[], ["M: no observation. T: the value includes traces."], ["Source: weather desk of the harbor office"]]
        write(f"rain/{station}.csv", table(rows), end="\r\n")


def landings(dice):
    """Semicolons, decimal commas, German dates, windows-1252, three files in one form."""
    for year in (2021, 2022, 2023):
        rows = [["Datum", "Schiff", "Hafen", "Art", "Gewicht (kg)", "Erlös (€)"]]
        day = datetime.date(year, 1, 4)
        while day.year == year:
            species, price = dice.choice([("Hering", 90), ("Köhler", 210), ("Dorsch", 480), ("Scholle – groß", 650)])
            weight = dice.between(2_000, 400_000)
            earned = weight * price // 100
            rows.append([day.strftime("%d.%m.%Y"), dice.choice(VESSELS), dice.choice(["Nordkai", "Südkai", "Fährhafen"]), species,
                         "k. A." if dice.hits(4) else comma(weight), "k. A." if dice.hits(6) else comma(earned)])
            day += datetime.timedelta(days=dice.between(1, 6))
        write(f"fishing/landings_{year}.csv", table(rows, ";"), "windows-1252", "\r\n")


def vessels(dice):
    """Dates in words, a unit after the number, line breaks inside quotes, quotes inside quotes."""
    rows = [["Vessel", "Registered", "Tonnage", "Owner", "Remarks"]]
    for vessel in VESSELS:
        day = datetime.date(1993, 1, 1) + datetime.timedelta(days=dice.below(12_000))
        tons = dice.between(180, 24_000)
        rows.append([vessel, f"{day.day} {MONTHS[day.month - 1]} {day.year}", f"{tons // 10:,}.{tons % 10} t", dice.choice(["Nordfisk AS", "Baltic & Sons", 'Reederei "Anker"']),
                     dice.choice(["", "inspected\nsee file 12", "crew: 6, mate: 1", 'called "the old lady"'])])
    write("fishing/vessels.csv", table(rows))


def complaints(dice):
    """Title rows, thousands, percent, dollars, two missing marks, a footer; windows-1252 for its dashes."""
    names = ["Noise – quays", "Noise – ships", "Smell of fish", "Oil on water", "Late ferries", "Lost luggage", "Closed toilets", "Broken lamps", "Ticket machines", "Stray dogs",
             "Café prices", "Parking fines"]
    counts = sorted((dice.between(40, 2_400) for _ in names), reverse=True)
    total = sum(counts)
    rows = [["Complaints to the harbor office, 2024"], [], ["Rank", "Category", " # of  Complaints ", "Share", "Compensation Paid"]]
    for rank, (name, count) in enumerate(zip(names, counts), 1):
        cents = dice.between(0, 4_000_000)
        paid = dice.choice(["n/a", "–"]) if dice.hits(25) else f"${cents // 100:,}.{cents % 100:02} "
        rows.append([rank, name, f"{count:,}", f"{(count * 1000 + total // 2) // total / 10:.1f}%", paid])
    rows += [[], [f"Shares are of all {total:,} complaints. A complaint has one category."], [], ["Source: harbor office – complaints desk"]]
    write("reports/complaints_2024.csv", table(rows), "windows-1252", "\r\n")


def tourism(dice):
    """Two header rows, tabs, UTF-16 with a byte order mark."""
    districts = ["North", "South", "Old Town"]
    rows = [["Guests and nights by district"], [], ["", "", *[cell for district in districts for cell in (district, "")]], ["Year", "Quarter", *["Guests", "Nights"] * 3]]
    for year in (2022, 2023, 2024):
        for quarter in ("Q1", "Q2", "Q3", "Q4"):
            row = [year, quarter]
            for _ in districts:
                guests = dice.between(900, 14_000)
                row += [f"{guests:,}", "..." if dice.hits(8) else f"{guests * dice.between(11, 52) // 10:,}"]
            rows.append(row)
    rows += [[], ["...: not yet known"]]
    write("reports/tourism.tsv", "\ufeff" + table(rows, "\t"), "utf-16-le", "\r\n")


def budget(dice):
    """A header that appears twice, euros after the number, no-break spaces between groups, negative numbers, ISO 8859-15."""
    rows = [["Konto", "Titel", "Betrag", "Betrag"]]
    for account, title in enumerate(["Lotsen", "Bagger", "Schleusen", "Büro", "Gebühren", "Zölle", "Pacht", "Strom"], 401):
        plan = dice.between(-190_000_00, 250_000_00)
        rows.append([account, title, spaced(plan), spaced(plan + dice.between(-9_000_00, 9_000_00))])
    rows.append(["Summe", "", "", ""])
    write("reports/budget.csv", table(rows, ";"), "iso-8859-15")


def movements(dice):
    """One file, two sections with a header each, and a last line that counts."""
    def moves(count):
        at = datetime.datetime(2024, 5, 1, 6)
        for _ in range(count):
            at += datetime.timedelta(minutes=dice.between(20, 190))
            late = dice.choice([0, 0, 0, 1, 2, 4, 7, 11, 12, 18, 25, 43])
            yield [dice.choice(VESSELS), dice.choice(["Kirk", "Lund", "Öland", "Sund"]), at.strftime("%d/%m/%Y %H:%M"),
                   "cancelled" if dice.hits(7) else (at + datetime.timedelta(minutes=late)).strftime("%d/%m/%Y %H:%M")]

    rows = [["Movements in the ferry port, May 2024"], [], ["Departures"], ["Vessel", "Destination", "Planned", "Left"], *moves(70)]
    rows += [[], ["Arrivals"], ["Vessel", "Origin", "Planned", "Came"], *moves(65), ["Total movements", 135]]
    write("ferries/movements.csv", table(rows))


def crossings(dice):
    """Columns at characters, a ruler under the header, blanks for missing, ISO 8859-1."""
    lines = ["CROSSINGS BY VESSEL AND DAY", "", "VESSEL        DATE        PASS   CARS", "------------  ----------  -----  ----"]
    total, day = 0, datetime.date(2024, 5, 1)
    for _ in range(31):
        for vessel in VESSELS[:4]:
            passengers, cars = dice.between(12, 1_450), dice.between(0, 160)
            total += passengers
            lines.append(f"{vessel:<12}  {day:%Y-%m-%d}  {passengers:>5,}  {'' if dice.hits(9) else cars:>4}".rstrip())
        day += datetime.timedelta(days=1)
    lines.append(f"TOTAL                     {total:,}")
    write("ferries/crossings.txt", "\n".join(lines) + "\n", "iso-8859-1")


def logs(dice):
    """Lines of a log, with a few that are none."""
    for pump in (1, 2, 3):
        at, lines = datetime.datetime(2024, 3, 1), ["== log opened =="]
        for _ in range(160):
            at += datetime.timedelta(minutes=dice.between(1, 40))
            bar = dice.between(18, 62)
            level = "ALARM" if bar > 58 else "WARN" if bar > 50 else "INFO"
            lines.append(f"{at:%Y-%m-%dT%H:%M} [{level}] pump {pump} pressure {bar / 10:.1f} bar" + (f" ({dice.choice(['valve open', 'manual', 'valve stuck'])})" if dice.hits(20) else ""))
        lines.append("== log closed ==")
        write(f"logs/pump-{pump}.log", "\n".join(lines) + "\n")


def bulletins(dice):
    """A date of three words in a line, a number that means missing, ISO 8859-1."""
    for month, name in ((1, "Jan"), (2, "Feb")):
        lines = [":Issued by the harbor office", "# Sea temperature at noon, °C"]
        for day in range(1, 29):
            for place in ("Pier", "Buoy"):
                tenths = dice.between(-12, 61)
                lines.append(f"2024 {name} {day:02}  {-999.9 if dice.hits(6) else tenths / 10:>6.1f}  {place}")
        write(f"bulletins/2024-{month:02}.txt", "\n".join(lines) + "\n", "iso-8859-1")


def catalogue(dice):
    """JSON below a path, with nested fields, nulls and fields that are absent."""
    items = []
    for number in range(1, 41):
        limits = {"length_m": dice.between(80, 990) / 10}
        if not dice.hits(15):
            limits["draft_m"] = None if dice.hits(20) else dice.between(12, 98) / 10
        items.append({"berth": f"B{number:02}", "quay": dice.choice(["Nordkai", "Südkai", "Fährhafen"]), "limits": limits, "power": dice.hits(50)})
    write("catalogue.json", json.dumps({"status": "ok", "result": {"count": len(items), "items": items}}, ensure_ascii=False, indent=1) + "\n")


def stations():
    """YAML below a path."""
    rows = [("Harbor", 3, "open"), ("Lighthouse", 21, "open"), ("Moor", 68, "closed"), ("Upland", 412, "open")]
    write("stations.yaml", "version: 2\nstations:\n" + "".join(f"  - name: {name}\n    height_m: {height}\n    state: {state}\n" for name, height, state in rows))


def column(index):
    return "ABCDEFGHIJ"[index]


def sheet(rows, merged=()):
    """One sheet; a cell is a text, a number, None, a date, or a formula with its stored value."""
    out = io.StringIO()
    out.write('<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>')
    for number, cells in enumerate(rows, 1):
        out.write(f'<row r="{number}">')
        for index, cell in enumerate(cells):
            at = f"{column(index)}{number}"
            if isinstance(cell, str):
                text = cell.replace("&", "&amp;").replace("<", "&lt;")
                out.write(f'<c r="{at}" t="inlineStr"><is><t>{text}</t></is></c>')
            elif isinstance(cell, datetime.date):
                out.write(f'<c r="{at}" s="1"><v>{(cell - datetime.date(1899, 12, 30)).days}</v></c>')
            elif isinstance(cell, tuple):
                out.write(f'<c r="{at}"><f>{cell[0]}</f><v>{cell[1]}</v></c>')
            elif cell is not None:
                out.write(f'<c r="{at}"><v>{cell}</v></c>')
        out.write("</row>")
    out.write("</sheetData>")
    if merged:
        out.write(f'<mergeCells count="{len(merged)}">' + "".join(f'<mergeCell ref="{span}"/>' for span in merged) + "</mergeCells>")
    out.write("</worksheet>")
    return out.getvalue()


def survey(dice):
    """A workbook with three sheets; the tables begin below a title, have two header rows, and end before a total."""
    def year(number):
        rows = [[f"Survey of the bay, {number}"], [], ["Site", "Day", "Counts", None, "Water"], [None, None, "Seals", "Birds", "°C"]]
        day = datetime.date(number, 4, 1)
        for site in range(1, 37):
            heat = dice.between(41, 169)
            rows.append([f"S{site:02}", day, "n/a" if dice.hits(8) else dice.between(0, 40), dice.between(10, 900) + 4 * heat, heat / 10])
            day += datetime.timedelta(days=dice.between(1, 4))
        last = len(rows)
        rows.append(["Total", None, (f"SUM(C5:C{last})", sum(row[2] for row in rows[4:] if isinstance(row[2], int))), (f"SUM(D5:D{last})", sum(row[3] for row in rows[4:])), None])
        return sheet(rows, ["C3:D3"])

    parts = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>'
        + "".join(f'<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>' for n in (1, 2, 3)) + "</Types>",
        "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>'
        + "".join(f'<sheet name="{name}" sheetId="{n}" r:id="rId{n}"/>' for n, name in ((1, "Notes"), (2, "2023"), (3, "2024"))) + "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        + "".join(f'<Relationship Id="rId{n}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet{n}.xml"/>' for n in (1, 2, 3))
        + '<Relationship Id="rId4" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>',
        "xl/styles.xml": '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts count="1"><font/></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
        "xl/worksheets/sheet1.xml": sheet([["The counts are from boats."], ["n/a: the site could not be reached"]]),
        "xl/worksheets/sheet2.xml": year(2023),
        "xl/worksheets/sheet3.xml": year(2024),
    }
    with zipfile.ZipFile(DATA / "survey.xlsx", "w", zipfile.ZIP_STORED) as book:
        for name, text in parts.items():
            book.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), text.encode())


def main():
    DATA.mkdir(exist_ok=True)
    rain(Dice(1))
    landings(Dice(2))
    vessels(Dice(3))
    complaints(Dice(4))
    tourism(Dice(5))
    budget(Dice(6))
    movements(Dice(7))
    crossings(Dice(8))
    logs(Dice(9))
    bulletins(Dice(10))
    catalogue(Dice(11))
    stations()
    survey(Dice(12))
    write("README.txt", "Records of a harbor that does not exist. Public domain (CC0 1.0).\n")
    (HERE / "limits.csv").write_text("Pump;Most (bar)\n1;5,0\n2;4,8\n3;5,3\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
