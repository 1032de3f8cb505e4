"""JavaScript and TypeScript tests before and after a change: what is named, and the honest twins that stay silent."""

SHOP = """
import { total, Cart } from '../src/shop';

describe('shop', () => {
  it('adds up', () => {
    const cart = new Cart([1, 2]);
    expect(total(cart)).toBe(3);
  });

  it('is nothing at first', async () => {
    expect(total(new Cart([]))).toEqual(0);
    expect(new Cart([]).items).toEqual([]);
    await expect(load(null)).rejects.toThrow('no cart');
  });
});
"""
NODE = """
const assert = require('node:assert');

test('adds up', function (done) {
  assert.strictEqual(total([1, 2]), 3);
  request(app).get('/').expect(200, 'tobi', done);
});
"""


def body(*lines):
    return "it('a', () => {\n" + "".join(f"  {line}\n" for line in lines) + "});\n"


POSITIVE = [
    ("exact becomes truthy", SHOP, SHOP.replace(".toBe(3)", ".toBeTruthy()"), {"assertion-weakened"}),
    ("exact becomes defined", SHOP, SHOP.replace(".toBe(3)", ".toBeDefined()"), {"assertion-weakened"}),
    ("exact becomes a bound", SHOP, SHOP.replace(".toBe(3)", ".toBeGreaterThan(0)"), {"assertion-weakened"}),
    ("exact becomes anything else", SHOP, SHOP.replace(".toBe(3)", ".not.toBe(4)"), {"assertion-weakened"}),
    (
        "a list becomes its length",
        SHOP.replace("toEqual([])", "toEqual([1, 2])"),
        SHOP.replace("toEqual([])", "toHaveLength(2)"),
        {"assertion-weakened"},
    ),
    (
        "always true",
        SHOP,
        SHOP.replace("expect(total(cart)).toBe(3)", "expect(true).toBe(true)"),
        {"assertion-weakened"},
    ),
    ("a message becomes any error", SHOP, SHOP.replace("toThrow('no cart')", "toThrow()"), {"assertion-weakened"}),
    (
        "strictEqual becomes ok",
        NODE,
        NODE.replace("assert.strictEqual(total([1, 2]), 3)", "assert.ok(total([1, 2]))"),
        {"assertion-weakened"},
    ),
    (
        "a chai equality becomes existence",
        body("expect(f(1)).to.equal(2);"),
        body("expect(f(1)).to.exist;"),
        {"assertion-weakened"},
    ),
    (
        "called with becomes called",
        body("run();", "expect(spy).toHaveBeenCalledWith(3);"),
        body("run();", "expect(spy).toHaveBeenCalled();"),
        {"assertion-weakened"},
    ),
    (
        "fewer digits",
        body("expect(f()).toBeCloseTo(0.3, 5);"),
        body("expect(f()).toBeCloseTo(0.3, 0);"),
        {"tolerance-widened"},
    ),
    (
        "a higher limit",
        body("expect(took()).toBeLessThan(10);"),
        body("expect(took()).toBeLessThan(10000);"),
        {"tolerance-widened"},
    ),
    ("it.skip", SHOP, SHOP.replace("it('adds", "it.skip('adds"), {"test-skipped"}),
    ("xit", SHOP, SHOP.replace("it('adds", "xit('adds"), {"test-skipped"}),
    ("describe.skip", SHOP, SHOP.replace("describe('shop", "describe.skip('shop"), {"test-skipped"}),
    ("xdescribe", SHOP, SHOP.replace("describe('shop", "xdescribe('shop"), {"test-skipped"}),
    (
        "it.todo",
        SHOP,
        SHOP.replace(
            "it('adds up', () => {\n    const cart = new Cart([1, 2]);\n    expect(total(cart)).toBe(3);\n  });",
            "it.todo('adds up');",
        ),
        {"test-skipped"},
    ),
    ("it.fails", SHOP, SHOP.replace("it('adds", "it.fails('adds"), {"test-skipped"}),
    (
        "a skip option",
        NODE,
        NODE.replace("'adds up', function", "'adds up', { skip: true }, function"),
        {"test-skipped"},
    ),
    ("this.skip", NODE, NODE.replace("  assert.", "  this.skip();\n  assert."), {"test-skipped"}),
    ("it.only", SHOP, SHOP.replace("it('adds", "it.only('adds"), {"test-narrowed"}),
    ("fit", SHOP, SHOP.replace("it('adds", "fit('adds"), {"test-narrowed"}),
    ("describe.only", SHOP, SHOP.replace("describe('shop", "describe.only('shop"), {"test-narrowed"}),
    ("a deleted test", SHOP, SHOP[: SHOP.index("  it('is nothing")] + "});\n", {"test-removed"}),
    (
        "an emptied test",
        SHOP,
        SHOP.replace("    const cart = new Cart([1, 2]);\n    expect(total(cart)).toBe(3);\n", ""),
        {"test-emptied"},
    ),
    ("no assertion left", SHOP, SHOP.replace("expect(total(cart)).toBe(3)", "total(cart)"), {"assertions-gone"}),
    (
        "a return before the assertion",
        SHOP,
        SHOP.replace("    expect(total(cart))", "    return;\n    expect(total(cart))"),
        {"assertions-gone"},
    ),
    (
        "one assertion less",
        SHOP,
        SHOP.replace("    expect(new Cart([]).items).toEqual([]);\n", ""),
        {"assertion-removed"},
    ),
    (
        "caught",
        SHOP,
        SHOP.replace(
            "    expect(total(cart)).toBe(3);", "    try {\n      expect(total(cart)).toBe(3);\n    } catch (e) {}"
        ),
        {"assertion-swallowed"},
    ),
    (
        "caught and logged",
        SHOP,
        SHOP.replace(
            "    expect(total(cart)).toBe(3);",
            "    try {\n      expect(total(cart)).toBe(3);\n    } catch (e) { console.log(e); }",
        ),
        {"assertion-swallowed"},
    ),
    (
        "a rejection caught",
        body("return load().then((x) => { expect(x).toBe(3); });"),
        body("return load().then((x) => { expect(x).toBe(3); }).catch(() => {});"),
        {"assertion-swallowed"},
    ),
    (
        "under a condition",
        SHOP,
        SHOP.replace(
            "    expect(total(cart)).toBe(3);", "    if (total(cart)) {\n      expect(total(cart)).toBe(3);\n    }"
        ),
        {"assertion-conditional"},
    ),
    (
        "the subject spied away",
        SHOP.replace("total(cart)", "shop.total(cart)"),
        SHOP.replace("total(cart)", "shop.total(cart)").replace(
            "    const cart", "    jest.spyOn(shop, 'total').mockReturnValue(3);\n    const cart"
        ),
        {"subject-mocked"},
    ),
    (
        "the subject overwritten",
        SHOP.replace("total(cart)", "shop.total(cart)"),
        SHOP.replace("total(cart)", "shop.total(cart)").replace(
            "    const cart", "    shop.total = () => 3;\n    const cart"
        ),
        {"subject-mocked"},
    ),
    ("the expected value", SHOP, SHOP.replace("toBe(3)", "toBe(4)"), {"expected-changed"}),
    (
        "the module replaced",
        SHOP,
        SHOP.replace("\ndescribe", "\njest.mock('../src/shop');\n\ndescribe"),
        {"subject-mocked"},
    ),
    (
        "the module replaced by vitest",
        SHOP,
        SHOP.replace("\ndescribe", "\nvi.mock('../src/shop.ts', () => ({ total: () => 3 }));\n\ndescribe"),
        {"subject-mocked"},
    ),
    (
        "a row less",
        "it.each([[1, 10], [4, 40]])('a %i', (a, b) => {\n  expect(f(a)).toBe(b);\n});\n",
        "it.each([[1, 10]])('a %i', (a, b) => {\n  expect(f(a)).toBe(b);\n});\n",
        {"rows-removed"},
    ),
    (
        "a promise that nobody waits for",
        SHOP,
        SHOP.replace("await expect(load", "expect(load"),
        {"assertion-swallowed"},
    ),
    (
        "under if false",
        SHOP,
        SHOP.replace("    expect(total(cart)).toBe(3);", "    if (false) {\n      expect(total(cart)).toBe(3);\n    }"),
        {"assertions-gone"},
    ),
    ("empty becomes truthy", body("t.is(f(), '');"), body("t.truthy(f());"), {"assertion-weakened"}),
]

SILENT = [
    (
        "a new test",
        SHOP,
        SHOP.replace(
            "  it('is nothing", "  it('adds one', () => {\n    expect(total([1])).toBe(1);\n  });\n\n  it('is nothing"
        ),
    ),
    (
        "a new test that is skipped",
        SHOP,
        SHOP.replace(
            "  it('is nothing",
            "  it.skip('adds one', () => {\n    expect(total([1])).toBe(1);\n  });\n\n  it('is nothing",
        ),
    ),
    ("a rename", SHOP, SHOP.replace("adds up", "adds the prices up")),
    ("a renamed suite", SHOP, SHOP.replace("'shop'", "'the shop'")),
    (
        "a suite taken away",
        SHOP,
        SHOP.replace("describe('shop', () => {\n", "").replace("\n});\n", "\n", 1)
        if False
        else SHOP.replace("describe('shop'", "describe('a'"),
    ),
    (
        "a table",
        body("expect(f(1)).toBe(2);") + body("expect(f(2)).toBe(3);").replace("'a'", "'b'"),
        "it.each([[1, 2], [2, 3]])('adds %i', (given, wanted) => {\n  expect(f(given)).toBe(wanted);\n});\n",
    ),
    (
        "a split",
        SHOP,
        SHOP.replace("    expect(new Cart([]).items).toEqual([]);\n", "")
        + "\nit('has no items', () => {\n  expect(new Cart([]).items).toEqual([]);\n});\n",
    ),
    (
        "a helper",
        SHOP,
        SHOP.replace("    expect(total(cart)).toBe(3);", "    sumsTo(cart, 3);")
        + "\nfunction sumsTo(cart, wanted) {\n  expect(total(cart)).toBe(wanted);\n}\n",
    ),
    (
        "a helper in an arrow",
        SHOP,
        SHOP.replace("    expect(total(cart)).toBe(3);", "    sumsTo(cart, 3);")
        + "\nconst sumsTo = (cart, wanted) => {\n  expect(total(cart)).toBe(wanted);\n};\n",
    ),
    ("skipIf", SHOP, SHOP.replace("it('adds", "it.skipIf(process.platform === 'win32')('adds")),
    (
        "a skip under a condition",
        NODE,
        NODE.replace("  assert.", "  if (process.platform === 'win32') this.skip();\n  assert."),
    ),
    (
        "a skip option that asks",
        NODE,
        NODE.replace("'adds up', function", "'adds up', { skip: process.version < 'v20' }, function"),
    ),
    ("a skip taken away", SHOP.replace("it('adds", "it.skip('adds"), SHOP),
    ("only taken away", SHOP.replace("it('adds", "it.only('adds"), SHOP),
    (
        "reflow",
        SHOP,
        SHOP.replace("expect(total(cart)).toBe(3)", "expect(\n      total(\n        cart,\n      ),\n    ).toBe(3)"),
    ),
    ("other quotes", SHOP, SHOP.replace("'", '"')),
    (
        "from chai to jest",
        body("expect(f(1)).to.equal(2);", "expect(g(1)).to.deep.equal([1]);"),
        body("expect(f(1)).toBe(2);", "expect(g(1)).toEqual([1]);"),
    ),
    (
        "from node to vitest",
        body("assert.strictEqual(f(1), 2);", "assert.ok(g(1));"),
        body("expect(f(1)).toBe(2);", "expect(g(1)).toBeTruthy();"),
    ),
    (
        "from ava to vitest",
        body("t.is(f(1), 2);", "t.deepEqual(g(1), [1]);"),
        body("expect(f(1)).toBe(2);", "expect(g(1)).toEqual([1]);"),
    ),
    (
        "from done to async",
        NODE,
        NODE.replace("function (done)", "async function ()")
        .replace("  request", "  await request")
        .replace(", done", ""),
    ),
    ("toBe true becomes truthy", body("expect(f(1)).toBe(true);"), body("expect(f(1)).toBeTruthy();")),
    ("toEqual becomes toStrictEqual", SHOP, SHOP.replace("toEqual(0)", "toStrictEqual(0)")),
    ("stronger", SHOP.replace("toBe(3)", "toBeTruthy()"), SHOP),
    ("more digits", body("expect(f()).toBeCloseTo(0.3, 2);"), body("expect(f()).toBeCloseTo(0.3, 5);")),
    ("another input and another expectation", SHOP, SHOP.replace("[1, 2]", "[1, 2, 3]").replace("toBe(3)", "toBe(6)")),
    (
        "a result named",
        SHOP,
        SHOP.replace(
            "    expect(total(cart)).toBe(3);", "    const result = total(cart);\n    expect(result).toBe(3);"
        ),
    ),
    (
        "a stand-in for a collaborator",
        SHOP,
        SHOP.replace("    const cart", "    jest.spyOn(prices, 'fetch').mockReturnValue({});\n    const cart"),
    ),
    (
        "a spy that lets through",
        SHOP.replace("total(cart)", "shop.total(cart)"),
        SHOP.replace("total(cart)", "shop.total(cart)").replace(
            "    const cart", "    jest.spyOn(shop, 'total');\n    const cart"
        ),
    ),
    (
        "caught and thrown",
        SHOP,
        SHOP.replace(
            "    expect(total(cart)).toBe(3);",
            "    try {\n      expect(total(cart)).toBe(3);\n    } catch (e) { console.log(cart); throw e; }",
        ),
    ),
    (
        "with a finally",
        SHOP,
        SHOP.replace(
            "    expect(total(cart)).toBe(3);",
            "    try {\n      expect(total(cart)).toBe(3);\n    } finally { close(); }",
        ),
    ),
    (
        "an error looked at",
        body("await expect(f()).rejects.toThrow('a');"),
        body("try {", "  await f();", "  assert.fail();", "} catch (e) {", "  expect(e.message).toBe('a');", "}"),
    ),
    (
        "under a platform",
        SHOP,
        SHOP.replace(
            "    expect(total(cart)).toBe(3);",
            "    if (process.platform !== 'win32') {\n      expect(total(cart)).toBe(3);\n    }",
        ),
    ),
    ("a comment", SHOP, SHOP.replace("    const cart", "    // Two items.\n    const cart")),
    ("function to arrow", NODE, NODE.replace("function (done) {", "(done) => {")),
    ("to TypeScript", SHOP, SHOP.replace("const cart =", "const cart: Cart =")),
    ("a collaborator's module replaced", SHOP, SHOP.replace("\ndescribe", "\njest.mock('../src/prices');\n\ndescribe")),
    (
        "a module replaced in part",
        SHOP,
        SHOP.replace(
            "\ndescribe",
            "\njest.mock('../src/shop', () => ({ ...jest.requireActual('../src/shop'), log: jest.fn() }));\n\ndescribe",
        ),
    ),
    (
        "a promise that is returned",
        "it('a', async () => {\n  await expect(f()).rejects.toThrow('x');\n});\n",
        "it('a', () => {\n  return expect(f()).rejects.toThrow('x');\n});\n",
    ),
]
