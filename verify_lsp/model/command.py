"""A command to run and what came back of it."""

from collections.abc import Mapping

import attrs

RESULTS = "{results}"
"""Stands in `argv`, `env` and `support` for the private folder of one run."""


@attrs.frozen
class Command:
    """A command as a toolchain asks for it. Nothing here has been run.

    Attributes:
        argv: Program and arguments. `{results}` is replaced by a private, empty folder.
        cwd: Folder relative to the place the run happens in; "." is its root.
        env: Variables added to the clean environment; `{results}` is replaced here too.
        timeout_s: Seconds until the process group is killed.
        support: Files written to the private folder before the run: name to text.
        shell: True for a command line the user wrote: `argv` then holds that one string.
        path_prepend: Folders put in front of PATH (the project's own tools).
    """

    argv: tuple[str, ...]
    cwd: str = "."
    env: Mapping[str, str] = attrs.field(factory=dict)
    timeout_s: float = 300.0
    support: Mapping[str, str] = attrs.field(factory=dict)
    shell: bool = False
    path_prepend: tuple[str, ...] = ()

    def shown(self) -> str:
        """Return the command as a person would type it, for reports and evidence.

        `RESULTS` stands for the private folder, which is gone when anyone reads this.
        """
        import shlex

        words = self.argv[0] if self.shell else shlex.join(word.replace(RESULTS, "RESULTS") for word in self.argv)
        return words if self.cwd == "." else f"cd {shlex.quote(self.cwd)} && {words}"


@attrs.frozen
class CommandResult:
    """What came back.

    Attributes:
        exit_code: None when the command never started or was killed by us.
        stdout: Decoded as UTF-8 with replacement; long output keeps its head and its tail.
        timed_out: True when the time limit ended it.
        missing: True when the program was not found.
        truncated: True when the middle of the output was left out.
        files: What the command left in its private folder: name to text.
        place: Absolute folder of the run, so that parsers can make absolute paths relative.
    """

    exit_code: int | None
    stdout: str = ""
    stderr: str = ""
    duration_ms: int = 0
    timed_out: bool = False
    missing: bool = False
    truncated: bool = False
    files: Mapping[str, str] = attrs.field(factory=dict)
    place: str = ""
