"""A pickle is an address: it compiles again where it is read, and refuses a suite that was edited."""

import copy
import hashlib
import os
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import picardc
from support import ROOT, Case


def json_of(instance: picardc.Instance) -> str:
    return instance.to_json()


def scored(instance: picardc.Instance) -> picardc.Score:
    """A score that another process returns."""
    solution = instance.oracle()
    return instance.score(solution.reply, solution.left)


class Pickles(Case):
    def setUp(self) -> None:
        super().setUp()
        self.path = self.suite()
        self.instances = picardc.compile(self.path).instances(7, samples=3, axes={"size": [3, 7]})

    def again(self, value: object) -> object:
        return pickle.loads(pickle.dumps(value))

    def test_they_give_the_same(self) -> None:
        suite = self.again(self.instances.suite)
        self.assertEqual((suite.path, suite.source_sha256), (str(self.path), self.instances.suite.source_sha256))
        for some in (self.instances, self.instances[::-2], self.instances.shard(1, 3), self.instances[:0]):
            other = self.again(some)
            self.assertEqual((other.indexes(), other.identity), (some.indexes(), some.identity))
            self.assertEqual([one.to_json() for one in other], [one.to_json() for one in some])
        self.assertEqual(self.again(self.instances[2]).to_json(), self.instances[2].to_json())

    def test_they_hold_no_key(self) -> None:
        one = self.instances[2]
        held = pickle.dumps(one)
        self.assertLess(len(held), 500)
        self.assertNotIn(one.prompt.encode(), held)

    def test_another_process_refuses_an_edited_suite(self) -> None:
        held = {name: self.folder / name for name in ("suite", "instances", "instance")}
        for value, path in zip((self.instances.suite, self.instances, self.instances[0]), held.values()):
            path.write_bytes(pickle.dumps(value))
        read = "import pickle, sys; print(pickle.load(open(sys.argv[1], 'rb')))"

        def load(path: object) -> subprocess.CompletedProcess[str]:
            return subprocess.run([sys.executable, "-c", read, str(path)], capture_output=True, text=True, env=os.environ)

        for path in held.values():
            self.assertEqual(load(path).returncode, 0, load(path).stderr)
        self.path.write_text(self.path.read_text().replace("1..900", "1..901"))
        for path in held.values():
            ran = load(path)
            self.assertEqual(ran.returncode, 1, ran.stdout)
            self.assertIn("picardc.StaleError", ran.stderr)
            self.assertIn("was edited", ran.stderr)

    def test_workers_make_what_they_are_sent(self) -> None:
        with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
            made = list(pool.map(json_of, self.instances, chunksize=3))
        self.assertEqual(made, [one.to_json() for one in self.instances])

    def test_scores_and_solutions_are_whole(self) -> None:
        for one in [*self.instances.suite.instances(7, samples=2), *picardc.compile(ROOT / "suites/state.pcd").instances(5, samples=1)]:
            solution = one.oracle()
            for again in (self.again(solution), copy.deepcopy(solution)):
                parts = [(each.reply, each.files, each.folders, each.removed, each.left) for each in (solution, again)]
                self.assertEqual(parts[0], parts[1])
            for score in (one.score(solution.reply, solution.left), one.score("1", {path: None for path in one.key_paths if path != "./"} | {"./": []})):
                for again in (self.again(score), copy.copy(score)):
                    self.assertEqual((again.to_dict(), repr(again)), (score.to_dict(), repr(score)))
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            made = pool.submit(scored, self.instances[0]).result()
        self.assertTrue(made.correct)

    def test_a_pickle_that_is_not_one_is_refused(self) -> None:
        from picardc import _picardc

        for restore, parts in ((_picardc._restored_score, ("{}",)), (_picardc._restored_solution, ("", [], [], [], "{"))):
            with self.assertRaisesRegex(ValueError, "the pickle does not have a"):
                restore(*parts)

    def test_a_suite_under_another_name_is_the_same(self) -> None:
        suite = self.instances.suite
        other = self.folder / "elsewhere" / "other.pcd"
        other.parent.mkdir()
        other.write_bytes(self.path.read_bytes())
        moved = picardc.compile(other, sha256=suite.sha256)
        self.assertEqual((moved.sha256, moved.identity(7), moved.source_sha256), (suite.sha256, suite.identity(7), suite.source_sha256))
        self.assertEqual(moved.instances(7)[0].to_json(), suite.instances(7)[0].to_json())
        # Files that it uses count with their names.
        uses = self.suite("use \"part.pcd\"\n" + self.path.read_text(), "uses.pcd")
        names = []
        for name in ("part.pcd", "parts.pcd"):
            (self.folder / name).write_text("domain unused = int 1..2\n")
            uses.write_text(uses.read_text().replace("part.pcd", name))
            names.append(picardc.compile(uses).sha256)
        self.assertNotEqual(*names)

    def test_digests_of_earlier_versions_are_known(self) -> None:
        suite = self.instances.suite
        content = hashlib.sha256(self.path.read_bytes()).hexdigest()
        named = hashlib.sha256(f"{content}  {self.path.name}\n".encode()).hexdigest()
        self.assertNotEqual(named, suite.sha256)
        self.assertEqual(picardc.compile(self.path, sha256=named).sha256, suite.sha256)
        # A pickle of an earlier version has it.
        held = pickle.dumps(self.instances[2]).replace(suite.sha256.encode(), named.encode())
        self.assertEqual(pickle.loads(held).to_json(), self.instances[2].to_json())
        self.assertTrue(self.instances._has_identity(self.instances.identity))
        self.assertFalse(self.instances._has_identity("0" * 64))
        self.path.write_text(self.path.read_text() + "# edited\n")
        with self.assertRaises(picardc.StaleError):
            picardc.compile(self.path, sha256=named)

    def test_errors_keep_what_they_say(self) -> None:
        self.path.write_text("suite a {")
        with self.assertRaises(picardc.CompileError) as caught:
            picardc.compile(self.path)
        other = self.again(caught.exception)
        self.assertEqual((str(other), other.diagnostics), (str(caught.exception), caught.exception.diagnostics))

    def test_threads_make_them_at_the_same_time(self) -> None:
        made: list[list[str]] = []
        threads = [threading.Thread(target=lambda: made.append([json_of(one) for one in self.instances])) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(made, [[json_of(one) for one in self.instances]] * 4)
