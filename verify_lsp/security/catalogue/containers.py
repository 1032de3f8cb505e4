"""Containers: images, compose files, Kubernetes."""

from typing import Final

from verify_lsp.security.rule import Entry, Rule, Text

_COMPOSE: Final = "#! docker-compose.yml\nservices:\n  a:\n    "
_POD: Final = "apiVersion: v1\nkind: Pod\nspec:\n  "

RULES: Final = (
    Rule(
        id="docker-latest",
        title="An image changes under the same name",
        severity="low",
        languages=("dockerfile",),
        anchors=(":latest",),
        match=(Entry(r"^FROM\.$", r"^(?:--platform=\S+\s+)?[^\s$:]+:latest\b"),),
        message="What is built today is not what is built tomorrow",
        suggestion="Name a version, or the image's digest.",
        cwe=("CWE-1104",),
        bad=("FROM python:latest",),
        good=("FROM python:3.12-slim", "FROM scratch", "FROM build AS run"),
    ),
    Rule(
        id="docker-root",
        title="A container runs as root",
        severity="low",
        languages=("dockerfile",),
        anchors=("USER root", "USER 0"),
        match=(Entry(r"^USER\.$", r"^(?:root|0)(?::\S+)?$"),),
        file_unless=r"(?m)^\s*USER\s+(?:[1-9]|[a-qs-z]|\$)",
        message="Whoever breaks into the program is root in its container",
        suggestion="Make a user for it, and switch to that.",
        cwe=("CWE-250",),
        bad=("FROM a\nUSER root\nCMD run",),
        good=("FROM a\nUSER root\nRUN apt-get update\nUSER app\nCMD run", "FROM a\nUSER app"),
    ),
    Rule(
        id="docker-add-address",
        title="A file is fetched into an image unchecked",
        severity="low",
        languages=("dockerfile",),
        anchors=("ADD ",),
        match=(Entry(r"^ADD\.$", r"https?://", unless=r"--checksum="),),
        message="Whoever controls the address decides what is in the image",
        suggestion="Pass `--checksum=sha256:…`.",
        cwe=("CWE-494",),
        bad=("FROM a\nADD https://x.io/a.tgz /a",),
        good=(
            "FROM a\nADD --checksum=sha256:24454f830cdb571e2c4ad15481119c43b3cafd48dd869a9b2945d1036d1dc68d https://x.io/a.tgz /a",
            "FROM a\nADD . /a",
        ),
    ),
    Rule(
        id="container-privileged",
        title="A container has all the powers of its host",
        severity="high",
        languages=("kubernetes", "compose", "shell", "make", "yaml"),
        anchors=("privileged",),
        match=(
            Entry(r"(?:^|\.)securityContext\.privileged\.$", r"^[\"']?true[\"']?$"),
            Entry(r"^services\.[^.]+\.privileged\.$", r"^[\"']?true[\"']?$"),
            Text(r"\bsecurityContext[\"']?:\s*\{[^}]*\bprivileged[\"']?\s*:\s*true\b"),
            Text(r"\bdocker\s+(?:run|create|exec)\s(?:.*\s)?--privileged\b(?:=true)?"),
        ),
        message="Whoever breaks into the container has the host",
        suggestion="Add the capabilities that are needed instead.",
        cwe=("CWE-250",),
        bad=(
            _POD + "containers:\n    - name: a\n      securityContext:\n        privileged: true\n",
            _POD + "containers:\n    - name: a\n      securityContext: {privileged: true}\n",
            _COMPOSE + "privileged: true\n",
            "#! a.sh\ndocker run --rm --privileged img",
        ),
        good=(
            _POD + "containers:\n    - name: a\n      securityContext:\n        privileged: false\n",
            "#! a.yaml\nallow:\n  privileged: true\n",
        ),
    ),
    Rule(
        id="k8s-privilege-escalation",
        title="A process may gain rights that it was not given",
        severity="medium",
        languages=("kubernetes",),
        anchors=("allowPrivilegeEscalation", "runAsUser", "runAsNonRoot"),
        after=r"[\"']?:\s{1,8}(?:true|false|0)",
        match=(
            Entry(r"(?:^|\.)securityContext\.allowPrivilegeEscalation\.$", r"^true$"),
            Entry(r"(?:^|\.)securityContext\.runAsNonRoot\.$", r"^false$"),
            Entry(r"(?:^|\.)securityContext\.runAsUser\.$", r"^0$"),
        ),
        message="The container runs as root, or can become it",
        suggestion="Set `allowPrivilegeEscalation: false` and `runAsNonRoot: true`.",
        cwe=("CWE-250",),
        bad=(
            _POD + "securityContext:\n    runAsUser: 0\n",
            _POD + "containers:\n    - securityContext:\n        allowPrivilegeEscalation: true\n",
        ),
        good=(_POD + "securityContext:\n    runAsUser: 1000\n    runAsNonRoot: true\n",),
    ),
    Rule(
        id="k8s-host-namespace",
        title="A pod shares the host's network, processes or files",
        severity="medium",
        languages=("kubernetes",),
        anchors=("hostNetwork", "hostPID", "hostIPC", "path:"),
        after=r"[\"']?:?\s{1,8}(?:true|[\"']?/(?:$|[\"'\s]|etc|root|proc|run/containerd|var/(?:run/docker|lib/kubelet)))",
        match=(
            Entry(r"\.(?:hostNetwork|hostPID|hostIPC)\.$", r"^true$"),
            Entry(
                r"\.hostPath\.path\.$",
                r"^[\"']?(?:/|/etc|/root|/var/run/docker\.sock|/run/containerd/containerd\.sock|/proc|/var/lib/kubelet)/?[\"']?$",
            ),
        ),
        message="The pod sees what belongs to the host and to its neighbours",
        suggestion="Leave it out, or mount the one folder that is needed.",
        cwe=("CWE-668",),
        bad=(_POD + "hostNetwork: true\n", _POD + "volumes:\n    - name: a\n      hostPath:\n        path: /\n"),
        good=(
            _POD + "hostNetwork: false\n",
            _POD + "volumes:\n    - name: a\n      hostPath:\n        path: /data/cache\n",
        ),
    ),
    Rule(
        id="k8s-capabilities",
        title="A container is given a power close to root",
        severity="high",
        languages=("kubernetes", "compose"),
        anchors=("SYS_ADMIN", "ALL", "SYS_MODULE", "SYS_PTRACE", "DAC_READ_SEARCH"),
        match=(
            Entry(r"\.capabilities\.add\.(?:-\.)?$", r"\b(?:SYS_ADMIN|ALL|SYS_MODULE|DAC_READ_SEARCH)\b"),
            Entry(r"^services\.[^.]+\.cap_add\.(?:-\.)?$", r"\b(?:SYS_ADMIN|ALL|SYS_MODULE|DAC_READ_SEARCH)\b"),
        ),
        message="With this capability a process can leave its container",
        suggestion="Add the narrowest capability that will do.",
        cwe=("CWE-250",),
        bad=(
            _POD + 'containers:\n    - securityContext:\n        capabilities:\n          add: ["SYS_ADMIN"]\n',
            _COMPOSE + "cap_add:\n      - ALL\n",
        ),
        good=(
            _POD + 'containers:\n    - securityContext:\n        capabilities:\n          drop: ["ALL"]\n',
            _COMPOSE + "cap_add:\n      - NET_BIND_SERVICE\n",
        ),
    ),
    Rule(
        id="k8s-wildcard-role",
        title="A role may do everything",
        severity="high",
        languages=("kubernetes",),
        anchors=('"*"', "'*'", "cluster-admin"),
        match=(
            Entry(
                r"^rules\.(?:-\d+\.)?verbs\.(?:-\.)?$",
                r"[\"']\*[\"']",
                block=r"resources:\s*\[?\s*(?:-\s*)?[\"']\*[\"']",
            ),
            Entry(r"^roleRef\.name\.$", r"^[\"']?cluster-admin[\"']?$"),
        ),
        file=r"kind:\s*(?:Cluster)?Role(?:Binding)?\b",
        message="Whoever has this role owns the cluster",
        suggestion="Name the verbs and resources that are needed.",
        cwe=("CWE-250",),
        bad=(
            'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nrules:\n  - apiGroups: ["*"]\n    resources: ["*"]\n    verbs: ["*"]\n',
            "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nroleRef:\n  kind: ClusterRole\n  name: cluster-admin\n",
        ),
        good=(
            'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nrules:\n  - apiGroups: [""]\n    resources: ["pods"]\n    verbs: ["get", "list"]\n',
        ),
    ),
    Rule(
        id="docker-socket-mounted",
        title="A container may command Docker",
        severity="medium",
        languages=("compose", "kubernetes", "shell"),
        anchors=("docker.sock",),
        match=(
            Text(r"(?:^\s*-\s*[\"']?|-v\s*|--volume[= ])/var/run/docker\.sock:(?:/\S+)", unless=r":ro\b"),
            Text(r"^\s*(?:-\s*)?(?:source|path):\s*[\"']?/var/run/docker\.sock[\"']?\s*(?:#.*)?$"),
        ),
        message="Whoever controls Docker controls the host",
        suggestion="Use a proxy that allows only the calls that are needed.",
        cwe=("CWE-250",),
        bad=(
            _COMPOSE + "volumes:\n      - /var/run/docker.sock:/var/run/docker.sock\n",
            "#! a.sh\ndocker run -v /var/run/docker.sock:/var/run/docker.sock img",
            _COMPOSE
            + "volumes:\n      - type: bind\n        source: /var/run/docker.sock\n        target: /var/run/docker.sock\n",
        ),
        good=(_COMPOSE + "volumes:\n      - ./data:/data\n",),
    ),
)
