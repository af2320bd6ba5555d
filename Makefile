# The front door. Everything that these targets need is installed or built by them.
#   make demo     build the command-line tool and watch it find hidden directions
#   make test     all tests, C++ and Python
#   make help     the rest
.DEFAULT_GOAL := help
SHELL := /bin/bash
CMAKE := $(if $(wildcard /usr/bin/cmake),/usr/bin/cmake,cmake)
JOBS ?= $(shell nproc)
PYTHON ?= python3
VENV := build/venv
GOLDEN := $(if $(BKERNN_GOLDEN_DIR),$(BKERNN_GOLDEN_DIR),$(wildcard ../shared/golden))
export BKERNN_GOLDEN_DIR := $(if $(GOLDEN),$(abspath $(GOLDEN)))
PAPER := $(if $(BKERNN_PAPER_RESULTS),$(BKERNN_PAPER_RESULTS),$(wildcard ../shared/paper_results.json))
export BKERNN_PAPER_RESULTS := $(if $(PAPER),$(abspath $(PAPER)))
ifdef BKERNN_DATA_DIR
export BKERNN_DATA_DIR := $(abspath $(BKERNN_DATA_DIR))
endif

.PHONY: help
help:  ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

# Configures and builds one CMake preset, through ccache if there is one. Paths are hashed relative to the project, so that another
# checkout, and the Python package (built from the same sources by the same compiler calls), find what was compiled before.
export CCACHE_BASEDIR := $(CURDIR)
export CCACHE_NOHASHDIR := 1
launcher = CMAKE_CXX_COMPILER_LAUNCHER=$$(command -v ccache)
define build_preset
	$(launcher) $(CMAKE) --preset $(1) > build/configure-$(1).log || (cat build/configure-$(1).log; exit 1)
	$(CMAKE) --build --preset $(1) -j $(JOBS) $(if $(2),--target $(2))
endef

build:
	@mkdir -p build

.PHONY: demo
demo: | build  ## build the tool (Debian packages only) and run `bkernn demo`
	@tools/setup.sh build
	@$(CMAKE) -S . -B build/release -DCMAKE_BUILD_TYPE=Release -DBKERNN_BUILD_TESTS=OFF > build/configure-demo.log || (cat build/configure-demo.log; exit 1)
	@$(CMAKE) --build build/release -j $(JOBS) --target bkernn_tool
	build/release/bkernn demo

.PHONY: test
test: test-cpp test-python  ## all tests

.PHONY: test-cpp
test-cpp: | build  ## the C++ tests
	@tools/setup.sh build test
	$(call build_preset,release)
	ctest --preset release -j $(JOBS) --progress

pip_install = $(1)/bin/pip install -q --disable-pip-version-check

$(VENV)/ready: pyproject.toml tools/build-requirements.txt | build
	@tools/setup.sh build test
	$(PYTHON) -m venv $(VENV)
	$(call pip_install,$(VENV)) --upgrade 'pip>=23,<28'
	$(call pip_install,$(VENV)) -r tools/build-requirements.txt
	touch $@

# In $(VENV), not in a new environment each time: what is built stays in build/python, and a second build takes seconds.
WHEEL = $$(echo build/dist/bkernn-*.whl)
make_wheel = $(launcher) CXX=$${CXX:-c++} CMAKE_EXECUTABLE=$(CMAKE) CMAKE_GENERATOR="Unix Makefiles" CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) \
	  SOURCE_DATE_EPOCH=$(shell git log -1 --format=%ct 2> /dev/null || echo 0) \
	  $(VENV)/bin/pip wheel -q --disable-pip-version-check --no-build-isolation --check-build-dependencies --no-deps
.PHONY: wheel
wheel: $(VENV)/ready  ## the Python package as a wheel, in build/dist
	@rm -f build/dist/bkernn-*.whl
	$(make_wheel) -C build-dir=build/python -w build/dist .

# The tests of one environment: the wheel with what its tests need ($(2): more requirements), then all of $(3).
define test_wheel
	$(call pip_install,$(1)) "$(WHEEL)[test]" $(2)
	$(call pip_install,$(1)) --force-reinstall --no-deps "$(WHEEL)"
	BKERNN_BINARY=$(CURDIR)/build/release/bkernn $(1)/bin/python -m pytest -q -n 2 $(3)
endef

.PHONY: test-python
test-python: wheel test-cpp wheel-check  ## the Python tests, against the wheel
	$(call test_wheel,$(VENV),,tests)

# With a Polars and an Arrow of that time: scikit-learn 1.6 knows data frames by a protocol that Polars 2 no longer speaks, and Arrow 20
# wants NumPy 2.
.PHONY: test-oldest
test-oldest: wheel  ## the Python tests with the oldest scikit-learn and NumPy that the package says it takes
	$(PYTHON) -m venv build/venv-oldest
	$(call test_wheel,build/venv-oldest,scikit-learn==1.6.0 numpy==1.24.0 'polars<2' 'pyarrow<20',tests/python)

.PHONY: test-torch
test-torch: wheel  ## the Python tests beside PyTorch; TORCH=torch==2.13.0+cpu or such takes a small one
	$(PYTHON) -m venv build/venv-torch
	$(call test_wheel,build/venv-torch,$(TORCH),tests/python)
TORCH ?= 'torch>=2,<3'

# Two copies of the sources in two places, built from nothing: without ccache, which would hand the second what the first compiled.
.PHONY: wheel-reproducible
wheel-reproducible: export CCACHE_DISABLE := 1
wheel-reproducible: $(VENV)/ready  ## build the wheel twice and compare the bytes
	rm -rf build/twice && mkdir -p build/twice/a/source build/twice/b/other/source
	for copy in a b/other; do git archive HEAD | tar -x -C build/twice/$$copy/source; done
	$(make_wheel) -C build-dir=$(CURDIR)/build/twice/a/build -w build/twice/a build/twice/a/source
	$(make_wheel) -C build-dir=$(CURDIR)/build/twice/b/build -w build/twice/b build/twice/b/other/source
	sha256sum build/twice/*/bkernn-*.whl
	cmp build/twice/a/bkernn-*.whl build/twice/b/bkernn-*.whl

.PHONY: wheel-check
wheel-check: wheel  ## install the wheel in a new environment, with nothing but what it asks for, and use it
	$(PYTHON) -m venv --clear build/venv-wheel
	$(call pip_install,build/venv-wheel) "$(WHEEL)"
	cd build/venv-wheel && bin/python -I $(CURDIR)/tests/wheel/use_wheel.py

# One build by clang for lint, sanitize, coverage and fuzz.
.PHONY: sanitize
sanitize: | build  ## the C++ tests under ASan + UBSan and under TSan
	@tools/setup.sh build test check
	$(call build_preset,checked)
	ctest --preset checked -j $(JOBS)
	$(call build_preset,tsan)
	ctest --preset tsan -j $(JOBS)

.PHONY: coverage
coverage: | build  ## line and branch coverage by the C++ tests, with pages in build/coverage
	@tools/setup.sh build test check
	$(call build_preset,checked)
	rm -rf build/checked/profile
	ctest --preset checked -j $(JOBS) --progress
	$(PYTHON) tools/coverage.py

FUZZ_SECONDS ?= 600
.PHONY: fuzz
fuzz: | build  ## fuzz files, tables, command line and operators, FUZZ_SECONDS each (results/fuzz.json)
	@tools/setup.sh build test check
	$(call build_preset,checked,$(foreach t,model csv npy command operators,fuzz_$(t)))
	$(PYTHON) fuzz/run.py --seconds $(FUZZ_SECONDS) $(FUZZ_TARGETS)

.PHONY: valgrind
valgrind: | build  ## a short run of the tool and of the file tests under valgrind
	@tools/setup.sh build test valgrind
	$(call build_preset,release,bkernn_tool bkernn_tests)
	tools/valgrind.sh build/release

# Damage, kills, full disks, little memory, and ten minutes of load; then the properties on many more examples.
.PHONY: reliability
reliability: wheel  ## what can be relied on, put to the test at full length (results/reliability.json)
	$(call build_preset,release,bkernn_tool)
	$(call pip_install,$(VENV)) "$(WHEEL)[test]"
	$(call pip_install,$(VENV)) --force-reinstall --no-deps "$(WHEEL)"
	BKERNN_BINARY=$(CURDIR)/build/release/bkernn $(VENV)/bin/python -m reliability.run $(RELIABILITY)
	$(VENV)/bin/python -m pytest -q -n 2 tests/reliability/test_properties.py --hypothesis-profile=long

.PHONY: bench
bench: | build  ## operator products, fits and predictions: times and growth (JSON under results/)
	@tools/setup.sh build bench
	$(call build_preset,bench)
	@mkdir -p results
	build/bench/benchmarks/bkernn_bench --benchmark_out=results/bench.json --benchmark_out_format=json
	build/bench/benchmarks/bkernn_fit_table

.PHONY: study
study: | build  ## the default optimizer against Algorithm 1 on simulated and real data (needs BKERNN_DATA_DIR for the latter)
	@tools/setup.sh build bench
	$(call build_preset,bench,bkernn_optimizer_study)
	build/bench/benchmarks/bkernn_optimizer_study

# The experiments run on the package as pip installs it.
.PHONY: experiments-package
experiments-package: $(VENV)/ready  ## the package with what the experiments need, in build/venv
	$(launcher) $(VENV)/bin/pip install -q --disable-pip-version-check '.[experiments]'

EXPERIMENTS := $(foreach i,1 2 3 4 5 6,experiment-$(i))
.PHONY: experiments $(EXPERIMENTS)
experiments: $(EXPERIMENTS)  ## the paper's six experiments (experiment-1 … experiment-6 for one; Experiment 6 needs BKERNN_DATA_DIR or a network)
$(EXPERIMENTS): experiment-%: experiments-package
	$(VENV)/bin/python -m experiments.paper.experiment_$* --output results

.PHONY: experiments-peers
experiments-peers: $(VENV)/ready  ## the same real data, and larger ones, for other methods (needs BKERNN_DATA_DIR)
	$(launcher) $(VENV)/bin/pip install -q --disable-pip-version-check '.[peers]'
	$(VENV)/bin/python -m experiments.peers.compare --output results

.PHONY: bench-peers
bench-peers: $(VENV)/ready  ## seconds, memory and R² against the number of rows, for BKerNN and other methods
	$(launcher) $(VENV)/bin/pip install -q --disable-pip-version-check '.[peers]'
	$(VENV)/bin/python -m experiments.bench.peers --output results

.PHONY: performance-page
performance-page: experiments-package  ## tables and figure of docs/performance.md from the results of make bench-peers
	$(VENV)/bin/python -m experiments.pages.performance --results results

.PHONY: experiments-choices
experiments-choices: experiments-package  ## ways to choose λ on real data (needs BKERNN_DATA_DIR), the dimension found, the cost of cross-validation
	$(VENV)/bin/python -m experiments.choices.choosing --output results
	$(VENV)/bin/python -m experiments.choices.dimension --output results
	$(VENV)/bin/python -m experiments.choices.grid_search

.PHONY: bench-dask
bench-dask: $(VENV)/ready  ## what a fit on two local workers spends on communication (a million rows each)
	$(launcher) $(VENV)/bin/pip install -q --disable-pip-version-check '.[dask]'
	$(VENV)/bin/python -m experiments.bench.dask

.PHONY: experiments-page
experiments-page: experiments-package  ## tables and figures of docs/experiments.md from results/ (needs BKERNN_PAPER_RESULTS)
	$(VENV)/bin/python -m experiments.pages.experiments --results results

# The command-line reference comes from the tool, the Python one from the installed package, the gallery from the examples.
.PHONY: docs
docs: wheel  ## the documentation site, in build/docs/html; warnings and broken links are errors
	$(call build_preset,release,bkernn_tool)
	$(call pip_install,$(VENV)) "$(WHEEL)[docs]"
	$(call pip_install,$(VENV)) --force-reinstall --no-deps "$(WHEEL)"
	rm -rf build/docs docs/generated docs/gallery
	BKERNN_BINARY=$(CURDIR)/build/release/bkernn $(VENV)/bin/sphinx-build -W --keep-going -q -d build/docs/doctrees docs build/docs/html
	$(VENV)/bin/python docs/check_links.py build/docs/html

.PHONY: lint
lint: $(VENV)/ready  ## clang build without warnings, formatting, clang-tidy, layers, ruff, mypy
	@tools/setup.sh build test check lint
	$(call pip_install,$(VENV)) 'numpy>=1.24,<3' 'ruff>=0.6,<1' 'mypy>=1.8,<3'
	PATH=$(CURDIR)/$(VENV)/bin:$$PATH CMAKE=$(CMAKE) $(launcher) tools/lint.sh

.PHONY: clean
clean:  ## remove everything that was built
	rm -rf build results
