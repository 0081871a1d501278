# make site: the pages and the playground, in $(BUILD)/site. `make docs` makes the pages alone, in $(BUILD)/docs.

WASM := $(BUILD)/wasm
LUA_SOURCES := $(BUILD)/foreign/sources/lua5.4/src
PLAYGROUND_LUA = $(filter-out %/lua.c %/luac.c,$(wildcard $(LUA_SOURCES)/*.c))
EMCC = NODE_PATH=/usr/share/nodejs emcc -O2 -I$(abspath $(WASM)/include)
WASM_FLAGS := -sMODULARIZE=1 -sEXPORT_NAME=createSat -sSINGLE_FILE=1 -sENVIRONMENT=worker -sALLOW_MEMORY_GROWTH=1 \
	-sFORCE_FILESYSTEM=1 -sEXPORTED_RUNTIME_METHODS=ccall,FS -sINCOMING_MODULE_JS_API=operations

.PHONY: site docs playground wasm
site:
	@.ci/dependencies site
	@.ci/foreign sources lua5.4
	@mkdir -p $(WASM)/include
	@echo '#define DEB_HOST_MULTIARCH ""' >$(WASM)/include/lua5.4-deb-multiarch.h
	@$(MAKE) wasm
	@lua5.4 docs/site/pages.lua $(BUILD)/site $(WASM)/sat.js

docs:
	@.ci/dependencies docs
	@lua5.4 docs/site/pages.lua $(BUILD)/docs

wasm: $(WASM)/sat.js

# emcc itself takes longer to start than a file takes to compile: all files of Lua are one command, and sat is its
# amalgamation.
$(WASM)/lua/lapi.o: $(PLAYGROUND_LUA)
	@mkdir -p $(@D)
	$(call say,  CC    Lua (WebAssembly))
	$(Q)cd $(@D) && $(EMCC) -std=gnu99 -w -c $(abspath $^)

$(WASM)/sat/sat.c: $(CORE) $(BINDING) $(wildcard csrc/*.h csrc/*/*.h lua/sat/*.lua rockspec/* .ci/packaging/*)
	@mkdir -p $(@D)
	@lua5.4 .ci/packaging/amalgamate.lua $(@D)

$(WASM)/sat.js: docs/site/host.c $(WASM)/sat/sat.c $(WASM)/lua/lapi.o
	$(call say,  CC    sat.js (WebAssembly))
	$(Q)$(EMCC) -std=c11 -ffp-contract=off -Wall -Wextra -I$(LUA_SOURCES) -I$(WASM)/sat $< $(WASM)/sat/sat.c $(WASM)/lua/*.o \
	  $(WASM_FLAGS) -o $@
