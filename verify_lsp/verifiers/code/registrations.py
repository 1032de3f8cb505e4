"""Which files the verifiers for programming languages are for. What judges them is imported when a file is to be judged."""

from verify_lsp.verifiers.base import Runner, Subject, TextVerifier, ToolVerifier, Verdict
from verify_lsp.verifiers.registration import Registration


def _python(subject: Subject) -> Verdict:
    from verify_lsp.verifiers.code.python import verify_python

    return verify_python(subject)


async def _project_python(subject: Subject, run: Runner) -> Verdict:
    from verify_lsp.verifiers.code.python_tool import verify_with_project_python

    return await verify_with_project_python(subject, run)


REGISTRATIONS: tuple[Registration, ...] = (
    Registration(
        (".py", ".pyi", ".pyw", ".ipy"),
        TextVerifier("python", _python),
        ("python",),
        ToolVerifier("python", _project_python),
    ),
)
