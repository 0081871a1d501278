# bench.mk: how programs are built, from bench/NAME.c, common.o, the core and what else is named here; and the module with
# the parts of a call for calls.lua.

$(OBJECTS)/bench/%.o: bench/%.c
	@mkdir -p $(@D)
	$(COMPILE) -c $< -o $@

# Box2D 3 takes part where BOX2D3 names a checkout of it that has been built: BOX2D3=folder. What knows of it is compiled
# anew each time, since nothing else tells that BOX2D3 has changed.
$(OBJECTS)/bench/peer_box2d3.o $(OBJECTS)/bench/world.o: $(OBJECTS)/bench/%.o: bench/%.c always
	@mkdir -p $(@D)
	$(COMPILE) $(if $(BOX2D3),-DBENCH_BOX2D3 -isystem $(BOX2D3)/include) -c $< -o $@

bench_objects = $(patsubst %,$(OBJECTS)/bench/%.o,$(1))
NARROWPHASE := $(BUILD)/bench/narrowphase
$(NARROWPHASE): $(call bench_objects,race scene closest_point_sat peer_sat peer_textbook peer_box2d3)
BROADPHASE := $(BUILD)/bench/broadphase
$(BROADPHASE): $(call bench_objects,race crowd index_list index_sat index_tutorial index_chipmunk)
$(BROADPHASE): BENCH_LIBS := -lchipmunk
WORLD := $(BUILD)/bench/world
$(WORLD): $(call bench_objects,race)
$(NARROWPHASE) $(WORLD): BENCH_LIBS = $(if $(BOX2D3),$(BOX2D3)/build/src/libbox2d.a -lpthread)
DECOMPOSITION := $(BUILD)/bench/decomposition
$(DECOMPOSITION): $(OBJECTS)/test/polygons.o
# `make bench` leaves this one out, since it takes half an hour.
FAMILIES := $(BUILD)/bench/families
$(FAMILIES): $(OBJECTS)/test/families.o

SIMPLE_BENCHES := $(NARROWPHASE) $(BROADPHASE) $(WORLD) $(DECOMPOSITION) $(BUILD)/bench/scale $(BUILD)/bench/growth
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
