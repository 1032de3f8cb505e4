"""Text that is not what it looks like."""

from typing import Final

from verify_lsp.security.rule import Rule, Text

_CODE: Final = (
    "python",
    "javascript",
    "typescript",
    "go",
    "rust",
    "shell",
    "yaml",
    "dockerfile",
    "terraform",
    "make",
    "config",
    "json",
    "other",
    "markup",
    "env",
)
_DIRECTIONS: Final = tuple(chr(number) for number in (*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
_TAGS: Final = tuple(chr(number) for number in range(0xE0020, 0xE0080))
_INVISIBLE: Final = ("\u200b", "\u2060", "\u200c", "\u200d", "\u3164", "\uffa0")
_LOOKALIKES: Final = tuple(
    chr(number) for number in (0x430, 0x435, 0x43E, 0x440, 0x441, 0x443, 0x445, 0x456, 0x455, 0x458, 0x4BB, 0x3BF)
)

RULES: Final = (
    Rule(
        id="bidi-trojan-source",
        title="The text reads in another order than it runs",
        severity="critical",
        languages=_CODE,
        anchors=_DIRECTIONS,
        match=(
            Text(r"[\x{202A}-\x{202E}\x{2066}-\x{2069}]", unless=r"[\x{0590}-\x{08FF}\x{FB1D}-\x{FEFC}]", within="any"),
        ),
        message="A character that turns the direction of text stands here, unseen: what is read is not what runs",
        suggestion="Take the character out, or write it as an escape.",
        cwe=("CWE-1007",),
        bad=("if access != 'user\u202e \u2066// admin only\u2069 \u2066':",),
        good=("if access != 'user': # admin only", "mark = '\\u202e'"),
    ),
    Rule(
        id="hidden-unicode-tag",
        title="Text is hidden in characters that nobody sees",
        severity="high",
        languages=(*_CODE, "prose"),
        anchors=_TAGS,
        match=(Text(r"[\x{E0020}-\x{E007F}]", unless=r"\x{1F3F4}", within="any"),),
        message="Characters without a shape carry a hidden text, which programs and language models read",
        suggestion="Take them out.",
        cwe=("CWE-1007",),
        bad=("note = 'hi\U000e0068\U000e0069'",),
        good=("flag = '\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f'",),
    ),
    Rule(
        id="invisible-in-name",
        title="A name holds a character that nobody sees",
        severity="high",
        languages=("python", "javascript", "typescript", "go", "rust"),
        anchors=_INVISIBLE,
        match=(
            Text(
                r"[A-Za-z_$][\x{200B}\x{2060}\x{200C}\x{200D}\x{3164}\x{FFA0}]|[\x{3164}\x{FFA0}]\s*[=,})]",
                within="code",
            ),
        ),
        message="Two names that look the same are not",
        suggestion="Take the character out.",
        cwe=("CWE-1007",),
        bad=("#! a.js\nconst user\u3164 = 1;", "#! a.js\nconst {a, \u3164} = req.query;"),
        good=("#! a.js\nconst s = 'a\u200bb';", "#! a.js\nconst user = 1;"),
    ),
    Rule(
        id="lookalike-in-name",
        title="A name mixes letters that look the same",
        severity="medium",
        languages=("python", "javascript", "typescript", "go", "rust"),
        anchors=_LOOKALIKES,
        match=(
            Text(
                r"[A-Za-z_][\x{0430}\x{0435}\x{043E}\x{0440}\x{0441}\x{0443}\x{0445}\x{0456}\x{0455}\x{0458}\x{04BB}\x{03BF}]|[\x{0430}\x{0435}\x{043E}\x{0440}\x{0441}\x{0443}\x{0445}\x{0456}\x{0455}\x{0458}\x{04BB}\x{03BF}][A-Za-z]",
                within="code",
            ),
        ),
        message="A Cyrillic or Greek letter stands among Latin ones, so that two names look the same and are not",
        suggestion="Write the name in one alphabet.",
        cwe=("CWE-1007",),
        bad=("#! a.py\ndef is_\u0430dmin(user): return True",),
        good=("#! a.py\n\u043f\u0440\u0438\u0432\u0435\u0442 = 1", "#! a.py\nx = 'a\u0430'", "#! a.py\n# a\u0430"),
    ),
)
