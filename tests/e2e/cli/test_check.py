import json

from tests.harness.command_line import verify_lsp

BROKEN = '{"a": 1,}\n'


def test_each_file_has_its_result_in_the_order_and_under_the_name_it_was_given(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.json").write_text(BROKEN)
    (tmp_path / "a.yaml").write_text("a: 1\n")
    named = ["sub/b.json", "./a.yaml", str(tmp_path / "a.yaml"), "sub/../a.yaml"]
    done = verify_lsp("check", *named, "--format", "json", cwd=tmp_path)
    results = done.json()["results"]
    assert [result["path"] for result in results] == named
    assert [result["ok"] for result in results] == [False, True, True, True]
    assert {finding["path"] for finding in results[0]["findings"]} == {"sub/b.json"}
    assert (done.code, done.err) == (1, "")


def test_a_text_for_people_names_the_place_and_what_to_do(tmp_path):
    (tmp_path / "b.json").write_text(BROKEN)
    (tmp_path / "n.txt").write_text("words\n")
    done = verify_lsp("check", "b.json", "n.txt", cwd=tmp_path)
    assert done.out == (
        "b.json:1:8: error: JSON allows no comma after the last element. Remove the comma. [json.trailing-comma]\n"
        "n.txt: skipped: no verifier is for such a file (.txt)\n"
        "2 files: 1 with errors, 1 skipped\n"
    )


def test_what_cannot_be_read_is_one_sentence_and_no_success(tmp_path):
    (tmp_path / "ok.json").write_text("{}\n")
    (tmp_path / "utf16.json").write_bytes("{}".encode("utf-16"))
    done = verify_lsp("check", "ok.json", "none.json", "--format", "json", cwd=tmp_path)
    assert (done.code, done.json()["results"][1]["detail"]) == (2, "cannot be verified: no such file")
    (result,) = verify_lsp("check", "utf16.json", "--format", "json", cwd=tmp_path).json()["results"]
    assert "UTF-16" in json.dumps(result)


def test_an_agent_hears_of_failures_alone_and_of_nothing_when_there_are_none(tmp_path):
    (tmp_path / "b.json").write_text(BROKEN)
    (tmp_path / "a.yaml").write_text("a: 1\na: 2\n")
    failed = verify_lsp("check", "a.yaml", "b.json", "--agent", cwd=tmp_path)
    assert failed.code == 1
    assert "b.json:1:8" in failed.out
    assert "a.yaml" not in failed.out
    fine = verify_lsp("check", "a.yaml", "--agent", cwd=tmp_path)
    assert (fine.code, fine.out) == (0, "")


def test_a_warning_alone_fails_nothing(tmp_path):
    (tmp_path / "a.yaml").write_text("a: 1\na: 2\n")
    done = verify_lsp("check", "a.yaml", cwd=tmp_path)
    assert (done.code, "warning" in done.out) == (0, True)


def test_a_name_from_elsewhere_cannot_write_to_the_terminal(tmp_path):
    name = "a\x1b[31m.json"
    (tmp_path / name).write_text(BROKEN)
    assert "\x1b" not in verify_lsp("check", name, cwd=tmp_path).out


def test_nothing_is_written_beside_the_file(tmp_path):
    (tmp_path / "a.py").write_text("x = 1\n")
    (tmp_path / "b.go").write_text("package b\n")
    before = sorted(path.name for path in tmp_path.rglob("*"))
    assert verify_lsp("check", "a.py", "b.go", cwd=tmp_path).code == 0
    assert sorted(path.name for path in tmp_path.rglob("*")) == before
