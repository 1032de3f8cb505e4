"""Go tests before and after a change: what is named, and the honest twins that stay silent."""

SHOP = """package shop

import "testing"

func TestTotal(t *testing.T) {
	cart := NewCart(1, 2)
	if got := Total(cart); got != 3 {
		t.Errorf("Total() = %d", got)
	}
}

func TestEmpty(t *testing.T) {
	got, err := Load(nil)
	if err == nil {
		t.Fatal("no error")
	}
	if len(got.Items) != 0 {
		t.Error("items")
	}
}
"""
TESTIFY = """package shop

func TestTotal(t *testing.T) {
	cart := NewCart(1, 2)
	assert.Equal(t, 3, Total(cart))
	require.NoError(t, cart.Close())
}

func TestRate(t *testing.T) {
	assert.InDelta(t, 0.125, Rate(0.5), 0.001)
	assert.EqualError(t, Load(nil), "no cart")
}
"""
TABLE = """package shop

func TestTotal(t *testing.T) {
	for _, tt := range []struct{ given, want int }{{1, 1}, {2, 3}} {
		t.Run("x", func(t *testing.T) {
			if got := Total(tt.given); got != tt.want {
				t.Errorf("got %d", got)
			}
		})
	}
}
"""


def body(*lines):
    return "package a\n\nfunc TestA(t *testing.T) {\n" + "".join(f"\t{line}\n" for line in lines) + "}\n"


POSITIVE = [
    ("equality becomes a bound", SHOP, SHOP.replace("got != 3", "got < 1"), {"assertion-weakened"}),
    ("equality becomes a difference", SHOP, SHOP.replace("got != 3", "got == 0"), {"assertion-weakened"}),
    (
        "equality becomes truth",
        TESTIFY,
        TESTIFY.replace("assert.Equal(t, 3, Total(cart))", "assert.NotNil(t, Total(cart))"),
        {"assertion-weakened"},
    ),
    (
        "equality becomes not empty",
        TESTIFY,
        TESTIFY.replace("assert.Equal(t, 3, Total(cart))", "assert.NotEmpty(t, Total(cart))"),
        {"assertion-weakened"},
    ),
    (
        "always true",
        TESTIFY,
        TESTIFY.replace("assert.Equal(t, 3, Total(cart))", "assert.True(t, true)"),
        {"assertion-weakened"},
    ),
    (
        "a message becomes any error",
        TESTIFY,
        TESTIFY.replace('assert.EqualError(t, Load(nil), "no cart")', "assert.Error(t, Load(nil))"),
        {"assertion-weakened"},
    ),
    ("a wider delta", TESTIFY, TESTIFY.replace("0.001", "10"), {"tolerance-widened"}),
    (
        "a higher limit",
        body("if took() > 10 {", "\tt.Fatal()", "}"),
        body("if took() > 1000 {", "\tt.Fatal()", "}"),
        {"tolerance-widened"},
    ),
    ("t.Skip", SHOP, SHOP.replace("\tcart :=", '\tt.Skip("later")\n\tcart :='), {"test-skipped"}),
    ("t.SkipNow", SHOP, SHOP.replace("\tcart :=", "\tt.SkipNow()\n\tcart :="), {"test-skipped"}),
    ("skip under true", SHOP, SHOP.replace("\tcart :=", "\tif true {\n\t\tt.Skip()\n\t}\n\tcart :="), {"test-skipped"}),
    ("a part skipped", TABLE, TABLE.replace("\t\t\tif got", "\t\t\tt.Skip()\n\t\t\tif got"), {"test-skipped"}),
    ("a build tag", SHOP, "//go:build ignore\n\n" + SHOP, {"test-skipped"}),
    ("a deleted test", SHOP, SHOP[: SHOP.index("func TestEmpty")], {"test-removed"}),
    ("a renamed function that is no test", SHOP, SHOP.replace("func TestTotal", "func testTotal"), {"test-removed"}),
    (
        "an emptied test",
        SHOP,
        SHOP.replace(
            '\tcart := NewCart(1, 2)\n\tif got := Total(cart); got != 3 {\n\t\tt.Errorf("Total() = %d", got)\n\t}\n', ""
        ),
        {"test-emptied"},
    ),
    ("a log in place of a failure", SHOP, SHOP.replace("t.Errorf", "t.Logf"), {"assertions-gone"}),
    ("a return before the assertion", SHOP, SHOP.replace("\tif got :=", "\treturn\n\tif got :="), {"assertions-gone"}),
    (
        "one assertion less",
        SHOP,
        SHOP.replace('\tif err == nil {\n\t\tt.Fatal("no error")\n\t}\n', "\t_ = err\n"),
        {"assertion-removed"},
    ),
    (
        "recovered",
        TESTIFY,
        TESTIFY.replace("\tcart :=", "\tdefer func() { recover() }()\n\tcart :="),
        {"assertion-swallowed"},
    ),
    (
        "under a condition",
        TESTIFY,
        TESTIFY.replace(
            "\tassert.Equal(t, 3, Total(cart))", "\tif Total(cart) > 0 {\n\t\tassert.Equal(t, 3, Total(cart))\n\t}"
        ),
        {"assertion-conditional"},
    ),
    (
        "the subject overwritten",
        SHOP,
        SHOP.replace("\tcart :=", "\tTotal = func(Cart) int { return 3 }\n\tcart :="),
        {"subject-mocked"},
    ),
    ("the expected value", SHOP, SHOP.replace("got != 3", "got != 4"), {"expected-changed"}),
    ("testify's expected value", TESTIFY, TESTIFY.replace("Equal(t, 3,", "Equal(t, 4,"), {"expected-changed"}),
    ("a row less", TABLE, TABLE.replace("{1, 1}, {2, 3}", "{1, 1}"), {"rows-removed"}),
]

SILENT = [
    (
        "a new test",
        SHOP,
        SHOP + '\nfunc TestOne(t *testing.T) {\n\tif Total(NewCart(1)) != 1 {\n\t\tt.Error("one")\n\t}\n}\n',
    ),
    ("a rename", SHOP, SHOP.replace("TestTotal", "TestTotalOfTwo")),
    (
        "a split",
        SHOP,
        SHOP.replace('\tif len(got.Items) != 0 {\n\t\tt.Error("items")\n\t}\n', "\t_ = got\n")
        + '\nfunc TestNoItems(t *testing.T) {\n\tgot, _ := Load(nil)\n\tif len(got.Items) != 0 {\n\t\tt.Error("items")\n\t}\n}\n',
    ),
    (
        "a helper",
        SHOP,
        SHOP.replace(
            '\tif got := Total(cart); got != 3 {\n\t\tt.Errorf("Total() = %d", got)\n\t}\n', "\tsumsTo(t, cart, 3)\n"
        )
        + '\nfunc sumsTo(t *testing.T, cart Cart, want int) {\n\tt.Helper()\n\tif got := Total(cart); got != want {\n\t\tt.Errorf("Total() = %d", got)\n\t}\n}\n',
    ),
    ("skip when short", SHOP, SHOP.replace("\tcart :=", "\tif testing.Short() {\n\t\tt.Skip()\n\t}\n\tcart :=")),
    (
        "skip on a platform",
        SHOP,
        SHOP.replace("\tcart :=", '\tif runtime.GOOS == "windows" {\n\t\tt.Skip("no symlinks")\n\t}\n\tcart :='),
    ),
    ("a build tag for a platform", SHOP, "//go:build linux\n\n" + SHOP),
    ("a skip taken away", SHOP.replace("\tcart :=", "\tt.Skip()\n\tcart :="), SHOP),
    ("Errorf to Fatalf", SHOP, SHOP.replace("t.Errorf", "t.Fatalf")),
    (
        "from testing to testify",
        SHOP,
        SHOP.replace(
            '\tif got := Total(cart); got != 3 {\n\t\tt.Errorf("Total() = %d", got)\n\t}\n',
            "\trequire.Equal(t, 3, Total(cart))\n",
        ),
    ),
    ("assert to require", TESTIFY, TESTIFY.replace("assert.Equal", "require.Equal")),
    ("Equal to EqualValues", TESTIFY, TESTIFY.replace("assert.Equal(", "assert.EqualValues(")),
    ("expected and actual swapped", TESTIFY, TESTIFY.replace("Equal(t, 3, Total(cart))", "Equal(t, Total(cart), 3)")),
    (
        "a condition in two",
        body("if a() != 1 || b() != 2 {", "\tt.Fatal()", "}"),
        body("if a() != 1 {", "\tt.Fatal()", "}", "if b() != 2 {", "\tt.Fatal()", "}"),
    ),
    ("a message", SHOP, SHOP.replace('"Total() = %d", got', '"Total() = %d, want 3", got')),
    ("stronger", TESTIFY.replace("assert.Equal(t, 3, Total(cart))", "assert.NotNil(t, Total(cart))"), TESTIFY),
    ("a narrower delta", TESTIFY, TESTIFY.replace("0.001", "0.0001")),
    ("a comment", SHOP, SHOP.replace("\tcart :=", "\t// Two items.\n\tcart :=")),
    ("parallel", SHOP, SHOP.replace("\tcart :=", "\tt.Parallel()\n\tcart :=")),
    (
        "another input and another expectation",
        SHOP,
        SHOP.replace("NewCart(1, 2)", "NewCart(1, 2, 3)").replace("got != 3", "got != 6"),
    ),
    ("a result named", SHOP, SHOP.replace("if got := Total(cart); got", "got := Total(cart)\n\tif got")),
    ("a table", SHOP[: SHOP.index("func TestEmpty")], TABLE.replace("{1, 1}, {2, 3}", "{NewCart(1, 2), 3}")),
    ("more rows", TABLE, TABLE.replace("{2, 3}", "{2, 3}, {4, 5}")),
    (
        "recovered and failed",
        TESTIFY,
        TESTIFY.replace(
            "\tcart :=",
            "\tdefer func() {\n\t\tif r := recover(); r != nil {\n\t\t\tt.Fatal(r)\n\t\t}\n\t}()\n\tcart :=",
        ),
    ),
    (
        "DeepEqual to cmp.Diff",
        body("if !reflect.DeepEqual(got(), want) {", '\tt.Error("x")', "}"),
        body('if diff := cmp.Diff(want, got()); diff != "" {', "\tt.Error(diff)", "}"),
    ),
    ("a row that changed", TABLE, TABLE.replace("{2, 3}", "{20, 30}")),
]
