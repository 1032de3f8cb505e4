import os
import time

from verify_lsp.system.cache import KEPT_BASES, UNUSED_LIMIT_S, prune, workspace_cache


def made(path, age_s=0.0):
    path.mkdir(parents=True)
    moment = time.time() - age_s
    os.utime(path, (moment, moment))
    return path


def test_the_youngest_bases_are_kept(tmp_path):
    bases = [made(workspace_cache(tmp_path) / "base" / f"{age:040}", age_s=60.0 * age) for age in range(KEPT_BASES + 3)]

    prune(tmp_path)

    assert [base.exists() for base in bases] == [True] * KEPT_BASES + [False] * 3


def test_a_workspace_that_was_long_unused_goes_and_the_one_in_use_stays(tmp_path):
    own = made(workspace_cache(tmp_path / "own"), age_s=2 * UNUSED_LIMIT_S)
    other = made(workspace_cache(tmp_path / "other"), age_s=2 * UNUSED_LIMIT_S)
    young = made(workspace_cache(tmp_path / "young"))

    prune(tmp_path / "own")

    assert (own.exists(), other.exists(), young.exists()) == (True, False, True)


def test_nothing_is_made_for_a_workspace_without_a_cache(tmp_path):
    prune(tmp_path)

    assert not workspace_cache(tmp_path).exists()


def test_a_link_in_the_cache_is_never_followed(tmp_path):
    precious = made(tmp_path / "precious", age_s=2 * UNUSED_LIMIT_S)
    own = made(workspace_cache(tmp_path))
    (own.parent / "link").symlink_to(precious)

    prune(tmp_path)

    assert precious.is_dir()
