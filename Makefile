# Each target makes the environment when it is missing or out of date, and needs nothing else.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test check bench load chaos memory help

help:
	@echo "make run    open the bot (the simulator, unless .env has a TELEGRAM_BOT_TOKEN)"
	@echo "make test   run the tests"
	@echo "make check  lint, types and tests"
	@echo "make load   two hundred people at once, with an engine that follows a script"
	@echo "make chaos  faults and power cuts while people ask"
	@echo "make memory what the engine holds after thirty and after three hundred requests"
	@echo "make bench  measure speed and memory here (ARGS: --model DIR --against transformers)"

# One platform decision, in one place: a token means Telegram.
run: $(VENV)/.run
	@if [ -n "$$TELEGRAM_BOT_TOKEN" ] || grep -qsE '^[[:space:]]*(export )?TELEGRAM_BOT_TOKEN[[:space:]]*=[[:space:]]*[^[:space:]#]' .env; \
	then exec $(BIN)/python -m bot; \
	else exec $(BIN)/python -m bot --simulator $(ARGS); fi

test: $(VENV)/.dev
	$(BIN)/python -m pytest

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest

bench: $(VENV)/.run
	$(BIN)/python -m engine bench $(ARGS)

load: $(VENV)/.dev
	$(BIN)/python -m tests.proofs.load $(ARGS)

chaos: $(VENV)/.dev
	$(BIN)/python -m tests.proofs.chaos $(ARGS)

memory: $(VENV)/.dev
	$(BIN)/python -m tests.proofs.memory $(ARGS)

$(VENV)/.run: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Darkroom needs Python 3.11 or newer; call make with PYTHON=python3.11")'
	test -d $(VENV) || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --constraint constraints.txt --editable .
	touch $@

$(VENV)/.dev: $(VENV)/.run
	$(BIN)/python -m pip install --constraint constraints.txt --group dev
	touch $@
