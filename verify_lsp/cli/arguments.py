"""The command line's grammar. Nothing heavy is imported here."""

import argparse
from collections.abc import Sequence
from typing import NoReturn

from verify_lsp import __version__
from verify_lsp.model.errors import UsageError

FORMATS = ("text", "json", "markdown", "sarif", "junit", "mutation-report")
SCOPES = ("working-tree", "staged", "branch", "session", "change-set", "files")


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence instead of a page of usage."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see: {self.prog} --help)")


def parse(words: Sequence[str]) -> argparse.Namespace:
    """Return the parsed command line; without a command, or with a transport alone, it is `serve`.

    Raises:
        UsageError: The words do not fit.
    """
    given = list(words)
    if not given or given[0] in {"--stdio", "--tcp", "--ws"}:
        given.insert(0, "serve")
    return _grammar().parse_args(given)


def _grammar() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="verify-lsp",
        description="Checks what coding agents wrote, with real tools: facts first, claims second.",
        epilog="Without a command it speaks the Language Server Protocol on stdin and stdout.",
    )
    parser.add_argument("--version", action="version", version=f"verify-lsp {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)
    _add_run(commands)
    check = commands.add_parser("check", help="the post-write verifiers on files")
    check.add_argument("paths", nargs="+", metavar="PATH")
    check.add_argument("--format", choices=("text", "json"), default="text")
    check.add_argument("--agent", action="store_true", help="one message for an agent: failures only, else nothing")
    _add_scan(commands)
    _add_report(commands)
    _add_fix(commands)
    doctor = commands.add_parser("doctor", help="what is installed, what is missing, and how to get it")
    doctor.add_argument("--workspace", metavar="DIR")
    doctor.add_argument("--format", choices=("text", "json"), default="text")
    trust = commands.add_parser("trust", help="trust a workspace: its tests and tools may then be run")
    trust.add_argument("directory", nargs="?", metavar="DIR")
    trust.add_argument("--remove", action="store_true", help="take the trust back")
    trust.add_argument("--list", action="store_true", help="list the trusted folders")
    demo = commands.add_parser("demo", help="a full proof run on a sample change")
    demo.add_argument("--format", choices=FORMATS, default="text")
    serve = commands.add_parser("serve", help="speak the Language Server Protocol")
    way = serve.add_mutually_exclusive_group()
    way.add_argument("--stdio", action="store_true", help="on stdin and stdout (the default)")
    way.add_argument("--tcp", metavar="HOST:PORT")
    way.add_argument("--ws", metavar="HOST:PORT")
    return parser


def _add_run(commands: "argparse._SubParsersAction[_Parser]") -> None:
    run = commands.add_parser("run", help="verify a change: one run to its end")
    run.add_argument("--scope", choices=SCOPES, metavar="KIND", help=f"which change: {', '.join(SCOPES)}")
    run.add_argument("--base", metavar="REF", help="what the branch is compared with")
    run.add_argument("--files", nargs="+", metavar="F", help="verify these files alone")
    run.add_argument("--diff", metavar="FILE", help="verify a unified diff; - reads it from stdin")
    run.add_argument("--session", metavar="ID", help="an agent session, whose writes are the change")
    run.add_argument("--checks", metavar="A,B", help="make only these checks")
    run.add_argument("--message", metavar="FILE", help="an agent's final message, whose claims are judged; - is stdin")
    run.add_argument("--format", choices=FORMATS, default="text")
    run.add_argument("--output", metavar="FILE", help="write the report there instead of to stdout")
    run.add_argument("--workspace", metavar="DIR", help="the folder to verify (default: the repository around you)")
    run.add_argument("--offline", action="store_true", help="use no network")
    run.add_argument("--untrusted", action="store_true", help="run nothing that the workspace carries")
    run.add_argument("--fail-on", choices=("warn", "fail", "never"), default="fail")


def _add_scan(commands: "argparse._SubParsersAction[_Parser]") -> None:
    scan = commands.add_parser("scan", help="the security rules alone")
    scan.add_argument(
        "paths", nargs="*", metavar="PATH", help="files or folders; - reads a unified diff; none: what is changed here"
    )
    scan.add_argument("--format", choices=("text", "json"), default="text")
    scan.add_argument("--all-lines", action="store_true", help="hold every line against the rules, not the added ones")
    rules = commands.add_parser("rules", help="the security rules")
    rules.add_argument("--format", choices=("text", "json"), default="text")


def _add_report(commands: "argparse._SubParsersAction[_Parser]") -> None:
    report = commands.add_parser("report", help="stored reports")
    what = report.add_subparsers(dest="what", required=True, metavar="list|show|diff", parser_class=_Parser)
    listing = what.add_parser("list", help="newest first")
    listing.add_argument("--session", metavar="ID")
    listing.add_argument("--limit", type=_positive, metavar="N")
    listing.add_argument("--format", choices=("text", "json"), default="text")
    show = what.add_parser("show", help="one report")
    show.add_argument("id", nargs="?", default="latest", metavar="ID", help="a report's id (default: latest)")
    show.add_argument("--format", choices=FORMATS, default="text")
    diff = what.add_parser("diff", help="what changed between two reports")
    diff.add_argument("old", metavar="A")
    diff.add_argument("new", metavar="B")
    diff.add_argument("--format", choices=("text", "json", "markdown"), default="text")
    for each in (listing, show, diff):
        each.add_argument("--workspace", metavar="DIR")


def _add_fix(commands: "argparse._SubParsersAction[_Parser]") -> None:
    fix = commands.add_parser("fix", help="the safe rewrites of a report's findings")
    fix.add_argument("report", metavar="REPORT", help="a report's id, or latest")
    fix.add_argument("findings", nargs="*", metavar="FINDING", help="ids of findings")
    fix.add_argument("--all", action="store_true", help="every finding that can be fixed safely")
    fix.add_argument("--dry-run", action="store_true", help="print the patch, and write nothing")
    fix.add_argument("--workspace", metavar="DIR")


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a number of at least 1, got {text!r}")
    return int(text)
