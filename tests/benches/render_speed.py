"""The speed of files that are written from tables, next to the goal for it: tests/benches/render_speed.py BINARY [FOLDER]

The goal: a lake of 200 files with 10 MB is built in at most 3 times the time of writing its bytes raw. Its files are parts of a table of 90,000 rows, in
windows-1252, with styles, repeated rows, and texts above and below; all are read back before they are written, and the answer has its traps. Its cells
have 16 bytes, separators included, as those of the 131 CSV files of KramaBench's legal lake have (16.2: 250,624 bytes, 15,450 cells). What a build costs
goes by the cell, and what it is compared with by the byte; so a lake of cells of 9 bytes is shown too, without a goal.

Raw means: the files of that bundle are in memory, and are created in folders as those of the bundle, each with one write, and hashed with SHA-256; then
all are synced by 16 threads, and their folder, which gets its name last. A build does the same, and all else: the start of its process, the check of
the suite, rows, dirt, cells, reading back, the answer. Without hashes and syncs raw is shown too, but has no goal: a bundle has them.

The least of several runs counts, builds and raw in turn, so that the load of the machine meets both. Nothing is deleted in between: ext4 is slow to create
files where it has just deleted others; what one way leaves unwritten is synced before the next. The ratio depends on the disk, since raw is little else,
and on the processor: first tries on two cores gave 2.6 where raw takes 29 to 33 ms, and 1.2 to 1.8 where it takes 56 ms or more; on an older processor, 2.9
to 3.7 where raw takes 37 to 45 ms, and 1.6 to 2.7 above. More than 7 fails: that is a slip of ours, not of the disk.
"""

import csv
import hashlib
import itertools
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

GOAL = 3.0
MOST = 7.0
RUNS = 5
TRIES = 3
FILES = 200
WAITERS = 16

SUITE = """
suite wide {
  title   "Wide"
  version "1"
  samples 1
}

task sums {
  table reports {
    rows 90_000
    NO     : serial
    PART   : int 1..200
    AREA   : template "<<last_name>>-<<last_name>> County"
    KIND   : one_of ["Parcels that were paid and never came", "Calls in the name of a bank or an office", "Tickets, prizes, and sweepstakes", "Repairs that were offered at the door", "Jobs, grants, and loans that cost a fee first", "Journeys to Málaga that nobody had booked"]
    PERSON : template "<<first_name>> <<last_name>>"
    DAY    : date 2023-01-01..2024-12-31
    PAY    : decimal 0.00..9_999.99
    N      : int 0..50_000 blank 4%
  }
  csv parts at "lake/part_<<PART>>.csv" delimiter ";" crlf encoding "windows-1252" above "Reports\\nPart <<PART>>\\n" below "\\nSource: Wide" from reports {
    rows repeat 5%
    rows by NO
    No     = NO
    Area   = AREA
    Kind   = KIND as case 10%
    Person = PERSON as case 10% space 10%
    Day    = DAY as written "dd.MM.yyyy"
    Pay    = PAY as written "#,##0.00"
    N      = N as missing ["n/a", "-"]
  }
  prompt \"\"\"
    The tables in <<sandbox>>/lake have rows that appear twice: they count once. Capitals and blanks do not matter. `n/a` and `-` are missing numbers.
    What is the sum of `N`? Reply with the number only.
    \"\"\"
  expect reply number coalesce(sum(reports.N), 0)
}
"""

DENSE = """
suite wide {
  title   "Wide"
  version "1"
  samples 1
}

task sums {
  table readings {
    rows 200_000
    NO   : serial
    PART : int 1..200
    NAME : template "<<first_name>> <<last_name>>"
    CITY : one_of ["Kiel", "Oslo", "Málaga", "Sankt Peter", "Århus"]
    DAY  : date 2023-01-01..2024-12-31
    PAY  : decimal 0.00..9_999.99
    N    : int 0..50_000 blank 4%
  }
  csv parts at "lake/part_<<PART>>.csv" delimiter ";" crlf encoding "windows-1252" above "Readings\\nPart <<PART>>\\n" below "\\nSource: Wide" from readings {
    rows repeat 5%
    rows by NO
    No   = NO
    Name = NAME as case 10% space 10%
    City = CITY as case 10%
    Day  = DAY as written "dd.MM.yyyy"
    Pay  = PAY as written "#,##0.00"
    N    = N as missing ["n/a", "-"]
  }
  prompt \"\"\"
    The tables in <<sandbox>>/lake have rows that appear twice: they count once. Capitals and blanks do not matter. `n/a` and `-` are missing numbers.
    What is the sum of `N`? Reply with the number only.
    \"\"\"
  expect reply number coalesce(sum(readings.N), 0)
}
"""


def timed(run):
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def raw(files, folder, hashed, synced):
    """Writes these files (path in the bundle, bytes) to a folder."""
    staging = folder.with_name(folder.name + ".part")
    made, digests = set(), []
    for path, content in files:
        to = staging / path
        if to.parent not in made:
            to.parent.mkdir(parents=True, exist_ok=True)
            made.add(to.parent)
        with open(to, "xb", buffering=0) as out:
            out.write(content)
        if hashed:
            digests.append(hashlib.sha256(content).hexdigest())

    def sync(path):
        opened = os.open(path, os.O_RDONLY)
        os.fsync(opened)
        os.close(opened)

    if synced:
        with ThreadPoolExecutor(WAITERS) as waiters:
            list(waiters.map(sync, [staging / path for path, _ in files]))
        sync(staging)
    staging.rename(folder)


def measured(picardc, folder, source, goal):
    """The ratio of one lake; of up to three tries the first that meets the goal."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    suite, out, written = folder / "wide.pcd", folder / "bundle", folder / "raw"
    suite.write_text(source)
    count = itertools.count()

    def build():
        done = subprocess.run([picardc, "build", suite, "-o", out, "--seed", "1", "--quiet"], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"the build failed:\n{done.stderr[:4000]}")

    build()
    files = [(str(path.relative_to(out)), path.read_bytes()) for path in sorted(out.rglob("*")) if path.is_file()]
    parts = [content for path, content in files if path.endswith(".csv")]
    size = sum(len(content) for _, content in files)
    rows = [row for part in parts for row in csv.reader(part.decode("windows-1252").splitlines(), delimiter=";")]
    cells = sum(len(row) for row in rows)
    assert len(parts) == FILES and size > 10_000_000, (len(parts), size)
    out.rename(folder / "first")

    ways = {
        "build": build,
        "raw": lambda: raw(files, written, True, True),
        "raw without syncs": lambda: raw(files, written, True, False),
        "raw without hashes and syncs": lambda: raw(files, written, False, False),
    }
    print(f"{len(parts)} files, {size / 1e6:.1f} MB, {size / cells:.1f} bytes a cell")
    # Something else may have the machine for a while: one of three tries must meet the goal.
    least = float("inf")
    for _ in range(TRIES if goal else 1):
        took = dict.fromkeys(ways, float("inf"))
        for _ in range(RUNS):
            for name, run in ways.items():
                took[name] = min(took[name], timed(run))
                # What one way left unwritten is no work of the next.
                os.sync()
                for made in (out, written):
                    if made.exists():
                        made.rename(folder / f"old-{next(count)}")
        print(", ".join(f"{name} {seconds * 1000:.0f} ms" for name, seconds in took.items()))
        ratio = took["build"] / took["raw"]
        least = min(least, ratio)
        print(f"the build takes {ratio:.2f} times as long as raw" + (f" (the goal: at most {goal:.0f})" if goal else ""))
        if goal and ratio <= goal:
            break
    shutil.rmtree(folder)
    return least


def main():
    folder = Path(sys.argv[2] if len(sys.argv) > 2 else "target/render-speed")
    ratio = measured(sys.argv[1], folder, SUITE, GOAL)
    measured(sys.argv[1], folder, DENSE, None)
    if ratio > MOST:
        sys.exit("files are written more slowly than they should be")


main()
