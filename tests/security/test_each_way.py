"""Ways to break a rule that its page has no example of."""

import pytest

from verify_lsp.security.samples import filled
from verify_lsp.security.scan import scan_text

GO = 'package a\n\nimport (\n\t"crypto/sha1"\n\t"fmt"\n\t"math/rand"\n\t"net/http"\n\t"os"\n)\n\n'
HANDLER = GO + "func f(w http.ResponseWriter, r *http.Request) {\n"
WAYS = [
    ("py-template-injection", "a.py", "from jinja2 import Template\nTemplate(request.args['t'])\n"),
    ("py-markup-variable", "a.py", "from flask import render_template_string\nrender_template_string(text)\n"),
    ("js-eval", "a.js", "const f = new Function(req.body.code);\n"),
    ("js-eval", "a.js", "const vm = require('vm');\nvm.runInNewContext(req.body.code);\n"),
    ("js-sql-template", "a.js", "db.query('SELECT a FROM b');\ndb.query(req.body.sql);\n"),
    ("js-innerhtml", "a.js", "range.createContextualFragment(`<b>${name}</b>`);\n"),
    ("go-path-traversal", "a.go", HANDLER + '\thttp.ServeFile(w, r, r.URL.Query().Get("f"))\n}\n'),
    ("go-reflected-html", "a.go", HANDLER + '\tfmt.Fprintln(w, "<p>"+r.FormValue("n")+"</p>")\n}\n'),
    ("go-reflected-html", "a.go", HANDLER + '\tw.Write([]byte("<p>" + r.FormValue("n") + "</p>"))\n}\n'),
    ("go-ssrf", "a.go", HANDLER + '\treq, _ := http.NewRequest("GET", r.FormValue("u"), nil)\n}\n'),
    ("go-ssrf", "a.go", HANDLER + '\treq, _ := http.NewRequestWithContext(ctx, "GET", r.FormValue("u"), nil)\n}\n'),
    ("go-chmod-world-writable", "a.go", GO + 'func f() {\n\tos.Chmod("a", 0o777)\n}\n'),
    ("js-tls-unverified", "a.js", "const o = { checkServerIdentity: () => undefined };\n"),
    ("old-tls-version", "a.py", "import ssl\nversion = ssl.PROTOCOL_TLSv1\n"),
    ("old-tls-version", "a.py", "import ssl\ncontext.minimum_version = ssl.TLSVersion.TLSv1\n"),
    ("jwt-unverified", "a.py", "import jwt\njwt.decode(token, key, verify=False)\n"),
    ("weak-password-hash", "a.py", "import hashlib\nhashlib.new('md5', password.encode())\n"),
    ("weak-hash", "a.py", "import hashlib\nhashlib.new('sha1', data)\n"),
    ("weak-hash", "a.go", GO + "func f(data []byte) {\n\tsum := sha1.Sum(data)\n}\n"),
    ("weak-cipher", "a.py", "from Crypto.Cipher import ARC4\nARC4.new(key)\n"),
    ("insecure-random", "a.js", "function sessionToken() {\n  return Math.random().toString(36);\n}\n"),
    ("insecure-random", "a.js", "function sendReset(user) {\n  const code = Math.floor(Math.random() * 1e6);\n}\n"),
    ("insecure-random", "a.go", GO + "func verifyMail() {\n\tcode := rand.Intn(1000000)\n}\n"),
    ("small-key", "a.py", "from Crypto.PublicKey import RSA\nRSA.generate(1024)\n"),
    ("curl-pipe-shell", "Dockerfile", 'FROM a\nRUN powershell -c "iwr https://acme.io/i.ps1 | iex"\n'),
    (
        "gha-untrusted-checkout",
        ".github/workflows/a.yml",
        "on: pull_request_target\njobs:\n  a:\n    steps:\n      - run: git checkout ${{ github.event.pull_request.head.sha }}\n",
    ),
    (
        "k8s-privilege-escalation",
        "a.yaml",
        "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n    - name: a\n      securityContext:\n        runAsNonRoot: false\n",
    ),
    ("tf-public-bucket", "a.tf", 'resource "azurerm_storage_container" "a" {\n  container_access_type = "blob"\n}\n'),
    (
        "tf-public-bucket",
        "a.tf",
        'resource "azurerm_storage_account" "a" {\n  allow_nested_items_to_be_public = true\n}\n',
    ),
    (
        "tf-open-ingress",
        "a.tf",
        'resource "google_compute_firewall" "a" {\n  allow {\n    protocol = "tcp"\n    ports    = ["22"]\n  }\n  source_ranges = ["0.0.0.0/0"]\n}\n',
    ),
    ("tf-old-tls", "a.tf", 'resource "aws_lb_listener" "a" {\n  ssl_policy = "ELBSecurityPolicy-2016-08"\n}\n'),
]


@pytest.mark.parametrize(("rule", "path", "text"), WAYS)
def test_each_way_breaks_the_rule(rule, path, text):
    assert rule in {problem.rule for problem in scan_text(path, filled(text))}
