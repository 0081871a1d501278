# `make help` lists the targets. Every variable of this first group may be given on the command line.
LUA ?= lua5.4
BUILD ?= build
PREFIX ?= /usr/local
DESTDIR ?=
# WERROR=1 makes errors of the compiler's warnings, and V=1 prints whole commands.
WERROR ?= 0
V ?= 0
FUZZ_SECONDS ?= 60
# CC, CPPFLAGS, CFLAGS and LDFLAGS are added to ours; LUA_INCDIR is where lua.h is, when pkg-config does not know.

export BUILD
# Every recipe that is not silent prints one short line, unless V=1 or `make -s` asks for something else.
Q := $(if $(filter 1,$(V)),,@)
silent := $(findstring s,$(firstword -$(MAKEFLAGS)))
say = $(if $(Q),$(if $(silent),,@echo '$(1)'))
SYSTEM := $(shell uname -s)
WINDOWS := $(filter MINGW% MSYS% UCRT% CLANG% CYGWIN%,$(SYSTEM))
SUFFIX := $(if $(WINDOWS),dll,so)

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

# Each function begins a cache line: otherwise the speed of one depends on the length of those before it, and rings have
# taken 1.3 times as long for a change elsewhere.
SAT_CFLAGS := -std=c11 -O2 -falign-functions=64 -ffp-contract=off -fvisibility=hidden -fPIC -Icsrc -MMD -MP \
	-Wall -Wextra -Wshadow -Wconversion -Wpedantic
COMPILE = $(CC) $(SAT_CFLAGS) $(CPPFLAGS) $(CFLAGS)
STRICT := $(if $(filter 0,$(WERROR)),,-Werror)
LINK = $(CC) $(CFLAGS) $(LDFLAGS)

# The module takes the symbols of Lua from the program that loads it, so it is never linked against a liblua. A DLL has
# to name the DLL that it takes them from.
ifeq ($(SYSTEM),Darwin)
MODULE_LDFLAGS := -bundle -undefined dynamic_lookup
else
MODULE_LDFLAGS := -shared
endif
ifneq ($(WINDOWS),)
MODULE_LIBS := $(call pkg_config,--libs)
endif

# ---------------------------------------------------------------- files

# The binding is csrc/lua/ or the files lua_*; everything else outside csrc/test is the core.
SOURCES := $(sort $(shell find csrc -name '*.c'))
TEST_SOURCES := $(filter csrc/test/%,$(SOURCES))
BINDING := $(filter csrc/lua/% csrc/lua_%,$(SOURCES))
CORE := $(filter-out $(TEST_SOURCES) $(BINDING),$(SOURCES))
SCRIPTS := $(wildcard lua/sat/*.lua lua/sat/library/*.lua) lua/sat/config.json
called = $(foreach file,$(TEST_SOURCES),$(if $(filter $(1),$(notdir $(file))),$(file)))
TESTS := $(call called,test_%.c)
LUA_TESTS := $(sort $(filter csrc/test/lua/%,$(TESTS)) $(call called,test_lua_%.c))
FUZZERS := $(call called,fuzz_%.c)
TRACE := $(call called,trace.c)
HELPERS := $(filter-out $(TESTS) $(FUZZERS) $(TRACE),$(TEST_SOURCES))

# Objects live in a folder named after KIND, the compiler and a checksum of the flags: five Luas share the core's
# objects, and other flags make other objects.
checksum = $(word 1,$(shell echo '$(1)' | cksum))
OBJECTS := $(BUILD)/objects/$(if $(KIND),$(KIND)-)$(notdir $(firstword $(CC)))-$(call checksum,$(COMPILE) $(LDFLAGS))
LUA_OBJECTS := $(OBJECTS)/$(LUA)-$(call checksum,$(LUA_CFLAGS))
MODULE := $(BUILD)/$(LUA)/sat

# Where the objects of the tests are: TEST_OBJECTS= names those of other flags.
TEST_OBJECTS ?= $(OBJECTS)

CORE_OBJECTS := $(CORE:csrc/%.c=$(OBJECTS)/%.o)
BINDING_OBJECTS := $(BINDING:csrc/%.c=$(LUA_OBJECTS)/%.o)
HELPER_OBJECTS := $(HELPERS:csrc/%.c=$(TEST_OBJECTS)/%.o)
SUITES := $(patsubst csrc/%.c,$(OBJECTS)/%,$(filter-out $(LUA_TESTS),$(TESTS)))
LUA_SUITES := $(LUA_TESTS:csrc/%.c=$(LUA_OBJECTS)/%)

# ---------------------------------------------------------------- the module

.PHONY: all everything module
# Without LUA= or LUA_INCDIR=, `make` builds a module for each Lua that has headers.
ifeq ($(origin LUA)$(LUA_INCDIR),file)
all: everything
else
all: module
	$(call say,$(MODULE): the module for $(LUA))
endif

HEADERS = $(strip $(foreach lua,luajit lua5.1 lua5.2 lua5.3 lua5.4 lua5.5,$(if $(filter missing,$(foreach LUA,$(lua),$\
	$(call pkg_config,--exists))),,$(lua))))
everything:
	$(if $(HEADERS),,$(error no headers of any Lua: install libluajit-5.1-dev for LÖVE or liblua5.4-dev for Lua 5.4, by \
		the names of Debian, or name a Lua and the folder of its lua.h: make LUA=luajit LUA_INCDIR=folder))
	+@for lua in $(HEADERS); do $(MAKE) --no-print-directory module LUA=$$lua || exit; done
	@$(if $(filter-out luajit,$(HEADERS)),echo 'Lua: $(patsubst %,$(BUILD)/%/sat,$(filter-out luajit,$(HEADERS)))';)
	@$(if $(filter luajit,$(HEADERS)),echo 'LÖVE: $(BUILD)/luajit/sat is the module; copy this folder into your game',\
	  echo 'LÖVE: there is no module for it, since the headers of LuaJIT are missing: install libluajit-5.1-dev (Debian)')

module: $(SCRIPTS:lua/sat/%=$(MODULE)/%) $(MODULE)/LICENSE $(MODULE)/native-modules.md $(MODULE)/core.$(SUFFIX)

# What the folder says of itself once it is in a game.
$(MODULE)/LICENSE: LICENSE
$(MODULE)/native-modules.md: docs/guides/native-modules.md
$(MODULE)/LICENSE $(MODULE)/native-modules.md:
	@mkdir -p $(@D)
	@cp $< $@

$(SCRIPTS:lua/sat/%=$(MODULE)/%): $(MODULE)/%: lua/sat/%
	@mkdir -p $(@D)
	@cp $< $@

# Compared, not dated: after a change of flags and back again the older file is the right one. Moved into its place,
# since a game may have the one that was there loaded.
$(MODULE)/core.$(SUFFIX): $(LUA_OBJECTS)/core.$(SUFFIX) always
	@mkdir -p $(@D)
	@cmp -s $< $@ || { cp $< $@.new && mv $@.new $@; }

$(LUA_OBJECTS)/core.$(SUFFIX): $(BINDING_OBJECTS) $(CORE_OBJECTS)
	$(call say,  LINK  $(LUA)/sat/core.$(SUFFIX))
	$(Q)$(LINK) $(MODULE_LDFLAGS) $^ $(MODULE_LIBS) -lm -o $@

$(LUA_OBJECTS)/%.o: csrc/%.c
	@mkdir -p $(@D)
	$(if $(filter missing,$(LUA_CFLAGS)),$(error no headers of $(LUA): \
		install lib$(if $(filter luajit,$(LUA)),luajit-5.1,$(LUA:lua5.1=lua5.1-0))-dev (Debian), or say LUA_INCDIR=folder))
	$(call say,  CC    $* ($(LUA)))
	$(Q)$(COMPILE) $(STRICT) $(LUA_CFLAGS) -c $< -o $@

$(OBJECTS)/%.o: csrc/%.c
	@mkdir -p $(@D)
	$(call say,  CC    $*)
	$(Q)$(COMPILE) $(STRICT) -c $< -o $@

.PHONY: always
always:

# ---------------------------------------------------------------- tests of the C code

$(SUITES): $(OBJECTS)/%: $(TEST_OBJECTS)/%.o $(HELPER_OBJECTS) $(CORE_OBJECTS)
	$(call say,  LINK  $*)
	@mkdir -p $(@D)
	$(Q)$(LINK) $^ $(CMOCKA) -lm -o $@

$(LUA_SUITES): $(LUA_OBJECTS)/%: $(LUA_OBJECTS)/%.o $(HELPER_OBJECTS) $(BINDING_OBJECTS) $(CORE_OBJECTS)
	$(call say,  LINK  $* ($(LUA)))
	$(Q)$(LINK) $^ $(CMOCKA) $(LUA_LIBS) -lm -o $@

TRACE_PROGRAM := $(TRACE:csrc/%.c=$(OBJECTS)/%)
$(TRACE_PROGRAM): %: %.o $(CORE_OBJECTS)
	$(call say,  LINK  $(@:$(OBJECTS)/%=%))
	$(Q)$(LINK) $^ -lm -o $@

FUZZ_PROGRAMS := $(FUZZERS:csrc/%.c=$(OBJECTS)/%)
# Linked with the fuzzer's main, which also replays inputs to objects that were not compiled for fuzzing.
$(FUZZ_PROGRAMS): $(OBJECTS)/%: $(OBJECTS)/%.o $(HELPER_OBJECTS) $(CORE_OBJECTS)
	$(call say,  LINK  $*)
	$(Q)$(LINK) -fsanitize=fuzzer $^ $(CMOCKA) -lm -o $@

SANITIZE := -O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all \
	-DSAT_DEBUG
sanitized = $(MAKE) KIND=sanitized CFLAGS='$(SANITIZE)'
fuzzing = $(MAKE) KIND=fuzz CC=clang CFLAGS='$(SANITIZE) -fsanitize=fuzzer'

# `make suites` builds the programs, `make list-suites` prints their paths.
.PHONY: suites lua-suites trace-program fuzz-programs
suites: $(SUITES)
lua-suites: $(LUA_SUITES)
trace-program: $(TRACE_PROGRAM)
fuzz-programs: $(FUZZ_PROGRAMS)
list-objects:; @echo $(OBJECTS)
list-suites:; @echo $(SUITES)
list-lua-suites:; @echo $(LUA_SUITES)
list-trace-program:; @echo $(TRACE_PROGRAM)
list-fuzz-programs:; @echo $(FUZZ_PROGRAMS)
# The same of the programs that are compiled for the sanitizers, or for fuzzing.
sanitized-%:
	+@$(sanitized) $*
fuzzing-%:
	+@$(fuzzing) $*

.PHONY: check-core check-lua check-specs check-cases trace
check-core: $(SUITES)
	@.ci/prove $(SUITES:%='.ci/suite %')

check-lua: $(LUA_SUITES)
	@.ci/with $(LUA) .ci/prove $(LUA_SUITES:%='.ci/suite %')

check-specs check-cases: check-%: module
	@.ci/prove '.ci/steps/$* $(LUA)'

# Runs the trace, through EMULATOR if there is one, and prints its hash.
trace: $(TRACE_PROGRAM)
	@$(EMULATOR) $<

# ---------------------------------------------------------------- checks

.PHONY: test check asan valgrind coverage trace-accept lint format
test:
	@.ci/dependencies test
	+@.ci/test

check:
	@.ci/dependencies check
	+@WERROR=1 .ci/check

asan:
	+@$(sanitized) check-core CC=gcc
	+@$(sanitized) check-core CC=clang

valgrind coverage:
	+@.ci/prove .ci/steps/$@

trace-accept:
	+@.ci/steps/trace accept

lint:
	@.ci/prove $$(.ci/steps/lint list)

format:
	find $(wildcard csrc rockspec bench examples docs/site web .ci/packaging) -name '*.[ch]' -o -name '*.cpp' | xargs clang-format -i

# ---------------------------------------------------------------- fuzzing

.PHONY: fuzz run-fuzzers replay replay-corpus
fuzz:
	+@$(fuzzing) run-fuzzers

# New inputs go to the build folder; those of the repository are unpacked there.
run-fuzzers: $(FUZZ_PROGRAMS)
	@.ci/steps/corpus unpack $^
	@for program in $^; do name=$$(basename $$program); mkdir -p $(BUILD)/fuzz/$$name; \
	  $$program -max_total_time=$(FUZZ_SECONDS) -artifact_prefix=$(BUILD)/fuzz/$$name- \
	    $(BUILD)/fuzz/$$name $(BUILD)/corpus/$$name || exit; done

replay:
	+@$(fuzzing) replay-corpus

replay-corpus: $(FUZZ_PROGRAMS)
	@.ci/prove '.ci/steps/corpus $^'

# ---------------------------------------------------------------- to look at, to measure, to install

# Which of examples/ `make play` starts.
EXAMPLE ?= playground

.PHONY: demo play pictures bench install uninstall clean help
demo:
	@.ci/dependencies demo
	@$(MAKE) --no-print-directory module
	@.ci/with $(LUA) $(LUA) examples/demo.lua

play:
	@.ci/dependencies play
	@$(MAKE) --no-print-directory module LUA=luajit
	@love examples/$(EXAMPLE)

pictures:
	@.ci/dependencies pictures
	@$(MAKE) --no-print-directory module LUA=luajit
	@.ci/pictures

include docs/site/site.mk .ci/packaging/web/web.mk

.PHONY: figures
# The drawings of the guides, which are kept in the repository.
figures: module
	@for script in docs/figures/*.lua; do .ci/with $(LUA) $(LUA) $$script || exit; done

# Programs are listed, with the rules that build them, in bench/*.mk, since each has peers of its own to be linked with.
BENCH_PROGRAMS :=
-include $(wildcard bench/*.mk)

bench:
	@.ci/dependencies bench
	@$(MAKE) --no-print-directory run-benches

.PHONY: run-benches
# A program that fails, as where a limit is exceeded, stops none of the others.
run-benches: module $(BENCH_PROGRAMS)
	@failed=; for program in $(BENCH_PROGRAMS) $(wildcard bench/*.lua); do \
	  case $$program in *.lua) .ci/with $(LUA) $(LUA) $$program;; *) $$program;; esac || failed="$$failed $$program"; \
	done; [ -z "$$failed" ] || { echo "failed:$$failed" && exit 1; }

.PHONY: amalgamation
# One C file and its header, with the Lua files in it, for programs that have sat linked in.
amalgamation:
	@mkdir -p $(BUILD)/amalgamation
	@$(LUA) .ci/packaging/amalgamate.lua $(BUILD)/amalgamation
	$(call say,$(BUILD)/amalgamation: sat.c and sat.h)

.PHONY: dist test-windows test-aarch64
dist:
	@.ci/dependencies dist
	+@.ci/packaging/dist

test-windows test-aarch64: test-%:
	@.ci/dependencies $*
	+@LIMIT=7200 .ci/prove '.ci/steps/elsewhere $*'

SHARE := $(DESTDIR)$(PREFIX)/share/lua/$(LUA_VERSION)/sat
LIB := $(DESTDIR)$(PREFIX)/lib/lua/$(LUA_VERSION)/sat

install: module
	mkdir -p $(SHARE)/library $(LIB)
	for file in $(SCRIPTS:lua/sat/%=%); do install -m 644 $(MODULE)/$$file $(SHARE)/$$file || exit; done
	install -m 755 $(MODULE)/core.$(SUFFIX) $(LIB)

uninstall:
	rm -f $(SCRIPTS:lua/sat/%=$(SHARE)/%) $(LIB)/core.$(SUFFIX)
	-rmdir $(SHARE)/library $(SHARE) $(LIB)

clean:
	rm -rf $(BUILD)

help:
	@echo 'make             a module for each Lua that has headers: $(BUILD)/luajit/sat for LÖVE, $(BUILD)/lua5.4/sat, …;'
	@echo '                 each is a folder to copy; LUA=luajit builds that one alone, V=1 prints whole commands'
	@echo 'make test        the suites and the specs on Lua 5.4 and LuaJIT: a minute or two on two cores'
	@echo 'make check       every check: some ten minutes; .ci/check WORD runs those whose name has the word'
	@echo 'make demo        a level without a display: an account, and a picture in $(BUILD)/demo.svg'
	@echo 'make play        something to play with in LÖVE; EXAMPLE=name for another one of examples'
	@echo 'make pictures    the pictures of docs/pictures, from the examples as they are now'
	@echo 'make bench       timings'
	@echo 'make site        the guides, the reference and a playground for browsers, in $(BUILD)/site/index.html'
	@echo 'make web         what a game made with love.js needs besides, in $(BUILD)/web'
	@echo 'make docs        the same without the playground, in $(BUILD)/docs/index.html'
	@echo 'make figures     the figures of the guides, docs/figures, from their scripts as they are now'
	@echo 'make lint        formatters and linters alone; make format does what the formatter asks for'
	@echo 'make asan        the suites of the core under the sanitizers'
	@echo 'make valgrind    the suites and the specs under valgrind'
	@echo 'make fuzz        each fuzzer for FUZZ_SECONDS=$(FUZZ_SECONDS)'
	@echo 'make coverage    how much of the core its suites run, in $(BUILD)/coverage/index.html'
	@echo 'make amalgamation   sat.c and sat.h, to link sat into a program, in $(BUILD)/amalgamation'
	@echo 'make dist        the zips of a release in $(BUILD)/dist'
	@echo 'make test-windows, make test-aarch64   what is released for these, under Wine and under QEMU'
	@echo 'make install     PREFIX=$(PREFIX) DESTDIR=; make uninstall removes the same files'
	@echo 'make clean       removes $(BUILD)'
	@echo
	@echo 'make trace-accept   takes the hashes of the traces as they are now for the right ones'
	@echo
	@echo 'LUA=lua5.4 (or lua5.1, lua5.2, lua5.3, lua5.5, luajit), LUA_INCDIR, CC, CFLAGS, LDFLAGS, WERROR=1, BUILD=build'

-include $(shell find $(BUILD)/objects -name '*.d' 2>/dev/null)
