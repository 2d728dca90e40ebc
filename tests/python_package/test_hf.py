"""Datasets of Hugging Face: the rows of `build`, resumed at the next one, and never those of an edited suite."""

import os
import tempfile

os.environ["HF_HOME"] = tempfile.mkdtemp()
os.environ["HF_HUB_OFFLINE"] = "1"

import picardc  # noqa: E402
import picardc.hf  # noqa: E402
from support import HOSTILE, PAST, RARE, Case, made  # noqa: E402


class Datasets(Case):
    def setUp(self) -> None:
        super().setUp()
        self.path = self.suite()
        self.instances = picardc.compile(self.path).instances(7, samples=5)

    def test_rows_are_those_of_a_bundle(self) -> None:
        instances = picardc.compile(PAST).instances(7, samples=3)
        lines = self.lines(PAST, "--seed", 7, "--samples", 3)
        for shards in (1, 4):
            dataset = picardc.hf.dataset(instances, shards=shards)
            self.assertEqual(dataset.num_shards, shards)
            self.assertEqual([row["instance"] for row in dataset], lines)
        for workers in (None, 2):
            whole = picardc.hf.dataset(instances, shards=4, streaming=False, num_proc=workers)
            self.assertEqual(whole["instance"][:], lines)
            self.assertEqual([row["target"] for row in whole], [one.target for one in instances])
        self.assertNotIn("target", next(iter(picardc.hf.dataset(instances, keys=False))))

    def test_it_goes_on_at_the_next_row(self) -> None:
        expected = [one.id for one in self.instances]
        for stop in (1, 6, 13, 24):
            dataset = picardc.hf.dataset(self.instances, shards=4)
            seen = []
            for row in dataset:
                seen.append(row["id"])
                if len(seen) == stop:
                    state = dataset.state_dict()
                    break
            other = picardc.hf.dataset(self.instances, shards=4)
            other.load_state_dict(state)
            self.assertEqual(seen + [row["id"] for row in other], expected)

    def test_an_edited_suite_is_made_again(self) -> None:
        first = picardc.hf.dataset(self.instances, shards=2, streaming=False)["instance"][:]
        self.suite(self.path.read_text().replace("1..900", "1..901"))
        edited = picardc.compile(self.path).instances(7, samples=5)
        second = picardc.hf.dataset(edited, shards=2, streaming=False)["instance"][:]
        self.assertEqual(second, [one.to_json() for one in edited])
        self.assertNotEqual(second, first)
        seeded = picardc.hf.dataset(edited.suite.instances(8, samples=5), shards=2, streaming=False)["instance"][:]
        self.assertNotEqual(seeded, second)

    def test_what_cannot_be_made_is_left_out(self) -> None:
        instances = picardc.compile(self.suite(RARE, "rare.pcd")).instances(7, samples=60)
        good, bad = made(instances)
        for streaming in (True, False):
            with self.assertWarnsRegex(RuntimeWarning, "instances cannot be made") as caught:
                rows = list(picardc.hf.dataset(instances, shards=3, streaming=streaming, on_error="skip"))
            self.assertEqual([row["instance"] for row in rows], [one.to_json() for one in good])
            said = [str(warning.message) for warning in caught.warnings]
            self.assertEqual(sum(int(text.split()[0]) for text in said if "cannot be made" in text), len(bad), said)
            # `datasets` wraps what a generator of a whole data set raises.
            with self.assertRaises(Exception) as raised:
                list(picardc.hf.dataset(instances, shards=3, streaming=streaming))
            self.assertIn(picardc.BuildError, [type(raised.exception), type(raised.exception.__cause__)])
        with self.assertRaisesRegex(ValueError, "the words are raise, skip"):
            picardc.hf.dataset(instances, on_error="warn")

    def test_hostile_values_are_unchanged(self) -> None:
        instances = picardc.compile(self.suite(HOSTILE, "hostile.pcd")).instances(1, samples=30)
        for streaming in (True, False):
            rows = list(picardc.hf.dataset(instances, shards=2, streaming=streaming))
            self.assertEqual([row["input"] for row in rows], [one.prompt for one in instances])
            self.assertEqual([row["target"] for row in rows], [one.target for one in instances])
            self.assertEqual([row["instance"] for row in rows], [one.to_json() for one in instances])
            rows = list(picardc.hf.dataset(instances, shards=2, streaming=streaming, keys=False))
            files = [{file["path"]: file["content"] for file in row["files"]} for row in rows]
            self.assertEqual(files, [one.files for one in instances])
