# frame.mk: the module with Box2D 3 for frame.lua. narrowphase.mk has the rules for the peers that are C programs.

# As peer_box2d3.o in narrowphase.mk.
$(LUA_OBJECTS)/bench/frame_box2d3.o: bench/frame_box2d3.c always
	@mkdir -p $(@D)
	$(COMPILE) $(LUA_CFLAGS) $(if $(BOX2D3),-DBENCH_BOX2D3 -isystem $(BOX2D3)/include) -c $< -o $@

$(BUILD)/$(LUA)/bench_frame_box2d3.so: $(LUA_OBJECTS)/bench/frame_box2d3.o
	@mkdir -p $(@D)
	$(LINK) $(MODULE_LDFLAGS) $^ $(if $(BOX2D3),$(BOX2D3)/build/src/libbox2d.a) -lm -o $@

run-benches: $(BUILD)/$(LUA)/bench_frame_box2d3.so
