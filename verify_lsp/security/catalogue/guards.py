"""What protected and is taken away."""

from typing import Final

from verify_lsp.security.rule import Guard, Rule

_CODE: Final = ("python", "javascript", "typescript", "go", "rust")
_ANY_AUTH: Final = r"(?i)auth|login|permission|guard|role|admin|token|session|principal|signed_in|current_user"

RULES: Final = (
    Rule(
        id="removed-auth-guard",
        title="A check of who may do this is gone",
        severity="high",
        languages=_CODE,
        anchors=(),
        match=(
            Guard(
                r"@(?:\w+\.)*(?:login_required|permission_required|requires?_(?:auth\w*|login|permission\w*|role\w*|admin)|auth_required|jwt_required|token_required|user_passes_test|staff_member_required|superuser_required|admin_required|admin_only|roles?_required|fresh_login_required|authenticated|permission_classes|UseGuards|PreAuthorize|Secured|RolesAllowed|Authorize)\b",
                replaced=_ANY_AUTH,
            ),
            Guard(
                r"\bDepends\((?:\w+\.)*(?:get_current_\w+|require_\w+|verify_\w+|current_\w*user)\b|\b(?:LoginRequiredMixin|PermissionRequiredMixin|UserPassesTestMixin)\b",
                replaced=_ANY_AUTH,
            ),
            Guard(
                r"\b(?:requireAuth|requiresAuth|isAuthenticated|ensureAuthenticated|ensureLoggedIn|authMiddleware|requireLogin|verifyToken|checkAuth|requireRole|requireAdmin|requireUser|isAdmin|checkJwt|authenticateToken|authenticateUser|protectRoute|passport\.authenticate\([^)]*\)|RequireAuth|AuthMiddleware|RequireLogin|RequireRole)\b",
                replaced=_ANY_AUTH,
            ),
        ),
        message="What asked who is there was taken away, and what it protected stays",
        suggestion="Put it back, or say in the change where the question is asked now.",
        cwe=("CWE-862", "CWE-306"),
        bad=(
            " from x import y\n-@login_required\n def settings(request):\n     ...",
            "-router.delete('/users/:id', requireAuth, remove);\n+router.delete('/users/:id', remove);",
            "-@app.get('/me', dependencies=[Depends(get_current_user)])\n+@app.get('/me')\n def me(): ...",
        ),
        good=(
            "-@login_required\n+@permission_required('a.b')\n def settings(request):\n     ...",
            "-@login_required\n-def settings(request):\n-    ...\n pass",
            "-@login_required\n-def a(request): ...\n+@login_required\n+def b(request): ...",
            "-from x import login_required\n a = 1",
        ),
    ),
    Rule(
        id="removed-csrf-guard",
        title="Protection from forged requests is gone",
        severity="high",
        languages=(*_CODE, "markup"),
        anchors=(),
        match=(
            Guard(
                r"@(?:\w+\.)*csrf_protect\b|\bCsrfViewMiddleware\b|\bcsurf\(|\bcsrfProtection\b|\bCSRFProtect\(|\{%\s*csrf_token\s*%\}|\bcsrf\.Protect\(",
                replaced="(?i)csrf|xsrf",
            ),
        ),
        message="What kept other sites from sending this request was taken away",
        suggestion="Put it back, or say in the change what protects it now.",
        cwe=("CWE-352",),
        bad=(
            " MIDDLEWARE = [\n     'a',\n-    'django.middleware.csrf.CsrfViewMiddleware',\n     'b',\n ]",
            "#! a.html\n <form>\n-{% csrf_token %}\n </form>",
        ),
        good=("-app.use(csurf())\n+app.use(lusca.csrf())\n x()",),
    ),
    Rule(
        id="removed-escape",
        title="A value is no longer escaped",
        severity="high",
        languages=(*_CODE, "markup"),
        anchors=(),
        match=(
            Guard(r"\bshlex\.quote\(", replaced=r"(?i)quote|\[\s*['\"]|shlex\.join"),
            Guard(
                r"\b(?:html\.escape|escape_html|escapeHtml|escapeHTML|conditional_escape|DOMPurify\.sanitize|bleach\.clean|nh3\.clean|sanitizeHtml|sanitize_html|htmlspecialchars|html\.EscapeString|template\.HTMLEscapeString|escape_filter_chars|secure_filename|safe_join|filepath\.IsLocal|is_relative_to)\(",
                replaced=r"(?i)escape|sanitize|quote|clean|purify|secure_filename|safe_join|basename|format_html|select_autoescape|islocal|relative_to|textContent",
            ),
        ),
        message="What made the value harmless was taken away, and the value is still used",
        suggestion="Put it back, or say in the change what makes the value harmless now.",
        cwe=("CWE-116",),
        bad=(
            "-    return f'<b>{html.escape(name)}</b>'\n+    return f'<b>{name}</b>'",
            "-el.innerHTML = DOMPurify.sanitize(text);\n+el.innerHTML = text;",
        ),
        good=(
            "-    return f'<b>{html.escape(name)}</b>'\n+    return format_html('<b>{}</b>', name)",
            "-x = html.escape(a)\n-y = x\n-print(y)\n-del y\n pass",
        ),
    ),
    Rule(
        id="removed-rate-limit",
        title="A limit on how often is gone",
        severity="medium",
        languages=_CODE,
        anchors=(),
        match=(
            Guard(
                r"@(?:\w+\.)*(?:limiter\.limit|ratelimit|rate_limit\w*|throttle\w*|Throttle|limits?)\(|\brateLimit\(|\b(?:loginLimiter|apiLimiter|rateLimiter|limiter)\b\s*[,)]|\bRateLimit(?:er)?Middleware\b",
                replaced=r"(?i)limit|throttle",
            ),
        ),
        message="What kept somebody from trying again and again was taken away",
        suggestion="Put it back, or say in the change what limits it now.",
        cwe=("CWE-770", "CWE-307"),
        bad=(
            "-@limiter.limit('5/minute')\n def login(): ...",
            "-app.post('/login', loginLimiter, login)\n+app.post('/login', login)",
        ),
        good=("-@limiter.limit('5/minute')\n+@limiter.limit('9/minute')\n def login(): ...",),
    ),
    Rule(
        id="removed-signature-check",
        title="A signature or password is no longer compared",
        severity="high",
        languages=_CODE,
        anchors=(),
        match=(
            Guard(
                r"\b(?:compare_digest|timingSafeEqual|verify_signature|verifySignature|constructEvent|check_password|check_password_hash|bcrypt\.checkpw|bcrypt\.compare\w*|jwt\.verify|ConstantTimeCompare|CompareHashAndPassword|hmac\.Equal|verify_webhook\w*)\(",
                replaced=r"(?i)verif|compare|check_?p|equal|authenticate|construct_?event",
            ),
        ),
        message="What compared a signature or a password was taken away",
        suggestion="Put it back, or say in the change where it is compared now.",
        cwe=("CWE-345", "CWE-287"),
        bad=(" def hook(request):\n-    if not hmac.compare_digest(a, b):\n-        abort(403)\n     run(request)",),
        good=("-    if not hmac.compare_digest(a, b):\n+    if not verify(a, b):\n         abort(403)",),
    ),
    Rule(
        id="removed-security-header",
        title="A protection of pages is gone",
        severity="medium",
        languages=_CODE,
        anchors=(),
        match=(
            Guard(
                r"\bapp\.use\(helmet\(|\bSecurityMiddleware\b|\bXFrameOptionsMiddleware\b|\b(?:SESSION|CSRF)_COOKIE_SECURE\s*=\s*True|\bSECURE_(?:SSL_REDIRECT|HSTS_SECONDS)\s*=\s*(?:True|[1-9])|\bTalisman\(",
                replaced=r"(?i)helmet|SecurityMiddleware|FrameOptions|COOKIE_SECURE|SECURE_|Talisman|Content-Security-Policy",
            ),
        ),
        message="Headers or flags that protect visitors were taken away",
        suggestion="Put them back, or say in the change what sets them now.",
        cwe=("CWE-693",),
        bad=(
            " const app = express();\n-app.use(helmet());\n app.use(x);",
            " A = 1\n-SESSION_COOKIE_SECURE = True\n B = 2",
        ),
        good=("-app.use(helmet());\n+app.use(helmet({ hsts: true }));\n app.use(x);",),
    ),
)
