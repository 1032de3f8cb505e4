"""The settings that hold for one workspace folder. The one place where a setting is declared."""

from collections.abc import Mapping
from typing import Any, Literal

import attrs

from verify_lsp.model.finding import CHECK_KINDS, CheckKind, Severity

RuleLevel = Literal["off"] | Severity
Trace = Literal["off", "messages", "verbose"]


def _setting(key: str, default: Any, about: str, *, needs_trust: bool = False) -> Any:
    metadata = {"key": key, "about": about, "needs_trust": needs_trust}
    if isinstance(default, (dict, list)):
        return attrs.field(factory=lambda: type(default)(default), metadata=metadata)
    return attrs.field(default=default, metadata=metadata)


@attrs.frozen
class Settings:
    """Resolved settings, used directly by checks and server. `key` is the public, dotted name."""

    auto_run_after_turn: bool = _setting("autoRunAfterTurn", True, "Run the checks when an agent's turn ends.")
    run_tests: bool = _setting("runTests", True, "Run the workspace's own tests in a proof run.")
    mutation_testing: bool = _setting(
        "mutationTesting", True, "Ask whether the tests would notice the added lines being wrong."
    )
    mutation_max_mutants: int = _setting("mutationMaxMutants", 12, "At most this many mutants a run.")
    dependency_grounding: bool = _setting(
        "dependencyGrounding", True, "Look up whether new packages exist and have advisories."
    )
    security_rules: bool = _setting("securityRules", True, "Hold added lines against the security rules.")
    project_check_command: str | None = _setting(
        "projectCheckCommand", None, "The command that checks the whole project.", needs_trust=True
    )
    test_command: str | None = _setting("testCommand", None, "The command that runs the tests.", needs_trust=True)
    pre_test_command: str | None = _setting(
        "preTestCommand", None, "A command to run before the tests, such as a build.", needs_trust=True
    )
    timeout_secs: int = _setting("timeoutSecs", 300, "Seconds that one command may take.")
    block_merge_on_fail: bool = _setting(
        "blockMergeOnFail", False, "Tell merge hooks to refuse a change whose report failed."
    )
    use_semgrep_if_available: bool = _setting(
        "useSemgrepIfAvailable", True, "Add semgrep's findings where semgrep is installed."
    )
    privacy_mode: bool = _setting("privacyMode", False, "No network at all.")
    checks: tuple[CheckKind, ...] = _setting("checks", CHECK_KINDS, "Which checks a proof run makes.")
    inline_on_save: bool = _setting("inline.onSave", True, "Verify a file when it is saved.")
    inline_on_change: bool = _setting(
        "inline.onChange", True, "Verify the unsaved text with the cheap verifiers, after a pause."
    )
    exclude: tuple[str, ...] = _setting("exclude", (), "Globs of files that are not verified.")
    protected_paths: tuple[str, ...] = _setting(
        "protectedPaths", (), "Globs of files whose change is always of the highest risk, beside the built-in ones."
    )
    rules: Mapping[str, RuleLevel] = _setting("rules", {}, "A rule's severity, or `off`.")
    registries: Mapping[str, str] = _setting(
        "registries", {}, "Index address by ecosystem, where it is not the package manager's own.", needs_trust=True
    )
    trace: Trace = _setting("trace", "off", "How much the server writes to its log.")
    base: str | None = _setting(
        "base", None, "The revision that the branch scope compares with; else origin/HEAD, main or master."
    )


def public_settings(settings: Settings) -> dict[str, Any]:
    """Return the settings by their public names, for a report."""
    shown: dict[str, Any] = {}
    for field in attrs.fields(Settings):
        value = getattr(settings, field.name)
        shown[field.metadata["key"]] = list(value) if isinstance(value, tuple) else value
    return shown
