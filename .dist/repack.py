"""Packs wheels tighter: .dist/repack.py WHEEL…

The same files, in the same order and with the same times, deflated by zopfli: about 5 % fewer bytes for what is installed often and built seldom. The names
and digests in RECORD are those of the files, so they stay as they are.
"""

import os
import sys

from zipfile import ZIP_DEFLATED

from zopfli import ZipFile


def repack(wheel: str) -> None:
    """Replaces a wheel."""
    packed = f"{wheel}.packed"
    with ZipFile(wheel) as before, ZipFile(packed, "w", ZIP_DEFLATED) as after:
        for entry in before.infolist():
            content = before.read(entry)
            entry.compress_type = ZIP_DEFLATED
            after.writestr(entry, content)
    with ZipFile(wheel) as before, ZipFile(packed) as after:
        assert before.namelist() == after.namelist()
        assert all(before.read(name) == after.read(name) for name in before.namelist())
    if os.path.getsize(packed) < os.path.getsize(wheel):
        os.replace(packed, wheel)
    else:
        os.remove(packed)


for path in sys.argv[1:]:
    repack(path)
