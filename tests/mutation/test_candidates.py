"""Which faults Python code has room for, and which texts are left alone."""

import ast
import textwrap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify_lsp.model.mutant import Mutant
from verify_lsp.mutation.python.candidates import mutants_of


def found(text: str, *lines: int) -> list[Mutant]:
    text = textwrap.dedent(text)
    return list(mutants_of("a.py", text, lines or range(1, text.count("\n") + 2)))


def changes(text: str, *lines: int) -> list[tuple[str, str]]:
    return [(mutant.original, mutant.replacement) for mutant in found(text, *lines)]


def body(code: str) -> str:
    return "def f(a, b, x, *c):\n" + textwrap.indent(textwrap.dedent(code).strip("\n"), "    ") + "\n"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("if a < b: pass", [("<", "<=")]),
        ("if a >= b: pass", [(">=", ">")]),
        ("if a == b: pass", [("==", "!=")]),
        ("if a is not b: pass", [("is not", "is")]),
        ("if a  not   in b: pass", [("not   in", "in")]),
        ("if a < b < x: pass", [("<", "<="), ("<", "<=")]),
        ("if a and b: pass", [("and", "or")]),
        ("if not a: pass", [("not a", "a")]),
        ("if a: pass", [("a", "not (a)")]),
        ("if(a): pass", [("(a)", " not ((a))")]),
        ("while a.b(): pass", [("a.b()", "not (a.b())")]),
        ("x = a if b else x", [("b", "not (b)")]),
        ("x = a + b", [("+", "-")]),
        ("x = a // b", [("//", "*")]),
        ("x += a", [("+=", "-=")]),
        ("x = a & b", [("&", "|")]),
        ("x = -a", [("-a", "a")]),
        ("for a in b: break", [("break", "continue")]),
        ("x = a[1]", [("1", "2")]),
        ("x = 0x10", [("0x10", "17")]),
        ("x = 1.5", [("1.5", "2.5")]),
        ("x = True", [("True", "False")]),
        ("return a", [("a", "None")]),
        ("return(a)", [("(a)", " None")]),
        ("a.update(b)", [("a.update(b)", "pass")]),
        ("raise", [("raise", "pass")]),
        ("raise KeyError from None", [("raise KeyError from None", "pass")]),
    ],
)
def test_code_that_decides_something_can_be_wrong(code, expected):
    assert changes(body(code), 2) == expected


@pytest.mark.parametrize(
    "text",
    [
        'def f():\n    """a == b and c < d"""',
        "# comment with ==\n",
        body('log.info("a == b")'),
        body('self.logger.warning("%s", a + b)'),
        body("print(a < b)"),
        body('raise ValueError("bad > value")'),
        body('raise ValueError(f"bad > {a + 1}")'),
        body("x: Optional[int] = None"),
        "x: Optional[int] = None\n",
        "__all__ = ['a' + 'b']\n",
        "__all__ += other.__all__\n",
        "if TYPE_CHECKING:\n    import a\n    B = a < 3\n",
        "if typing.TYPE_CHECKING:\n    x = a + 1\n",
        "@overload\ndef f(a: int = 3) -> int:\n    return 1\n",
        "class P(Protocol):\n    def f(self, a=1):\n        return 2\n",
        "\n\n",
        "import os, sys\nfrom a import b\n",
        "def __repr__(self):\n    return 'a' + str(self.x + 1)\n",
        "if __name__ == '__main__':\n    main(1 + 2)\n",
        "A = B | None\n",
        "LIMIT = 5\nNAMES = ('a', 'b')\nRATE = -0.5\n",
        "T = TypeVar('T', bound=int)\n",
        "@retry(times=3, wait=1 + 1)\ndef f(): pass\n",
        body("time.sleep(3)"),
        body("x = a(timeout=30)"),
        body("read_timeout = 5 * 60"),
        body("pass"),
        body("x = 'text'"),
        body("x = isinstance(a, int | str)"),
        body("warnings.warn('a' + b, stacklevel=2)"),
        "class E(Enum):\n    A = 1\n    B = A + 1\n",
        "def f(a: 'int | str' = ..., b: int | None = None) -> 'x < y': ...\n",
    ],
)
def test_texts_for_people_types_and_limits_have_no_mutants(text):
    assert changes(text) == []


def test_only_the_lines_that_were_asked_for_have_mutants():
    text = "def f(a):\n    if a < 1:\n        return 1\n    return a > 2\n"

    assert {mutant.line for mutant in found(text, 4)} == {4}
    assert found(text, 1) == []


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x = a[b:len(c)]", [("b", "b + 1")]),
        ("x = a[b:c()]", [("b", "b + 1"), ("c()", "c() + 1")]),
        ("x = a[b.c + 1::b]", [("b.c + 1", "b.c + 1 + 1"), ("+", "-"), ("1", "2")]),
        ("x = a[:-1]", [("1", "2")]),
        ("x = a[b]", []),
        ('x = a.get(b, "c")', [('"c"', '""')]),
        ('x = getattr(a, b, "")', [('""', '"x"')]),
        ('x = a.get("b")', []),
        ('x = getattr(a, "b")', []),
        ('x = a.format(b, "c")', []),
    ],
)
def test_bounds_move_and_what_is_taken_where_nothing_is_found_is_another(code, expected):
    assert changes(body(code), 2) == expected


def test_what_handles_an_exception_or_is_done_otherwise_is_left_out_where_nothing_smaller_can_be_wrong():
    code = """
        def f(a):
            try:
                b = int(a)
            except ValueError as error:
                raise KeyError("no") from error
            except OSError:
                b = None
                c = b
            except TypeError:
                return None
            except KeyError:
                log.warning("no")
            except IndexError:
                b = a + c
            if a:
                b = a
            else:
                b = c
            for c in a:
                b = c
            else:
                b = a
        """
    told = [(mutant.line, mutant.operator, mutant.original.split()[0]) for mutant in found(code)]
    assert told == [
        (6, "handler", "raise"),
        (8, "handler", "b"),
        (15, "arithmetic", "+"),
        (16, "condition", "a"),
        (19, "branch", "b"),
    ]


@pytest.mark.parametrize(
    ("declared", "returned", "expected"),
    [
        ("int", "a", [("a", "0")]),
        ("float", "a", [("a", "0.0")]),
        ('"str"', "a", [("a", '""')]),
        ("list[int]", "a", [("a", "[]")]),
        ("t.Dict[str, int]", "a", [("a", "{}")]),
        ("dict", "{}", [("{}", "None")]),
        ("bool", "a.b", [("a.b", "not (a.b)")]),
        ("bool", "a == b", [("==", "!=")]),
        ("str | None", "a", [("a", "None")]),
        ("Thing", "a", [("a", "None")]),
    ],
)
def test_nothing_has_the_form_of_the_declared_type(declared, returned, expected):
    assert changes(f"def f(a, b) -> {declared}:\n    return {returned}\n", 2) == expected


def test_texts_are_joined_by_nothing_but_a_plus():
    assert changes(body("x = 'a' + b\nx = '%s' % a\nx = a + 'x' + b\nx += 'a'\nx += [a]")) == []


def test_the_other_branch_of_a_type_checking_block_is_code():
    assert changes("if TYPE_CHECKING:\n    x = a < 1\nelse:\n    x = a < 2\n") == [("<", "<="), ("2", "3")]


def test_the_message_of_an_assertion_is_left_alone_and_its_condition_is_not():
    assert changes(body("assert a > b, f'{a + b}'")) == [(">", ">=")]


def test_the_place_is_told_in_code_points_and_the_function_by_its_name():
    text = 'class A:\n    def f(self, a):\n        return "日本" + a.b if a < "𝄞" else g(lambda q: q == 1)\n'
    mutant = next(each for each in found(text) if each.original == "<")

    row = text.split("\n")[mutant.line - 1]
    assert row[mutant.column - 1 : mutant.end_column - 1] == "<"
    assert (mutant.function, mutant.at_import) == ("A.f", False)


def test_a_default_runs_when_the_file_is_loaded_and_a_lambda_when_it_is_called():
    mutants = found("def f(a=1):\n    return a\nG = sorted(X, key=lambda q: q + 1)\nH = 1 + K\n")

    told = {(mutant.line, mutant.operator): (mutant.at_import, mutant.function) for mutant in mutants}
    assert told[1, "number"] == (True, "f")
    assert told[2, "return"] == (False, "f")
    assert told[3, "arithmetic"] == (False, "")
    assert told[4, "arithmetic"] == (True, "")


def test_line_ends_of_windows_count_as_one_and_a_byte_order_mark_as_none():
    unix = "def f(a):\n    return a < 1\n"

    assert mutants_of("a.py", "\ufeff" + unix.replace("\n", "\r\n"), [2]) == mutants_of("a.py", unix, [2])


def test_a_text_that_python_and_git_count_differently_has_none():
    assert mutants_of("a.py", "def f(a):\r    return a < 1\n", [1, 2]) == ()


def test_a_deeply_nested_text_is_read_to_its_end():
    assert len(mutants_of("a.py", "x = " + "(" * 5000 + "1" + ")" * 5000, [1])) <= 1


_PIECES = st.sampled_from(
    [
        "a",
        "<",
        "not ",
        " in ",
        "(",
        ")",
        "1",
        "'é'",
        "+",
        "\n",
        "    ",
        "if ",
        ":",
        "return",
        "f'{",
        "}",
        "𝄞",
        "#",
        "[",
        "]",
    ]
)


@given(st.lists(_PIECES, max_size=40).map("".join))
def test_any_text_gets_an_answer_and_each_place_holds_what_is_said(text):
    rows = text.split("\n")
    for mutant in mutants_of("a.py", text, range(1, len(rows) + 1)):
        if mutant.line == mutant.end_line:
            assert rows[mutant.line - 1][mutant.column - 1 : mutant.end_column - 1] == mutant.original


def test_every_mutant_of_this_module_is_python():
    text = Path(mutants_of.__code__.co_filename).read_text(encoding="utf-8")
    rows = text.split("\n")
    mutants = mutants_of("a.py", text, range(1, len(rows) + 1))

    assert len(mutants) > 20
    for mutant in mutants:
        changed = list(rows)
        start, end = rows[mutant.line - 1][: mutant.column - 1], rows[mutant.end_line - 1][mutant.end_column - 1 :]
        changed[mutant.line - 1 : mutant.end_line] = [start + mutant.replacement + end]
        ast.parse("\n".join(changed))
