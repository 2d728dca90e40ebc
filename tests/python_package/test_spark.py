"""PySpark: the rows and files of `build`, also where a worker is killed."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable

import picardc  # noqa: E402
import picardc.parquet  # noqa: E402
import picardc.spark  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402
from support import PAST, Case, below, contents  # noqa: E402


def kill_when(made: Path, done: threading.Event, killed: list[int]) -> None:
    """Kills a worker of Spark (a child of the daemon that makes them) as soon as the first shard is there."""
    while not done.is_set():
        if any(made.glob("*.parquet")):
            listed = subprocess.run(["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True).stdout
            found = [line.split(None, 2) for line in listed.splitlines()]
            daemons = {pid for pid, _, args in found if "pyspark.daemon" in args}
            for pid, parent, args in found:
                if parent in daemons and "pyspark.daemon" in args and below(int(pid), os.getpid()):
                    os.kill(int(pid), signal.SIGKILL)
                    killed.append(int(pid))
                    return
        time.sleep(0.005)


class Spark(Case):
    @classmethod
    def setUpClass(cls) -> None:
        # Two threads; a task may fail once and is done again.
        builder = SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", "false")
        cls.session = builder.config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1").getOrCreate()
        cls.session.sparkContext.setLogLevel("OFF")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.session.stop()

    def test_rows_are_those_of_a_bundle(self) -> None:
        instances = picardc.compile(PAST).instances(7, samples=3)
        lines = self.lines(PAST, "--seed", 7, "--samples", 3)
        for shards in (1, 5):
            rows = picardc.spark.dataframe(self.session, instances, shards=shards).collect()
            rows.sort(key=lambda row: row["index"])
            self.assertEqual([row["instance"] for row in rows], lines)
            self.assertEqual([row["target"] for row in rows], [one.target for one in instances])
        files = picardc.spark.dataframe(self.session, instances, shards=2, keys=False).orderBy("index").collect()
        self.assertEqual([{file["path"]: bytes(file["content"]) for file in row["files"]} for row in files], [one.files for one in instances])

    def test_a_killed_worker_leaves_the_same_files(self) -> None:
        instances = picardc.compile(PAST).instances(7, samples=400)
        whole, out = self.folder / "whole", self.folder / "out"
        picardc.parquet.write(instances, whole, shards=16, workers=1)
        out.mkdir()
        done, killed = threading.Event(), []
        watcher = threading.Thread(target=kill_when, args=(out, done, killed))
        watcher.start()
        try:
            self.assertEqual(picardc.spark.write(self.session, instances, out, shards=16), len(instances))
        finally:
            done.set()
            watcher.join()
        self.assertTrue(killed, "no worker was killed")
        self.assertEqual(contents(out), contents(whole))

    def test_an_edited_suite_is_refused(self) -> None:
        path = self.suite()
        instances = picardc.compile(path).instances(7)
        out = self.folder / "out"
        picardc.spark.write(self.session, instances, out, shards=2)
        self.suite(path.read_text().replace("1..900", "1..901"))
        with self.assertRaises(picardc.StaleError):
            picardc.spark.write(self.session, picardc.compile(path).instances(7), out, shards=2)
        other = picardc.compile(self.suite(name="other.pcd")).instances(7)
        self.suite(Path(other.suite.path).read_text().replace("1..900", "1..901"), "other.pcd")
        with self.assertRaisesRegex(Exception, "was edited"):
            picardc.spark.dataframe(self.session, other, shards=2).collect()
