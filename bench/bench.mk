# bench.mk: how programs are built, from bench/NAME.c, common.o, the core and what else is named here.

$(OBJECTS)/bench/%.o: bench/%.c
	@mkdir -p $(@D)
	$(COMPILE) -c $< -o $@

# BOX2D3 names a checkout of Box2D 3 that has been built, CUTE_C2 a folder with cute_c2.h. What knows of them is compiled
# anew each time, since nothing else tells that they have changed.
BENCH_PEERS := $(if $(BOX2D3),-DBENCH_BOX2D3 -isystem $(BOX2D3)/include) $(if $(CUTE_C2),-DBENCH_CUTE_C2 -isystem $(CUTE_C2))
$(patsubst %,$(OBJECTS)/bench/%.o,peer_box2d3 peer_cute_c2 box2d3_world world): $(OBJECTS)/bench/%.o: bench/%.c always
	@mkdir -p $(@D)
	$(COMPILE) -DNDEBUG $(BENCH_PEERS) -c $< -o $@

# What each program has besides its own object and common.o.
narrowphase_has := $(addprefix bench/,pairs closest_point_sat peer_sat peer_plain peer_textbook peer_box2d3 peer_cute_c2)
broadphase_has := $(addprefix bench/,crowd index_list index_sat index_tutorial index_chipmunk)
levels_has := $(addprefix bench/,plain_grid plain_tree box2d3_world)
moves_has := bench/plain_grid
scale_has := test/families
BENCHES := narrowphase broadphase levels moves world scale union
BENCH_PROGRAMS += $(BENCHES:%=$(BUILD)/bench/%)
$(BUILD)/bench/broadphase: BENCH_LIBS := -lchipmunk
$(addprefix $(BUILD)/bench/,narrowphase levels world): BENCH_LIBS = $(if $(BOX2D3),$(BOX2D3)/build/src/libbox2d.a -lpthread)

$(foreach one,$(BENCHES),$(eval $(BUILD)/bench/$(one): $(patsubst %,$(OBJECTS)/%.o,bench/$(one) bench/common $($(one)_has))))
$(BENCHES:%=$(BUILD)/bench/%): $(CORE_OBJECTS)
	@mkdir -p $(@D)
	$(LINK) $(filter %.o,$^) $(BENCH_LIBS) -lm -o $@

# Unions and repairs, beside Clipper 6 and, where CLIPPER2 names a checkout of it, Clipper2. The peers are compiled as they
# advise. Nothing else tells that CLIPPER2 has changed.
BOOLEAN := $(BUILD)/bench/boolean
BENCH_PROGRAMS += $(BOOLEAN)
CLIPPER2_LIB := $(if $(CLIPPER2),$(CLIPPER2)/CPP/Clipper2Lib)
$(BOOLEAN): bench/boolean.cpp $(CORE_OBJECTS) always
	@mkdir -p $(@D)
	$(CXX) -std=c++17 -O2 -Icsrc $(if $(CLIPPER2),-DBENCH_CLIPPER2 -isystem $(CLIPPER2_LIB)/include \
	  $(wildcard $(CLIPPER2_LIB)/src/*.cpp)) $< $(CORE_OBJECTS) -lm \
	  $(if $(wildcard /usr/include/polyclipping/clipper.hpp),-lpolyclipping) -o $@
