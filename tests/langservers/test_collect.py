"""Real language servers, asked about small projects."""

import os
import sys
from pathlib import Path

import pytest

from verify_lsp.langservers.collect import Collected, collect
from verify_lsp.model.command import Command
from verify_lsp.system.environment import child_environment
from verify_lsp.toolchains.base import LanguageServer, Unreadable

TOOLS = Path(__file__).parents[1] / "tools"
NODE = TOOLS / "node" / "node_modules"
PYTHON = LanguageServer(
    "basedpyright",
    Command((str(Path(sys.executable).with_name("basedpyright-langserver")), "--stdio")),
    {".py": "python"},
    settles_by="pull",
)
TYPESCRIPT = LanguageServer(
    "typescript-language-server",
    Command((str(NODE / ".bin" / "typescript-language-server"), "--stdio")),
    {".ts": "typescript"},
    initialization_options={"tsserver": {"path": str(NODE / "typescript" / "lib")}},
    barrier=lambda path: ("typescript.tsserverRequest", ["semanticDiagnosticsSync", {"file": path}]),
)
GO = LanguageServer("gopls", Command((str(TOOLS / "bin" / "gopls"),)), {".go": "go"})
LIMIT_S = 120.0


def write(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


async def ask(server, folder, *files):
    answer = await collect(server, folder, files, limit_s=LIMIT_S, environment=child_environment())
    assert isinstance(answer, Collected), answer
    return answer


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.mark.anyio
async def test_an_error_after_an_emoji_stands_at_its_code_point(tmp_path):
    write(tmp_path, {"a.py": 's = "😀"; y: int = "b"\n'})

    answer = await ask(PYTHON, tmp_path, "a.py")

    assert [(found.path, found.line, found.column, found.severity) for found in answer.problems] == [
        ("a.py", 1, 19, "high")
    ]


@pytest.mark.anyio
async def test_a_clean_file_has_no_problems_once_the_server_has_looked(tmp_path):
    write(tmp_path, {"a.py": "x: int = 1\n"})

    assert (await ask(PYTHON, tmp_path, "a.py")).problems == ()


@pytest.mark.anyio
async def test_typescript_is_waited_for_until_the_types_were_checked(tmp_path):
    write(
        tmp_path, {"tsconfig.json": '{"compilerOptions": {"strict": true}}', "a.ts": 'export const a: number = "x";\n'}
    )

    answer = await ask(TYPESCRIPT, tmp_path, "a.ts")

    assert [(found.line, found.column, found.rule) for found in answer.problems] == [(1, 14, "2322")]


@pytest.mark.anyio
async def test_gopls_reports_a_type_error_and_a_plain_version(tmp_path):
    write(tmp_path, {"go.mod": "module m\n\ngo 1.22\n", "a.go": 'package m\n\nfunc F() int { return "x" }\n'})

    answer = await ask(GO, tmp_path, "a.go")

    assert [(found.line, found.column) for found in answer.problems] == [(3, 23)]
    assert answer.version is not None
    assert answer.version.startswith("v0.")


@pytest.mark.anyio
async def test_rust_analyzer_is_waited_for_until_it_is_quiescent(tmp_path):
    server = LanguageServer(
        "rust-analyzer",
        Command((str(TOOLS / "bin" / "rust-analyzer"),)),
        {".rs": "rust"},
        initialization_options={
            "checkOnSave": False,
            "cachePriming": {"enable": False},
            "cargo": {"targetDir": str(tmp_path / "target")},
        },
        settles_by="progress",
    )
    crate = write(
        tmp_path / "crate",
        {
            "Cargo.toml": '[package]\nname = "crate"\nversion = "0.1.0"\nedition = "2021"\n',
            "src/lib.rs": 'pub fn f() -> i32 { "x" }\n',
        },
    )

    answer = await ask(server, crate, "src/lib.rs")

    assert [(found.line, found.column, found.rule) for found in answer.problems] == [(1, 21, "E0308")]


@pytest.mark.anyio
async def test_a_server_that_dies_is_no_clean_answer(tmp_path):
    write(tmp_path, {"a.py": "x = 1\n"})
    server = LanguageServer("mayfly", Command((sys.executable, "-c", "pass")), {".py": "python"})

    answer = await collect(server, tmp_path, ("a.py",), limit_s=LIMIT_S, environment=child_environment())

    assert answer == Unreadable("mayfly ended before it had answered")


@pytest.mark.anyio
async def test_a_server_that_never_answers_is_no_clean_answer(tmp_path):
    write(tmp_path, {"a.py": "x = 1\n"})
    server = LanguageServer("mute", Command((sys.executable, "-c", "import sys; sys.stdin.read()")), {".py": "python"})

    answer = await collect(server, tmp_path, ("a.py",), limit_s=0.5, environment=child_environment())

    assert answer == Unreadable("mute had not settled after 0.5 s", broke=False)


@pytest.mark.anyio
async def test_a_server_that_is_not_there_is_named(tmp_path):
    write(tmp_path, {"a.py": "x = 1\n"})
    server = LanguageServer("nowhere", Command(("no-such-language-server",)), {".py": "python"})

    answer = await collect(server, tmp_path, ("a.py",), limit_s=LIMIT_S, environment=child_environment())

    assert answer == Unreadable("nowhere is not installed", broke=False)


@pytest.mark.anyio
async def test_nothing_of_a_server_is_left_running(tmp_path):
    write(tmp_path, {"a.py": "x = 1\n"})
    script = tmp_path / "server.py"
    script.write_text("import os, sys\nopen('pid', 'w').write(str(os.getpid()))\nsys.stdin.read()\nwhile True: pass\n")
    server = LanguageServer("stubborn", Command((sys.executable, str(script))), {".py": "python"})

    await collect(server, tmp_path, ("a.py",), limit_s=2, environment=child_environment())

    pid = int((tmp_path / "pid").read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
