"""Instances of a picardc bundle for lm-evaluation-harness, and their scores."""

import json
import os
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import IO, Any

import datasets

HERE = Path(__file__).resolve().parent
KEYS = HERE / "keys"


def dataset(**_: Any) -> dict[str, datasets.Dataset]:
    """The instances, as `{"test": rows of id, input, and bundle}`. Nothing is cached, so an edited
    suite is never served from a cache."""
    with open(HERE / "instances.jsonl", encoding="utf-8", newline="\n") as lines:
        rows = [json.loads(line) for line in lines]
    return {"test": datasets.Dataset.from_list(rows)}


def process_results(doc: dict[str, Any], results: list[str]) -> dict[str, float]:
    """The score of a reply: `correct` is 0 or 1, `score` is between.

    Raises RuntimeError with what `picardc grade` says if it cannot score, and if the answer keys
    are not those of the instance any more.
    """
    with _lock:
        score = _grader(doc["bundle"]).score({"id": doc["id"], "reply": _unicode(results[0])})
    return {"correct": float(score["correct"]), "score": float(score["score"])}


def _unicode(reply: str) -> str:
    """A reply without halves of characters, which no text has and some models give."""
    return reply.encode("utf-8", "replace").decode("utf-8")


class Grader:
    """A process of `picardc grade`, which scores one response after the other."""

    def __init__(self) -> None:
        self.manifest = _manifest()
        self.owner = os.getpid()
        self.said: IO[bytes] = tempfile.TemporaryFile()
        command = [os.environ.get("PICARDC", "picardc"), "grade", str(KEYS), "--lines"]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.said
        )

    def fits(self) -> bool:
        """Whether it is a process of ours, and has the answer keys as they are now."""
        return self.owner == os.getpid() and self.process.poll() is None and self.manifest == _manifest()

    def close(self) -> None:
        """Ends it, if it is a process of ours: a fork has only a copy of its streams."""
        if self.owner != os.getpid():
            return
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
        self.said.close()

    def score(self, response: dict[str, str]) -> dict[str, Any]:
        """The score of a response."""
        line = ""
        try:
            self.process.stdin.write(json.dumps(response).encode() + b"\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline().decode()
        except OSError:
            pass  # It has ended; what it said is why.
        if not line:
            self.process.wait()
            self.said.seek(0)
            why = self.said.read().decode(errors="replace") or f"it ended with status {self.process.returncode}"
            raise RuntimeError(f"picardc grade {response['id']}: {why}")
        score = json.loads(line)
        if "error" in score:
            raise RuntimeError(f"picardc grade {response['id']}: {score['error']}")
        return score


_lock = threading.Lock()
_kept: Grader | None = None


def _manifest() -> bytes:
    return (KEYS / "manifest.json").read_bytes()


def _grader(bundle: str) -> Grader:
    """The process, started with the first reply. `bundle` is the digest of the bundle that was
    asked."""
    global _kept
    if _kept is None or not _kept.fits():
        if _kept is not None:
            _kept.close()
        _kept = Grader()
    if json.loads(_kept.manifest)["exported_from"] != bundle:
        raise RuntimeError(f"{HERE} was exported again while it was in use: load its task again")
    return _kept
