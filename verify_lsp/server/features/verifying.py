"""`verify/files`: the post-write verifiers on files, or on contents that are not written yet; and `verify/rules`."""

from pathlib import Path
from typing import Any

from verify_lsp.codec import to_wire
from verify_lsp.model.errors import UsageError
from verify_lsp.model.verify_result import VerifyResult
from verify_lsp.server import params
from verify_lsp.server.base import VerifyServer
from verify_lsp.server.texts.uris import key_of, path_of

MOST = 1_000


async def verify_files(server: VerifyServer, asked: params.Files, _: params.Token | None) -> list[Any]:
    """Answer one result a path, in their order, each under the path as it was given.

    Raises:
        UsageError: There are too many paths, or contents that belong to none.
    """
    if len(asked.paths) > MOST:
        raise UsageError(f"paths: at most {MOST} at once")
    contents = _contents(asked)
    return [to_wire(await _verified(server, path, contents.get(path))) for path in asked.paths]


def _contents(asked: params.Files) -> dict[str, str]:
    given = asked.contents
    if given is None:
        return {}
    if isinstance(given, list) and len(given) == len(asked.paths):
        given = {path: text for path, text in zip(asked.paths, given, strict=True) if text is not None}
    if not isinstance(given, dict):
        raise UsageError("contents: expected one text for each path, or texts by path")
    if unknown := sorted(given.keys() - set(asked.paths)):
        raise UsageError(f"contents: {unknown[0]} is not among the paths")
    for path, text in given.items():
        if not isinstance(text, str):
            raise UsageError(f"contents: {path}: expected a string")
    return given


async def _verified(server: VerifyServer, named: str, content: str | None) -> VerifyResult:
    from verify_lsp.system.process import run_command
    from verify_lsp.verifiers.base import Subject
    from verify_lsp.verifiers.reading import read_subject
    from verify_lsp.verifiers.verify import verify

    path = _absolute(server, named)
    folder = server.session.folders.owner(key_of(path))
    workspace = None if folder is None else folder.path
    trusted = server.session.is_trusted(path.parent if folder is None else folder.path)
    if content is not None:
        subject: Subject | VerifyResult = Subject(path, content, workspace=workspace, trusted=trusted)
    else:
        subject = read_subject(path, workspace=workspace, trusted=trusted)
    result = subject if isinstance(subject, VerifyResult) else await verify(subject, run_command)
    return result.called(named)


def _absolute(server: VerifyServer, named: str) -> Path:
    """Return what a path means: an address, an absolute path, or a file of the first folder that has it."""
    path = path_of(named) or Path(named)
    if path.is_absolute():
        return path
    folders = [folder.path for folder in server.session.folders.all]
    if not folders:
        raise UsageError(f"paths: {named} is not absolute, and no folder is open")
    return next((folder / path for folder in folders if (folder / path).exists()), folders[0] / path)


async def list_rules(_: VerifyServer, __: params.Nothing, ___: params.Token | None) -> list[dict[str, Any]]:
    """Answer all rules."""
    from verify_lsp.inspection.rule_list import every_rule

    return every_rule()
