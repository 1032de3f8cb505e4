"""Rewrites that change which function is called, or with which arguments."""

from typing import TYPE_CHECKING

from verify_lsp.security.code.sites import Code
from verify_lsp.security.match import Match
from verify_lsp.security.rewrites.edit import Edit, Mended, with_argument, without_item
from verify_lsp.security.rewrites.values import decisive_value
from verify_lsp.security.site import BindSite, CallSite

if TYPE_CHECKING:
    from tree_sitter import Node

_YAML = {
    "yaml.load": "safe_load",
    "yaml.load_all": "safe_load_all",
    "yaml.unsafe_load": "safe_load",
    "yaml.unsafe_load_all": "safe_load_all",
    "yaml.full_load": "safe_load",
    "yaml.full_load_all": "safe_load_all",
}
_PLAIN_LOADERS = frozenset({"yaml.Loader", "yaml.UnsafeLoader", "yaml.FullLoader", "yaml.CLoader", "yaml.CFullLoader"})


def remove_argument(code: Code, match: Match) -> Mended | None:
    """Take a keyword argument out, so that the safe default holds."""
    if isinstance(match.site, BindSite):
        item: Node | None = match.site.node
    else:
        value = decisive_value(code, match)
        item = value.parent if value is not None else None
    if item is None or item.type != "keyword_argument":
        return None
    return Mended(f"Remove `{code.text(item)}`", (without_item(code, item),))


def yaml_safe_load(code: Code, match: Match) -> Mended | None:
    """Call the safe loader; the loader that was named goes."""
    site = match.site
    name = _YAML.get(site.callee) if isinstance(site, CallSite) else None
    if not isinstance(site, CallSite) or name is None or site.open:
        return None
    edits = []
    loader = site.named.get("Loader") or (site.positional[1] if len(site.positional) > 1 else None)
    if len(site.positional) > 2 or set(site.named) - {"Loader", "stream"}:
        return None
    if loader is not None:
        if code.dotted(loader) not in _PLAIN_LOADERS:
            return None
        item = loader.parent if loader.parent is not None and loader.parent.type == "keyword_argument" else loader
        edits.append(without_item(code, item))
    node = site.callee_node
    plain = node.parent is None or node.parent.type != "attribute"
    if plain and code.text(node) not in {
        "load",
        "load_all",
        "unsafe_load",
        "unsafe_load_all",
        "full_load",
        "full_load_all",
    }:
        return None
    edits.append(Edit(node.start_byte, node.end_byte, name))
    if plain and code.source.names.get(name) != f"yaml.{name}":
        imported = _import_from(code, "yaml", name)
        if imported is None or name in code.source.names:
            return None
        edits.append(imported)
    return Mended(f"Use `{name}`", tuple(edits))


def _import_from(code: Code, module: str, name: str) -> Edit | None:
    """Return the edit that adds a name to the import at the top that already brings others of the module."""
    for statement in code.root.named_children:
        if statement.type != "import_from_statement":
            continue
        of = statement.child_by_field_name("module_name")
        names = statement.children_by_field_name("name")
        if of is not None and code.text(of) == module and names:
            return Edit(names[-1].end_byte, names[-1].end_byte, f", {name}")
    return None


def mktemp(code: Code, match: Match) -> Mended | None:
    """Make the file that is opened at once; any other use of the name may need it not to exist."""
    site = match.site
    if not isinstance(site, CallSite) or site.node.parent is None:
        return None
    around = code.call(site.node.parent.parent) if site.node.parent.parent is not None else None
    if around is None or around.callee not in {"open", "io.open"} or around.positional[:1] != (site.node,):
        return None
    mode = around.named.get("mode") or (around.positional[1] if len(around.positional) > 1 else None)
    if mode is None or code.text(mode)[1:-1] not in {"w", "wb", "w+", "w+b", "wt", "a", "ab"}:
        return None
    if site.callee_node.parent is None or site.callee_node.parent.type != "attribute":
        return None
    edits = (
        Edit(site.callee_node.start_byte, site.callee_node.end_byte, "mkstemp"),
        Edit(site.node.end_byte, site.node.end_byte, "[1]"),
    )
    return Mended("Let `mkstemp` make the file", edits)


def tar_filter(code: Code, match: Match) -> Mended | None:
    """Refuse members that lie outside."""
    return _added(code, match, 'filter="data"')


def timeout(code: Code, match: Match) -> Mended | None:
    """Give up after half a minute."""
    return _added(code, match, "timeout=30")


def _added(code: Code, match: Match, argument: str) -> Mended | None:
    if not isinstance(match.site, CallSite) or match.site.open:
        return None
    edit = with_argument(code, match.site.node, argument)
    return None if edit is None else Mended(f"Pass `{argument}`", (edit,))


def default_context(_code: Code, match: Match) -> Mended | None:
    """Verify certificates as the platform does."""
    site = match.site
    if not isinstance(site, CallSite) or site.positional or site.named or site.open:
        return None
    node = site.callee_node
    if node.parent is None or node.parent.type != "attribute":
        return None
    return Mended("Use `create_default_context`", (Edit(node.start_byte, node.end_byte, "create_default_context"),))
