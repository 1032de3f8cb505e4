"""Terraform: what clouds make public, and what they leave unencrypted."""

from typing import Final

from verify_lsp.security.rule import Entry, Rule

_TF: Final = ("terraform",)
_EVERYTHING: Final = r"\bAction\"?\s*[=:]\s*\[?\s*\"\*(?::\*)?\""
_EVERYWHERE: Final = r"\bResource\"?\s*[=:]\s*\[?\s*\"\*\""

RULES: Final = (
    Rule(
        id="tf-public-bucket",
        title="A bucket is open to everybody",
        severity="high",
        languages=_TF,
        anchors=(
            "public-read",
            "allUsers",
            "allAuthenticatedUsers",
            "block_public_",
            "ignore_public_acls",
            "restrict_public_buckets",
            "container_access_type",
            "allow_nested_items_to_be_public",
            "allow_blob_public_access",
            "Principal",
        ),
        match=(
            Entry(r"\.acl\.$", r"\"public-read(?:-write)?\""),
            Entry(
                r"\.members?\.$",
                r"\"all(?:Authenticated)?Users\"",
                block_unless=r"run\.invoker|cloudfunctions\.invoker",
            ),
            Entry(
                r"\.(?:block_public_acls|block_public_policy|ignore_public_acls|restrict_public_buckets)\.$", r"^false$"
            ),
            Entry(
                r"aws_s3_bucket_policy\..*\bPrincipal\.$",
                r"^\"\*\"$|\bAWS\"?\s*[=:]\s*\[?\s*\"\*\"",
                block=r"Effect\"?\s*[=:]\s*\"Allow\"",
                block_unless=r"\bCondition\b",
            ),
            Entry(r"\.container_access_type\.$", r"\"(?:blob|container)\""),
            Entry(r"\.(?:allow_nested_items_to_be_public|allow_blob_public_access)\.$", r"^true$"),
        ),
        message="Everybody on the internet can read what is stored here",
        suggestion="Keep it private, and give access through a distribution or signed addresses.",
        cwe=("CWE-732",),
        bad=(
            'resource "aws_s3_bucket" "a" {\n  acl = "public-read"\n}\n',
            'resource "aws_s3_bucket_public_access_block" "a" {\n  block_public_acls = false\n}\n',
            'resource "aws_s3_bucket_policy" "a" {\n  policy = jsonencode({\n    Statement = [{\n      Effect = "Allow"\n      Principal = "*"\n      Action = "s3:GetObject"\n    }]\n  })\n}\n',
            'resource "google_storage_bucket_iam_member" "a" {\n  role   = "roles/storage.objectViewer"\n  member = "allUsers"\n}\n',
        ),
        good=(
            'resource "aws_s3_bucket" "a" {\n  acl = "private"\n}\n',
            'resource "google_cloud_run_service_iam_member" "a" {\n  role   = "roles/run.invoker"\n  member = "allUsers"\n}\n',
            '# acl = "public-read"\n',
            'resource "aws_s3_bucket_policy" "a" {\n  policy = jsonencode({\n    Statement = [{\n      Effect = "Deny"\n      Principal = "*"\n      Action = "s3:*"\n    }]\n  })\n}\n',
        ),
    ),
    Rule(
        id="tf-open-ingress",
        title="A port of administration is open to everybody",
        severity="high",
        languages=_TF,
        anchors=("0.0.0.0/0", '"::/0"', "source_address_prefix"),
        match=(
            Entry(
                r"(?:\.ingress-\d+\.(?:ipv6_)?cidr_blocks\.|aws_(?:vpc_)?security_group_(?:ingress_)?rule\.[^.]+-\d+\.(?:cidr_blocks|cidr_ipv4|cidr_ipv6)\.)$",
                r"\"(?:0\.0\.0\.0/0|::/0)\"",
                block=r"(?:from_port|to_port)\s*=\s*(?:22|3389|3306|5432|6379|27017|9200|1433|11211|2375|5601|0)\s|protocol\s*=\s*\"-1\"|ip_protocol\s*=\s*\"-1\"",
                block_unless=r"type\s*=\s*\"egress\"|egress_rule",
            ),
            Entry(r"google_compute_firewall\.[^.]+-\d+\.source_ranges\.$", r"\"0\.0\.0\.0/0\""),
            Entry(
                r"\.source_address_prefix\.$",
                r"^\"(?:\*|0\.0\.0\.0/0|Internet|any)\"$",
                block=r"destination_port_range\s*=\s*\"(?:22|3389|\*|3306|5432|1433)\"",
            ),
        ),
        file_unless=r"google_compute_firewall\"[^}]*allow\s*\{[^}]*ports\s*=\s*\[\"(?:80|443)\"(?:,\s*\"(?:80|443)\")?\]",
        message="Everybody on the internet can reach this port",
        suggestion="Name the networks that need it, or go through a VPN or bastion.",
        cwe=("CWE-284",),
        bad=(
            'resource "aws_security_group" "a" {\n  ingress {\n    from_port   = 22\n    to_port     = 22\n    protocol    = "tcp"\n    cidr_blocks = ["0.0.0.0/0"]\n  }\n}\n',
            'resource "aws_security_group_rule" "a" {\n  type        = "ingress"\n  from_port   = 3389\n  to_port     = 3389\n  cidr_blocks = ["0.0.0.0/0"]\n}\n',
        ),
        good=(
            'resource "aws_security_group" "a" {\n  ingress {\n    from_port   = 443\n    to_port     = 443\n    protocol    = "tcp"\n    cidr_blocks = ["0.0.0.0/0"]\n  }\n  egress {\n    from_port   = 0\n    to_port     = 0\n    protocol    = "-1"\n    cidr_blocks = ["0.0.0.0/0"]\n  }\n}\n',
            'resource "aws_security_group" "a" {\n  ingress {\n    from_port   = 22\n    to_port     = 22\n    cidr_blocks = ["10.0.0.0/8"]\n  }\n}\n',
        ),
    ),
    Rule(
        id="tf-iam-wildcard",
        title="A policy allows everything on everything",
        severity="high",
        languages=_TF,
        anchors=('"*"', "Action", "actions"),
        match=(
            Entry(
                r"\.actions\.$",
                r"^\[\s*\"\*(?::\*)?\"\s*,?\s*\]$",
                block=r"resources\s*=\s*\[\s*\"\*\"",
                block_unless=r"effect\s*=\s*\"Deny\"",
            ),
            Entry(
                r"(?:^|\.)Action\.$",
                r"^\[?\s*\"\*(?::\*)?\"\s*,?\s*\]?$",
                block=r"\"?Resource\"?\s*[=:]\s*\[?\s*\"\*\"",
                block_unless=r"\"?Effect\"?\s*[=:]\s*\"Deny\"",
            ),
            Entry(
                r"(?:^|\.)Statement\.$",
                f"{_EVERYTHING}[^{{}}]*{_EVERYWHERE}|{_EVERYWHERE}[^{{}}]*{_EVERYTHING}",
                unless="Deny",
            ),
        ),
        message="Whoever gets this role owns the account",
        suggestion="Name the actions and the resources that are needed.",
        cwe=("CWE-250",),
        bad=(
            'data "aws_iam_policy_document" "a" {\n  statement {\n    actions   = ["*"]\n    resources = ["*"]\n  }\n}\n',
            'resource "aws_iam_policy" "a" {\n  policy = jsonencode({\n    Statement = [{\n      Effect = "Allow"\n      Action = "*"\n      Resource = "*"\n    }]\n  })\n}\n',
            'resource "aws_iam_policy" "a" {\n  policy = jsonencode({\n    Statement = [{ Effect = "Allow", Action = "*", Resource = "*" }]\n  })\n}\n',
        ),
        good=(
            'resource "aws_iam_policy" "a" {\n  policy = jsonencode({\n    Statement = [{ Effect = "Deny", Action = "*", Resource = "*" }]\n  })\n}\n',
            'data "aws_iam_policy_document" "a" {\n  statement {\n    actions   = ["s3:GetObject"]\n    resources = ["*"]\n  }\n}\n',
        ),
    ),
    Rule(
        id="tf-unencrypted",
        title="Data lies unencrypted",
        severity="medium",
        languages=_TF,
        anchors=(
            "encrypted",
            "encryption",
            "ssl_enforcement_enabled",
            "enable_https_traffic_only",
            "https_traffic_only_enabled",
            "require_ssl",
            "require_secure_transport",
        ),
        match=(
            Entry(
                r"\.(?:storage_encrypted|encrypted|at_rest_encryption_enabled|transit_encryption_enabled|encryption_at_rest_enabled|encryption_in_transit)\.$",
                r"^false$",
            ),
            Entry(
                r"\.(?:ssl_enforcement_enabled|enable_https_traffic_only|https_traffic_only_enabled|require_ssl|encrypt_at_host)\.$",
                r"^false$",
            ),
        ),
        message="Whoever gets at the disk or the line can read it",
        suggestion="Switch encryption on.",
        cwe=("CWE-311",),
        bad=(
            'resource "aws_db_instance" "a" {\n  storage_encrypted = false\n}\n',
            'resource "azurerm_storage_account" "a" {\n  https_traffic_only_enabled = false\n}\n',
        ),
        good=('resource "aws_db_instance" "a" {\n  storage_encrypted = true\n}\n',),
    ),
    Rule(
        id="tf-public-database",
        title="A database can be reached from the internet",
        severity="high",
        languages=_TF,
        anchors=("publicly_accessible", "0.0.0.0/0"),
        match=(
            Entry(
                r"aws_(?:db_instance|rds_cluster_instance|redshift_cluster|dms_replication_instance|docdb\w*|neptune\w*)\.[^.]+-\d+\.publicly_accessible\.$",
                r"^true$",
            ),
            Entry(r"\.authorized_networks-\d+\.value\.$", r"\"0\.0\.0\.0/0\""),
        ),
        message="Everybody on the internet can try its passwords",
        suggestion="Keep it in a private network.",
        cwe=("CWE-284",),
        bad=(
            'resource "aws_db_instance" "a" {\n  publicly_accessible = true\n}\n',
            'resource "google_sql_database_instance" "a" {\n  settings {\n    ip_configuration {\n      authorized_networks {\n        value = "0.0.0.0/0"\n      }\n    }\n  }\n}\n',
        ),
        good=('resource "aws_db_instance" "a" {\n  publicly_accessible = false\n}\n',),
    ),
    Rule(
        id="tf-old-metadata",
        title="A machine's metadata can be read by a forged request",
        severity="medium",
        languages=_TF,
        anchors=("http_tokens",),
        match=(Entry(r"\.http_tokens\.$", r"^\"optional\"$"),),
        message="A request that the server is made to send can read the machine's credentials",
        suggestion='Set `http_tokens = "required"`.',
        cwe=("CWE-918",),
        bad=('resource "aws_instance" "a" {\n  metadata_options {\n    http_tokens = "optional"\n  }\n}\n',),
        good=('resource "aws_instance" "a" {\n  metadata_options {\n    http_tokens = "required"\n  }\n}\n',),
    ),
    Rule(
        id="tf-old-tls",
        title="A service accepts old versions of TLS",
        severity="medium",
        languages=_TF,
        anchors=("min_tls_version", "minimum_tls_version", "minimum_protocol_version", "ssl_policy"),
        match=(
            Entry(
                r"\.(?:min_tls_version|minimum_tls_version|minimum_protocol_version)\.$",
                r"\"(?:TLS1_0|TLS1_1|1\.0|1\.1|TLSv1|TLSv1_2016|TLSv1\.1_2016|SSLv3|TLS_1_0|TLS_1_1)\"",
            ),
            Entry(r"\.ssl_policy\.$", r"\"ELBSecurityPolicy-(?:2016-08|TLS-1-0-2015-04|TLS-1-1-2017-01)\""),
        ),
        message="TLS below 1.2 can be broken",
        suggestion="Demand TLS 1.2 at least.",
        cwe=("CWE-327",),
        bad=('resource "azurerm_storage_account" "a" {\n  min_tls_version = "TLS1_0"\n}\n',),
        good=('resource "azurerm_storage_account" "a" {\n  min_tls_version = "TLS1_2"\n}\n',),
    ),
)
