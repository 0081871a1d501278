# boolean.mk: unions and repairs, beside Clipper 6 and, where CLIPPER2 names a checkout of it, Clipper2.

BOOLEAN := $(BUILD)/bench/boolean
BENCH_PROGRAMS += $(BOOLEAN)
CLIPPER2_LIB := $(if $(CLIPPER2),$(CLIPPER2)/CPP/Clipper2Lib)

# The peers are compiled as they advise. Nothing else tells that CLIPPER2 has changed.
$(BOOLEAN): bench/boolean.cpp $(CORE_OBJECTS) always
	@mkdir -p $(@D)
	$(CXX) -std=c++17 -O2 -Icsrc $(if $(CLIPPER2),-DBENCH_CLIPPER2 -isystem $(CLIPPER2_LIB)/include \
	  $(wildcard $(CLIPPER2_LIB)/src/*.cpp)) $< $(CORE_OBJECTS) -lm \
	  $(if $(wildcard /usr/include/polyclipping/clipper.hpp),-lpolyclipping) -o $@
