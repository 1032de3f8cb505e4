"""Tests that stand in files which a change did not touch."""

from verify_lsp.integrity.elsewhere import declared_elsewhere


def test_a_test_is_found_by_its_own_name(tmp_path):
    for name, text in {
        "tests/test_a.py": "class TestA:\n    def test_total(self):\n        pass\n",
        "a_test.go": "func TestTotal(t *testing.T) {\n}\n",
        "src/a.rs": "#[test]\nfn adds_up() {}\n",
        "test/a.test.ts": "describe('a', () => {\n  it('adds up', () => {});\n});\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = declared_elsewhere(tmp_path, frozenset())

    assert found("tests/test_b.py", "TestCart.test_total")
    assert found("b_test.go", "TestTotal")
    assert found("src/b.rs", "tests::adds_up")
    assert found("test/b.test.ts", "shop > adds up")
    assert not found("tests/test_b.py", "test_tot")
    assert not found("test/b.test.ts", "shop > adds")


def test_changed_files_and_those_that_are_no_tests_do_not_count(tmp_path):
    (tmp_path / "tests").mkdir()
    for name in ("tests/test_a.py", "app.py"):
        (tmp_path / name).write_text("def test_total():\n    pass\n")

    assert declared_elsewhere(tmp_path, frozenset())("tests/test_b.py", "test_total")
    assert not declared_elsewhere(tmp_path, frozenset({"tests/test_a.py"}))("tests/test_b.py", "test_total")


def test_a_place_that_is_not_there_declares_nothing(tmp_path):
    assert not declared_elsewhere(tmp_path / "nowhere", frozenset())("tests/test_b.py", "test_total")
