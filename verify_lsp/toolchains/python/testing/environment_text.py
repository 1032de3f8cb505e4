"""Reading how tox and nox sum up their environments."""

import re

import attrs

_TOX_4 = re.compile(r" {2}(?P<name>\S+): (?P<state>OK|FAIL|SKIP)(?: code -?\d+)?(?: \(.*\))?")
_TOX_3 = re.compile(r"(?:ERROR: | {2})? *(?P<name>\S+): (?P<state>commands (?:succeeded|failed)|InterpreterNotFound.*)")
_NOX = re.compile(r"nox > \* (?P<name>.+?): (?P<state>success|failed|skipped|aborted)(?:,? .*)?")

_MEANING = {
    "OK": "ok",
    "commands succeeded": "ok",
    "success": "ok",
    "FAIL": "failed",
    "commands failed": "failed",
    "failed": "failed",
    "aborted": "failed",
}


@attrs.frozen
class Environments:
    """Environments by how they ended."""

    ok: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.ok or self.failed or self.skipped)


def environments(text: str) -> Environments:
    """Return what the closing list of tox or nox says; empty when there is none."""
    found: dict[str, str] = {}
    for line in _closing_lines(text):
        match = _TOX_4.fullmatch(line) or _NOX.fullmatch(line) or _TOX_3.fullmatch(line)
        if match:
            found[match["name"]] = _MEANING.get(match["state"], "skipped")
    return Environments(
        **{state: tuple(name for name, its in found.items() if its == state) for state in ("ok", "failed", "skipped")}
    )


def _closing_lines(text: str) -> list[str]:
    """Tox ends with a verdict on everything, nox says that it ran sessions; without these no line counts."""
    lines = [line.rstrip() for line in text.split("\n")]
    if any(line.startswith("nox > ") for line in lines):
        return [line for line in lines if line.startswith("nox > * ")]
    for index in range(len(lines) - 1, -1, -1):
        if re.fullmatch(r" {2}(congratulations :\)|evaluation failed :\()(?: \(.*\))?", lines[index]):
            return _block_before(lines, index)
    summary = next((index for index, line in enumerate(lines) if re.fullmatch(r"_+ summary _+", line)), None)
    return [] if summary is None else lines[summary + 1 :]


def _block_before(lines: list[str], end: int) -> list[str]:
    begin = end
    while begin > 0 and _TOX_4.fullmatch(lines[begin - 1]):
        begin -= 1
    if begin == end:
        return lines[max(0, end - 100) : end]
    return lines[begin:end]
