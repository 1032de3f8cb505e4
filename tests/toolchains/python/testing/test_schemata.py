"""A text with all its mutants compiled in: with none on it is the text's own program, with one on it is that mutant's."""

import json
import shutil
import subprocess
import sys
import sysconfig
import textwrap
from importlib.resources import files
from pathlib import Path

import pytest

from tests.harness import schemata
from verify_lsp.mutation.python.candidates import mutants_of

INJECTED = str(files("verify_lsp.toolchains.python.injected"))
STDLIB = Path(sysconfig.get_path("stdlib"))
FIELDS = ("line", "column", "end_line", "end_column", "replacement")


def runs(program: str) -> bool:
    """Say whether this is a Python, and not a shim without one behind it."""
    path = shutil.which(program)
    return path is not None and subprocess.run([path, "-c", ""], capture_output=True, check=False).returncode == 0


OTHERS = [name for minor in range(8, 20) if runs(name := f"python3.{minor}")]


def case(text: str, every: int = 1):
    mutants = mutants_of("a.py", text, range(1, text.count("\n") + 2))
    numbered = enumerate(mutants, 1)
    return {
        "text": text,
        "every": every,
        "mutants": {number: {name: getattr(mutant, name) for name in FIELDS} for number, mutant in numbered},
    }


def answers(cases, python: str = sys.executable):
    done = subprocess.run(
        [python, schemata.__file__],
        input=json.dumps({"injected": INJECTED, "cases": cases}).encode(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


CONSTRUCTS = textwrap.dedent('''\
    """A docstring: a == b."""
    from __future__ import annotations
    import asyncio
    X = [a < 1 for a in range(3)] if True else [1 + 1]


    def deco(n=1, *, m=2 + 3):
        """Another: a < b."""
        def inner(f):
            return f if n > m else None
        return inner


    @deco(1)
    class A(object, metaclass=type):
        """Of a class."""
        limit = 2 * 3
        rows = [i + 1 for i in range(3) if i > 0]

        @property
        def f(self): return self.limit + 1

        @deco(
            n=2,
        )
        async def g(self, *a, b=1 < 2, **k) -> "x < y":
            async with a as b, k: await b.c(a + 1)
            async for i in self:
                if (n := len(i)) >= 3 and not n: yield i + n
                elif n < 1:
                    continue
                else: break
            return

        def h(self):
            class Inner:
                z = 1 + 2
                def w(self): return super().x + __class__.y
            return lambda q=1 + 1: q == 1, {k: v + 1 for k, v in self if v}, (yield), (yield from self)


    def m(x, y):
        global G
        try:
            x[1:2] += y[::-1], y[1:-2, 3]
            a, *b = x + y, *[1 + 2]
            del x[0]
        except (KeyError, ValueError) as error: raise
        except* OSError if False else None: pass
        finally:
            x.close()
        f"{x + 1:>{y + 2}} {x!r} { {1: 2}[x + 1] }" "tail"
        for i in x:
            while y - 1: y -= 1; x = y < 2; break
            else:
                G = not x
        with open(x) as f, f: pass
        assert x > 1, "a > b"
        return (
            x < 1
            and y > 2
            or (x if y else
                3)
        )


    def blocks(x: list) -> bool:
        try: y = x[x[0]:len(x)]
        except OSError as error: raise KeyError("no") from error
        except ValueError:
            y = None
            z = y
        else: y = x
        if x: pass
        elif y: y = x
        else:
            y = None; z = y
            for q in x: z = q
        for q in x: y = q
        else: y = x
        if y: z = y
        else: z = x
        return y[:z]


    def text():
        if x: return """
    not indented < 3
    """ + y; return 1 < 2
        return "日本" < x
    ''').replace("    except* OSError if False else None: pass\n", "")
MATCH = textwrap.dedent("""\
    def f(x):
        match x + 1:
            case [1, 2, *rest] if rest > 1:
                return rest + 1
            case {"a": -1, "b": 1 + 2j, **more}:
                x.call(more)
            case A(b=1) as y: return y - 1
            case "a" | None | True:
                return True
    """)
LATER = {
    (3, 12): 'type A[T: int] = list[T]\ndef f[T](x: T) -> T:\n    return f"{x + f"{1 + 1}"}" if x > 1 else x\n',
    (3, 11): "def f(x):\n    try:\n        x()\n    except* OSError as e:\n        x = e.a + 1\n",
    (3, 10): MATCH,
}


def texts_for(version: tuple[int, int]):
    return [CONSTRUCTS, *(text for since, text in LATER.items() if version >= since)]


def test_every_construct_of_the_language_keeps_its_meaning():
    cases = [case(text) for text in texts_for(sys.version_info[:2])]

    assert sum(len(each["mutants"]) for each in cases) > 60
    assert answers(cases) == [[[], {}] for _ in cases]


@pytest.mark.parametrize("python", OTHERS)
def test_so_it_is_with_every_python_at_hand(python):
    version = (3, int(python.rpartition(".")[2]))
    cases = [case(text) for text in texts_for(version)]

    assert answers(cases, python) == [[[], {}] for _ in cases]


@pytest.mark.parametrize("name", ["heapq", "textwrap", "contextlib", "asyncio/locks"])
def test_modules_of_the_standard_library_keep_their_meaning(name):
    text = (STDLIB / f"{name}.py").read_text(encoding="utf-8")
    one = case(text, every=25)

    assert len(one["mutants"]) > 20
    assert answers([one]) == [[[], {}]]


def test_a_replacement_that_is_no_python_is_unfit_and_all_others_are_in():
    text = "def f(a):\n    return a < 1\n\n\ndef g(a):\n    return a > 1\n"
    one = case(text)
    one["mutants"][1] = {**one["mutants"][1], "replacement": "<>?"}
    [[problems, invalid]] = answers([one])

    assert problems == []
    assert list(invalid) == ["1"]
    assert "SyntaxError" in invalid["1"]
