"""What a JavaScript or TypeScript text with mutants in it begins with."""

_OPENED = "return s ? s.open(g) :"

PRELUDE = (
    "var __verifyLspSwitch = __verifyLspFind();"
    " function __verifyLspFind() {"
    " var g = Object(globalThis); var p = g.process; var s = p && p.__verifyLsp;"
    f" {_OPENED} {{ on: Number(p && p.env && p.env.VERIFY_LSP_MUTANT) || 0 }}; }}"
    " function __verifyLspOn(n = 0) {"
    " var s = __verifyLspSwitch || (__verifyLspSwitch = __verifyLspFind());"
    " return s.note ? s.note(n) : s.on === n; }"
)
"""Defines `__verifyLspOn(number)`: whether that mutant is on.

One line, without a line feed, that may stand anywhere between top-level statements: in a module, in a script, or in a file
of TypeScript under its strictest settings (`Object(…)` is of any type). A call that comes before it has run, out of a
cycle of imports, finds its answer too. `process.__verifyLsp` is there where files of ours run beside the tests: it knows
which mutant is on, and notes what is reached. Without it the variable VERIFY_LSP_MUTANT says which is on, and
where there is no process at all, as in a browser, none is.
"""

TELLING_PRELUDE = PRELUDE.replace(_OPENED, "return s && s.ran ? s.ran(g) : s ? s.open(g) :")
"""Likewise, where it is not expected to run: if it does, that is noted."""
