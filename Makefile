# The front door. These targets install or build everything that they need.
#   make demo     build the command-line tool and watch it find hidden directions
#   make test     all tests, C++ and Python
#   make help     the rest
.DEFAULT_GOAL := help
SHELL := /bin/bash
CMAKE := $(if $(wildcard /usr/bin/cmake),/usr/bin/cmake,cmake)
JOBS ?= $(shell nproc)
PYTHON ?= python3
VENV := build/venv
GOLDEN := $(or $(BKERNN_GOLDEN_DIR),$(wildcard ../shared/golden))
export BKERNN_GOLDEN_DIR := $(if $(GOLDEN),$(abspath $(GOLDEN)))
PAPER := $(or $(BKERNN_PAPER_RESULTS),$(wildcard ../shared/paper_results.json))
export BKERNN_PAPER_RESULTS := $(if $(PAPER),$(abspath $(PAPER)))
ifdef BKERNN_DATA_DIR
export BKERNN_DATA_DIR := $(abspath $(BKERNN_DATA_DIR))
endif

.PHONY: help
help:  ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 21

# Configures and builds one CMake preset, through ccache if there is one. Paths are hashed relative
# to the project, so that another checkout, and the Python package (built from the same sources by
# the same compiler calls), find what was compiled before.
export CCACHE_BASEDIR := $(CURDIR)
export CCACHE_NOHASHDIR := 1
launcher = CMAKE_CXX_COMPILER_LAUNCHER=$$(command -v ccache)
define build_preset
	$(launcher) $(CMAKE) --preset $(1) > build/configure-$(1).log \
	  || (cat build/configure-$(1).log; exit 1)
	$(CMAKE) --build --preset $(1) -j $(JOBS) $(if $(2),--target $(2))
endef

build:
	@mkdir -p build

.PHONY: demo
demo: | build  ## build the tool (Debian packages only) and run `bkernn demo`
	@tools/setup.sh build
	@$(CMAKE) -S . -B build/release -DCMAKE_BUILD_TYPE=Release -DBKERNN_BUILD_TESTS=OFF \
	  > build/configure-demo.log || (cat build/configure-demo.log; exit 1)
	@$(CMAKE) --build build/release -j $(JOBS) --target bkernn_tool
	build/release/bkernn demo

# What the Python tests need is fetched while the compiler runs.
.PHONY: test
test: | build  ## all tests
	@tools/setup.sh build test
	$(MAKE) -j 2 test-cpp $(VENV)/tested-with
	$(MAKE) test-python

.PHONY: test-cpp
test-cpp: | build  ## the C++ tests
	@tools/setup.sh build test
	$(call build_preset,release)
	ctest --preset release -j $(JOBS) --progress

pip_install = tools/pip_install.sh $(1)

$(VENV)/ready: pyproject.toml tools/build-requirements.txt | build
	@tools/setup.sh build test
	$(PYTHON) -m venv $(VENV)
	$(call pip_install,$(VENV)) -r tools/build-requirements.txt 'pip>=23.1,<28'
	touch $@

$(VENV)/tested-with: $(VENV)/ready pyproject.toml tools/requirements.py
	$(VENV)/bin/python tools/requirements.py test > $@.txt
	$(call pip_install,$(VENV)) -r $@.txt
	mv $@.txt $@

# In $(VENV), not in a new environment each time: what is built stays in build/python, and a second
# build takes seconds. The module is linked with the libraries of build/release; `pip install .`,
# which knows of no other build, compiles them.
WHEEL = $$(echo build/dist/bkernn-*.whl)
make_wheel = $(launcher) CXX=$${CXX:-c++} CMAKE_EXECUTABLE=$(CMAKE) \
	  CMAKE_GENERATOR="Unix Makefiles" CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) \
	  SOURCE_DATE_EPOCH=$(shell git log -1 --format=%ct 2> /dev/null || echo 0) \
	  $(VENV)/bin/pip wheel -q --disable-pip-version-check --no-deps \
	  --no-build-isolation --check-build-dependencies
.PHONY: wheel
wheel: $(VENV)/ready  ## the Python package as a wheel, in build/dist
	@rm -f build/dist/bkernn-*.whl
	$(call build_preset,release,bkernn_report bkernn_tool)
	$(make_wheel) -C cmake.define.BKERNN_BUILT=$(CURDIR)/build/release \
	  -C build-dir=build/python -w build/dist .

# The tests of one environment, $(1): installs the wheel, what its tests need and the further
# requirements $(2), then runs the tests $(3).
define test_wheel
	$(call pip_install,$(1)) "$(WHEEL)[test]" $(2)
	$(call pip_install,$(1)) --force-reinstall --no-deps "$(WHEEL)"
	BKERNN_BINARY=$(CURDIR)/build/release/bkernn \
	  $(1)/bin/python -m pytest -q -n 2 --dist worksteal \
	  --durations 20 --durations-min 2 $(3)
endef

.PHONY: test-python
test-python: wheel wheel-check  ## the Python tests, against the wheel
	$(call test_wheel,$(VENV),,tests)

# Polars and Arrow are of that time too: scikit-learn 1.6 recognizes data frames by a protocol that
# Polars 2 no longer has, and Arrow 20 needs NumPy 2.
OLDEST := scikit-learn==1.6.0 numpy==1.24.0 'polars<2' 'pyarrow<20'
.PHONY: test-oldest
test-oldest: wheel  ## the Python tests with the oldest scikit-learn and NumPy that are allowed
	$(PYTHON) -m venv build/venv-oldest
	$(call test_wheel,build/venv-oldest,$(OLDEST),tests/python)

# TORCH=torch==2.13.0+cpu, for example, takes a small PyTorch.
.PHONY: test-torch
test-torch: wheel  ## the Python tests beside PyTorch (TORCH: which one)
	$(PYTHON) -m venv build/venv-torch
	$(call test_wheel,build/venv-torch,$(TORCH),tests/python)
TORCH ?= 'torch>=2,<3'

# What an index would say about a file: its metadata, and whether a wheel holds what it should.
define check_published
	$(call pip_install,$(VENV)) 'twine>=5,<8' 'check-wheel-contents>=0.6,<1'
	$(VENV)/bin/twine check --strict $(1)
	$(if $(filter %.whl,$(1)),$(VENV)/bin/check-wheel-contents $(1))
endef

# For other machines: compiled against the glibc of 2012, whatever this one has. auditwheel says
# where it runs.
PORTABLE := build/portable
.PHONY: wheel-portable
wheel-portable: $(VENV)/ready  ## the wheel for any Linux since 2014, by a compiler from PyPI
	$(call pip_install,$(VENV)) -r tools/portable-requirements.txt
	tools/portable_toolchain.sh $(PORTABLE) $(VENV)/bin/python
	rm -rf $(PORTABLE)/wheel $(PORTABLE)/dist
	CXX=$(CURDIR)/$(PORTABLE)/bin/c++ CMAKE_PREFIX_PATH=$(CURDIR)/$(PORTABLE)/prefix \
	  CCACHE_COMPILERTYPE=clang $(make_wheel) -C build-dir=$(PORTABLE)/build/{wheel_tag} \
	  -C cmake.define.BKERNN_SELF_CONTAINED=OFF -w $(PORTABLE)/wheel .
	PATH=$(CURDIR)/$(VENV)/bin:$$PATH auditwheel repair --plat manylinux_2_17_$$(uname -m) \
	  -w $(PORTABLE)/dist $(PORTABLE)/wheel/*.whl
	$(VENV)/bin/auditwheel show $(PORTABLE)/dist/*.whl
	$(call check_published,$(PORTABLE)/dist/*.whl)
	$(call use_wheel,$(PORTABLE)/dist/*.whl)
	$(call build_preset,release,bkernn_tool)
	$(call pip_install,$(VENV)) 'pytest>=7,<10' 'numpy>=1.24,<3'
	BKERNN_PORTABLE_WHEEL=$$(echo $(CURDIR)/$(PORTABLE)/dist/*.whl) \
	  $(VENV)/bin/python -m pytest -q tests/wheel

.PHONY: sdist
sdist: $(VENV)/ready  ## the sources as a package that pip builds, in build/dist
	$(call pip_install,$(VENV)) 'build>=1,<2'
	$(VENV)/bin/python -m build --sdist --no-isolation -o build/dist .
	$(call check_published,build/dist/*.tar.gz)

# As a user would: pip fetches what it needs to build and compiles. Where a library is missing, one
# line says which; then the package is built and used. ccache knows what build/release compiled.
from_sources = TMPDIR=$(CURDIR)/build/tmp $(launcher) CXX=$${CXX:-c++} CMAKE_EXECUTABLE=$(CMAKE) \
	  CMAKE_GENERATOR="Unix Makefiles" CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) \
	  build/venv-sdist/bin/pip install --disable-pip-version-check -C build-dir=build/sdist
.PHONY: sdist-check
sdist-check: sdist  ## install the sources by pip in a new environment, and use them
	$(PYTHON) -m venv --clear build/venv-sdist
	mkdir -p build/tmp
	! $(from_sources) -C cmake.define.CMAKE_DISABLE_FIND_PACKAGE_Eigen3=ON build/dist/*.tar.gz \
	  > build/without-eigen.log 2>&1
	test "$$(grep 'bkernn needs' build/without-eigen.log | tr -s ' ')" = \
	  " bkernn needs Eigen3 3.4: on Debian, apt install libeigen3-dev"
	$(from_sources) -q build/dist/*.tar.gz
	$(call try_package,build/venv-sdist)

# R's own flags would make debugging symbols, which take half of the time. Both targets compile the
# package where R wants it, the second time out of ccache.
R_FOLDER := $(CURDIR)/build/r
in_r = cd $(R_FOLDER) && R_MAKEVARS_USER=$(R_FOLDER)/Makevars MAKEFLAGS=-j$(JOBS)
.PHONY: r-package
r-package: | build  ## the R package as sources, in build/r
	@tools/setup.sh build r
	$(PYTHON) tools/r_package.py $(R_FOLDER)/bkernn
	echo "CXX20 = ccache $${CXX:-g++}" > $(R_FOLDER)/Makevars
	echo "CXX20FLAGS = -O2 -Wall" >> $(R_FOLDER)/Makevars
	rm -f $(R_FOLDER)/bkernn_*.tar.gz
	$(in_r) R CMD build bkernn

# The check installs the package in a library of its own; the tests of three languages use that.
.PHONY: test-r
test-r: export BKERNN_R_LIBRARY := $(R_FOLDER)/bkernn.Rcheck
test-r: r-package wheel  ## check and install the R package, compare its models with Python's
	$(in_r) R CMD check --no-manual bkernn_*.tar.gz
	@! grep -E '(WARNING|ERROR)$$' $(R_FOLDER)/bkernn.Rcheck/00check.log
	$(call test_wheel,$(VENV),,tests/r)

# Two copies of the sources in two places, both built from nothing: without ccache, which would hand
# the second build what the first one compiled.
.PHONY: wheel-reproducible
wheel-reproducible: export CCACHE_DISABLE := 1
wheel-reproducible: $(VENV)/ready  ## build the wheel twice and compare the bytes
	rm -rf build/twice && mkdir -p build/twice/a/source build/twice/b/other/source
	for copy in a b/other; do git archive HEAD | tar -x -C build/twice/$$copy/source; done
	$(call make_copy,a,build/twice/a/source)
	$(call make_copy,b,build/twice/b/other/source)
	sha256sum build/twice/*/bkernn-*.whl
	cmp build/twice/a/bkernn-*.whl build/twice/b/bkernn-*.whl
make_copy = $(make_wheel) -C build-dir=$(CURDIR)/build/twice/$(1)/build -w build/twice/$(1) $(2)

.PHONY: wheel-check
wheel-check: wheel  ## use the wheel in a new environment with only what it requires
	$(call use_wheel,"$(WHEEL)")

define use_wheel
	$(PYTHON) -m venv --clear build/venv-wheel
	$(call pip_install,build/venv-wheel) $(1)
	$(call try_package,build/venv-wheel)
endef
# Without a compiler and the programs of the system.
try_package = cd $(1) && env -i PATH=$(CURDIR)/$(1)/bin bin/python -I \
	  $(CURDIR)/tests/wheel/use_wheel.py

# lint, sanitize, coverage and fuzz share one build by clang.
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
FUZZED := model csv npy columns command operators export
.PHONY: fuzz
fuzz: | build  ## fuzz files, tables, exports, command line and operators, FUZZ_SECONDS each
	@tools/setup.sh build test check
	$(call build_preset,checked,$(FUZZED:%=fuzz_%))
	$(PYTHON) fuzz/run.py --seconds $(FUZZ_SECONDS) $(FUZZ_TARGETS)

.PHONY: valgrind
valgrind: | build  ## a short run of the tool and of the file tests under valgrind
	@tools/setup.sh build test valgrind
	$(call build_preset,release,bkernn_tool bkernn_tests)
	tools/valgrind.sh build/release

# Damage, kills, full disks, little memory, and ten minutes of load; then the properties on many
# more examples. Results go to results/reliability.json (those of fuzz to results/fuzz.json).
.PHONY: reliability
reliability: wheel  ## test at full length what users may rely on (docs/reliability.md)
	$(call build_preset,release,bkernn_tool)
	$(call pip_install,$(VENV)) "$(WHEEL)[test]"
	$(call pip_install,$(VENV)) --force-reinstall --no-deps "$(WHEEL)"
	BKERNN_BINARY=$(CURDIR)/build/release/bkernn \
	  $(VENV)/bin/python -m reliability.run $(RELIABILITY)
	$(VENV)/bin/python -m pytest -q -n 2 tests/reliability/test_properties.py \
	  --hypothesis-profile=long

# A sample of all small changes to the sources, drawn by a seed: MUTANTS="--seed 3 --count 20".
# What no test notices goes to results/mutants.json.
.PHONY: mutants
mutants: wheel  ## change the sources in a hundred places, one at a time: do the tests notice?
	@tools/setup.sh build test check
	$(call pip_install,$(VENV)) "$(WHEEL)[mutants]"
	$(VENV)/bin/python -m reliability.mutants.run $(MUTANTS)

.PHONY: bench
bench: | build  ## time operator products, fits and predictions (JSON under results/)
	@tools/setup.sh build bench
	$(call build_preset,bench)
	@mkdir -p results
	build/bench/benchmarks/bkernn_bench --benchmark_out=results/bench.json \
	  --benchmark_out_format=json
	build/bench/benchmarks/bkernn_fit_table

.PHONY: study
study: | build  ## the default optimizer against Algorithm 1 (BKERNN_DATA_DIR: on real data too)
	@tools/setup.sh build bench
	$(call build_preset,bench,bkernn_optimizer_study)
	build/bench/benchmarks/bkernn_optimizer_study

# The experiments use the package as pip installs it.
.PHONY: experiments-package
experiments-package: $(VENV)/ready  ## the package with what the experiments need, in build/venv
	$(launcher) $(VENV)/bin/pip install -q --disable-pip-version-check '.[experiments]'

EXPERIMENTS := $(foreach i,1 2 3 4 5 6,experiment-$(i))
# Experiment 6 needs BKERNN_DATA_DIR or a network.
.PHONY: experiments $(EXPERIMENTS)
experiments: $(EXPERIMENTS)  ## the paper's six experiments (for one: experiment-1 … experiment-6)
$(EXPERIMENTS): experiment-%: experiments-package
	$(VENV)/bin/python -m experiments.paper.experiment_$* --output docs/results

# Goes on where it ended. PEERS="--again BKerNN" runs our own fits again and keeps the others.
.PHONY: experiments-peers
experiments-peers: $(VENV)/ready  ## other methods on real data (needs BKERNN_DATA_DIR)
	$(launcher) $(VENV)/bin/pip install -q --disable-pip-version-check '.[peers]'
	$(VENV)/bin/python -m experiments.peers.compare --output docs/results $(PEERS)
	$(VENV)/bin/python -m experiments.peers.thousand --output docs/results
	$(VENV)/bin/python -m experiments.pages.comparison

# Goes on where it ended. INTERVALS="--again 'BKerNN cross'" runs some methods again.
.PHONY: experiments-intervals
experiments-intervals: $(VENV)/ready  ## prediction intervals and stability (needs BKERNN_DATA_DIR)
	$(launcher) $(VENV)/bin/pip install -q --disable-pip-version-check '.[intervals]'
	set -e; for part in simulated stability cost sets; do \
	  $(VENV)/bin/python -m experiments.intervals.$$part --jobs 1 --output docs/results; \
	done
	$(VENV)/bin/python -m experiments.intervals.compare --output docs/results $(INTERVALS)
	$(VENV)/bin/python -m experiments.pages.intervals

# Goes on where it ended. CLASSES="--again BKerNN" runs our own fits again and keeps the others.
.PHONY: experiments-classes
experiments-classes: $(VENV)/ready  ## other classifiers on real data (needs BKERNN_DATA_DIR)
	$(launcher) $(VENV)/bin/pip install -q --disable-pip-version-check '.[classes]'
	$(VENV)/bin/python -m experiments.classes.compare --output docs/results $(CLASSES)
	$(VENV)/bin/python -m experiments.classes.speed --output docs/results
	$(VENV)/bin/python -m experiments.pages.classes

.PHONY: experiments-tables
experiments-tables: $(VENV)/ready  ## tables with words and gaps (needs BKERNN_DATA_DIR)
	$(launcher) $(VENV)/bin/pip install -q --disable-pip-version-check '.[tables]'
	$(VENV)/bin/python -m experiments.tables.compare --output results
	cp results/tables.json docs/results/
	$(VENV)/bin/python -m experiments.tables.computers --output docs/results
	$(VENV)/bin/python -m experiments.pages.tables

# Goes on where it ended; to measure anew, remove the lines from docs/results.
.PHONY: experiments-columns
experiments-columns: $(VENV)/ready  ## many levels and heavy tails (needs BKERNN_DATA_DIR)
	$(launcher) $(VENV)/bin/pip install -q --disable-pip-version-check '.[tables]'
	for what in levels tails; do \
	  $(VENV)/bin/python -m experiments.tables.$$what --output docs/results || exit; done
	$(VENV)/bin/python -m experiments.pages.design

# Goes on where it ended, as experiments-peers does, and writes docs/performance.md.
.PHONY: bench-peers
bench-peers: $(VENV)/ready  ## seconds, memory and R² by number of rows, BKerNN and other methods
	$(launcher) $(VENV)/bin/pip install -q --disable-pip-version-check '.[peers]'
	$(VENV)/bin/python -m experiments.bench.peers --output docs/results $(PEERS)
	$(VENV)/bin/python -m experiments.pages.performance

.PHONY: bench-million
bench-million: $(VENV)/ready  ## of that only a million rows, BKerNN and LightGBM, once more
	$(MAKE) bench-peers PEERS="--million --again BKerNN 'BKerNN, 3 λ' LightGBM"

# Goes on where it ended: RECOVERY="--minutes 15" runs a slice of it, RECOVERY="--again BKerNN" our
# own fits once more. Projection pursuit takes part where R is installed.
.PHONY: bench-recovery
bench-recovery: $(VENV)/ready  ## rows needed to find directions, BKerNN and other methods
	$(launcher) $(VENV)/bin/pip install -q --disable-pip-version-check '.[recovery]'
	$(VENV)/bin/python -m experiments.recovery.compare --output docs/results $(RECOVERY)
	$(VENV)/bin/python -m experiments.recovery.seeds --output docs/results
	$(VENV)/bin/python -m experiments.pages.recovery --results docs/results

# Ways to choose λ on real data (needs BKERNN_DATA_DIR), the dimension that is found, and the cost
# of cross-validation.
.PHONY: experiments-choices
experiments-choices: experiments-package  ## ways to choose λ (needs BKERNN_DATA_DIR)
	$(VENV)/bin/python -m experiments.choices.choosing --output docs/results
	$(VENV)/bin/python -m experiments.choices.dimension --output docs/results
	$(VENV)/bin/python -m experiments.choices.folds --output docs/results
	$(VENV)/bin/python -m experiments.choices.grid_search --output docs/results
	$(VENV)/bin/python -m experiments.choices.ranks --output docs/results
	$(VENV)/bin/python -m experiments.pages.design

# Goes on where it ended; to measure anew, remove the lines from docs/results.
.PHONY: experiments-flagship
experiments-flagship: experiments-package  ## what defaults find and cost where the truth is known
	$(VENV)/bin/python -m experiments.choices.flagship --output docs/results
	$(VENV)/bin/python -m experiments.pages.performance

.PHONY: experiments-law
experiments-law: experiments-package  ## how the best λ falls with the rows and rises with the noise
	$(VENV)/bin/python -m experiments.choices.law --output docs/results
	$(VENV)/bin/python -m experiments.pages.design

# Against the tool and the wheel, with what the tests of formats need.
.PHONY: bench-formats
bench-formats: wheel  ## size, time to load, speed and error of each format, for docs/deploy.md
	$(call pip_install,$(VENV)) "$(WHEEL)[test]"
	$(call pip_install,$(VENV)) --force-reinstall --no-deps "$(WHEEL)"
	BKERNN_BINARY=$(CURDIR)/build/release/bkernn \
	  $(VENV)/bin/python -m experiments.bench.formats --output docs/results
	$(VENV)/bin/python -m experiments.pages.formats

.PHONY: bench-r
bench-r: r-package  ## memory of a million rows in R, for docs/guides/r.md
	rm -rf $(R_FOLDER)/measured && mkdir $(R_FOLDER)/measured
	$(in_r) R CMD INSTALL --no-test-load -l measured bkernn_*.tar.gz
	for rows in matrix frame factors; do \
	  R_LIBS=$(R_FOLDER)/measured Rscript benchmarks/r_memory.R $$rows || exit; \
	done > $(R_FOLDER)/r_memory.jsonl
	cp $(R_FOLDER)/r_memory.jsonl docs/results
	$(PYTHON) -m experiments.pages.r

.PHONY: bench-dask
bench-dask: $(VENV)/ready  ## the cost of communication of a fit on two local workers
	$(launcher) $(VENV)/bin/pip install -q --disable-pip-version-check '.[dask]'
	$(VENV)/bin/python -m experiments.bench.dask --rows 100000 --output docs/results
	$(VENV)/bin/python -m experiments.bench.dask --output docs/results
	$(VENV)/bin/python -m experiments.pages.scaling

.PHONY: experiments-page
experiments-page: experiments-package  ## fill docs/experiments.md (needs BKERNN_PAPER_RESULTS)
	$(VENV)/bin/python -m experiments.pages.experiments

# The tables of pages are written by the scripts of experiments/pages, which other targets run.
.PHONY: figures
figures: wheel  ## write the figures that prose tells, from tables and docs/results
	$(call pip_install,$(VENV)) --force-reinstall "$(WHEEL)"
	$(VENV)/bin/python -m experiments.pages.recorded
	$(VENV)/bin/python tools/write_figures.py

.PHONY: options
options: wheel  ## write what repeats the table of options: the schema, the stub, the estimators
	$(call pip_install,$(VENV)) --force-reinstall "$(WHEEL)"
	$(VENV)/bin/python tools/write_options.py

# The command-line reference comes from the tool, the Python one from the installed package, the
# gallery from the examples.
.PHONY: docs
docs: wheel  ## the documentation site, in build/docs/html (warnings, broken links: errors)
	$(call build_preset,release,bkernn_tool)
	$(call pip_install,$(VENV)) "$(WHEEL)[docs]"
	$(call pip_install,$(VENV)) --force-reinstall --no-deps "$(WHEEL)"
	rm -rf build/docs docs/generated docs/gallery
	BKERNN_BINARY=$(CURDIR)/build/release/bkernn $(VENV)/bin/sphinx-build \
	  -W --keep-going -q -d build/docs/doctrees docs build/docs/html
	$(VENV)/bin/python docs/check_links.py build/docs/html

.PHONY: lint
lint: $(VENV)/ready  ## clang build, formatting, widths, clang-tidy, cppcheck, layers, ruff, mypy
	@tools/setup.sh build test bench check lint
	$(call pip_install,$(VENV)) 'numpy>=1.24,<3' 'ruff>=0.6,<1' 'mypy>=1.8,<3' \
	  'check-jsonschema>=0.30,<1'
	PATH=$(CURDIR)/$(VENV)/bin:$$PATH CMAKE=$(CMAKE) $(launcher) tools/lint.sh

.PHONY: clean
clean:  ## remove everything that was built
	rm -rf build results
