"""Python: how servers listen, wait and log, and what is loaded from variables."""

from typing import Final

from verify_lsp.security.rule import Arg, Bind, Call, Rule

_PYTHON: Final = ("python",)
_TIMED: Final = r"requests\.(?:get|post|put|patch|delete|head|options|request)"

RULES: Final = (
    Rule(
        id="py-request-without-timeout",
        title="A request may wait for ever",
        severity="low",
        languages=_PYTHON,
        anchors=("requests.",),
        after=r"(?:get|post|put|patch|delete|head|options|request)\s{0,4}\(",
        match=(Call(_TIMED, when=(Arg(("timeout",), absent=True),)),),
        message="Without a time limit, a server that does not answer blocks this program",
        suggestion="Pass `timeout`.",
        cwe=("CWE-400",),
        rewrite="timeout",
        bad=("import requests\nrequests.get(url)", "import requests\nrequests.post(\n    url,\n    json=x,\n)"),
        good=(
            "import requests\nrequests.get(url, timeout=3)",
            "import requests\nrequests.get(url, **options)",
            "requests = []\nrequests.append(1)",
        ),
    ),
    Rule(
        id="bind-all-interfaces",
        title="A server listens on every interface",
        severity="low",
        languages=_PYTHON,
        anchors=("0.0.0.0",),  # noqa: S104  # what is looked for
        after=r"['\"]\s{0,200}[,)#]",
        match=(
            Call(
                r"(?:.*\.)?(?:run|serve|run_app|bind|listen)",
                when=(Arg(("host", 0), text=r"['\"]0\.0\.0\.0['\"]|\(\s*['\"]0\.0\.0\.0['\"].*"),),
            ),
        ),
        message="Whoever reaches this machine reaches the server",
        suggestion="Listen on 127.0.0.1, and let a proxy or the container decide what is public.",
        cwe=("CWE-605",),
        bad=("app.run(host='0.0.0.0')", "sock.bind(('0.0.0.0', 80))"),
        good=("app.run(host='127.0.0.1')", "ip = '0.0.0.0'"),
    ),
    Rule(
        id="allowed-hosts-wildcard",
        title="Django answers to any host name",
        severity="low",
        languages=_PYTHON,
        anchors=("ALLOWED_HOSTS",),
        match=(Bind(r"ALLOWED_HOSTS", value=r"\[\s*['\"]\*['\"]\s*,?\s*\]"),),
        message="With `*`, links in mails can be made to lead elsewhere through the Host header",
        suggestion="Name the hosts.",
        cwe=("CWE-644",),
        bad=("ALLOWED_HOSTS = ['*']",),
        good=("ALLOWED_HOSTS = ['a.io']", "ALLOWED_HOSTS = []"),
    ),
    Rule(
        id="log-injection",
        title="A request writes into the log",
        severity="low",
        languages=_PYTHON,
        anchors=("logger.", "logging.", "log."),
        match=(
            Call(
                r"(?:.*\.)?(?:logger|logging|log|_logger|_log)\.(?:debug|info|warning|error|critical|exception)",
                when=(Arg(("*",), kind="tainted"),),
            ),
        ),
        message="Line ends in the value can make entries of their own",
        suggestion="Log the `repr` of the value, or as a field of a structured log.",
        cwe=("CWE-117",),
        bad=("logger.info('user %s', request.args['u'])",),
        good=("logger.info('user %s', user.id)", "logger.info('a request')"),
    ),
    Rule(
        id="py-pickle-variable",
        title="Pickled data is read",
        severity="low",
        languages=_PYTHON,
        anchors=("pickle", "dill", "loads("),
        match=(
            Call(
                r"(?:pickle|cPickle|_pickle|dill|cloudpickle)\.loads?",
                when=(Arg((0,), kind="dynamic"),),
                unless=(Arg((0,), text=r"(?:.*\.)?dumps?\(.*"), Arg((0,), kind="tainted")),
            ),
        ),
        file=r"pickle|dill|marshal|shelve|joblib",
        message="Unpickling runs code that the data names",
        suggestion="Make sure that the data is your own, or exchange it as JSON.",
        cwe=("CWE-502",),
        behind=("py-pickle",),
        bad=("import pickle\ndef f(data):\n    return pickle.loads(data)",),
        good=("import pickle\npickle.loads(pickle.dumps(x))", "import json\njson.loads(data)"),
    ),
    Rule(
        id="py-markup-variable",
        title="A variable becomes part of a page",
        severity="low",
        languages=_PYTHON,
        anchors=("mark_safe(", "Markup(", "render_template_string"),
        match=(
            Call(
                r"(?:flask\.)?render_template_string",
                when=(Arg((0,), kind="dynamic"),),
                unless=(Arg((0,), kind="built"), Arg((0,), kind="tainted")),
            ),
            Call(
                r"(?:.*\.)?(?:mark_safe|Markup)",
                when=(Arg((0,), kind="dynamic"),),
                unless=(Arg((0,), kind="built"),),
                statement_unless=r"escape|format_html|json_script|bleach|nh3|render",
            ),
        ),
        message="Whoever fills the variable writes markup, scripts included",
        suggestion="Make sure that it holds only markup of your own, or let the template escape it.",
        cwe=("CWE-79",),
        behind=("py-unsafe-markup", "py-template-injection"),
        bad=("from django.utils.safestring import mark_safe\nmark_safe(comment)",),
        good=("from django.utils.safestring import mark_safe\nmark_safe('<br>')",),
    ),
    Rule(
        id="py-torch-load",
        title="A model file may run code when it is loaded",
        severity="medium",
        languages=_PYTHON,
        anchors=("weights_only",),
        match=(Call(r"torch\.load", when=(Arg(("weights_only",), text="False"),)),),
        message="`weights_only=False` lets a model file run any code",
        suggestion="Leave `weights_only` at its default, or load a format without code such as safetensors.",
        cwe=("CWE-502",),
        bad=("import torch\ntorch.load(path, weights_only=False)",),
        good=("import torch\ntorch.load(path, weights_only=True)", "import torch\ntorch.load(path)"),
    ),
)
