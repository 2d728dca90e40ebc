"""The tasks of tests/krama/{legal,biomedical}.pcd over the files of KramaBench, and every cell of their views, without our code.

    python3 krama.py keys FOLDER            prints {suite: {task: answer}}
    python3 krama.py cells FOLDER < VIEWS   VIEWS is {view: [columns]} of files.pcd, as the compiler read them; prints how many cells agree
    python3 krama.py frames FOLDER < VIEWS  the same with pandas as the reader

FOLDER has the folders `legal` and `biomedical` of the benchmark. Needs openpyxl, and for `frames` pandas. Exits 1 on any disagreement.
"""

import collections
import csv
import datetime
import fractions
import html.parser
import io
import json
import pathlib
import re
import statistics
import sys
import warnings

Fraction = fractions.Fraction
BOOK = "csn-data-book-2024-csv/CSVs/"


# Reading

def records(path):
    """The records of a CSV file, without blanks around cells; what is not UTF-8 is windows-1252."""
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252")
    return [[cell.strip() for cell in record] for record in csv.reader(io.StringIO(text, newline=""))]


def below(table, at):
    """The records below the one at `at`, up to one whose cells are blank."""
    found = []
    for record in table[at + 1:]:
        if not any(record):
            break
        found.append(record)
    return found


def number(text):
    """A number with groups, signs of money, a unit of millions, or a percentage."""
    text = text.replace(",", "").replace("$", "").removesuffix("M").strip()
    return Fraction(text.removesuffix("%")) / (100 if text.endswith("%") else 1)


class Tables(html.parser.HTMLParser):
    """The tables of a page, as texts."""

    def __init__(self):
        super().__init__()
        self.tables, self.hidden = [], 0

    def handle_starttag(self, tag, attributes):
        if tag == "table":
            self.tables.append([])
        elif tag == "tr" and self.tables:
            self.tables[-1].append([])
        elif tag in ("td", "th") and self.tables and self.tables[-1]:
            self.tables[-1][-1].append("")
        elif tag in ("style", "script"):
            self.hidden += 1

    def handle_endtag(self, tag):
        self.hidden -= tag in ("style", "script")

    def handle_data(self, data):
        if not self.hidden and self.tables and self.tables[-1] and self.tables[-1][-1]:
            self.tables[-1][-1][-1] += data


def sheet(folder, book, title=None):
    """The rows of a sheet, as Python values."""
    import openpyxl

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path, = folder.rglob(f"*{book}.xlsx")
        found = openpyxl.load_workbook(path, data_only=True)
    return [list(row) for row in (found[title] if title else found.worksheets[0]).iter_rows(values_only=True)]


def named(rows):
    header, *rows = rows
    return [dict(zip(header, row)) for row in rows]


# Answers

def legal(folder):
    folder = folder / "legal" / "input"

    def table(name, first):
        rows = records(folder / BOOK / f"2024_CSN_{name}.csv")
        at = next(at for at, row in enumerate(rows) if first in row and any(row[1:]))
        header = [" ".join(name.split()) for name in rows[at]]
        return [dict(zip(header, row)) for row in below(rows, at)]

    def areas(name):
        found = []
        for path in sorted((folder / BOOK / name).glob("*.csv")):
            rows = records(path)
            at = next(at for at, row in enumerate(rows) if "Metropolitan Area" in row)
            found += [(path.stem, area, int(number(count))) for area, count in below(rows, at)]
        return found

    def count(row):
        return int(number(row["# of Reports"]))

    def groups(rows):
        found = {}
        for state, area, reports in rows:
            found.setdefault(state, []).append((reports, area))
        return found

    answers = {}
    years = {int(row["Year"]): [int(number(row[name])) for name in ("Fraud", "Identity Theft", "Other")] for row in table("Number_of_Reports_by_Type", "Year")}
    fraud, theft = areas("State MSA Fraud and Other data"), areas("State MSA Identity Theft data")
    answers["easy_3"] = Fraction(years[2024][1], years[2001][1])
    contributors = table("Data_Contributors", "Year")
    answers["easy_4"] = sum(count(row) for row in contributors if row["Data Contributor"] == "FTC - Web Reports (Fraud & Other)")
    answers["easy_5"] = int(sum(number(row["Total $ Loss"]) for row in table("Fraud_Reports_by_Payment_Method", "Payment Method")))
    # The headers of the first two columns are exchanged in the file.
    top = {(int(row["Theft Type"]), row["Year"]): count(row) for row in table("Top_Three_Identity_Theft_Reports_by_Year", "Theft Type")}
    answers["hard_6"] = Fraction(top[2024, "Credit Card"], top[2020, "Credit Card"])
    answers["hard_7"] = max(sorted({kind for _, kind in top}), key=lambda kind: Fraction(top[2024, kind], top[2020, kind]))
    miami = "Miami-Fort Lauderdale-West Palm Beach"
    whole = [count(row) for row in table("Metropolitan_Areas_Fraud_and_Other_Reports", "Rank") if row["Metropolitan Area"].startswith(miami)]
    answers["hard_8"] = str(whole == [reports for state, area, reports in fraud if state == "Florida" and area.startswith(miami)])
    totals = {int(row["Year"]): count(row) for row in table("Report_Count", "Year")}
    answers["easy_9"] = max(range(2002, 2025), key=lambda year: Fraction(totals[year], totals[year - 1]))
    answers["easy_10"] = [year for year, counts in years.items() if counts[0] * 2 >= sum(counts)]
    answers["easy_11"] = "Yes" if any(counts[2] * 2 > sum(counts) for counts in years.values()) else "No"
    categories = {row["Category"]: (count(row), number(row["Percentage"])) for row in table("Report_Categories", "Rank")}
    kinds = {row["Report Type"]: count(row) for row in table("Report_Type", "Report Type")}
    total, taken, so_far = sum(kinds.values()), 0, 0
    for reports, _ in sorted(categories.values(), reverse=True):
        taken, so_far = taken + 1, so_far + reports
        if so_far * 2 >= total:
            break
    answers["easy_12"] = taken
    answers["easy_13"] = Fraction(max(categories.values())[0], min(categories.values())[0])
    england = {row[0].replace(" ", "") for row in below(records(folder / "new_england_states.csv"), 0)}
    reports = {area: number_ for state, area, number_ in theft if state in england}
    answers["hard_14"] = sorted(reports, key=lambda area: (-reports[area], area))[:5]
    shared = {area for _, area, _ in theft if sum(other == area for _, other, _ in theft) > 1}
    answers["hard_15"] = sum({area: number_ for _, area, number_ in theft if area in shared}.values())
    states = groups(theft)
    several = [state for state in sorted(states) if len(states[state]) >= 2]
    answers["hard_16"] = max(several, key=lambda state: Fraction(max(states[state])[0], sum(reports for reports, _ in states[state])))
    answers["hard_17"] = totals[2007] * categories["Auto Related"][1]
    ages = {row["Age Range"]: count(row) for row in table("Identity_Theft_Reports_by_Age", "Age Range")}
    older = Fraction(sum(reports for age, reports in ages.items() if age[0] in "45678"), sum(ages.values()))
    answers["hard_18"] = round(older * totals[2007] * categories["Identity Theft"][1] / 1000) * 1000
    lost = records(folder / BOOK / "2024_CSN_Fraud_Reports_by_Amount_Lost.csv")
    low = {"$1 - $100", "$101 - $200", "$201 - $300", "$301 - $400", "$401 - $500"}
    answers["easy_19"] = sum(number(row[1]) for row in lost if row[0] in low) / next(number(row[1]) for row in lost if row[0] == "Reports with $ Loss")
    answers["easy_20"] = Fraction(100 * years[2024][0], sum(years[2024]))
    answers["easy_21"] = sum(count(row) for row in table("State_Identity_Theft_Reports", "State") if row["State"] == "Alabama")
    fresh = [count(row) for row in table("Identity_Theft_Reports_by_Type", "Theft Type") if (row["Theft Type"], row["Theft Subtype"]) == ("Bank Account", "New Accounts")]
    answers["hard_22"] = Fraction(fresh[0], kinds["Identity Theft"])
    density, both = {}, {}
    for name in ("State_Rankings_Identity_Theft_Reports", "State_Rankings_Fraud_and_Other_Reports"):
        for row in table(name, "Rank"):
            density[row["State"]] = density.get(row["State"], 0) + number(row["Reports per 100K Population"])
            both[row["State"]] = both.get(row["State"], 0) + count(row)
    answers["hard_23"] = max(sorted(density), key=density.get)
    most = max(sorted(both), key=both.get).replace(" ", "")
    answers["hard_24"] = max(states[most])[1]
    branches = table("Fraud, Identity Theft, and Other Reports by Military Consumers", "Military Branch")
    answers["easy_25"] = max(branches, key=lambda row: number(row["Median Fraud Loss"]))["Military Branch"]
    tops = groups((row["State"], row["Category"], count(row)) for row in table("State_Top_Ten_Report_Categories", "State"))
    answers["easy_26"] = sorted(state for state in tops if max(tops[state])[1] == "Identity Theft")
    answers["easy_27"] = sum(any(category == "Prizes, Sweepstakes and Lotteries" for _, category in rows) for rows in tops.values())
    soldiers = {row["Report Type"]: count(row) for row in table("Reports_by_Military_Consumers", "Report Type")}
    scams = {row["Category"]: count(row) for row in table("Reports_by_Military_Consumers", "Rank")}["Imposter Scams"]
    share = Fraction(categories["Imposter Scams"][0], total)
    answers["hard_28"] = "Yes" if Fraction(scams, sum(soldiers.values())) > share else "No"
    states = {state: rows for state, rows in groups(fraud).items() if len(rows) >= 5}
    answers["hard_29"] = max((Fraction(reports, sum(each for each, _ in rows)), area) for rows in states.values() for reports, area in rows)[1]
    frauds = {(state, area): reports for state, area, reports in fraud}
    answers["hard_30"] = "Yes" if any(reports > frauds.get((state, area), reports) for state, area, reports in theft) else "No"

    page = Tables()
    page.feed((folder / "metropolitan_statistics.html").read_text("utf-8"))

    def area_key(name):
        name = re.sub(r"\[.*?\]|(Metropolitan|Micropolitan) Statistical Area|MSA", "", name)
        return re.sub(r"[^A-Za-z]+", " ", name).strip().lower()

    people = {}
    for row in next(table for table in page.tables if len(table) > 300)[1:]:
        estimate, census = number(row[1].strip()), number(row[2].strip())
        people[area_key(row[0])] = census + (estimate - census) * Fraction(3, 4)
    matched = {area: (reports, people[area_key(area)]) for _, area, reports in theft if area_key(area) in people}
    large = [reports for reports, inhabitants in matched.values() if inhabitants > 1_000_000]
    answers["hard_1"] = Fraction(sum(large), len(large))
    answers["hard_2"] = max(matched, key=lambda area: matched[area][0] / matched[area][1])
    return answers


def biomedical(folder):
    folder = folder / "biomedical" / "input"
    clinical = {row["idx"]: row for row in named(sheet(folder, "mmc1"))}
    tumors = {key: row for key, row in clinical.items() if row["Case_excluded"] == "No" and row["Proteomics_Tumor_Normal"] == "Tumor"}
    serous = {key for key, row in tumors.items() if row["Histologic_type"] == "Serous"}
    subtypes = named(sheet(folder, "mmc7", "B-APM subtypes"))
    answers = {"easy_2": statistics.fmean(float(clinical[key]["Age"]) for key in serous)}
    scores = {row["idx"]: row["APP_Z_score"] for row in subtypes if isinstance(row["APP_Z_score"], float)}
    lowest = min((key for key in scores if clinical[key]["Case_excluded"] == "No"), key=scores.get)
    answers["hard_3"] = int(clinical[lowest]["Age"])
    samples = set()
    for row in named(sheet(folder, "mmc4", "C-Alternate Splice Junctions")):
        if row["Peptide"] == "HPKPEVLGSSADGALLVSLDGLR":
            samples |= set(row["Samples_With_Peptide"].split(","))
    answers["hard_4"] = sorted({clinical[key]["Histologic_Grade_FIGO"] for key in samples} - {"NA"})
    answers["hard_5"] = statistics.median(2 ** row["Log2_variant_per_Mbp"] for row in subtypes if row["idx"] in serous)
    old = [row["FIGO_stage"] for row in tumors.values() if row["Age"] != "NA" and float(row["Age"]) > 70]
    answers["easy_6"] = max(sorted(set(old)), key=old.count)
    answers["hard_7"] = len(sheet(folder, "mmc3", "D-SE-acetyl"))
    phospho = named(sheet(folder, "mmc3", "F-SS-phospho"))
    rates = [[row["FDR.phos"] for row in phospho if (row["Gene"] == "CBX3") == own] for own in (True, False)]
    answers["easy_9"] = statistics.fmean(rates[0]) - statistics.fmean(rates[1])
    return answers


# Cells

# Sections of CSV files that are not the first of their file: the number of the header's record, from 0.
HEADERS = {
    "data_contributors": 3, "data_contributors_2": 24, "data_contributors_3": 42, "data_contributors_4": 73,
    "military_2": 8, "military_3": 18,
    "fraud_reports_by_amount_lost": 8, "fraud_reports_by_amount_lost_2": 22,
    "report_type_2": 8, "report_type_3": 21, "report_type_4": 31,
    "reports_by_military_consumers_2": 13, "reports_by_military_consumers_3": 26, "reports_by_military_consumers_4": 36,
    "new_england": 0, "hyper": 0,
}
FOLDERS = {"msa_fraud": "State MSA Fraud and Other data", "msa_theft": "State MSA Identity Theft data"}
FILES = {"military": "Fraud, Identity Theft, and Other Reports by Military Consumers"}


def book_of(folder, view):
    """The path of the workbook that a view is of, and which of its sheets; None for a CSV file."""
    book = re.fullmatch(r"(mmc\d)_(\d)", view)
    if not book:
        return None
    path, = (folder / "biomedical").rglob(f"*{book[1]}.xlsx")
    return path, int(book[2])


def files(folder, view):
    """The paths of the CSV files that a view is of."""
    if view in FOLDERS:
        return sorted((folder / "legal/input" / BOOK / FOLDERS[view]).glob("*.csv"), key=lambda path: path.name.encode())
    if view == "new_england":
        return [folder / "legal/input/new_england_states.csv"]
    if view == "hyper":
        return [folder / "biomedical/input/hyperactivated.csv"]
    base = re.sub(r"_\d$", "", view)
    names = {path.stem.removeprefix("2024_CSN_"): path for path in (folder / "legal/input" / BOOK).glob("*.csv")}
    return [path for name, path in names.items() if name == FILES.get(base) or name.lower() == base]


def skipped(view, title, width):
    """How many rows of a sheet are not rows of the table."""
    headless = title == "README" or width == 1
    return 3 if view == "mmc4_0" else 0 if headless else 1


def source(folder, view):
    """The rows of the table that a view is of, as lists of cells: texts of CSV files, values of workbooks."""
    book = book_of(folder, view)
    if book:
        import openpyxl

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = openpyxl.load_workbook(book[0], data_only=True).worksheets[book[1]]
        rows = [list(row) for row in found.iter_rows(values_only=True)]
        rows = rows[skipped(view, found.title, found.max_column):]
        return [row for row in rows if any(cell is not None for cell in row)]
    return [row for path in files(folder, view) for row in below(records(path), HEADERS.get(view, 2))]


def frame(folder, view, columns):
    """The same rows as texts, as pandas reads them when it is told to guess nothing: no types, no null marks, no header."""
    import pandas

    plain = {"dtype": str, "keep_default_na": False, "na_filter": False, "header": None}
    book = book_of(folder, view)
    if book:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = pandas.ExcelFile(book[0], engine="openpyxl")
            title = found.sheet_names[book[1]]
            sheet = found.parse(title, **plain)
        rows = sheet.values.tolist()[skipped(view, title, sheet.shape[1]):]
        return [row for row in rows if any(cell != "" for cell in row)]
    rows, more = [], {"index_col": False, "skip_blank_lines": False, "names": range(len(columns) + 3)}
    for path in files(folder, view):
        for encoding in ("utf-8-sig", "cp1252"):
            try:
                path.read_text(encoding)
            except UnicodeDecodeError:
                continue
            break
        # A table ends at a blank record. The table below it may have more columns, which pandas would not take: it is read up to there.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            count = len(below(records(path), HEADERS.get(view, 2)))
            read = pandas.read_csv(path, skiprows=HEADERS.get(view, 2) + 1, nrows=count + 1, encoding=encoding, **plain, **more)
        found = [["" if isinstance(cell, float) else cell for cell in row] for row in read.values.tolist()]
        if any(cell.strip() for row in found[count:] for cell in row):
            raise ValueError(f"{view}: pandas reads {found[count]} as a row, which the view does not have")
        rows += found[:count]
    return rows


def same(value, cell):
    """Whether a value is that of a cell; a value is null, a bool, a number, a text, or {"decimal": text}."""
    if isinstance(value, dict):
        value = Fraction(next(iter(value.values())))
    if isinstance(cell, str):
        cell = cell.strip()
    if value is None:
        return cell in (None, "", "NA")
    if isinstance(value, bool) or isinstance(cell, bool):
        return value is cell
    if isinstance(value, str) and isinstance(cell, float):
        return float(value) == cell
    if isinstance(value, str):
        # A day is a midnight in a workbook.
        shown = cell.isoformat().removesuffix("T00:00:00") if isinstance(cell, datetime.datetime) else str(cell)
        return value == ("" if cell is None else shown)
    if isinstance(cell, str):
        return number(cell) == Fraction(value)
    return cell is not None and float(value) == float(cell)


def same_text(value, text):
    """In which way a value is the text that pandas has of its cell; None if in none."""
    if isinstance(value, dict):
        value = Fraction(next(iter(value.values())))
    if value is None:
        return "null, and pandas has an empty text or NA" if text in ("", "NA") else None
    if isinstance(value, bool):
        return "a bool, and pandas has its name" if text == str(value) else None
    if isinstance(value, str):
        if value == text:
            return "the same text"
        if value == text.strip():
            return "pandas keeps the blanks around a text"
        # A day is a midnight in a workbook.
        if value in (text.replace(" ", "T"), text.removesuffix(" 00:00:00")):
            return "a day, and pandas has its midnight"
        # A workbook has the double, and each has digits of its own for it.
        digits = re.compile(r"-?\d[\d.]*(e-?\d+)?")
        same = digits.fullmatch(value) and digits.fullmatch(text) and "e" in text and float(value) == float(text)
        return "a double among texts, and pandas has another exponent" if same else None
    try:
        # What a double is called, names that double again.
        if float(text) == float(value):
            return "a number, and pandas has its digits"
        return None
    except ValueError:
        same = number(text.strip()) == Fraction(value)
        return "a number, and pandas has it with groups, a sign of money, a unit, or as a percentage" if same else None


def frames(folder, views):
    """Compares all views with pandas; gives how many cells agree, in which ways, and what does not."""
    import pandas

    ways, wrong, guessed = collections.Counter(), [], 0
    for view, columns in views.items():
        rows = frame(folder, view, columns)
        if any(len(column) != len(rows) for column in columns):
            wrong.append(f"{view}: pandas reads {len(rows)} rows, and the view has {[len(column) for column in columns][:3]}")
            continue
        for row, texts in enumerate(rows):
            for column, text in zip(columns, texts):
                way = same_text(column[row], text)
                ways[way] += 1
                if way is None:
                    wrong.append(f"{view}, row {row + 1}: {column[row]!r}, and pandas has {text!r}")
            wrong += [f"{view}, row {row + 1}: {text!r} is in no column" for text in texts[len(columns):] if text.strip()]
        # What pandas makes of the same texts when it may guess: a column of numbers with one group or sign is one of texts.
        for column, texts in zip(columns, zip(*rows)):
            guess = pandas.read_csv(io.StringIO("\n".join(json.dumps(text) for text in ("x", *texts))), escapechar="\\")["x"]
            numbers = any(isinstance(value, (int, float, dict)) and not isinstance(value, bool) for value in column)
            guessed += len(column) if numbers and guess.dtype == object else 0
    shown = "".join(f"\n{count:8} {way}" for way, count in ways.most_common())
    return f"{ways.total()} cells agree with pandas {pandas.__version__}:{shown}\nLeft to guess, pandas would have {guessed} of the numbers as texts.", wrong


def cells(folder, views):
    """Compares all views; gives how many cells agree, and what does not."""
    agreed, wrong = 0, []
    for view, columns in views.items():
        rows = source(folder, view)
        if any(len(column) != len(rows) for column in columns):
            wrong.append(f"{view}: {len(rows)} rows, and the view has {[len(column) for column in columns][:3]}")
            continue
        for row, cells_ in enumerate(rows):
            cells_ = cells_ + [None] * (len(columns) - len(cells_))
            for column, cell in zip(columns, cells_):
                if same(column[row], cell):
                    agreed += 1
                else:
                    wrong.append(f"{view}, row {row + 1}: {column[row]!r}, and the file has {cell!r}")
            wrong += [f"{view}, row {row + 1}: {cell!r} is in no column" for cell in cells_[len(columns):] if cell not in (None, "")]
    return f"{agreed} cells agree", wrong


def plain(value):
    return float(value) if isinstance(value, Fraction) else value


if __name__ == "__main__":
    what, root = sys.argv[1], pathlib.Path(sys.argv[2])
    if what == "keys":
        print(json.dumps({"legal": legal(root), "biomedical": biomedical(root)}, default=plain))
    else:
        said, disagreements = {"cells": cells, "frames": frames}[what](root, json.load(sys.stdin))
        print(said)
        print("\n".join(disagreements[:20]), file=sys.stderr)
        sys.exit(1 if disagreements else 0)
