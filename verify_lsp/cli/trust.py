"""`verify-lsp trust`: whose tests and tools may be run without being asked for by hand."""

from verify_lsp.cli.exit_code import ExitCode
from verify_lsp.cli.workspace import workspace_folder


def trust(directory: str | None, *, remove: bool, show: bool) -> int:
    """Add a folder to the trust list, take it off, or show the list."""
    import verify_lsp.settings.trust as trust_list

    if show:
        for folder in trust_list.trusted_folders():
            print(folder)
        return ExitCode.OK
    folder = workspace_folder(directory)
    if remove:
        trust_list.untrust(folder)
        print(f"no longer trusted: {folder}")
    else:
        trust_list.trust(folder)
        print(f"trusted: {folder} (its tests, build scripts and tools may be run; undo with --remove)")
    return ExitCode.OK
