"""Whole reports, one for each way a run can end, and some that a renderer finds hard."""

from collections.abc import Callable
from pathlib import Path

from tests.harness.samples import BASE_SHA, a_check, a_claim, a_fact, a_file_change, a_finding, a_report
from verify_lsp.model.change import BaseRef, FileChange, HeadRef
from verify_lsp.model.fact import Claim, Evidence
from verify_lsp.model.finding import SEVERITIES, CheckKind, Finding
from verify_lsp.model.mutant import TriedMutant
from verify_lsp.model.outcome import ToolInfo
from verify_lsp.model.report import Check, Opinion, Report
from verify_lsp.model.scope import FileText, VerifyScope

SAMPLE_CHANGE = Path(__file__).parents[2] / "fixtures" / "sample-change"

_PYTHON = ToolInfo("python", "3.12.4", "/usr/bin/python3")
_BOUNDARY = "tests.test_checkout.DiscountTest.test_ten_percent_from_exactly_one_hundred_on"
_VOUCHER = "tests.test_checkout.AmountDueTest.test_a_voucher_is_taken_off"
_UNITTEST = "python -m unittest discover"


def passing() -> Report:
    """Two checks looked and found nothing; one had nothing to look at."""
    return a_report(
        checks=(
            a_check("project-check", summary="pyright 1.1.400 reports no errors in the project", duration_ms=1820),
            _needless("dependencies", "no package was added"),
            a_check(summary="12 tests pass (pytest 9.2.0, exit 0)", command="pytest", metrics=_counts(12, 0)),
        ),
        facts=(
            a_fact(
                id="project-check-1",
                text="pyright 1.1.400 reports no errors in the project",
                check="project-check",
                evidence=Evidence("pyright --outputjson", 0, tool="pyright", version="1.1.400"),
            ),
            a_fact(),
        ),
        claims=(a_claim(),),
    )


def warning() -> Report:
    """Lint and integrity have something to say; part of the tests was not looked at."""
    return a_report(
        status="warn",
        scope=VerifyScope("branch", base="origin/main"),
        base=BaseRef("origin/main", BASE_SHA),
        head=HeadRef(dirty=False, sha="9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d1f2e3a4b"),
        checks=(
            a_check(
                "integrity",
                "warn",
                summary="1 sign of a green that was not earned",
                findings=(
                    a_finding(
                        id="f15cea39f11dc037",
                        check="integrity",
                        path="tests/test_checkout.py",
                        line=31,
                        column=5,
                        rule="assertion-weakened",
                        message="An assertion on a value became an assertion on truth. The test may be wrong or the "
                        "code may be wrong: find out which, fix that one, and say how you know.",
                        evidence="assert amount_due([70_00])",
                    ),
                ),
            ),
            a_check(
                "tests",
                "warn",
                summary="12 tests pass (pytest 9.2.0, exit 0)",
                reason="not verified: web: vitest is not installed",
                metrics=_counts(12, 0),
            ),
            a_check("lint", "warn", summary="ruff 0.11.2 reports 1 warning", findings=(a_finding(fixable=True),)),
        ),
        risk_tier=1,
        risk_reasons=("a check could look only in part: tests",),
    )


def failing() -> Report:
    """What a run over the sample change finds."""
    files = _sample_files()
    sentence = f"1 test fails (unittest 3.12.4, exit 1): {_BOUNDARY}; 1 test fails as before the change"
    compiled = "Python compile() 3.12.4 reports no errors in the project"
    return a_report(
        status="fail",
        files=files,
        checks=(
            a_check("project-check", summary=compiled, duration_ms=120, metrics={"errors_touched": 0}),
            _needless("dependencies", "no package was added"),
            a_check("security", summary="no findings in 15 added lines", metrics={"lines_scanned": 15, "critical": 0}),
            _sample_tests(sentence),
            _unlooked("mutation", "the tests fail, so that no mutant can be judged"),
            _needless("lint", "no linter is configured"),
        ),
        risk_tier=2,
        risk_reasons=("shop/checkout.py handles money (payment code)", "1 test failed"),
        facts=(
            a_fact(
                id="project-check-1",
                text=compiled,
                check="project-check",
                evidence=Evidence(tool="python", version="3.12.4"),
            ),
            a_fact(id="security-1", text="no findings in 15 added lines", check="security", evidence=Evidence()),
            a_fact(text=sentence, evidence=Evidence(_UNITTEST, 1, tool="unittest", version="3.12.4")),
        ),
        claims=_sample_claims(),
        tools=(_PYTHON,),
    )


def everything() -> Report:
    """Every field that a report can have is filled."""
    report = failing()
    return a_report(
        status="fail",
        session_id="session-1",
        scope=VerifyScope("session", session_id="session-1", change_ids=("w1", "w2")),
        files=(
            *report.files,
            a_file_change("shop/prices.py", old_path="shop/price.py", change="renamed"),
            FileChange("logo.png", "modified", binary=True),
            FileChange("run.sh", "mode"),
            a_file_change("shop/old.py", after=None),
        ),
        checks=(
            _broke("diagnostics", "pyright ended early"),
            *(_security_check() if check.kind == "security" else check for check in report.checks),
        ),
        risk_tier=2,
        risk_reasons=report.risk_reasons,
        facts=tuple(fact for fact in report.facts if fact.check != "security"),
        claims=report.claims,
        settings={"timeoutSecs": 300, "rules": {"F401": "off"}, "testCommand": None, "exclude": ["dist/**"]},
        tools=(_PYTHON, ToolInfo("ruff")),
        opinion=Opinion("doubtful", "The boundary at 100.00 looks wrong to me.", "reviewer"),
    )


def broken() -> Report:
    """A check could not do its work."""
    return a_report(
        status="error",
        checks=(
            a_check(
                "project-check",
                "error",
                summary="did not work: tsc gave an answer that cannot be read",
                reason="tsc gave an answer that cannot be read",
                command="npx tsc --noEmit",
                output="FATAL ERROR: Reached heap limit\nAllocation failed - JavaScript heap out of memory\n",
            ),
            _unlooked("tests", "vitest did not end within 300 s"),
        ),
        facts=(),
    )


def cancelled() -> Report:
    """The user stopped the run."""
    return a_report(
        status="cancelled",
        checks=(
            a_check("project-check", summary="mypy 1.15.0 reports no errors in the project"),
            a_check("tests", "running", summary="running", duration_ms=0),
            a_check("lint", "pending", summary="waiting", duration_ms=0),
        ),
        facts=(),
    )


def empty() -> Report:
    """The scope holds no change."""
    return a_report(status="empty", files=(), checks=(), facts=(), scope=VerifyScope("staged"), duration_ms=38)


_PRICES = """\
def price(amount, member):
    "Ein Preis für 🎟 Mitglieder."
    if amount >= 100 and member:
        return amount - 10
    return amount


def gift(amount, text="🎁"): return amount + 1
"""
_RUNNERS = tuple(f"tests/test_prices.py::test_price[{amount}]" for amount in (200, 150, 120, 101, 99))


def _tried(
    place: tuple[int, int, int], operator: str, original: str, replacement: str, **fields: object
) -> TriedMutant:
    line, column, end = place
    place_of = {"path": "shop/prices.py", "line": line, "column": column, "end_line": line, "end_column": end}
    told = {"operator": operator, "original": original, "replacement": replacement, "function": "price"}
    return TriedMutant(**{**place_of, **told, **fields})


def survivors() -> Report:
    """Faults of every fate: noticed, unnoticed by five tests, on a line that no test runs, without a verdict."""
    mutants = (
        _tried((3, 15, 17), "boundary", ">=", ">", status="survived", tests=5, covered_by=_RUNNERS),
        _tried((4, 23, 24), "arithmetic", "-", "+", status="killed", tests=4, covered_by=_RUNNERS[:4],
               killed_by=_RUNNERS[0]),
        _tried((5, 5, 18), "return", "return amount", "return None", status="timeout", tests=1, covered_by=_RUNNERS[4:]),
        _tried((8, 43, 44), "arithmetic", "+", "-", status="no-coverage", tests=0, function="gift"),
        _tried((8, 45, 46), "number", "1", "2", status="error", function="gift",
               reason="the tests that run it fail without it as well when they run apart from the others"),
    )  # fmt: skip
    told = {"check": "mutation", "path": "shop/prices.py"}
    findings = (
        a_finding(
            **told, id="c0ffee0000000001", line=3, column=15, end_line=3, end_column=17, rule="mutation-survived",
            message="changing `>=` to `>` here goes unnoticed by the 5 tests that run it",
        ),
        a_finding(
            **told, id="c0ffee0000000002", line=8, column=43, end_line=8, end_column=44, rule="mutation-not-covered",
            severity="low", message="no test runs this line, so that changing `+` to `-` here would go unnoticed",
        ),
    )  # fmt: skip
    summary = "the tests notice 1 of 3 faults put into added lines; 1 is on a line that no test runs"
    check = a_check("mutation", "warn", summary=summary, findings=findings, mutants=mutants, metrics={"score": 0.3333})
    files = (a_file_change("shop/prices.py", None, _PRICES),)
    return a_report(status="warn", files=files, checks=(a_check(), check), risk_tier=1)


def running() -> Report:
    """A run that has only begun."""
    checks = (a_check("tests", "running", duration_ms=0), a_check("lint", "pending", duration_ms=0))
    return a_report(status="running", checks=checks, facts=(), finished_at=None, duration_ms=None)


HOSTILE = (
    "\x1b[31mred\x1b[0m \x1b]8;;http://evil.test\x07link\x1b]8;;\x07 \x9b2J bell\x07 back\x08 null\x00 "
    "rtl\u202eredro\u2066 zero\u200bwidth \u2028sep \ufeffbom tag\U000e0041 \ud800lone <img src=x onerror=alert(1)> "
    "</details> ]]> &amp; `tick` ```fence``` | pipe | [click](command:evil) <command:evil> @octocat #1 "
    "![i](http://evil.test/p.png) **bold** __b__ ~~s~~ $x$ http://evil.test www.evil.test a@evil.test \\ 100%\r\n"
    "# heading\n- item\n1. one\n> quote\n| a | b |\n|---|---|\n\n\tcode"
)


def hostile() -> Report:
    """Every text that a repository, a tool or an agent can choose is trying something."""
    finding = a_finding(
        id="37984f381664576d",
        check="security",
        severity="critical",
        path="src/<b>`|\u202ex\x1b[2Jy.py",
        line=3,
        column=7,
        end_line=3,
        end_column=9,
        rule="rule|<i>`",
        message=HOSTILE,
        suggestion=HOSTILE,
        evidence=HOSTILE,
        url="javascript:alert(1)",
        cwe=("CWE-79<script>",),
    )
    text = a_finding(message=HOSTILE, url="https://rules.example/a b)[x](command:evil)", preexisting=True)
    checks = (
        a_check("security", "fail", summary=HOSTILE, findings=(finding, text), output=HOSTILE, command=HOSTILE),
        a_check("tests", "error", summary=HOSTILE, reason=HOSTILE, output=HOSTILE * 40, command=HOSTILE),
        a_check("lint", "skipped", summary=HOSTILE, reason=HOSTILE),
    )
    return a_report(
        id="20260314-091500-b4d000",
        status="fail",
        scope=VerifyScope("change-set", change_set_id=HOSTILE, files=(FileText(HOSTILE, "a", None), FileText("b"))),
        files=(a_file_change(finding.path), a_file_change("a:b c#%é 数.py")),
        base=BaseRef(HOSTILE, BASE_SHA),
        checks=checks,
        facts=(a_fact(text=HOSTILE, check="security", evidence=Evidence(HOSTILE, 1, HOSTILE, HOSTILE, HOSTILE)),),
        claims=(a_claim(text=HOSTILE, status="contradicted"), a_claim(facts=("no such fact",))),
        risk_tier=2,
        risk_reasons=(HOSTILE,),
        tools=(ToolInfo(HOSTILE, HOSTILE, HOSTILE),),
        opinion=Opinion(HOSTILE, HOSTILE, HOSTILE),
    )


def crowded() -> Report:
    """A thousand findings, a tenth of them older than the change."""
    findings = tuple(
        a_finding(
            id=f"{number:016x}",
            severity=SEVERITIES[number % 5],
            path=f"src/module_{number % 40:02}.py",
            line=number + 1,
            message=f"problem number {number}",
            preexisting=number % 10 == 9,
        )
        for number in range(1000)
    )
    facts = tuple(a_fact(id=f"tests-{number + 1}", text=f"fact number {number} holds") for number in range(200))
    claims = tuple(a_claim(text=f"Claim number {number}.") for number in range(200))
    checks = (a_check("lint", "fail", summary="900 new problems", findings=findings),)
    return a_report(status="fail", checks=checks, facts=facts, claims=claims, risk_tier=1, risk_reasons=("large",))


REPORTS: dict[str, Callable[[], Report]] = {
    build.__name__: build
    for build in (passing, warning, failing, everything, broken, cancelled, empty, running, survivors, hostile, crowded)
}


def _needless(kind: CheckKind, reason: str) -> Check:
    return a_check(kind, "skipped", summary=f"nothing to verify: {reason}", reason=reason, duration_ms=2)


def _unlooked(kind: CheckKind, reason: str) -> Check:
    return a_check(kind, "skipped", summary=f"not verified: {reason}", reason=reason, duration_ms=2)


def _broke(kind: CheckKind, reason: str) -> Check:
    return a_check(kind, "error", summary=f"did not work: {reason}", reason=reason)


def _counts(passed: int, failed: int) -> dict[str, float | None]:
    return {"passed": passed, "failed": failed, "skipped": None, "total": passed + failed}


def _sample_files() -> tuple[FileChange, ...]:
    def change(path: str) -> FileChange:
        return a_file_change(path, *((SAMPLE_CHANGE / side / path).read_text("utf-8") for side in ("before", "after")))

    return (change("shop/checkout.py"), change("tests/test_checkout.py"))


def _sample_tests(sentence: str) -> Check:
    def failed(name: str, line: int, values: str, **fields: object) -> Finding:
        return a_finding(
            check="tests",
            path="tests/test_checkout.py",
            line=line,
            rule="test-failed",
            message=f"{name}: AssertionError: {values}",
            **fields,
        )

    return a_check(
        "tests",
        "fail",
        summary=f"{sentence} (run by Python 3.12.4)",
        duration_ms=640,
        metrics={**_counts(5, 2), "failed_new": 1, "flaky": 0},
        command=_UNITTEST,
        output="Ran 7 tests in 0.002s\n\nFAILED (failures=2)\n",
        findings=(
            failed(
                _BOUNDARY, 15, "0 != 1000", id="07334386287751ba", severity="high",
                evidence="self.assertEqual(discount(100_00), 10_00)",
            ),
            failed(_VOUCHER, 33, "2000 != 1500", id="f19ccf1eb395a4d7", severity="low", preexisting=True),
        ),
    )  # fmt: skip


def _sample_claims() -> tuple[Claim, ...]:
    return (
        Claim("I also added two tests for it.", "added-tests", "supported"),
        Claim("All 7 tests pass.", "tests-pass", "contradicted", ("tests-1",)),
        Claim("There are no compile errors in the project.", "compile", "supported", ("project-check-1",)),
        Claim("There should be no breaking changes for existing orders.", "no-breaking-change", "hedged"),
    )


def _security_check() -> Check:
    return a_check(
        "security",
        "fail",
        summary="1 critical finding in 4 added lines",
        findings=(
            a_finding(
                id="1a1ebe2a67031edc",
                check="security",
                severity="critical",
                path="shop/orders.py",
                line=8,
                column=5,
                end_line=9,
                end_column=22,
                rule="sql-string-format",
                message="This statement is put together from text, so that a value can change what it does.",
                suggestion="Give the values to the database apart from the statement.",
                evidence='cursor.execute(f"SELECT * FROM orders WHERE id = {order}")',
                fixable=True,
                cwe=("CWE-89",),
                url="https://verify-lsp.example/rules/sql-string-format",
            ),
            a_finding(
                id="3472adbbcb9677d1", check="security", severity="info", path="", rule="note", message="no file named"
            ),
        ),
    )
