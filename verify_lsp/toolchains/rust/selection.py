"""Running just some Rust tests again, and the endings of ids that are no tests."""

BUILD_FAILED = "[build failed]"
DID_NOT_END = "[did not end]"
FAILED = "[failed]"
DOC = "doc "
"""Begins the id of an example in a comment; its file and item follow."""


def filters(ids: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the words behind `cargo test --` that choose tests; None where an id is no test but a whole program.

    No crate or target is chosen beside: one that the content before the change does not have yet would keep
    cargo from running anything. The same name in another program runs as well; whoever reads the results
    looks for the ids that were asked for.
    """
    names: dict[str, None] = {}
    exact = True
    for test_id in ids:
        if test_id.endswith((BUILD_FAILED, DID_NOT_END, FAILED)):
            return None
        if test_id.startswith(DOC):
            # Their names end in a line that another content has elsewhere, so that the whole name is not known.
            exact = False
            name = test_id.removeprefix(DOC).partition(" #")[0]
        else:
            name = test_id.partition(" ")[2] or test_id
        if name.startswith("-"):
            return None
        names[name] = None
    return (*(("--exact",) if exact else ()), *names) if names else None
