"""What kind of file a path names: by convention, as no tool is asked."""

import re
from collections.abc import Mapping
from posixpath import basename, splitext

from verify_lsp.judgement.globs import matches_any
from verify_lsp.model.change import FileChange

LOCK_FILES: Mapping[str, tuple[str, ...]] = {
    "package-lock.json": ("package.json",),
    "npm-shrinkwrap.json": ("package.json",),
    "pnpm-lock.yaml": ("package.json", "pnpm-workspace.yaml"),
    "yarn.lock": ("package.json",),
    "bun.lock": ("package.json",),
    "bun.lockb": ("package.json",),
    "deno.lock": ("deno.json", "deno.jsonc", "package.json"),
    "uv.lock": ("pyproject.toml",),
    "poetry.lock": ("pyproject.toml",),
    "pdm.lock": ("pyproject.toml",),
    "pylock.toml": ("pyproject.toml",),
    "Pipfile.lock": ("Pipfile",),
    "Cargo.lock": ("Cargo.toml",),
    "go.sum": ("go.mod",),
    "go.work.sum": ("go.work", "go.mod"),
    "Gemfile.lock": ("Gemfile",),
    "composer.lock": ("composer.json",),
}
"""Lock files by name, each with the manifests it is made from."""

_CODE = frozenset(
    word
    for line in (
        ".py .pyi .pyw .pyx .js .jsx .mjs .cjs .ts .tsx .mts .cts .vue .svelte .astro .go .rs .java .kt .kts .scala .groovy ",
        ".c .h .cc .cpp .cxx .hpp .hh .m .mm .cs .fs .vb .swift .dart .rb .php .pl .pm .lua .r .jl .ex .exs .erl .hs .ml ",
        ".clj .elm .zig .nim .sh .bash .zsh .fish .ps1 .bat .sql",
    )
    for word in line.split()
)
_DOCUMENTATION = frozenset({".md", ".markdown", ".rst", ".adoc", ".asciidoc", ".org", ".tex"})
_DOCUMENTATION_FOLDERS = ("**/{doc,docs}/**/*.txt",)
_DOCUMENTATION_NAMES = re.compile(
    r"^(?:readme|changelog|changes|license|licence|notice|authors|contributing)\b", re.IGNORECASE
)

_TESTS = (
    "**/{test,tests,__tests__,spec,specs,e2e,testing,testdata,__mocks__,cypress}/**",
    "{test,tests}_*.py",
    "*_test.{py,go,js,ts,rb,exs,dart,cc,cpp,c}",
    "*_tests.{py,rs}",
    "*.{test,spec,cy,e2e}.{js,jsx,ts,tsx,mjs,cjs,mts,cts}",
    "*_spec.rb",
    "*{Test,Tests,Spec,IT}.{java,kt,scala,groovy,cs,swift,php}",
    "conftest.py",
    "tests.py",
    "test.{js,ts,mjs,cjs}",
)
_VENDORED = ("**/{vendor,node_modules,third_party,thirdparty,bower_components,site-packages,.yarn}/**",)
_GENERATED = (
    "*.pb.go",
    "*_pb2.py",
    "*_pb2_grpc.py",
    "*_pb2.pyi",
    "*.pb.{cc,h}",
    "*.{gen,generated,g}.{go,ts,js,dart,cs,py,rs}",
    "*_generated.{go,ts,js,py,rs}",
    "zz_generated*",
    "*.min.{js,css}",
    "*.{map,snap}",
    "**/{__snapshots__,__generated__,generated}/**",
    "**/{dist,.next,.nuxt}/**",
)
_GENERATED_HEADER = re.compile(
    r"\bcode generated\b.{0,200}\bdo not edit\b|@generated\b|\bautomatically generated\b", re.IGNORECASE
)
_HEADER_CHARACTERS = 600


def is_lock_file(path: str) -> bool:
    """Say whether `path` is a lock file."""
    return basename(path) in LOCK_FILES


def is_code(path: str) -> bool:
    """Say whether `path` holds program text."""
    return _extension(path) in _CODE


def is_documentation(path: str) -> bool:
    """Say whether `path` is prose that no program reads."""
    name = basename(path)
    if _extension(path) in _DOCUMENTATION or matches_any(path, _DOCUMENTATION_FOLDERS):
        return True
    return _DOCUMENTATION_NAMES.match(name) is not None and _extension(path) in {"", ".txt"}


def is_test(path: str) -> bool:
    """Say whether `path` belongs to the tests: a test, a fixture, a helper of theirs."""
    return matches_any(path, _TESTS)


def is_vendored(path: str) -> bool:
    """Say whether `path` is someone else's code, kept here as a copy."""
    return matches_any(path, _VENDORED)


def is_generated(file: FileChange) -> bool:
    """Say whether a program wrote the file, by its name or by what its head says."""
    head = (file.after or file.before or "")[:_HEADER_CHARACTERS]
    return matches_any(file.path, _GENERATED) or _GENERATED_HEADER.search(head) is not None


def _extension(path: str) -> str:
    return splitext(path)[1].lower()
