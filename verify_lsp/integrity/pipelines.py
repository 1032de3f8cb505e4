"""Steps that check something and may fail now without anybody being told."""

import re
from collections.abc import Iterator, Sequence

from verify_lsp.integrity.sign import Sign
from verify_lsp.judgement.globs import matches_any
from verify_lsp.model.change import FileChange, Line

_PIPELINES = (
    *(".github/workflows/**", ".github/actions/**", "action.{yml,yaml}", ".gitlab-ci*", ".gitlab/ci/**", ".travis.yml"),
    *("azure-pipelines*.{yml,yaml}", ".circleci/**", ".buildkite/**", "bitbucket-pipelines.yml", "{.,}appveyor.yml"),
    *(".pre-commit-config.yaml", "Taskfile.{yml,yaml}", "{Makefile,makefile,GNUmakefile}", "{.,}justfile", "tox.ini"),
    *("package.json", "noxfile.py", "*.sh"),
)
_CHECKS = re.compile(
    r"\b(?:py)?tests?\b|\bpytest\b|\blint|\bmypy\b|\bpyright\b|\btsc\b|\beslint\b|\bvitest\b|\bjest\b|\bmocha\b|\bava\b"
    r"|\bcargo (?:test|clippy|check|nextest)|\bgo (?:test|vet)\b|\bgolangci|\bruff\b|\bflake8\b|\btox\b|\bnox\b|\bcheck\b"
    r"|\bclippy\b|\btypecheck\b|\btype-check\b|\bcoverage\b|\bunittest\b",
    re.IGNORECASE,
)
_NOT_CHECKS = re.compile(
    r"upload|codecov|coveralls|cache|comment|notify|artifact|publish|nightly|experimental", re.IGNORECASE
)
_LET_PASS = re.compile(
    r"\s*(?:\|\|\s*(?:true|:|exit 0|echo\b[^|&;\"]*)|;\s*(?:true|exit 0)|--exit-zero|--pass-?[wW]ith-?[nN]o-?[tT]ests)(?=\s*[\"']?,?\s*$)"
)
_MAY_FAIL = re.compile(
    r"^(\s*)(?:continue-on-error|allow_failure|continueOnError|ignore_errors|soft_fail)\s*:\s*(?:true|yes)\s*(?:#.*)?$"
)
_NEVER = re.compile(r"^(\s*)(?:if\s*:\s*(?:false|\$\{\{\s*false\s*\}\})|when\s*:\s*never)\s*(?:#.*)?$")


def is_pipeline(path: str) -> bool:
    """Say whether a file says which checks run."""
    return matches_any(path, _PIPELINES)


def made_lenient(file: FileChange) -> Iterator[Sign]:
    """Yield the signs of one file. A step that is new may be as lenient as it likes."""
    removed = {_squeezed(line.text) for line in file.removed_lines}
    for line in file.added_lines:
        if len(line.text) > 1_000:
            continue
        found = _LET_PASS.search(line.text)
        if found is not None and _CHECKS.search(line.text) and not _NOT_CHECKS.search(line.text):
            plain = _squeezed(line.text[: found.start()] + line.text[found.end() :])
            if plain in removed:
                message = f"A check that failed on an error passes now whatever it finds: `{found.group().strip()}`."
                yield Sign("integrity.check-non-fatal", file.path, line.line, message, line.text.strip()[:110])
        yield from _in_block(file, line)


def _in_block(file: FileChange, line: Line) -> Iterator[Sign]:
    lenient = _MAY_FAIL.match(line.text) or _NEVER.match(line.text)
    if lenient is None or file.after is None or not file.path.endswith((".yml", ".yaml")):
        return
    lines = file.after.split("\n")
    head = _head(lines, line.line, len(lenient.group(1)))
    added = {each.line for each in file.added_lines}
    block = _block(lines, head)
    if head is None or head in added or not _CHECKS.search(block) or _NOT_CHECKS.search(block):
        return
    what = "is never run now" if _NEVER.match(line.text) else "may fail now without the whole failing"
    message = f"A step that checks something {what}."
    yield Sign(
        "integrity.check-non-fatal", file.path, line.line, message, f"{lines[head - 1].strip()} … {line.text.strip()}"
    )


def _head(lines: Sequence[str], number: int, indent: int) -> int | None:
    """Return the line that the block begins with in which a line stands: that of less indent above it."""
    for above in range(number - 1, 0, -1):
        text = lines[above - 1]
        if text.strip() and _indent(text) < indent:
            return above
    return None


def _block(lines: Sequence[str], head: int | None) -> str:
    if head is None:
        return ""
    indent = _indent(lines[head - 1])
    end = head
    while end < len(lines) and (not lines[end].strip() or _indent(lines[end]) > indent):
        end += 1
    return "\n".join(lines[head - 1 : end])


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def _squeezed(text: str) -> str:
    return re.sub(r"[\s\"',]+", "", text)
