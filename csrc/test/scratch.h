/* scratch.h: the scratch memory of a suite, whose bytes are counted, and which ends with none. */
#ifndef SAT_TEST_SCRATCH_H
#define SAT_TEST_SCRATCH_H

#include "test/memory.h"

static Memory memory;
static sat_Scratch scratch;

static int make_scratch(void **state) {
  (void)state;
  memory = (Memory){0, -1, 0};
  scratch = sat_scratch_make((sat_Allocator){watched_allocate, &memory});
  return 0;
}

static int free_scratch(void **state) {
  (void)state;
  sat_scratch_free(&scratch);
  return memory.bytes == 0 ? 0 : -1;
}

#endif
