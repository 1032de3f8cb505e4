"""Weak hashes, ciphers, keys and random numbers."""

from typing import Final

from verify_lsp.security.rule import Arg, Bind, Call, Rule, Text

_SCRIPT: Final = ("javascript", "typescript")
_SECRET_WORDS: Final = r"(?i)passw(?:or)?d|passphrase|\bpwd\b|credential|user_?secret|\bpin_?code"  # noqa: S105  # a pattern, not a secret
_NAMED_SECRET: Final = (
    r"(?i)(?:^|[^a-z])(?:\w*(?:password|passwd|passphrase|secret|api_?key|nonce|csrf_?\w*|session_?id|sid|session_?key|otp|one_?time\w*|reset_?code|"  # noqa: S105  # a pattern, not a secret
    r"verification_?code|invite_?code|\bsalt|encryption_?key|signing_?key|private_?key|iv)|\w*(?:auth|access|refresh|reset|session|csrf|api|verification|login|bearer|confirm\w*)_?token|token)\s*(?::\s*\w+\s*)?(?::?=)[^=]"
)
_NAMED_FUNCTION: Final = r"(?i)^(?:\w*(?:generate|create|make|new|random|gen)_?\w*(?:password|secret|api_?key|nonce|otp|session_?id|auth_?token|access_?token|csrf_?token|reset_?token|salt|token))\s"
_NAMED_ANSWER: Final = (
    r"(?i)^\w*(?:session|reset|auth|access|refresh|csrf|api|verification|activation|login|bearer|confirm\w*|invit\w*)_?"
    r"(?:token|code|key|id|secret|password)\s+return\b"
)
_SENT_CODE: Final = (
    r"(?i)^\w*(?:reset|verif|confirm|activat|invit|log_?in|sign_?in|otp|2fa|two_?factor)\w*\s+(?:const\s+|let\s+|var\s+)?"
    r"(?:\w+_)?(?:code|pin|digits)\s*(?::=|=[^=])"
)
_WEAK: Final = r"(?i)['\"](?:md5|md4|sha-?1|ripemd160?)['\"]"
_HASHES: Final = (
    Call(r"hashlib\.(?:md5|sha1|md4)", unless=(Arg(("usedforsecurity",), text="False"),)),
    Call(r"hashlib\.new", when=(Arg((0, "name"), text=_WEAK),), unless=(Arg(("usedforsecurity",), text="False"),)),
    Call(r"(?:.*\.)?createHash", when=(Arg((0,), text=_WEAK),)),
    Call(r"crypto/(?:md5|sha1)\.(?:New|Sum)"),
    Call(r"(?:.*\.)?md5\.compute"),
)

RULES: Final = (
    Rule(
        id="weak-password-hash",
        title="A password is hashed by MD5 or SHA-1",
        severity="high",
        languages=("python", *_SCRIPT, "go", "rust"),
        anchors=("md5", "sha1", "MD5", "SHA1", "sha-1", "hashlib.new"),
        match=tuple(
            Call(
                each.callee,
                each.when,
                each.unless,
                statement=_SECRET_WORDS,
                statement_unless=r"(?i)usedforsecurity|gravatar|checksum|etag|cache_?key|pwned|hibp",
            )
            for each in _HASHES
        ),
        file=r"hashlib|createHash|crypto/(?:md5|sha1)|md5\.compute",
        message="MD5 and SHA-1 are so fast that passwords can be guessed from their hashes",
        suggestion="Use a hash made for passwords: argon2, scrypt or bcrypt, with a salt.",
        cwe=("CWE-916", "CWE-328"),
        bad=(
            "import hashlib\nhashlib.md5(password.encode())",
            "import hashlib\ndef hash_password(p):\n    return hashlib.sha1(p).hexdigest()",
            "#! a.js\nconst h = crypto.createHash('md5').update(password).digest('hex')",
            '#! a.go\npackage a\nimport "crypto/md5"\nfunc f() { h := md5.Sum([]byte(password)) }',
        ),
        good=(
            "import hashlib\nhashlib.md5(password.encode(), usedforsecurity=False)",
            "import hashlib\nhashlib.sha256(password.encode())",
            "import hashlib\nhashlib.new('sha256')",
        ),
    ),
    Rule(
        id="weak-hash",
        title="MD5 or SHA-1 is used",
        severity="low",
        languages=("python", *_SCRIPT, "go", "rust"),
        anchors=("md5", "sha1", "MD5", "SHA1", "sha-1", "hashlib.new"),
        match=tuple(
            Call(
                each.callee,
                each.when,
                each.unless,
                statement_unless=rf"{_SECRET_WORDS}|(?i)e_?tag|checksum|cache|gravatar|fingerprint|git|digest_?name|dedup|content_?hash|file_?hash",
            )
            for each in _HASHES
        ),
        file=r"hashlib|createHash|crypto/(?:md5|sha1)|md5\.compute",
        message="MD5 and SHA-1 prove nothing: others can make a text with the same hash",
        suggestion="Use SHA-256; where nothing depends on it, say so with `usedforsecurity=False`.",
        cwe=("CWE-328",),
        bad=(
            "import hashlib\nsignature = hashlib.md5(body).hexdigest()",
            "#! a.js\nconst s = crypto.createHash('sha1').update(body).digest()",
        ),
        good=(
            "import hashlib\nhashlib.md5(b, usedforsecurity=False)",
            "#! a.js\nconst etag = crypto.createHash('sha1').update(file).digest()",
            "import hashlib\nhashlib.new('sha256')",
            "import hashlib\ncache_key = hashlib.md5(b).hexdigest()",
        ),
    ),
    Rule(
        id="weak-cipher",
        title="A broken cipher or mode",
        severity="high",
        languages=("python", *_SCRIPT, "go"),
        anchors=(
            "MODE_ECB",
            "ECB(",
            "ARC4",
            "DES",
            "des.",
            "rc4.",
            "Blowfish",
            "createCipher",
            "createDecipher",
            "TripleDES",
        ),
        match=(
            Call(r"(?:.*\.)?(?:AES|DES|DES3|Blowfish)\.new", when=(Arg((1, "mode"), text=r"(?:.*\.)?MODE_ECB"),)),
            Call(r"(?:.*\.)?(?:DES|ARC4|ARC2|Blowfish)\.new"),
            Call(r"(?:.*\.)?modes\.ECB|(?:.*\.)?algorithms\.(?:ARC4|Blowfish|IDEA|TripleDES)"),
            Call(
                r"(?:.*\.)?create(?:Cipher|Decipher)(?:iv)?",
                when=(Arg((0,), text=r"(?i)['\"](?:des|des3|des-.*|rc4.*|rc2.*|bf.*|.*-ecb)['\"]"),),
            ),
            Call(r"crypto\.create(?:Cipher|Decipher)"),
            Call(r"crypto/(?:des\.New(?:TripleDES)?Cipher|rc4\.NewCipher)"),
        ),
        file=r"MODE_ECB|ECB\(|DES3?\.new|des\.New|rc4\.New|ARC[24]|Blowfish|IDEA|TripleDES|create(?:Cipher|Decipher)",
        message="This cipher or mode can be broken, or shows which parts are alike",
        suggestion="Use AES in GCM mode, or ChaCha20-Poly1305.",
        cwe=("CWE-327",),
        bad=(
            "from Crypto.Cipher import AES\nc = AES.new(key, AES.MODE_ECB)",
            "from cryptography.hazmat.primitives.ciphers import Cipher, modes\nx = modes.ECB()",
            "#! a.js\ncrypto.createCipheriv('aes-128-ecb', k, null)",
            '#! a.go\npackage a\nimport "crypto/des"\nfunc f() { c, _ := des.NewCipher(k) }',
        ),
        good=(
            "from Crypto.Cipher import AES\nc = AES.new(key, AES.MODE_GCM)",
            "#! a.js\ncrypto.createCipheriv('aes-256-gcm', k, iv)",
            "DESCRIPTION = 'x'\nprint(DESCRIPTION)",
        ),
    ),
    Rule(
        id="insecure-random",
        title="A secret comes from a predictable generator",
        severity="high",
        languages=("python", *_SCRIPT, "go"),
        anchors=("random.", "Math.random", "rand.", "choice(", "choices(", "randint("),
        match=tuple(
            Call(
                callee,
                statement=pattern,
                statement_unless=r"(?i)SystemRandom|crypto|secrets\.|placeholder|mock|fake|tokeni[sz]|token_?(?:count|ids?|len|index|type|num)|num_?tokens|next_token|vocab|logits|jitter|backoff|delay",
            )
            for callee in (
                r"random\.(?:random|randint|randrange|choice|choices|sample|getrandbits|uniform|randbytes|shuffle)",
                r"Math\.random",
                r"math/rand(?:/v2)?\.(?:Int|Intn|IntN|Int31|Int31n|Int63|Int63n|Uint32|Read|Perm|N)",
            )
            for pattern in (_NAMED_SECRET, _NAMED_FUNCTION, _NAMED_ANSWER, _SENT_CODE)
        ),
        file=r"(?i)passw|secret|token|nonce|csrf|session_?id|otp\b|salt|api_?key|_code\b|_key\b|\bcode\s*:?=",
        message="The next values of this generator can be worked out from earlier ones",
        suggestion="Use `secrets` (Python), `crypto.randomBytes` or `crypto.getRandomValues` (JavaScript), `crypto/rand` (Go).",
        cwe=("CWE-338",),
        bad=(
            "import random\npassword = ''.join(random.choice(chars) for _ in range(12))",
            "#! a.js\nconst sessionId = Math.random().toString(36)",
            "#! a.js\nfunction generateToken() {\n  return Math.random().toString(36).slice(2)\n}",
            '#! a.go\npackage a\nimport "math/rand"\nfunc f() { token := rand.Intn(1000000) }',
            "import random\ndef make_otp():\n    return random.randint(100000, 999999)",
            "import random\ndef invitation_token():\n    return ''.join(random.choices(letters, k=20))",
            '#! a.go\npackage a\nimport "math/rand"\nfunc sessionToken() string { return name(rand.Int63()) }',
            "import random\ndef send_reset(user):\n    code = str(random.randint(0, 999999))\n    user.mail(code)",
        ),
        good=(
            "import random\ncolor = random.choice(colors)",
            "import secrets\ntoken = secrets.token_hex()",
            "#! a.js\nconst id = Math.random()",
            '#! a.go\npackage a\nimport "crypto/rand"\nfunc f() { token := rand.Text() }',
            "import random\nmax_tokens = random.randint(1, 5)",
            "import random\nnext_token = random.choice(vocab)",
            "import random\ndef reset_colours():\n    return random.choice(colours)",
            "import random\ndef country():\n    code = random.choice(countries)",
        ),
    ),
    Rule(
        id="small-key",
        title="A key is too short",
        severity="medium",
        languages=("python", *_SCRIPT, "go", "shell", "dockerfile"),
        anchors=("key_size", "generate_private_key", "RSA.generate", "GenerateKey", "modulusLength", "genrsa", "rsa:"),
        match=(
            Call(r"(?:.*\.)?(?:rsa|dsa)\.generate_private_key", when=(Arg((1,), text="512|768|1024|1536"),)),
            Bind(r"key_size", value=r"(?:512|768|1024|1536)", inside=r".*generate_private_key"),
            Call(r"(?:.*\.)?(?:RSA|DSA)\.generate", when=(Arg((0, "bits"), text="512|768|1024|1536"),)),
            Call(r"(?:.*/)?rsa\.GenerateKey", when=(Arg((1,), text="512|768|1024|1536"),)),
            Bind(r"modulusLength", value="512|768|1024|1536"),
            Text(r"\bopenssl\s.*\b(?:genrsa\s.*\b|rsa:)(?:512|768|1024|1536)\b"),
        ),
        message="RSA and DSA keys below 2048 bits can be broken",
        suggestion="Use 3072 bits, or an elliptic curve such as Ed25519.",
        cwe=("CWE-326",),
        bad=(
            "rsa.generate_private_key(65537, 1024)",
            "rsa.generate_private_key(public_exponent=65537, key_size=1024)",
            "#! a.go\npackage a\nfunc f() { rsa.GenerateKey(rand.Reader, 1024) }",
            "#! a.js\ngenerateKeyPairSync('rsa', { modulusLength: 1024 })",
            "#! a.sh\nopenssl genrsa -out k.pem 1024",
        ),
        good=(
            "rsa.generate_private_key(public_exponent=65537, key_size=3072)",
            "#! a.sh\nopenssl genrsa -out k.pem 2048",
            "#! a.js\ngenerateKeyPairSync('rsa', { modulusLength: 2048 })",
        ),
    ),
    Rule(
        id="regex-nested-quantifier",
        title="A regular expression may take for ever",
        severity="low",
        languages=("python", *_SCRIPT),
        anchors=("+)+", "+)*", "*)*", "*)+"),
        match=(
            Text(
                r"""(?:\bre\.(?:compile|match|search|fullmatch|sub|split|findall|finditer)\(|\bRegExp\(|[=(,:]\s*/).*\((?:\?:)?(?:\[[^\]]*\]|\\[wdsWS]|\.|[A-Za-z0-9])[+*]\)[+*]"""
            ),
        ),
        message="A repetition within a repetition can be made to try without end",
        suggestion="Repeat once: `[a-z]+` instead of `([a-z]+)+`.",
        cwe=("CWE-1333",),
        bad=("import re\nre.compile(r'^([a-z]+)+$')", "#! a.js\nconst r = /^(\\w+)*$/;"),
        good=("import re\nre.compile(r'^(?:[a-z]+,)+$')", "x = (a+b)*c"),
    ),
)
