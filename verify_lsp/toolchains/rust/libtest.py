"""What Rust's test harness prints: a block for each program, from `running 3 tests` to `test result:`.

Output of failing tests stands inside of a block and may look like anything. A result line only counts
when its numbers add up to what the block announced.
"""

import re

import attrs

from verify_lsp.model.testrun import CaseOutcome

_OUTCOMES: dict[str, CaseOutcome] = {"ok": "passed", "FAILED": "failed", "ignored": "skipped"}
_RUNNING = re.compile(r"running (?P<count>\d+) tests?")
_TEST = re.compile(
    r"test (?P<name>\S.*?)(?: - (?:should panic|compile fail|compile))? \.\.\. (?P<word>ok|FAILED|ignored)(?:, .*| <.*>)?"
)
_RESULT = re.compile(
    r"test result: (?P<word>ok|FAILED)\. (?P<passed>\d+) passed; (?P<failed>\d+) failed; (?P<ignored>\d+) ignored; "
    r"(?P<measured>\d+) measured; (?P<filtered>\d+) filtered out(?:; finished in \d+\.\d+s)?"
)
_SECTION = re.compile(r"---- (?P<name>.+) (?:stdout|stderr) ----")
_DOC_LINE = re.compile(r" \(line (?P<line>\d+)\)$")


@attrs.define
class Block:
    """One test program's output.

    Attributes:
        announced: How many tests it was going to run.
        outcomes: The tests it named, in the order in which they ended.
        said: What failing tests printed, by name.
        result: Passed, failed, ignored, measured and filtered out; None when it did not come to its end.
    """

    announced: int
    outcomes: dict[str, CaseOutcome] = attrs.field(factory=dict)
    said: dict[str, list[str]] = attrs.field(factory=dict)
    result: tuple[int, int, int, int, int] | None = None

    @property
    def failed(self) -> bool:
        """Whether a test failed, or the program did not come to its end."""
        return self.result is None or self.result[1] > 0

    def is_doc(self) -> bool:
        """Whether these are examples in comments."""
        return any(_DOC_LINE.search(name) for name in self.outcomes)


def read_blocks(text: str) -> list[Block]:
    """Return the blocks in what test programs printed, one after another."""
    blocks: list[Block] = []
    reader: _Reader | None = None
    for line in text.split("\n"):
        found = _RUNNING.fullmatch(line)
        if found and (reader is None or not reader.in_failures):
            reader = _Reader(Block(int(found["count"])))
            blocks.append(reader.block)
        elif reader is not None and reader.take(line):
            reader = None
    return blocks


class _Reader:
    def __init__(self, block: Block) -> None:
        self.block = block
        self.in_failures = False
        self._section: list[str] | None = None

    def take(self, line: str) -> bool:
        """Take a line of the block; return whether it was the last one."""
        if (found := _RESULT.fullmatch(line)) and self._adds_up(found):
            self.block.result = (
                int(found["passed"]),
                int(found["failed"]),
                int(found["ignored"]),
                int(found["measured"]),
                int(found["filtered"]),
            )
            self._cut_closing_list()
            return True
        if self.in_failures:
            self._failure_line(line)
        elif line == "failures:":
            self.in_failures = True
        elif found := _TEST.fullmatch(line):
            self.block.outcomes[found["name"]] = _OUTCOMES[found["word"]]
        return False

    def _failure_line(self, line: str) -> None:
        found = _SECTION.fullmatch(line)
        if found and self.block.outcomes.get(found["name"]) == "failed" and found["name"] not in self.block.said:
            self._section = self.block.said.setdefault(found["name"], [])
        elif self._section is not None:
            self._section.append(line)

    def _cut_closing_list(self) -> None:
        """Behind what failing tests said stands the list of their names, headed like the part before it."""
        if self._section and "failures:" in self._section:
            del self._section[len(self._section) - 1 - self._section[::-1].index("failures:") :]

    def _adds_up(self, found: re.Match[str]) -> bool:
        told = sum(int(found[name]) for name in ("passed", "failed", "ignored", "measured"))
        failed = int(found["failed"])
        named = sum(outcome == "failed" for outcome in self.block.outcomes.values())
        return told == self.block.announced and (failed > 0) == (found["word"] == "FAILED") and failed >= named


def doc_places(names: list[str]) -> dict[str, str]:
    """Return steady names for examples in comments, without the line that moves with every edit.

    `src/lib.rs - add (line 5)` and `src/lib.rs - add (line 9)` become `src/lib.rs - add` and `src/lib.rs - add #2`.
    """
    lines = {name: int(found["line"]) for name in names if (found := _DOC_LINE.search(name))}
    steady: dict[str, str] = {}
    seen: dict[str, int] = {}
    for name in sorted(lines, key=lambda name: lines[name]):
        item = _DOC_LINE.sub("", name).removesuffix(" -")
        seen[item] = seen.get(item, 0) + 1
        steady[name] = item if seen[item] == 1 else f"{item} #{seen[item]}"
    return steady
