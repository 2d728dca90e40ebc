"""Parquet files: the rows of `build`, the same bytes by any number of workers, resumed, and never stale."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import picardc
import picardc.parquet
import pyarrow.parquet as pq
from support import HOSTILE, PAST, RARE, Case, contents, made

def rows(folder: Path) -> list[dict]:
    """All rows of a folder, in the order of the shards."""
    return [row for part in sorted(folder.glob("*.parquet")) for row in pq.read_table(part).to_pylist()]


class Parquet(Case):
    def setUp(self) -> None:
        super().setUp()
        self.instances = picardc.compile(PAST).instances("t", samples=6)

    def test_rows_are_those_of_a_bundle(self) -> None:
        out = self.folder / "out"
        self.assertEqual(picardc.parquet.write(self.instances, out, shards=5, workers=1), len(self.instances))
        lines = self.lines(PAST, "--seed", "t", "--samples", 6)
        found = rows(out)
        self.assertEqual([row["instance"] for row in found], lines)
        self.assertEqual([row["index"] for row in found], list(range(len(lines))))
        for row, line in zip(found, map(json.loads, lines), strict=True):
            picard = line["metadata"]["picard"]
            self.assertEqual((row["id"], row["input"]), (line["id"], line["input"]))
            target = line["target"]
            self.assertEqual(row["target"], target if isinstance(target, list) else [target])
            self.assertEqual((row["task"], row["variant"], row["sample"]), (picard["task"], picard["variant"], picard["sample"]))
            self.assertEqual((json.loads(row["axis"]), row["tags"]), (picard["axis"], picard["tags"]))

    def test_a_folder_is_a_data_set(self) -> None:
        out = self.folder / "out"
        picardc.parquet.write(self.instances, out, shards=3, workers=1)
        self.assertEqual(pq.read_table(out).num_rows, len(self.instances))

    def test_without_keys_nothing_tells_the_answer(self) -> None:
        out = self.folder / "out"
        picardc.parquet.write(self.instances, out, shards=2, workers=1, keys=False)
        found = rows(out)
        self.assertNotIn("target", found[0])
        self.assertNotIn("instance", found[0])
        for row, one in zip(found, self.instances, strict=True):
            self.assertEqual({file["path"]: file["content"] for file in row["files"]}, one.files)
            self.assertEqual((row["folders"], row["input"]), (one.folders, one.prompt))

    def test_columns_have_the_same_types_in_every_part(self) -> None:
        schemas = []
        for path in (PAST, self.suite()):
            out = self.folder / path.stem
            picardc.parquet.write(picardc.compile(path).instances(1, samples=2), out, shards=3, workers=1)
            schemas += [pq.read_schema(part).remove_metadata() for part in out.glob("*.parquet")]
        self.assertEqual(len({str(schema) for schema in schemas}), 1)

    def test_hostile_values_are_unchanged(self) -> None:
        instances = picardc.compile(self.suite(HOSTILE, "hostile.pcd")).instances(1, samples=60)
        for keys in (True, False):
            out = self.folder / str(keys)
            picardc.parquet.write(instances, out, shards=2, workers=1, keys=keys)
            found = rows(out)
            self.assertEqual([row["input"] for row in found], [one.prompt for one in instances])
            self.assertGreater(len({row["input"] for row in found}), 30)
            if keys:
                self.assertEqual([row["target"] for row in found], [one.target for one in instances])
                self.assertEqual([row["instance"] for row in found], [one.to_json() for one in instances])
            else:
                files = [{file["path"]: file["content"] for file in row["files"]} for row in found]
                self.assertEqual(files, [one.files for one in instances])

    def test_columns_are_those_of_an_export(self) -> None:
        for path, keys in ((PAST, False), (self.suite(), True), (self.suite(HOSTILE, "hostile.pcd"), True)):
            bundle, out, own = (self.folder / f"{path.stem}-{name}" for name in ("bundle", "hf", "own"))
            self.run_picardc("build", path, "-o", bundle, "--seed", 3, "--samples", 4)
            self.run_picardc("export", "hf", bundle, "-o", out, "--keys")
            (exported,) = (pq.read_table(part) for part in (out / "data").glob("*.parquet"))
            (secret,) = (pq.read_table(part) for part in (out / "keys").glob("*.parquet"))
            picardc.parquet.write(picardc.compile(path).instances(3, samples=4), own, shards=1, workers=1, keys=keys)
            (written,) = (pq.read_table(part) for part in own.glob("*.parquet"))
            others = {"target": secret, "instance": None}
            for name in written.column_names:
                table = others.get(name, exported)
                if table is not None:
                    self.assertEqual(written[name].to_pylist(), table[name].to_pylist(), name)
            common = [name for name in exported.column_names if name in written.column_names]
            self.assertEqual(common, [name for name in written.column_names if name in common])
            self.assertEqual(set(exported.column_names) - set(common), {"metadata"} | ({"files", "folders"} if keys else set()))

    def test_the_number_of_workers_changes_no_byte(self) -> None:
        for workers in (1, 3):
            picardc.parquet.write(self.instances, self.folder / str(workers), shards=5, workers=workers)
        self.assertEqual(contents(self.folder / "1"), contents(self.folder / "3"))

    def test_more_shards_than_instances(self) -> None:
        few = self.instances[:2]
        self.assertEqual(picardc.parquet.write(few, self.folder / "out", shards=4, workers=1), 2)
        self.assertEqual(len(list((self.folder / "out").glob("*.parquet"))), 4)
        with self.assertRaisesRegex(ValueError, "from 1"):
            picardc.parquet.write(few, self.folder / "none", shards=0)

    def test_a_run_that_was_stopped_goes_on(self) -> None:
        out, whole = self.folder / "out", self.folder / "whole"
        picardc.parquet.write(self.instances, whole, shards=5, workers=1)
        picardc.parquet.write(self.instances, out, shards=5, workers=1)
        (out / picardc.parquet.name(3, 5)).unlink()
        (out / ".part-00003-of-00005.parquet.dead").write_bytes(b"half")
        kept = {path.name: path.stat().st_mtime_ns for path in out.glob("*.parquet")}
        picardc.parquet.write(self.instances, out, shards=5, workers=2)
        self.assertEqual(contents(out), contents(whole))
        now = {path.name: path.stat().st_mtime_ns for path in out.glob("*.parquet")}
        self.assertEqual({name: now[name] for name in kept}, kept)

    def test_tables_of_another_suite_seed_or_option_are_refused(self) -> None:
        out, path = self.folder / "out", self.suite()
        suite = picardc.compile(path)
        picardc.parquet.write(suite.instances(1), out, shards=2, workers=1)
        self.suite(path.read_text().replace("1..900", "1..901"))
        edited = picardc.compile(path)
        others = [
            (edited.instances(1), {}),
            (suite.instances(2), {}),
            (suite.instances(1, samples=2), {}),
            (suite.instances(1)[1:], {}),
            (suite.instances(1), {"keys": False}),
            (suite.instances(1), {"shards": 3}),
        ]
        before = contents(out)
        for instances, options in others:
            with self.assertRaises(picardc.StaleError):
                picardc.parquet.write(instances, out, workers=1, **{"shards": 2, **options})
        with self.assertRaisesRegex(picardc.StaleError, "another suite, seed, or option"):
            picardc.parquet.write_shard(edited.instances(1), out, 0, 2)
        self.assertEqual(contents(out), before)

    def test_what_cannot_be_made_is_left_out(self) -> None:
        for workers in (1, 2):
            with self.subTest(workers=workers):
                self.skips_what_cannot_be_made(
                    lambda instances, out, on_error: picardc.parquet.write(instances, out, shards=4, workers=workers, on_error=on_error)
                )
            for name in ("out", "whole"):
                shutil.rmtree(self.folder / name)
        instances = picardc.compile(self.folder / "rare.pcd").instances(7, samples=60)
        out, good = self.folder / "out", made(instances)[0]
        with self.assertWarns(RuntimeWarning):
            picardc.parquet.write(instances, out, shards=4, workers=1, on_error="skip")
        self.assertEqual([row["instance"] for row in rows(out)], [one.to_json() for one in good])
        # A file that lacks another row is not taken for whole.
        part = out / picardc.parquet.name(0, 4)
        table = pq.read_table(part)
        pq.write_table(table.slice(1), part)
        for on_error in ("skip", "raise"):
            with self.assertRaisesRegex(RuntimeError, "rows, not 60"):
                picardc.parquet.finish(out, instances, 4, on_error)

    def test_an_iterator_goes_on(self) -> None:
        instances = picardc.compile(self.suite(RARE, "rare.pcd")).instances(7, samples=60)
        good, bad = made(instances)
        found, failed, each = [], 0, iter(instances)
        while True:
            try:
                found.append(next(each))
            except StopIteration:
                break
            except picardc.BuildError:
                failed += 1
        self.assertEqual((found, failed), (good, len(bad)))

    def test_an_edited_suite_is_refused_by_workers(self) -> None:
        path = self.suite()
        instances = picardc.compile(path).instances(7)
        self.suite(path.read_text().replace("1..900", "1..901"))
        with self.assertRaisesRegex(picardc.StaleError, "was edited"):
            picardc.parquet.write(instances, self.folder / "out", shards=2, workers=2)

    def test_a_script_without_a_guard_is_told_so(self) -> None:
        program = self.folder / "program.py"
        for workers, expected in ((2, 1), (1, 0)):
            program.write_text(
                "import picardc, picardc.parquet\n"
                f"some = picardc.compile({str(self.suite())!r}).instances(7)\n"
                f"picardc.parquet.write(some, {str(self.folder / 'script')!r}, shards=2, workers={workers})\n"
            )
            ran = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=120)
            self.assertEqual(ran.returncode, expected, ran.stderr)
            if expected:
                self.assertIn('put the call below `if __name__ == "__main__":`, or give workers=1', ran.stderr.splitlines()[-1])
                self.assertEqual(ran.stderr.count("Traceback"), 1, ran.stderr)

    def test_a_worker_that_is_killed_is_replaced(self) -> None:
        many = self.instances.suite.instances("t", samples=400)
        out, whole = self.folder / "out", self.folder / "whole"
        picardc.parquet.write(many, whole, shards=12, workers=1)
        code = (
            "import picardc, picardc.parquet, sys\n"
            "if __name__ == '__main__':\n"
            f"    many = picardc.compile({str(PAST)!r}).instances('t', samples=400)\n"
            f"    picardc.parquet.write(many, {str(out)!r}, shards=12, workers=2)\n"
        )
        program = self.folder / "program.py"
        program.write_text(code)
        running = subprocess.Popen([sys.executable, program], stderr=subprocess.PIPE)
        killed = False
        while running.poll() is None:
            if not killed and any(out.glob("*.parquet")):
                killed = kill_a_worker(running.pid)
            time.sleep(0.01)
        assert running.stderr is not None
        said = running.stderr.read().decode()
        running.stderr.close()
        self.assertEqual(running.returncode, 0, said)
        self.assertTrue(killed, "no worker was there to be killed")
        self.assertEqual(contents(out), contents(whole))


def kill_a_worker(parent: int) -> bool:
    """Kills one child of a process that makes shards."""
    listed = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", str(parent)], capture_output=True, text=True)
    for line in listed.stdout.splitlines():
        pid, _, args = line.strip().partition(" ")
        if "spawn_main" in args:
            os.kill(int(pid), signal.SIGKILL)
            return True
    return False
