"""What users of other scanners ran into: what must be found, and what must not."""

import time

import pytest

from verify_lsp.security.samples import filled
from verify_lsp.security.scan import scan_text, unscanned

WEIGHTY = {"critical", "high", "medium"}


def weighty(text, path="app.py"):
    return {each.rule for each in scan_text(path, filled(text)) if each.severity in WEIGHTY}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("app.py", "_log_retrieval(q)"),
        ("app.py", "import ast\nast.literal_eval(s)"),
        ("app.py", "model.eval()"),
        ("app.py", 'df.eval("a+b")'),
        ("app.js", "await page.$$eval('a', f)"),
        ("app.py", "redis.eval(script)"),
        ("app.js", "redis.eval(script)"),
        ("app.tsx", "const a = <b onClick={() => this.open(item)} />"),
        ("app.js", "_.truncate(desc)"),
        ("app.js", "item.link"),
        ("app.js", "const fs = require('fs');\nfs.readFileSync(path.join(__dirname,'a.html'))"),
        ("app.py", 'api_key_env = "MY_SECRET1"'),
        ("app.js", "const a = { vaultKey: 'inf-vsqt-01-secret-id' }"),
        ("app.js", "const a = { password: process.env.DB_PWD }"),
        ("app.py", 'token = os.environ["TOKEN"]'),
        (".github/workflows/a.yml", "env:\n  secret: ${{ secrets.NPM_TOKEN }}\n"),
        ("main.tf", "password = var.db_password"),
        ("app.py", 'INVALID_PASSWORD = "INVALID_PASSWORD"'),
        ("app.py", "TOKEN_KEY = 'app_auth_token'"),
        ("app.py", 'TOKENINFO_URL = "https://oauth2.example.org/tokeninfo"'),
        ("app.py", "session_token = ''"),
        ("app.py", 'PASSWORD_LABEL = "Password:"'),
        ("app.py", "password = getpass()"),
        ("docs.md", "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----"),
        ("docs.md", "The file begins with `-----BEGIN RSA PRIVATE KEY-----`."),
        ("key.pem", "-----BEGIN PUBLIC KEY-----\n«pem:a»\n-----END PUBLIC KEY-----"),
        ("app.js", "const a = { tokenizationId: '«hex::32»' }"),
        ("package-lock.json", '{"integrity": "sha512-«base64::86»=="}'),
        ("uv.lock", 'sdist = { hash = "sha256:«hex::64»" }'),
        (".env", "ANTHROPIC_API_KEY=<your-key>"),
        (".env", "API_KEY=REDACTED"),
        (".env", "API_KEY=xxxxxxxxxxxxxxxxxxxx"),
        (".env", "PASSWORD=changeme"),
        ("app.py", 'key = "AKIA' + 'IOSFODNN7EXAMPLE"'),
        ("app.py", 'OPENAI_API_KEY = "sk-..."'),
        ("app.py", "import yaml\nyaml.load(f, Loader=yaml.CSafeLoader)"),
        ("app.py", "import yaml\nyaml.load(f, yaml.SafeLoader)"),
        ("app.py", "from yaml import SafeLoader\nimport yaml\nyaml.load(f, Loader=SafeLoader)"),
        ("app.py", "import yaml\nyaml.load(\n    f,\n    Loader=yaml.SafeLoader,\n)"),
        ("app.py", "import hashlib\nhashlib.md5(b, usedforsecurity=False)"),
        ("app.py", "import hashlib\nhashlib.new('sha256')"),
        ("app.js", "const etag = crypto.createHash('sha1').update(file).digest()"),
        ("app.py", 'import subprocess\nsubprocess.check_output(["git","rev-parse","HEAD"], shell=False)'),
    ],
)
def test_what_only_looks_like_a_danger_is_none(path, text):
    assert weighty(text, path) == set()


@pytest.mark.parametrize(
    ("path", "text", "rule"),
    [
        ("app.py", "eval(user_input)", "py-eval"),
        ("app.js", "eval(user_input)", "js-eval"),
        ("app.js", "const fs = require('fs');\nfs.readFile(req.query.f, done)", "js-path-traversal"),
        ("app.py", 'def f(pw: str = "T4k3-m3-«password»"): ...', "password-assigned"),
        ("appsettings.json", '{"Password": "«password:j»"}', "password-assigned"),
        ("app.cs", '"Data Source=h;User ID=svc;Password=«password:c»;"', "password-assigned"),
        ("app.py", 'self.password: Final = "«password:f»"', "password-assigned"),
        (".env", "PASSWORD=«password:e»", "password-assigned"),
        ("app.py", 'x = "😀😀"; password = "correct-horse-«digits::4»"', "password-assigned"),
        ("app.py", "import yaml\nyaml.load(f)", "py-yaml-load"),
        ("app.py", "import yaml\nyaml.load(f, Loader=yaml.UnsafeLoader)", "py-yaml-load"),
        ("app.py", "import hashlib\nhashlib.md5(password.encode())", "weak-password-hash"),
        ("app.py", 'import subprocess\nsubprocess.run(f"rm {p}", shell=True)', "py-shell-injection"),
        ("app.py", "import os\ndef f(cmd):\n    os.system(cmd)", "py-os-system-variable"),
    ],
)
def test_what_is_a_danger_is_found(path, text, rule):
    assert weighty(text, path) == {rule}


@pytest.mark.parametrize("kind", ["RSA ", "EC ", "OPENSSH ", "DSA ", "ENCRYPTED ", ""])
def test_every_kind_of_private_key_is_found(kind):
    text = f"-----BEGIN {kind}PRIVATE KEY-----\n«pem:x»\n-----END {kind}PRIVATE KEY-----\n"

    assert {(each.rule, each.severity) for each in scan_text("id", filled(text))} == {("private-key", "critical")}


def test_a_lone_carriage_return_or_form_feed_ends_no_line():
    text = 'z = 1\na = "x\x0cy"\nb = "p\u2028q"\nc = "1\rmid"\npassword = "correct-horse-«digits::4»"\n'

    assert [(each.line, each.rule) for each in scan_text("app.py", filled(text))] == [(5, "password-assigned")]


def test_columns_count_code_points():
    (problem,) = scan_text("app.py", filled('x = "😀😀"; password = "correct-horse-«digits::4»"'))

    assert (problem.line, problem.column) == (1, 11)


HOSTILE = {
    "dashes": "AES-" * 25_000,
    "templates": "${a}" * 20_000 + "<",
    "spaces": "password=" + " " * 99_999,
    "brackets": "(" * 50_000,
    "passwords": "password=" * 11_000,
    "addresses": "://a:b" * 16_000,
    "tokens": "eyJ" * 33_000,
    "quotes": "key='a" * 16_000,
    "keys": "-----BEGIN PRIVATE KEY-----" * 3_700,
    "bundle": "function a(b){return eval(b)+c.innerHTML};" * 24_000,
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("path", ["app.py", "app.js", "run.sh", "a.yaml", "a.txt"])
def test_no_line_takes_more_than_its_length_is_worth(name, path):
    started = time.process_time()
    scan_text(path, HOSTILE[name])

    # Far more than it takes: what is not linear takes minutes for these.
    assert time.process_time() - started < 20


def test_what_is_not_looked_at_is_said():
    assert unscanned("a.json", '"password": 1,\n' * 1_000) is None
    assert "more places" in unscanned("a.json", '"password": 1,\n' * 50_000)
    assert "only a program writes" in unscanned("a.js", "a" * 30_000)
    assert unscanned("a.py", "a = 1\n") is None


@pytest.mark.parametrize("text", ["", "\n", "\ud800", "\x00", "a" * 10, "\ufeffeval(x)", "(" * 3_000 + "eval(x)"])
@pytest.mark.parametrize("path", ["app.py", "app.js", "a.go", "a.rs", "a.sh", "a.yaml", "a.tf", "Dockerfile", "a"])
def test_no_text_makes_it_raise(path, text):
    assert isinstance(scan_text(path, text), tuple)


def test_a_secret_is_in_no_word_of_any_finding_of_its_line():
    token, password = filled("«github:ghp_»"), filled("«password»")
    text = f'token = "{token}"; password = "{password}"; eval(x)  # {token}\n'
    problems = scan_text("app.py", text)
    words = repr(problems)

    assert {each.rule for each in problems} >= {"github-token", "password-assigned", "py-eval"}
    assert token not in words
    assert token[8:] not in words
    assert password not in words
    assert "ghp_…" in words


def test_a_token_whose_checksum_is_wrong_weighs_less():
    token = filled("«github:ghp_»")
    wrong = token[:-1] + ("A" if token[-1] != "A" else "B")

    assert [each.severity for each in scan_text("app.py", f'x = "{token}"')] == ["critical"]
    assert [each.severity for each in scan_text("app.py", f'x = "{wrong}"')] == ["high"]
    assert scan_text("tests/test_app.py", f'x = "{wrong}"') == ()
