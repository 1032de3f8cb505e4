"""Pages and their servers: markup, cookies, origins, redirects."""

from typing import Final

from verify_lsp.security.rule import Arg, Bind, Call, Rule, Text

_SCRIPT: Final = ("javascript", "typescript")
_CLEANED: Final = r"(?i)sanitize|purify|escape|encode|trustedhtml|\bt\(|i18n|translate"

RULES: Final = (
    Rule(
        id="js-innerhtml",
        title="Markup is put together from values",
        severity="medium",
        languages=_SCRIPT,
        anchors=("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "createContextualFragment"),
        match=(
            Bind(
                r".*\.(?:innerHTML|outerHTML)",
                value=r"(?i)(?:\w+\.)*\w*(?:user|input|comment|message|query|param|username|nickname)\w*(?:\.\w+)*",
                kind="dynamic",
                statement_unless=_CLEANED,
            ),
            Bind(r".*\.(?:innerHTML|outerHTML)", kind="built", statement_unless=_CLEANED),
            Bind(r".*\.(?:innerHTML|outerHTML)", kind="tainted", statement_unless=_CLEANED),
            Call(r".*\.insertAdjacentHTML", when=(Arg((1,), kind="built"),), statement_unless=_CLEANED),
            Call(
                r"(?:window\.)?document\.(?:write|writeln)", when=(Arg((0,), kind="built"),), statement_unless=_CLEANED
            ),
            Call(
                r"(?:window\.)?document\.(?:write|writeln)",
                when=(Arg((0,), kind="tainted"),),
                statement_unless=_CLEANED,
            ),
            Call(r".*\.createContextualFragment", when=(Arg((0,), kind="built"),), statement_unless=_CLEANED),
        ),
        message="A value becomes part of the page's markup, scripts included",
        suggestion="Set `textContent`, or clean the markup with DOMPurify.",
        cwe=("CWE-79",),
        bad=(
            "el.innerHTML = userInput",
            "el.innerHTML = `<b>${name}</b>`",
            "el.innerHTML = '<p>' + text + '</p>'",
            "el.innerHTML = location.hash",
            "document.write('<a>' + location.href)",
            "el.insertAdjacentHTML('beforeend', `<li>${item}</li>`)",
        ),
        good=(
            "el.innerHTML = ''",
            "el.textContent = name",
            "el.innerHTML = DOMPurify.sanitize(`<b>${name}</b>`)",
            "el.innerHTML = '<b>hi</b>'",
            "const h = el.innerHTML",
            "el.innerHTML = template",
            "el.innerHTML = `<i>${COUNT}</i>`",
        ),
    ),
    Rule(
        id="react-inner-html",
        title="A component writes markup that others may have made",
        severity="medium",
        languages=_SCRIPT,
        anchors=("dangerouslySetInnerHTML",),
        match=(
            Bind(
                r"dangerouslySetInnerHTML",
                value=r"\{\s*__html:\s*(?:`[^`]*\$\{.*|[^'\"`]*\+.*|(?:[\w.]+\.)?(?:props|params|query|searchParams|user\w*|comment\w*|message\w*|post|data|item|row|article|review|bio|description|body)\b[\w.\[\]?]*)\s*,?\s*\}",
                statement_unless=r"(?i)sanitize|purify|escape|JSON\.stringify|ld\+json|highlight|shiki|prism|katex|mathjax|marked|remark|nonce|<script|<style|themeScript",
            ),
        ),
        message="A value becomes part of the page's markup, scripts included",
        suggestion="Render it as text, or clean it with DOMPurify first.",
        cwe=("CWE-79",),
        bad=(
            "#! a.tsx\nconst a = <p dangerouslySetInnerHTML={{ __html: props.comment }} />",
            "#! a.tsx\nconst a = <p dangerouslySetInnerHTML={{ __html: `<b>${name}</b>` }} />",
        ),
        good=(
            "#! a.tsx\nconst a = <p dangerouslySetInnerHTML={{ __html: DOMPurify.sanitize(props.comment) }} />",
            "#! a.tsx\nconst a = <style dangerouslySetInnerHTML={{ __html: css }} />",
            "#! a.tsx\nconst a = <script dangerouslySetInnerHTML={{ __html: JSON.stringify(data) }} />",
        ),
    ),
    Rule(
        id="markup-from-variable",
        title="Markup comes from a variable",
        severity="low",
        languages=_SCRIPT,
        anchors=("dangerouslySetInnerHTML", "innerHTML"),
        match=(
            Bind(r"dangerouslySetInnerHTML", value=r"\{\s*__html:\s*[\w.]+\s*,?\s*\}", statement_unless=_CLEANED),
            Bind(r".*\.innerHTML", value=r"[\w.]+", kind="dynamic", statement_unless=_CLEANED),
        ),
        message="Whoever fills the variable writes markup, scripts included",
        suggestion="Make sure that it holds only markup of your own, or clean it.",
        cwe=("CWE-79",),
        behind=("js-innerhtml", "react-inner-html"),
        bad=("el.innerHTML = html", "#! a.tsx\nconst a = <p dangerouslySetInnerHTML={{ __html: html }} />"),
        good=("el.innerHTML = ''", "el.textContent = html"),
    ),
    Rule(
        id="vue-v-html",
        title="A template writes markup that others may have made",
        severity="medium",
        languages=("markup",),
        anchors=("v-html", "{@html"),
        match=(
            Text(
                r"""(?i)\sv-html=["'](?:[^"']*\.)?(?:\w*(?:comment|message|body|content|description|bio|text|html|value|data|post|input|query|name|title)\w*)(?:\.\w+)*["']""",
                unless=_CLEANED,
            ),
            Text(
                r"\{@html\s+[^}]*(?:comment|message|body|content|description|bio|data\.|post|input|query)",
                unless=_CLEANED,
            ),
        ),
        message="A value becomes part of the page's markup, scripts included",
        suggestion="Use `{{ value }}`, which escapes, or clean it with DOMPurify first.",
        cwe=("CWE-79",),
        bad=(
            '#! b.vue\n<div v-html="userContent"></div>',
            '#! a.vue\n<p v-html="comment.body"></p>',
            "#! a.svelte\n{@html post.content}",
        ),
        good=("#! a.vue\n<p>{{ comment.body }}</p>", '#! a.vue\n<p v-html="sanitize(comment.body)"></p>'),
    ),
    Rule(
        id="angular-bypass",
        title="Angular is told to trust a value",
        severity="medium",
        languages=_SCRIPT,
        anchors=("bypassSecurityTrust",),
        match=(
            Call(
                r".*\.bypassSecurityTrust(?:Html|Script|Url|ResourceUrl|Style)",
                when=(Arg((0,), kind="dynamic"),),
                statement_unless=r"(?i)sanitize\(|purify|escape",
            ),
        ),
        message="Angular's cleaning of values is bypassed",
        suggestion="Bind the value without the bypass, or clean it first.",
        cwe=("CWE-79",),
        bad=("this.sanitizer.bypassSecurityTrustHtml(comment)",),
        good=("this.s.bypassSecurityTrustHtml('<b>a</b>')", "this.s.sanitize(1, comment)"),
    ),
    Rule(
        id="handlebars-no-escape",
        title="A template does not escape",
        severity="medium",
        languages=_SCRIPT,
        anchors=("noEscape", "autoescape"),
        match=(
            Bind(r"noEscape", value="true"),
            Bind(r"autoescape", value="false", inside=r"(?:nunjucks\.)?(?:configure|Environment|nunjucks.*)"),
        ),
        message="What users typed becomes part of the page, scripts included",
        suggestion="Let the template escape, and mark the few safe values one by one.",
        cwe=("CWE-79",),
        bad=("Handlebars.compile(t, { noEscape: true })", "nunjucks.configure('v', { autoescape: false })"),
        good=("Handlebars.compile(t)", "nunjucks.configure('v', { autoescape: true })"),
    ),
    Rule(
        id="js-reflected-html",
        title="A page repeats what the request said",
        severity="high",
        languages=_SCRIPT,
        anchors=(".send(", ".end(", ".write("),
        match=(
            Call(
                r"(?:res|response|reply)(?:\.status\(\))?\.(?:send|end|write)",
                when=(Arg((0,), kind="built"), Arg((0,), kind="tainted"), Arg((0,), text=r"(?s).*<\w.*")),
                statement_unless=_CLEANED,
            ),
        ),
        file=r"<\w",
        message="A link can carry a script that runs on this page",
        suggestion="Render a template, which escapes.",
        cwe=("CWE-79",),
        bad=("res.send(`<h1>${req.query.q}</h1>`)", "res.status(404).send('<p>' + req.params.id + '</p>')"),
        good=(
            "res.send({ q: req.query.q })",
            "res.send('<h1>hi</h1>')",
            "res.send(`<h1>${escapeHtml(req.query.q)}</h1>`)",
        ),
    ),
    Rule(
        id="js-cookie-flags",
        title="A cookie may be stolen",
        severity="medium",
        languages=_SCRIPT,
        anchors=(".cookie(", "httpOnly: f", "httpOnly:f", "secure: f", "secure:f"),
        match=(
            Call(
                r"(?:res|response|reply)\.cookie",
                when=(
                    Arg((0,), text=r"(?i)['\"]\w*(?:session|sid|auth|jwt|access|refresh|login|remember)\w*['\"]"),
                    Arg(("secure",), absent=True),
                ),
                unless=(Arg((2,), text=r"[a-zA-Z_$][\w.$]*(?:\(.*\))?"),),
            ),
            Bind(
                r"(?:.*\.)?httpOnly",
                value="false",
                inside=r"(?:.*\.)?(?:cookie|setCookie|session|expressSession|express-session|cookie-session|serialize|set|cookies\(\)\.set)",
                statement_unless=r"(?i)csrf|xsrf|theme|locale|lang",
            ),
            Bind(
                r"(?:.*\.)?secure",
                value="false",
                inside=r"(?:.*\.)?(?:cookie|setCookie|session|expressSession|express-session|cookie-session|serialize|cookies\(\)\.set)",
            ),
        ),
        file=r"(?i)cookie|session",
        message="Without these flags a cookie travels unencrypted, or scripts can read it",
        suggestion="Set `secure: true` and `httpOnly: true`.",
        cwe=("CWE-614", "CWE-1004"),
        rewrite="set-true",
        bad=(
            "res.cookie('session', token)",
            "res.cookie('sid', v, { httpOnly: false })",
            "app.use(session({ cookie: { secure: false } }))",
        ),
        good=(
            "res.cookie('session', token, options)",
            "res.cookie('theme', v)",
            "res.cookie('sid', v, { httpOnly: true, secure: true })",
            "nodemailer.createTransport({ secure: false })",
            "res.cookie('csrf', v, { httpOnly: false, secure: true })",
        ),
    ),
    Rule(
        id="js-cors-credentials",
        title="Every site may send requests with the visitor's cookies",
        severity="high",
        languages=_SCRIPT,
        anchors=("credentials: t", "credentials:t"),
        match=(
            Call(
                r"(?:.*\.)?(?:cors|enableCors|register)",
                when=(
                    Arg(("credentials",), text="true"),
                    Arg(
                        ("origin",),
                        text=r"true|['\"]\*['\"]|\(\s*(?:origin|o|_)\s*,\s*(?:cb|callback)\s*\)\s*=>\s*(?:cb|callback)\(null,\s*true\)",
                    ),
                ),
            ),
        ),
        file=r"(?i)cors",
        message="Any site that a visitor opens can act here in the visitor's name",
        suggestion="Name the origins that may send credentials.",
        cwe=("CWE-942",),
        bad=(
            "app.use(cors({ origin: true, credentials: true }))",
            "app.enableCors({ origin: '*', credentials: true })",
        ),
        good=(
            "app.use(cors({ origin: 'https://a.io', credentials: true }))",
            "app.use(cors({ origin: '*' }))",
            "fetch(u, { credentials: 'include' })",
        ),
    ),
    Rule(
        id="cors-wildcard",
        title="Every site may read the answers",
        severity="low",
        languages=(*_SCRIPT, "python", "go"),
        anchors=("Access-Control-Allow-Origin",),
        match=(Text(r"""Access-Control-Allow-Origin["'\]]*\s*[,:=]+\s*["']\*["']"""),),
        message="Any site that a visitor opens can read what is answered here",
        suggestion="Name the origins, unless everything here is public.",
        cwe=("CWE-942",),
        bad=(
            "res.setHeader('Access-Control-Allow-Origin', '*')",
            '#! a.py\nresponse["Access-Control-Allow-Origin"] = "*"',
        ),
        good=("res.setHeader('Access-Control-Allow-Origin', origin)",),
    ),
    Rule(
        id="js-open-redirect",
        title="A request decides where the visitor is sent",
        severity="medium",
        languages=_SCRIPT,
        anchors=("redirect(",),
        match=(
            Call(
                r"(?:res|response|reply|ctx)\.redirect",
                when=(Arg((0,), kind="tainted"), Arg((0,), text=r"(?:req|ctx|request)\b.*|\w+")),
            ),
            Call(
                r"(?:res|response|reply)\.redirect",
                when=(Arg((1,), kind="tainted"), Arg((1,), text=r"(?:req|ctx|request)\b.*|\w+")),
            ),
        ),
        file_unless=r"(?i)isSafeRedirect|isSafeUrl|isRelative|validateRedirect|allowedRedirects",
        message="A link to this site can lead to any other, which looks as if it were meant",
        suggestion="Allow only paths of your own.",
        cwe=("CWE-601",),
        bad=("res.redirect(req.query.next)", "const to = req.query.to;\nres.redirect(to);"),
        good=("res.redirect('/home')", "res.redirect(`/users/${req.params.id}`)", "res.redirect(url)"),
    ),
    Rule(
        id="post-message-any-origin",
        title="A message goes to whatever page is there",
        severity="low",
        languages=_SCRIPT,
        anchors=("postMessage(",),
        match=(
            Call(
                r"(?:.*\.)?(?:parent|opener|top|contentWindow|frames?|target|source)(?:\[\])?\.postMessage",
                when=(Arg((1,), text=r"['\"]\*['\"]"),),
            ),
        ),
        message="Another site's page may receive the message",
        suggestion="Name the origin that is meant.",
        cwe=("CWE-346",),
        bad=("window.parent.postMessage(data, '*')",),
        good=("window.parent.postMessage(data, 'https://a.io')", "worker.postMessage(data)"),
    ),
    Rule(
        id="helmet-part-off",
        title="A header that protects pages is switched off",
        severity="low",
        languages=_SCRIPT,
        anchors=("contentSecurityPolicy", "frameguard", "hsts", "strictTransportSecurity"),
        match=(
            Bind(
                r"contentSecurityPolicy|frameguard|hsts|strictTransportSecurity|xFrameOptions",
                value="false",
                inside=r"helmet(?:\.default)?",
            ),
        ),
        message="Pages lose a protection that helmet gives",
        suggestion="Configure the header instead of switching it off.",
        cwe=("CWE-693",),
        bad=("app.use(helmet({ contentSecurityPolicy: false }))",),
        good=("app.use(helmet())", "const o = { hsts: false }"),
    ),
)
