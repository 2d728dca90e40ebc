"""Ray Data: the rows and files of `build`, also where a worker is killed."""

import os

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"

import picardc  # noqa: E402
import picardc.ray  # noqa: E402
import ray  # noqa: E402
from support import PAST, Case, made  # noqa: E402


def workers(processes: list[tuple[int, int, str]]) -> list[int]:
    """The workers of Ray that make shards."""
    return [pid for pid, _, args in processes if args.startswith("ray::MapBatches")]


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
        self.survives_a_killed_worker(lambda instances, out, shards: picardc.ray.write(instances, out, shards=shards), workers)

    def test_what_cannot_be_made_is_left_out(self) -> None:
        self.skips_what_cannot_be_made(lambda instances, out, on_error: picardc.ray.write(instances, out, shards=4, on_error=on_error))
        instances = picardc.compile(self.folder / "rare.pcd").instances(7, samples=60)
        rows = picardc.ray.dataset(instances, shards=3, on_error="skip").take_all()
        self.assertEqual(sorted(row["index"] for row in rows), [one.index for one in made(instances)[0]])
        with self.assertRaises(picardc.BuildError):
            picardc.ray.dataset(instances, shards=3).take_all()

    def test_an_edited_suite_is_refused(self) -> None:
        self.refuses_an_edited_suite(
            lambda instances, out: picardc.ray.write(instances, out, shards=2),
            lambda instances: picardc.ray.dataset(instances, shards=2).take_all(),
        )
