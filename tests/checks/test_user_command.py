from verify_lsp.checks.user_command import read_places
from verify_lsp.model.command import CommandResult


def places(tmp_path, output):
    (tmp_path / "src").mkdir(exist_ok=True)
    (tmp_path / "src" / "a.c").write_text("x\n" * 50)
    found = read_places(CommandResult(1, stdout=output, place=str(tmp_path)))
    return [(each.path, each.line, each.column, each.severity, each.message) for each in found]


def test_a_compilers_line_names_a_place(tmp_path):
    assert places(tmp_path, "src/a.c:12:5: error: expected ';'") == [("src/a.c", 12, 5, "high", "expected ';'")]


def test_an_absolute_path_below_the_place_is_made_relative(tmp_path):
    assert places(tmp_path, f"{tmp_path}/src/a.c:3: warning: unused") == [("src/a.c", 3, None, "low", "unused")]


def test_a_line_that_names_no_file_of_the_workspace_is_no_finding(tmp_path):
    output = "http://localhost:5555: refused\nport:5555: failed\n/etc/passwd:1: error: no\nnot/there.c:1: error: no\n"

    assert places(tmp_path, output) == []


def test_the_same_line_twice_is_one_finding(tmp_path):
    assert len(places(tmp_path, "src/a.c:1: error: x\nsrc/a.c:1: error: x\n")) == 1


def test_colours_do_not_hide_a_place(tmp_path):
    assert places(tmp_path, "\x1b[1msrc/a.c:2:1:\x1b[0m \x1b[31merror:\x1b[0m bad") == [
        ("src/a.c", 2, 1, "high", "bad")
    ]
