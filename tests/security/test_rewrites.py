"""Safe rewrites: what they leave alone, and when they are not offered."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify_lsp.model.rewrite import rewritten
from verify_lsp.security.scan import scan_text


def mended(text, path="app.py"):
    """Apply the rewrites one after another, until none is offered."""
    for _ in range(99):
        offered = next((each for each in scan_text(path, text) if each.rewrite is not None), None)
        if offered is None:
            return text
        text = rewritten(text, offered.rewrite)
    raise AssertionError("the rewrites never end")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "import requests\nrequests.get(u, verify=False, timeout=3)\n",
            "import requests\nrequests.get(u, timeout=3)\n",
        ),
        (
            "import requests\nrequests.get(u, timeout=3, verify=False)\n",
            "import requests\nrequests.get(u, timeout=3)\n",
        ),
        ("c = Client(verify=False)\n", "c = Client()\n"),
        (
            "import requests\nrequests.get(\n    u,\n    verify=False,  # the old box\n    timeout=3,\n)\n",
            "import requests\nrequests.get(\n    u,\n    # the old box\n    timeout=3,\n)\n",
        ),
        (
            "import requests\nrequests.get(\n    u,\n    timeout=3,\n    verify=False,\n)\n",
            "import requests\nrequests.get(\n    u,\n    timeout=3,\n)\n",
        ),
        (
            "import requests\r\nrequests.get(\r\n    u,\r\n    verify=False,\r\n    timeout=3,\r\n)\r\n",
            "import requests\r\nrequests.get(\r\n    u,\r\n    timeout=3,\r\n)\r\n",
        ),
        ("# 🚀🚀🚀\nc = Client(verify=False)\n", "# 🚀🚀🚀\nc = Client()\n"),
        ("import yaml\nyaml.load(f)\n", "import yaml\nyaml.safe_load(f)\n"),
        ("import yaml\nyaml.load(f, Loader=yaml.Loader)\n", "import yaml\nyaml.safe_load(f)\n"),
        ("import yaml\nyaml.load(f, yaml.FullLoader)\n", "import yaml\nyaml.safe_load(f)\n"),
        ("import yaml as y\ny.load_all(f)\n", "import yaml as y\ny.safe_load_all(f)\n"),
        ("from yaml import load\nload(f)\n", "from yaml import load, safe_load\nsafe_load(f)\n"),
        ("from yaml import load, safe_load\nload(f)\n", "from yaml import load, safe_load\nsafe_load(f)\n"),
        (
            "import yaml\nyaml.load(\n    f,  # the file\n    Loader=yaml.Loader,\n)\n",
            "import yaml\nyaml.safe_load(\n    f,  # the file\n)\n",
        ),
        ("from flask import Flask\napp.run(debug=True)\n", "from flask import Flask\napp.run()\n"),
        ("env = Environment(autoescape=False)\n", "env = Environment(autoescape=True)\n"),
        ("import os\nos.chmod(p, 0o777)\n", "import os\nos.chmod(p, 0o755)\n"),
        ("Path(p).chmod(0o666)\n", "Path(p).chmod(0o644)\n"),
        (
            "import tempfile\nf = open(tempfile.mktemp(), 'w')\n",
            "import tempfile\nf = open(tempfile.mkstemp()[1], 'w')\n",
        ),
        ("import requests\nrequests.get(u)\n", "import requests\nrequests.get(u, timeout=30)\n"),
        (
            "import requests\nrequests.post(\n    u,\n    json=x,\n)\n",
            "import requests\nrequests.post(\n    u,\n    timeout=30,\n    json=x,\n)\n",
        ),
        ("r.set_cookie('a', v, secure=False)\n", "r.set_cookie('a', v, secure=True)\n"),
        (
            "import tarfile\nwith tarfile.open(p) as tar:\n    tar.extractall(d)\n",
            'import tarfile\nwith tarfile.open(p) as tar:\n    tar.extractall(d, filter="data")\n',
        ),
        ("import ssl\nc = ssl._create_unverified_context()\n", "import ssl\nc = ssl.create_default_context()\n"),
        (
            "import requests\nrequests.get(u, verify=False); c = Client(verify=False)\n",
            "import requests\nrequests.get(u, timeout=30); c = Client()\n",
        ),
    ],
)
def test_the_danger_goes_and_nothing_else_changes(before, after):
    assert mended(before) == after
    ast.parse(after)


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("a.js", "new Agent({ rejectUnauthorized: false }) // x", "new Agent({ rejectUnauthorized: true }) // x"),
        ("a.ts", "agent.rejectUnauthorized = false;\r\n", "agent.rejectUnauthorized = true;\r\n"),
        ("a.js", "res.cookie('a', v, { httpOnly: false })", "res.cookie('a', v, { httpOnly: true })"),
        (
            "a.go",
            "package a\n\nvar c = &tls.Config{InsecureSkipVerify: true} // x\n",
            "package a\n\nvar c = &tls.Config{InsecureSkipVerify: false} // x\n",
        ),
        (
            "a.rs",
            "fn f() { Client::builder().danger_accept_invalid_certs(true).build(); }\n",
            "fn f() { Client::builder().danger_accept_invalid_certs(false).build(); }\n",
        ),
    ],
)
def test_other_languages_keep_their_text_too(path, before, after):
    assert mended(before, path) == after


@pytest.mark.parametrize(
    "text",
    [
        "import yaml\nyaml.load(f, Loader=Custom)\n",
        "import yaml\nyaml.load(f, Loader=yaml.Loader, **more)\n",
        "from yaml import load as l\nl(f)\n",
        "from yaml import *\nload(f)\n",
        "from ruamel import yaml\nyaml.load(f)\n",
        "import tempfile\nname = tempfile.mktemp()\n",
        "import tempfile\nf = open(tempfile.mktemp(), 'x')\n",
        "session.verify = False\n",
        "import ssl\nssl._create_default_https_context = ssl._create_unverified_context\n",
        "import requests\nrequests.get(u, verify=False\n",
        "import hashlib\nhashlib.md5(password.encode())\n",
    ],
)
def test_what_is_not_certain_is_not_offered(text):
    assert [each.rewrite for each in scan_text("app.py", text) if each.rewrite is not None] == []


LINES = st.sampled_from(
    [
        "import yaml",
        "import requests",
        "from yaml import load",
        "data = yaml.load(f)",
        "data = yaml.load(f, Loader=yaml.Loader)  # ünïcode 🚀",
        "requests.get(u, verify=False)",
        "requests.get(\n    u,\n    verify=False,  # why\n)",
        "os.chmod(p, 0o777)",
        "load(f)",
        "x = '😀' if a else {'verify': False}",
        "c = Client(verify=False, timeout=3)",
        "tar.extractall(p)",
        "def f():\n    return yaml.load(f, yaml.FullLoader)",
        "app.run(debug=True)",
        "# a comment",
        "",
    ]
)


@given(st.lists(LINES, max_size=12), st.sampled_from(["\n", "\r\n"]))
def test_rewrites_end_parse_and_keep_comments_and_line_ends(lines, end):
    text = (
        end.join(
            ["import os", "import tarfile", "from flask import Flask", *(line.replace("\n", end) for line in lines)]
        )
        + end
    )
    after = mended(text)

    ast.parse(after)
    assert after.count("#") == text.count("#")
    assert ("\r\n" in after) == (end == "\r\n")
    assert after.replace("\r\n", "").count("\r") == 0
    assert end == "\n" or "\n" not in after.replace("\r\n", "")
    assert [each.rule for each in scan_text("app.py", after) if each.rewrite is not None] == []
