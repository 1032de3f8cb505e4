# Two commands do everything: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
TOOLS := .tools
RUN_STAMP := $(VENV)/.installed-run
DEV_STAMP := $(VENV)/.installed-dev

.DEFAULT_GOAL := help

# rustup looks for its toolchains below HOME; where HOME is another one, they stand beside its programs.
ifeq ($(RUSTUP_HOME),)
RUSTUP_BESIDE := $(realpath $(dir $(shell command -v cargo 2>/dev/null))../../.rustup)
ifneq ($(RUSTUP_BESIDE),)
export RUSTUP_HOME := $(RUSTUP_BESIDE)
endif
endif

.PHONY: help demo test check lint types contracts tools bench lock clean

help:
	@echo "make demo   set up .venv and make a full proof run on the sample change"
	@echo "make test   set up what the tests need, then run lint, types, contracts and all tests"
	@echo "make bench  run the benchmarks (slow)"

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(RUN_STAMP): requirements/run.txt pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/run.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@$(BIN)/python -m compileall -q verify_lsp/toolchains/python/injected  # As an ordinary installation has it.
	@touch $@

$(DEV_STAMP): requirements/dev.txt $(RUN_STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@touch $@

demo: $(RUN_STAMP)
	@$(BIN)/verify-lsp demo

test: $(DEV_STAMP) tools check
	$(BIN)/python -m pytest -n 2 --dist worksteal tests

check: $(DEV_STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Language servers and test runners that the tests drive; see tests/tools/README.md.
tools: $(DEV_STAMP)
	tests/tools/install

bench: $(DEV_STAMP) tools
	$(BIN)/python -m benchmarks

lock: $(BIN)/python
	requirements/lock

clean:
	rm -rf $(VENV) $(TOOLS) tests/tools/node/node_modules
