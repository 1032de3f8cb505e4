"""What only stands for a secret: examples, references, and texts too plain to be one."""

import re

from verify_lsp.security.patterns import found
from verify_lsp.security.secrets.checks import entropy

_WORDS = (
    r"(?i)example|placeholder|change.?me|change.?this|replace.?me|replace.?with|dummy|redacted|sample|your[-_ .]?|insert|"
    r"xxxx|\*\*\*\*|\.\.\.|todo|fixme|not.?a.?(?:real|secret)|foobar|foo.?bar|lorem|deadbeef|cafebabe|fake|mock|<[^>]*>|hunter2|"
    r"0123456789|1234567|abcdefgh?|abc123|qwerty|asdf|aaaa|0000000|11111|99999|test.?test|placeholder|no.?such|invalid|some.?secret"
)
_REFERENCE = (
    r"^\$|\$\{|\{\{|<%|%\(|^%[A-Za-z_]+%$|^@|process\.env|os\.environ|getenv|import\.meta|secrets\.|vault[:.]|^env[.:(]|^ref\+|"
    r"^arn:|^op://|^keyring:|^file:|^data\.|^var\.|^local\.|^module\.|secretsmanager|ssm:|KeyVault|^ENC\[|^AQICA|^!vault|^sops"
)
_PLAIN_WORDS = re.compile(r"^[A-Za-z]+(?:[-_. /:]+[A-Za-z]+)*[-_.:]?\d{0,2}$")
_ADDRESS = re.compile(r"^(?:[a-z][a-z0-9+.-]*://|/|\./|~/|[A-Za-z]:\\|www\.)", re.IGNORECASE)
_FILE = re.compile(r"\.(?:json|ya?ml|pem|key|txt|py|js|ts|html|xml|conf|ini|crt|cer|p12|toml|env)$", re.IGNORECASE)
_UUID = re.compile(r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$", re.IGNORECASE)
_SECRET_WORD = re.compile(
    r"(?i)pass(?:word|wd|phrase)?|secret|token|api.?key|credential|admin|login|user|auth|test|demo|local|default|root|null|none|true|false|public|private|string|value|field|header|bearer|basic|column|input|label"
)
_CALLED = re.compile(r"[(){}\[\]<>|\\]|=>|&&|\s")
_FEWEST_KINDS = 6


def is_placeholder(secret: str) -> bool:
    """Say whether a text of a secret's shape is plainly made up: examples, rows of the same, the alphabet."""
    body = secret[4:] if len(secret) > 16 else secret
    return (
        found(_WORDS, secret) or found(_REFERENCE, secret) or len(set(body)) < min(_FEWEST_KINDS, max(len(body) - 2, 3))
    )


def may_be_password(value: str, *, name: str) -> bool:
    """Say whether a text given to a name like `password` is one that somebody chose for a living system."""
    if not 8 <= len(value) <= 128 or _is_other(value, name) or found(r"^[\d\s.,:+-]*$", value):
        return False
    rest = _SECRET_WORD.sub("", value)
    kinds = sum(bool(re.search(kind, rest)) for kind in ("[a-z]", "[A-Z]", r"\d", r"[^\w\s]"))
    return kinds >= 2 and bool(re.search(r"\d", rest)) and len(set(rest)) >= _FEWEST_KINDS and not _counts_up(rest)


def may_be_token(value: str, *, name: str) -> bool:
    """Say whether a text given to a name like `api_key` has the disorder of one that a machine made."""
    if not 16 <= len(value) <= 512 or _is_other(value, name) or _UUID.match(value) or value.startswith("eyJ"):
        return False
    if (
        not re.fullmatch(r"[A-Za-z0-9+/=_.~:!@#$%^&*-]+", value)
        or not re.search(r"\d", value)
        or not re.search(r"[A-Za-z]", value)
    ):
        return False
    if _SECRET_WORD.search(value) and entropy(value) < 4.3:
        return False
    return entropy(value) >= (3.0 if re.fullmatch(r"[0-9a-fA-F]+", value) else 3.5)


def _is_other(value: str, name: str) -> bool:
    """Whether it is a name, an address, a file, a reference, an expression, or an example."""
    plain, wanted = re.sub(r"\W|_", "", value.lower()), re.sub(r"\W|_", "", name.lower())
    return (
        plain == wanted
        or is_placeholder(value)
        or bool(_PLAIN_WORDS.match(value) or _ADDRESS.match(value) or _FILE.search(value) or _CALLED.search(value))
    )


def _counts_up(text: str) -> bool:
    digits = re.sub(r"\D", "", text)
    letters = re.sub(r"[^a-z]", "", text.lower())
    return len(letters) < 5 and digits in "012345678901234567890"
