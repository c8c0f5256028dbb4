# `make run` serves the game and `make test` runs the tests. Each target first sets up what it needs.
# `make help` lists the targets.

# The first of these that is new enough makes .venv.
PYTHON ?= python3 python3.14 python3.13 python3.12 python3.11
BIN := .venv/bin
MANAGE := $(BIN)/python manage.py
BENCH := $(BIN)/python -m bench
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r
READY := .venv/.ready
TEST_READY := .venv/.test-ready
CATALOGUES := $(wildcard locale/*/LC_MESSAGES/*.po game/features/*/locale/*/LC_MESSAGES/*.po)
COMPILED := $(CATALOGUES:.po=.mo)
# With these settings malloc returns unused memory to the system, as in the container image.
LEAN := MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=131072

.DEFAULT_GOAL := help
.PHONY: help setup run lock t test test-fast fuzz cluster-test check lint bench figures waiting-bench wheel wheel-test worst memory lighthouse long soak messages examples compiled pictures static clean

help: ## lists the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 20

setup: $(READY) $(COMPILED) ## makes .venv and compiles the translations; then manage.py works

run: $(READY) ## serves the game and prints its address; PORT chooses another port, LAN=1 serves the network
	@$(LEAN) $(MANAGE) serve $(if $(LAN),--lan)

# A lock lists the hashes of all files of a package, for every platform and supported Python version.
LOCK := $(BIN)/uv pip compile --no-config --quiet --upgrade --universal --python-version 3.11 \
	--generate-hashes --annotation-style line --custom-compile-command "make lock"

lock: $(TEST_READY) ## rewrites the locks: pinned versions stay, what they need becomes the newest
	$(LOCK) -o requirements.lock requirements.txt requirements-postgres.txt
	$(LOCK) -c requirements.lock -o build-requirements.lock build-requirements.txt
	$(LOCK) -c requirements.lock -c build-requirements.lock -o tests/requirements.lock tests/requirements.txt

# The tests start about a hundred Python processes. Without bytecode files each would compile all
# modules again.
t test test-fast check: export PYTHONDONTWRITEBYTECODE :=

ifeq ($(MAKECMDGOALS)$(T),t)
$(error name a test: make t T=tests/web/test_pages.py)
endif

t: $(TEST_READY) $(COMPILED) static ## one test, or one file of tests: make t T=tests/web/test_pages.py
	$(if $(findstring browser,$(T)),@sh .ci/browser)
	$(BIN)/python -m pytest $(T)

PYTEST := $(BIN)/python -m pytest -n 2 --dist worksteal

test: $(TEST_READY) $(COMPILED) static ## the tests, whole games in Chromium and Firefox included
	@sh .ci/browser
	$(PYTEST) -m "not deep and not long and not cluster"

test-fast: $(TEST_READY) $(COMPILED) static ## the tests without a browser
	$(BIN)/python -m pytest -n 2 -m "not deep and not long and not browser and not cluster"

lint: $(TEST_READY) $(COMPILED) ## types, imports, style, templates, translations, settings
	@sh .ci/lint

# Continuous integration plays one match behind each proxy.
CLUSTER ?= tests/cluster

cluster-test: $(TEST_READY) $(COMPILED) static ## proxies and their limits, copies with one database, workers that are killed
	@sh .ci/browser
	@sh .ci/haproxy
	@sh .ci/nginx
	@sh .ci/postgres
	$(BIN)/python -m pytest -n 0 -m cluster $(CLUSTER)

check: lint $(TEST_READY) $(COMPILED) static ## what CI runs first: make lint, make test, and the tests that go deeper
	@sh .ci/browser
	$(PYTEST) -m "not long and not cluster"

bench: $(TEST_READY) static ## strength of the minds, and cost of a shot at a real server
	@$(BENCH) strength
	@$(BENCH) shot

waiting-bench: $(TEST_READY) $(COMPILED) static ## cost of a page that waits for a friend, with the database that is set
	@$(BENCH) duel

memory: $(TEST_READY) static ## memory of a process after every 10,000 of 50,000 varied requests
	@$(LEAN) $(BENCH) memory

figures: $(TEST_READY) static ## measures what docs/research/figures.md shows, and writes it there
	@$(LEAN) $(BENCH) figures

worst: $(TEST_READY) $(COMPILED) static ## the most expensive request at every address, and reply of every mind in every preset
	@$(BENCH) worst

fuzz: $(TEST_READY) $(COMPILED) static ## random input for minutes: 500 times 60 steps, 20,000 records, 5,000 requests, 40 games
	@sh .ci/browser
	FUZZ=more $(BIN)/python -m pytest -n 2 -m fuzz

# `make soak` compares 200,000 steps of the engine with its model, sends 100,000 requests, and reads
# a million changed records.
soak: $(TEST_READY) $(COMPILED) static ## random input for hours
	@sh .ci/browser
	FUZZ=long $(BIN)/python -m pytest -n 2 -m fuzz
	@sh .ci/postgres
	FUZZ=long $(BIN)/python -m pytest -n 0 -m cluster tests/cluster/test_kills.py

long: $(TEST_READY) $(COMPILED) static ## every page at nine widths, counts that take minutes, and more games
	@sh .ci/browser
	$(BIN)/python -m pytest -m long

messages: $(TEST_READY) ## collects the sentences to be translated; needs gettext
	$(MANAGE) makemessages --all --no-obsolete --no-location --ignore '.venv/*' --ignore 'var/*'

examples: $(TEST_READY) $(COMPILED) ## updates what the documents show: transcripts, the record, answers
	$(BIN)/python -m tests.support.shown

compiled: $(TEST_READY) ## compiles game/players/belief/compiled.c
	$(BIN)/python -m tests.support.compiled

wheel: $(TEST_READY) ## builds the wheel and the sdist in var/wheels
	@rm -f var/wheels/battleships*
	@$(BIN)/python -m hatchling build -d var/wheels

wheel-test: $(TEST_READY) ## installs the wheel without an index and plays there; WHEEL_PYTHON=python3.13 chooses another
	@$${WHEEL_PYTHON:-$(BIN)/python} -m pip download --quiet --disable-pip-version-check --require-hashes \
		--only-binary :all: -d var/wheels/needs -r requirements.lock
	$(BIN)/python -m pytest -n 0 -m long tests/test_wheel.py

lighthouse: $(TEST_READY) $(COMPILED) static ## Lighthouse on the main pages in both languages, median of five; PAGES=all takes every page; needs Node.js
	@sh .ci/browser
	$(BIN)/python .ci/lighthouse

pictures: $(TEST_READY) ## takes the pictures of the documents again, from a server at the address BASE
	$(BIN)/python .ci/pictures

static: $(READY) ## collects the styles and scripts that pages and their tests need
	@$(MANAGE) collectstatic --noinput --verbosity 0

clean: ## removes all that these targets made, except the secrets
	rm -rf .venv var/static .pytest_cache .import_linter_cache .mypy_cache .ruff_cache .hypothesis $(COMPILED)

# A .venv whose Python is gone is made anew.
$(BIN)/python: ;

$(READY): requirements.lock $(BIN)/python
	@sh .ci/venv $(PYTHON)

$(TEST_READY): tests/requirements.lock $(READY)
	$(INSTALL) tests/requirements.lock
	@touch $@

%.mo: %.po $(READY)
	@$(MANAGE) translations
