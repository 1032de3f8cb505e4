"""The shape of a language that mutants are made for."""

from collections.abc import Callable, Collection, Mapping

import attrs

from verify_lsp.model.mutant import Mutant
from verify_lsp.mutation.switched import Switched


@attrs.frozen
class Engine:
    """One language.

    Attributes:
        run_by_tools: Names of files that only tools run, and no test does.
        mutants_of: From a path, a text and 1-based lines to the mutants that begin on these lines.
        switched: From a text and its mutants by number to the text with them built in, all off; None for a language
            whose toolchain builds them in by itself.
        broken: A text that no tool can load as this language.
        spoiled: From a text to one that fails as soon as it is loaded by a program, for a language whose files are
            compiled with others that need what stands in them; None where `broken` serves.
    """

    run_by_tools: frozenset[str]
    mutants_of: Callable[[str, str, Collection[int]], tuple[Mutant, ...]]
    switched: Callable[[str, Mapping[int, Mutant]], Switched] | None = None
    broken: str = ""
    spoiled: Callable[[str], str] | None = None
