# world.mk: a frame of a world without a solver. narrowphase.mk has the rules for the objects.

WORLD := $(BUILD)/bench/world
BENCH_PROGRAMS += $(WORLD)

# As peer_box2d3.o in narrowphase.mk.
$(OBJECTS)/bench/world.o: bench/world.c always
	@mkdir -p $(@D)
	$(COMPILE) $(if $(BOX2D3),-DBENCH_BOX2D3 -isystem $(BOX2D3)/include) -c $< -o $@

$(WORLD): $(OBJECTS)/bench/world.o $(OBJECTS)/bench/common.o $(CORE_OBJECTS)
	@mkdir -p $(@D)
	$(LINK) $(filter %.o,$^) $(if $(BOX2D3),$(BOX2D3)/build/src/libbox2d.a -lpthread) -lm -o $@
