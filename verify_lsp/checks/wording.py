"""Numbers in sentences."""


def count(number: int, one: str, many: str | None = None) -> str:
    """Return "1 error", "2 errors", "no errors"."""
    noun = one if number == 1 else many or one + "s"
    return f"{number or 'no'} {noun}"


def listed(names: list[str], limit: int = 3) -> str:
    """Return "a, b and 4 more"."""
    shown = names[:limit]
    rest = len(names) - len(shown)
    if rest:
        return f"{', '.join(shown)} and {rest} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)
