"""PySpark: the rows and files of `build`, also where a worker is killed."""

import os
import sys

os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable

import picardc  # noqa: E402
import picardc.spark  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402
from support import PAST, Case, made  # noqa: E402


def workers(processes: list[tuple[int, int, str]]) -> list[int]:
    """The workers of Spark: children of the daemon that makes them."""
    daemons = {pid for pid, _, args in processes if "pyspark.daemon" in args}
    return [pid for pid, parent, args in processes if parent in daemons and "pyspark.daemon" in args]


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
        self.survives_a_killed_worker(
            lambda instances, out, shards: picardc.spark.write(self.session, instances, out, shards=shards), workers
        )

    def test_what_cannot_be_made_is_left_out(self) -> None:
        self.skips_what_cannot_be_made(
            lambda instances, out, on_error: picardc.spark.write(self.session, instances, out, shards=4, on_error=on_error)
        )
        instances = picardc.compile(self.folder / "rare.pcd").instances(7, samples=60)
        rows = picardc.spark.dataframe(self.session, instances, shards=3, on_error="skip").collect()
        self.assertEqual(sorted(row["index"] for row in rows), [one.index for one in made(instances)[0]])
        with self.assertRaisesRegex(Exception, "held in none of"):
            picardc.spark.dataframe(self.session, instances, shards=3).collect()

    def test_an_edited_suite_is_refused(self) -> None:
        self.refuses_an_edited_suite(
            lambda instances, out: picardc.spark.write(self.session, instances, out, shards=2),
            lambda instances: picardc.spark.dataframe(self.session, instances, shards=2).collect(),
            is_raised=False,
        )
