# The tasks of a working day. Everything runs in .venv, which `make install` makes.

PYTHON := .venv/bin/python

.DEFAULT_GOAL := help
.PHONY: help install test lint types bench fuzz fixtures build ci

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "%-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: ## make .venv with the package (editable), every extra and the development tools
	python3 -m venv .venv
	$(PYTHON) -m pip install -q --upgrade pip
	$(PYTHON) -m pip install -q -e '.[all]' --group dev

test: ## run the tests
	$(PYTHON) -m pytest -q -n auto

lint: ## check style and formatting
	$(PYTHON) -m ruff check
	$(PYTHON) -m ruff format --check

types: ## check types, twice
	$(PYTHON) -m mypy
	$(PYTHON) -m pyright

bench: ## run the benchmarks, one after the other
	for name in imports attach probe fit quality emit transcript; do echo "== $$name"; $(PYTHON) benchmarks/$$name.py || exit 1; done

fuzz: ## fuzz every reader for a minute (python -m pip install --group fuzz first)
	$(PYTHON) fuzz/run.py --seconds 60

fixtures: ## rebuild the deterministic fixtures and the manifest
	$(PYTHON) fixtures/build.py

build: ## build sdist and wheel into dist/
	$(PYTHON) -m build

ci: ## run all that must hold before a change lands, in fresh environments
	bash .ci/run
