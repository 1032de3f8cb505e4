"""A plain run of a Cargo workspace's tests."""

from pathlib import Path

from benchmarks.agreement.suites import exit_code
from verify_lsp.system.environment import child_environment


def plain(copy: Path, limit_s: float) -> str:
    """Build and run everything, and tell by the exit code. Warnings are no errors here, whatever the project says."""
    built = _ended(("cargo", "test", "--workspace", "--no-run"), copy, 1200.0)
    if built != 0:
        return "invalid"
    code = _ended(("cargo", "test", "--workspace"), copy, limit_s)
    return {None: "timeout", 0: "survived"}.get(code, "killed")


def _ended(command: tuple[str, ...], copy: Path, limit_s: float) -> int | None:
    environment = {
        **child_environment(offline=True),
        "CARGO_TARGET_DIR": str(copy.parent / "target"),
        "CARGO_INCREMENTAL": "1",
        "RUSTFLAGS": "--cap-lints allow",
    }
    return exit_code(command, copy, environment, limit_s)
