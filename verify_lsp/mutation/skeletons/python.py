"""A failing test in Python: a function for pytest, a method of a test case for every other runner."""

import re
from posixpath import dirname, join

from verify_lsp.model.mutant import TriedMutant
from verify_lsp.mutation.skeletons.base import (
    Ground,
    Skeleton,
    comments_on,
    complaint_on,
    free_name,
    inserted,
    quoted,
    stem_of,
    words_of,
)
from verify_lsp.mutation.skeletons.nearest import is_near, nearest
from verify_lsp.syntax.trees import parse

_MAIN = re.compile(r"^if __name__\s*==", re.MULTILINE)
_ANNOTATED = re.compile(r"def test\w*\([^)]*\)\s*->\s*None")
_FUNCTION = re.compile(r"^(?:async )?def test", re.MULTILINE)
_UNITTEST = re.compile(r"^import unittest\b", re.MULTILINE)


def skeleton(mutant: TriedMutant, ground: Ground) -> Skeleton | None:
    """Return the test, in the nearest file about the mutant's, else in a new one beside the nearest of all."""
    files = nearest(mutant, ground)
    for path in files:
        text = ground.read(path)
        if text is not None and is_near(mutant, ground, path):
            return _in_file(mutant, ground, path, text)
    return _in_new_file(mutant, ground, files[0]) if files else None


def _in_file(mutant: TriedMutant, ground: Ground, path: str, text: str) -> Skeleton:
    name = free_name("_".join(("test", *words_of(mutant))), [text])
    main = _MAIN.search(text)
    at = main.start() if main else len(text)
    if _takes_functions(ground, text):
        return Skeleton(path, text, *inserted(text, at, _function(mutant, name, text), gap=2), name)
    if (place := _end_of_last_case(text)) is not None:
        end, indent = place
        return Skeleton(path, text, *inserted(text, end, _method(mutant, name, text, indent)), name)
    title = free_name("".join(word.capitalize() for word in (*words_of(mutant), "test")), [text])
    block = _case(mutant, name, title, imported=bool(_UNITTEST.search(text)))
    return Skeleton(path, text, *inserted(text, at, block, gap=2), name)


def _takes_functions(ground: Ground, text: str) -> bool:
    if ground.runner is None:
        return "pytest" in text or bool(_FUNCTION.search(text))
    return ground.runner == "pytest"


def _in_new_file(mutant: TriedMutant, ground: Ground, model: str) -> Skeleton:
    """Make a file called like the others, in their folder."""
    stem = stem_of(mutant.path)
    after = stem_of(model).endswith("_test") and not stem_of(model).startswith("test_")
    name = "_".join(("test", *words_of(mutant)))
    if _takes_functions(ground, ground.read(model) or ""):
        text = _function(mutant, name, ground.read(model) or "")
    else:
        title = "".join(word.capitalize() for word in (*words_of(mutant), "test"))
        text = _case(mutant, name, title, imported=False).lstrip("\n")
    for called in (stem, f"{stem}_survivors", *(f"{stem}_survivors_{number}" for number in range(2, 99))):
        path = join(dirname(model), f"{called}_test.py" if after else f"test_{called}.py")
        if path not in ground.paths:
            break
    return Skeleton(path, None, 0, text, name)


def _function(mutant: TriedMutant, name: str, text: str) -> str:
    returns = " -> None" if _ANNOTATED.search(text) else ""
    body = [*(f"# {line}" for line in comments_on(mutant)), f"raise AssertionError({quoted(complaint_on(mutant))})"]
    return f"def {name}(){returns}:\n" + "".join(f"    {line}\n" for line in body)


def _method(mutant: TriedMutant, name: str, text: str, indent: str) -> str:
    returns = " -> None" if _ANNOTATED.search(text) else ""
    inner = indent * 2 if indent.strip(" ") == "" else indent + "\t"
    body = [*(f"# {line}" for line in comments_on(mutant)), f"self.fail({quoted(complaint_on(mutant))})"]
    return f"{indent}def {name}(self){returns}:\n" + "".join(f"{inner}{line}\n" for line in body)


def _case(mutant: TriedMutant, name: str, title: str, *, imported: bool) -> str:
    heading = "" if imported else "import unittest\n\n\n"
    return f"{heading}class {title}(unittest.TestCase):\n" + _method(mutant, name, "", "    ")


def _end_of_last_case(text: str) -> tuple[int, str] | None:
    """Return the offset after the last test case with tests in it, and how far its methods are indented."""
    data = text.encode("utf-8", "surrogatepass")
    for node in reversed(parse("python", data).root_node.children):
        inner = node.child_by_field_name("definition") if node.type == "decorated_definition" else node
        if inner is None or inner.type != "class_definition" or inner.has_error:
            continue
        bases, body = inner.child_by_field_name("superclasses"), inner.child_by_field_name("body")
        if bases is None or body is None or b"Test" not in (bases.text or b"") or b"def test" not in (body.text or b""):
            continue
        first = body.children[0]
        line = data.rfind(b"\n", 0, first.start_byte) + 1
        indent = data[line : first.start_byte].decode()
        end = data.find(b"\n", body.end_byte)
        at = len(data) if end < 0 else end + 1
        return len(data[:at].decode("utf-8", "surrogatepass")), indent if not indent.strip() else "    "
    return None
