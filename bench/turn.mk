# turn.mk: what one turn of a shape takes, beside a prototype.

TURN := $(BUILD)/bench/turn
BENCH_PROGRAMS += $(TURN)

$(TURN): $(OBJECTS)/bench/turn.o $(OBJECTS)/bench/common.o $(CORE_OBJECTS)
	@mkdir -p $(@D)
	$(LINK) $^ -lm -o $@
