"""A Rust text with many mutants in it, each behind a switch that the environment turns on.

An expression becomes `(if on(7) { mutant } else { original })`. Whether a mutant is on is asked of a small module that is
written behind the text's last line, so that each file carries its own, whatever crates and programs it is part of.
"""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from verify_lsp.model.mutant import Mutant
from verify_lsp.mutation.rust.places import is_worked_out_early, modules_around
from verify_lsp.mutation.switched import Choice, Switched, compose, span_of
from verify_lsp.syntax.trees import parse

if TYPE_CHECKING:
    from tree_sitter import Node

_BODIES_OF = frozenset({"function_item", "else_clause"})
_CHAINED = frozenset({"logic", "bits"})
_NAME = "verify_lsp_switch"
_BLOCK = re.compile(rb"(?:unsafe|if|match|loop|while|for|async|const)\b|\{|'")
"""What ends with its brace where a statement may begin: in `{ unsafe { a } < b }` the comparison would stand alone."""


def switched(text: str, mutants: Mapping[int, Mutant]) -> Switched:
    """Return the text with these mutants built in; those that the compiler would have to choose are left."""
    root = parse("rust", text.encode()).root_node
    choices, left = list[Choice](), set[int]()
    for number, mutant in mutants.items():
        node = _piece(root, mutant, *span_of(text, mutant))
        if node is None or is_worked_out_early(node):
            left.add(number)
        else:
            choices.append(_choice(number, mutant, node))
    if not choices:
        return Switched(text, {}, frozenset(left))
    inside = {number: mutant for number, mutant in mutants.items() if number not in left}
    written, rows = compose(text, choices, inside)
    return Switched(written + ("" if written.endswith("\n") else "\n") + _MODULE, rows, frozenset(left))


def _piece(root: "Node", mutant: Mutant, start: int, end: int) -> "Node | None":
    """Return the part of the text that stands in two forms: the least one that has a value, or is a statement."""
    node = root.descendant_for_byte_range(start, end)
    while node is not None and (above := node.parent) is not None and _is_span(above, start, end):
        node = above
    if node is None or not _is_span(node, start, end):
        return None
    if mutant.operator == "call":
        return _above(node, "expression_statement")
    if not node.is_named:
        node = node.parent
    if mutant.operator == "number":
        return _with_sign(node)
    if mutant.operator in _CHAINED:
        # `a && b || c`, with another operator, is grouped otherwise.
        while node is not None and node.parent is not None and node.parent.type == "binary_expression":
            node = node.parent
    return node


def _is_span(node: "Node", start: int, end: int) -> bool:
    return node.start_byte == start and node.end_byte == end


def _above(node: "Node", kind: str) -> "Node | None":
    at: Node | None = node
    while at is not None and at.type != kind:
        at = at.parent
    return at


def _with_sign(node: "Node | None") -> "Node | None":
    """`-128i8` is one number: without its sign it would be too large."""
    above = node.parent if node is not None else None
    signed = above is not None and above.type == "unary_expression" and above.children[0].type == "-"
    return above if signed else node


def _choice(number: int, mutant: Mutant, node: "Node") -> Choice:
    above = "super::" * modules_around(node)
    asked = f"self::{above}{_NAME}::on({number})".encode()
    if mutant.operator == "condition":
        return Choice(
            number, node.start_byte, node.end_byte, lambda _mutant, original: b"(%b != (%b))" % (asked, original)
        )
    if mutant.operator == "call":
        form = b"if %b { %b } else { %b }"
    elif node.type == "block" and node.parent is not None and node.parent.type in _BODIES_OF:
        form = b"{ if %b %b else %b }"
    elif _BLOCK.match(node.text or b""):
        form = b"(if %b { (%b) } else { (%b) })"
    else:
        form = b"(if %b { %b } else { %b })"
    return Choice(number, node.start_byte, node.end_byte, lambda other, original: form % (asked, other, original))


# What is called for each choice is written for code that is not optimised: there, an atomic load or a look into a thread's own
# memory takes several calls. The number is only ever stored when it is not known yet, and every thread stores the same.
_MODULE = f"""\
#[doc(hidden)]
mod {_NAME} {{
    extern crate std as real;
    use self::real::cell::{{Cell, RefCell}};
    use self::real::io::Write;
    use self::real::prelude::v1::*;

    const UNKNOWN: usize = 0xffff_ffff;
    const NOTED: usize = 0xffff_fffe;
    const AWAITED: usize = 0xffff_fffd;
    static mut CHOSEN: usize = UNKNOWN;
    static mut WANTED: usize = 0;
    real::thread_local!(static FIRST: Cell<u64> = const {{ Cell::new(0) }});
    real::thread_local!(static OTHERS: RefCell<Vec<usize>> = RefCell::new(Vec::new()));

    #[inline(always)]
    pub fn on(number: usize) -> bool {{
        let chosen = unsafe {{ CHOSEN }};
        if chosen < AWAITED {{ chosen == number }} else {{ asked(number, chosen) }}
    }}

    #[inline(never)]
    fn asked(number: usize, before: usize) -> bool {{
        let mut chosen = before;
        if before == UNKNOWN {{
            let word = real::env::var("VERIFY_LSP_MUTANT").unwrap_or(String::new());
            let noted = word.is_empty() && real::env::var_os("VERIFY_LSP_REACH").is_some();
            chosen = if noted {{ NOTED }} else {{ word.parse().unwrap_or(0) }};
            if !noted && chosen != 0 && real::env::var_os("VERIFY_LSP_ASKED").is_some() {{
                unsafe {{ WANTED = chosen; }}
                chosen = AWAITED;
            }}
            unsafe {{ CHOSEN = chosen; }}
        }}
        if chosen == AWAITED {{
            return number == unsafe {{ WANTED }} && is_first(number);
        }}
        if chosen == NOTED && is_new(number) {{
            note(number);
        }}
        chosen == number
    }}

    #[allow(unused_must_use)]
    fn is_first(number: usize) -> bool {{
        unsafe {{ CHOSEN = number; }}
        if let Some(path) = real::env::var_os("VERIFY_LSP_ASKED") {{
            real::fs::OpenOptions::new().create(true).append(true).open(path).map(|mut file| file.write_all(b"asked\n"));
        }}
        true
    }}

    fn is_new(number: usize) -> bool {{
        if number < 64 {{
            return FIRST.try_with(|first| {{
                let before = first.get();
                let now = before | 1 << number;
                first.set(now);
                before != now
            }})
            .unwrap_or(true);
        }}
        OTHERS.try_with(|seen| match seen.try_borrow_mut() {{
            Ok(mut seen) => {{
                let new = !seen.contains(&number);
                if new {{
                    seen.push(number);
                }}
                new
            }}
            Err(_) => false,
        }})
        .unwrap_or(true)
    }}

    fn note(number: usize) {{
        if let Some(folder) = real::env::var_os("VERIFY_LSP_REACH") {{
            let thread = real::thread::current();
            let line = real::format!("{{}} {{}}\\n", number, thread.name().unwrap_or("").replace('\\n', " "));
            let mut name = real::process::id();
            if real::env::var_os("VERIFY_LSP_ASKED").is_some() {{
                name %= 64;
            }}
            let path = real::path::Path::new(&folder).join(name.to_string());
            if let Ok(mut file) = real::fs::OpenOptions::new().create(true).append(true).open(path) {{
                let _ = file.write_all(line.as_bytes());
            }}
        }}
    }}
}}
"""
