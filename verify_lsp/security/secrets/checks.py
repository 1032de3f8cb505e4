"""What proves a secret by itself: checksums, structures that decode, and enough disorder."""

import base64
import binascii
import json
import math
import re
import zlib
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Literal

BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
Answer = Literal["real", "likely", "no"]
"""`real` is proven by a checksum or a structure, `likely` has the shape only, `no` cannot be a secret."""

_CHECKSUM = 6
_ACCOUNT_LIMIT = 10**12
_KEY_BODY = re.compile(r"[A-Za-z0-9+/=]{16,}")
_KEY_CHARACTERS = 60
_LONGEST_KEY = 8_000


def crc_base62(body: str) -> str:
    """Return the checksum that GitHub's and npm's tokens end in."""
    number, digits = zlib.crc32(body.encode()), ""
    while number:
        number, digit = divmod(number, 62)
        digits = BASE62[digit] + digits
    return digits.rjust(_CHECKSUM, "0")


def entropy(text: str) -> float:
    """Return the disorder of a text in bits a character."""
    return -sum(n / len(text) * math.log2(n / len(text)) for n in Counter(text).values()) if text else 0.0


def _github(secret: str) -> Answer:
    body = secret.partition("_")[2]
    return "real" if crc_base62(body[:-_CHECKSUM]) == body[-_CHECKSUM:] else "likely"


def _aws(secret: str) -> Answer:
    """An access key of today carries its account's number, which has twelve digits."""
    try:
        decoded = base64.b32decode(secret[4:])
    except (binascii.Error, ValueError):
        return "likely"
    account = (int.from_bytes(decoded[:6]) & 0x7FFFFFFFFF80) >> 7
    return "likely" if account < _ACCOUNT_LIMIT else "no"


def _jwt(secret: str) -> Answer:
    header, payload, _ = secret.split(".", 2)
    if not isinstance(_decoded(payload), dict):
        return "no"
    head = _decoded(header)
    return "real" if isinstance(head, dict) and "alg" in head and head["alg"] != "none" else "no"


def _decoded(part: str) -> object:
    try:
        return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (ValueError, RecursionError):
        return None


def _private_key(secret: str) -> Answer:
    """The body counts: a header alone, or three dots below it, is a mention."""
    if len(secret) > _LONGEST_KEY:
        secret = secret[:_LONGEST_KEY]
    body = re.sub(r"-----[^-\n]+-----|\\[nr]|\\|\\\\n|[A-Za-z-]+:[^\n\\]*(?=\n|\\n|$)|[\s\"'+,;`]", " ", secret)
    characters = "".join(run for run in _KEY_BODY.findall(body))
    return "real" if len(characters) >= _KEY_CHARACTERS and entropy(characters) > 4.2 else "no"


def _json_key(secret: str) -> Answer:
    decoded = _decoded(secret[3:])
    return "real" if isinstance(decoded, dict) else "no"


def _base64_json(secret: str) -> Answer:
    return "real" if isinstance(_decoded(secret), dict) else "no"


def _url_password(secret: str) -> Answer:
    """A word that everybody takes for the place of a password is none."""
    plain = re.fullmatch(r"(?i)[a-z]+\d{0,3}|[a-z_-]*(?:pass|pw|pwd|secret|token|key)[a-z_-]*\d{0,4}", secret)
    return "likely" if plain is None and re.search(r"\d|[^\w]", secret) else "no"


def _basic_auth(secret: str) -> Answer:
    try:
        user, colon, password = base64.b64decode(secret + "=" * (-len(secret) % 4)).decode("ascii").partition(":")
    except ValueError:
        return "no"
    return (
        _url_password(password)
        if colon and user.isprintable() and len(password) >= 6 and password.isprintable()
        else "no"
    )


def _mixed(secret: str) -> Answer:
    """Random text of this length has small and capital letters and digits."""
    classes = (any(c.islower() for c in secret), any(c.isupper() for c in secret), any(c.isdigit() for c in secret))
    return "likely" if all(classes) else "no"


def _digit_and_letter(secret: str) -> Answer:
    return "likely" if any(c.isdigit() for c in secret) and any(c.isalpha() for c in secret) else "no"


CHECKS: Mapping[str, Callable[[str], Answer]] = {
    "github": _github,
    "aws": _aws,
    "jwt": _jwt,
    "private-key": _private_key,
    "grafana": _json_key,
    "base64-json": _base64_json,
    "url-password": _url_password,
    "basic-auth": _basic_auth,
    "hash": lambda _secret: "likely",
    "mixed": _mixed,
    "digit-and-letter": _digit_and_letter,
}
"""By the name that rules use."""
