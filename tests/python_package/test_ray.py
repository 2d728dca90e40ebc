"""Ray Data: the rows and files of `build`, also where a worker is killed."""

import os
import signal
import subprocess
import threading
import time
from pathlib import Path

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"

import picardc  # noqa: E402
import picardc.parquet  # noqa: E402
import picardc.ray  # noqa: E402
import ray  # noqa: E402
from support import PAST, Case, below, contents  # noqa: E402


def kill_when(made: Path, done: threading.Event, killed: list[int]) -> None:
    """Kills a worker of Ray as soon as the first shard is there."""
    while not done.is_set():
        if any(made.glob("*.parquet")):
            listed = subprocess.run(["ps", "-eo", "pid=,args="], capture_output=True, text=True).stdout
            mine = {str(os.getpid())}
            for line in listed.splitlines():
                pid, _, args = line.strip().partition(" ")
                if args.startswith("ray::MapBatches") and pid not in mine and below(int(pid), os.getpid()):
                    os.kill(int(pid), signal.SIGKILL)
                    killed.append(int(pid))
                    return
        time.sleep(0.005)


class Cluster(Case):
    @classmethod
    def setUpClass(cls) -> None:
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)

    @classmethod
    def tearDownClass(cls) -> None:
        ray.shutdown()

    def test_rows_are_those_of_a_bundle(self) -> None:
        instances = picardc.compile(PAST).instances(7, samples=3)
        lines = self.lines(PAST, "--seed", 7, "--samples", 3)
        for shards in (1, 5):
            rows = picardc.ray.dataset(instances, shards=shards).take_all()
            rows.sort(key=lambda row: row["index"])
            self.assertEqual([row["instance"] for row in rows], lines)

    def test_a_killed_worker_leaves_the_same_files(self) -> None:
        instances = picardc.compile(PAST).instances(7, samples=400)
        whole, out = self.folder / "whole", self.folder / "out"
        picardc.parquet.write(instances, whole, shards=16, workers=1)
        out.mkdir()
        done, killed = threading.Event(), []
        watcher = threading.Thread(target=kill_when, args=(out, done, killed))
        watcher.start()
        try:
            self.assertEqual(picardc.ray.write(instances, out, shards=16), len(instances))
        finally:
            done.set()
            watcher.join()
        self.assertTrue(killed, "no worker was killed")
        self.assertEqual(contents(out), contents(whole))

    def test_an_edited_suite_is_refused(self) -> None:
        path = self.suite()
        instances = picardc.compile(path).instances(7)
        out = self.folder / "out"
        picardc.ray.write(instances, out, shards=2)
        self.suite(path.read_text().replace("1..900", "1..901"))
        with self.assertRaises(picardc.StaleError):
            picardc.ray.write(picardc.compile(path).instances(7), out, shards=2)
        other = picardc.compile(self.suite(name="other.pcd")).instances(7)
        self.suite(Path(other.suite.path).read_text().replace("1..900", "1..901"), "other.pcd")
        with self.assertRaisesRegex(Exception, "was edited"):
            picardc.ray.dataset(other, shards=2).take_all()
