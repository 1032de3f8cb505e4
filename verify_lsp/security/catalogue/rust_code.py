"""Rust: commands, SQL, file modes, memory."""

from typing import Final

from verify_lsp.security.rule import Arg, Call, Rule

_RUST: Final = ("rust",)
_SQL: Final = r"(?is)\b(?:select\s.+?\sfrom\s|insert\s+into\s|update\s+\S+\s+set\s|delete\s+from\s|drop\s+table)"

RULES: Final = (
    Rule(
        id="rust-shell-injection",
        title="A shell command is put together from parts",
        severity="critical",
        languages=_RUST,
        anchors=(".arg(", ".args("),
        match=(
            Call(
                r"(?:.*\.)?Command\.new\(\)(?:\.arg\(\))*\.arg",
                when=(Arg((0,), kind="built"),),
                statement=r"""Command::new\(\s*"(?:/bin/|/usr/bin/)?(?:sh|bash|zsh|cmd)(?:\.exe)?"\s*\)(?:\s*\.args?\(\s*[&\[]*\s*"(?:-l?c|/[cC])")""",
            ),
            Call(
                r"(?:.*\.)?Command\.new\(\)\.args",
                when=(Arg((0,), text=r"&?\[\s*\"(?:-l?c|/[cC])\",\s*&?format!.*"),),
                statement=r"""Command::new\(\s*"(?:/bin/|/usr/bin/)?(?:sh|bash|zsh|cmd)""",
            ),
        ),
        file=r"""Command::new\(\s*"(?:/bin/|/usr/bin/)?(?:sh|bash|zsh|cmd)""",
        message="A value is put into a command line that a shell reads, so it can bring commands of its own",
        suggestion='Call the program itself: `Command::new("rm").arg(path)`.',
        cwe=("CWE-78",),
        bad=(
            'fn f(p: &str) { Command::new("sh").arg("-c").arg(format!("rm {p}")).status(); }',
            'fn f(p: &str) { Command::new("bash").args(["-c", &format!("rm {}", p)]).status(); }',
            'fn f(p: &str) { let cmd = format!("rm {}", p); Command::new("sh").arg("-c").arg(&cmd).status(); }',
        ),
        good=(
            'fn f(p: &str) { Command::new("rm").arg(p).status(); }',
            'fn f(p: &str) { Command::new("git").arg(format!("--work-tree={p}")).status(); }',
            'fn f() { Command::new("sh").arg("-c").arg("ls | wc -l").status(); }',
        ),
    ),
    Rule(
        id="rust-sql-injection",
        title="SQL is put together from parts",
        severity="high",
        languages=_RUST,
        anchors=("query", "execute", "prepare", "sql_query"),
        match=(
            Call(
                r"(?:.*\.)?(?:query|query_as|query_scalar|query_one|query_row|execute|execute_batch|batch_execute|prepare|sql_query|simple_query|raw_sql)",
                when=(Arg((0,), kind="built"), Arg((0,), text=rf".*{_SQL}.*")),
            ),
            Call(
                r"(?:.*\.)?(?:query|query_as|query_scalar|query_one|query_row|execute|execute_batch|batch_execute|prepare|sql_query|simple_query|raw_sql)",
                when=(Arg((0,), kind="built"),),
                statement=_SQL,
            ),
        ),
        file=_SQL,
        message="A value is put into the text of an SQL statement, so it can change what the statement does",
        suggestion="Write placeholders and bind the values.",
        cwe=("CWE-89",),
        bad=(
            "fn f() { sqlx::query(&format!(\"SELECT * FROM users WHERE name = '{}'\", name)); }",
            'fn f() { conn.execute(&format!("DELETE FROM t WHERE id = {id}"), []); }',
        ),
        good=(
            'fn f() { sqlx::query("SELECT * FROM users WHERE name = $1").bind(name); }',
            'fn f() { conn.execute("DELETE FROM t WHERE id = ?", [id]); }',
            'fn f() { conn.execute(&format!("DELETE FROM {TABLE}"), []); }',
        ),
    ),
    Rule(
        id="rust-world-writable",
        title="A file is made writable for everybody",
        severity="medium",
        languages=_RUST,
        anchors=("from_mode(", "set_mode(", ".mode("),
        match=(
            Call(
                r"(?:.*\.)?(?:from_mode|set_mode|mode)",
                when=(Arg((0,), text=r"0o[0-7]?[0-7][0-7][2367]"),),
                statement_unless=r"create_dir|DirBuilder|umask",
            ),
        ),
        file=r"\b0o[0-7]?[0-7][0-7][2367]\b",
        message="Everybody on this machine may write to the file",
        suggestion="Give rights to the owner alone: `0o700`, or `0o755` where others must read.",
        cwe=("CWE-732",),
        bad=("fn f() { fs::set_permissions(p, Permissions::from_mode(0o777)); }",),
        good=("fn f() { fs::set_permissions(p, Permissions::from_mode(0o755)); }",),
    ),
)
