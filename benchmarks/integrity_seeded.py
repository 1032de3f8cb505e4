"""Puts what the integrity check looks for into real test files, one place at a time: how much of it is named?

    python -m benchmarks.integrity_seeded /path/to/clone [...] --files 30

The test files of the last commit are read, never written. Each edit is the only one of its change.
"""

import difflib
import random
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from benchmarks.clones import clones_parser, git
from verify_lsp.integrity.examine import examine
from verify_lsp.judgement.files.file_kinds import is_test
from verify_lsp.model.change import Change, FileChange, Line

SCRIPTS = (".js", ".ts", ".mjs")
EDITS: tuple[tuple[str, tuple[str, ...], str, Callable[[re.Match[str]], str]], ...] = (
    ("skip", (".py",), r"(?m)^( *)(def test_\w+\()", lambda m: f"{m[1]}@pytest.mark.skip\n{m[0]}"),
    ("skip", SCRIPTS, r"(?m)^(\s*)(it|test)\((?=['\"`])", lambda m: f"{m[1]}{m[2]}.skip("),
    ("skip", (".go",), r"(?m)^func Test\w+\(t \*testing\.T\) \{\n", lambda m: f"{m[0]}\tt.Skip()\n"),
    ("skip", (".rs",), r"(?m)^( *)#\[test\]\n", lambda m: f"{m[0]}{m[1]}#[ignore]\n"),
    ("only", SCRIPTS, r"(?m)^(\s*)(it|test)\((?=['\"`])", lambda m: f"{m[1]}{m[2]}.only("),
    ("weaker", (".py",), r"(?m)^( +)assert ([^\n=!<>\"']+) == ([^\n\[({,]+)$", lambda m: f"{m[1]}assert {m[2]}"),
    ("weaker", (".py",), r"self\.assertEqual\(([^\n,()]+), [^\n,()]+\)", lambda m: f"self.assertTrue({m[1]})"),
    ("weaker", SCRIPTS, r"\)\.(toBe|toEqual|toStrictEqual)\((?!true|false|null|undefined)[^()\n]+\);", lambda _: ").toBeDefined();"),
    ("weaker", SCRIPTS, r"\bassert\.(?:strictEqual|equal)\(([^,()\n]+), [^,()\n]+\)", lambda m: f"assert.ok({m[1]})"),
    ("weaker", SCRIPTS, r"\bt\.is\(([^,()\n]+), (?!true|false|null|undefined)[^,()\n]+\)", lambda m: f"t.truthy({m[1]})"),
    ("weaker", (".go",), r"(assert|require)\.Equal\(t, [^,()\n]+, ([^,()\n]+)\)", lambda m: f"{m[1]}.NotNil(t, {m[2]})"),
    ("weaker", (".go",), r"if got != want \{", lambda _: "if got == nil {"),
    ("weaker", (".rs",), r"assert_eq!\(([^,()\n]+), [^,()\n]+\);", lambda m: f"assert!({m[1]}.is_some());"),
    ("no assertion", (".py",), r"(?m)^( +)assert [^\n\[({]+$", lambda m: f"{m[1]}pass"),
    ("no assertion", SCRIPTS, r"(?m)^(\s*)(?:expect|assert\.\w+|t\.(?:is|true|deepEqual))\([^\n]*\);$", lambda m: m[1] + ";"),
    ("no assertion", (".go",), r"(?m)^(\s*)(?:assert|require)\.\w+\([^\n]*\)$", lambda m: m[1] + "_ = 0"),
    ("no assertion", (".rs",), r"(?m)^(\s*)assert(?:_eq)?!\([^\n]*\);$", lambda m: m[1] + "let _ = 0;"),
    ("swallowed", (".py",), r"(?m)^( +)(assert [^\n\[({]+)$", lambda m: f"{m[1]}try:\n{m[1]}    {m[2]}\n{m[1]}except AssertionError:\n{m[1]}    pass"),
    ("swallowed", SCRIPTS, r"(?m)^(\s*)((?:expect|assert\.\w+|t\.(?:is|true|deepEqual))\([^\n]*\);)$", lambda m: f"{m[1]}try {{ {m[2]} }} catch {{}}"),
)  # fmt: skip


def change_of(path: str, before: str, after: str) -> Change:
    old, new = before.split("\n"), after.split("\n")
    added: list[Line] = []
    removed: list[Line] = []
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            removed += [Line(number + 1, old[number]) for number in range(i1, i2)]
            added += [Line(number + 1, new[number]) for number in range(j1, j2)]
    file = FileChange(
        path, "modified", added_lines=tuple(added), removed_lines=tuple(removed), before=before, after=after
    )
    return Change((file,))


def main() -> None:
    parser = clones_parser(__doc__.splitlines()[0])
    parser.add_argument("--files", type=int, default=30)
    parser.add_argument("--show", action="store_true", help="print the edits that nothing was said of")
    arguments = parser.parse_args()
    chooser = random.Random(7)
    tried: Counter[tuple[str, str]] = Counter()
    named: Counter[tuple[str, str]] = Counter()
    for clone in arguments.clones:
        paths = [
            path for path in git(clone, "ls-tree", "-r", "--name-only", "HEAD").decode().split("\n") if is_test(path)
        ]
        chooser.shuffle(paths)
        for path in [path for path in paths if path.endswith((".py", ".go", ".rs", *SCRIPTS))][: arguments.files]:
            before = git(clone, "show", f"HEAD:{path}").decode("utf-8", "replace")
            if before.count("\n") > 3000:
                continue
            for kind, extensions, pattern, edit in EDITS:
                places = list(re.finditer(pattern, before)) if path.endswith(extensions) else []
                if not places:
                    continue
                place = chooser.choice(places)
                after = before[: place.start()] + edit(place) + before[place.end() :]
                seen = examine(change_of(path, before, after))
                if seen.gaps:
                    continue
                key = (kind, Path(path).suffix)
                tried[key] += 1
                told = any(problem.severity != "info" for problem in seen.problems)
                named[key] += told
                if arguments.show and not told:
                    print(f"    {kind} {path}: {place[0].strip()[:120]!r}")
    print("| edit | language | named | of |")
    print("|---|---|---|---|")
    for kind, extension in sorted(tried):
        print(f"| {kind} | {extension} | {named[kind, extension]} | {tried[kind, extension]} |")
    print(f"| all | | {named.total()} | {tried.total()} |")


if __name__ == "__main__":
    main()
