"""Go: commands, SQL, files, pages, addresses."""

from typing import Final

from verify_lsp.security.rule import Arg, Call, Rule

_GO: Final = ("go",)
_SQL: Final = r"""(?is)\b(?:select\s.+?\sfrom\s|insert\s+into\s|update\s+\S+\s+set\s|delete\s+from\s|drop\s+(?:table|database)|alter\s+table|where\s+\S+\s*(?:=|like|in\s*\())"""

RULES: Final = (
    Rule(
        id="go-shell-injection",
        title="A shell command is put together from parts",
        severity="critical",
        languages=_GO,
        anchors=("exec.Command", "Command("),
        match=(
            Call(
                r"(?:os/)?exec\.Command(?:Context)?",
                when=(Arg(("*",), text=r"[\"`](?:-l?c|/[cC])[\"`]"), Arg(("*",), kind="tainted")),
            ),
            Call(
                r"os/exec\.Command(?:Context)?|exec\.Command(?:Context)?",
                when=(Arg(("*",), text=r"[\"`](?:-l?c|/[cC])[\"`]"), Arg(("*",), kind="built")),
            ),
        ),
        file=r"""[\"`](?:-l?c|/[cC])[\"`]""",
        message="A value is put into a command line that a shell reads, so it can bring commands of its own",
        suggestion='Call the program itself: `exec.Command("rm", path)`.',
        cwe=("CWE-78",),
        bad=(
            'package a\nimport "os/exec"\nfunc f(r *http.Request) { exec.Command("sh", "-c", r.FormValue("c")) }',
            'package a\nimport "os/exec"\nfunc f(p string) { exec.Command("sh", "-c", "rm "+p) }',
            'package a\nimport "os/exec"\nfunc f(p string) { exec.Command("bash", "-c", fmt.Sprintf("ls %s", p)).Run() }',
            'package a\nimport (\n\t"os/exec"\n)\nfunc f(ctx context.Context, p string) {\n\tcmd := "cat " + p\n\texec.CommandContext(ctx, "sh", "-c", cmd)\n}',
        ),
        good=(
            'package a\nimport "os/exec"\nfunc f(p string) { exec.Command("rm", p) }',
            'package a\nimport "os/exec"\nfunc f() { exec.Command("sh", "-c", "ls | wc -l") }',
            'package a\nimport "os/exec"\nfunc f(script string) { exec.Command("sh", "-c", script) }',
        ),
    ),
    Rule(
        id="go-sql-injection",
        title="SQL is put together from parts",
        severity="high",
        languages=_GO,
        anchors=("Query", "Exec", "Raw(", "Select(", "Get("),
        match=(
            Call(
                r".*\.(?:Query|QueryRow|Exec|QueryContext|QueryRowContext|ExecContext|Raw|Select|Get|Prepare|PrepareContext|Queryx|NamedExec)",
                when=(Arg(("*",), kind="built"), Arg(("*",), text=rf".*{_SQL}.*")),
            ),
            Call(
                r".*\.(?:Query|QueryRow|Exec|QueryContext|QueryRowContext|ExecContext|Raw)",
                when=(Arg(("*",), kind="built"),),
                statement=_SQL,
            ),
        ),
        file=_SQL,
        message="A value is put into the text of an SQL statement, so it can change what the statement does",
        suggestion='Write placeholders and pass the values apart: `db.Query("… WHERE id = $1", id)`.',
        cwe=("CWE-89",),
        bad=(
            "package a\nfunc f() { db.Query(fmt.Sprintf(\"SELECT * FROM users WHERE name = '%s'\", name)) }",
            'package a\nfunc f() { db.ExecContext(ctx, "DELETE FROM t WHERE id = "+id) }',
            'package a\nfunc f() {\n\tq := fmt.Sprintf("SELECT a FROM b WHERE c = %v", c)\n\trows, err := db.Query(q)\n}',
        ),
        good=(
            'package a\nfunc f() { db.Query("SELECT * FROM users WHERE name = $1", name) }',
            'package a\nconst table = "t"\nfunc f() { db.Query(fmt.Sprintf("SELECT * FROM t LIMIT %d", n)) }',
            'package a\nfunc f() { r.URL.Query().Get("select " + x) }',
        ),
    ),
    Rule(
        id="go-path-traversal",
        title="A request names the file",
        severity="high",
        languages=_GO,
        anchors=("os.", "ServeFile(", "filepath.Join(", "path.Join(", "ioutil."),
        match=(
            Call(
                r"os\.(?:Open|OpenFile|ReadFile|Create|Remove|RemoveAll|WriteFile|ReadDir|Stat)|io/ioutil\.(?:ReadFile|WriteFile)|path/filepath\.Join|path\.Join",
                when=(Arg(("*",), kind="tainted"),),
            ),
            Call(r"net/http\.ServeFile|http\.ServeFile", when=(Arg((2,), kind="tainted"),)),
        ),
        file_unless=r"filepath\.IsLocal|strings\.HasPrefix\(|securejoin|SecureJoin|os\.OpenRoot|filepath\.Rel\(|filepath\.Base\(|path\.Base\(|path\.Clean\(",
        message="A request decides which file is touched; `../` leads out of the folder that was meant",
        suggestion="Check `filepath.IsLocal(name)`, or open it through `os.Root`.",
        cwe=("CWE-22",),
        bad=(
            'package a\nimport "os"\nfunc f(r *http.Request) { os.ReadFile("data/" + r.FormValue("name")) }',
            'package a\nimport "path/filepath"\nfunc f(r *http.Request) {\n\tname := r.URL.Query().Get("f")\n\tp := filepath.Join(root, name)\n}',
        ),
        good=(
            'package a\nimport "os"\nfunc f(name string) { os.ReadFile(name) }',
            'package a\nimport "path/filepath"\nfunc f(r *http.Request) { p := filepath.Join(root, filepath.Base(r.FormValue("name"))) }',
        ),
    ),
    Rule(
        id="go-archive-slip",
        title="An archive may write outside of its folder",
        severity="high",
        languages=_GO,
        anchors=("filepath.Join(", "path.Join("),
        match=(
            Call(
                r"path/filepath\.Join|path\.Join",
                when=(Arg(("*",), text=r"(?:f|file|zf|zipFile|header|hdr|h|entry|th|member)\.Name(?:\(\))?"),),
            ),
        ),
        file=r'"archive/(?:zip|tar)"',
        file_unless=r"IsLocal|HasPrefix\(|ecureJoin|os\.Root|OpenRoot|filepath\.Rel\(|Contains\([^)]*\"\.\.\"|zip\.NewWriter|tar\.NewWriter",
        message="Entries of an archive can carry names like `../../etc/passwd`",
        suggestion="Check `filepath.IsLocal(name)`, or write through `os.Root`.",
        cwe=("CWE-22",),
        bad=(
            'package a\nimport (\n\t"archive/zip"\n\t"path/filepath"\n)\nfunc f() { p := filepath.Join(dest, f.Name) }',
        ),
        good=(
            'package a\nimport (\n\t"archive/zip"\n\t"path/filepath"\n)\nfunc f() { if !filepath.IsLocal(f.Name) { return }; p := filepath.Join(dest, f.Name) }',
        ),
    ),
    Rule(
        id="go-unescaped-html",
        title="Text is declared safe for pages",
        severity="medium",
        languages=_GO,
        anchors=("template.HTML(", "template.JS(", "template.URL(", "template.HTMLAttr("),
        match=(
            Call(
                r"(?:html/)?template\.(?:HTML|JS|URL|HTMLAttr|CSS)",
                when=(Arg((0,), kind="built"),),
                statement_unless=r"(?i)escape|sanitize|bluemonday",
            ),
            Call(
                r"(?:html/)?template\.(?:HTML|JS|URL|HTMLAttr|CSS)",
                when=(Arg((0,), kind="tainted"),),
                statement_unless=r"(?i)escape|sanitize|bluemonday",
            ),
        ),
        message="A value goes into the page as it is, scripts included",
        suggestion="Pass the value as a string; the template escapes it.",
        cwe=("CWE-79",),
        bad=(
            'package a\nimport "html/template"\nfunc f(n string) { x := template.HTML("<b>" + n + "</b>") }',
            'package a\nimport "html/template"\nfunc f(r *http.Request) { x := template.HTML(r.FormValue("q")) }',
        ),
        good=(
            'package a\nimport "html/template"\nfunc f() { x := template.HTML("<br>") }',
            'package a\nimport "html/template"\nfunc f(b []byte) { x := template.HTML(render(b)) }',
        ),
    ),
    Rule(
        id="go-reflected-html",
        title="A page repeats what the request said",
        severity="high",
        languages=_GO,
        anchors=("Fprintf(", "Write(", "Fprint(", "Fprintln("),
        match=(
            Call(
                r"fmt\.Fprintf",
                when=(
                    Arg((0,), text=r"w|rw|writer|c\.Writer"),
                    Arg((1,), text=r"[\"`].*<\w.*"),
                    Arg(("*",), kind="tainted"),
                ),
            ),
            Call(
                r"fmt\.Fprint(?:ln)?",
                when=(Arg((0,), text=r"w|rw"), Arg(("*",), text=r".*<\w.*"), Arg(("*",), kind="tainted")),
            ),
            Call(r"(?:w|rw)\.Write", when=(Arg((0,), text=r".*<\w.*"), Arg((0,), kind="tainted"))),
        ),
        file=r"<\w",
        message="A link can carry a script that runs on this page",
        suggestion="Render with html/template, which escapes.",
        cwe=("CWE-79",),
        bad=(
            'package a\nfunc f(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "<h1>%s</h1>", r.FormValue("q")) }',
        ),
        good=(
            'package a\nfunc f(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "hello %s", name) }',
            'package a\nfunc f(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "<h1>%s</h1>", html.EscapeString(r.FormValue("q"))) }',
        ),
    ),
    Rule(
        id="go-ssrf",
        title="A request decides which address the server asks",
        severity="high",
        languages=_GO,
        anchors=("http.Get(", "http.Post(", "NewRequest", "http.Head("),
        match=(
            Call(r"(?:net/)?http\.(?:Get|Post|Head|PostForm)", when=(Arg((0,), kind="tainted"),)),
            Call(r"(?:net/)?http\.NewRequest", when=(Arg((1,), kind="tainted"),)),
            Call(r"(?:net/)?http\.NewRequestWithContext", when=(Arg((2,), kind="tainted"),)),
        ),
        message="The server can be made to ask addresses that only it can reach",
        suggestion="Choose the address from a list of allowed ones, and refuse private networks.",
        cwe=("CWE-918",),
        bad=('package a\nimport "net/http"\nfunc f(r *http.Request) { http.Get(r.FormValue("url")) }',),
        good=(
            'package a\nimport "net/http"\nfunc f() { http.Get("https://a.io") }',
            'package a\nimport "net/http"\nfunc f(u string) { http.Get(u) }',
        ),
    ),
    Rule(
        id="go-open-redirect",
        title="A request decides where the visitor is sent",
        severity="medium",
        languages=_GO,
        anchors=("Redirect(",),
        match=(
            Call(
                r"(?:net/)?http\.Redirect",
                when=(
                    Arg((2,), kind="tainted"),
                    Arg((2,), text=r"r\.(?:FormValue|URL\.Query|PostFormValue).*|[a-z]\w*"),
                ),
            ),
        ),
        file_unless=r"(?i)isSafeRedirect|validRedirect|isRelative|IsLocalURL",
        message="A link to this site can lead to any other, which looks as if it were meant",
        suggestion="Allow only paths of your own.",
        cwe=("CWE-601",),
        bad=(
            'package a\nimport "net/http"\nfunc f(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.FormValue("next"), 302) }',
        ),
        good=(
            'package a\nimport "net/http"\nfunc f(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/home", 302) }',
            'package a\nimport "net/http"\nfunc f(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "https://"+r.Host+r.URL.Path, 301) }',
        ),
    ),
    Rule(
        id="go-chmod-world-writable",
        title="A file is made writable for everybody",
        severity="medium",
        languages=_GO,
        anchors=("Chmod(",),
        match=(
            Call(r"os\.Chmod|.*\.Chmod", when=(Arg((0, 1), text=r"0o?[0-7]?[0-7][0-7][2367]"),)),
            Call(r"os\.Chmod", when=(Arg((1,), text=r"0o?[0-7]?[0-7][0-7][2367]"),)),
        ),
        message="Everybody on this machine may write to the file",
        suggestion="Give rights to the owner alone: `0o700`, or `0o755` where others must read.",
        cwe=("CWE-732",),
        bad=(
            'package a\nimport "os"\nfunc f() { os.Chmod(p, 0777) }',
            'package a\nimport "os"\nfunc f() { os.Chmod(p, 0o666) }',
        ),
        good=(
            'package a\nimport "os"\nfunc f() { os.Chmod(p, 0755) }',
            'package a\nimport "os"\nfunc f() { os.Chmod(p, mode) }',
        ),
    ),
)
