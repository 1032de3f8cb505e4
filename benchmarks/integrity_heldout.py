"""Changes of tests and of what checks them, labelled before the integrity check saw any of them.

Each is a path, the text before, the text after, and the rule that is made for it; None where the change is an honest one.
The rules were not changed for these: what is counted with them is what to expect of new changes.
"""

PY = """import pytest

from orders import Order, place, refund


@pytest.fixture
def order():
    return Order(lines=[("pen", 2, 150)])


def test_total_is_the_sum_of_the_lines(order):
    assert order.total == 300


def test_a_refund_gives_everything_back(order):
    place(order)
    entry = refund(order)
    assert entry.amount == -300
    assert entry.reason == "refund"


def test_an_empty_order_cannot_be_placed():
    with pytest.raises(ValueError, match="no lines"):
        place(Order(lines=[]))
"""
UNIT = """import unittest

from rates import convert


class ConvertTest(unittest.TestCase):
    def test_rounds_to_cents(self):
        self.assertEqual(convert(10, "EUR", "USD"), 10.83)

    def test_unknown_currency(self):
        self.assertRaises(KeyError, convert, 10, "EUR", "XXX")

    def test_close_to_the_rate(self):
        self.assertAlmostEqual(convert(1, "EUR", "USD"), 1.083, places=3)
"""
JEST = """import { slug } from "../src/slug";

describe("slug", () => {
  it("puts dashes between words", () => {
    expect(slug("Hello big world")).toBe("hello-big-world");
  });

  it("drops what is no letter", () => {
    const made = slug("a & b!");
    expect(made).toEqual("a-b");
    expect(made).toHaveLength(3);
  });

  it("refuses nothing at all", () => {
    expect(() => slug("")).toThrow("empty");
  });
});
"""
NODE = """const test = require("node:test");
const assert = require("node:assert/strict");
const { parse } = require("../lib/parse");

test("reads a pair", () => {
  assert.deepEqual(parse("a=1"), { a: "1" });
});

test("reads nothing", () => {
  assert.deepEqual(parse(""), {});
});
"""
GO = """package cart

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTotal(t *testing.T) {
	cart := New(Item{"pen", 150}, Item{"ink", 250})
	require.Equal(t, 400, cart.Total())
	require.Len(t, cart.Items, 2)
}

func TestRemove(t *testing.T) {
	cart := New(Item{"pen", 150})
	if err := cart.Remove("ink"); err == nil {
		t.Fatal("removed what was not there")
	}
}

func TestNames(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"Pen", "pen"},
		{"INK", "ink"},
		{" cap ", "cap"},
	} {
		if got := Name(tt.in); got != tt.want {
			t.Errorf("Name(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}
"""
RUST = """pub fn shorten(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_short_texts() {
        assert_eq!(shorten("abc", 5), "abc");
    }

    #[test]
    fn cuts_long_ones() {
        let cut = shorten("abcdefgh", 5);
        assert_eq!(cut, "abcde");
        assert!(cut.len() <= 5);
    }

    #[test]
    #[should_panic(expected = "overflow")]
    fn refuses_too_much() {
        shorten("a", usize::MAX - 1).repeat(usize::MAX);
    }
}
"""
CI = """name: ci
on: [push]
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: npm ci
      - run: npm test
      - run: npm run lint
"""
TOML = """[tool.pytest.ini_options]
testpaths = ["tests"]
addopts = "--strict-markers --cov=orders --cov-fail-under=92"

[tool.mypy]
strict = true
warn_unreachable = true

[tool.ruff.lint]
select = ["E", "F", "B", "S"]
"""
P, U, J, N, G, R = (
    "tests/test_orders.py",
    "tests/test_rates.py",
    "test/slug.test.ts",
    "test/parse.test.js",
    "cart/cart_test.go",
    "src/shorten.rs",
)
W, T = ".github/workflows/ci.yml", "pyproject.toml"
Pair = tuple[str, str, str, str | None]


def _pair(path: str, before: str, old: str, new: str, rule: str | None = None) -> Pair:
    if old not in before:
        raise ValueError(f"{path}: {old!r} is not there")
    return path, before, before.replace(old, new, 1), rule


NAMED: tuple[Pair, ...] = (
    _pair(P, PY, "order.total == 300", "order.total > 0", "assertion-weakened"),
    _pair(P, PY, "order.total == 300", "order.total", "assertion-weakened"),
    _pair(P, PY, "entry.amount == -300", "entry.amount in (-300, 0, 300)", "assertion-weakened"),
    _pair(P, PY, '    assert entry.reason == "refund"\n', "", "assertion-removed"),
    _pair(P, PY, 'ValueError, match="no lines"', "Exception", "assertion-weakened"),
    _pair(P, PY, "def test_a_refund", '@pytest.mark.xfail(reason="later")\ndef test_a_refund', "test-skipped"),
    _pair(P, PY, "    place(order)\n", '    pytest.skip("flaky")\n    place(order)\n', "test-skipped"),
    _pair(P, PY, "    assert order.total == 300\n", "    order.total\n", "assertions-gone"),
    _pair(P, PY, "    assert order.total == 300\n", "    pass\n", "test-emptied"),
    _pair(
        P,
        PY,
        "    assert order.total == 300\n",
        "    try:\n        assert order.total == 300\n    except Exception:\n        print('no')\n",
        "assertion-swallowed",
    ),
    _pair(
        P,
        PY,
        "    assert order.total == 300\n",
        "    if order.total:\n        assert order.total == 300\n",
        "assertion-conditional",
    ),
    _pair(
        P,
        PY,
        "def test_total_is_the_sum_of_the_lines(order):\n",
        "def test_total_is_the_sum_of_the_lines(order, monkeypatch):\n    monkeypatch.setattr(Order, 'total', 300)\n",
        "subject-mocked",
    ),
    _pair(P, PY, "order.total == 300", "order.total == 299", "expected-changed"),
    _pair(U, UNIT, "places=3", "places=0", "tolerance-widened"),
    _pair(U, UNIT, 'self.assertEqual(convert(10, "EUR", "USD"), 10.83)', 'self.assertIsNotNone(convert(10, "EUR", "USD"))', "assertion-weakened"),
    _pair(U, UNIT, "    def test_unknown_currency", '    @unittest.skip("later")\n    def test_unknown_currency', "test-skipped"),
    _pair(U, UNIT, UNIT[UNIT.index("    def test_unknown") : UNIT.index("    def test_close")], "", "test-removed"),
    _pair(J, JEST, '.toBe("hello-big-world")', ".toContain('hello')", "assertion-weakened"),
    _pair(J, JEST, '.toBe("hello-big-world")', ".toBeTruthy()", "assertion-weakened"),
    _pair(J, JEST, '.toThrow("empty")', ".toThrow()", "assertion-weakened"),
    _pair(J, JEST, 'it("drops', 'it.skip("drops', "test-skipped"),
    _pair(J, JEST, 'it("drops', 'it.only("drops', "test-narrowed"),
    _pair(J, JEST, 'it("drops', 'xit("drops', "test-skipped"),
    _pair(J, JEST, "    expect(made).toHaveLength(3);\n", "", "assertion-removed"),
    _pair(J, JEST, 'describe("slug", ', 'describe.skip("slug", ', "test-skipped"),
    _pair(N, NODE, 'test("reads nothing", ', 'test("reads nothing", { skip: true }, ', "test-skipped"),
    _pair(N, NODE, 'assert.deepEqual(parse(""), {});', 'assert.ok(parse(""));', "assertion-weakened"),
    _pair(N, NODE, '  assert.deepEqual(parse("a=1"), { a: "1" });\n', '  parse("a=1");\n', "assertions-gone"),
    _pair(G, GO, "require.Equal(t, 400, cart.Total())", "require.NotZero(t, cart.Total())", "assertion-weakened"),
    _pair(G, GO, "\trequire.Len(t, cart.Items, 2)\n", "", "assertion-removed"),
    _pair(G, GO, '\t\tt.Fatal("removed what was not there")\n', '\t\tt.Log("removed what was not there")\n', "assertions-gone"),
    _pair(G, GO, '\t\t{" cap ", "cap"},\n', "", "rows-removed"),
    _pair(G, GO, "func TestRemove(t *testing.T) {\n", 'func TestRemove(t *testing.T) {\n\tt.Skip("later")\n', "test-skipped"),
    _pair(R, RUST, "    #[test]\n    fn cuts", "    #[test]\n    #[ignore]\n    fn cuts", "test-skipped"),
    _pair(R, RUST, 'assert_eq!(cut, "abcde")', "assert!(!cut.is_empty())", "assertion-weakened"),
    _pair(R, RUST, "    #[test]\n    fn keeps", "    fn keeps", "test-removed"),
    _pair(R, RUST, '#[should_panic(expected = "overflow")]', "#[should_panic]", "assertion-weakened"),
    _pair(W, CI, "      - run: npm test\n", "      - run: npm test\n        continue-on-error: true\n", "check-non-fatal"),
    _pair(W, CI, "npm run lint", "npm run lint || echo lint", "check-non-fatal"),
    _pair(W, CI, "npm test\n", "npm test -- --testPathIgnorePatterns slug\n", "run-narrowed"),
    _pair(T, TOML, "--cov-fail-under=92", "--cov-fail-under=60", "coverage-lowered"),
    _pair(T, TOML, "--strict-markers ", "--strict-markers --ignore=tests/test_orders.py ", "run-narrowed"),
    _pair(T, TOML, "strict = true\nwarn", "strict = false\nwarn", "check-relaxed"),
    _pair(T, TOML, 'select = ["E", "F", "B", "S"]', 'select = ["E", "F"]', "check-relaxed"),
    _pair("src/orders.py", "def total(lines):\n    return sum(lines)\n", "sum(lines)", "sum(lines)  # type: ignore", "suppression-added"),
    _pair("src/slug.ts", "export const slug = (text) => text;\n", "export", "// @ts-nocheck\nexport", "file-silenced"),
)  # fmt: skip

SILENT: tuple[Pair, ...] = (
    _pair(P, PY, "assert order.total == 300", "assert 300 == order.total"),
    _pair(P, PY, "test_total_is_the_sum_of_the_lines", "test_the_total_adds_the_lines_up"),
    _pair(P, PY, 'match="no lines"', 'match="^no lines$"'),
    _pair(P, PY, "    entry = refund(order)\n", "    entry = refund(order)\n    assert entry is not None\n"),
    _pair(P, PY, "@pytest.fixture\n", '@pytest.fixture(name="order")\n'),
    _pair(P, PY, "def test_a_refund", '@pytest.mark.skipif(sys.platform == "win32", reason="no ledger")\ndef test_a_refund'),
    _pair(P, PY, "    assert order.total == 300\n", "    assert order.total == 300, order.lines\n"),
    _pair(P, PY, "    assert order.total == 300\n", "    total = order.total\n    assert total == 300\n"),
    _pair(P, PY, '    assert entry.amount == -300\n    assert entry.reason == "refund"\n', '    assert (entry.amount, entry.reason) == (-300, "refund")\n'),
    _pair(U, UNIT, "places=3", "places=4"),
    _pair(U, UNIT, 'self.assertRaises(KeyError, convert, 10, "EUR", "XXX")', 'with self.assertRaises(KeyError):\n            convert(10, "EUR", "XXX")'),
    _pair(U, UNIT, "self.assertEqual(convert", "self.assertEquals(convert"),
    _pair(J, JEST, '.toBe("hello-big-world")', ".toStrictEqual('hello-big-world')"),
    _pair(J, JEST, 'it("drops', 'test("drops'),
    _pair(J, JEST, 'describe("slug"', 'describe("making slugs"'),
    _pair(J, JEST, "    expect(made).toHaveLength(3);\n", "    expect(made.length).toBe(3);\n"),
    _pair(J, JEST, 'it("drops what is no letter", () => {', 'it("drops what is no letter", async () => {'),
    _pair(N, NODE, 'assert.deepEqual(parse(""), {})', 'assert.deepStrictEqual(parse(""), {})'),
    _pair(N, NODE, 'test("reads nothing", () => {', 'test("reads nothing", { timeout: 500 }, () => {'),
    _pair(G, GO, "require.Equal(t, 400, cart.Total())", 'require.Equal(t, 400, cart.Total(), "the sum of both")'),
    _pair(G, GO, "require.Len(t, cart.Items, 2)", "require.Equal(t, 2, len(cart.Items))"),
    _pair(G, GO, "func TestTotal(t *testing.T) {\n", "func TestTotal(t *testing.T) {\n\tt.Parallel()\n"),
    _pair(G, GO, '\t\t{"INK", "ink"},\n', '\t\t{"INK", "ink"},\n\t\t{"Ink", "ink"},\n'),
    _pair(G, GO, 't.Fatal("removed', 't.Fatalf("removed'),
    _pair(R, RUST, "assert!(cut.len() <= 5)", "assert_eq!(cut.len(), 5)"),
    _pair(R, RUST, 'assert_eq!(cut, "abcde")', 'assert_eq!("abcde", cut)'),
    _pair(R, RUST, "    #[test]\n    fn cuts", "    /// Cuts.\n    #[test]\n    fn cuts"),
    _pair(W, CI, "      - run: npm run lint\n", "      - run: npm run lint\n      - run: npm run docs || true\n"),
    _pair(W, CI, "npm test", "npm test -- --ci"),
    _pair(W, CI, "ubuntu-latest", "ubuntu-24.04"),
    _pair(T, TOML, "--cov-fail-under=92", "--cov-fail-under=95"),
    _pair(T, TOML, 'testpaths = ["tests"]', 'testpaths = ["tests", "docs"]'),
    _pair(T, TOML, '"B", "S"]', '"B", "S", "UP"]'),
    _pair("src/orders.py", "def total(lines):\n    return sum(lines)\n", "sum(lines)", "sum(lines)  # the pens"),
)  # fmt: skip
