"""What the tests of the Python package share."""

import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import unittest
from collections.abc import Callable
from pathlib import Path

import picardc

ROOT = Path(os.environ["PICARDC_ROOT"])
# The suites that ship.
SUITES = [Path(path) for path in os.environ["PICARDC_SUITES"].split(os.pathsep)]
PROGRAM = os.environ["PICARDC"]
PAST = ROOT / "suites/past.pcd"

SIZES = """
suite sizes { title "Sizes" version "1.2.3" samples 4 }

task count {
  axis size = [3, 7]
  axis kind = { plain: "plain", spaced: "with space" }
  csv orders at "orders.csv" { rows size  AMOUNT : int 1..900 }
  prompt "What is the total AMOUNT in <<orders>> (<<kind>>)? Reply with the number only."
  expect reply number sum(orders.AMOUNT)
}

task keep {
  N : int 1..1_000_000
  text notes at "notes.txt" = "Leave this: <<N>>.\\n"
  prompt "Write <<N>> to out.txt, and leave <<notes>> as it is."
  expect file "out.txt" number N
  expect file notes unchanged
}
"""


# About one instance in eight cannot be made: no draw of it meets the `require`.
RARE = """
suite rare { title "Rare" version "1" samples 60 }

task seldom {
  n : int 1..480
  m : int 1..9
  require n == 7
  prompt "What is <<m>> + <<n>>? Reply with the number only."
  expect reply number m + n
}
"""


# What other tools could take for something else, as prompts, contents of files, and answers. The empty text cannot be an answer.
HOSTILE = """
suite hostile { title "Hostile" version "1" samples 20 }

domain what = one_of [
  "{{x}}", "{% raw %}", "{% endraw %}{{x}}", "file:///etc/passwd", "a \\"double\\" 'single' `back` $HOME $(id)", "two\\nlines\\n",
  "return\\u{d}\\nline\\u{d}end", "nul \\u{0} bell \\u{7}", "tab\\tand \\\\ backslash", "😀 ünïcode \u200f rtl", "\u2028 line \u2029", "null", "NaN", "12", "true", "2020-01-01", "<b>&amp;</b>",
  "  spaces around  ", "[1, 2]", "{\\"a\\": 1}", "data:text/plain;base64,QUJD"
]

task reply {
  word : what
  prompt "Repeat exactly: <<word>>"
  expect reply text "=<<word>>="
}

task write {
  word : what
  text notes at "notes.txt" = "<<word>>"
  prompt "Write <<word>> to out.txt, as it is in <<notes>>."
  expect file "out.txt" text "=<<word>>="
}
"""


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def below(pid: int, ancestor: int) -> bool:
    """Whether a process descends from another: nothing else on this machine is killed."""
    while pid > 1:
        if pid == ancestor:
            return True
        try:
            pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            return False
    return False


def processes() -> list[tuple[int, int, str]]:
    """All processes: number, number of the parent, command line."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True).stdout
    found = [line.split(None, 2) for line in listed.splitlines()]
    return [(int(line[0]), int(line[1]), line[2]) for line in found if len(line) == 3]


Workers = Callable[[list[tuple[int, int, str]]], list[int]]


def kill_when(made: Path, workers: Workers, done: threading.Event, killed: list[int]) -> None:
    """Kills one worker, of ours only, as soon as the first shard is there. `workers` says which of all processes are workers."""
    while not done.is_set():
        if any(made.glob("*.parquet")):
            for pid in workers(processes()):
                if pid != os.getpid() and below(pid, os.getpid()):
                    os.kill(pid, signal.SIGKILL)
                    killed.append(pid)
                    return
        time.sleep(0.005)


def made(instances: picardc.Instances) -> tuple[list[picardc.Instance], list[str]]:
    """Those that can be made, and why the others cannot."""
    good, bad = [], []
    for index in range(len(instances)):
        try:
            good.append(instances[index])
        except picardc.BuildError as error:
            bad.append(str(error))
    return good, bad


class Case(unittest.TestCase):
    """A test with a folder of its own."""

    maxDiff = None

    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def suite(self, source: str = SIZES, name: str = "sizes.pcd") -> Path:
        """A file with this source."""
        path = self.folder / name
        path.write_text(source, encoding="utf-8")
        return path

    def run_picardc(self, *arguments: object, status: int = 0, stdin: str = "") -> str:
        """Standard output of the command."""
        line = [PROGRAM, *map(str, arguments)]
        ran = subprocess.run(line, input=stdin, capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(ran.returncode, status, ran.stderr)
        return ran.stdout

    def lines(self, suite: Path, *arguments: object) -> list[str]:
        """The lines of `instances.jsonl` of a bundle with inline files."""
        out = Path(tempfile.mkdtemp(dir=self.folder)) / "bundle"
        self.run_picardc("build", suite, "-o", out, "--inline", *arguments)
        return (out / "instances.jsonl").read_text(encoding="utf-8").splitlines()

    def survives_a_killed_worker(
        self, write: Callable[[picardc.Instances, Path, int], int], workers: Workers, samples: int = 200
    ) -> None:
        """An engine's `write` of instances into a folder as so many shards makes the files of one process, also where a worker is killed."""
        import picardc.parquet

        instances, shards = picardc.compile(PAST).instances(7, samples=samples), 16
        whole, out = self.folder / "whole", self.folder / "out"
        picardc.parquet.write(instances, whole, shards=shards, workers=1)
        out.mkdir()
        done, killed = threading.Event(), []
        watcher = threading.Thread(target=kill_when, args=(out, workers, done, killed))
        watcher.start()
        try:
            self.assertEqual(write(instances, out, shards), len(instances))
        finally:
            done.set()
            watcher.join()
        self.assertTrue(killed, "no worker was killed")
        self.assertEqual(contents(out), contents(whole))

    def skips_what_cannot_be_made(self, write: Callable[[picardc.Instances, Path, str], int]) -> None:
        """An engine's `write` ends with the error of an instance that cannot be made, or leaves it out and counts it; the files are those of one process."""
        import picardc.parquet

        instances = picardc.compile(self.suite(RARE, "rare.pcd")).instances(7, samples=60)
        good, bad = made(instances)
        self.assertTrue(2 < len(bad) < 30, bad)
        whole, out = self.folder / "whole", self.folder / "out"
        with self.assertWarnsRegex(RuntimeWarning, f"^{len(bad)} of 60 instances cannot be made") as caught:
            picardc.parquet.write(instances, whole, shards=4, workers=1, on_error="skip")
        self.assertIn(bad[0], str(caught.warning))
        with self.assertRaises(picardc.BuildError) as raised:
            write(instances, out, "raise")
        self.assertIn(str(raised.exception), bad)
        self.assertEqual(raised.exception.code, "E0902")
        with self.assertWarnsRegex(RuntimeWarning, f"^{len(bad)} of 60 instances cannot be made"):
            self.assertEqual(write(instances, out, "skip"), len(good))
        self.assertEqual(contents(out), contents(whole))
        # Now all files are there, and still some instances are not.
        with self.assertRaises(picardc.BuildError):
            write(instances, out, "raise")
        with self.assertRaisesRegex(ValueError, "the words are raise, skip"):
            write(instances, out, "ignore")

    def refuses_an_edited_suite(
        self, write: Callable[[picardc.Instances, Path], int], read: Callable[[picardc.Instances], object], is_raised: bool = True
    ) -> None:
        """An engine neither goes on in a folder of the suite before an edit, nor reads instances whose suite was edited. What it raises is a StaleError, where it
        keeps the class of an error of its workers."""
        path, out = self.suite(), self.folder / "out"
        write(picardc.compile(path).instances(7), out)
        self.suite(path.read_text().replace("1..900", "1..901"))
        with self.assertRaises(picardc.StaleError):
            write(picardc.compile(path).instances(7), out)
        other = picardc.compile(self.suite(name="other.pcd")).instances(7)
        self.suite(Path(other.suite.path).read_text().replace("1..900", "1..901"), "other.pcd")
        with self.assertRaisesRegex(picardc.StaleError if is_raised else Exception, "was edited"):
            read(other)
        with self.assertRaisesRegex(picardc.StaleError, "was edited"):
            write(other, self.folder / "other-out")
