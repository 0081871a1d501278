# make site: the pages and the playground, in $(BUILD)/site. `make docs` makes the pages alone, in $(BUILD)/docs.

LUA_SOURCES := $(BUILD)/foreign/sources/lua5.4/src
PLAYGROUND_LUA = $(filter-out %/lua.c %/luac.c,$(wildcard $(LUA_SOURCES)/*.c))
WASM := $(BUILD)/wasm
WASM_FLAGS := -O2 -sMODULARIZE=1 -sEXPORT_NAME=createSat -sSINGLE_FILE=1 -sENVIRONMENT=worker -sALLOW_MEMORY_GROWTH=1 \
	-sFORCE_FILESYSTEM=1 -sEXPORTED_RUNTIME_METHODS=ccall,FS -sINCOMING_MODULE_JS_API=operations

.PHONY: site docs playground wasm
site:
	@.ci/dependencies site
	@.ci/foreign sources lua5.4
	@mkdir -p $(WASM)/include
	@echo '#define DEB_HOST_MULTIARCH ""' >$(WASM)/include/lua5.4-deb-multiarch.h
	@NODE_PATH=/usr/share/nodejs $(MAKE) wasm LUA=lua5.4 CC=emcc CFLAGS=-fno-PIC LUA_INCDIR=$(LUA_SOURCES) CPPFLAGS='-I$(WASM)/include -DSAT_PINNED'
	@lua5.4 docs/site/pages.lua $(BUILD)/site $(WASM)/sat.js

docs:
	@.ci/dependencies docs
	@lua5.4 docs/site/pages.lua $(BUILD)/docs

wasm: $(WASM)/sat.js

$(WASM)/lua/%.o: $(LUA_SOURCES)/%.c
	@mkdir -p $(@D)
	$(call say,  CC    $(<F) (Lua))
	$(Q)$(CC) -O2 -std=gnu99 -w $(CPPFLAGS) -c $< -o $@

$(WASM)/sat.js: docs/site/host.c $(PLAYGROUND_LUA:$(LUA_SOURCES)/%.c=$(WASM)/lua/%.o) $(BINDING_OBJECTS) $(CORE_OBJECTS)
	$(call say,  LINK  sat.js)
	$(Q)$(CC) -Wall -Wextra $(STRICT) $(CPPFLAGS) $(LUA_CFLAGS) $^ $(WASM_FLAGS) -o $@
