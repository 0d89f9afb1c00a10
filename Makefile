# Everything a newcomer, a developer or a machine runs. `make help` explains itself.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed-dev
PLAIN  := $(VENV)/.installed
# One worker more than there are processors: many tests wait for a process or a lock.
WORKERS = $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 1)')
TOPICS := $(wildcard memtool/cli/documentation/topics/*.md)
PAGES  := README.md memtool/README.md $(TOPICS)

.DEFAULT_GOAL := help
.PHONY: help demo test fuzz properties crash storm merge-storm fleet-storm clients lint types check docs pictures man sessions model bench bench-linear \
  bench-index bench-fleet bench-peers bench-retrieval bench-memory clean

help: ## show what can be made
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 17

demo: $(PLAIN) ## install into .venv and show the main job on the sample workspace
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh tests/demo.sh

test: $(STAMP) ## install into .venv and run all tests
	@$(BIN)/python -m compileall -q memtool  # else each command compiles it, where PYTHONDONTWRITEBYTECODE is set
	$(BIN)/python -m tests.run -n $(WORKERS) --dist worksteal --hypothesis-profile=ci

fuzz: $(STAMP) ## give every reader inputs guided by coverage: INPUTS=1000000 in all, GROUP=; says how many
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check atheris 2>/dev/null \
	  || echo "atheris cannot be installed here; inputs are Hypothesis's"
	$(BIN)/python -m tests.fuzz --inputs $(or $(INPUTS),1000000) $(GROUP)

properties: $(STAMP) ## search the properties for new counterexamples: ROUNDS=10, each with a seed of its own
	@for round in $$(seq $(or $(ROUNDS),10)); do \
	  seed=$$($(BIN)/python -c 'import secrets; print(secrets.randbits(32))'); echo "seed $$seed"; \
	  $(BIN)/python -m pytest -q -n auto -m hypothesis --hypothesis-seed=$$seed || exit 1; \
	done

crash: $(STAMP) ## the crash law at every disk operation of every command, and real limits of the disk: tables
	$(BIN)/python -m tests.crash
	$(BIN)/python -m tests.disk_limits

storm: $(STAMP) ## writers, a watcher, an editor and kill -9 on one workspace: SECONDS=300 SEED=1
	@SECONDS="$(SECONDS)" SEED="$(SEED)" $(BIN)/python -m tests.storm

merge-storm: $(STAMP) ## ten machines make 100,000 edits and merge in any order: EDITS=100000 ORDERS=3 SEED=1
	@EDITS="$(EDITS)" ORDERS="$(ORDERS)" SEED="$(SEED)" $(BIN)/python -m tests.merge_storm

fleet-storm: $(STAMP) ## edit and push many trees while pushes, workers and the server are killed: TREES=100 FILES=100 WRITERS=10 SECONDS=300 SEED=1
	@TREES="$(TREES)" FILES="$(FILES)" WRITERS="$(WRITERS)" SECONDS="$(SECONDS)" SEED="$(SEED)" $(BIN)/python -m tests.fleet_storm

model: $(STAMP) ## train the models of statements and of health on tests/training again: ARGS=--check
	$(BIN)/python -m tests.training.train $(ARGS)

clients: $(STAMP) ## install real agents from the npm registry into .venv/clients, for tests (2.5 GB)
	$(BIN)/python -m tests.clients.install $(VENV)/clients

lint: $(STAMP) ## ruff: style and mistakes
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP) ## mypy --strict
	$(BIN)/mypy

check: lint types ## everything that is checked without running it
	$(BIN)/python -m memtool.cli.documentation.docs --check $(PAGES)

docs: $(STAMP) ## write the generated parts of the help topics and of the map of the code
	$(BIN)/python -m memtool.cli.documentation.docs $(PAGES)

pictures: $(STAMP) ## draw the pictures of the README in .github/images again
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[plots]'
	$(BIN)/python -m tests.pictures .github/images

man: $(PLAIN) ## write the man pages into build/man; installing the package does so, too
	$(BIN)/python -m memtool.cli.documentation.man build/man

sessions: $(STAMP) ## record the transcripts in tests/sessions, README and the topics anew; read the diff
	$(BIN)/python tests/transcript.py --record tests/sessions/*.txt README.md $(TOPICS)

bench: $(PLAIN) ## measure start-up, search, freshness, growth; or cost by size: SIZES="1000 10000 100000" SVG=
	$(BIN)/python -m tests.bench$(if $(SIZES),.scale $(SIZES) $(if $(SVG),--svg "$(SVG)"))

bench-peers: $(PLAIN) ## measure memtool beside ripgrep, SQLite FTS5, qmd, OpenClaw and memsearch: FILES=1000
	$(BIN)/python -m tests.bench.peers $(FILES)

bench-index: $(PLAIN) ## measure the first index of 1,000, 10,000 and 100,000 files: FILES=
	$(BIN)/python -m tests.bench.first_index $(FILES)

bench-fleet: $(PLAIN) ## measure pushes and searches of a fleet on a throw-away PostgreSQL server: TREES=50 FILES=100
	$(BIN)/python -m tests.bench.fleet $(or $(TREES),50) $(or $(FILES),100)

bench-linear: $(PLAIN) ## measure alone what takes time as its input; fails at a promise that is missed
	$(BIN)/python -m tests.bench.linear

bench-retrieval: $(PLAIN) ## measure search on questions: DATA=file of LoCoMo's format, JSON=where to write
	@$(BIN)/python -m tests.bench.retrieval "$(DATA)" $(if $(JSON),--json "$(JSON)")

bench-memory: $(PLAIN) ## measure capture, retrieval and prompts: BEAM= DATA= XQUAD= PRECISION= PROMPTS= JSON= ARGS=
	$(if $(BEAM)$(DATA)$(XQUAD)$(if $(PRECISION),,none),@$(BIN)/python -m tests.bench.memory \
	  $(if $(BEAM),--beam "$(BEAM)") $(if $(DATA),--locomo "$(DATA)") $(if $(XQUAD),--xquad "$(XQUAD)") \
	  $(if $(PROMPTS),--prompts "$(PROMPTS)") $(if $(JSON),--json "$(JSON)") $(ARGS))
	$(if $(PRECISION),@$(BIN)/python -m tests.bench.precision "$(PRECISION)")

clean: ## remove everything that was made
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(PLAIN): $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[fleet,graph,lsp,semantic]'
	@touch $@

$(STAMP): $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(PLAIN) $@  # it brings all that a plain installation does
