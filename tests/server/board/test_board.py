import attrs

from verify_lsp.model.finding import Finding
from verify_lsp.server.board.board import Board, Verified
from verify_lsp.server.board.spans import Placed, span_of
from verify_lsp.server.texts.disk import OnDisk
from verify_lsp.server.texts.document import Change, Document

TEXT = "one\ntwo\nthree\n"


def verified(*lines: int, key: str = "/w/a.py", text: str = TEXT, on_disk: str | None = TEXT) -> Verified:
    findings = [
        Finding(id=f"f{n}", check="lint", severity="high", path="a.py", line=n, rule="r", message="m") for n in lines
    ]
    placed = tuple(Placed(finding, span_of(finding, text.split("\n"))) for finding in findings)
    return Verified(key, key, text, placed, OnDisk(on_disk))


def lines(board: Board, key: str = "/w/a.py") -> list[int]:
    return [placed.span.line + 1 for placed in board.standing(key)]


def edited(board: Board, document: Document, *changes: Change) -> None:
    edits = [document.apply(change, "utf-16") for change in changes]
    board.edit("/w/a.py", edits, document.text())


def test_what_was_found_in_the_present_text_stands():
    board = Board()
    assert board.put_up("/w", [verified(1, 3)], {}) == {"/w/a.py"}
    assert lines(board) == [1, 3]


def test_what_was_found_in_an_older_text_does_not_stand_over_a_newer_one():
    board = Board()
    board.put_up("/w", [verified(1)], {"/w/a.py": TEXT + "newer"})
    assert lines(board) == []
    board.put_up("/w", [verified(1, on_disk=TEXT + "newer")], {})
    assert lines(board) == []


def test_what_was_found_in_a_file_that_is_gone_does_not_stand():
    board = Board()
    board.put_up("/w", [verified(1, on_disk=None)], {})
    assert lines(board) == []


def test_findings_move_with_their_lines_and_go_when_their_own_line_is_edited():
    board = Board()
    board.put_up("/w", [verified(1, 2, 3)], {"/w/a.py": TEXT})
    edited(
        board,
        Document.opened("file:///w/a.py", 1, TEXT),
        Change("TW", (1, 0), (1, 2)),
        Change("zero\n", (0, 0), (0, 0)),
    )
    assert lines(board) == [2, 4]


def test_a_text_that_is_back_at_what_was_verified_shows_all_again():
    board = Board()
    board.put_up("/w", [verified(2)], {"/w/a.py": TEXT})
    document = Document.opened("file:///w/a.py", 1, TEXT)
    edited(board, document, Change("X", (1, 0), (1, 0)))
    assert lines(board) == []
    edited(board, document, Change("", (1, 0), (1, 1)))
    assert lines(board) == [2]


def test_a_run_replaces_what_the_last_one_of_its_folder_found_and_no_other():
    board = Board()
    board.put_up("/w", [verified(1), verified(1, key="/w/b.py")], {})
    board.put_up("/v", [verified(2, key="/v/c.py")], {})
    assert board.put_up("/w", [verified(3)], {}) == {"/w/a.py", "/w/b.py"}
    assert [lines(board), lines(board, "/w/b.py"), lines(board, "/v/c.py")] == [[3], [], [2]]


def test_a_file_that_is_back_with_the_verified_text_shows_its_findings_again():
    board = Board()
    board.put_up("/w", [verified(1)], {})
    board.settle("/w/a.py", None)
    assert lines(board) == []
    board.settle("/w/a.py", TEXT)
    assert lines(board) == [1]


def test_edits_of_a_document_whose_file_is_gone_show_nothing():
    board = Board()
    board.put_up("/w", [verified(1)], {"/w/a.py": TEXT})
    board.settle("/w/a.py", None)
    edited(board, Document.opened("file:///w/a.py", 1, TEXT + "x"), Change("", (3, 0), (3, 1)))
    assert lines(board) == []


def test_findings_go_with_a_file_to_its_new_name():
    board = Board()
    board.put_up("/w", [verified(2)], {})
    assert board.rename("/w/a.py", "/w/b.py", "/w/b.py") == {"/w/a.py", "/w/b.py"}
    assert [lines(board), lines(board, "/w/b.py")] == [[], [2]]
    assert board.rename("/w/unknown.py", "/w/c.py", "/w/c.py") == set()


def test_an_editor_that_makes_line_ends_alike_still_has_the_verified_text():
    text = "one\r\ntwo\nx = 'a\rb'\nfour\n"
    board = Board()
    board.put_up("/w", [verified(1, 4, text=text)], {"/w/a.py": text.replace("\r\n", "\n").replace("\r", "\n")})
    assert lines(board) == [1, 5]


def test_a_lone_carriage_return_ends_no_line():
    text = "one\ntwo = 'a\rb'\nthree\n"
    board = Board()
    board.put_up("/w", [verified(3, text=text)], {"/w/a.py": text})
    assert lines(board) == [3]


def test_an_unknown_file_is_nobodys_business():
    board = Board()
    assert board.settle("/w/x.py", "text") == set()
    assert board.edit("/w/x.py", [], "text") == set()
    assert board.standing("/w/x.py") == ()


def test_a_sheet_is_not_touched_by_a_later_change_of_what_was_put_up():
    file = verified(1)
    board = Board()
    board.put_up("/w", [file], {})
    assert board.sheets["/w/a.py"].verified == attrs.evolve(file)
