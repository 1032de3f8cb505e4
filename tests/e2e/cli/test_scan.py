"""`verify-lsp scan` and `verify-lsp rules`, as a user runs them."""

import pytest

from tests.harness.command_line import verify_lsp
from tests.harness.repository import new_repository
from verify_lsp.security.samples import filled

EVAL = "result = eval(user_input)\n"


@pytest.fixture
def repository(tmp_path):
    return new_repository(tmp_path / "shop", {"app.py": EVAL, "other.py": "a = 1\n"})


def found(done):
    return [(each["path"], each["line"], each["rule"]) for each in done.json()["findings"]]


def test_a_loose_file_is_scanned_as_a_whole(tmp_path):
    (tmp_path / "a.py").write_text(EVAL)

    done = verify_lsp("scan", "a.py", "--format", "json", cwd=tmp_path)

    assert (done.code, found(done)) == (1, [("a.py", 1, "py-eval")])


def test_paths_come_back_as_they_were_given(tmp_path):
    (tmp_path / "a.py").write_text(EVAL)
    (tmp_path / "in").mkdir()

    for name in (str(tmp_path / "a.py"), "../a.py"):
        done = verify_lsp("scan", name, "--format", "json", cwd=tmp_path / "in")
        assert found(done) == [(name, 1, "py-eval")]


def test_of_a_changed_file_the_added_lines_count(repository):
    (repository.path / "app.py").write_text(EVAL + "b = 2\n")

    added = verify_lsp("scan", "app.py", "--format", "json", cwd=repository.path)
    every = verify_lsp("scan", "app.py", "--format", "json", "--all-lines", cwd=repository.path)

    assert (added.code, found(added)) == (0, [])
    assert (every.code, found(every)) == (1, [("app.py", 1, "py-eval")])


def test_a_named_file_without_a_change_is_scanned_as_a_whole(repository):
    done = verify_lsp("scan", "app.py", "--format", "json", cwd=repository.path)

    assert (done.code, found(done)) == (1, [("app.py", 1, "py-eval")])


def test_an_untracked_file_is_added_whole(repository):
    (repository.path / "new.py").write_text("a = 1\n" + EVAL)

    done = verify_lsp("scan", "new.py", "--format", "json", cwd=repository.path)

    assert found(done) == [("new.py", 2, "py-eval")]


def test_without_a_path_what_is_changed_is_scanned(repository):
    (repository.path / "other.py").write_text("a = 1\n" + EVAL)

    done = verify_lsp("scan", "--format", "json", cwd=repository.path)

    assert found(done) == [("other.py", 2, "py-eval")]


def test_nothing_changed_is_said_and_is_no_claim(repository):
    done = verify_lsp("scan", cwd=repository.path)

    assert (done.code, done.out) == (0, "nothing to scan: no line was added\n")


def test_a_folder_is_scanned_without_what_git_ignores(repository):
    repository.commit({".gitignore": "build/\n"})
    (repository.path / "build").mkdir()
    (repository.path / "build" / "x.py").write_text(EVAL)

    done = verify_lsp("scan", ".", "--format", "json", "--all-lines", cwd=repository.path)

    assert found(done) == [("app.py", 1, "py-eval")]


def test_a_diff_on_stdin_counts_by_its_added_lines(tmp_path):
    diff = "--- a/app.py\n+++ b/app.py\n@@ -3,3 +3,3 @@\n x = eval(a)\n-y = 1\n+y = eval(b)\n z = 2\n"

    done = verify_lsp("scan", "-", "--format", "json", cwd=tmp_path, stdin=diff)

    assert (done.code, found(done)) == (1, [("app.py", 4, "py-eval")])


def test_a_guard_that_a_diff_takes_away_is_found(tmp_path):
    diff = (
        "--- a/v.py\n+++ b/v.py\n@@ -1,4 +1,3 @@\n import x\n-@login_required\n def settings(request):\n     return 1\n"
    )

    done = verify_lsp("scan", "-", "--format", "json", cwd=tmp_path, stdin=diff)

    assert found(done) == [("v.py", 2, "removed-auth-guard")]


def test_what_is_no_diff_and_what_is_not_there_is_wrong_usage(tmp_path):
    no_diff = verify_lsp("scan", "-", cwd=tmp_path, stdin="hello\n")
    no_file = verify_lsp("scan", "nowhere.py", cwd=tmp_path)

    assert (no_diff.code, no_file.code) == (2, 2)
    assert no_file.err == "verify-lsp: no such file or folder: nowhere.py\n"


def test_medium_findings_do_not_fail(tmp_path):
    (tmp_path / "a.py").write_text("import tempfile\nname = tempfile.mktemp()\n")

    done = verify_lsp("scan", "a.py", cwd=tmp_path)

    assert done.code == 0
    assert "1 medium in 2 lines of 1 file" in done.out


def test_settings_of_the_folder_hold(tmp_path):
    (tmp_path / "verify.toml").write_text('[rules]\npy-eval = "off"\n')
    (tmp_path / "a.py").write_text(EVAL)

    done = verify_lsp("scan", "a.py", "--format", "json", cwd=tmp_path)

    assert (done.code, found(done)) == (0, [])


def test_a_suppressed_finding_is_counted(tmp_path):
    (tmp_path / "a.py").write_text("eval(x)  # verify: ignore[py-eval] x is ours\n")

    done = verify_lsp("scan", "a.py", cwd=tmp_path)

    assert (done.code, done.out) == (0, "no findings in 1 line of 1 file, 1 finding suppressed by a comment\n")


def test_no_output_holds_a_secret(tmp_path):
    secret, key = filled("«github:ghp_»"), filled("«pem:k»")
    (tmp_path / "a.py").write_text(
        f'token = "{secret}"; eval(x)\nK = """-----BEGIN RSA PRIVATE KEY-----\n{key}\n-----END RSA PRIVATE KEY-----"""\n'
    )

    for form in ("text", "json"):
        done = verify_lsp("scan", "a.py", "--format", form, cwd=tmp_path)
        assert "github-token" in done.out
        assert "private-key" in done.out
        assert "py-eval" in done.out
        assert secret not in done.out + done.err
        assert secret[8:] not in done.out + done.err
        assert not [line for line in key.split("\n") if line in done.out + done.err]


def test_a_binary_file_is_said_to_be_unscanned(tmp_path):
    (tmp_path / "a.bin").write_bytes(b"\0\1\2")

    done = verify_lsp("scan", "a.bin", cwd=tmp_path)

    assert (done.code, done.out) == (0, "nothing to scan: no line was added\n")
    assert done.err == "verify-lsp: not scanned: a.bin (binary)\n"


def test_the_rules_are_listed(tmp_path):
    done = verify_lsp("rules", "--format", "json", cwd=tmp_path)
    rules = {rule["id"]: rule for rule in done.json()["rules"]}

    assert done.code == 0
    assert len(rules) >= 200
    assert rules["py-verify-false"]["fixable"]
    assert rules["py-verify-false"]["languages"] == ["python"]
    assert rules["aws-access-key"]["severity"] == "critical"
    assert "py-eval" in verify_lsp("rules", cwd=tmp_path).out
