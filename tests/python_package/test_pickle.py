"""A pickle is an address: it compiles again where it is read, and refuses a suite that was edited."""

import os
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import picardc
from support import Case


def json_of(instance: picardc.Instance) -> str:
    return instance.to_json()


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
