"""Starts a program on a kernel that seems not to have some system calls: `without_calls.py FIRST LAST PROGRAM ARGS…`.

444 to 446 are Landlock, 272 is `unshare` on x86-64."""

import ctypes
import os
import struct
import sys

first, last = int(sys.argv[1]), int(sys.argv[2])
# Load the number of the call; those given fail with ENOSYS (38), all others are allowed.
program = [(0x20, 0, 0, 0), (0x35, 0, 2, first), (0x25, 1, 0, last), (0x06, 0, 0, 0x00050000 | 38), (0x06, 0, 0, 0x7FFF0000)]
code = b"".join(struct.pack("HBBI", *instruction) for instruction in program)
buffer = ctypes.create_string_buffer(code)


class Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]


filter = Filter(len(program), ctypes.addressof(buffer))
libc = ctypes.CDLL(None, use_errno=True)
if libc.prctl(38, 1, 0, 0, 0) != 0 or libc.prctl(22, 2, ctypes.byref(filter), 0, 0) != 0:
    sys.exit("no filter: " + os.strerror(ctypes.get_errno()))
os.execv(sys.argv[3], sys.argv[3:])
