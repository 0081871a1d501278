# plain.mk: the plain pairs of games, each beside a kernel for just that pair.

PLAIN := $(BUILD)/bench/plain
BENCH_PROGRAMS += $(PLAIN)

$(PLAIN): $(OBJECTS)/bench/plain.o $(OBJECTS)/bench/common.o $(CORE_OBJECTS)
	@mkdir -p $(@D)
	$(LINK) $^ -lm -o $@
