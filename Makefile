# make: set up, build, serve · make test: set up, every test. Each target only calls Python.
PYTHON ?= python3
PY := .venv/bin/python

.NOTPARALLEL:
.PHONY: all environment build serve test bench check parity-full screenshots requirements release clean

all: build serve

environment:
	@$(PYTHON) site/make/environment.py

build: environment
	$(PY) build.py

serve: build
	@$(PY) site/make/serve.py

test:
	@$(PYTHON) site/make/environment.py --tests
	$(PY) build.py
	$(PY) -m pytest -n 2 --dist loadfile --no-loadscope-reorder

bench: build
	$(PY) -m tests.bench

check: build
	$(PY) -m ruff check
	$(PY) -m mypy
	set -e; for script in lint:js types lint:css lint:html; do $(PY) site/make/environment.py --npm run --silent $$script; done

parity-full:
	@$(PYTHON) site/make/environment.py --tests
	$(PY) build.py
	$(PY) -m pytest -m full tests/parity

screenshots:
	@$(PYTHON) site/make/environment.py --tests
	$(PY) build.py
	$(PY) site/make/screenshots.py

requirements: environment
	$(PY) site/make/requirements.py

release: environment
	$(PY) site/make/release.py

clean:
	rm -rf dist build release .venv/proof sim/poolroom/static test-results .hypothesis .mypy_cache .pytest_cache .ruff_cache
