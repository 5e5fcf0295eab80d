# make: set up, build, serve · make test: set up, every test. Each target only calls Python.
PYTHON ?= python3
PY := .venv/bin/python
SERVE_PY := .venv-serve/bin/python
PROGRAMS := site/lessons/serve/code
TINY_MODEL := build/tiny-model

.NOTPARALLEL:
.PHONY: all environment build serve test test-serve measure bench check parity-full screenshots requirements release clean

all: build serve

environment:
	@$(PYTHON) site/make/environment.py

build: environment
	$(PY) build.py

serve: build
	@$(PY) site/make/serve.py

# The programs' tests come first: the last lines are then those of the main suite.
test: test-serve
	@$(PYTHON) site/make/environment.py --tests
	$(PY) build.py
	$(PY) -m pytest -n 2 --dist loadfile --no-loadscope-reorder

test-serve:
	@$(PYTHON) site/make/serve_environment.py --tests
	@$(SERVE_PY) $(PROGRAMS)/make_tiny_model.py --out $(TINY_MODEL)
	$(SERVE_PY) -m pytest -c tests/serve/pytest.ini tests/serve

measure:
	@$(PYTHON) site/make/serve_environment.py
	@$(SERVE_PY) $(PROGRAMS)/make_tiny_model.py --out $(TINY_MODEL)
	$(SERVE_PY) $(PROGRAMS)/measure.py --model $(TINY_MODEL) --out site/lessons/serve/measured.json

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
