"""A tree is made where the text alone does not tell that no rule can be broken, and only there."""

import pytest

from verify_lsp.security.code.peek import may_match
from verify_lsp.security.match import Hit
from verify_lsp.security.rule import Bind, Call, Rule
from verify_lsp.security.rules import rules
from verify_lsp.security.scan import scan_text
from verify_lsp.security.source import Source

NAMES = {"python": "a.py", "javascript": "a.js", "typescript": "a.ts", "go": "a.go", "rust": "a.rs"}
# What is around a sample changes what is known of it: the same again, its lines apart, names bound above or below.
AROUND = (
    lambda text: text,
    lambda text: f"{text}\n{text}",
    lambda text: text.replace(", ", ",\n    "),
    lambda text: text.replace("(", "(\n  "),
    lambda text: f"a = b\nx = request.args['a']\nname = x\nurl = x\n{text}",
    lambda text: f"{text}\na = req.query.a;\nx += a;\n",
)
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
        ("rust-world-writable", "from_mode(", "Permissions::from_mode(mode)"),
        ("py-os-system", "system(", "import os as o\no.system(name)"),
        ("py-os-system", "system(", "import os\nname = words[a + b]\nos.system(name)"),
        ("py-os-system", "system(", "# os.system('a ' + b)"),
        ("py-os-system", "system(", "def system(name='a'):\n    return name + 'b'"),
        ("py-pickle", "pickle", "import json, pickle"),
        ("py-path-traversal", "join(", "import os\na = request.args['a']\n', '.join(a)"),
        ("js-ssrf", "request(", "const app = express()\n\nrequest(app)\nconst a = req.query.a"),
        ("js-ssrf", "request(", "const a = 'b'\nrequest(a)\nconst b = req.query.a"),
        ("js-sql-template", ".get(", "cells.get(keyOf(a + b))"),
        ("js-sql-template", ".get(", "cells.get(`${a}:${b}`)"),
        ("js-sql-template", ".get(", "const a = `${b}:${c}`\ncells.get(a)"),
        ("js-sql-template", ".get(", "cells\n  .get(one)!.get(a)"),
        ("js-reflected-html", ".send(", "/**\n * res.send('<p>' + req.query.a)\n */"),
        ("js-reflected-html", ".send(", "// res.send('<p>' + req.query.a)"),
    ],
)
def test_no_tree_is_made_for_a_call_that_cannot_break_the_rule(rule: str, word: str, text: str) -> None:
    assert not seen(rule, word, text)


@pytest.mark.parametrize(
    ("rule", "word", "text"),
    [
        ("py-os-system", "system(", "import os as o\nname = f'a {b}'\no.system(name)"),
        ("py-os-system", "system(", "import os\nname = 'a '\nname += b\nos.system(name)"),
        ("py-os-system", "system(", "import os\nname = b\nb = 'a' + c\nos.system(name)"),
        ("py-os-system", "system(", "import os\nname = b\\\n  + 'a'\nos.system(name)"),
        ("py-os-system", "system(", "import os\nwith b as name:\n  os.system(name)"),
        ("py-os-system", "system(", "from os import system\nsystem(f'a {b}')"),
        ("py-path-traversal", "open(", "@app.route('/')\ndef f(a: str):\n    return open(a)"),
        ("js-ssrf", "request(", "const b = req.query.a\nconst a = b\nrequest(a)"),
        ("js-ssrf", "request(", "const { a } = req.query\nrequest(a)"),
        ("js-reflected-html", ".send(", "/* a\n*/res.send(`<p>${req.query.a}`)"),
        ("js-reflected-html", ".send(", "`\n/* a`\nres.send(`<p>${req.query.a}`)"),
        ("js-ssrf", "request(", "a./* b */request(req.query.c)"),
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
        ("rust-world-writable", "from_mode(", "let mode = 0o666;\nPermissions::from_mode(mode)"),
    ],
)
def test_a_tree_is_made_where_the_text_leaves_it_open(rule: str, word: str, text: str) -> None:
    assert seen(rule, word, text)


@pytest.mark.parametrize("rule", [each.id for each in rules() if any(isinstance(m, Call | Bind) for m in each.match)])
def test_no_finding_is_lost_for_what_was_seen_beforehand(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = next(each for each in rules() if each.id == rule)
    texts = [(path, around(text)) for path, text in map(split, (*wanted.bad, *wanted.good)) for around in AROUND]
    before = [scan_text(path or name_of(wanted), text) for path, text in texts]
    monkeypatch.setattr("verify_lsp.security.scan.may_match", lambda _source, _hit: True)
    assert before == [scan_text(path or name_of(wanted), text) for path, text in texts]


def split(text: str) -> tuple[str, str]:
    """Return the name of a sample's file, which may be empty, and its text."""
    head, _, rest = text.partition("\n")
    return (head[3:], rest) if head.startswith("#! ") else ("", text)


def name_of(rule: Rule) -> str:
    return next((name for language in rule.languages if (name := NAMES.get(language))), "a.py")
