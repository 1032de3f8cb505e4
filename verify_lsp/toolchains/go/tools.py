"""Go: `go vet` checks, `go test` tests, gopls serves."""

from verify_lsp.toolchains.base import Tools
from verify_lsp.toolchains.go.gopls import gopls
from verify_lsp.toolchains.go.linters import lint
from verify_lsp.toolchains.go.module import root_of
from verify_lsp.toolchains.go.own_command import go_tests_by
from verify_lsp.toolchains.go.summary import parse_tests
from verify_lsp.toolchains.go.tests_json import go_tests
from verify_lsp.toolchains.go.vet import vet

TOOLS = Tools(
    root_of=root_of,
    project_check=vet,
    tests=go_tests,
    lint=lint,
    language_server=gopls,
    parse_tests=parse_tests,
    tests_by=go_tests_by,
)
