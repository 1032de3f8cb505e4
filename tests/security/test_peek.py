"""A tree is made where the text alone does not tell that no rule can be broken, and only there."""

import pytest

from verify_lsp.security.code.peek import may_match
from verify_lsp.security.match import Hit
from verify_lsp.security.rules import rules
from verify_lsp.security.source import Source

PATHS = {"py": "a.py", "js": "a.js", "go": "a.go", "rust": "a.rs"}


def seen(rule: str, word: str, text: str) -> bool:
    source = Source(PATHS[rule.partition("-")[0]], text)
    wanted = next(each for each in rules() if each.id == rule)
    return may_match(source, Hit(wanted, word, source.data.index(word.encode())))


@pytest.mark.parametrize(
    ("rule", "word", "text"),
    [
        ("py-os-system", "system(", "import platform\nplatform.system()"),
        ("py-os-system", "system(", "import os\nos.system('clear')"),
        ("py-os-system", "system(", "from platform import system\nsystem(name)"),
        ("py-yaml-load", "load(", "import yaml\nself._loader.load(f)"),
        ("py-sql-injection", "execute", "cur.execute('SELECT 1 FROM a')"),
        ("js-sql-template", ".get(", "cache.get(element.id)"),
        ("js-sql-template", ".get(", "cache.get(element)"),
        ("js-sql-template", ".run(", "db.run(() => `SELECT ${a} FROM b`)"),
        ("js-reflected-html", ".send(", "res.send('<p>Hello</p>')"),
        ("js-reflected-html", ".send(", "socket.send(`<p>${req.query.a}`)"),
        ("go-ssrf", "http.Get(", "http.Get(target)"),
        ("rust-world-writable", "set_mode(", "a.set_mode(0o644)"),
    ],
)
def test_no_tree_is_made_for_a_call_that_cannot_break_the_rule(rule: str, word: str, text: str) -> None:
    assert not seen(rule, word, text)


@pytest.mark.parametrize(
    ("rule", "word", "text"),
    [
        ("py-os-system", "system(", "import os as o\no.system(name)"),
        ("py-os-system", "system(", "from os import system\nsystem(f'a {b}')"),
        ("py-os-system", "system(", "import os\nos.\\\n  system(name + b)"),
        ("py-os-system", "system(", "import os\nos.system('a ' + b)"),
        ("py-os-system", "system(", "import os\nos.system('a %s' % b)"),
        ("py-os-system", "system(", "command = f'a {b}'\nimport os\nos.system(command)"),
        ("py-os-system", "system(", "import os\nos.system(  # as ever\n  name)"),
        ("py-yaml-load", "Loader=", "import yaml\nyaml.load(f, Loader=yaml.Loader)"),
        ("py-sql-injection", "execute", "cur.execute ('SELECT a FROM ' + b)"),
        ("js-sql-template", ".get(", "connect()\n  .get(`SELECT ${a} FROM b`)"),
        ("js-sql-template", ".get(", "const q = `SELECT ${a} FROM b`\ndb.get(q, [])"),
        ("js-reflected-html", ".send(", "res.status(200).send(`<p>${req.query.a}`)"),
        ("js-reflected-html", ".send(", "res?.send(`<p>${req.query.a}`)"),
        ("js-open-redirect", "redirect(", "res.redirect(req.query.to)"),
        ("go-ssrf", "http.Get(", "target := r.FormValue(`a`)\nhttp.Get(target)"),
        ("go-ssrf", "http.Get(", "http.Get(r.URL.Path)"),
        ("rust-world-writable", "set_mode(", "a.set_mode(0o666)"),
        ("rust-world-writable", "from_mode(", "Permissions::from_mode(mode)"),
    ],
)
def test_a_tree_is_made_where_the_text_leaves_it_open(rule: str, word: str, text: str) -> None:
    assert seen(rule, word, text)
