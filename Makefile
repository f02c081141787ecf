# Croupier. `make` lists the targets.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
JOBS   ?= 3# test files at a time, more than processors because many tests wait
UV     := uv==0.13.9

.DEFAULT_GOAL := help
.PHONY: help setup run test soak check openapi golden bench cards demo examples image lock

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(VENV)/dev.stamp ## Create .venv with everything that tests and checks need

run: $(VENV)/run.stamp ## Start everything: store, workers and web (Ctrl-C stops it)
	@exec $(BIN)/python -m service.runtime.launcher

# Bytecode is written even if PYTHONDONTWRITEBYTECODE is set: otherwise every test process, and every program that it
# starts, compiles all modules again.
test: $(VENV)/dev.stamp ## Run the tests (ARGS="-x tests/games" to choose)
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest --numprocesses $(JOBS) --dist loadfile --no-loadscope-reorder $(ARGS)

soak: $(VENV)/dev.stamp ## Play many games and measure the strength of bots
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest --numprocesses $(JOBS) --dist loadfile -m soak $(ARGS)

check: $(VENV)/dev.stamp ## Check style, format, types, layers and translations
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m service.i18n.catalogs --check

openapi: $(VENV)/dev.stamp ## Generate openapi.yaml and its examples from the code
	@$(BIN)/python -m tests.service.openapi.record_examples
	@$(BIN)/python -m service.cli.openapi > openapi.yaml.new && mv openapi.yaml.new openapi.yaml

golden: $(VENV)/dev.stamp ## Write the transcripts of the golden games, and missing records
	@$(BIN)/python -m tests.golden

bench: $(VENV)/dev.stamp ## Measure, and write docs/benchmarks.md (ARGS="rules http" to choose)
	@$(BIN)/python -m bench $(ARGS)

cards: $(VENV)/dev.stamp ## Show every card with its text and its test
	@$(BIN)/python -m tests.cards

demo: $(VENV)/run.stamp ## Play a game of 6 nimmt! through HTTP, move by move
	@$(BIN)/python examples/demo.py

# The clients under examples/ have environments of their own. Needs node and npm.
examples: $(VENV)/made.stamp ## Generate and build the example clients in TypeScript and Python
	cd examples/typescript && npm ci --no-progress && npm run --silent build
	"$(PYTHON)" -m venv examples/python/.venv
	examples/python/.venv/bin/pip install -qq --disable-pip-version-check --requirement examples/python/requirements.txt
	examples/python/.venv/bin/openapi-python-client generate --path openapi.yaml --meta none --overwrite \
		--config examples/python/generator.yaml --output-path examples/python/croupier_client

image: ## Build the container image
	docker build --tag croupier .

lock: $(VENV)/dev.stamp ## Update the lock files (current versions, with hashes)
	@$(BIN)/python -m pip install -qq $(UV)
	@$(BIN)/uv pip compile pyproject.toml --upgrade $(LOCKING) --output-file requirements.lock
	@$(BIN)/uv pip compile pyproject.toml --upgrade $(LOCKING) --group dev --constraint requirements.lock \
		--output-file requirements-dev.lock

# --universal: one lock file for Python 3.11 and newer on every system, with markers where versions differ.
LOCKING := --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock"

# One environment. run.stamp: the locked runtime is installed; dev.stamp: tests and checks as well.
INSTALL := $(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes

$(VENV)/made.stamp:
	@command -v "$(PYTHON)" >/dev/null || { echo "Croupier needs Python 3.11 or newer: '$(PYTHON)' was not found (make PYTHON=...)" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Croupier needs Python 3.11 or newer: '$(PYTHON)' is $$("$(PYTHON)" -V 2>&1) (make PYTHON=...)" >&2; exit 1; }
	@"$(PYTHON)" -m venv "$(VENV)" || \
		{ echo "'$(PYTHON) -m venv' failed; Debian and Ubuntu keep it in the package python3-venv" >&2; exit 1; }
	@touch $@

$(VENV)/run.stamp: requirements.lock | $(VENV)/made.stamp
	@echo "Installing the runtime into $(VENV) ..."
	@$(INSTALL) --requirement requirements.lock
	@touch $@

$(VENV)/dev.stamp: requirements-dev.lock | $(VENV)/made.stamp
	@echo "Installing the runtime, tests and checks into $(VENV) ..."
	@$(INSTALL) --requirement requirements-dev.lock
	@touch $@ $(VENV)/run.stamp
