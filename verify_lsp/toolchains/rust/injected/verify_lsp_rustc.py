"""Writes the program that cargo calls the compiler through, and takes away what such programs of ended runs had it build.

    python verify_lsp_rustc.py FOLDER LISTS

The compiler is told not to refuse a program for its warnings, as half of a mutated line is code that nothing reaches, and
to leave out what only debuggers need. Cargo keeps apart what is built through different programs, so that every run leaves files in
the shared target folder: they are listed in a file of LISTS by the name of FOLDER, and removed when FOLDER is gone.
"""

import shlex
import shutil
import sys
from pathlib import Path

_SCRIPT = """\
#!/bin/sh
out= extra= before=
for word; do
    case $word in extra-filename=*) extra=${{word#extra-filename=}} ;; esac
    [ "$before" = --out-dir ] && out=$word
    before=$word
done
if [ -n "$extra" ]; then
    printf '%s\\t%s\\n' "$out" "$extra" >>{listed}
    exec "$@" --cap-lints allow -C debuginfo=0
fi
exec "$@"
"""


def main() -> None:
    """Make the program, and tidy up."""
    folder, lists = (Path(argument) for argument in sys.argv[1:3])
    lists.mkdir(parents=True, exist_ok=True)
    for listed in lists.iterdir():
        if not (folder.parent / listed.name).exists():
            _remove(listed)
    if (linked := Path("target")).is_symlink():
        linked.unlink()  # Tests that write there shall not write into the user's folder.
    script = folder / "rustc"
    if not script.exists():
        script.write_text(_SCRIPT.format(listed=shlex.quote(str(lists / folder.name))), encoding="utf-8")
        script.chmod(0o700)


def _remove(listed: Path) -> None:
    for line in listed.read_text(encoding="utf-8", errors="replace").split("\n"):
        out, _, extra = line.partition("\t")
        place = Path(out)
        if len(extra) < 8 or not place.is_absolute() or not place.is_dir():
            continue
        if place.parent.name == "build":
            shutil.rmtree(place, ignore_errors=True)
        for found in (*place.glob(f"*{extra}*"), *(place.parent / ".fingerprint").glob(f"*{extra}")):
            if found.is_dir():
                shutil.rmtree(found, ignore_errors=True)
            else:
                found.unlink(missing_ok=True)
    listed.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
