from pathlib import Path

from verify_lsp.settings.options import FIELDS
from verify_lsp.settings.page import settings_page

PAGE = Path(__file__).parents[2] / "docs" / "settings.md"


def test_the_settings_page_is_fresh():
    before = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    PAGE.write_text(settings_page(), encoding="utf-8")

    assert before == settings_page(), "docs/settings.md was stale; it has been rewritten"


def test_the_page_names_every_setting():
    rows = [line.split("|")[1].strip(" `") for line in settings_page().splitlines() if line.startswith("| `")]

    assert rows == list(FIELDS)
