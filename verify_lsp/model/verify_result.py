"""What a post-write verifier saw in one file."""

import attrs

from verify_lsp.model.finding import Finding


@attrs.frozen
class VerifyResult:
    """One file, judged by its name's verifier.

    Attributes:
        path: Workspace-relative and POSIX style where the file lies in the workspace, else absolute.
        ok: True unless an error (a critical or high finding) was found. A file that was not verified is not an error,
            so read `skipped` too.
        skipped: True when the file was not, or not wholly, verified; `detail` then says why.
        detail: One sentence for a person.
        verifier: Its name; None where no verifier is for such a file.
    """

    path: str
    ok: bool
    skipped: bool
    detail: str
    findings: tuple[Finding, ...] = ()
    verifier: str | None = None

    def called(self, path: str) -> "VerifyResult":
        """Return the result under the name by which the file was asked for."""
        findings = tuple(attrs.evolve(finding, path=path) for finding in self.findings)
        return attrs.evolve(self, path=path, findings=findings)
