import time

import pytest

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
