"""JavaScript and TypeScript: evaluation, commands, SQL, files, addresses."""

from typing import Final

from verify_lsp.security.rule import Arg, Bind, Call, Rule

_SCRIPT: Final = ("javascript", "typescript")
_SQL: Final = r"""(?is)\b(?:select\s.+?\sfrom\s|insert\s+into\s|update\s+\S+\s+set\s|delete\s+from\s|drop\s+(?:table|database)|alter\s+table|where\s+\S+\s*(?:=|like|in\s*\())"""
_QUERY: Final = r".*\.(?:query|execute|raw|whereRaw|orderByRaw|havingRaw|selectRaw|joinRaw|exec|run|all|get|each|prepare|\$queryRawUnsafe|\$executeRawUnsafe)"
_FILES: Final = (
    r"(?:.*\.)?(?:fs|fsp|promises|fs/promises|fs-extra|fse)\.(?:readFile|readFileSync|createReadStream|createWriteStream|writeFile|writeFileSync|"
    r"appendFile|appendFileSync|unlink|unlinkSync|rm|rmSync|rmdir|readdir|readdirSync|stat|open|openSync|copyFile|rename)|fs/promises\.\w+"
)
_FIELD_OF_BODY: Final = (
    r"\{(?:[^{}]*,)?\s*[\"']?\w+[\"']?\s*:\s*(?:req|request|ctx\.request)\.(?:body|query)\.\w+\s*(?:,.*)?\}"
)

RULES: Final = (
    Rule(
        id="js-eval",
        title="Code is made from a text at run time",
        severity="high",
        languages=_SCRIPT,
        anchors=(
            "eval(",
            "Function(",
            "setTimeout('",
            'setTimeout("',
            "setTimeout(`",
            "setInterval('",
            'setInterval("',
            "setInterval(`",
            "runIn",
            "compileFunction",
        ),
        match=(
            Call(r"(?:window\.|globalThis\.|global\.)?eval", when=(Arg((0,), kind="dynamic"),)),
            Call(r"(?:window\.|globalThis\.)?Function", when=(Arg(("*",), kind="dynamic"),)),
            Call(r"(?:window\.|globalThis\.)?Function", when=(Arg((0, 1), kind="tainted"),)),
            Call(
                r"(?:window\.)?(?:setTimeout|setInterval)", when=(Arg((0,), kind="built"), Arg((0,), text=r"[`'\"].*"))
            ),
            Call(
                r"vm\.(?:runInNewContext|runInThisContext|runInContext|compileFunction)",
                when=(Arg((0,), kind="tainted"),),
            ),
        ),
        message="The text runs as code, with all that this program may do",
        suggestion="Parse data with `JSON.parse`; choose functions from an object by name.",
        cwe=("CWE-95",),
        bad=(
            "new Function(code)()",
            "eval(userInput)",
            "const f = new Function('a', `return ${code}`)",
            "setTimeout(`go('${name}')`, 10)",
            "const r = eval(\n  req.body.code,\n)",
        ),
        good=(
            "await page.$$eval('a', f)",
            "redis.eval(script)",
            "eval('1+1')",
            "setTimeout(() => go(name), 10)",
            "// eval(userInput)",
            "const s = 'eval(x)'",
            "new Function('return this')()",
            "client.eval(lua, 1, key)",
        ),
    ),
    Rule(
        id="node-exec-template",
        title="A shell command is put together from parts",
        severity="critical",
        languages=_SCRIPT,
        anchors=("exec(", "execSync(", "execAsync(", "execPromise(", "shell"),
        match=(
            Call(r"(?:child_process|cp|childProcess)\.(?:exec|execSync)", when=(Arg((0,), kind="tainted"),)),
            Call(
                r"(?:child_process\.)(?:exec|execSync)|(?:cp|childProcess)\.(?:exec|execSync)|exec(?:Async|Promise)|execSync|shelljs\.exec|shell\.exec",
                when=(Arg((0,), kind="built"),),
            ),
            Call(
                r"(?:.*\.)?(?:spawn|spawnSync|execFile|execFileSync)",
                when=(Arg(("shell",), text="true"), Arg((0, 1), kind="built")),
            ),
        ),
        file=r"child_process|shelljs|exec(?:Async|Promise)|\bcp\.exec|shell:\s*true",
        message="A value is put into a command line that a shell reads, so it can bring commands of its own",
        suggestion="Use `execFile` or `spawn` with a list of arguments, without `shell`.",
        cwe=("CWE-78",),
        bad=(
            "import { exec } from 'child_process';\nexec(req.query.cmd)",
            "import { exec } from 'child_process';\nexec(`rm ${file}`)",
            "const cp = require('child_process');\ncp.execSync('git clone ' + url)",
            "const { execSync } = require('node:child_process');\nconst cmd = `ls ${dir}`;\nexecSync(cmd);",
            "import { spawn } from 'child_process';\nspawn(`tar xf ${f}`, { shell: true })",
        ),
        good=(
            "import { execFile } from 'child_process';\nexecFile('rm', [file])",
            "const m = /a/.exec(`${x}`)",
            "import { execSync } from 'child_process';\nexecSync('git rev-parse HEAD')",
            "regex.exec('a' + b)",
            "import { execSync } from 'child_process';\nconst BIN = 'x';\nexecSync(`${BIN} -v`)",
        ),
    ),
    Rule(
        id="node-exec-variable",
        title="A shell reads a command that is not written here",
        severity="low",
        languages=_SCRIPT,
        anchors=("exec(", "execSync("),
        match=(
            Call(
                r"(?:child_process|cp|childProcess)\.(?:exec|execSync)",
                when=(Arg((0,), kind="dynamic"),),
                unless=(Arg((0,), kind="built"), Arg((0,), kind="tainted")),
            ),
        ),
        file=r"child_process",
        message="A shell reads a command that comes from elsewhere",
        suggestion="Use `execFile` or `spawn` with a list of arguments.",
        cwe=("CWE-78",),
        bad=("import { exec } from 'child_process';\nexport function f(cmd) { exec(cmd) }",),
        good=("import { exec } from 'child_process';\nexec('ls')", "/a/.exec(text) // child_process"),
    ),
    Rule(
        id="js-xml-entities",
        title="An XML parser follows external entities",
        severity="high",
        languages=_SCRIPT,
        anchors=("noent",),
        match=(Bind(r"noent", value="true"),),
        message="The document can make this parser read files and addresses",
        suggestion="Leave `noent` out.",
        cwe=("CWE-611",),
        bad=("libxmljs.parseXml(text, { noent: true })",),
        good=("libxmljs.parseXml(text, { noent: false })",),
    ),
    Rule(
        id="js-sql-template",
        title="SQL is put together from parts",
        severity="high",
        languages=_SCRIPT,
        anchors=(
            "query(",
            "execute(",
            "raw(",
            "Raw(",
            "Unsafe(",
            ".exec(",
            ".run(",
            ".all(",
            ".get(",
            ".each(",
            "prepare(",
        ),
        match=(
            Call(
                r".*\.(?:query|execute|\$queryRawUnsafe|raw)",
                when=(Arg((0,), kind="tainted"), Arg((0,), text=r"(?:req|request|ctx)\b.*")),
            ),
            Call(_QUERY, when=(Arg((0,), kind="built"), Arg((0,), text=rf".*{_SQL}.*"))),
            Call(
                r".*\.(?:query|execute|\$queryRawUnsafe|\$executeRawUnsafe|raw)",
                when=(Arg((0,), kind="built"),),
                statement=_SQL,
            ),
        ),
        file=_SQL,
        message="A value is put into the text of an SQL statement, so it can change what the statement does",
        suggestion="Write placeholders and pass the values apart: `query('… WHERE id = $1', [id])`.",
        cwe=("CWE-89",),
        bad=(
            "db.query(`SELECT * FROM users WHERE id = ${id}`)",
            "conn.execute('DELETE FROM t WHERE a = ' + a)",
            "const sql = `SELECT a FROM b WHERE c = '${c}'`;\nawait pool.query(sql);",
            "prisma.$queryRawUnsafe(`SELECT * FROM a WHERE b = ${b}`)",
        ),
        good=(
            "db.query('SELECT * FROM users WHERE id = $1', [id])",
            "prisma.$queryRaw`SELECT * FROM a WHERE b = ${b}`",
            "db.query(sql`SELECT * FROM a WHERE b = ${b}`)",
            "db.query(`SELECT * FROM ${TABLE} WHERE id = ?`, [id])",
            "client.get(`https://a.io/select/${x}`)",
        ),
    ),
    Rule(
        id="js-path-traversal",
        title="A request names the file",
        severity="high",
        languages=_SCRIPT,
        anchors=(
            "File(",
            "FileSync(",
            "ReadStream(",
            "WriteStream(",
            "unlink",
            "rm(",
            "rmSync(",
            "readdir",
            "sendFile(",
            "download(",
            "join(",
            "resolve(",
            "open(",
        ),
        match=(
            Call(_FILES, when=(Arg((0,), kind="tainted"),)),
            Call(
                r"(?:res|response|reply)\.(?:sendFile|download)",
                when=(Arg((0,), kind="tainted"),),
                unless=(Arg(("root",), text=".+"),),
            ),
            Call(r"(?:.*\.)?path\.(?:join|resolve)|(?:path/posix)\.join", when=(Arg(("*",), kind="tainted"),)),
        ),
        file_unless=r"startsWith\(\s*(?:path\.|base|root|dir)|path\.normalize\(.*\)\.replace|sanitize-filename|isPathInside|is-path-inside",
        message="A request decides which file is touched; `../` leads out of the folder that was meant",
        suggestion="Take `path.basename` of the name, or check that the resolved path still lies in the folder.",
        cwe=("CWE-22",),
        bad=(
            "import fs from 'fs';\nfs.readFile(req.query.f, cb)",
            "const fs = require('fs');\nfs.createReadStream('/data/' + req.params.name)",
            "res.sendFile(req.query.path)",
            "import path from 'path';\nconst p = path.join(ROOT, req.params.file)",
        ),
        good=(
            "onClick={() => this.open(item)}",
            "_.truncate(desc)",
            "import fs from 'fs';\nfs.readFileSync(path.join(__dirname,'a.html'))",
            "import path from 'path';\nconst p = path.join(ROOT, path.basename(req.params.file))",
            "fs.readFile(file, cb)",
            "[a].join(req.query.sep)",
        ),
    ),
    Rule(
        id="js-ssrf",
        title="A request decides which address the server asks",
        severity="high",
        languages=_SCRIPT,
        anchors=("fetch(", "axios", "got(", "got.", "request(", "http.get(", "https.get("),
        match=(
            Call(
                r"(?:node-)?fetch(?:\.default)?|axios(?:\.(?:get|post|put|delete|request|head))?|got(?:\.(?:get|post))?|request(?:\.get|\.post)?|https?\.get",
                when=(
                    Arg((0,), kind="tainted"),
                    Arg((0,), text=r"(?:req|request|ctx|event)\b.*|[`'\"]?(?:https?://)?\$\{.*|[a-z]\w*"),
                ),
            ),
        ),
        file_unless=r"\b(?:window|document|location)\.",
        message="The server can be made to ask addresses that only it can reach",
        suggestion="Choose the address from a list of allowed ones, and refuse private networks.",
        cwe=("CWE-918",),
        bad=("fetch(req.query.url)", "const u = req.body.url;\naxios.get(u)"),
        good=(
            "fetch('https://a.io/' + encodeURIComponent(req.query.q))",
            "fetch(`https://a.io/x`)",
            "fetch(url)",
            "fetch(`/api/${location.hash}`)",
            "const u = new URLSearchParams(window.location.search).get('u');\nfetch(u)",
            "const u = req.query.all ? '/all' : '/some';\nfetch(u)",
        ),
    ),
    Rule(
        id="js-nosql-injection",
        title="A request decides what a query asks",
        severity="medium",
        languages=_SCRIPT,
        anchors=("find(", "findOne(", "updateOne(", "deleteOne(", "deleteMany(", "findOneAndUpdate(", "aggregate("),
        match=(
            Call(
                r".*\.(?:find|findOne|updateOne|updateMany|deleteOne|deleteMany|findOneAndUpdate|aggregate|countDocuments)",
                when=(Arg((0,), text=r"(?:req|request|ctx\.request)\.(?:body|query)"),),
            ),
            Call(
                r".*\.(?:find|findOne|updateOne|updateMany|deleteOne|deleteMany|findOneAndUpdate|countDocuments)",
                when=(Arg((0,), text=_FIELD_OF_BODY),),
                unless=(Arg((0,), text=r".*\bwhere\s*:.*"),),
            ),
        ),
        file_unless=r"(?i)mongo-?sanitize|sanitizeFilter|express-validator|celebrate|\bjoi\b|\bzod\b|\bajv\b|class-validator",
        message="Operators such as `$ne` in the body change what the query means",
        suggestion="Take the fields that you need from the body and check their types.",
        cwe=("CWE-943",),
        bad=(
            "User.findOne(req.body)",
            "db.collection('a').find(req.query)",
            "User.findOne({ name: req.body.name, password: req.body.password })",
        ),
        good=(
            "User.findOne({ name: String(req.body.name) })",
            "User.findOne({ where: { name: req.body.name } })",
            "User.findOne({ name: { $eq: req.body.name } })",
            "User.findOne({ _id: req.params.id })",
            "list.find((x) => x.id === req.body.id)",
        ),
    ),
    Rule(
        id="js-regexp-from-request",
        title="A request writes a regular expression",
        severity="medium",
        languages=_SCRIPT,
        anchors=("RegExp(",),
        match=(Call(r"RegExp", when=(Arg((0,), kind="tainted"),), statement_unless=r"(?i)escape"),),
        message="A pattern can be written that keeps this process busy for ever",
        suggestion="Escape the text, or compare without a pattern.",
        cwe=("CWE-1333", "CWE-400"),
        bad=("new RegExp(req.query.q)", "const q = req.query.q;\nconst r = new RegExp(q, 'i');"),
        good=("new RegExp(escapeRegExp(req.query.q))", "new RegExp('^a')", "new RegExp(pattern)"),
    ),
    Rule(
        id="js-unserialize",
        title="Serialised data is read that may hold code",
        severity="high",
        languages=_SCRIPT,
        anchors=("unserialize(", "deserialize("),
        match=(
            Call(
                r"(?:node-serialize|serialize|funcster|cryo)\.(?:unserialize|deepDeserialize|parse)",
                when=(Arg((0,), kind="dynamic"),),
            ),
            Call(r"v8\.deserialize", when=(Arg((0,), kind="tainted"),)),
        ),
        message="What is read may be code, which then runs",
        suggestion="Exchange data as JSON.",
        cwe=("CWE-502",),
        bad=(
            "const serialize = require('node-serialize');\nserialize.unserialize(data)",
            "import v8 from 'v8';\nv8.deserialize(req.body)",
        ),
        good=("JSON.parse(data)", "serializer.deserialize(data)"),
    ),
    Rule(
        id="electron-unprotected",
        title="A window's pages get the powers of the machine",
        severity="high",
        languages=_SCRIPT,
        anchors=("nodeIntegration", "contextIsolation", "webSecurity", "allowRunningInsecureContent"),
        match=(
            Bind(
                r"(?:.*\.)?(?:nodeIntegration|allowRunningInsecureContent)",
                value="true",
                inside=r".*(?:BrowserWindow|BrowserView|WebContentsView|webContents).*",
            ),
            Bind(
                r"(?:.*\.)?(?:contextIsolation|webSecurity)",
                value="false",
                inside=r".*(?:BrowserWindow|BrowserView|WebContentsView|webContents).*",
            ),
        ),
        message="A script on a page can reach files and processes",
        suggestion="Leave it at its default and talk to pages through a preload script.",
        cwe=("CWE-1188",),
        bad=(
            "new BrowserWindow({ webPreferences: { nodeIntegration: true } })",
            "new BrowserWindow({ webPreferences: { contextIsolation: false } })",
        ),
        good=("new BrowserWindow({ webPreferences: { nodeIntegration: false, contextIsolation: true } })",),
    ),
)
