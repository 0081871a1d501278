# decomposition.mk: rings cut into convex pieces.

DECOMPOSITION := $(BUILD)/bench/decomposition
BENCH_PROGRAMS += $(DECOMPOSITION)

$(DECOMPOSITION): $(OBJECTS)/bench/decomposition.o $(OBJECTS)/bench/common.o \
  $(OBJECTS)/test/polygons.o $(CORE_OBJECTS)
	@mkdir -p $(@D)
	$(LINK) $^ -lm -o $@
