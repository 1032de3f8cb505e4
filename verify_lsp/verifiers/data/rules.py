"""What the verifiers of data can find: every rule, how severe it is, and whether it may carry a rewrite."""

import attrs

from verify_lsp.model.finding import Severity


@attrs.frozen
class DataRule:
    """A rule of a verifier.

    Attributes:
        id: "json.trailing-comma"; what stands before the dot is the format. JSON's rules hold for all its dialects.
        fixable: True when its problems carry a rewrite where that is certain.
    """

    id: str
    severity: Severity
    description: str
    fixable: bool = False


RULES: tuple[DataRule, ...] = (
    DataRule("json.after-end", "high", "Something stands after the end of the value."),
    DataRule("json.bom", "medium", "The file begins with a byte order mark.", fixable=True),
    DataRule("json.bracket", "high", "A bracket is closed by the other kind, or one is too many."),
    DataRule("json.character", "high", "A character that means nothing outside of strings."),
    DataRule("json.comment", "high", "A comment where the dialect has none, or an unclosed one.", fixable=True),
    DataRule("json.conflict", "high", "A merge conflict was left in the file."),
    DataRule("json.control-character", "high", "A control character in a string.", fixable=True),
    DataRule("json.duplicate-key", "medium", "A key stands twice in one object.", fixable=True),
    DataRule("json.empty", "high", "The file is empty."),
    DataRule("json.encoding", "high", "The file is not UTF-8."),
    DataRule("json.escape", "high", "An escape that the dialect does not have."),
    DataRule("json.literal", "high", "A bare word that is no value: `True`, `undefined`.", fixable=True),
    DataRule("json.missing-colon", "high", "No colon stands between a key and its value."),
    DataRule("json.missing-comma", "high", "No comma stands between two elements.", fixable=True),
    DataRule("json.missing-value", "high", "Nothing stands where a value must."),
    DataRule("json.nan", "high", "`NaN` or `Infinity`."),
    DataRule("json.number", "high", "A number in a form that the dialect does not have."),
    DataRule("json.quote", "high", "A double quote within a string is not escaped."),
    DataRule("json.several-values", "high", "A second value follows the first one (NDJSON in a .json file)."),
    DataRule("json.single-quotes", "high", "A string in single quotes.", fixable=True),
    DataRule("json.trailing-comma", "high", "A comma stands after the last element.", fixable=True),
    DataRule("json.unclosed", "high", "The file ends before a bracket is closed."),
    DataRule("json.unclosed-string", "high", "A string has no closing quote on its line."),
    DataRule("json.unexpected", "high", "Something else stands where a value, key or comma must."),
    DataRule("json.unquoted-key", "high", "A key without quotes.", fixable=True),
    DataRule("yaml.alias", "high", "A bare text begins with `*` or `&`."),
    DataRule("yaml.block-text", "high", "What stands behind `|` or `>`, or the blank lines below, is not right."),
    DataRule("yaml.bracket", "high", "A comma or a closing bracket is missing in a flow list or mapping."),
    DataRule("yaml.character", "high", "A character that may not stand in YAML, or not begin a bare text."),
    DataRule("yaml.colon", "high", "A colon too many, or a line that is neither `key: value` nor a list item."),
    DataRule("yaml.comment", "high", "No space stands before the `#` of a comment.", fixable=True),
    DataRule("yaml.conflict", "high", "A merge conflict was left in the file."),
    DataRule("yaml.directive", "high", "A `%` directive within a document, twice, or in a wrong form."),
    DataRule("yaml.duplicate-key", "medium", "A key, or `<<`, stands twice in one mapping.", fixable=True),
    DataRule("yaml.escape", "high", "An escape that does not exist, in double quotes."),
    DataRule("yaml.indentation", "high", "A line does not fit into the list or mapping it stands in."),
    DataRule("yaml.quote", "high", "Something follows the closing quote of a text."),
    DataRule("yaml.quote-indentation", "medium", "A text in quotes goes on on a line that is indented too little."),
    DataRule("yaml.syntax", "high", "Something else that the parser does not read."),
    DataRule("yaml.tab", "high", "A tab where YAML counts spaces.", fixable=True),
    DataRule("yaml.unclosed-string", "high", "A quote is never closed."),
    DataRule("yaml.undefined-alias", "high", "An alias whose anchor does not stand before it in the document."),
    DataRule("yaml.unquoted-template", "high", "A bare `{{ … }}` in a file for Ansible."),
    DataRule("yaml.version", "low", "YAML 1.2 that readers of YAML 1.1 refuse."),
    DataRule("workflow.empty", "high", "The workflow is empty, or no mapping."),
    DataRule("workflow.encoding", "high", "The file is not UTF-8."),
    DataRule("workflow.expression", "high", "`${{` is never closed."),
    DataRule("workflow.job", "high", "A job is no mapping, or has `steps` beside `uses`."),
    DataRule("workflow.missing", "high", "`on` or `jobs` is missing."),
    DataRule("workflow.runs-on", "high", "A job has neither `runs-on` nor `uses`."),
    DataRule("workflow.step", "high", "A step has neither `run` nor `uses`, or both."),
    DataRule("toml.bracket", "high", "A list or inline table is not closed, or a comma is missing in it."),
    DataRule("toml.character", "high", "A character that may not stand here."),
    DataRule("toml.conflict", "high", "A merge conflict was left in the file."),
    DataRule("toml.duplicate-key", "high", "A key or table is declared twice.", fixable=True),
    DataRule("toml.encoding", "high", "The file is not UTF-8."),
    DataRule("toml.equals", "high", "A key without `=` and a value."),
    DataRule("toml.escape", "high", "An escape that does not exist, in double quotes."),
    DataRule("toml.line", "high", "Something stands after the end of a value."),
    DataRule("toml.statement", "high", "A line that is no `key = value` and no `[table]`."),
    DataRule("toml.syntax", "high", "Something else that the reader does not read."),
    DataRule("toml.unclosed-string", "high", "A string has no closing quote."),
    DataRule("toml.value", "high", "What stands after `=` is no value."),
    DataRule("toml.version", "medium", "Something needs TOML 1.1."),
    DataRule("xml.after-end", "high", "Something stands after the root element."),
    DataRule("xml.ampersand", "high", "A bare `&`."),
    DataRule("xml.attribute", "high", "An attribute stands twice in one element."),
    DataRule("xml.character", "high", "A control character."),
    DataRule("xml.conflict", "high", "A merge conflict was left in the file."),
    DataRule("xml.declaration", "high", "The XML declaration is not the first thing in the file."),
    DataRule("xml.empty", "high", "There is no root element."),
    DataRule("xml.entity", "high", "An entity is not defined."),
    DataRule("xml.less-than", "high", "A bare `<`."),
    DataRule("xml.mismatched-tag", "high", "A tag closes another one than is open."),
    DataRule("xml.syntax", "high", "Something else that is not well-formed."),
    DataRule("xml.unclosed", "high", "An element, comment, quote or CDATA section is never closed."),
    DataRule("ini.conflict", "high", "A merge conflict was left in the file."),
    DataRule("ini.duplicate-option", "high", "An option stands twice in one section.", fixable=True),
    DataRule("ini.duplicate-section", "high", "A section stands twice."),
    DataRule("ini.encoding", "high", "The file is not UTF-8."),
    DataRule("ini.line", "high", "A line that is no option, no section and no comment."),
    DataRule("ini.section", "high", "Something stands before the first section."),
    DataRule("env.duplicate-key", "medium", "A variable is set twice.", fixable=True),
    DataRule("env.encoding", "high", "The file is not UTF-8."),
    DataRule("env.line", "high", "A line that is no `NAME=value` and no comment."),
    DataRule("env.name", "high", "A name with spaces or other characters that no reader takes."),
    DataRule("env.unclosed-quote", "high", "A quote is never closed."),
    DataRule("dockerfile.arguments", "high", "An instruction has too few or too many arguments."),
    DataRule("dockerfile.empty", "high", "There is no instruction."),
    DataRule("dockerfile.encoding", "high", "The file is not UTF-8."),
    DataRule("dockerfile.exec-form", "medium", "A list of arguments is no JSON (an error for SHELL)."),
    DataRule("dockerfile.from-first", "high", "Something but ARG stands before the first FROM."),
    DataRule("dockerfile.heredoc", "high", "A here-document has no end."),
    DataRule("dockerfile.instruction", "high", "A word that is no instruction."),
)
