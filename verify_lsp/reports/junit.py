"""A report as JUnit XML, for the test panels of continuous integration: a suite for each check."""

from collections import Counter
from collections.abc import Iterator
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import attrs

from verify_lsp.model.finding import Finding
from verify_lsp.model.report import Check, Report
from verify_lsp.reports import outline
from verify_lsp.reports.untrusted import cut, last_lines, name, one_line, visible

_NAME = 300
_TEXT = 4_000
_OUTPUT_LINES = 200
_OTHERS = 1_000

# In a failed check these are what it failed for; the others are told in the suite's output.
_FAILING = {"critical", "high"}


def render_junit(report: Report) -> str:
    """Return `report` as JUnit XML that ends with a line feed.

    A failed check has a failed case for each grave finding of the change, or one for itself. A check that did not
    look, or only in part, has a skipped case; one that did not work has an error. Older findings fail nothing.
    """
    root = Element("testsuites", {"name": "verify-lsp"})
    for check in report.checks:
        root.append(_suite(check, list(_cases(check)), report))
    if (whole := _whole(report)) is not None:
        root.append(_suite(Check("tests", "skipped", whole.text), [whole], report, called="run"))
    for count in ("tests", "failures", "errors", "skipped"):
        root.set(count, str(sum(int(suite.get(count, "0")) for suite in root)))
    root.set("time", _seconds(report.duration_ms or 0))
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


@attrs.frozen
class _Case:
    """A test case. `result` is the element that says what became of it; None means that it passed."""

    name: str
    result: str | None = None
    message: str = ""
    text: str = ""
    kind: str = ""
    finding: Finding | None = None
    seconds: str = "0.000"


def _cases(check: Check) -> Iterator[_Case]:
    seconds = _seconds(check.duration_ms)
    summary = one_line(check.summary, _NAME)
    reason = one_line(check.reason or check.summary, _TEXT)
    match check.status:
        case "fail":
            grave = [finding for finding in outline.own_findings(check) if finding.severity in _FAILING]
            yield from (_failure(finding) for finding in grave)
            if not grave:
                yield _Case(check.kind, "failure", summary, _output(check), "check-failed", seconds=seconds)
        case "error":
            yield _Case(check.kind, "error", reason, _output(check), "check-broken", seconds=seconds)
        case "skipped":
            yield _Case(check.kind, "skipped", summary, seconds=seconds)
        case "pending" | "running":
            yield _Case(check.kind, "skipped", "not verified: the run ended before it did", seconds=seconds)
        case "pass" | "warn":
            yield _Case(check.kind, text=summary, seconds=seconds)
    if check.reason is not None and check.status in {"pass", "warn", "fail"}:
        yield _Case(f"{check.kind}: what was not looked at", "skipped", reason)


def _failure(finding: Finding) -> _Case:
    """A case whose name stays the same when lines move, as panels know a case by its name."""
    message = one_line(finding.message, _NAME)
    rule = one_line(finding.rule, _NAME)
    where = name(finding.path, _TEXT)
    text = [f"{outline.place(finding)}: {visible(finding.message).strip()} [{rule}]"]
    text += [visible(part) for part in (finding.evidence, finding.suggestion) if part]
    stable = f"{where}: {message} [{rule}]" if where else f"{message} [{rule}]"
    return _Case(stable, "failure", message, cut("\n".join(text), _TEXT), rule, finding)


def _whole(report: Report) -> _Case | None:
    """What became of a run that has no check to say it."""
    if report.status == "cancelled":
        return _Case("run", "error", "the run was cancelled before its end", kind="cancelled")
    if report.checks:
        return None
    verdict = outline.verdict(report)
    return _Case("run", "error" if report.status == "error" else "skipped", verdict, kind="no-check")


def _suite(check: Check, cases: list[_Case], report: Report, *, called: str | None = None) -> Element:
    counts = Counter(case.result for case in cases)
    suite = Element(
        "testsuite",
        {
            "name": called or check.kind,
            "tests": str(len(cases)),
            "failures": str(counts["failure"]),
            "errors": str(counts["error"]),
            "skipped": str(counts["skipped"]),
            "time": _seconds(check.duration_ms),
            "timestamp": one_line(report.created_at, _NAME),
        },
    )
    named: Counter[str] = Counter()
    for case in cases:
        named[case.name] += 1
        again = named[case.name]
        suite.append(_element(case, called or check.kind, f"{case.name} ({again})" if again > 1 else case.name))
    if others := list(_others(check)):
        SubElement(suite, "system-out").text = "\n".join(others)
    return suite


def _element(case: _Case, kind: str, called: str) -> Element:
    element = Element("testcase", {"classname": f"verify-lsp.{kind}", "name": called, "time": case.seconds})
    if case.finding is not None and case.finding.path:
        element.set("file", name(case.finding.path, _TEXT))
        element.set("line", str(case.finding.line))
    if case.result is None:
        SubElement(element, "system-out").text = case.text
        return element
    result = SubElement(element, case.result, {"message": case.message})
    if case.kind:
        result.set("type", case.kind)
    if case.text:
        result.text = case.text
    return element


def _others(check: Check) -> Iterator[str]:
    """Findings that fail nothing: of less weight, or older than the change."""
    fails = check.status == "fail"
    others = [
        finding for finding in check.findings if finding.preexisting or not fails or finding.severity not in _FAILING
    ]
    for finding in others[:_OTHERS]:
        old = " (there before the change)" if finding.preexisting else ""
        rule = one_line(finding.rule, _NAME)
        yield f"{outline.place(finding)}: {one_line(finding.message, _NAME)} [{rule}] ({finding.severity}){old}"
    if len(others) > _OTHERS:
        yield f"… {len(others) - _OTHERS} more"


def _output(check: Check) -> str:
    lines = [f"$ {visible(check.command)}"] if check.command else []
    return "\n".join([*lines, *(last_lines(check.output, _OUTPUT_LINES, _TEXT) if check.output else [])])


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1000:.3f}"
