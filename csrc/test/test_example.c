/* test_example.c: the example at the head of sat.h, as it stands there. */
#include "sat.h"
#include "test/suite.h"

#include <stdlib.h>

/* example */
static void *allocate(void *context, void *block, size_t old_size, size_t size) {
  (void)context, (void)old_size;
  if (size) return realloc(block, size);
  free(block);
  return NULL;
}

static double push_out_of_box(void) {
  sat_Allocator allocator = {allocate, NULL};
  sat_Scratch scratch = sat_scratch_make(allocator);
  sat_Vec2 corners[] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
  sat_Shape *a = malloc(sat_shape_bytes(4)), *b = malloc(sat_shape_bytes(4));
  sat_Result result = {.depth = 0};
  sat_shape_init(a, corners, 4, 0);
  sat_shape_init(b, corners, 4, 0);
  sat_shape_move(a, 1.5, 0);
  if (sat_collide(a, b, &scratch, &result) == SAT_OK)
    sat_shape_move(a, result.vector.x, result.vector.y);
  free(a);
  free(b);
  sat_scratch_free(&scratch);
  return result.depth;
}
/* end of the example */

TEST(the_example_pushes_a_box_out_by_its_depth) { assert_true(push_out_of_box() == 0.5); }

int main(void) { return run_suite(NULL, NULL); }
