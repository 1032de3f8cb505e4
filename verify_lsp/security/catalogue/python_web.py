"""Python on the web: what pages, cookies, redirects and requests let in or out."""

from typing import Final

from verify_lsp.security.rule import Arg, Bind, Call, Rule, Text

_PYTHON: Final = ("python",)

RULES: Final = (
    Rule(
        id="flask-debug",
        title="The debugger of Flask is left on",
        severity="high",
        languages=_PYTHON,
        anchors=("debug=T", "debug = T"),
        after=r"rue(?:[\s,)#;]|$)",
        match=(
            Call(r"(?:.*\.)?\w*app\w*(?:\(\))?\.run", when=(Arg(("debug",), text="True"),)),
            Bind(r"(?:\w+\.)*app\.debug", value="True"),
        ),
        message="Werkzeug's debugger runs any Python for whoever reaches the page",
        suggestion="Leave `debug` out, and use `flask run --debug` while developing.",
        cwe=("CWE-489",),
        rewrite="remove-argument",
        bad=(
            "from flask import Flask\napp.run(debug=True)",
            "from flask import Flask\napp.run(host='x', debug=True, port=1)",
            "import flask\napp.debug = True",
        ),
        good=(
            "from flask import Flask\napp.run()",
            "from flask import Flask\napp.run(debug=False)",
            "from flask import Flask\napp.run(debug=args.debug)",
            "logger.run(debug=True)",
        ),
    ),
    Rule(
        id="jinja-autoescape-off",
        title="A template does not escape",
        severity="high",
        languages=_PYTHON,
        anchors=("autoescape",),
        after=r"\s{0,4}=\s{0,4}[A-Za-z_(]",
        match=(
            Call(
                r"(?:jinja2\.)?(?:\w*\.)?(?:Environment|Template|SandboxedEnvironment|NativeEnvironment)",
                when=(Arg(("autoescape",), text="False"),),
                statement_unless=r"(?i)latex|sql|yaml|\.py\b|markdown|email_text|plain|config",
            ),
            Bind(r"(?:.*\.)?(?:jinja_env|jinja_options)\.autoescape", value="False"),
        ),
        message="What users typed becomes part of the page, scripts included",
        suggestion="Pass `autoescape=True`, or `select_autoescape()`.",
        cwe=("CWE-79",),
        rewrite="set-true",
        bad=(
            "from jinja2 import Environment\nenv = Environment(loader=l, autoescape=False)",
            "app.jinja_env.autoescape = False",
        ),
        good=(
            "from jinja2 import Environment\nenv = Environment(autoescape=True)",
            "from jinja2 import Environment, select_autoescape\nenv = Environment(autoescape=select_autoescape())",
        ),
    ),
    Rule(
        id="py-template-injection",
        title="A template is made from what a request brought",
        severity="high",
        languages=_PYTHON,
        anchors=("render_template_string", "Template", "from_string"),
        after=r"\s{0,4}\(",
        match=(
            Call(r"(?:flask\.)?render_template_string", when=(Arg((0, "source"), kind="built"),)),
            Call(r"(?:flask\.)?render_template_string", when=(Arg((0, "source"), kind="tainted"),)),
            Call(
                r"(?:jinja2\.)?Template|(?:.*\.)?from_string|mako\.template\.Template",
                when=(Arg((0,), kind="tainted"),),
            ),
        ),
        message="Whoever writes the template can run code on the server",
        suggestion="Keep the template fixed and pass values to it: `render_template_string('… {{ name }}', name=name)`.",
        cwe=("CWE-1336",),
        bad=(
            "from flask import render_template_string\nrender_template_string(f'<p>{name}</p>')",
            "from flask import render_template_string\nrender_template_string(request.args['t'])",
        ),
        good=("from flask import render_template_string\nrender_template_string('<p>{{ name }}</p>', name=name)",),
    ),
    Rule(
        id="py-unsafe-markup",
        title="Text is declared safe for pages without being escaped",
        severity="medium",
        languages=_PYTHON,
        anchors=("mark_safe(", "Markup(", "format_html(", "SafeString("),
        match=(
            Call(
                r"(?:.*\.)?(?:mark_safe|SafeString|SafeText)",
                when=(Arg((0,), kind="built"),),
                statement_unless=r"escape\(|conditional_escape|format_html|json_script|bleach|nh3",
            ),
            Call(r"(?:.*\.)?Markup", when=(Arg((0,), kind="built"),), statement_unless=r"escape\(|bleach|nh3"),
            Call(r"(?:.*\.)?format_html", when=(Arg((0,), kind="built"),)),
        ),
        message="A value goes into the page as it is, scripts included",
        suggestion="Use `format_html('<b>{}</b>', value)`, or `Markup('<b>%s</b>') % value`, which escape.",
        cwe=("CWE-79",),
        bad=(
            "from django.utils.safestring import mark_safe\nmark_safe(f'<b>{name}</b>')",
            "from markupsafe import Markup\nMarkup('<b>' + name + '</b>')",
            "from django.utils.html import format_html\nformat_html(f'<b>{name}</b>')",
        ),
        good=(
            "from django.utils.html import format_html\nformat_html('<b>{}</b>', name)",
            "from markupsafe import Markup\nMarkup('<b>%s</b>') % name",
            "from django.utils.safestring import mark_safe\nmark_safe('<br>')",
            "from markupsafe import Markup\nMarkup('<b>{}</b>').format(name)",
        ),
    ),
    Rule(
        id="py-reflected-html",
        title="A page repeats what the request said",
        severity="high",
        languages=_PYTHON,
        anchors=("HttpResponse(", "make_response(", "HTMLResponse(", "Response("),
        match=(
            Call(
                r"(?:.*\.)?(?:HttpResponse|make_response|HTMLResponse|Response)",
                when=(
                    Arg((0, "content"), kind="built"),
                    Arg((0, "content"), kind="tainted"),
                    Arg((0, "content"), text=r"(?s).*<\w.*"),
                ),
            ),
        ),
        message="A link can carry a script that runs on this page",
        suggestion="Render a template, which escapes, or call `html.escape`.",
        cwe=("CWE-79",),
        bad=("HttpResponse(f\"<h1>{request.GET['q']}</h1>\")", "make_response('<p>' + request.args.get('n') + '</p>')"),
        good=(
            "HttpResponse('<h1>hi</h1>')",
            "HttpResponse(render(request, 'a.html'))",
            "from html import escape\nHttpResponse(f\"<h1>{escape(request.GET['q'])}</h1>\")",
        ),
    ),
    Rule(
        id="csrf-off",
        title="Protection from forged requests is off",
        severity="medium",
        languages=_PYTHON,
        anchors=("csrf_exempt", "WTF_CSRF_ENABLED", "CSRF_ENABLED", "check_csrf"),
        match=(
            Text(r"^\s*@(?:\w+\.)*csrf_exempt\b|(?:^|[=(,\s])csrf_exempt\(\w", unless=r"(?i)webhook|hook|callback"),
            Bind(r"(?:.*\.)?(?:WTF_CSRF_ENABLED|CSRF_ENABLED|WTF_CSRF_CHECK_DEFAULT)", value="False"),
        ),
        message="Another site can make a visitor's browser send this request",
        suggestion="Keep the protection; for machines, use tokens in a header instead of cookies.",
        cwe=("CWE-352",),
        bad=("@csrf_exempt\ndef pay(request): ...", "app.config['WTF_CSRF_ENABLED'] = False"),
        good=(
            "from django.views.decorators.csrf import csrf_exempt",
            "app.config['WTF_CSRF_ENABLED'] = True",
            "@csrf_protect\ndef pay(request): ...",
        ),
    ),
    Rule(
        id="py-cookie-flags",
        title="A cookie may be stolen",
        severity="medium",
        languages=_PYTHON,
        anchors=("set_cookie(", "secure=F", "httponly=F", "COOKIE_SECURE", "COOKIE_HTTPONLY"),
        match=(
            Call(
                r"(?:.*\.)?set_cookie",
                when=(
                    Arg((0, "key"), text=r"(?i)['\"]\w*(?:session|sid|auth|jwt|access|refresh|login|remember)\w*['\"]"),
                    Arg(("secure",), absent=True),
                ),
            ),
            Call(r"(?:.*\.)?set_cookie", when=(Arg(("secure",), text="False"),)),
            Call(
                r"(?:.*\.)?set_cookie",
                when=(Arg(("httponly",), text="False"),),
                unless=(Arg((0, "key"), text=r"(?i).*(?:csrf|xsrf|lang|locale|theme|consent).*"),),
            ),
            Bind(
                r"(?:.*\.)?(?:SESSION|CSRF|REMEMBER|LANGUAGE)_COOKIE_SECURE|(?:.*\.)?SESSION_COOKIE_HTTPONLY",
                value="False",
            ),
        ),
        file=r"(?i)cookie|SSL_REDIRECT",
        message="Without these flags a cookie travels unencrypted, or scripts can read it",
        suggestion="Set `secure=True` and `httponly=True`.",
        cwe=("CWE-614", "CWE-1004"),
        rewrite="set-true",
        bad=(
            "r.set_cookie('session_id', v)",
            "response.set_cookie('sid', v, secure=False)",
            "resp.set_cookie('sid', v, httponly=False)",
            "SESSION_COOKIE_SECURE = False",
        ),
        good=(
            "r.set_cookie('theme', v)",
            "r.set_cookie('session', v, **flags)",
            "response.set_cookie('sid', v, secure=True, httponly=True)",
            "SESSION_COOKIE_SECURE = True",
            "response.set_cookie('csrftoken', v, httponly=False, secure=True)",
        ),
    ),
    Rule(
        id="py-cors-credentials",
        title="Every site may send requests with the visitor's cookies",
        severity="high",
        languages=_PYTHON,
        anchors=(
            "allow_credentials",
            "supports_credentials",
            "CORS_ALLOW_CREDENTIALS",
            "CORS_ORIGIN_ALLOW_ALL",
            "CORS_ALLOW_ALL_ORIGINS",
        ),
        match=(
            Call(
                r"(?:.*\.)?CORS",
                when=(
                    Arg(("supports_credentials",), text="True"),
                    Arg(("resources",), text=r".*origins['\"]\s*:\s*\[?['\"]\*['\"].*"),
                ),
            ),
            Call(
                r".*",
                when=(
                    Arg(("allow_credentials",), text="True"),
                    Arg(("allow_origins",), text=r"\[\s*['\"]\*['\"]\s*,?\s*\]|['\"]\*['\"]"),
                ),
            ),
            Call(
                r"(?:.*\.)?CORS",
                when=(
                    Arg(("supports_credentials",), text="True"),
                    Arg(("origins",), text=r"\[?\s*['\"](?:\*|\.\*)['\"]\s*\]?"),
                ),
            ),
            Bind(r"CORS_ALLOW_CREDENTIALS", value="True", statement="CORS_ALLOW_CREDENTIALS"),
        ),
        file=r"\*|CORS_(?:ORIGIN_ALLOW_ALL|ALLOW_ALL_ORIGINS)\s*=\s*True",
        message="Any site that a visitor opens can act here in the visitor's name",
        suggestion="Name the origins that may send credentials.",
        cwe=("CWE-942",),
        bad=(
            "CORS(app, resources={r'/*': {'origins': '*'}}, supports_credentials=True)",
            "app.add_middleware(CORSMiddleware, allow_origins=['*'], allow_credentials=True)",
            "CORS(app, origins='*', supports_credentials=True)",
            "CORS_ALLOW_ALL_ORIGINS = True\nCORS_ALLOW_CREDENTIALS = True",
        ),
        good=(
            "app.add_middleware(CORSMiddleware, allow_origins=['https://a.io'], allow_credentials=True)",
            "app.add_middleware(CORSMiddleware, allow_origins=['*'])",
            "CORS_ALLOW_CREDENTIALS = True",
        ),
    ),
    Rule(
        id="py-open-redirect",
        title="A request decides where the visitor is sent",
        severity="medium",
        languages=_PYTHON,
        anchors=("redirect(", "Redirect(", "RedirectResponse("),
        match=(
            Call(
                r"(?:.*\.)?(?:redirect|HttpResponseRedirect|RedirectResponse)",
                when=(Arg((0, "url", "location"), kind="tainted"),),
                statement_unless="url_for|url_has_allowed_host|is_safe_url",
            ),
        ),
        file_unless=r"url_has_allowed_host_and_scheme|is_safe_url|is_safe_redirect|is_safe_target",
        message="A link to this site can lead to any other, which looks as if it were meant",
        suggestion="Allow only paths of your own: `url_has_allowed_host_and_scheme(url, allowed_hosts=…)`.",
        cwe=("CWE-601",),
        bad=(
            "from flask import redirect\nredirect(request.args['next'])",
            "url = request.GET.get('next')\nreturn HttpResponseRedirect(url)",
        ),
        good=("from flask import redirect, url_for\nredirect(url_for('home'))", "redirect('/home')"),
    ),
    Rule(
        id="py-ssrf",
        title="A request decides which address the server asks",
        severity="high",
        languages=_PYTHON,
        anchors=("requests.", "httpx.", "urlopen", "session.", "urlretrieve"),
        after=r"(?:get|post|put|delete|head|patch)?\s{0,4}\(",
        match=(
            Call(
                r"(?:requests|httpx)\.(?:get|post|put|delete|head|patch)|(?:urllib\.request\.)?(?:urlopen|urlretrieve)|(?:.*\.)?session\.(?:get|post)",
                when=(Arg((0, "url"), kind="tainted"),),
            ),
        ),
        message="The server can be made to ask addresses that only it can reach",
        suggestion="Choose the address from a list of allowed ones, and refuse private networks.",
        cwe=("CWE-918",),
        bad=(
            "import requests\nrequests.get(request.args['url'])",
            "import requests\nurl = request.json['u']\nrequests.post(url, timeout=3)",
        ),
        good=(
            "import requests\nrequests.get('https://a.io', params=request.args, timeout=3)",
            "import requests\nrequests.get(URL, timeout=3)",
        ),
    ),
    Rule(
        id="py-nosql-injection",
        title="A request decides what a query asks",
        severity="medium",
        languages=_PYTHON,
        anchors=("find(", "find_one(", "update_one(", "delete_one(", "delete_many(", "aggregate("),
        match=(
            Call(
                r".*\.(?:find|find_one|update_one|update_many|delete_one|delete_many|aggregate)",
                when=(
                    Arg(
                        (0,), text=r"(?:await\s+)?(?:self\.)?request\.(?:json|get_json\(.*\)|json\(\)|form|args|values)"
                    ),
                ),
            ),
        ),
        file=r"\brequest\.(?:json|get_json|form|args|values)",
        message="Operators such as `$ne` in the body change what the query means",
        suggestion="Take the fields that you need from the body and turn them into texts.",
        cwe=("CWE-943",),
        bad=("db.users.find_one(request.get_json())", "users.find(request.json)"),
        good=("db.users.find_one({'name': str(request.json['name'])})", "text.find('a')"),
    ),
    Rule(
        id="py-ldap-injection",
        title="An LDAP or XPath query is put together from parts",
        severity="medium",
        languages=_PYTHON,
        anchors=("search_s(", "search_ext(", "search_ext_s(", "search_st(", "xpath("),
        match=(
            Call(
                r".*\.(?:search_s|search_ext|search_ext_s|search_st)",
                when=(Arg((2, "filterstr"), kind="built"),),
                statement_unless="escape_filter_chars",
            ),
            Call(r".*\.xpath", when=(Arg((0,), kind="built"), Arg((0,), kind="tainted"))),
        ),
        message="A value can change what the query asks",
        suggestion="Wrap values in `ldap.filter.escape_filter_chars`, or pass XPath variables.",
        cwe=("CWE-90", "CWE-643"),
        bad=("conn.search_s(base, scope, f'(uid={uid})')", "tree.xpath(f\"//user[name='{request.args['n']}']\")"),
        good=(
            "conn.search_s(base, scope, '(uid=me)')",
            "tree.xpath('//user[name=$n]', n=name)",
            "tree.xpath(f'//a[{i}]')",
        ),
    ),
)
