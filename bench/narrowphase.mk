# narrowphase.mk: the timings of two convex shapes, and the module that collide.lua measures a call's parts with.

NARROWPHASE := $(BUILD)/bench/narrowphase
NARROWPHASE_OBJECTS := $(patsubst %,$(OBJECTS)/bench/%.o,narrowphase contest scene common textbook closest_point_sat \
	peer_sat peer_chipmunk peer_box2d peer_box2d3)
BENCH_PROGRAMS += $(NARROWPHASE)

$(OBJECTS)/bench/%.o: bench/%.c
	@mkdir -p $(@D)
	$(COMPILE) -c $< -o $@

$(OBJECTS)/bench/%.o: bench/%.cpp
	@mkdir -p $(@D)
	$(CXX) -std=c++11 -O2 -Icsrc -MMD -MP -Wall -Wextra -Wshadow -Wpedantic $(CPPFLAGS) $(CXXFLAGS) -c $< -o $@

# Box2D 3 takes part where BOX2D3 names a checkout of it that has been built: BOX2D3=folder. The peer is compiled anew
# each time, since nothing else tells that BOX2D3 has changed.
$(OBJECTS)/bench/peer_box2d3.o: bench/peer_box2d3.c always
	@mkdir -p $(@D)
	$(COMPILE) $(if $(BOX2D3),-DBENCH_BOX2D3 -isystem $(BOX2D3)/include) -c $< -o $@

# Linked by the C++ compiler for the sake of Box2D.
$(NARROWPHASE): $(NARROWPHASE_OBJECTS) $(CORE_OBJECTS)
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) $(LDFLAGS) $(filter %.o,$^) $(if $(BOX2D3),$(BOX2D3)/build/src/libbox2d.a) -lbox2d \
	  -lchipmunk -lm -o $@

$(LUA_OBJECTS)/bench/empty.o: bench/empty.c
	@mkdir -p $(@D)
	$(COMPILE) $(LUA_CFLAGS) -c $< -o $@

$(BUILD)/$(LUA)/bench_empty.so: $(LUA_OBJECTS)/bench/empty.o $(CORE_OBJECTS)
	@mkdir -p $(@D)
	$(LINK) $(MODULE_LDFLAGS) $^ -lm -o $@

run-benches: $(BUILD)/$(LUA)/bench_empty.so
