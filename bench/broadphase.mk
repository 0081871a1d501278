# broadphase.mk: the timings of many boxes. narrowphase.mk has the rules for the objects.

BROADPHASE := $(BUILD)/bench/broadphase
BROADPHASE_OBJECTS := $(patsubst %,$(OBJECTS)/bench/%.o,broadphase runner crowd common index_list index_sat \
	index_tutorial index_chipmunk index_box2d index_box2d3 index_boost)
BENCH_PROGRAMS += $(BROADPHASE)

# The compiler cannot see through its sorting of arrays that are filled in part.
$(OBJECTS)/bench/index_boost.o: CXXFLAGS += -Wno-maybe-uninitialized

# As peer_box2d3.o in narrowphase.mk.
$(OBJECTS)/bench/index_box2d3.o: CXXFLAGS += $(if $(BOX2D3),-DBENCH_BOX2D3 -isystem $(BOX2D3)/include)
$(OBJECTS)/bench/index_box2d3.o: always

# Linked by the C++ compiler for the sake of Box2D and Boost.
$(BROADPHASE): $(BROADPHASE_OBJECTS) $(CORE_OBJECTS)
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) $(LDFLAGS) $(filter %.o,$^) $(if $(BOX2D3),$(BOX2D3)/build/src/libbox2d.a) -lbox2d \
	  -lchipmunk -lm -o $@
