"""Which files a verifier is for."""

import attrs

from verify_lsp.verifiers.base import ToolVerifier, Verifier


@attrs.frozen
class Registration:
    """Names of files, and the verifier that judges them. Of two registrations for one name, the last one holds.

    Attributes:
        names: In lower case, as names are compared without their case. Each is one of:

            - a file name: "dockerfile", "cargo.lock", ".babelrc";
            - an extension with its leading dot, which may have several: ".json", ".d.ts";
            - a pattern of `*`, `?` and `[abc]` for the end of a path: "tsconfig*.json", ".vscode/*.json".

            A file name beats a pattern, a pattern beats an extension, a long extension beats a short one. But a
            pattern that ends in `.*` leaves files alone whose extension is registered: "dockerfile.*" is not for
            dockerfile.go.
        verifier: What judges them.
        interpreters: Programs a `#!` line may name ("bash", "python3"; version digits at the end are optional), for
            files that no name here fits and that have no extension.
        thorough: A tool that knows better, for files that are saved. Its verdict stands in place of the verifier's,
            unless it skipped the file (not installed, not trusted, too slow): then the verifier's holds.
    """

    names: tuple[str, ...]
    verifier: Verifier
    interpreters: tuple[str, ...] = ()
    thorough: ToolVerifier | None = None
