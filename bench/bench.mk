# bench.mk: how programs are built, from bench/NAME.c, common.o, the core and what else is named here; and the module with
# the parts of a call for calls.lua.

$(OBJECTS)/bench/%.o: bench/%.c
	@mkdir -p $(@D)
	$(COMPILE) -c $< -o $@

# BOX2D3 names a checkout of Box2D 3 that has been built, CUTE_C2 a folder with cute_c2.h. What knows of them is compiled
# anew each time, since nothing else tells that they have changed.
BENCH_PEERS := $(if $(BOX2D3),-DBENCH_BOX2D3 -isystem $(BOX2D3)/include) $(if $(CUTE_C2),-DBENCH_CUTE_C2 -isystem $(CUTE_C2))
$(patsubst %,$(OBJECTS)/bench/%.o,peer_box2d3 peer_cute_c2 box2d3_world world): $(OBJECTS)/bench/%.o: bench/%.c always
	@mkdir -p $(@D)
	$(COMPILE) -DNDEBUG $(BENCH_PEERS) -c $< -o $@

bench_objects = $(patsubst %,$(OBJECTS)/bench/%.o,$(1))
NARROWPHASE := $(BUILD)/bench/narrowphase
$(NARROWPHASE): $(call bench_objects,race pairs closest_point_sat peer_sat peer_plain peer_textbook peer_box2d3 peer_cute_c2)
BROADPHASE := $(BUILD)/bench/broadphase
$(BROADPHASE): $(call bench_objects,race crowd index_list index_sat index_tutorial index_chipmunk)
$(BROADPHASE): BENCH_LIBS := -lchipmunk
LEVELS := $(BUILD)/bench/levels
$(LEVELS): $(call bench_objects,race plain_grid plain_tree box2d3_world)
MOVES := $(BUILD)/bench/moves
$(MOVES): $(call bench_objects,plain_grid)
WORLD := $(BUILD)/bench/world
$(WORLD): $(call bench_objects,race)
$(NARROWPHASE) $(LEVELS) $(WORLD): BENCH_LIBS = $(if $(BOX2D3),$(BOX2D3)/build/src/libbox2d.a -lpthread)
GROWTH := $(BUILD)/bench/growth
$(GROWTH): $(OBJECTS)/test/polygons.o
# `make bench` leaves this one out, since it takes half an hour.
FAMILIES := $(BUILD)/bench/families
$(FAMILIES): $(OBJECTS)/test/families.o

SIMPLE_BENCHES := $(NARROWPHASE) $(BROADPHASE) $(LEVELS) $(MOVES) $(WORLD) $(GROWTH) \
	$(BUILD)/bench/scale $(BUILD)/bench/union
BENCH_PROGRAMS += $(SIMPLE_BENCHES)

$(SIMPLE_BENCHES) $(FAMILIES): $(BUILD)/bench/%: $(OBJECTS)/bench/%.o $(OBJECTS)/bench/common.o $(CORE_OBJECTS)
	@mkdir -p $(@D)
	$(LINK) $(filter %.o,$^) $(BENCH_LIBS) -lm -o $@

$(LUA_OBJECTS)/bench/empty.o: bench/empty.c
	@mkdir -p $(@D)
	$(COMPILE) $(LUA_CFLAGS) -c $< -o $@

$(BUILD)/$(LUA)/bench_empty.so: $(LUA_OBJECTS)/bench/empty.o $(CORE_OBJECTS)
	@mkdir -p $(@D)
	$(LINK) $(MODULE_LDFLAGS) $^ -lm -o $@

run-benches: $(BUILD)/$(LUA)/bench_empty.so
