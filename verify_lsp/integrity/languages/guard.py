"""What stands around an assertion, and the assertion made of what was read."""

from typing import TYPE_CHECKING

import attrs

from verify_lsp.integrity.cases import Check
from verify_lsp.integrity.nodes import line, normal, shown
from verify_lsp.integrity.said import Said

if TYPE_CHECKING:
    from tree_sitter import Node


@attrs.frozen
class Guard:
    """What stands around a statement; the attributes are those of `Check`."""

    swallowed: bool = False
    conditions: tuple[str, ...] = ()

    def under(self, condition: "Node | None") -> "Guard":
        """Return what stands around a statement that a condition decides about."""
        return attrs.evolve(self, conditions=(*self.conditions, normal(condition) if condition is not None else ""))

    def caught(self, *, swallows: bool) -> "Guard":
        """Return what stands around a statement whose failure is caught, if it is."""
        return attrs.evolve(self, swallowed=self.swallowed or swallows)


def check_of(node: "Node", said: Said, form: str, guard: Guard) -> Check:
    """Return the assertion that a node makes."""
    return Check(
        text=form,
        shown=shown(node),
        line=line(node),
        claims=said.claims,
        expected=said.expected,
        literal=said.literal,
        tolerance=said.tolerance,
        swallowed=guard.swallowed,
        conditions=guard.conditions,
    )
