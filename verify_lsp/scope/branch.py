"""Which commit a branch is held against."""

import re

import attrs

from verify_lsp.model.change import BaseRef
from verify_lsp.model.errors import EngineError
from verify_lsp.scope.repository import Repository

_GUESSES = ("main", "master")
_OWN_NAME = re.compile(r"(?:@|[A-Z_]*HEAD)(?:$|[~^@{:])")


@attrs.frozen
class Base:
    """Where the branch left its base, and notes on how that was found."""

    ref: BaseRef
    notes: tuple[str, ...] = ()


async def find_base(repository: Repository, named: str | None, configured: str | None) -> Base:
    """Return the commit where HEAD left its base.

    The base is the one named in the request, else the configured one, else what the branch was started from
    (its upstream, when that is another branch), else the remote's default branch, else `main`, else `master`.
    A branch wins over a tag of the same name.

    Raises:
        EngineError: There is no base, it does not exist, or the history between is not here.
    """
    if repository.head is None:
        raise EngineError("there is no base: the repository has no commit yet")
    if (asked := named or configured) is not None:
        ref = await _resolve(repository, asked)
        if ref is None:
            where = "" if named else ", which the setting `base` names,"
            raise EngineError(f"there is no such base: {asked}{where} is no commit of this repository")
        return await _merge_base(repository, asked, ref, ())
    return await _guessed_base(repository)


async def _guessed_base(repository: Repository) -> Base:
    current = await _current_branch(repository)
    remote = await _remote(repository, current)
    for ref, why in await _candidates(repository, current, remote):
        if (sha := await _commit(repository, ref)) is not None:
            note = f"the branch is held against {_short(ref)}: {why}; name a base to change that"
            return await _merge_base(repository, _short(ref), sha, (note,))
    if current in _GUESSES and repository.head is not None:
        note = f"{current} is the main branch itself and there is no other to hold it against, so nothing is in scope"
        return Base(BaseRef(current, repository.head), (note,))
    raise EngineError("there is no base: no base is named, and neither a remote's default branch nor main nor master")


async def _candidates(repository: Repository, current: str, remote: str) -> list[tuple[str, str]]:
    """Return full names of refs, best first, with the reason for each. The branch itself is never its own base."""
    upstream = await _line(repository, "rev-parse", "--symbolic-full-name", "@{upstream}")
    default = await _line(repository, "symbolic-ref", "--quiet", f"refs/remotes/{remote}/HEAD")
    candidates: list[tuple[str, str]] = []
    if upstream and current and not upstream.endswith(f"/{current}"):
        candidates.append((upstream, "it is the branch's upstream"))
    if default:
        candidates.append((default, f"it is the default branch of {remote}"))
    for guess in _GUESSES:
        why = f"that is a guess, for no base is configured and {remote}/HEAD is not set"
        candidates.append((f"refs/remotes/{remote}/{guess}", why))
        if guess != current:
            candidates.append((f"refs/heads/{guess}", why))
    return candidates


async def _merge_base(repository: Repository, name: str, sha: str, notes: tuple[str, ...]) -> Base:
    answer = await repository.git.ask("merge-base", sha, "HEAD")
    if answer.exit_code == 0:
        return Base(BaseRef(name, answer.output.decode().strip()), notes)
    if repository.shallow:
        raise EngineError(f"the history is cut off before the point where HEAD left {name}; fetch more of it")
    raise EngineError(f"HEAD and {name} have no commit in common")


async def _resolve(repository: Repository, name: str) -> str | None:
    """Return the commit that a person means by `name`: a branch, a remote's branch, then anything git knows.

    What git itself knows by that name in the first place, such as `HEAD~1`, is never looked for at a remote.
    """
    if _OWN_NAME.match(name):
        return await _commit(repository, name)
    remote = await _remote(repository, await _current_branch(repository))
    for ref in (f"refs/heads/{name}", f"refs/remotes/{name}", f"refs/remotes/{remote}/{name}", name):
        if (sha := await _commit(repository, ref)) is not None:
            return sha
    return None


async def _commit(repository: Repository, ref: str) -> str | None:
    return await _line(repository, "rev-parse", "--quiet", "--verify", "--end-of-options", f"{ref}^{{commit}}")


async def _current_branch(repository: Repository) -> str:
    """Return the short name of the branch checked out; empty when HEAD is detached."""
    ref = await _line(repository, "symbolic-ref", "--quiet", "HEAD") or ""
    return ref.removeprefix("refs/heads/")


async def _remote(repository: Repository, current: str) -> str:
    """Return the remote the branch belongs to: its own, else `origin`."""
    if not current:
        return "origin"
    own = await _line(repository, "config", "--get", f"branch.{current}.remote")
    return own if own and own != "." else "origin"


async def _line(repository: Repository, *arguments: str) -> str | None:
    answer = await repository.git.ask(*arguments)
    line = answer.output.decode("utf-8", "surrogateescape").strip()
    return line if answer.exit_code == 0 and line else None


def _short(ref: str) -> str:
    return ref.removeprefix("refs/heads/").removeprefix("refs/remotes/")
