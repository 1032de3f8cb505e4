"""Faults in added Go lines, tried on the real tests of small modules."""

import attrs

from tests.harness.go_shop import SHOP
from tests.harness.mutation import added, counts, mutated, ran, run_both
from tests.harness.tool_runs import laid_out, project_in, tree
from verify_lsp.checks import mutation
from verify_lsp.checks.base import CheckContext, ProjectOf
from verify_lsp.model.change import Change
from verify_lsp.model.outcome import Skipped
from verify_lsp.settings.settings import Settings
from verify_lsp.system.environment import child_environment
from verify_lsp.system.process import run_command
from verify_lsp.toolchains.go import mutants
from verify_lsp.toolchains.go.toolchain import TOOLCHAIN

MOD = "module example.test/shop\n\ngo 1.12\n"
SHOP_TEST = """\
package shop

import "testing"

func TestMembers(t *testing.T) {
	t.Parallel()
	if Price(200, true) != 190 {
		t.Fatal("members pay less")
	}
}

func TestOthers(t *testing.T) {
	if Price(200, false) != 200 {
		t.Fatal("others do not")
	}
}
"""
FILES = {"go.mod": MOD, "shop.go": SHOP, "shop_test.go": SHOP_TEST}


def prepared(folder, files, *changed, **settings):
    """Lay a module out whose `changed` files are new, and return what its checks are given."""
    project = project_in(laid_out(folder / "project", files), *changed, cache=folder / "cache")
    variables = child_environment(offline=True)

    async def run(command, place):
        return await run_command(command, place, environment=variables)

    change = Change(tuple(added(path, files[path]) for path in sorted(changed)))
    held = Settings(**{"timeout_secs": 120, **settings})
    return CheckContext(project.workspace, project.place, change, (ProjectOf(TOOLCHAIN, project),), held, run)


def only(outcome, rule="mutation-survived"):
    return [(finding.path, finding.line, finding.message) for finding in ran(outcome).findings if finding.rule == rule]


def test_a_fault_that_no_test_notices_is_a_finding_and_nothing_is_written(tmp_path):
    context = prepared(tmp_path, FILES, "shop.go")
    before = tree(context.workspace)
    _, outcome = run_both(context)

    assert counts(outcome) == {"mutants": 4, "killed": 2, "survived": 1, "no_coverage": 1, "score": 0.5}
    assert only(outcome) == [
        ("shop.go", 4, "changing `>=` to `>` here goes unnoticed by the tests"),
    ]
    assert only(outcome, "mutation-not-covered") == [
        ("shop.go", 11, "no test runs this line, so that changing `>` to `>=` here would go unnoticed"),
    ]
    assert ran(outcome).command == "go test ."
    assert tree(context.workspace) == before


HARD = {
    "go.mod": "module example.test/hard\n\ngo 1.21\n",
    # Loaded with the package, declared beside what follows, of a type of its own, and joined texts whose type is not known.
    "hard.go": """\
package hard

import "sync"

type Flag bool

var Limit = len("four") + limit(1)

func limit(n int) int {
	return n
}

func Both(a, b Flag) Flag {
	return a && b
}

func Sum(items ...int) int {
	last := limit(len(items)) - 1
	total := 0
	for i := 0; i <= last; i++ {
		total += items[i]
	}
	return total
}

func Joined(parts []T) T {
	a := parts[0]
	return a + parts[1]
}

type T string

var once sync.Once
var shared int

func Shared() int {
	once.Do(func() {
		shared = limit(3) * 2
	})
	return shared
}
""",
    "hard_test.go": """\
package hard_test

import (
	"flag"
	"os"
	"testing"

	"example.test/hard"
	"example.test/hard/helper"
)

var asked = flag.Bool("asked", false, "")

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(m.Run())
}

func TestFirstLooksAtNothing(t *testing.T) { hard.Shared() }

func TestRest(*testing.T) {
	helper.Same("limit", hard.Limit, 5)
	helper.Same("both", hard.Both(true, false), hard.Flag(false))
	helper.Same("sum", hard.Sum(1, 2, 4), 7)
	helper.Same("joined", hard.Joined([]hard.T{"a", "b"}), hard.T("ab"))
	helper.Same("shared", hard.Shared(), 6)
}
""",
    "helper/helper.go": """\
package helper

func Same(name string, a, b interface{}) {
	if a != b {
		panic(name)
	}
}
""",
    "cmd/main.go": "package main\n\nfunc main() {}\n",
}


def test_what_go_makes_hard_is_tried_as_well(tmp_path):
    outcome = mutated(prepared(tmp_path, HARD, "hard.go", mutation_max_mutants=40))
    findings = {(finding.line, finding.rule): finding.message for finding in ran(outcome).findings}

    # Of two texts of a type of their own, "-" is no Go.
    assert counts(outcome) == {"mutants": 13, "killed": 12, "invalid": 1, "score": 1.0}
    assert findings == {}


KINDS = {
    "go.mod": "module example.test/kinds\n\ngo 1.21\n",
    "kinds.go": """\
package kinds

func Shown(n int) bool {
	return n > 1
}

func Fed(n int) bool {
	return n > 1
}

func Started(n int) bool {
	return n > 1
}

func Beside(n int) bool {
	return n > 1
}

func Found(n int) bool {
	return n > 1
}
""",
    "kinds_test.go": """\
package kinds

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
)

func ExampleShown() {
	fmt.Println(Shown(1))
	// Output: false
}

func FuzzFed(f *testing.F) {
	f.Add(1)
	f.Fuzz(func(t *testing.T, n int) {
		if Fed(n) && n == 1 {
			t.Fatal(n)
		}
	})
}

func TestHelper(t *testing.T) {
	if os.Getenv("HELPER") != "" && Started(1) {
		os.Exit(3)
	}
}

func TestStarts(t *testing.T) {
	command := exec.Command(os.Args[0], "-test.run=^TestHelper$")
	command.Env = append(os.Environ(), "HELPER=1")
	if err := command.Run(); err != nil {
		t.Fatal(err)
	}
}

func TestBeside(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1} {
		n := n
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			done := make(chan bool)
			go func() { done <- Beside(n) }()
			if <-done {
				t.Fatal(n)
			}
		})
	}
}

var found = Found(1)

func TestFound(t *testing.T) {
	if found {
		t.Fatal()
	}
}
""",
}


def test_every_kind_of_test_notices(tmp_path):
    outcome = mutated(prepared(tmp_path, KINDS, "kinds.go"))

    assert counts(outcome) == {"mutants": 5, "killed": 5, "score": 1.0}
    by_line = {each.line: (each.killed_by, each.tests) for each in ran(outcome).mutants}
    assert by_line[4] == ("example.test/kinds.ExampleShown", 1)
    assert by_line[8] == ("example.test/kinds.FuzzFed/seed#0", 1)
    assert by_line[12] == ("example.test/kinds.TestStarts", None)
    assert by_line[16][1] == 1
    assert by_line[20] == ("example.test/kinds.TestFound", None)


def test_a_mutant_that_does_not_end_is_no_kill(tmp_path, monkeypatch):
    monkeypatch.setattr("verify_lsp.checks.trial_time.TRIAL_FACTOR", 1.0)
    monkeypatch.setattr("verify_lsp.checks.trial_time.TRIAL_LEAST_S", 2.0)
    shop = "package shop\n\nfunc Wait(c chan bool, n int) {\n\tif n > 1 {\n\t\t<-c\n\t}\n}\n"
    test = 'package shop\n\nimport "testing"\n\nfunc TestWait(t *testing.T) { Wait(nil, 1) }\n'
    outcome = mutated(prepared(tmp_path, {"go.mod": MOD, "shop.go": shop, "shop_test.go": test}, "shop.go"))

    assert counts(outcome) == {"mutants": 1, "timeout": 1, "score": None}


def test_a_mutant_that_computes_without_end_is_ended_for_the_processors_time_that_it_takes(tmp_path, monkeypatch):
    monkeypatch.setattr("verify_lsp.checks.trial_time.TRIAL_LEAST_S", 100.0)
    monkeypatch.setattr("verify_lsp.toolchains.go.mutants._LIMITED", mutants._LIMITED.replace("* 5", "* 1"))
    shop = "package shop\n\nfunc Wait(n int) {\n\tfor n > 1 {\n\t\tn--\n\t}\n}\n"
    test = 'package shop\n\nimport "testing"\n\nfunc TestWait(t *testing.T) { Wait(3) }\n'
    outcome = mutated(prepared(tmp_path, {"go.mod": MOD, "shop.go": shop, "shop_test.go": test}, "shop.go"))

    assert counts(outcome)["timeout"] == 1


def test_tests_that_cannot_run_where_mutants_are_tried_kill_nothing(tmp_path):
    main = """\
package shop

import (
	"os"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	if strings.Contains(os.Getenv("HOME"), "zz-home") {
		os.Exit(3)
	}
	os.Exit(m.Run())
}
"""
    # This one's mutant is built by itself.
    top = "package shop\n\nvar Top = Price(1, false) - 1\n"
    outcome = mutated(prepared(tmp_path, {**FILES, "main_test.go": main, "top.go": top}, "shop.go", "top.go"))

    assert counts(outcome) == {"mutants": 5, "no_coverage": 1, "error": 4, "score": None}


def test_a_test_outside_of_the_package_notices_and_one_that_starts_a_process_does_too(tmp_path):
    files = {
        "go.mod": MOD,
        "in/shop.go": "package in\n\nfunc More(n int) bool {\n\treturn n > 1\n}\n",
        "cmd/main.go": 'package main\n\nimport "example.test/shop/in"\n\nfunc main() {\n\tif in.More(1) {\n\t\tpanic(1)\n\t}\n}\n',
        "cmd/main_test.go": 'package main\n\nimport (\n\t"os/exec"\n\t"testing"\n)\n\nfunc TestRuns(t *testing.T) {\n'
        '\tif said, err := exec.Command("go", "run", ".").CombinedOutput(); err != nil {\n\t\tt.Fatal(string(said))\n\t}\n}\n',
    }

    assert counts(mutated(prepared(tmp_path, files, "in/shop.go"))) == {"mutants": 1, "killed": 1, "score": 1.0}


def test_files_that_no_test_program_holds_are_said_not_to_be_reached(tmp_path):
    files = {**FILES, "other/other.go": "package other\n\nfunc More(n int) bool {\n\treturn n > 1\n}\n"}
    outcome = mutated(prepared(tmp_path, files, "other/other.go"))

    assert isinstance(outcome, Skipped)
    assert outcome.reason.startswith("mutants do not reach the tests: other/other.go, because")


def test_a_file_for_another_system_is_said_not_to_be_reached(tmp_path):
    files = {**FILES, "shop_plan9.go": "package shop\n\nfunc More(n int) bool {\n\treturn n > 1\n}\n"}
    outcome = mutated(prepared(tmp_path, files, "shop_plan9.go"))

    assert isinstance(outcome, Skipped)
    assert "do not reach" in outcome.reason


def test_a_file_that_tests_load_but_never_run_has_lines_that_no_test_runs(tmp_path):
    files = {**FILES, "more.go": "package shop\n\nfunc More(n int) bool {\n\treturn n > 1\n}\n"}

    outcome = mutated(prepared(tmp_path, files, "more.go"))
    assert counts(outcome) == {"mutants": 1, "no_coverage": 1}
    assert ran(outcome).metrics["score"] == 0


def test_carriage_returns_a_mark_tabs_and_other_letters_change_nothing(tmp_path):
    shop = "\ufeff" + SHOP.replace("member {", 'member && "é" != "" {').replace("\n", "\r\n")
    outcome = mutated(prepared(tmp_path, {**FILES, "shop.go": shop}, "shop.go"))

    assert counts(outcome) == {"mutants": 4, "killed": 2, "survived": 1, "no_coverage": 1, "score": 0.5}


def test_where_nothing_can_be_wrong_there_is_nothing_to_verify(tmp_path):
    text = 'package shop\n\nimport "errors"\n\nconst A = 1 + 2\n\n// a == b\nvar ErrA = errors.New("a == b")\n'

    assert mutated(prepared(tmp_path, {**FILES, "a.go": text}, "a.go")) == Skipped(mutation.NOTHING, needless=True)


def test_tests_that_fail_by_themselves_are_no_measure(tmp_path):
    red = 'package shop\n\nimport "testing"\n\nfunc TestRed(t *testing.T) { t.Fatal() }\n'
    tests_outcome, outcome = run_both(prepared(tmp_path, {**FILES, "red_test.go": red}, "shop.go"))

    assert ran(tests_outcome).verdict == "fail"
    assert isinstance(outcome, Skipped)
    assert outcome.reason.startswith("the tests fail without any mutant")


def test_a_module_in_a_workspace_with_build_tags_and_spaces_in_its_path(tmp_path, monkeypatch):
    monkeypatch.setenv("GOFLAGS", "-tags=special")
    files = {
        "go.work": "go 1.21\n\nuse ./my shop\n".replace("./my shop", '"./my shop"'),
        "my shop/go.mod": "module example.test/shop\n\ngo 1.21\n",
        "my shop/shop.go": "//go:build special\n\n" + SHOP,
        "my shop/shop_test.go": "//go:build special\n\n" + SHOP_TEST,
        "my shop/plain.go": "//go:build !special\n\npackage shop\n",
    }
    folder = laid_out(tmp_path / "work", files)
    context = prepared(tmp_path, FILES, "shop.go")
    project = attrs.evolve(context.projects[0].project, place=folder, workspace=folder, root="my shop")
    change = Change((added("my shop/shop.go", files["my shop/shop.go"]),))
    context = attrs.evolve(
        context, workspace=folder, place=folder, change=change, projects=(ProjectOf(TOOLCHAIN, project),)
    )

    assert counts(mutated(context))["killed"] == 2


def test_a_package_with_c_in_it(tmp_path):
    text = SHOP.replace("package shop\n", 'package shop\n\n// static int one(void) { return 1; }\nimport "C"\n')
    text = text.replace("amount - 10", "amount - 10*int(C.one())")

    assert counts(mutated(prepared(tmp_path, {**FILES, "shop.go": text}, "shop.go")))["killed"] == 2


def test_a_module_that_carries_what_it_needs(tmp_path):
    files = {
        "go.mod": "module example.test/shop\n\ngo 1.21\n\nrequire example.test/dep v1.0.0\n",
        "vendor/modules.txt": "# example.test/dep v1.0.0\n## explicit\nexample.test/dep\n",
        "vendor/example.test/dep/dep.go": "package dep\n\nfunc Ten() int { return 10 }\n",
        "shop.go": SHOP.replace("shop\n", 'shop\n\nimport "example.test/dep"\n', 1).replace("- 10", "- dep.Ten()"),
        "shop_test.go": SHOP_TEST,
    }

    assert counts(mutated(prepared(tmp_path, files, "shop.go")))["killed"] == 2
