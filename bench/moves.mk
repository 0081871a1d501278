# moves.mk: moves along tiles, beside the plain move of boxes.

MOVES := $(BUILD)/bench/moves
BENCH_PROGRAMS += $(MOVES)

$(MOVES): $(OBJECTS)/bench/moves.o $(OBJECTS)/bench/plain_grid.o $(OBJECTS)/bench/common.o $(CORE_OBJECTS)
	@mkdir -p $(@D)
	$(LINK) $^ -lm -o $@
