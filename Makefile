# Commands to try, test, measure and document memtool. `make help` lists them.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed-dev
PLAIN  := $(VENV)/.installed
# One worker more than there are processors, because many tests wait for a process or a lock.
WORKERS = $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 1)')
TOPICS := $(wildcard memtool/cli/documentation/topics/*.md)
PAGES  := README.md memtool/README.md $(TOPICS)

.DEFAULT_GOAL := help
.PHONY: help demo test fuzz properties crash storm merge-storm fleet-storm clients lint types check docs pictures man sessions model bench bench-linear \
  bench-index bench-fleet bench-peers bench-retrieval bench-memory clean

help: ## list these targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 17

demo: $(PLAIN) ## install into .venv and show the main commands on the sample workspace
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh tests/demo.sh

test: $(STAMP) ## install into .venv and run all tests
	@$(BIN)/python -m compileall -q memtool  # otherwise, with PYTHONDONTWRITEBYTECODE set, each command would compile it again
	$(BIN)/python -m tests.run -n $(WORKERS) --dist worksteal --hypothesis-profile=ci

fuzz: $(STAMP) ## fuzz all functions that read input: INPUTS=1000000 (total), GROUP=name
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check atheris 2>/dev/null \
	  || echo "atheris cannot be installed here; Hypothesis generates the inputs"
	$(BIN)/python -m tests.fuzz --inputs $(or $(INPUTS),1000000) $(GROUP)

properties: $(STAMP) ## run the property tests with new random seeds: ROUNDS=10
	@for round in $$(seq $(or $(ROUNDS),10)); do \
	  seed=$$($(BIN)/python -c 'import secrets; print(secrets.randbits(32))'); echo "seed $$seed"; \
	  $(BIN)/python -m pytest -q -n auto -m hypothesis --hypothesis-seed=$$seed || exit 1; \
	done

crash: $(STAMP) ## make each disk operation of every command fail, then limit the real disk, and print tables
	$(BIN)/python -m tests.crash
	$(BIN)/python -m tests.disk_limits

storm: $(STAMP) ## run writers, a watcher and an editor on one workspace, and kill them: SECONDS=300 SEED=1
	@SECONDS="$(SECONDS)" SEED="$(SEED)" $(BIN)/python -m tests.storm

merge-storm: $(STAMP) ## merge the edits of ten machines in random orders: EDITS=100000 ORDERS=3 SEED=1
	@EDITS="$(EDITS)" ORDERS="$(ORDERS)" SEED="$(SEED)" $(BIN)/python -m tests.merge_storm

fleet-storm: $(STAMP) ## edit and push many trees while pushes, workers and the server are killed: TREES=100 FILES=100 WRITERS=10 SECONDS=300 SEED=1
	@TREES="$(TREES)" FILES="$(FILES)" WRITERS="$(WRITERS)" SECONDS="$(SECONDS)" SEED="$(SEED)" $(BIN)/python -m tests.fleet_storm

model: $(STAMP) ## retrain the sentence models on tests/training; ARGS=--check only compares
	$(BIN)/python -m tests.training.train $(ARGS)

clients: $(STAMP) ## install real agents from npm into .venv/clients, for tests (2.5 GB)
	$(BIN)/python -m tests.clients.install $(VENV)/clients

lint: $(STAMP) ## run ruff
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP) ## run mypy --strict
	$(BIN)/mypy

check: lint types ## run all static checks: ruff, mypy, generated documentation
	$(BIN)/python -m memtool.cli.documentation.docs --check $(PAGES)

docs: $(STAMP) ## update the generated parts of README, help topics and memtool/README.md
	$(BIN)/python -m memtool.cli.documentation.docs $(PAGES)

pictures: $(STAMP) ## redraw the pictures of README in .github/images
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[plots]'
	$(BIN)/python -m tests.pictures .github/images

man: $(PLAIN) ## write the man pages into build/man (installing the package also does this)
	$(BIN)/python -m memtool.cli.documentation.man build/man

sessions: $(STAMP) ## record the output in tests/sessions, README and help topics again; read the diff
	$(BIN)/python tests/transcript.py --record tests/sessions/*.txt README.md $(TOPICS)

bench: $(PLAIN) ## measure start-up, search and freshness, or, with SIZES="1000 10000", cost by size: SVG=file
	$(BIN)/python -m tests.bench$(if $(SIZES),.scale $(SIZES) $(if $(SVG),--svg "$(SVG)"))

bench-peers: $(PLAIN) ## compare memtool with ripgrep, SQLite FTS5, qmd, OpenClaw and memsearch: FILES=1000
	$(BIN)/python -m tests.bench.peers $(FILES)

bench-index: $(PLAIN) ## measure how long the first index of 1,000, 10,000 and 100,000 files takes: FILES=number
	$(BIN)/python -m tests.bench.first_index $(FILES)

bench-fleet: $(PLAIN) ## measure pushes to a fleet and searches on a temporary PostgreSQL server: TREES=50 FILES=100
	$(BIN)/python -m tests.bench.fleet $(or $(TREES),50) $(or $(FILES),100)

bench-linear: $(PLAIN) ## check that processing time grows linearly with the input; fails if a limit is missed
	$(BIN)/python -m tests.bench.linear

bench-retrieval: $(PLAIN) ## measure search with questions: DATA=file in LoCoMo's format, JSON=output file
	@$(BIN)/python -m tests.bench.retrieval "$(DATA)" $(if $(JSON),--json "$(JSON)")

bench-memory: $(PLAIN) ## measure capture, retrieval and prompts: BEAM= DATA= XQUAD= PRECISION= PROMPTS= JSON= ARGS=
	$(if $(BEAM)$(DATA)$(XQUAD)$(if $(PRECISION),,none),@$(BIN)/python -m tests.bench.memory \
	  $(if $(BEAM),--beam "$(BEAM)") $(if $(DATA),--locomo "$(DATA)") $(if $(XQUAD),--xquad "$(XQUAD)") \
	  $(if $(PROMPTS),--prompts "$(PROMPTS)") $(if $(JSON),--json "$(JSON)") $(ARGS))
	$(if $(PRECISION),@$(BIN)/python -m tests.bench.precision "$(PRECISION)")

clean: ## remove everything that make has created
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(PLAIN): $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[fleet,graph,lsp,semantic]'
	@touch $@

$(STAMP): $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(PLAIN) $@  # it includes all of a plain installation
