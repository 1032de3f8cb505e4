"""The names that clients rely on. Whoever changes one breaks an editor or a script."""

import attrs
import pytest

from verify_lsp.codec import camel_case
from verify_lsp.model.change import BaseRef, FileChange, HeadRef, Line
from verify_lsp.model.fact import Claim, Evidence, Fact
from verify_lsp.model.finding import Finding
from verify_lsp.model.mutant import TriedMutant
from verify_lsp.model.outcome import ToolInfo
from verify_lsp.model.report import Check, Report, ReportSummary, SeverityCounts
from verify_lsp.model.scope import VerifyScope

# A question mark marks a key that may be absent.
NAMES = {
    VerifyScope: "kind sessionId? changeIds? changeSetId? diff? base? files?",
    FileChange: "path oldPath? change binary before? after? diff addedLines removedLines",
    Line: "line text",
    Check: "kind status summary findings durationMs command? output? metrics reason? mutants?",
    Finding: (
        "id check severity path line endLine? column? endColumn? rule message suggestion? evidence? fixable preexisting "
        "cwe? url?"
    ),
    TriedMutant: (
        "path line column endLine endColumn operator original replacement status function tests? coveredBy killedBy? "
        "reason?"
    ),
    Fact: "id text check evidence",
    Evidence: "command? exitCode? outputTail? tool? version? metrics?",
    Claim: "text kind status facts",
    Report: (
        "id schemaVersion workspace sessionId? scope base? head? createdAt finishedAt? durationMs? status files checks "
        "riskTier riskReasons facts claims opinion? settings tools"
    ),
    BaseRef: "ref sha",
    HeadRef: "sha? dirty",
    ToolInfo: "name version? path?",
    ReportSummary: "id createdAt sessionId? scope status riskTier counts",
    SeverityCounts: "critical high medium low info",
}


@pytest.mark.parametrize("cls", NAMES)
def test_a_class_has_exactly_the_names_that_were_promised(cls):
    names = [camel_case(field.name) + ("?" if field.default is None else "") for field in attrs.fields(cls)]
    assert sorted(names) == sorted(NAMES[cls].split())
