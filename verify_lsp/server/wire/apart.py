"""Keeping the protocol's descriptors away from everything else in the process."""

import os
import sys


def keep_protocol_apart() -> tuple[int, int]:
    """Move the protocol to descriptors that nobody else knows; return the one to read and the one to write.

    What prints, here or in a child that inherits descriptor 1, prints to stderr from now on; what
    reads, reads nothing.
    """
    sys.stdout.flush()
    incoming, outgoing = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    if sys.platform == "win32":
        import msvcrt

        for descriptor in (incoming, outgoing):
            msvcrt.setmode(descriptor, os.O_BINARY)
    return incoming, outgoing
