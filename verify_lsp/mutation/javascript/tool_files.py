"""JavaScript that only tools run, by the names that they look for."""

_CONFIGURED = (
    "astro ava babel commitlint cypress esbuild eslint jest karma knip lint-staged metro next nuxt playwright postcss"
    " prettier release rolldown rollup rspack stylelint svelte tailwind tsdown tsup unbuild build uno vite vitest webpack wdio"
)
_DOTTED = "babelrc commitlintrc eslintrc lintstagedrc mocharc prettierrc stylelintrc"
_OTHERS = "gulpfile Gruntfile karma.conf jest.setup jest-setup vitest.setup vitest.workspace setupTests"
_EXTENSIONS = (".js", ".cjs", ".mjs", ".ts", ".cts", ".mts")

NAMES = frozenset(
    stem + extension
    for stems in (
        [f"{tool}.config" for tool in _CONFIGURED.split()],
        [f".{tool}" for tool in _DOTTED.split()],
        _OTHERS.split(),
    )
    for stem in stems
    for extension in _EXTENSIONS
)
"""Configurations and set-ups: no test tests them."""
