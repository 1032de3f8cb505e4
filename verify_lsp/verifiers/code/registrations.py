"""Which files the verifiers for programming languages are for. What judges them is imported when one is to be judged."""

from verify_lsp.verifiers.base import Runner, Subject, TextVerifier, ToolVerifier, Verdict
from verify_lsp.verifiers.registration import Registration


def _python(subject: Subject) -> Verdict:
    from verify_lsp.verifiers.code.python import verify_python

    return verify_python(subject)


async def _project_python(subject: Subject, run: Runner) -> Verdict:
    from verify_lsp.verifiers.code.python_tool import verify_with_project_python

    return await verify_with_project_python(subject, run)


def _javascript(subject: Subject) -> Verdict:
    from verify_lsp.verifiers.code.grammar_text import verify_javascript

    return verify_javascript(subject)


async def _node(subject: Subject, run: Runner) -> Verdict:
    from verify_lsp.verifiers.code.javascript import verify_javascript_with_node

    return await verify_javascript_with_node(subject, run)


def _typescript(subject: Subject) -> Verdict:
    from verify_lsp.verifiers.code.grammar_text import verify_typescript

    return verify_typescript(subject)


def _go(subject: Subject) -> Verdict:
    from verify_lsp.verifiers.code.grammar_text import verify_go

    return verify_go(subject)


async def _go_tools(subject: Subject, run: Runner) -> Verdict:
    from verify_lsp.verifiers.code.go import verify_go_with_go

    return await verify_go_with_go(subject, run)


def _rust(subject: Subject) -> Verdict:
    from verify_lsp.verifiers.code.grammar_text import verify_rust

    return verify_rust(subject)


async def _rustfmt(subject: Subject, run: Runner) -> Verdict:
    from verify_lsp.verifiers.code.rust import verify_rust_with_rustfmt

    return await verify_rust_with_rustfmt(subject, run)


def _shell(subject: Subject) -> Verdict:
    from verify_lsp.verifiers.code.grammar_text import verify_shell

    return verify_shell(subject)


async def _shells(subject: Subject, run: Runner) -> Verdict:
    from verify_lsp.verifiers.code.shell import verify_shell_with_shell

    return await verify_shell_with_shell(subject, run)


REGISTRATIONS: tuple[Registration, ...] = (
    Registration(
        (".py", ".pyi", ".pyw", ".ipy"),
        TextVerifier("python", _python),
        ("python",),
        ToolVerifier("python", _project_python),
    ),
    Registration(
        (".js", ".mjs", ".cjs", ".jsx"),
        TextVerifier("javascript", _javascript),
        ("node", "nodejs"),
        ToolVerifier("javascript", _node),
    ),
    Registration((".ts", ".mts", ".cts", ".tsx"), TextVerifier("typescript", _typescript), ("deno", "ts-node", "tsx")),
    Registration((".go",), TextVerifier("go", _go), (), ToolVerifier("go", _go_tools, time_limit_s=30.0)),
    Registration((".rs",), TextVerifier("rust", _rust), ("rust-script",), ToolVerifier("rust", _rustfmt)),
    Registration(
        (".sh", ".bash", ".ksh"),
        TextVerifier("shell", _shell),
        ("sh", "bash", "dash", "ash", "ksh"),
        ToolVerifier("shell", _shells),
    ),
)
