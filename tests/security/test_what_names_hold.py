"""A name is followed to what it holds: through unpackings, additions and joins, and to the request of a route."""

import pytest

from verify_lsp.security.scan import scan_text

SQL = "import sqlite3\n\ndef f(cursor, name, part):\n"
ROUTE = 'import requests\nfrom fastapi import APIRouter, Depends\nrouter = APIRouter()\n\n@router.get("{path}")\ndef f({parameters}):\n'


def weighty(path, text):
    return [problem.rule for problem in scan_text(path, text) if problem.severity in {"critical", "high", "medium"}]


def python(body):
    return weighty("app.py", SQL + "".join(f"    {line}\n" for line in body))


def script(*lines):
    return weighty("app.ts", 'import axios from "axios";\n' + "\n".join(lines) + "\n")


@pytest.mark.parametrize(
    "body",
    [
        ("where, values = f\"a = '{name}'\", []", 'cursor.execute("SELECT a FROM b WHERE " + where)'),
        ('query = "SELECT a FROM b"', 'query += " WHERE a = \'" + name + "\'"', "cursor.execute(query)"),
        ('query = "SELECT a FROM b WHERE "', "query += part", "cursor.execute(query)"),
    ],
)
def test_what_is_put_together_in_steps_is_built(body):
    assert python(body) == ["py-sql-injection"]


@pytest.mark.parametrize(
    "body",
    [
        ('where, values = "a = ?", [name]', 'cursor.execute("SELECT a FROM b WHERE " + where, values)'),
        ('query = "SELECT a FROM b"', 'query += " WHERE a = ?"', "cursor.execute(query, (name,))"),
        (
            'where = "a = ?"',
            "if part:",
            '    where += " AND c = ?"',
            'cursor.execute("SELECT a FROM b WHERE " + where)',
        ),
    ],
)
def test_what_is_put_together_from_literals_is_not(body):
    assert python(body) == []


def test_a_command_joined_from_a_row_is_built_unless_all_of_it_is_known():
    head = "import subprocess\n\ndef f(name):\n"

    assert weighty("a.py", head + '    subprocess.run(" ".join(["tar", "xf", name]), shell=True)\n') == [
        "py-shell-injection"
    ]
    assert weighty("a.py", head + '    subprocess.run(" ".join(["tar", "xf", "a.tar"]), shell=True)\n') == []


def test_markup_mapped_from_rows_is_built_unless_each_is_escaped():
    row = 'list.innerHTML = rows.map((row) => `<li>${%s}</li>`).join("");\n'

    assert weighty("a.js", row % "row.name") == ["js-innerhtml"]
    assert weighty("a.js", row % "escapeHtml(row.name)") == []


def test_what_is_taken_out_of_a_request_is_followed():
    assert script("const { url, kind } = req.body;", "axios.get(url);") == ["js-ssrf"]
    assert script("const { url } = settings;", "axios.get(url);") == []


def test_what_a_condition_asks_is_not_what_it_chooses():
    assert script("const url = req.query.all ? allUrl : someUrl;", "axios.get(url);") == []
    assert script("const url = all ? req.query.url : someUrl;", "axios.get(url);") == ["js-ssrf"]


@pytest.mark.parametrize(
    ("path", "parameters", "wanted"),
    [
        ("/get", "url: str", ["py-ssrf"]),
        ("/get", "url", ["py-ssrf"]),
        ("/get", 'url: str = "https://a.io"', ["py-ssrf"]),
        ("/get/{url:path}", "url: str", ["py-ssrf"]),
        ("/get/{url}", "url: str", []),
        ("/get", "url: int", []),
        ("/get", "url: str = Depends(known)", []),
    ],
)
def test_a_text_of_a_route_comes_from_the_request(path, parameters, wanted):
    text = (
        ROUTE.format(path=path, parameters=parameters).replace("{{", "{") + "    return requests.get(url, timeout=3)\n"
    )

    assert weighty("app.py", text) == wanted


def test_a_stand_in_of_a_test_is_no_route():
    text = 'import requests\nfrom unittest import mock\n\n@mock.patch("app.get")\ndef f(url):\n    requests.get(url, timeout=3)\n'

    assert weighty("app.py", text) == []


def test_a_name_that_is_repeated_without_end_costs_no_more_than_its_text():
    text = "import pickle\n" + "f(a,a,a,a,a,a,a,a,a)\n" * 2_000 + "a = 1\n" + "pickle.loads(a)\n" * 50

    assert weighty("app.py", text) == []
