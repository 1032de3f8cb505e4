import fnmatch
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify_lsp.judgement.globs import GlobSet


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("*.py", "a.py"),
        ("*.py", "deep/down/a.py"),
        ("build", "build/out.js"),
        ("build", "pkg/build/out.js"),
        ("build", "build"),
        ("build/", "pkg/build/out.js"),
        ("/build", "build/x"),
        ("src/*.py", "src/a.py"),
        ("src/**/*.py", "src/a.py"),
        ("src/**/*.py", "src/b/c/a.py"),
        ("src/**", "src/b/c/a.py"),
        ("**/gen/**", "a/gen/b.py"),
        ("**/gen/**", "gen/b.py"),
        ("**", "a/b"),
        ("a/**/b/**/c", "a/x/b/y/z/c"),
        ("file?.txt", "file1.txt"),
        ("[ab].txt", "b.txt"),
        ("[!ab].txt", "c.txt"),
        ("**/*.{js,ts}", "web/a.ts"),
        ("{src,lib}/*.{c,h}", "lib/a.h"),
        ("./src", "src/a.py"),
        ("docs/über/*", "docs/über/a.md"),
        (".github/workflows", ".github/workflows/ci.yml"),
    ],
)
def test_a_glob_matches(glob, path):
    assert GlobSet.of([glob]).matches(path)


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("*.py", "a.pyc"),
        ("build/", "build"),
        ("/build", "pkg/build/x"),
        ("src/*.py", "src/b/a.py"),
        ("src/*.py", "lib/src/a.py"),
        ("src/**", "src"),
        ("src/**", "srcs/a.py"),
        ("build", "rebuild/x"),
        ("build", "build.py"),
        ("*.PY", "a.py"),
        ("file?.txt", "file/.txt"),
        ("", "a"),
        ("/", "a"),
        ("!a.py", "b.py"),
        ("*.{js,ts}", "a.tsx"),
    ],
)
def test_a_glob_does_not_match(glob, path):
    assert not GlobSet.of([glob]).matches(path)


def test_the_last_glob_that_matches_decides():
    globs = GlobSet.of(["tests/**", "!tests/important/**", "tests/important/generated.py"])
    assert globs.matches("tests/a.py")
    assert not globs.matches("tests/important/a.py")
    assert globs.matches("tests/important/generated.py")


def test_no_globs_match_nothing():
    assert not GlobSet.of([]).matches("a.py")


def test_hostile_globs_cost_no_time():
    started = time.process_time()
    globs = GlobSet.of(["**/a" * 200 + "/b", "*a" * 400 + "b", "{a,b}" * 60, "[" * 500])
    assert not globs.matches("a/" * 400 + "a" * 2000)
    assert time.process_time() - started < 2


NAMES = st.sampled_from(["a", "b", "ab", "ba", ".a", "a.b"])
PATTERNS = st.sampled_from(["a", "*", "**", "a*", "*b", "?", "a*b", "*a*b*", "[ab]", "[!a]", ".a", "**b"])


@given(
    st.lists(PATTERNS, min_size=1, max_size=5), st.booleans(), st.booleans(), st.lists(NAMES, min_size=1, max_size=5)
)
def test_globs_match_as_a_plain_search_does(patterns, rooted, folder, names):
    glob = "/" * rooted + "/".join(patterns) + "/" * folder
    if not rooted and len(patterns) == 1:
        patterns = ["**", *patterns]
    expected = any(matches_plainly(patterns, names[:length]) for length in range(1, len(names) + (not folder)))
    assert GlobSet.of([glob]).matches("/".join(names)) == expected


def matches_plainly(patterns: list[str], names: list[str]) -> bool:
    if not patterns:
        return not names
    first, rest = patterns[0], patterns[1:]
    if first == "**":
        if not rest:
            return bool(names)
        return any(matches_plainly(rest, names[start:]) for start in range(len(names) + 1))
    return bool(names) and fnmatch.fnmatchcase(names[0], first) and matches_plainly(rest, names[1:])
