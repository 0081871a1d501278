# scale.mk: time and memory for each element, from a thousand to a million.

SCALE := $(BUILD)/bench/scale
BENCH_PROGRAMS += $(SCALE)

$(SCALE): $(OBJECTS)/bench/scale.o $(OBJECTS)/bench/common.o $(CORE_OBJECTS)
	@mkdir -p $(@D)
	$(LINK) $^ -lm -o $@
