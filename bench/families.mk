# families.mk: how the time of questions about compounds grows with their pieces. This program takes half an hour, so
# that `make bench` leaves it out.

FAMILIES := $(BUILD)/bench/families

$(FAMILIES): $(OBJECTS)/bench/families.o $(OBJECTS)/bench/common.o $(OBJECTS)/test/families.o \
  $(CORE_OBJECTS)
	@mkdir -p $(@D)
	$(LINK) $^ -lm -o $@
