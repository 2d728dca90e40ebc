"""Loads a bundle as Inspect AI does, without any code of ours, and looks at what arrived.

    python inspect_load.py BUNDLE

Needs inspect_ai. Prints `N samples loaded`; exits 1 where something is not as written.
"""

import json
import pathlib
import sys

from inspect_ai.dataset import json_dataset


def main(folder):
    written = [json.loads(line) for line in open(folder / "instances.jsonl", encoding="utf-8")]
    count = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["instances"]
    loaded = list(json_dataset(str(folder / "instances.jsonl")))
    assert len(loaded) == len(written) == count > 0, (len(loaded), len(written), count)
    assert len({sample.id.casefold() for sample in loaded}) == count, "ids are not unique"
    for line, sample in zip(written, loaded):
        assert sample.id == line["id"], (sample.id, line["id"])
        assert sample.input == line["input"], sample.id
        assert sample.target == line.get("target", ""), sample.id
        assert sample.metadata == line["metadata"], sample.id
        # An empty object may arrive as none at all.
        files = sample.files or {}
        assert set(files) == set(line["files"]), (sample.id, files)
        for path, source in files.items():
            if source.startswith("data:"):
                assert ";base64," in source, (sample.id, path)
            else:
                # Inspect makes relative paths absolute while loading: it found the file, or it would have kept the text as content.
                assert pathlib.Path(source).is_absolute() and pathlib.Path(source).is_file(), (sample.id, path, source)
                assert pathlib.Path(source).samefile(folder / line["files"][path]), (sample.id, path, source)
    print(f"{len(loaded)} samples loaded")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} BUNDLE")
    main(pathlib.Path(sys.argv[1]))
