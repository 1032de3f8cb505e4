"""A small Go program that tests of mutants run on."""

SHOP = """\
package shop

func Price(amount int, member bool) int {
	if amount >= 100 && member {
		return amount - 10
	}
	return amount
}

func Unused(amount int) bool {
	return amount > 1
}
"""
