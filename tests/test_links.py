"""Every link between the project's own pages leads somewhere."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = [
    *ROOT.glob("*.md"),
    *ROOT.glob("docs/**/*.md"),
    *ROOT.glob("benchmarks/*.md"),
    ROOT / "tests" / "tools" / "README.md",
]


def test_every_relative_link_leads_to_a_file():
    broken = [
        (str(page.relative_to(ROOT)), link)
        for page in PAGES
        for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        if not re.match(r"[a-z]+:", link) and not (page.parent / link).exists()
    ]

    assert len(PAGES) > 10
    assert broken == []
