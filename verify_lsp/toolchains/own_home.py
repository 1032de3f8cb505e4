"""A home and a temporary folder of its own for a run that may go wrong on purpose."""

import os

import attrs

from verify_lsp.model.command import RESULTS, Command


def in_own_home(command: Command) -> Command:
    """Return the command with its home and its temporary files in the private folder of its run.

    The user's git settings still hold: without a name git makes no commit, and many tests make some.
    """
    git_settings = os.path.expanduser("~/.gitconfig")  # noqa: PTH111  # a text for a variable, no file is asked for
    environment = {
        "GIT_CONFIG_GLOBAL": git_settings,
        **command.env,
        "HOME": f"{RESULTS}/zz-home",
        "TMPDIR": f"{RESULTS}/zz-tmp",
    }
    folders = {"zz-home/.verify-lsp": "", "zz-tmp/.verify-lsp": ""}
    return attrs.evolve(command, env=environment, support={**command.support, **folders})
