"""How many bytes of text the security rules read in a second of processor time, every line counted as added.

    python -m benchmarks.accuracy.speed FOLDER…

Prints one JSON document. Files of the rules' languages are taken, as far as they are text and below 400 kB.
"""

import json
import sys
import time
from pathlib import Path

from verify_lsp.security.scan import scan_text

_EXTENSIONS = frozenset(
    [
        ".py",
        ".js",
        ".jsx",
        ".mjs",
        ".cjs",
        ".ts",
        ".tsx",
        ".go",
        ".rs",
        ".sh",
        ".yml",
        ".yaml",
        ".json",
        ".toml",
        ".tf",
        ".md",
    ]
)
_LARGEST = 400_000
_NOT_OURS = frozenset({".git", "node_modules", ".venv", "target", "vendor"})


def main() -> int:
    texts = [text for folder in map(Path, sys.argv[1:]) for text in _texts(folder)]
    for path, text in texts[:20]:
        scan_text(path, text)
    started = time.process_time()
    for path, text in texts:
        scan_text(path, text)
    seconds = time.process_time() - started
    size = sum(len(text.encode()) for _, text in texts)
    print(
        json.dumps({"files": len(texts), "mb": round(size / 1e6, 1), "mb_per_second": round(size / 1e6 / seconds, 1)})
    )
    return 0


def _texts(folder: Path) -> list[tuple[str, str]]:
    found = []
    for path in sorted(folder.rglob("*")):
        if path.suffix not in _EXTENSIONS or _NOT_OURS.intersection(path.parts) or not path.is_file():
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        if len(text) <= _LARGEST:
            found.append((path.relative_to(folder).as_posix(), text))
    return found


if __name__ == "__main__":
    raise SystemExit(main())
