"""Keeps secrets out of what is said about them."""

import attrs

from verify_lsp.model.finding import Problem

_SHORTEST = 4
_EVIDENCE_LIMIT = 200


def redacted(secret: str, shown: int) -> str:
    """Return what may be seen of a secret: its fixed prefix at most."""
    return secret[: min(shown, len(secret) // 3)] + "…"


class Redaction:
    """All secrets found in one text, and what to write in their place."""

    def __init__(self) -> None:
        self._forms: dict[str, str] = {}

    def add(self, secret: str, shown: int) -> None:
        """Remember a secret, and each line of it where it has several."""
        for part in {secret, *secret.split("\n"), *secret.split("\\n")}:
            if len(part.strip()) >= _SHORTEST:
                forms = (self._forms.get(part.strip(), ""), redacted(part.strip(), shown))
                self._forms[part.strip()] = max(forms, key=len)

    def of(self, text: str) -> str:
        """Return `text` without any of the secrets, the longest first."""
        for secret in sorted(self._forms, key=len, reverse=True):
            if secret in text:
                text = text.replace(secret, self._forms[secret])
        return text

    def problem(self, problem: Problem) -> Problem:
        """Return a problem whose words hold none of the secrets."""
        if not self._forms:
            return problem
        return attrs.evolve(
            problem,
            message=self.of(problem.message),
            evidence=None if problem.evidence is None else self.of(problem.evidence),
            suggestion=None if problem.suggestion is None else self.of(problem.suggestion),
        )


def cut(problem: Problem) -> Problem:
    """Return a problem with evidence of bounded length."""
    if problem.evidence is None or len(problem.evidence) <= _EVIDENCE_LIMIT:
        return problem
    return attrs.evolve(problem, evidence=problem.evidence[: _EVIDENCE_LIMIT - 1].rstrip() + "…")
