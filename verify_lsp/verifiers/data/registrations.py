"""Which names are data, and what judges each. Parsers are imported when a file is to be judged."""

from collections.abc import Callable

from verify_lsp.verifiers.base import Subject, TextVerifier, Verdict
from verify_lsp.verifiers.data.json_text import dialect, names
from verify_lsp.verifiers.registration import Registration


def _json(of: dialect.Dialect) -> Callable[[Subject], Verdict]:
    def verify(subject: Subject) -> Verdict:
        from verify_lsp.verifiers.data.json_text.verifier import verify_json

        return verify_json(subject, of)

    return verify


def _json_lines(subject: Subject) -> Verdict:
    from verify_lsp.verifiers.data.json_text.verifier import verify_json_lines

    return verify_json_lines(subject)


def _yaml(subject: Subject) -> Verdict:
    from verify_lsp.verifiers.data.yaml_text.verifier import verify_yaml

    return verify_yaml(subject)


def _json_or_yaml(subject: Subject) -> Verdict:
    """Programs that find their configuration by such a name try one after the other, and take comments."""
    as_json = _json(dialect.WITH_COMMENTS)(subject)
    if not as_json.problems and as_json.skipped is None:
        return as_json
    return as_json if subject.text.lstrip("\ufeff \t\r\n").startswith(("{", "//", "/*")) else _yaml(subject)


def _toml(subject: Subject) -> Verdict:
    from verify_lsp.verifiers.data.toml_text.verifier import verify_toml

    return verify_toml(subject)


def _workflow(subject: Subject) -> Verdict:
    from verify_lsp.verifiers.data.yaml_text.workflows import verify_workflow

    return verify_workflow(subject)


def _xml(subject: Subject) -> Verdict:
    from verify_lsp.verifiers.data.xml_text import verify_xml

    return verify_xml(subject)


def _environment_file(subject: Subject) -> Verdict:
    from verify_lsp.verifiers.data.environment_file import verify_environment_file

    return verify_environment_file(subject)


def _dockerfile(subject: Subject) -> Verdict:
    from verify_lsp.verifiers.data.dockerfile import verify_dockerfile

    return verify_dockerfile(subject)


def _ini(subject: Subject) -> Verdict:
    from verify_lsp.verifiers.data.ini_text import verify_ini

    return verify_ini(subject)


_INI_NAMES = (
    "setup.cfg",
    "tox.ini",
    "pytest.ini",
    ".pytest.ini",
    "mypy.ini",
    ".mypy.ini",
    ".flake8",
    ".coveragerc",
    ".pylintrc",
    "pylintrc",
    ".isort.cfg",
    ".bumpversion.cfg",
    "pip.conf",
)
_XML_NAMES = (
    ".xml",
    ".xsd",
    ".xsl",
    ".xslt",
    ".svg",
    ".rss",
    ".atom",
    ".xhtml",
    ".plist",
    ".csproj",
    ".vbproj",
    ".fsproj",
    ".vcxproj",
    ".wixproj",
    "directory.*.props",
    "directory.*.targets",
    ".nuspec",
    ".resx",
    ".xaml",
    ".wsdl",
    ".gpx",
    ".kml",
    ".xlf",
    ".xliff",
    ".iml",
    ".storyboard",
    ".xib",
    ".jmx",
    ".qrc",
    "app.config",
    "web.config",
    "nuget.config",
    "packages.config",
)
_ENVIRONMENT_NAMES = (".env", ".env.*")
_DOCKERFILE_NAMES = ("dockerfile", "containerfile", "dockerfile.*", "containerfile.*", ".dockerfile", ".containerfile")
_TOML_NAMES = (
    ".toml",
    "pipfile",
    "cargo.lock",
    "poetry.lock",
    "uv.lock",
    "pdm.lock",
    "gopkg.lock",
    ".cargo/config",
    ".cargo/credentials",
)
_YAML_NAMES = (
    ".yaml",
    ".yml",
    ".clang-format",
    "_clang-format",
    ".clang-tidy",
    ".clangd",
    ".condarc",
    "condarc",
    ".mambarc",
    ".yamllint",
    ".yarnrc.yml",
    ".cff",
    ".sublime-syntax",
    ".gemrc",
)

REGISTRATIONS: tuple[Registration, ...] = (
    Registration(names.STRICT_NAMES, TextVerifier("json", _json(dialect.STRICT), utf_8_only=True)),
    Registration(names.WITH_COMMENTS_NAMES, TextVerifier("jsonc", _json(dialect.WITH_COMMENTS), utf_8_only=True)),
    Registration(names.JSON5_NAMES, TextVerifier("json5", _json(dialect.JSON5), utf_8_only=True)),
    Registration(names.LINES_NAMES, TextVerifier("ndjson", _json_lines, utf_8_only=True)),
    Registration(_YAML_NAMES, TextVerifier("yaml", _yaml)),
    Registration(names.JSON_OR_YAML_NAMES, TextVerifier("jsonc", _json_or_yaml, utf_8_only=True)),
    Registration(_TOML_NAMES, TextVerifier("toml", _toml, utf_8_only=True)),
    Registration(
        (".github/workflows/*.yml", ".github/workflows/*.yaml"), TextVerifier("workflow", _workflow, utf_8_only=True)
    ),
    Registration(_XML_NAMES, TextVerifier("xml", _xml)),
    Registration(_ENVIRONMENT_NAMES, TextVerifier("env", _environment_file, utf_8_only=True)),
    Registration(_INI_NAMES, TextVerifier("ini", _ini, utf_8_only=True)),
    Registration(_DOCKERFILE_NAMES, TextVerifier("dockerfile", _dockerfile, utf_8_only=True)),
)
