# queries.mk: rays, casts and distances beside plain code.

QUERIES := $(BUILD)/bench/queries
BENCH_PROGRAMS += $(QUERIES)

$(QUERIES): $(patsubst %,$(OBJECTS)/bench/%.o,queries plain_kernels common) $(CORE_OBJECTS)
	@mkdir -p $(@D)
	$(LINK) $^ -lm -o $@
