"""A command line that the user wrote in the settings."""

from verify_lsp.model.command import Command


def shell_command(line: str, timeout_s: float) -> Command:
    """Return the command for a line that the user wrote in the settings."""
    return Command(argv=(line,), shell=True, timeout_s=timeout_s)  # noqa: S604  # the user wrote it
