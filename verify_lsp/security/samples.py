"""Made-up secrets for examples: written as «…» where people read them, so that no file of ours holds one."""

import base64
import hashlib
import re

from verify_lsp.security.secrets.checks import BASE62, crc_base62

_MARK = re.compile(r"«([a-z0-9]+)(?::([^«»:]*))?(?::(\d+))?»")
_NOTHING = "«»"
_ALPHABETS = {
    "base62": BASE62,
    "base64": BASE62 + "+/",
    "url64": BASE62 + "-_",
    "hex": "0123456789abcdef",
    "upperhex": "0123456789ABCDEF",
    "base32": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
    "lower": "abcdefghijklmnopqrstuvwxyz0123456789",
    "upper": "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
    "bech32": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
    "digits": "0123456789",
    "letters": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
}


def filled(text: str) -> str:
    """Return `text` with each «ALPHABET:PREFIX:LENGTH» replaced by a text that looks random and is always the same.

    «» stands for nothing: it keeps an example from being what it shows. Beside the alphabets there are `password`, `github` (prefix, 30 characters and their checksum), `jwt` and `pem`.
    """
    text = text.replace(_NOTHING, "")
    return _MARK.sub(lambda mark: _made(mark.group(1), mark.group(2) or "", int(mark.group(3) or 0)), text)


def shown(text: str) -> str:
    """Return `text` for a reader: what is made up is an ellipsis after its prefix."""
    text = text.replace(_NOTHING, "")
    return _MARK.sub(lambda mark: f"{mark.group(2) or ''}…", text)


def _made(kind: str, prefix: str, length: int) -> str:
    match kind:
        case "password":
            return prefix + "Zx9!" + _random("base62", prefix + "password", 4) + "q7"
        case "github":
            body = _random("base62", prefix, 30)
            return prefix + body + crc_base62(body)
        case "jwt":
            parts = ('{"alg":"HS256","typ":"JWT"}', '{"sub":"48213","name":"R. Meyer","iat":1716239022}')
            encoded = [base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in parts]
            return ".".join((*encoded, _random("url64", "jwt", 43)))
        case "pem":
            return (
                "\n".join(_random("base64", f"{prefix}{row}", 64) for row in range(6))
                if not length
                else _random("base64", prefix, length)
            )
        case _:
            return prefix + _random(kind, f"{kind}{prefix}{length}", length)


def _random(alphabet: str, seed: str, length: int) -> str:
    letters = _ALPHABETS[alphabet]
    drawn, block = "", 0
    while len(drawn) < length:
        digest = hashlib.sha256(f"sample {seed} {block}".encode()).digest()
        drawn += "".join(letters[byte % len(letters)] for byte in digest)
        block += 1
    return drawn[:length]
