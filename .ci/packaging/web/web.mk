# make web: what a game made with love.js needs besides, in $(BUILD)/web: the folder sat and sat.js.

WEB := $(BUILD)/wasm/web
WEB_LUA := $(BUILD)/foreign/sources/lua5.1/src
WEB_LUA_FILES := lapi ldebug ldo lfunc lgc lmem lobject lopcodes lstate lstring ltable ltm lvm lzio lauxlib
# -O1, since what would make the code smaller also makes the numbers in it move.
WEB_LINK = NODE_PATH=/usr/share/nodejs emcc -O1 --no-entry -sIMPORTED_MEMORY=1 -sALLOW_MEMORY_GROWTH=1 \
	-sMAXIMUM_MEMORY=2147483648 -sINITIAL_MEMORY=67108864 -sTOTAL_STACK=262144 -sMALLOC=none \
	-sERROR_ON_UNDEFINED_SYMBOLS=0 -sWARN_ON_UNDEFINED_SYMBOLS=0 -sEXPORTED_FUNCTIONS=_setThrew \
	-Wl,--wrap=emscripten_longjmp

.PHONY: web web-files
web:
	@.ci/dependencies site
	@.ci/foreign sources lua5.1
	@$(MAKE) --no-print-directory web-files
	$(call say,$(BUILD)/web: sat and sat.js)

web-files: $(BUILD)/web/sat.js $(SCRIPTS:lua/sat/%=$(BUILD)/web/sat/%) $(BUILD)/web/sat/LICENSE

$(BUILD)/web/sat/LICENSE: LICENSE
	@mkdir -p $(@D)
	@cp $< $@
$(SCRIPTS:lua/sat/%=$(BUILD)/web/sat/%): $(BUILD)/web/sat/%: lua/sat/%
	@mkdir -p $(@D)
	@cp $< $@

# Each line of lua.sed has to find its place.
$(WEB)/lua/lua.h: .ci/packaging/web/lua.sed $(wildcard $(WEB_LUA)/*.[ch])
	@mkdir -p $(@D)
	@for file in $(WEB_LUA)/*.[ch]; do sed -f .ci/packaging/web/lua.sed $$file >$(@D)/$$(basename $$file) || exit; done
	@echo '#define DEB_HOST_MULTIARCH ""' >$(@D)/lua5.1-deb-multiarch.h
	@[ $$(cat $(@D)/*.c | grep -c 'satlua_\|c\.f = NULL;\|upvalue\[[n0]\], (void') = 11 ]

$(WEB)/lapi.o: $(WEB)/lua/lua.h .ci/packaging/web/web.c .ci/packaging/web/host.h
	$(call say,  CC    Lua 5.1 (WebAssembly))
	$(Q)cd $(WEB) && NODE_PATH=/usr/share/nodejs emcc -O2 -std=gnu99 -w -I$(abspath .ci/packaging/web) -include host.h -Ilua -c \
	  $(WEB_LUA_FILES:%=lua/%.c) $(abspath .ci/packaging/web/web.c)

$(WEB)/core.o: $(CORE) $(BINDING) $(wildcard rockspec/*.c csrc/*.h csrc/*/*.h) $(WEB)/lua/lua.h
	$(call say,  CC    sat (WebAssembly))
	$(Q)cd $(WEB) && NODE_PATH=/usr/share/nodejs emcc -O2 -std=c11 -ffp-contract=off -DSAT_PINNED -Ilua -I$(abspath csrc) -c \
	  $(abspath rockspec/core.c rockspec/binding.c)

$(WEB)/low.js $(WEB)/high.js: $(WEB)/lapi.o $(WEB)/core.o
$(WEB)/low.js: WEB_BASE := 16777216
$(WEB)/high.js: WEB_BASE := 33554432
$(WEB)/low.js $(WEB)/high.js:
	$(call say,  LINK  $(@F) (WebAssembly))
	$(Q)$(WEB_LINK) -sGLOBAL_BASE=$(WEB_BASE) $(WEB)/*.o -o $@

$(BUILD)/web/sat.js: $(WEB)/low.js $(WEB)/high.js .ci/packaging/web/page.js .ci/packaging/web/pack.mjs csrc/sat.h
	@mkdir -p $(@D)
	@node .ci/packaging/web/pack.mjs $(WEB)/low.wasm $(WEB)/high.wasm $@ $(WEB_LUA)/lua.h
