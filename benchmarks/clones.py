"""Reads clones of repositories without writing to them; a bare one will do."""

import argparse
import subprocess
from pathlib import Path


def clones_parser(about: str) -> argparse.ArgumentParser:
    """Return a parser of arguments that begin with clones."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("clones", type=Path, nargs="+")
    return parser


def git(clone: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", "-C", str(clone), *arguments], capture_output=True, check=True).stdout


class Blobs:
    """Contents by object name, from one git process."""

    def __init__(self, clone: Path) -> None:
        command = ["git", "-C", str(clone), "cat-file", "--batch"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.asked, self.told = self.process.stdin, self.process.stdout

    def content(self, name: str) -> bytes | None:
        """Return what a blob holds; None when there is no such blob, or it holds no text."""
        self.asked.write(f"{name}\n".encode("utf-8", "surrogateescape"))
        self.asked.flush()
        head = self.told.readline().split()
        if len(head) != 3 or head[1] not in {b"blob", b"commit", b"tree"}:
            return None
        data = self.told.read(int(head[2]))
        self.told.read(1)
        return None if head[1] != b"blob" or b"\0" in data[:8000] else data
