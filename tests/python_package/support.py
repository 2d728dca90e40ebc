"""What the tests of the Python package share."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ["PICARDC_ROOT"])
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
