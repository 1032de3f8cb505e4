"""Rust tests before and after a change: what is named, and the honest twins that stay silent."""

SHOP = """pub fn total(cart: &Cart) -> u32 {
    cart.items.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds_up() {
        let cart = Cart::new(&[1, 2]);
        assert_eq!(total(&cart), 3);
    }

    #[test]
    fn is_nothing_at_first() {
        let empty = Cart::new(&[]);
        assert!(empty.items.is_empty());
        assert_eq!(load(None), Err(Error::NoCart));
    }
}
"""


def body(*lines):
    return "#[test]\nfn a() {\n" + "".join(f"    {line}\n" for line in lines) + "}\n"


POSITIVE = [
    (
        "equality becomes a bound",
        SHOP,
        SHOP.replace("assert_eq!(total(&cart), 3)", "assert!(total(&cart) > 0)"),
        {"assertion-weakened"},
    ),
    (
        "equality becomes a difference",
        SHOP,
        SHOP.replace("assert_eq!(total(&cart), 3)", "assert_ne!(total(&cart), 4)"),
        {"assertion-weakened"},
    ),
    (
        "an error becomes any error",
        SHOP,
        SHOP.replace("assert_eq!(load(None), Err(Error::NoCart))", "assert!(load(None).is_err())"),
        {"assertion-weakened"},
    ),
    ("always true", SHOP, SHOP.replace("assert_eq!(total(&cart), 3)", "assert!(true)"), {"assertion-weakened"}),
    (
        "equal or true",
        SHOP,
        SHOP.replace("assert_eq!(total(&cart), 3)", "assert!(total(&cart) == 3 || true)"),
        {"assertion-weakened"},
    ),
    (
        "equality becomes containment",
        body('assert_eq!(name(), "a b");'),
        body('assert!(name().contains("a"));'),
        {"assertion-weakened"},
    ),
    (
        "a panic of a kind becomes any",
        body("f();").replace("#[test]", '#[test]\n#[should_panic(expected = "no")]'),
        body("f();").replace("#[test]", "#[test]\n#[should_panic]"),
        {"assertion-weakened"},
    ),
    ("a higher limit", body("assert!(took() < 10);"), body("assert!(took() < 1000);"), {"tolerance-widened"}),
    (
        "ignore",
        SHOP,
        SHOP.replace("    #[test]\n    fn adds", "    #[test]\n    #[ignore]\n    fn adds"),
        {"test-skipped"},
    ),
    (
        "ignore with a reason",
        SHOP,
        SHOP.replace("    #[test]\n    fn adds", '    #[test]\n    #[ignore = "flaky"]\n    fn adds'),
        {"test-skipped"},
    ),
    (
        "a configuration that never is",
        SHOP,
        SHOP.replace("    #[test]\n    fn adds", "    #[test]\n    #[cfg(any())]\n    fn adds"),
        {"test-skipped"},
    ),
    (
        "a panic expected",
        SHOP,
        SHOP.replace("    #[test]\n    fn adds", "    #[test]\n    #[should_panic]\n    fn adds"),
        {"test-skipped"},
    ),
    ("a deleted test", SHOP, SHOP[: SHOP.index("\n    #[test]\n    fn is_nothing")] + "}\n", {"test-removed"}),
    ("an attribute taken away", SHOP, SHOP.replace("    #[test]\n    fn adds", "    fn adds"), {"test-removed"}),
    (
        "an emptied test",
        SHOP,
        SHOP.replace("        let cart = Cart::new(&[1, 2]);\n        assert_eq!(total(&cart), 3);\n", ""),
        {"test-emptied"},
    ),
    ("no assertion left", SHOP, SHOP.replace("assert_eq!(total(&cart), 3)", "total(&cart)"), {"assertions-gone"}),
    (
        "a return before the assertion",
        SHOP,
        SHOP.replace("        assert_eq!(total", "        return;\n        assert_eq!(total"),
        {"assertions-gone"},
    ),
    ("one assertion less", SHOP, SHOP.replace("        assert!(empty.items.is_empty());\n", ""), {"assertion-removed"}),
    (
        "caught",
        SHOP,
        SHOP.replace(
            "assert_eq!(total(&cart), 3);", "let _ = std::panic::catch_unwind(|| { assert_eq!(total(&cart), 3); });"
        ),
        {"assertion-swallowed"},
    ),
    (
        "under a condition",
        SHOP,
        SHOP.replace("assert_eq!(total(&cart), 3);", "if total(&cart) > 0 { assert_eq!(total(&cart), 3); }"),
        {"assertion-conditional"},
    ),
    ("the expected value", SHOP, SHOP.replace("&cart), 3)", "&cart), 4)"), {"expected-changed"}),
    (
        "a recorded text becomes truth",
        body('assert_data_eq!(f(1), str![["a"]]);'),
        body("assert!(f(1));"),
        {"assertion-weakened"},
    ),
]

SILENT = [
    (
        "a new test",
        SHOP,
        SHOP[:-2] + "\n    #[test]\n    fn adds_one() {\n        assert_eq!(total(&Cart::new(&[1])), 1);\n    }\n}\n",
    ),
    (
        "a new test that is ignored",
        SHOP,
        SHOP[:-2]
        + "\n    #[test]\n    #[ignore]\n    fn adds_one() {\n        assert_eq!(total(&Cart::new(&[1])), 1);\n    }\n}\n",
    ),
    ("a rename", SHOP, SHOP.replace("adds_up", "adds_the_prices_up")),
    ("a renamed module", SHOP, SHOP.replace("mod tests", "mod test")),
    (
        "a split",
        SHOP,
        SHOP.replace("        assert!(empty.items.is_empty());\n", "")[:-2]
        + "\n    #[test]\n    fn no_items() {\n        let empty = Cart::new(&[]);\n        assert!(empty.items.is_empty());\n    }\n}\n",
    ),
    (
        "a helper",
        SHOP,
        SHOP.replace("assert_eq!(total(&cart), 3)", "sums_to(&cart, 3)")[:-2]
        + "\n    fn sums_to(cart: &Cart, wanted: u32) {\n        assert_eq!(total(cart), wanted);\n    }\n}\n",
    ),
    (
        "ignored on a platform",
        SHOP,
        SHOP.replace("    #[test]\n    fn adds", "    #[test]\n    #[cfg_attr(windows, ignore)]\n    fn adds"),
    ),
    (
        "only on a platform",
        SHOP,
        SHOP.replace("    #[test]\n    fn adds", "    #[test]\n    #[cfg(unix)]\n    fn adds"),
    ),
    ("no longer ignored", SHOP.replace("    #[test]\n    fn adds", "    #[test]\n    #[ignore]\n    fn adds"), SHOP),
    ("assert to assert_eq", body("assert!(f(1) == 2);"), body("assert_eq!(f(1), 2);")),
    ("expected and actual swapped", SHOP, SHOP.replace("total(&cart), 3", "3, total(&cart)")),
    ("a message", SHOP, SHOP.replace("total(&cart), 3", 'total(&cart), 3, "the sum"')),
    ("unwrap in place of Ok", body("assert_eq!(f(1), Ok(2));"), body("assert_eq!(f(1).unwrap(), 2);")),
    ("an empty length", body("assert_eq!(f(1).len(), 0);"), body("assert!(f(1).is_empty());")),
    ("a borrowed text", body('assert_eq!(f(1), "a".to_string());'), body('assert_eq!(&f(1), "a");')),
    ("stronger", SHOP.replace("assert_eq!(total(&cart), 3)", "assert!(total(&cart) > 0)"), SHOP),
    ("another input and another expectation", SHOP, SHOP.replace("&[1, 2]", "&[1, 2, 3]").replace("), 3)", "), 6)")),
    (
        "a result named",
        SHOP,
        SHOP.replace("assert_eq!(total(&cart), 3)", "let sum = total(&cart);\n        assert_eq!(sum, 3)"),
    ),
    (
        "async",
        body("assert_eq!(f(1), 2);"),
        body("assert_eq!(f(1), 2);").replace("#[test]\nfn", "#[tokio::test]\nasync fn"),
    ),
    ("two conditions", body("assert!(f(1) && g(2));"), body("assert!(f(1));", "assert!(g(2));")),
    (
        "reflow",
        SHOP,
        SHOP.replace(
            "assert_eq!(total(&cart), 3)", "assert_eq!(\n            total(&cart),\n            3,\n        )"
        ),
    ),
    (
        "under a platform",
        SHOP,
        SHOP.replace("assert_eq!(total(&cart), 3);", "if cfg!(unix) { assert_eq!(total(&cart), 3); }"),
    ),
    ("a comment", SHOP, SHOP.replace("        let cart", "        // Two items.\n        let cart")),
]
