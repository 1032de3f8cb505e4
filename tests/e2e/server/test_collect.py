"""`verify/collectDiagnostics`: what the editor's other language servers say, asked while a run waits."""

import json

from tests.harness.lsp_client import RefusalError
from tests.harness.scripted_client import SERVER

METHOD = "verify/collectDiagnostics"
OFFERS = {"trusted": True, "capabilities": {"collectDiagnostics": True}}


def collected(client, *paths):
    """Let a run ask for these files, and return what it got."""
    report_id = client.run()
    client.step(report_id, "collect", paths=paths)
    said = client.wait_for("verify/event", lambda p: p["event"]["type"] == "check")
    return json.loads(said["event"]["check"]["summary"])


def diagnostic(line, start, end, **more):
    place = {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}
    return {"range": place, "message": "undefined name", **more}


def test_problems_of_other_servers_reach_the_run_with_columns_in_code_points(start, folder):
    text = "x = '😀'; y = z\n"
    (folder / "a.py").write_text(text)
    uri = (folder / "a.py").as_uri()
    client = start()
    client.answers[METHOD] = lambda _: [
        {
            "uri": uri,
            "diagnostics": [
                diagnostic(0, 14, 15, severity=1, source="pyright", code="reportUndefinedVariable"),
                diagnostic(0, 0, 1, severity=2, source="verify", code="our-own"),
                diagnostic(0, 0, 1),
            ],
        }
    ]
    client.initialize(folder, options=OFFERS)
    assert collected(client, "a.py", "b.py") == {
        "a.py": [
            {
                "path": "a.py",
                "line": 1,
                "severity": "high",
                "rule": "pyright:reportUndefinedVariable",
                "message": "undefined name",
                "column": 14,
                "endLine": 1,
                "endColumn": 15,
            },
            {
                "path": "a.py",
                "line": 1,
                "severity": "high",
                "rule": "diagnostic",
                "message": "undefined name",
                "column": 1,
                "endLine": 1,
                "endColumn": 2,
            },
        ]
    }
    assert client.wait_for_request(METHOD) == {"uris": [uri, (folder / "b.py").as_uri()]}


def test_what_is_said_of_an_older_text_does_not_count(start, folder):
    client = start()
    client.answers[METHOD] = lambda asked: [{"uri": asked["uris"][0], "version": 2, "diagnostics": []}]
    client.initialize(folder, options=OFFERS)
    uri = client.open(folder / "a.py", "x = 1\n", version=3)
    assert collected(client, "a.py") == {}
    client.change(uri, 2, {"text": "x = 2\n"})
    assert collected(client, "a.py") == {"a.py": []}


def test_a_client_that_offers_nothing_is_not_asked(client):
    assert collected(client, "a.py") is None


def test_a_refusal_and_an_answer_of_another_shape_are_no_clean_bill(start, folder):
    client = start()
    client.initialize(folder, options=OFFERS)

    def refuse(_):
        raise RefusalError("no language server yet")

    client.answers[METHOD] = refuse
    assert collected(client, "a.py") == "EngineError: the editor could not collect diagnostics: no language server yet"
    for answer in (None, {"uri": "x"}, [3], [{"uri": 3, "diagnostics": []}], [{"uri": "file:///a", "diagnostics": {}}]):
        client.answers[METHOD] = lambda _, answer=answer: answer
        assert collected(client, "a.py").startswith("EngineError: the editor")
    wrong = [{"uri": (folder / "a.py").as_uri(), "diagnostics": [{"message": "no range"}]}]
    client.answers[METHOD] = lambda _: wrong
    assert collected(client, "a.py").startswith("EngineError: a diagnostic of the editor for a.py cannot be read")


def test_a_client_that_never_answers_does_not_hang_the_run(start, folder):
    client = start(code="from verify_lsp.server.running import collect; collect.LIMIT_S = 0.2; " + SERVER)
    client.answers[METHOD] = lambda _: ...
    client.initialize(folder, options=OFFERS)
    assert collected(client, "a.py").startswith("TimeoutError")
    client.wait_for("$/cancelRequest")
