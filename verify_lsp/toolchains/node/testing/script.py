"""Reading a script of `package.json`: is it plainly one program, or a line that only a shell understands?"""

import glob
import re
from collections.abc import Mapping
from pathlib import Path

import attrs

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_SHELL_ONLY = frozenset("&|;<>()$`{}!#\n\r")
_GLOB = frozenset("*?[")
_RUNS_SCRIPT = {
    "npm": ("run", "run-script"),
    "pnpm": ("run",),
    "yarn": ("run",),
    "bun": ("run",),
    "node": ("--run",),
}
_RUNS_PROGRAM = (("npx", "--no-install"), ("npx", "--no"), ("npx",), ("pnpm", "exec"), ("yarn", "exec"), ("bunx",))
_DEPTH = 5

NODE_VALUED = frozenset(
    {
        "-r",
        "--require",
        "--import",
        "--loader",
        "--experimental-loader",
        "-C",
        "--conditions",
        "--env-file",
        "--tsconfig",
    }
)
"""Options of node and tsx whose value is the next word."""


@attrs.frozen
class Script:
    """A script that is plainly one program.

    Attributes:
        name: The script it was found in, after following `npm run other`.
        env: The variables that it sets in front.
        words: Program and arguments, globs not yet expanded.
    """

    name: str
    env: Mapping[str, str]
    words: tuple[str, ...]


def plain_script(scripts: Mapping[str, str], name: str, folder: Path) -> Script | None:
    """Return script `name` when it runs one program without a shell's help; else None.

    A script that only runs another script stands for that one. Globs that a shell would expand are
    expanded in `folder`, as `sh` does it: `**` means `*`, and a glob without a match stays as it is.
    """
    env: dict[str, str] = {}
    for _ in range(_DEPTH):
        words = _shell_words(scripts.get(name, ""))
        if not words:
            return None
        words = _without_assignments(words, env)
        other = _other_script(tuple(word.text for word in words), scripts)
        if other is None:
            expanded = tuple(text for word in words for text in _expanded(word, folder))
            return Script(name, env, _without_launcher(expanded)) if expanded else None
        if f"pre{other}" in scripts:
            return None
        name = other
    return None


@attrs.frozen
class _Word:
    text: str
    has_glob: bool


def _shell_words(line: str) -> list[_Word] | None:
    """Split like `sh`; None where the line asks for more than splitting."""
    words: list[_Word] = []
    text, has_glob, inside, quote, at = "", False, False, "", 0
    while at < len(line):
        char = line[at]
        at += 1
        if quote == "'" and char != "'":
            text += char
        elif char == "\\":
            kept = "\\" if quote and line[at : at + 1] not in '$`"\\' else ""
            text, at, inside = text + kept + line[at : at + 1], at + 1, True
        elif quote and char == quote:
            quote = ""
        elif not quote and char in "'\"":
            quote, inside = char, True
        elif (char in "$`" and quote) or (not quote and char in _SHELL_ONLY):
            return None
        elif not quote and char in " \t":
            if inside:
                words.append(_Word(text, has_glob))
            text, has_glob, inside = "", False, False
        else:
            has_glob = has_glob or (not quote and char in _GLOB)
            text, inside = text + char, True
    if inside:
        words.append(_Word(text, has_glob))
    return None if quote else words


def _without_assignments(words: list[_Word], env: dict[str, str]) -> list[_Word]:
    """Move `NAME=value` words in front of the program to `env`; `CI=false` would bring watch modes back."""
    rest = words
    while rest and (_ASSIGNMENT.match(rest[0].text) or rest[0].text in {"cross-env", "env"}):
        name, is_assignment, value = rest[0].text.partition("=")
        if is_assignment and name != "CI":
            env[name] = value
        rest = rest[1:]
    return rest


def runs_script(line: str, name: str) -> bool:
    """Say whether a line does nothing but run the script `name` by a package manager."""
    words = tuple(line.split())
    match words:
        case ("npm" | "pnpm" | "yarn", "test") | ("npm", "t"):
            return name == "test"
        case ("npm" | "pnpm" | "yarn" | "bun", "run", script):
            return script == name
        case _:
            return False


def _other_script(words: tuple[str, ...], scripts: Mapping[str, str]) -> str | None:
    """Return the script that `words` do nothing but run, such as `npm run test:unit`."""
    words = tuple(word for word in words if word not in {"-s", "--silent"})
    match words:
        case (program, verb, name) if verb in _RUNS_SCRIPT.get(program, ()) and name in scripts:
            return name
        case ("pnpm" | "yarn" | "run-s" | "run-p" | "npm-run-all", name) if name in scripts:
            return name
        case ("npm", "test" | "t") if "test" in scripts:
            return "test"
        case _:
            return None


def _without_launcher(words: tuple[str, ...]) -> tuple[str, ...]:
    for launcher in _RUNS_PROGRAM:
        if (
            words[: len(launcher)] == launcher
            and len(words) > len(launcher)
            and not words[len(launcher)].startswith("-")
        ):
            return words[len(launcher) :]
    return words


def _expanded(word: _Word, folder: Path) -> list[str]:
    if not word.has_glob:
        return [word.text]
    # `Path.glob` would take `**` for any depth and would not keep the words that a shell gives.
    return sorted(glob.glob(word.text, root_dir=folder)) or [word.text]  # noqa: PTH207  # see above
