# union.mk: the shortest way out of shapes of several parts.

UNION := $(BUILD)/bench/union
BENCH_PROGRAMS += $(UNION)

$(UNION): $(OBJECTS)/bench/union.o $(OBJECTS)/bench/common.o $(CORE_OBJECTS)
	@mkdir -p $(@D)
	$(LINK) $^ -lm -o $@
