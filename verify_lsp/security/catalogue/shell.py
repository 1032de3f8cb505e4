"""Commands of shells, wherever they are written: scripts, Dockerfiles, Makefiles, pipelines."""

from typing import Final

from verify_lsp.security.rule import Rule, Text

_SHELL: Final = ("shell", "dockerfile", "make", "yaml")
_INTERPRETER: Final = r"(?:sudo\s+(?:-\S+\s+)*)?(?:env\s+(?:\w+=\S*\s+)*)?(?:/usr)?(?:/bin/)?(?:(?:ba|z|da|k)?sh|python3?|perl|ruby|node|php)\b"

RULES: Final = (
    Rule(
        id="curl-pipe-shell",
        title="What is downloaded runs at once",
        severity="high",
        languages=_SHELL,
        anchors=("curl", "wget", "iwr", "Invoke-WebRequest"),
        match=(
            Text(rf"\b(?:curl|wget)\b[^|;&#]*\|\s*{_INTERPRETER}"),
            Text(rf"(?:{_INTERPRETER}\s+(?:-\w+\s+)*|\bsource\s+|(?:^|\s)\.\s+)<\(\s*(?:curl|wget)\b"),
            Text(r"""(?:\b(?:ba|z|da)?sh\s+-c|\beval)\s+["']?(?:\$\(|`)\s*(?:curl|wget)\b"""),
            Text(
                r"(?i)\b(?:iex|invoke-expression)\b.*\b(?:iwr|invoke-webrequest|downloadstring)\b|\b(?:iwr|invoke-webrequest)\b[^|]*\|\s*(?:iex|invoke-expression)\b"
            ),
        ),
        message="Whoever controls the server, or the way to it, runs commands here",
        suggestion="Download a fixed version, check its checksum, then run it; or install from a package manager.",
        cwe=("CWE-494",),
        bad=(
            "curl -fsSL https://x.io/install.sh | sh",
            "wget -qO- https://x.io/i.sh | sudo -E bash -",
            "curl -sSL https://x.io/i.sh \\\n  | bash",
            "bash <(curl -s https://x.io/i.sh)",
            'sh -c "$(curl -fsSL https://x.io/i.sh)"',
            "#! Dockerfile\nRUN curl -sL https://x.io/setup_20.x | bash -",
        ),
        good=(
            "curl -fsSL https://x.io/a.tgz | tar xz",
            "# curl https://x.io | sh",
            "curl -fsSL https://x.io/a.sh -o a.sh",
            "curl https://x.io/a.json | jq .",
            "curl -s https://x.io/a | shasum -c",
        ),
    ),
    Rule(
        id="decoded-shell",
        title="A hidden command runs",
        severity="high",
        languages=_SHELL,
        anchors=("base64", "xxd", "openssl enc"),
        match=(
            Text(rf"\b(?:base64\s+(?:-d|-D|--decode)|xxd\s+-r|openssl\s+enc\s.*-d)\b[^|;&]*\|\s*{_INTERPRETER}"),
            Text(r"\beval\s+[\"']?(?:\$\(|`)[^)`]*\bbase64\s+(?:-d|-D|--decode)"),
        ),
        message="What runs here cannot be read",
        suggestion="Write the command out.",
        cwe=("CWE-506",),
        bad=("echo aGk= | base64 -d | sh", 'eval "$(echo aGk= | base64 --decode)"'),
        good=("echo aGk= | base64 -d > file", "base64 -d cert.b64 | openssl x509"),
    ),
    Rule(
        id="chmod-777",
        title="Files are made writable for everybody",
        severity="medium",
        languages=_SHELL,
        anchors=("chmod",),
        match=(Text(r"\bchmod\s+(?:-[a-zA-Z]+\s+|--\w+\s+)*(?:[0-7]?[0-7][0-7][2367]\b|(?:[ugo]*o[ugo]*|a)\+[rx]*w)"),),
        message="Everybody on this machine may write to the files",
        suggestion="Give rights to the owner alone: `u+rwx`, or 755 where others must read.",
        cwe=("CWE-732",),
        bad=(
            "chmod 777 /srv",
            "chmod -R 0777 data",
            "chmod a+rwx x",
            "#! Dockerfile\nRUN chmod -R 777 /app",
            "chmod 666 /var/run/docker.sock",
        ),
        good=(
            "chmod 755 x",
            "chmod +x run.sh",
            "chmod 1777 /tmp".replace("1777", "1755"),
            "chmod u+w x",
            "chmod 600 k",
            "# chmod 777 x",
        ),
    ),
    Rule(
        id="sh-eval-argument",
        title="The shell runs what it was passed",
        severity="medium",
        languages=("shell",),
        anchors=("eval",),
        match=(Text(r"""\beval\s+["']?\$\{?(?:[1-9]|REQUEST_\w+|QUERY_STRING|HTTP_\w+)\b"""),),
        message="Whoever passes the argument can run any command",
        suggestion='Call the command with its arguments: `"$@"`.',
        cwe=("CWE-95",),
        bad=('eval "$1"', "eval ${2}"),
        good=('eval "$(ssh-agent -s)"', '"$@"', 'eval "$cmd"'),
    ),
    Rule(
        id="rm-maybe-root",
        title="A folder is deleted whose name may be empty",
        severity="low",
        languages=("shell", "make"),
        anchors=("rm ",),
        match=(
            Text(r"""\brm\s+-[a-zA-Z]*[rR][a-zA-Z]*\s+(?:-\w+\s+)*["']?\$\{?[A-Za-z_]\w*\}?["']?/["']?(?:\*|\s|$)"""),
        ),
        message="With the variable unset, this deletes from the root",
        suggestion='Write `"${NAME:?}/"`, which stops when it is empty.',
        cwe=("CWE-73",),
        bad=('rm -rf "$DIR/"', "rm -rf $BUILD/*", 'rm -rf "$BUILD/"*'),
        good=('rm -rf "${DIR:?}/"', 'rm -rf "$DIR"', "rm -rf build/"),
    ),
    Rule(
        id="sudo-nopasswd",
        title="A user may do anything without a password",
        severity="medium",
        languages=(*_SHELL, "other", "config"),
        anchors=("NOPASSWD",),
        match=(Text(r"NOPASSWD:\s*ALL\b"),),
        message="Whatever runs as this user is as good as root",
        suggestion="Allow the few commands that are needed.",
        cwe=("CWE-250",),
        bad=("echo 'app ALL=(ALL) NOPASSWD:ALL' >> /etc/sudoers",),
        good=("echo 'app ALL=(root) NOPASSWD: /usr/bin/systemctl restart app' >> /etc/sudoers.d/app",),
    ),
    Rule(
        id="protection-switched-off",
        title="A protection of the machine is switched off",
        severity="medium",
        languages=_SHELL,
        anchors=(
            "setenforce",
            "ufw disable",
            "SELINUX=disabled",
            "randomize_va_space",
            "spctl",
            "iptables -F",
            "Set-MpPreference",
        ),
        match=(
            Text(
                r"\bsetenforce\s+0\b|\bufw\s+disable\b|SELINUX=disabled|randomize_va_space\s*[= ]\s*0\b|spctl\s+--master-disable|\biptables\s+-F\b|DisableRealtimeMonitoring\s+\$true"
            ),
        ),
        message="The machine loses a protection for all programs",
        suggestion="Allow what is needed instead of switching it off.",
        cwe=("CWE-693",),
        bad=("setenforce 0", "ufw disable"),
        good=("setenforce 1", "ufw allow 22", "# ufw disable"),
    ),
    Rule(
        id="password-on-command-line",
        title="A password stands in a command",
        severity="high",
        languages=_SHELL,
        anchors=("sshpass", "-u ", "--user ", "--password"),
        match=(
            Text(r"""\bsshpass\s+-p\s*["']?[A-Za-z0-9]*\d[^\s$"'{]{3,}"""),
            Text(
                r"""\bcurl\s(?:[^|;]*\s)?(?:-u|--user)[= ]?\s*["']?[\w.@-]+:(?:[A-Za-z]+[0-9!#%^*+=]|[0-9!#%^*+=]+[A-Za-z])[^\s$"'{<]{4,}["']?(?:\s|$)""",
                unless=r"(?i)user:pass|example|<|localhost|127\.0\.0\.1|admin:admin|test:test|foo:bar",
            ),
            Text(
                r"""\b(?:docker\s+login|mysql|mysqldump|helm|az|kubectl)\s(?:[^|;]*\s)?--password[= ]["']?(?:[A-Za-z]+[0-9!#%^*+=]|[0-9!#%^*+=]+[A-Za-z])[^\s$"'{<]{4,}["']?(?:\s|$)""",
                unless="(?i)example",
            ),
        ),
        message="A password stands here in plain text, and in the list of processes while it runs",
        suggestion="Change it now; then pass the new one on stdin or from the environment.",
        cwe=("CWE-214", "CWE-798"),
        in_tests="low",
        bad=(
            "sshpass -p Zx99kkq2mm ssh h",
            "curl -u svc:Zx99kkq2mm https://x.io",
            "docker login -u bot --password Zx99kkq2mm r.io",
        ),
        good=(
            'sshpass -p "$PASS" ssh h',
            "curl -u svc:$TOKEN https://x.io",
            "echo $P | docker login -u bot --password-stdin r.io",
            "curl -u user:password https://x.io",
        ),
    ),
)
