"""Holds a text with all its mutants compiled in against the text itself; a program for any Python from 3.8 on.

It is given `{"text", "mutants"}` as JSON on its input, and prints what is wrong, and which mutants are unfit and why.
"""

import ast
import copy
import json
import sys


class Chosen(ast.NodeTransformer):
    """Takes the switches out of a tree: one mutant is on, or none."""

    def __init__(self, switch, number=None):
        self.switch = switch
        self.number = number
        self.seen = set()

    def _asked(self, node):
        test = node.test
        if isinstance(test, ast.Subscript) and getattr(test.value, "id", None) == self.switch:
            index = test.slice
            number = getattr(index, "value", index)
            return getattr(number, "value", number)
        return None

    def visit_IfExp(self, node):
        number = self._asked(node)
        if number is None:
            return self.generic_visit(node)
        self.seen.add(number)
        return self.visit(node.body if number == self.number else node.orelse)

    def visit_If(self, node):
        number = self._asked(node)
        if number is None:
            return self.generic_visit(node)
        self.seen.add(number)
        return self.visit((node.body if number == self.number else node.orelse)[0])


def problems(text, mutants, every=1):
    """Return what does not hold: off, the tree is the text's own, places included; on, it is that of the other text."""
    from verify_lsp_schemata import SWITCH, Schemata, replaced

    found = []
    schemata = Schemata(text, mutants)
    compile(copy.deepcopy(schemata.tree), "a.py", "exec", dont_inherit=True)
    off = Chosen(SWITCH)
    tree = off.visit(copy.deepcopy(schemata.tree))
    if ast.dump(tree, include_attributes=True) != ast.dump(ast.parse(text), include_attributes=True):
        found.append("with every switch off it is another program")
    if off.seen != set(mutants) - set(schemata.unfit):
        found.append(f"missing: {sorted(set(mutants) - set(schemata.unfit) - off.seen)}")
    for number in sorted(off.seen)[::every]:
        on = Chosen(SWITCH, number).visit(copy.deepcopy(schemata.tree))
        other = ast.parse("\n".join(replaced(text.split("\n"), mutants[number])))
        if ast.dump(on) != ast.dump(other):
            found.append(f"{mutants[number]} is another program")
    return found, {number: str(unfit) for number, unfit in schemata.unfit.items() if unfit.invalid}


if __name__ == "__main__":
    given = json.load(sys.stdin)
    sys.path.insert(0, given["injected"])
    answers = []
    for case in given["cases"]:
        mutants = {int(number): mutant for number, mutant in case["mutants"].items()}
        answers.append(problems(case["text"], mutants, case["every"]))
    json.dump(answers, sys.stdout)
