# `make help` lists what there is to make. Every variable of this first group may be given on the command line.
LUA ?= lua5.4
BUILD ?= build
PREFIX ?= /usr/local
DESTDIR ?=
WERROR ?= 1
FUZZ_SECONDS ?= 60
# CC, CPPFLAGS, CFLAGS and LDFLAGS are added to ours; LUA_INCDIR is where lua.h is, when pkg-config does not know.

export BUILD

ifeq ($(filter luajit lua5.1 lua5.2 lua5.3 lua5.4 lua5.5,$(LUA)),)
$(error LUA is "$(LUA)"; it must be lua5.1, lua5.2, lua5.3, lua5.4, lua5.5 or luajit)
endif
LUA_VERSION := $(if $(filter luajit,$(LUA)),5.1,$(LUA:lua%=%))

# ---------------------------------------------------------------- flags

# Distributions call the same package lua5.4, lua-5.4 or lua54.
pkg_config = $(shell for name in $(LUA) $(LUA:lua5%=lua-5%) $(subst .,,$(LUA)); do \
	pkg-config --exists $$name 2>/dev/null && pkg-config $(1) $$name && exit; done; echo missing)
# As system headers, so that their macros are not held to our warnings.
LUA_CFLAGS := $(if $(LUA_INCDIR),-isystem $(LUA_INCDIR),$(patsubst -I%,-isystem%,$(call pkg_config,--cflags)))
LUA_LIBS = $(call pkg_config,--libs)
CMOCKA = $(shell pkg-config --cflags --libs cmocka)

SAT_CFLAGS := -std=c11 -O2 -ffp-contract=off -fvisibility=hidden -fPIC -Icsrc -MMD -MP \
	-Wall -Wextra -Wshadow -Wconversion -Wpedantic $(if $(filter 0,$(WERROR)),,-Werror)
COMPILE = $(CC) $(SAT_CFLAGS) $(CPPFLAGS) $(CFLAGS)
LINK = $(CC) $(CFLAGS) $(LDFLAGS)

# The module takes the symbols of Lua from whatever loads it, so it is never linked against a liblua.
ifeq ($(shell uname -s),Darwin)
MODULE_LDFLAGS := -bundle -undefined dynamic_lookup
else
MODULE_LDFLAGS := -shared
endif

# ---------------------------------------------------------------- files

CORE := $(filter-out csrc/lua_%,$(wildcard csrc/*.c))
BINDING := $(wildcard csrc/lua_*.c)
SCRIPTS := $(wildcard lua/sat/*.lua lua/sat/library/*.lua) lua/sat/config.json
TESTS := $(wildcard csrc/test/test_*.c)
LUA_TESTS := $(wildcard csrc/test/test_lua_*.c)
FUZZERS := $(wildcard csrc/test/fuzz_*.c)
HELPERS := $(filter-out $(TESTS) $(FUZZERS) csrc/test/trace.c,$(wildcard csrc/test/*.c))

# Objects live in a folder named after the flags they are compiled with: five Luas share the core's, and other flags
# are other objects.
checksum = $(word 1,$(shell echo '$(1)' | cksum))
OBJECTS := $(BUILD)/objects/$(call checksum,$(COMPILE) $(LDFLAGS))
LUA_OBJECTS := $(OBJECTS)/$(LUA)-$(call checksum,$(LUA_CFLAGS))
MODULE := $(BUILD)/$(LUA)/sat

CORE_OBJECTS := $(CORE:csrc/%.c=$(OBJECTS)/%.o)
BINDING_OBJECTS := $(BINDING:csrc/%.c=$(LUA_OBJECTS)/%.o)
HELPER_OBJECTS := $(HELPERS:csrc/%.c=$(OBJECTS)/%.o)
SUITES := $(patsubst csrc/%.c,$(OBJECTS)/%,$(filter-out $(LUA_TESTS),$(TESTS)))
LUA_SUITES := $(LUA_TESTS:csrc/%.c=$(LUA_OBJECTS)/%)

# ---------------------------------------------------------------- the module

.PHONY: all module love
all: module

module: $(SCRIPTS:lua/sat/%=$(MODULE)/%) $(MODULE)/core.so

# Unless a Lua is asked for, LÖVE's too where its headers are, so that the examples run.
ifeq ($(origin LUA),file)
all: love
endif

love: module
	+@if pkg-config --exists luajit; then $(MAKE) --no-print-directory module LUA=luajit; fi

$(SCRIPTS:lua/sat/%=$(MODULE)/%): $(MODULE)/%: lua/sat/%
	@mkdir -p $(@D)
	cp $< $@

# Compared, not dated: after a change of flags and back again the older file is the right one. Moved into its place,
# since a game may have the one that was there loaded.
$(MODULE)/core.so: $(LUA_OBJECTS)/core.so always
	@mkdir -p $(@D)
	@cmp -s $< $@ || { echo 'cp $< $@'; cp $< $@.new && mv $@.new $@; }

$(LUA_OBJECTS)/core.so: $(BINDING_OBJECTS) $(CORE_OBJECTS)
	$(LINK) $(MODULE_LDFLAGS) $^ $(MODULE_LIBS) -lm -o $@

$(LUA_OBJECTS)/%.o: csrc/%.c
	@mkdir -p $(@D)
	$(if $(filter missing,$(LUA_CFLAGS)),$(error no headers of $(LUA): \
		install its development package, or say LUA_INCDIR=folder))
	$(COMPILE) $(LUA_CFLAGS) -c $< -o $@

$(OBJECTS)/%.o: csrc/%.c
	@mkdir -p $(@D)
	$(COMPILE) -c $< -o $@

.PHONY: always
always:

# ---------------------------------------------------------------- tests of the C code

$(SUITES): $(OBJECTS)/%: $(OBJECTS)/%.o $(HELPER_OBJECTS) $(CORE_OBJECTS)
	$(LINK) $^ $(CMOCKA) -lm -o $@

$(LUA_SUITES): $(LUA_OBJECTS)/%: $(LUA_OBJECTS)/%.o $(HELPER_OBJECTS) $(BINDING_OBJECTS) $(CORE_OBJECTS)
	$(LINK) $^ $(CMOCKA) $(LUA_LIBS) -lm -o $@

$(OBJECTS)/test/trace: $(OBJECTS)/test/trace.o $(CORE_OBJECTS)
	$(LINK) $^ -lm -o $@

SANITIZE := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all \
	-DSAT_DEBUG
# The compilers warn about their own instrumentation now and then, and the plain build has been clean already.
sanitized = $(MAKE) CFLAGS='$(SANITIZE)' WERROR=0

.PHONY: check-core check-lua check-core-sanitized check-lua-sanitized trace
check-core: $(SUITES)
	@.ci/count $^

check-lua: $(LUA_SUITES)
	@.ci/with $(LUA) .ci/count $^

check-core-sanitized check-lua-sanitized: check-%-sanitized:
	+@$(sanitized) check-$*

# Runs the trace, through EMULATOR if there is one, and prints its hash.
trace: $(OBJECTS)/test/trace
	@$(EMULATOR) $<

.PHONY: test asan valgrind coverage trace-accept lint format
test:
	@.ci/dependencies test
	+@.ci/test

asan:
	+@$(sanitized) check-core CC=gcc
	+@$(sanitized) check-core CC=clang

valgrind:
	+@.ci/steps/valgrind

trace-accept:
	+@.ci/steps/trace accept

lint:
	@.ci/steps/lint

format:
	find $(wildcard csrc bench .ci/packaging) -name '*.[ch]' -o -name '*.cpp' | xargs clang-format -i

coverage:
	+@.ci/steps/coverage

# ---------------------------------------------------------------- fuzzing

FUZZ_PROGRAMS := $(FUZZERS:csrc/%.c=$(OBJECTS)/%)
fuzzing = $(MAKE) CC=clang CFLAGS='$(SANITIZE) -fsanitize=fuzzer' WERROR=0

.PHONY: fuzz fuzz-programs replay replay-programs
$(FUZZ_PROGRAMS): $(OBJECTS)/%: $(OBJECTS)/%.o $(HELPER_OBJECTS) $(CORE_OBJECTS)
	$(LINK) $^ $(CMOCKA) -lm -o $@

fuzz:
	+@$(fuzzing) fuzz-programs

# What is found goes to the build folder; the corpus in the repository is only read.
fuzz-programs: $(FUZZ_PROGRAMS)
	@for program in $^; do name=$$(basename $$program); corpus=csrc/test/corpus/$$name; \
	  mkdir -p $(BUILD)/fuzz/$$name; [ -d $$corpus ] || corpus=; \
	  $$program -max_total_time=$(FUZZ_SECONDS) -artifact_prefix=$(BUILD)/fuzz/$$name- \
	    $(BUILD)/fuzz/$$name $$corpus || exit; done

replay:
	+@$(fuzzing) replay-programs

replay-programs: $(FUZZ_PROGRAMS)
	@.ci/steps/corpus $^

# ---------------------------------------------------------------- to look at, to measure, to install

# Which of examples/ `make play` starts.
EXAMPLE ?= playground

.PHONY: demo play pictures bench install uninstall clean help
demo:
	@.ci/dependencies demo
	@$(MAKE) module
	@.ci/with $(LUA) $(LUA) examples/demo.lua

play:
	@.ci/dependencies play
	@$(MAKE) module LUA=luajit
	@love examples/$(EXAMPLE)

pictures:
	@.ci/dependencies pictures
	@$(MAKE) module LUA=luajit
	@.ci/pictures

# The reference and the guides as HTML, all anew, so that nothing is left of what is no more.
.PHONY: docs figures
docs:
	@.ci/dependencies docs
	@rm -rf $(BUILD)/docs $(BUILD)/docs-source
	@mkdir -p $(BUILD)/docs/figures $(BUILD)/docs-source
	@$(LUA) docs/reference.lua $(BUILD)/docs-source docs/guides/*.md
	@cp docs/reference.css $(BUILD)/docs-source
	@cd $(BUILD)/docs-source && ldoc --quiet --fatalwarnings .
	@mv $(BUILD)/docs-source/doc/* $(BUILD)/docs
	@cp docs/figures/*.svg $(BUILD)/docs/figures
	@echo $(BUILD)/docs/index.html

# The drawings of the guides, which are kept in the repository.
figures: module
	@for script in docs/figures/*.lua; do .ci/with $(LUA) $(LUA) $$script || exit; done

# Programs are listed, with the rules that build them, in bench/*.mk, since each has peers of its own to be linked with.
BENCH_PROGRAMS :=
-include $(wildcard bench/*.mk)

bench:
	@.ci/dependencies bench
	@$(MAKE) run-benches

.PHONY: run-benches
run-benches: module $(BENCH_PROGRAMS)
	@for program in $(BENCH_PROGRAMS); do $$program || exit; done
	@for script in $(wildcard bench/*.lua); do .ci/with $(LUA) $(LUA) $$script || exit; done

.PHONY: dist test-windows test-aarch64
dist:
	@.ci/dependencies dist
	+@.ci/packaging/dist

test-windows test-aarch64: test-%:
	@.ci/dependencies $*
	+@.ci/steps/$*

SHARE := $(DESTDIR)$(PREFIX)/share/lua/$(LUA_VERSION)/sat
LIB := $(DESTDIR)$(PREFIX)/lib/lua/$(LUA_VERSION)/sat

install: module
	mkdir -p $(SHARE)/library $(LIB)
	for file in $(SCRIPTS:lua/sat/%=%); do install -m 644 $(MODULE)/$$file $(SHARE)/$$file || exit; done
	install -m 755 $(MODULE)/core.so $(LIB)

uninstall:
	rm -f $(SCRIPTS:lua/sat/%=$(SHARE)/%) $(LIB)/core.so
	-rmdir $(SHARE)/library $(SHARE) $(LIB)

clean:
	rm -rf $(BUILD)

help:
	@echo 'make             the module in $(BUILD)/$(LUA)/sat, a folder to copy into a game as it is;'
	@echo '                 without LUA=, LÖVE'\''s in $(BUILD)/luajit/sat as well'
	@echo 'make test        every check there is; .ci/test WORD runs those whose name has the word'
	@echo 'make demo        a level without a display: an account, and a picture in $(BUILD)/demo.svg'
	@echo 'make play        something to play with in LÖVE; EXAMPLE=name for another one of examples'
	@echo 'make pictures    the pictures of docs/pictures, from the examples as they are now'
	@echo 'make bench       timings'
	@echo 'make docs        the reference and the guides, in $(BUILD)/docs/index.html'
	@echo 'make figures     the figures of the guides, docs/figures, from their scripts as they are now'
	@echo 'make lint        formatters and linters alone; make format does what the formatter asks for'
	@echo 'make asan        the suites of the core under the sanitizers'
	@echo 'make valgrind    the suites and the specs under valgrind'
	@echo 'make fuzz        each fuzzer for FUZZ_SECONDS=$(FUZZ_SECONDS)'
	@echo 'make coverage    how much of the core its suites run, in $(BUILD)/coverage/index.html'
	@echo 'make dist        the zips of a release in $(BUILD)/dist'
	@echo 'make test-windows, make test-aarch64   what is released for these, under Wine and under QEMU'
	@echo 'make install     PREFIX=$(PREFIX) DESTDIR=; make uninstall takes it back'
	@echo 'make clean       removes $(BUILD)'
	@echo
	@echo 'make trace-accept   takes the hashes of the traces as they are now for the right ones'
	@echo
	@echo 'LUA=lua5.4 (or lua5.1, lua5.2, lua5.3, luajit), LUA_INCDIR, CC, CFLAGS, LDFLAGS, WERROR=0, BUILD=build'

-include $(shell find $(BUILD)/objects -name '*.d' 2>/dev/null)
