"""Python tests before and after a change: what is named, and the honest twins that stay silent."""

SHOP = """
import pytest
from shop import total, Cart


def test_total():
    cart = Cart([1, 2])
    assert total(cart) == 3


def test_empty():
    assert total(Cart([])) == 0
    assert Cart([]).items == []
"""

CLASS = """
import unittest
import shop


class TestShop(unittest.TestCase):
    def test_total(self):
        self.assertEqual(shop.total([1, 2]), 3)

    def test_rate(self):
        self.assertAlmostEqual(shop.rate(0.5), 0.125, places=5)

    def test_bad(self):
        with self.assertRaises(ValueError):
            shop.total(None)
"""

ROWS = "@pytest.mark.parametrize(('a', 'b'), [(1, 10), (4, 40)])\ndef test_f(a, b):\n    assert f(a) == b\n"

POSITIVE = [
    (
        "equality becomes truth",
        SHOP,
        SHOP.replace("assert total(cart) == 3", "assert total(cart)"),
        {"assertion-weakened"},
    ),
    ("equality becomes a bound", SHOP, SHOP.replace("total(cart) == 3", "total(cart) >= 3"), {"assertion-weakened"}),
    (
        "equality becomes not none",
        SHOP,
        SHOP.replace("total(cart) == 3", "total(cart) is not None"),
        {"assertion-weakened"},
    ),
    (
        "equality becomes a type",
        SHOP,
        SHOP.replace("assert total(cart) == 3", "assert isinstance(total(cart), int)"),
        {"assertion-weakened"},
    ),
    (
        "equality becomes membership",
        SHOP,
        SHOP.replace("total(cart) == 3", "total(cart) in (3, 4, 5)"),
        {"assertion-weakened"},
    ),
    ("equality or true", SHOP, SHOP.replace("total(cart) == 3", "total(cart) == 3 or True"), {"assertion-weakened"}),
    ("assert true", SHOP, SHOP.replace("assert total(cart) == 3", "assert True"), {"assertion-weakened"}),
    (
        "a list becomes its length",
        SHOP.replace("items == []", "items == [1, 2]"),
        SHOP.replace("items == []", "len(Cart([]).items) == 2").replace("Cart([]).len", "len"),
        {"assertion-weakened"},
    ),
    (
        "assertEqual becomes assertTrue",
        CLASS,
        CLASS.replace("assertEqual(shop.total([1, 2]), 3)", "assertTrue(shop.total([1, 2]))"),
        {"assertion-weakened"},
    ),
    (
        "assertEqual becomes assertIsNotNone",
        CLASS,
        CLASS.replace("assertEqual(shop.total([1, 2]), 3)", "assertIsNotNone(shop.total([1, 2]))"),
        {"assertion-weakened"},
    ),
    ("a raise of a kind becomes any", CLASS, CLASS.replace("ValueError", "Exception"), {"assertion-weakened"}),
    ("fewer places", CLASS, CLASS.replace("places=5", "places=0"), {"tolerance-widened"}),
    (
        "a wider approx",
        "def test_a():\n    assert f() == pytest.approx(3, abs=0.01)\n",
        "def test_a():\n    assert f() == pytest.approx(3, abs=5)\n",
        {"tolerance-widened"},
    ),
    (
        "a higher limit",
        "def test_a():\n    assert took() < 10\n",
        "def test_a():\n    assert took() < 1000\n",
        {"tolerance-widened"},
    ),
    ("a mark", SHOP, SHOP.replace("def test_total", "@pytest.mark.skip\ndef test_total"), {"test-skipped"}),
    (
        "a mark with a reason",
        SHOP,
        SHOP.replace("def test_total", '@pytest.mark.skip(reason="flaky")\ndef test_total'),
        {"test-skipped"},
    ),
    (
        "an expected failure",
        SHOP,
        SHOP.replace("def test_total", "@pytest.mark.xfail\ndef test_total"),
        {"test-skipped"},
    ),
    (
        "skipif true",
        SHOP,
        SHOP.replace("def test_total", '@pytest.mark.skipif(True, reason="x")\ndef test_total'),
        {"test-skipped"},
    ),
    (
        "unittest skip",
        CLASS,
        CLASS.replace("    def test_total", '    @unittest.skip("later")\n    def test_total'),
        {"test-skipped"},
    ),
    (
        "unittest expected failure",
        CLASS,
        CLASS.replace("    def test_total", "    @unittest.expectedFailure\n    def test_total"),
        {"test-skipped"},
    ),
    ("a whole class", CLASS, CLASS.replace("class Test", '@unittest.skip("later")\nclass Test'), {"test-skipped"}),
    ("skip in the body", SHOP, SHOP.replace("    cart = ", '    pytest.skip("later")\n    cart = '), {"test-skipped"}),
    (
        "skip in the body under true",
        SHOP,
        SHOP.replace("    cart = ", '    if True:\n        pytest.skip("later")\n    cart = '),
        {"test-skipped"},
    ),
    (
        "skipTest in the body",
        CLASS,
        CLASS.replace("        self.assertEqual", '        self.skipTest("no")\n        self.assertEqual'),
        {"test-skipped"},
    ),
    (
        "a module mark",
        SHOP,
        SHOP.replace("\n\ndef test_total", "\npytestmark = pytest.mark.skip\n\n\ndef test_total", 1),
        {"test-skipped"},
    ),
    (
        "a module skip",
        SHOP,
        SHOP.replace("\n\ndef test_total", '\npytest.skip("no", allow_module_level=True)\n\n\ndef test_total', 1),
        {"test-skipped"},
    ),
    (
        "an exit of the module",
        SHOP,
        SHOP.replace("\n\ndef test_total", "\nsys.exit(0)\n\n\ndef test_total", 1),
        {"test-skipped"},
    ),
    ("a deleted test", SHOP, SHOP[: SHOP.index("def test_empty")], {"test-removed"}),
    ("a renamed function that is no test", SHOP, SHOP.replace("def test_total", "def check_total"), {"test-removed"}),
    (
        "an emptied test",
        SHOP,
        SHOP.replace("    cart = Cart([1, 2])\n    assert total(cart) == 3\n", "    pass\n"),
        {"test-emptied"},
    ),
    (
        "an emptied test with a docstring",
        SHOP,
        SHOP.replace("    cart = Cart([1, 2])\n    assert total(cart) == 3\n", '    """Totals."""\n'),
        {"test-emptied"},
    ),
    ("no assertion left", SHOP, SHOP.replace("assert total(cart) == 3", "total(cart)"), {"assertions-gone"}),
    (
        "a return before the assertion",
        SHOP,
        SHOP.replace("    assert total(cart)", "    return\n    assert total(cart)"),
        {"assertions-gone"},
    ),
    (
        "a commented assertion",
        SHOP,
        SHOP.replace("    assert Cart([]).items", "    # assert Cart([]).items"),
        {"assertion-removed"},
    ),
    (
        "caught",
        SHOP,
        SHOP.replace(
            "    assert total(cart) == 3",
            "    try:\n        assert total(cart) == 3\n    except AssertionError:\n        pass",
        ),
        {"assertion-swallowed"},
    ),
    (
        "caught whatever it is",
        SHOP,
        SHOP.replace(
            "    assert total(cart) == 3", "    try:\n        assert total(cart) == 3\n    except:\n        print('no')"
        ),
        {"assertion-swallowed"},
    ),
    (
        "suppressed",
        SHOP,
        SHOP.replace(
            "    assert total(cart) == 3", "    with contextlib.suppress(Exception):\n        assert total(cart) == 3"
        ),
        {"assertion-swallowed"},
    ),
    (
        "under a condition",
        SHOP,
        SHOP.replace("    assert total(cart) == 3", "    if total(cart):\n        assert total(cart) == 3"),
        {"assertion-conditional"},
    ),
    (
        "the subject patched",
        SHOP,
        SHOP.replace(
            "def test_total():", "def test_total(monkeypatch):\n    monkeypatch.setattr(shop, 'total', lambda cart: 3)"
        ),
        {"subject-mocked"},
    ),
    (
        "the subject patched by name",
        SHOP,
        SHOP.replace("def test_total():", "@patch('shop.total', return_value=3)\ndef test_total(_):"),
        {"subject-mocked"},
    ),
    (
        "the subject is a mock",
        SHOP,
        SHOP.replace("    cart = Cart", "    total = Mock(return_value=3)\n    cart = Cart"),
        {"subject-mocked"},
    ),
    ("the expected value", SHOP, SHOP.replace("== 3", "== 4"), {"expected-changed"}),
    (
        "a helper that asserts",
        "def check_total(cart):\n    assert total(cart) == 3\n\n\ndef test_a():\n    check_total(Cart())\n",
        "def check_total(cart):\n    assert total(cart)\n\n\ndef test_a():\n    check_total(Cart())\n",
        {"assertion-weakened"},
    ),
    (
        "a mock that was called with",
        "def test_a():\n    run(m)\n    m.assert_called_once_with(3)\n",
        "def test_a():\n    run(m)\n    m.assert_called()\n",
        {"assertion-weakened"},
    ),
    (
        "a match dropped",
        'def test_a():\n    with pytest.raises(ValueError, match="no"):\n        f()\n',
        "def test_a():\n    with pytest.raises(Exception):\n        f()\n",
        {"assertion-weakened"},
    ),
    ("a row less", ROWS, ROWS.replace(", (4, 40)", ""), {"rows-removed"}),
    (
        "a value against itself",
        SHOP,
        SHOP.replace("total(cart) == 3", "total(cart) == total(cart)"),
        {"assertion-weakened"},
    ),
    (
        "a value against anything",
        SHOP,
        SHOP.replace("total(cart) == 3", "total(cart) == mock.ANY"),
        {"assertion-weakened"},
    ),
    (
        "a tuple that is always true",
        SHOP,
        SHOP.replace("assert total(cart) == 3", 'assert (total(cart) == 3, "sum")'),
        {"assertion-weakened"},
    ),
    (
        "under if False",
        SHOP,
        SHOP.replace("    assert total(cart) == 3", "    if False:\n        assert total(cart) == 3"),
        {"assertions-gone"},
    ),
    (
        "in a loop over nothing",
        SHOP,
        SHOP.replace("    assert total(cart) == 3", "    for _ in []:\n        assert total(cart) == 3"),
        {"assertions-gone"},
    ),
    (
        "a test under if False",
        SHOP,
        SHOP.replace("def test_empty():", "if False:\n  def test_empty():"),
        {"test-removed"},
    ),
    (
        "a class that is not collected",
        CLASS.replace("(unittest.TestCase)", ""),
        CLASS.replace("(unittest.TestCase)", "").replace("TestShop", "ShopChecks"),
        {"test-removed"},
    ),
    (
        "empty becomes truth",
        "def test_a():\n    assert f() == []\n",
        "def test_a():\n    assert f()\n",
        {"assertion-weakened"},
    ),
]

SILENT = [
    ("a new test", SHOP, SHOP + "\n\ndef test_more():\n    assert total([5]) == 5\n"),
    (
        "a new test that is skipped",
        SHOP,
        SHOP + "\n\n@pytest.mark.skip\ndef test_more():\n    assert total([5]) == 5\n",
    ),
    ("a rename", SHOP, SHOP.replace("test_total", "test_total_of_two")),
    (
        "a rename with an edit",
        SHOP,
        SHOP.replace("test_empty", "test_nothing").replace(
            "Cart([]).items == []", "Cart([]).items == []\n    assert Cart([]).count == 0"
        ),
    ),
    (
        "a table",
        "def test_one():\n    assert total([1]) == 1\n\n\ndef test_two():\n    assert total([1, 2]) == 3\n",
        "@pytest.mark.parametrize(('given', 'wanted'), [([1], 1), ([1, 2], 3)])\ndef test_total(given, wanted):\n    assert total(given) == wanted\n",
    ),
    (
        "a split",
        SHOP,
        SHOP.replace(
            "    assert Cart([]).items == []\n", "\n\ndef test_no_items():\n    assert Cart([]).items == []\n"
        ),
    ),
    (
        "a merger",
        "def test_a():\n    assert f(1) == 2\n\n\ndef test_b():\n    assert g(1) == 3\n",
        "def test_ab():\n    assert f(1) == 2\n    assert g(1) == 3\n",
    ),
    (
        "a helper",
        SHOP,
        SHOP.replace("    assert total(cart) == 3", "    assert_total(cart, 3)")
        + "\n\ndef assert_total(cart, wanted):\n    assert total(cart) == wanted\n",
    ),
    (
        "a helper of another name",
        SHOP,
        SHOP.replace("    assert total(cart) == 3", "    sums_to(cart, 3)")
        + "\n\ndef sums_to(cart, wanted):\n    assert total(cart) == wanted\n",
    ),
    (
        "a skip on a platform",
        SHOP,
        SHOP.replace(
            "def test_total", '@pytest.mark.skipif(sys.platform == "win32", reason="no symlinks")\ndef test_total'
        ),
    ),
    (
        "a skip on a version",
        SHOP,
        SHOP.replace(
            "def test_total", '@pytest.mark.skipif(sys.version_info < (3, 12), reason="PEP 701")\ndef test_total'
        ),
    ),
    (
        "an expected failure on a platform",
        SHOP,
        SHOP.replace("def test_total", '@pytest.mark.xfail(sys.platform == "win32", reason="x")\ndef test_total'),
    ),
    (
        "unittest skipIf",
        CLASS,
        CLASS.replace("    def test_total", '    @unittest.skipIf(os.name == "nt", "no")\n    def test_total'),
    ),
    (
        "skip under a condition",
        SHOP,
        SHOP.replace("    cart = ", '    if not has_network():\n        pytest.skip("no network")\n    cart = '),
    ),
    (
        "a module skip under a condition",
        SHOP,
        SHOP.replace(
            "\n\ndef test_total",
            '\nif sys.platform == "win32":\n    pytest.skip("no", allow_module_level=True)\n\n\ndef test_total',
            1,
        ),
    ),
    ("importorskip", SHOP, SHOP.replace("import pytest\n", 'import pytest\n\npytest.importorskip("numpy")\n')),
    ("a skip taken away", SHOP.replace("def test_total", "@pytest.mark.skip\ndef test_total"), SHOP),
    (
        "reflow",
        SHOP,
        SHOP.replace(
            "assert total(cart) == 3", "assert (\n        total(\n            cart,\n        )\n        == 3\n    )"
        ),
    ),
    ("other quotes", "def test_a():\n    assert f('a') == 'b'\n", 'def test_a():\n    assert f("a") == "b"\n'),
    (
        "from unittest to pytest",
        CLASS,
        "import pytest\nimport shop\n\n\ndef test_total():\n    assert shop.total([1, 2]) == 3\n\n\ndef test_rate():\n    assert shop.rate(0.5) == pytest.approx(0.125, abs=1e-6)\n\n\ndef test_bad():\n    with pytest.raises(ValueError):\n        shop.total(None)\n",
    ),
    ("equal to true becomes true", "def test_a():\n    assert f(1) == True\n", "def test_a():\n    assert f(1)\n"),
    (
        "assertEqual true becomes assertTrue",
        "class TestA(TestCase):\n    def test_a(self):\n        self.assertEqual(f(1), True)\n",
        "class TestA(TestCase):\n    def test_a(self):\n        self.assertTrue(f(1))\n",
    ),
    ("an empty list becomes not", "def test_a():\n    assert f(1) == []\n", "def test_a():\n    assert not f(1)\n"),
    (
        "length above nothing becomes truth",
        "def test_a():\n    assert len(f(1)) > 0\n",
        "def test_a():\n    assert f(1)\n",
    ),
    ("stronger", SHOP.replace("total(cart) == 3", "total(cart)"), SHOP),
    (
        "a narrower tolerance",
        "def test_a():\n    assert f() == pytest.approx(3, abs=0.1)\n",
        "def test_a():\n    assert f() == pytest.approx(3, abs=0.01)\n",
    ),
    (
        "another input and another expectation",
        SHOP,
        SHOP.replace("Cart([1, 2])", "Cart([1, 2, 3])").replace("== 3", "== 6"),
    ),
    (
        "a renamed variable",
        SHOP,
        SHOP.replace("cart = Cart([1, 2])\n    assert total(cart)", "basket = Cart([1, 2])\n    assert total(basket)"),
    ),
    ("expected and actual swapped", SHOP, SHOP.replace("total(cart) == 3", "3 == total(cart)")),
    (
        "a result named",
        SHOP,
        SHOP.replace("    assert total(cart) == 3", "    result = total(cart)\n    assert result == 3"),
    ),
    ("a message", SHOP, SHOP.replace("total(cart) == 3", 'total(cart) == 3, "the sum"')),
    (
        "a stand-in for a collaborator",
        SHOP,
        SHOP.replace(
            "def test_total():",
            "def test_total(monkeypatch):\n    monkeypatch.setattr('shop.prices.fetch', lambda: {})",
        ),
    ),
    (
        "caught and failed",
        SHOP,
        SHOP.replace(
            "    assert total(cart) == 3",
            "    try:\n        assert total(cart) == 3\n    except AssertionError:\n        print(cart)\n        raise",
        ),
    ),
    (
        "another exception caught",
        SHOP,
        SHOP.replace(
            "    assert total(cart) == 3",
            "    try:\n        assert total(cart) == 3\n    except KeyboardInterrupt:\n        pass",
        ),
    ),
    (
        "under a platform",
        SHOP,
        SHOP.replace("    assert total(cart) == 3", '    if sys.platform != "win32":\n        assert total(cart) == 3'),
    ),
    (
        "into a class",
        SHOP,
        "import pytest\nfrom shop import total, Cart\n\n\nclass TestTotal:\n    def test_total(self):\n        cart = Cart([1, 2])\n        assert total(cart) == 3\n\n    def test_empty(self):\n        assert total(Cart([])) == 0\n        assert Cart([]).items == []\n",
    ),
    (
        "one of two alike",
        SHOP
        + SHOP[SHOP.index("\n\ndef test_total") :].replace("test_total", "test_sum").replace("test_empty", "test_none"),
        SHOP,
    ),
    (
        "two assertions in one",
        "def test_a():\n    x = f()\n    assert x.a == 1\n    assert x.b == 2\n",
        "def test_a():\n    x = f()\n    assert (x.a, x.b) == (1, 2)\n",
    ),
    ("a comment", SHOP, SHOP.replace("    cart =", "    # Two items.\n    cart =")),
    ("async", SHOP, SHOP.replace("def test_total", "async def test_total")),
    (
        "a fixture taken",
        SHOP,
        SHOP.replace(
            "def test_total():\n    cart = Cart([1, 2])",
            "@pytest.fixture\ndef cart():\n    return Cart([1, 2])\n\n\ndef test_total(cart):",
        ),
    ),
    ("a row more", ROWS, ROWS.replace("(4, 40)", "(4, 40), (5, 50)")),
    (
        "a row in a test of its own",
        ROWS,
        ROWS.replace(", (4, 40)", "") + "\n\ndef test_four():\n    assert f(4) == 40\n",
    ),
]
