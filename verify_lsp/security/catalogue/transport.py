"""Connections whose other end nobody checks."""

from typing import Final

from verify_lsp.security.rule import Arg, Bind, Call, Rule, Text

_SCRIPT: Final = ("javascript", "typescript")
_SHELL: Final = ("shell", "dockerfile", "make", "yaml")
_LOCAL: Final = r"localhost|127\.0\.0\.1|\[::1\]|host\.docker\.internal"

RULES: Final = (
    Rule(
        id="py-verify-false",
        title="A request does not verify the certificate",
        severity="high",
        languages=("python",),
        anchors=("ssl=F", "verify=F", "verify = F", "verify_ssl=F", "verify_certs=F", "ssl_verify=F"),
        match=(
            Bind(
                r"verify|verify_ssl|verify_certs|ssl_verify",
                value="False",
                inside=r"(?:.*\.)?(?:get|post|put|patch|delete|head|options|request|send|stream|client|resource|Client|AsyncClient|Session|ClientSession|TCPConnector|HTTPTransport|AsyncHTTPTransport|Elasticsearch|AsyncElasticsearch|OpenSearch|partial|urlopen|fetch|connect)",
                statement_unless=r"\bjwt\.|\bjose\.",
            ),
            Bind(r"ssl", value="False", inside=r"(?:aiohttp\.)?TCPConnector|(?:.*\.)?session\.\w+"),
            Bind(r"(?:\w+\.)*(?:session|_session|s|client|http|requests)\.verify", value="False"),
        ),
        message="Without verification, anybody on the way can read and change what is sent",
        suggestion="Leave `verify` at its default; for a private authority pass the path of its certificate.",
        cwe=("CWE-295",),
        rewrite="remove-argument",
        bad=(
            "import requests\nrequests.get(u, verify=False)",
            "session.verify = False",
            "import httpx\nc = httpx.Client(\n    verify=False,  # the old box\n)",
            "import boto3\nboto3.client('s3', verify=False)",
        ),
        good=(
            "import requests\nrequests.get(u, verify=True)",
            "import requests\nrequests.get(u, verify='/etc/ca.pem')",
            "form.save(verify=False)",
            "check(verify=False)",
        ),
    ),
    Rule(
        id="py-ssl-unverified",
        title="A TLS context accepts any certificate",
        severity="high",
        languages=("python",),
        anchors=(
            "_create_unverified_context",
            "CERT_NONE",
            "check_hostname",
            "_create_default_https_context",
            "_create_stdlib_context",
        ),
        match=(
            Bind(r"ssl\._create_default_https_context", value=r"ssl\._create_unverified_context"),
            Call(r"ssl\.(?:_create_unverified_context|_create_stdlib_context)"),
            Bind(r"(?:.*\.)?verify_mode", value=r"(?:ssl\.)?CERT_NONE"),
            Bind(r"(?:.*\.)?(?:cert_reqs|ssl_cert_reqs)", value=r"(?:ssl\.)?CERT_NONE|['\"](?:CERT_NONE|none)['\"]"),
            Bind(r"(?:.*\.)?check_hostname", value="False", statement_unless="super"),
        ),
        message="Without verification, anybody on the way can read and change what is sent",
        suggestion="Use `ssl.create_default_context()`, with `cafile` for a private authority.",
        cwe=("CWE-295",),
        rewrite="default-context",
        bad=(
            "import ssl\nssl._create_default_https_context = ssl._create_unverified_context",
            "import ssl\nctx = ssl._create_unverified_context()",
            "import ssl\nctx.verify_mode = ssl.CERT_NONE",
            "import ssl\nctx.check_hostname = False",
            "import urllib3\nurllib3.PoolManager(cert_reqs='CERT_NONE')",
        ),
        good=(
            "import ssl\nctx = ssl.create_default_context()",
            "import ssl\nctx.verify_mode = ssl.CERT_REQUIRED",
            "if ctx.verify_mode == ssl.CERT_NONE: pass",
        ),
    ),
    Rule(
        id="js-tls-unverified",
        title="A TLS connection accepts any certificate",
        severity="high",
        languages=_SCRIPT,
        anchors=("rejectUnauthorized", "strictSSL", "checkServerIdentity"),
        match=(
            Bind(r"(?:.*\.)?(?:rejectUnauthorized|strictSSL)", value="false"),
            Bind(r"(?:.*\.)?checkServerIdentity", value=r"\(\)\s*=>\s*(?:undefined|null|\{\s*\}|true|void 0)"),
        ),
        message="Without verification, anybody on the way can read and change what is sent",
        suggestion="Leave it at its default; for a private authority pass its certificate as `ca`.",
        cwe=("CWE-295",),
        rewrite="set-true",
        bad=(
            "new https.Agent({ rejectUnauthorized: false })",
            "agent.options.rejectUnauthorized = false;",
            "const o = {\n  'rejectUnauthorized': false, // staging\n};",
        ),
        good=(
            "new https.Agent({ rejectUnauthorized: true })",
            "new https.Agent({ ca })",
            "// rejectUnauthorized: false",
            "const t = 'rejectUnauthorized: false';",
        ),
    ),
    Rule(
        id="node-tls-reject-env",
        title="Node is told to accept any certificate",
        severity="high",
        languages=(*_SCRIPT, *_SHELL, "env", "json", "python"),
        anchors=("NODE_TLS_REJECT_UNAUTHORIZED",),
        match=(Text(r"""NODE_TLS_REJECT_UNAUTHORIZED["'\]]*\s*[:= ]\s*["']?0\b"""),),
        message="This switches verification off for the whole process",
        suggestion="Remove it; for a private authority set `NODE_EXTRA_CA_CERTS`.",
        cwe=("CWE-295",),
        bad=(
            "process.env.NODE_TLS_«»REJECT_UNAUTHORIZED = '0';",
            "#! a.sh\nexport NODE_TLS_«»REJECT_UNAUTHORIZED=0",
            "#! Dockerfile\nENV NODE_TLS_«»REJECT_UNAUTHORIZED=0",
            "#! docker-compose.yml\nenvironment:\n  NODE_TLS_«»REJECT_UNAUTHORIZED: '0'",
        ),
        good=(
            "delete process.env.NODE_TLS_«»REJECT_UNAUTHORIZED;",
            "#! a.sh\n# NODE_TLS_«»REJECT_UNAUTHORIZED=0",
            "#! a.sh\nunset NODE_TLS_«»REJECT_UNAUTHORIZED",
        ),
    ),
    Rule(
        id="go-tls-unverified",
        title="A TLS connection accepts any certificate",
        severity="high",
        languages=("go",),
        anchors=("InsecureSkipVerify",),
        match=(
            Bind(
                r"(?:.*\.)?InsecureSkipVerify", value="true", statement_unless="VerifyPeerCertificate|VerifyConnection"
            ),
        ),
        message="Without verification, anybody on the way can read and change what is sent",
        suggestion="Leave it out; for a private authority set `RootCAs`.",
        cwe=("CWE-295",),
        rewrite="set-false",
        bad=(
            "package a\nvar c = &tls.Config{InsecureSkipVerify: true}",
            "package a\nfunc f() { c.InsecureSkipVerify = true }",
        ),
        good=(
            "package a\nvar c = &tls.Config{InsecureSkipVerify: false}",
            "package a\nvar c = &tls.Config{InsecureSkipVerify: insecure}",
            "package a\n// InsecureSkipVerify: true\nvar a = 1",
        ),
    ),
    Rule(
        id="rust-tls-unverified",
        title="A TLS connection accepts any certificate",
        severity="high",
        languages=("rust",),
        anchors=("danger_accept_invalid_", "set_verify("),
        match=(
            Call(r".*\.danger_accept_invalid_(?:certs|hostnames)", when=(Arg((0,), text="true"),)),
            Call(r".*\.set_verify", when=(Arg((0,), text=r"(?:.*::)?SslVerifyMode::NONE"),)),
        ),
        message="Without verification, anybody on the way can read and change what is sent",
        suggestion="Leave it out; for a private authority use `add_root_certificate`.",
        cwe=("CWE-295",),
        rewrite="set-false",
        bad=(
            "fn f() { Client::builder().danger_accept_invalid_certs(true).build(); }",
            "fn f() { b.set_verify(SslVerifyMode::NONE); }",
        ),
        good=(
            "fn f() { Client::builder().danger_accept_invalid_certs(false).build(); }",
            "fn f() { Client::builder().danger_accept_invalid_certs(insecure).build(); }",
        ),
    ),
    Rule(
        id="curl-insecure",
        title="A download does not verify the certificate",
        severity="medium",
        languages=_SHELL,
        anchors=("curl", "wget", "sslVerify", "SSL_NO_VERIFY", "strict-ssl", "allow-unauthenticated"),
        match=(
            Text(r"\bcurl\s(?:[^|;&]*\s)?(?:-[a-zA-Z]*k[a-zA-Z]*|--insecure)(?:\s|$)", unless=_LOCAL),
            Text(r"\bwget\s(?:[^|;&]*\s)?--no-check-certificate\b", unless=_LOCAL),
            Text(
                r"http\.sslVerify[= ]+[\"']?false|GIT_SSL_NO_VERIFY=(?:1|true)|strict-ssl[= ]+false|--allow-unauthenticated\b"
            ),
        ),
        message="Without verification, anybody on the way can put another file in its place",
        suggestion="Verify it; for a private authority pass `--cacert`.",
        cwe=("CWE-295",),
        bad=(
            "curl -k https://x.io/a.tgz -o a.tgz",
            "curl -fsSLk \\\n  https://x.io",
            "wget --no-check-certificate https://x.io",
            "#! Dockerfile\nRUN git config --global http.sslVerify false",
            "npm config set strict-ssl false",
        ),
        good=(
            "curl -fsSL https://x.io/a.tgz",
            "curl -k https://localhost:8443/health",
            "# curl -k https://x.io",
            "curl --key k.pem https://x.io",
            "echo 'use curl' -k",
        ),
    ),
    Rule(
        id="ssh-host-key-unchecked",
        title="A host's key is not checked",
        severity="medium",
        languages=("python", "go", *_SHELL, "config"),
        anchors=("AutoAddPolicy", "WarningPolicy", "InsecureIgnoreHostKey", "StrictHostKeyChecking", "known_hosts"),
        match=(
            Call(
                r".*\.set_missing_host_key_policy",
                when=(Arg((0,), text=r"(?:paramiko\.)?(?:client\.)?(?:AutoAddPolicy|WarningPolicy)(?:\(\))?"),),
            ),
            Call(r"(?:.*/)?ssh\.InsecureIgnoreHostKey"),
            Bind(r"known_hosts", value="None", inside=r"asyncssh\.\w+"),
            Text(r"StrictHostKeyChecking[= ]+[\"']?(?:no|off)\b"),
        ),
        message="Whoever answers is taken for the right host",
        suggestion="Keep the host's key in `known_hosts` and check it.",
        cwe=("CWE-322",),
        bad=(
            "import paramiko\nc.set_missing_host_key_policy(paramiko.AutoAddPolicy())",
            "import asyncssh\nc = asyncssh.connect(host, known_hosts=None)",
            "#! a.go\npackage a\nfunc f() { k := ssh.InsecureIgnoreHostKey() }",
            "#! a.sh\nssh -o StrictHostKeyChecking«»=no h",
        ),
        good=(
            "import paramiko\nc.set_missing_host_key_policy(paramiko.RejectPolicy())",
            "import asyncssh\nc = asyncssh.connect(host, known_hosts=path)",
            "#! a.sh\nssh -o StrictHostKeyChecking=yes h",
            "#! a.sh\nssh -o StrictHostKeyChecking=accept-new h",
        ),
    ),
    Rule(
        id="old-tls-version",
        title="An old version of TLS is allowed",
        severity="medium",
        languages=("python", "go", *_SCRIPT),
        anchors=(
            "PROTOCOL_SSLv",
            "PROTOCOL_TLSv1",
            "TLSVersion.",
            "VersionTLS1",
            "VersionSSL30",
            "minVersion",
            "secureProtocol",
        ),
        match=(
            Bind(r".*", value=r"ssl\.PROTOCOL_(?:SSLv2|SSLv3|TLSv1|TLSv1_1)"),
            Call(
                r"ssl\.(?:SSLContext|wrap_socket)",
                when=(Arg((0, "protocol", "ssl_version"), text=r"ssl\.PROTOCOL_(?:SSLv2|SSLv3|TLSv1|TLSv1_1)"),),
            ),
            Bind(r".*\.minimum_version", value=r"(?:ssl\.)?TLSVersion\.(?:SSLv3|TLSv1|TLSv1_1)"),
            Bind(r"(?:.*\.)?MinVersion", value=r"tls\.Version(?:TLS10|TLS11|SSL30)"),
            Bind(
                r"(?:.*\.)?(?:minVersion|secureProtocol)",
                value=r"['\"](?:TLSv1|TLSv1\.1|SSLv3|TLSv1_method|TLSv1_1_method|SSLv3_method)['\"]",
            ),
        ),
        message="TLS below 1.2 can be broken",
        suggestion="Demand TLS 1.2 at least, or leave the default.",
        cwe=("CWE-327",),
        bad=(
            "import ssl\nctx = ssl.SSLContext(ssl.PROTOCOL_TLSv1)",
            "#! a.go\npackage a\nvar c = tls.Config{MinVersion: tls.VersionTLS10}",
            "#! a.js\nconst o = { minVersion: 'TLSv1' }",
        ),
        good=(
            "import ssl\nctx = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)",
            "#! a.go\npackage a\nvar c = tls.Config{MinVersion: tls.VersionTLS12}",
            "#! a.js\nconst o = { minVersion: 'TLSv1.2' }",
        ),
    ),
    Rule(
        id="package-index-plain-http",
        title="Packages are fetched without encryption",
        severity="high",
        languages=(*_SHELL, "config", "python", "other"),
        anchors=("index-url", "index_url", "trusted-host", "registry"),
        after=r"[\s\\=]{1,40}[\"']?http:",
        match=(
            Text(
                r"(?:--(?:extra-)?index-url|(?:extra-)?index-url|\b(?:PIP|UV)_(?:EXTRA_)?INDEX_URL)\s*[= ]\s*[\"']?http://",
                unless=_LOCAL,
            ),
            Text(r"(?:npm|yarn|pnpm)\s.*registry[= ]\s*[\"']?http://|^\s*registry\s*=\s*http://", unless=_LOCAL),
        ),
        message="Anybody on the way can put another package in its place",
        suggestion="Use the index over https.",
        cwe=("CWE-319",),
        bad=(
            "pip install --index-url http«»://pypi.acme.io/simple a",
            "npm install --registry http«»://npm.acme.io",
            "#! pip.conf\nindex-url = http«»://pypi.acme.io/simple",
        ),
        good=(
            "pip install --index-url https://pypi.acme.io/simple a",
            "pip install --index-url http«»://localhost:3141/simple a",
        ),
    ),
    Rule(
        id="jwt-unverified",
        title="A token is believed without a look at its signature",
        severity="high",
        languages=("python", *_SCRIPT, "go"),
        anchors=(
            "verify_signature",
            "jwt.decode",
            "ParseUnverified",
            "UnsafeAllowNoneSignatureType",
            "algorithms",
            "algorithm",
        ),
        match=(
            Call(
                r"(?:jwt|jsonwebtoken|jose\.jwt)\.(?:sign|encode)",
                when=(Arg(("algorithm",), text=r"['\"](?i:none)['\"]"),),
            ),
            Call(
                r"(?:jwt|jose\.jwt|jose)\.decode",
                when=(Arg(("options",), text=r".*verify_signature['\"]?\s*:\s*False.*"),),
            ),
            Call(r"(?:jwt|jose\.jwt)\.decode", when=(Arg(("verify", 2), text="False"),)),
            Call(
                r"(?:jwt|jose\.jwt|jsonwebtoken)\.(?:decode|verify)",
                when=(Arg(("algorithms",), text=r".*['\"](?i:none)['\"].*"),),
            ),
            Call(r".*\.UnsafeAllowNoneSignatureType|.*\.ParseUnverified"),
        ),
        file=r"jwt|jsonwebtoken|jose|ParseUnverified|UnsafeAllowNone",
        file_unless=r"PyJWKClient|get_unverified_header|unverified_claims",
        message="Whoever writes the token decides what it says",
        suggestion="Verify the signature with the key and the algorithm that you expect.",
        cwe=("CWE-347",),
        bad=(
            "#! a.js\njwt.sign(p, null, { algorithm: 'none' })",
            'import jwt\njwt.decode(t, options={"verify_signature": False})',
            "import jwt\njwt.decode(t, key, algorithms=['none'])",
            "#! a.go\npackage a\nfunc f() { p.ParseUnverified(s, c) }",
            "#! a.js\njwt.verify(t, k, { algorithms: ['none'] })",
        ),
        good=(
            "import jwt\njwt.decode(t, key, algorithms=['HS256'])",
            "#! a.js\njwt.verify(t, k, { algorithms: ['RS256'] })",
        ),
    ),
)
