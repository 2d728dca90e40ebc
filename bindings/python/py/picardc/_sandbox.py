"""What the integrations with evaluation frameworks do in a sandbox that is not ours: put files
into it, and capture what an answer key reads.

A sandbox is given as two functions: `run` gives the output of a command, `read` the content of a
file.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Awaitable, Callable
from typing import Any

from ._picardc import Instance, Solution

FILE_LIMIT = 16 << 20
"""The largest file of a sandbox that is kept, in bytes, as in runs of picardc."""
TOTAL_LIMIT = 64 << 20
"""The most bytes that are kept of one sandbox, as in runs of picardc."""
MOST_PATHS = 100_000
"""The most paths of a sandbox that are kept where an answer key reads all of them, as in runs of
picardc."""
WHOLE = "./"
"""The path by which an answer key asks for all paths of the sandbox."""
DIGESTS = "**"
"""The path by which an answer key asks for all paths of the sandbox and the digests of files."""

Run = Callable[[list[str]], Awaitable[str]]
"""Runs a command in the folder of the sandbox, and gives its standard output. Raises
CommandFailed, and TooMuch if the output is too long."""
Read = Callable[[str], Awaitable[bytes]]
"""Reads a file. Raises OSError if it cannot be read, and TooMuch if it is too long."""
Write = Callable[[str, bytes], Awaitable[None]]
"""Writes a file, and makes the folders above it."""


class CommandFailed(RuntimeError):
    """A command failed in the sandbox; the text is what it said."""


class TooMuch(Exception):
    """A file or an output is larger than what the sandbox hands out."""


async def place(instance: Instance, run: Run, write: Write) -> None:
    """Puts the files and the empty folders of an instance into its sandbox."""
    if instance.folders:
        await run(["mkdir", "-p", "--", *instance.folders])
    for path, content in instance.files.items():
        await write(path, content)


async def apply(solution: Solution, run: Run, write: Write) -> None:
    """Leaves the sandbox as a solution does."""
    if solution.removed:
        await run(["rm", "-rf", "--", *solution.removed])
    if solution.folders:
        await run(["mkdir", "-p", "--", *solution.folders])
    for path, content in solution.files.items():
        await write(path, content)


KINDS = r"""
root=$(pwd -P)
for path in "$@"; do
  path=${path%/}
  case "$path" in
    # SQLite follows links to a database, and keeps its log and its journal there.
    *-wal) base=${path%-wal}; if [ -L "$base" ]; then path=$(readlink -f -- "$base")-wal; fi ;;
    *-journal) base=${path%-journal}; if [ -L "$base" ]; then path=$(readlink -f -- "$base")-journal; fi ;;
  esac
  real=$(readlink -f -- "$path" 2>/dev/null || printf '%s' "$root/$path")
  case "$root" in /) inside=1 ;; *) case "$real" in "$root"|"$root"/*) inside=1 ;; *) inside= ;; esac ;; esac
  if [ -L "$path" ] && [ ! -e "$path" ]; then echo "dangling"
  elif [ ! -e "$path" ]; then echo "absent"
  elif [ -z "$inside" ]; then echo "outside"
  elif [ -d "$path" ]; then echo "folder"
  elif [ -f "$path" ]; then echo "file $(wc -c < "$path" | tr -d ' ') $path"
  else echo "other"
  fi
done
"""
"""Says of each path what is there, one line for each: a single command for all of them, because
each costs a round trip in a remote sandbox."""

LIST = "find . -mindepth 1 -type d | sed 's|^\\./||; s|$|/|' && find . -mindepth 1 ! -type d | sed 's|^\\./||'"
"""Lists all paths, folders with a `/` at the end."""


HASH = """
command -v sha256sum >/dev/null || { echo "the sandbox has no sha256sum, which this answer key needs" >&2; exit 1; }
find . -type f -exec sha256sum -- {} + 2>/dev/null
true
"""
"""Gives SHA-256 of all files that can be read. A name with a backslash or a line break is escaped."""


async def capture(paths: list[str], run: Run, read: Read) -> dict[str, dict[str, Any]]:
    """What is at each path that an answer key reads, in the words of `responses.jsonl`: the
    `files` of `Instance.score`.

    Raises CommandFailed if the sandbox has no `sh`, or no `sha256sum` where digests are asked for.
    """
    plain = [path for path in paths if path not in (WHOLE, DIGESTS)]
    kinds = (await run(["sh", "-c", KINDS, "sh", *plain])).splitlines() if plain else []
    if len(kinds) != len(plain):
        raise CommandFailed(f"the sandbox told of {len(kinds)} paths instead of {len(plain)}")
    told = dict(zip(plain, kinds))
    captured: dict[str, dict[str, Any]] = {}
    left = TOTAL_LIMIT
    for path in paths:
        if path == WHOLE:
            captured[path] = await _all_paths(run)
        elif path == DIGESTS:
            captured[path] = await _all_digests(run)
        else:
            captured[path], size = await _look(told[path], left, read)
            left -= size
    return captured


async def _look(told: str, left: int, read: Read) -> tuple[dict[str, Any], int]:
    """What is at a path, and how many bytes are kept of it."""
    kind, _, rest = told.partition(" ")
    if kind in ("absent", "folder"):
        return {"kind": kind}, 0
    if kind == "dangling":
        return {"kind": "other", "what": "a link to nothing"}, 0
    if kind == "outside":
        return {"kind": "other", "what": "a link that leaves the sandbox"}, 0
    if kind != "file":
        return {"kind": "other", "what": "neither a file nor a folder"}, 0
    digits, _, path = rest.partition(" ")
    size = int(digits)
    if size > min(FILE_LIMIT, left):
        return {"kind": "too_large", "size": size}, 0
    try:
        content = await read(path)
    except TooMuch:
        return {"kind": "too_large", "size": size}, 0
    except OSError as error:
        return {"kind": "other", "what": f"a file that cannot be read: {error}"}, 0
    try:
        return {"kind": "text", "text": content.decode("utf-8")}, len(content)
    except UnicodeDecodeError:
        return {"kind": "bytes", "base64": base64.b64encode(content).decode("ascii")}, len(content)


async def _all_paths(run: Run) -> dict[str, Any]:
    try:
        paths = sorted((await run(["sh", "-c", LIST])).splitlines())
    except TooMuch:
        return {"kind": "too_large", "size": MOST_PATHS}
    except CommandFailed as error:
        return {"kind": "other", "what": f"a folder that cannot be read: {error}"}
    return {"kind": "paths", "paths": paths} if len(paths) <= MOST_PATHS else {"kind": "too_large", "size": len(paths)}


async def _all_digests(run: Run) -> dict[str, Any]:
    """All paths, and the digests of files, which a sandbox without `sha256sum` cannot give."""
    found = await _all_paths(run)
    if found["kind"] != "paths":
        return found
    try:
        lines = (await run(["sh", "-c", HASH])).splitlines()
    except TooMuch:
        return {"kind": "too_large", "size": len(found["paths"])}
    digests = dict(_digest(line) for line in lines)
    return {**found, "sha256": [digests.get(path) for path in found["paths"]]}


def _digest(line: str) -> tuple[str, str]:
    """The path and the digest in a line of `sha256sum`."""
    digest, _, path = line.partition("  ")
    if digest.startswith("\\"):
        digest, path = digest[1:], re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], path)
    return path.removeprefix("./"), digest
