# growth.mk: how much longer calls take with twice as much.

GROWTH := $(BUILD)/bench/growth
BENCH_PROGRAMS += $(GROWTH)

$(GROWTH): $(OBJECTS)/bench/growth.o $(OBJECTS)/bench/common.o $(CORE_OBJECTS)
	@mkdir -p $(@D)
	$(LINK) $^ -lm -o $@
