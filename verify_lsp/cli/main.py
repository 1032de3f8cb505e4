"""Parse, dispatch with explicit arguments, and the last handler: no traceback reaches the user."""

import atexit
import gc
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence

from verify_lsp.cli.arguments import parse
from verify_lsp.cli.exit_code import ExitCode
from verify_lsp.model.errors import UsageError, VerifyError


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit code."""
    # To look through all objects as Python ends takes a tenth of a second, and frees what is freed anyway.
    atexit.register(gc.freeze)
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        return _dispatch(words)
    except UsageError as error:
        return _tell(error, ExitCode.USAGE)
    except VerifyError as error:
        return _tell(error, ExitCode.ENGINE)
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        from verify_lsp.cli.output import stop_writing

        stop_writing()
        return ExitCode.OK
    except Exception as error:  # noqa: BLE001  # the door: a bug of ours must read as one sentence
        return _tell_bug(error)


def _dispatch(words: list[str]) -> int:
    arguments = parse(words)
    return _COMMANDS[arguments.command](arguments)


def _check(arguments: Namespace) -> int:
    from verify_lsp.cli.check import check

    return check(arguments.paths, "agent" if arguments.agent else arguments.format)


def _demo(arguments: Namespace) -> int:
    from verify_lsp.cli.demo import demo

    return demo(arguments.format)


def _doctor(arguments: Namespace) -> int:
    from verify_lsp.cli.doctor import doctor

    return doctor(arguments.workspace, arguments.format)


def _fix(arguments: Namespace) -> int:
    from verify_lsp.cli.fix import fix

    return fix(arguments)


def _report(arguments: Namespace) -> int:
    from verify_lsp.cli.report import report

    return report(arguments)


def _rules(arguments: Namespace) -> int:
    from verify_lsp.cli.rules import show_rules

    return show_rules(arguments.format)


def _run(arguments: Namespace) -> int:
    from verify_lsp.cli.run import run

    return run(arguments)


def _scan(arguments: Namespace) -> int:
    from verify_lsp.cli.scan import scan

    return scan(arguments.paths, arguments.format, all_lines=arguments.all_lines)


def _serve(arguments: Namespace) -> int:
    from verify_lsp.cli.serve import serve

    return serve(tcp=arguments.tcp, ws=arguments.ws)


def _trust(arguments: Namespace) -> int:
    from verify_lsp.cli.trust import trust

    return trust(arguments.directory, remove=arguments.remove, show=arguments.list)


# Each imports its room when it is called.
_COMMANDS: Mapping[str, Callable[[Namespace], int]] = {
    "check": _check,
    "demo": _demo,
    "doctor": _doctor,
    "fix": _fix,
    "report": _report,
    "rules": _rules,
    "run": _run,
    "scan": _scan,
    "serve": _serve,
    "trust": _trust,
}


def _tell(error: VerifyError, code: ExitCode) -> int:
    print(f"verify-lsp: {error}", file=sys.stderr)
    return code


def _tell_bug(error: Exception) -> int:
    """Keep the traceback where it can be sent from, and say so in one sentence."""
    import traceback

    from verify_lsp.system.dirs import state_dir
    from verify_lsp.system.files import write_private

    log = state_dir() / "crash.log"
    try:
        write_private(log, "".join(traceback.format_exception(error)))
        where = f"details are in {log}"
    except VerifyError:
        where = "details could not be kept"
    print(f"verify-lsp: internal error ({type(error).__name__}: {error}); {where}", file=sys.stderr)
    return ExitCode.ENGINE
