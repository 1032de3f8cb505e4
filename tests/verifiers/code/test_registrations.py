from pathlib import Path

import pytest

from verify_lsp.verifiers.base import Subject
from verify_lsp.verifiers.registry import thorough_for, verifier_for
from verify_lsp.verifiers.verify import verify_text


@pytest.mark.parametrize(
    ("name", "first_line", "verifier"),
    [
        *(
            ("a.py", "", "python"),
            ("A.PYI", "", "python"),
            ("a.pyw", "", "python"),
            ("tool", "#!/usr/bin/env python3", "python"),
        ),
        *(("a.js", "", "javascript"), ("a.jsx", "", "javascript"), ("tool", "#!/usr/bin/env node", "javascript")),
        *(("a.ts", "", "typescript"), ("a.d.ts", "", "typescript"), ("a.tsx", "", "typescript"), ("a.go", "", "go")),
        *(("a.rs", "", "rust"), ("a.sh", "", "shell"), ("configure", "#! /bin/sh", "shell"), ("a.bash", "", "shell")),
    ],
)
def test_a_file_finds_its_verifier_by_its_name_or_its_first_line(name, first_line, verifier):
    assert verifier_for(Path(name), first_line).name == verifier


def test_all_but_typescript_have_a_tool_for_saved_files():
    tools = {name: thorough_for(Path(name)) for name in ("a.py", "a.js", "a.ts", "a.go", "a.rs", "a.sh")}

    assert {name for name, tool in tools.items() if tool is None} == {"a.ts"}
    assert not any(tool.executes for tool in tools.values() if tool is not None)


def test_a_memory_of_the_callers_is_filled_and_used():
    memory = {}

    def seen(text):
        return verify_text(Subject(Path("/nowhere/a.py"), text, memory=memory))

    assert seen("x = 1\ny = 2\n").problems == ()
    assert seen("x = 1\ny = (\n").problems[0].line == 2
    assert seen("x = 1\ny = (3)\n").problems == ()
    assert "python" in memory
