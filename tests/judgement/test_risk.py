import attrs
import pytest

from tests.harness.changed_files import change_of, changed_file
from verify_lsp.judgement.risk import risk_tier
from verify_lsp.model.change import Change, FileChange
from verify_lsp.model.finding import Finding
from verify_lsp.model.report import Check
from verify_lsp.settings.settings import Settings

SMALL = changed_file("src/a.py", "x = 1\n", "x = 2\n")


def judge(*files, checks=(), settings=None, **more):
    return risk_tier(change_of(*files), checks, settings or Settings(), **more)


def finding(check, severity="critical", **more) -> Finding:
    return Finding("1", check, severity, "src/a.py", 12, "private-key", "a private key", **more)


def lines(count: int, path="src/big.py") -> FileChange:
    return changed_file(path, None, "".join(f"x{number} = {number}\n" for number in range(count)))


def test_a_small_change_has_no_risk_and_no_reason():
    assert judge(SMALL, checks=[Check("tests", "pass", "ok", metrics={"failed": 0})]) == (0, ())


def test_an_empty_change_has_no_risk():
    assert risk_tier(Change(()), (), Settings()) == (0, ())


def test_a_protected_path_is_the_highest_tier_and_named():
    tier, reasons = judge(changed_file("src/auth/login.py", "x = 1\n", "x = 2\n"))
    assert tier == 2
    assert reasons == ("src/auth/login.py decides who gets in (authentication code)",)


def test_the_workspaces_own_protected_paths_count_whatever_changed():
    settings = Settings(protected_paths=("core/**",))
    tier, reasons = judge(changed_file("core/a.py", "x = 1\n", "# why\nx = 1\n"), settings=settings)
    assert (tier, reasons) == (2, ("core/a.py is on this workspace's list of protected paths",))


def test_a_change_cannot_shrink_the_list_it_is_held_against():
    assert judge(changed_file("core/a.py", "x\n", "y\n"), protected_before=("core/**",))[0] == 2


def test_moving_a_file_out_of_a_protected_folder_is_seen():
    moved = FileChange("lib/a.py", "renamed", old_path="core/a.py")
    tier, reasons = judge(moved, settings=Settings(protected_paths=("core/**",)))
    assert tier == 2
    assert reasons[0].startswith("lib/a.py (before: core/a.py) ")


def test_many_files_of_one_class_are_counted_after_the_first_few():
    _, reasons = judge(*(changed_file(f"infra/{number}.tf", "a\n", "b\n") for number in range(9)))
    assert len(reasons) == 6
    assert reasons[5].startswith("4 more files of the same kind")


LOCK = changed_file("uv.lock", "a\n", "b\n")
MANIFEST = changed_file("pyproject.toml", "[project]\nversion='1'\n", "[project]\nversion='2'\n")


def test_a_lock_file_with_its_manifest_alone_is_no_risk():
    assert judge(LOCK, MANIFEST)[0] == 0


def test_a_lock_file_without_its_manifest_is_the_highest_tier():
    tier, reasons = judge(LOCK, changed_file("package.json", "{}\n", '{"version": "2"}\n'))
    assert tier == 2
    assert "uv.lock says which packages get installed" in reasons[0]


def test_a_lock_file_together_with_code_is_the_highest_tier():
    tier, reasons = judge(LOCK, MANIFEST, SMALL)
    assert tier == 2
    assert "together with code such as src/a.py" in reasons[0]


def test_a_lock_file_together_with_a_comment_is_no_risk():
    assert judge(LOCK, MANIFEST, changed_file("src/a.py", "x = 1\n", "# why\nx = 1\n"))[0] == 0


def test_a_members_manifest_explains_the_lock_file_of_its_workspace():
    member = changed_file("packages/a/package.json", '{"version": "1"}\n', '{"version": "2"}\n')
    assert judge(changed_file("pnpm-lock.yaml", "a\n", "b\n"), member)[0] == 0
    assert judge(changed_file("web/yarn.lock", "a\n", "b\n"), member)[0] == 2


def test_a_package_that_does_not_exist_is_the_highest_tier():
    assert judge(SMALL, checks=[Check("dependencies", "fail", "", metrics={"missing": 1})])[0] == 2
    assert judge(SMALL, checks=[Check("dependencies", "pass", "", metrics={"missing": 0})])[0] == 0
    assert judge(SMALL, checks=[Check("dependencies", "warn", "", metrics={"missing": None})])[0] == 0


def test_a_critical_security_finding_is_the_highest_tier_unless_it_was_there_before():
    tier, reasons = judge(SMALL, checks=[Check("security", "fail", "", findings=(finding("security"),))])
    assert (tier, reasons) == (2, ("src/a.py line 12 matches a critical security rule (private-key)",))
    old = finding("security", preexisting=True)
    assert judge(SMALL, checks=[Check("security", "warn", "", findings=(old,))])[0] == 0
    high = finding("security", "high")
    assert judge(SMALL, checks=[Check("security", "fail", "", findings=(high,))])[0] == 0


@pytest.mark.parametrize(("count", "word"), [(400, None), (401, "large"), (801, "very large")])
def test_a_large_change_raises_the_tier(count, word):
    tier, reasons = judge(lines(count))
    assert tier == (1 if word else 0)
    assert reasons == (
        (f"the change is {word}: {count} lines that can change behaviour, more than {400 if count < 800 else 800}",)
        if word
        else ()
    )


def test_lines_that_nobody_wrote_are_left_out_and_said():
    _, reasons = judge(lines(500), lines(900, "vendor/x.go"), lines(50, "api_pb2.py"))
    assert "500 lines" in reasons[0]
    assert "950 lines of generated, vendored or lock files not counted" in reasons[0]


def test_comments_make_no_change_large():
    comments = "".join(f"# note {number}\n" for number in range(900))
    assert judge(changed_file("src/a.py", "x = 1\n", "x = 1\n" + comments))[0] == 0


def test_many_files_raise_the_tier():
    few = [changed_file(f"src/{number}.py", "x = 1\n", "x = 2\n") for number in range(21)]
    assert judge(*few[:20])[0] == 0
    assert judge(*few)[1] == ("the change touches 21 files, more than 20",)


def test_failed_tests_raise_the_tier_and_old_failures_do_not():
    failed = Check("tests", "fail", "bad", metrics={"failed": 3, "failed_new": 2})
    assert judge(SMALL, checks=[failed]) == (1, ("2 tests failed",))
    assert judge(SMALL, checks=[attrs.evolve(failed, status="warn")])[0] == 0
    unknown = Check("tests", "fail", "the test command fails", metrics={"failed": None})
    assert judge(SMALL, checks=[unknown])[1] == ("the tests failed: the test command fails",)


def test_new_dependencies_raise_the_tier():
    manifest = changed_file("package.json", '{"dependencies": {}}', '{"dependencies": {"left-pad": "1"}}')
    assert judge(manifest) == (1, ("package.json asks for packages it did not ask for before: left-pad",))


def test_an_import_that_no_manifest_covers_is_a_new_dependency():
    tier, reasons = judge(SMALL, checks=[Check("dependencies", "warn", "", metrics={"deps": 1})])
    assert (tier, reasons) == (1, ("the change uses 1 package that it did not use before",))


def test_fewer_tests_raise_the_tier():
    two = "def test_a():\n    pass\ndef test_b():\n    pass\n"
    one = "def test_a():\n    pass\n"
    assert judge(changed_file("tests/test_a.py", two, one)) == (1, ("tests/test_a.py has 1 test fewer than before",))
    assert judge(changed_file("tests/test_a.py", two, None)) == (
        1,
        ("tests/test_a.py was deleted, and with it 2 tests",),
    )
    assert judge(changed_file("tests/test_a.c", "int main;\n", None))[0] == 1


def test_tests_that_moved_or_were_renamed_are_not_fewer():
    one = "def test_a():\n    pass\n"
    moved = (changed_file("tests/test_a.py", one, None), changed_file("tests/test_b.py", None, one))
    assert judge(*moved)[0] == 0
    assert judge(changed_file("tests/test_a.py", one, one.replace("_a", "_b")))[0] == 0


def test_a_broken_check_raises_the_tier():
    tier, reasons = judge(SMALL, checks=[Check("lint", "error", "did not work: x", reason="eslint crashed")])
    assert tier == 1
    assert reasons == (
        "the check lint did not work, so that what it looks at stays unverified",
        "not verified: lint, because eslint crashed",
    )


@pytest.mark.parametrize(
    ("metrics", "tier"),
    [
        ({"score": 0.5, "killed": 5, "survived": 5}, 1),
        ({"score": 0.6, "killed": 6, "survived": 4}, 0),
        ({"score": 0.5, "killed": 1, "survived": 1}, 0),
        ({"score": None, "killed": 0, "survived": 0}, 0),
        ({"score": 0.2}, 1),
    ],
)
def test_tests_that_notice_too_few_faults_raise_the_tier(metrics, tier):
    assert judge(SMALL, checks=[Check("mutation", "warn", "", metrics=metrics)])[0] == tier


def test_changed_lines_that_no_test_reaches_raise_the_tier():
    assert judge(SMALL, checks=[Check("tests", "pass", "", metrics={"changed_line_coverage": 0.4})])[0] == 1
    assert judge(SMALL, checks=[Check("tests", "pass", "", metrics={"changed_line_coverage": None})])[0] == 0


def test_what_was_not_verified_is_said_and_lowers_nothing():
    # G9: a skipped check is a reason, never a relief.
    auth = changed_file("src/auth/login.py", "x = 1\n", "x = 2\n")
    skipped = [Check("tests", "skipped", "", reason="go is not installed")]
    assert judge(SMALL, checks=skipped) == (0, ("not verified: tests, because go is not installed",))
    assert judge(auth, checks=skipped)[0] == judge(auth)[0] == 2


def test_the_given_list_of_gaps_replaces_the_guessed_one():
    skipped = [Check("tests", "skipped", "", reason="no tests are configured")]
    assert judge(SMALL, checks=skipped, unverified=()) == (0, ())


def test_grave_reasons_come_first_and_none_twice():
    auth = changed_file("src/auth/login.py", "x = 1\n", "x = 2\n")
    checks = [Check("lint", "error", "x", reason="r"), Check("tests", "fail", "bad", metrics={"failed": 1})]
    tier, reasons = judge(auth, checks=checks, unverified=("not verified: lint", "not verified: lint"))
    assert tier == 2
    assert [reason.split()[0] for reason in reasons] == ["src/auth/login.py", "1", "the", "not"]


def test_reasons_are_bounded_and_clean():
    odd = FileChange("src/auth/\x1b[31m" + "x" * 2000 + ".py", "modified", binary=True)
    reason = judge(odd)[1][0]
    assert len(reason) <= 400
    assert "\x1b" not in reason


def test_reasons_never_call_anything_safe_or_accuse():
    files = [SMALL, LOCK, lines(900), changed_file("tests/test_a.py", "def test_a():\n    pass\n", None)]
    _, reasons = judge(*files, checks=[Check("security", "fail", "", findings=(finding("security"),))])
    assert not [reason for reason in reasons if any(word in reason for word in ("safe", "cheat", "malicious", "you "))]
