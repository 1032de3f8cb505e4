"""Which files a verifier is for."""

import attrs

from verify_lsp.verifiers.base import Verifier


@attrs.frozen
class Registration:
    """Names of files, and the verifier that judges them. Of two registrations for one name, the last one holds.

    Attributes:
        names: In lower case, as names are compared without their case. Each is one of:

            - a file name: "dockerfile", "cargo.lock", ".babelrc";
            - an extension with its leading dot, which may have several: ".json", ".d.ts";
            - a pattern of `*`, `?` and `[abc]` for the end of a path: "tsconfig*.json", ".vscode/*.json".

            A file name beats a pattern, a pattern beats an extension, a long extension beats a short one.
        verifier: What judges them.
        interpreters: Programs a `#!` line may name ("bash", "python3"; version digits at the end are optional), for
            files that no name here fits and that have no extension.
    """

    names: tuple[str, ...]
    verifier: Verifier
    interpreters: tuple[str, ...] = ()
