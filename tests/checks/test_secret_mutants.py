"""A secret that the change brought is in no word about a mutant beside it."""

from tests.harness.mutation import mutated, prepared, ran
from verify_lsp.security.samples import filled

TOKEN, PASSWORD = filled("«github:ghp_»"), filled("«password»")
SHOP = f"""\
def price(amount, token="{TOKEN}"):
    if token == "{TOKEN}":
        return "{TOKEN}"
    return amount


def login(name, password="{PASSWORD}"):
    return name + password
"""
TESTS = "from shop import login, price\n\n\ndef test_all():\n    price(1)\n    login('a')\n"


def test_neither_findings_nor_mutants_hold_it(tmp_path):
    outcome = ran(mutated(prepared(tmp_path, {"shop.py": SHOP, "test_shop.py": TESTS}, "shop.py")))

    hidden = [one for one in outcome.mutants if one.original == "…"]
    assert hidden
    assert len(hidden) < len(outcome.mutants)
    said = repr((outcome.mutants, outcome.findings, outcome.summary))
    assert TOKEN[8:] not in said
    assert PASSWORD not in said
