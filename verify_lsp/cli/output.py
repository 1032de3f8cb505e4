"""Where a command's document goes, and in which format."""

import sys
from pathlib import Path

from verify_lsp.model.report import Report


def render(report: Report, form: str, *, to_terminal: bool) -> str:
    """Return a report in one of the formats, ending with a line end."""
    match form:
        case "json":
            from verify_lsp.codec import dumps

            text = dumps(report, indent=2)
        case "markdown":
            from verify_lsp.reports.markdown import render_markdown

            text = render_markdown(report)
        case "sarif":
            from verify_lsp.reports.sarif import render_sarif

            text = render_sarif(report)
        case "junit":
            from verify_lsp.reports.junit import render_junit

            text = render_junit(report)
        case "mutation-report":
            from verify_lsp.reports.mutation_report import render_mutation_report

            text = render_mutation_report(report)
        case _:
            from verify_lsp.reports.text import render_text

            text = render_text(
                report, color=to_terminal and _wants_color(), width=terminal_width() if to_terminal else 0
            )
    return text if text.endswith("\n") else text + "\n"


def emit(text: str, path: str | None = None) -> None:
    """Write a document to stdout, or whole or not at all to a file.

    A reader that goes away early, such as `head`, changes nothing of what the command found.
    """
    if path is None:
        try:
            sys.stdout.write(text)
            sys.stdout.flush()
        except BrokenPipeError:
            stop_writing()
        return
    from verify_lsp.system.files import write_atomically

    write_atomically(Path(path), text)


def must_be_writable(path: str | None) -> None:
    """Refuse a file that cannot be written before minutes are spent on what should go there.

    Raises:
        EngineError: `path` is a folder, or its folder is not there or not ours to write to.
    """
    if path is None:
        return
    import os

    from verify_lsp.model.errors import EngineError

    folder = Path(path).parent
    if Path(path).is_dir():
        raise EngineError(f"cannot write {path}: is a directory")
    if not folder.is_dir():
        raise EngineError(f"cannot write {path}: no such file or directory")
    if not os.access(folder, os.W_OK):
        raise EngineError(f"cannot write {path}: permission denied")


def stop_writing() -> None:
    """Keep the interpreter from complaining at its end that whoever read our output went away."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def terminal_width() -> int:
    """Return the terminal's width in columns, within what reads well."""
    import shutil

    return max(60, min(shutil.get_terminal_size((100, 24)).columns, 140))


def _wants_color() -> bool:
    import os

    return "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
