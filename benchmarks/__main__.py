"""Runs every benchmark that needs nothing but this checkout: `python -m benchmarks`."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
RUNS = (("process.py",), ("server.py",), ("inline.py",), ("scope.py", "--large"))


def main() -> int:
    codes = []
    for name, *arguments in RUNS:
        print(f"== {name} {' '.join(arguments)}", flush=True)
        codes.append(subprocess.run([sys.executable, str(HERE / name), *arguments], check=False).returncode)
    return max(codes)


if __name__ == "__main__":
    raise SystemExit(main())
