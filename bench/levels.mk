# levels.mk: questions to worlds of long levels and of heaps.

LEVELS := $(BUILD)/bench/levels
BENCH_PROGRAMS += $(LEVELS)

$(LEVELS): $(OBJECTS)/bench/levels.o $(OBJECTS)/bench/plain_grid.o $(OBJECTS)/bench/common.o $(CORE_OBJECTS)
	@mkdir -p $(@D)
	$(LINK) $^ -lm -o $@
