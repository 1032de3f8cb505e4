"""What the verifiers of programs can find."""

from verify_lsp.verifiers.data.rules import DataRule

RULES: tuple[DataRule, ...] = (
    DataRule("python.syntax", "high", "The file does not compile with the Python of its project."),
    DataRule("python.newer-syntax", "medium", "Syntax that is newer than the project's interpreter."),
    DataRule("javascript.syntax", "high", "The file does not parse."),
    DataRule("typescript.syntax", "high", "The file does not parse."),
    DataRule("go.syntax", "high", "The file does not parse."),
    DataRule("go.compile", "high", "The file's package does not compile."),
    DataRule("go.missing-module", "medium", "A module that is imported is not in the build list."),
    DataRule("go.vet.*", "medium", "What an analyzer of go vet finds."),
    DataRule("rust.syntax", "high", "The file does not parse."),
    DataRule("shell.syntax", "high", "The script does not parse."),
)
